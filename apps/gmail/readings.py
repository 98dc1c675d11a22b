"""Texts that people read in the rows of the mail service."""

from collections.abc import Iterable, Iterator
from functools import lru_cache, partial

from apps.gmail.app import app
from apps.gmail.mime.headers import Mail, MalformedMail, read_mail
from apps.gmail.mime.html_limits import limit_html
from apps.gmail.mime.parse import Part as MimePart
from apps.gmail.mime.subject import base_subject, forward_subject, reply_subject
from world.core.reading.feigned_names import find_feigned_name
from world.core.reading.file import MAX_FILE, from_file
from world.core.reading.html import find_alt_texts, from_html, tidy_html
from world.core.reading.part import Lookup, Part, Role, Row
from world.core.reading.passage import Passage
from world.core.reading.plain import from_plain


@lru_cache(maxsize=512)
def _parse(raw: bytes) -> Mail | None:
    try:
        return read_mail(raw)
    except MalformedMail:
        return None


@lru_cache(maxsize=512)
def from_mail_html(html: str) -> Passage:
    """Read HTML of a mail as a page draws it."""
    return from_html(tidy_html(limit_html(html)))


@app.reads("gmail_mail")
@app.reads("gmail_draft")
def read_mail_row(row: Row, lookup: Lookup) -> Iterable[Part]:
    """Read a mail: subject, sender's name, text and HTML, attachments."""
    yield Part("heading", from_plain(row["subject"]), ("subject",), _subject_role(row, lookup))
    yield Part("body", lambda: from_plain(row["text"]), ("text",), stored=row["text"])
    if row["from_name"]:
        name = row["from_name"]
        tricks = partial(find_feigned_name, name, _sender(row), lookup)
        yield Part("name", from_plain(name), ("from_name",), _sender_role(row, lookup), tricks=tricks)
    raw = lookup.data(row["sha256"])
    mail = _parse(raw) if raw is not None else None
    if mail is not None:
        yield from _html(mail)
        yield from _files(mail)
    else:
        yield from (Part("name", from_plain(name), ("filenames",), "supplement") for name in row["filenames"])


def _html(mail: Mail) -> Iterator[Part]:
    if mail.html is None:
        return
    html = mail.html
    yield Part("body", lambda: from_mail_html(html), ("html",))
    alternatives = "\n".join(find_alt_texts(html))
    if alternatives:
        yield Part("aside", from_plain(alternatives), ("html",), "supplement")


def _files(mail: Mail) -> Iterator[Part]:
    """Yield names of attachments, and the content of text files."""
    parts = {part.id: part for part in mail.root.walk()}
    for one in mail.attachments:
        if not one.inline or not one.mime_type.startswith("image/"):
            yield Part("name", from_plain(one.filename or one.mime_type), ("filenames",), "supplement")
            yield from _file_text(one.filename or "", parts[one.part_id])


def iter_attached_texts(row: Row, lookup: Lookup) -> Iterator[str]:
    """Yield the content of text files attached to a mail."""
    raw = lookup.data(row["sha256"]) if row["filenames"] else None
    mail = _parse(raw) if raw is not None else None
    if mail is not None:
        yield from (part.passage.text for part in _files(mail) if part.kind == "body")


def _file_text(name: str, part: MimePart) -> Iterator[Part]:
    if part.mime_type.startswith("text/") and part.mime_type != "text/html":
        yield Part("body", lambda: from_plain(part.text[:MAX_FILE]), ("filenames",), "supplement")
        return
    said = from_file(name, part.mime_type, part.data)
    if said is not None:
        yield Part("body", said, ("filenames",), "supplement")


def _subject_role(row: Row, lookup: Lookup) -> Role:
    """A reply's or forward's subject is derived from the mail it answers."""
    subject = row["subject"].strip()
    if not subject:
        return "derived"
    for message_id in reversed(row["answers"]):
        for earlier in lookup.find("gmail_mail", message_id=message_id):
            known = earlier["subject"]
            bare = base_subject(known)
            if subject in (known.strip(), reply_subject(known).strip(), forward_subject(known).strip(), f"Re: {bare}"):
                return "derived"
    return "whole"


def _sender(row: Row) -> str:
    return str(row.get("sender_id") or row.get("person_id") or row["from_email"])


def _sender_role(row: Row, lookup: Lookup) -> Role:
    own = {name.casefold() for name in lookup.called(_sender(row))}
    return "derived" if row["from_name"].casefold() in own else "supplement"


@app.reads("gmail_label")
def read_label(row: Row, lookup: Lookup) -> Iterable[Part]:
    """A label's name."""
    yield Part("name", from_plain(row["name"]), ("name",))


@app.reads("gmail_send_as")
def read_send_as(row: Row, lookup: Lookup) -> Iterable[Part]:
    """Read the name and signature of a sender identity."""
    if row["display_name"]:
        tricks = partial(find_feigned_name, row["display_name"], row["person_id"], lookup)
        yield Part("name", from_plain(row["display_name"]), ("display_name",), tricks=tricks)
    if row["signature"]:
        yield Part("body", lambda: from_mail_html(row["signature"]), ("signature",), "supplement")


@app.reads("gmail_setting")
def read_setting(row: Row, lookup: Lookup) -> Iterable[Part]:
    """Read the automatic reply of a mailbox."""
    if row["name"] != "vacation":
        return
    said = row["value"]
    if said.get("responseSubject"):
        yield Part("heading", from_plain(said["responseSubject"]), ("value",))
    if said.get("responseBodyPlainText"):
        yield Part("body", from_plain(said["responseBodyPlainText"]), ("value",))
    if said.get("responseBodyHtml"):
        yield Part("body", lambda: from_mail_html(said["responseBodyHtml"]), ("value",))


app.declare_unread(
    {
        "gmail_delegate": "an address and a state",
        "gmail_filter": "a rule that only its owner sees",
        "gmail_forwarding_address": "an address and a state",
        "gmail_list": "no operation makes one",
        "gmail_list_member": "no operation makes one",
        "gmail_mailbox": "no operation changes its address",
        "gmail_snooze": "ids and a time",
        "gmail_watch": "of programs, no page shows it",
    }
)
