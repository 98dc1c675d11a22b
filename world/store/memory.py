"""A connection to rows in memory that stand on no world: copies that something reads and nobody keeps."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import sqlalchemy
from sqlalchemy.schema import CreateTable

from world.store import dbapi, dialect
from world.store.pool import Bound
from world.store.raw_connection import RawConnection, open_raw


class MemoryBound(Bound):
    """A connection without a world."""

    __slots__ = ()

    def __init__(self, raw: RawConnection, sql: sqlalchemy.Connection) -> None:
        self.raw, self.sql = raw, sql


def open_memory(content: Mapping[sqlalchemy.Table, Iterable[Mapping[str, Any]]]) -> MemoryBound:
    """A connection to tables with these rows; values are as SQLite keeps them."""
    raw = open_raw(":memory:")
    sql = dialect.engine(lambda: dbapi.Connection(raw)).connect()
    for table, rows in content.items():
        raw.execute(str(CreateTable(table).compile(dialect=sql.dialect)))
        names = [column.name for column in table.columns]
        listed, marks = ", ".join(f'"{name}"' for name in names), ", ".join("?" * len(names))
        values: list[Sequence[Any]] = [tuple(row.get(name) for name in names) for row in rows]
        raw.executemany(f'INSERT INTO "{table.name}"({listed}) VALUES ({marks})', values)
    return MemoryBound(raw, sql)
