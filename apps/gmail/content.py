"""Mail as rows: its parsed fields, its bytes (stored once), and its index entries for searches."""

import hashlib
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import orjson

from apps.gmail.mime.addresses import Address
from apps.gmail.mime.build import without_bcc
from apps.gmail.mime.headers import Mail
from apps.gmail.query.tokens import join_index_entries
from world.core.call import Call
from world.core.json_types import JsonObject

COLUMNS = (
    "from_name, from_email, to_list, cc_list, bcc_list, recipients, subject, text, filenames, features, message_id,"
    " answers, list_id, is_automatic, size, sha256"
)
_JSON = frozenset({"to_list", "cc_list", "bcc_list", "recipients", "filenames", "features", "answers"})
_FIND = {
    "gmail_mail": f"SELECT id, sent_at, {COLUMNS} FROM gmail_mail WHERE id IN (SELECT value FROM json_each(:ids))",
    "gmail_draft": (
        f"SELECT mail_id, updated_at, {COLUMNS} FROM gmail_draft WHERE mail_id IN (SELECT value FROM json_each(:ids))"
    ),
}
FIELDS = ("words", "sender", "receiver", "cc", "bcc", "subject", "filename", "list", "mark")
_FEATURES = {
    "drive": re.compile(r"https?://(?:drive|docs)\.google\.com/", re.I),
    "document": re.compile(r"https?://docs\.google\.com/document/", re.I),
    "spreadsheet": re.compile(r"https?://(?:docs\.google\.com/spreadsheets|sheets\.google\.com)/", re.I),
    "presentation": re.compile(r"https?://(?:docs\.google\.com/presentation|slides\.google\.com)/", re.I),
    "youtube": re.compile(r"https?://(?:(?:www\.|m\.)?youtube\.com|youtu\.be)/", re.I),
}
_IN_A_TOKEN = {
    code: 0xE100 + code for code in range(128) if not chr(code).isalnum()
}  # what FTS5's ascii tokenizer would cut at
_ADDRESS_OF = {
    "from": "\ue201",
    "to": "\ue202",
    "cc": "\ue203",
    "bcc": "\ue204",
}  # what the mark of an address begins with
ATTACHMENT, BLIND = "attachment", "blind"  # the marks of mail with files, and with blind copies
_INDEX = (
    f"INSERT INTO gmail_mail_fts(rowid, {', '.join(FIELDS)}) VALUES (:id, {', '.join(f':{field}' for field in FIELDS)})"
)

Execute = Callable[[str, Mapping[str, object]], Any]


class Content(NamedTuple):
    """Content of a mail or a draft, from its row. People are lists of {name, email}."""

    id: int
    at: int
    from_name: str
    from_email: str
    to: list[dict[str, str]]
    cc: list[dict[str, str]]
    bcc: list[dict[str, str]]
    recipients: list[str]
    subject: str
    text: str
    filenames: list[str]
    features: list[str]
    message_id: str
    answers: list[str]
    list_id: str
    is_automatic: bool
    size: int
    sha256: str


_LISTS = [place for place, name in enumerate(Content._fields) if name in _JSON or f"{name}_list" in _JSON]


def people_to_json(found: Iterable[Address]) -> list[dict[str, str]]:
    """Convert mailboxes of a header for a row."""
    return [{"name": one.name, "email": one.email} for one in found]


def describe_content(raw: bytes, mail: Mail) -> dict[str, Any]:
    """Return the content columns of a mail; lists stay lists."""
    sender = mail.sender or Address("", "")
    everybody = dict.fromkeys(one.email.lower() for one in (*mail.to, *mail.cc, *mail.bcc))
    return {
        "from_name": sender.name,
        "from_email": sender.email,
        "to_list": people_to_json(mail.to),
        "cc_list": people_to_json(mail.cc),
        "bcc_list": people_to_json(mail.bcc),
        "recipients": list(everybody),
        "subject": mail.subject,
        "text": mail.text,
        "filenames": [one.filename for one in mail.attachments if one.filename and not one.inline],
        "features": list_features(mail),
        "message_id": mail.message_id,
        "answers": list(mail.answers),
        "list_id": mail.list_id,
        "is_automatic": mail.automatic,
        "size": len(without_bcc(raw) if mail.bcc else raw),  # which its recipients are told
        "sha256": hashlib.sha256(raw).hexdigest(),
    }


