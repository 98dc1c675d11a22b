"""Requests that write cells: updateCells, repeatCell."""

from collections.abc import Callable, Iterator
from typing import Any

from apps.sheets.cells import Area, Entry
from apps.sheets.grid import protection
from apps.sheets.grid.stored_cells import BLANK, Cell
from apps.sheets.operations.cell_input import change_cell
from apps.sheets.operations.field_mask import FieldMask
from apps.sheets.operations.requests import pivots
from apps.sheets.operations.requests.registry import RequestArguments, request
from apps.sheets.spreadsheet import Spreadsheet
from apps.sheets.structure import formula_references
from apps.sheets.structure.tabs import Tab
from apps.sheets.vendor_types import CheckedObject


@request("updateCells")
def update_cells(book: Spreadsheet, asked: RequestArguments) -> None:
    """Write rows of CellData from a start or over a range, field by field."""
    fields = asked.fields()
    if asked.get("start"):
        tab, top, left = asked.cell(book, "start")
        area = None
    else:
        tab, whole = asked.grid(book)
        area = whole.within(tab.rows, tab.columns)
        top, left = area.top, area.left
    write_rows(book, asked, tab, top, left, asked.get("rows", []), fields, area)


def write_rows(
    book: Spreadsheet,
    asked: RequestArguments,
    tab: Tab,
    top: int,
    left: int,
    rows: list[CheckedObject],
    fields: FieldMask,
    area: Area | None = None,
) -> None:
    """Rows of CellData on a sheet; with an area, what it holds beyond them is cleared field by field."""
    data = {
        (row, column): cell
        for row, line in enumerate(rows, top)
        for column, cell in enumerate(line.get("values") or [], left)
    }
    last = ((area.bottom or 0) - 1, (area.right or 0) - 1) if area else (tab.rows - 1, tab.columns - 1)
    if top < 0 or left < 0:
        raise asked.wrong("startRow and startColumn must not be negative.")
    for row, column in data:
        if (
            row > last[0] or column > last[1]
        ):  # github.com/Thource/dude-wheres-my-stuff/issues/428, github.com/OpenRefine/OpenRefine/issues/2760
            word, at, most = ("row", row, last[0]) if row > last[0] else ("column", column, last[1])
            raise asked.wrong(f"Attempting to write {word}: {at}, beyond the last requested {word} of: {most}")
    if area is not None:
        data = {at: {} for at in book.cells(tab, area)} | data
        protection.check_area(book, tab, area)
    put_cells(book, tab, data, fields)
    if fields.has("pivotTable"):
        pivots.write(book, asked, tab, {at: cell.get("pivotTable") for at, cell in data.items()}, area)


def put_cells(book: Spreadsheet, tab: Tab, data: dict[tuple[int, int], CheckedObject], fields: FieldMask) -> None:
    """Write CellData at places. Raises protected."""
    if not data:
        return
    book.claim(len(data))
    rows, columns = [at[0] for at in data], [at[1] for at in data]
    protection.check(book, tab, list(data))
    known = book.cells(tab, Area(min(rows), min(columns), max(rows) + 1, max(columns) + 1))
    cleared = build_cell_change({}, fields)
    new = (
        (*at, change_cell(known.get(at, BLANK), cell, fields) if cell else cleared(known.get(at, BLANK)))
        for at, cell in sorted(data.items())
    )
    book.put(tab, new, known)


def build_cell_change(data: CheckedObject, fields: FieldMask) -> Callable[[Cell], Cell]:
    """Build what `change_cell` does with one CellData to many cells, worked out once for all that look the same."""
    looks: dict[tuple[Any, ...], Cell] = {}
    typed, make = fields.has("userEnteredValue"), tuple.__new__

    def change(cell: Cell) -> Cell:
        same = cell[1:]
        if same not in looks:
            looks[same] = change_cell(cell, data, fields)
        return looks[same] if typed else make(Cell, (cell.entry, *looks[same][1:]))

    return change


@request("repeatCell")
def repeat_cell(book: Spreadsheet, asked: RequestArguments) -> None:
    """Write one CellData to every cell of a range; a formula's references move along."""
    fields, (tab, whole) = asked.fields(), asked.grid(book)
    area = whole.within(tab.rows, tab.columns)
    asked.claim(book, area)
    protection.check_area(book, tab, area)
    known, data = book.cells(tab, area), asked.get("cell", {})
    first = change_cell(BLANK, data, fields).entry
    change, moves = build_cell_change(data, fields), first.kind == "formula" and fields.has("userEnteredValue")

    def cells() -> Iterator[tuple[int, int, Cell]]:
        for row in range(area.top, area.bottom or 0):
            for column in range(area.left, area.right or 0):
                cell = change(known.get((row, column), BLANK))
                if moves:
                    moved = formula_references.shift_formula(first.input, row - area.top, column - area.left)
                    cell = cell._replace(entry=Entry("formula", moved))
                yield row, column, cell

    book.put(tab, cells(), known)
