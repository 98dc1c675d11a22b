"""The names of one company: people, customers, services, regions, products, channels, with all they are called."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from world.grading.directory import Directory
from world.grading.facts.fact import Kind
from world.grading.facts.ordinary_vocabulary import ORDINARY
from world.grading.folding import fold

_WORD = re.compile(r"[a-z0-9]+")
_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue"})
_REGIONS = (
    "us-east-1 us-east-2 us-west-1 us-west-2 us-gov-east-1 us-gov-west-1 ca-central-1 ca-west-1 sa-east-1 eu-central-1"
    " eu-central-2 eu-west-1 eu-west-2 eu-west-3 eu-north-1 eu-south-1 eu-south-2 ap-south-1 ap-south-2 ap-southeast-1"
    " ap-southeast-2 ap-southeast-3 ap-southeast-4 ap-northeast-1 ap-northeast-2 ap-northeast-3 ap-east-1 me-south-1"
    " me-central-1 af-south-1 il-central-1"
).split()
_REGION_NAMES = {"N. Virginia": "us-east-1", "Northern Virginia": "us-east-1", "US East 1": "us-east-1"}
_LEGAL = frozenset("gmbh ag inc ltd llc co kg bv sa sas srl se plc corp corporation limited company".split())
MIN_INITIALS = 3
Entity = tuple[Kind, str]


@dataclass(frozen=True, slots=True)
class Name:
    """A way to name something. `case`: "" in any, `Aa` only with a capital, `AA` only in capitals, `@` only addressed."""

    words: tuple[str, ...]
    entities: tuple[Entity, ...]
    case: str = ""


Forms = dict[tuple[tuple[str, ...], str], dict[Entity, None]]


@dataclass(frozen=True, eq=False)
class Vocabulary:
    """Meanings of names. `names` maps the first word of a name to the names that begin so, longest first."""

    names: Mapping[str, tuple[Name, ...]] = field(default_factory=dict[str, tuple[Name, ...]])
    addresses: Mapping[str, str] = field(default_factory=dict[str, str])
    domains: Mapping[str, Entity] = field(default_factory=dict[str, Entity])
    projects: frozenset[str] = frozenset()
    employers: Mapping[str, str] = field(default_factory=dict[str, str])
    accounts: Mapping[str, str] = field(default_factory=dict[str, str])

    def account(self, text: str) -> str | None:
        """The person an app or the directory knows by exactly this id."""
        return self.accounts.get(text)

    def owner(self, kind: str, value: str) -> str | None:
        """The organisation a person works for, or the organisation itself."""
        return self.employers.get(value) if kind == "person" else value if kind in ("customer", "vendor") else None


EMPTY = Vocabulary()


@lru_cache(maxsize=8)
def vocabulary_of(directory: Directory) -> Vocabulary:
    """The vocabulary of a directory, built once."""
    forms: Forms = {}
    for entity, text, case in _forms(directory):
        words = split_name(text)
        if max(map(len, words), default=0) > 1:
            forms.setdefault((words, case), {})[entity] = None
    found: dict[str, list[Name]] = {}
    for (words, case), entities in forms.items():
        found.setdefault(words[0], []).append(Name(words, tuple(entities), case))
    names = {
        first: tuple(sorted(some, key=lambda name: (-len(name.words), name.case))) for first, some in found.items()
    }
    return Vocabulary(
        names,
        dict(directory.addresses),
        {domain.lower(): (_kind(kind), id) for id, _, domain, kind in directory.organisations if domain},
        frozenset(name.upper() for kind, _, name in directory.entities if kind == "project" and name.isupper()),
        dict(directory.employers),
        {external: person for _, external, person in directory.accounts}
        | {person.id: person.id for person in directory.people},
    )


def split_name(text: str) -> tuple[str, ...]:
    """The words of a name as they are compared."""
    return tuple(_WORD.findall(fold(text).low))


def _kind(kind: str) -> Kind:
    return "vendor" if kind == "vendor" else "customer"


def _forms(directory: Directory) -> Iterator[tuple[Entity, str, str]]:
    yield from _people(directory)
    yield from _organisations(directory)
    for id, title, _ in directory.services:
        for name in dict.fromkeys((id, title)):
            yield ("service", id), name, _own_case(name)
    for region in _REGIONS:
        yield ("region", region), region, ""
        for zone in "abcdef":
            yield ("region", region), region + zone, ""
    for text, region in _REGION_NAMES.items():
        yield ("region", region), text, ""
    kinds: Mapping[str, Kind] = {"channel": "channel", "product": "product", "project": "product"}
    for kind, id, name in directory.entities:
        if kind in kinds and not (kind == "project" and name.isupper()):
            plain = len(split_name(name)) == 1
            yield (kinds[kind], id), name, "#" if kind == "channel" and plain else _own_case(name)


def _own_case(name: str) -> str:
    """Return the case in which a name of things counts: with a capital if it is an ordinary word that has one."""
    return "Aa" if name[:1].isupper() and _is_ordinary(name) else ""


def _is_ordinary(name: str) -> bool:
    words = split_name(name)
    return len(words) == 1 and (words[0] in ORDINARY or len(words[0]) < 3)


def _people(directory: Directory) -> Iterator[tuple[Entity, str, str]]:
    for person in directory.people:
        entity: Entity = ("person", person.id)
        first, last = person.first_name, person.last_name
        if not first and " " in person.full_name:
            first, last = person.full_name.split()[0], person.full_name.split()[-1]
        names = [*directory.list_spoken_names(person.id), first, last]
        if first and last:
            names += [f"{first} {last}", f"{first[0]} {last}", f"{last}, {first}"]
        for name in dict.fromkeys(name for name in names if name):
            for text in _spellings(name):
                yield entity, text, "@" if person.kind == "bot" else "Aa" if _is_ordinary(text) else ""
        if person.handle:
            lone = person.kind == "bot" or _is_ordinary(person.handle)
            yield entity, person.handle, "@" if lone else ""
    for _, login, person_id in directory.logins:
        yield ("person", person_id), login, "@"


def _spellings(name: str) -> tuple[str, ...]:
    written_out = name.translate(_UMLAUTS)
    return (name,) if written_out == name else (name, written_out)


def _organisations(directory: Directory) -> Iterator[tuple[Entity, str, str]]:
    shared = _first_words(name for _, name, _, _ in directory.organisations)
    for id, name, domain, kind in directory.organisations:
        entity: Entity = (_kind(kind), id)
        for text, case in short_names(name, domain, shared):
            for spelling in _spellings(text):
                yield entity, spelling, case


def _first_words(names: Iterable[str]) -> Mapping[str, int]:
    """Count the organisations that have a word in their name, by word."""
    found: dict[str, int] = {}
    for name in names:
        for word in set(split_name(name)):
            found[word] = found.get(word, 0) + 1
    return found


def short_names(name: str, domain: str, shared: Mapping[str, int]) -> Iterator[tuple[str, str]]:
    """Yield the names of an organisation, each with its case.

    They are its name, the beginnings of it, its initials, and the first part of its domain.
    A word that several organisations share, and an ordinary word of a name of three, name nobody.
    """
    words = [word for word in re.split(r"[\s&+/]+", name) if word and word.lower().strip(".") not in _LEGAL]
    yield name, "Aa" if _is_ordinary(name) else ""
    yield " ".join(words), "Aa" if _is_ordinary(" ".join(words)) else ""
    for size in range(2, len(words)):
        yield " ".join(words[:size]), ""
    yield "".join(words), ""
    yield from _single_words(words, shared)
    initials = "".join(word[0] for word in words if word[0].isalpha()).upper()
    if len(initials) >= MIN_INITIALS:
        yield initials, "AA"
    label = domain.partition(".")[0]
    if len(label) >= MIN_INITIALS:
        yield label, "Aa" if _is_ordinary(label) else ""


def _single_words(words: list[str], shared: Mapping[str, int]) -> Iterator[tuple[str, str]]:
    for at, word in enumerate(words if len(words) == 2 else words[:1]):
        folded = "".join(split_name(word))
        if len(words) < 2 or len(folded) < 4 or shared.get(folded, 0) > 1:
            continue
        if folded not in ORDINARY:
            yield word, "Aa" if at else ""
        elif len(words) == 2 and at == 0:
            yield word, "Aa"
