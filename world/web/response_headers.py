"""Headers of every page answer: never cached, never framed, no foreign resource, the world's version."""

import base64
from urllib.parse import quote

import orjson
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from world.core.json_types import is_object

CSP = (
    "default-src 'self'; script-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors"
    " 'none'; img-src 'self' data:"
)
FLASH = "firm_toast"
SAFE = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": CSP,
    "Referrer-Policy": "same-origin",
    "Vary": "HX-Request",
    "X-Content-Type-Options": "nosniff",
}


def is_fragment(request: Request) -> bool:
    """Whether htmx asks for a part of the page; Back asks for the whole."""
    return request.headers.get("hx-request") == "true" and request.headers.get("hx-history-restore-request") != "true"


def is_live(request: Request) -> bool:
    """Whether the live socket caused this fetch."""
    return request.headers.get("firm-live") == "1"


def html(
    text: str, status: int = 200, *, version: int | None = None, title: str = "", headers: dict[str, str] | None = None
) -> Response:
    """A page or a fragment with the headers every one carries."""
    response = HTMLResponse(text, status, headers={**SAFE, **(headers or {})})
    if version is not None:
        response.headers["X-World-Version"] = str(version)
    if title:
        response.headers["X-Page-Title"] = quote(title)
    return response


def add_page_headers(response: Response) -> Response:
    """Add the page headers to an answer made elsewhere, keeping what it set itself."""
    for name, value in SAFE.items():
        response.headers.setdefault(name, value)
    return response


def see_other(address: str) -> Response:
    """The answer to a form: go and look."""
    return add_page_headers(RedirectResponse(address, 303))


def elsewhere(address: str) -> Response:
    """The same for htmx: the browser loads another page."""
    return add_page_headers(Response(status_code=204, headers={"HX-Redirect": address}))


def build_vanished_response() -> Response:
    """The answer to the live socket's look at a page that is no more: nothing to put, and no error for the browser to
    log.
    """
    return add_page_headers(Response(status_code=204, headers={"HX-Retarget": "#banner"}))


def set_flash(response: Response, toast: dict[str, str]) -> None:
    """Keep a toast for the next full page."""
    text = base64.urlsafe_b64encode(orjson.dumps(toast)).decode()
    response.set_cookie(FLASH, text, path="/", httponly=True, samesite="lax")


def read_flash(request: Request) -> dict[str, str] | None:
    """The toast kept for this page, if any; a cookie of another making is ignored."""
    text = request.cookies.get(FLASH)
    if not text or len(text) > 4000:
        return None
    try:
        toast = orjson.loads(base64.urlsafe_b64decode(text))
    except ValueError:
        return None
    if not is_object(toast) or "text" not in toast:
        return None
    texts = {name: value for name, value in toast.items() if isinstance(value, str)}
    return texts if len(texts) == len(toast) else None
