"""Signing in: the login page, login links, and the cookie they set."""

from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from world.run.authentication import authenticate
from world.run.host import Host
from world.web import assets, response_headers, session, template_env
from world.web.mount import MountPoint, local_path, place_of, query_text
from world.web.theme import NOTICE, neutral_theme, theme_of

WRONG = "That email and password don't match. Check both and try again."


def login_context(host: Host, request: Request, app: str, following: str, why: str = "") -> dict[str, Any]:
    """Build the context of the login page."""
    place = place_of(request, app)
    shell = assets.shell()
    found = host.apps.get(app)
    return {
        "theme": theme_of(found) if found else neutral_theme("Sign in"),
        "why": why,
        "next": following,
        "notice": NOTICE,
        "site_url": place.site_url,
        "shell": shell.linked(place.shell_url),
        "vendored": shell.has,
        "app": app if found else "",
        "email": "",
    }


def ask_to_sign_in(host: Host, request: Request, app: str, *, why: str = "") -> Response:
    """Answer a page request of a stranger: the login page, then back here."""
    place = place_of(request, app)
    following = _here(request, place)
    if response_headers.is_fragment(request):
        return response_headers.add_page_headers(
            Response(status_code=401, headers={"HX-Redirect": login_address(place, following)})
        )
    if why:
        return page(host, request, app, following, why, 401)
    return response_headers.see_other(login_address(place, following))


def _here(request: Request, place: MountPoint) -> str:
    if request.method == "GET" and not response_headers.is_fragment(request):
        return request.url.path + (f"?{request.url.query}" if request.url.query else "")
    inner = place.inner(request.headers.get("hx-current-url") or request.headers.get("referer") or "")
    return place.url(inner or "/")


def login_address(place: MountPoint, following: str) -> str:
    """The login page's address, with where to go afterwards."""
    return place.site_url("/login") + query_text({"next": "" if following == "/" else following})


def page(host: Host, request: Request, app: str, following: str, why: str, status: int, email: str = "") -> Response:
    """The login page."""
    context = login_context(host, request, app, following, why) | {"email": email}
    return response_headers.html(template_env.render_page(template_env.environment(), "login.html", context), status)


def show(host: Host, request: Request) -> Response:
    """GET /login."""
    following = local_path(request.query_params.get("next"), "/")
    return page(host, request, app_in(host, following), following, "", 200)


async def sign_in(host: Host, request: Request) -> Response:
    """POST /login: the address must be that of the person the password belongs to."""
    try:
        return await _sign_in(host, request)
    except HTTPException:  # the form parser cannot read on
        return page(host, request, "", "/", "Sign in from this page.", 400)


async def _sign_in(host: Host, request: Request) -> Response:
    place = place_of(request, "")
    async with request.form(max_files=0, max_fields=20) as form:
        email, key = str(form.get("email", "")).strip(), str(form.get("password", "")).strip()
        following = local_path(str(form.get("next", "")), place.site_url("/"))
    if not session.same_origin(request, place):
        return page(host, request, "", following, "Sign in from this page.", 403)
    principal = authenticate(host, "", None, key)
    if principal is None or _email(host, principal.world, principal.person) != email.lower():
        return page(host, request, app_in(host, following), following, WRONG, 422, email)
    response = response_headers.see_other(following)
    session.remember(response, request, key)
    return response


def _email(host: Host, world: str, person: str) -> str:
    row = (
        host.actor(world)
        .bound.raw.execute("SELECT email FROM person WHERE id = ? AND status = 'active'", (person,))
        .fetchone()
    )
    return row[0].lower() if row else ""


def by_link(host: Host, request: Request) -> Response:
    """GET /login/<key>: a login link, as handed to an employee."""
    place = place_of(request, "")
    following = local_path(request.query_params.get("next"), place.site_url("/"))
    key = request.path_params["key"]
    principal = authenticate(host, "", None, key)
    if principal is None or not _email(host, principal.world, principal.person):
        return page(host, request, "", following, "This link has expired. Sign in with your password.", 403)
    response = response_headers.see_other(following)
    session.remember(response, request, key)
    return response


async def sign_out(host: Host, request: Request) -> Response:
    """POST /logout; only from a page of ours."""
    place = place_of(request, "")
    async with request.form(max_files=0, max_fields=20) as form:
        ours = session.token_version(request, str(form.get("_token", ""))) is not None
    if not ours or not session.same_origin(request, place):
        return page(host, request, "", "/", "Sign out from one of our pages.", 403)
    response = response_headers.see_other(place.site_url("/login"))
    session.forget(response)
    return response


def app_in(host: Host, following: str) -> str:
    """The app a local path belongs to, for the login page's wordmark."""
    first = following.lstrip("/").split("/", 1)[0].split("?", 1)[0]
    return first if first in host.apps else ""
