"""Stored cells of a spreadsheet: read by area, wherever lines were moved to, and written."""

from collections.abc import Iterable, Sequence
from itertools import islice, product
from operator import itemgetter
from typing import Any, NamedTuple

from apps.sheets.cells import EMPTY, Area, Entry, Value
from apps.sheets.engine import literal
from apps.sheets.json_columns import read_format
from apps.sheets.structure.line_order import LineOrder
from apps.sheets.structure.tabs import Tab
from apps.sheets.vendor_types import CellFormat
from world.core.call import Call
from world.core.errors import OperationError

MOST_WRITTEN = 290_000  # cells at once; every one is on record, and a call's record has an end
MOST_PARTS = 40  # statements that read an area of a sheet whose lines were moved
_WITHIN = " WHERE sheet_id = :sheet AND row >= :top AND row < :bottom AND col >= :left AND col < :right"
_CELLS = "SELECT row, col, kind, input, format, note, validation, runs FROM sheets_cell"
_TYPED = "SELECT row, col, kind, input FROM sheets_cell"
_HELD = " AND kind != ''"
_ALL = f"{_TYPED} WHERE sheet_id = :sheet{_HELD}"
_PUT = (
    "INSERT INTO sheets_cell(sheet_id, row, col, file_id, kind, input, format, note, validation, runs) VALUES (?, ?, ?,"
    " ?, ?, ?, ?, ?, ?, ?) ON CONFLICT(sheet_id, row, col) DO UPDATE SET kind = excluded.kind, input = excluded.input,"
    " format = excluded.format, note = excluded.note, validation = excluded.validation, runs = excluded.runs"
)
_DROP = "DELETE FROM sheets_cell WHERE sheet_id = ? AND row = ? AND col = ?"
_FIRST = "SELECT col, min(row) FROM sheets_cell WHERE sheet_id = :sheet AND kind = 'formula' GROUP BY col"
_PLACE = itemgetter(0, 1)
CellRow = Sequence[Any]  # row and column, then the columns that were selected


class Cell(NamedTuple):
    """A stored cell. `format`, `validation`, `runs` are the vendor's JSON as text, None when unset."""

    entry: Entry = EMPTY
    format: str | None = None
    note: str | None = None
    validation: str | None = None
    runs: str | None = None

    @property
    def is_blank(self) -> bool:
        """Whether there is nothing to store."""
        return self == BLANK


BLANK = Cell()


def check_count(cells: int) -> None:
    """Refuse to write more cells than a call's record holds. Raises bad_request."""
    if cells > MOST_WRITTEN:
        raise OperationError("bad_request", problem=f"This action would change more than {MOST_WRITTEN} cells at once.")


def collect_cells(cells: Iterable[tuple[int, int, Cell]]) -> list[tuple[int, int, Cell]]:
    """Cells to be written. Raises bad_request for more than a call's record holds."""
    found = list(islice(cells, MOST_WRITTEN + 1))
    check_count(len(found))
    return found


