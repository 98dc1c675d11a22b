"""Values as the API takes them, RAW or as a person would type them."""

from typing import Any

from apps.sheets import a1
from apps.sheets.cells import EMPTY, Area, Entry
from apps.sheets.formats import entry as typing_
from apps.sheets.formats.entry import shortest_number
from apps.sheets.grid import protection
from apps.sheets.grid.inferred_formats import inherit_formats
from apps.sheets.grid.stored_cells import BLANK, Cell, check_count
from apps.sheets.json_columns import decode_object, encode_object
from apps.sheets.spreadsheet import Spreadsheet
from apps.sheets.structure.tabs import Tab
from apps.sheets.vendor_types import CheckedObject
from apps.sheets.views.value_views import ValueOptions, value_range
from world.core.errors import OperationError
from world.core.json_types import JsonObject

MOST_LETTERS = 50_000  # of one cell; support.google.com/drive/answer/37603


class WrittenValues:
    """Written values with their place, for the response."""

    def __init__(self, book: Spreadsheet, tab: Tab, area: Area) -> None:
        self.book, self.tab, self.area = book, tab, area
        self.cells = 0

    def to_json(self, key: str) -> CheckedObject:
        """An UpdateValuesResponse."""
        where = a1.text(self.tab.title, self.area, self.tab.rows, self.tab.columns)
        if not self.cells:
            return {"spreadsheetId": key, "updatedRange": where}
        return {
            "spreadsheetId": key,
            "updatedRange": where,
            "updatedRows": (self.area.bottom or 0) - self.area.top,
            "updatedColumns": (self.area.right or 0) - self.area.left,
            "updatedCells": self.cells,
        }

    def with_values(self, key: str, wanted: ValueOptions) -> JsonObject:
        """The same with the new values."""
        return {**self.to_json(key), "updatedData": value_range(self.book, self.tab, self.area, wanted)}


def put_values(
    book: Spreadsheet, tab: Tab, top: int, left: int, lines: list[list[object]], option: str
) -> WrittenValues:
    """Write rows of values from a cell on; null leaves a cell as it is. Raises beyond_grid, bad_value, protected,
    too_long.
    """
    width = max((len(line) for line in lines), default=0)
    area = Area(top, left, top + max(len(lines), 1), left + max(width, 1))
    _fits(tab, area)
    check_count(sum(value is not None for line in lines for value in line))
    known = book.cells(tab, area)
    cells: list[tuple[int, int, Cell]] = []
    for row, line in enumerate(lines, top):
        for column, value in enumerate(line, left):
            if value is not None:
                if isinstance(value, (list, dict)):
                    what = "list_value" if isinstance(value, list) else "struct_value"
                    raise OperationError("bad_value", row=row - top, column=column - left, value=what)
                cells.append((row, column, _cell(book, known.get((row, column), BLANK), value, option)))
    protection.check(book, tab, [(row, column) for row, column, _ in cells])
    book.put(tab, inherit_formats(book, tab, cells) if option == "USER_ENTERED" else cells)
    out = WrittenValues(book, tab, area)
    out.cells = len(cells)
    return out


def _fits(tab: Tab, area: Area) -> None:
    if (area.bottom or 0) > tab.rows or (area.right or 0) > tab.columns:
        raise OperationError(
            "outside_grid", range=a1.text(tab.title, area, tab.rows, tab.columns), rows=tab.rows, columns=tab.columns
        )


def _cell(book: Spreadsheet, known: Cell, value: Any, option: str) -> Cell:
    entry, number = parse_value(book, value, option)
    if number is None or (known.format and "numberFormat" in decode_object(known.format)):
        return known._replace(entry=entry, runs=None)
    return known._replace(
        entry=entry, runs=None, format=encode_object({**decode_object(known.format), "numberFormat": number})
    )


def parse_value(book: Spreadsheet, value: bool | float | str, option: str) -> tuple[Entry, CheckedObject | None]:
    """Parse a JSON value to an entry, and the number format it sets. Raises too_long."""
    if isinstance(value, bool):
        return Entry("boolean", str(value).upper()), None
    if isinstance(value, (int, float)):
        return Entry("number", shortest_number(value)), None
    if len(value) > MOST_LETTERS:
        raise OperationError("too_long", most=MOST_LETTERS)
    if option == "RAW" or not value:
        return (Entry("text", value) if value else EMPTY), None
    found = typing_.parse_entry(value, book.locale, book.call.now, book.zone)
    return found.entry, found.number_format
