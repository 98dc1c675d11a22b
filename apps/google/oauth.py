"""Access tokens for refresh tokens and signed assertions, as Google's token endpoint gives them.

developers.google.com/identity/protocols/oauth2/web-server#offline and .../oauth2/service-account#httprest: form bodies,
errors `{"error": ..., "error_description": ...}`. The times in an assertion are the client's own clock, so only its
signature counts.
"""

from collections.abc import Mapping
from dataclasses import replace
from functools import cache

import orjson
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from apps.google.scopes import FULL, PREFIX, expand_scopes, reaches_no_further
from world.core.access import Issuer, Signer
from world.core.app import App
from world.core.json_types import JsonObject
from world.core.lazy import Lazy
from world.core.principal import Principal
from world.run.host import Host

CLIENT_ID = "204817730165-firmament.apps.googleusercontent.com"
REFRESH, CLIENT = frozenset({"oauth2:refresh"}), frozenset({"oauth2:client"})
ASSERTION = "urn:ietf:params:oauth:grant-type:jwt-bearer"
LIFETIME_S = 3599
FORM = "ya29.{}"
DRIVE = f"{PREFIX}drive"
USUAL = {
    "gmail": FULL,
    "drive": DRIVE,
    "sheets": DRIVE,
    "google": f"{FULL} {DRIVE}",
}  # what a token of an app is good for when nobody says


class TokenRefused(Exception):
    """A request for a token that is refused; `error` is OAuth's code."""

    def __init__(self, status: int, error: str, description: str) -> None:
        super().__init__(error)
        self.status, self.error, self.description = status, error, description


def routes(host: Host) -> list[BaseRoute]:
    """The token endpoint, under every path Google has had it at."""

    async def token(request: Request) -> Response:
        try:
            return _json_response(200, issue_tokens(host, await _read_form(request)))
        except TokenRefused as denied:
            return _json_response(denied.status, {"error": denied.error, "error_description": denied.description})

    return [Route(path, token, methods=["POST"]) for path in ("/token", "/oauth2/v4/token", "/o/oauth2/token")]


async def _read_form(request: Request) -> dict[str, str]:
    try:
        async with request.form(max_fields=20, max_files=0) as form:
            return {name: value for name, value in form.items() if isinstance(value, str)}
    except HTTPException:
        raise TokenRefused(400, "invalid_request", "Could not parse the request.") from None


def _json_response(status: int, body: Mapping[str, object]) -> Response:
    headers = {"Cache-Control": "no-cache, no-store, max-age=0, must-revalidate", "Pragma": "no-cache"}
    return Response(orjson.dumps(body), status, headers, "application/json; charset=utf-8")


def issue_tokens(host: Host, given: Mapping[str, str]) -> JsonObject:
    """The answer to a request for a token. Raises TokenRefused."""
    grant = given.get("grant_type", "")
    if grant == "refresh_token":
        principal = _refresh_principal(host, given)
    elif grant == ASSERTION:
        principal = resolve_assertion(host, given.get("assertion", ""))
        if not principal.scopes:
            raise TokenRefused(400, "invalid_scope", "Invalid OAuth scope or ID token audience provided.")
    else:
        raise TokenRefused(400, "unsupported_grant_type", f"Invalid grant_type: {grant[:100]}")
    scope = " ".join(sorted(principal.scopes)) or USUAL.get(principal.app, FULL)
    token = host.tokens.issue(replace(principal, scopes=expand_scopes(principal.scopes, principal.app)), FORM)
    return {"access_token": token, "expires_in": LIFETIME_S, "scope": scope, "token_type": "Bearer"}


def _refresh_principal(host: Host, given: Mapping[str, str]) -> Principal:
    found = host.tokens.find_grant(given.get("refresh_token", ""))
    if found is None or not found.scopes >= REFRESH or not host.knows(found.world):
        raise TokenRefused(400, "invalid_grant", "Token has been expired or revoked.")
    if given.get("client_id") != CLIENT_ID or given.get("client_secret") != _client_secret(host, found):
        raise TokenRefused(401, "invalid_client", "The OAuth client was not found.")
    own = found.scopes - REFRESH
    wanted = frozenset(given.get("scope", "").split()) or own
    if not reaches_no_further(wanted, own, found.app):
        raise TokenRefused(400, "invalid_scope", "Some requested scopes were invalid.")
    return replace(_check_account(host, found), scopes=wanted)


