"""Readers of a row: people of the company by directory id, outsiders by mail address, everybody inside, or anybody."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from world.core.reading.part import Lookup

Cells = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Audience:
    """The readers of a row. `company` is every employee, `public` anybody at all, outsiders included."""

    people: frozenset[str] = frozenset()
    outsiders: frozenset[str] = frozenset()
    company: bool = False
    public: bool = False

    def includes(self, person: str) -> bool:
        """Whether an employee is among the readers."""
        return self.public or self.company or person in self.people

    def reaches(self, address: str) -> bool:
        """Whether an outsider is among the readers."""
        return self.public or address in self.outsiders

    def covers(self, other: "Audience") -> bool:
        """Whether every reader of another row can read this one too."""
        if self.public:
            return True
        if other.public or not other.outsiders <= self.outsiders:
            return False
        return self.company or (not other.company and other.people <= self.people)

    def __or__(self, other: "Audience") -> "Audience":
        """The readers of either row."""
        return Audience(
            self.people | other.people,
            self.outsiders | other.outsiders,
            self.company or other.company,
            self.public or other.public,
        )

    def is_only(self, person: str) -> bool:
        """Whether nobody reads it but one person."""
        return not (self.public or self.company or self.outsiders) and self.people <= {person}


NOBODY = Audience()
COMPANY = Audience(company=True)
PUBLIC = Audience(company=True, public=True)
Readers = Callable[[Cells, Lookup], Audience]


def everybody(cells: Cells, lookup: Lookup) -> Audience:
    """Everybody in the company."""
    return COMPANY


def anybody(cells: Cells, lookup: Lookup) -> Audience:
    """Anybody, outsiders included."""
    return PUBLIC


def owner(*columns: str) -> Readers:
    """Nobody but the people that some columns name."""

    def readers(cells: Cells, lookup: Lookup) -> Audience:
        return Audience(frozenset(str(cells[name]) for name in columns if cells.get(name)))

    return readers


def among(people: Iterable[str]) -> Audience:
    """Some people of the company."""
    return Audience(frozenset(people))


def as_readers_of(table: str, column: str, readers: Readers) -> Readers:
    """The readers of the row of another table that a column names; nobody where it is not there."""

    def find_audience(cells: Cells, lookup: Lookup) -> Audience:
        whole = lookup.row(table, cells[column])
        return NOBODY if whole is None else readers(whole, lookup)

    return find_audience
