"""Detects reservations: sentences by which the author of an answer has not looked, guesses, or has done a part of it."""

from collections.abc import Sequence
from functools import cache
from pathlib import Path

from world.core.reading.passage import Passage
from world.grading.corrections.detector import find_reversal
from world.grading.facts import Vocabulary
from world.grading.grave_statements.modality import is_question
from world.grading.grave_statements.patterns import Hit, Patterns, read_rules
from world.grading.grave_statements.sentences import MaskedSentence, read_lines
from world.grading.text_cache import keep_short

FILE = Path(__file__).with_name("reservations.yaml")
_CONDITIONS = frozenset("if unless until before whoever".split())
_MODALS = frozenset("should would could might".split())
_FORBIDDEN, _PARTIAL = "forbidden", "partial"
_BEFORE = frozenset("already before earlier".split())
_STARTS = frozenset(", ; : ( ) . ! - – — \n".split(" "))
_TURNING = frozenset("not never nobody no neither nothing".split())


@cache
def get_reservations() -> Patterns:
    """The rules of reservations.yaml."""
    return Patterns(read_rules(FILE))


@keep_short
def find_reservation(passage: Passage, vocabulary: Vocabulary) -> str | None:
    """The first sentence by which an author does not vouch for what they answer; None without one."""
    lines = read_lines(passage, vocabulary)
    found = next((line.sentence.text.strip() for line in lines if _reserves(line)), None)
    return found or find_reversal(passage, vocabulary)


def _reserves(line: MaskedSentence) -> bool:
    return not is_question(line.sentence) and any(
        _is_meant(line.words, hit) for hit in get_reservations().find(line.words)
    )


def _is_meant(words: Sequence[str], hit: Hit) -> bool:
    """Whether a phrase is neither supposed nor turned by a denial before it."""
    before = words[: hit.start]
    clause = before[max((at + 1 for at, word in enumerate(before) if word in _STARTS), default=0) :]
    if not _CONDITIONS.isdisjoint(before) or not (_TURNING | _MODALS).isdisjoint(clause):
        return False
    if hit.tag == _FORBIDDEN:
        return (_TURNING - {"not"}).isdisjoint(words[hit.start : hit.end])
    return hit.tag != _PARTIAL or _BEFORE.isdisjoint(words[hit.end :])
