"""Processes that are killed and machines that lose power."""

import hashlib
import os
import random
import signal
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest
from office import post, posted

from world.store import Base, DamagedLog, Store, World
from world.store.log_files import Shelf
from world.store.pool import Pool

KILLS = int(os.environ.get("FIRMAMENT_KILLS", "25"))
POWER_CUTS = int(os.environ.get("FIRMAMENT_POWER_CUTS", "1000"))
WORLDS = 5


def write_until_killed(folder: Path, base: Base, acknowledge: Callable[[bytes], object]) -> None:
    """Calls on several worlds in turn; a line for each that was committed."""
    store = Store(folder, base, pool=3)
    worlds = [store.open(f"w{n}") if f"w{n}" in store.names() else store.create(f"w{n}") for n in range(WORLDS)]
    counts = [len(posted(store, world)) for world in worlds]
    for turn in range(100_000):
        n = turn * 3 % WORLDS
        post(store, worlds[n], counts[n])
        acknowledge(b"%d %d\n" % (n, counts[n]))
        counts[n] += 1


def killed_after(folder: Path, base: Base, calls: int) -> dict[int, int]:
    """Kill a writer after so many acknowledged calls; how many each world had acknowledged in the end."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            write_until_killed(folder, base, lambda line: os.write(writing, line))
        finally:
            os._exit(1)
    os.close(writing)
    acknowledged: dict[int, int] = {}
    with os.fdopen(reading, "rb") as lines:
        for count, line in enumerate(lines, 1):
            world, number = map(int, line.split())
            acknowledged[world] = number + 1
            if count == calls:
                os.kill(child, signal.SIGKILL)
    assert os.WIFSIGNALED(os.waitpid(child, 0)[1])
    return acknowledged


@pytest.mark.full
@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
def test_a_killed_process_loses_no_acknowledged_call(tmp_path: Path, base: Base) -> None:
    chance = random.Random(7)
    image = hashlib.sha256(base.path.read_bytes()).hexdigest()
    acknowledged = dict.fromkeys(range(WORLDS), 0)
    for _ in range(KILLS):
        acknowledged |= killed_after(tmp_path / "worlds", base, chance.randrange(1, 60))
        store = Store(tmp_path / "worlds", base)
        for n, count in acknowledged.items():
            found = posted(store, store.open(f"w{n}")) if f"w{n}" in store.names() else []
            assert found == list(range(len(found)))
            assert count <= len(found) <= count + 1, "a call was lost, or one that was never made appeared"
        check(store)
        store.close()
    assert image == base.sha256 == hashlib.sha256(base.path.read_bytes()).hexdigest()


def check(store: Store) -> None:
    for name in store.names():
        private = store.private(store.open(name))
        private.raw.authorizer = None
        assert private.raw.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        private.raw.execute("INSERT INTO message_fts(message_fts, rank) VALUES ('integrity-check', 1)").fetchall()
        private.raw.execute("SELECT 1").fetchall()
        private.close()


class Written(NamedTuple):
    path: str
    offset: int
    data: bytes


class Synced(NamedTuple):
    path: str


class Disk:
    """What a process wrote and made durable, in order."""

    def __init__(self, patch: pytest.MonkeyPatch):
        self.events: list[Written | Synced] = []
        self._pwrite, self._fsync = os.pwrite, os.fsync
        patch.setattr(os, "pwrite", self.pwrite)
        patch.setattr(os, "fsync", self.fsync)

    def pwrite(self, fd: int, data: bytes, offset: int) -> int:
        self.events.append(Written(os.readlink(f"/proc/self/fd/{fd}"), offset, bytes(data)))
        return self._pwrite(fd, data, offset)

    def fsync(self, fd: int) -> None:
        self.events.append(Synced(os.readlink(f"/proc/self/fd/{fd}")))
        self._fsync(fd)

    def after_power_cut(self, at: int, chance: random.Random) -> dict[str, bytes]:
        """Files as they may be found: all that was synced, and a prefix of the rest, or no file if its folder was not."""
        written: dict[str, bytearray] = {}
        durable: dict[str, int] = {}
        named: set[str] = set()
        for event in self.events[:at]:
            if isinstance(event, Synced):
                durable[event.path] = len(written.get(event.path, b""))
                named.update(path for path in written if os.path.dirname(path) == event.path)
            else:
                content = written.setdefault(event.path, bytearray())
                content[event.offset : event.offset + len(event.data)] = event.data
        found = {}
        for path, content in written.items():
            kept = durable.get(path, 0)
            if path in named or chance.random() < 0.8:
                found[path] = bytes(content[: chance.randint(kept, len(content))])
        return found


def test_a_power_cut_leaves_a_prefix_of_the_calls_and_every_snapshot(
    tmp_path: Path, base: Base, monkeypatch: pytest.MonkeyPatch
) -> None:
    worlds = tmp_path / "worlds"
    store = Store(worlds, base)
    snapshots: list[tuple[int, str, list[int]]] = []
    with monkeypatch.context() as patch:
        disk = Disk(patch)
        parent = store.create("parent")
        for number in range(12):
            post(store, parent, number)
            if number == 5:
                child = store.fork(parent, "child")
            if number > 5:
                post(store, child, number)
            if number in (3, 7, 10):
                world = child if number == 7 else parent
                store.snapshot(world)
                snapshots.append((len(disk.events), str(world.name), posted(store, world)))
    store.close()
    chance, pool = random.Random(5), Pool(4)
    for turn in range(POWER_CUTS):
        at = chance.randrange(1, len(disk.events) + 1)
        folder = tmp_path / "cut" / str(turn)
        restore(disk.after_power_cut(at, chance), worlds, folder)
        shelf = Shelf(folder, base, 1 << 30, 1 << 30)
        found = {name: calls(pool, shelf, name) for name in list(shelf.unread) if shelf.is_written(name)}
        for numbers in found.values():
            assert numbers == list(range(len(numbers)))
        for end, name, numbers in snapshots:
            assert end > at or found.get(name, [])[: len(numbers)] == numbers
        shelf.close()
    pool.close()


def restore(files: dict[str, bytes], worlds: Path, folder: Path) -> None:
    for path, content in files.items():
        target = folder / Path(path).relative_to(worlds)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)


def calls(pool: Pool, shelf: Shelf, name: str) -> list[int]:
    """The calls of a world; none where the power cut took away what its fork stands on, which is named."""
    try:
        log, below = shelf.open(name)
    except DamagedLog:
        return []
    bound = pool.connection(World(shelf, name, below, log))
    return [row[0] for row in bound.raw.execute("SELECT at FROM message WHERE channel = 9 ORDER BY at").fetchall()]
