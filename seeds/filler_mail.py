"""Bulk for benchmarks: one mailbox with years of mail, written row by row from a small stock of words."""

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from sqlalchemy import Connection, text

from apps.gmail.content import COLUMNS, FIELDS, content_to_columns, index_entries
from seeds.company import Company
from seeds.rows.row_collector import Row
from seeds.spec import Spec
from world.core.clock import DAY, SECOND, to_datetime

MOST, A_MEGABYTE = 50_000, 100  # mails, and mails for a megabyte of the image
FIRST = 10_000_000  # id of the first mail
YEARS = 4
THREAD = 3  # mails of a thread
AT_ONCE = 2_000  # rows written together
VERBS = (
    "agreed approved asked booked checked closed counted drafted fixed found heard invoiced kept learned moved opened"
    " paid planned".split()
)
THINGS = (
    "agenda archive battery budget cabinet calendar catalogue cellar contract courier delivery desk draft elevator"
    " estimate figures freezer garden handbook harbour invoice keyboard kitchen ladder lamp lease ledger library lobby"
    " machine margin meeting notebook office order parcel payroll permit printer programme quote receipt refund report"
    " roster sample schedule server shelf signature statement supplier survey table ticket timetable tooling training"
    " transfer travel update vendor visit voucher warehouse window workshop"
).split()
LABELS = ("CATEGORY_PERSONAL", "CATEGORY_UPDATES", "CATEGORY_FORUMS")
_MAIL = ("id", "sender_id", "sent_at", *(name.strip() for name in COLUMNS.split(",")))
_MESSAGE = (
    "id",
    "person_id",
    "thread_id",
    "mail_id",
    "internal_at",
    "is_unread",
    "is_spam",
    "trashed_at",
    "delivered_to",
    "history_id",
)


def fill_mail(connection: Connection, spec: Spec, company: Company) -> None:
    """Fill the mailbox of one person with `MOST` mails, or as many as the wanted size has room for."""
    people = [one for one in company.staff.values() if one.joined_at < spec.start - 1000 * DAY]
    owner, others = people[0], people[1:]
    mails = min(MOST, spec.mb * A_MEGABYTE)
    for start in range(0, mails, AT_ONCE):
        rows = [_mail(spec, owner, others[n % len(others)], n) for n in range(start, min(start + AT_ONCE, mails))]
        _insert(connection, "blob", ("sha256", "size", "data"), (_blob(row) for row in rows))
        _insert(
            connection, "gmail_mail", _MAIL, (content_to_columns({name: row[name] for name in _MAIL}) for row in rows)
        )
        _insert(
            connection,
            "gmail_mail_fts",
            ("rowid", *FIELDS),
            ({"rowid": row["id"], **index_entries(row)} for row in rows),
        )
        _insert(connection, "gmail_message", _MESSAGE, (_message(row, owner.id, owner.email) for row in rows))
        _insert(
            connection,
            "gmail_message_label",
            ("message_id", "label_id", "person_id", "thread_id", "mail_id", "internal_at"),
            (label for row in rows for label in _labels(row, owner.id)),
        )


def _insert(connection: Connection, table: str, names: Iterable[str], rows: Iterable[Mapping[str, object]]) -> None:
    listed = list(names)
    connection.execute(
        text(f"INSERT INTO {table}({', '.join(listed)}) VALUES ({', '.join(f':{name}' for name in listed)})"),
        list(rows),
    )


def _mail(spec: Spec, owner: Any, other: Any, n: int) -> Row:
    """The n-th mail, counted from the oldest, as its row tells it; `data` are its bytes."""
    sender, to = (owner, other) if n % 7 == 0 else (other, owner)
    at = spec.window_start - 200 * DAY - (MOST - n) * (YEARS * 365 * DAY // MOST)
    thread = n // THREAD
    subject = f"{THINGS[thread % len(THINGS)]} and {THINGS[thread * 7 // len(THINGS) % len(THINGS)]}"
    said = (
        f"The {THINGS[n * 11 % len(THINGS)]} is {VERBS[n % len(VERBS)]}, and the {THINGS[n * 5 // 3 % len(THINGS)]}"
        f" was {VERBS[n // 7 % len(VERBS)]} with reference r{n * 7919 % 1_000_003}.\n"
    )
    id = f"<bench.{n}@mail.gmail.com>"
    date = to_datetime(at, "UTC").strftime("%a, %d %b %Y %H:%M:%S +0000")
    data = (
        f"From: {sender.full} <{sender.email}>\r\nTo: {to.full} <{to.email}>\r\nSubject: {subject}\r\nDate: {date}\r\n"
        f"Message-ID: {id}\r\nMIME-Version: 1.0\r\nContent-Type: text/plain; charset=UTF-8\r\n\r\n{said}"
    ).encode()
    return {
        "id": FIRST + n,
        "number": n,
        "sender_id": sender.id,
        "sent_at": at,
        "data": data,
        "from_name": sender.full,
        "from_email": sender.email,
        "to_list": [{"name": to.full, "email": to.email}],
        "cc_list": [],
        "bcc_list": [],
        "recipients": [to.email],
        "subject": subject,
        "text": said,
        "filenames": [],
        "features": [],
        "message_id": id,
        "answers": [],
        "list_id": "",
        "is_automatic": False,
        "size": len(data),
        "sha256": hashlib.sha256(data).hexdigest(),
    }


def _blob(row: Mapping[str, object]) -> dict[str, object]:
    return {"sha256": row["sha256"], "size": row["size"], "data": row["data"]}


def _message_id(row: Row, n: int) -> str:
    return format((row["sent_at"] // 1000 << 20) + n % 2**20, "016x")


def _thread_id(row: Row) -> str:
    root = row["number"] - row["number"] % THREAD
    return _message_id({"sent_at": row["sent_at"] - (row["number"] - root) * (YEARS * 365 * DAY // MOST)}, root)


def _message(row: Row, owner: str, email: str) -> Row:
    n = row["number"]
    return {
        "id": _message_id(row, n),
        "person_id": owner,
        "thread_id": _thread_id(row),
        "mail_id": row["id"],
        "internal_at": row["sent_at"],
        "is_unread": n % 16 == 3,
        "is_spam": n % 400 == 13,
        "trashed_at": row["sent_at"] + SECOND if n % 250 == 17 else None,
        "delivered_to": "" if row["sender_id"] == owner else email,
        "history_id": n + 1,
    }


def _labels(row: Row, owner: str) -> Iterator[Row]:
    n = row["number"]
    listed = (
        ["SENT"]
        if row["sender_id"] == owner
        else [LABELS[n % len(LABELS)], *(["INBOX"] if n % 5 == 1 or n % 400 == 399 else [])]
    )
    for label in [*listed, *(["STARRED"] if n % 90 == 5 else [])]:
        yield {
            "message_id": _message_id(row, n),
            "label_id": label,
            "person_id": owner,
            "thread_id": _thread_id(row),
            "mail_id": row["id"],
            "internal_at": row["sent_at"],
        }
