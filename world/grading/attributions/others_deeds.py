"""Deeds of others in a text: what a colleague, a team or a vendor is said to have done."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from world.grading.attributions.extraction import (
    Attribution,
    TitledSentence,
    Who,
    attribute,
    find_subject,
    is_open,
    put_titles,
)
from world.grading.attributions.lexicon import load_lexicon
from world.grading.deeds.extraction import PAST, list_stems
from world.grading.deeds.frames import HAVE
from world.grading.deeds.lexicon import load_lexicon as load_deeds
from world.grading.deeds.sentences import DeedSentence, denies

DEED = "deed"
_SPOKEN = frozenset({"told", "mailed", "approved", "objected"})  # told in the perfect alone; else it is what they said
_TO_ME = frozenset("me us".split())  # what they wrote
_SAYING = frozenset("says said writes wrote told tells".split())
_BODIES = frozenset({"vendor", "customer"})


def list_others_deeds(wordings: Sequence[DeedSentence]) -> Iterator[Attribution]:
    """Yield the finished deeds that sentences tell of others; `said` has the words of the deed and its object."""
    before: TitledSentence | None = None
    for wording in wordings:
        reading = _read(wording)
        if not (wording.asks or PAST.search(wording.text)):
            yield from _list_deeds(reading, before)
        before = reading


def _read(wording: DeedSentence) -> TitledSentence:
    """Return a sentence in which teams and firms stand for people too."""
    firms: dict[int, Who] = {at: fact for at, fact in wording.names.items() if fact.kind in _BODIES}
    reading = put_titles(wording, load_lexicon())
    return replace(reading, who={**firms, **reading.who})


def _list_deeds(reading: TitledSentence, before: TitledSentence | None) -> Iterator[Attribution]:
    words, verbs = reading.wording.words, load_deeds().verbs
    for hit in load_deeds().phrases.find(words):
        who, start = find_subject(reading, hit, before)
        if not who or is_open(reading.wording, start) or denies(words[start : reading.wording.end(hit.end)]):
            continue
        if not _TO_ME.isdisjoint(words) or not _SAYING.isdisjoint(words[:start]):
            continue
        if HAVE.isdisjoint(words[start : hit.start]) and not verbs[hit.tag].kinds.isdisjoint(_SPOKEN):
            continue
        told = attribute(reading, who, hit, (), DEED)
        yield replace(told, said=told.said | list_stems(" ".join(words[hit.start : hit.end])))
