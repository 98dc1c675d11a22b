"""The byte-for-byte oracle: a world and a private plain SQLite file that go through the same."""

import random
import shutil
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import apsw
from office import text

from world.core import journal
from world.store import Base, Store, World
from world.store.vfs import PRAGMAS

Outcome = tuple[str, Any]


@dataclass
class Twin:
    """A world, its plain file, and copies of the file after some calls."""

    world: World
    path: Path
    plain: apsw.Connection
    past: dict[int, bytes] = field(default_factory=dict)
    calls: int = 0

    @property
    def raw(self) -> apsw.Connection:
        return self.plain

    def close(self) -> None:
        self.plain.close()


def open_plain(path: Path) -> apsw.Connection:
    plain = apsw.Connection(str(path))
    for pragma in PRAGMAS:
        plain.execute("PRAGMA " + pragma).fetchall()
    plain.config(apsw.SQLITE_DBCONFIG_ENABLE_QPSG, 1)
    return plain


def outcome(connection: apsw.Connection, sql: str, params: tuple[Any, ...]) -> Outcome:
    try:
        rows = connection.execute(sql, params).fetchall()
    except apsw.Error as error:
        return (type(error).__name__, str(error))
    return ("rows", rows)


def undefined(content: bytes, size: int) -> set[int]:
    """Free-list leaves: pages whose content SQLite leaves as it happens to be."""
    leaves: set[int] = set()
    trunk = int.from_bytes(content[32:36], "big")
    while trunk:
        page = content[(trunk - 1) * size : trunk * size]
        count = int.from_bytes(page[4:8], "big")
        leaves.update(int.from_bytes(page[8 + 4 * n : 12 + 4 * n], "big") for n in range(count))
        trunk = int.from_bytes(page[:4], "big")
    return leaves


def masked(page: bytes) -> bytes:
    return page[:24] + b"----" + page[28:92] + b"----" + page[96:]


def assert_same_pages(world: World, content: bytes) -> None:
    """Every page, save the counters of page 1 and what is undefined."""
    size = world.base.page_size
    first = masked(content[:size])
    assert masked(world.page(1)) == first, "page 1"
    count = int.from_bytes(first[28:32], "big")
    leaves = undefined(content, size)
    for number in range(2, count + 1):
        if world.page(number) != content[(number - 1) * size : number * size]:
            assert number in leaves, f"page {number} of {count}"


