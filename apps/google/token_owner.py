"""Userinfo, tokeninfo and revocation of a token.

developers.google.com/identity/openid-connect/openid-connect#obtaininguserprofileinformation,
developers.google.com/identity/protocols/oauth2/web-server#tokenrevoke
"""

from collections.abc import Awaitable, Callable, Mapping
from urllib.parse import parse_qs

import orjson
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from apps.google import oauth
from apps.google.scopes import FULL, PREFIX
from world.core.clock import SECOND
from world.core.json_types import JsonObject
from world.core.principal import Principal
from world.core.rng import digest
from world.run.authentication import admit
from world.run.host import Host

APPS = ("gmail", "drive", "sheets")
MAX_FORM = 64 * 1024
BAD_CREDENTIALS = {"error": "invalid_request", "error_description": "Invalid Credentials"}
BAD_TOKEN = {"error": "invalid_token", "error_description": "Invalid Value"}
REVOKED = {"error": "invalid_token", "error_description": "Token expired or revoked"}
_PERSON = "SELECT full_name, first_name, last_name, email FROM person WHERE id = ? AND status = 'active'"
Endpoint = Callable[[Request], Awaitable[Response]]


def routes(host: Host) -> list[BaseRoute]:
    """The addresses under which Google has had them, relative to the app's mount."""

    def userinfo(*, newer: bool) -> Endpoint:
        async def endpoint(request: Request) -> Response:
            return _answer_userinfo(host, request, newer=newer)

        return endpoint

    async def tokeninfo(request: Request) -> Response:
        return _answer_tokeninfo(host, await _read_value(request, "access_token"))

    async def revoke(request: Request) -> Response:
        return _answer_revoke(host, await _read_value(request, "token"))

    both = ["GET", "POST"]
    return [
        *(Route(path, userinfo(newer=True), methods=both) for path in ("/oauth2/v3/userinfo", "/v1/userinfo")),
        *(Route(path, userinfo(newer=False), methods=both) for path in ("/oauth2/v2/userinfo", "/oauth2/v1/userinfo")),
        *(
            Route(path, tokeninfo, methods=both)
            for path in ("/tokeninfo", "/oauth2/v3/tokeninfo", "/oauth2/v1/tokeninfo")
        ),
        *(Route(path, revoke, methods=both) for path in ("/revoke", "/o/oauth2/revoke")),
    ]


def _answer_userinfo(host: Host, request: Request, *, newer: bool) -> Response:
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    principal = _find_owner(host, token.strip() if scheme.lower() == "bearer" else "")
    found = _find_profile(host, principal) if principal is not None else None
    if found is None:
        return _json_response(401, BAD_CREDENTIALS, {"WWW-Authenticate": 'Bearer realm="https://accounts.google.com/"'})
    assert principal is not None
    name, given, family, email = found
    number, verified = ("sub", "email_verified") if newer else ("id", "verified_email")
    shown = {number: account_number(principal), "name": name, "given_name": given, "family_name": family}
    return _json_response(200, {**shown, "email": email, verified: True, "hd": email.partition("@")[2]})


def _answer_tokeninfo(host: Host, token: str) -> Response:
    principal = _find_owner(host, token)
    found = _find_profile(host, principal) if principal is not None else None
    if found is None:
        return _json_response(400, BAD_TOKEN)
    assert principal is not None
    until = host.actor(principal.world).now // SECOND + oauth.LIFETIME_S
    return _json_response(
        200,
        {
            "azp": oauth.CLIENT_ID,
            "aud": oauth.CLIENT_ID,
            "sub": account_number(principal),
            "scope": _format_scopes(principal),
            "exp": str(until),
            "expires_in": str(oauth.LIFETIME_S),
            "email": found[3],
            "email_verified": "true",
            "access_type": "online",
        },
    )


def _answer_revoke(host: Host, token: str) -> Response:
    known = _find_owner(host, token) or (host.tokens.find_grant(token) if token.startswith("1//") else None)
    if known is None:
        return _json_response(400, REVOKED)
    host.tokens.revoke(token)
    return _json_response(200, {})


def _find_owner(host: Host, token: str) -> Principal | None:
    """The principal of an access token of one of Google's apps."""
    found = host.tokens.resolve(token) or (oauth.resolve_bearer(host, token) if token else None)
    return found if found is not None and any(admit(host, app, found) for app in APPS) else None


def _find_profile(host: Host, principal: Principal) -> tuple[str, str, str, str] | None:
    return host.actor(principal.world).bound.raw.execute(_PERSON, (principal.person,)).fetchone()


def account_number(principal: Principal) -> str:
    """A person's account as Google numbers it: 21 digits."""
    return f"1{int.from_bytes(digest('google account', principal.person, size=8), 'big'):020d}"


def _format_scopes(principal: Principal) -> str:
    names = sorted(principal.scopes) or [oauth.USUAL.get(principal.app, FULL)]
    return " ".join(name if "/" in name else FULL if name in FULL else f"{PREFIX}{name}" for name in names)


async def _read_value(request: Request, name: str) -> str:
    """A value of the query, or of a form."""
    if request.query_params.get(name):
        return request.query_params[name]
    body = (await request.body())[:MAX_FORM].decode("utf-8", "replace")
    return next(iter(parse_qs(body).get(name, [])), "")


def _json_response(
    status: int, body: JsonObject | Mapping[str, object], headers: Mapping[str, str] | None = None
) -> Response:
    shown = {"Cache-Control": "no-cache, no-store, max-age=0, must-revalidate", "Pragma": "no-cache", **(headers or {})}
    return Response(orjson.dumps(body), status, shown, "application/json; charset=utf-8")
