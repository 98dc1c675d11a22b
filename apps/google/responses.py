"""Google's response shapes: headers, JSON, errors, and each kind of outage."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import orjson
from starlette.requests import Request
from starlette.responses import Response

from apps.google.api import Api
from apps.google.errors import NO_METHOD, SHARED_PATHS, ErrorBody, build_unauthenticated_error, not_enabled_error
from apps.google.method_table import Line
from world.core.errors import OperationError, Outage
from world.web.cut_response import CutResponse

JSON = "application/json; charset=UTF-8"
HEADERS = {
    "Vary": "Origin, X-Origin, Referer",
    "Cache-Control": "private",
    "X-XSS-Protection": "0",
    "X-Frame-Options": "SAMEORIGIN",
    "X-Content-Type-Options": "nosniff",
    "Server": "ESF",
}
SHARED_HOST = "www"
PREFIXES = ("batch", "upload", "resumable")
ENABLED = frozenset({"gmail", "drive", "sheets", "oauth2", "openidconnect"})
REALM = 'Bearer realm="https://accounts.google.com/"'
EXACT = 2.0**53  # whole numbers below are exact
INSIDE = frozenset({float, list, dict})  # where a number may be


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer, on its own or as a part of a batch. `cut`: the connection breaks inside it."""

    status: int
    content: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)
    cut: bool = False

    def response(self) -> Response:
        """As an HTTP response."""
        shown = {**HEADERS, **self.headers}
        return CutResponse(self.content, JSON) if self.cut else Response(self.content, self.status, shown)


def json_reply(api: Api, value: object, *, pretty: bool = True) -> Reply:
    """A JSON answer; None is 204 and nothing."""
    if value is None:
        return Reply(204)
    return Reply(
        200, _to_bytes(_without_fractions(value) if api.whole_numbers else value, pretty), {"Content-Type": JSON}
    )


def error_reply(api: Api, error: ErrorBody, *, pretty: bool = True, headers: Mapping[str, str] | None = None) -> Reply:
    """An error."""
    body = error.json(first=api.first_form)
    return Reply(
        error.code, _to_bytes(body, pretty), {"Content-Type": JSON, **_challenge_header(error), **(headers or {})}
    )


def _to_bytes(value: object, pretty: bool) -> bytes:
    return orjson.dumps(value, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE if pretty else None)


def _without_fractions(value: object) -> object:
    """A value whose numbers without a fraction are written without one: 105.0 is 105."""
    if type(value) is float:
        return int(value) if -EXACT < value < EXACT and value == int(value) else value
    if type(value) is list:
        return [_without_fractions(item) if type(item) in INSIDE else item for item in value]
    if type(value) is dict:
        return {name: _without_fractions(item) if type(item) in INSIDE else item for name, item in value.items()}
    return value


def _challenge_header(error: ErrorBody) -> dict[str, str]:
    if error.code == 401:
        return {"WWW-Authenticate": REALM if error.reason == "required" else f'{REALM}, error="invalid_token"'}
    return (
        {"WWW-Authenticate": f'{REALM}, error="insufficient_scope"'}
        if error.reason == "insufficientPermissions"
        else {}
    )


def refusal_reply(api: Api, error: OperationError, line: Line | None = None, *, pretty: bool = True) -> Reply:
    """A refusal or an outage of an operation."""
    if isinstance(error, Outage):
        return outage_reply(api, error, line, pretty=pretty)
    return error_reply(api, api.render(error), pretty=pretty)


def outage_reply(api: Api, outage: Outage, line: Line | None = None, *, pretty: bool = True) -> Reply:
    """Return the response to a call during an outage."""
    retry = {} if outage.retry_after_s is None else {"Retry-After": str(outage.retry_after_s)}
    if outage.kind == "transport":
        return Reply(200, api.torn, {"Content-Type": JSON}, cut=True)
    if outage.kind == "corrupt_payload":
        return Reply(200, api.torn, {"Content-Type": JSON})
    if outage.kind == "auth_expired":
        return error_reply(api, build_unauthenticated_error(True, api.service), pretty=pretty)
    if outage.kind == "ratelimit":
        return error_reply(
            api, api.limited(outage, None if line is None else api.operation(line)), pretty=pretty, headers=retry
        )
    shown = api.render(outage)
    return error_reply(api, shown, pretty=pretty, headers=retry if shown.code == 503 else None)


def fault_response(api: Api, outage: Outage) -> Response:
    """Return the HTTP response to a call during an outage."""
    return outage_reply(api, outage).response()


_MISSING = {
    405: ErrorBody(405, "", "httpMethodNotAllowed", "HTTP method not allowed."),
    500: ErrorBody(500, "INTERNAL", "backendError", "Internal error encountered."),
    503: ErrorBody(503, "UNAVAILABLE", "backendError", "The service is currently unavailable."),
}


def api_not_enabled(request: Request) -> str:
    """The API a request is to that the company has not enabled, by the host's first label; empty for none.

    The host of many APIs goes by the path, below `batch` and `upload` too.
    """
    name, _, domain = (request.url.hostname or "").partition(".")
    if domain != "googleapis.com":
        return ""
    if name == SHARED_HOST:
        parts = [part for part in request.url.path.split("/") if part and part not in PREFIXES]
        return SHARED_PATHS.get(parts[0], "") if parts else ""
    return "" if name in ENABLED else name


def missing_response(api: Api, request: Request, status: int) -> Response:
    """The answer to what is for no method: 404, 405, 500, 503, or 403 of an API that is not enabled."""
    name = api_not_enabled(request)
    return error_reply(api, not_enabled_error(name) if name else _MISSING.get(status, NO_METHOD)).response()
