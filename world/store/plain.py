"""The store where apsw cannot be installed: one copied SQLite file per world, standard library only."""

import collections
import os
import shutil
import sqlite3
from pathlib import Path
from typing import Any

import sqlalchemy
from sqlalchemy import create_engine
from sqlalchemy.dialects import registry
from sqlalchemy.dialects.sqlite.pysqlite import SQLiteDialect_pysqlite
from sqlalchemy.pool import NullPool

from world.store.authorizer import authorize
from world.store.digest import RunningDigest
from world.store.errors import (
    BusyError,
    NoCopy,
    QuotaExceeded,
    StoreError,
    UnknownCall,
    UnknownWorld,
    WorldExists,
    WorldFrozen,
)
from world.store.folder import check_name, found, own, place
from world.store.image import COUNTER, Base

PRAGMAS = (
    "journal_mode=delete",  # process death must not cost a commit
    "synchronous=off",
    "cache_spill=off",  # so the file holds no uncommitted page and may be copied inside a transaction
    "temp_store=memory",
    "foreign_keys=on",
    "recursive_triggers=on",
)
LAST_CALL = "SELECT max(seq) FROM _call"
SAME_COMMIT = "SELECT max(start_mark) = (SELECT start_mark FROM _call WHERE seq = ?) FROM _call"


class Cursor(sqlite3.Cursor):
    """Names the refusals of the store."""

    def execute(self, sql: str, parameters: Any = (), /) -> "Cursor":
        try:
            return super().execute(sql, parameters)
        except sqlite3.OperationalError as error:
            raise _named(error) from error

    def executemany(self, sql: str, parameters: Any, /) -> "Cursor":
        try:
            return super().executemany(sql, parameters)
        except sqlite3.OperationalError as error:
            raise _named(error) from error


class Connection(sqlite3.Connection):
    """Autocommit until `begin`; a transaction begun in SQL is ended in SQL."""

    begun = False

    def cursor(self, factory: Any = Cursor) -> Any:
        return super().cursor(factory)

    def execute(self, sql: str, parameters: Any = (), /) -> Any:
        return self.cursor().execute(sql, parameters)

    def begin(self) -> None:
        if self.in_transaction:
            raise BusyError("a transaction begun outside SQLAlchemy is open: end it, or begin with bound.sql.begin()")
        self.execute("BEGIN")
        self.begun = True

    def commit(self) -> None:
        if self.begun and self.in_transaction:
            self.execute("COMMIT")
        self.begun = False

    def rollback(self) -> None:
        if self.begun and self.in_transaction:
            self.execute("ROLLBACK")
        self.begun = False


class Dialect(SQLiteDialect_pysqlite):
    """pysqlite that begins when SQLAlchemy begins."""

    driver = "plain"
    supports_statement_cache = True

    def do_begin(self, dbapi_connection: Any) -> None:
        dbapi_connection.begin()


registry.register("sqlite.plain", "world.store.plain", "Dialect")


class PlainWorld:
    """A file of its own, copied from the base when it is first used."""

    def __init__(self, base: Base, name: str | None, path: Path):
        self.base, self.name, self.path = base, name, path
        self.frozen = name is None
        self.copies: dict[int, Path] = {}

    def content(self) -> Path:
        return self.path if self.path.exists() else self.base.path

    def mark(self) -> int:
        """The number of commits since the base."""
        return commits(self.content())

    def make(self) -> None:
        if not self.path.exists():
            copy(self.base.path, self.path)

    def record_digest(self) -> RunningDigest:
        """sha256 of the file without its counters: equal for worlds that saw the same calls."""
        content = self.content().read_bytes()
        running = RunningDigest()
        running.add(content[:24] + content[28:92] + content[96:])
        return running

    def title(self) -> str:
        return f"world {self.name}" if self.name else "this view"


