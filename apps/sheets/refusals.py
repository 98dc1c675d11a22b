"""Refusal codes on the wire: HTTP status, Google's status, reason and sentence.

developers.google.com/workspace/sheets/api/troubleshoot-api-errors,
developers.google.com/drive/api/guides/handle-errors, cloud.google.com/apis/design/errors; sentences as callers quote
them in public trackers.
"""

from collections.abc import Mapping
from dataclasses import replace

from apps.drive.public import SENTENCES as OF_DRIVE
from apps.google.errors import ABSENT, BAD, FAILED, ErrorBody, render_error
from world.core.errors import OperationError

# the kind of what is refused of values.batchUpdate: "Invalid data[0]: …", github.com/burnash/gspread/issues/1601
DATA = "data"
WHOLE_SHEETS = (
    "deleteSheet",
    "duplicateSheet",
    "updateSheetProperties",
)  # "No sheet with id: …", github.com/blinkk/rootjs/issues/554
SERVICE = "sheets.googleapis.com"
SENTENCES: dict[str, tuple[int, str, str, str]] = {
    **OF_DRIVE,
    "not_a_spreadsheet": (400, FAILED, "failedPrecondition", "This operation is not supported for this document"),
    "bad_range": (400, BAD, "badRequest", "Unable to parse range: {range}"),
    "beyond_grid": (
        400,
        BAD,
        "badRequest",
        "Range ({range}) exceeds grid limits. Max rows: {rows}, max columns: {columns}",
    ),
    "outside_grid": (
        400,
        BAD,
        "badRequest",
        "Range ({range}) exceeds grid limits. Max rows: {rows}, max columns: {columns}",
    ),
    # github.com/socialpoint-labs/sheetfu/issues/53, also for the ranges of requests
    "range_beyond_sheet": (
        400,
        BAD,
        "badRequest",
        "Range ({range}) exceeds grid limits. Max rows: {rows}, max columns: {columns}",
    ),
    "beyond_range": (400, BAD, "badRequest", "Requested writing within range [{range}], but tried writing to {what}"),
    "input_option_missing": (400, BAD, "badRequest", "'valueInputOption' is required but not specified"),
    "bad_value": (400, BAD, "badRequest", "Invalid values[{row}][{column}]: {value}"),
    "no_object": (400, BAD, "badRequest", "No {what} with id: {id}"),
    "nothing_to_undo": (400, BAD, "badRequest", "There is nothing to undo or to do again."),
    "nothing_typed": (400, BAD, "badRequest", "No cells were given."),
    "no_such_cell": (400, BAD, "badRequest", "There is no such cell."),
    "no_metadata": (404, ABSENT, "notFound", "No developer metadata with id: {id}"),
    "violates_rule": (400, BAD, "badRequest", "{problem}"),
    "no_requests": (400, BAD, "badRequest", "Must specify at least one request."),
    "one_kind_each": (400, BAD, "badRequest", "Invalid requests[{place}]: Exactly one kind of request must be set."),
    "unsupported_request": (400, BAD, "badRequest", "This kind of request is not supported."),
    "fields_missing": (
        400,
        BAD,
        "badRequest",
        "At least one field must be listed in 'fields'. (Use '*' to indicate all fields.)",
    ),
    "bad_fields": (400, BAD, "badRequest", "Invalid field mask: {fields}"),
    "bad_zone": (400, BAD, "badRequest", "Invalid time zone: {zone}"),
    "bad_locale": (400, BAD, "badRequest", "Unsupported locale: {locale}"),
}


def render(error: OperationError) -> ErrorBody:
    """Render the vendor's error for a refusal; in a batch it names the request or data."""
    shown = render_error(error, SENTENCES, SERVICE)
    place, kind = error.detail.get("place"), error.detail.get("kind")
    if error.code == "no_sheet" and kind in WHOLE_SHEETS:
        shown = replace(shown, message=f"No sheet with id: {error.detail['gid']}")
    if kind is None:
        return shown
    return replace(
        shown, message=f"Invalid {f'data[{place}]' if kind == DATA else f'requests[{place}].{kind}'}: {shown.message}"
    )


def refusal(error: OperationError) -> tuple[int, Mapping[str, object]]:
    """Return status and body of a refusal."""
    shown = render(error)
    return shown.code, shown.json(first=False)
