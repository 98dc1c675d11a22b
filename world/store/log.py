"""The page log of one world: a header line, then one record per commit. Forks read their ancestors' logs."""

import array
import bisect
import errno
import json
import logging
import mmap
import os
import struct
import zlib
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple, Protocol

import apsw

from world.store.errors import BaseMismatch, DamagedLog

log = logging.getLogger("firmament")
FORMAT = 1
MAGIC = b"page"
RECORD = struct.Struct("<4sII")  # magic, number of pages, crc32 of (page numbers, images) seeded with the position
PAGE_COST = 180  # bytes of memory per indexed page, measured
VERSION_COST = 8


class Layer(NamedTuple):
    """An ancestor's log, read up to a mark."""

    log: "Log"
    mark: int


class LogHeader(NamedTuple):
    """Header line of a log: the base, and below it (log, mark, crc of the record before the mark), nearest first."""

    base: str
    page_size: int
    below: tuple[tuple[str, int, int], ...]

    def line(self) -> bytes:
        said = json.dumps({"format": FORMAT, **self._asdict()}, separators=(",", ":"))
        return f'{said[:-1]},"crc":{zlib.crc32(said.encode())}}}\n'.encode()


def parse_header(line: bytes, name: str) -> LogHeader | None:
    """The header of a log, or None where writing it was cut short."""
    if not line.endswith(b"\n") and line.find(b"}") in (-1, len(line) - 1):
        return None
    said, mark, crc = line.rpartition(b',"crc":')
    if not mark or crc != b"%d}\n" % zlib.crc32(said + b"}"):
        raise DamagedLog(f"the header of log {name} is damaged")
    fields = json.loads(said + b"}")
    if fields["format"] != FORMAT:
        raise BaseMismatch(f"log {name} has format {fields['format']}, this store reads {FORMAT}")
    return LogHeader(fields["base"], fields["page_size"], tuple((log, end, seen) for log, end, seen in fields["below"]))


class LogLimits(Protocol):
    """Interface that keeps open files and indexes within their limits."""

    def note_opened(self, log: "Log") -> None: ...
    def relieve(self) -> None: ...
    def grew(self, log: "Log") -> None: ...


