"""One spreadsheet in the native engine: what is loaded and edited, and the values, errors and spills that come of it."""

import math
import weakref
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial

import formualizer

from apps.sheets.cells import Area, Entry, Fault, Value
from apps.sheets.engine import native_values
from apps.sheets.engine.arithmetic import too_long
from apps.sheets.engine.array_cycles import Column, columns, tangled
from apps.sheets.engine.compile import compiler
from apps.sheets.engine.evaluate import Run, Wanting, compute
from apps.sheets.engine.evaluation_context import Around, Outside
from apps.sheets.engine.evaluation_time import Moment
from apps.sheets.engine.format_hints import Seen, referred
from apps.sheets.engine.formula import Cell, Formula
from apps.sheets.engine.native_values import (
    CLOCK,
    NATIVE_COLUMNS,
    NOTHING,
    address,
    clean,
    endless,
    literal,
    native_value,
    overlap,
    positions,
    runs,
)
from apps.sheets.engine.parse import PARSE_ERROR
from apps.sheets.engine.tokens import column_letters
from apps.sheets.engine.tree import Place
from apps.sheets.engine.values import CIRCULAR, FAULTS, MAX_TEXT, Grid, Result, grid

MAX_ROUNDS = 60  # of arrays that feed arrays
MAX_MESSAGE = 500  # characters of an error's sentence; ours
MAX_NATIVE = 60_000  # characters; the native parser takes 65,536 bytes


def _asked(book: "NativeWorkbook") -> Callable[..., object]:
    """What the native engine calls; it must not keep the book alive, since nothing could free the two together."""
    held = weakref.ref(book)

    def asked(number: float, *arguments: object) -> object:
        found = held()
        return 0.0 if found is None else found.called(number, *arguments)

    return asked


def _over(row: int, column: int) -> Fault:
    return Fault(
        "#REF!", f"Array result was not expanded because it would overwrite data in {column_letters(column)}{row + 1}."
    )


