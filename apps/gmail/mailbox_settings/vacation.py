"""Vacation replies: the responder of an absent owner, and mail that gets no automatic reply (RFC 3834)."""

import re
from typing import Any, NotRequired, TypedDict

from apps.gmail import content, outgoing
from apps.gmail.address_routes import strip_tag
from apps.gmail.content import Content
from apps.gmail.mailbox import Mailbox, Message
from apps.gmail.mailbox_settings.settings import find_setting
from apps.gmail.mime.addresses import Address
from apps.gmail.mime.build import Outgoing, build
from apps.gmail.mime.headers import Mail, read_mail
from apps.gmail.mime.html import to_text
from apps.gmail.mime.reply import reply_references
from apps.gmail.mime.subject import reply_subject
from world.core.clock import DAY, MONTHS, SECOND, WEEKDAYS, to_datetime, zone_info
from world.core.directory import Absence, Person

NAME = "vacation"
PAUSE = 4 * DAY  # support.google.com/mail/answer/25922: the same sender is answered again after four days
DELAY = SECOND  # so that a reply is later than what it answers; own choice
_MS = 1000
_MACHINE = re.compile(
    r"(?:mailer-daemon|postmaster|no-?_?reply|do-?_?not-?_?reply|noreply|bounces?|daemon)(?:[+.-].*)?|owner-.*|.*-(?:bounces?|noreply|no-reply|request|owner)"
)
_LIST_HEADERS = (
    "list-id",
    "list-post",
    "list-help",
    "list-subscribe",
    "list-unsubscribe",
    "list-owner",
    "list-archive",
)
_ANSWERED = "SELECT replied_at FROM gmail_auto_reply WHERE person_id = :me AND address = :address"
_REMEMBER = (
    "INSERT INTO gmail_auto_reply(person_id, address, replied_at) VALUES (:me, :address, :now)"
    " ON CONFLICT(person_id, address) DO UPDATE SET replied_at = excluded.replied_at"
)
_CONTACT = "SELECT 1 FROM contact WHERE email = :address"
_AWAY = {
    "vacation": "on vacation",
    "parental": "on parental leave",
    "conference": "at a conference",
    "travel": "travelling",
}


class Vacation(TypedDict):
    """The vacation responder. `startTime` and `endTime` are milliseconds since the epoch, UTC."""

    enableAutoReply: bool
    responseSubject: NotRequired[str]
    responseBodyPlainText: NotRequired[str]
    responseBodyHtml: NotRequired[str]
    restrictToContacts: bool
    restrictToDomain: bool
    startTime: NotRequired[str]
    endTime: NotRequired[str]


def find_responder(box: Mailbox) -> Vacation:
    """Find the owner's responder; without a valid one, the directory's absence (own choice)."""
    own: Any = find_setting(box.call, box.person, NAME)
    if own is not None and not (own["enableAutoReply"] and _is_over(own, box.call.now)):
        return own
    away = box.call.directory.absent(box.person) if box.call.directory.is_away(box.person) else None
    if away is not None:
        return absence_responder(box, away)
    return own or {"enableAutoReply": False, "restrictToContacts": False, "restrictToDomain": False}


def _is_over(said: Vacation, now: int) -> bool:
    return "endTime" in said and int(said["endTime"]) * _MS <= now


