"""Database file as SQLite sees it: the bound world, under the pages of the open transaction."""

from typing import Any

import apsw

from world.store.authorizer import authorize
from world.store.image import COUNTER
from world.store.overlay import World
from world.store.raw_connection import RawConnection, open_raw

VFS_NAME = "swap"
MOVED, ALSO_MOVED = b"\xff" * 16, b"\xfe" * 16  # no world is at this version; a damaged page may say that it is
PRAGMAS = (
    "journal_mode=memory",
    "synchronous=off",
    "cache_size=-512",
    # a page freed and reused after a spill would keep other bytes in its gaps: records must be equal
    "cache_spill=off",
    "temp_store=memory",
    "foreign_keys=on",
    "recursive_triggers=on",
)


class File:
    """The main database file of one pooled connection."""

    def __init__(self, world: World):
        self.size = world.shelf.base.page_size
        self.seen = b""
        self.bind(world)

    def bind(self, world: World) -> None:
        self.world = world
        self.pending: dict[int, bytes] = {}
        self.moved = True

    def page(self, number: int) -> bytes:
        return self.pending.get(number) or self.world.page(number)

    def xRead(self, amount: int, offset: int) -> bytes:
        if offset == 24 and amount == 16:  # the first question of every transaction: is my cache still good?
            if self.pending:  # left by a transaction that spilled, or failed to commit
                self.pending, self.moved = {}, True
            if self.moved:
                self.moved = False
                return MOVED if self.seen != MOVED else ALSO_MOVED
            return self.seen
        number, start = divmod(offset, self.size)
        data = self.page(number + 1)
        if offset == 0:
            self.seen = data[24:40]
        return data[start : start + amount]

    def xWrite(self, data: bytes, offset: int) -> None:
        number, data = offset // self.size + 1, bytes(data)
        if number == 1:
            if data[40:44] != self.world.shelf.base.cookie:
                raise apsw.ReadOnlyError("the schema of a world is its base's")
            self.seen = data[24:40]
            data = data[:24] + COUNTER + data[28:92] + COUNTER + data[96:]
            if 1 not in self.pending and data == self.world.page(1):
                return  # only the change counter moved
        self.pending[number] = data

    def xFileControl(self, op: int, pointer: int) -> bool:
        if op != apsw.SQLITE_FCNTL_COMMIT_PHASETWO:
            return False
        if self.pending:
            self.world.commit(self.pending)
            self.pending = {}
        return True

    def xFileSize(self) -> int:
        return int.from_bytes(self.page(1)[28:32], "big") * self.size

    def xTruncate(self, size: int) -> None:
        """Page 1 knows the size."""

    def xDeviceCharacteristics(self) -> int:
        return apsw.SQLITE_IOCAP_POWERSAFE_OVERWRITE

    def xClose(self) -> None:
        """The world stays."""


class SwapVFS(apsw.VFS):
    """One per process: SQLite takes the last registration of a name without a word."""

    def __init__(self) -> None:
        super().__init__(VFS_NAME, "")
        self.opening: dict[str, File] = {}

    def xOpen(self, name: Any, flags: list[int]) -> Any:
        flags[1] = flags[0]
        return self.opening.pop(name.filename())

    def xFullPathname(self, name: str) -> str:
        return name

    def xAccess(self, pathname: str, flags: int) -> bool:
        return False  # no journal, no WAL


VFS = SwapVFS()


def connect(world: World) -> tuple[RawConnection, File]:
    """A connection standing on a world."""
    file = File(world)
    name = f"world-{id(file):x}"
    VFS.opening[name] = file
    uri = f"file:{name}?vfs={VFS_NAME}&nolock=1"
    raw = open_raw(uri, flags=apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_URI, statementcachesize=300)
    for pragma in PRAGMAS:  # one by one: apsw stops at the first that returns rows
        raw.execute("PRAGMA " + pragma).fetchall()
    raw.config(apsw.SQLITE_DBCONFIG_ENABLE_QPSG, 1)
    raw.config(apsw.SQLITE_DBCONFIG_DEFENSIVE, 1)
    raw.authorizer = authorize
    return raw, file
