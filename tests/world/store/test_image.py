"""Sealing a building, and what is not a sealed base."""

import os
import re
import shutil
from pathlib import Path

import apsw
import pytest
from office import build_office

from world.core import diff
from world.store import Base, BaseMismatch, Store, StoreError, seal


@pytest.fixture
def building(tmp_path: Path) -> Path:
    build_office(tmp_path / "building")
    return tmp_path / "building"


def test_an_image_is_named_by_its_content_and_cannot_be_written(building: Path, tmp_path: Path) -> None:
    image = seal(building, tmp_path / "a" / "b")
    base = Base(image)
    assert image.stem == base.sha256
    assert image.stat().st_mode & 0o777 == 0o444
    assert base.page_size == 1024
    assert base.map[24:28] == base.map[92:96] == b"\0\0\0\1"
    assert base.map[18:20] == b"\1\1"


def test_sealing_again_gives_the_same_image_and_leaves_the_building(building: Path, tmp_path: Path) -> None:
    before = building.read_bytes()
    first = seal(building, tmp_path / "images")
    assert seal(building, tmp_path / "images") == first
    assert seal(building, tmp_path / "elsewhere").name == first.name
    assert building.read_bytes() == before
    assert sorted(path.suffix for path in (tmp_path / "images").iterdir()) == [".db", ".json"]


def test_the_same_company_built_twice_is_the_same_image(building: Path, tmp_path: Path) -> None:
    build_office(tmp_path / "again")
    assert seal(building, tmp_path / "images") == seal(tmp_path / "again", tmp_path / "images")


def test_the_stored_hash_is_that_of_every_row(base: Base, tmp_path: Path) -> None:
    store = Store(tmp_path / "worlds", base)
    bound = store.connection(store.create("a"))
    assert diff.full_hash(bound) == base.state_hash == diff.state_hash(bound, base)[1] != 0
    store.close()


def test_the_history_of_the_building_is_not_that_of_a_world(building: Path, tmp_path: Path) -> None:
    plain = apsw.Connection(str(building))
    journaled = plain.execute("SELECT count(*) FROM _journal").fetchone()
    plain.close()
    store = Store(tmp_path / "worlds", Base(seal(building, tmp_path / "images")))
    raw = store.connection(store.create("a")).raw
    assert journaled > (0,)
    assert raw.execute("SELECT (SELECT count(*) FROM _journal), (SELECT count(*) FROM _call)").fetchall() == [(0, 0)]
    store.close()


def test_a_building_in_wal_mode_is_refused(building: Path, tmp_path: Path) -> None:
    plain = apsw.Connection(str(building))
    plain.execute("PRAGMA journal_mode=wal").fetchall()
    plain.execute("INSERT INTO team VALUES (77, 'x')")
    with pytest.raises(StoreError, match="still open or crashed"):
        seal(building, tmp_path / "images")
    plain.close()
    with pytest.raises(BaseMismatch, match="WAL mode"):
        seal(building, tmp_path / "images")


BROKEN = {
    "PRAGMA foreign_keys=off; INSERT INTO person VALUES (900, 'x@office.test', 900, 1)": "broken foreign keys",
    "CREATE VIRTUAL TABLE search USING fts5(x)": "must end with _fts",
    "INSERT INTO message_fts(rowid, body) VALUES (999, 'nowhere')": "does not match its content",
}


@pytest.mark.parametrize("sql", BROKEN)
def test_a_building_that_contradicts_itself_is_refused(building: Path, tmp_path: Path, sql: str) -> None:
    plain = apsw.Connection(str(building))
    plain.execute(sql)
    plain.close()
    with pytest.raises(StoreError, match=re.escape(BROKEN[sql])):
        seal(building, tmp_path / "images")
    assert list((tmp_path / "images").iterdir()) == []


def test_a_damaged_building_is_refused(building: Path, tmp_path: Path) -> None:
    plain = apsw.Connection(str(building))
    root = plain.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'sqlite_autoindex_message_1'").fetchall()[0][
        0
    ]
    plain.close()
    with building.open("r+b") as file:
        file.seek((root - 1) * 4096 + 3500)
        file.write(b"\xff" * 500)
    with pytest.raises((StoreError, apsw.CorruptError)):
        seal(building, tmp_path / "images")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda content: content[:-1] + bytes([content[-1] ^ 1]), "content it is named by"),
        (lambda content: content[:18] + b"\2\2" + content[20:], "WAL mode"),
        (lambda content: b"not a database" + content, "not a SQLite database"),
        (lambda content: b"", "is empty"),
    ],
)
def test_what_is_not_the_sealed_base_is_refused(image: Path, tmp_path: Path, change, message: str) -> None:
    path = tmp_path / image.name
    shutil.copyfile(image.with_suffix(".json"), path.with_suffix(".json"))
    path.write_bytes(change(image.read_bytes()))
    with pytest.raises(BaseMismatch, match=message):
        Base(path)


