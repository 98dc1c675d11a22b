"""Parsed mail: sender, recipients, subject, date, references, bodies and attachments."""

import re
from dataclasses import dataclass

from apps.gmail.mime.addresses import Address, parse_addresses
from apps.gmail.mime.date import parse_date
from apps.gmail.mime.header_words import unfold
from apps.gmail.mime.html import from_text, to_text
from apps.gmail.mime.parse import MalformedMail, Part, parse

__all__ = ["Attachment", "Mail", "MalformedMail", "body_of", "list_message_ids", "read_part", "read_mail"]

_ID = re.compile(r"<[^<>\s]{1,900}>")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")


@dataclass(frozen=True)
class Attachment:
    """A part that is not the body. `inline` ones are shown where the HTML names their content id."""

    part_id: str
    filename: str
    mime_type: str
    size: int
    content_id: str
    inline: bool


@dataclass(frozen=True)
class Mail:
    """A mail, read. Texts have "\\n" between lines; headers that occur twice count once, except To, Cc and Bcc."""

    root: Part
    subject: str
    sender: Address | None
    to: tuple[Address, ...]
    cc: tuple[Address, ...]
    bcc: tuple[Address, ...]
    reply_to: tuple[Address, ...]
    message_id: str
    in_reply_to: str
    references: tuple[str, ...]
    date_us: int | None
    text: str
    html: str | None
    attachments: tuple[Attachment, ...]
    auto_submitted: str
    precedence: str
    list_id: str
    list_unsubscribe: str

    @property
    def answers(self) -> tuple[str, ...]:
        """All Message-IDs this mail refers to, oldest first."""
        return tuple(dict.fromkeys((*self.references, *([self.in_reply_to] if self.in_reply_to else []))))

    @property
    def automatic(self) -> bool:
        """Whether a machine or a list sent it, so that nothing may answer automatically (RFC 3834 section 2)."""
        bulk = self.precedence in ("bulk", "list", "junk", "auto_reply")
        return self.auto_submitted not in ("", "no") or bulk or bool(self.list_id or self.list_unsubscribe)


def read_mail(raw: bytes) -> Mail:
    """A mail's bytes, read; MalformedMail if they exceed a limit of `parse`."""
    return read_part(parse(raw))


def read_part(root: Part) -> Mail:
    """A parsed mail, read."""
    text, html = body_of(root)
    replied = list_message_ids(root, "in-reply-to")
    return Mail(
        root=root,
        subject=root.first("subject"),
        sender=next(iter(_list_mailboxes(root, "from")), None),
        to=_list_mailboxes(root, "to"),
        cc=_list_mailboxes(root, "cc"),
        bcc=_list_mailboxes(root, "bcc"),
        reply_to=_list_mailboxes(root, "reply-to"),
        message_id=next(iter(list_message_ids(root, "message-id")), ""),
        in_reply_to=next(iter(replied), ""),
        references=list_message_ids(root, "references"),
        date_us=parse_date(root.first("date")),
        text=text if text is not None else to_text(html or ""),
        html=html,
        attachments=tuple(_attachment_from_part(part) for part in _list_leaves(root) if not _is_body(part)),
        auto_submitted=root.first("auto-submitted").partition(";")[0].strip().lower(),
        precedence=root.first("precedence").lower(),
        list_id=root.first("list-id"),
        list_unsubscribe=root.first("list-unsubscribe"),
    )


def _list_mailboxes(root: Part, name: str) -> tuple[Address, ...]:
    return tuple(one for raw in root.raws(name) for one in parse_addresses(raw))


def list_message_ids(root: Part, name: str) -> tuple[str, ...]:
    """The Message-IDs of a header, each once, in angle brackets."""
    found = dict.fromkeys(one for raw in root.raws(name)[:1] for one in _ID.findall(unfold(raw)))
    return tuple(one for one in found if one.isascii() and one.isprintable())


def _is_body(part: Part) -> bool:
    plain = part.mime_type in ("text/plain", "text/html")
    return plain and not part.filename and part.disposition != "attachment"


def _list_leaves(part: Part) -> list[Part]:
    """Return the leaf parts; an attached mail is one leaf."""
    if part.mime_type.startswith("multipart/") and part.parts:
        return [leaf for child in part.parts for leaf in _list_leaves(child)]
    return [part]


def body_of(part: Part) -> tuple[str | None, str | None]:
    """The body as (plain text, HTML), each None where the mail has none."""
    if part.parts and part.mime_type.startswith("multipart/"):
        return _body_of_many(part)
    if not _is_body(part):
        return (_clean_text(part.text), None) if part.mime_type.startswith("multipart/") else (None, None)
    return (_clean_text(part.text), None) if part.mime_type == "text/plain" else (None, _clean_text(part.text))


def _body_of_many(part: Part) -> tuple[str | None, str | None]:
    found = [body for body in map(body_of, part.parts) if body != (None, None)]
    if part.mime_type == "multipart/alternative":
        texts = [text for text, _ in found if text is not None]
        htmls = [html for _, html in found if html is not None]
        return texts[-1] if texts else None, htmls[-1] if htmls else None
    if all(text is None for text, _ in found):
        htmls = [html for _, html in found if html is not None]
        return None, "\n".join(htmls) if htmls else None
    html = "\n".join(html if html is not None else from_text(text or "") for text, html in found)
    return (
        "\n".join(text if text is not None else to_text(html or "") for text, html in found),
        html if any(html is not None for _, html in found) else None,
    )


def _clean_text(text: str) -> str:
    return _CONTROL.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))


def _attachment_from_part(part: Part) -> Attachment:
    content_id = part.first("content-id").strip("<> ")
    inline = part.disposition == "inline" or (part.disposition != "attachment" and bool(content_id))
    return Attachment(part.id, part.filename, part.mime_type, len(part.data), content_id, inline)
