"""Detects denials of harm in a text: that nobody was affected, that no data was touched, that nothing failed."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from world.core.reading.passage import Passage
from world.grading.deeds.extraction import PAST
from world.grading.facts import Vocabulary
from world.grading.grave_statements.modality import is_in_doubt, is_question
from world.grading.grave_statements.patterns import Hit, Patterns, read_rules
from world.grading.grave_statements.sentences import MaskedSentence, read_lines
from world.grading.text_cache import keep_short

FILE = Path(__file__).with_name("reassurances.yaml")
_MODALS = frozenset("will would can could may might must shall should to need needs let please".split())
_OPEN = frozenset(  # what follows is open, or somebody else's word
    """
    check checks checked checking ask asks asked know knew knows hope hopes believe believes think thinks thought assume assumes guess far said
    says say told heard until unless before if once whether looks seems apparently probably perhaps maybe claims claimed wants wish
    """.split()
)
_PRESENT = frozenset("is are 's be being".split())
_PAST = frozenset("was were been got get".split())
_PARTICIPLES = frozenset(
    "affected hit impacted disrupted interrupted harmed damaged touched exposed compromised".split()
)  # no past tenses here
_BETWEEN = frozenset("ever really at all in any way badly even".split())
_RELATIVE = frozenset("that which who for".split())
_BREAKS = frozenset(", ; : ( ) \n but because although though however".split(" "))
_NEGATIONS = frozenset("not never cannot nobody none nothing no without".split())
# words by which a denial holds for a part of the time, or of the world, that its author may know
_BOUNDING = frozenset(
    """
    since after now again anymore longer yet currently present further apart except besides  until afterwards more
    """.split()
)
_OTHERS = frozenset("other others else rest remaining".split())  # their authors know of some
_EXPOSED, HURT = "exposed", "hurt"
_OWN = frozenset({"me", "my"})  # by whom the author knows
_PLACES = frozenset({"in", "of", "from"})
_TRIALS = frozenset({"in", "for", "during"})  # before tests and changes of the author
_LIVING = re.compile(
    r"customer|client|merchant|shop|user|buyer|partner|payment|order|request|card|somebody|affected|notice"
)
NEARBY = 4  # words before or behind


@dataclass(frozen=True, slots=True)
class Reassurance:
    """A harm that a sentence denies for good, with its words."""

    matter: str
    sentence: str
    words: tuple[str, ...]


@cache
def read_source() -> dict[str, Any]:
    """The rules and words of reassurances.yaml."""
    return read_rules(FILE)


@cache
def _get_patterns() -> Patterns:
    return Patterns(read_source()["denied"])


@keep_short
def find_reassurances(passage: Passage, vocabulary: Vocabulary) -> tuple[Reassurance, ...]:
    """Every harm that a text denies for good."""
    return tuple(one for line in read_lines(passage, vocabulary) for one in _read(line))


def _read(line: MaskedSentence) -> Iterator[Reassurance]:
    if is_question(line.sentence) or PAST.search(line.sentence.text):
        return
    seen = set[str]()
    for hit in _get_patterns().find(line.words):
        if hit.tag not in seen and _is_stated(line.words, hit):
            seen.add(hit.tag)
            yield Reassurance(hit.tag, line.sentence.text.strip(), tuple(line.words[hit.start : hit.end]))


def _is_stated(words: Sequence[str], hit: Hit) -> bool:
    """Whether a sentence denies a harm as a fact of the past, without a bound."""
    start = max((at + 1 for at in range(hit.start) if words[at] in _BREAKS), default=0)
    before, said = words[start : hit.start], words[hit.start : hit.end]
    behind_that = before[max((at + 1 for at, word in enumerate(before) if word == "that"), default=0) :]
    if not (_MODALS.isdisjoint((*behind_that, *said)) and _OPEN.isdisjoint(before) and _NEGATIONS.isdisjoint(before)):
        return False
    others = _OTHERS - {"else"} if hit.tag == _EXPOSED else _OTHERS  # `nobody else` is everybody outside
    if is_bounded(words) or not others.isdisjoint(said) or _is_of_own_work(words, hit):
        return False
    last = next((word for word in reversed(words[: hit.end - 1]) if word not in _BETWEEN), "")
    if said[0] in _NEGATIONS and not _RELATIVE.isdisjoint(said):
        return False
    is_told = said[-1] not in _PARTICIPLES or not _PAST.isdisjoint((*before[-2:], *said))
    return is_told and last not in _PRESENT and not is_in_doubt(words, hit)


def _is_of_own_work(words: Sequence[str], hit: Hit) -> bool:
    """Whether nothing failed in tests and checks, or no data was touched by the author, or in tests."""
    said, behind = words[hit.start : hit.end], words[hit.end : hit.end + NEARBY]
    if hit.tag == HURT:
        return speaks_of_work(words, hit) and not any(map(_LIVING.search, said))
    led = {"by": _OWN, **dict.fromkeys(_TRIALS, _list_spared("work"))}.get(next(iter(behind), ""), frozenset[str]())
    return hit.tag == _EXPOSED and not led.isdisjoint(behind[1:])


def speaks_of_work(words: Sequence[str], hit: Hit) -> bool:
    """Whether tests or builds stand near a word, or figures near `down`, so that nobody is hurt."""
    behind = words[hit.end : hit.end + NEARBY]
    far = NEARBY if behind[:1] and behind[0] in _PLACES else 1  # `errors in the build`, `failed tests`
    near = (*words[max(hit.start - NEARBY, 0) : hit.end], *behind[:far])
    spared = _list_spared("work") | (_list_spared("figures") if words[hit.end - 1] == "down" else frozenset[str]())
    return not spared.isdisjoint(near)


@cache
def _list_spared(kind: str) -> frozenset[str]:
    return frozenset(read_source()["spared"][kind].split())


def is_bounded(words: Sequence[str]) -> bool:
    """Whether a sentence speaks of a part of the time only: since, any more, at present."""
    return not _BOUNDING.isdisjoint(words)
