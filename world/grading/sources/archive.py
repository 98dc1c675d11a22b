"""The sealed company as an index: which record holds which number, key, address, host, or passage. Built once."""

import re
from collections.abc import Collection, Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple
from weakref import WeakKeyDictionary

from world.core.conduct import State, nothing
from world.core.reading.part import Lookup
from world.grading.folding import fold
from world.grading.inputs import Evidence
from world.grading.rows import Rows
from world.grading.sources.documents import Source, list_sources
from world.grading.sources.numbers import list_values
from world.grading.tables import Key

_KEY = re.compile(r"(?<![A-Za-z0-9])[A-Z][A-Z0-9]{1,9}-[0-9]+(?![0-9])")
_ADDRESS = re.compile(r"[A-Za-z0-9][\w.+-]*@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+")
_HOST = re.compile(r"(?:https?|ftp)://(?:[^\s/@<>]*@)?([\w.-]+)|(?<![\w@.])www\.([\w.-]+)", re.I)
_WORD = re.compile(r"[^\W\d_]{3,}")
Place = tuple[str, Key]  # a table and one of its records
KEPT = 4  # archives of images


class Scan(NamedTuple):
    """The values of one text."""

    numbers: Collection[float]
    keys: Collection[str]
    addresses: Collection[str]
    hosts: Collection[str]


def scan(text: str) -> Scan:
    """Everything in a text that an index keeps."""
    return Scan(
        list_values(text),
        find_keys(text) if "-" in text else (),
        [one.lower().rstrip(".") for one in set(_ADDRESS.findall(text))] if "@" in text else (),
        list(_hosts(text)) if "://" in text or "www." in text else (),
    )


@lru_cache(maxsize=4096)
def scan_again(text: str) -> Scan:
    """The same for a text that comes again in other runs of a task."""
    return scan(text)


class Index:
    """Values to the places they stand in."""

    def __init__(self) -> None:
        self.numbers: dict[float, list[Place]] = {}
        self.keys: set[str] = set()
        self.addresses: dict[str, list[Place]] = {}
        self.hosts: set[str] = set()

    def add(self, place: Place, text: str) -> None:
        """Take in the text of a record."""
        self.take_in(place, scan(text))

    def take_in(self, place: Place, found: "Scan") -> None:
        """Take in the values that a scan of a record has found."""
        for value in found.numbers:
            self.numbers.setdefault(value, []).append(place)
        self.keys.update(found.keys)
        for address in found.addresses:
            self.addresses.setdefault(address, []).append(place)
        self.hosts.update(found.hosts)

    def add_number(self, place: Place, value: float) -> None:
        """Take in a number that a record computes."""
        self.numbers.setdefault(value, []).append(place)


def find_keys(text: str) -> list[str]:
    """The keys of issues in a text."""
    return _KEY.findall(text)


def _hosts(text: str) -> Iterator[str]:
    return ((match[1] or match[2]).lower().strip(".") for match in _HOST.finditer(text))


class Archive(Index):
    """The index of one sealed company; many runs share it, so nothing of a run goes into it."""

    def __init__(self, sources: Mapping[str, Source], rows: Rows) -> None:
        super().__init__()
        self.sources = sources
        self._carried: Index | None = None
        self._words: frozenset[str] | None = None
        self.kept: Mapping[str, Place] | None = None  # passages of closed places
        for source in sources.values():
            for row in rows.rows(source.name):
                self.add((source.name, source.record(row)), source.text(row))

    def knows(self, word: str, rows: Rows) -> bool:
        """Whether a word, folded and in lower case, stands anywhere."""
        if self._words is None:
            texts = (source.text(row) for source in self.sources.values() for row in rows.rows(source.name))
            self._words = frozenset(word for text in texts for word in _WORD.findall(fold(text).low))
        return word in self._words

    def get_carried(self, rows: Rows, lookup: Lookup) -> Index:
        """Return the index of files outside the rows and of the results of formulas, made when first asked for."""
        if self._carried is None:
            self._carried = Index()
            for source in self.sources.values():
                for place, text in list_carried(source, rows, lookup):
                    self._carried.add(place, text)
                for place, value in list_results(source, rows):
                    self._carried.add_number(place, value)
        return self._carried


def list_carried(source: Source, rows: Rows, lookup: Lookup) -> Iterator[tuple[Place, str]]:
    """Yield the texts that belong to the rows of a table and stand outside their columns."""
    conduct = source.table.conduct
    if conduct.carries is not nothing:
        for row in rows.rows(source.name):
            yield from (((source.name, source.record(row)), text) for text in conduct.carries(row, lookup))
    if conduct.holds is not None:
        column, read = conduct.holds
        for key, data in rows.blobs(source.name, column):
            yield (source.name, key), read(data)


def list_results(source: Source, state: State) -> Iterator[tuple[Place, float]]:
    """Yield the computed values of the rows of a table, to the cent and rounded."""
    compute = source.table.conduct.comes_to
    if compute is not None:
        for row, value in compute(state, lambda row: True):
            place = (source.name, source.record(row))
            yield from ((place, shown) for shown in {round(value, 2), float(round(value))})


_BY_IMAGE: dict[str, Archive] = {}
_BY_ROWS: "WeakKeyDictionary[Rows, Archive]" = WeakKeyDictionary()


def get_archive(evidence: Evidence) -> Archive:
    """The archive of the company a run started from; that of an image is kept for the other tasks over it."""
    found = _BY_IMAGE.get(evidence.marks.image) or _BY_ROWS.get(evidence.s0)
    if found is None:
        found = Archive(list_sources(evidence.tables), evidence.s0)
        _keep(evidence, found)
    return found


def _keep(evidence: Evidence, archive: Archive) -> None:
    if not evidence.marks.image:
        _BY_ROWS[evidence.s0] = archive
        return
    while len(_BY_IMAGE) >= KEPT:
        del _BY_IMAGE[next(iter(_BY_IMAGE))]
    _BY_IMAGE[evidence.marks.image] = archive
