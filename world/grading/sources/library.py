"""Occurrences of a value that the author could know: in the company before the run, in texts of others, in the task."""

from collections.abc import Iterable, Iterator
from functools import cached_property

from world.core.audience import Audience
from world.core.reading.part import Lookup
from world.core.reading.passage import Passage
from world.grading.effects import ChangeSet, State
from world.grading.facts import Vocabulary, extract
from world.grading.inputs import Evidence
from world.grading.readings import WorldLookup
from world.grading.sources.archive import Archive, Index, Place, get_archive, list_results
from world.grading.sources.readership import Readership
from world.grading.sources.run_texts import GivenFacts, RunIndex
from world.grading.sources.statement import Statement, name_bodies


class SourceLibrary:
    """Finds the records in which a number, key or text occurs; each index is built on first use."""

    def __init__(
        self, evidence: Evidence, changes: ChangeSet, lookup: Lookup, vocabulary: Vocabulary, rubric: str
    ) -> None:
        self.evidence, self._changes, self._lookup, self._vocabulary = evidence, changes, lookup, vocabulary
        self.told = GivenFacts(evidence, rubric)

    @cached_property
    def archive(self) -> Archive:
        """The sealed company."""
        return get_archive(self.evidence)

    @cached_property
    def written(self) -> RunIndex:
        """Index of everything that the run wrote."""
        return RunIndex(dict(self.archive.sources), self.evidence, self._changes)

    @cached_property
    def run_texts(self) -> list[tuple[Place, int, str]]:
        """Texts that others wrote in this run, each with its time (us); none that the agent wrote in the same row."""
        return [(place, at, text) for at, place, text in self.written.texts if text and not self.is_line(place)]

    @cached_property
    def readership(self) -> Readership:
        """Readers of the records at the end."""
        return Readership(self.archive.sources, self._lookup)

    @cached_property
    def results(self) -> dict[float, list[Place]]:
        """Results of formulas at the end, in tables that the run has changed."""
        found: dict[float, list[Place]] = {}
        changed = {change.table for change in self.evidence.changes}
        for source in self.archive.sources.values():
            if source.name in changed:
                for place, value in list_results(source, self._changes.final):
                    found.setdefault(value, []).append(place)
        return found

    @cached_property
    def carried(self) -> Index:
        """Index of the sealed company's content outside of rows: files, and results of formulas."""
        return self.archive.get_carried(self.evidence.s0, SealedLookup(self._lookup, self.evidence))

    @cached_property
    def sealed(self) -> "SourceLibrary":
        """The library of the same company before the run began."""
        given = self.evidence
        state = State(given.tables, given.s0, ())
        lookup = WorldLookup(given.tables, state, given.s0, given.directory, given.contents)
        return SourceLibrary(given, self._changes, lookup, self._vocabulary, "")

    def places(self, value: float, at: int, *, carried: bool = False) -> Iterator[Place]:
        """The records in which a number stood at a moment; also outside of rows if `carried`."""
        yield from self.archive.numbers.get(value, ())
        yield from self.carried.numbers.get(value, ()) if carried else ()
        yield from (place for place in self.written.numbers.get(value, ()) if self.written.since[place] <= at)

    def is_copy(self, place: Place) -> bool:
        """Whether a record repeats others."""
        return self.archive.sources[place[0]].is_copy

    def is_line(self, place: Place) -> bool:
        """Whether a place is a record of several cells."""
        return bool(self.archive.sources[place[0]].table.conduct.record)

    def can_read(self, person: str, place: Place) -> bool:
        """Whether somebody of the company can read a record; copies are read where the originals are."""
        return self.is_copy(place) or self.readership.of_place(place).includes(person)

    def readers(self, place: Place) -> Audience:
        """Return the readers of a record."""
        return self.readership.of_place(place)

    def is_correspondence(self, place: Place) -> bool:
        """Whether a record is a mail, or was said among few: its place closes nothing that is in it to others."""
        source = self.archive.sources[place[0]]
        return source.is_mail or self._is_direct(place)

    def _is_direct(self, place: Place) -> bool:
        conduct = self.archive.sources[place[0]].table.conduct
        for row in self.readership.rows(place) if conduct.place else ():
            for name in self.archive.sources[place[0]].table.names.values():
                if name.column == conduct.place:
                    container = self.readership.lookup.row(name.table, row[name.column])
                    direct = self.evidence.tables[name.table].conduct.direct
                    if container is not None and any(container.get(c) in values for c, values in direct.items()):
                        return True
        return False

    def bodies(self, place: Place) -> frozenset[str]:
        """The people and customers that a record names."""
        return name_bodies(extract(Passage(self.readership.text(place)), self._vocabulary))

    def texts_for(self, statement: Statement) -> Iterable[str]:
        """Yield the texts that each outside reader of a statement could read before: the mails they wrote or got."""
        for address in statement.readers.outsiders:
            places = [*self.archive.addresses.get(address, ()), *self.written.addresses.get(address, ())]
            yield "\n".join(
                self.readership.text(place)
                for place in dict.fromkeys(places)
                if self.readers(place).reaches(address) and self.written.since.get(place, 0) <= statement.at
            )


class SealedLookup:
    """The lookup of a run, with the stored bytes of the sealed company."""

    def __init__(self, lookup: Lookup, evidence: Evidence) -> None:
        self.row, self.before, self.find, self.called = lookup.row, lookup.before, lookup.find, lookup.called
        self.read_held = lookup.read_held
        self._evidence = evidence

    def data(self, sha256: str) -> bytes | None:
        """Stored bytes by their digest, or None."""
        return self._evidence.contents.get(sha256) or self._evidence.s0.data(sha256)
