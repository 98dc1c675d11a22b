"""The journal: every changed row, as it was and as it is, by the call that changed it."""

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import apsw
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import BLOB, Boolean, Column, Float, ForeignKey, Integer, MetaData, Table, Text, create_engine

from tests.examples import examples
from world.core import journal
from world.core.journal import Change
from world.store import Base, Bound, QuotaExceeded, Store, seal

metadata = MetaData()
Table(
    "thing",
    metadata,
    Column("id", Text, primary_key=True),
    Column("n", Integer),
    Column("x", Float),
    Column("ok", Boolean),
)
Table(
    "part",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("thing_id", ForeignKey("thing.id", ondelete="CASCADE")),
)
Table(
    "pair",
    metadata,
    Column("b", Integer, primary_key=True),
    Column("a", Text, primary_key=True),
    Column("raw", BLOB),
    sqlite_with_rowid=False,
)
Table("blob", metadata, Column("sha256", Text, primary_key=True), Column("size", Integer), Column("data", BLOB))
Table("odd 'name\"", metadata, Column("the \"key's", Text, primary_key=True), Column("the value", Text))
Table("_hidden", metadata, Column("id", Integer, primary_key=True))
Table("story_ref", metadata, Column("id", Integer, primary_key=True))


@pytest.fixture(scope="module")
def image(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("image")
    engine = create_engine(f"sqlite:///{folder / 'building'}")
    metadata.create_all(engine)
    with engine.begin() as connection:
        journal.create_kernel(connection)
        journal.create_triggers(connection, metadata.tables)
    engine.dispose()
    return seal(folder / "building", folder)


@pytest.fixture
def store(image: Path, tmp_path: Path) -> Iterator[Store]:
    store = Store(tmp_path / "worlds", Base(image))
    yield store
    store.close()


@pytest.fixture
def bound(store: Store) -> Bound:
    return store.connection(store.create("world"))


def start(bound: Bound, cause: int | None = None) -> int:
    bound.begin()
    return journal.start_call(
        bound, at=10, actor="p_ada", door="rest", operation="thing.put", params_hash="f00d", cause_seq=cause
    )


def finish(bound: Bound, seq: int) -> None:
    journal.finish_call(bound, seq, "ok", 99)
    bound.commit()


def call(bound: Bound, *statements: str | tuple[str, tuple[Any, ...]]) -> list[Change]:
    """One call of these statements; what it changed."""
    seq = start(bound)
    for statement in statements:
        bound.raw.execute(*(statement if isinstance(statement, tuple) else (statement,)))
    finish(bound, seq)
    return journal.changes(bound, since_call=seq - 1)


def row(id: str, n: int | None = None, x: float | None = None, ok: int | None = None) -> dict[str, Any]:
    return {"id": id, "n": n, "x": x, "ok": ok}


def test_an_insert_has_only_an_after(bound: Bound) -> None:
    assert call(bound, "INSERT INTO thing(id, n, ok) VALUES ('a', 1, 1)") == [
        Change(1, 1, "thing", ("a",), "insert", None, row("a", 1, ok=1))
    ]


def test_an_update_has_both(bound: Bound) -> None:
    call(bound, "INSERT INTO thing(id) VALUES ('a')")
    assert call(bound, "UPDATE thing SET n = 2") == [Change(2, 2, "thing", ("a",), "update", row("a"), row("a", 2))]


def test_a_delete_has_only_a_before(bound: Bound) -> None:
    call(bound, "INSERT INTO thing(id) VALUES ('a')")
    assert call(bound, "DELETE FROM thing") == [Change(2, 2, "thing", ("a",), "delete", row("a"), None)]


def test_a_changed_key_is_a_delete_and_an_insert(bound: Bound) -> None:
    call(bound, "INSERT INTO pair VALUES (1, 'a', NULL)")
    assert [(change.op, change.pk) for change in call(bound, "UPDATE pair SET b = 2")] == [
        ("delete", (1, "a")),
        ("insert", (2, "a")),
    ]


def test_replacing_a_row_is_a_delete_and_an_insert(bound: Bound) -> None:
    call(bound, "INSERT INTO thing(id, n) VALUES ('a', 1)")
    changes = call(bound, "INSERT OR REPLACE INTO thing(id, n) VALUES ('a', 2)")
    assert [(change.op, change.before, change.after) for change in changes] == [
        ("delete", row("a", 1), None),
        ("insert", None, row("a", 2)),
    ]


def test_an_upsert_is_an_update(bound: Bound) -> None:
    upsert = "INSERT INTO thing(id, n) VALUES ('a', 1) ON CONFLICT (id) DO UPDATE SET n = n + 5"
    assert [change.op for change in call(bound, upsert, upsert)] == ["insert", "update"]


def test_a_cascade_is_journaled_row_by_row(bound: Bound) -> None:
    call(bound, "INSERT INTO thing(id) VALUES ('a')", "INSERT INTO part VALUES (1, 'a'), (2, 'a')")
    changes = call(bound, "DELETE FROM thing")
    assert sorted((change.table, change.pk, change.op) for change in changes) == [
        ("part", (1,), "delete"),
        ("part", (2,), "delete"),
        ("thing", ("a",), "delete"),
    ]


def test_what_was_undone_is_not_journaled(bound: Bound) -> None:
    call(bound, "INSERT INTO thing(id) VALUES ('a')")
    seq = start(bound)
    for statement in (
        "SAVEPOINT s",
        "INSERT INTO thing(id) VALUES ('undone')",
        "ROLLBACK TO s",
        "INSERT INTO thing(id) VALUES ('kept')",
    ):
        bound.raw.execute(statement)
    with pytest.raises(apsw.ConstraintError):
        bound.raw.execute("INSERT INTO thing(id) VALUES ('b'), ('c'), ('a')")
    bound.raw.execute("INSERT OR IGNORE INTO thing(id) VALUES ('a')")
    finish(bound, seq)
    assert [change.pk for change in journal.changes(bound, since_call=seq - 1)] == [("kept",)]


def test_nulls_booleans_floats_and_big_numbers_survive(bound: Bound) -> None:
    values = ("é\n\"'\0\u2028😀", 2**63 - 1, 0.1 + 0.2, True)
    (change,) = call(bound, ("INSERT INTO thing VALUES (?, ?, ?, ?)", values))
    assert change.after == row(values[0], 2**63 - 1, 0.1 + 0.2, 1)
    (change,) = call(bound, ("UPDATE thing SET n = NULL, x = ?, ok = ?", (math.inf, False)))
    assert change.after == row(values[0], None, math.inf, 0)


def test_binary_columns_are_journaled_as_hex(bound: Bound) -> None:
    inserts = [
        ("INSERT INTO pair VALUES (?, 'a', ?)", (n, raw)) for n, raw in enumerate((b"\x00\xff", b"", None, "text"))
    ]
    assert [change.after and change.after["raw"] for change in call(bound, *inserts)] == ["00FF", "", None, "text"]


def test_of_content_addressed_data_only_the_size_is_journaled(bound: Bound) -> None:
    (change,) = call(bound, ("INSERT INTO blob VALUES ('ab12', 3, ?)", (b"\1\2\3",)))
    assert (change.pk, change.after) == (("ab12",), {"sha256": "ab12", "size": 3, "data": 3})


def test_names_are_quoted(bound: Bound) -> None:
    (change,) = call(bound, """INSERT INTO "odd 'name""\" VALUES ('k', 'v')""")
    assert (change.table, change.pk) == ("odd 'name\"", ("k",))
    assert change.after == {"the \"key's": "k", "the value": "v"}


def test_tables_of_the_kernel_and_of_the_story_are_not_journaled(bound: Bound) -> None:
    assert call(bound, "INSERT INTO _hidden VALUES (1)", "INSERT INTO story_ref VALUES (1)") == []


def test_a_call_leaves_a_row_and_the_time(bound: Bound) -> None:
    mark = bound.world.mark()
    finish(bound, start(bound))
    second_mark = bound.world.mark()
    finish(bound, start(bound, cause=1))
    assert bound.raw.execute("SELECT * FROM _call ORDER BY seq").fetchall() == [
        (1, 10, "p_ada", "rest", "thing.put", "f00d", None, "ok", mark),
        (2, 10, "p_ada", "rest", "thing.put", "f00d", 1, "ok", second_mark),
    ]
    assert bound.raw.execute("SELECT at, call_seq FROM _now").fetchall() == [(99, 2)]


def test_an_undone_call_leaves_its_number_to_the_next(bound: Bound) -> None:
    assert start(bound) == 1
    bound.rollback()
    assert start(bound) == 1
    bound.rollback()


def test_changes_between_two_calls(bound: Bound) -> None:
    for name in "abcde":
        call(bound, f"INSERT INTO thing(id) VALUES ('{name}')")
    assert [change.pk[0] for change in journal.changes(bound, since_call=1, until=3)] == ["b", "c"]
    assert [change.pk[0] for change in journal.changes(bound, until=2)] == ["a", "b"]
    assert [change.pk[0] for change in journal.changes(bound, since_call=4)] == ["e"]
    assert journal.changes(bound, since_call=5) == []


def test_changes_after_a_journal_row(bound: Bound) -> None:
    assert journal.last_change(bound) == 0
    call(bound, "INSERT INTO thing(id) VALUES ('a')")
    assert journal.last_change(bound) == 1
    call(bound, "INSERT INTO thing(id) VALUES ('b')")
    assert [change.pk for change in journal.changes_after(bound, 1)] == [("b",)]


def test_a_call_that_changes_too_many_rows_is_refused(bound: Bound, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journal, "MAX_ROWS", 10)
    assert len(call(bound, *(f"INSERT INTO part VALUES ({n}, NULL)" for n in range(10)))) == 10
    seq = start(bound)
    for n in range(11):
        bound.raw.execute("INSERT INTO part VALUES (?, NULL)", (100 + n,))
    with pytest.raises(QuotaExceeded, match="more than 10 rows"):
        journal.finish_call(bound, seq, "ok", 99)
    bound.rollback()
    assert bound.raw.execute("SELECT count(*) FROM part").fetchall() == [(10,)]


VALUES = st.one_of(
    st.none(), st.integers(-(2**63), 2**63 - 1), st.floats(allow_nan=False), st.text(max_size=8), st.booleans()
)
WORK = st.lists(st.tuples(st.sampled_from(["put", "set", "drop"]), st.sampled_from("abc"), VALUES, VALUES), max_size=12)


@given(work=WORK)
@settings(
    max_examples=examples(60), deadline=None, database=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_the_journal_replayed_on_the_base_is_the_world(store: Store, work: list[tuple[str, str, Any, Any]]) -> None:
    world = store.create("replayed")
    bound = store.connection(world)
    for verb, key, n, x in work:
        statement = {
            "put": ("INSERT OR REPLACE INTO thing(id, n, x) VALUES (?, ?, ?)", (key, n, x)),
            "set": ("UPDATE thing SET n = ?, x = ? WHERE id = ?", (n, x, key)),
            "drop": ("DELETE FROM thing WHERE id = ?", (key,)),
        }[verb]
        call(bound, statement)
    rows: dict[tuple[Any, ...], dict[str, Any] | None] = {}
    for change in journal.changes(bound):
        assert rows.get(change.pk) == change.before
        rows[change.pk] = change.after
    found = bound.raw.execute("SELECT id, n, x, ok FROM thing ORDER BY id").fetchall()
    assert found == [tuple(after.values()) for _, after in sorted(rows.items()) if after is not None]
    store.discard(world)


def test_changes_of_a_call_that_is_resumed_are_its_own(bound: Bound) -> None:
    outer = start(bound)
    inner = journal.start_call(
        bound, at=11, actor="p_bo", door="world", operation="thing.put", params_hash="", cause_seq=outer
    )
    bound.raw.execute("INSERT INTO thing(id) VALUES ('inner')")
    journal.resume_call(bound, outer)
    bound.raw.execute("INSERT INTO thing(id) VALUES ('outer')")
    finish(bound, outer)
    assert [(change.call_seq, change.pk[0]) for change in journal.changes(bound)] == [
        (inner, "inner"),
        (outer, "outer"),
    ]
    assert bound.raw.execute("SELECT seq, at, status FROM _call ORDER BY seq").fetchall() == [
        (1, 10, "ok"),
        (2, 11, "running"),
    ]


def test_the_tables_and_entries_after_a_journal_row_or_a_call(bound: Bound) -> None:
    call(bound, "INSERT INTO thing(id, n) VALUES ('a', 1)")
    call(bound, "INSERT INTO part VALUES (1, 'a')", "UPDATE thing SET n = 2")
    assert [journal.tables_after(bound, id) for id in (0, 1, 2, 3)] == [
        {"thing", "part"},
        {"thing", "part"},
        {"thing"},
        frozenset(),
    ]
    assert [(id, table, pk) for id, table, pk, _, _ in journal.entries(bound, 0)] == [
        (1, "thing", '["a"]'),
        (2, "part", "[1]"),
        (3, "thing", '["a"]'),
    ]
    assert [entry[0] for entry in journal.entries(bound, 1)] == [2, 3] and journal.entries(bound, 2) == []
    assert journal.changes(bound, since_call=1, until=1) == [] and len(journal.changes(bound, until=2**63 - 1)) == 3
