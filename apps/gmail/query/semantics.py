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

from apps.gmail.query.dates import read_age, read_moment
from apps.gmail.query.grammar import read
from apps.gmail.query.normal_form import (
    EVERYTHING,
    Anywhere,
    Has,
    Label,
    Larger,
    MessageId,
    Mine,
    Near,
    Node,
    PersonField,
    Since,
    Smaller,
    System,
    TextField,
    Until,
    Words,
    conjunction,
    disjunction,
    negation,
)
from apps.gmail.query.tokens import label_key, message_key, tokens
from apps.gmail.query.tree import Given, Group, Minus, Pair, Piece, Written

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
    "read": negation(System("UNREAD")),
    "starred": System("STARRED"),
    "unstarred": negation(System("STARRED")),
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
    """What a query means; an empty one is every mail. Raises QueryRefused over a limit only."""
    return meant(read(text))


def meant(written: Written) -> Node:
    """What a written query means."""
    return _meant(written, "any") or EVERYTHING


def given(name: str, value: str) -> Node:
    """What a query means in the place of an operator's value."""
    return meant(Given(name, read(value)))


def _meant(written: Written, name: str) -> Node | None:
    if isinstance(written, Piece):
        return _valued(name, written.text)
    if isinstance(written, Given):
        return _meant(written.value, written.name)
    if isinstance(written, Minus):
        inner = _meant(written.part, name)
        return None if inner is None else negation(inner)
    if isinstance(written, Group):
        return _grouped(written, name)
    return _paired(written, name)


def _grouped(group: Group, name: str) -> Node | None:
    parts = [part for part in (_meant(inner, name) for inner in group.parts) if part is not None]
    if not parts:
        return None
    return conjunction(parts) if group.kind == "all" else disjunction(parts)


def _paired(pair: Pair, name: str) -> Node | None:
    left, right, field = tokens(pair.left.text), tokens(pair.right.text), _TEXT_FIELDS.get(name)
    if left and right and field:
        return Near(field, left, right, pair.distance, pair.ordered)
    return _grouped(Group("all", (pair.left, pair.right)), name)


def _valued(name: str, text: str) -> Node | None:
    if not any(char.isalnum() for char in text):
        return None
    field = _TEXT_FIELDS.get(name)
    if field is None:
        found = _READERS[name](text.strip())
        return _worded("any", f"{name}:{text}") if found is None else found
    if name in _PERSON_FIELDS and text.strip().lower() == "me":
        return Mine(_PERSON_FIELDS[name])
    return _worded(field, text)


def _worded(field: TextField, text: str) -> Node | None:
    words = tokens(text)
    return Words(field, words) if words else None


def _labelled(text: str) -> Node:
    key = label_key(text)
    return System(PLACES[key]) if key in PLACES else Label(key)


def _in(text: str) -> Node:
    return Anywhere() if text.lower() == "anywhere" else _labelled(text)


def _is(text: str) -> Node | None:
    return STATES.get(text.lower())


def _has(text: str) -> Node | None:
    kind = text.lower()
    if kind == "nouserlabels":
        return negation(Has("userlabels"))
    return Has(kind) if kind in ("attachment", "userlabels", *FEATURES) else None


def _category(text: str) -> Node | None:
    known = CATEGORIES.get(text.lower())
    return None if known is None else System(known)


def _since(text: str) -> Node | None:
    moment = read_moment(text)
    return None if moment is None else Since(moment)


def _until(text: str) -> Node | None:
    moment = read_moment(text)
    return None if moment is None else Until(moment)


def _newer(text: str) -> Node | None:
    age = read_age(text)
    return None if age is None else Since(age)


def _older(text: str) -> Node | None:
    age = read_age(text)
    return None if age is None else Until(age)


def _bytes(text: str) -> int | None:
    found = _SIZE.fullmatch(text)
    return int(found[1]) * _POWERS[(found[2] or "").lower()] if found else None


def _larger(text: str) -> Node | None:
    size_bytes = _bytes(text)
    return None if size_bytes is None else Larger(size_bytes)


def _smaller(text: str) -> Node | None:
    size_bytes = _bytes(text)
    return None if size_bytes is None else Smaller(size_bytes)


def _message_id(text: str) -> Node:
    return MessageId(message_key(text))


_READERS: dict[str, Callable[[str], Node | None]] = {
    "label": _labelled,
    "in": _in,
    "is": _is,
    "has": _has,
    "category": _category,
    "after": _since,
    "newer": _since,
    "before": _until,
    "older": _until,
    "newer_than": _newer,
    "older_than": _older,
    "size": _larger,
    "larger": _larger,
    "smaller": _smaller,
    "rfc822msgid": _message_id,
}
