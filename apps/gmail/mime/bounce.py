"""Delivery status notifications for undeliverable or late mail (RFC 3464 in RFC 6522's multipart/report)."""

from dataclasses import dataclass
from datetime import UTC, tzinfo
from email.message import Message
from typing import Literal

from apps.gmail.mime.addresses import Address, format_address
from apps.gmail.mime.build import as_bytes, check_message_id, empty_part, header_value, multipart, text_part
from apps.gmail.mime.date import format_date_header
from apps.gmail.mime.headers import Mail

DAEMON = Address(
    "Mail Delivery Subsystem", "mailer-daemon@googlemail.com"
)  # observed in the vendor's notifications, as the texts below
_MTA = "dns; googlemail.com"


@dataclass(frozen=True)
class Failure:
    """Delivery failure for one recipient."""

    recipient: str
    status: str = "5.1.1"
    diagnostic: str = "550 5.1.1 The email account that you tried to reach does not exist."
    action: Literal["failed", "delayed"] = "failed"


_SUBJECTS = {"failed": "Delivery Status Notification (Failure)", "delayed": "Delivery Status Notification (Delay)"}
NOTICES = frozenset(_SUBJECTS.values())
_TEXTS = {
    "failed": (
        "** Address not found **\n\nYour message wasn't delivered to {} because the address couldn't be found, or is"
        " unable to receive mail."
    ),
    "delayed": (
        "** Delivery incomplete **\n\nThere was a temporary problem delivering your message to {}. "
        "Gmail will retry for more hours. You'll be notified if the delivery fails permanently."
    ),
}


def build_bounce(
    raw: bytes, original: Mail, to: Address, failure: Failure, *, at_us: int, message_id: str, zone: tzinfo = UTC
) -> bytes:
    """Build a notification to the sender of a mail; ValueError for fields that no header can carry."""
    recipient = format_address(Address("", failure.recipient))
    headers = [
        ("Date", format_date_header(at_us, zone)),
        *(
            (name, check_message_id(original.message_id))
            for name in ("References", "In-Reply-To")
            if original.message_id
        ),
        ("Message-ID", check_message_id(message_id)),
        ("Subject", _SUBJECTS[failure.action]),
        ("From", format_address(DAEMON)),
        ("To", format_address(to)),
        ("Auto-Submitted", "auto-replied"),
        ("X-Failed-Recipients", recipient),
    ]
    said = f"{_TEXTS[failure.action].format(recipient)}\n\nThe response was:\n\n{failure.diagnostic}\n"
    parts = [
        text_part("plain", said),
        _build_status(original, recipient, failure, format_date_header(at_us, zone)),
        _attach_original(raw),
    ]
    return as_bytes(headers, multipart("report", parts, more="; report-type=delivery-status"))


class _Verbatim(Message):
    """A part whose content the generator writes unchanged, whatever its type."""

    def get_content_type(self) -> str:
        return "text/plain"


def _build_status(original: Mail, recipient: str, failure: Failure, now: str) -> Message:
    """The machine-readable part: a block for the mail, a block for the recipient (RFC 3464 section 2.1)."""
    sent = original.root.first("date")
    mail = [
        ("Reporting-MTA", _MTA),
        ("Arrival-Date", sent if original.date_us is not None else now),
        ("X-Original-Message-ID", original.message_id),
    ]
    one = [
        ("Final-Recipient", f"rfc822; {recipient}"),
        ("Action", failure.action),
        ("Status", failure.status),
        ("Diagnostic-Code", f"smtp; {failure.diagnostic}"),
        ("Last-Attempt-Date", now),
    ]
    blocks = (
        "".join(f"{name}: {header_value(name, value)}\n" for name, value in block if value) for block in (mail, one)
    )
    return _verbatim_part("message/delivery-status", "\n".join(blocks))


def _attach_original(raw: bytes) -> Message:
    return _verbatim_part("message/rfc822", raw.decode("ascii", "surrogateescape"))


def _verbatim_part(content_type: str, text: str) -> Message:
    part = _Verbatim(empty_part(content_type).policy)
    part.set_raw("Content-Type", content_type)
    part.set_payload(text)
    return part
