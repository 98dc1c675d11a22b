"""Withdrawals and admissions in a text: what others are said to have taken back, or to have owned up to."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from world.core.yaml_text import load_yaml
from world.grading.attributions.extraction import (
    Attribution,
    TitledSentence,
    Who,
    attribute,
    find_subject,
    is_open,
    put_titles,
)
from world.grading.attributions.lexicon import Lexicon, load_lexicon
from world.grading.commitment.patterns import PhraseMatch, Phrases
from world.grading.deeds.extraction import list_stems
from world.grading.deeds.sentences import DeedSentence

FILE = Path(__file__).with_name("withdrawals.yaml")
WITHDRAWAL, ADMISSION = "withdrawal", "admission"
_WORD = re.compile(r"[^\W\d_]{3,}")
_COMMON = frozenset("the his her their that this has have had does not any for back more longer".split())


@dataclass(frozen=True)
class WithdrawalLexicon:
    """The phrases of withdrawals.yaml, with the stems of their words.

    `titles` also has words for people outside, `heads` finds a text that may have a phrase.
    """

    phrases: Phrases
    titles: Lexicon
    outsiders: frozenset[str]
    heads: re.Pattern[str]
    stems: frozenset[str]


@cache
def load_withdrawals() -> WithdrawalLexicon:
    """The phrases, read once."""
    source: dict[str, Any] = load_yaml(FILE.read_text(encoding="utf-8"))
    outsiders, given = frozenset(source["outsiders"].split()), load_lexicon()
    phrases = {tag: source[tag] for tag in (WITHDRAWAL, ADMISSION)}
    said = {word for some in phrases.values() for phrase in some for word in _WORD.findall(phrase)}
    return WithdrawalLexicon(
        Phrases(phrases),
        replace(given, titles=given.titles | outsiders),
        outsiders,
        re.compile(rf"\b(?:{'|'.join(sorted(said - _COMMON))})\b"),
        list_stems(" ".join(said)),
    )


def list_withdrawals(wordings: Sequence[DeedSentence]) -> Iterator[Attribution]:
    """Yield what sentences say that others have withdrawn or admitted; `kind` says which."""
    lexicon, before = load_withdrawals(), None
    for wording in wordings:
        reading = _read(wording, lexicon)
        if not wording.asks:
            for hit in lexicon.phrases.find(reading.wording.words):
                who, start = _find_who(reading, hit, before)
                if who and not is_open(reading.wording, start):
                    told = attribute(reading, who, hit, (), hit.tag)
                    yield replace(told, about=told.about | _list_between(reading.wording, hit))
        before = reading


def _list_between(wording: DeedSentence, hit: PhraseMatch) -> frozenset[str]:
    """The stems of what stands inside a phrase: of `the invoice` in `took his approval of the invoice back`."""
    return list_stems(" ".join(wording.written[hit.start : hit.end])) - load_withdrawals().stems


def _read(wording: DeedSentence, lexicon: WithdrawalLexicon) -> TitledSentence:
    """Return a sentence in which customers stand for people too."""
    reading = put_titles(wording, lexicon.titles)
    customers: dict[int, Who] = {at: fact for at, fact in wording.names.items() if fact.kind == "customer"}
    return replace(reading, who={**customers, **reading.who})


def _find_who(reading: TitledSentence, hit: PhraseMatch, before: TitledSentence | None) -> tuple[list[Who], int]:
    """Return whoever takes something back; of a passive, whoever it is said to be by."""
    words, end = reading.wording.words, reading.wording.end(hit.end)
    who, start = find_subject(reading, hit, before)
    if not who:
        behind = (at for at in range(hit.end, end) if words[at] == "by")
        who = [reading.who[at + 1] for at in behind if at + 1 in reading.who]
        start = hit.start
    return who, start
