"""The limits of a store, each at its last byte, step, connection or file, and who is the first to make room."""

import errno
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import apsw
import pytest
from office import open_files, pages, post, posted

from world.store import Base, QuotaExceeded, Store, StoreError, UnknownWorld, World, WorldExists, WorldFrozen, meter
from world.store.log import PAGE_COST, VERSION_COST
from world.store.log_files import DEPTH

Make = Callable[..., Store]


@pytest.fixture
def make(tmp_path: Path, base: Base) -> Iterator[Make]:
    """Makes stores with limits, each in a folder of its own."""
    stores: list[Store] = []

    def make(**limits: int) -> Store:
        stores.append(Store(tmp_path / "deep" / f"worlds{len(stores)}", base, **limits))
        return stores[-1]

    yield make
    for store in stores:
        store.close()


def open_logs(store: Store) -> list[str]:
    """The names of the worlds whose logs are open."""
    links = (Path(link) for link in open_files())
    return sorted(
        link.stem for link in links if link.suffix in (".log", ".kept") and store.shelf.folder in link.parents
    )


def size(world: World) -> int:
    """The bytes that a world's records take."""
    assert world.log is not None
    return world.log.end - world.log.start


@pytest.mark.parametrize("calls", [1, 2, 3])
def test_a_world_may_hold_its_quota_to_the_last_byte(make: Make, calls: int) -> None:
    free = make()
    measured = free.create("a")
    for number in range(calls):
        post(free, measured, number)
    full, short = (make(quota_bytes=size(measured) - less) for less in (0, 1))
    for store, fits in ((full, True), (short, False)):
        world = store.create("a")
        for number in range(calls - 1):
            post(store, world, number)
        if fits:
            post(store, world, calls - 1)
            continue
        message = f"world a would hold {size(measured)} bytes of changes; its quota is {size(measured) - 1}"
        with pytest.raises(QuotaExceeded, match=message):
            post(store, world, calls - 1)
        store.pool.hot[world].rollback()
        assert posted(store, world) == list(range(calls - 1))


def test_a_fork_has_a_quota_of_its_own(make: Make) -> None:
    free = make()
    measured = free.create("a")
    post(free, measured, 1)
    store = make(quota_bytes=size(measured))
    world = store.create("a")
    post(store, world, 1)
    child = store.fork(world, "b")
    store.connection(child).raw.execute("UPDATE team SET name = 'x' WHERE id = 1")
    assert 0 < size(child) <= size(world)


def test_the_usual_quota_holds_and_the_usual_indexes_stay(make: Make) -> None:
    store = make()
    worlds = [store.create(f"w{number}") for number in range(20)]
    for world in worlds:
        post(store, world, 1)
        assert world.log is not None
    store.connection(worlds[0]).raw.execute("INSERT INTO blob VALUES ('big', 9, zeroblob(1000000))")
    assert all(world.log is not None and world.log.versions is not None for world in worlds)


def test_the_connection_used_longest_ago_goes_to_the_next_world(make: Make) -> None:
    store = make(pool=2)
    a, b, c, d = (store.create(name) for name in "abcd")
    first, second = store.connection(a), store.connection(b)
    assert first is not second and store.connection(a) is first
    assert store.connection(c) is second and second.world is c
    assert store.connection(a) is first and store.connection(b) is second
    store.discard(b)
    assert store.connection(d) is second, "the connection of a world that is gone is the next to be taken"
    assert store.connection(a) is first
    assert len(store.pool.hot) == 2


def test_a_connection_forgets_the_last_row_of_a_world_that_is_gone(make: Make) -> None:
    store = make(pool=1)
    gone, world = store.create("gone"), store.create("a")
    store.connection(gone).raw.execute("INSERT INTO team VALUES (9000, 'x')")
    store.discard(gone)
    assert store.connection(world).raw.last_insert_rowid() == 0


def test_a_private_connection_is_in_no_pool_and_an_expelled_one_is_closed(make: Make) -> None:
    store = make(pool=1)
    world = store.create("a")
    private, bound = store.private(world), store.connection(world)
    assert private is not bound and len(store.pool.hot) == 1 and private.world is world
    private.close()
    with pytest.raises(apsw.ConnectionClosedError):
        private.raw.execute("SELECT 1")
    store.expel(world)
    with pytest.raises(apsw.ConnectionClosedError):
        bound.raw.execute("SELECT 1")
    store.expel(world)
    again = store.connection(world)
    assert again is not bound and again.is_idle()
    again.rollback()
    store.close()
    with pytest.raises(apsw.ConnectionClosedError):
        again.raw.execute("SELECT 1")


