"""The store: worlds of one folder over one base, made, opened, forked, bound and discarded."""

import os
from pathlib import Path

import apsw

from world.store.errors import BaseMismatch, BusyError, StoreError, UnknownCall, WorldExists
from world.store.image import Base
from world.store.log import Layer
from world.store.log_files import Shelf
from world.store.overlay import View, World
from world.store.pool import Bound, Pool
from world.store.salvage import Damage

START = "SELECT start_mark FROM _call WHERE seq = ?"
FOLLOWING = "SELECT start_mark FROM _call WHERE seq > ? AND start_mark > ? ORDER BY seq LIMIT 1"
LAST_CALL = "SELECT max(seq) FROM _call"

DISCARDED = "is discarded"


class Store:
    """One per process and folder. All its work runs on one thread."""

    def __init__(
        self,
        folder: Path | str,
        base: Base,
        *,
        pool: int = 16,
        quota_bytes: int = 512 << 20,
        index_budget: int = 1 << 30,
    ):
        if base.sqlite_version != apsw.SQLITE_VERSION_NUMBER:
            versions = f"by SQLite {base.sqlite_version}, this is {apsw.SQLITE_VERSION_NUMBER}"
            raise BaseMismatch(f"the base was sealed {versions}: seal it again")
        self.base = base
        self.shelf = Shelf(Path(folder), base, quota_bytes, index_budget)
        self.pool = Pool(pool)
        self._worlds: dict[str, World] = {}

    def create(self, name: str) -> World:
        """A new world, equal to the base. Nothing is written until its first commit."""
        return self._add(name, ())

    def open(self, name: str) -> World:
        """The world of this name, from memory or from its log."""
        if name in self._worlds:
            return self._worlds[name]
        log, below = self.shelf.open(name)
        world = self._worlds[name] = World(self.shelf, name, below, log)
        if not os.stat(log.path).st_mode & 0o200:
            world.frozen = "is frozen"
        self._check_calls(world)
        return world

    def names(self) -> list[str]:
        """The written worlds, in order."""
        written = [name for name, world in self._worlds.items() if world.log is not None]
        return sorted(written + [name for name in self.shelf.unread if self.shelf.is_written(name)])

    def list_known(self) -> list[str]:
        """The worlds that are open or have a file, in order, without a look at the files: one may have been cut short."""
        return sorted([*self._worlds, *self.shelf.unread])

    def count_worlds(self) -> int:
        """The number of worlds, open or written."""
        return len(self._worlds) + len(self.shelf.unread)

    def measure_size(self, name: str) -> int:
        """Bytes of a world's own log; 0 while nothing of it is written."""
        return self.shelf.measure(name)[0]

    def find_write_time(self, name: str) -> float | None:
        """When a world's log was last written, in seconds since the epoch, as the file system says; None: never."""
        return self.shelf.measure(name)[1]

    def fork(self, world: World, name: str, at: int | None = None) -> World:
        """A world that goes on from just after call `at` of another one, or from its last commit."""
        below = self._lineage(world, at)
        child = self._add(name, below)
        self.shelf.hold(below)
        return child

    def view(self, world: World, at: int | None = None) -> World:
        """A world as it was just after call `at`, to be read only."""
        return View(self.shelf, self._lineage(world, at))

    def view_base(self) -> World:
        """The base itself, to be read only."""
        return View(self.shelf, ())

    def snapshot(self, world: World) -> int:
        """Make all commits of the world durable; the number of its last call."""
        last = self._last_call(world)
        self._write(world)
        for log, _ in world.layers():
            log.sync()
        self.shelf.sync_folders(world)
        return last

    def keep(self, world: World) -> None:
        """Put a world's log on disk, which else comes with the first commit."""
        self._write(world)

    def holds(self, name: str) -> bool:
        """Whether a world of this name is open or written."""
        return name in self._worlds or (name in self.shelf.unread and self.shelf.is_written(name))

    def salvage(self, name: str, into: str) -> Damage:
        """Save the calls before the damage of a world's log as a world of another name. Raises StoreError."""
        if into in self._worlds:
            raise WorldExists(f"world {into} exists already")
        return self.shelf.salvage(name, into)

    def freeze(self, world: World) -> None:
        """Refuse all further commits, also after a restart."""
        if world.frozen:
            return
        self._write(world)
        assert world.log is not None
        os.chmod(world.log.path, 0o400)
        world.frozen = "is frozen"

    def discard(self, world: World) -> None:
        """Forget the world; its log stays for as long as a fork or a view reads it."""
        if (bound := self.pool.hot.get(world)) is not None and not bound.is_idle():
            raise BusyError(f"{world.title()}: a transaction, a cursor or a Session is still open on its connection")
        self.pool.leave(world, View(self.shelf, ()))
        if world.name is None:
            return
        if self._worlds.pop(world.name, None) is not world:
            raise StoreError(f"{world.title()} is not a world of this store")
        self.shelf.discard(world)
        world.frozen = DISCARDED

    def expel(self, world: World) -> None:
        """Let go of the world's connection; the next reader gets a fresh one."""
        self.pool.expel(world)

    def connection(self, world: World) -> Bound:
        """The world's connection; valid until the connection of another world is asked for."""
        if world.shelf is not self.shelf or world.frozen == DISCARDED:
            raise StoreError(f"{world.title()} belongs to another store, or is discarded")
        return self.pool.connection(world)

    def private(self, world: World) -> Bound:
        """A connection outside the pool, for checks, exports and long streams; the caller closes it."""
        return self.pool.private(world)

    def export(self, world: World, target: Path | str) -> None:
        """The whole world as one plain SQLite file."""
        private = self.private(world)
        try:
            private.raw.authorizer = None
            private.raw.execute("VACUUM INTO ?", (f"file:{Path(target).resolve()}?vfs=unix",))
        finally:
            private.close()

    def close(self) -> None:
        self.pool.close()
        self._worlds.clear()
        self.shelf.close()

    def _add(self, name: str, below: tuple[Layer, ...]) -> World:
        if name in self._worlds:
            raise WorldExists(f"world {name} exists already")
        self.shelf.check_free(name)
        world = self._worlds[name] = World(self.shelf, name, below)
        return world

    def _lineage(self, world: World, at: int | None) -> tuple[Layer, ...]:
        if at is None:
            return world.layers()
        return world.layers_at(self._mark(world, at)) if at else ()

    def _mark(self, world: World, at: int) -> int:
        """Return the mark where the record of a call ends: where the next transaction started, or the last mark.

        A call made by another one shares its transaction, and so its end.
        """
        raw = self._get_reader(world).raw
        start = raw.execute(START, (at,)).fetchone()
        if start is None or start[0] >= world.mark():
            raise UnknownCall(f"{world.title()} has no committed call {at}")
        following = raw.execute(FOLLOWING, (at, start[0])).fetchone()
        return following[0] if following else world.mark()

    def _get_reader(self, world: World) -> Bound:
        return self.pool.hot.get(world) or self.pool.connection(world)

    def _last_call(self, world: World) -> int:
        if not self.base.has_calls:
            return 0
        last = self._get_reader(world).raw.execute(LAST_CALL).fetchall()[0][0]
        return last if isinstance(last, int) else 0

    def _write(self, world: World) -> None:
        if world.log is None and world.name is not None:
            world.write_log({})

    def _check_calls(self, world: World) -> None:
        if self.base.has_calls:
            last = self._last_call(world)
            if last:
                world.layers_at(self._mark(world, last))
