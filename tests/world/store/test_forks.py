"""Forks at every step, deep lineages, indexes that were dropped, logs that outlive their worlds."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from office import open_files, pages, post, posted

from world.core import diff
from world.store import Base, DamagedLog, Store, UnknownWorld, WorldExists
from world.store.log_files import DEPTH

STEPS = int(os.environ.get("FIRMAMENT_FORK_STEPS", "200"))


@pytest.fixture
def store(tmp_path: Path, base: Base) -> Iterator[Store]:
    store = Store(tmp_path / "worlds", base)
    yield store
    store.close()


def files(store: Store, suffix: str) -> list[str]:
    return sorted(path.name for path in store.shelf.folder.rglob(f"*{suffix}"))


def test_a_fork_at_any_step_is_the_world_replayed_to_it(store: Store, base: Base) -> None:
    world, replay = store.create("world"), store.create("replay")
    for number in range(STEPS):
        post(store, world, number)
    for step in range(STEPS):
        fork = store.fork(world, f"f{step}", at=step)
        assert pages(fork) == pages(replay)
        assert fork.mark() == replay.mark()
        if step % 20 == 0:
            fork_hash = diff.state_hash(store.connection(fork), base)
            assert fork_hash == diff.state_hash(store.connection(replay), base)
            assert fork_hash[1] == diff.full_hash(store.connection(fork))
        store.discard(fork)
        post(store, replay, step)
    assert pages(world) == pages(replay)


def test_a_deep_lineage_reads_through_a_merged_index(store: Store, base: Base, tmp_path: Path) -> None:
    straight, world = store.create("straight"), store.create("d0")
    for depth in range(40):
        post(store, world, depth)
        post(store, straight, depth)
        if depth % 4 == 3:
            post(store, world, 1000 + depth)
            post(store, straight, 1000 + depth)
        world = store.fork(world, f"d{depth + 1}")
        assert pages(world) == pages(straight)
        assert len(world.near) <= DEPTH
    assert world.merged is not None
    last = store.connection(straight).raw.execute("SELECT max(seq) FROM _call").fetchall()[0][0]
    for at in range(0, last + 1, 5):
        assert pages(store.view(world, at=at)) == pages(store.view(straight, at=at))
    post(store, world, 99)
    store.close()
    again = Store(tmp_path / "worlds", base)
    assert posted(again, again.open("d40")) == sorted([*range(40), *range(1003, 1040, 4), 99])
    again.close()


def test_children_of_one_point_share_the_merged_index(store: Store) -> None:
    world = store.create("d0")
    for depth in range(DEPTH + 1):
        post(store, world, depth)
        world = store.fork(world, f"d{depth + 1}")
    first, second = store.fork(world, "first"), store.fork(world, "second")
    assert first.merged is second.merged is world.merged is not None
    before = store.shelf.indexed
    pages(first)
    pages(second)
    cost = store.shelf.indexed - before
    assert cost > 0
    for each in (world, first, second):
        store.discard(each)
    del world, first, second, each
    assert store.shelf.indexed == before


def test_an_index_may_be_dropped_at_any_moment(store: Store) -> None:
    world, twin = store.create("world"), store.create("twin")
    for number in range(12):
        for each in (world, twin):
            post(store, each, number)
        assert world.log is not None
        world.log.drop()
        if number % 3 == 2:
            world = store.fork(world, f"w{number}")
    assert pages(world) == pages(twin)
    assert world.mark() == twin.mark()
    assert world.record_digest().hexdigest() == twin.record_digest().hexdigest()


def test_indexes_stay_within_their_budget(tmp_path: Path, base: Base) -> None:
    store = Store(tmp_path / "worlds", base, index_budget=40_000)
    worlds = [store.create(f"w{number}") for number in range(30)]
    for turn in range(3):
        for world in worlds:
            post(store, world, turn)
            assert store.shelf.indexed <= 40_000
    dropped = [world for world in worlds if world.log is not None and world.log.versions is None]
    assert len(dropped) > 10
    for world in worlds:
        assert posted(store, world) == [0, 1, 2]
    store.close()


def test_a_budget_too_small_for_one_lineage_is_slow_and_right(tmp_path: Path, base: Base) -> None:
    store = Store(tmp_path / "worlds", base, index_budget=1)
    world = store.create("d0")
    for depth in range(14):
        post(store, world, depth)
        world = store.fork(world, f"d{depth + 1}")
    assert posted(store, world) == list(range(14))
    store.close()


def test_open_logs_stay_within_their_limit(store: Store) -> None:
    store.shelf.open_logs = 8
    worlds = [store.create(f"w{number}") for number in range(40)]
    for turn in range(2):
        for world in worlds:
            post(store, world, turn)
    held = [link for link in open_files() if link.endswith(".log") and str(store.shelf.folder) in link]
    assert 0 < len(held) <= 8
    child = store.fork(worlds[0], "child")
    assert posted(store, child) == [0, 1]


def test_a_log_in_use_is_kept_until_its_last_reader_is_gone(store: Store) -> None:
    parent = store.create("parent")
    post(store, parent, 1)
    child = store.fork(parent, "child")
    post(store, child, 2)
    grandchild = store.fork(child, "grandchild")
    store.discard(parent)
    store.discard(child)
    assert (files(store, ".log"), files(store, ".kept")) == ([], ["child.kept", "parent.kept"])
    assert posted(store, grandchild) == [1, 2]
    with pytest.raises(WorldExists, match="forks still read it"):
        store.create("parent")
    store.discard(grandchild)
    assert files(store, ".kept") == []
    assert posted(store, store.create("parent")) == []


def test_a_view_keeps_a_discarded_log_until_it_is_gone(store: Store) -> None:
    world, other = store.create("world"), store.create("other")
    post(store, world, 1)
    view = store.view(world)
    store.discard(world)
    assert posted(store, view) == [1]
    store.discard(view)
    del view
    assert files(store, ".kept") == []
    post(store, other, 1)


def test_after_a_restart_unopened_forks_still_hold_their_ancestors(store: Store, base: Base, tmp_path: Path) -> None:
    parent = store.create("parent")
    post(store, parent, 1)
    for name in ("first", "second"):
        post(store, store.fork(parent, name), 2)
    store.close()
    again = Store(tmp_path / "worlds", base)
    again.discard(again.open("parent"))
    again.discard(again.open("first"))
    assert files(again, ".kept") == ["parent.kept"]
    again.close()
    again = Store(tmp_path / "worlds", base)
    assert files(again, ".kept") == ["parent.kept"]
    with pytest.raises(UnknownWorld):
        again.open("parent")
    second = again.open("second")
    assert posted(again, second) == [1, 2]
    again.discard(second)
    assert files(again, ".kept") == []
    again.close()


def test_a_child_opened_before_its_parent_shares_the_log(store: Store, base: Base, tmp_path: Path) -> None:
    parent = store.create("parent")
    post(store, parent, 1)
    post(store, store.fork(parent, "child"), 2)
    store.close()
    again = Store(tmp_path / "worlds", base)
    child = again.open("child")
    parent = again.open("parent")
    assert child.below[0].log is parent.log
    post(again, parent, 3)
    assert (posted(again, child), posted(again, parent)) == ([1, 2], [1, 3])
    again.discard(parent)
    assert posted(again, child) == [1, 2]
    again.close()


def test_a_kept_log_that_nobody_names_is_swept_at_start(store: Store, base: Base, tmp_path: Path) -> None:
    parent = store.create("parent")
    post(store, parent, 1)
    store.fork(parent, "unwritten")
    store.discard(parent)
    assert files(store, ".kept") == ["parent.kept"]
    store.close()
    again = Store(tmp_path / "worlds", base)
    assert files(again, ".kept") == []
    again.create("parent")
    again.close()


def test_one_damaged_world_blocks_no_other_and_nothing_it_may_read_is_swept(
    store: Store, base: Base, tmp_path: Path
) -> None:
    parent, other = store.create("parent"), store.create("other")
    post(store, parent, 1)
    post(store, other, 5)
    child = store.fork(parent, "child")
    post(store, child, 2)
    store.discard(parent)
    store.close()
    path = next((tmp_path / "worlds").rglob("child.log"))
    content = path.read_bytes()
    path.write_bytes(content.replace(b'"below"', b'"bellow"', 1))
    again = Store(tmp_path / "worlds", base)
    assert again.names() == ["child", "other"]
    assert posted(again, again.open("other")) == [5]
    with pytest.raises(DamagedLog, match="header of log child"):
        again.open("child")
    assert files(again, ".kept") == ["parent.kept"]
    again.close()
    path.write_bytes(content)
    again = Store(tmp_path / "worlds", base)
    assert posted(again, again.open("child")) == [1, 2]
    again.close()


def test_a_missing_ancestor_is_named(store: Store, base: Base, tmp_path: Path) -> None:
    parent = store.create("parent")
    post(store, parent, 1)
    child = store.fork(parent, "child")
    post(store, child, 2)
    store.discard(parent)
    store.close()
    next((tmp_path / "worlds").rglob("parent.kept")).unlink()
    again = Store(tmp_path / "worlds", base)
    with pytest.raises(DamagedLog, match="world parent, whose log is missing"):
        again.open("child")
    again.close()
