"""Scenario helpers: people outside the company write mail, and answer the mail they get."""

from collections.abc import Callable, Mapping
from typing import Any

from apps.gmail.mime.addresses import Address
from apps.gmail.mime.build import Outgoing
from apps.gmail.mime.headers import read_mail
from apps.gmail.mime.reply import build_reply, reply_recipients
from apps.gmail.mime.subject import reply_subject
from apps.gmail.operations.transport import GATEWAY
from world.core.clock import zone_info
from world.script.stage import Stage


def write_mail(w: Stage, sender: str, to: list[str], subject: str, text: str, **more: object) -> Any:
    """Send a mail from the address `sender`, with the name of a known contact, colleague or bot.

    `more` are other arguments of `mail.receive`.

    Returns its answer: `messageId`, `accepted`, `refused`; None if an outage of the mail service holds it back.
    """
    return w.act(
        w.person(GATEWAY),
        "mail.receive",
        **{"from": _render_address(w, sender), "to": to, "subject": subject, "text": text, **more},
    )


def answer_mail(
    text: str | Callable[[Stage], str], *, everyone: bool = False, quoted: bool = True, **more: object
) -> Callable[[Stage], None]:
    """Return an action that answers the mail of an outbound row, in its thread, as its recipient.

    `s.on(row("gmail_outbound", address="zoe@acme.example"), outside.answer("Thank you."), delay="10m", deadline=None,
    otherwise=None)`
    """

    def act(w: Stage) -> None:
        reply_to(
            w, w.trigger["row"], text if isinstance(text, str) else text(w), everyone=everyone, quoted=quoted, **more
        )

    return act


def reply_to(
    w: Stage, outbound: Mapping[str, object], text: str, *, everyone: bool = False, quoted: bool = True, **more: object
) -> object:
    """Answer the mail of an outbound row; the event's facts `message_id` and `subject` identify the answer."""
    mail = w.find("gmail_mail", id=outbound["mail_id"])
    original = read_mail(bytes(w.find("blob", sha256=mail["sha256"])["data"]))
    sender = _render_address(w, str(outbound["address"]))
    to, cc = reply_recipients(original, [str(outbound["address"])], everyone=everyone)
    subject = reply_subject(original.subject)
    if quoted:
        own = Outgoing(
            Address("", str(outbound["address"])),
            w.now,
            original.message_id,
            text=text,
            zone=zone_info(_recipient_zone(w, outbound)),
        )
        text = build_reply(original, own).text
    made = write_mail(
        w,
        sender,
        [str(one) for one in to],
        subject,
        text,
        **{"cc": [str(one) for one in cc], "inReplyTo": original.message_id, **more},
    )
    if made is not None:
        w.note(message_id=made["messageId"], subject=subject)
    return made


def _render_address(w: Stage, address: str) -> str:
    found = w.rows("contact", email=address) or w.rows("person", email=address)
    return str(Address(found[0]["full_name"], address)) if found else address


def _recipient_zone(w: Stage, outbound: Mapping[str, object]) -> str:
    found = w.rows("contact", id=outbound["contact_id"]) if outbound["contact_id"] else []
    return str(found[0]["tz"]) if found else "UTC"
