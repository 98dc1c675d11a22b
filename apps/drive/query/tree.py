"""Syntax tree of a search."""

from dataclasses import dataclass

from world.core.boolean_tree import And, Leaf, Tree, iter_leaves


class BadQuery(Exception):
    """Error for a text that is no search."""


class NoFolder(BadQuery):
    """Error for a search in a missing folder."""


@dataclass(frozen=True, slots=True)
class Term(Leaf):
    """One comparison: `name contains 'x'`. Of properties `value` is the value and `key` its key."""

    name: str
    operator: str
    value: str | bool
    key: str = ""


Node = Tree[Term]
EVERYTHING: Node = And(())


def asks_text(node: Node) -> bool:
    """Whether a search reads the text of files."""
    return any(term.name == "fullText" for term, _ in iter_leaves(node))
