"""Verification mails that ask whether an address belongs to its reader."""

from apps.gmail import outgoing
from apps.gmail.mailbox import Mailbox
from apps.gmail.mailbox_settings.settings import parse_given_address
from apps.gmail.mime.addresses import Address
from apps.gmail.mime.build import Outgoing, build
from world.core.errors import OperationError
from world.core.rng import digest

TEAM = Address("Gmail Team", "gmail-noreply@google.com")  # observed, as the subjects below
_SUBJECTS = {
    "send as": "Gmail Confirmation - Send Mail as {}",
    "forward": "Gmail Forwarding Confirmation - Receive Mail from {}",
}
_TEXTS = {
    "send as": "{owner} has requested to add {address} to their Gmail account.",
    "forward": "{owner} has requested to automatically forward mail to your email address {address}.",
}
_UNTIL = "Until this is confirmed nothing changes. If you do not know of it, ignore this message."


def send_verification(box: Mailbox, purpose: str, address: str) -> None:
    """Send a verification mail to an address that the owner wants to use as `purpose`: "send as" or "forward"."""
    said = _TEXTS[purpose].format(owner=box.email, address=address)
    subject = _SUBJECTS[purpose].format(address if purpose == "send as" else box.email)
    mail = Outgoing(
        sender=TEAM,
        at_us=box.call.now,
        message_id=outgoing.new_message_id(box.call),
        to=(Address("", address),),
        subject=subject,
        text=f"{said}\n\nConfirmation code: {verification_code(box, purpose, address)}\n\n{_UNTIL}\n",
        extra=(("Auto-Submitted", "auto-generated"),),
    )
    raw = build(mail)
    id = outgoing.store_mail(box.call, raw, outgoing.read_sized_mail(raw), None, box.call.now)
    box.call.later(outgoing.HAND_OVER, box.call.now, mail=id)


def verification_code(box: Mailbox, purpose: str, address: str) -> str:
    """Return the nine digits that prove that an address is read."""
    return f"{int.from_bytes(digest('confirm', box.call.rng.seed, box.person, purpose, address), 'big') % 10**9:09}"


def parse_new_address(box: Mailbox, text: str) -> str:
    """Return a new address that is not the owner's own. Raises invalid_address."""
    address = parse_given_address(text)
    if address == box.email.lower():
        raise OperationError("invalid_address")
    return address


def is_colleague(box: Mailbox, address: str) -> bool:
    """Whether an address belongs to somebody who works here."""
    found = box.call.directory.by_email(address)
    return found is not None and found.status == "active" and found.kind == "employee"
