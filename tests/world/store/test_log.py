"""What a log survives: being cut anywhere, flipped bits, damage in its middle, writes that fail."""

import errno
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import apsw
import pytest
from office import pages, post, posted

from world.store import Base, BaseMismatch, DamagedLog, Store, UnknownWorld, World
from world.store import log as logs
from world.store.log import Log, LogHeader

STRIDE = int(os.environ.get("FIRMAMENT_LOG_STRIDE", "5"))  # bytes from one place of damage to the next


class Quiet:
    """A keeper of logs that has no limits."""

    def note_opened(self, log: Log) -> None: ...
    def relieve(self) -> None: ...
    def grew(self, log: Log) -> None: ...


@pytest.fixture
def store(tmp_path: Path, base: Base) -> Iterator[Store]:
    store = Store(tmp_path / "worlds", base)
    yield store
    store.close()


@pytest.fixture
def written(store: Store, base: Base) -> tuple[bytes, list[int]]:
    """The log of a world after three calls, and where its records end in the file."""
    world = store.create("a")
    for number in range(3):
        post(store, world, number)
    log = world.log
    assert log is not None
    return Path(log.path).read_bytes(), [-log.shift, *(end - log.shift for end in log.ends)]


def recovered(path: Path, content: bytes) -> Log | None:
    """The log of this content, or None where there is no world in it."""
    path.write_bytes(content)
    log = Log("a", str(path), 1024, Quiet())
    try:
        return log if log.recover() is not None else None
    finally:
        log.release()


def test_a_log_cut_in_its_header_is_no_world(tmp_path: Path, written: tuple[bytes, list[int]]) -> None:
    content, ends = written
    for cut in range(ends[0]):
        assert recovered(tmp_path / "cut", content[:cut]) is None


def test_a_log_cut_in_its_first_record_is_no_world(tmp_path: Path, written: tuple[bytes, list[int]]) -> None:
    content, ends = written
    assert all(recovered(tmp_path / "cut", content[:cut]) is None for cut in range(ends[0] + 1, ends[1], 3 * STRIDE))


@pytest.mark.full
def test_a_log_cut_in_a_later_record_ends_before_it(tmp_path: Path, written: tuple[bytes, list[int]]) -> None:
    content, ends = written
    for cut in [*range(ends[1], ends[2], 7 * STRIDE), *range(ends[2], len(content), STRIDE)]:
        log = recovered(tmp_path / "cut", content[:cut])
        sound = max(end for end in ends if end <= cut)
        assert log is not None
        assert log.end - log.shift == sound == (tmp_path / "cut").stat().st_size


@pytest.mark.full
def test_a_flipped_bit_in_the_last_record_costs_that_call_only(
    tmp_path: Path, written: tuple[bytes, list[int]]
) -> None:
    content, ends = written
    for place in range(ends[-2], len(content), STRIDE):
        log = recovered(tmp_path / "flipped", flipped(content, place))
        assert log is not None
        assert log.end - log.shift == ends[-2]


def test_a_flipped_bit_before_the_last_record_is_damage(tmp_path: Path, written: tuple[bytes, list[int]]) -> None:
    content, ends = written
    for place in [*range(ends[0] + 40), *range(ends[0] + 40, ends[-2], 3 * STRIDE)]:
        with pytest.raises(DamagedLog, match="log a is damaged"):
            recovered(tmp_path / "flipped", flipped(content, place))
        assert (tmp_path / "flipped").stat().st_size == len(content)


def flipped(content: bytes, place: int) -> bytes:
    return content[:place] + bytes([content[place] ^ (1 << place % 8)]) + content[place + 1 :]


@pytest.mark.parametrize("kept", [1, 2, 3])
def test_a_world_goes_on_after_its_torn_end_was_cut(store: Store, base: Base, tmp_path: Path, kept: int) -> None:
    world, straight = store.create("a"), store.create("straight")
    for number in range(kept):
        post(store, world, number)
        post(store, straight, number)
    sound = world.mark()
    post(store, world, 99)
    assert world.log is not None
    cut_at = (sound + world.mark()) // 2 - world.log.shift
    store.close()
    os.truncate(world.log.path, cut_at)
    again = Store(tmp_path / "worlds", base)
    world, straight = again.open("a"), again.open("straight")
    assert posted(again, world) == list(range(kept))
    post(again, world, 5)
    post(again, straight, 5)
    assert pages(world) == pages(straight)
    again.close()


