"""Arrays that formulas spill: their cells are written and removed until nothing changes any more."""

from functools import partial

from apps.sheets.cells import Area, Fault, Value
from apps.sheets.engine import native_values
from apps.sheets.engine.array_cycles import columns, has_array_cycle
from apps.sheets.engine.formula import Cell
from apps.sheets.engine.native_formulas import NativeFormulas
from apps.sheets.engine.native_values import NATIVE_COLUMNS, native_value, overlap, positions, runs
from apps.sheets.engine.tokens import column_letters
from apps.sheets.engine.tree import Place
from apps.sheets.engine.values import CIRCULAR

MAX_ROUNDS = 60  # of arrays that feed arrays


def _over(row: int, column: int) -> Fault:
    return Fault(
        "#REF!", f"Array result was not expanded because it would overwrite data in {column_letters(column)}{row + 1}."
    )


class Spills:
    """The arrays of one spreadsheet; `taken` are their cells that were typed over."""

    def __init__(self, native: NativeFormulas) -> None:
        self.native = native
        self.taken: dict[Cell, set[Cell]] = {}
        self.given_up: set[Cell] = set()

    def settle(self) -> None:
        """Compute until nothing changes any more."""
        loosened: set[Cell] = set()
        for _ in range(MAX_ROUNDS):
            self.native.workbook.evaluate_all()
            if not self.native.wants and not self.native.pending and not self.loosen(loosened):
                return
            wants, self.native.wants = self.native.wants, {}
            for cell, places in sorted(wants.items()):
                self.widen(cell, places)
            pending, self.native.pending = self.native.pending, {}
            for cell, rows in sorted(pending.items(), key=lambda item: (item[1] is not None, item[0])):
                self.write_spill(cell, rows)
        while self.native.wants or self.native.pending:
            for cell in sorted({*self.native.wants, *self.native.pending}):
                self.give_up(cell)
            self.native.wants, self.native.pending = {}, {}
            self.native.workbook.evaluate_all()

    def loosen(self, done: set[Cell]) -> bool:
        """Forget the found places of formulas in a cycle, as these may cause it. Returns whether there were any."""
        cells = [cell for cell in sorted(self.native.dynamic - done) if self.native.circles(cell)]
        for cell in cells:
            self.native.formulas[cell].found = ()
            self.native.dirty(cell)
        done.update(cells)
        self.native.dynamic.difference_update(cells)
        stale = [cell for cell in sorted(self.native.spills) if self.native.circles(cell)]
        for cell in stale:
            self.withdraw(cell, None)
        return bool(cells or stale)

    def untangle(self) -> None:
        """Remove all spilled cells and found places whose result could depend on the order of edits."""
        if not self.given_up and not (
            (self.native.spills or self.native.blocked or self.native.dynamic) and self.is_tangled()
        ):
            return
        again = sorted({*self.native.spills, *self.native.blocked, *self.native.dynamic, *self.given_up})
        for cell in sorted(self.native.spills):
            self.withdraw(cell, None)
        for found in (self.native.blocked, self.given_up, self.native.dynamic, self.native.pending):
            found.clear()
        for cell in again:
            if cell in self.native.formulas:
                self.native.formulas[cell].found = ()
                self.native.dirty(cell)

    def is_tangled(self) -> bool:
        """Whether an array can feed itself."""
        if self.native.columns is None:
            self.native.columns = columns(
                (formula.cell, formula.program, formula.places) for formula in self.native.formulas.values()
            )
        for column in self.native.columns:
            if column.fills:
                width = self.native.extents.get(column.sheet, (0, 0))[1]
                column.right = column.find_array_limit(
                    partial(self.find_occupied_column, column.sheet, column.left + 1, width)
                )
        return has_array_cycle(self.native.columns)

    def find_occupied_column(self, sheet: int, left: int, width: int, row: int) -> int | None:
        """Find the first typed cell of a row, from a column on."""
        (held,) = self.native.read(sheet, Area(row, left, row + 1, width)) or ([],)
        filled = [
            (anchor, area)
            for anchor, area in self.native.spills.items()
            if anchor[0] == sheet and area.top <= row < (area.bottom or 0)
        ]
        for at, value in enumerate(held, left):
            cell = sheet, row, at
            if cell in self.native.formulas:
                return at
            if value is not None and not any(
                area.holds(row, at) and cell not in self.taken.get(anchor, ()) for anchor, area in filled
            ):
                return at
        return None

    def widen(self, cell: Cell, places: set[Place]) -> None:
        """Give a formula the cells it asked for."""
        formula = self.native.formulas.get(cell)
        if formula is None:
            return
        self.native.dynamic.add(cell)
        formula.found = tuple(sorted({*formula.found, *places}, key=str))[-64:]
        rendered = self.native.render_formula(formula)
        if rendered is not None:
            self.native.sheets[cell[0]].set_formula(cell[1] + 1, cell[2] + 1, rendered)

    def give_up(self, cell: Cell) -> None:
        """Set a formula that never settles to a circular reference error."""
        self.withdraw(cell, None)
        self.given_up.add(cell)
        self.native.faults[cell] = CIRCULAR
        self.native.sheets[cell[0]].set_value(cell[1] + 1, cell[2] + 1, native_value(CIRCULAR))

    def write_spill(self, cell: Cell, rows: list[list[Value]] | None) -> None:
        """Write an array's cells, or remove those of a deleted one."""
        if cell not in self.native.formulas or rows is None:
            self.withdraw(cell, None)
            return
        _, row, column = cell
        area = Area(row, column, row + len(rows), column + len(rows[0]))
        fault = self.obstacle(cell, area)
        if fault is not None:
            self.withdraw(cell, None)
            self.native.blocked[cell] = (area, fault)
            self.native.dirty(cell)
            return
        self.withdraw(cell, area)
        self.native.spills[cell] = area
        self.native.grow(cell[0], area.bottom or 0, area.right or 0)
        self.fill_children(cell, area, rows)

    def fill_children(self, anchor: Cell, area: Area, rows: list[list[Value]]) -> None:
        """Write the changed rows of an array, neighbours together; the anchor's own cell is a formula."""
        sheet, known = anchor[0], self.native.read(anchor[0], area)
        changed: dict[int, list[object]] = {}
        for down, (values, held) in enumerate(zip(rows, known, strict=True)):
            if any(isinstance(value, Fault) for value in values):
                self.native.faults.update(
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
            self.native.workbook.set_values_batch(f"S_{sheet}", area.top + 1, area.left + 2, [first[1:]])
        for start, run in runs(changed):
            self.native.workbook.set_values_batch(f"S_{sheet}", start + 1, area.left + 1, run)

    def withdraw(self, cell: Cell, keep: Area | None) -> None:
        """Empty the cells that an array's new extent leaves."""
        old = self.native.spills.pop(cell, None)
        taken = self.taken.pop(cell, set())
        if old is None:
            return
        emptied: dict[int, dict[int, object]] = {}
        for row, column in positions(old):
            child = (cell[0], row, column)
            if child != cell and child not in taken and not (keep and keep.holds(row, column)):
                self.native.faults.pop(child, None)
                emptied.setdefault(column, {})[row] = None
        native_values.write_columns(self.native.workbook, cell[0], emptied)
        for other, (area, _) in sorted(self.native.blocked.items()):
            if other != cell and other[0] == cell[0] and overlap(area, old):
                del self.native.blocked[other]
                self.native.dirty(other)

    def obstacle(self, cell: Cell, area: Area) -> Fault | None:
        """Return the error when an array cannot be written at its place."""
        formula = self.native.formulas[cell]
        reads = [place for index in formula.program.read if (place := formula.places[index]) is not None] + list(
            formula.found
        )
        if any(place.sheet == cell[0] and overlap(place.area, area) for place in reads):
            return CIRCULAR
        assert area.bottom is not None and area.right is not None
        if area.bottom > native_values.NATIVE_ROWS or area.right > NATIVE_COLUMNS:
            return Fault("#REF!", "Result was not automatically expanded, please insert more rows.")
        held, own, taken = self.native.read(cell[0], area), self.native.spills.get(cell), self.taken.get(cell, set())
        others = [
            spill
            for anchor, spill in self.native.spills.items()
            if anchor != cell and anchor[0] == cell[0] and overlap(spill, area)
        ]
        for row, column in positions(area):
            other = (cell[0], row, column)
            if other == cell or (own and own.holds(row, column) and other not in taken):
                continue
            spilled = any(spill.holds(row, column) for spill in others)
            if other in self.native.formulas or (held[row - area.top][column - area.left] is not None and not spilled):
                return _over(row, column)
        return self.rival(cell, area)

    def rival(self, cell: Cell, area: Area) -> Fault | None:
        """Find another array in the way: the one whose formula comes first in the sheet stays."""
        for other, spill in sorted(self.native.spills.items()):
            if other != cell and other[0] == cell[0] and overlap(spill, area):
                if other < cell:
                    return _over(max(spill.top, area.top), max(spill.left, area.left))
                if not area.holds(other[1], other[2]):
                    self.withdraw(other, None)
                    self.native.dirty(other)
        return None

    def reconsider(self, touched: list[Cell]) -> None:
        """Recompute arrays whose cells were typed over, or that can be written now."""
        anchors: set[Cell] = set()
        for anchor, area in self.native.spills.items():
            taken = {cell for cell in touched if cell[0] == anchor[0] and area.holds(cell[1], cell[2])} - {anchor}
            if taken:
                anchors.add(anchor)
                self.taken.setdefault(anchor, set()).update(taken)
        for anchor, (area, _) in self.native.blocked.items():
            if any(cell[0] == anchor[0] and area.holds(cell[1], cell[2]) for cell in touched):
                anchors.add(anchor)
        for anchor in sorted(anchors):
            self.native.blocked.pop(anchor, None)
            self.native.dirty(anchor)
