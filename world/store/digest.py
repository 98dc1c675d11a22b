"""Fingerprints: of a row, of all rows of a database, of the records of a log."""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

MODULUS = 1 << 128


class Reads(Protocol):
    """A connection to SQLite, of whichever driver."""

    def execute(self, sql: str, /) -> Iterable[tuple[Any, ...]]: ...


def is_tracked(table: str) -> bool:
    """Whether the rows of the table belong to journal, diff and hash."""
    return not (table.startswith(("_", "sqlite_")) or "_fts" in table or table == "story_ref")


def quote_name(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def literal(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def row_hash(table: str, pk: str, columns: str) -> int:
    """Hash of one row; `pk` and `columns` are the JSON texts that the journal triggers write."""
    text = f"{table}\0{pk}\0{columns}".encode("utf-8", "surrogatepass")
    return int.from_bytes(hashlib.blake2b(text, digest_size=16).digest(), "big")


class Column(NamedTuple):
    name: str
    declared: str
    key: int


class Shape:
    """JSON form of the rows of one table, the same in triggers and in full scans."""

    def __init__(self, columns: Sequence[Column]):
        self.columns = columns
        self.keys = sorted((column for column in columns if column.key), key=lambda column: column.key)
        self.addressed = any(column.name in ("sha256", "sha1") for column in self.keys)

    def pk(self, row: str = "") -> str:
        if not self.keys:
            return f"json_array({row}rowid)"
        return f"json_array({', '.join(self._value(row, column) for column in self.keys)})"

    def json(self, row: str = "") -> str:
        parts = (f"{literal(column.name)}, {self._value(row, column)}" for column in self.columns)
        return f"json_object({', '.join(parts)})"

    def find(self, table: str) -> str:
        """The statement that finds a row, as JSON, by the JSON text of its key."""
        keys = self.keys or [Column("rowid", "INTEGER", 1)]
        if all(key.declared and "BLOB" not in key.declared.upper() for key in keys):
            tests = (f"{quote_name(key.name)} = json_extract(?1, '$[{place}]')" for place, key in enumerate(keys))
        else:
            tests = (f"{self.pk()} = ?1",)
        return f"SELECT {self.json()} FROM {quote_name(table)} WHERE {' AND '.join(tests)}"

    def key_changed(self) -> str:
        if not self.keys:
            return "old.rowid IS NOT new.rowid"
        return " OR ".join(f"old.{quote_name(key.name)} IS NOT new.{quote_name(key.name)}" for key in self.keys)

    def _value(self, row: str, column: Column) -> str:
        value = row + quote_name(column.name)
        if column.declared and "BLOB" not in column.declared.upper():
            return value
        if self.addressed and not column.key:
            return f"length({value})"
        return f"CASE typeof({value}) WHEN 'blob' THEN hex({value}) ELSE {value} END"


def shape(connection: Reads, table: str) -> Shape:
    rows = connection.execute(f"PRAGMA table_xinfo({quote_name(table)})")
    return Shape([Column(row[1], row[2], row[5]) for row in rows if row[6] != 1])


def list_tracked_tables(connection: Reads) -> list[str]:
    rows = connection.execute(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE 'create virtual%' ORDER BY name"
    )
    return [row[0] for row in rows if is_tracked(row[0])]


def list_tracked_columns(connection: Reads) -> dict[str, Sequence[Column]]:
    """The tracked tables and their columns; asked of the base, since worlds refuse pragmas."""
    return {table: shape(connection, table).columns for table in list_tracked_tables(connection)}


def scan(connection: Reads, tables: Mapping[str, Sequence[Column]]) -> int:
    """Hash of all rows of the tables, read one by one: what the incremental hash must equal."""
    total = 0
    for table, columns in tables.items():
        row = Shape(columns)
        for pk, after in connection.execute(f"SELECT {row.pk()}, {row.json()} FROM {quote_name(table)}"):
            total += row_hash(table, pk, after)
    return total % MODULUS


class RunningDigest:
    """sha256 of all records from the base to a position; goes on where it stopped."""

    def __init__(self) -> None:
        self.position = 0
        self._sha = hashlib.sha256()

    def add(self, data: bytes) -> None:
        self._sha.update(data)
        self.position += len(data)

    def hexdigest(self) -> str:
        return self._sha.hexdigest()
