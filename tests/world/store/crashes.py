"""Writers that are killed, and disks that lose power: what a process wrote and what of it may be found afterwards."""

import os
import random
import signal
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.world.store.office import post, posted
from world.store import Base, DamagedLog, Store, StoreError, World
from world.store.log_files import Shelf
from world.store.pool import Pool

WORLDS = 5
SECTOR = 512  # bytes that a disk writes whole or not at all


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


def check(store: Store) -> None:
    """Every world's pages and search index are whole."""
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
                put(written.setdefault(event.path, bytearray()), event.offset, event.data)
        found = {}
        for path, content in written.items():
            kept = durable.get(path, 0)
            if path in named or chance.random() < 0.8:
                found[path] = bytes(content[: chance.randint(kept, len(content))])
        return found

    def after_disorder(self, at: int, chance: random.Random) -> dict[str, bytes]:
        """Files as a disk that reorders may leave them: all that was synced; of later writes any, whole or by sectors."""
        durable: dict[str, bytearray] = {}
        waiting: dict[str, list[Written]] = {}
        named: set[str] = set()
        for event in self.events[:at]:
            if isinstance(event, Written):
                waiting.setdefault(event.path, []).append(event)
                continue
            for one in waiting.pop(event.path, []):
                put(durable.setdefault(event.path, bytearray()), one.offset, one.data)
            named.update(path for path in (*durable, *waiting) if os.path.dirname(path) == event.path)
        for path, writes in sorted(waiting.items()):
            if path in named or path in durable or chance.random() < 0.8:
                for one in chance.sample(writes, len(writes)):
                    land(durable.setdefault(path, bytearray()), one, chance)
        return {path: bytes(content) for path, content in durable.items()}


def put(content: bytearray, offset: int, data: bytes) -> None:
    """Write bytes at a place; what lies before them and was never written is zero."""
    content.extend(bytes(max(0, offset - len(content))))
    content[offset : offset + len(data)] = data


def land(content: bytearray, one: Written, chance: random.Random) -> None:
    """A write that arrives whole, in some of its sectors, or not at all."""
    fate = chance.random()
    if fate < 0.5:
        put(content, one.offset, one.data)
    elif fate < 0.75:
        end = one.offset + len(one.data)
        for sector in range(one.offset // SECTOR, (end - 1) // SECTOR + 1):
            begin, stop = max(one.offset, sector * SECTOR), min(end, (sector + 1) * SECTOR)
            if chance.random() < 0.5:
                put(content, begin, one.data[begin - one.offset : stop - one.offset])


class Recorded(NamedTuple):
    """A disk on which two worlds were written, and each snapshot: after how many events, of which world, of which calls."""

    disk: Disk
    snapshots: list[tuple[int, str, list[int]]]


def record_worlds(worlds: Path, base: Base) -> Recorded:
    """A parent and a fork of it are written, and three snapshots are taken."""
    store = Store(worlds, base)
    snapshots: list[tuple[int, str, list[int]]] = []
    with pytest.MonkeyPatch.context() as patch:
        disk = Disk(patch)
        parent = child = store.create("parent")
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
    return Recorded(disk, snapshots)


class Outcome(NamedTuple):
    """What a power cut left: calls by world, salvaged where it is refused; how many are refused; snapshots not whole."""

    found: dict[str, list[int]]
    refused: int
    lost: int

    @property
    def is_prefix(self) -> bool:
        """Whether every world that opens holds the calls up to some call."""
        return all(numbers == list(range(len(numbers))) for numbers in self.found.values())


def cut_power(recorded: Recorded, at: int, files: dict[str, bytes], worlds: Path, folder: Path, base: Base) -> Outcome:
    """Put the files down in a folder and open or salvage every world there. `at` counts the events before the cut."""
    for path, content in files.items():
        target = folder / Path(path).relative_to(worlds)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
    shelf, pool = Shelf(folder, base, 1 << 30, 1 << 30), Pool(4)
    found, refused = dict[str, list[int]](), 0
    try:
        for name in [name for name in shelf.unread if shelf.is_written(name)]:
            numbers = calls(pool, shelf, name)
            refused += numbers is None
            found[name] = (salvaged(pool, shelf, name) if numbers is None else numbers) or []
    finally:
        pool.close()
        shelf.close()
    lost = sum(end <= at and found.get(name, [])[: len(kept)] != kept for end, name, kept in recorded.snapshots)
    return Outcome(found, refused, lost)


def salvaged(pool: Pool, shelf: Shelf, name: str) -> list[int] | None:
    """The calls that can be saved of a damaged world; None where nothing can."""
    try:
        shelf.salvage(name, f"{name}-saved")
    except StoreError:
        return None
    return calls(pool, shelf, f"{name}-saved")


def calls(pool: Pool, shelf: Shelf, name: str) -> list[int] | None:
    """The calls of a world; None where it is refused as damaged."""
    try:
        log, below = shelf.open(name)
    except DamagedLog:
        return None
    bound = pool.connection(World(shelf, name, below, log))
    return [row[0] for row in bound.raw.execute("SELECT at FROM message WHERE channel = 9 ORDER BY at").fetchall()]
