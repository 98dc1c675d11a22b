"""The sealed base image: how a building becomes one, and how it is opened."""

import hashlib
import json
import mmap
import os
import shutil
import struct
from pathlib import Path
from typing import Any

from world.store import digest
from world.store.errors import BaseMismatch, StoreError

try:
    import apsw

    def connect(path: Path) -> Any:
        return apsw.Connection(str(path))

    failure: type[Exception] = apsw.Error
except ModuleNotFoundError:
    import sqlite3

    def connect(path: Path) -> Any:
        return sqlite3.connect(path, isolation_level=None)

    failure = sqlite3.Error

PAGE_SIZE = 1024
COUNTER = b"\0\0\0\1"  # the change counter and version-valid-for of every stored page 1
HISTORY = ("_journal", "_call")


class Base:
    """A sealed image, mapped into memory and never written."""

    def __init__(self, path: Path | str):
        self.path = Path(path)
        with self.path.open("rb") as file:
            try:
                self.map = mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ)
            except ValueError as error:
                raise BaseMismatch(f"{self.path.name} is empty, not a sealed base") from error
        header = self.map[:100]
        if len(header) < 100 or header[:16] != b"SQLite format 3\0":
            raise BaseMismatch(f"{self.path.name} is not a SQLite database")
        if header[18:20] != b"\1\1":
            raise BaseMismatch(f"{self.path.name} is in WAL mode: seal it in rollback mode")
        self.sha256 = hashlib.sha256(self.map).hexdigest()
        if self.path.stem != self.sha256:
            raise BaseMismatch(f"{self.path.name} does not have the content it is named by")
        self.page_size = struct.unpack(">H", header[16:18])[0]
        self.cookie = header[40:44]
        self.sqlite_version = struct.unpack(">I", header[96:100])[0]
        facts = json.loads(self.path.with_suffix(".json").read_text())
        self.state_hash = int(facts["state_hash"], 16)
        self.has_calls: bool = facts["has_calls"]
        self.tables = {
            name: [digest.Column(*column) for column in columns] for name, columns in facts["tables"].items()
        }


def seal(building: Path | str, images: Path | str) -> Path:
    """Turn a finished plain database into `images/<sha256>.db`; the building itself is left as it is."""
    building, images = Path(building), Path(images)
    _refuse_unfinished(building)
    images.mkdir(parents=True, exist_ok=True)
    draft = images / f".{os.getpid()}.building"
    try:
        shutil.copyfile(building, draft)
        facts = _finish(draft)
        _fix_counters(draft)
        return _publish(draft, images, facts)
    finally:
        for leftover in (draft, draft.with_name(draft.name + "-journal")):
            leftover.unlink(missing_ok=True)


def _refuse_unfinished(building: Path) -> None:
    for suffix in ("-wal", "-journal"):
        beside = building.with_name(building.name + suffix)
        if beside.exists() and beside.stat().st_size:
            raise StoreError(f"{building.name} is still open or crashed: {beside.name} is not empty")
    with building.open("rb") as file:
        if file.read(20)[18:20] == b"\2\2":
            raise BaseMismatch(f"{building.name} is in WAL mode: build it with journal_mode=delete")


def _finish(draft: Path) -> dict[str, object]:
    connection = connect(draft)
    try:
        _check_pages(connection)  # VACUUM would build sound indexes over damaged ones
        connection.execute("PRAGMA journal_mode=delete").fetchall()
        connection.execute(f"PRAGMA page_size={PAGE_SIZE}").fetchall()
        tables = [
            row[0] for row in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'").fetchall()
        ]
        indexes = _full_text(connection)
        for table in HISTORY:  # the history of a world starts at its base
            if table in tables:
                connection.execute(f"DELETE FROM {table}").fetchall()
        for table in indexes:
            connection.execute(
                f"INSERT INTO {digest.quote_name(table)}({digest.quote_name(table)}) VALUES ('optimize')"
            ).fetchall()
        connection.execute("ANALYZE").fetchall()
        connection.execute("VACUUM").fetchall()
        _check(connection, indexes)
        tracked = digest.list_tracked_columns(connection)
        state_hash = f"{digest.scan(connection, tracked):032x}"
        return {"state_hash": state_hash, "has_calls": "_call" in tables, "tables": tracked}
    finally:
        connection.close()


def _full_text(connection: Any) -> list[str]:
    rows = connection.execute(
        "SELECT name FROM sqlite_schema WHERE sql LIKE 'create virtual table%using%fts5%' ORDER BY name"
    ).fetchall()
    names = [row[0] for row in rows]
    for name in names:
        if not name.endswith("_fts"):
            raise StoreError(f"full-text table {name}: its name must end with _fts")
    return names


def _check_pages(connection: Any) -> None:
    if (found := connection.execute("PRAGMA integrity_check").fetchall()) != [("ok",)]:
        raise StoreError(f"the building is damaged: {found[0][0]}")


def _check(connection: Any, indexes: list[str]) -> None:
    if broken := connection.execute("PRAGMA foreign_key_check").fetchall():
        raise StoreError(
            f"{len(broken)} broken foreign keys, the first in table {broken[0][0]} at rowid {broken[0][1]}"
        )
    for table in indexes:
        name = digest.quote_name(table)
        try:
            connection.execute(f"INSERT INTO {name}({name}, rank) VALUES ('integrity-check', 1)").fetchall()
        except failure as error:
            raise StoreError(f"full-text table {table} does not match its content: {error}") from error


def _fix_counters(draft: Path) -> None:
    with draft.open("r+b") as file:
        for offset in (24, 92):
            file.seek(offset)
            file.write(COUNTER)
        file.flush()
        os.fsync(file.fileno())


def _publish(draft: Path, images: Path, facts: dict[str, object]) -> Path:
    with draft.open("rb") as file:
        name = hashlib.file_digest(file, "sha256").hexdigest()
    image, about = images / f"{name}.db", images / f"{name}.json"
    if image.exists() and about.exists():
        return image
    written = draft.with_name(draft.name + ".json")
    written.write_text(json.dumps(facts) + "\n")
    written.replace(about)
    draft.chmod(0o444)
    draft.replace(image)
    return image
