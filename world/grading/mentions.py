"""Mentions in a text, by whole words: people, rows, numbers and times; and the number of different ones."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache

from world.grading.dates import Moment, moments
from world.grading.directory import Directory
from world.grading.scope import RowRef, Scope
from world.grading.tables import Table
from world.grading.text import Text, read_text
from world.grading.values import Quantity, moneys, quantities

_MAIL = re.compile(r"(?<![\w.+-])[\w.+-]{1,64}@[\w-]+(?:\.[\w-]+)+")
_AT = re.compile(r"(?<![\w.])@([\w.:-]*\w)")
_ID = re.compile(
    r"\b[A-Za-z][A-Za-z0-9]+-\d+\b|(?<!\w)#\d+\b|\b(?=[A-Z0-9]*\d)[A-Z][A-Z0-9]{8,}\b|\b(?=[0-9a-f]*\d)(?=\d*[a-f])[0-9a-f]{7,}\b"
)
_LINK = re.compile(r"https?://[^\s\"<>]+")
_LABELS = ("key", "name", "handle", "title", "subject", "summary", "full_name", "display_name")
# First names that are also words: they only count as names when written with a capital.
_WORDS = frozenset(
    "will mark may grace hope faith joy rose dawn bill rob sue jack art gene grant chase drew frank guy jay penny ray"
    " rich summer april june august autumn daisy iris ivy lily olive ruby violet amber dean earl miles max pat chip"
    " sandy sunny victor angel christian carol eve dick don gray hunter mason page parker porter reed stone wade ward"
    " long young".split()
)


@dataclass(frozen=True)
class Entities:
    """Entities that a text names: people by directory id, and the number of different things in all."""

    people: frozenset[str]
    ids: frozenset[str]
    amounts: frozenset[str]
    unclear: frozenset[str]

    @property
    def count(self) -> int:
        """Distinct people, ids, amounts and times."""
        return len(self.people) + len(self.ids) + len(self.amounts) + len(self.unclear)


Spoken = Mapping[str, list[tuple[Text, frozenset[str]]]]


@lru_cache(maxsize=8)
def index_spoken_names(directory: Directory) -> Spoken:
    """First word of a name -> the names that start with it, longest first, with whom they can mean."""
    owners: dict[tuple[str, ...], set[str]] = {}
    phrases: dict[tuple[str, ...], Text] = {}
    for person in directory.people:
        for name in directory.list_spoken_names(person.id):
            phrase = read_text(name)
            if phrase.words:
                owners.setdefault(phrase.words, set()).add(person.id)
                phrases.setdefault(phrase.words, phrase)
    found: dict[str, list[tuple[Text, frozenset[str]]]] = {}
    for words in sorted(owners, key=lambda words: (-len(words), words)):
        found.setdefault(words[0], []).append((phrases[words], frozenset(owners[words])))
    return found


@lru_cache(maxsize=2048)
def entities(text: Text, directory: Directory) -> Entities:
    """Every entity of a text; a name that two people share names neither of them."""
    people, unclear = _find_people(text, directory)
    people |= _find_addressed(text, directory)
    ids = frozenset(match.group().casefold() for match in _ID.finditer(text.plain))
    links = {m.group().casefold() for m in _LINK.finditer(text.plain) if not _ID.search(m.group())}
    return Entities(frozenset(people), ids | links, frozenset(_amounts(text)), frozenset(unclear))


def _find_people(text: Text, directory: Directory) -> tuple[set[str], set[str]]:
    index, at = index_spoken_names(directory), 0
    people: set[str] = set()
    unclear: set[str] = set()
    while at < len(text.words):
        step = 1
        for phrase, owners in index.get(text.words[at], ()):
            if text.at(phrase, at, strict=True) and _is_meant_as_name(text, at, phrase):
                step = len(phrase.tokens)
                if len(owners) == 1:
                    people |= owners
                else:
                    unclear.add(" ".join(phrase.words))
                break
        at += step
    return people, unclear


def _is_meant_as_name(text: Text, at: int, phrase: Text) -> bool:
    if len(phrase.words) != 1 or phrase.words[0] not in _WORDS:
        return True
    return text.plain[text.tokens[at].start].isupper()


def _find_addressed(text: Text, directory: Directory) -> set[str]:
    marks = [match.group() for match in _MAIL.finditer(text.plain)] + [match[1] for match in _AT.finditer(text.plain)]
    found = {directory.identify(mark) for mark in marks}
    raw = {text.plain[token.start : token.end] for token in text.tokens if any(c.isdigit() for c in token.text)}
    found |= {directory.external(word) for word in raw}
    return {person for person in found if person}


def list_taken_spans(text: Text) -> list[tuple[int, int]]:
    """The parts of a text that are ids, links, addresses, dates or times: digits in them are no quantities."""
    spans = [(moment.start, moment.end) for moment in moments(text.plain)]
    for pattern in (_ID, _LINK, _MAIL):
        spans += [match.span() for match in pattern.finditer(text.plain)]
    return spans


@lru_cache(maxsize=2048)
def numbers(text: Text) -> tuple[Quantity, ...]:
    """The quantities of a text."""
    return tuple(quantities(text.plain, list_taken_spans(text)))


def _amounts(text: Text) -> set[str]:
    found = {f"{money.value.normalize()} {money.currency}" for money in moneys(text.plain)}
    found |= {f"{number.value.normalize()} {number.unit}" for number in numbers(text)}
    return found | {f"{moment.days} {moment.clock}" for moment in moments(text.plain)}


def names_person(text: Text, person: str, s: Scope) -> bool:
    """Whether a text names a person: a name only they bear, handle, address or account."""
    return person in entities(text, s.directory).people


def names_row(text: Text, row: RowRef, s: Scope) -> bool:
    """Whether a text names a row: by key, name, number (#12) or a link to it."""
    return any(
        next(text.find(read_text(label), strict=False), None) is not None
        for label in row_labels(row, s.table(row.table))
    ) or (_has_number(text, row))


def row_labels(row: RowRef, table: Table) -> list[str]:
    """List the labels by which a row is called."""
    labels = [str(part) for part in row.pk if isinstance(part, str)] if len(row.pk) == 1 else []
    if "key" in row.row:
        return [*labels, str(row.row["key"])]
    return labels + [str(row.row[name]) for name in _LABELS if name in table.columns and row.row.get(name)]


def _has_number(text: Text, row: RowRef) -> bool:
    number = row.row.get("number")
    if not isinstance(number, int) or "key" in row.row:
        return False
    return re.search(rf"(?<!\w)(?:#|(?:pull|issues|pr|issue)[/ #]+){number}\b(?![.,]?\d)", text.plain, re.I) is not None


def names_number(text: Text, wanted: Decimal, unit: str = "", tol: Decimal = Decimal(0)) -> bool:
    """Whether a text holds a number; in a unit, if one is wanted."""
    return any(found.within(wanted, unit, tol) if unit else abs(found.value - wanted) <= tol for found in numbers(text))


def names_time(text: Text, at: int, s: Scope, tol: int = 0) -> bool:
    """Whether a text names a simulated time, in any format, in the agent's, the company's or a written zone."""
    return any(moment.clock is not None and moment.means(at, s.zones, tol) for moment in moments(text.plain))


def names_day(text: Text, at: int, s: Scope, tol: int = 0) -> bool:
    """Whether a text names the day of a simulated time."""
    dated = (Moment(m.start, m.end, m.days, None, m.offset, m.zone) for m in moments(text.plain) if m.days)
    return any(moment.means(at, s.zones, tol) for moment in dated)
