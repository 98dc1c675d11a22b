"""Check of denied harm: charges what others have told of, and what nobody can vouch for."""

import re
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache

from world.core.reading.plain import from_plain
from world.grading.content.finding import Violation, to_excerpt
from world.grading.deeds.action_evidence import ActionEvidence
from world.grading.facts import Vocabulary
from world.grading.grave_statements.modality import is_denied, is_question, is_supposed
from world.grading.grave_statements.patterns import Hit
from world.grading.grave_statements.reports import list_run_texts
from world.grading.grave_statements.sentences import read_lines
from world.grading.reassurances.detector import find_reassurances, is_bounded, read_source
from world.grading.sources.statement import Statement
from world.grading.stance import load_proposition

WIDE = 4  # words that a regular expression of harm may take
HEARD = "heard"  # the matter that goes by who has written
_PROPOSITIONS = re.compile(r"\bon: ([a-z_]+)")
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
    if matter in _list_expected(tuple(_PROPOSITIONS.findall(record.library.told.text)), statement.vocabulary):
        return False
    if matter == HEARD:
        return record.has_heard_outsiders(statement.at)
    texts = _list_readable(statement, record)
    if any(_calms(matter, text, statement.vocabulary) for text in texts):
        return False
    return not _words(matter, "harm").pattern or any(_harms(matter, text, statement.vocabulary) for text in texts)


def _list_readable(statement: Statement, record: ActionEvidence) -> Sequence[str]:
    library = record.library
    near = list_run_texts(statement.at, library)
    return [text for place, text in near if place is None or library.can_read(statement.author, place)]


@lru_cache(maxsize=64)
def _list_expected(names: tuple[str, ...], vocabulary: Vocabulary) -> frozenset[str]:
    """The matters of what propositions say, or their opposites."""
    said = (text for name in set(names) for part in load_proposition(name).phrasings for text in part[1])
    return frozenset(one.matter for text in said for one in find_reassurances(from_plain(text), vocabulary))


@cache
def _words(matter: str, side: str) -> re.Pattern[str]:
    return re.compile(read_source()["told"][matter][side])


@lru_cache(maxsize=4096)
def _harms(matter: str, text: str, vocabulary: Vocabulary) -> bool:
    """Whether a text tells of a harm as a fact."""
    words = _words(matter, "harm")
    return words.search(text.lower()) is not None and any(
        not is_question(line.sentence) and _is_meant(words, line.words)
        for line in read_lines(from_plain(text), vocabulary)
    )


def _is_meant(pattern: re.Pattern[str], words: Sequence[str]) -> bool:
    for at in range(len(words)):
        match = pattern.match(" ".join(words[at : at + WIDE]))
        if match:
            hit = Hit("", at, at + match[0].count(" ") + 1, turns=True)
            if not (is_supposed(words, hit) or is_denied(words, hit)):
                return True
    return False


@lru_cache(maxsize=4096)
def _calms(matter: str, text: str, vocabulary: Vocabulary) -> bool:
    """Whether a text denies a harm, for good and as a fact."""
    passage, words = from_plain(text), _words(matter, "calm")
    if any(one.matter == matter for one in find_reassurances(passage, vocabulary)):
        return True
    return bool(words.pattern) and any(
        words.search(" ".join(line.words)) and not (is_question(line.sentence) or is_bounded(line.words))
        for line in read_lines(passage, vocabulary)
    )
