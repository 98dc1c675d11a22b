"""One spreadsheet in the native engine: loaded, edited, read."""

from collections.abc import Callable, Iterable, Mapping, Sequence

from apps.sheets.cells import Area, Entry, Value
from apps.sheets.engine.evaluation_context import OtherSpreadsheets
from apps.sheets.engine.evaluation_time import Moment
from apps.sheets.engine.format_hints import CellHints, infer_hint
from apps.sheets.engine.formula import Cell
from apps.sheets.engine.lineage import Lineage, trace
from apps.sheets.engine.native_formulas import NativeFormulas
from apps.sheets.engine.native_values import literal, overlap, positions
from apps.sheets.engine.spills import Spills


class NativeWorkbook:
    """The engine of one spreadsheet."""

    def __init__(self, outside: OtherSpreadsheets, looks: Callable[[int, Area], str] = lambda sheet, area: "") -> None:
        self.import_range, self.looks, self.moment = outside, looks, Moment()
        self.sizes: dict[int, tuple[int, int]] = {}
        self.load([], {})

    @property
    def size(self) -> int:
        """Number of cells in its sheets."""
        return sum(rows * columns for rows, columns in self.native.extents.values())

    def load(
        self, sheets: Sequence[tuple[int, str, Iterable[tuple[int, int, Entry]]]], names: Mapping[str, tuple[int, Area]]
    ) -> None:
        """Load the whole state."""
        titles = {sheet: title for sheet, title, _ in sheets}
        self.native = NativeFormulas(titles, names, self.moment, self.sizes, self.import_range)
        self.spills = Spills(self.native)
        formulas = {sheet: self.native.fill(sheet, cells) for sheet, _, cells in sheets}
        for sheet, found in formulas.items():
            self.native.fill_formulas(sheet, found)
        self.spills.settle()

    def at(self, moment: Moment) -> None:
        """Set clock, random seed and locale; recompute dependent formulas."""
        if moment == self.moment:
            return
        self.moment = moment
        self.native.set_moment(moment)
        if any(formula.program.timed or formula.program.seeded for formula in self.native.formulas.values()):
            self.spills.untangle()
        self.spills.settle()

    def set_sizes(self, sizes: Mapping[int, tuple[int, int]]) -> None:
        """Set the numbers of rows and columns of sheets; recompute formulas that read or fill to their end."""
        changed = {
            sheet for sheet, size in sizes.items() if self.sizes.get(sheet, size) != size or sheet not in self.sizes
        }
        self.sizes.update(sizes)
        ends = [cell for cell, formula in self.native.formulas.items() if formula.ends_in(changed)] if changed else []
        for cell in sorted(ends):
            self.native.blocked.pop(cell, None)
            self.native.dirty(cell)
        if ends:
            self.spills.untangle()
            self.spills.settle()

    def put(self, sheet: int, cells: Iterable[tuple[int, int, Entry]]) -> None:
        """Write single cells; EMPTY deletes."""
        touched: list[Cell] = []
        for row, column, entry in cells:
            cell = (sheet, row, column)
            touched.append(cell)
            self.native.forget(cell)
            if entry.kind == "formula":
                self.native.formula(cell, entry.input)
            else:
                self.native.sheets[sheet].set_value(row + 1, column + 1, literal(*entry) if entry.kind else None)
        if touched:
            self.native.grow(sheet, max(row for _, row, _ in touched) + 1, max(at for _, _, at in touched) + 1)
        self.spills.reconsider(touched)
        self.spills.untangle()
        self.spills.settle()

    def values(self, sheet: int, area: Area) -> list[list[Value]]:
        """Return the values of a closed area: every cell, None for empty ones."""
        return self.native.values(sheet, area)

    def value(self, sheet: int, row: int, column: int) -> Value:
        """Return the value of one cell."""
        return self.native.value(sheet, row, column)

    def hint(self, sheet: int, row: int, column: int) -> str:
        """Return the display hint of a formula's result."""
        anchor: Cell | None = (sheet, row, column)
        formula = self.native.formulas.get((sheet, row, column))
        if formula is None and self.native.spills:
            anchor = next(
                (
                    anchor
                    for anchor, area in self.native.spills.items()
                    if anchor[0] == sheet and area.holds(row, column)
                ),
                None,
            )
            formula = self.native.formulas.get(anchor) if anchor else None
        if formula is None or anchor is None:
            return ""
        if anchor in self.native.kinds:
            return self.native.kinds[anchor][row - anchor[1]][column - anchor[2]]
        return infer_hint(CellHints(self.native.formulas, self.native.titles, self.looks), formula, column - anchor[2])

    def list_spilled_cells(self, sheet: int, area: Area) -> dict[tuple[int, int], tuple[int, int]]:
        """Return the cells filled by a formula in another cell, with that cell."""
        found: dict[tuple[int, int], tuple[int, int]] = {}
        for (one, top, left), spill in self.native.spills.items():
            if one == sheet and overlap(spill, area):
                found.update(
                    {cell: (top, left) for cell in positions(spill) if area.holds(*cell) and cell != (top, left)}
                )
        return found

    def precedents(self, formula: str, sheet: int) -> list[tuple[int, Area]]:
        """Return the places that a formula refers to, in the order they are written."""
        program = self.native.compiler.program(formula, 0, 0)
        places = [reference.place(sheet, 0, 0) for reference in program.references]
        return [(place.sheet, place.area) for place in places if place is not None]

    def lineage(self, sheet: int, row: int, column: int) -> Lineage:
        """Return the lineage of a cell's value, through other formulas."""
        return trace(self.native.formulas, self.native.spills, (sheet, row, column))
