"""Computes spreadsheets: formualizer behind an interface of our own, and everything the vendor has that it lacks."""

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
        """How many cells its sheets reach over, empty ones among them."""
        ...

    def load(
        self, sheets: Sequence[tuple[int, str, Iterable[tuple[int, int, Entry]]]], names: Mapping[str, tuple[int, Area]]
    ) -> None:
        """Take in the whole state: sheet id, title and cells of each sheet, and the named ranges."""
        ...

    def put(self, sheet: int, cells: Iterable[tuple[int, int, Entry]]) -> None:
        """Write single cells; EMPTY removes."""
        ...

    def set_sizes(self, sizes: Mapping[int, tuple[int, int]]) -> None:
        """Set how many rows and columns sheets have, which is where ranges without end end; sheets of no known size end
        with their data.
        """
        ...

    def at(self, moment: Moment) -> None:
        """Set the clock of TODAY and NOW, the seed of RAND, and the locale; computes again what depends on them."""
        ...

    def values(self, sheet: int, area: Area) -> list[list[Value]]:
        """The values of a closed area as a full rectangle: None for empty, spilled cells included."""
        ...

    def value(self, sheet: int, row: int, column: int) -> Value:
        """The value of one cell."""
        ...

    def hint(self, sheet: int, row: int, column: int) -> str:
        """How a formula's result wants to be shown when the cell has no format: `DATE`, `CURRENCY:[$€]#,##0`, empty;
        see engine/hints.py.
        """
        ...

    def list_spilled_cells(self, sheet: int, area: Area) -> dict[tuple[int, int], tuple[int, int]]:
        """Cells that a formula elsewhere fills, with that formula's cell."""
        ...

    def precedents(self, formula: str, sheet: int) -> list[tuple[int, Area]]:
        """What a formula refers to, in the order it is written."""
        ...

    def lineage(self, sheet: int, row: int, column: int) -> Lineage:
        """What a cell's value hangs on, through other formulas."""
        ...


def engine(
    outside: Callable[[str, str], list[list[Value]] | Fault], looks: Callable[[int, Area], str] = lambda sheet, area: ""
) -> SheetEngine:
    """An empty engine; `outside` answers IMPORTRANGE for a spreadsheet (url or id) and a range, by permission.

    `looks` says how the first cell of an area that has a number format is shown, as a hint does.
    """
    return NativeWorkbook(outside, looks)
