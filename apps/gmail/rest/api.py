"""The published API of the mail service: its own rules at the door."""

import re
from base64 import urlsafe_b64encode
from collections.abc import Mapping

from apps.gmail.app import app
from apps.gmail.limits import format_retry_time
from apps.gmail.refusals import SERVICE, render_refusal
from apps.gmail.rest.schemas import SCHEMAS
from apps.gmail.rest.table import LINES, REFUSED
from apps.google.api import Api, Media
from apps.google.errors import ErrorBody
from apps.google.method_table import Line
from world.core.errors import OperationError, Outage
from world.core.json_types import JsonObject
from world.core.operation import Operation
from world.core.principal import Principal

TORN = b'{\n  "messages": [\n    {\n      "id": "18'
USER_LIMIT = ("userRateLimitExceeded", "dailyLimitExceeded")
METADATA = "gmail.metadata"


def limit_error(outage: Outage, operation: Operation | None) -> ErrorBody:
    """developers.google.com/workspace/gmail/api/guides/handle-errors: 403 of a user's quota, 429 of a rate."""
    if outage.reason in USER_LIMIT:
        sentence = "User Rate Limit Exceeded" if outage.reason == "userRateLimitExceeded" else "Daily Limit Exceeded"
        return ErrorBody(403, "PERMISSION_DENIED", outage.reason, sentence, "usageLimits")
    sentence = (
        "Rate Limit Exceeded"
        if outage.until is None
        else f"User-rate limit exceeded.  Retry after {format_retry_time(outage.until)}"
    )
    return ErrorBody(429, "RESOURCE_EXHAUSTED", "rateLimitExceeded", sentence, "usageLimits")


def find_narrowed_refusal(principal: Principal, line: Line, given: Mapping[str, object]) -> OperationError | None:
    """Return the refusal for a metadata-only token outside its scope; the kernel handles tokens without a scope."""
    if principal.scopes & line.scopes != {METADATA}:
        return None
    if given.get("q"):
        return OperationError("metadata_scope_search")
    wanted = str(given.get("format", "full"))
    return (
        OperationError("metadata_scope_format", format=wanted.upper())
        if "format" in line.query and wanted in ("full", "raw")
        else None
    )


def add_mail(line: Line, given: Mapping[str, object], mail: bytes, kind: str) -> JsonObject:
    """The arguments with the mail where the body's schema has it."""
    raw = urlsafe_b64encode(mail).decode()
    if line.body != "Draft":
        return {**given, "raw": raw}
    inner = given.get("message")
    return {**given, "message": {**(inner if isinstance(inner, dict) else {}), "raw": raw}}


def is_mail_type(kind: str) -> bool:
    """Whether a content type is one of mail."""
    return kind.startswith("message/")


API = Api(
    app=app,
    service=SERVICE,
    package="google.gmail.v1",
    root=re.compile(r"(?P<upload>/resumable/upload|/upload)?(?:/gmail)?/v1/users/"),
    prefix="/gmail/v1/users/",
    shown="/gmail/v1/users/{userId}",
    lines=LINES,
    absent=REFUSED,
    schemas=SCHEMAS,
    render=render_refusal,
    limited=limit_error,
    narrowed=find_narrowed_refusal,
    torn=TORN,
    own="mail.",
    media=Media(is_mail_type, "message/*", "message/rfc822", add_mail, inline=True),
)
