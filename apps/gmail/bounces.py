"""Notices of undeliverable or delayed mail: their content, and when the sender gets them."""

from collections.abc import Mapping

from apps.gmail import content, outgoing
from apps.gmail.address_routes import is_inside
from apps.gmail.app import app
from apps.gmail.content import Content
from apps.gmail.mailbox import Mailbox
from apps.gmail.mailbox_delivery import deliver_to_mailbox
from apps.gmail.mime.addresses import Address
from apps.gmail.mime.bounce import Failure, build_bounce
from apps.gmail.mime.headers import read_mail
from world.core.app import Facts
from world.core.call import Call
from world.core.clock import HOUR, SECOND, zone_info
from world.core.rng import Stream, digest

TOPIC, LATE = "gmail.bounce", "gmail.late"
SOONEST_S, LATEST_S, USUAL_S = 5, 45, 15.0  # until a bounce comes; own choice
PATIENCE = HOUR  # until the sender of mail that is held back is told; own choice, the vendor's is hours too
WHOLE = 65_536  # bytes of a mail that a notice still quotes whole; own choice
# reason -> status, diagnostic: support.google.com/a/answer/3726730, and as the vendor's notices have it
WHY = {
    "unknown_user": (
        "5.1.1",
        (
            "550 5.1.1 The email account that you tried to reach does not exist. Please try double-checking the"
            " recipient's email address for typos or unnecessary spaces. https://support.google.com/mail/?p=NoSuchUser"
        ),
    ),
    "disabled": (
        "5.2.1",
        (
            "550 5.2.1 The email account that you tried to reach is disabled."
            " https://support.google.com/mail/?p=DisabledUser"
        ),
    ),
    "no_domain": (
        "5.1.2",
        "DNS Error: DNS type 'mx' lookup of {domain} responded with code NXDOMAIN. Domain name not found: {domain}",
    ),
    "loop": ("5.4.6", "554 5.4.6 Message exceeded the maximum number of hops: it seems to be in a mail loop."),
    "closed_list": ("5.7.1", "550 5.7.1 You do not have permission to post messages to this group."),
}
_DELAY = "451 4.4.1 The recipient server did not accept our requests to connect. We will keep trying."
_OF_SENDER = (
    "SELECT m.sender_id, m.queued FROM gmail_mail m JOIN gmail_mailbox b ON b.person_id = m.sender_id WHERE m.id = :id"
)
_BOUNCED = (
    "INSERT INTO gmail_outbound(mail_id, address, contact_id, state, sent_at) VALUES (:mail, :address, NULL, 'bounced',"
    " :now) ON CONFLICT DO UPDATE SET state = 'bounced'"
)


def expect_bounces(call: Call, mail: Content, dead: Mapping[str, str]) -> None:
    """Schedule a notice for each dead address; none for automatic mail, such as notices themselves."""
    if not dead or mail.is_automatic or _find_sender(call, mail.id) is None:
        return
    draw = Stream(call.rng.seed, TOPIC, mail.message_id, *dead)
    wait_s = min(max(draw.lognormal(USUAL_S, 1.0), SOONEST_S), LATEST_S)
    call.later(TOPIC, call.now + int(wait_s * SECOND), mail=mail.id, dead=dict(dead))


def bounce_reason(reason: str, address: str) -> str:
    """Return a server's answer for a dead address."""
    return WHY[reason][1].format(domain=address.rpartition("@")[2])


@app.on(TOPIC)
def send_bounces(call: Call, facts: Facts) -> None:
    """Send the notices of all dead addresses to the sender."""
    dead, mail = facts["dead"], _find_mail(call, facts)
    if mail is None or not isinstance(dead, dict):
        return
    for address, reason in dead.items():
        deliver_notice(call, mail, Failure(address, WHY[str(reason)][0], bounce_reason(str(reason), address)))
        if not is_inside(call, address):
            call.execute(_BOUNCED, {"mail": mail.id, "address": address, "now": call.now})


@app.on(f"{outgoing.HAND_OVER}.held")
def record_held_mail(call: Call, facts: Facts) -> None:
    """Record that a fault holds a mail back: it can no longer be unsent, and its sender gets a notice after a while."""
    mail = int(str(facts["mail"]))
    call.execute("UPDATE gmail_mail SET queued = :held WHERE id = :id", {"held": outgoing.HELD, "id": mail})
    call.later(LATE, call.now + PATIENCE, mail=mail)


@app.on(LATE)
def send_delay_notice(call: Call, facts: Facts) -> None:
    """Send a delay notice for a mail that is still held back."""
    mail = _find_mail(call, facts)
    if (
        mail is not None
        and not mail.is_automatic
        and (found := _find_sender(call, mail.id)) is not None
        and found[1] == outgoing.HELD
    ):
        for address in mail.recipients:
            deliver_notice(call, mail, Failure(address, "4.4.1", _DELAY, "delayed"))


def deliver_notice(call: Call, mail: Content, failure: Failure) -> None:
    """Put a delivery status notification into the sender's mailbox, in the thread of its mail."""
    found = _find_sender(call, mail.id)
    if found is None:
        return
    raw, person = content.read_bytes(call, mail), call.directory.person(found[0])
    whole = raw if len(raw) <= WHOLE else raw[: raw.find(b"\r\n\r\n", 0, WHOLE) + 4]
    id = f"<{digest(failure.action, mail.message_id, failure.recipient, mail.id).hex()}@mx.google.com>"
    notice = build_bounce(
        whole,
        read_mail(raw),
        Address(mail.from_name, mail.from_email),
        failure,
        at_us=call.now,
        message_id=id,
        zone=zone_info(person.tz if person else "UTC"),
    )
    kept = outgoing.store_mail(call, notice, read_mail(notice), None, call.now)
    deliver_to_mailbox(Mailbox(call, found[0]), content.contents_by_id(call, [kept])[kept], mail.from_email.lower())


def _find_mail(call: Call, facts: Facts) -> Content | None:
    id = int(str(facts["mail"]))
    return content.contents_by_id(call, [id]).get(id)


def _find_sender(call: Call, mail: int) -> tuple[str, int | None] | None:
    """Find the sender of a mail from here, and whether it still waits."""
    found = call.first(_OF_SENDER, {"id": mail})
    return None if found is None else (found[0], found[1])
