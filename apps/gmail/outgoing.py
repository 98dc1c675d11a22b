"""Sending: a mail is completed as the vendor does, stored, put under SENT, and handed over by an event."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

import orjson

from apps.gmail import content
from apps.gmail.content import content_to_columns, describe_content
from apps.gmail.limits import format_retry_time
from apps.gmail.mailbox import Mailbox, Message
from apps.gmail.mailing_lists import list_id, list_mailing_lists
from apps.gmail.mime.addresses import Address
from apps.gmail.mime.addresses import format_address as address_text
from apps.gmail.mime.bounce import NOTICES
from apps.gmail.mime.date import format_date_header
from apps.gmail.mime.envelope import prepend_headers, remove_header
from apps.gmail.mime.headers import Mail, read_mail
from apps.gmail.mime.parse import MalformedMail
from apps.gmail.mime.subject import same_subject
from world.core.call import Call
from world.core.clock import DAY, SECOND, zone_info
from world.core.errors import OperationError

HAND_OVER = "gmail.hand_over"
HELD = -1  # `queued` of a mail that a fault holds back
MOST_A_DAY = 2_000  # support.google.com/a/answer/166852: messages a user may send in 24 hours
MOST_BYTES = 36_700_160  # mediaUpload.maxSize of users.messages.send in the discovery document
MOST_RECIPIENTS = 2_000  # support.google.com/a/answer/166852: recipients of one message
_MAIL = ("sender_id", "sent_at", "queued", *(name.strip() for name in content.COLUMNS.split(",")))
_ADD = f"INSERT INTO gmail_mail({', '.join(_MAIL)}) VALUES ({', '.join(f':{name}' for name in _MAIL)}) RETURNING id"
_ANSWERED = (
    "SELECT m.thread_id, c.subject FROM gmail_mail c JOIN gmail_message m ON m.mail_id = c.id AND m.person_id = :me"
    " WHERE c.message_id IN (SELECT value FROM json_each(:ids)) ORDER BY m.internal_at DESC, m.id"
)
_CHAINS = "SELECT answers FROM gmail_mail WHERE message_id IN (SELECT value FROM json_each(:ids)) ORDER BY id"
_SENT_BEFORE = (
    "SELECT sent_at FROM gmail_mail WHERE sender_id = :me AND sent_at > :since ORDER BY sent_at DESC LIMIT 1 OFFSET"
    " :most"
)


def read_sized_mail(raw: bytes, most: int = MOST_BYTES) -> Mail:
    """A mail's bytes, read. Raises too_large, malformed_mail."""
    if len(raw) > most:
        raise OperationError("too_large", most=most)
    try:
        return read_mail(raw)
    except MalformedMail:
        raise OperationError("malformed_mail") from None


def list_identities(box: Mailbox) -> list[Address]:
    """Return the identities the owner may send as, the default first."""
    call = box.call
    name = call.directory.full_name(box.person)
    rows = call.all(
        "SELECT email, display_name, is_default FROM gmail_send_as WHERE person_id = :me AND verification = 'accepted'"
        " ORDER BY is_default DESC, email",
        {"me": box.person},
    )
    listed = [Address(row[1] or name, row[0]) for row in rows]
    plain = [] if any(one.email.lower() == box.email for one in listed) else [Address(name, box.email)]
    others = call.all(
        "SELECT value FROM alias WHERE person_id = :me AND kind = 'email' ORDER BY value", {"me": box.person}
    )
    aliases = [Address(name, row[0]) for row in others]
    return [*listed, *plain, *aliases] if rows and rows[0][2] else [*plain, *listed, *aliases]


