"""A formula in its cell."""

from dataclasses import dataclass

from apps.sheets.engine.native_values import endless
from apps.sheets.engine.tree import Place, Program

Cell = tuple[int, int, int]


@dataclass(slots=True)
class Formula:
    """A formula in its cell, with the places it reads; those found at run time come last."""

    cell: Cell
    text: str
    program: Program
    places: tuple[Place | None, ...]
    found: tuple[Place, ...] = ()
    given: tuple[int, ...] = ()  # which argument of the native text each of them is

    def ends_in(self, sheets: set[int]) -> bool:
        """Whether the size of one of those sheets can affect the result."""
        return (self.program.fills and self.cell[0] in sheets) or any(
            place is not None and place.sheet in sheets and endless(place.area) for place in (*self.places, *self.found)
        )
