"""Suppositions: which bind what is said, and which only lead to a request or an offer."""

import re
from collections.abc import Sequence

from world.grading.commitment.sentences import Sentence

_ADDRESSED = frozenset("you i we anyone anybody someone somebody".split())
_WISHES = frozenset("want wants need needs like likes prefer prefers ask asks wonder wonders wish wishes cares".split())
_REQUEST = re.compile(
    r"(?i),?\s*(?:please|just|let me|tell me|do tell|ping me|ask me|call me|write (?:to )?me|shout|give me a (?:shout|call|ring)"
    r"|(?:could|can|would) you|(?:i|we)(?:['’]ll| will| can)\b(?! be (?:surprised|amazed|astonished)))\b"
)
_SUPPOSING = frozenset("if should were had".split())
_HOLDING = frozenset("right true correct accurate stands holds".split())
_REQUESTS = frozenset(
    {("let", "me"), ("tell", "me"), ("could", "you"), ("can", "you"), ("would", "you"), ("just", "say")}
)
_CONTACTS = frozenset("please ping ask call shout write tell".split())
_LONGEST_WISHER = 7  # words before what somebody wishes
_MINE = frozenset("i we my our".split())


def supposes(words: Sequence[str]) -> bool:
    """Whether `if` opens a supposition, and is no courtesy: if you like, if the auditors want to see it."""
    return bool(words[1:2]) and words[1] not in _ADDRESSED and _WISHES.isdisjoint(words[2:_LONGEST_WISHER])


def asks_on_condition(sentence: Sentence, end: int) -> bool:
    """Whether a supposition that ends at an offset only leads to a request: `if the figure is right, please confirm`."""
    leads = sentence.words[0] in _SUPPOSING and _REQUEST.match(sentence.text, end) is not None
    return leads and (sentence.words[0] == "if" or _HOLDING.isdisjoint(sentence.words))


def begins_request(words: Sequence[str], at: int) -> bool:
    """Whether a comma leads to what the reader is asked for, which stands: `if it is right, please confirm it`."""
    begin = at + 1 if words[at] == "," else at
    offers = (
        begin > 1
        and not _MINE.isdisjoint(words[begin : begin + 1])
        and words[begin + 1 : begin + 2] in (["will"], ["'ll"])
    )
    if offers:
        return _HOLDING.isdisjoint(words[:at]) and not any(word[0].isdigit() for word in words[:at])
    begin += words[begin : begin + 1] == ["just"]
    return words[at] == "," and (
        tuple(words[begin : begin + 2]) in _REQUESTS or not _CONTACTS.isdisjoint(words[begin : begin + 1])
    )
