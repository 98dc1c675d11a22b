"""The interface of the store."""

import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import apsw
import pytest
from office import finish, post, posted, start
from sqlalchemy import text
from sqlmodel import Session

from world.core import diff, journal
from world.store import (
    Base,
    BusyError,
    QuotaExceeded,
    Store,
    StoreError,
    StoreLocked,
    UnknownCall,
    UnknownWorld,
    World,
    WorldExists,
    WorldFrozen,
)

Open = Callable[..., Store]


@pytest.fixture
def open_again(tmp_path: Path, base: Base) -> Iterator[Open]:
    """Opens the same folder once more, closing it first."""
    stores: list[Store] = []

    def open_again(**limits: int) -> Store:
        for store in stores:
            store.close()
        stores[:] = [Store(tmp_path / "worlds", base, **limits)]
        return stores[0]

    yield open_again
    for store in stores:
        store.close()


@pytest.fixture
def store(open_again: Open) -> Store:
    return open_again()


def test_a_new_world_is_the_base_and_sees_only_its_own_rows(store: Store) -> None:
    first, second = store.create("first"), store.create("second")
    before = store.connection(first).raw.execute("SELECT count(*) FROM message").fetchone()
    post(store, first, 1)
    post(store, second, 2)
    assert before == (60,)
    assert (posted(store, first), posted(store, second)) == ([1], [2])


def test_a_world_comes_back_after_the_store_was_closed(store: Store, open_again: Open) -> None:
    world = store.create("a")
    for number in range(5):
        post(store, world, number)
    store = open_again()
    assert store.names() == ["a"]
    assert posted(store, store.open("a")) == [0, 1, 2, 3, 4]
    assert store.open("a") is store.open("a")


def test_a_world_that_nobody_used_leaves_nothing(store: Store, open_again: Open) -> None:
    store.create("a")
    assert store.names() == []
    store = open_again()
    with pytest.raises(UnknownWorld, match="no world a"):
        store.open("a")
    store.create("a")


def test_a_name_is_given_once(store: Store, open_again: Open) -> None:
    world = store.create("a")
    with pytest.raises(WorldExists, match="world a"):
        store.create("a")
    post(store, world, 1)
    with pytest.raises(WorldExists):
        store.fork(world, "a")
    with pytest.raises(WorldExists):
        open_again().create("a")


@pytest.mark.parametrize("name", ["", "../x", "a/b", ".hidden", "x" * 101, "a b", "é"])
def test_a_name_that_is_no_file_name_is_refused(store: Store, name: str) -> None:
    with pytest.raises(StoreError, match="cannot name a world"):
        store.create(name)


def test_parent_and_fork_go_on_independently(store: Store, open_again: Open) -> None:
    parent = store.create("parent")
    post(store, parent, 1)
    child = store.fork(parent, "child")
    post(store, child, 2)
    post(store, parent, 3)
    assert (posted(store, parent), posted(store, child)) == ([1, 3], [1, 2])
    store = open_again()
    assert (posted(store, store.open("child")), posted(store, store.open("parent"))) == ([1, 2], [1, 3])


def test_a_fork_at_a_snapshot_has_the_calls_up_to_it(store: Store) -> None:
    world = store.create("a")
    post(store, world, 1)
    assert store.snapshot(world) == 1
    post(store, world, 2)
    post(store, world, 3)
    assert posted(store, store.fork(world, "past", at=1)) == [1]
    assert posted(store, store.fork(world, "head", at=3)) == [1, 2, 3]
    assert posted(store, store.fork(world, "fresh", at=0)) == []
    assert posted(store, store.view(world, at=1)) == [1]


def test_a_fork_keeps_the_snapshots_of_its_past(store: Store) -> None:
    parent = store.create("parent")
    for number in (1, 2):
        post(store, parent, number)
        store.snapshot(parent)
    child = store.fork(parent, "child")
    post(store, child, 3)
    store.discard(parent)
    assert posted(store, store.fork(child, "grandchild", at=1)) == [1]
    assert posted(store, child) == [1, 2, 3]


def test_a_fork_at_a_step_between_snapshots_has_the_calls_up_to_it(store: Store) -> None:
    world = store.create("a")
    for number in (1, 2, 3):
        post(store, world, number)
    assert posted(store, store.fork(world, "b", at=2)) == [1, 2]


@pytest.mark.parametrize("at", [-1, 2, 99])
def test_a_call_that_was_never_made_is_refused(store: Store, at: int) -> None:
    world = store.create("a")
    post(store, world, 1)
    with pytest.raises(UnknownCall, match=f"no committed call {at}"):
        store.fork(world, "b", at=at)


