"""The two published APIs of the spreadsheet service: what is their own at the door."""

import re
from base64 import urlsafe_b64encode
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from apps.google.api import Api, Media
from apps.google.errors import BAD, ErrorBody, cause_to_json, render_error
from apps.google.field_mask import Mask
from apps.google.method_table import Line
from apps.google.oauth import CLIENT_ID
from apps.sheets.app import app
from apps.sheets.limits import READS, WRITES
from apps.sheets.refusals import DRIVE_SERVICE, LOCATIONS, SENTENCES, SERVICE, render
from apps.sheets.rest.routes import DRIVE as DRIVE_LINES
from apps.sheets.rest.routes import DRIVE_OBJECTS, ENUMS, SELECTED, SHEETS_OBJECTS
from apps.sheets.rest.routes import SHEETS as SHEETS_LINES
from world.core.errors import OperationError, Outage
from world.core.operation import Operation
from world.core.principal import Principal

MOST_JSON = (
    10 * 1024 * 1024
)  # bytes; developers.google.com/workspace/sheets/api/limits advises 2 MB and names no maximum
MOST_MEDIA = 50 * 1024 * 1024  # bytes of an upload kept in memory; the vendor takes 5 TB
TORN = b'{\n  "spreadsheetId": "1'
PROJECT = CLIENT_ID.partition("-")[0]
MORE_QUOTA = {
    "@type": "type.googleapis.com/google.rpc.Help",
    "links": [
        {
            "description": "Request a higher quota limit.",
            "url": "https://cloud.google.com/docs/quotas/help/request_increase",
        }
    ],
}
# developers.google.com/workspace/drive/api/guides/handle-errors: Drive's own words for what both refuse
OF_FILES: dict[str, tuple[int, str, str, str]] = {
    "not_found": (404, "", "notFound", "File not found: {id}."),
    "forbidden": (
        403,
        "",
        "insufficientFilePermissions",
        "The user does not have sufficient permissions for this file.",
    ),
}
FILES = {**SENTENCES, **OF_FILES}
OF_CONTENT = frozenset({"drive", "drive.file", "drive.readonly", "drive.meet.readonly", "drive.photos.readonly"})
USER_LIMIT = ("", None, "userRateLimitExceeded", "early_retry")


def out_of_quota(outage: Outage, operation: Operation | None) -> ErrorBody:
    """developers.google.com/workspace/sheets/api/limits: so many reads and so many writes a minute."""
    kind, pool = ("Write", WRITES) if operation is not None and operation.writes else ("Read", READS)
    whole = outage.reason == "project"
    sentence = (
        f"Quota exceeded for quota metric '{kind} requests' and limit '{kind} requests per"
        f" minute{'' if whole else ' per user'}' of service '{SERVICE}' for consumer 'project_number:{PROJECT}'."
    )
    facts = {
        "consumer": f"projects/{PROJECT}",
        "quota_limit": f"{kind}RequestsPerMinutePer{'Project' if whole else 'User'}",
        "quota_limit_value": str(pool.everybody if whole else pool.limit),
        "quota_location": "global",
        "quota_metric": f"{SERVICE}/{kind.lower()}_requests",
        "quota_unit": "1/min/{project}" + ("" if whole else "/{user}"),
    }
    return ErrorBody(
        429,
        "RESOURCE_EXHAUSTED",
        "rateLimitExceeded",
        sentence,
        "usageLimits",
        details=[cause_to_json("RATE_LIMIT_EXCEEDED", SERVICE, **facts), MORE_QUOTA],
    )


def too_fast(outage: Outage, operation: Operation | None) -> ErrorBody:
    """developers.google.com/workspace/drive/api/guides/handle-errors: 403 of a user's limit, 429 of a project's."""
    if outage.reason in USER_LIMIT:
        return ErrorBody(403, "", "userRateLimitExceeded", "User Rate Limit Exceeded", "usageLimits")
    return ErrorBody(429, "", "rateLimitExceeded", "Rate Limit Exceeded", "usageLimits")


def render_file(error: OperationError) -> ErrorBody:
    """Drive's error for a refusal, with the parameter that is at fault."""
    shown = render_error(error, FILES, DRIVE_SERVICE)
    where = str(error.detail.get("parameter") or LOCATIONS.get(error.code, ""))
    return replace(shown, location=(where, "parameter")) if where else shown


def no_field_of_file(path: str) -> ErrorBody:
    """A `fields` mask that names what is not there, in Drive's words."""
    return ErrorBody(
        400,
        "",
        "invalidParameter",
        f"Invalid field selection {path.rpartition('/')[2]}",
        location=("fields", "parameter"),
    )


def repeated(body: Mapping[str, Any], path: Mapping[str, Any]) -> ErrorBody | None:
    """A range that a body repeats must be written as in the path."""
    if body.get("range", path.get("range")) == path.get("range") or "range" not in path:
        return None
    return ErrorBody(
        400, BAD, "badRequest", f"Request range[{path['range']}] does not match value's range[{body['range']}]"
    )


def of_content(principal: Principal, line: Line, given: Mapping[str, Any]) -> OperationError | None:
    """A token for what files are called opens no file's content."""
    wanted = given.get("alt") == "media" if line.download else "content" in given and line.most > 0
    return (
        OperationError("missing_scope") if wanted and principal.scopes and not principal.scopes & OF_CONTENT else None
    )


def with_cells(line: Line, given: Mapping[str, Any], mask: Mask | None) -> Mapping[str, Any]:
    """A mask says whether cells are asked for, whatever else is said."""
    if mask is None or line.answer != "Spreadsheet" or line.operation == "spreadsheets.create":
        return given
    return {**given, "includeGridData": mask.reaches("sheets", "data")}


def with_content(line: Line, given: Mapping[str, Any], content: bytes, kind: str) -> dict[str, Any]:
    """The arguments with what was uploaded."""
    return {**given, "content": urlsafe_b64encode(content).decode(), "contentType": kind}


SHEETS = Api(
    app=app,
    service=SERVICE,
    package="google.apps.sheets.v4",
    root=re.compile(r"(?P<upload>(?!))?/v4/"),
    prefix="/v4/",
    shown="/v4/",
    lines=SHEETS_LINES,
    schemas=SHEETS_OBJECTS,
    enums=ENUMS,
    render=render,
    limited=out_of_quota,
    torn=TORN,
    own="web.",
    repeated=repeated,
    prepared=with_cells,
    most_json=MOST_JSON,
    first_form=False,
    whole_numbers=True,
)
DRIVE = Api(
    app=app,
    service=DRIVE_SERVICE,
    package="google.apps.drive.v3",
    root=re.compile(r"(?P<upload>/resumable/upload|/upload)?/drive/v3/"),
    prefix="/drive/v3/",
    shown="/drive/v3/",
    lines=DRIVE_LINES,
    schemas=DRIVE_OBJECTS,
    render=render_file,
    limited=too_fast,
    torn=TORN,
    no_field=no_field_of_file,
    narrowed=of_content,
    selected=lambda line: SELECTED.get(line.operation, ""),
    most_json=MOST_JSON,
    ignores_unknown=True,
    media=Media(lambda kind: True, "*/*", "application/octet-stream", with_content, largest=MOST_MEDIA, empty=True),
)
APIS = (SHEETS, DRIVE)
