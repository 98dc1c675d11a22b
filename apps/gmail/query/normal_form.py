"""What a search means, in normal form: each operator stands at its own words, groups are flat, nothing is said twice.

Build And, Or and Not with `conjunction`, `disjunction` and `negation` only: they keep the form.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from typing import Literal

TextField = Literal["any", "from", "to", "cc", "bcc", "subject", "filename", "list", "deliveredto"]
PersonField = Literal["from", "to", "cc", "bcc", "deliveredto"]
Unit = Literal["h", "d", "m", "y"]


@dataclass(frozen=True, slots=True)
class Words:
    """These tokens, one after another, in one entry of the field."""

    field: TextField
    tokens: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Near:
    """Two runs of tokens in one entry of the field with at most `distance` words between; `ordered`: the left one
    first.
    """

    field: TextField
    left: tuple[str, ...]
    right: tuple[str, ...]
    distance: int
    ordered: bool = False


@dataclass(frozen=True, slots=True)
class Mine:
    """An address of the mailbox's owner: `from:me`."""

    field: PersonField


@dataclass(frozen=True, slots=True)
class System:
    """A label of the vendor, by the API's id, or a state kept like one: INBOX, UNREAD, SNOOZED."""

    id: str


@dataclass(frozen=True, slots=True)
class Label:
    """A label of the user, by the key of `words.label_key`."""

    key: str


@dataclass(frozen=True, slots=True)
class Anywhere:
    """Every mail, in trash and spam too."""


@dataclass(frozen=True, slots=True)
class Has:
    """`attachment`, `userlabels`, or a feature: `drive`, `youtube`, `yellow-star`."""

    kind: str


@dataclass(frozen=True, slots=True)
class Age:
    """So long before now; months and years by the calendar of the account's zone."""

    count: int
    unit: Unit


@dataclass(frozen=True, slots=True)
class At:
    """A point in time, microseconds since the epoch."""

    at_us: int


Moment = date | Age | At


@dataclass(frozen=True, slots=True)
class Since:
    """At or after a moment; a date is its midnight in the account's zone."""

    moment: Moment


@dataclass(frozen=True, slots=True)
class Until:
    """Before a moment."""

    moment: Moment


@dataclass(frozen=True, slots=True)
class Larger:
    """More bytes than this."""

    size_bytes: int


@dataclass(frozen=True, slots=True)
class Smaller:
    """Fewer bytes than this."""

    size_bytes: int


@dataclass(frozen=True, slots=True)
class MessageId:
    """The mail with this Message-ID, without the angle brackets."""

    text: str


Leaf = Words | Near | Mine | System | Label | Anywhere | Has | Since | Until | Larger | Smaller | MessageId


@dataclass(frozen=True, slots=True)
class Not:
    """Mail that the part does not find."""

    part: "Node"


@dataclass(frozen=True, slots=True)
class And:
    """Mail that all parts find; without parts, every mail."""

    parts: tuple["Node", ...]


@dataclass(frozen=True, slots=True)
class Or:
    """Mail that any of the parts finds."""

    parts: tuple["Node", ...]


Node = Leaf | Not | And | Or
EVERYTHING = And(())


def conjunction(parts: Iterable[Node]) -> Node:
    """All of the parts."""
    flat = [inner for part in parts for inner in (part.parts if isinstance(part, And) else (part,))]
    once = tuple(dict.fromkeys(flat))
    return once[0] if len(once) == 1 else And(once)


def disjunction(parts: Iterable[Node]) -> Node:
    """Any of the parts."""
    flat = [inner for part in parts for inner in (part.parts if isinstance(part, Or) else (part,))]
    once = tuple(dict.fromkeys(flat))
    return once[0] if len(once) == 1 else Or(once)


def negation(part: Node) -> Node:
    """The opposite."""
    return part.part if isinstance(part, Not) else Not(part)


def map_leaves(node: Node, change: Callable[[Leaf], Leaf]) -> Node:
    """The same search with every leaf changed."""
    if isinstance(node, Not):
        return negation(map_leaves(node.part, change))
    if isinstance(node, And):
        return conjunction(map_leaves(part, change) for part in node.parts)
    if isinstance(node, Or):
        return disjunction(map_leaves(part, change) for part in node.parts)
    return change(node)


def iter_leaves(node: Node, wanted: bool = True) -> Iterator[tuple[Leaf, bool]]:
    """Every leaf from left to right, and whether it is wanted or excluded."""
    if isinstance(node, Not):
        yield from iter_leaves(node.part, not wanted)
    elif isinstance(node, (And, Or)):
        for part in node.parts:
            yield from iter_leaves(part, wanted)
    else:
        yield node, wanted