def content_to_columns(values: Mapping[str, object]) -> JsonObject:
    """Convert columns for SQL."""
    return {name: orjson.dumps(value).decode() if name in _JSON else value for name, value in values.items()}


def keep_bytes(call: Call, raw: bytes, sha256: str) -> None:
    """Store the bytes of a mail, once."""
    call.execute(
        "INSERT INTO blob(sha256, size, data) VALUES (:sha256, :size, :data) ON CONFLICT DO NOTHING",
        {"sha256": sha256, "size": len(raw), "data": raw},
    )


def read_bytes(call: Call, content: Content) -> bytes:
    """Return the bytes of a mail as sent."""
    return bytes(call.scalar("SELECT data FROM blob WHERE sha256 = :sha256", {"sha256": content.sha256}))


def add_to_index(execute: Execute, id: int, values: Mapping[str, object]) -> None:
    """Add a mail to the index; `values` are its content columns."""
    execute(_INDEX, {"id": id, **index_entries(values)})


def remove_from_index(call: Call, id: int) -> None:
    """Remove a mail from the index."""
    call.execute("DELETE FROM gmail_mail_fts WHERE rowid = :id", {"id": id})


def list_features(mail: Mail) -> list[str]:
    """Return the kinds of links in a mail, by the names that `has:` takes."""
    linked = f"{mail.text}\n{mail.html or ''}"
    return [name for name, link in _FEATURES.items() if link.search(linked)]


def index_entries(values: Mapping[str, Any]) -> dict[str, str]:
    """Return the words of each field. Blind copies have a separate field that only their sender's searches read."""
    sender = _names_and_addresses([{"name": values["from_name"], "email": values["from_email"]}])
    to, cc = _names_and_addresses(values["to_list"]), _names_and_addresses(values["cc_list"])
    body = (values["subject"], values["text"], *sender, *to, *cc, *values["filenames"])
    found = {
        "words": body,
        "sender": sender,
        "receiver": (*to, *cc),
        "cc": cc,
        "bcc": _names_and_addresses(values["bcc_list"]),
        "subject": (values["subject"],),
        "filename": values["filenames"],
        "list": (values["list_id"],),
    }
    return {**{name: join_index_entries(texts) for name, texts in found.items()}, "mark": " ".join(list_marks(values))}


def list_marks(values: Mapping[str, Any]) -> list[str]:
    """Return the index entries of a mail that are no words: whole addresses, features, attachments, blind copies."""
    to, cc, bcc = ([one["email"] for one in values[f"{field}_list"]] for field in ("to", "cc", "bcc"))
    listed = {"from": [values["from_email"]], "to": to + cc, "cc": cc, "bcc": bcc}
    found = [address_mark(field, email) for field, emails in listed.items() for email in emails if email]
    return [*found, *values["features"], *([ATTACHMENT] if values["filenames"] else []), *([BLIND] if bcc else [])]


def address_mark(field: str, email: str) -> str:
    """Return the mark of an address in a field: from, to (and cc), cc or bcc."""
    return _ADDRESS_OF[field] + email.casefold().translate(_IN_A_TOKEN)


def _names_and_addresses(listed: Iterable[Mapping[str, str]]) -> list[str]:
    return [text for one in listed for text in (one["name"], one["email"])]


def to_sql_list(values: Iterable[Any]) -> str:
    """Return values as one parameter of SQL's `json_each`."""
    return orjson.dumps(list(values)).decode()


def contents_by_id(call: Call, ids: Iterable[int]) -> dict[int, Content]:
    """Return mails and drafts by id."""
    wanted = sorted(set(ids))
    out: dict[int, Content] = {}
    for table, own in (
        ("gmail_mail", [id for id in wanted if id > 0]),
        ("gmail_draft", [id for id in wanted if id < 0]),
    ):
        if own:
            for row in call.all(_FIND[table], {"ids": to_sql_list(own)}):
                out[row[0]] = _content_from_row(row)
    return out


def _content_from_row(row: Sequence[Any]) -> Content:
    values = list(row)
    for place in _LISTS:
        values[place] = orjson.loads(values[place])
    return Content._make(values)