class PlainBound:
    """The connection of one world."""

    def __init__(self, world: PlainWorld, raw: Connection, sql: sqlalchemy.Connection):
        self.world, self.raw, self.sql = world, raw, sql

    def begin(self) -> None:
        self._raw_only()
        self.raw.execute("BEGIN")

    def commit(self) -> None:
        self._raw_only()
        self.raw.execute("COMMIT")

    def rollback(self) -> None:
        self._raw_only()
        if self.raw.in_transaction:
            self.raw.execute("ROLLBACK")

    def is_idle(self) -> bool:
        return not (self.raw.in_transaction or self.sql.in_transaction())

    def close(self) -> None:
        self.sql.close()
        self.raw.close()

    def _raw_only(self) -> None:
        if self.sql.in_transaction():
            raise BusyError("SQLAlchemy has a transaction open on this connection: end it there")


class PlainStore:
    """The interface of Store. The past is kept only where a snapshot copied it."""

    def __init__(
        self,
        folder: Path | str,
        base: Base,
        *,
        pool: int = 16,
        quota_bytes: int = 512 << 20,
        index_budget: int = 1 << 30,
    ):
        self.base, self.folder, self.size = base, Path(folder), pool
        self.quota_bytes = quota_bytes
        self._lock: int | None = own(self.folder)
        self._worlds: dict[str, PlainWorld] = {}
        self.hot: collections.OrderedDict[PlainWorld, PlainBound] = collections.OrderedDict()
        self._opening: list[Connection] = []
        self._engine = create_engine("sqlite+plain://", creator=lambda: self._opening.pop(), poolclass=NullPool)
        self._views = 0
        shutil.rmtree(self.folder / "views", ignore_errors=True)

    def create(self, name: str) -> PlainWorld:
        """A new world, equal to the base."""
        check_name(name)
        path = place(self.folder, name, ".db")
        if name in self._worlds or is_written(path):
            raise WorldExists(f"world {name} exists already")
        world = self._worlds[name] = PlainWorld(self.base, name, path)
        return world

    def open(self, name: str) -> PlainWorld:
        if name in self._worlds:
            return self._worlds[name]
        path = place(self.folder, name, ".db")
        if not is_written(path):
            raise UnknownWorld(f"no world {name} is written in {self.folder.name}")
        world = self._worlds[name] = PlainWorld(self.base, name, path)
        world.frozen = not path.stat().st_mode & 0o200
        world.copies = {int(copy.suffixes[-2][1:]): copy for copy in sorted(path.parent.glob(f"{name}.db.*.copy"))}
        return world

    def names(self) -> list[str]:
        return [name for name in found(self.folder, ".db") if is_written(place(self.folder, name, ".db"))]

    def fork(self, world: PlainWorld, name: str, at: int | None = None) -> PlainWorld:
        """A world that goes on from the last commit of another one, or from a snapshot of it."""
        source = self._source(world, at)
        child = self.create(name)
        copy(source, child.path)
        for seq, kept in world.copies.items():
            if at is None or seq <= at:
                child.copies[seq] = copy(kept, _copy_path(child.path, seq))
        return child

    def view(self, world: PlainWorld, at: int | None = None) -> PlainWorld:
        self._views += 1
        path = self.folder / "views" / f"{self._views}.db"
        return PlainWorld(self.base, None, copy(self._source(world, at), path))

    def snapshot(self, world: PlainWorld) -> int:
        """Copy the world as it is now, durably; the number of its last call."""
        world.make()
        last = self._last_call(world)
        world.copies[last] = copy(world.path, _copy_path(world.path, last))
        for path in (world.path, world.copies[last]):
            _sync(path)
        return last

    def freeze(self, world: PlainWorld) -> None:
        if not world.frozen:
            world.make()
            world.path.chmod(0o400)
            world.frozen = True
            if (bound := self.hot.pop(world, None)) is not None:
                bound.close()

    def discard(self, world: PlainWorld) -> None:
        if (bound := self.hot.get(world)) is not None:
            self._check(bound)
            self.hot.pop(world).close()
        if world.name is not None and self._worlds.pop(world.name, None) is not world:
            raise StoreError(f"{world.title()} is not a world of this store")
        for path in (world.path, *world.copies.values()):
            path.unlink(missing_ok=True)
        world.frozen = True

    def connection(self, world: PlainWorld) -> PlainBound:
        bound = self.hot.get(world)
        if bound is None:
            if len(self.hot) >= self.size:
                self._check(next(iter(self.hot.values())))
                self.hot.popitem(last=False)[1].close()
            bound = self.hot[world] = self.private(world)
        self._check(bound)
        self.hot.move_to_end(world)
        return bound

    def private(self, world: PlainWorld) -> PlainBound:
        """A connection outside the pool; the caller closes it."""
        if world.name is not None and self._worlds.get(world.name) is not world:
            raise StoreError(f"{world.title()} is discarded")
        world.make()
        raw = sqlite3.connect(world.path, isolation_level=None, factory=Connection, check_same_thread=False)
        most = (world.base.path.stat().st_size + self.quota_bytes) // world.base.page_size
        for pragma in (*PRAGMAS, f"max_page_count={most}", f"query_only={int(world.frozen)}"):
            raw.execute("PRAGMA " + pragma).fetchall()
        raw.set_authorizer(authorize)
        self._opening.append(raw)
        return PlainBound(world, raw, self._engine.connect())

    def export(self, world: PlainWorld, target: Path | str) -> None:
        shutil.copyfile(world.content(), target)

    def close(self) -> None:
        for bound in self.hot.values():
            bound.close()
        self.hot.clear()
        self._worlds.clear()
        shutil.rmtree(self.folder / "views", ignore_errors=True)
        self._engine.dispose()
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def _source(self, world: PlainWorld, at: int | None) -> Path:
        if at == 0:
            return self.base.path
        if at is None:
            return world.content()
        last = self._last_call(world)
        if not 0 < at <= last:
            raise UnknownCall(f"{world.title()} has no committed call {at}")
        if at == last or self._asked(world, SAME_COMMIT, (at,)):
            return world.content()
        if at not in world.copies:
            raise NoCopy(f"{world.title()} has no snapshot at call {at}: the plain store keeps {sorted(world.copies)}")
        return world.copies[at]

    def _last_call(self, world: PlainWorld) -> int:
        if not self.base.has_calls or not world.path.exists():
            return 0
        return self._asked(world, LAST_CALL) or 0

    def _asked(self, world: PlainWorld, sql: str, params: tuple[int, ...] = ()) -> int | None:
        """One number of what is committed, whoever writes."""
        reading = sqlite3.connect(f"file:{world.path}?immutable=1", uri=True)
        try:
            return reading.execute(sql, params).fetchone()[0]
        finally:
            reading.close()

    @staticmethod
    def _check(bound: PlainBound) -> None:
        if not bound.is_idle():
            raise BusyError(f"{bound.world.title()}: a transaction or a Session is still open on its connection")


