"""Gmail's response shapes: headers, JSON, errors, and what each kind of outage looks like."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import orjson
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from apps.gmail.limits import again_at
from apps.gmail.refusals import ErrorBody, render, unauthenticated
from world.operation import OperationError, Outage

JSON = "application/json; charset=UTF-8"
HEADERS = {
    "Vary": "Origin, X-Origin, Referer", "Cache-Control": "private", "X-XSS-Protection": "0", "X-Frame-Options": "SAMEORIGIN",
    "X-Content-Type-Options": "nosniff", "Server": "ESF",
}  # fmt: skip
REALM = 'Bearer realm="https://accounts.google.com/"'
TORN = b'{\n  "messages": [\n    {\n      "id": "18'
USER_LIMIT = ("userRateLimitExceeded", "dailyLimitExceeded")


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
        return Cut(b"", self.status, shown) if self.cut else Response(self.content, self.status, shown)


class Cut(Response):
    """A connection that breaks in the middle of an answer."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Promise a whole answer, send a part, and stop."""
        headers = [(b"content-type", JSON.encode()), (b"content-length", b"4096")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": TORN, "more_body": True})


def answer(value: Any, *, pretty: bool = True, headers: Mapping[str, str] | None = None) -> Reply:
    """A JSON answer; None is 204 and nothing."""
    if value is None:
        return Reply(204, b"", headers or {})
    return Reply(200, _json(value, pretty), {"Content-Type": JSON, **(headers or {})})


def failed(error: ErrorBody, *, pretty: bool = True, headers: Mapping[str, str] | None = None) -> Reply:
    """An error."""
    return Reply(error.code, _json(error.json(), pretty), {"Content-Type": JSON, **_challenge(error), **(headers or {})})


def _json(value: Any, pretty: bool) -> bytes:
    return orjson.dumps(value, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE if pretty else None)


def _challenge(error: ErrorBody) -> dict[str, str]:
    if error.code == 401:
        return {"WWW-Authenticate": REALM if error.reason == "required" else f'{REALM}, error="invalid_token"'}
    return {"WWW-Authenticate": f'{REALM}, error="insufficient_scope"'} if error.reason == "insufficientPermissions" else {}


def refused(error: OperationError, *, pretty: bool = True) -> Reply:
    """A refusal or an outage of an operation."""
    if isinstance(error, Outage):
        return broken(error, pretty=pretty)
    return failed(render(error), pretty=pretty)


def broken(outage: Outage, *, pretty: bool = True) -> Reply:
    """What a caller sees of an outage of this kind."""
    retry = {} if outage.retry_after_s is None else {"Retry-After": str(outage.retry_after_s)}
    if outage.kind == "transport":
        return Reply(200, TORN, {"Content-Type": JSON}, cut=True)
    if outage.kind == "corrupt_payload":
        return Reply(200, TORN, {"Content-Type": JSON})
    if outage.kind == "auth_expired":
        return failed(unauthenticated(given=True), pretty=pretty)
    if outage.kind == "ratelimit":
        return failed(_limited(outage), pretty=pretty, headers=retry)
    shown = render(outage)
    return failed(shown, pretty=pretty, headers=retry if shown.code == 503 else None)


def _limited(outage: Outage) -> ErrorBody:
    """developers.google.com/workspace/gmail/api/guides/handle-errors: 403 of a user's quota, 429 of a rate."""
    if outage.reason in USER_LIMIT:
        sentence = "User Rate Limit Exceeded" if outage.reason == "userRateLimitExceeded" else "Daily Limit Exceeded"
        return ErrorBody(403, "PERMISSION_DENIED", outage.reason, sentence, "usageLimits")
    sentence = "Rate Limit Exceeded" if outage.until is None else f"User-rate limit exceeded.  Retry after {again_at(outage.until)}"
    return ErrorBody(429, "RESOURCE_EXHAUSTED", "rateLimitExceeded", sentence, "usageLimits")


def fault_response(outage: Outage) -> Response:
    """What a caller sees of an outage of this kind, as an HTTP response."""
    return broken(outage).response()
