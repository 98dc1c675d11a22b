"""Sheets by title and ranges by text, as the numbers that operations take."""

from collections.abc import Mapping
from typing import Any

from apps.sheets import a1
from apps.sheets.a1 import BadRange
from apps.sheets.cells import Area
from mcp_servers.sheets.argument_schemas import wrong
from mcp_servers.tools import Look
from world.core.json_types import JsonMapping, JsonObject

Sheet = Mapping[str, object]
SIDES = ("startRowIndex", "startColumnIndex", "endRowIndex", "endColumnIndex")


def get_spreadsheet(look: Look, spreadsheet: object) -> JsonMapping:
    """A spreadsheet without its cells."""
    return look("spreadsheets.get", spreadsheetId=spreadsheet)


def properties(book: JsonMapping) -> list[dict[str, Any]]:
    """The properties of every sheet, in order."""
    return [one["properties"] for one in book["sheets"]]


def get_sheet_properties(book: Mapping[str, object], title: str, name: str = "sheet") -> dict[str, Any]:
    """The properties of the sheet of a title. Raises InvalidArguments."""
    listed = properties(book)
    found = next((one for one in listed if one["title"] == title), None) or next(
        (one for one in listed if _same(one["title"], title)), None
    )
    if found is None:
        known = ", ".join(repr(one["title"]) for one in listed[:20])
        raise wrong(name, f"No sheet of this title; there are {known}")
    return found


def _same(one: str, other: str) -> bool:
    return one.casefold() == other.strip().casefold()


def sheet(look: Look, spreadsheet: object, title: str, name: str = "sheet") -> int:
    """The number of the sheet of a title. Raises InvalidArguments."""
    return get_sheet_properties(get_spreadsheet(look, spreadsheet), title, name)["sheetId"]


def within(title: str, range: str | None) -> str:
    """A range on a sheet as text; the whole sheet without a range."""
    return f"{a1.quote_sheet_name(title)}!{range}" if range else a1.quote_sheet_name(title)


def grid(book: Mapping[str, object], text: str, name: str) -> dict[str, Any]:
    """A text's GridRange; without a sheet's title on the first sheet. Raises InvalidArguments."""
    try:
        found = a1.parse(text)
    except BadRange as error:
        raise wrong(name, str(error)) from None
    if found.name is not None:
        return _find_named_range(book, found.name, name)
    place = get_sheet_properties(book, found.sheet, name) if found.sheet is not None else properties(book)[0]
    return {"sheetId": place["sheetId"], **sides(found.area or Area(0, 0, None, None))}


def sides(area: Area) -> dict[str, int]:
    """The bounds of a GridRange; open sides are left out."""
    bounds = zip(SIDES, (area.top, area.left, area.bottom, area.right), strict=True)
    return {side: at for side, at in bounds if at is not None}


def _find_named_range(book: JsonMapping, wanted: str, name: str) -> JsonObject:
    """A named range, or the whole sheet of this title."""
    named = next((one["range"] for one in book.get("namedRanges", ()) if _same(one["name"], wanted)), None)
    return (
        dict(named)
        if named is not None
        else {"sheetId": get_sheet_properties(book, wanted, name)["sheetId"], **sides(Area(0, 0, None, None))}
    )


def format_range(book: JsonMapping, range: JsonMapping) -> str:
    """A GridRange as text."""
    place = next((one for one in properties(book) if one["sheetId"] == range.get("sheetId", 0)), None)
    if place is None:
        return "?"
    area = Area(
        range.get("startRowIndex", 0),
        range.get("startColumnIndex", 0),
        range.get("endRowIndex"),
        range.get("endColumnIndex"),
    )
    size = place.get("gridProperties", {})
    return a1.text(place["title"], area, size.get("rowCount", 1), size.get("columnCount", 1))


def address(row: int, column: int) -> str:
    """`B3` for row 2, column 1."""
    return a1.cell(row, column)


def start(range: str) -> tuple[str, int, int]:
    """The sheet's title and the first row and column of a range the service wrote."""
    found = a1.parse(range)
    area = found.area or Area(0, 0, None, None)
    return found.sheet or "", area.top, area.left


def after(range: str, rows: int) -> str:
    """Return the rest of a range after its first `rows` rows."""
    found = a1.parse(range)
    area = found.area or Area(0, 0, None, None)
    rest = f"{a1.cell(area.top + rows, area.left)}:{a1.cell(max((area.bottom or 1) - 1, area.top + rows), (area.right or 1) - 1)}"
    return f"{a1.quote_sheet_name(found.sheet)}!{rest}" if found.sheet else rest


def column(letters: str, name: str) -> int:
    """0 for `A`. Raises InvalidArguments."""
    if not letters.isascii() or not letters.isalpha() or len(letters) > 3:
        raise wrong(name, "Columns are named A to ZZZ")
    return a1.column(letters)
