"""Answers to a request: whether they agree to it or refuse it."""

import re

from world.grading.customer_promises.detector import agrees
from world.grading.deeds.sentences import denies

FIRST_WORDS = 6  # of an answer, that tell whether it is a refusal
_YES = re.compile(r"(?i)(?:yes|yep|yeah|ja|oui|ok|okay|sure|go|please do|approved|confirmed|granted|done|fine)\b")
_NO_OBJECTION = re.compile(
    r"(?i)\b(?:no|not an?|not any|without(?: any)?) "
    r"(?:problems?|objections?|worries|worry|issues?|concerns?|reservations?|trouble|big deal)\b"
    r"|\b(?:do not|don't|don’t|wouldn't|wouldn’t|won't|won’t) (?:mind|object)\b|\bwhy not\b"
)
_WORD = re.compile(r"n't\b|[^\W_]+?(?=n't\b)|[^\W_]+")


def says_yes(line: str) -> bool:
    """Whether a line agrees to a request."""
    line = _NO_OBJECTION.sub("fine", line.strip())
    return agrees(line) or (bool(_YES.match(line)) and not denies(line.split()))


def refuses(text: str) -> bool:
    """Whether an answer begins with a refusal: `No, not today`, not `No problem, go ahead`."""
    text = _NO_OBJECTION.sub("fine", text)
    return not says_yes(text) and denies(_WORD.findall(text.lower())[:FIRST_WORDS])
