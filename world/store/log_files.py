"""The logs of one folder: found by name, kept while a fork reads them, within limits of memory and descriptors."""

import collections
import contextlib
import os
import weakref
from pathlib import Path

from world.store.errors import BaseMismatch, DamagedLog, NoRoom, StoreError, UnknownWorld, WorldExists
from world.store.folder import check_name, list_names, own, place
from world.store.image import Base
from world.store.log import Layer, Log, LogHeader, holds_world, parse_header
from world.store.overlay import MergedIndex, World
from world.store.salvage import Damage, copy_sound_part

OPEN_LOGS = 256
DEPTH = 10  # logs looked through one by one before they are merged into one index


class Shelf:
    def __init__(self, folder: Path, base: Base, quota_bytes: int, index_budget: int, open_logs: int = OPEN_LOGS):
        self.folder, self.base = folder, base
        self.quota_bytes, self.index_budget, self.open_logs = quota_bytes, index_budget, open_logs
        self._lock = own(folder)
        self.closed = False
        self.logs: dict[str, Log] = {}
        self.unread = dict.fromkeys(list_names(folder, ".log"))
        self.kept = dict.fromkeys(list_names(folder, ".kept"))
        self._folders: dict[Path, None] = {}
        self._users: collections.Counter[str] = collections.Counter()
        self._counted = False
        self._unreadable = 0
        self._open: collections.OrderedDict[Log, None] = collections.OrderedDict()
        self._indexes: collections.OrderedDict[Log, int] = collections.OrderedDict()
        self.indexed = 0
        self._merged: weakref.WeakValueDictionary[Layer, MergedIndex] = weakref.WeakValueDictionary()
        for orphan in [name for name in self.kept if not self.users(name)]:
            self._unlink_kept(orphan)

    def close(self) -> None:
        if self.closed:
            return
        self.closed = True
        for log in self._open:
            log.release()
        self._open.clear()
        os.close(self._lock)

    # Names and files

    def path(self, name: str, suffix: str = ".log") -> Path:
        return place(self.folder, name, suffix)

    def check_free(self, name: str) -> None:
        check_name(name)
        if name in self.kept:
            raise WorldExists(f"world {name} was discarded, but forks still read it: take another name")
        if name in self.unread:
            if self.is_written(name):
                raise WorldExists(f"world {name} is already written: open it")
            self.path(name).unlink()
            del self.unread[name]

    def is_written(self, name: str) -> bool:
        """Whether the file holds a world, sound or damaged; a creation cut short does not."""
        try:
            return holds_world(self.path(name), name)
        except StoreError:
            return True

    def measure(self, name: str) -> tuple[int, float | None]:
        """Bytes and last change of a world's file; (0, None) where there is none."""
        try:
            found = self.path(name).stat()
        except FileNotFoundError:
            return 0, None
        return found.st_size, found.st_mtime

    def header(self, name: str) -> LogHeader | None:
        with self.path(name).open("rb") as file:
            return parse_header(file.readline(), name)

    def new_log(self, name: str) -> Log:
        path = self.path(name)
        if path.parent not in self._folders:
            path.parent.mkdir(mode=0o700, exist_ok=True)
            self._folders[path.parent] = None
        return Log(name, str(path), self.base.page_size, self)

    def open(self, name: str) -> tuple[Log, tuple[Layer, ...]]:
        """A world from its file: its log, and what lies below it."""
        if name not in self.unread:
            raise UnknownWorld(f"no world {name} is written in {self.folder.name}")
        log = self.logs.get(name)
        spec = self.header(name) if log is not None else None
        if log is None or spec is None:
            log, spec = self._read(name)
        below = self._below(log, spec)
        if not self._counted:
            self.hold(below)
        del self.unread[name]
        return log, below

    def spec(self, below: tuple[Layer, ...]) -> LogHeader:
        crcs = ((log.name, mark, log.crc_before(mark)) for log, mark in below)
        return LogHeader(self.base.sha256, self.base.page_size, tuple(crcs))

    def wrote(self, log: Log) -> None:
        self.logs[log.name] = log
        self.grew(log)

    def salvage(self, name: str, into: str) -> Damage:
        """Write the sound part of a log as the log of another world. Raises StoreError."""
        self.check_free(into)
        source = self.path(name, ".kept" if name in self.kept else ".log")
        if not source.exists():
            raise UnknownWorld(f"no world {name} is written in {self.folder.name}")
        target = self.path(into)
        target.parent.mkdir(mode=0o700, exist_ok=True)
        try:
            found, spec = copy_sound_part(source, target, name, self.base.page_size, self)
        except OSError as error:
            target.unlink(missing_ok=True)
            raise NoRoom(f"what is sound of world {name} cannot be written: {error.strerror}") from error
        self.unread[into] = None
        if self._counted:
            self._users.update(ancestor for ancestor, _, _ in spec.below)
        return found

    def _read(self, name: str) -> tuple[Log, LogHeader]:
        suffix = ".kept" if name in self.kept else ".log"
        log = Log(name, str(self.path(name, suffix)), self.base.page_size, self)
        spec = log.recover()
        if spec is None:
            self._close_log(log)
            raise UnknownWorld(f"world {name} was never written: its log is cut short")
        if (spec.base, spec.page_size) != (self.base.sha256, self.base.page_size):
            self._close_log(log)
            raise BaseMismatch(f"world {name} stands on base {spec.base[:12]}, this store on {self.base.sha256[:12]}")
        self.wrote(log)
        return log, spec

    def _below(self, log: Log, spec: LogHeader) -> tuple[Layer, ...]:
        layers = tuple(Layer(self._ancestor(name, log.name), mark) for name, mark, _ in spec.below)
        for (ancestor, mark), (_, _, crc) in zip(layers, spec.below, strict=True):
            if mark > ancestor.end or not ancestor.is_boundary(mark) or ancestor.crc_before(mark) != crc:
                raise DamagedLog(f"world {log.name} stands on {ancestor.name} at {mark}, which its log does not hold")
        return layers

    def _ancestor(self, name: str, child: str) -> Log:
        if name in self.logs:
            return self.logs[name]
        if name not in self.unread and name not in self.kept:
            raise DamagedLog(f"world {child} stands on world {name}, whose log is missing")
        try:
            return self._read(name)[0]
        except DamagedLog:
            return self._read_sound_part(name)

    def _read_sound_part(self, name: str) -> Log:
        """Read the sound part of a damaged log, for forks only; the log's own world stays refused."""
        log = Log(name, str(self.path(name, ".kept" if name in self.kept else ".log")), self.base.page_size, self)
        if log.read_sound_part() is None:
            raise DamagedLog(f"the header of log {name} is damaged")
        self.grew(log)
        return log

    # Ancestors: a log lives until its world is discarded and nothing reads it any more

    def hold(self, below: tuple[Layer, ...]) -> None:
        for log, _ in below:
            self._users[log.name] += 1

    def let_go(self, below: tuple[Layer, ...]) -> None:
        if self.closed:
            return
        for log, _ in below:
            self._users[log.name] -= 1
            if log.name in self.kept and not self.users(log.name):
                self._remove(log)
                self._unlink_kept(log.name)

    def users(self, name: str) -> int:
        if not self._counted:
            self._count()
        return self._users[name] + self._unreadable  # a damaged header may name any log

    def discard(self, world: World) -> None:
        if (log := world.log) is not None:
            if self.users(log.name):
                kept = self.path(log.name, ".kept")
                os.rename(log.path, kept)
                log.path = str(kept)
                self.kept[log.name] = None
            else:
                self._remove(log)
                os.unlink(log.path)
        self.let_go(world.below)

    def _count(self) -> None:
        """Count the users among the worlds that nobody has opened yet."""
        self._counted = True
        for name in self.unread:
            try:
                spec = self.header(name)
            except StoreError:
                self._unreadable += 1
                continue
            for ancestor, _, _ in spec.below if spec else ():
                self._users[ancestor] += 1

    def _unlink_kept(self, name: str) -> None:
        del self.kept[name]
        with contextlib.suppress(FileNotFoundError):
            self.path(name, ".kept").unlink()

    def _remove(self, log: Log) -> None:
        self._close_log(log)
        self.logs.pop(log.name, None)
        self.indexed -= self._indexes.pop(log, 0)

    def sync_folders(self, world: World) -> None:
        """Make the names of a lineage's logs durable."""
        for folder in dict.fromkeys([self.folder, *(Path(log.path).parent for log, _ in world.layers())]):
            fd = os.open(folder, os.O_RDONLY)
            try:
                os.fsync(fd)
            finally:
                os.close(fd)

    # Limits

    def get_layers(self, below: tuple[Layer, ...]) -> tuple[tuple[Layer, ...], MergedIndex | None]:
        """Return the layers to look through one by one, and the merged index of the rest of a deep lineage."""
        if len(below) <= DEPTH:
            return below, None
        for depth in range(DEPTH + 1):
            if (known := self._merged.get(below[depth])) is not None:
                return below[:depth], known
        merged = self._merged[below[0]] = MergedIndex(below, self.spend)
        return (), merged

    def note_opened(self, log: Log) -> None:
        self._open[log] = None
        self._open.move_to_end(log)
        while len(self._open) > self.open_logs:
            self._open.popitem(last=False)[0].release()

    def relieve(self) -> None:
        """Close every log; each opens again when it is read."""
        while self._open:
            self._open.popitem()[0].release()

    def use(self, world: World) -> None:
        """Note that a world is bound: its logs are the last to be closed or dropped."""
        for log, _ in world.layers():
            if log in self._open:
                self._open.move_to_end(log)
            if log in self._indexes:
                self._indexes.move_to_end(log)

    def grew(self, log: Log) -> None:
        """The index of a log was built or extended; older ones make room."""
        cost = log.cost()
        self.indexed += cost - self._indexes.pop(log, 0)
        self._indexes[log] = cost
        if self.indexed > self.index_budget:
            for merged in list(self._merged.values()):
                merged.drop()
        while self.indexed > self.index_budget and len(self._indexes) > 1:
            oldest, freed = self._indexes.popitem(last=False)
            oldest.drop()
            self.indexed -= freed

    def spend(self, size: int) -> None:
        self.indexed += size

    def _close_log(self, log: Log) -> None:
        log.release()
        self._open.pop(log, None)
