"""Notices of arriving mail, and the colleagues it addresses."""

import re
from collections.abc import Iterable
from typing import Any

from apps.gmail import content
from apps.gmail.app import app
from apps.gmail.content import Content
from apps.gmail.mime.subject import reply_subject
from world.core.app import Facts, HeardMessage, Notice
from world.core.call import Call
from world.core.journal import Change

_IN_INBOX = "SELECT 1 FROM gmail_message_label WHERE message_id = :id AND label_id = 'INBOX'"
_SENDER = (
    "SELECT coalesce(sender_id, (SELECT id FROM contact WHERE email = :email), :email) FROM gmail_mail WHERE id = :id"
)
_SUBJECT = (
    "SELECT m.mail_id FROM gmail_message m WHERE m.person_id = :me AND m.thread_id = :thread AND m.mail_id > 0"
    " ORDER BY m.internal_at, m.id LIMIT 1"
)
_INTRODUCED = re.compile(r"\n[ \t]*On [^\n]{1,300}(?:\n[^\n]{1,200})?\bwrote:[ \t]*\n+(?=>|\Z)")


def _find_arrived(change: Change) -> dict[str, object] | None:
    row = change.after
    if change.table != "gmail_message" or change.op != "insert" or row is None or not row["delivered_to"]:
        return None
    return None if row["is_spam"] or row["trashed_at"] is not None else row


def _find_mail(call: Call, id: object) -> Content | None:
    return content.contents_by_id(call, [int(str(id))]).get(int(str(id)))


@app.notices
def list_notices(call: Call, change: Change) -> Iterable[Notice]:
    """Yield notices of new mail in an inbox.

    Spam, mail of a muted thread and own mail give none; a snoozed thread that returns does.
    """
    if change.table == "gmail_snooze" and change.op == "delete" and change.before is not None:
        yield from _list_woken_notices(call, change.before)
    row = _find_arrived(change)
    mail = _find_mail(call, row["mail_id"]) if row else None
    if row is not None and mail is not None and call.first(_IN_INBOX, {"id": row["id"]}) is not None:
        ids = {"id": str(row["id"]), "threadId": str(row["thread_id"])}
        yield Notice(str(row["person_id"]), f"Mail from {mail.from_name or mail.from_email}: {_mail_title(mail)}", ids)


def _mail_title(mail: Content) -> str:
    return mail.subject or "(no subject)"


def _list_woken_notices(call: Call, row: dict[str, object]) -> Iterable[Notice]:
    found = call.scalar(_SUBJECT, {"me": row["person_id"], "thread": row["thread_id"]})
    mail = _find_mail(call, found) if found is not None and int(str(row["until_at"])) <= call.now else None
    if mail is not None:
        yield Notice(str(row["person_id"]), f"Snoozed mail is back: {_mail_title(mail)}")


@app.finds_recipients
def list_listeners(call: Call, change: Change) -> Iterable[HeardMessage]:
    """Yield the people a mail addresses: its To names, who answer in the thread; automatic mail addresses nobody."""
    row = _find_arrived(change)
    mail = _find_mail(call, row["mail_id"]) if row else None
    if row is None or mail is None or mail.is_automatic:
        return
    if str(row["delivered_to"]).lower() not in {one["email"].lower() for one in mail.to}:
        return
    listener = str(row["person_id"])
    speaker = str(call.scalar(_SENDER, {"id": mail.id, "email": mail.from_email.lower()}))
    root = mail.answers[0] if mail.answers else mail.message_id
    arguments = {
        "threadId": row["thread_id"],
        "inReplyTo": row["id"],
        "to": [mail.from_email],
        "subject": reply_subject(mail.subject),
    }
    if speaker != listener and not _came_by_list(call, row):
        yield HeardMessage(listener, speaker, strip_quotation(mail.text), f"gmail:{root}", "mail.send", arguments)


@app.finds_place
def find_place(facts: Facts) -> str | None:
    """Return the conversation that a mail begins, from `message_id`."""
    return f"gmail:{facts['message_id']}" if facts.get("message_id") else None


@app.involves_person
def involve_person(call: Call, person: str, arguments: dict[str, Any]) -> tuple[str, dict[str, object]]:
    """Return a person's first name; the answer is copied to them."""
    found = call.directory.person(person)
    if found is None:
        return "", arguments
    return found.first_name, {**arguments, "cc": [*arguments.get("cc", []), found.email]}


def _came_by_list(call: Call, row: dict[str, object]) -> bool:
    return call.first("SELECT 1 FROM gmail_list WHERE address = :address", {"address": row["delivered_to"]}) is not None


def strip_quotation(text: str) -> str:
    """Return a text without the quoted mail."""
    found = _INTRODUCED.search(f"\n{text}")
    left = f"\n{text}"[: found.start()] if found else text
    return "\n".join(line for line in left.split("\n") if not line.startswith(">")).strip()
