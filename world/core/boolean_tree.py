"""The tree of a search: leaves, which are an app's own conditions, joined by and, or and not."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Generic, TypeVar, final


class Leaf:
    """A condition of a search."""

    __slots__ = ()


L = TypeVar("L", bound=Leaf)


@final
@dataclass(frozen=True, slots=True)
class Not(Generic[L]):
    """The part does not hold."""

    part: "Tree[L]"


@final
@dataclass(frozen=True, slots=True)
class And(Generic[L]):
    """Every part holds; without parts, always."""

    parts: tuple["Tree[L]", ...]


@final
@dataclass(frozen=True, slots=True)
class Or(Generic[L]):
    """Some part holds; without parts, never."""

    parts: tuple["Tree[L]", ...]


Tree = Not[L] | And[L] | Or[L] | L


def negate(part: "Tree[L]") -> "Tree[L]":
    """The opposite; that of an opposite is the part itself."""
    return part.part if isinstance(part, Not) else Not(part)


def iter_leaves(tree: "Tree[L]", wanted: bool = True) -> Iterator[tuple[L, bool]]:
    """Every leaf from left to right, and whether it is wanted or excluded."""
    if isinstance(tree, Not):
        yield from iter_leaves(tree.part, not wanted)
    elif isinstance(tree, (And, Or)):
        for part in tree.parts:
            yield from iter_leaves(part, wanted)
    else:
        yield tree, wanted
