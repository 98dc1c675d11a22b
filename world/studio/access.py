"""Who may open the studio: whoever has the control secret, or a browser that followed the link once."""

import hmac
from hashlib import sha256
from http.cookies import CookieError, SimpleCookie
from urllib.parse import urlsplit

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from world.core.rng import process_secret
from world.web.mount import local_path
from world.web.response_headers import add_page_headers, see_other

LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1", "studio.localhost"})
READS = frozenset({"GET", "HEAD"})
ENTRY = "/enter/"


class StudioAccess:
    """Lets a request through that carries the secret or the cookie of a browser that entered.

    Everything else is answered alike, so the port tells a stranger nothing. Only loopback names are answered, and a
    form only from a page of the studio itself.
    """

    def __init__(self, app: ASGIApp, secret: str) -> None:
        self._app, self._secret = app, secret
        self._session = process_secret()
        self._links: set[str] = set()

    def issue_link(self) -> str:
        """The path of a link that opens the studio in one browser, once."""
        key = process_secret()
        self._links.add(key)
        return ENTRY + key

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        refusal = self._admit(Request(scope))
        await (self._app if refusal is None else refusal)(scope, receive, send)

    def _admit(self, request: Request) -> Response | None:
        """The answer to a request that is not let through, or that enters; None for one that is let through."""
        if (request.url.hostname or "") not in LOOPBACK:
            return PlainTextResponse("Misdirected Request", 421)
        if request.url.path.startswith(ENTRY):
            return self._enter(request)
        if self._has_secret(request):
            return None
        if not self._has_cookie(request):
            return PlainTextResponse("Open the link that the command has printed.", 401)
        return None if request.method in READS or _is_own(request) else PlainTextResponse("Forbidden", 403)

    def _enter(self, request: Request) -> Response:
        key = request.url.path.removeprefix(ENTRY)
        if request.method != "GET" or key not in self._links:
            return PlainTextResponse("This link was used already, or is none. Start the command again.", 401)
        self._links.discard(key)
        answer = see_other(local_path(request.query_params.get("next"), "/"))
        answer.set_cookie(self._cookie(request), self._session, path="/", httponly=True, samesite="strict")
        return add_page_headers(answer)

    def _cookie(self, request: Request) -> str:
        """A name of its own per port: browsers send the cookies of one port to all."""
        return f"firm_studio_{request.url.port or 80}"

    def _has_secret(self, request: Request) -> bool:
        given = request.headers.get("authorization", "").encode()
        return hmac.compare_digest(sha256(given).digest(), sha256(f"Bearer {self._secret}".encode()).digest())

    def _has_cookie(self, request: Request) -> bool:
        try:
            found = SimpleCookie(request.headers.get("cookie", "")).get(self._cookie(request))
        except CookieError:
            return False
        return found is not None and hmac.compare_digest(found.value.encode(), self._session.encode())


def _is_own(request: Request) -> bool:
    """Whether a form was sent by a page of this very origin."""
    return urlsplit(request.headers.get("origin", "")).netloc == request.url.netloc
