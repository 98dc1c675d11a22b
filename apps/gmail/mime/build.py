"""Builds mail from fields.

Equal fields give equal bytes: the caller supplies time and Message-ID, boundaries come from a hash.
"""

import re
from base64 import encodebytes
from binascii import b2a_qp
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, tzinfo
from email.generator import BytesGenerator
from email.message import Message
from email.policy import Compat32
from hashlib import sha256
from io import BytesIO

from apps.gmail.mime.addresses import Address, format_address
from apps.gmail.mime.date import format_date_header
from apps.gmail.mime.envelope import remove_header
from apps.gmail.mime.header_words import LINE, encode_header, fold_header, format_parameter

_ID = re.compile(r"<[!-;=?-~]{1,900}>")
_NAME = re.compile(r"[!-9;-~]{1,100}")
_TYPE = re.compile(r"[\w!#$&^.+-]{1,100}/[\w!#$&^.+-]{1,100}", re.A)
_PLAIN = re.compile(
    rf"(?:[\t -~]{{0,{LINE}}}(?<![\t ])\n)*[\t -~]{{0,{LINE}}}(?<![\t ])"
)  # what needs no transfer encoding
_MAX_FILE_NAME = 255  # characters; own choice, that of file systems


@dataclass(frozen=True)
class File:
    """Something attached; with a content id it is an image of the HTML."""

    filename: str
    mime_type: str
    data: bytes
    content_id: str = ""


@dataclass(frozen=True)
class Outgoing:
    """The fields of a mail to build. Message-IDs are in angle brackets; `extra` headers come as they are."""

    sender: Address
    at_us: int
    message_id: str
    to: tuple[Address, ...] = ()
    cc: tuple[Address, ...] = ()
    bcc: tuple[Address, ...] = ()
    subject: str = ""
    text: str = ""
    html: str | None = None
    attachments: tuple[File, ...] = ()
    in_reply_to: str = ""
    references: tuple[str, ...] = ()
    zone: tzinfo = UTC
    extra: tuple[tuple[str, str], ...] = ()


class _AsWritten(Compat32):
    """Writes header values as set, encoded and folded."""

    def fold_binary(self, name: str, value: str) -> bytes:
        return f"{name}: {value}\r\n".encode("ascii")


_POLICY = _AsWritten(linesep="\r\n", max_line_length=None)


def build(mail: Outgoing) -> bytes:
    """Return the bytes of a mail; ValueError for a field that no header can carry, such as one with a line break."""
    return as_bytes(_list_headers(mail), _build_content(mail))


def as_bytes(headers: Sequence[tuple[str, str]], content: Message) -> bytes:
    """A mail of encoded headers, in order, and a content."""
    top = Message(_POLICY)
    for name, value in (("MIME-Version", "1.0"), *headers):
        top.set_raw(name, fold_header(name, value))
    for name, value in content.raw_items():
        top.set_raw(name, value)
    top.set_payload(content.get_payload())
    out = BytesIO()
    BytesGenerator(out, mangle_from_=False, policy=_POLICY).flatten(top)
    return out.getvalue()


def _list_headers(mail: Outgoing) -> list[tuple[str, str]]:
    fields = [
        ("Date", format_date_header(mail.at_us, mail.zone)),
        ("References", " ".join(map(check_message_id, mail.references))),
        ("In-Reply-To", check_message_id(mail.in_reply_to) if mail.in_reply_to else ""),
        ("Message-ID", check_message_id(mail.message_id)),
        ("Subject", header_value("Subject", mail.subject)),
        ("From", format_address(mail.sender)),
        *(
            (name, ", ".join(map(format_address, people)))
            for name, people in (("To", mail.to), ("Cc", mail.cc), ("Bcc", mail.bcc))
        ),
    ]
    return [(name, value) for name, value in fields if value or name == "Subject"] + [
        (_check_header_name(name), header_value(name, value)) for name, value in mail.extra
    ]


def header_value(name: str, value: str) -> str:
    """A value encoded for a header; ValueError if it holds a line break, which would begin another header."""
    if re.search(r"[\r\n\x00]", value):
        raise ValueError(f"{name}: a header value holds no line break and no NUL")
    return encode_header(value)


def _check_header_name(name: str) -> str:
    if not _NAME.fullmatch(name):
        raise ValueError(f"not a header name: {name[:100]!r}")
    return name


def check_message_id(message_id: str) -> str:
    """A Message-ID; ValueError if it is none."""
    if not _ID.fullmatch(message_id):
        raise ValueError(f"not a Message-ID in angle brackets: {message_id[:100]!r}")
    return message_id


def _build_content(mail: Outgoing) -> Message:
    """The body with what is attached: mixed(alternative(plain, related(html, images)), files)."""
    body = text_part("plain", mail.text)
    files = [file for file in mail.attachments if not (file.content_id and mail.html is not None)]
    if mail.html is not None:
        images = [file_part(file) for file in mail.attachments if file.content_id]
        shown = text_part("html", mail.html)
        body = multipart("alternative", [body, multipart("related", [shown, *images]) if images else shown])
    return multipart("mixed", [body, *map(file_part, files)]) if files else body


def text_part(subtype: str, text: str) -> Message:
    """A body of text in UTF-8."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    part = empty_part(f'text/{subtype}; charset="UTF-8"')
    if _PLAIN.fullmatch(text):
        part.set_payload(text)
    else:
        part.set_raw("Content-Transfer-Encoding", "quoted-printable")
        part.set_payload(b2a_qp(text.encode()).decode("ascii"))
    return part


def empty_part(content_type: str) -> Message:
    """A part without content."""
    part = Message(_POLICY)
    part.set_raw("Content-Type", fold_header("Content-Type", content_type))
    return part


def file_part(file: File) -> Message:
    """A file in base64."""
    if not _TYPE.fullmatch(file.mime_type) or file.mime_type.lower().startswith("multipart/"):
        raise ValueError(f"not the type of a file: {file.mime_type[:100]!r}")
    if len(file.filename) > _MAX_FILE_NAME or re.search(r"[\x00-\x1f\x7f]", file.filename):
        raise ValueError(f"not a file name: {file.filename[:100]!r}")
    named = format_parameter("filename", file.filename) if file.filename else ""
    part = empty_part(file.mime_type + (format_parameter("name", file.filename) if file.filename else ""))
    part.set_raw(
        "Content-Disposition",
        fold_header("Content-Disposition", ("inline" if file.content_id else "attachment") + named),
    )
    part.set_raw("Content-Transfer-Encoding", "base64")
    if file.content_id:
        part.set_raw("Content-ID", check_message_id(f"<{file.content_id}>"))
    part.set_payload(encodebytes(file.data).decode("ascii"))
    return part


def multipart(subtype: str, parts: Sequence[Message], more: str = "") -> Message:
    """Parts under a boundary that no content can hold, being a hash of all of it."""
    digest = sha256(subtype.encode())
    for part in parts:
        digest.update(repr(list(part.raw_items())).encode())
        digest.update(_hash_content(part))
    whole = empty_part(f'multipart/{subtype}; boundary="000000000000{digest.hexdigest()[:16]}"{more}')
    whole.set_payload(list(parts))
    return whole


def _hash_content(part: Message) -> bytes:
    """Return a part's contribution to the hash: its text, or the boundary of a multipart."""
    payload = part.get_payload()
    return payload.encode("utf-8", "surrogateescape") if isinstance(payload, str) else b""


def without_bcc(raw: bytes) -> bytes:
    """Return a mail without its Bcc header, every other byte unchanged."""
    return remove_header(raw, "Bcc")
