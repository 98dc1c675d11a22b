"""The net diff and the state hash: from the journal alone, equal to what all rows say."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import Column, Integer, MetaData, Table, Text, create_engine, insert

from world.core import diff, journal
from world.core.diff import NetChange, RunningDigest
from world.store import Base, Bound, Store, seal

metadata = MetaData()
for name in ("issue", "comment"):
    Table(name, metadata, Column("id", Integer, primary_key=True), Column("body", Text))


@pytest.fixture(scope="module")
def image(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("image")
    engine = create_engine(f"sqlite:///{folder / 'building'}")
    metadata.create_all(engine)
    with engine.begin() as connection:
        journal.create_kernel(connection)
        journal.create_triggers(connection, metadata.tables)
        connection.execute(insert(metadata.tables["issue"]), [{"id": n, "body": f"issue {n}"} for n in range(1, 101)])
    engine.dispose()
    return seal(folder / "building", folder)


@pytest.fixture
def base(image: Path) -> Base:
    return Base(image)


@pytest.fixture
def store(base: Base, tmp_path: Path) -> Iterator[Store]:
    store = Store(tmp_path / "worlds", base)
    yield store
    store.close()


@pytest.fixture
def bound(store: Store) -> Bound:
    return store.connection(store.create("world"))


def call(bound: Bound, *statements: str) -> None:
    bound.begin()
    seq = journal.start_call(bound, at=1, actor="a", door="rest", operation="o", params_hash="", cause_seq=None)
    for statement in statements:
        bound.raw.execute(statement)
    journal.finish_call(bound, seq, "ok", 2)
    bound.commit()


def test_a_row_changed_twice_is_one_net_change(bound: Bound) -> None:
    call(bound, "UPDATE issue SET body = 'x' WHERE id = 3")
    call(bound, "UPDATE issue SET body = 'y' WHERE id = 3")
    assert diff.net_diff(bound) == [
        NetChange("issue", (3,), "update", {"id": 3, "body": "issue 3"}, {"id": 3, "body": "y"}, (1, 2))
    ]


def test_a_row_that_came_back_is_no_change(bound: Bound) -> None:
    call(bound, "UPDATE issue SET body = 'x' WHERE id = 3", "DELETE FROM issue WHERE id = 4")
    call(bound, "UPDATE issue SET body = 'issue 3' WHERE id = 3", "INSERT INTO issue VALUES (4, 'issue 4')")
    assert diff.net_diff(bound) == []


def test_a_row_made_and_removed_is_no_change(bound: Bound) -> None:
    call(bound, "INSERT INTO comment VALUES (1, 'x')", "DELETE FROM comment")
    assert diff.net_diff(bound) == []


def test_a_row_removed_and_made_otherwise_is_an_update(bound: Bound) -> None:
    call(bound, "DELETE FROM issue WHERE id = 4", "INSERT INTO issue VALUES (4, 'other')")
    assert [(change.op, change.after) for change in diff.net_diff(bound)] == [("update", {"id": 4, "body": "other"})]


def test_a_moved_row_is_a_delete_and_an_insert(bound: Bound) -> None:
    call(bound, "UPDATE issue SET id = 500 WHERE id = 5")
    assert [(change.op, change.pk) for change in diff.net_diff(bound)] == [("delete", (5,)), ("insert", (500,))]


def test_net_changes_come_by_table_then_in_order_of_events(bound: Bound) -> None:
    call(bound, "UPDATE issue SET body = 'x' WHERE id = 9", "INSERT INTO comment VALUES (7, 'c')")
    call(bound, "UPDATE issue SET body = 'x' WHERE id = 2", "INSERT INTO comment VALUES (1, 'c')")
    assert [(change.table, change.pk[0]) for change in diff.net_diff(bound)] == [
        ("comment", 7),
        ("comment", 1),
        ("issue", 9),
        ("issue", 2),
    ]


def test_the_diff_since_a_call_leaves_out_what_was_before(bound: Bound) -> None:
    call(bound, "UPDATE issue SET body = 'x' WHERE id = 1")
    call(bound, "UPDATE issue SET body = 'y' WHERE id = 1")
    (change,) = diff.net_diff(bound, since_call=1)
    assert change.before == {"id": 1, "body": "x"}


def test_the_incremental_hash_is_the_full_hash(bound: Bound, base: Base) -> None:
    assert diff.state_hash(bound, base) == (0, base.state_hash) == (0, diff.full_hash(bound))
    resume = None
    for statement in (
        "UPDATE issue SET body = 'x' WHERE id < 20",
        "DELETE FROM issue WHERE id % 3 = 0",
        "UPDATE issue SET id = id + 1000 WHERE id < 50",
        "INSERT OR REPLACE INTO issue SELECT id, 'r' FROM issue LIMIT 7",
    ):
        call(bound, statement)
        resume = diff.state_hash(bound, base, resume=resume)
        assert resume == diff.state_hash(bound, base)
        assert resume[1] == diff.full_hash(bound)


def test_the_hash_knows_the_state_and_not_the_way_to_it(store: Store, base: Base) -> None:
    straight, detour = store.create("straight"), store.create("detour")
    call(store.connection(straight), "UPDATE issue SET body = 'z' WHERE id = 1")
    call(store.connection(detour), "UPDATE issue SET body = 'q' WHERE id < 9")
    call(store.connection(detour), "UPDATE issue SET body = 'issue ' || id WHERE id < 9")
    before = diff.state_hash(store.connection(detour), base)[1]
    call(store.connection(detour), "UPDATE issue SET body = 'z' WHERE id = 1")
    hashes = [diff.state_hash(store.connection(world), base)[1] for world in (straight, detour)]
    assert before == base.state_hash
    assert hashes[0] == hashes[1] != base.state_hash


def test_the_same_text_in_another_row_or_table_is_another_state(store: Store, base: Base) -> None:
    hashes = []
    for number, statement in enumerate(
        (
            "INSERT INTO comment VALUES (1000, 'x')",
            "INSERT INTO issue VALUES (1000, 'x')",
            "INSERT INTO issue VALUES (1001, 'x')",
            "INSERT INTO issue VALUES (1000, NULL)",
            "INSERT INTO issue VALUES (1000, 'null')",
        )
    ):
        bound = store.connection(store.create(f"w{number}"))
        call(bound, statement)
        hashes.append(diff.state_hash(bound, base)[1])
    assert len(set(hashes)) == 5


def test_a_running_digest_goes_on_where_it_stopped(store: Store) -> None:
    first, second = store.create("first"), store.create("second")
    for number in range(3):
        for world in (first, second):
            call(store.connection(world), f"INSERT INTO comment VALUES ({number}, 'x')")
        running = first.record_digest()
        assert running.position == first.mark()
    fork = store.fork(first, "fork", at=2)
    call(store.connection(fork), "INSERT INTO comment VALUES (2, 'x')")
    assert running.hexdigest() == second.record_digest().hexdigest() == fork.record_digest().hexdigest()
    assert RunningDigest().hexdigest() == store.create("fresh").record_digest().hexdigest()


def test_the_hash_of_the_rows_that_changed_is_that_of_all_rows(store: Store, base: Base) -> None:
    world, sealed = store.create("world"), store.create("sealed")
    for statement in (
        "UPDATE issue SET body = 'x' WHERE id < 20",
        "DELETE FROM issue WHERE id % 3 = 0",
        "UPDATE issue SET id = id + 1000 WHERE id < 50",
        "INSERT INTO comment VALUES (1, 'x'), (2, NULL)",
        "UPDATE issue SET body = 'issue ' || id WHERE id > 60",
    ):
        call(store.connection(world), statement)
        image = store.private(sealed)
        expected = diff.full_hash(store.connection(world))
        assert diff.compute_changed_hash(store.connection(world), image) == expected
        image.close()
    assert expected != base.state_hash


def test_a_row_that_came_back_as_other_text_of_the_same_values_is_no_change(bound: Bound) -> None:
    call(bound, "UPDATE issue SET body = NULL WHERE id = 1")
    call(bound, "DELETE FROM issue WHERE id = 1")
    assert [(one.op, one.after, one.journal_ids) for one in diff.net_diff(bound)] == [("delete", None, (1, 2))]
