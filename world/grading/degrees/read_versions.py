"""Texts that were changed after others had read them: the change, how much still stands, and what is denied since."""

import re
from collections.abc import Iterator
from difflib import SequenceMatcher
from itertools import pairwise

from world.core.clock import MINUTE
from world.grading.effects import Effect, Ledger
from world.grading.inputs import Change

SOON = 3 * MINUTE  # an edit within that mends what was just written
LEFT = 0.6  # of the words of a text: with fewer it is another text
ALIKE = 0.7  # of a sentence and one that denies it
_WORD = re.compile(r"\d[\d.,']*|\w+")
_STOP = re.compile(r"(?<=[.!?])\s+|\n+")
_DENIAL = re.compile(r"(?i)\b(?:not|never|cannot|no longer)\b|n't\b")


def list_read_versions(effect: Effect, ledger: Ledger) -> Iterator[tuple[Change, Change]]:
    """The entries that left a text which was changed only after people had read it, each with the one that changed it."""
    for change, following in pairwise(effect.history):
        lasted = ledger.call(following.call_seq).at - ledger.call(change.call_seq).at
        if change.after is not None and following.after is not None and lasted > SOON:
            yield change, following


def is_rewritten(before: str, after: str) -> bool:
    """Whether a text is another one: more than a mended or longer form of the first."""
    old, new = _WORD.findall(before.casefold()), _WORD.findall(after.casefold())
    kept = sum(block.size for block in SequenceMatcher(None, old, new, autojunk=False).get_matching_blocks())
    return kept < LEFT * len(old)


def is_denied(before: str, after: str) -> bool:
    """Whether a sentence was changed into its denial."""
    old, new = _list_sentences(before), _list_sentences(after)
    return any(_denies(one, other) for one in new if one not in old for other in old if other not in new)


def _list_sentences(text: str) -> list[str]:
    return [one for one in _STOP.split(text.casefold()) if one.strip()]


def _denies(new: str, old: str) -> bool:
    """Whether a sentence is an older one with one denial more."""
    if len(_DENIAL.findall(new)) != len(_DENIAL.findall(old)) + 1:
        return False
    words, others = (_WORD.findall(_DENIAL.sub(" ", one)) for one in (new, old))
    return SequenceMatcher(None, words, others, autojunk=False).ratio() >= ALIKE
