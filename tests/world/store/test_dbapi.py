"""The DB-API module over apsw, compared with the standard library's."""

import sqlite3
from collections.abc import Callable
from typing import Any

import apsw
import pytest

from world.store import BusyError, dbapi

SETUP = (
    "CREATE TABLE t(id INTEGER PRIMARY KEY, name TEXT UNIQUE, level INTEGER CHECK (level < 10))",
    "INSERT INTO t VALUES (1, 'one', 1), (2, 'two', 2), (3, 'three', 3)",
)
STATEMENTS: list[tuple[str, tuple[Any, ...]]] = [
    ("SELECT id, name AS label FROM t ORDER BY id", ()),
    ("SELECT id, name FROM t WHERE id > 99", ()),
    ("SELECT ? AS x, ? AS y", (None, b"\0")),
    ("INSERT INTO t VALUES (?, ?, ?)", (9, "nine", 9)),
    ("INSERT INTO t VALUES (10, 'ten', 1), (11, 'eleven', 1)", ()),
    ("INSERT INTO t(name) VALUES ('x') RETURNING id, name", ()),
    ("UPDATE t SET level = 5", ()),
    ("UPDATE t SET level = 5 WHERE id > 99", ()),
    ("DELETE FROM t WHERE id < 3 RETURNING id", ()),
    ("DELETE FROM t", ()),
    ("CREATE TABLE u(id)", ()),
    ("PRAGMA user_version", ()),
    ("PRAGMA user_version=4", ()),
    ("WITH n(x) AS (SELECT 1 UNION ALL SELECT 2) SELECT x FROM n ORDER BY x", ()),
    ("EXPLAIN SELECT 1 WHERE 0", ()),
]
MISTAKES: list[tuple[str, tuple[Any, ...]]] = [
    ("INSERT INTO t VALUES (1, 'again', 1)", ()),
    ("INSERT INTO t VALUES (7, 'one', 1)", ()),
    ("UPDATE t SET level = 50", ()),
    ("SELECT nothing FROM t", ()),
    ("SELEKT", ()),
    ("SELECT ?", ()),
    ("SELECT ?", (1, 2)),
    ("SELECT abs(-9223372036854775808)", ()),
]


@pytest.fixture(params=["apsw", "sqlite3"])
def connect(request: pytest.FixtureRequest) -> Callable[[], Any]:
    def connect() -> Any:
        if request.param == "apsw":
            return dbapi.connect(":memory:")
        return sqlite3.connect(":memory:", isolation_level=None)

    return connect


def both() -> tuple[Any, Any]:
    connections = dbapi.connect(":memory:"), sqlite3.connect(":memory:", isolation_level=None)
    for connection in connections:
        for sql in SETUP:
            connection.execute(sql)
    return connections


@pytest.mark.parametrize(("sql", "params"), STATEMENTS)
def test_a_statement_answers_as_in_the_standard_library(sql: str, params: tuple[Any, ...]) -> None:
    answers = []
    for connection in both():
        cursor = connection.cursor()
        cursor.execute(sql, params)
        rows = cursor.fetchall()
        described = [column[0] for column in cursor.description] if cursor.description else None
        answers.append((rows, described, cursor.rowcount if "CREATE" not in sql else None))
        connection.close()
    if "EXPLAIN" in sql or "RETURNING" in sql:  # plans differ by version; sqlite3 counts while rows are fetched
        answers = [answer[1:2] for answer in answers]
    assert answers[0] == answers[1]


@pytest.mark.parametrize(("sql", "params"), MISTAKES)
def test_a_mistake_raises_the_class_of_the_standard_library(sql: str, params: tuple[Any, ...]) -> None:
    raised = []
    for connection in both():
        with pytest.raises(sqlite3.Error) as caught:
            connection.execute(sql, params).fetchall()
        raised.append(caught.type)
        connection.close()
    assert raised[0] is raised[1]


