"""Evaluation of formulas that no cell holds, such as those of conditions."""

from apps.sheets.cells import Fault, Value
from apps.sheets.engine.evaluate import MAX_WORK, MoreCellsNeeded, Run, compute
from apps.sheets.engine.native_values import pad_rows
from apps.sheets.engine.tree import Place, Program, Reference
from apps.sheets.engine.values import Grid, Result, grid
from apps.sheets.engine.workbook import NativeWorkbook

MOST_WORK = 50_000  # steps of all formulas of one trial
READ, LOOKED_AT = 4, 40  # cells that are read, and looked at, in the time of a step
MOST_ROUNDS = 20  # of cells that a formula finds while it runs
_OWN_PLACE = (
    "ROW",
    "COLUMN",
    "INDIRECT",
    "OFFSET",
    "ADDRESS",
    "CELL",
    "RAND",
)  # what may differ though all references are the same
_SPENT = Fault("#ERROR!", "Calculation limit was reached while trying to compute this formula.")


class Trial:
    """Computes formulas among the current cells of a spreadsheet, within a budget."""

    def __init__(self, book: NativeWorkbook) -> None:
        self.book, self.left = book, MOST_WORK
        self.read: dict[tuple[Place, bool], Result] = {}
        self.known: dict[object, Value] = {}

    def value(self, formula: str, sheet: int, origin: tuple[int, int], at: tuple[int, int]) -> Value:
        """Return the value at the cell `at` of a formula written for the cell `origin`."""
        program = self.book.native.compiler.program(formula, *origin)
        places = tuple(reference.place(sheet, *at) for reference in program.references)
        same = all(reference.single for reference in program.references) and not any(
            word in formula.upper() for word in _OWN_PLACE
        )
        key = (formula, origin, places, None if same else at)
        if key not in self.known:
            self.known[key] = self._compute_program(program, sheet, at, places)
        return self.known[key]

    def _compute_program(
        self, program: Program, sheet: int, at: tuple[int, int], places: tuple[Place | None, ...]
    ) -> Value:
        values: list[Result] = [None] * len(places)
        for index in program.read:
            values[index] = self._read_reference(places[index], program.references[index])
        wanted: dict[Place, Grid] = {}
        handed = sum(value.height * value.width for value in values if isinstance(value, Grid)) // LOOKED_AT
        for _ in range(MOST_ROUNDS):
            if self.left <= 0:
                return _SPENT
            run = Run(self.book.native.around, sheet, *at, values, places, wanted)
            try:
                return _single(compute(run, program.root))
            except MoreCellsNeeded as wanting:
                wanted[wanting.place] = self._cells(wanting.place)
            finally:
                self.left -= MAX_WORK - run.work + 3 + handed
        return _SPENT

    def _read_reference(self, place: Place | None, reference: Reference) -> Result:
        if place is None or place.sheet not in self.book.native.titles:
            return None
        key = place, reference.single
        if key not in self.read:
            area = place.area
            self.read[key] = (
                self.book.value(place.sheet, area.top, area.left) if reference.single else self._cells(place)
            )
        return self.read[key]

    def _cells(self, place: Place) -> Grid:
        """Return the cells of a place, as far as its sheet is filled."""
        if place.sheet not in self.book.native.titles:
            return grid(None)
        end = self.book.native.around.clip_to_sheet(place).area
        area = end.within(*self.book.native.extents.get(place.sheet, (1, 1)))
        rows = self.book.values(place.sheet, area)
        self.left -= len(rows) * len(rows[0]) // READ if rows else 0
        return Grid(pad_rows(rows or [[None]], end), place)


def _single(result: Result) -> Value:
    if isinstance(result, Grid):
        return result.rows[0][0] if result.height and result.width else None
    return result  # type: ignore[return-value]
