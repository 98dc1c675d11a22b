"""One person's mailbox: its messages, their labels, and the history of both."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import NamedTuple

import orjson

from apps.gmail.labels import STATES
from world.core.call import Call
from world.core.errors import OperationError

_MESSAGE = (
    "m.id, m.person_id, m.thread_id, m.mail_id, m.internal_at, m.is_unread, m.is_spam, m.trashed_at, m.delivered_to,"
    " m.history_id"
)
_BY_ID = (
    f"SELECT {_MESSAGE} FROM gmail_message m WHERE m.person_id = :me AND m.id IN (SELECT value FROM json_each(:ids))"
)
_BY_THREAD = (
    f"SELECT {_MESSAGE} FROM gmail_message m WHERE m.person_id = :me AND m.thread_id IN (SELECT value FROM"
    " json_each(:ids)) ORDER BY m.thread_id, m.internal_at, m.id"
)
_LABELS = (
    "SELECT message_id, label_id FROM gmail_message_label WHERE message_id IN (SELECT value FROM json_each(:ids)) ORDER"
    " BY 1, 2"
)
_RECORD = (
    "INSERT INTO gmail_history(person_id, id, kind, message_id, thread_id, labels) SELECT :me, 1 +"
    " max(b.first_history_id, coalesce((SELECT max(h.id) FROM gmail_history h WHERE h.person_id = :me), 0)), :kind,"
    " :message, :thread, :labels FROM gmail_mailbox b WHERE b.person_id = :me RETURNING id"
)
_ADD = (
    "INSERT INTO gmail_message(id, person_id, thread_id, mail_id, internal_at, is_unread, is_spam, trashed_at,"
    " delivered_to, history_id) VALUES (:id, :person_id, :thread_id, :mail_id, :internal_at, :is_unread, :is_spam,"
    " :trashed_at, :delivered_to, :history_id)"
)
_TAG = (
    "INSERT INTO gmail_message_label(message_id, label_id, person_id, thread_id, mail_id, internal_at)"
    " VALUES (:message, :label, :me, :thread, :mail, :at) ON CONFLICT DO NOTHING"
)
_FLAGS = {
    ("UNREAD", True): "is_unread = 1",
    ("UNREAD", False): "is_unread = 0",
    ("SPAM", True): "is_spam = 1",
    ("SPAM", False): "is_spam = 0",
    ("TRASH", True): "trashed_at = :now",
    ("TRASH", False): "trashed_at = NULL",
}
RANDOM_BITS = 20  # of an id, below its milliseconds


class Message(NamedTuple):
    """A mail or draft in one mailbox; `mail_id` is negative for a draft."""

    id: str
    person_id: str
    thread_id: str
    mail_id: int
    internal_at: int
    is_unread: bool
    is_spam: bool
    trashed_at: int | None
    delivered_to: str
    history_id: int


class Mailbox:
    """Reads and changes one mailbox; permission is checked by its caller."""

    __slots__ = ("call", "email", "first_history_id", "person")

    def __init__(self, call: Call, person: str) -> None:
        row = call.first("SELECT email, first_history_id FROM gmail_mailbox WHERE person_id = :me", {"me": person})
        if row is None:
            raise OperationError("mail_service_not_enabled")
        self.call, self.person = call, person
        self.email, self.first_history_id = row

    # what is there

    def messages(self, ids: Iterable[str]) -> list[Message]:
        """Return messages by id, in the order asked for; missing ones are left out."""
        wanted = list(dict.fromkeys(ids))
        rows = self.call.all(_BY_ID, {"me": self.person, "ids": orjson.dumps(wanted).decode()})
        found = {row[0]: Message._make(row) for row in rows}
        return [found[id] for id in wanted if id in found]

    def message(self, id: str) -> Message:
        """One message. Raises not_found."""
        found = self.messages([id])
        if not found:
            raise OperationError("not_found")
        return found[0]

    def threads(self, ids: Iterable[str]) -> dict[str, list[Message]]:
        """The messages of threads, oldest first."""
        out: dict[str, list[Message]] = defaultdict(list)
        wanted = orjson.dumps(list(dict.fromkeys(ids))).decode()
        for row in self.call.all(_BY_THREAD, {"me": self.person, "ids": wanted}):
            out[row[2]].append(Message._make(row))
        return out

    def thread(self, id: str) -> list[Message]:
        """The messages of a thread, oldest first. Raises not_found."""
        found = self.threads([id]).get(id)
        if not found:
            raise OperationError("not_found")
        return found

    def labels(self, messages: Iterable[Message]) -> dict[str, list[str]]:
        """Return all labels and states by message id, including those stored as columns."""
        listed = list(messages)
        out: dict[str, list[str]] = {one.id: column_labels(one) for one in listed}
        for id, label in self.call.all(_LABELS, {"ids": orjson.dumps(list(out)).decode()}):
            out[id].append(label)
        return out

    @property
    def history_id(self) -> int:
        """The last entry of the history."""
        found = self.call.scalar("SELECT max(id) FROM gmail_history WHERE person_id = :me", {"me": self.person})
        return max(self.first_history_id, found or 0)

    # what changes

    def record(self, kind: str, message: str, thread: str, labels: Iterable[str] = ()) -> int:
        """Record a change; return its history id."""
        values = {
            "me": self.person,
            "kind": kind,
            "message": message,
            "thread": thread,
            "labels": orjson.dumps(list(labels)).decode(),
        }
        return int(self.call.scalar(_RECORD, values))

    def add(
        self,
        mail_id: int,
        *,
        thread_id: str | None,
        labels: Iterable[str],
        at: int,
        delivered_to: str = "",
        id: str | None = None,
    ) -> Message:
        """Add a mail or draft to the mailbox; without `thread_id` it begins a thread."""
        new, wanted = id or self._new_id(at), list(dict.fromkeys(labels))
        thread = thread_id or new
        seen = self.record("messageAdded", new, thread, (label for label in wanted if label not in STATES))
        message = Message(
            new,
            self.person,
            thread,
            mail_id,
            at,
            "UNREAD" in wanted,
            "SPAM" in wanted,
            self.call.now if "TRASH" in wanted else None,
            delivered_to,
            seen,
        )
        self.call.execute(_ADD, message._asdict())
        for label in wanted:
            if (label, True) not in _FLAGS:
                self._tag(message, label)
        return message

    def _tag(self, message: Message, label: str) -> None:
        values = {
            "message": message.id,
            "label": label,
            "me": self.person,
            "thread": message.thread_id,
            "mail": message.mail_id,
            "at": message.internal_at,
        }
        self.call.execute(_TAG, values)

    def _new_id(self, at: int) -> str:
        """Return a new id: 16 hex digits that grow with time, like the vendor's."""
        while True:
            new = format((at // 1000 << RANDOM_BITS) | int(self.call.ids.hex(RANDOM_BITS // 4), 16), "016x")
            if self.call.first("SELECT 1 FROM gmail_message WHERE id = :id", {"id": new}) is None:
                return new

    def change(self, messages: Iterable[Message], add: Iterable[str] = (), remove: Iterable[str] = ()) -> None:
        """Add and remove labels; unchanged ones make no history."""
        listed, wanted = list(messages), list(dict.fromkeys(add))
        unwanted = [label for label in dict.fromkeys(remove) if label not in wanted]
        had = self.labels(listed)
        for message in listed:
            self._put_labels(message, [label for label in wanted if label not in had[message.id]])
            self._take(message, [label for label in unwanted if label in had[message.id]])

    def _put_labels(self, message: Message, labels: list[str]) -> None:
        for label in labels:
            if (label, True) in _FLAGS:
                self._flag(message, _FLAGS[label, True])
            else:
                self._tag(message, label)
        self._note(message, "labelAdded", labels)

    def _take(self, message: Message, labels: list[str]) -> None:
        for label in labels:
            if (label, False) in _FLAGS:
                self._flag(message, _FLAGS[label, False])
            else:
                self.call.execute(
                    "DELETE FROM gmail_message_label WHERE message_id = :id AND label_id = :label",
                    {"id": message.id, "label": label},
                )
        self._note(message, "labelRemoved", labels)

    def _flag(self, message: Message, assignment: str) -> None:
        self.call.execute(
            f"UPDATE gmail_message SET {assignment} WHERE id = :id", {"id": message.id, "now": self.call.now}
        )

    def _note(self, message: Message, kind: str, labels: Iterable[str]) -> None:
        shown = [label for label in labels if label not in STATES]
        if shown:
            seen = self.record(kind, message.id, message.thread_id, shown)
            self.call.execute(
                "UPDATE gmail_message SET history_id = :seen WHERE id = :id", {"seen": seen, "id": message.id}
            )

    def delete(self, messages: Iterable[Message]) -> None:
        """Delete messages for good; a draft goes with its message."""
        listed = list(messages)
        had = self.labels(listed)
        for message in listed:
            key = {"id": message.id}
            self.call.execute("DELETE FROM gmail_message_label WHERE message_id = :id", key)
            self.call.execute("DELETE FROM gmail_message WHERE id = :id", key)
            self.record(
                "messageDeleted",
                message.id,
                message.thread_id,
                (label for label in had[message.id] if label not in STATES),
            )
            if message.mail_id < 0:
                self.call.execute("DELETE FROM gmail_draft WHERE mail_id = :mail", {"mail": message.mail_id})
                self.call.execute("DELETE FROM gmail_mail_fts WHERE rowid = :mail", {"mail": message.mail_id})


def column_labels(message: Message) -> list[str]:
    """The labels of a message that are columns of its row."""
    flags: Mapping[str, object] = {
        "UNREAD": message.is_unread,
        "SPAM": message.is_spam,
        "TRASH": message.trashed_at is not None,
    }
    return [label for label, on in flags.items() if on]
