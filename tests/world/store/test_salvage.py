"""What is saved of a damaged log: every call before the damage, in a world of another name, and never in silence."""

import errno
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from office import post, posted

from world.store import Base, DamagedLog, NoRoom, Store, StoreError, UnknownWorld, WorldExists
from world.store import salvage as salvage_module
from world.store.log import Log

CALLS = 5


@pytest.fixture
def store(tmp_path: Path, base: Base) -> Iterator[Store]:
    store = Store(tmp_path / "worlds", base)
    yield store
    store.close()


def damaged(store: Store, base: Base, tmp_path: Path, record: int) -> tuple[Store, Path, int, int]:
    """The store of a later process, a log with a flipped bit in one of its records, where that begins, and its size."""
    world = store.create("a")
    for number in range(CALLS):
        post(store, world, number)
    assert world.log is not None
    path = Path(world.log.path)
    starts = [world.log.start - world.log.shift, *(end - world.log.shift for end in world.log.ends)]
    store.close()
    content = bytearray(path.read_bytes())
    content[starts[record] + 40] ^= 4
    path.write_bytes(content)
    return Store(tmp_path / "worlds", base), path, starts[record], len(content)


@pytest.mark.parametrize("record", range(CALLS - 1))
def test_the_calls_before_the_damage_are_saved_and_the_damaged_log_stays(
    store: Store, base: Base, tmp_path: Path, record: int
) -> None:
    again, path, at, size = damaged(store, base, tmp_path, record)
    before = path.read_bytes()
    with pytest.raises(DamagedLog, match=f"log a is damaged at byte {at}, before its end"):
        again.open("a")
    found = again.salvage("a", "b")
    assert (found.damaged_at, found.lost_bytes) == (at, size - at)
    saved = again.open("b")
    assert posted(again, saved) == list(range(record)) and path.read_bytes() == before
    post(again, saved, 77)
    assert posted(again, saved) == [*range(record), 77]
    again.close()


def test_what_is_saved_is_on_disk_when_it_is_told(
    store: Store, base: Base, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    again, _, _, _ = damaged(store, base, tmp_path, 1)
    real, synced = os.fsync, list[bytes]()

    def fsync(fd: int) -> None:
        synced.append(Path(f"/proc/self/fd/{fd}").read_bytes())
        real(fd)

    monkeypatch.setattr(os, "fsync", fsync)
    again.salvage("a", "b")
    assert synced == [next((tmp_path / "worlds").glob("*/b.log")).read_bytes()] and len(synced[0]) > 1024
    again.close()


def test_a_damaged_fork_is_saved_over_its_parent(store: Store, base: Base, tmp_path: Path) -> None:
    parent = store.create("parent")
    post(store, parent, 1)
    child = store.fork(parent, "child")
    for number in (2, 3, 4):
        post(store, child, number)
    assert child.log is not None
    path, place = Path(child.log.path), child.log.ends[0] - child.log.shift
    store.close()
    content = bytearray(path.read_bytes())
    content[place + 40] ^= 1
    path.write_bytes(content)
    again = Store(tmp_path / "worlds", base)
    again.salvage("child", "saved")
    saved = again.open("saved")
    assert posted(again, saved) == [1, 2]
    again.discard(again.open("parent"))
    assert posted(again, saved) == [1, 2], "the parent's log stays for as long as it is read"
    again.close()


def test_a_saved_world_that_is_discarded_takes_no_ancestor_from_the_damaged_one(
    store: Store, base: Base, tmp_path: Path
) -> None:
    parent, other = store.create("parent"), store.create("other")
    post(store, parent, 1)
    post(store, other, 1)
    child = store.fork(parent, "child")
    for number in (2, 3):
        post(store, child, number)
    assert child.log is not None
    path, place = Path(child.log.path), child.log.ends[0] - child.log.shift
    store.close()
    content = bytearray(path.read_bytes())
    content[place + 40] ^= 1
    path.write_bytes(bytes(content))
    again = Store(tmp_path / "worlds", base)
    again.discard(again.open("other"))
    again.salvage("child", "saved")
    saved = again.open("saved")
    assert posted(again, saved) == [1, 2]
    again.discard(saved)
    again.discard(again.open("parent"))
    assert [path.name for path in (tmp_path / "worlds").rglob("*.kept")] == ["parent.kept"], "the damaged log names it"
    again.close()


def test_what_cannot_be_salvaged_is_refused_and_leaves_nothing(
    store: Store, base: Base, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    again, path, _, _ = damaged(store, base, tmp_path, 2)
    post(again, again.create("whole"), 1)
    with pytest.raises(StoreError, match="log whole is whole"):
        again.salvage("whole", "b")
    with pytest.raises(UnknownWorld):
        again.salvage("nobody", "b")
    with pytest.raises(WorldExists):
        again.salvage("a", "whole")
    with pytest.raises(WorldExists):
        again.salvage("a", "a")
    with monkeypatch.context() as patch:

        def fail(*_: object) -> None:
            raise OSError(errno.ENOSPC, "No space left on device")

        patch.setattr(salvage_module.os, "fsync", fail)
        with pytest.raises(NoRoom, match="No space left on device"):
            again.salvage("a", "b")
    path.write_bytes(b"{" + path.read_bytes()[1:].replace(b'"format"', b'"fOrmat"', 1))
    with pytest.raises(DamagedLog, match="the header of log a is damaged"):
        again.salvage("a", "b")
    assert again.names() == ["a", "whole"] and not list((tmp_path / "worlds").glob("*/b.log"))
    again.close()


def test_a_torn_end_that_is_cut_is_told(store: Store, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    world = store.create("a")
    for number in range(2):
        post(store, world, number)
    assert world.log is not None
    whole = Path(world.log.path).read_bytes()
    (tmp_path / "torn").write_bytes(whole[:-7])
    torn = Log("a", str(tmp_path / "torn"), 1024, store.shelf)
    assert torn.recover() is not None
    torn.release()
    cut = len(whole) - 7 - (tmp_path / "torn").stat().st_size
    assert f"log a: the {cut} bytes after its last whole call were cut off" in caplog.text