def test_calls_of_one_transaction_end_together(store: Store) -> None:
    world = store.create("a")
    post(store, world, 1)
    bound = store.connection(world)
    outer = start(bound)
    bound.raw.execute("INSERT INTO team VALUES (50, 'outer')")
    inner = journal.start_call(bound, at=1, actor="p", door="world", operation="inner", params_hash="", cause_seq=outer)
    bound.raw.execute("INSERT INTO team VALUES (51, 'inner')")
    finish(bound, outer)
    for seq in (outer, inner):
        raw = store.connection(store.view(world, at=seq)).raw
        assert raw.execute("SELECT count(*) FROM team WHERE id >= 50").fetchone() == (2,)


def test_a_fork_inside_a_transaction_sees_only_what_is_committed(store: Store) -> None:
    world = store.create("a")
    post(store, world, 1)
    bound = store.connection(world)
    seq = start(bound)
    bound.raw.execute("INSERT INTO team VALUES (50, 'uncommitted')")
    child = store.fork(world, "child")
    with pytest.raises(UnknownCall):
        store.fork(world, "now", at=seq)
    past = store.fork(world, "past", at=1)
    finish(bound, seq)
    for fork in (child, past):
        raw = store.connection(fork).raw
        assert raw.execute("SELECT count(*) FROM team WHERE id = 50").fetchone() == (0,)


def test_a_view_stays_as_it_was_and_takes_no_commit(store: Store) -> None:
    world = store.create("a")
    post(store, world, 1)
    view = store.view(world)
    post(store, world, 2)
    assert posted(store, view) == [1]
    with pytest.raises(WorldFrozen):
        post(store, view, 3)
    store.connection(world)
    roll_back(store, view)
    assert (posted(store, view), posted(store, world)) == ([1], [1, 2])


def roll_back(store: Store, world: World) -> None:
    """What an actor does after a failure."""
    store.pool.hot[world].rollback()


def test_a_frozen_world_takes_no_commit_also_after_a_restart(store: Store, open_again: Open) -> None:
    world = store.create("a")
    post(store, world, 1)
    store.freeze(world)
    for _ in range(2):
        with pytest.raises(WorldFrozen):
            post(store, world, 2)
        roll_back(store, world)
        child = store.fork(world, "child")
        post(store, child, 3)
        assert (posted(store, world), posted(store, child)) == ([1], [1, 3])
        store.discard(child)
        store = open_again()
        world = store.open("a")


def test_a_discarded_world_is_gone(store: Store, open_again: Open) -> None:
    world = store.create("a")
    post(store, world, 1)
    store.discard(world)
    assert store.names() == []
    with pytest.raises(UnknownWorld):
        store.open("a")
    with pytest.raises(StoreError):
        post(store, world, 2)
    assert posted(store, store.create("a")) == []
    assert open_again().names() == []


def test_a_fork_outlives_its_discarded_parent(store: Store, open_again: Open) -> None:
    parent = store.create("parent")
    post(store, parent, 1)
    child = store.fork(parent, "child")
    post(store, child, 2)
    store.discard(parent)
    assert posted(store, child) == [1, 2]
    store = open_again()
    assert store.names() == ["child"]
    assert posted(store, store.open("child")) == [1, 2]


def test_a_second_owner_is_refused(store: Store, tmp_path: Path, base: Base) -> None:
    with pytest.raises(StoreLocked, match="worlds"):
        Store(tmp_path / "worlds", base)


def test_a_second_process_is_refused(store: Store, tmp_path: Path, base: Base) -> None:
    code = (
        "import sys; from world.store import *\n"
        "try: Store(sys.argv[1], Base(sys.argv[2]))\n"
        "except StoreLocked as error: print(error)"
    )
    command = [sys.executable, "-c", code, str(tmp_path / "worlds"), str(base.path)]
    assert "in use by another process" in subprocess.run(command, capture_output=True, text=True, check=True).stdout


def test_a_transaction_left_open_is_loud_and_loses_nothing(open_again: Open) -> None:
    store = open_again(pool=1)
    world, other = store.create("a"), store.create("b")
    bound = store.connection(world)
    bound.begin()
    bound.raw.execute("INSERT INTO team VALUES (50, 'x')")
    for wanted in (world, other):
        with pytest.raises(BusyError, match="world a"):
            store.connection(wanted)
    bound.commit()
    assert store.connection(other).raw.execute("SELECT count(*) FROM team").fetchone() == (5,)
    assert store.connection(world).raw.execute("SELECT count(*) FROM team").fetchone() == (6,)


