"""A few connections with the schema parsed once, bound to whichever world is asked for."""

import collections

import sqlalchemy

from world.store import dbapi, dialect, vfs
from world.store.errors import BusyError
from world.store.meter import Meter
from world.store.overlay import World
from world.store.raw_connection import RawConnection


class Bound:
    """A connection standing on a world, until the store is asked for another one."""

    __slots__ = ("raw", "file", "sql", "meter")

    def __init__(self, raw: RawConnection, file: vfs.File, sql: sqlalchemy.Connection):
        self.raw, self.file, self.sql = raw, file, sql
        self.meter = Meter(raw)

    @property
    def world(self) -> World:
        return self.file.world

    def begin(self) -> None:
        """Begin without SQLAlchemy; until the end, `sql` refuses to be used."""
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
        return not (self.raw.in_transaction or self.raw.txn_state("main") or self.sql.in_transaction())

    def close(self) -> None:
        self.sql.close()
        self.raw.close(True)

    def _raw_only(self) -> None:
        if self.sql.in_transaction():
            raise BusyError("SQLAlchemy has a transaction open on this connection: end it there")


class Pool:
    """The least recently used connection goes to the world that asks."""

    def __init__(self, size: int):
        self.size = size
        self.hot: collections.OrderedDict[World, Bound] = collections.OrderedDict()
        self._left: list[World] = []  # blank worlds whose connections wait for another
        self._opening: list[RawConnection] = []
        self._engine = dialect.engine(lambda: dbapi.Connection(self._opening.pop()))

    def connection(self, world: World) -> Bound:
        bound = self.hot.get(world)
        if bound is not None:
            self._check(bound, world)
            self.hot.move_to_end(world)
            return bound
        if len(self.hot) < self.size and not self._left:
            bound = self.private(world)
        else:
            old = self._left.pop() if self._left else next(iter(self.hot))
            bound = self.hot[old]
            self._check(bound, old)
            bound.file.bind(world)
            bound.raw.set_last_insert_rowid(0)
            del self.hot[old]
        self.hot[world] = bound
        world.shelf.use(world)
        return bound

    def private(self, world: World) -> Bound:
        """A connection that stays out of the pool."""
        raw, file = vfs.connect(world)
        self._opening.append(raw)
        return Bound(raw, file, self._engine.connect())

    def leave(self, world: World, blank: World) -> None:
        """Put the world's connection on a blank one."""
        if (bound := self.hot.pop(world, None)) is not None:
            bound.file.bind(blank)
            bound.raw.set_last_insert_rowid(0)
            self.hot[blank] = bound
            self._left.append(blank)

    def expel(self, world: World) -> None:
        """Close the world's connection, so that nothing read from damaged pages lives on in it."""
        if (bound := self.hot.pop(world, None)) is not None:
            bound.close()

    def close(self) -> None:
        for bound in self.hot.values():
            bound.close()
        self.hot.clear()
        self._left.clear()
        self._engine.dispose()

    @staticmethod
    def _check(bound: Bound, world: World) -> None:
        if not bound.is_idle():
            raise BusyError(f"{world.title()}: a transaction, a cursor or a Session is still open on its connection")