STEPS = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n LIMIT {}) SELECT max(x) FROM n"


def test_a_call_may_do_a_number_of_steps_and_the_next_begins_anew(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(meter, "MOST_STEPS", 2 * meter.STEPS)
    store = make()
    bound = store.connection(store.create("a"))
    short, long = STEPS.format(600), STEPS.format(20_000)
    assert bound.raw.execute(long).fetchall() == [(20_000,)], "without a limit nothing is counted"
    for _ in range(3):
        with bound.meter.limit():
            assert bound.raw.execute(short).fetchall() == [(600,)]
            with pytest.raises(apsw.InterruptError):
                bound.raw.execute(long).fetchall()
    with bound.meter.limit(), pytest.raises(apsw.InterruptError):
        for _ in range(100):
            with bound.meter.limit():
                bound.raw.execute(short).fetchall()
    assert bound.raw.execute(long).fetchall() == [(20_000,)]


def test_a_call_gets_the_whole_of_its_steps(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    """Looks come every `STEPS`: what takes less than two looks is within a limit of one."""
    store = make()
    bound = store.connection(store.create("a"))
    looks: list[int] = []
    bound.raw.set_progress_handler(lambda: bool(looks.append(1)), meter.STEPS)
    bound.raw.execute(STEPS.format(5_000)).fetchall()
    most = len(looks)
    assert most >= 3
    store.expel(bound.world)
    for allowed, fits in ((most, True), (most - 1, False)):
        monkeypatch.setattr(meter, "MOST_STEPS", allowed * meter.STEPS)
        again = store.private(bound.world)
        with again.meter.limit():
            if fits:
                again.raw.execute(STEPS.format(5_000)).fetchall()
            else:
                with pytest.raises(apsw.InterruptError):
                    again.raw.execute(STEPS.format(5_000)).fetchall()
        again.close()


def test_the_log_used_longest_ago_is_closed_and_opens_again(make: Make) -> None:
    store = make(pool=1)
    store.shelf.open_logs = 2
    a, b, c = (store.create(name) for name in "abc")
    for world in (a, b):
        post(store, world, 1)
    assert open_logs(store) == ["a", "b"]
    store.connection(a)
    post(store, c, 1)
    assert open_logs(store) == ["a", "c"]
    assert posted(store, b) == [1] and open_logs(store) == ["b", "c"]
    store.shelf.relieve()
    assert open_logs(store) == []
    assert [posted(store, world) for world in (a, b, c)] == [[1]] * 3


def test_too_many_open_files_close_the_logs_and_one_more_try_is_made(
    make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, real = make(pool=1), os.open
    a, b = store.create("a"), store.create("b")
    for world in (a, b):
        post(store, world, 1)
    assert b.log is not None
    b.log.release()

    def refuse(times: int, code: int) -> Any:
        left = [times]

        def call(path: Any, *rest: Any, **more: Any) -> int:
            if str(path).endswith(".log") and left[0]:
                left[0] -= 1
                raise OSError(code, os.strerror(code))
            return real(path, *rest, **more)

        return call

    for code in (errno.EMFILE, errno.ENFILE):
        monkeypatch.setattr(os, "open", refuse(1, code))
        assert open_logs(store) == ["a"] and pages(b) and open_logs(store) == ["b"]
        assert pages(a)
        b.log.release()
    for times, code in ((2, errno.EMFILE), (1, errno.EIO)):
        monkeypatch.setattr(os, "open", refuse(times, code))
        with pytest.raises((apsw.Error, OSError)):
            pages(b)
    monkeypatch.setattr(os, "open", real)
    assert posted(store, b) == [1]


def test_a_frozen_log_is_read_by_who_may_not_write_it(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    store, real = make(), os.open
    world = store.create("a")
    post(store, world, 1)
    store.freeze(world)
    store.freeze(world)
    assert world.log is not None and os.stat(world.log.path).st_mode & 0o777 == 0o400
    world.log.release()

    def call(path: Any, flags: int, *rest: Any, **more: Any) -> int:
        if str(path).endswith(".log") and flags & os.O_RDWR:
            raise PermissionError(errno.EACCES, "Permission denied")
        return real(path, flags, *rest, **more)

    monkeypatch.setattr(os, "open", call)
    assert posted(store, world) == [1]
    with pytest.raises(WorldFrozen, match="world a is frozen: it takes no commits"):
        post(store, world, 2)
    store.pool.hot[world].rollback()
    with pytest.raises(WorldFrozen, match="this view is read-only: it takes no commits"):
        post(store, store.view(world), 2)


def test_the_index_used_longest_ago_makes_room(make: Make) -> None:
    free = make()
    measured = free.create("a")
    post(free, measured, 1)
    assert measured.log is not None
    each = measured.log.cost()
    store = make(index_budget=2 * each, pool=1)
    a, b, c = (store.create(name) for name in "abc")

    def indexed() -> list[str]:
        return [str(one.name) for one in (a, b, c) if one.log is not None and one.log.versions is not None]

    for world in (a, b):
        post(store, world, 1)
    assert indexed() == ["a", "b"] and store.shelf.indexed == 2 * each
    store.connection(a)
    post(store, c, 1)
    assert indexed() == ["a", "c"] and store.shelf.indexed == 2 * each
    for world in (a, b, c):
        store.discard(world)
    assert store.shelf.indexed == 0


def test_a_lineage_that_is_gone_holds_no_file_and_no_memory(make: Make) -> None:
    store = make()
    world = store.create("a")
    post(store, world, 1)
    child = store.fork(world, "b")
    post(store, child, 2)
    view = store.view(child)
    assert posted(store, view) == [1, 2]
    store.discard(world)
    store.discard(child)
    assert posted(store, view) == [1, 2] and store.shelf.indexed > 0
    store.discard(view)
    del view
    held = [link for link in open_files() if str(store.shelf.folder) in link]
    assert [Path(link).name for link in held] == ["lock"] and store.shelf.indexed == 0
    assert sorted(path.name for path in store.shelf.folder.rglob("*") if path.is_file()) == ["lock"]


def test_an_index_costs_its_pages_and_their_versions(make: Make) -> None:
    store = make()
    world = store.create("a")
    raw = store.connection(world).raw
    for name in "xyz":
        raw.execute("UPDATE team SET name = ? WHERE id = 1", (name,))
    log = world.log
    assert log is not None and log.versions is not None
    count, versions = len(log.versions), sum(map(len, log.versions.values()))
    assert versions > count and log.cost() == count * PAGE_COST + versions * VERSION_COST == store.shelf.indexed
    log.drop()
    assert log.cost() == 0
    posted(store, store.view(world))
    assert log.cost() == count * PAGE_COST + versions * VERSION_COST


def test_the_merged_indexes_are_the_first_to_go(make: Make) -> None:
    store = make()
    world = store.create("d0")
    for depth in range(DEPTH + 1):
        post(store, world, depth)
        world = store.fork(world, f"d{depth + 1}")
    assert world.merged is not None and posted(store, world) == list(range(DEPTH + 1))
    assert world.merged.pages is not None
    before = store.shelf.indexed
    store.shelf.index_budget = before
    post(store, world, 77)
    assert world.merged.pages is None and store.shelf.indexed < before
    assert posted(store, world) == [*range(DEPTH + 1), 77]


def test_worlds_are_listed_by_name_whether_they_are_open_or_not(make: Make, tmp_path: Path, base: Base) -> None:
    store = make()
    for name in ("b", "a", "c"):
        store.keep(store.create(name))
    unwritten = store.create("d")
    cut = store.shelf.path("e")
    cut.parent.mkdir(exist_ok=True)
    cut.write_bytes(b"{")
    store.close()
    again = Store(store.shelf.folder, base)
    assert again.names() == ["a", "b", "c"] and not again.holds("d")
    again.open("b")
    again.create("d")
    assert again.names() == ["a", "b", "c"] and [again.holds(name) for name in "abcdx"] == [True] * 4 + [False]
    with pytest.raises(WorldExists, match="world d exists already"):
        again.salvage("a", "d")
    with pytest.raises(StoreError, match="world d is not a world of this store"):
        again.discard(unwritten)
    with pytest.raises(UnknownWorld, match="world e was never written"):
        again.open("e")
    assert open_logs(again) == ["b"]
    again.close()