def absence_responder(box: Mailbox, away: Absence) -> Vacation:
    """Return the responder of a person whom the directory lists as absent."""
    person = box.call.directory.person(box.person)
    end = to_datetime(away.end_at, person.tz if person else "UTC")
    back = f"{WEEKDAYS[end.weekday()]}, {end.day} {MONTHS[end.month - 1]} {end.year}"
    said = f"I am {_AWAY.get(away.kind, 'out of the office')} and will be back on {back}."
    other = box.call.directory.person(away.delegate_id) if away.delegate_id else None
    if other is not None and other.status == "active":
        said += f"\n\nIn the meantime, please contact {other.full_name} ({other.email})."
    return {
        "enableAutoReply": True,
        "responseSubject": "Out of office",
        "responseBodyPlainText": f"{said}\n\n{_person_name(person)}".rstrip(),
        "restrictToContacts": False,
        "restrictToDomain": False,
        "startTime": str(away.start_at // _MS),
        "endTime": str(away.end_at // _MS),
    }


def _person_name(person: Person | None) -> str:
    return person.full_name if person else ""


def send_vacation_reply(box: Mailbox, mail: Content, message: Message, by_list: str) -> None:
    """Send a vacation reply for an absent owner, unless the mail must not be answered automatically."""
    if by_list or mail.is_automatic or message.is_spam or message.trashed_at is not None or is_machine(mail.from_email):
        return
    said = find_responder(box)
    if not _is_active(said, box.call.now) or not _answers_sender(box, said, mail.from_email.lower()):
        return
    own = {one.email.lower() for one in outgoing.list_identities(box)}
    original = read_mail(content.read_bytes(box.call, mail))
    if _is_personal(original, mail, own) and _claim_first_reply(box, mail.from_email.lower()):
        _send_reply(box, said, mail, original)


def _is_active(said: Vacation, now: int) -> bool:
    return said["enableAutoReply"] and int(said.get("startTime", 0)) * _MS <= now and not _is_over(said, now)


def is_machine(address: str) -> bool:
    """Whether nobody reads an address: no-reply, mailer-daemon, a list's own."""
    return not address or not address.isascii() or _MACHINE.fullmatch(address.rpartition("@")[0].lower()) is not None


def _answers_sender(box: Mailbox, said: Vacation, address: str) -> bool:
    """Whether the owner answers this sender: contacts are everybody in the company or the address book."""
    if said["restrictToDomain"] and address.rpartition("@")[2] != box.email.rpartition("@")[2]:
        return False
    known = (
        box.call.directory.by_email(address) is not None or box.call.first(_CONTACT, {"address": address}) is not None
    )
    return known or not said["restrictToContacts"]


def _is_personal(original: Mail, mail: Content, own: set[str]) -> bool:
    """Whether a person wrote the mail to the owner by name, as far as its headers tell."""
    header = original.root.first
    named = {strip_tag(one["email"].lower()) for one in (*mail.to, *mail.cc)}
    by_machine = header("return-path").strip() == "<>" or header("x-auto-response-suppress") or header("x-autoreply")
    return not (
        by_machine
        or any(header(name) for name in _LIST_HEADERS)
        or mail.from_email.lower() in own
        or named.isdisjoint(own)
    )


def _claim_first_reply(box: Mailbox, address: str) -> bool:
    """Whether the sender has had no reply lately; records this reply."""
    last = box.call.scalar(_ANSWERED, {"me": box.person, "address": address})
    if last is not None and last > box.call.now - PAUSE:
        return False
    box.call.execute(_REMEMBER, {"me": box.person, "address": address, "now": box.call.now})
    return True


def _send_reply(box: Mailbox, said: Vacation, mail: Content, original: Mail) -> None:
    """Send the reply; the vendor keeps no copy under Sent."""
    call, at = box.call, box.call.now + DELAY
    person = call.directory.person(box.person)
    html = said.get("responseBodyHtml")
    prefix = said.get("responseSubject", "")
    try:
        raw = build(
            Outgoing(
                sender=outgoing.list_identities(box)[0],
                at_us=at,
                zone=zone_info(person.tz if person else "UTC"),
                message_id=outgoing.new_message_id(call),
                to=(Address(mail.from_name, mail.from_email),),
                subject=f"{prefix} {reply_subject(mail.subject)}".strip(),
                text=to_text(html) if html else said.get("responseBodyPlainText", ""),
                html=html or None,
                in_reply_to=original.message_id,
                references=reply_references(original),
                extra=(("Auto-Submitted", "auto-replied"), ("Precedence", "bulk"), ("X-Autoreply", "yes")),
            )
        )
    except ValueError:
        return  # the sender's address or name is none that a header can carry
    id = outgoing.store_mail(call, raw, outgoing.read_sized_mail(raw), box.person, at)
    call.later(outgoing.HAND_OVER, at, mail=id)
