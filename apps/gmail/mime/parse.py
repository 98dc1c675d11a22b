"""Parser of a mail's bytes to a tree of parts, within limits: any bytes within the limits are a mail.

The standard library's parser finds headers and parts; attached mails are parsed separately, so that they keep their
bytes.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from email.message import Message
from email.parser import BytesParser
from email.policy import Policy, compat32
from functools import partial
from typing import Any, cast

from apps.gmail.mime.charset import decode_text
from apps.gmail.mime.header_words import decode_header, parse_parameters

MAX_BYTES = 52_428_800  # what users.messages.insert and import accept: mediaUpload.maxSize of the discovery document
MAX_LINES = 1_000_000  # own choice: a mail of the greatest size, in lines of 76, has 690,000
MAX_NESTED = 2  # times the two above, for attached mails inside attached mails, which are read again; own choice
MAX_DEPTH = 64  # parts inside parts; own choice
MAX_PARTS = 1_000  # own choice
MAX_HEADERS = 10_000  # header fields of all parts together; own choice

_TYPE = re.compile(r"[\w!#$&^.+-]{1,100}/[\w!#$&^.+-]{1,100}", re.A)


class MalformedMail(ValueError):
    """Error for bytes that exceed a limit."""


@dataclass(frozen=True)
class Header:
    """A header field: as written, and as a reader sees it."""

    name: str
    raw: str

    @property
    def value(self) -> str:
        return decode_header(self.raw)


@dataclass(frozen=True)
class Part:
    """One part of a mail: `data` is decoded, `parts` are those of a multipart or the mail of a message/rfc822."""

    id: str
    mime_type: str
    headers: tuple[Header, ...]
    charset: str
    filename: str
    disposition: str
    data: bytes
    parts: "tuple[Part, ...]" = field(default=())

    @property
    def text(self) -> str:
        return decode_text(self.data, self.charset)

    def raws(self, name: str) -> list[str]:
        """The raw values of a header, in order."""
        return [header.raw for header in self.headers if header.name.lower() == name]

    def first(self, name: str) -> str:
        """The first value of a header as a reader sees it, or ""."""
        return next((decode_header(raw).strip() for raw in self.raws(name)), "")

    def walk(self) -> Iterator["Part"]:
        """This part and all below it, in order."""
        yield self
        for part in self.parts:
            yield from part.walk()


def parse(raw: bytes) -> Part:
    """The tree of a mail; MalformedMail if it exceeds a limit."""
    if len(raw) > MAX_BYTES:
        raise MalformedMail(f"mail of {len(raw)} bytes: at most {MAX_BYTES} are taken")
    if _count_lines(raw) > MAX_LINES:
        raise MalformedMail(f"mail of more than {MAX_LINES} lines")
    return _Reader().read(raw, "", 0)


def _count_lines(raw: bytes) -> int:
    return raw.count(b"\n") + raw.count(b"\r") - raw.count(b"\r\n")


class _Reader:
    """Reads one mail, counting its parts and those of attached mails."""

    def __init__(self) -> None:
        self.parts = self.headers = self.size = self.lines = 0

    def read(self, raw: bytes, part_id: str, depth: int) -> Part:
        self.weigh(raw)
        self.count(depth)
        policy = compat32.clone(message_factory=partial(_Node, self, depth))
        return self.part(cast(_Node, BytesParser(policy=policy).parsebytes(raw)), part_id)

    def weigh(self, raw: bytes) -> None:
        self.size += len(raw)
        self.lines += _count_lines(raw)
        if self.size > MAX_NESTED * MAX_BYTES or self.lines > MAX_NESTED * MAX_LINES:
            raise MalformedMail("mail whose attached mails hold one another too often")

    def count(self, depth: int) -> None:
        self.parts += 1
        if self.parts > MAX_PARTS:
            raise MalformedMail(f"mail of more than {MAX_PARTS} parts")
        if depth > MAX_DEPTH:
            raise MalformedMail(f"mail with parts nested deeper than {MAX_DEPTH}")

    def part(self, node: "_Node", part_id: str) -> Part:
        headers = tuple(Header(name, raw) for name, raw in node.raw_items())
        self.headers += len(headers)
        if self.headers > MAX_HEADERS:
            raise MalformedMail(f"mail of more than {MAX_HEADERS} header fields")
        disposition, named = parse_parameters(node.raw_header("content-disposition"))
        _, typed = parse_parameters(node.raw_header("content-type"))
        data = node.data()
        return Part(
            part_id,
            node.mime_type,
            headers,
            typed.get("charset", ""),
            _clean_file_name(named.get("filename") or typed.get("name") or ""),
            disposition,
            data,
            self.inside(node, data, part_id),
        )

    def inside(self, node: "_Node", data: bytes, part_id: str) -> tuple[Part, ...]:
        """The parts of a multipart, or the one mail of an attached mail."""
        if node.is_multipart():
            nodes = cast(list[_Node], node.get_payload())
            return tuple(self.part(child, _child_id(part_id, number)) for number, child in enumerate(nodes))
        if node.mime_type == "message/rfc822" and data.strip():
            return (self.read(data, _child_id(part_id, 0), node.depth + 1),)
        return ()


def _child_id(part_id: str, number: int) -> str:
    return f"{part_id}.{number}" if part_id else str(number)


def _clean_file_name(said: str) -> str:
    """Return a file name without folders and control characters: it is shown, and offered when the file is saved."""
    return "".join(character for character in re.split(r"[/\\]", said)[-1] if character.isprintable()).strip()


class _Node(Message):
    """Node filled by the parser. It treats only multiparts as structure, and reads parameters as `words` does."""

    def __init__(self, reader: _Reader, depth: int, policy: Policy) -> None:
        super().__init__(policy)
        self.reader = reader
        self.depth = depth

    def attach(self, payload: Any) -> None:
        payload.depth = self.depth + 1
        self.reader.count(payload.depth)
        super().attach(payload)

    def raw_header(self, name: str) -> str:
        """The first raw value of a header, or ""."""
        return next((raw for found, raw in self.raw_items() if found.lower() == name), "")

    @property
    def mime_type(self) -> str:
        """The declared type; text/plain where none that can be read is declared (RFC 2045 section 5.2)."""
        said = parse_parameters(self.raw_header("content-type"))[0]
        return said if _TYPE.fullmatch(said) else self.get_default_type()

    def get_content_type(self) -> str:
        return self.mime_type if self.mime_type.startswith("multipart/") else "text/plain"

    def get_boundary(self, failobj: Any = None) -> Any:
        found = parse_parameters(self.raw_header("content-type"))[1].get("boundary", "").rstrip()
        return found.encode("utf-8", "replace").decode("ascii", "replace") or failobj

    def get_param(self, *args: object, **kwargs: object) -> str:
        """Hide the character set, so that decoding a body leaves its bytes unchanged."""
        return ""

    def data(self) -> bytes:
        """The bytes of a leaf without their transfer encoding."""
        if self.is_multipart():
            return b""
        encoding = parse_parameters(self.raw_header("content-transfer-encoding"))[0]
        del self["content-transfer-encoding"]
        self["content-transfer-encoding"] = encoding if encoding in ("base64", "quoted-printable") else "binary"
        found = self.get_payload(decode=True)
        return found if isinstance(found, bytes) else b""
