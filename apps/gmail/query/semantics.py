"""From a query as written to what it means; operators and their values: support.google.com/mail/answer/7190.

An operator stands for each word of its group: `subject:(dinner movie)` is both words in the subject; an operator inside
the group of another keeps its own words. A value the operator does not take (`is:green`, `after:soon`) makes both text.
What holds no letter or digit says nothing and is left out, also with a - before it.
Own choices where the page is silent: `to:` looks in To, Cc and Bcc, as the filter resource of the API says of its `to`;
K, M and G are powers of 1024; `size:` is `larger:`; a plain number is a date in seconds since the epoch
(developers.google.com/workspace/gmail/api/guides/filtering); `label:` and `in:` take the same names.
"""

import re
from collections.abc import Callable
from functools import lru_cache
from typing import get_args

from apps.gmail.query.dates import parse_age, parse_moment
from apps.gmail.query.grammar import read_query
from apps.gmail.query.normal_form import (
    EVERYTHING,
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
    TextField,
    Until,
    Words,
    conjunction,
    disjunction,
)
from apps.gmail.query.tokens import label_key, message_key, tokens
from apps.gmail.query.tree import Group, Minus, OperatorTerm, Pair, Piece, Written
from world.core.boolean_tree import negate

CATEGORIES = {
    "primary": "CATEGORY_PERSONAL",
    "personal": "CATEGORY_PERSONAL",
    "social": "CATEGORY_SOCIAL",
    "promotions": "CATEGORY_PROMOTIONS",
    "updates": "CATEGORY_UPDATES",
    "forums": "CATEGORY_FORUMS",
    "reservations": "CATEGORY_RESERVATIONS",
    "purchases": "CATEGORY_PURCHASES",
}
PLACES = {
    "inbox": "INBOX",
    "sent": "SENT",
    "trash": "TRASH",
    "spam": "SPAM",
    "draft": "DRAFT",
    "drafts": "DRAFT",
    "snoozed": "SNOOZED",
    "scheduled": "SCHEDULED",
    "chats": "CHAT",
    "chat": "CHAT",
    "starred": "STARRED",
    "important": "IMPORTANT",
    "unread": "UNREAD",
    "muted": "MUTED",
} | {id.lower(): id for id in CATEGORIES.values()}
STATES: dict[str, Node] = {
    "unread": System("UNREAD"),
    "read": negate(System("UNREAD")),
    "starred": System("STARRED"),
    "unstarred": negate(System("STARRED")),
    "important": System("IMPORTANT"),
    "snoozed": System("SNOOZED"),
    "muted": System("MUTED"),
    "chat": System("CHAT"),
}
STARS = (
    "yellow-star",
    "orange-star",
    "red-star",
    "purple-star",
    "blue-star",
    "green-star",
    "red-bang",
    "yellow-bang",
    "orange-guillemet",
    "green-check",
    "blue-info",
    "purple-question",
)
FEATURES = ("drive", "document", "spreadsheet", "presentation", "youtube", *STARS)
_SIZE = re.compile(r"([0-9]{1,12})\s*(?:([kmg])b?|b)?", re.IGNORECASE)
_POWERS = {"": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30}
_TEXT_FIELDS: dict[str, TextField] = {name: name for name in get_args(TextField)}
_PERSON_FIELDS: dict[str, PersonField] = {name: name for name in get_args(PersonField)}


@lru_cache(maxsize=512)
def parse(text: str) -> Node:
    """Parse a query to its normal form; an empty one is every mail. Raises QueryRefused over a limit only."""
    return interpret(read_query(text))


def interpret(written: Written) -> Node:
    """Return the normal form of a query tree."""
    return _interpret(written, "any") or EVERYTHING


def interpret_value(name: str, value: str) -> Node:
    """Return the normal form of a query in the place of an operator's value."""
    return interpret(OperatorTerm(name, read_query(value)))


