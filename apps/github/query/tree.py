"""Syntax tree of a search: words, qualifiers with their values, and the operators that join them."""

from dataclasses import dataclass

from world.core.boolean_tree import And, Leaf, Or, Tree, iter_leaves

MAX_TEXT = 256  # characters of the words looked for; docs.github.com/rest/search#limitations-on-query-length
MAX_OPERATORS = 5  # AND, OR and NOT, as above
MAX_DEPTH = 5  # brackets inside brackets; docs.github.com, building advanced filters for issues
MAX_LENGTH = 4096  # characters of a whole search; own limit


@dataclass(frozen=True, slots=True)
class Words(Leaf):
    """A word or a quoted phrase."""

    text: str


@dataclass(frozen=True, slots=True)
class Qualifier(Leaf):
    """A qualifier and its values, given with commas between."""

    name: str
    values: tuple[str, ...]

    @property
    def value(self) -> str:
        """The values joined by commas."""
        return ",".join(self.values)


Node = Tree[Words | Qualifier]
EVERYTHING: Node = And(())


def every(node: Node, name: str) -> list[Qualifier]:
    """Return all qualifiers of one name, from left to right."""
    return [leaf for leaf, _ in iter_leaves(node) if isinstance(leaf, Qualifier) and leaf.name == name]


def terms(node: Node) -> list[str]:
    """Return the words and phrases that a search requires, from left to right."""
    if isinstance(node, Words):
        return [node.text]
    return [one for part in node.parts for one in terms(part)] if isinstance(node, (And, Or)) else []
