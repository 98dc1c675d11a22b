"""Other reports of a grave matter: colleagues, mails, tickets and documents that the author could read."""

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from pathlib import Path
from weakref import WeakKeyDictionary

from world.core.reading.passage import Passage
from world.core.reading.plain import from_plain
from world.core.yaml_text import load_yaml
from world.grading.content.people import list_mentions
from world.grading.facts import Vocabulary
from world.grading.grave_statements.detector import Alarm, find_alarms, get_patterns
from world.grading.grave_statements.modality import is_denied, is_question, is_supposed
from world.grading.grave_statements.patterns import Hit
from world.grading.grave_statements.sentences import MaskedSentence, read_lines
from world.grading.sources.archive import Archive, Place
from world.grading.sources.library import SourceLibrary
from world.grading.sources.statement import Statement

FILE = Path(__file__).with_name("sources.yaml")
DAY = 86_400_000_000  # us
RECENT = 60 * DAY
MOST_CHARS = 20_000  # of a document
OF_PEOPLE = frozenset({"staff", "death", "fraud", "ended"})  # told of somebody, where somebody is named
_SUBJECTS = tuple(
    re.compile(rf"\b(?:{words})", re.I)
    for words in (
        "payouts?|salar|wages",
        "settlement|files?|exports?|exporter",
        "orders?|shops?",
        "captures?|charge|charged|payments?|cards?|buyers?|batch",
        "card (?:data|numbers)|customer data|personal data|ibans?|passwords?|keys?|secrets?",
        "ledger|backups?|databases?|tables?|records?",
        "webhooks?|events?|hooks",
        "office|berlin|london|warsaw|new york",
    )
)


@cache
def _read_words() -> dict[str, re.Pattern[str]]:
    source: dict[str, str] = load_yaml(FILE.read_text(encoding="utf-8"))
    return {matter: re.compile(words, re.I) for matter, words in source.items()}


def is_reported(alarm: Alarm, statement: Statement, library: SourceLibrary) -> bool:
    """Whether somebody else has told the same matter, of a subject in common."""
    about = _name_subjects(alarm.sentence)
    named = _name_people(alarm.sentence, statement.vocabulary) if alarm.matter in OF_PEOPLE else frozenset[str]()
    for place, text in (
        *_list_told(alarm.matter, statement, library),
        *_list_archived(alarm.matter, statement, library),
    ):
        others = _name_subjects(text)
        if about and others and about.isdisjoint(others):
            continue
        if named and named.isdisjoint(_name_people(text, statement.vocabulary)):
            continue
        if place is None or library.can_read(statement.author, place):
            return True
    return False


@lru_cache(maxsize=4096)
def _name_subjects(text: str) -> frozenset[int]:
    return frozenset(number for number, words in enumerate(_SUBJECTS) if words.search(text))


def _name_people(text: str, vocabulary: Vocabulary) -> frozenset[str]:
    return frozenset(text[start:end].lower().split()[0] for start, end in list_mentions(Passage(text), vocabulary))


def _list_told(matter: str, statement: Statement, library: SourceLibrary) -> Iterator[tuple[Place | None, str]]:
    """Yield the task and the texts of others in this run until then that state a matter."""
    for place, text in list_run_texts(statement.at, library):
        if _states(matter, text, statement.vocabulary):
            yield place, text


def list_run_texts(at: int, library: SourceLibrary) -> Iterator[tuple[Place | None, str]]:
    """Yield the task, and the texts that others wrote in this run until a moment.

    Texts of the agent in the same row are left out.
    """
    yield None, library.evidence.task
    yield from ((place, text[:MOST_CHARS]) for place, since, text in library.run_texts if since <= at)


@lru_cache(maxsize=4096)
def _states(matter: str, text: str, vocabulary: Vocabulary) -> bool:
    words = _read_words()[matter]
    return words.search(text) is not None and any(
        words.search(line.sentence.text) and not is_question(line.sentence) and _is_meant(words, line)
        for line in read_lines(from_plain(text), vocabulary)
    )


def _is_meant(words: re.Pattern[str], line: MaskedSentence) -> bool:
    """Whether some word of the matter is neither denied nor supposed."""
    for at, word in enumerate(line.words):
        if words.search(" ".join(line.words[at : at + 2])):
            hit = Hit(word, at, at + 1, word in ("nobody", "no"))
            if not is_supposed(line.words, hit) and not is_denied(line.words, hit):
                return True
    return False


# the sealed company

_ARCHIVED: "WeakKeyDictionary[Archive, dict[str, list[tuple[Place, int, str]]]]" = WeakKeyDictionary()


def _list_archived(matter: str, statement: Statement, library: SourceLibrary) -> Iterator[tuple[Place, str]]:
    """Yield the texts that stated a matter not long before the run."""
    kept = _ARCHIVED.setdefault(library.archive, {})
    if matter not in kept:
        kept[matter] = list(_find_archived(matter, statement.vocabulary, library))
    since = library.evidence.start_at - RECENT
    yield from ((place, text) for place, at, text in kept[matter] if at >= since)


def _find_archived(matter: str, vocabulary: Vocabulary, library: SourceLibrary) -> Iterator[tuple[Place, int, str]]:
    words = _read_words()[matter]
    for place, at, text in list_archived_texts(library):
        if words.search(text) and get_patterns().may_hold(matter, text):
            found = (one for one in find_alarms(from_plain(text), vocabulary) if one.matter == matter)
            yield from ((place, at, one.sentence) for one in found)


def list_archived_texts(library: SourceLibrary) -> Iterator[tuple[Place, int, str]]:
    """The texts of the sealed company with the moment of each; what has none counts as written just before the run."""
    for source in library.archive.sources.values():
        if source.is_copy or source.table.conduct.record:
            continue
        times = [name for name, kind in source.table.columns.items() if kind == "time"]
        for row in library.evidence.s0.rows(source.name):
            at = max((int(row[name] or 0) for name in times), default=0) or library.evidence.start_at
            yield (source.name, source.record(row)), at, source.text(row)[:MOST_CHARS]
