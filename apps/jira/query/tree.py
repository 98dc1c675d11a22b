"""Syntax tree of a JQL query: immutable nodes with their positions in the text."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

Operator = Literal[
    "=",
    "!=",
    "<",
    "<=",
    ">",
    ">=",
    "~",
    "!~",
    "in",
    "not in",
    "is",
    "is not",
    "was",
    "was not",
    "was in",
    "was not in",
    "changed",
    "not changed",
]
PredicateKind = Literal["after", "before", "during", "on", "by", "from", "to"]

OPPOSITE: dict[Operator, Operator] = {
    "=": "!=",
    "!=": "=",
    "<": ">=",
    ">=": "<",
    ">": "<=",
    "<=": ">",
    "~": "!~",
    "!~": "~",
    "in": "not in",
    "not in": "in",
    "is": "is not",
    "is not": "is",
    "was": "was not",
    "was not": "was",
    "was in": "was not in",
    "was not in": "was in",
    "changed": "not changed",
    "not changed": "changed",
}


class JqlError(Exception):
    """A query Jira refuses; `messages` are the vendor's sentences, in order."""

    def __init__(self, messages: list[str]) -> None:
        super().__init__("; ".join(messages))
        self.messages = messages


@dataclass(frozen=True, slots=True)
class FieldName:
    """The left side of a clause: a name, or `cf[number]`."""

    name: str
    number: int | None = None


@dataclass(frozen=True, slots=True)
class Value:
    """A word, a quoted string or a number, as text."""

    text: str
    number: bool = False

    @property
    def shown(self) -> str:
        """As Jira repeats it in a message about an operand."""
        return self.text if self.number else f'"{self.text}"'


@dataclass(frozen=True, slots=True)
class Empty:
    """EMPTY or NULL."""

    word: str = "EMPTY"

    @property
    def shown(self) -> str:
        """As Jira repeats it."""
        return self.word


@dataclass(frozen=True, slots=True)
class Function:
    """`name(argument, ...)`."""

    name: str
    arguments: tuple[str, ...] = ()

    @property
    def shown(self) -> str:
        """As Jira repeats it."""
        return f"{self.name}({', '.join(self.arguments)})"


@dataclass(frozen=True, slots=True)
class OperandList:
    """`(operand, ...)`."""

    items: tuple["Operand", ...]
    depth: int = 1

    @property
    def shown(self) -> str:
        """As Jira repeats it."""
        return f"({', '.join(item.shown for item in self.items)})"


Operand = Value | Empty | Function | OperandList


@dataclass(frozen=True, slots=True)
class Predicate:
    """Predicate that narrows a history clause: `after "2026/01/31"`, `by currentUser()`."""

    kind: PredicateKind
    operand: Operand


@dataclass(frozen=True, slots=True)
class Clause:
    """One restriction on one field."""

    field: FieldName
    operator: Operator
    operand: Operand | None = None
    predicates: tuple[Predicate, ...] = ()
    depth: int = 1


@dataclass(frozen=True, slots=True)
class And:
    """All of them."""

    clauses: tuple["Node", ...]
    depth: int


@dataclass(frozen=True, slots=True)
class Or:
    """At least one of them."""

    clauses: tuple["Node", ...]
    depth: int


@dataclass(frozen=True, slots=True)
class Not:
    """The opposite, which Jira pushes down to each operator."""

    clause: "Node"
    depth: int


Node = Clause | And | Or | Not


@dataclass(frozen=True, slots=True)
class Sort:
    """One field of ORDER BY; `descending` is None when the query does not say."""

    field: FieldName
    descending: bool | None = None


@dataclass(frozen=True, slots=True)
class Query:
    """A parsed query; `where` is None when only ORDER BY was given, or nothing."""

    where: Node | None = None
    order_by: tuple[Sort, ...] = ()


def iter_clauses(node: Node | None) -> Iterator[Clause]:
    """Every clause from left to right."""
    if isinstance(node, Clause):
        yield node
    elif isinstance(node, Not):
        yield from iter_clauses(node.clause)
    elif node is not None:
        for child in node.clauses:
            yield from iter_clauses(child)
