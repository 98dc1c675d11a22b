"""A log byte by byte: what an earlier version wrote is read by this one, and what is written is on disk when promised."""

import errno
import json
import os
import struct
import zlib
from collections.abc import Iterator
from pathlib import Path

import apsw
import pytest
from office import open_files, pages, post, posted

from world.store import Base, DamagedLog, Store, UnknownCall, UnknownWorld
from world.store.log import Layer, Log, LogHeader, holds_world, is_short, parse_header

ONE, TWO = b"a" * 1024, b"b" * 1024
SPEC = LogHeader("5" * 64, 1024, (("parent", 5_000, 77),))


class Counter:
    """A keeper that counts what it is told."""

    def __init__(self) -> None:
        self.opened = self.relieved = self.grown = 0

    def note_opened(self, log: Log) -> None:
        self.opened += 1

    def relieve(self) -> None:
        self.relieved += 1

    def grew(self, log: Log) -> None:
        self.grown += 1


@pytest.fixture
def store(tmp_path: Path, base: Base) -> Iterator[Store]:
    store = Store(tmp_path / "worlds", base)
    yield store
    store.close()


def write_header(spec: LogHeader) -> bytes:
    """The header as the format has it."""
    said = json.dumps({"format": 1, **spec._asdict()}, separators=(",", ":"))
    return f'{said[:-1]},"crc":{zlib.crc32(said.encode())}}}\n'.encode()


def write_record(content: dict[int, bytes], position: int) -> bytes:
    """A record as the format has it, at a position of the lineage."""
    body = struct.pack(f"<{len(content)}I", *content) + b"".join(content.values())
    return struct.pack("<4sII", b"page", len(content), zlib.crc32(body, position)) + body


def create(tmp_path: Path, keeper: Counter | None = None) -> Log:
    log = Log("a", str(tmp_path / "a.log"), 1024, keeper or Counter())
    log.create(SPEC, {3: ONE, 7: TWO})
    log.append({3: TWO})
    return log


def test_a_log_is_a_header_line_and_a_record_for_each_commit(tmp_path: Path) -> None:
    log = create(tmp_path)
    first = 12 + 2 * (4 + 1024)
    expected = write_header(SPEC) + write_record({3: ONE, 7: TWO}, 5_000) + write_record({3: TWO}, 5_000 + first)
    assert Path(log.path).read_bytes() == expected
    assert (log.start, log.end) == (5_000, 5_000 + first + 12 + 4 + 1024)
    assert log.record_size({3: ONE, 7: TWO}) == first
    assert log.records(5_000, 5_000 + first) == write_record({3: ONE, 7: TWO}, 5_000)
    log.release()


def test_a_log_that_was_read_again_is_the_log_that_was_written(tmp_path: Path) -> None:
    log = create(tmp_path)
    again = Log("a", log.path, 1024, Counter())
    assert again.recover() == SPEC == parse_header(write_header(SPEC), "a")
    for one in (log, again):
        three, seven = one.find(3), one.find(7)
        assert three is not None and seven is not None and one.find(4) is None
        assert [one.read(at) for at in (*three, *seven)] == [ONE, TWO, TWO] and len(three) == 2
        assert [one.is_boundary(mark) for mark in (5_000, *log.ends, log.end - 1, log.end + 1)] == [
            True,
            True,
            True,
            False,
            False,
        ]
        crcs = [one.crc_before(mark) for mark in (5_000, *log.ends, log.end - 1, log.end + 1)]
        assert crcs == [0, *log.crcs, 0, 0] and len(set(log.crcs)) == 2
        assert one.cost() == log.cost() > 0
        with pytest.raises(DamagedLog, match="log a ends before position"):
            one.read(one.end - 1)
        with pytest.raises(DamagedLog, match="log a ends before position"):
            one.records(one.start, one.end + 1)
        one.release()


def test_a_log_without_its_index_is_appended_to_and_tells_its_keeper(tmp_path: Path) -> None:
    keeper = Counter()
    log = create(tmp_path, keeper)
    assert (keeper.opened, keeper.grown) == (1, 0)
    log.drop()
    log.append({9: ONE})
    assert keeper.grown == 1 and log.find(9) is not None and len(log.find(3) or ()) == 2 and len(log.ends) == 3
    log.release()
    log.release()
    assert log.read((log.find(9) or [0])[0]) == ONE and keeper.opened == 2
    log.release()


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO])
def test_a_log_that_cannot_be_made_or_synced_says_whether_there_is_no_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: int
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise OSError(code, os.strerror(code))

    wanted = apsw.IOError if code == errno.EIO else apsw.FullError
    log = Log("a", str(tmp_path / "a.log"), 1024, Counter())
    with monkeypatch.context() as patch:
        patch.setattr(os, "open", fail)
        with pytest.raises(wanted, match=f"page log: {os.strerror(code)}"):
            log.create(SPEC, {3: ONE})
    assert not Path(log.path).exists() and log.fd is None
    log.create(SPEC, {3: ONE})
    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", fail)
        with pytest.raises(wanted, match=f"page log: {os.strerror(code)}"):
            log.sync()
    log.sync()
    with pytest.raises(apsw.IOError, match="page log: File exists"):
        Log("a", log.path, 1024, Counter()).create(SPEC, {})
    log.release()