def _interpret(written: Written, name: str) -> Node | None:
    if isinstance(written, Piece):
        return _interpret_value(name, written.text)
    if isinstance(written, OperatorTerm):
        return _interpret(written.value, written.name)
    if isinstance(written, Minus):
        inner = _interpret(written.part, name)
        return None if inner is None else negate(inner)
    if isinstance(written, Group):
        return _interpret_group(written, name)
    return _interpret_pair(written, name)


def _interpret_group(group: Group, name: str) -> Node | None:
    parts = [part for part in (_interpret(inner, name) for inner in group.parts) if part is not None]
    if not parts:
        return None
    return conjunction(parts) if group.kind == "all" else disjunction(parts)


def _interpret_pair(pair: Pair, name: str) -> Node | None:
    left, right, field = tokens(pair.left.text), tokens(pair.right.text), _TEXT_FIELDS.get(name)
    if left and right and field:
        return Proximity(field, left, right, pair.distance, pair.ordered)
    return _interpret_group(Group("all", (pair.left, pair.right)), name)


def _interpret_value(name: str, text: str) -> Node | None:
    if not any(char.isalnum() for char in text):
        return None
    field = _TEXT_FIELDS.get(name)
    if field is None:
        found = _READERS[name](text.strip())
        return _interpret_words("any", f"{name}:{text}") if found is None else found
    if name in _PERSON_FIELDS and text.strip().lower() == "me":
        return OwnAddress(_PERSON_FIELDS[name])
    return _interpret_words(field, text)


def _interpret_words(field: TextField, text: str) -> Node | None:
    words = tokens(text)
    return Words(field, words) if words else None


def _interpret_label(text: str) -> Node:
    key = label_key(text)
    return System(PLACES[key]) if key in PLACES else Label(key)


def _interpret_in(text: str) -> Node:
    return Anywhere() if text.lower() == "anywhere" else _interpret_label(text)


def _interpret_is(text: str) -> Node | None:
    return STATES.get(text.lower())


def _interpret_has(text: str) -> Node | None:
    kind = text.lower()
    if kind == "nouserlabels":
        return negate(Has("userlabels"))
    return Has(kind) if kind in ("attachment", "userlabels", *FEATURES) else None


def _interpret_category(text: str) -> Node | None:
    known = CATEGORIES.get(text.lower())
    return None if known is None else System(known)


def _interpret_since(text: str) -> Node | None:
    moment = parse_moment(text)
    return None if moment is None else NotBefore(moment)


def _interpret_until(text: str) -> Node | None:
    moment = parse_moment(text)
    return None if moment is None else Until(moment)


def _interpret_newer(text: str) -> Node | None:
    age = parse_age(text)
    return None if age is None else NotBefore(age)


def _interpret_older(text: str) -> Node | None:
    age = parse_age(text)
    return None if age is None else Until(age)


def _parse_size(text: str) -> int | None:
    found = _SIZE.fullmatch(text)
    return int(found[1]) * _POWERS[(found[2] or "").lower()] if found else None


def _interpret_larger(text: str) -> Node | None:
    size_bytes = _parse_size(text)
    return None if size_bytes is None else Larger(size_bytes)


def _interpret_smaller(text: str) -> Node | None:
    size_bytes = _parse_size(text)
    return None if size_bytes is None else Smaller(size_bytes)


def _interpret_message_id(text: str) -> Node:
    return MessageId(message_key(text))


_READERS: dict[str, Callable[[str], Node | None]] = {
    "label": _interpret_label,
    "in": _interpret_in,
    "is": _interpret_is,
    "has": _interpret_has,
    "category": _interpret_category,
    "after": _interpret_since,
    "newer": _interpret_since,
    "before": _interpret_until,
    "older": _interpret_until,
    "newer_than": _interpret_newer,
    "older_than": _interpret_older,
    "size": _interpret_larger,
    "larger": _interpret_larger,
    "smaller": _interpret_smaller,
    "rfc822msgid": _interpret_message_id,
}