def test_an_open_session_is_loud(open_again: Open) -> None:
    store = open_again(pool=1)
    world, other = store.create("a"), store.create("b")
    session = Session(bind=store.connection(world).sql)
    session.execute(text("SELECT count(*) FROM team")).all()
    for wanted in (world, other):
        with pytest.raises(BusyError):
            store.connection(wanted)
    session.close()
    store.connection(other)


def test_discarding_a_world_in_a_transaction_is_refused(store: Store) -> None:
    world = store.create("a")
    bound = store.connection(world)
    bound.begin()
    with pytest.raises(BusyError):
        store.discard(world)
    bound.rollback()
    store.discard(world)


def test_the_two_ways_to_begin_do_not_mix(store: Store) -> None:
    bound = store.connection(store.create("a"))
    bound.begin()
    with pytest.raises(BusyError, match="begun outside SQLAlchemy"):
        bound.sql.execute(text("SELECT 1"))
    bound.commit()
    bound.sql.rollback()
    with bound.sql.begin():
        bound.raw.execute("INSERT INTO team VALUES (50, 'raw inside')")
        for misuse in (bound.begin, bound.commit, bound.rollback):
            with pytest.raises(BusyError, match="SQLAlchemy has a transaction"):
                misuse()
        assert bound.sql.execute(text("SELECT name FROM team WHERE id = 50")).scalar() == "raw inside"
    bound.begin()
    assert bound.raw.execute("SELECT name FROM team WHERE id = 50").fetchone() == ("raw inside",)
    bound.rollback()


@pytest.mark.parametrize("through", ["raw", "sql"])
def test_a_call_over_the_quota_is_undone(open_again: Open, through: str) -> None:
    store = open_again(quota_bytes=60_000)
    world = store.create("a")
    post(store, world, 1)
    bound = store.connection(world)
    insert = "INSERT INTO blob VALUES ('big', 90000, zeroblob(90000))"
    with pytest.raises(QuotaExceeded):
        if through == "raw":
            bound.begin()
            bound.raw.execute(insert)
            bound.commit()
        else:
            with bound.sql.begin():
                bound.sql.execute(text(insert))
    if through == "raw":
        bound.rollback()
    assert store.connection(world).raw.execute("SELECT count(*) FROM blob").fetchone() == (0,)
    post(store, world, 2)
    assert posted(store, world) == [1, 2]


def test_a_damaged_page_is_seen_by_no_other_world(open_again: Open) -> None:
    store = open_again(pool=1)
    good, bad = store.create("good"), store.create("bad")
    post(store, bad, 2)
    post(store, good, 1)
    assert bad.log is not None
    with Path(bad.log.path).open("r+b") as file:
        file.seek(bad.log.start - bad.log.shift)
        file.write(b"\xff" * (bad.log.end - bad.log.start))
    for _ in range(2):
        for _ in range(2):
            with pytest.raises(apsw.Error):
                store.connection(bad).raw.execute("SELECT * FROM message").fetchall()
        assert posted(store, good) == [1]
    with pytest.raises(apsw.Error):
        store.connection(bad).raw.execute("SELECT * FROM message").fetchall()
    store.discard(bad)
    assert posted(store, store.create("new")) == []
    store.expel(good)
    assert posted(store, good) == [1] and len(store.pool.hot) == 1


def test_an_export_is_a_plain_database(store: Store, tmp_path: Path) -> None:
    world = store.create("a")
    post(store, world, 1)
    store.export(world, tmp_path / "out.db")
    with sqlite3.connect(tmp_path / "out.db") as plain:
        assert plain.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert plain.execute("SELECT count(*) FROM message_fts WHERE message_fts MATCH 'new'").fetchone() == (1,)
    plain.close()


def test_journal_diff_and_hash_do_not_depend_on_the_store(store: Store, base: Base) -> None:
    world = store.create("a")
    for number in range(4):
        post(store, world, number)
    bound = store.connection(world)
    assert [change.pk for change in diff.net_diff(bound, since_call=1)] == [("x1",), ("x2",), ("x3",)]
    assert diff.state_hash(bound, base) == (4, diff.full_hash(bound))


def test_worlds_with_the_same_calls_have_the_same_digest(store: Store) -> None:
    digests = []
    for name in ("a", "b"):
        world = store.create(name)
        for number in range(3):
            post(store, world, number)
        digests.append(world.record_digest().hexdigest())
    post(store, store.open("b"), 3)
    assert digests[0] == digests[1] != store.open("b").record_digest().hexdigest()
