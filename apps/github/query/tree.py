"""What a search says as it was written: words, qualifiers with their values, and how they are joined."""

from dataclasses import dataclass

MAX_TEXT = 256  # characters of the words looked for; docs.github.com/rest/search#limitations-on-query-length
MAX_OPERATORS = 5  # AND, OR and NOT, as above
MAX_DEPTH = 5  # brackets inside brackets; docs.github.com, building advanced filters for issues
MAX_LENGTH = 4096  # characters of a whole search; own limit


@dataclass(frozen=True, slots=True)
class Words:
    """A word or a quoted phrase."""

    text: str


@dataclass(frozen=True, slots=True)
class Given:
    """A qualifier and its values, those with commas between."""

    name: str
    values: tuple[str, ...]

    @property
    def value(self) -> str:
        """The values as one."""
        return ",".join(self.values)


@dataclass(frozen=True, slots=True)
class Not:
    """What the part does not find."""

    part: "Node"


@dataclass(frozen=True, slots=True)
class And:
    """What all parts find."""

    parts: tuple["Node", ...]


@dataclass(frozen=True, slots=True)
class Or:
    """What any of the parts finds."""

    parts: tuple["Node", ...]


Node = Words | Given | Not | And | Or
EVERYTHING = And(())


def every(node: Node, name: str) -> list[Given]:
    """All qualifiers of one name, from left to right."""
    if isinstance(node, Given):
        return [node] if node.name == name else []
    if isinstance(node, Not):
        return every(node.part, name)
    return [one for part in node.parts for one in every(part, name)] if isinstance(node, (And, Or)) else []


def terms(node: Node) -> list[str]:
    """The words and phrases a search wants, from left to right."""
    if isinstance(node, Words):
        return [node.text]
    return [one for part in node.parts for one in terms(part)] if isinstance(node, (And, Or)) else []