def test_a_snapshot_syncs_each_log_and_folder_and_no_log_twice(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    real, synced = os.fsync, list[str]()

    def fsync(fd: int) -> None:
        synced.append(Path(os.readlink(f"/proc/self/fd/{fd}")).name)
        real(fd)

    def snapshot(name: str) -> set[str]:
        synced.clear()
        store.snapshot(store.open(name))
        assert len(synced) == len(set(synced))
        return set(synced) - {"worlds"}

    monkeypatch.setattr(os, "fsync", fsync)
    parent = store.create("parent")
    post(store, parent, 1)
    folder = store.shelf.path("parent").parent.name
    assert snapshot("parent") == {"parent.log", folder} and snapshot("parent") == {folder}
    post(store, parent, 2)
    assert snapshot("parent") == {"parent.log", folder}
    store.fork(parent, "child")
    assert snapshot("child") == {"child.log", folder, store.shelf.path("child").parent.name}
    before = open_files()
    snapshot("child")
    assert open_files() == before


def test_worlds_without_a_call_are_kept_forked_and_frozen(store: Store, base: Base, tmp_path: Path) -> None:
    world, frozen = store.create("a"), store.create("b")
    store.keep(world)
    store.keep(world)
    store.freeze(frozen)
    child = store.fork(world, "child")
    post(store, child, 1)
    assert world.log is not None and os.stat(world.log.path).st_size == -world.log.shift
    store.close()
    again = Store(tmp_path / "worlds", base)
    assert again.names() == ["a", "b", "child"] and again.open("b").frozen == "is frozen"
    assert posted(again, again.open("child")) == [1] and posted(again, again.open("a")) == []
    assert again.snapshot(again.open("a")) == 0 and again.open("a").mark() == 0
    again.close()


@pytest.mark.parametrize("line", [b"", b"{", b'{"format":1', write_header(SPEC)[:-1]])
def test_a_header_that_was_cut_short_is_none(line: bytes) -> None:
    assert parse_header(line, "a") is None


@pytest.mark.parametrize(
    "line",
    [
        b"\n",
        b"{}\n",
        b"{}x",
        write_header(SPEC)[:-1] + b" \n",
        write_header(SPEC).replace(b"1024", b"1025"),
        write_header(SPEC)[1:],
    ],
)
def test_a_header_that_was_changed_is_damaged(line: bytes) -> None:
    with pytest.raises(DamagedLog, match="the header of log a is damaged"):
        parse_header(line, "a")


def test_a_file_holds_a_world_from_its_header_on_unless_its_first_record_is_short(tmp_path: Path) -> None:
    header, record = write_header(SPEC), write_record({3: ONE}, 5_000)
    path = tmp_path / "a.log"
    holding: list[int] = []
    for length in range(len(header) - 2, len(header) + len(record) + 2):
        path.write_bytes((header + record + b"page")[:length])
        if holds_world(path, "a"):
            holding.append(length - len(header))
    assert holding == [0, len(record), len(record) + 1]
    assert is_short(record[:11], 11, 1024) and is_short(record[:12], len(record) - 1, 1024)
    assert not is_short(record[:12], len(record), 1024)


def test_a_sound_record_behind_a_torn_one_is_damage_and_a_torn_end_is_not(tmp_path: Path) -> None:
    log = create(tmp_path)
    content, end = Path(log.path).read_bytes(), log.ends[0] - log.shift
    log.release()

    def recover(changed: bytes) -> int:
        Path(log.path).write_bytes(changed)
        again = Log("a", log.path, 1024, Counter())
        try:
            assert again.recover() == SPEC
            return os.stat(log.path).st_size
        finally:
            again.release()

    assert recover(content) == recover(content + b"page") == recover(content + b"x" * 3_000) == len(content)
    assert recover(content[:-1]) == recover(content[: end + 1]) == end
    with pytest.raises(DamagedLog, match=f"log a is damaged at byte {end}, before its end"):
        again = write_record({5: TWO}, len(content) + log.shift)
        recover(content[: end + 40] + b"!" + content[end + 41 :] + again)
    none = write_record({}, log.end)
    assert recover(content + none) == len(content), "a record has at least a page"


def test_a_lineage_is_read_to_its_marks(store: Store) -> None:
    parent = store.create("parent")
    for number in (1, 2):
        post(store, parent, number)
    assert parent.log is not None
    first = parent.log.ends[0]
    child = store.fork(parent, "child", at=1)
    post(store, child, 3)
    assert child.below == (Layer(parent.log, first),) and child.mark() > first
    assert child.record_digest().position == child.mark()
    for one in (parent, child):
        assert [layer.mark for layer in one.layers_at(first)] == [first] and one.layers_at(0) == ()
        for mark in (first - 1, first + 1, one.mark() + 1):
            with pytest.raises(UnknownCall, match=f"world {one.name} has no commit that ends at {mark}"):
                one.layers_at(mark)
    view = store.view(child, at=0)
    assert pages(view) == pages(store.create("fresh")) and view.mark() == 0
    with pytest.raises(UnknownWorld):
        store.open("nobody")


def test_a_commit_stores_the_pages_that_changed_and_the_first_only_for_more_than_its_counter(store: Store) -> None:
    raw = store.connection(world := store.create("a")).raw
    before = pages(world)
    raw.execute("INSERT INTO blob VALUES ('small', 1, x'00')")
    after = pages(world)
    assert world.log is not None and world.log.versions is not None
    changed = {number for number, page in enumerate(after, 1) if number > len(before) or page != before[number - 1]}
    assert set(world.log.versions) == changed and 2 in changed and 1 not in changed
    raw.execute("INSERT INTO blob VALUES ('big', 9000, zeroblob(9000))")
    assert 1 in world.log.versions and len(pages(world)) > len(after)