def _client_secret(host: Issuer, principal: Principal) -> str:
    return host.tokens.issue(replace(principal, person="", scopes=CLIENT), "GOCSPX-{:.28}", grant=True)


def resolve_assertion(host: Host, assertion: str) -> Principal:
    """Return the principal who signed an assertion, or the permitted person it names. Raises TokenRefused."""
    claims, signer = _read_claims(host, assertion)
    subject = claims.get("sub") or claims.get("iss")
    scopes = frozenset(str(claims.get("scope") or "").split())
    if not reaches_no_further(scopes, signer.principal.scopes, signer.principal.app):
        raise TokenRefused(400, "invalid_scope", "Some requested scopes were invalid.")
    if subject == claims.get("iss"):
        return replace(signer.principal, scopes=scopes)
    found = next(
        (one for one in (signer.principal, *signer.subjects) if _mail_address(host, one) == str(subject).lower()), None
    )
    if found is None:
        raise TokenRefused(
            401,
            "unauthorized_client",
            "Client is unauthorized to retrieve access tokens using this method, or client not authorized"
            " for any of the scopes requested.",
        )
    return replace(_check_account(host, found), scopes=scopes)


def _check_account(host: Host, principal: Principal) -> Principal:
    """The principal, if it still has an account. Raises TokenRefused."""
    found = (
        host.actor(principal.world)
        .bound.raw.execute("SELECT status FROM person WHERE id = ?", (principal.person,))
        .fetchone()
    )
    if found is None or found[0] != "active":
        raise TokenRefused(400, "invalid_grant", "Account has been deleted")
    return principal


def _read_claims(host: Host, assertion: str) -> tuple[JsonObject, Signer]:
    try:
        signer = host.tokens.signer(_load_keys().read_issuer(assertion))
        if signer is None or not host.knows(signer.principal.world):
            raise TokenRefused(400, "invalid_grant", "Invalid grant: account not found")
        return _load_keys().read_claims(assertion, signer.public_key), signer
    except ValueError:
        raise TokenRefused(400, "invalid_grant", "Invalid JWT Signature.") from None


@cache
def _load_keys() -> Lazy:
    """Return the signing library, loaded on first use: few runs need it, and it would slow every start."""
    return Lazy("apps.google.service_account_keys")


def _mail_address(host: Host, principal: Principal) -> str:
    raw = host.actor(principal.world).bound.raw
    row = raw.execute("SELECT email FROM person WHERE id = ?", (principal.person,)).fetchone()
    return str(row[0]).lower() if row else ""


def resolve_bearer(host: Host, token: str) -> Principal | None:
    """Return the principal of a self-signed assertion used as a token, or None."""
    if token.count(".") != 2:
        return None
    try:
        found = resolve_assertion(host, token)
    except TokenRefused:
        return None
    return replace(found, scopes=expand_scopes(found.scopes, found.app))


def refresh_token_to_json(host: Issuer, principal: Principal, subjects: list[Principal], url: str) -> JsonObject:
    """An authorised user's file, as Google's libraries read it."""
    own = replace(principal, scopes=principal.scopes | REFRESH)
    return {
        "type": "authorized_user",
        "client_id": CLIENT_ID,
        "client_secret": _client_secret(host, own),
        "refresh_token": host.tokens.issue(own, "1//0{}", grant=True),
        "token_uri": f"{url}/token",
    }


def service_account_to_json(host: Issuer, principal: Principal, subjects: list[Principal], url: str) -> JsonObject:
    """A service account's key file; it speaks for the person and, by delegation, for the subjects."""
    public, private = _load_keys().generate_pair()
    name = host.tokens.issue(replace(principal, scopes=CLIENT), "agent-{:.12}", grant=True).lower()
    email = f"{name}@{principal.world}.iam.gserviceaccount.com"
    host.tokens.trust(email, Signer(principal, public, tuple(subjects)))
    return {
        "type": "service_account",
        "project_id": principal.world,
        "private_key_id": name.removeprefix("agent-"),
        "private_key": private,
        "client_email": email,
        "client_id": CLIENT_ID.partition("-")[0],
        "auth_uri": f"{url}/o/oauth2/auth",
        "token_uri": f"{url}/token",
        "universe_domain": "googleapis.com",
    }


def offer_credentials(app: App) -> None:
    """Let an app hand out the kinds of credential that Google's libraries read."""
    app.credentials.update(refresh_token=refresh_token_to_json, service_account=service_account_to_json)
