"""Cells: areas, typed entries, and error values."""

from dataclasses import dataclass
from datetime import date
from typing import Literal, NamedTuple

Kind = Literal["", "number", "text", "boolean", "formula"]
DAY_ZERO = date(1899, 12, 30).toordinal()  # the day whose serial number is 0


class Area(NamedTuple):
    """A rectangle of cells, 0-based and half-open; None for a side that is open to the end of the sheet."""

    top: int
    left: int
    bottom: int | None
    right: int | None

    def within(self, rows: int, columns: int) -> "Area":
        """Return the part within a sheet of that size, closed."""
        bottom = rows if self.bottom is None else min(self.bottom, rows)
        right = columns if self.right is None else min(self.right, columns)
        return Area(min(self.top, rows), min(self.left, columns), bottom, right)

    def holds(self, row: int, column: int) -> bool:
        """Whether a cell is inside."""
        return (
            self.top <= row
            and self.left <= column
            and (self.bottom is None or row < self.bottom)
            and (self.right is None or column < self.right)
        )

    def meets(self, other: "Area") -> bool:
        """Whether two closed areas share cells."""
        rows = max(self.top, other.top) < min(self.bottom or 0, other.bottom or 0)
        return rows and max(self.left, other.left) < min(self.right or 0, other.right or 0)

    def covers(self, other: "Area") -> bool:
        """Whether another closed area is wholly inside."""
        ends = (other.bottom or 0) <= (self.bottom or 0) and (other.right or 0) <= (self.right or 0)
        return self.top <= other.top and self.left <= other.left and ends


class Entry(NamedTuple):
    """Typed content of a cell in canonical form: a number as its shortest text, a formula with its `=`."""

    kind: Kind
    input: str


EMPTY = Entry("", "")


@dataclass(frozen=True, slots=True)
class Fault:
    """An error value such as `#REF!`, with its tooltip."""

    code: str
    message: str = ""


LOADING = Fault("Loading...", "Loading...")  # of a cell that is still being computed
Value = float | str | bool | None | Fault