class Log:
    """Append-only. Positions count the records of the whole lineage, headers excluded."""

    __slots__ = (
        "name",
        "path",
        "page_size",
        "shelf",
        "fd",
        "start",
        "shift",
        "end",
        "synced",
        "versions",
        "ends",
        "crcs",
        "pages",
        "stored",
    )

    def __init__(self, name: str, path: str, page_size: int, shelf: LogLimits):
        self.name, self.path, self.page_size, self.shelf = name, path, page_size, shelf
        self.fd: int | None = None
        self.start = self.end = self.shift = self.synced = 0
        self.pages = self.stored = 0
        self.versions: dict[int, array.array[int]] | None = {}
        self.ends: array.array[int] = array.array("Q")
        self.crcs: array.array[int] = array.array("I")

    def create(self, spec: LogHeader, pages: dict[int, bytes]) -> None:
        """Write the header, and the first record if there is one, at once; a failure leaves no file."""
        header = spec.line()
        self._place(spec, len(header))
        record = self._record(pages) if pages else b""
        try:
            self.fd = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
        except OSError as error:
            raise _translate_error(error) from error
        try:
            self._write(header + record, 0)
        except apsw.Error:
            self.release()
            os.unlink(self.path)
            raise
        self.shelf.note_opened(self)
        self.synced = self.start - 1
        if pages:
            self._count(pages, record)

    def append(self, pages: dict[int, bytes]) -> None:
        record = self._record(pages)
        self._write(record, self.end - self.shift)
        self._count(pages, record)

    def record_size(self, pages: dict[int, bytes]) -> int:
        return RECORD.size + len(pages) * (4 + self.page_size)

    def read(self, at: int) -> bytes:
        data = os.pread(self.fd if self.fd is not None else self.file(), self.page_size, at - self.shift)
        if len(data) != self.page_size:
            raise DamagedLog(f"log {self.name} ends before position {at}")
        return data

    def records(self, start: int, stop: int) -> bytes:
        """The bytes of the records between two positions of the lineage."""
        data = os.pread(self.file(), stop - start, start - self.shift)
        if len(data) != stop - start:
            raise DamagedLog(f"log {self.name} ends before position {stop}")
        return data

    def find(self, number: int) -> "array.array[int] | None":
        return (self.versions if self.versions is not None else self.load()).get(number)

    def is_boundary(self, mark: int) -> bool:
        if mark in (self.start, self.end):
            return True
        self.load()
        place = bisect.bisect_left(self.ends, mark)
        return place < len(self.ends) and self.ends[place] == mark

    def crc_before(self, mark: int) -> int:
        """The checksum of the record that ends at the mark; 0 where the log has none below it."""
        self.load()
        place = bisect.bisect_left(self.ends, mark)
        return self.crcs[place] if place < len(self.ends) and self.ends[place] == mark else 0

    def file(self) -> int:
        if self.fd is None:
            self.fd = self._open()
            self.shelf.note_opened(self)
        return self.fd

    def release(self) -> None:
        if self.fd is not None:
            os.close(self.fd)
            self.fd = None

    def sync(self) -> None:
        if self.synced < self.end:
            try:
                os.fsync(self.file())
            except OSError as error:
                raise _translate_error(error) from error
            self.synced = self.end

    def cost(self) -> int:
        return 0 if self.versions is None else self.pages * PAGE_COST + self.stored * VERSION_COST

    def drop(self) -> None:
        """Forget the index; the next read builds it again from the file."""
        self.versions = None
        self.ends, self.crcs = array.array("Q"), array.array("I")

    def load(self) -> "dict[int, array.array[int]]":
        if self.versions is None:
            known = self.end
            if self._scan(known) is None or self.end != known:
                self.end = known
                raise DamagedLog(f"log {self.name} is damaged below position {known}")
            assert self.versions is not None
            self.shelf.grew(self)
        return self.versions

    def recover(self) -> LogHeader | None:
        """Read the log from its start and cut a torn end off; None where the world was never written.

        Only the owner of the folder may call this.
        """
        spec = self._scan(None)
        if spec is None:
            return None
        size, sound = os.fstat(self.file()).st_size, self.end - self.shift
        if size > sound:
            if not self.pages and is_short(os.pread(self.file(), RECORD.size, sound), size - sound, self.page_size):
                return None
            log.warning("log %s: the %d bytes after its last whole call were cut off", self.name, size - sound)
            os.ftruncate(self.file(), sound)
        self.synced = self.start - 1
        return spec

    def read_sound_part(self) -> LogHeader | None:
        """Read the log up to its first damage, for forks that stand on what lies before it. The file stays as it is."""
        return self._scan(None, is_whole=False)

    def find_sound_part(self, data: mmap.mmap, view: memoryview) -> tuple[LogHeader | None, int]:
        """The header of a file, and where its first damaged record begins. Raises DamagedLog for a damaged header."""
        header = data.readline()
        spec = parse_header(header, self.name)
        if spec is None:
            return None, 0
        self._place(spec, len(header))
        return spec, self._scan_records(view, len(header), len(data))

    def _place(self, spec: LogHeader, header: int) -> None:
        self.start = self.end = spec.below[0][1] if spec.below else 0
        self.shift = self.start - header

    def _open(self) -> int:
        for attempt in (1, 2):
            try:
                return os.open(self.path, os.O_RDWR)
            except PermissionError:
                return os.open(self.path, os.O_RDONLY)
            except FileNotFoundError as error:
                raise DamagedLog(f"log {self.name} is missing") from error
            except OSError as error:
                if attempt == 2 or error.errno not in (errno.EMFILE, errno.ENFILE):
                    raise _translate_error(error) from error
                self.shelf.relieve()
        raise AssertionError

    def _record(self, pages: dict[int, bytes]) -> bytes:
        numbers, images = array.array("I", pages).tobytes(), b"".join(pages.values())
        crc = zlib.crc32(images, zlib.crc32(numbers, self.end & 0xFFFFFFFF))
        return RECORD.pack(MAGIC, len(pages), crc) + numbers + images

    def _write(self, data: bytes, at: int) -> None:
        try:
            written = os.pwrite(self.file(), data, at)
        except OSError as error:
            raise _translate_error(error) from error
        if written != len(data):
            self._undo(at)
            raise apsw.FullError(f"log {self.name} took {written} of {len(data)} bytes: the disk is full")

    def _undo(self, at: int) -> None:
        try:
            os.ftruncate(self.file(), at)
        except OSError:
            return  # the next record overwrites what is torn, and recovery cuts it

    def _count(self, pages: dict[int, bytes], record: bytes) -> None:
        if self.versions is None:
            self.load()
        self._index(pages, self.end + len(record) - len(pages) * self.page_size)
        self.end += len(record)
        self.ends.append(self.end)
        self.crcs.append(RECORD.unpack_from(record)[2])

    def _index(self, numbers: Iterable[int], at: int) -> None:
        versions = self.versions
        assert versions is not None
        before = len(versions)
        count = 0
        for number in numbers:
            known = versions.get(number)
            if known is None:
                versions[number] = array.array("Q", (at,))
            else:
                known.append(at)
            at += self.page_size
            count += 1
        self.pages += len(versions) - before
        self.stored += count

    def _scan(self, known: int | None, *, is_whole: bool = True) -> LogHeader | None:
        self.versions, self.pages, self.stored = {}, 0, 0
        self.ends, self.crcs = array.array("Q"), array.array("I")
        file = self.file()
        size = os.fstat(file).st_size
        if not size:
            return None
        with mmap.mmap(file, size, prot=mmap.PROT_READ) as data:
            header = data.readline()
            spec = parse_header(header, self.name)
            if spec is None:
                return None
            self._place(spec, len(header))
            stop = size if known is None else min(size, known - self.shift)
            with memoryview(data) as view:
                at = self._scan_records(view, len(header), stop)
                if known is None and is_whole and self._goes_on(data, view, at):
                    raise DamagedLog(f"log {self.name} is damaged at byte {at}, before its end")
        self.end = at + self.shift
        return spec

    def _scan_records(self, view: memoryview, at: int, stop: int) -> int:
        while (end := self._valid(view, at, stop)) is not None:
            _, count, crc = RECORD.unpack_from(view, at)
            body = at + RECORD.size
            self._index(array.array("I", bytes(view[body : body + 4 * count])), body + 4 * count + self.shift)
            self.ends.append(end + self.shift)
            self.crcs.append(crc)
            at = end
        return at

    def _valid(self, view: memoryview, at: int, stop: int) -> int | None:
        if at + RECORD.size > stop:
            return None
        magic, count, crc = RECORD.unpack_from(view, at)
        body = at + RECORD.size
        end = body + count * (4 + self.page_size)
        if magic != MAGIC or not count or end > stop:
            return None
        seed = (at + self.shift) & 0xFFFFFFFF
        return end if zlib.crc32(view[body:end], seed) == crc else None

    def _goes_on(self, data: mmap.mmap, view: memoryview, at: int) -> bool:
        """Whether a sound record follows the first unsound one: then this is damage and not a torn end."""
        at = data.find(MAGIC, at + 1)
        while at != -1:
            if self._valid(view, at, len(data)) is not None:
                return True
            at = data.find(MAGIC, at + 1)
        return False


def is_short(head: bytes, length: int, page_size: int) -> bool:
    """Whether a record that begins like this was cut short within so many bytes."""
    return len(head) < RECORD.size or RECORD.size + RECORD.unpack(head)[1] * (4 + page_size) > length


def holds_world(path: Path, name: str) -> bool:
    """Whether the file has a header, and no first record or a whole one."""
    with path.open("rb") as file:
        spec = parse_header(file.readline(), name)
        length = os.fstat(file.fileno()).st_size - file.tell()
        return spec is not None and (not length or not is_short(file.read(RECORD.size), length, spec.page_size))


def _translate_error(error: OSError) -> apsw.Error:
    full = error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
    return (apsw.FullError if full else apsw.IOError)(f"page log: {error.strerror}")
