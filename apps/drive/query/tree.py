"""What a search means, before it is compiled."""

from dataclasses import dataclass

from world.core.boolean_tree import And, Leaf, Tree, iter_leaves


class BadQuery(Exception):
    """A text that is no search."""


class NoFolder(BadQuery):
    """A search in a folder that is not there."""


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
    """Whether a search looks into the text of files."""
    return any(term.name == "fullText" for term, _ in iter_leaves(node))
