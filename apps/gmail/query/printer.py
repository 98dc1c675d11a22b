"""A search in normal form as text that reads back as the same search."""

from datetime import date
from typing import get_args

from apps.gmail.query.normal_form import (
    Age,
    And,
    Anywhere,
    Has,
    Label,
    Larger,
    Leaf,
    MessageId,
    Mine,
    Near,
    Node,
    Not,
    Or,
    PersonField,
    Since,
    Smaller,
    System,
    TextField,
    Until,
    Words,
)
from world.core.clock import SECOND

_SHOWN = {
    "INBOX": "in:inbox",
    "SENT": "in:sent",
    "TRASH": "in:trash",
    "SPAM": "in:spam",
    "DRAFT": "in:draft",
    "SNOOZED": "in:snoozed",
    "SCHEDULED": "in:scheduled",
    "CHAT": "in:chats",
    "STARRED": "is:starred",
    "IMPORTANT": "is:important",
    "UNREAD": "is:unread",
    "MUTED": "is:muted",
    "CATEGORY_PERSONAL": "category:primary",
}


def show(node: Node) -> str:
    """The query of a search; a time between two seconds is shown as the second before it."""
    if isinstance(node, And):
        return " ".join(_inside(part) for part in node.parts)
    if isinstance(node, Or):
        return " OR ".join(_inside(part) for part in node.parts)
    return f"-{_inside(node.part)}" if isinstance(node, Not) else _leaf(node)


def _inside(node: Node) -> str:
    return f"({show(node)})" if isinstance(node, (And, Or, Near)) else show(node)


def _leaf(leaf: Leaf) -> str:
    if isinstance(leaf, (Since, Until)):
        return _dated(leaf)
    if isinstance(leaf, (Words, Near, Mine)):
        return _texts(leaf)
    if isinstance(leaf, Larger):
        return f"larger:{leaf.size_bytes}"
    if isinstance(leaf, Smaller):
        return f"smaller:{leaf.size_bytes}"
    return _marked(leaf)


def _marked(leaf: System | Label | Anywhere | Has | MessageId) -> str:
    if isinstance(leaf, System):
        return _SHOWN.get(leaf.id) or f"category:{leaf.id.removeprefix('CATEGORY_').lower()}"
    if isinstance(leaf, Label):
        return f'label:"{leaf.key}"'
    if isinstance(leaf, Has):
        return f"has:{leaf.kind}"
    return f'rfc822msgid:"{leaf.text}"' if isinstance(leaf, MessageId) else "in:anywhere"


def _texts(leaf: Words | Near | Mine) -> str:
    if isinstance(leaf, Mine):
        return f"{leaf.field}:me"
    if isinstance(leaf, Words):
        # `from:me` is the owner; somebody called Me is asked for as a part of an address.
        me = leaf.tokens == ("me",) and leaf.field in get_args(PersonField)
        return _prefixed(leaf.field, "me@" if me else _run(leaf.tokens))
    if leaf.ordered:
        return _prefixed(leaf.field, f'"{" ".join(leaf.left)} AROUND {leaf.distance} {" ".join(leaf.right)}"')
    pair = f"{_run(leaf.left)} AROUND {leaf.distance} {_run(leaf.right)}"
    return pair if leaf.field == "any" else _prefixed(leaf.field, f"({pair})")


def _prefixed(field: TextField, text: str) -> str:
    return text if field == "any" else f"{field}:{text}"


def _run(words: tuple[str, ...]) -> str:
    return words[0] if len(words) == 1 else f'"{" ".join(words)}"'


def _dated(leaf: Since | Until) -> str:
    moment, since = leaf.moment, isinstance(leaf, Since)
    if isinstance(moment, Age):
        return f"{'newer_than' if since else 'older_than'}:{moment.count}{moment.unit}"
    shown = (
        f"{moment.year:04}/{moment.month:02}/{moment.day:02}"
        if isinstance(moment, date)
        else str(moment.at_us // SECOND)
    )
    return f"{'after' if since else 'before'}:{shown}"
