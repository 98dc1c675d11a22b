"""Rows and columns of a sheet: their sizes, and which of them are hidden."""

from typing import Any

from apps.sheets.cells import Area
from apps.sheets.spreadsheet import Spreadsheet
from apps.sheets.structure.formula_references import Axis
from apps.sheets.structure.range_shifts import Shift
from apps.sheets.structure.tabs import Tab

_SIZES = (
    "SELECT at, size, hidden, filtered FROM sheets_dimension WHERE sheet_id = :sheet AND axis = :axis AND at >= :start"
    " AND at < :end"
)
_SET = (
    "INSERT INTO sheets_dimension(sheet_id, axis, at, size, hidden, filtered) VALUES (?, ?, ?, ?, ?, ?) ON"
    " CONFLICT(sheet_id, axis, at) DO UPDATE SET size = excluded.size, hidden = excluded.hidden, filtered ="
    " excluded.filtered"
)
_DROP = "DELETE FROM sheets_dimension WHERE sheet_id = ? AND axis = ? AND at = ?"


class Lines:
    """Rows or columns of a sheet: a DimensionRange."""

    def __init__(self, tab: Tab, axis: Any, start: int, end: int | None) -> None:
        self.tab, self.start = tab, start
        self.axis: Axis = axis
        self.size = tab.rows if axis == "ROWS" else tab.columns
        self.word = "row" if axis == "ROWS" else "column"
        self.end = self.size if end is None else end

    @property
    def count(self) -> int:
        """Number of lines."""
        return self.end - self.start

    @property
    def area(self) -> Area:
        """Their cells."""
        return Area(self.start, 0, self.end, None) if self.axis == "ROWS" else Area(0, self.start, None, self.end)

    def shift(self, kind: Any, to: int = 0) -> Shift:
        """The change that inserts, deletes or moves them."""
        return Shift(self.tab.gid, self.tab.title, kind, self.axis, self.start, self.count, to)


def sizes(book: Spreadsheet, found: Lines) -> dict[int, tuple[int | None, bool, bool]]:
    """Return the lines that differ from the default: size in pixels, hidden by somebody, hidden by a filter."""
    rows = book.call.all(_SIZES, {"sheet": found.tab.id, "axis": found.axis, "start": found.start, "end": found.end})
    return {at: (size, bool(hidden), bool(filtered)) for at, size, hidden, filtered in rows}


def set_sizes(book: Spreadsheet, tab: Tab, axis: str, wanted: dict[int, tuple[int | None, bool, bool]]) -> None:
    """Write sizes; a line with default values has no row."""
    usual = (None, False, False)
    raw = book.call.bound.raw
    kept = [(tab.id, axis, at, *told) for at, told in wanted.items() if told != usual]
    gone = [(tab.id, axis, at) for at, told in wanted.items() if told == usual]
    if kept:
        raw.executemany(_SET, kept)
    if gone:
        raw.executemany(_DROP, gone)
    book.note("sizes", tab.id, axis, [(at, *told) for at, told in wanted.items()])
