"""Cells and formulas of one spreadsheet in the native engine, and its callbacks."""

import math
import weakref
from collections.abc import Callable, Iterable, Mapping

import formualizer

from apps.sheets.cells import Area, Entry, Fault, Value
from apps.sheets.engine import native_values
from apps.sheets.engine.arithmetic import too_long
from apps.sheets.engine.array_cycles import Column
from apps.sheets.engine.compile import compiler
from apps.sheets.engine.evaluate import MoreCellsNeeded, Run, compute
from apps.sheets.engine.evaluation_context import OtherSpreadsheets, SpreadsheetContext
from apps.sheets.engine.evaluation_time import Moment
from apps.sheets.engine.formula import Cell, Formula
from apps.sheets.engine.native_values import (
    CLOCK,
    NATIVE_COLUMNS,
    NOTHING,
    address,
    clean,
    endless,
    native_value,
    runs,
)
from apps.sheets.engine.parse import PARSE_ERROR
from apps.sheets.engine.tree import Place
from apps.sheets.engine.values import CIRCULAR, FAULTS, MAX_TEXT, Grid, Result, grid

MAX_MESSAGE = 500  # characters of an error's sentence; ours
MAX_NATIVE = 60_000  # characters; the native parser takes 65,536 bytes


def _make_callback(native: "NativeFormulas") -> Callable[..., object]:
    """Return the callback of the native engine; a weak reference lets the formulas be freed."""
    held = weakref.ref(native)

    def compute_asked(number: float, *arguments: object) -> object:
        found = held()
        return 0.0 if found is None else found.compute_formula(number, *arguments)

    return compute_asked


