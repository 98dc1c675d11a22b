"""Statements that no world may run, and connections that are not free."""

from collections.abc import Iterator
from pathlib import Path

import apsw
import pytest
from office import pages, post, posted

from world.store import Base, BusyError, Store, StoreError

SCHEMA = [
    "CREATE TABLE extra(id)",
    "CREATE TEMP TABLE extra(id)",
    "CREATE VIEW extra AS SELECT 1",
    "CREATE TEMP VIEW extra AS SELECT 1",
    "CREATE INDEX extra ON message(body)",
    "CREATE VIRTUAL TABLE extra USING fts5(x)",
    "CREATE TRIGGER extra AFTER INSERT ON team BEGIN SELECT 1; END",
    "CREATE TEMP TRIGGER extra AFTER INSERT ON team BEGIN SELECT 1; END",
    "DROP TABLE message",
    "DROP TABLE message_fts",
    "DROP INDEX ix_person_team_id",
    "DROP TRIGGER _message_insert",
    "ALTER TABLE team ADD COLUMN extra",
    "ALTER TABLE team RENAME TO crew",
    "REINDEX",
    "ANALYZE",
    "PRAGMA optimize",
    "UPDATE sqlite_schema SET sql = 'x'",
    "DELETE FROM sqlite_stat1",
]
BASE_AND_FILES = [
    "ATTACH 'other.db' AS other",
    "ATTACH ':memory:' AS other",
    "DETACH main",
    "VACUUM",
    "VACUUM INTO 'out.db'",
]
SETTINGS = [
    "PRAGMA writable_schema=on",
    "PRAGMA foreign_keys=off",
    "PRAGMA recursive_triggers=off",
    "PRAGMA journal_mode=wal",
    "PRAGMA user_version=7",
    "PRAGMA cache_size=1",
    "PRAGMA table_info(message)",
    "SELECT * FROM pragma_table_info('message')",
    "INSERT INTO message_fts(message_fts, rank) VALUES ('rank', 'bm25(10.0)')",
    "INSERT INTO message_fts_config VALUES ('rank', 'bm25(10.0)')",
    "DELETE FROM message_fts_config",
    "UPDATE message_fts_config SET v = 3",
    "INSERT INTO message_fts_data VALUES (99, x'00')",
]
CHANCE_AND_CLOCK = [
    "SELECT random()",
    "SELECT hex(randomblob(4))",
    "SELECT datetime()",
    "SELECT date('now')",
    "SELECT DateTime('2020-01-01')",
    "SELECT strftime('%s', 'now')",
    "SELECT unixepoch()",
    "SELECT julianday('now')",
    "SELECT current_timestamp",
    "SELECT current_date",
    "INSERT INTO team VALUES (70, current_time)",
    "SELECT * FROM message ORDER BY random()",
    "SELECT changes()",
    "SELECT total_changes()",
    "SELECT last_insert_rowid()",
]


@pytest.fixture
def store(tmp_path: Path, base: Base) -> Iterator[Store]:
    store = Store(tmp_path / "worlds", base, pool=1)
    yield store
    store.close()


@pytest.mark.parametrize("sql", [*SCHEMA, *BASE_AND_FILES, *SETTINGS, *CHANCE_AND_CLOCK])
@pytest.mark.parametrize("inside", [True, False], ids=["in a transaction", "alone"])
def test_a_refused_statement_changes_nothing_for_anyone(store: Store, sql: str, inside: bool) -> None:
    world, neighbour, twin = (store.create(name) for name in ("world", "neighbour", "twin"))
    for each in (world, neighbour, twin):
        post(store, each, 1)
    raw = store.connection(world).raw
    if inside:
        raw.execute("BEGIN")
        raw.execute("INSERT INTO team VALUES (60, 'x')")
    with pytest.raises(apsw.Error):
        raw.execute(sql).fetchall()
    if inside:
        raw.execute("ROLLBACK")
    for each in (world, neighbour, twin):
        post(store, each, 2)
        assert posted(store, each) == [1, 2]
    assert pages(world) == pages(neighbour) == pages(twin)


def test_a_changed_schema_is_refused_even_without_the_authorizer(store: Store) -> None:
    world, neighbour = store.create("world"), store.create("neighbour")
    raw = store.connection(world).raw
    authorizer, raw.authorizer = raw.authorizer, None
    with pytest.raises(apsw.ReadOnlyError, match="schema of a world"):
        raw.execute("CREATE TABLE extra(id)")
    raw.authorizer = authorizer
    for each in (world, neighbour):
        post(store, each, 1)
        with pytest.raises(apsw.SQLError, match="no such table"):
            store.connection(each).raw.execute("SELECT * FROM extra")
    assert pages(world) == pages(neighbour)


def test_an_unfinished_cursor_is_loud(store: Store) -> None:
    world, other = store.create("a"), store.create("b")
    for sql in ("SELECT * FROM message", "INSERT INTO team VALUES (80, 'a'), (81, 'b') RETURNING id"):
        cursor = store.connection(world).raw.execute(sql)
        cursor.fetchone()
        for wanted in (world, other):
            with pytest.raises(BusyError, match="still open"):
                store.connection(wanted)
        cursor.fetchall()
        store.connection(world)
    assert store.connection(world).raw.execute("SELECT count(*) FROM team WHERE id >= 80").fetchall() == [(2,)]
    assert store.connection(other).raw.execute("SELECT count(*) FROM team WHERE id >= 80").fetchall() == [(0,)]


def test_no_counter_of_one_world_is_seen_in_another(store: Store) -> None:
    first, second = store.create("a"), store.create("b")
    store.connection(first).raw.execute("INSERT INTO team VALUES (9000, 'x')")
    assert store.connection(second).raw.last_insert_rowid() == 0


def test_worlds_of_another_store_are_refused(store: Store, tmp_path: Path, base: Base) -> None:
    other = Store(tmp_path / "others", base)
    world = other.create("a")
    with pytest.raises(StoreError, match="another store"):
        store.connection(world)
    other.close()


def test_a_discarded_world_is_refused(store: Store) -> None:
    world = store.create("a")
    post(store, world, 1)
    store.discard(world)
    with pytest.raises(StoreError, match="discarded"):
        store.connection(world)
