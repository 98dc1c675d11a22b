"""The texts of an xlsx: sheet by sheet, the cells and the notes beside them."""

import io
import re
import zlib
from collections.abc import Callable, Iterable, Iterator
from xml.parsers import expat
from zipfile import BadZipFile, ZipFile, ZipInfo

MAX_PART = 8_000_000  # bytes of a part, unpacked; larger ones are not read
MAX_TEXT = 200_000  # characters of a workbook
_CELLS = re.compile(r"xl/(?:worksheets|comments\w*|threadedComments)/?[\w/]*\.xml\Z", re.I)
Start = Callable[[str, dict[str, str]], None]
Said = Callable[[str], None]
_DAMAGED = (BadZipFile, zlib.error, EOFError, ValueError, NotImplementedError, expat.ExpatError, RuntimeError)


def read_workbook_text(data: bytes) -> str:
    """Return the text of a workbook, a line for each row; empty if it cannot be read."""
    try:
        return "\n".join(_lines(ZipFile(io.BytesIO(data))))[:MAX_TEXT]
    except _DAMAGED:
        return ""


def _lines(package: ZipFile) -> Iterator[str]:
    parts = {info.filename: info for info in package.infolist() if info.file_size <= MAX_PART}
    yield from _titles(package, parts)
    shared = list(_read_shared_strings(package, parts))
    for name in sorted(parts, key=_in_order):
        if _CELLS.match(name):
            yield from _Sheet(shared).read(_chunks(package, parts[name]))


def _in_order(name: str) -> tuple[bool, int, str]:
    """Sort key: sheets by number, then the notes beside them."""
    return "omments" in name, len(name), name


def _chunks(package: ZipFile, part: ZipInfo) -> bytes:
    with package.open(part) as opened:
        return opened.read(MAX_PART)


def _titles(package: ZipFile, parts: dict[str, ZipInfo]) -> Iterator[str]:
    found: list[str] = []

    def start_element(name: str, attributes: dict[str, str]) -> None:
        if name.rpartition("}")[2] == "sheet":
            found.append(attributes.get("name", ""))

    if "xl/workbook.xml" in parts:
        _parse(_chunks(package, parts["xl/workbook.xml"]), start_element)
    yield from found


def _read_shared_strings(package: ZipFile, parts: dict[str, ZipInfo]) -> Iterable[str]:
    """The texts that cells name by number."""
    found: list[str] = []

    def start_element(name: str, attributes: dict[str, str]) -> None:
        if name.rpartition("}")[2] == "si":
            found.append("")

    def text(said: str) -> None:
        if found:
            found[-1] += said

    if "xl/sharedStrings.xml" in parts:
        _parse(_chunks(package, parts["xl/sharedStrings.xml"]), start_element, text=text)
    return (" ".join(one.split()) for one in found)


class _Sheet:
    """Reads the rows of a sheet, or the notes beside it."""

    def __init__(self, shared: list[str]) -> None:
        self._shared = shared
        self._lines: list[list[str]] = [[]]
        self._kind, self._said, self._open = "", "", ""

    def read(self, data: bytes) -> Iterator[str]:
        """Its lines that say anything."""
        _parse(data, self._start_element, self._end_element, self._text)
        return (" ".join(line) for line in self._lines if line)

    def _start_element(self, name: str, attributes: dict[str, str]) -> None:
        tag = name.rpartition("}")[2]
        if tag in ("row", "comment", "threadedComment"):
            self._lines.append([])
        if tag == "c":
            self._kind = attributes.get("t", "")
        if tag in ("v", "t", "text"):
            self._open, self._said = tag, ""

    def _text(self, said: str) -> None:
        if self._open:
            self._said += said

    def _end_element(self, name: str) -> None:
        if name.rpartition("}")[2] != self._open:
            return
        said, self._open = self._said.strip(), ""
        if self._kind == "s" and said.isdecimal():
            said = self._shared[int(said)] if int(said) < len(self._shared) else ""
        if said:
            self._lines[-1].append(said)


def _refuse(*_: object) -> None:
    raise ValueError("a document type may hold entities that grow")


def _parse(data: bytes, opening: Start, closing: Said | None = None, text: Said | None = None) -> None:
    made = expat.ParserCreate(namespace_separator="}")
    made.buffer_text = True
    made.StartDoctypeDeclHandler = _refuse
    made.StartElementHandler, made.EndElementHandler, made.CharacterDataHandler = opening, closing, text
    made.Parse(data, True)
