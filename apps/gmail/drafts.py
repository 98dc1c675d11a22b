"""Drafts: saved whole each time, under the same id and in the same thread; gone once sent or discarded."""

from typing import Any, NamedTuple

from apps.gmail import content
from apps.gmail.content import content_to_columns, describe_content
from apps.gmail.mailbox import Mailbox
from apps.gmail.mime.headers import Mail
from world.core.errors import OperationError

_COLUMNS = ("mail_id", "id", "person_id", "updated_at", *(name.strip() for name in content.COLUMNS.split(",")))
_ADD = f"INSERT INTO gmail_draft({', '.join(_COLUMNS)}) VALUES ({', '.join(f':{name}' for name in _COLUMNS)})"
_FIND = (
    "SELECT d.id, d.mail_id, d.send_at, m.id, m.thread_id FROM gmail_draft d JOIN gmail_message m ON m.mail_id ="
    " d.mail_id AND m.person_id = d.person_id WHERE d.person_id = :me AND d.id = :id"
)


class Draft(NamedTuple):
    """A draft and its message in the mailbox; `send_at` is set while it is scheduled."""

    id: str
    mail_id: int
    send_at: int | None
    message_id: str
    thread_id: str


def get_draft(box: Mailbox, id: str) -> Draft:
    """Return a draft of this mailbox. Raises not_found."""
    row = box.call.first(_FIND, {"me": box.person, "id": id})
    if row is None:
        raise OperationError("not_found")
    return Draft._make(row)


def save_draft(box: Mailbox, raw: bytes, mail: Mail, *, thread: str | None = None, old: Draft | None = None) -> Draft:
    """Save a draft: a new one in `thread`, or new content of `old`, which stays in its thread."""
    if old is not None:
        discard_draft(box, old)
    mail_id, id = (old.mail_id, old.id) if old else (_next_mail_id(box), _new_draft_id(box))
    values: dict[str, Any] = describe_content(raw, mail)
    content.keep_bytes(box.call, raw, values["sha256"])
    box.call.execute(
        _ADD,
        {
            **content_to_columns(values),
            "mail_id": mail_id,
            "id": id,
            "person_id": box.person,
            "updated_at": box.call.now,
        },
    )
    content.add_to_index(box.call.execute, mail_id, values)
    message = box.add(mail_id, thread_id=old.thread_id if old else thread, labels=["DRAFT"], at=box.call.now)
    return Draft(id, mail_id, None, message.id, message.thread_id)


def discard_draft(box: Mailbox, draft: Draft) -> None:
    """Discard a draft, with its message."""
    box.delete([box.message(draft.message_id)])


def _next_mail_id(box: Mailbox) -> int:
    return int(box.call.scalar("SELECT min(0, coalesce(min(mail_id), 0)) - 1 FROM gmail_draft"))


def _new_draft_id(box: Mailbox) -> str:
    return f"r{int(box.call.ids.hex(15), 16)}"
