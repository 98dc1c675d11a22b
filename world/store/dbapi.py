"""A DB-API 2.0 module over an apsw connection, as far as SQLAlchemy needs one."""

import sqlite3
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import apsw

from world.store import raw_connection
from world.store.errors import BusyError
from world.store.raw_connection import RawConnection, open_raw

apilevel = "2.0"
threadsafety = 1
paramstyle = "qmark"
sqlite_version = apsw.sqlite_lib_version()
sqlite_version_info = tuple(int(part) for part in sqlite_version.split("."))

Warning = sqlite3.Warning
Error = sqlite3.Error
InterfaceError = sqlite3.InterfaceError
DatabaseError = sqlite3.DatabaseError
DataError = sqlite3.DataError
OperationalError = sqlite3.OperationalError
IntegrityError = sqlite3.IntegrityError
InternalError = sqlite3.InternalError
ProgrammingError = sqlite3.ProgrammingError
NotSupportedError = sqlite3.NotSupportedError
Binary = memoryview

Parameters = Sequence[Any] | Mapping[str, Any]
CLASSES: tuple[tuple[type[apsw.Error] | tuple[type[apsw.Error], ...], type[sqlite3.Error]], ...] = (
    (apsw.ConstraintError, IntegrityError),
    ((apsw.ConnectionClosedError, apsw.CursorClosedError, apsw.BindingsError, apsw.MisuseError), ProgrammingError),
    (apsw.TooBigError, DataError),
    (apsw.InternalError, InternalError),
    (apsw.CorruptError, DatabaseError),
)


def translate(error: apsw.Error) -> sqlite3.Error:
    """The class that the standard library raises for the same failure."""
    kind = next((ours for theirs, ours in CLASSES if isinstance(error, theirs)), OperationalError)
    text = str(error).removeprefix("SQLError: ")
    return kind("Cannot operate on a closed database." if isinstance(error, apsw.ConnectionClosedError) else text)


class Connection:
    """Autocommit until `begin`: transactions are never guessed from the SQL text.

    A transaction begun elsewhere on the apsw connection is left alone: SQLAlchemy rolls back after any error.
    """

    isolation_level: str | None = ""
    begun = False

    def __init__(self, raw: RawConnection):
        self.raw = raw

    def cursor(self) -> "Cursor":
        return Cursor(self.raw)

    def begin(self) -> None:
        if self.isolation_level is None:  # SQLAlchemy sets it for AUTOCOMMIT
            return
        if self.raw.in_transaction:
            raise BusyError("a transaction begun outside SQLAlchemy is open: end it, or begin with bound.sql.begin()")
        self._run("BEGIN")
        self.begun = True

    def commit(self) -> None:
        if self.begun and self.raw.in_transaction:
            self._run("COMMIT")
        self.begun = False

    def rollback(self) -> None:
        if self.begun and self.raw.in_transaction:
            self._run("ROLLBACK")
        self.begun = False

    def close(self) -> None:
        self.raw.close()

    def create_function(
        self, name: str, narg: int, function: Callable[..., Any], *, deterministic: bool = False
    ) -> None:
        self.raw.create_scalar_function(name, function, narg, deterministic=deterministic)

    def execute(self, sql: str, params: Parameters = ()) -> "Cursor":
        return self.cursor().execute(sql, params)

    def _run(self, sql: str) -> None:
        try:
            self.raw.execute(sql)
        except apsw.Error as error:
            raise translate(error) from error


class Cursor:
    """Rows are fetched as they are asked for, save those of a RETURNING, which end the statement first."""

    def __init__(self, raw: RawConnection):
        self.raw = raw
        self.arraysize = 1
        self.description: list[tuple[Any, ...]] | None = None
        self.rowcount = -1
        self.lastrowid: int | None = None
        self._cursor = raw.cursor()
        self._rows: list[tuple[Any, ...]] | None = None
        self._readonly = True

    def execute(self, sql: str, params: Parameters = ()) -> "Cursor":
        try:
            self._prepare()
            self._cursor.execute(sql, params)
            if self._readonly:
                self.rowcount = -1
            else:
                self._rows = self._cursor.fetchall() if self.description else []
                self.rowcount = self.raw.changes() if self._counts(sql) else -1
                self.lastrowid = self.raw.last_insert_rowid()
        except apsw.Error as error:
            self.close()
            raise translate(error) from error
        return self

    def executemany(self, sql: str, params: Iterable[Parameters]) -> "Cursor":
        try:
            self._prepare()
            self._rows, self.rowcount = [], 0
            for one in params:  # total_changes() would count the rows of triggers too
                self._cursor.execute(sql, one)
                self._rows += self._cursor.fetchall() if self.description else []
                self.rowcount += self.raw.changes()
        except apsw.Error as error:
            self.close()
            raise translate(error) from error
        return self

    def fetchone(self) -> tuple[Any, ...] | None:
        if self._rows is not None:
            return self._rows.pop(0) if self._rows else None
        return self._fetch(self._cursor.fetchone)

    def fetchmany(self, size: int | None = None) -> list[tuple[Any, ...]]:
        rows: list[tuple[Any, ...]] = []
        while len(rows) < (size or self.arraysize) and (row := self.fetchone()) is not None:
            rows.append(row)
        return rows

    def fetchall(self) -> list[tuple[Any, ...]]:
        if self._rows is not None:
            rows, self._rows = self._rows, []
            return rows
        return self._fetch(self._cursor.fetchall)

    def close(self) -> None:
        self._cursor.close(True)

    def setinputsizes(self, sizes: object) -> None:
        """Nothing to prepare."""

    def setoutputsize(self, size: int, column: int | None = None) -> None:
        """Nothing to prepare."""

    def _prepare(self) -> None:
        self.close()
        self._cursor = self.raw.cursor()
        self.description, self.rowcount, self._rows = None, -1, None
        self._cursor.exec_trace = self._describe

    def _describe(self, cursor: raw_connection.Cursor, sql: str, params: object) -> bool:
        """Runs while the statement is prepared: afterwards a SELECT without rows has no description."""
        self.description = [
            (column[0], None, None, None, None, None, None) for column in cursor.get_description()
        ] or None
        self._readonly = cursor.is_readonly
        return True

    @staticmethod
    def _counts(sql: str) -> bool:
        return sql.lstrip()[:7].upper().startswith(("INSERT", "UPDATE", "DELETE", "REPLACE", "WITH"))

    def _fetch(self, fetch: Callable[[], Any]) -> Any:
        try:
            return fetch()
        except apsw.Error as error:
            raise translate(error) from error


def connect(filename: str, **_: object) -> Connection:
    """A plain database, outside any store: for dialect tests and tools."""
    return Connection(open_raw(filename))