def test_a_creation_cut_short_is_no_world_and_blocks_no_other(store: Store, base: Base, tmp_path: Path) -> None:
    world = store.create("a")
    post(store, world, 1)
    assert world.log is not None
    path, header = Path(world.log.path), -world.log.shift
    store.close()
    for length in (0, 10, header + 20):
        os.truncate(path, length)
        again = Store(tmp_path / "worlds", base)
        assert again.names() == []
        with pytest.raises(UnknownWorld):
            again.open("a")
        world = again.create("a")
        post(again, world, 2)
        assert posted(again, world) == [2]
        again.close()


def test_damage_below_a_fork_is_named_and_not_a_shorter_world(store: Store, base: Base, tmp_path: Path) -> None:
    parent = store.create("parent")
    for number in range(3):
        post(store, parent, number)
    child = store.fork(parent, "child")
    post(store, child, 9)
    assert parent.log is not None
    path = parent.log.path
    store.close()
    os.truncate(path, os.stat(path).st_size - 5)
    again = Store(tmp_path / "worlds", base)
    with pytest.raises(DamagedLog, match="world child stands on parent"):
        again.open("child")
    assert posted(again, again.open("parent")) == [0, 1]
    again.close()


def test_a_parent_written_anew_is_noticed(store: Store, base: Base, tmp_path: Path) -> None:
    parent = store.create("parent")
    post(store, parent, 1)
    post(store, store.fork(parent, "child"), 2)
    assert parent.log is not None
    path = Path(parent.log.path)
    store.close()
    path.unlink()
    again = Store(tmp_path / "worlds", base)
    with pytest.raises(DamagedLog, match="log is missing"):
        again.open("child")
    post(again, again.create("parent"), 7)
    with pytest.raises(DamagedLog, match="stands on parent"):
        again.open("child")
    again.close()


def test_a_dropped_index_over_a_damaged_log_is_named(store: Store) -> None:
    world = store.create("a")
    for number in range(3):
        post(store, world, number)
    log = world.log
    assert log is not None
    os.pwrite(log.file(), b"\xff\xff", 2000)
    log.drop()
    with pytest.raises(DamagedLog, match="damaged below position"):
        world.page(1)


