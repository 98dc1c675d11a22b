"""Writer of mbox files: one per mailbox, called after its address, with the labels of each mail as Takeout has them."""

import re
from collections import defaultdict
from pathlib import Path

from apps.gmail import models as m
from apps.gmail.mime.envelope import prepend_headers
from apps.gmail.mime.header_words import encode_header
from seeds.imports.mail_rows import copy_of
from seeds.imports.mbox_archive import LABELS
from seeds.imports.table_reader import Tables
from world.core.clock import to_datetime
from world.core.directory import Blob

NAMES = {id: name.capitalize() if " " not in name else name.title() for name, id in LABELS.items()}
FROM_LINE = re.compile(rb"^(>*From )", re.M)


def write_mboxes(tables: Tables, folder: Path) -> list[Path]:
    """Write each mailbox that holds a mail; drafts are left out. Returns the files."""
    mails = {row["id"]: row for row in tables.rows(m.Mail)}
    blobs = {row["sha256"]: row["data"] for row in tables.rows(Blob)}
    owners = {row["person_id"]: row["email"] for row in tables.rows(m.Mailbox)}
    own = {(row["person_id"], row["id"]): row["name"] for row in tables.rows(m.Label)}
    labels: dict[str, list[str]] = defaultdict(list)
    for row in tables.rows(m.MessageLabel):
        id = row["label_id"]
        name = NAMES.get(id) or own.get((row["person_id"], id), "")
        if name:
            labels[row["message_id"]].append(name)
    written: dict[str, list[bytes]] = defaultdict(list)
    for row in sorted(tables.rows(m.Message), key=lambda row: (row["internal_at"], row["id"])):
        if row["mail_id"] not in mails:
            continue
        states = {"Unread": row["is_unread"], "Spam": row["is_spam"], "Trash": row["trashed_at"] is not None}
        said = [*sorted(labels[row["id"]]), *(name for name, is_set in states.items() if is_set)] or ["Archived"]
        mail = mails[row["mail_id"]]
        raw = copy_of(blobs[mail["sha256"]], own=mail["sender_id"] == row["person_id"])
        address = owners[row["person_id"]]
        head = (("X-GM-THRID", str(int(row["thread_id"], 16))), ("X-Gmail-Labels", encode_header(",".join(said))))
        written[address].append(_render_entry(prepend_headers(raw, *head), mail["sent_at"]))
    return [_write(folder / f"{address}.mbox", entries) for address, entries in sorted(written.items())]


def _render_entry(raw: bytes, at: int) -> bytes:
    """A mail behind its From line, with lines that begin like one quoted."""
    lines = FROM_LINE.sub(rb">\1", raw.replace(b"\r\n", b"\n"))
    return (
        f"From MAILER-DAEMON {to_datetime(at):%a %b %d %H:%M:%S %Y}\n".encode("ascii") + lines.rstrip(b"\n") + b"\n\n"
    )


def _write(path: Path, entries: list[bytes]) -> Path:
    path.write_bytes(b"".join(entries))
    return path
