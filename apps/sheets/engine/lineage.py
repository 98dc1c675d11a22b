"""Lineage of a cell's value: the places it is computed from, through other formulas, and its volatile inputs."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from apps.sheets.cells import Area
from apps.sheets.engine.compile import SEEDED, TIMED
from apps.sheets.engine.formula import Cell, Formula
from apps.sheets.engine.native_values import overlap
from apps.sheets.engine.tree import Call, Literal, Node, Place, walk

ABOUT = frozenset("SHEETS SHEET CELL FORMULATEXT ISFORMULA".split())  # what asks how the spreadsheet is made
UNSTEADY = (
    {name: name for name in TIMED | ABOUT} | dict.fromkeys(SEEDED, "chance") | dict.fromkeys(("NOW", "TODAY"), "clock")
)


@dataclass(frozen=True, slots=True)
class Lineage:
    """Precedents of a cell through other formulas, its volatile inputs, and the constants it may compare with."""

    places: frozenset[Place]
    unsteady: frozenset[str] = frozenset()
    literals: frozenset[str | float] = frozenset()

    def names(self, cell: Cell) -> bool:
        """Whether a cell is in one of the places."""
        sheet, row, column = cell
        return any(place.sheet == sheet and place.area.holds(row, column) for place in self.places)


def trace(formulas: Mapping[Cell, Formula], spills: Mapping[Cell, Area], cell: Cell) -> Lineage:
    """Trace the lineage of a cell."""
    sheet, row, column = cell
    itself = Place(sheet, Area(row, column, row + 1, column + 1))
    places, nodes, met, due = set[Place](), list[Node](), set[Cell](), [*_list_formulas(itself, formulas, spills)]
    while due:
        formula = formulas.get(one := due.pop())
        if formula is None or one in met:
            continue
        met.add(one)
        nodes += walk(formula.program.root)
        for place in {place for place in (*formula.places, *formula.found) if place is not None} - places:
            places.add(place)
            due += _list_formulas(place, formulas, spills)
    calls = {node.name for node in nodes if isinstance(node, Call)}
    literals = {node.value for node in nodes if isinstance(node, Literal) and isinstance(node.value, str | float)}
    return Lineage(
        frozenset(places), frozenset(UNSTEADY[name] for name in calls & UNSTEADY.keys()), frozenset(literals)
    )


def _list_formulas(place: Place, formulas: Mapping[Cell, Formula], spills: Mapping[Cell, Area]) -> Iterator[Cell]:
    """Yield the cells whose formulas fill a place."""
    yield from (cell for cell in formulas if cell[0] == place.sheet and place.area.holds(*cell[1:]))
    yield from (cell for cell, area in spills.items() if cell[0] == place.sheet and overlap(area, place.area))
