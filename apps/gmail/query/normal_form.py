"""Normal form of a search: each operator has its own words, groups are flat, nothing is repeated.

Build And, Or and Not with `conjunction`, `disjunction` and `negate` only: they keep the form.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import date
from typing import Literal

from world.core.boolean_tree import And, Leaf, Not, Or, Tree, negate

TextField = Literal["any", "from", "to", "cc", "bcc", "subject", "filename", "list", "deliveredto"]
PersonField = Literal["from", "to", "cc", "bcc", "deliveredto"]
Unit = Literal["h", "d", "m", "y"]


@dataclass(frozen=True, slots=True)
class Words(Leaf):
    """Consecutive tokens in one entry of the field."""

    field: TextField
    tokens: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Proximity(Leaf):
    """Two runs of tokens in one entry of the field with at most `distance` words between; `ordered`: the left one
    first.
    """

    field: TextField
    left: tuple[str, ...]
    right: tuple[str, ...]
    distance: int
    ordered: bool = False


@dataclass(frozen=True, slots=True)
class OwnAddress(Leaf):
    """An address of the mailbox's owner: `from:me`."""

    field: PersonField


@dataclass(frozen=True, slots=True)
class System(Leaf):
    """A label of the vendor, by the API's id, or a state kept like one: INBOX, UNREAD, SNOOZED."""

    id: str


@dataclass(frozen=True, slots=True)
class Label(Leaf):
    """A label of the user, by the key of `words.label_key`."""

    key: str


@dataclass(frozen=True, slots=True)
class Anywhere(Leaf):
    """Every mail, in trash and spam too."""


@dataclass(frozen=True, slots=True)
class Has(Leaf):
    """`attachment`, `userlabels`, or a feature: `drive`, `youtube`, `yellow-star`."""

    kind: str


@dataclass(frozen=True, slots=True)
class Age:
    """Age before the present; months and years by the calendar of the account's zone."""

    count: int
    unit: Unit


@dataclass(frozen=True, slots=True)
class At:
    """A point in time, microseconds since the epoch."""

    at_us: int


Moment = date | Age | At


@dataclass(frozen=True, slots=True)
class NotBefore(Leaf):
    """At or after a moment; a date is its midnight in the account's zone."""

    moment: Moment


@dataclass(frozen=True, slots=True)
class Until(Leaf):
    """Before a moment."""

    moment: Moment


@dataclass(frozen=True, slots=True)
class Larger(Leaf):
    """More bytes than this."""

    size_bytes: int


@dataclass(frozen=True, slots=True)
class Smaller(Leaf):
    """Fewer bytes than this."""

    size_bytes: int


@dataclass(frozen=True, slots=True)
class MessageId(Leaf):
    """The mail with this Message-ID, without the angle brackets."""

    text: str


Term = (
    Words | Proximity | OwnAddress | System | Label | Anywhere | Has | NotBefore | Until | Larger | Smaller | MessageId
)


Node = Tree[Term]
EVERYTHING: Node = And(())


def conjunction(parts: Iterable[Node]) -> Node:
    """Join parts by AND."""
    flat = [inner for part in parts for inner in (part.parts if isinstance(part, And) else (part,))]
    once = tuple(dict.fromkeys(flat))
    return once[0] if len(once) == 1 else And(once)


def disjunction(parts: Iterable[Node]) -> Node:
    """Join parts by OR."""
    flat = [inner for part in parts for inner in (part.parts if isinstance(part, Or) else (part,))]
    once = tuple(dict.fromkeys(flat))
    return once[0] if len(once) == 1 else Or(once)


def map_leaves(node: Node, change: Callable[[Term], Term]) -> Node:
    """Return the search with every leaf changed."""
    if isinstance(node, Not):
        return negate(map_leaves(node.part, change))
    if isinstance(node, And):
        return conjunction(map_leaves(part, change) for part in node.parts)
    if isinstance(node, Or):
        return disjunction(map_leaves(part, change) for part in node.parts)
    return change(node)
