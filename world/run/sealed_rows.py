"""Rows of the sealed company, read from a view and kept for the next grading."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from world.grading.rows import Rows
from world.grading.tables import Cells, Key, Table
from world.store import Store, World

KEPT_ROWS = 100_000  # rows that are kept: half of them of whole tables, as many as a company of size S has


class ViewRows:
    """The sealed state a run started from, read through a view."""

    def __init__(self, store: Store, world: World, tables: Mapping[str, Table]) -> None:
        self._store, self._world, self._tables = store, world, tables
        self._selects: dict[tuple[str, tuple[str, ...]], tuple[list[str], str]] = {}

    def rows(self, table: str) -> Iterator[dict[str, Any]]:
        """Every row of a table, by primary key."""
        return iter(self._select(table, (), ()))

    def row(self, table: str, pk: Key) -> dict[str, Any] | None:
        """The row with a key, or None."""
        return next(iter(self._select(table, self._tables[table].key, tuple(pk))), None)

    def find(self, table: str, where: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
        """The rows with these values in some columns, by primary key."""
        return iter(self._select(table, tuple(where), tuple(where.values())))

    def data(self, sha256: str) -> bytes | None:
        """Stored bytes by their digest, or None."""
        found = self._fetch("SELECT data FROM blob WHERE sha256 = ?", (sha256,))
        return bytes(found[0][0]) if found else None

    def read_held(self, table: str, pk: Key) -> bytes | None:
        """The bytes of a row, in the column that its table holds them in, or None."""
        holds = self._tables[table].conduct.holds
        if holds is None:
            return None
        where = " AND ".join(f'"{name}" = ?' for name in self._tables[table].key)
        found = self._fetch(f'SELECT "{holds[0]}" FROM "{table}" WHERE {where}', tuple(pk))
        return bytes(found[0][0]) if found and found[0][0] is not None else None

    def blobs(self, table: str, column: str) -> Iterator[tuple[Key, bytes]]:
        """The bytes of a column of every row, with the row's key."""
        names = (*self._tables[table].key, column)
        listed = ", ".join(f'"{name}"' for name in names)
        return ((row[:-1], bytes(row[-1])) for row in self._fetch(f'SELECT {listed} FROM "{table}"', ()) if row[-1])

    def _fetch(self, statement: str, values: Sequence[Any]) -> list[Any]:
        return self._store.connection(self._world).raw.execute(statement, values).fetchall()

    def _select(self, table: str, by: tuple[str, ...], values: Sequence[Any]) -> list[dict[str, Any]]:
        if (table, by) not in self._selects:
            self._selects[table, by] = self._statement(table, by)
        names, statement = self._selects[table, by]
        return [dict(zip(names, row, strict=True)) for row in self._fetch(statement, values)]

    def _statement(self, table: str, by: tuple[str, ...]) -> tuple[list[str], str]:
        known = self._tables[table]
        names = [name for name, kind in known.columns.items() if kind != "blob"]
        listed, order = (", ".join(f'"{name}"' for name in some) for some in (names, known.key))
        where = "WHERE " + " AND ".join(f'"{name}" = ?' for name in by) if by else ""
        return names, f'SELECT {listed} FROM "{table}" {where} ORDER BY {order}'


class KeptRows:
    """Cache of rows that are read again and again. Callers must not change them."""

    def __init__(self, rows: Rows) -> None:
        self._rows = rows
        self._tables: dict[str, list[Cells]] = {}
        self._single: dict[tuple[str, Key], Cells | None] = {}
        self._found: dict[tuple[Any, ...], list[Cells]] = {}
        self._count = 0

    def rows(self, table: str) -> Iterator[Cells]:
        """Every row of a table, by primary key."""
        if table not in self._tables:
            found = list(self._rows.rows(table))
            if sum(map(len, self._tables.values())) + len(found) > KEPT_ROWS // 2:
                return iter(found)
            self._tables[table] = found
        return iter(self._tables[table])

    def row(self, table: str, pk: Key) -> Cells | None:
        """The row with a key, or None."""
        place = (table, tuple(pk))
        if place not in self._single:
            found = self._rows.row(table, pk)
            if not self._make_room(1):
                return found
            self._single[place] = found
        return self._single[place]

    def find(self, table: str, where: Mapping[str, Any]) -> Iterator[Cells]:
        """The rows with these values in some columns."""
        asked = (table, *where.items())
        if asked not in self._found:
            found = list(self._rows.find(table, where))
            if not self._make_room(len(found) + 1):
                return iter(found)
            self._found[asked] = found
        return iter(self._found[asked])

    def _make_room(self, count: int) -> bool:
        """Whether so many rows of single look-ups can be kept; the earlier ones are left out where need be."""
        held = sum(map(len, self._tables.values()))
        if held + self._count + count > KEPT_ROWS:
            self._single.clear()
            self._found.clear()
            self._count = 0
        has_room = held + count <= KEPT_ROWS
        self._count += count if has_room else 0
        return has_room

    def data(self, sha256: str) -> bytes | None:
        """Stored bytes by their digest, or None."""
        return self._rows.data(sha256)

    def read_held(self, table: str, pk: Key) -> bytes | None:
        """The bytes of a row, in the column that its table holds them in, or None."""
        return self._rows.read_held(table, pk)

    def blobs(self, table: str, column: str) -> Iterator[tuple[Key, bytes]]:
        """The bytes of a column of every row, with the row's key."""
        return self._rows.blobs(table, column)
