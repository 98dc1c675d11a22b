"""A small company for the store's tests: every kind of table SQLite keeps differently."""

import os
from pathlib import Path

import apsw
from sqlalchemy import BLOB, CheckConstraint, Column, ForeignKey, Integer, MetaData, Table, Text, UniqueConstraint
from sqlalchemy.dialects.sqlite import dialect as sqlite
from sqlalchemy.schema import CreateTable

from world.core import journal
from world.store import Bound, Store, World

metadata = MetaData()
Table("team", metadata, Column("id", Integer, primary_key=True), Column("name", Text, nullable=False))
Table(
    "person",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("email", Text, unique=True, nullable=False),
    Column("team_id", ForeignKey("team.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("level", Integer, CheckConstraint("level BETWEEN 0 AND 9"), nullable=False),
)
Table(
    "message",
    metadata,
    Column("id", Text, primary_key=True),
    Column("channel", Integer, nullable=False),
    Column("at", Integer, nullable=False),
    Column("body", Text, nullable=False),
    Column("author_id", ForeignKey("person.id", ondelete="SET NULL"), index=True),
    UniqueConstraint("channel", "at"),
)
Table(
    "cell",
    metadata,
    Column("sheet", Integer, primary_key=True),
    Column("row", Integer, primary_key=True),
    Column("value", BLOB),
    sqlite_with_rowid=False,
)
Table("blob", metadata, Column("sha256", Text, primary_key=True), Column("size", Integer), Column("data", BLOB))

FULL_TEXT = """
CREATE VIRTUAL TABLE message_fts USING fts5(body, content='message', content_rowid='rowid');
CREATE TRIGGER message_fts_insert AFTER INSERT ON message BEGIN
  INSERT INTO message_fts(rowid, body) VALUES (new.rowid, new.body); END;
CREATE TRIGGER message_fts_delete AFTER DELETE ON message BEGIN
  INSERT INTO message_fts(message_fts, rowid, body) VALUES ('delete', old.rowid, old.body); END;
CREATE TRIGGER message_fts_update AFTER UPDATE ON message BEGIN
  INSERT INTO message_fts(message_fts, rowid, body) VALUES ('delete', old.rowid, old.body);
  INSERT INTO message_fts(rowid, body) VALUES (new.rowid, new.body); END
"""
WORDS = ("deploy", "rollback", "invoice", "quarter", "launch", "billing", "outage", "review", "lunch", "budget")


def text(number: int, words: int) -> str:
    return " ".join(WORDS[(number * 7 + place * place + number // 10) % len(WORDS)] for place in range(words))


def build_office(path: Path, messages: int = 60) -> None:
    """A building, ready to be sealed."""
    connection = apsw.Connection(str(path))
    for table in metadata.sorted_tables:
        connection.execute(str(CreateTable(table).compile(dialect=sqlite())))
        for index in sorted(table.indexes, key=lambda index: str(index.name)):
            connection.execute(f"CREATE INDEX {index.name} ON {table.name}({index.columns[0].name})")
    connection.execute(FULL_TEXT)
    journal.create_kernel(connection)
    journal.create_triggers(connection, metadata.tables)
    with connection:
        fill(connection, messages)
    connection.close()


def fill(connection: apsw.Connection, messages: int) -> None:
    connection.executemany("INSERT INTO team VALUES (?, ?)", [(n, f"team {n}") for n in range(1, 6)])
    people = [(n, f"p{n}@office.test", n % 5 + 1, n % 10) for n in range(1, 31)]
    connection.executemany("INSERT INTO person VALUES (?, ?, ?, ?)", people)
    rows = [(f"m{n}", n % 4, n, text(n, 12), n % 30 + 1) for n in range(messages)]
    connection.executemany("INSERT INTO message VALUES (?, ?, ?, ?, ?)", rows)
    connection.executemany("INSERT INTO cell VALUES (?, ?, ?)", [(n % 3, n, f"={n}") for n in range(40)])


def start(bound: Bound, operation: str = "test") -> int:
    """Begin a call: a transaction and its `_call` row."""
    bound.begin()
    return journal.start_call(bound, at=1, actor="p1", door="rest", operation=operation, params_hash="", cause_seq=None)


def finish(bound: Bound, seq: int) -> None:
    journal.finish_call(bound, seq, "ok", 2)
    bound.commit()


def post(store: Store, world: World, number: int, body: str = "a new outage") -> int:
    """One call that posts a message."""
    bound = store.connection(world)
    seq = start(bound, "post")
    bound.raw.execute("INSERT INTO message VALUES (?, 9, ?, ?, 1)", (f"x{number}", number, body))
    finish(bound, seq)
    return seq


def posted(store: Store, world: World) -> list[int]:
    """The numbers of the messages posted by `post`."""
    rows = store.connection(world).raw.execute("SELECT at FROM message WHERE channel = 9 ORDER BY at").fetchall()
    return [row[0] for row in rows]


def pages(world: World) -> list[bytes]:
    """Every page of a world, page 1 first."""
    count = int.from_bytes(world.page(1)[28:32], "big")
    return [world.page(number) for number in range(1, count + 1)]


def open_files() -> list[str]:
    """The files this process has open."""
    found = []
    for fd in os.listdir("/proc/self/fd"):
        try:
            found.append(os.readlink(f"/proc/self/fd/{fd}"))
        except FileNotFoundError:
            continue
    return found
