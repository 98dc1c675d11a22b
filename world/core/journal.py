"""Journal of the rows that each call changed: the kernel's tables, the triggers that fill it, and its reading."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import orjson
from sqlalchemy import Connection as SQLConnection

from world.store import Bound, TooManyRows
from world.store.digest import Reads, Shape, is_tracked, literal, quote_name, shape

MAX_ROWS = 300_000  # changed rows in one call

KERNEL = (
    """CREATE TABLE _now(
        id INTEGER PRIMARY KEY CHECK (id = 1),
        at INTEGER NOT NULL,
        call_seq INTEGER NOT NULL)""",
    "INSERT INTO _now(id, at, call_seq) VALUES (1, 0, 0)",
    """CREATE TABLE _call(
        seq INTEGER PRIMARY KEY,
        at INTEGER NOT NULL,
        actor TEXT NOT NULL,
        door TEXT NOT NULL,
        operation TEXT NOT NULL,
        params_hash TEXT NOT NULL,
        cause_seq INTEGER,
        status TEXT NOT NULL,
        start_mark INTEGER NOT NULL)""",
    """CREATE TABLE _journal(
        id INTEGER PRIMARY KEY,
        call_seq INTEGER NOT NULL,
        table_name TEXT NOT NULL,
        pk TEXT NOT NULL,
        op TEXT NOT NULL,
        before TEXT,
        after TEXT)""",
    """CREATE TABLE _queue(
        seq INTEGER PRIMARY KEY,
        due INTEGER NOT NULL,
        priority INTEGER NOT NULL,
        number INTEGER NOT NULL,
        cause_seq INTEGER,
        facts TEXT)""",
    "CREATE INDEX _queue_due ON _queue(due, priority, seq)",
    """CREATE TABLE _fault(
        number INTEGER PRIMARY KEY,
        since INTEGER NOT NULL,
        mark_seq INTEGER NOT NULL,
        ending INTEGER)""",
    "CREATE TABLE _state(key TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID",
)

NEXT_CALL = (
    "UPDATE _now SET call_seq = (SELECT coalesce(max(seq), 0) FROM _call) + 1, at = ? WHERE id = 1 RETURNING call_seq"
)
RESUME_CALL = "UPDATE _now SET call_seq = ? WHERE id = 1"
START_CALL = """INSERT INTO _call(seq, at, actor, door, operation, params_hash, cause_seq, status, start_mark)
    VALUES (?, ?, ?, ?, ?, ?, ?, 'running', ?)"""
FINISH_CALL = "UPDATE _call SET status = ? WHERE seq = ?"
SET_NOW = "UPDATE _now SET at = ? WHERE id = 1"
OVERFLOW = "SELECT call_seq FROM _journal WHERE id = (SELECT max(id) FROM _journal) - ?"
CHANGES = """SELECT id, call_seq, table_name, pk, op, before, after FROM _journal
    WHERE id > coalesce((SELECT max(id) FROM _journal WHERE ?1 > 0 AND call_seq <= ?1), 0) AND call_seq <= ?2 ORDER BY
    id"""

ENTRIES = """SELECT id, table_name, pk, before, after FROM _journal
    WHERE id > coalesce((SELECT max(id) FROM _journal WHERE ?1 > 0 AND call_seq <= ?1), 0) ORDER BY id"""
TABLES_AFTER = "SELECT DISTINCT table_name FROM _journal WHERE id > ?"
CHANGES_AFTER = "SELECT id, call_seq, table_name, pk, op, before, after FROM _journal WHERE id > ? ORDER BY id"

LAST_CHANGE_OF = "SELECT id FROM _journal WHERE call_seq <= ? ORDER BY id DESC LIMIT 1"
CHANGES_BETWEEN = (
    "SELECT id, call_seq, table_name, pk, op, before, after FROM _journal WHERE id > ? AND id <= ? ORDER BY id"
)


@dataclass(frozen=True, slots=True)
class Change:
    """One changed row, as the journal has it."""

    id: int
    call_seq: int
    table: str
    pk: tuple[Any, ...]
    op: str
    before: dict[str, Any] | None
    after: dict[str, Any] | None


def create_kernel(connection: Reads | SQLConnection) -> None:
    """The tables every base has beside those of its apps."""
    plain = _plain(connection)
    for statement in KERNEL:
        plain.execute(statement)


def create_triggers(connection: Reads | SQLConnection, tables: Iterable[str]) -> None:
    """Journal triggers for every tracked table of these names; the tables must exist."""
    plain = _plain(connection)
    for name in sorted(tables):
        if is_tracked(name):
            for statement in triggers(name, shape(plain, name)):
                plain.execute(statement)


def triggers(table: str, row: Shape) -> list[str]:
    """A changed key is a row deleted and a row inserted."""
    old, new = row.json("old."), row.json("new.")
    moved = row.key_changed()
    return [
        _trigger(table, "insert", "INSERT", "", [("insert", row.pk("new."), "NULL", new)]),
        _trigger(table, "delete", "DELETE", "", [("delete", row.pk("old."), old, "NULL")]),
        _trigger(table, "update", "UPDATE", f"WHEN NOT ({moved})", [("update", row.pk("new."), old, new)]),
        _trigger(
            table,
            "rekey",
            "UPDATE",
            f"WHEN {moved}",
            [("delete", row.pk("old."), old, "NULL"), ("insert", row.pk("new."), "NULL", new)],
        ),
    ]


def start_call(
    bound: Bound, *, at: int, actor: str, door: str, operation: str, params_hash: str, cause_seq: int | None
) -> int:
    """Number the call and write its row; inside the call's transaction, before anything else."""
    seq = bound.raw.execute(NEXT_CALL, (at,)).fetchall()[0][0]
    assert isinstance(seq, int)
    bound.raw.execute(START_CALL, (seq, at, actor, door, operation, params_hash, cause_seq, bound.world.mark()))
    return seq


