"""Cycles of arrays: detected because their results could depend on the order of edits."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from apps.sheets.cells import Value
from apps.sheets.engine.registry import BODIES
from apps.sheets.engine.tree import Apply, Between, Braces, Call, Chain, Leaf, Name, Node, Place, Program

MAX_BOUND = 200  # arrays of a column that are asked how far they may reach
ROAMING = frozenset(("INDIRECT", "OFFSET"))  # what they read is known once they run
PASSING = frozenset(
    ("IF", "IFS", "IFERROR", "IFNA", "SWITCH", "CHOOSE", "LET")
)  # an array only where an argument is one
_SINGLE: tuple[object, ...] = (float, str, bool, Value)


def may_fill(node: Node) -> bool:
    """Whether a formula can fill more than its own cell."""
    match node:
        case Leaf(_, reference):
            return not reference.single
        case Chain(first, ()):
            return may_fill(first)
        case Call(name, arguments) if name in PASSING:
            return any(may_fill(argument) for argument in arguments)
        case Call(name):
            return not _gives_one(name)
        case Apply() | Between() | Braces() | Name():
            return True
    return False


def _gives_one(name: str) -> bool:
    """Whether a function returns a single value; unless its code tells, whether it takes no arrays."""
    body = BODIES.get(name)
    if body is None:
        return False
    told = getattr(body.code, "__annotations__", {}).get("return")
    return told in _SINGLE if told is not None else not any(parameter.kind in "gx" for parameter in body.parameters)


def roams(nodes: Iterable[Node]) -> bool:
    """Whether a formula can read cells that its text does not name."""
    return any(isinstance(node, Between) or (isinstance(node, Call) and node.name in ROAMING) for node in nodes)


@dataclass(slots=True)
class Column:
    """The formulas of one column that can fill more than their cell, or the others; `right` is their maximal reach."""

    sheet: int
    left: int
    fills: bool
    right: int | None = None
    rows: list[int] = field(default_factory=list)
    reads: set[tuple[int, int, int | None]] = field(default_factory=set)
    everything: bool = False

    def find_array_limit(self, occupied: Callable[[int], int | None]) -> int | None:
        """Find the column where its arrays must end, at typed cells of their row; None if unbounded."""
        found = [occupied(row) for row in self.rows] if len(self.rows) <= MAX_BOUND else [None]
        return None if None in found else max(found)  # type: ignore[type-var]

    def touches(self, other: "Column") -> bool:
        """Whether it can read cells filled by the other's formulas."""
        return self.everything or any(
            sheet == other.sheet
            and (other.right is None or left < other.right)
            and (right is None or other.left < right)
            for sheet, left, right in self.reads
        )

    def meets(self, other: "Column") -> bool:
        """Whether arrays of two columns can overlap."""
        return (
            self.fills
            and other.fills
            and self.sheet == other.sheet
            and (other.right is None or self.left < other.right)
            and (self.right is None or other.left < self.right)
        )


def columns(formulas: Iterable[tuple[tuple[int, int, int], Program, tuple[Place | None, ...]]]) -> list[Column]:
    """Group formulas by column, with the places each column reads."""
    found: dict[tuple[int, int, bool], Column] = {}
    for (sheet, row, left), program, places in formulas:
        key = sheet, left, program.fills
        column = found.get(key)
        if column is None:
            column = found[key] = Column(sheet, left, program.fills, left + 1)
        column.rows.append(row)
        column.reads.update((place.sheet, place.area.left, place.area.right) for place in places if place is not None)
        column.everything = column.everything or program.roams
    return [found[key] for key in sorted(found)]


def has_array_cycle(nodes: list[Column]) -> bool:
    """Whether an array can feed itself through other formulas."""
    reads = [[to for to, other in enumerate(nodes) if one.touches(other)] for one in nodes]
    needs = [
        sorted({*reads[at], *(to for to, other in enumerate(nodes) if to != at and one.meets(other))})
        for at, one in enumerate(nodes)
    ]
    reached = [_find_reachable(start, needs) for start in range(len(nodes))]
    for at, one in enumerate(nodes):
        if at in reads[at] and one.fills and (len(one.rows) > 1 or one.everything):
            return True
        if any(to != at and at in reached[to] and _fills_between(at, nodes, reached) for to in reads[at]):
            return True
    return False


def _fills_between(at: int, nodes: list[Column], reached: list[set[int]]) -> bool:
    """Whether some column in a cycle with this one holds arrays."""
    return any(node.fills and to in reached[at] and at in reached[to] for to, node in enumerate(nodes))


def _find_reachable(start: int, needs: list[list[int]]) -> set[int]:
    found: set[int] = set()
    pending = [start]
    while pending:
        new = [to for to in needs[pending.pop()] if to not in found]
        found.update(new)
        pending.extend(new)
    return found