class StoredCells:
    """The stored cells of a spreadsheet's file; `file` is its number."""

    def __init__(self, call: Call, file: int) -> None:
        self.call, self.file = call, file

    def cells(self, tab: Tab, area: Area) -> dict[tuple[int, int], Cell]:
        """The cells of an area that hold anything, in order."""
        rows = self.read(tab, area.within(tab.rows, tab.columns), _CELLS)
        new = tuple.__new__  # a tenth of the time of the constructors, and sheets are large
        return {(row, column): new(Cell, (new(Entry, (kind, text)), *rest)) for row, column, kind, text, *rest in rows}

    def read(self, tab: Tab, area: Area, select: str, limit: str = "") -> Sequence[CellRow]:
        """Rows of the cells of a closed area, the place first, in order."""
        if tab.is_natural:
            return self.call.all(f"{select}{_WITHIN}{limit} ORDER BY row, col", {"sheet": tab.id, **_bounds(area)})
        down, across = (
            list(tab.down.spans(area.top, area.bottom or 0)),
            list(tab.across.spans(area.left, area.right or 0)),
        )
        if len(down) * len(across) > MOST_PARTS:
            return self._filter_cells(tab, area, select, limit)
        found: list[CellRow] = []
        for (top, bottom, lower), (left, right, further) in product(down, across):
            bounds = {"sheet": tab.id, "top": top, "bottom": bottom, "left": left, "right": right}
            moved = select.replace("row, col", f"row + {lower}, col + {further}", 1)
            found += self.call.all(f"{moved}{_WITHIN}{limit} ORDER BY sheets_cell.row, sheets_cell.col", bounds)
        return found if len(across) == 1 else sorted(found, key=_PLACE)

    def _filter_cells(self, tab: Tab, area: Area, select: str, limit: str) -> Sequence[CellRow]:
        """Filter the same rows out of all cells of the sheet."""
        every = self.call.all(f"{select} WHERE sheet_id = :sheet{limit}", {"sheet": tab.id})
        placed = ((tab.down.place(row[0]), tab.across.place(row[1]), row) for row in every)
        inside = (
            (at, place, *row[2:])
            for at, place, row in placed
            if at is not None and place is not None and area.holds(at, place)
        )
        return sorted(inside, key=_PLACE)

    def list_stored_cells(self, tab: Tab) -> Sequence[CellRow]:
        """Row, column, kind, input, format, note, validation, runs of every cell that holds anything, in order."""
        return self.read(tab, Area(0, 0, tab.rows, tab.columns), _CELLS)

    def last(self, tab: Tab) -> tuple[int, int]:
        """The last row and the last column that hold something, -1 on an empty sheet."""
        if tab.is_natural:
            found = self.call.first(
                "SELECT max(row), max(col) FROM sheets_cell WHERE sheet_id = :sheet AND kind != ''", {"sheet": tab.id}
            )
            return (found[0], found[1]) if found and found[0] is not None else (-1, -1)
        held = self.list_filled(tab)
        return max((row for row, _ in held), default=-1), max((column for _, column in held), default=-1)

    def list_filled(self, tab: Tab) -> list[tuple[int, int]]:
        """The places that hold something, in order."""
        rows = self.read(tab, Area(0, 0, tab.rows, tab.columns), "SELECT row, col FROM sheets_cell", " AND kind != ''")
        return [(row[0], row[1]) for row in rows]

    def formats(self, tab: Tab, area: Area) -> dict[tuple[int, int], CellFormat]:
        """The formats of an area's cells that have one; equal ones are one object."""
        rows = self.read(tab, area, "SELECT row, col, format FROM sheets_cell", " AND format IS NOT NULL")
        known = {text: read_format(text) for text in {text for _, _, text in rows}}
        return {(row, column): known[text] for row, column, text in rows}

    def list_entries(self, tab: Tab) -> list[tuple[int, int, Entry]]:
        """Return the typed entries of a sheet."""
        rows = (
            self.call.all(_ALL, {"sheet": tab.id})
            if tab.is_natural
            else self.read(tab, Area(0, 0, tab.rows, tab.columns), _TYPED, _HELD)
        )
        new = tuple.__new__
        return [(row, column, new(Entry, (kind, text))) for row, column, kind, text in rows]

    def kinds(self, tab: Tab, area: Area) -> dict[tuple[int, int], str]:
        """Return the kind of entry of each cell in an area."""
        return {(row, column): kind for row, column, kind, _ in self.read(tab, area, _TYPED, _HELD)}

    def literals(self, tab: Tab, area: Area) -> list[list[Value]]:
        """The values of cells that hold no formulas."""
        width, height = (area.right or 0) - area.left, (area.bottom or 0) - area.top
        found: list[list[Value]] = [[None] * width for _ in range(height)]
        for row, column, kind, text in self.read(tab, area, _TYPED, _HELD):
            found[row - area.top][column - area.left] = literal(kind, text)
        return found

    def first_formulas(self, tab: Tab) -> list[Sequence[int]]:
        """Columns with formulas, and the first row of each that has one."""
        return [*self.call.all(_FIRST, {"sheet": tab.id})]

    def write(self, tab: Tab, cells: Sequence[tuple[int, int, Cell]]) -> None:
        """Write whole cells; blank ones are deleted."""
        self.call.flush()
        raw = self.call.bound.raw
        down, across = _numbers(tab.down, [at for at, _, _ in cells]), _numbers(tab.across, [at for _, at, _ in cells])
        kept = [
            (tab.id, down[row], across[column], self.file, *cell[0], *cell[1:])
            for row, column, cell in cells
            if cell != BLANK
        ]
        gone = [(tab.id, down[row], across[column]) for row, column, cell in cells if cell == BLANK]
        if kept:
            raw.executemany(_PUT, kept)
        if gone:
            raw.executemany(_DROP, gone)


def _numbers(order: LineOrder, places: list[int]) -> dict[int, int]:
    """The lines at places."""
    return {at: at if order.is_natural else order.line(at) for at in set(places)}


def _bounds(area: Area) -> dict[str, int | None]:
    return {"top": area.top, "left": area.left, "bottom": area.bottom, "right": area.right}
