"""The zip package of an xlsx: parts are read within limits, and equal content is written as equal bytes.

Nothing touches a disk.
"""

import io
import posixpath
import zlib
from collections.abc import Iterator, Mapping
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from world.core.errors import OperationError

MOST_PACKED = 100_000_000  # support.google.com/drive/answer/37603: what can be converted to a spreadsheet
MOST_UNPACKED = 200_000_000  # of all parts together
MOST_OF_A_PART = 32_000_000  # of one that is held in memory whole
MOST_PARTS = 10_000
WORST_RATIO, SMALL = 300, 8_000_000  # nobody's spreadsheet packs better than this; small parts may
CHUNK = 1 << 22  # expat reads a tag that spans pieces again with each of them
OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"  # what an encrypted xlsx and an old xls begin with
_EARLIEST = (1980, 1, 1, 0, 0, 0)


def bad_file(problem: str) -> OperationError:
    """Return the error for an unreadable file."""
    return OperationError("bad_file", problem=problem)


class Package:
    """The parts of an xlsx by their names. Raises bad_file, encrypted_file, file_too_large."""

    def __init__(self, data: bytes) -> None:
        if len(data) > MOST_PACKED:
            raise OperationError("file_too_large")
        if data[:8] == OLE:
            raise OperationError("encrypted_file")
        try:
            self._zip = ZipFile(io.BytesIO(data))
        except (BadZipFile, ValueError, NotImplementedError, EOFError):
            raise bad_file("it is not an xlsx file") from None
        self._parts = _check_parts(self._zip)

    def __contains__(self, name: str) -> bool:
        return name.lower() in self._parts

    def read(self, name: str) -> bytes:
        """Return a whole part."""
        info = self._parts.get(name.lower())
        if info is None:
            raise bad_file(f"the part {name} is missing")
        if info.file_size > MOST_OF_A_PART:
            raise OperationError("file_too_large")
        return b"".join(self.chunks(name))

    def chunks(self, name: str) -> Iterator[bytes]:
        """Yield a part piece by piece."""
        info = self._parts.get(name.lower())
        if info is None:
            raise bad_file(f"the part {name} is missing")
        try:
            with self._zip.open(info) as part:
                while piece := part.read(CHUNK):
                    yield piece
        except (BadZipFile, zlib.error, EOFError, ValueError, NotImplementedError):
            raise bad_file(f"the part {name} is damaged") from None


def _check_parts(package: ZipFile) -> dict[str, ZipInfo]:
    """Return the parts by their names in lower case, within the limits."""
    infos = package.infolist()
    if len(infos) > MOST_PARTS or sum(info.file_size for info in infos) > MOST_UNPACKED:
        raise OperationError("file_too_large")
    parts: dict[str, ZipInfo] = {}
    for info in infos:
        name = info.filename.replace("\\", "/").removeprefix("/")
        if info.flag_bits & 1:
            raise OperationError("encrypted_file")
        if ".." in name.split("/") or name.startswith("/") or info.compress_type not in (ZIP_STORED, ZIP_DEFLATED):
            raise bad_file("its parts have names or forms that no spreadsheet has")
        if info.file_size > SMALL and info.file_size > WORST_RATIO * max(info.compress_size, 1):
            raise OperationError("file_too_large")
        parts[name.lower()] = info
    return parts


def beside(part: str, target: str) -> str:
    """Return the part that a relationship refers to; it never leaves the package."""
    whole = target if target.startswith("/") else posixpath.join("/", posixpath.dirname(part), target)
    return posixpath.normpath(whole.replace("\\", "/")).lstrip("/")


def pack_zip(parts: Mapping[str, str | bytes]) -> bytes:
    """Zip parts in their order, dated as the format's first day."""
    out = io.BytesIO()
    with ZipFile(out, "w", ZIP_DEFLATED, compresslevel=6) as package:
        for name, content in parts.items():
            info = ZipInfo(name, _EARLIEST)
            info.compress_type, info.external_attr, info.create_system = ZIP_DEFLATED, 0o600 << 16, 3
            package.writestr(info, content.encode() if isinstance(content, str) else content, compresslevel=6)
    return out.getvalue()
