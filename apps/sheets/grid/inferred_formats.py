"""Number format that a typed formula inherits: a sum of currency is currency, a date plus days a date.

Observed in the page, where no help text states it; a format that was set, or that the formula itself gives, has
priority.
"""

import re
from collections.abc import Sequence

from apps.sheets.cells import Area
from apps.sheets.grid.stored_cells import BLANK, Cell
from apps.sheets.json_columns import encode_object, read_format
from apps.sheets.spreadsheet import Spreadsheet
from apps.sheets.structure import formula_references
from apps.sheets.structure.tabs import Tab
from apps.sheets.vendor_types import NumberFormat

# functions whose result is of the kind of what they read
KEEPING = frozenset(
    """
    ABS ARRAYFORMULA AVERAGE AVERAGEA CEILING FLOOR IF IFERROR IFNA INDEX INT LARGE MAX MEDIAN MIN MROUND PERCENTILE ROUND ROUNDDOWN ROUNDUP SMALL
    SORT SUBTOTAL SUM TRUNC UNIQUE
""".split()
)
DATES = ("DATE", "TIME", "DATE_TIME")
_STRING, _CALL = re.compile(r'"(?:[^"]|"")*"'), re.compile(r"([A-Za-z_][\w.]*)\s*\(")
_NEVER = re.compile(r"[<>&^]|[^=]=")
_SOME = "SELECT 1 FROM sheets_cell WHERE file_id = :file AND format LIKE '%\"numberFormat\"%' LIMIT 1"
Given = dict[tuple[int, int], Cell]
Known = dict[tuple[int, int, int], NumberFormat | None]  # by sheet and place


def inherit_formats(book: Spreadsheet, tab: Tab, cells: Sequence[tuple[int, int, Cell]]) -> list[tuple[int, int, Cell]]:
    """Give the inherited number format to formulas about to be written that have none."""
    given = {(row, column): cell for row, column, cell in cells}
    if not any(cell.entry.kind == "formula" for cell in given.values()):
        return list(cells)
    if not book.call.scalar(_SOME, {"file": book.file.id}) and not any(number_of(cell) for cell in given.values()):
        return list(cells)
    known: Known = {}
    return [(row, column, _with_format(book, tab, cell, given, known)) for row, column, cell in cells]


def number_of(cell: Cell) -> NumberFormat | None:
    """A cell's number format."""
    return read_format(cell.format).get("numberFormat") if cell.format else None


def _with_format(book: Spreadsheet, tab: Tab, cell: Cell, given: Given, known: Known) -> Cell:
    if cell.entry.kind != "formula" or number_of(cell):
        return cell
    text = _STRING.sub('""', cell.entry.input)
    if _NEVER.search(text) or any(name.upper() not in KEEPING for name in _CALL.findall(text)):
        return cell
    found = [
        number
        for one in formula_references.find_references(text)
        if (number := _get_format(book, tab, one, given, known))
    ]
    number = _choose_format(text, found)
    return (
        cell
        if number is None
        else cell._replace(format=encode_object({**read_format(cell.format), "numberFormat": number}))
    )


def _choose_format(text: str, found: list[NumberFormat]) -> NumberFormat | None:
    """Choose the inherited format; a product or quotient is no date, the difference of two dates is a number."""
    if "*" in text or "/" in text:
        found = [one for one in found if one.get("type") not in DATES]
        plain = [one for one in found if one.get("type") != "PERCENT"]
        return None if "/" in text and len(plain) > 1 else next(iter(plain or found), None)
    first = next(iter(found), None)
    between = "-" in text and sum(one.get("type") in DATES for one in found) > 1
    return None if between else first


def _get_format(
    book: Spreadsheet, tab: Tab, one: formula_references.FormulaReference, given: Given, known: Known
) -> NumberFormat | None:
    """Return the number format of the first cell of a reference."""
    at = tab if one.sheet is None else book.find_tab(one.sheet)
    row, column = one.first.row or 0, one.first.column or 0
    if at is None or row >= at.rows or column >= at.columns:
        return None
    if at.id == tab.id and (row, column) in given:
        return number_of(given[row, column])
    key = at.id, row, column
    if key not in known:
        known[key] = number_of(book.cells(at, Area(row, column, row + 1, column + 1)).get((row, column), BLANK))
    return known[key]
