"""Protected ranges and sheets: permission to change their cells."""

from collections.abc import Iterator, Sequence

import orjson

from apps.drive.public import FileRow, groups, may_write
from apps.sheets.cells import Area
from apps.sheets.spreadsheet import Spreadsheet
from apps.sheets.structure.grid_ranges import bounds
from apps.sheets.structure.tabs import Tab
from apps.sheets.vendor_types import Protection
from world.core.call import Call
from world.core.errors import OperationError
from world.core.json_types import JsonObject

WHOLE = Area(0, 0, None, None)  # of a protected sheet
_RULES = (
    "SELECT top, left, bottom, right, spec FROM sheets_object WHERE file_id = :file AND kind = 'protected_range' AND"
    " sheet_id = :sheet"
)


def check(book: Spreadsheet, tab: Tab, cells: Sequence[tuple[int, int]]) -> None:
    """Raise protected when the caller may not change one of the cells."""
    for area, spec in list_closed(book, tab):
        if any(area.holds(row, column) for row, column in cells) and not _is_excepted(spec, tab, cells):
            raise OperationError("protected")


def check_area(book: Spreadsheet, tab: Tab, area: Area) -> None:
    """Raise protected when the caller may not change some cell of an area."""
    whole = area.within(tab.rows, tab.columns)
    for protected, spec in list_closed(book, tab):
        free = (part.within(tab.rows, tab.columns) for part in _free(spec, tab))
        if protected.within(tab.rows, tab.columns).meets(whole) and not any(part.covers(whole) for part in free):
            raise OperationError("protected")


def check_sheet(book: Spreadsheet, tab: Tab) -> None:
    """Raise protected when the whole sheet is protected, with or without exceptions.

    Its name, formats and lines then belong to its editors too.
    """
    if any(area == WHOLE for area, _ in list_closed(book, tab)):
        raise OperationError("protected")


def list_closed(book: Spreadsheet, tab: Tab) -> list[tuple[Area, Protection]]:
    """Return the protected areas of a sheet that the caller may not change."""
    return (
        []
        if book.file.owner_id == book.call.person
        else [(area, spec) for area, spec in _list_protections(book, tab) if shuts(book, spec)]
    )


def _list_protections(book: Spreadsheet, tab: Tab) -> Iterator[tuple[Area, Protection]]:
    for *sides, text in book.call.all(_RULES, {"file": book.file.id, "sheet": tab.id}):
        yield Area(sides[0] or 0, sides[1] or 0, sides[2], sides[3]), orjson.loads(text)


def protection_view(book: Spreadsheet, tab: Tab) -> dict[str, list[JsonObject]]:
    """Return a sheet's protections for the page: closed areas and areas with a warning, with free parts."""
    told: dict[str, list[JsonObject]] = {"closed": [], "warned": []}
    for area, spec in _list_protections(book, tab):
        name = "warned" if spec.get("warningOnly") else "closed"
        if name == "warned" or shuts(book, spec):
            told[name].append({"area": list(area), "free": [list(part) for part in _free(spec, tab)]})
    return told


def shuts(book: Spreadsheet, spec: Protection) -> bool:
    """Whether a protection keeps the caller from editing; one that only warns does not."""
    return not spec.get("warningOnly") and not may(book, spec)


def may(book: Spreadsheet, spec: Protection) -> bool:
    """Whether a protection lets the caller edit: the owner, and its editors."""
    return _lets(book.call, book.file, spec)


def _lets(call: Call, file: FileRow, spec: Protection) -> bool:
    editors = spec.get("editors") or {}
    if file.owner_id == call.person or call.me.email.lower() in {email.lower() for email in editors.get("users", [])}:
        return True
    mine = groups.of(call, call.person) if editors.get("groups") else ()
    is_one = bool(editors.get("domainUsersCanEdit")) and call.me.kind == "employee"
    return is_one or any(email.lower() in mine for email in editors.get("groups", []))


def sees_editors(call: Call, file: FileRow, spec: Protection) -> bool:
    """Whether the caller may see a protection's editors: as one of them, with write access to the spreadsheet."""
    return may_write(call, file) is None and _lets(call, file, spec)


def copy_protection(call: Call, file: FileRow, spec: Protection) -> Protection:
    """Return a protection for the caller's copy of a spreadsheet, without editors that the caller may not see."""
    hidden = bool(spec.get("editors")) and not sees_editors(call, file, spec)
    return {**spec, "editors": {"users": [call.me.email.lower()]}} if hidden else spec


def _is_excepted(spec: Protection, tab: Tab, cells: Sequence[tuple[int, int]]) -> bool:
    """Whether every cell is in an unprotected part of a protected sheet."""
    free = _free(spec, tab)
    return bool(free) and all(any(area.holds(row, column) for area in free) for row, column in cells)


def _free(spec: Protection, tab: Tab) -> list[Area]:
    """Return the unprotected parts of a protected sheet."""
    return [bounds(part) for part in spec.get("unprotectedRanges", []) if (part.get("sheetId") or 0) == tab.gid]