def resume_call(bound: Bound, seq: int) -> None:
    """Write rows to the name of an earlier call again, after one inside it."""
    bound.raw.execute(RESUME_CALL, (seq,))


def finish_call(bound: Bound, seq: int, status: str, now: int) -> None:
    """Write how the call ended and what time it is then; refuses a call that changed too many rows."""
    over = bound.raw.execute(OVERFLOW, (MAX_ROWS,)).fetchall()
    if over and over[0][0] == seq:
        raise TooManyRows(f"call {seq} changed more than {MAX_ROWS} rows")
    bound.raw.execute(FINISH_CALL, (status, seq))
    bound.raw.execute(SET_NOW, (now,))


def changes(bound: Bound, since_call: int = 0, until: int | None = None) -> list[Change]:
    """The changed rows of the calls after `since_call`, up to and with `until`, in the order they happened."""
    last = until if until is not None else (1 << 63) - 1
    return _read(bound, CHANGES, (since_call, last))


def entries(bound: Bound, since_call: int) -> list[tuple[Any, ...]]:
    """(id, table, key, before, after) of the calls after `since_call`, as text: for readers that need few of the rows."""
    return bound.raw.execute(ENTRIES, (since_call,)).fetchall()


def changes_after(bound: Bound, id: int) -> list[Change]:
    """The changed rows after a journal id, in the order they happened."""
    return _read(bound, CHANGES_AFTER, (id,))


def changes_between(bound: Bound, after: int, last: int) -> list[Change]:
    """The changed rows after a journal id, up to and with another one, in the order they happened."""
    return _read(bound, CHANGES_BETWEEN, (after, last))


def tables_after(bound: Bound, id: int) -> frozenset[str]:
    """The tables with rows that changed after a journal id."""
    return frozenset(table for (table,) in bound.raw.execute(TABLES_AFTER, (id,)))


def last_change(bound: Bound) -> int:
    """Id of the last journal row; 0 in a fresh world."""
    last = bound.raw.execute("SELECT max(id) FROM _journal").fetchall()[0][0]
    return last if isinstance(last, int) else 0


def last_change_of(bound: Bound, call_seq: int) -> int:
    """Id of the last journal row of the calls up to one; 0 if they changed nothing."""
    found = bound.raw.execute(LAST_CHANGE_OF, (call_seq,)).fetchall()
    return found[0][0] if found else 0


def _read(bound: Bound, select: str, params: tuple[int, ...]) -> list[Change]:
    return [
        Change(id, call, table, tuple(parse_json(pk)), op, before and parse_json(before), after and parse_json(after))
        for id, call, table, pk, op, before, after in bound.raw.execute(select, params)
    ]


def parse_json(text: str | bytes) -> Any:
    """A key or a row as the journal's text has it."""
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError:
        return json.loads(text)  # SQLite writes infinity as 9e999


def _trigger(table: str, name: str, event: str, when: str, rows: list[tuple[str, str, str, str]]) -> str:
    call = "(SELECT call_seq FROM _now WHERE id = 1)"
    inserts = " ".join(
        "INSERT INTO _journal(call_seq, table_name, pk, op, before, after) "
        f"VALUES ({call}, {literal(table)}, {pk}, '{op}', {before}, {after});"
        for op, pk, before, after in rows
    )
    return f"CREATE TRIGGER {quote_name(f'_{table}_{name}')} AFTER {event} ON {quote_name(table)} {when} BEGIN {inserts} END"


class _Driver:
    """A SQLAlchemy connection that takes SQL text like the others."""

    def __init__(self, connection: SQLConnection):
        self._connection = connection

    def execute(self, sql: str, /) -> Any:
        return self._connection.exec_driver_sql(sql)


def _plain(connection: Reads | SQLConnection) -> Reads:
    return _Driver(connection) if isinstance(connection, SQLConnection) else connection