class Office:
    """Random statements; the same generator gives the same ones."""

    def __init__(self, chance: random.Random):
        self.chance = chance

    def write(self) -> tuple[str, tuple[Any, ...]]:
        return self.chance.choice(self.WRITES)(self)

    def read(self) -> tuple[str, tuple[Any, ...]]:
        return self.chance.choice(self.READS)(self)

    def insert_messages(self):
        rows = self.chance.choice((1, 1, 1, 3, 8))
        conflict = self.chance.choice(("", "", "", "OR REPLACE", "OR IGNORE", "OR FAIL", "OR ROLLBACK"))
        values = [
            (
                f"m{self.number(400)}",
                self.number(4),
                self.number(400),
                text(self.number(900), self.number(30)),
                self.person(),
            )
            for _ in range(rows)
        ]
        slots = ", ".join(["(?, ?, ?, ?, ?)"] * rows)
        return f"INSERT {conflict} INTO message VALUES {slots}", tuple(value for row in values for value in row)

    def insert_returning(self):
        row = (f"r{self.number(200)}", self.number(4), self.number(9999), text(self.number(99), 5))
        return "INSERT INTO message(id, channel, at, body) VALUES (?, ?, ?, ?) RETURNING rowid, id, body", row

    def long_message(self):
        row = (f"l{self.number(20)}", 5, self.number(9999), text(self.number(99), self.number(900)))
        return "INSERT OR REPLACE INTO message(id, channel, at, body) VALUES (?, ?, ?, ?)", row

    def update_message(self):
        return "UPDATE message SET body = body || ? WHERE channel = ? AND at < ?", (
            " outage",
            self.number(4),
            self.number(40),
        )

    def move_message(self):
        return "UPDATE message SET id = ?, at = at + 1 WHERE id = ?", (f"m{self.number(400)}", f"m{self.number(400)}")

    def shift_messages(self):
        return "UPDATE message SET at = at + 1 WHERE channel = ?", (self.number(4),)

    def delete_messages(self):
        return "DELETE FROM message WHERE channel = ? AND at % 7 = ?", (self.number(5), self.number(7))

    def upsert_cell(self):
        value = self.chance.choice((None, 1.5, "=A1", b"\0\xff", self.number(99), "x" * self.number(3000)))
        return (
            "INSERT INTO cell VALUES (?, ?, ?) ON CONFLICT (sheet, row) DO UPDATE SET value = excluded.value",
            (self.number(3), self.number(200), value),
        )

    def replace_cells(self):
        row = self.number(200)
        return "INSERT OR REPLACE INTO cell VALUES (1, ?, 'a'), (1, ?, 'b'), (NULL, ?, 'c')", (row, row + 1, row)

    def shift_cells(self):
        return "UPDATE cell SET row = row + 1000 WHERE sheet = ? AND row < ?", (self.number(3), self.number(20))

    def hire(self):
        row = (self.number(60), f"p{self.number(60)}@office.test", self.number(8), self.number(12))
        return "INSERT INTO person VALUES (?, ?, ?, ?)", row

    def leave(self):
        return "DELETE FROM person WHERE id = ?", (self.person(),)

    def dissolve_team(self):
        return "DELETE FROM team WHERE id = ?", (self.number(8),)

    def found_team(self):
        return "INSERT OR REPLACE INTO team VALUES (?, ?)", (self.number(8), f"team {self.number(99)}")

    def store_blob(self):
        size = self.number(9000)
        return "INSERT INTO blob VALUES (?, ?, ?)", (f"{self.number(50):x}", size, bytes([size & 255]) * size)

    def drop_blobs(self):
        return "DELETE FROM blob WHERE size % 3 = ?", (self.number(3),)

    def many_rows(self):
        return (
            (
                "INSERT OR IGNORE INTO message SELECT 'b' || value, 6, value, printf('%.*c', 200, 'z'), NULL FROM (WITH"
                " RECURSIVE n(value) AS (SELECT ? UNION ALL SELECT value + 1 FROM n LIMIT 120) SELECT value FROM n)"
            ),
            (self.number(500),),
        )

    def clear_bulk(self):
        return "DELETE FROM message WHERE channel = 6", ()

    def list_channel(self):
        return "SELECT * FROM message WHERE channel = ? ORDER BY at DESC LIMIT 20", (self.number(6),)

    def search(self):
        word = ("deploy", "outage", "lunch OR budget", '"billing review"', "bill*", "zzz", "AND")[self.number(7)]
        return (
            (
                "SELECT m.id, bm25(message_fts), snippet(message_fts, 0, '[', ']', '…', 5) FROM message_fts JOIN"
                " message m ON m.rowid = message_fts.rowid WHERE message_fts MATCH ? ORDER BY rank, m.rowid LIMIT 20"
            ),
            (word,),
        )

    def count(self):
        return (
            (
                "SELECT (SELECT count(*) FROM message), (SELECT sum(level) FROM person), (SELECT count(*) FROM cell), "
                "(SELECT max(id) FROM _journal)"
            ),
            (),
        )

    def teams(self):
        return "SELECT t.name, count(*) FROM team t JOIN person p ON p.team_id = t.id GROUP BY t.id ORDER BY t.id", ()

    def number(self, below: int) -> int:
        return self.chance.randrange(below)

    def person(self) -> int | None:
        return self.chance.choice((None, self.number(40)))

    WRITES = (
        insert_messages,
        insert_messages,
        insert_messages,
        insert_returning,
        long_message,
        update_message,
        move_message,
        shift_messages,
        delete_messages,
        upsert_cell,
        upsert_cell,
        replace_cells,
        shift_cells,
        hire,
        hire,
        leave,
        dissolve_team,
        found_team,
        store_blob,
        drop_blobs,
        many_rows,
        clear_bulk,
    )
    READS = (list_channel, search, search, count, teams)


