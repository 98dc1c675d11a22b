"""Syntax tree of a formula: nodes, references, and the program."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from apps.sheets.cells import Area, Value


class Place(NamedTuple):
    """An area of one sheet."""

    sheet: int
    area: Area


@dataclass(frozen=True, slots=True)
class Reference:
    """A reference as a template: relative sides are distances from the formula's own cell."""

    sheet: int | None
    sides: tuple[int, int, int | None, int | None]
    relative: tuple[bool, bool, bool, bool]
    single: bool

    def place(self, sheet: int, row: int, column: int) -> Place | None:
        """Return its target from that cell; None when off the sheet."""
        (top, left, bottom, right), (top_moves, left_moves, bottom_moves, right_moves) = self.sides, self.relative
        top, left = (top + row if top_moves else top), (left + column if left_moves else left)
        bottom = bottom + row if bottom_moves and bottom is not None else bottom
        right = right + column if right_moves and right is not None else right
        if bottom is not None and bottom <= top:
            top, bottom = bottom - 1, top + 1
        if right is not None and right <= left:
            left, right = right - 1, left + 1
        if top < 0 or left < 0:
            return None
        return Place(sheet if self.sheet is None else self.sheet, Area(top, left, bottom, right))


class Node:
    """A part of a formula."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Literal(Node):
    """A number, a text, TRUE, FALSE or an error, as written."""

    value: Value


@dataclass(frozen=True, slots=True)
class EmptyArgument(Node):
    """An argument left empty."""


@dataclass(frozen=True, slots=True)
class Leaf(Node):
    """A reference, by its number among the program's references."""

    index: int
    reference: Reference


@dataclass(frozen=True, slots=True)
class Name(Node):
    """A word that is neither function nor reference: a parameter of LAMBDA or LET, or an unknown name."""

    text: str


@dataclass(frozen=True, slots=True)
class Call(Node):
    """A function with arguments."""

    name: str
    arguments: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Apply(Node):
    """A value that is called: `LAMBDA(x, x)(1)`."""

    function: Node
    arguments: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Sign(Node):
    """A sign before (`-`, `+`) or a percent after (`%`) an operand."""

    operator: str
    operand: Node


@dataclass(frozen=True, slots=True)
class Chain(Node):
    """Operands joined from left to right by operators of one precedence: flat, however long."""

    first: Node
    rest: tuple[tuple[str, Node], ...]


@dataclass(frozen=True, slots=True)
class Braces(Node):
    """An array in braces: rows of parts."""

    rows: tuple[tuple[Node, ...], ...]


@dataclass(frozen=True, slots=True)
class Between(Node):
    """Two references with a colon: `INDEX(A:A, 2):B9`."""

    first: Node
    last: Node


@dataclass(slots=True)
class Program:
    """A compiled formula, shared by all cells that hold it at another distance.

    `fills`: its result may be more than one cell; `roams`: it may read cells that its text does not name; `is_told`:
    its hint is final.
    """

    root: Node
    references: tuple[Reference, ...]
    read: tuple[int, ...]
    hint: str = ""
    seeded: bool = False
    timed: bool = False
    fills: bool = False
    roams: bool = False
    is_told: bool = True
    native: Callable[[list[str]], str] | None = field(default=None)


def children(node: Node) -> Iterator[Node]:
    """Yield the children of a node."""
    match node:
        case Call(_, arguments):
            yield from arguments
        case Apply(function, arguments):
            yield function
            yield from arguments
        case Sign(_, operand):
            yield operand
        case Chain(first, rest):
            yield first
            yield from (operand for _, operand in rest)
        case Braces(rows):
            for row in rows:
                yield from row
        case Between(first, last):
            yield first
            yield last


def walk(node: Node) -> Iterator[Node]:
    """Yield a node and all below it."""
    pending = [node]
    while pending:
        current = pending.pop()
        yield current
        pending.extend(children(current))


def strip_chain(node: Node) -> Node:
    """Unwrap chains of a single part."""
    while isinstance(node, Chain) and not node.rest:
        node = node.first
    return node
