"""How rows are written down as JSON and hashed, for every kind of table and column."""

import hashlib
from pathlib import Path
from typing import Any

import apsw
import pytest

from world.core import journal
from world.store import Base, Store, seal
from world.store.digest import (
    RunningDigest,
    is_tracked,
    list_tracked_tables,
    literal,
    quote_name,
    row_hash,
    scan,
    shape,
)

TABLES = {
    "plain": "CREATE TABLE plain(id INTEGER PRIMARY KEY, name TEXT)",
    "keyless": "CREATE TABLE keyless(name TEXT, size)",
    "paired": "CREATE TABLE paired(b TEXT, x BLOB, a INTEGER, PRIMARY KEY(a, b)) WITHOUT ROWID",
    "binary": "CREATE TABLE binary(id BLOB PRIMARY KEY, n INTEGER)",
    "untyped": "CREATE TABLE untyped(id PRIMARY KEY, n)",
    "content": "CREATE TABLE content(sha1 BLOB PRIMARY KEY, data BLOB, kind TEXT)",
    "made": "CREATE TABLE made(id INTEGER PRIMARY KEY, n INTEGER, twice INTEGER AS (n * 2) STORED, thrice AS (n * 3))",
    'odd "name': 'CREATE TABLE "odd ""name"("the \'key" TEXT PRIMARY KEY)',
}
ROWS: list[tuple[str, tuple[Any, ...], str, str]] = [
    ("plain", (1, "é"), "[1]", '{"id":1,"name":"é"}'),
    ("keyless", ("x", b"\x01\xff"), "[1]", '{"name":"x","size":"01FF"}'),
    ("paired", ("k", None, 2), '[2,"k"]', '{"b":"k","x":null,"a":2}'),
    ("binary", (b"\xab", 3), '["AB"]', '{"id":"AB","n":3}'),
    ("untyped", ("k", 1.5), '["k"]', '{"id":"k","n":1.5}'),
    ("content", (b"\x12", b"\0\0\0", "png"), '["12"]', '{"sha1":"12","data":3,"kind":"png"}'),
    ("made", (1, 5), "[1]", '{"id":1,"n":5,"twice":10,"thrice":15}'),
    ('odd "name', ("k",), '["k"]', '{"the \'key":"k"}'),
]


@pytest.fixture
def plain() -> apsw.Connection:
    connection = apsw.Connection(":memory:")
    for sql in TABLES.values():
        connection.execute(sql)
    journal.create_kernel(connection)
    journal.create_triggers(connection, TABLES)
    return connection


def insert(connection: apsw.Connection, table: str, values: tuple[Any, ...]) -> None:
    names = "(id, n)" if table == "made" else ""
    connection.execute(f"INSERT INTO {quote_name(table)}{names} VALUES ({', '.join('?' * len(values))})", values)


@pytest.mark.parametrize(("table", "values", "pk", "after"), ROWS)
def test_a_row_is_written_and_found_by_its_key(
    plain: apsw.Connection, table: str, values: tuple[Any, ...], pk: str, after: str
) -> None:
    insert(plain, table, values)
    ask = shape(plain, table)
    assert plain.execute("SELECT table_name, pk, after FROM _journal").fetchall() == [(table, pk, after)]
    assert plain.execute(ask.find(table), (pk,)).fetchall() == [(after,)]
    assert plain.execute(ask.find(table), ('["other"]',)).fetchall() == []
    columns = {table: ask.columns}
    assert scan(plain, columns) == row_hash(table, pk, after) and scan(plain, {}) == 0


@pytest.mark.parametrize(("table", "values", "pk", "after"), ROWS)
def test_only_a_changed_key_is_a_row_gone_and_a_row_come(
    plain: apsw.Connection, table: str, values: tuple[Any, ...], pk: str, after: str
) -> None:
    insert(plain, table, values)
    keys = [column.name for column in shape(plain, table).keys] or ["rowid"]
    value = "X'00'" if table in ("binary", "content") else "99"
    for key in keys:
        plain.execute(f"UPDATE {quote_name(table)} SET {quote_name(key)} = {quote_name(key)}")
    same = plain.execute("SELECT op, before, after FROM _journal WHERE id > 1").fetchall()
    assert same == [("update", after, after)] * len(keys)
    plain.execute("DELETE FROM _journal")
    for key in keys:
        plain.execute(f"UPDATE {quote_name(table)} SET {quote_name(key)} = {value}")
    moved = plain.execute("SELECT op, pk FROM _journal").fetchall()
    assert [op for op, _ in moved] == ["delete", "insert"] * len(keys) and moved[0][1] == pk != moved[-1][1]


def test_a_hash_is_that_of_table_key_and_row_and_stays_in_every_version() -> None:
    """Hashes of states are compared with those that manifests hold."""
    text = b'plain\0[1]\0{"id":1}'
    assert row_hash("plain", "[1]", '{"id":1}') == int(hashlib.blake2b(text, digest_size=16).hexdigest(), 16)
    assert row_hash("plain", "[1]", "\ud800") != row_hash("plain", "[1]", "\ud801")


@pytest.mark.parametrize(
    ("table", "tracked"),
    [
        ("message", True),
        ("fts_notes", True),
        ("_journal", False),
        ("sqlite_stat1", False),
        ("message_fts", False),
        ("message_fts_data", False),
        ("story_ref", False),
        ("story_refs", True),
    ],
)
def test_tables_of_the_kernel_of_sqlite_and_of_the_story_are_not_tracked(table: str, tracked: bool) -> None:
    assert is_tracked(table) is tracked


def test_tracked_tables_are_listed_by_name(plain: apsw.Connection) -> None:
    plain.execute("CREATE VIRTUAL TABLE words USING fts5(x); CREATE VIEW seen AS SELECT 1")
    listed = list_tracked_tables(plain)
    assert listed == sorted([*TABLES, *(name for name in listed if name.startswith("words_"))])
    assert "words" not in listed and (quote_name('a"b'), literal("a'b")) == ('"a""b"', "'a''b'")


def test_a_running_digest_is_that_of_all_bytes() -> None:
    running = RunningDigest()
    for data in (b"ab", b"", b"c"):
        running.add(data)
    assert (running.position, running.hexdigest()) == (3, hashlib.sha256(b"abc").hexdigest())


def test_an_image_without_calls_makes_worlds_that_have_none(tmp_path: Path) -> None:
    building = apsw.Connection(str(tmp_path / "building"))
    building.execute("CREATE TABLE team(id INTEGER PRIMARY KEY, name TEXT)")
    building.close()
    base = Base(seal(tmp_path / "building", tmp_path / "images"))
    assert not base.has_calls and base.state_hash == 0 and list(base.tables) == ["team"]
    for _ in range(2):
        store = Store(tmp_path / "worlds", base)
        world = store.open("a") if store.holds("a") else store.create("a")
        raw = store.connection(world).raw
        raw.execute("INSERT INTO team(name) VALUES ('x')")
        count = raw.execute("SELECT count(*) FROM team").fetchall()
        assert store.snapshot(world) == 0
        store.close()
    assert count == [(2,)]
