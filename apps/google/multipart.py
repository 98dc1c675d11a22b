"""Parts of a multipart body, as bytes; their content is not changed."""

import re
from email.message import Message
from typing import NamedTuple

BLANK = re.compile(rb"\r?\n\r?\n")
MAX_PARTS = 1_000


class MalformedMultipart(ValueError):
    """A body that is not made of parts."""


class Part(NamedTuple):
    """One part; names of headers are in lower case."""

    headers: dict[str, str]
    content: bytes

    @property
    def media_type(self) -> str:
        """The content type without its parameters."""
        return self.headers.get("content-type", "").partition(";")[0].strip().lower()


def parse_parts(content_type: str, body: bytes) -> list[Part]:
    """The parts of a body in order. Raises Malformed without a boundary, an end or a part."""
    header = Message()
    header["Content-Type"] = content_type
    boundary = header.get_boundary()
    if not boundary or not boundary.isascii():
        raise MalformedMultipart("no boundary")
    found: list[Part] = []
    start: int | None = None
    for cut in re.finditer(rb"(?:\A|\r?\n)--" + re.escape(boundary.encode()) + rb"(--)?[ \t]*(?=\r?\n|\Z)", body):
        if start is not None:
            found.append(parse_part(body[start : cut.start()]))
        if cut[1] and found:
            return found
        start = cut.end()
        if len(found) > MAX_PARTS:
            break
    raise MalformedMultipart("no end")


def parse_part(raw: bytes) -> Part:
    """Headers, an empty line, content; the first line break belongs to the delimiter before."""
    end = BLANK.search(raw)
    if end is None:
        return Part({}, b"") if not raw.strip() else Part(parse_headers(raw), b"")
    return Part(parse_headers(raw[: end.start()]), raw[end.end() :])


def parse_headers(raw: bytes) -> dict[str, str]:
    """Header lines; a line that is none is passed over."""
    unfolded = re.sub(rb"\r?\n[ \t]+", b" ", raw.strip()).decode("latin-1")
    pairs = (line.partition(":") for line in unfolded.splitlines() if ":" in line)
    return {name.strip().lower(): value.strip() for name, _, value in pairs}