def test_a_base_of_another_sqlite_version_is_refused(base: Base, tmp_path: Path) -> None:
    base.sqlite_version -= 1
    with pytest.raises(BaseMismatch, match="seal it again"):
        Store(tmp_path / "worlds", base)


def test_worlds_of_another_base_are_refused(base: Base, tmp_path: Path) -> None:
    build_office(tmp_path / "other", messages=3)
    other = Base(seal(tmp_path / "other", tmp_path / "images"))
    store = Store(tmp_path / "worlds", base)
    store.connection(store.create("a")).raw.execute("INSERT INTO team VALUES (50, 'x')")
    store.close()
    again = Store(tmp_path / "worlds", other)
    with pytest.raises(BaseMismatch, match="stands on base"):
        again.open("a")
    again.close()


def test_several_bases_in_one_process_do_not_notice_each_other(base: Base, tmp_path: Path) -> None:
    build_office(tmp_path / "other", messages=3)
    stores = [
        Store(tmp_path / "first", base, pool=1),
        Store(tmp_path / "second", Base(seal(tmp_path / "other", tmp_path / "images")), pool=1),
    ]
    for turn in range(3):
        for store, rows in zip(stores, (60, 3), strict=True):
            world = store.create(f"w{turn}")
            assert store.connection(world).raw.execute("SELECT count(*) FROM message").fetchall() == [(rows,)]
    for store in stores:
        store.close()


def test_files_and_folders_are_private(base: Base, tmp_path: Path) -> None:
    store = Store(tmp_path / "worlds", base)
    store.connection(store.create("a")).raw.execute("INSERT INTO team VALUES (50, 'x')")
    log = store.shelf.path("a")
    assert os.stat(log).st_mode & 0o777 == 0o600
    assert os.stat(log.parent).st_mode & 0o777 == os.stat(tmp_path / "worlds").st_mode & 0o777 == 0o700
    store.close()


def test_an_image_is_on_disk_before_it_has_its_name(
    building: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, synced = os.fsync, list[bytes]()

    def fsync(fd: int) -> None:
        synced.append(Path(f"/proc/self/fd/{fd}").read_bytes())
        assert not list((tmp_path / "images").glob("*.db"))
        real(fd)

    monkeypatch.setattr(os, "fsync", fsync)
    image = seal(building, tmp_path / "images")
    assert synced == [image.read_bytes()]


def test_a_building_with_an_empty_journal_beside_it_is_finished(building: Path, tmp_path: Path) -> None:
    beside = building.with_name(building.name + "-journal")
    beside.touch()
    seal(building, tmp_path / "images")
    beside.write_bytes(b"x")
    with pytest.raises(StoreError, match="still open or crashed: building-journal is not empty"):
        seal(building, tmp_path / "images")


def test_half_an_image_is_made_whole_and_a_whole_one_left_alone(building: Path, tmp_path: Path) -> None:
    image = seal(building, tmp_path / "images")
    before = image.stat()
    assert seal(building, tmp_path / "images") == image and image.stat().st_ino == before.st_ino
    about = image.with_suffix(".json").read_bytes()
    for part in (image, image.with_suffix(".json")):
        part.unlink()
        assert seal(building, tmp_path / "images") == image
        assert image.with_suffix(".json").read_bytes() == about
        assert Base(image).sha256 == image.stem


def test_a_header_that_is_too_short_is_no_database(image: Path, tmp_path: Path) -> None:
    for length, message in ((99, "is not a SQLite database"), (100, "does not have the content it is named by")):
        path = tmp_path / image.name
        path.write_bytes(image.read_bytes()[:length])
        with pytest.raises(BaseMismatch, match=message):
            Base(path)


def test_what_is_searched_is_found_and_plans_are_known_in_an_image(building: Path, tmp_path: Path) -> None:
    plain = apsw.Connection(str(building))
    plain.execute("INSERT INTO message SELECT 'n' || id, 50, at, 'zebra', 1 FROM message WHERE channel = 0")
    plain.close()
    sealed = apsw.Connection(f"file:{seal(building, tmp_path / 'images')}?immutable=1", flags=0x41)
    assert sealed.execute("SELECT count(*) FROM message_fts WHERE message_fts MATCH 'zebra'").fetchall() == [(15,)]
    assert sealed.execute("SELECT count(*) FROM sqlite_stat1").fetchall() > [(3,)]
    assert sealed.execute("SELECT count(DISTINCT segid) FROM message_fts_idx").fetchall() <= [(1,)]
    assert sealed.execute("PRAGMA freelist_count").fetchall() == [(0,)]
    sealed.close()
