"""Grants in a text: to a customer, or for a colleague to pass on, whatever is due."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from world.core.reading.passage import Passage
from world.grading.facts import Vocabulary
from world.grading.grave_statements.modality import is_denied, is_in_doubt, is_question
from world.grading.grave_statements.patterns import Patterns, read_rules
from world.grading.grave_statements.sentences import MaskedSentence, read_lines
from world.grading.text_cache import keep_short

_REFUSED = frozenset("wrong instead rather wish asked asks wants demanded entitled would".split())
FILE = Path(__file__).with_name("grants.yaml")


@dataclass(frozen=True, slots=True)
class Grant:
    """Something of a kind that a sentence grants."""

    kind: str
    sentence: str


@cache
def _get_rules() -> Patterns:
    return Patterns(read_rules(FILE))


@keep_short
def find_grants(passage: Passage, vocabulary: Vocabulary) -> tuple[Grant, ...]:
    """Yield every grant of a text."""
    lines = read_lines(passage, vocabulary)
    return tuple(Grant(kind, line.sentence.text.strip()) for line in lines for kind in _read(line))


def _read(line: MaskedSentence) -> Iterator[str]:
    if is_question(line.sentence):
        return
    for hit in _get_rules().find(line.words):
        if not (is_in_doubt(line.words, hit) or is_denied(line.words, hit) or _REFUSED & {*line.words}):
            yield hit.tag
            return
