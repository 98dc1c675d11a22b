"""Builds a base image: tables of the company and of every app, their rows, the kernel's tables, then the seal."""

import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path

import sqlalchemy
from sqlalchemy.schema import CreateIndex, CreateTable
from sqlmodel import SQLModel

from world.core import directory  # registers the company's tables
from world.core.app import App
from world.core.journal import create_kernel, create_triggers
from world.store import dialect, seal
from world.store.dbapi import Connection
from world.store.raw_connection import open_raw

__all__ = ["build", "directory"]

Load = Callable[[sqlalchemy.Connection], None]


def build(images: Path, apps: Iterable[App], load: Load, *, now: int) -> Path:
    """Build and seal an image whose clock stands at `now` (us UTC); returns `images/<sha256>.db`.

    It holds the company's tables and those of these apps (`<app>_...`), even if the process has imported others.
    `load` inserts the rows; full-text tables and their triggers exist by then, the journal's do not.
    """
    listed = sorted(apps, key=lambda item: item.name)
    tables = [table for table in SQLModel.metadata.sorted_tables if _belongs(table, listed)]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "building.db"
        engine = dialect.engine(lambda: _open(path))
        with engine.connect() as connection:
            for table in tables:  # create_all makes a table's indexes in the order of a set
                connection.execute(CreateTable(table))
                for index in sorted(table.indexes, key=lambda one: str(one.name)):
                    connection.execute(CreateIndex(index))
            connection.commit()
            for app in listed:
                for statement in app.ddl:
                    connection.exec_driver_sql(statement)
            load(connection)
            create_kernel(connection)
            create_triggers(connection, [table.name for table in tables])
            connection.execute(sqlalchemy.text("UPDATE _now SET at = :now"), {"now": now})
            connection.commit()
        engine.dispose()
        return seal(path, images)


def _belongs(table: sqlalchemy.Table, apps: list[App]) -> bool:
    return table.name in directory.TABLES or table.name.startswith(tuple(f"{app.name}_" for app in apps))


def _open(path: Path) -> Connection:
    connection = Connection(open_raw(str(path)))
    for pragma in ("page_size=1024", "journal_mode=memory", "synchronous=off", "foreign_keys=on"):
        connection.raw.execute(f"PRAGMA {pragma}").fetchall()
    return connection