@pytest.mark.parametrize("what", ["base", "format", "page size"])
def test_a_log_of_another_base_or_format_is_refused(
    store: Store, base: Base, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    spec = LogHeader("0" * 64 if what == "base" else base.sha256, 4096 if what == "page size" else 1024, ())
    with monkeypatch.context() as patch:
        patch.setattr(logs, "FORMAT", 9 if what == "format" else logs.FORMAT)
        line = spec.line()
    path = store.shelf.path("a")
    store.close()
    path.parent.mkdir()
    path.write_bytes(line)
    again = Store(tmp_path / "worlds", base)
    with pytest.raises(BaseMismatch, match=r"format 9|stands on base"):
        again.open("a")
    again.close()


# Writes that fail


def fails(error: int, after: int = 0, short: int | None = None) -> Any:
    """A write that fails or stops short once `after` writes went well."""
    real, left = os.pwrite, [after]

    def pwrite(fd: int, data: bytes, offset: int) -> int:
        if left[0]:
            left[0] -= 1
            return real(fd, data, offset)
        if short is not None:
            return real(fd, data[: len(data) * short // 100], offset)
        raise OSError(error, os.strerror(error))

    return pwrite


FAILURES = {
    "disk full": (errno.ENOSPC, None, apsw.FullError),
    "input/output error": (errno.EIO, None, apsw.IOError),
    "nothing written": (0, 0, apsw.FullError),
    "half written": (0, 50, apsw.FullError),
    "all but the end written": (0, 99, apsw.FullError),
}


@pytest.mark.parametrize("failure", sorted(FAILURES))
@pytest.mark.parametrize("first", [True, False], ids=["creation", "later"])
@pytest.mark.parametrize("ending", ["autocommit", "commit"])
def test_a_failed_write_undoes_its_transaction_and_no_other(
    store: Store, base: Base, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, failure: str, first: bool, ending: str
) -> None:
    world, twin = store.create("a"), store.create("twin")
    if not first:
        post(store, world, 1)
        post(store, twin, 1)
    before = pages(world)
    code, short, expected = FAILURES[failure]
    with monkeypatch.context() as patch:
        patch.setattr(os, "pwrite", fails(code, short=short))
        with pytest.raises(expected):
            write(store, world, ending)
    assert not store.connection(world).raw.in_transaction
    assert pages(world) == before
    found = store.connection(world).raw.execute("SELECT count(*) FROM message_fts WHERE message_fts MATCH 'unlucky'")
    assert found.fetchall() == [(0,)]
    assert store.names() == ([] if first else ["a", "twin"])
    for each in (world, twin):
        post(store, each, 2)
    assert pages(world) == pages(twin)
    store.close()
    again = Store(tmp_path / "worlds", base)
    assert pages(again.open("a")) == pages(again.open("twin"))
    again.close()


def write(store: Store, world: World, ending: str) -> None:
    raw = store.connection(world).raw
    if ending == "commit":
        raw.execute("BEGIN")
    raw.execute("INSERT INTO message VALUES ('u', 9, 900, 'unlucky', 1)")
    if ending == "commit":
        raw.execute("COMMIT")


def test_a_failed_fsync_is_no_snapshot(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    world = store.create("a")
    post(store, world, 1)

    def fsync(fd: int) -> None:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", fsync)
        with pytest.raises(apsw.IOError):
            store.snapshot(world)
    assert store.snapshot(world) == 1


def test_whichever_system_call_fails_every_call_is_done_or_undone(
    tmp_path: Path, base: Base, monkeypatch: pytest.MonkeyPatch
) -> None:
    for nth in range(1, 200):
        folder = tmp_path / str(nth)
        acknowledged, failed = run_with_failure(folder, base, monkeypatch, nth)
        again = Store(folder, base)
        worlds = {name: posted(again, again.open(name)) for name in again.names()}
        again.close()
        assert worlds == acknowledged
        if not failed:
            return
    pytest.fail("the failure never stopped coming")


def run_with_failure(
    folder: Path, base: Base, monkeypatch: pytest.MonkeyPatch, nth: int
) -> tuple[dict[str, list[int]], int]:
    """Some work in which the n-th open, read, write, truncation or fsync fails; what was acknowledged."""
    acknowledged: dict[str, list[int]] = {}
    calls = [0]

    def failing(real: Any) -> Any:
        def call(*args: Any, **more: Any) -> Any:
            calls[0] += 1
            if calls[0] == nth:
                raise OSError(errno.EMFILE, os.strerror(errno.EMFILE))
            return real(*args, **more)

        return call

    store = Store(folder, base)
    with monkeypatch.context() as patch:
        for name in ("open", "pread", "pwrite", "ftruncate", "fsync", "fstat"):
            patch.setattr(os, name, failing(getattr(os, name)))
        for number in range(3):
            for name in ("a", "b"):
                world = store.open(name) if name in store._worlds else store.create(name)
                attempt(store, world, number, acknowledged)
                store.shelf.relieve()
        child = store.fork(store.open("a"), "child")
        acknowledged_before = list(acknowledged.get("a", []))
        attempt(store, child, 7, acknowledged)
        if "child" in acknowledged:
            acknowledged["child"] = acknowledged_before + acknowledged["child"]
        try:
            store.snapshot(store.open("a"))
        except (apsw.Error, OSError):
            pass
    failed = calls[0] >= nth
    store.close()
    return acknowledged, failed


def attempt(store: Store, world: World, number: int, acknowledged: dict[str, list[int]]) -> None:
    try:
        post(store, world, number)
    except (apsw.Error, OSError, DamagedLog):
        store.pool.hot[world].rollback()
    else:
        acknowledged.setdefault(str(world.name), []).append(number)