def complete_headers(box: Mailbox, raw: bytes, mail: Mail) -> tuple[bytes, Mail]:
    """Return the mail with the vendor's headers: sender, date and Message-ID where missing or not the owner's.

    The parts of what is returned lack these headers; its fields have their values.
    """
    own, call = list_identities(box), box.call
    new: list[tuple[str, str]] = []
    if mail.sender is None or mail.sender.email.lower() not in {one.email.lower() for one in own}:
        raw, mail = remove_header(raw, "From"), replace(mail, sender=own[0])
        new.append(("From", address_text(own[0])))
    if not mail.root.raws("date"):
        mail = replace(mail, date_us=call.now // SECOND * SECOND)
        new.append(("Date", format_date_header(call.now, zone_info(call.directory.zone(box.person)))))
    if not mail.message_id:
        raw, mail = remove_header(raw, "Message-ID"), replace(mail, message_id=new_message_id(call))
        new.append(("Message-ID", mail.message_id))
    if not mail.root.raws("mime-version"):
        new.append(("MIME-Version", "1.0"))
    return prepend_headers(raw, *reversed(new)), mail


def new_message_id(call: Call, domain: str = "mail.gmail.com") -> str:
    """Return a new Message-ID in the vendor's form; calls at one time draw equal ids, so used ones are skipped."""
    while True:
        new = f"<CA{call.ids.base62(42)}@{domain}>"
        if call.first("SELECT 1 FROM gmail_mail WHERE message_id = :id", {"id": new}) is None:
            return new


def check_recipients(mail: Mail, most: int = MOST_RECIPIENTS) -> None:
    """Raises recipient_required, too_many_recipients, invalid_to_header, invalid_cc_header, invalid_bcc_header."""
    listed = {"to": mail.to, "cc": mail.cc, "bcc": mail.bcc}
    if sum(map(len, listed.values())) > most:
        raise OperationError("too_many_recipients", most=most)
    for name, people in listed.items():
        for one in people:
            if not _is_reachable(one):
                raise OperationError(f"invalid_{name}_header")
    if not any(listed.values()):
        raise OperationError("recipient_required")


def check_sending_limit(box: Mailbox) -> None:
    """Raise sending_limit_exceeded for a person above the daily limit."""
    values = {"me": box.person, "since": box.call.now - DAY}
    earlier = box.call.scalar(_SENT_BEFORE, {**values, "most": MOST_A_DAY - 1})
    if earlier is not None:
        raise OperationError("sending_limit_exceeded", retry=format_retry_time(earlier + DAY))


def _is_reachable(one: Address) -> bool:
    try:
        return bool(address_text(Address("", one.email))) and len(one.email) <= 320
    except ValueError:
        return False


def store_mail(call: Call, raw: bytes, mail: Mail, sender: str | None, at: int, queued: int | None = None) -> int:
    """Store a sent mail; return its id."""
    values = describe_content(raw, mail)
    values["answers"] = list_ancestors(call, values["answers"])
    if not mail.list_id and (lists := list_mailing_lists(call, values["recipients"])):
        values["list_id"] = list_id(lists[0])
    content.keep_bytes(call, raw, values["sha256"])
    id = int(call.scalar(_ADD, {**content_to_columns(values), "sender_id": sender, "sent_at": at, "queued": queued}))
    content.add_to_index(call.execute, id, values)
    return id


def list_ancestors(call: Call, answers: Sequence[str]) -> list[str]:
    """Return the Message-IDs of a mail's ancestors: from its own headers, and from those of the mails they name."""
    found = call.all(_CHAINS, {"ids": content.to_sql_list(answers)}) if answers else []
    earlier = [one for (chain,) in found for one in orjson.loads(chain) if one not in answers]
    return [*dict.fromkeys(earlier), *answers]


def find_thread(box: Mailbox, subject: str, answers: Iterable[str], within: str | None = None) -> str | None:
    """Find the thread a mail joins: one with the mail it answers and the same subject; a delivery notice joins any."""
    wanted = list(answers)
    if not wanted:
        return None
    rows = box.call.all(_ANSWERED, {"me": box.person, "ids": content.to_sql_list(wanted)})
    alike = subject in NOTICES
    return next(
        (thread for thread, said in rows if within in (None, thread) and (alike or same_subject(said, subject))), None
    )


def send_raw(box: Mailbox, raw: bytes, thread: str | None = None, *, hold_us: int = 0) -> Message:
    """Send a mail of the owner's; it reaches its recipients after `hold_us`.

    `thread` is joined when the mail answers one of its mails and shares its subject. Raises not_found for an unknown
    thread, and what `read_sized_mail` and `check_recipients` raise.
    """
    if thread is not None:
        box.thread(thread)
    raw, mail = complete_headers(box, raw, read_sized_mail(raw))
    check_recipients(mail)
    joined = find_thread(box, mail.subject, mail.answers, thread) if thread else None
    return send_complete_mail(box, raw, mail, joined, hold_us)


def send_complete_mail(box: Mailbox, raw: bytes, mail: Mail, thread: str | None, hold_us: int = 0) -> Message:
    """Store the owner's copy of a complete mail, and schedule its delivery. Raises sending_limit_exceeded."""
    call = box.call
    if call.principal.kind != "system":
        check_sending_limit(box)
    id = store_mail(call, raw, mail, box.person, call.now)
    message = box.add(id, thread_id=thread, labels=["SENT"], at=call.now)
    queued = call.later(HAND_OVER, call.now + hold_us, mail=id)
    call.execute("UPDATE gmail_mail SET queued = :queued WHERE id = :id", {"queued": queued, "id": id})
    return message
