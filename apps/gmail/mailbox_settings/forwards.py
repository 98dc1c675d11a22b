"""Forwarding of mail: by a filter, by auto-forwarding, or after its owner has left.

The forwarded mail has three more header lines, in the vendor's form (observed): `X-Forwarded-To: to`, `X-Forwarded-For:
owner to`, `Delivered-To: owner`. They also reveal a loop.
"""

from collections.abc import Iterable

from apps.gmail import content, outgoing
from apps.gmail.content import Content, to_sql_list
from apps.gmail.mailbox import Mailbox
from apps.gmail.mailbox_settings.settings import find_setting
from apps.gmail.mime.build import without_bcc
from apps.gmail.mime.envelope import prepend_headers
from apps.gmail.mime.headers import read_mail
from apps.gmail.mime.parse import Part
from world.core.call import Call
from world.core.errors import OperationError
from world.core.json_types import JsonObject

MOST_HOPS = 25  # mailboxes a mail may be forwarded through; own choice
_VERIFIED = (
    "SELECT email FROM gmail_forwarding_address WHERE person_id = :me AND verification = 'accepted' ORDER BY email"
)
_ENVELOPE = "UPDATE gmail_mail SET recipients = :to WHERE id = :id"
# What a message is left like: the labels it gets and loses.
DISPOSITIONS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "leaveInInbox": ((), ()),
    "archive": ((), ("INBOX",)),
    "trash": (("TRASH",), ()),
    "markRead": ((), ("UNREAD",)),
}


def find_forwarding_address(call: Call, person_id: str) -> str | None:
    """Find the auto-forwarding address of a person; it stays in force after they leave."""
    found: JsonObject = find_setting(call, person_id, "autoForwarding") or {}
    return str(found["emailAddress"]) if found.get("enabled") and found.get("emailAddress") else None


def list_verified_addresses(box: Mailbox) -> set[str]:
    """List the addresses the owner may forward to."""
    return {row[0] for row in box.call.all(_VERIFIED, {"me": box.person})}


def forward_mail(box: Mailbox, mail: Content, labels: list[str], wanted: Iterable[str]) -> list[str]:
    """Forward a mail to `wanted` (by filters) and to the auto-forwarding address; return its remaining labels."""
    automatic = find_setting(box.call, box.person, "autoForwarding") or {}
    general = automatic.get("emailAddress") if automatic.get("enabled") else None
    addresses = dict.fromkeys(one for one in (*wanted, general) if one)
    if not addresses or "SPAM" in labels or not (allowed := list_verified_addresses(box) & set(addresses)):
        return labels
    raw = content.read_bytes(box.call, mail)
    if _was_forwarded(read_mail(raw).root, box.email):
        return labels
    for address in addresses:
        if address in allowed:
            _send_forward(box, raw, address)
    return apply_disposition(labels, automatic.get("disposition", "leaveInInbox")) if general in allowed else labels


def apply_disposition(labels: list[str], disposition: str) -> list[str]:
    """Labels after auto-forwarding."""
    added, removed = DISPOSITIONS.get(disposition, ((), ()))
    return [*(label for label in labels if label not in removed), *(label for label in added if label not in labels)]


def _was_forwarded(root: Part, email: str) -> bool:
    """Whether a mail was forwarded from this mailbox already, or too often."""
    hops = [words for value in root.raws("x-forwarded-for") if (words := value.lower().split())]
    arrived = {value.strip().lower() for value in root.raws("delivered-to")}
    return len(hops) >= MOST_HOPS or email in arrived or any(words[0] == email for words in hops)


def _send_forward(box: Mailbox, raw: bytes, address: str) -> None:
    lines = (("X-Forwarded-To", address), ("X-Forwarded-For", f"{box.email} {address}"), ("Delivered-To", box.email))
    onward = prepend_headers(without_bcc(raw), *lines)
    try:
        mail = outgoing.read_sized_mail(onward)
    except OperationError:
        return  # it fits, but not with more headers
    id = outgoing.store_mail(box.call, onward, mail, box.person, box.call.now)
    box.call.execute(_ENVELOPE, {"to": to_sql_list([address]), "id": id})
    box.call.later(outgoing.HAND_OVER, box.call.now, mail=id)
