"""A file as a passage, as far as its bytes are text: plain text, tables, HTML, workbooks."""

import re

from world.core.reading.html import from_html, tidy_html
from world.core.reading.passage import Passage
from world.core.reading.plain import from_plain
from world.core.reading.workbook_text import read_workbook_text

MAX_FILE = 200_000  # characters of a file that are read
_SNIFFED = 4_096  # bytes that decide whether a file is text
_MARKS = ((b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"), (b"\xef\xbb\xbf", "utf-8-sig"))
_PACKED = b"PK\x03\x04"
_CONTROLS = re.compile(rb"[^\t\n\r\f\x1b\x20-\xff]")


def from_file(name: str, media_type: str, data: bytes) -> Passage | None:
    """Read a file as a passage; None if nobody reads it as text. The bytes decide, whatever name and media type say."""
    if data.startswith(_PACKED):
        said = read_workbook_text(data)
        return from_plain(said) if said else None
    text = _decode(data)
    if text is None:
        return None
    if media_type == "text/html" or name.lower().endswith((".html", ".htm", ".svg")):
        return from_html(tidy_html(text[:MAX_FILE]))
    return from_plain(text[:MAX_FILE])


def _decode(data: bytes) -> str | None:
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return data.decode(encoding, "replace")
    if _CONTROLS.search(data, 0, _SNIFFED):
        return None
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")
