"""The published API of the drive: its own rules at the door."""

import re
from base64 import urlsafe_b64encode
from collections.abc import Mapping

from apps.drive.app import app
from apps.drive.refusals import SERVICE, render
from apps.drive.rest.routes import LINES, OBJECTS, SELECTED
from apps.google.api import Api, Media
from apps.google.errors import ErrorBody
from apps.google.method_table import Line
from world.core.errors import OperationError, Outage
from world.core.json_types import JsonObject
from world.core.operation import Operation
from world.core.principal import Principal

MOST_JSON = 10 * 1024 * 1024  # bytes
MOST_MEDIA = 50 * 1024 * 1024  # bytes of an upload kept in memory; the vendor takes 5 TB
OF_CONTENT = frozenset({"drive", "drive.file", "drive.readonly", "drive.meet.readonly", "drive.photos.readonly"})
USER_LIMIT = ("", None, "userRateLimitExceeded", "early_retry")
TORN = b'{\n  "kind": "drive#f'


def too_fast(outage: Outage, operation: Operation | None) -> ErrorBody:
    """developers.google.com/workspace/drive/api/guides/handle-errors: 403 of a user's limit, 429 of a project's."""
    if outage.reason in USER_LIMIT:
        return ErrorBody(403, "", "userRateLimitExceeded", "User Rate Limit Exceeded", "usageLimits")
    return ErrorBody(429, "", "rateLimitExceeded", "Rate Limit Exceeded", "usageLimits")


def no_field_of_file(path: str) -> ErrorBody:
    """Return Drive's error for a `fields` mask with unknown names."""
    return ErrorBody(
        400,
        "",
        "invalidParameter",
        f"Invalid field selection {path.rpartition('/')[2]}",
        location=("fields", "parameter"),
    )


def of_content(principal: Principal, line: Line, given: Mapping[str, object]) -> OperationError | None:
    """Refuse the content of files to a metadata-only token."""
    wanted = given.get("alt") == "media" if line.download else "content" in given and line.most > 0
    return (
        OperationError("missing_scope") if wanted and principal.scopes and not principal.scopes & OF_CONTENT else None
    )


def with_content(line: Line, given: Mapping[str, object], content: bytes, kind: str) -> JsonObject:
    """Return the arguments with the uploaded content."""
    return {**given, "content": urlsafe_b64encode(content).decode(), "contentType": kind}


DRIVE = Api(
    app=app,
    service=SERVICE,
    package="google.apps.drive.v3",
    root=re.compile(r"(?P<upload>/resumable/upload|/upload)?/drive/v3/"),
    prefix="/drive/v3/",
    shown="/drive/v3/",
    lines=LINES,
    schemas=OBJECTS,
    render=render,
    limited=too_fast,
    torn=TORN,
    own="web.",
    no_field=no_field_of_file,
    narrowed=of_content,
    selected=lambda line: SELECTED.get(line.operation, ""),
    most_json=MOST_JSON,
    ignores_unknown=True,
    media=Media(lambda kind: True, "*/*", "application/octet-stream", with_content, largest=MOST_MEDIA, empty=True),
)