class NativeFormulas:
    """Cells and formulas in the native engine; `pending` are arrays whose cells are to be written."""

    def __init__(
        self,
        titles: Mapping[int, str],
        names: Mapping[str, tuple[int, Area]],
        moment: Moment,
        sizes: dict[int, tuple[int, int]],
        outside: OtherSpreadsheets,
    ) -> None:
        self.workbook = native_values.new_workbook()
        self.titles, self.names, self.moment, self.sizes = dict(titles), dict(names), moment, sizes
        self.compiler = compiler(self.titles, self.names, moment.locale)
        self.sheets = {sheet: self.workbook.sheet(f"S_{sheet}") for sheet in self.titles}
        self.formulas: dict[Cell, Formula] = {}
        self.around = SpreadsheetContext(moment, self.titles, self.compiler, self.formulas, outside, sizes)
        self.by_number: dict[int, Formula] = {}
        self.numbers: dict[Cell, int] = {}
        self.next = 1
        self.faults: dict[Cell, Fault] = {}
        self.blanks: set[Cell] = set()
        self.pending: dict[Cell, list[list[Value]] | None] = {}
        self.wants: dict[Cell, set[Place]] = {}
        self.spills: dict[Cell, Area] = {}
        self.kinds: dict[Cell, list[list[str]]] = {}  # of pivot tables: as what their numbers are shown
        self.extents: dict[int, tuple[int, int]] = {}
        self.readers: dict[int, set[Cell]] = {}  # formulas that read a sheet to its end
        self.dynamic: set[Cell] = set()  # formulas that found more to read while they ran
        self.defects: list[str] = []  # formulas whose code failed: the native engine turns that into #VALUE!
        self.blocked: dict[Cell, tuple[Area, Fault]] = {}
        self.columns: list[Column] | None = None
        self.workbook.register_function("FEVAL", _make_callback(self), min_args=1, max_args=None)
        self.clock()

    def set_moment(self, moment: Moment) -> None:
        """Set clock, random seed and locale; another locale parses every formula again."""
        locale, self.moment = self.moment.locale, moment
        self.around.moment = moment
        if moment.locale != locale:
            self.compiler = self.around.compiler = compiler(self.titles, self.names, moment.locale)
            for formula in list(self.formulas.values()):
                self.formula(formula.cell, formula.text)
        self.clock()

    def clock(self) -> None:
        """Write the current time to the cells that formulas read."""
        page = self.workbook.sheet(CLOCK)
        now = self.moment.serial()
        for row, value in enumerate((float(now // 1), now, float(self.moment.seed % 2**52)), 1):
            if self.workbook.get_value(CLOCK, row, 1) != value:
                page.set_value(row, 1, value)

    def fill(self, sheet: int, cells: Iterable[tuple[int, int, Entry]]) -> list[tuple[int, int, str]]:
        """Write a sheet's values into the native engine, in as few calls as possible; return its formulas."""
        values, formulas = native_values.split_values_and_formulas(cells)
        if values or formulas:
            self.grow(sheet, *native_values.reach([*values, *formulas]))
        native_values.write_values(self.workbook, sheet, values)
        return formulas

    def grow(self, sheet: int, rows: int, columns: int) -> None:
        """Record the filled size of a sheet; recompute formulas that read to its end when it outgrows them."""
        known = self.extents.get(sheet, (0, 0))
        if rows <= known[0] and columns <= known[1]:
            return
        self.extents[sheet] = (
            max(known[0], native_values.room_for(rows, 1000)),
            max(known[1], native_values.room_for(columns, 26)),
        )
        for cell in sorted(self.readers.get(sheet, ())):
            self.dirty(cell)

    def fill_formulas(self, sheet: int, formulas: list[tuple[int, int, str]]) -> None:
        columns: dict[int, dict[int, str]] = {}
        for row, column, text in formulas:
            rendered = self.register_formula((sheet, row, column), text)
            if rendered is not None:
                columns.setdefault(column, {})[row] = rendered
        for column, texts in columns.items():
            for first, run in runs(texts):
                self.workbook.set_formulas_batch(f"S_{sheet}", first + 1, column + 1, [[text] for text in run])

    def forget(self, cell: Cell) -> None:
        """Forget a cell's formula."""
        self.formulas.pop(cell, None)
        self.kinds.pop(cell, None)
        self.dynamic.discard(cell)
        number = self.numbers.pop(cell, None)
        if number is not None:
            del self.by_number[number]
            for readers in self.readers.values():
                readers.discard(cell)
        self.faults.pop(cell, None)
        self.blanks.discard(cell)
        self.blocked.pop(cell, None)
        if cell in self.spills:
            self.pending[cell] = None

    def formula(self, cell: Cell, text: str) -> None:
        """Write one formula."""
        sheet, row, column = cell
        rendered = self.register_formula(cell, text)
        if rendered is not None:
            self.sheets[sheet].set_formula(row + 1, column + 1, rendered)

    def register_formula(self, cell: Cell, text: str) -> str | None:
        """Register a formula; return its native text, or None when the cell was set to an error."""
        program = self.compiler.program(clean(text), cell[1], cell[2])
        places = tuple(reference.place(*cell) for reference in program.references)
        if cell in self.numbers:
            del self.by_number[self.numbers[cell]]
        formula = Formula(cell, text, program, places)
        self.formulas[cell] = self.by_number[self.next] = formula
        self.columns = None
        self.numbers[cell] = self.next
        self.next += 1
        return self.render_formula(formula)

    def render_formula(self, formula: Formula) -> str | None:
        """Render a formula that reads its places; None when it would read itself."""
        program, cell = formula.program, formula.cell
        read = [formula.places[index] for index in program.read]
        if any(place is not None and place.sheet == cell[0] and place.area.holds(cell[1], cell[2]) for place in read):
            self.faults[cell] = CIRCULAR
            self.sheets[cell[0]].set_value(cell[1] + 1, cell[2] + 1, native_value(CIRCULAR))
            return None
        handed = [self.render_argument(place, cell) for place in (*read, *formula.found)]
        arguments = [str(self.numbers[cell]), *(once := list(dict.fromkeys(handed)))]
        formula.given = tuple(map(once.index, handed))
        if program.timed:
            arguments.append(f"'{CLOCK}'!$A$2")
        if program.seeded:
            arguments.append(f"'{CLOCK}'!$A$3")
        ours = f"FEVAL({','.join(arguments)})"
        if program.native is None or None in formula.places:
            return self.within(cell, "=" + ours)
        return self.within(
            cell, f"=IFERROR({program.native([address(place, self.titles) for place in formula.places])},{ours})"
        )

    def within(self, cell: Cell, text: str) -> str | None:
        """Return a text that the native engine can read; a longer formula is set to an error, giving None."""
        if len(text) < MAX_NATIVE:
            return text
        self.faults[cell] = PARSE_ERROR
        self.sheets[cell[0]].set_value(cell[1] + 1, cell[2] + 1, native_value(PARSE_ERROR))
        return None

    def render_argument(self, place: Place | None, reader: Cell) -> str:
        """Render a place whose values are passed along; an open or large one only as far as its sheet is filled."""
        if place is None or place.sheet not in self.titles:
            return NOTHING
        area = place.area
        if endless(area):
            self.readers.setdefault(place.sheet, set()).add(reader)
            rows, columns = self.extents.get(place.sheet, (1, 1))
            area = area.within(rows, columns if native_values.wide(area) else NATIVE_COLUMNS)
            if area.bottom == area.top or area.right == area.left:
                return NOTHING
        return address(Place(place.sheet, area), self.titles)

    def compute_formula(self, number: float, *arguments: object) -> object:
        """Compute a formula when the native engine calls back."""
        formula = self.by_number.get(int(number))
        if formula is None:
            return 0.0
        values: list[Result] = [None] * len(formula.places)
        known: dict[tuple[Place | None, bool], Result] = {}
        for index, given in zip(formula.program.read, formula.given, strict=False):
            place, single = told = formula.places[index], formula.program.references[index].single
            if told not in known:
                known[told] = self.argument(arguments[given], place, single)
            values[index] = known[told]
        found = zip(formula.found, formula.given[len(formula.program.read) :], strict=True)
        wanted = {place: grid(self.argument(arguments[given], place, False)) for place, given in found}
        run = Run(self.around, *formula.cell, values, formula.places, wanted)
        self.defects.append(formula.text)
        try:
            told = self.answer(formula.cell, compute(run, formula.program.root))
        except MoreCellsNeeded as wanting:
            self.wants.setdefault(formula.cell, set()).add(wanting.place)
            told = 0.0
        self.defects.pop()
        return told

    def argument(self, argument: object, place: Place | None, single: bool) -> Result:
        """Convert an argument from the native engine: a value, or rows."""
        if place is None:
            return None
        if single:
            return self.from_native(argument, place.sheet, place.area.top, place.area.left)
        rows: list[list[Value]] = argument if isinstance(argument, list) else [[argument]]  # type: ignore[list-item]
        if endless(place.area):
            rows = native_values.pad_rows(
                native_values.trim_blanks(rows, place.area), self.around.clip_to_sheet(place).area
            )
        if self.blanks or any(dict in map(type, row) for row in rows):
            top, left, sheet = place.area.top, place.area.left, place.sheet
            rows = [
                [self.from_native(value, sheet, top + down, left + across) for across, value in enumerate(row)]
                for down, row in enumerate(rows)
            ]
        return Grid(rows, place)

    def from_native(self, value: object, sheet: int, row: int, column: int) -> Value:
        """Convert a native value: errors with their message, blanks as blanks."""
        if isinstance(value, dict):
            return self.fault((sheet, row, column), value)
        if value == "" and (sheet, row, column) in self.blanks:
            return None
        return value  # type: ignore[return-value]

    def fault(self, cell: Cell, error: Mapping[str, str]) -> Fault:
        """Return the error in a cell."""
        kind = error.get("kind", "")
        if kind in ("Circ", "Spill"):
            return CIRCULAR
        code = native_values.CODES.get(kind, "#ERROR!")
        known = self.faults.get(cell)
        return known if known is not None and (known.code == code or code == "#ERROR!") else Fault(code, FAULTS[code])

    def answer(self, cell: Cell, result: Result) -> object:
        """Return a result's value for the native engine; keep the rest of the array."""
        if isinstance(result, Grid):
            if result.kinds is not None:
                self.kinds[cell] = result.kinds
            if result.height * result.width != 1:
                return self.queue_spill(cell, result)
            result = result.rows[0][0]
        if cell in self.spills:
            self.pending[cell] = None
        self.blocked.pop(cell, None)
        return self.to_native(cell, result)  # type: ignore[arg-type]

    def to_native(self, cell: Cell, value: Value) -> object:
        """Convert one value for the native engine."""
        self.blanks.discard(cell)
        if isinstance(value, str) and len(value) > MAX_TEXT:
            value = too_long().fault
        if type(value) is float and not math.isfinite(value):
            value = Fault("#NUM!", FAULTS["#NUM!"])
        if isinstance(value, Fault):
            self.faults[cell] = Fault(value.code, value.message[:MAX_MESSAGE])
        elif value is None:
            self.blanks.add(cell)
            return ""
        return native_value(value)

    def queue_spill(self, cell: Cell, result: Grid) -> object:
        """Queue an array to be written below and to the right once the evaluation has ended."""
        sheet, row, column = cell
        if not result.height or not result.width:
            return self.answer(cell, Fault("#REF!", "Reference does not exist."))
        rows = (
            result.rows
            if sheet not in self.sizes
            else native_values.cut_to_sheet(result.rows, self.sizes[sheet][0] - row, self.sizes[sheet][1] - column)
        )
        if len(rows) * len(rows[0]) == 1:
            return self.answer(cell, rows[0][0])
        area = Area(row, column, row + len(rows), column + len(rows[0]))
        known = self.blocked.get(cell)
        if known is not None and known[0] == area:
            return self.to_native(cell, known[1])
        self.pending[cell] = rows
        return self.to_native(cell, rows[0][0])

    def dirty(self, cell: Cell) -> None:
        """Mark a formula for recomputation."""
        formula = self.formulas.get(cell)
        rendered = self.render_formula(formula) if formula else None
        if rendered is not None:
            self.sheets[cell[0]].set_formula(cell[1] + 1, cell[2] + 1, rendered)

    def circles(self, cell: Cell) -> bool:
        """Whether the native engine reports a cycle for a cell."""
        value = self.workbook.get_value(f"S_{cell[0]}", cell[1] + 1, cell[2] + 1)
        return isinstance(value, dict) and value.get("kind") == "Circ"

    def read(self, sheet: int, area: Area) -> list[list[object]]:
        """Return native values of a closed area."""
        assert area.bottom is not None and area.right is not None
        if area.bottom <= area.top or area.right <= area.left:
            return []
        address = formualizer.RangeAddress(f"S_{sheet}", area.top + 1, area.left + 1, area.bottom, area.right)
        return self.sheets[sheet].get_values(address)

    def values(self, sheet: int, area: Area) -> list[list[Value]]:
        """Return the values of a closed area: every cell, None for empty ones."""
        rows = self.read(sheet, area)
        if not self.blanks and not any(dict in map(type, row) for row in rows):
            return rows  # type: ignore[return-value]
        return [
            [self.from_native(value, sheet, area.top + down, area.left + across) for across, value in enumerate(row)]
            for down, row in enumerate(rows)
        ]

    def value(self, sheet: int, row: int, column: int) -> Value:
        """Return the value of one cell."""
        return self.from_native(self.workbook.get_value(f"S_{sheet}", row + 1, column + 1), sheet, row, column)
