"""The published API of the spreadsheet service: its own rules at the door; Drive's API is served there too."""

import re
from collections.abc import Mapping

from apps.drive.rest import DRIVE
from apps.google.api import Api
from apps.google.errors import BAD, ErrorBody, cause_to_json
from apps.google.field_mask import Mask
from apps.google.method_table import Line
from apps.google.oauth import CLIENT_ID
from apps.sheets.app import app
from apps.sheets.limits import READS, WRITES
from apps.sheets.refusals import SERVICE, render
from apps.sheets.rest.routes import ENUMS, SHEETS_OBJECTS
from apps.sheets.rest.routes import SHEETS as SHEETS_LINES
from world.core.errors import Outage
from world.core.operation import Operation

MOST_JSON = (
    10 * 1024 * 1024
)  # bytes; developers.google.com/workspace/sheets/api/limits advises 2 MB and names no maximum
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


def check_repeated_range(body: Mapping[str, object], path: Mapping[str, object]) -> ErrorBody | None:
    """Check that a range which a body repeats is written as in the path."""
    if body.get("range", path.get("range")) == path.get("range") or "range" not in path:
        return None
    return ErrorBody(
        400, BAD, "badRequest", f"Request range[{path['range']}] does not match value's range[{body['range']}]"
    )


def with_cells(line: Line, given: Mapping[str, object], mask: Mask | None) -> Mapping[str, object]:
    """Return arguments with `includeGridData` set from the field mask, which overrides any other value."""
    if mask is None or line.answer != "Spreadsheet" or line.operation == "spreadsheets.create":
        return given
    return {**given, "includeGridData": mask.reaches("sheets", "data")}


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
    repeated=check_repeated_range,
    prepared=with_cells,
    most_json=MOST_JSON,
    first_form=False,
    whole_numbers=True,
)
APIS = (SHEETS, DRIVE)
