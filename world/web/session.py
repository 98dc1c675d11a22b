"""Session of a reader: the login cookie, the form token that only our own pages know, and the live switch."""

import hmac
from hashlib import blake2b

from starlette.requests import HTTPConnection
from starlette.responses import Response

from world.core.principal import Principal
from world.run.authentication import authenticate
from world.run.host import Host
from world.web.mount import MountPoint

COOKIE = "firm_session"
LIVE = "firm_live"


def principal_of(connection: HTTPConnection, host: Host) -> Principal | None:
    """The person the login cookie stands for; None without one, or when it was revoked."""
    found = authenticate(host, "", None, connection.cookies.get(COOKIE, ""))
    if found is not None:
        connection.scope["firm.world"] = found.world
    return found


def form_token(connection: HTTPConnection, version: int) -> str:
    """The hidden field of a form: proof that our page made it, and the state it was made from."""
    return f"{_proof(connection)}.{version}"


def _proof(connection: HTTPConnection) -> str:
    key = connection.cookies.get(COOKIE, "").encode()[:64]
    return blake2b(b"form", key=key, digest_size=16).hexdigest() if key else ""


def token_version(connection: HTTPConnection, token: str) -> int | None:
    """The state a form was made from; None when the token is not one of ours."""
    proof, _, version = token.rpartition(".")
    expected = _proof(connection)
    if not expected or not hmac.compare_digest(proof.encode(), expected.encode()):
        return None
    return int(version) if version.isascii() and version.isdigit() and len(version) < 19 else None


def same_origin(connection: HTTPConnection, place: MountPoint) -> bool:
    """Whether the browser says the form stood on a page of ours; a client that says nothing is judged by its token."""
    origin = connection.headers.get("origin")
    return origin is None or origin == place.origin


def live_wanted(connection: HTTPConnection) -> bool:
    """False once `?live=0` was asked for in this session."""
    asked = connection.query_params.get("live")
    return (asked if asked in ("0", "1") else connection.cookies.get(LIVE, "1")) != "0"


def remember(response: Response, connection: HTTPConnection, key: str) -> None:
    """Set the login cookie: for this host only, not readable by scripts."""
    secure = connection.url.scheme in ("https", "wss")
    response.set_cookie(COOKIE, key, path="/", httponly=True, samesite="lax", secure=secure)


def forget(response: Response) -> None:
    """Log out."""
    response.delete_cookie(COOKIE, path="/", httponly=True, samesite="lax")


def keep_live(response: Response, connection: HTTPConnection) -> None:
    """Make `?live=0` or `?live=1` stick for the browser session."""
    asked = connection.query_params.get("live")
    if asked in ("0", "1"):
        response.set_cookie(LIVE, asked, path="/", httponly=True, samesite="lax")
