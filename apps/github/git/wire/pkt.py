"""Packet lines (gitprotocol-common): four hex digits of length, then the data."""

import re
from collections.abc import Iterator
from enum import Enum

from apps.github.git.wire.limits import MAX_LINES

MOST = 65520  # of a line, its length included
HEX = re.compile(rb"[0-9a-fA-F]{4}")


class Mark(Enum):
    """Packet lines that consist of a length only."""

    FLUSH = b"0000"
    DELIM = b"0001"
    END = b"0002"


MARKS = {int(mark.value, 16): mark for mark in Mark}
FLUSH, DELIM = Mark.FLUSH.value, Mark.DELIM.value


class MalformedRequest(Exception):
    """Error for a request that violates the protocol."""


def pkt(line: bytes | str) -> bytes:
    """Encode one packet line."""
    data = line.encode("utf-8", "surrogateescape") if isinstance(line, str) else line
    if len(data) > MOST - 4:
        raise ValueError("line too long")
    return b"%04x%b" % (len(data) + 4, data)


class Lines:
    """Reads packet lines from the start of a buffer; `position` is the start of the next. Raises Malformed."""

    def __init__(self, data: bytes) -> None:
        self.data, self.position, self._count = data, 0, 0

    @property
    def at_end(self) -> bool:
        """Whether no line is left."""
        return self.position >= len(self.data)

    def read(self) -> bytes | Mark:
        """Return the next line's data, or its mark."""
        size = self._size()
        if size in MARKS:
            self.position += 4
            return MARKS[size]
        if size < 4 or size > MOST:
            raise MalformedRequest(f"bad line length {size}")
        if self.position + size > len(self.data):
            raise MalformedRequest("the line is cut off")
        start, self.position = self.position + 4, self.position + size
        return self.data[start : self.position]

    def _size(self) -> int:
        self._count += 1
        if self._count > MAX_LINES:
            raise MalformedRequest("too many lines")
        digits = self.data[self.position : self.position + 4]
        if not HEX.fullmatch(digits):
            raise MalformedRequest("bad line length")
        return int(digits, 16)

    def text(self) -> str | Mark:
        """Return the next line as text, without its final newline."""
        line = self.read()
        return line if isinstance(line, Mark) else line.removesuffix(b"\n").decode("utf-8", "surrogateescape")

    def until(self, *ends: Mark) -> Iterator[str]:
        """Yield the lines before one of these marks. Raises Malformed for another mark, or none."""
        while not isinstance(line := self.text(), Mark):
            yield line
        if line not in ends:
            raise MalformedRequest(f"unexpected {line.name.lower()}")


def iter_sideband(band: int, data: bytes | memoryview, most: int = MOST) -> Iterator[bytes]:
    """Split data into side-band packets: 1 is the pack or report, 2 progress messages, 3 a fatal error."""
    size = most - 5
    for start in range(0, len(data), size):
        part = bytes(data[start : start + size])
        yield b"%04x%c%b" % (len(part) + 5, band, part)
