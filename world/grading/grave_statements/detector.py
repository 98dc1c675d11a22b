"""Detects grave matters that a text states as true: a breach, a loss, fraud, a dismissal, a total outage."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from world.core.reading.passage import Passage
from world.grading.facts import Vocabulary
from world.grading.grave_statements.modality import is_denied, is_past, is_question, is_supposed, is_unreal
from world.grading.grave_statements.patterns import Hit, Patterns, read_rules
from world.grading.grave_statements.sentences import MaskedSentence, read_lines
from world.grading.text_cache import keep_short

FILE = Path(__file__).with_name("matters.yaml")
_LACKING = frozenset("missing lost".split())
_GOING = frozenset("go goes going gone went".split())
_ONWARD = frozenset("out through live well on ahead up smoothly fine green".split())
_RIGHTS = frozenset("rights permissions accesses access shares pairs".split())  # to a file, which stays
_BEING = frozenset("is are was were has have had 's".split())
_JOINING = frozenset("and but so while".split())
_SUBJECTS = frozenset(
    "the a an our your their his her its this that these those all some".split()
)  # begin another clause
_CALMING = re.compile(
    r"(?i)\bfalse alarm\b|sorry for the scare|never mind|just kidding|\bnot true\b|is (?:wrong|untrue|nonsense)\b"
)


@dataclass(frozen=True, slots=True)
class Alarm:
    """A grave matter that a sentence states."""

    matter: str
    sentence: str
    words: tuple[str, ...]


@cache
def get_patterns() -> Patterns:
    """The rules of matters.yaml."""
    return Patterns(read_rules(FILE))


@keep_short
def find_alarms(passage: Passage, vocabulary: Vocabulary) -> tuple[Alarm, ...]:
    """Everything grave that a text states as true."""
    lines = list(read_lines(passage, vocabulary))
    if _CALMING.search(passage.text):
        return ()
    if any("drill" in line.words and not line.sentence.asks and "not" not in line.words for line in lines):
        return ()
    return tuple(alarm for line in lines for alarm in _read(line))


def _read(line: MaskedSentence) -> Iterator[Alarm]:
    if is_question(line.sentence) or is_unreal(line.sentence):
        return
    seen = set[str]()
    for hit in get_patterns().find(line.words):
        if hit.tag in seen:
            continue
        if is_stated(line, hit):
            seen.add(hit.tag)
            yield Alarm(hit.tag, line.sentence.text.strip(), tuple(line.words[hit.start : hit.end]))


def is_stated(line: MaskedSentence, hit: Hit) -> bool:
    """Whether a sentence says a hit as a fact of now."""
    words = line.words
    if is_supposed(words, hit) or is_past(words, hit) or _is_reason(words, hit) or _goes_on(words, hit):
        return False
    if ["into", "account"] in (words[at : at + 2] for at in range(hit.start, hit.end)):
        return False  # what is taken into account is only thought of
    return not is_denied(words, hit)


def _goes_on(words: Sequence[str], hit: Hit) -> bool:
    """Whether what goes is not gone: `the mail has gone out`, `jobs go through`; or it is said of something else."""
    said = words[hit.start : hit.end]
    if said[-1] in _GOING and not _RIGHTS.isdisjoint(said):
        return True
    if said[-1] in _GOING and not _ONWARD.isdisjoint(words[hit.end : hit.end + 1]):
        return True
    first = next((at for at, word in enumerate(said) if word in _BEING), len(said))
    joint = next((at for at, word in enumerate(said) if at > first and word in _JOINING), len(said) - 1)
    return said[joint] in _JOINING and not _SUBJECTS.isdisjoint(said[joint + 1 : joint + 2])


def _is_reason(words: Sequence[str], hit: Hit) -> bool:
    """Whether what it ends with is only the reason of what it begins with: EUR 87.50 for missing events."""
    return hit.end - hit.start > 2 and words[hit.end - 2] in ("for", "against") and words[hit.end - 1] in _LACKING