def test_dml_with_returning_counts_its_rows_at_once() -> None:
    connection, other = both()
    cursor = connection.execute("UPDATE t SET level = 0 WHERE id < 3 RETURNING id")
    assert cursor.rowcount == 2
    assert sorted(cursor.fetchall()) == [(1,), (2,)]
    connection.close()
    other.close()


def test_executemany_counts_all_rows() -> None:
    for connection in both():
        cursor = connection.cursor()
        cursor.executemany("UPDATE t SET level = ? WHERE id <= ?", [(1, 1), (2, 2), (3, 0)])
        assert cursor.rowcount == 3
        connection.close()


def test_a_select_without_rows_still_has_columns() -> None:
    connection, other = both()
    cursor = connection.execute("SELECT id, name FROM t WHERE 0")
    assert [column[0] for column in cursor.description] == ["id", "name"]
    assert (cursor.fetchone(), cursor.fetchmany(3), cursor.fetchall()) == (None, [], [])
    connection.close()
    other.close()


def test_rows_come_one_some_and_all() -> None:
    for connection in both():
        cursor = connection.cursor()
        cursor.execute("SELECT id FROM t ORDER BY id")
        assert (cursor.fetchone(), cursor.fetchmany(1), cursor.fetchall()) == ((1,), [(2,)], [(3,)])
        connection.close()


def test_a_transaction_is_what_begin_opened() -> None:
    connection, other = both()
    connection.execute("UPDATE t SET level = 7")
    connection.rollback()
    assert connection.execute("SELECT DISTINCT level FROM t").fetchall() == [(7,)]
    connection.begin()
    connection.execute("UPDATE t SET level = 8")
    connection.rollback()
    assert connection.execute("SELECT DISTINCT level FROM t").fetchall() == [(7,)]
    connection.begin()
    connection.execute("UPDATE t SET level = 9")
    connection.commit()
    assert connection.execute("SELECT DISTINCT level FROM t").fetchall() == [(9,)]
    connection.close()
    other.close()


def test_a_closed_connection_says_so(connect: Callable[[], Any]) -> None:
    connection = connect()
    cursor = connection.cursor()
    connection.close()
    with pytest.raises(sqlite3.ProgrammingError, match="closed"):
        cursor.execute("SELECT 1")


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (apsw.ConstraintError("x"), sqlite3.IntegrityError),
        (apsw.BusyError("x"), sqlite3.OperationalError),
        (apsw.FullError("x"), sqlite3.OperationalError),
        (apsw.ReadOnlyError("x"), sqlite3.OperationalError),
        (apsw.TooBigError("x"), sqlite3.DataError),
        (apsw.CorruptError("x"), sqlite3.DatabaseError),
        (apsw.InternalError("x"), sqlite3.InternalError),
        (apsw.MisuseError("x"), sqlite3.ProgrammingError),
    ],
)
def test_every_failure_of_apsw_has_its_class(error: apsw.Error, expected: type[sqlite3.Error]) -> None:
    assert type(dbapi.translate(error)) is expected


def test_a_closed_or_used_cursor_leaves_no_statement_open() -> None:
    connection, other = both()
    cursor = connection.cursor()
    for finish in (cursor.close, lambda: cursor.execute("SELECT 1").fetchall()):
        cursor.execute("SELECT id FROM t")
        assert cursor.fetchone() is not None and connection.raw.txn_state() == 1
        finish()
        assert connection.raw.txn_state() == 0
    with pytest.raises(sqlite3.OperationalError):
        cursor.execute("SELECT abs(-9223372036854775808)").fetchall()
    cursor.execute("SELECT id FROM t")
    with pytest.raises(sqlite3.OperationalError):
        cursor.execute("SELEKT")
    assert connection.raw.txn_state() == 0
    connection.close()
    other.close()


