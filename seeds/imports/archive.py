"""Archives opened with care: zip and tar files whose names, sizes and entries are checked before anything is read."""

import gzip
import stat
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from world.run.imports import ImportRefused

MAX_ENTRIES = 200_000
MAX_ENTRY = 256 * 1024 * 1024  # bytes of one file
MAX_TOTAL = 2 * 1024 * 1024 * 1024  # bytes of all files
MAX_RATIO = 200  # of a file's size to its compressed size
SMALL = 1024 * 1024  # a file of this size may be compressed as well as it can be
DAMAGE = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, OSError, tarfile.TarError)


@dataclass(frozen=True, slots=True)
class Archive:
    """The files of an archive by their names, in order; `read` returns the bytes of one."""

    file: str
    names: tuple[str, ...]
    read: Callable[[str], bytes]

    def below(self, folder: str) -> list[str]:
        """Names of the files in a folder and its subfolders."""
        return [name for name in self.names if name.startswith(f"{folder}/")]


def open_zip(path: Path) -> Archive:
    """A zip file. Raises ImportRefused."""
    try:
        opened = zipfile.ZipFile(path)
        infos = [info for info in opened.infolist() if not info.is_dir()]
    except DAMAGE as error:
        raise ImportRefused(path.name, "", f"not a zip archive: {error}") from error
    _check_sizes(path.name, [(info.filename, info.file_size, info.compress_size) for info in infos])
    for info in infos:
        _check_zip_entry(path.name, info)
    _check_overlaps(path.name, infos)
    by_name = {info.filename: info for info in infos}

    def read(name: str) -> bytes:
        try:
            return opened.read(by_name[name])
        except DAMAGE as error:
            raise ImportRefused(path.name, name, f"damaged: {error}") from error

    return Archive(path.name, tuple(sorted(by_name)), read)


def _check_zip_entry(file: str, info: zipfile.ZipInfo) -> None:
    if info.flag_bits & 1:
        raise ImportRefused(file, info.filename, "encrypted")
    if stat.S_ISLNK(info.external_attr >> 16):
        raise ImportRefused(file, info.filename, "a symbolic link")
    if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise ImportRefused(file, info.filename, f"compression method {info.compress_type} is not supported")


def _check_overlaps(file: str, infos: Iterable[zipfile.ZipInfo]) -> None:
    """Refuse entries that share their bytes: that is how a small file holds a huge one many times."""
    end = 0
    for info in sorted(infos, key=lambda one: one.header_offset):
        if info.header_offset < end:
            raise ImportRefused(file, info.filename, "overlaps another entry")
        end = info.header_offset + info.compress_size


def _check_sizes(file: str, entries: Iterable[tuple[str, int, int]]) -> None:
    """Check (name, size, compressed size) of all entries."""
    total, seen = 0, set[str]()
    for number, (name, size, compressed) in enumerate(entries):
        check_name(file, name)
        if name in seen:
            raise ImportRefused(file, name, "there twice")
        seen.add(name)
        total += size
        if number >= MAX_ENTRIES:
            raise ImportRefused(file, name, f"more than {MAX_ENTRIES} entries")
        if size > MAX_ENTRY or total > MAX_TOTAL:
            raise ImportRefused(file, name, f"too large: {size} bytes, {total} with the entries before it")
        if size > SMALL and size > MAX_RATIO * max(compressed, 1):
            raise ImportRefused(file, name, f"{size} bytes compressed to {compressed}: a zip bomb")


def check_name(file: str, name: str) -> None:
    """Refuse a name that leads out of the archive. Raises ImportRefused."""
    parts = name.split("/")
    if not name or name.startswith("/") or "\\" in name or "\0" in name or ".." in parts or ":" in parts[0]:
        raise ImportRefused(file, repr(name), "a path that leads out of the archive")


def open_tar(path: Path) -> Archive:
    """A tar file, compressed with gzip or not. Raises ImportRefused."""
    found: dict[str, bytes] = {}
    total = 0
    try:
        with path.open("rb") as raw:
            packed = raw.read(2) == b"\x1f\x8b"
            raw.seek(0)
            stream = gzip.GzipFile(fileobj=raw) if packed else raw
            with tarfile.open(fileobj=stream, mode="r|") as opened:  # type: ignore[call-overload]
                for member in opened:
                    name = member.name.removeprefix("./")
                    if member.isdir():
                        continue
                    check_name(path.name, name)
                    total += member.size
                    _check_tar_entry(path, name, member, total, found)
                    source = opened.extractfile(member)
                    found[name] = source.read() if source is not None else b""
    except DAMAGE as error:
        raise ImportRefused(path.name, "", f"not a sound tar archive: {error}") from error
    return Archive(path.name, tuple(sorted(found)), found.__getitem__)


def _check_tar_entry(path: Path, name: str, member: tarfile.TarInfo, total: int, found: dict[str, bytes]) -> None:
    if not member.isreg() or member.issparse():
        raise ImportRefused(path.name, name, "neither a plain file nor a folder")
    if name in found:
        raise ImportRefused(path.name, name, "there twice")
    if len(found) >= MAX_ENTRIES:
        raise ImportRefused(path.name, name, f"more than {MAX_ENTRIES} entries")
    if member.size > MAX_ENTRY or total > MAX_TOTAL:
        raise ImportRefused(path.name, name, f"too large: {member.size} bytes, {total} with the entries before it")
    if total > SMALL and total > MAX_RATIO * max(path.stat().st_size, 1):
        raise ImportRefused(path.name, name, f"{total} bytes compressed to {path.stat().st_size}: a bomb")


def read_file(path: Path) -> bytes:
    """The bytes of a plain file, no larger than an entry may be. Raises ImportRefused."""
    if path.is_symlink() or not path.is_file():
        raise ImportRefused(path.name, "", "not a plain file")
    if path.stat().st_size > MAX_ENTRY:
        raise ImportRefused(path.name, "", f"too large: {path.stat().st_size} bytes")
    return path.read_bytes()
