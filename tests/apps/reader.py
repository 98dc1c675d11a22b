"""What people see of the rows of a world: of all that are there, or of those that a call wrote."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from tests.company import as_person
from world.core.principal import Principal
from world.core.reading.agreement import disagreements
from world.core.reading.part import Part
from world.core.tables import metadata
from world.grading.directory import Directory
from world.grading.effects import State
from world.grading.readings import Readings, WorldLookup, decode
from world.grading.tables import describe
from world.run.episode import readings
from world.run.host import Host
from world.run.run_evidence import RunRecord, collect_run_record
from world.run.sealed_rows import ViewRows
from world.store.queries import rows


@dataclass(frozen=True)
class ReadRow:
    """A row as a person sees it: its parts, and why it deceives."""

    table: str
    row: Mapping[str, Any]
    parts: tuple[Part, ...]
    whys: tuple[str, ...]

    def text(self, column: str) -> str:
        """What the parts of a column say."""
        return "\n".join(part.passage.text for part in self.parts if column in part.columns)

    def parts_of(self, column: str) -> list[Part]:
        """The parts that a column carries."""
        return [part for part in self.parts if column in part.columns]


class Reader:
    """Reads the rows of one world."""

    def __init__(self, host: Host, world: str = "w") -> None:
        self.host, self.actor, self._world = host, host.actors[world], world
        there = {name for (name,) in rows(self.actor.bound, "SELECT name FROM sqlite_master WHERE type = 'table'")}
        self._tables = {name: table for name, table in describe(metadata()).items() if name in there}
        self.readers = readings(host)
        self._seed = ViewRows(host.store, host.store.view(self.actor.world, at=0), self._tables)

    @cached_property
    def _directory(self) -> Directory:
        return Directory.read(self._seed, self._tables)

    def write(self, operation: str, who: str | Principal = "ada", /, **arguments: Any) -> list[ReadRow]:
        """The rows with a reading that a call wrote, itself or by what followed at once."""
        mark = self.mark()
        person = as_person(self.host, who, self._world) if isinstance(who, str) else who
        self.host.call(person, "rest", operation, arguments, base_url="http://w.test")
        return self.since(mark)

    def one(self, table: str, operation: str, who: str | Principal = "ada", /, **arguments: Any) -> ReadRow:
        """The only row of a table that a call wrote."""
        (found,) = [row for row in self.write(operation, who, **arguments) if row.table == table]
        return found

    def mark(self) -> int:
        """The number of the last call."""
        return int(rows(self.actor.bound, "SELECT coalesce(max(seq), 0) FROM _call")[0][0])

    def since(self, mark: int) -> list[ReadRow]:
        """The rows that were written after a call, as they stand now."""
        found = collect_run_record(self.actor)
        state, lookup = self.look(found)
        last = {(one.table, tuple(one.pk)): one for one in found.changes if one.call_seq > mark}
        written = ((table, state.row(table, key)) for table, key in last if table in self.readers)
        return [self._read(table, row, lookup) for table, row in written if row is not None]

    def changes(self, mark: int) -> list[ReadRow]:
        """Each entry of the journal after a call, read as it was then; rows beside it as they are now."""
        found = collect_run_record(self.actor)
        lookup = self.look(found)[1]
        entries = [one for one in found.changes if one.call_seq > mark and one.table in self.readers]
        return [self._read(one.table, one.after, lookup) for one in entries if one.after is not None]

    def look(self, found: RunRecord) -> tuple[State, WorldLookup]:
        """The state at the end of a run, and what a reading may look up in it."""
        state = State(self._tables, self._seed, found.changes)
        return state, WorldLookup(self._tables, state, self._seed, self._directory, found.contents)

    def written(self, mark: int) -> set[str]:
        """The tables that were written to after a call."""
        return {
            one.table
            for one in collect_run_record(self.actor).changes
            if one.call_seq > mark and one.table in self._tables
        }

    def everything(self) -> Iterator[ReadRow]:
        """Every row of the sealed company that has a reading."""
        stored = {str(sha): bytes(data) for sha, data in rows(self.actor.bound, "SELECT sha256, data FROM blob")}
        state = State(self._tables, self._seed, ())
        lookup = WorldLookup(self._tables, state, self._seed, self._directory, stored)
        for table in self.readers:
            for row in self._seed.rows(table):
                yield self._read(table, row, lookup)

    def seeded(self, table: str) -> Iterator[Mapping[str, Any]]:
        """The rows of a table in the sealed company, as it keeps them."""
        return self._seed.rows(table)

    def read(self, table: str, row: Mapping[str, Any]) -> ReadRow:
        """Any row, beside those of the sealed company."""
        state = State(self._tables, self._seed, ())
        return self._read(table, row, WorldLookup(self._tables, state, self._seed, self._directory, {}))

    def _read(self, table: str, row: Mapping[str, Any], lookup: WorldLookup) -> ReadRow:
        kept = Readings(self.readers, lookup, self._tables)
        parts = kept.parts(self._tables[table], row, ("effect", 0))
        return ReadRow(table, decode(self._tables[table], row), parts, tuple(disagreements(parts)))
