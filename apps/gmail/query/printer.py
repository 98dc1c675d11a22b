"""Printer of a normal form: text that parses to the same search."""

from datetime import date
from typing import get_args

from apps.gmail.query.normal_form import (
    Age,
    Anywhere,
    Has,
    Label,
    Larger,
    MessageId,
    Node,
    NotBefore,
    OwnAddress,
    PersonField,
    Proximity,
    Smaller,
    System,
    Term,
    TextField,
    Until,
    Words,
)
from world.core.boolean_tree import And, Not, Or
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


def print_query(node: Node) -> str:
    """The query of a search; a time between two seconds is shown as the second before it."""
    if isinstance(node, And):
        return " ".join(_print_inside(part) for part in node.parts)
    if isinstance(node, Or):
        return " OR ".join(_print_inside(part) for part in node.parts)
    return f"-{_print_inside(node.part)}" if isinstance(node, Not) else _print_leaf(node)


def _print_inside(node: Node) -> str:
    return f"({print_query(node)})" if isinstance(node, (And, Or, Proximity)) else print_query(node)


def _print_leaf(leaf: Term) -> str:
    if isinstance(leaf, (NotBefore, Until)):
        return _print_date(leaf)
    if isinstance(leaf, (Words, Proximity, OwnAddress)):
        return _print_text(leaf)
    if isinstance(leaf, Larger):
        return f"larger:{leaf.size_bytes}"
    if isinstance(leaf, Smaller):
        return f"smaller:{leaf.size_bytes}"
    return _print_mark(leaf)


def _print_mark(leaf: System | Label | Anywhere | Has | MessageId) -> str:
    if isinstance(leaf, System):
        return _SHOWN.get(leaf.id) or f"category:{leaf.id.removeprefix('CATEGORY_').lower()}"
    if isinstance(leaf, Label):
        return f'label:"{leaf.key}"'
    if isinstance(leaf, Has):
        return f"has:{leaf.kind}"
    return f'rfc822msgid:"{leaf.text}"' if isinstance(leaf, MessageId) else "in:anywhere"


def _print_text(leaf: Words | Proximity | OwnAddress) -> str:
    if isinstance(leaf, OwnAddress):
        return f"{leaf.field}:me"
    if isinstance(leaf, Words):
        # `from:me` is the owner; somebody called Me is asked for as a part of an address.
        me = leaf.tokens == ("me",) and leaf.field in get_args(PersonField)
        return _print_prefixed(leaf.field, "me@" if me else _print_words(leaf.tokens))
    if leaf.ordered:
        return _print_prefixed(leaf.field, f'"{" ".join(leaf.left)} AROUND {leaf.distance} {" ".join(leaf.right)}"')
    pair = f"{_print_words(leaf.left)} AROUND {leaf.distance} {_print_words(leaf.right)}"
    return pair if leaf.field == "any" else _print_prefixed(leaf.field, f"({pair})")


def _print_prefixed(field: TextField, text: str) -> str:
    return text if field == "any" else f"{field}:{text}"


def _print_words(words: tuple[str, ...]) -> str:
    return words[0] if len(words) == 1 else f'"{" ".join(words)}"'


def _print_date(leaf: NotBefore | Until) -> str:
    moment, since = leaf.moment, isinstance(leaf, NotBefore)
    if isinstance(moment, Age):
        return f"{'newer_than' if since else 'older_than'}:{moment.count}{moment.unit}"
    shown = (
        f"{moment.year:04}/{moment.month:02}/{moment.day:02}"
        if isinstance(moment, date)
        else str(moment.at_us // SECOND)
    )
    return f"{'after' if since else 'before'}:{shown}"
