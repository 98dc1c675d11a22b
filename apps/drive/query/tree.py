"""What a search means, before it is compiled."""

from dataclasses import dataclass


class BadQuery(Exception):
    """A text that is no search."""


class NoFolder(BadQuery):
    """A search in a folder that is not there."""


@dataclass(frozen=True, slots=True)
class Term:
    """One comparison: `name contains 'x'`. Of properties `value` is the value and `key` its key."""

    name: str
    operator: str
    value: str | bool
    key: str = ""


@dataclass(frozen=True, slots=True)
class All:
    """Every part holds."""

    parts: tuple["Node", ...]


@dataclass(frozen=True, slots=True)
class Any:
    """Some part holds."""

    parts: tuple["Node", ...]


@dataclass(frozen=True, slots=True)
class Not:
    """The part does not hold."""

    part: "Node"


Node = Term | All | Any | Not
EVERYTHING = All(())


def asks_text(node: Node) -> bool:
    """Whether a search looks into the text of files."""
    if isinstance(node, Term):
        return node.name == "fullText"
    return asks_text(node.part) if isinstance(node, Not) else any(asks_text(part) for part in node.parts)
