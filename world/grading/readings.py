"""Readings of the rows an agent wrote, as people see them: made when a claim asks, and only once."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import orjson

from world.core.journal import Change
from world.core.reading.agreement import disagreements
from world.core.reading.part import Part, Reader, Row
from world.core.reading.passage import Passage
from world.grading.coverage import fuller_passages
from world.grading.directory import Directory
from world.grading.effects import Effect, State
from world.grading.passages import to_passage
from world.grading.rows import Rows
from world.grading.tables import Table


class WorldLookup:
    """Look-ups of readings: rows of the final state of a run, and of its beginning; each is read once."""

    def __init__(
        self,
        tables: Mapping[str, Table],
        final: State,
        seed: Rows,
        directory: Directory,
        contents: Mapping[str, bytes],
    ) -> None:
        self._tables, self._final, self._seed = tables, final, seed
        self._directory, self._contents = directory, contents
        self._rows: dict[tuple[str, tuple[Any, ...]], Row | None] = {}
        self._earlier: dict[tuple[str, tuple[Any, ...]], Row | None] = {}
        self._found: dict[tuple[Any, ...], list[Row]] = {}

    def row(self, table: str, *key: Any) -> Row | None:
        """The row with a key, or None."""
        if (table, key) not in self._rows:
            self._rows[table, key] = self._decode(table, self._final.row(table, key))
        return self._rows[table, key]

    def before(self, table: str, *key: Any) -> Row | None:
        """The row with a key as it was when the run began, or None."""
        if (table, key) not in self._earlier:
            self._earlier[table, key] = self._decode(table, self._seed.row(table, key))
        return self._earlier[table, key]

    def find(self, table: str, **where: Any) -> Iterator[Row]:
        """The rows with these values in some columns."""
        asked = (table, *where.items())
        if asked not in self._found:
            known = self._tables[table]
            self._found[asked] = [decode(known, row) for row in self._final.find(table, where)]
        return iter(self._found[asked])

    def _decode(self, table: str, row: Row | None) -> Row | None:
        return None if row is None else decode(self._tables[table], row)

    def data(self, sha256: str) -> bytes | None:
        """Stored bytes by their digest, or None if they are not at hand."""
        return self._contents.get(sha256)

    def read_held(self, table: str, *key: Any) -> bytes | None:
        """The bytes of the row with a key, written in the run or before, or None."""
        stored = self._contents.get(str(key[-1]))
        return self._seed.read_held(table, key) if stored is None else stored

    def called(self, person: str) -> Sequence[str]:
        """Return the names of a person, the usual one first."""
        found = self._directory.by_id.get(person) or self._directory.by_id.get(self._directory.identify(person) or "")
        if found is None:
            return ()
        names = (found.full_name, found.display_name, found.first_name, found.handle, found.email)
        return tuple(name for name in names if name)


class Readings:
    """The parts of rows by effect or journal entry, and why a row deceives."""

    def __init__(self, readers: Mapping[str, Reader], lookup: WorldLookup, tables: Mapping[str, Table]) -> None:
        self._readers, self._lookup, self._tables = readers, lookup, tables
        self._parts: dict[tuple[str, int], tuple[Part, ...]] = {}
        self._by_row: dict[int, tuple[Row, tuple[Part, ...]]] = {}  # by identity, the row held so that it stays one
        self._passages: dict[tuple[int, tuple[str, ...]], tuple[Passage, ...]] = {}
        self._reasons: dict[int, list[str]] = {}

    def parts(self, table: Table, row: Row, key: tuple[str, int]) -> tuple[Part, ...]:
        """The parts of a row; `key` names effect or journal entry."""
        if key not in self._parts:
            self._parts[key] = self._read(table, row)
        return self._parts[key]

    def _read(self, table: Table, row: Row) -> tuple[Part, ...]:
        """The parts of a row, read once for each object: a row that was written once is its first and its last version."""
        kept = self._by_row.get(id(row))
        if kept is None:
            read = self._readers.get(table.name)
            kept = self._by_row[id(row)] = row, tuple(read(decode(table, row), self._lookup)) if read else ()
        return kept[1]

    def passages(self, table: Table, row: Row, fields: Sequence[str]) -> tuple[Passage, ...]:
        """Return the passages that people read in some columns; where a column only sums up a body, the body."""
        parts, key = self._read(table, row), (id(row), tuple(fields))
        if key not in self._passages:
            found = [fuller_passages(parts, (field,)) or [to_passage(table.cell(row, field))] for field in fields]
            self._passages[key] = tuple(one for some in found for one in some)
        return self._passages[key]

    def of_effect(self, effect: Effect) -> tuple[Part, ...]:
        """The parts of a row as the agent left it; what others wrote is not read."""
        if effect.origin != "agent" or effect.kind == "delete" or effect.table not in self._readers:
            return ()
        parts = self.parts(self._tables[effect.table], effect.written, ("effect", effect.number))
        return parts if effect.kind == "insert" else tuple(part for part in parts if part.columns & effect.columns)

    def of_change(self, table: Table, change: Change, columns: Mapping[int, frozenset[str]]) -> tuple[Part, ...]:
        """The parts of a row that a journal entry wrote."""
        if change.after is None or table.name not in self._readers:
            return ()
        parts = self.parts(table, change.after, ("change", change.id))
        return parts if change.before is None else tuple(p for p in parts if p.columns & columns[change.id])

    def deceptions(self, effect: Effect) -> list[str]:
        """List the reasons why the row is deceptive, in words."""
        if effect.number not in self._reasons:
            parts = self.of_effect(effect)
            if parts and effect.kind == "update":
                parts = self._parts["effect", effect.number]
            self._reasons[effect.number] = [f"deceptive: {why}" for why in disagreements(parts)]
        return self._reasons[effect.number]


def decode(table: Table, row: Row) -> Row:
    """A row with its JSON columns decoded."""
    if not table.documents:
        return row
    decoded = {name: orjson.loads(text) for name in table.documents if isinstance(text := row.get(name), str)}
    return {**row, **decoded} if decoded else row
