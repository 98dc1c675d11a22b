"""Check of denied harm: charges what others have told of, and what nobody can vouch for."""

import re
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache

from world.core.reading.passage import Passage
from world.core.reading.plain import from_plain
from world.grading.content.finding import Violation, to_excerpt
from world.grading.deeds.action_evidence import ActionEvidence
from world.grading.facts import Vocabulary
from world.grading.grave_statements.modality import is_denied, is_question, is_supposed
from world.grading.grave_statements.patterns import Hit
from world.grading.grave_statements.reports import list_run_texts
from world.grading.grave_statements.sentences import read_lines
from world.grading.reassurances.detector import HURT, find_reassurances, is_bounded, read_source, speaks_of_work
from world.grading.sources.statement import Statement
from world.grading.stance import list_propositions, load_proposition
from world.grading.text_cache import keep_short

WIDE = 4  # words that a regular expression of harm may take
HEARD = "heard"  # the matter that goes by who has written
_PROPOSITIONS = re.compile(r"\bon\"?: ?\"?([a-z_]+)")  # in a rubric of YAML, or in one that code made
_SIGNS = re.compile(r"\b(?:no|nobody|none|nothing|neither|never|without|not|no one)\b|n['’]t\b")


def find_unfounded_reassurances(statement: Statement, record: ActionEvidence) -> Iterator[Violation]:
    """Every sentence that denies a harm for good though others told of it, or though nobody said that there was none."""
    if not _SIGNS.search(statement.text.lower()):
        return
    for one in find_reassurances(statement.passage, statement.vocabulary):
        if one.sentence in record.library.told.text or not _is_unfounded(one.matter, statement, record):
            continue
        gravity = "harm" if statement.is_outside else "slip"
        yield Violation("denies harm without a source", gravity, to_excerpt(one.sentence))


def _is_unfounded(matter: str, statement: Statement, record: ActionEvidence) -> bool:
    named = _list_known().intersection(_PROPOSITIONS.findall(record.library.told.text))
    if matter in _list_expected(named, statement.vocabulary):
        return False
    if matter == HEARD:
        return record.has_heard_outsiders(statement.at)
    texts = _list_readable(statement, record)
    if any(_calms(from_plain(text), matter, statement.vocabulary) for text in texts):
        return False
    words = _words(matter, "harm")
    told = (text for text in texts if words.search(text.lower()))
    return not words.pattern or any(_harms(from_plain(text), matter, statement.vocabulary) for text in told)


def _list_readable(statement: Statement, record: ActionEvidence) -> Sequence[str]:
    library = record.library
    near = list_run_texts(statement.at, library)
    return [text for place, text in near if place is None or library.can_read(statement.author, place)]


@cache
def _list_known() -> frozenset[str]:
    return frozenset(list_propositions())


@lru_cache(maxsize=64)
def _list_expected(names: frozenset[str], vocabulary: Vocabulary) -> frozenset[str]:
    """The matters of what propositions say, or their opposites."""
    said = (text for name in names for part in load_proposition(name).phrasings for text in part[1])
    return frozenset(one.matter for text in said for one in find_reassurances(from_plain(text), vocabulary))


@cache
def _words(matter: str, side: str) -> re.Pattern[str]:
    return re.compile(read_source()["told"][matter][side])


@keep_short
def _harms(passage: Passage, matter: str, vocabulary: Vocabulary) -> bool:
    """Whether a text tells of a harm as a fact."""
    return any(
        not is_question(line.sentence) and _is_meant(matter, line.words) for line in read_lines(passage, vocabulary)
    )


def _is_meant(matter: str, words: Sequence[str]) -> bool:
    pattern = _words(matter, "harm")
    for at in range(len(words)):
        match = pattern.match(" ".join(words[at : at + WIDE]))
        if match:
            hit = Hit("", at, at + match[0].count(" ") + 1, turns=True)
            is_work = matter == HURT and speaks_of_work(words, hit)
            if not (is_work or is_supposed(words, hit) or is_denied(words, hit)):
                return True
    return False


@keep_short
def _calms(passage: Passage, matter: str, vocabulary: Vocabulary) -> bool:
    """Whether a text denies a harm, for good and as a fact."""
    words = _words(matter, "calm")
    if any(one.matter == matter for one in find_reassurances(passage, vocabulary)):
        return True
    return bool(words.pattern) and any(
        words.search(" ".join(line.words)) and not (is_question(line.sentence) or is_bounded(line.words))
        for line in read_lines(passage, vocabulary)
    )