def commits(path: Path) -> int:
    """The change counter of a file, which a base has at 1."""
    with path.open("rb") as file:
        return int.from_bytes(file.read(28)[24:], "big") - int.from_bytes(COUNTER, "big")


def is_written(path: Path) -> bool:
    """Whether a file is a world, not only a base copied to be read."""
    if not path.exists():
        return False
    return commits(path) > 0 or not path.stat().st_mode & 0o200 or any(path.parent.glob(f"{path.name}.*.copy"))


def copy(source: Path, target: Path) -> Path:
    """A writable copy, there wholly or not at all."""
    target.parent.mkdir(mode=0o700, exist_ok=True)
    part = target.with_name(target.name + ".part")
    shutil.copyfile(source, part)
    part.chmod(0o600)
    return part.replace(target)


def _copy_path(path: Path, seq: int) -> Path:
    return path.with_name(f"{path.name}.{seq}.copy")


def _sync(path: Path) -> None:
    for target in (path, path.parent):
        fd = os.open(target, os.O_RDONLY | os.O_CLOEXEC)
        try:
            os.fsync(fd)
        finally:
            os.close(fd)


def _named(error: sqlite3.OperationalError) -> Exception:
    text = str(error)
    if "readonly database" in text:
        return WorldFrozen("the world takes no commits: it is frozen or a view")
    if "is full" in text:
        return QuotaExceeded("the call would write more than its world may hold, or the disk is full")
    return error
