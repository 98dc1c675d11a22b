"""Delivery of mail: into mailboxes of the company, or to outsiders whom a scenario can play."""

import re

from apps.gmail import bounces, content, outgoing
from apps.gmail.address_routes import Route, route_addresses, strip_tag
from apps.gmail.app import app
from apps.gmail.content import Content
from apps.gmail.mailbox import Mailbox
from apps.gmail.mailbox_delivery import deliver_to_mailbox
from world.core.app import Facts
from world.core.call import Call

MOST_HOPS = (
    25  # servers and mailboxes a mail may have passed; own choice, as `apps.gmail.mailbox_settings.forwards.MOST_HOPS`
)
_HOP = re.compile(rb"^(?:received|x-forwarded-for)[ \t]*:", re.I | re.M)
_HEADERS = re.compile(rb".*?(?:\r?\n){2}", re.S)
_OUT = (
    "INSERT INTO gmail_outbound(mail_id, address, contact_id, state, sent_at) VALUES (:mail, :address,"
    " (SELECT id FROM contact WHERE email = :plain), 'sent', :now) ON CONFLICT DO NOTHING"
)


@app.on(outgoing.HAND_OVER, delivery=True)
def hand_over_mail(call: Call, facts: Facts) -> None:
    """Deliver a sent mail to all its recipients; `to` are the accepted ones of a mail from outside."""
    id = int(str(facts["mail"]))
    mail = content.contents_by_id(call, [id]).get(id)
    if mail is None:
        return
    call.execute("UPDATE gmail_mail SET queued = NULL WHERE id = :id AND queued IS NOT NULL", {"id": id})
    accepted = facts.get("to")
    addresses = [str(one) for one in accepted] if isinstance(accepted, list) else mail.recipients
    if is_looping(content.read_bytes(call, mail)):
        bounces.expect_bounces(call, mail, dict.fromkeys(addresses, "loop"))
    else:
        deliver_mail(call, mail, route_addresses(call, addresses))


def is_looping(raw: bytes) -> bool:
    """Whether a mail has been forwarded so often that it must be in a loop."""
    found = _HEADERS.match(raw)
    return len(_HOP.findall(found[0] if found else raw)) > MOST_HOPS


def deliver_mail(call: Call, mail: Content, way: Route) -> None:
    """Deliver a mail along its route; its sender gets a notice of dead addresses."""
    for person, address in way.people.items():
        deliver_to_mailbox(Mailbox(call, person), mail, address, way.lists.get(person, ""))
    for address in way.outside:
        call.execute(_OUT, {"mail": mail.id, "address": address, "plain": strip_tag(address), "now": call.now})
    bounces.expect_bounces(call, mail, way.dead)
