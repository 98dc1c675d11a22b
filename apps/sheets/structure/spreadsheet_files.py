"""The files of spreadsheets: an empty one made, one looked up."""

from apps.drive.public import SPREADSHEET, FileRow, by_key, new_file
from world.core.call import Call
from world.core.errors import OperationError
from world.core.rng import digest

_BOOK = "INSERT INTO sheets_spreadsheet(file_id, locale, time_zone, state) VALUES (:file, 'en_US', :zone, :state)"
_SHEET = (
    "INSERT INTO sheets_sheet(id, file_id, gid, title, position, rows, columns, frozen_rows, frozen_columns, hidden)"
    " VALUES (:id, :file, 0, 'Sheet1', 0, 1000, 26, 0, 0, 0)"
)


def spreadsheet(call: Call, key: str, rule: str) -> FileRow:
    """Return the file of a spreadsheet that the caller may open in this way.

    Raises not_found, forbidden, not_a_spreadsheet.
    """
    found = by_key(call, key)
    if found is None:
        raise OperationError("not_found")
    call.authorise(rule, found)
    if found.mime_type != SPREADSHEET:
        raise OperationError("not_a_spreadsheet")
    return found


def new_spreadsheet(call: Call, name: str, *, parent: int | None = None, first_sheet: bool = True) -> str:
    """Create an empty spreadsheet of the caller's; return its id."""
    number, key = new_file(call, name, SPREADSHEET, parent=parent)
    call.execute(_BOOK, {"file": number, "zone": call.directory.zone(call.person), "state": digest("new", key).hex()})
    if first_sheet:
        sheet = (call.scalar("SELECT max(id) FROM sheets_sheet") or 0) + 1
        call.execute(_SHEET, {"id": sheet, "file": number})
    return key