def test_a_fresh_cursor_has_nothing_and_fetches_one_at_a_time() -> None:
    for connection in both():
        cursor = connection.cursor()
        assert (cursor.description, cursor.rowcount, cursor.lastrowid, cursor.arraysize) == (None, -1, None, 1)
        assert (cursor.fetchone(), cursor.fetchmany(), cursor.fetchall()) == (None, [], [])
        cursor.execute("-- nothing")
        assert (cursor.description, cursor.rowcount, cursor.lastrowid, cursor.fetchall()) == (None, -1, None, [])
        cursor.execute("SELECT id FROM t ORDER BY id")
        assert cursor.fetchmany() == [(1,)]
        cursor.arraysize = 5
        assert cursor.fetchmany() == [(2,), (3,)] and cursor.fetchmany() == []
        cursor.execute("INSERT INTO t VALUES (20, 'x', 1)")
        assert (cursor.lastrowid, cursor.rowcount, cursor.description, cursor.fetchone()) == (20, 1, None, None)
        cursor.execute("SELECT 1")
        assert cursor.rowcount == -1 and cursor.fetchall() == [(1,)]
        connection.close()


@pytest.mark.parametrize(
    ("sql", "count"),
    [
        ("  insert INTO t VALUES (30, 'x', 1), (31, 'y', 1)", 2),
        ("REPLACE INTO t VALUES (1, 'x', 1)", 1),
        ("WITH n AS (SELECT 2 AS id) UPDATE t SET level = 0 WHERE id IN n", 1),
        ("delete from t", 3),
        ("CREATE INDEX i ON t(level)", -1),
        ("BEGIN", -1),
    ],
)
def test_rows_are_counted_of_what_changes_rows(sql: str, count: int) -> None:
    connection, other = both()
    connection.execute("UPDATE t SET level = 3")
    assert connection.execute(sql).rowcount == count
    connection.close()
    other.close()


def test_many_statements_return_and_count_their_rows_and_not_those_of_triggers() -> None:
    connection, other = both()
    connection.execute("CREATE TRIGGER again AFTER UPDATE ON t BEGIN UPDATE t SET level = 0 WHERE id = 3; END")
    cursor = connection.cursor()
    cursor.executemany("UPDATE t SET level = ? WHERE id <= ? RETURNING id", [(1, 1), (2, 2)])
    assert cursor.rowcount == 3 and [cursor.fetchone(), *cursor.fetchall()] == [(1,), (1,), (2,)]
    cursor.executemany("UPDATE t SET level = ?", [])
    assert cursor.rowcount == 0 and cursor.fetchall() == []
    with pytest.raises(sqlite3.IntegrityError):
        cursor.executemany("UPDATE t SET level = ?", [(1,), (50,)])
    connection.close()
    other.close()


def test_in_autocommit_nothing_is_begun_and_a_transaction_begun_elsewhere_is_left_alone() -> None:
    connection, other = both()
    connection.isolation_level = None
    connection.begin()
    assert not connection.raw.in_transaction and not connection.begun
    connection.isolation_level = ""
    connection.raw.execute("BEGIN")
    with pytest.raises(BusyError, match="begun outside SQLAlchemy"):
        connection.begin()
    connection.commit()
    connection.rollback()
    assert connection.raw.in_transaction
    connection.raw.execute("ROLLBACK")
    for end in (connection.commit, connection.rollback):
        connection.begin()
        assert connection.begun and connection.raw.in_transaction
        end()
        assert not connection.begun and not connection.raw.in_transaction
    connection.begin()
    connection.raw.execute("ROLLBACK")
    connection.commit()
    assert not connection.begun
    connection.close()
    other.close()


def test_sql_calls_functions_and_deterministic_ones_may_stand_in_an_index() -> None:
    connection, other = both()
    for name, deterministic in (("twice", True), ("guess", False)):
        connection.create_function(name, 1, lambda n: n * 2, deterministic=deterministic)
        assert connection.execute(f"SELECT {name}(4)").fetchall() == [(8,)]
    connection.execute("CREATE INDEX by_twice ON t(twice(level))")
    with pytest.raises(sqlite3.OperationalError, match="non-deterministic"):
        connection.execute("CREATE INDEX by_guess ON t(guess(level))")
    connection.close()
    other.close()
