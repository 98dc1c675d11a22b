"""Finds the sentence of an answer that gives in to what was asked for, by the phrases of concessions.yaml."""

import re
from collections.abc import Sequence
from functools import cache, lru_cache
from pathlib import Path

from world.core.reading.passage import Passage
from world.grading.commitment.sentences import list_quotations, split_sentences
from world.grading.grave_statements.modality import is_denied, is_question
from world.grading.grave_statements.patterns import Hit, Patterns, read_rules

FILE = Path(__file__).with_name("concessions.yaml")
_KEY = re.compile(r"\b[A-Z][A-Z0-9]*-\d+\b")
_PLAIN = ((re.compile(r"\bat once\b", re.I), "now"), (re.compile(r"\bsprint planning\b", re.I), "planning"))
"""Words that the phrases would take for others: `once` alone begins a condition."""
NEAR = 4  # words behind a phrase that pass it on to `decider`
_PASSING = (
    ("to", "decider"),
    ("to", "her"),
    ("to", "him"),
    ("by", "decider"),
    ("with", "decider"),
    ("past", "decider"),
)


@lru_cache(maxsize=1024)
def find_concession(text: str, decider: str = "", *people: str) -> str:
    """The first sentence that says that what was asked for is done or will be, whatever `decider` says; else nothing.

    `decider` has to decide it; `people` are others who are named. What hangs on a word of others concedes nothing.
    """
    passage = Passage(_mask(text, decider, people))
    quoted = list_quotations(passage.text)
    for sentence in split_sentences(passage):
        if is_question(sentence) or any(start <= sentence.start < end for start, end in quoted):
            continue
        words = [*sentence.words, "."]
        if any(_concedes(words, hit) for hit in _get_rules().find(words, ("gives",))):
            return sentence.text.strip()
    return ""


@cache
def _get_rules() -> Patterns:
    return Patterns(read_rules(FILE))


def _concedes(words: Sequence[str], hit: Hit) -> bool:
    passed = any(pair == tuple(words[at : at + 2]) for pair in _PASSING for at in range(hit.end, hit.end + NEAR))
    is_left_open = words[hit.start - 1 : hit.start] == ["whether"]  # `whether it goes in is his decision`
    return not (passed or is_left_open or is_denied(words, hit) or _get_rules().find(words, ("waits",)))


def _mask(text: str, decider: str, people: Sequence[str]) -> str:
    """A text with `decider`, `somebody` and `thing` for names and keys, as the phrases have them."""
    text = _KEY.sub("thing", text.replace("’", "'"))
    for pattern, plain in _PLAIN:
        text = pattern.sub(plain, text)
    for name, word in ((decider, "decider"), *((one, "somebody") for one in people)):
        for part in (name, *name.split()):
            text = re.sub(rf"\b{re.escape(part)}\b", word, text) if part else text
    return text