class NativeWorkbook:
    """A spreadsheet's engine."""

    def __init__(self, outside: Outside, looks: Callable[[int, Area], str] = lambda sheet, area: "") -> None:
        self.import_range, self.looks, self.moment = outside, looks, Moment()
        self.loaded: tuple[list[tuple[int, str, list[tuple[int, int, Entry]]]], dict[str, tuple[int, Area]]] = ([], {})
        self.sizes: dict[int, tuple[int, int]] = {}
        self.load([], {})

    @property
    def size(self) -> int:
        """How many cells its sheets reach over."""
        return sum(rows * columns for rows, columns in self.extents.values())

    def load(
        self, sheets: Sequence[tuple[int, str, Iterable[tuple[int, int, Entry]]]], names: Mapping[str, tuple[int, Area]]
    ) -> None:
        """Take in the whole state."""
        self.workbook = native_values.new_workbook()
        self.titles = {sheet: title for sheet, title, _ in sheets}
        self.names = dict(names)
        self.compiler = compiler(self.titles, names, self.moment.locale)
        self.sheets = {sheet: self.workbook.sheet(f"S_{sheet}") for sheet in self.titles}
        self.formulas: dict[Cell, Formula] = {}
        self.around = Around(self.moment, self.titles, self.compiler, self.formulas, self.import_range, self.sizes)
        self.by_number: dict[int, Formula] = {}
        self.numbers: dict[Cell, int] = {}
        self.next = 1
        self.faults: dict[Cell, Fault] = {}
        self.blanks: set[Cell] = set()
        self.pending: dict[Cell, list[list[Value]] | None] = {}
        self.wants: dict[Cell, set[Place]] = {}
        self.spills: dict[Cell, Area] = {}
        self.taken: dict[Cell, set[Cell]] = {}
        self.kinds: dict[Cell, list[list[str]]] = {}  # of pivot tables: as what their numbers are shown
        self.extents: dict[int, tuple[int, int]] = {}
        self.readers: dict[int, set[Cell]] = {}  # formulas that read a sheet to its end
        self.dynamic: set[Cell] = set()  # formulas that found more to read while they ran
        self.defects: list[str] = []  # formulas whose code failed: the native engine turns that into #VALUE!
        self.blocked: dict[Cell, tuple[Area, Fault]] = {}
        self.given_up: set[Cell] = set()
        self.columns: list[Column] | None = None
        self.workbook.register_function("FEVAL", _asked(self), min_args=1, max_args=None)
        self.clock()
        formulas = {sheet: self.fill(sheet, cells) for sheet, _, cells in sheets}
        for sheet, found in formulas.items():
            self.fill_formulas(sheet, found)
        self.settle()

    def clock(self) -> None:
        """Write the moment where formulas read it."""
        page = self.workbook.sheet(CLOCK)
        now = self.moment.serial()
        for row, value in enumerate((float(now // 1), now, float(self.moment.seed % 2**52)), 1):
            if self.workbook.get_value(CLOCK, row, 1) != value:
                page.set_value(row, 1, value)

    def at(self, moment: Moment) -> None:
        """Set clock, chance and locale; computes again what depends on them."""
        if moment == self.moment:
            return
        locale, self.moment = self.moment.locale, moment
        self.around.moment = moment
        if moment.locale != locale:
            self.compiler = self.around.compiler = compiler(self.titles, self.names, moment.locale)
            for formula in list(self.formulas.values()):
                self.formula(formula.cell, formula.text)
        self.clock()
        if any(formula.program.timed or formula.program.seeded for formula in self.formulas.values()):
            self.untangle()
        self.settle()

    def sized(self, sizes: Mapping[int, tuple[int, int]]) -> None:
        """Set how many rows and columns sheets have; computes again what reads or fills them to their end."""
        changed = {
            sheet for sheet, size in sizes.items() if self.sizes.get(sheet, size) != size or sheet not in self.sizes
        }
        self.sizes.update(sizes)
        ends = [cell for cell, formula in self.formulas.items() if formula.ends_in(changed)] if changed else []
        for cell in sorted(ends):
            self.blocked.pop(cell, None)
            self.dirty(cell)
        if ends:
            self.untangle()
            self.settle()

    def fill(self, sheet: int, cells: Iterable[tuple[int, int, Entry]]) -> list[tuple[int, int, str]]:
        """Write a sheet's values into the native engine, in as few calls as may be; answers its formulas."""
        values, formulas = native_values.parted(cells)
        if values or formulas:
            self.grow(sheet, *native_values.reach([*values, *formulas]))
        native_values.write_values(self.workbook, sheet, values)
        return formulas

    def grow(self, sheet: int, rows: int, columns: int) -> None:
        """Note how far a sheet is filled; formulas that read to its end are told when it outgrows what they read."""
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
            rendered = self.prepared((sheet, row, column), text)
            if rendered is not None:
                columns.setdefault(column, {})[row] = rendered
        for column, texts in columns.items():
            for first, run in runs(texts):
                self.workbook.set_formulas_batch(f"S_{sheet}", first + 1, column + 1, [[text] for text in run])

    def put(self, sheet: int, cells: Iterable[tuple[int, int, Entry]]) -> None:
        """Write single cells; EMPTY removes."""
        touched: list[Cell] = []
        for row, column, entry in cells:
            cell = (sheet, row, column)
            touched.append(cell)
            self.forget(cell)
            if entry.kind == "formula":
                self.formula(cell, entry.input)
            else:
                self.sheets[sheet].set_value(row + 1, column + 1, literal(*entry) if entry.kind else None)
        if touched:
            self.grow(sheet, max(row for _, row, _ in touched) + 1, max(column for _, _, column in touched) + 1)
        self.reconsider(touched)
        self.untangle()
        self.settle()

    def forget(self, cell: Cell) -> None:
        """Drop what is known of a cell's formula."""
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
        rendered = self.prepared(cell, text)
        if rendered is not None:
            self.sheets[sheet].set_formula(row + 1, column + 1, rendered)

    def prepared(self, cell: Cell, text: str) -> str | None:
        """The native text of a formula; None when the cell was set to an error instead."""
        program = self.compiler.program(clean(text), cell[1], cell[2])
        places = tuple(reference.place(*cell) for reference in program.references)
        if cell in self.numbers:
            del self.by_number[self.numbers[cell]]
        formula = Formula(cell, text, program, places)
        self.formulas[cell] = self.by_number[self.next] = formula
        self.columns = None
        self.numbers[cell] = self.next
        self.next += 1
        return self.rendered(formula)

    def rendered(self, formula: Formula) -> str | None:
        """The native text of a formula that reads its places; None when it would read itself."""
        program, cell = formula.program, formula.cell
        read = [formula.places[index] for index in program.read]
        if any(place is not None and place.sheet == cell[0] and place.area.holds(cell[1], cell[2]) for place in read):
            self.faults[cell] = CIRCULAR
            self.sheets[cell[0]].set_value(cell[1] + 1, cell[2] + 1, native_value(CIRCULAR))
            return None
        handed = [self.handed(place, cell) for place in (*read, *formula.found)]
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
        """A native text that the native engine can read; a longer formula is an error."""
        if len(text) < MAX_NATIVE:
            return text
        self.faults[cell] = PARSE_ERROR
        self.sheets[cell[0]].set_value(cell[1] + 1, cell[2] + 1, native_value(PARSE_ERROR))
        return None

    def handed(self, place: Place | None, reader: Cell) -> str:
        """A place whose values are handed over: one without end, or too large, as far as its sheet is filled."""
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

    def called(self, number: float, *arguments: object) -> object:
        """The native engine asks for a formula that is computed here."""
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
        except Wanting as wanting:
            self.wants.setdefault(formula.cell, set()).add(wanting.place)
            told = 0.0
        self.defects.pop()
        return told

    def argument(self, argument: object, place: Place | None, single: bool) -> Result:
        """An argument as the native engine hands it over: a value, or rows."""
        if place is None:
            return None
        if single:
            return self.met(argument, place.sheet, place.area.top, place.area.left)
        rows: list[list[Value]] = argument if isinstance(argument, list) else [[argument]]  # type: ignore[list-item]
        if endless(place.area):
            rows = native_values.padded(native_values.trimmed(rows, place.area), self.around.ended(place).area)
        if self.blanks or any(dict in map(type, row) for row in rows):
            top, left, sheet = place.area.top, place.area.left, place.sheet
            rows = [
                [self.met(value, sheet, top + down, left + across) for across, value in enumerate(row)]
                for down, row in enumerate(rows)
            ]
        return Grid(rows, place)

    def met(self, value: object, sheet: int, row: int, column: int) -> Value:
        """A native value as ours: errors with their sentence, blanks as blanks."""
        if isinstance(value, dict):
            return self.fault((sheet, row, column), value)
        if value == "" and (sheet, row, column) in self.blanks:
            return None
        return value  # type: ignore[return-value]

    def fault(self, cell: Cell, error: Mapping[str, str]) -> Fault:
        """The error in a cell."""
        kind = error.get("kind", "")
        if kind in ("Circ", "Spill"):
            return CIRCULAR
        code = native_values.CODES.get(kind, "#ERROR!")
        known = self.faults.get(cell)
        return known if known is not None and (known.code == code or code == "#ERROR!") else Fault(code, FAULTS[code])

    def answer(self, cell: Cell, result: Result) -> object:
        """What the native engine is told of a result; the rest of it is kept."""
        if isinstance(result, Grid):
            if result.kinds is not None:
                self.kinds[cell] = result.kinds
            if result.height * result.width != 1:
                return self.spilling(cell, result)
            result = result.rows[0][0]
        if cell in self.spills:
            self.pending[cell] = None
        self.blocked.pop(cell, None)
        return self.told(cell, result)  # type: ignore[arg-type]

    def told(self, cell: Cell, value: Value) -> object:
        """One value, as the native engine is told it."""
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

    def spilling(self, cell: Cell, result: Grid) -> object:
        """An array is written into the cells below and to the right once the evaluation is over."""
        sheet, row, column = cell
        if not result.height or not result.width:
            return self.answer(cell, Fault("#REF!", "Reference does not exist."))
        rows = (
            result.rows
            if sheet not in self.sizes
            else native_values.cut(result.rows, self.sizes[sheet][0] - row, self.sizes[sheet][1] - column)
        )
        if len(rows) * len(rows[0]) == 1:
            return self.answer(cell, rows[0][0])
        area = Area(row, column, row + len(rows), column + len(rows[0]))
        known = self.blocked.get(cell)
        if known is not None and known[0] == area:
            return self.told(cell, known[1])
        self.pending[cell] = rows
        return self.told(cell, rows[0][0])

    def settle(self) -> None:
        """Compute until nothing changes any more."""
        loosened: set[Cell] = set()
        for _ in range(MAX_ROUNDS):
            self.workbook.evaluate_all()
            if not self.wants and not self.pending and not self.loosen(loosened):
                return
            wants, self.wants = self.wants, {}
            for cell, places in sorted(wants.items()):
                self.widen(cell, places)
            pending, self.pending = self.pending, {}
            for cell, rows in sorted(pending.items(), key=lambda item: (item[1] is not None, item[0])):
                self.spread(cell, rows)
        while self.wants or self.pending:
            for cell in sorted({*self.wants, *self.pending}):
                self.give_up(cell)
            self.wants, self.pending = {}, {}
            self.workbook.evaluate_all()

    def loosen(self, done: set[Cell]) -> bool:
        """Formulas in a cycle forget what they found before: the cycle may come of it alone. Answers whether there were
        any.
        """
        cells = [cell for cell in sorted(self.dynamic - done) if self.circles(cell)]
        for cell in cells:
            self.formulas[cell].found = ()
            self.dirty(cell)
        done.update(cells)
        self.dynamic.difference_update(cells)
        stale = [cell for cell in sorted(self.spills) if self.circles(cell)]
        for cell in stale:
            self.withdraw(cell, None)
        return bool(cells or stale)

    def untangle(self) -> None:
        """Take back all that formulas filled or found where what comes of it could depend on the order of edits."""
        if not self.given_up and not ((self.spills or self.blocked or self.dynamic) and self.is_tangled()):
            return
        again = sorted({*self.spills, *self.blocked, *self.dynamic, *self.given_up})
        for cell in sorted(self.spills):
            self.withdraw(cell, None)
        for found in (self.blocked, self.given_up, self.dynamic, self.pending):
            found.clear()
        for cell in again:
            if cell in self.formulas:
                self.formulas[cell].found = ()
                self.dirty(cell)

    def is_tangled(self) -> bool:
        """Whether an array may come to feed itself."""
        if self.columns is None:
            self.columns = columns(
                (formula.cell, formula.program, formula.places) for formula in self.formulas.values()
            )
        for column in self.columns:
            if column.fills:
                width = self.extents.get(column.sheet, (0, 0))[1]
                column.right = column.bound(partial(self.occupied, column.sheet, column.left + 1, width))
        return tangled(self.columns)

    def occupied(self, sheet: int, left: int, width: int, row: int) -> int | None:
        """The first cell of a row, from a column on, that something was typed into."""
        (held,) = self.read(sheet, Area(row, left, row + 1, width)) or ([],)
        filled = [
            (anchor, area)
            for anchor, area in self.spills.items()
            if anchor[0] == sheet and area.top <= row < (area.bottom or 0)
        ]
        for at, value in enumerate(held, left):
            cell = sheet, row, at
            if cell in self.formulas:
                return at
            if value is not None and not any(
                area.holds(row, at) and cell not in self.taken.get(anchor, ()) for anchor, area in filled
            ):
                return at
        return None

    def circles(self, cell: Cell) -> bool:
        """Whether the native engine sees a cell in a cycle."""
        value = self.workbook.get_value(f"S_{cell[0]}", cell[1] + 1, cell[2] + 1)
        return isinstance(value, dict) and value.get("kind") == "Circ"

    def widen(self, cell: Cell, places: set[Place]) -> None:
        """Hand a formula the cells it asked for as well."""
        formula = self.formulas.get(cell)
        if formula is None:
            return
        self.dynamic.add(cell)
        formula.found = tuple(sorted({*formula.found, *places}, key=str))[-64:]
        rendered = self.rendered(formula)
        if rendered is not None:
            self.sheets[cell[0]].set_formula(cell[1] + 1, cell[2] + 1, rendered)

    def give_up(self, cell: Cell) -> None:
        """A formula that never comes to rest feeds itself."""
        self.withdraw(cell, None)
        self.given_up.add(cell)
        self.faults[cell] = CIRCULAR
        self.sheets[cell[0]].set_value(cell[1] + 1, cell[2] + 1, native_value(CIRCULAR))

    def spread(self, cell: Cell, rows: list[list[Value]] | None) -> None:
        """Write an array's cells, or take back those of one that is gone."""
        if cell not in self.formulas or rows is None:
            self.withdraw(cell, None)
            return
        _, row, column = cell
        area = Area(row, column, row + len(rows), column + len(rows[0]))
        fault = self.obstacle(cell, area)
        if fault is not None:
            self.withdraw(cell, None)
            self.blocked[cell] = (area, fault)
            self.dirty(cell)
            return
        self.withdraw(cell, area)
        self.spills[cell] = area
        self.grow(cell[0], area.bottom or 0, area.right or 0)
        self.fill_children(cell, area, rows)

    def fill_children(self, anchor: Cell, area: Area, rows: list[list[Value]]) -> None:
        """Write those rows of an array that changed, neighbours at once; the anchor's own cell is a formula."""
        sheet, known = anchor[0], self.read(anchor[0], area)
        changed: dict[int, list[object]] = {}
        for down, (values, held) in enumerate(zip(rows, known, strict=True)):
            if any(isinstance(value, Fault) for value in values):
                self.faults.update(
                    {
                        (sheet, area.top + down, area.left + across): value
                        for across, value in enumerate(values)
                        if isinstance(value, Fault)
                    }
                )
            if held != values or list(map(type, held)) != list(map(type, values)):
                changed[area.top + down] = [native_value(value) for value in values]
        first = changed.pop(area.top, None)
        if first and len(first) > 1:
            self.workbook.set_values_batch(f"S_{sheet}", area.top + 1, area.left + 2, [first[1:]])
        for start, run in runs(changed):
            self.workbook.set_values_batch(f"S_{sheet}", start + 1, area.left + 1, run)

    def withdraw(self, cell: Cell, keep: Area | None) -> None:
        """Empty the cells of an array that its new extent leaves."""
        old = self.spills.pop(cell, None)
        taken = self.taken.pop(cell, set())
        if old is None:
            return
        emptied: dict[int, dict[int, object]] = {}
        for row, column in positions(old):
            child = (cell[0], row, column)
            if child != cell and child not in taken and not (keep and keep.holds(row, column)):
                self.faults.pop(child, None)
                emptied.setdefault(column, {})[row] = None
        native_values.write_columns(self.workbook, cell[0], emptied)
        for other, (area, _) in sorted(self.blocked.items()):
            if other != cell and other[0] == cell[0] and overlap(area, old):
                del self.blocked[other]
                self.dirty(other)

    def obstacle(self, cell: Cell, area: Area) -> Fault | None:
        """Why an array cannot be written there."""
        formula = self.formulas[cell]
        reads = [place for index in formula.program.read if (place := formula.places[index]) is not None] + list(
            formula.found
        )
        if any(place.sheet == cell[0] and overlap(place.area, area) for place in reads):
            return CIRCULAR
        assert area.bottom is not None and area.right is not None
        if area.bottom > native_values.NATIVE_ROWS or area.right > NATIVE_COLUMNS:
            return Fault("#REF!", "Result was not automatically expanded, please insert more rows.")
        held, own, taken = self.read(cell[0], area), self.spills.get(cell), self.taken.get(cell, set())
        others = [
            spill
            for anchor, spill in self.spills.items()
            if anchor != cell and anchor[0] == cell[0] and overlap(spill, area)
        ]
        for row, column in positions(area):
            other = (cell[0], row, column)
            if other == cell or (own and own.holds(row, column) and other not in taken):
                continue
            spilled = any(spill.holds(row, column) for spill in others)
            if other in self.formulas or (held[row - area.top][column - area.left] is not None and not spilled):
                return _over(row, column)
        return self.rival(cell, area)

    def rival(self, cell: Cell, area: Area) -> Fault | None:
        """Another array in the way: of two, the one whose formula stands first stays, whichever came first."""
        for other, spill in sorted(self.spills.items()):
            if other != cell and other[0] == cell[0] and overlap(spill, area):
                if other < cell:
                    return _over(max(spill.top, area.top), max(spill.left, area.left))
                if not area.holds(other[1], other[2]):
                    self.withdraw(other, None)
                    self.dirty(other)
        return None

    def reconsider(self, touched: list[Cell]) -> None:
        """Arrays whose cells were written over, or that may now be written, are computed again."""
        anchors: set[Cell] = set()
        for anchor, area in self.spills.items():
            taken = {cell for cell in touched if cell[0] == anchor[0] and area.holds(cell[1], cell[2])} - {anchor}
            if taken:
                anchors.add(anchor)
                self.taken.setdefault(anchor, set()).update(taken)
        for anchor, (area, _) in self.blocked.items():
            if any(cell[0] == anchor[0] and area.holds(cell[1], cell[2]) for cell in touched):
                anchors.add(anchor)
        for anchor in sorted(anchors):
            self.blocked.pop(anchor, None)
            self.dirty(anchor)

    def dirty(self, cell: Cell) -> None:
        """Have a formula computed again."""
        formula = self.formulas.get(cell)
        rendered = self.rendered(formula) if formula else None
        if rendered is not None:
            self.sheets[cell[0]].set_formula(cell[1] + 1, cell[2] + 1, rendered)

    def read(self, sheet: int, area: Area) -> list[list[object]]:
        """Native values of a closed area."""
        assert area.bottom is not None and area.right is not None
        if area.bottom <= area.top or area.right <= area.left:
            return []
        address = formualizer.RangeAddress(f"S_{sheet}", area.top + 1, area.left + 1, area.bottom, area.right)
        return self.sheets[sheet].get_values(address)

    def values(self, sheet: int, area: Area) -> list[list[Value]]:
        """The values of a closed area: every cell, None for empty ones."""
        rows = self.read(sheet, area)
        if not self.blanks and not any(dict in map(type, row) for row in rows):
            return rows  # type: ignore[return-value]
        return [
            [self.met(value, sheet, area.top + down, area.left + across) for across, value in enumerate(row)]
            for down, row in enumerate(rows)
        ]

    def value(self, sheet: int, row: int, column: int) -> Value:
        """The value of one cell."""
        return self.met(self.workbook.get_value(f"S_{sheet}", row + 1, column + 1), sheet, row, column)

    def hint(self, sheet: int, row: int, column: int) -> str:
        """How a formula's result wants to be shown."""
        anchor: Cell | None = (sheet, row, column)
        formula = self.formulas.get((sheet, row, column))
        if formula is None and self.spills:
            anchor = next(
                (anchor for anchor, area in self.spills.items() if anchor[0] == sheet and area.holds(row, column)), None
            )
            formula = self.formulas.get(anchor) if anchor else None
        if formula is None or anchor is None:
            return ""
        if anchor in self.kinds:
            return self.kinds[anchor][row - anchor[1]][column - anchor[2]]
        return referred(Seen(self.formulas, self.titles, self.looks), formula, column - anchor[2])

    def spilled(self, sheet: int, area: Area) -> dict[tuple[int, int], tuple[int, int]]:
        """Cells that a formula elsewhere fills, with that formula's cell."""
        found: dict[tuple[int, int], tuple[int, int]] = {}
        for (one, top, left), spill in self.spills.items():
            if one == sheet and overlap(spill, area):
                found.update(
                    {cell: (top, left) for cell in positions(spill) if area.holds(*cell) and cell != (top, left)}
                )
        return found

    def precedents(self, formula: str, sheet: int) -> list[tuple[int, Area]]:
        """What a formula refers to, in the order it is written."""
        program = self.compiler.program(formula, 0, 0)
        places = [reference.place(sheet, 0, 0) for reference in program.references]
        return [(place.sheet, place.area) for place in places if place is not None]