class Oracle:
    """Worlds and their twins under one generator; every difference is an AssertionError."""

    WORLDS = 40

    def __init__(self, folder: Path, base: Base, seed: int):
        self.folder, self.base = folder, base
        self.chance = random.Random(seed)
        self.office = Office(self.chance)
        self.pool = seed % 8 + 1
        self.made = self.failed = 0
        self.twins: list[Twin] = []
        folder.mkdir()
        self.store = self._open()
        for _ in range(3):
            self.create()

    def close(self) -> None:
        for twin in self.twins:
            twin.close()
        self.store.close()

    def step(self) -> None:
        twin = self.chance.choice(self.twins)
        action = self.chance.random()
        if action < 0.90:
            self.call(twin)
        elif action < 0.94:
            self.loose_statement(twin)
        elif action < 0.97:
            self.fork(twin)
        elif action < 0.99:
            self.look_back(twin)
        elif action < 0.995:
            self.discard(twin)
        else:
            self.reopen()

    def create(self) -> None:
        path = self._path()
        shutil.copyfile(self.base.path, path)
        path.chmod(0o600)
        twin = Twin(self.store.create(path.stem), path, open_plain(path))
        twin.past[0] = self.base.path.read_bytes()
        self.twins.append(twin)

    def call(self, twin: Twin) -> None:
        """One transaction, committed or rolled back, with savepoints and failing statements in it."""
        bound = self.store.connection(twin.world)
        connections = (bound.raw, twin.plain)
        mark = twin.world.mark()
        for connection in connections:
            connection.execute("BEGIN")
        seq = journal.start_call(bound, at=1, actor="p", door="rest", operation="o", params_hash="", cause_seq=None)
        assert (
            journal.start_call(twin, at=1, actor="p", door="rest", operation="o", params_hash="", cause_seq=None) == seq
        )  # type: ignore[arg-type]
        for _ in range(self.chance.randrange(1, 6)):
            self._statement(connections)
            if not bound.raw.in_transaction:
                break
        self._end(twin, connections, seq)
        assert twin.world.mark() >= mark
        self._compare(twin)

    def loose_statement(self, twin: Twin) -> None:
        """Autocommit, outside any call."""
        self._both((self.store.connection(twin.world).raw, twin.plain), *self.office.write())
        self._compare(twin)

    def fork(self, twin: Twin) -> None:
        if len(self.twins) >= self.WORLDS:
            self.discard(self.chance.choice(self.twins))
            return
        at = self.chance.choice((None, *twin.past))
        path = self._path()
        path.write_bytes(twin.path.read_bytes() if at is None else twin.past[at])
        child = Twin(self.store.fork(twin.world, path.stem, at), path, open_plain(path))
        child.calls = twin.calls if at is None else at
        child.past = {seq: content for seq, content in twin.past.items() if at is None or seq <= at}
        self.twins.append(child)
        self._compare(child)

    def look_back(self, twin: Twin) -> None:
        for at, content in twin.past.items():
            view = self.store.view(twin.world, at)
            assert_same_pages(view, content)
            assert self.store.connection(view).raw.execute("SELECT max(seq) FROM _call").fetchone() == (at or None,)

    def discard(self, twin: Twin) -> None:
        if len(self.twins) > 3:
            self.twins.remove(twin)
            twin.close()
            twin.path.unlink()
            self.store.discard(twin.world)

    def reopen(self) -> None:
        self.store.close()
        self.store = self._open()
        written = self.store.names()
        for twin in self.twins:
            assert (twin.world.name in written) == (twin.world.log is not None)
            if twin.world.log is not None:
                twin.world = self.store.open(str(twin.world.name))
                assert_same_pages(twin.world, twin.path.read_bytes())
        for twin in [twin for twin in self.twins if twin.world.log is None]:
            self.twins.remove(twin)
            twin.close()
        while len(self.twins) < 3:
            self.create()

    def _open(self) -> Store:
        store = Store(self.folder / "worlds", self.base, pool=self.pool)
        return store

    def _statement(self, connections: tuple[apsw.Connection, apsw.Connection]) -> None:
        choice = self.chance.random()
        if choice < 0.6:
            self._both(connections, *self.office.write())
        elif choice < 0.85:
            self._both(connections, *self.office.read())
        else:
            name = self.chance.choice(("a", "b"))
            verb = self.chance.choice(("SAVEPOINT", "SAVEPOINT", "ROLLBACK TO", "RELEASE"))
            self._both(connections, f"{verb} {name}", ())

    def _both(self, connections: tuple[apsw.Connection, apsw.Connection], sql: str, params: tuple[Any, ...]) -> None:
        ours, plain = (outcome(connection, sql, params) for connection in connections)
        assert ours == plain, sql
        self.failed += ours[0] != "rows"

    def _end(self, twin: Twin, connections: tuple[apsw.Connection, apsw.Connection], seq: int) -> None:
        assert connections[0].in_transaction == connections[1].in_transaction
        if connections[0].in_transaction:
            kept = self.chance.random() < 0.85
            self._both(connections, "COMMIT" if kept else "ROLLBACK", ())
            if kept and not connections[0].in_transaction:
                twin.calls = seq
        self.made += 1

    def _compare(self, twin: Twin) -> None:
        content = twin.path.read_bytes()
        assert_same_pages(twin.world, content)
        if twin.calls == 0:
            return  # call 0 is the base, whatever was written outside of calls
        if twin.calls in twin.past or (len(twin.past) < 6 and self.chance.random() < 0.1):
            twin.past[twin.calls] = content

    def _path(self) -> Path:
        self.names = getattr(self, "names", 0) + 1
        return self.folder / f"w{self.names}.db"
