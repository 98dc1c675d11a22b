"""The spreadsheet engine: formualizer behind an interface of our own, and the vendor's features that it lacks."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Protocol

from apps.sheets.cells import Area, Entry, Fault, Value
from apps.sheets.engine import functions
from apps.sheets.engine.catalogue import FUNCTIONS, Function
from apps.sheets.engine.evaluation_time import Moment
from apps.sheets.engine.formula import Cell
from apps.sheets.engine.lineage import Lineage
from apps.sheets.engine.native_values import literal
from apps.sheets.engine.tree import Place
from apps.sheets.engine.workbook import NativeWorkbook

__all__ = [
    "FUNCTIONS",
    "Cell",
    "Function",
    "Lineage",
    "Moment",
    "Place",
    "SheetEngine",
    "engine",
    "functions",
    "literal",
]


class SheetEngine(Protocol):
    """Computes one spreadsheet; knows nothing of SQL or of calls."""

    @property
    def size(self) -> int:
        """Number of cells in its sheets, including empty ones."""
        ...

    def load(
        self, sheets: Sequence[tuple[int, str, Iterable[tuple[int, int, Entry]]]], names: Mapping[str, tuple[int, Area]]
    ) -> None:
        """Load the whole state: sheet id, title and cells of each sheet, and the named ranges."""
        ...

    def put(self, sheet: int, cells: Iterable[tuple[int, int, Entry]]) -> None:
        """Write single cells; EMPTY deletes."""
        ...

    def set_sizes(self, sizes: Mapping[int, tuple[int, int]]) -> None:
        """Set the sizes of sheets, where open ranges end; a sheet without known size ends with its data."""
        ...

    def at(self, moment: Moment) -> None:
        """Set the clock of TODAY and NOW, the seed of RAND, and the locale; recompute dependent formulas."""
        ...

    def values(self, sheet: int, area: Area) -> list[list[Value]]:
        """Return the values of a closed area as a full rectangle: None for empty cells; spilled cells are included."""
        ...

    def value(self, sheet: int, row: int, column: int) -> Value:
        """Return the value of one cell."""
        ...

    def hint(self, sheet: int, row: int, column: int) -> str:
        """Return the display hint of a formula's result for a cell without a format.

        Examples: `DATE`, `CURRENCY:[$€]#,##0`, or empty. See engine/format_hints.py.
        """
        ...

    def list_spilled_cells(self, sheet: int, area: Area) -> dict[tuple[int, int], tuple[int, int]]:
        """Return the cells filled by a formula in another cell, with that cell."""
        ...

    def precedents(self, formula: str, sheet: int) -> list[tuple[int, Area]]:
        """Return the places that a formula refers to, in the order they are written."""
        ...

    def lineage(self, sheet: int, row: int, column: int) -> Lineage:
        """Return the lineage of a cell's value, through other formulas."""
        ...


def engine(
    outside: Callable[[str, str], list[list[Value]] | Fault], looks: Callable[[int, Area], str] = lambda sheet, area: ""
) -> SheetEngine:
    """Return an empty engine; `outside` answers IMPORTRANGE for a spreadsheet (url or id) and a range, by permission.

    `looks` returns the display hint of the first cell of an area that has a number format.
    """
    return NativeWorkbook(outside, looks)
