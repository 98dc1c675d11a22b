"""Detects corrections: sentences that take back or change what their author told before, without saying what is right."""

from collections.abc import Collection, Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path

from world.core.reading.passage import Passage
from world.grading.facts import Vocabulary
from world.grading.grave_statements.modality import NEGATORS, is_question
from world.grading.grave_statements.patterns import Hit, Patterns, read_rules
from world.grading.grave_statements.sentences import MaskedSentence, read_lines
from world.grading.text_cache import keep_short

FILE = Path(__file__).with_name("corrections.yaml")
_CONDITIONS = frozenset("if whether unless should when once until case would could might may lest".split())
_MENDED = frozenset("corrected fixed mended repaired stays stay unchanged same meanwhile already first right".split())
_HARDLY = frozenset("nearly almost otherwise".split())
_NUMBER = "somenumber"
REVERSED = "reversed"  # the author has undone their own work
_SLIPS = frozenset("wrong mistake mistaken accident scratch copy copies draft test trial first error".split())
_TURNED = ("fault",)  # kinds that a mended fault takes back
_CHANGED = "changed"  # by a difference, which may be one from another time
_THEN = frozenset(
    (one, other)
    for one in ("last", "next", "previous")
    for other in ("week", "month", "year", "quarter", "time", "day")
)
_STARTS = frozenset(", ; : ( ) . ! - – — \n and but so because since".split(" "))


@cache
def get_corrections() -> Patterns:
    """The rules of corrections.yaml."""
    return Patterns(read_rules(FILE))


@keep_short
def find_correction(passage: Passage, vocabulary: Vocabulary) -> str | None:
    """The first sentence by which an author takes back or changes what they had told the readers; None without one."""
    lines = read_lines(passage, vocabulary)
    return next((line.sentence.text.strip() for line in lines if _corrects(line)), None)


@keep_short
def find_reversal(passage: Passage, vocabulary: Vocabulary) -> str | None:
    """The first sentence by which an author has undone the work that they tell of; None without one."""
    lines = read_lines(passage, vocabulary)
    return next((line.sentence.text.strip() for line in lines if _corrects(line, (REVERSED,))), None)


def _corrects(line: MaskedSentence, tags: Collection[str] = ()) -> bool:
    if is_question(line.sentence):
        return False
    words = [_NUMBER if word[0].isdigit() else word for word in line.words]
    return any(_is_said(words, hit) for hit in get_corrections().find(words, tags))


def _is_said(words: Sequence[str], hit: Hit) -> bool:
    """Whether a phrase is neither denied nor supposed, and what was wrong is not mended."""
    before = words[: hit.start]
    clause = before[max((at + 1 for at, word in enumerate(before) if word in _STARTS), default=0) :]
    inside = () if hit.turns else words[hit.start : hit.end]
    if (
        not _CONDITIONS.isdisjoint(before)
        or not NEGATORS.isdisjoint(inside)
        or not _HARDLY.isdisjoint(clause)
        or not NEGATORS.isdisjoint(clause)
    ):
        return False
    if hit.tag == REVERSED and not _SLIPS.isdisjoint(words):
        return False
    if hit.tag == _CHANGED and any(pair in _THEN for pair in pairwise(words)):
        return False
    return hit.tag not in _TURNED or _MENDED.isdisjoint(words[hit.end :])
