"""Mail arrives: into the mailboxes of the company, or out to somebody a scenario can answer for."""

from apps.gmail import content, sending
from apps.gmail.app import app
from apps.gmail.arrival import arrive
from apps.gmail.content import Content
from apps.gmail.mailbox import Mailbox
from apps.gmail.routing import Route, route, untagged
from world.call import Call
from world.operation import Facts

_OUT = (
    "INSERT INTO gmail_outbound(mail_id, address, contact_id, state, sent_at) VALUES (:mail, :address,"
    " (SELECT id FROM contact WHERE email = :plain), 'sent', :now) ON CONFLICT DO NOTHING"
)


@app.on(sending.HAND_OVER)
def hand_over(call: Call, facts: Facts) -> None:
    """Bring a mail that was sent to everybody it is for."""
    id = int(str(facts["mail"]))
    mail = content.contents(call, [id]).get(id)
    if mail is None:
        return
    call.execute("UPDATE gmail_mail SET queued = NULL WHERE id = :id", {"id": id})
    deliver(call, mail, route(call, mail.recipients))


def deliver(call: Call, mail: Content, way: Route) -> None:
    """Put a mail where its route leads."""
    for person, address in way.people.items():
        arrive(Mailbox(call, person), mail, address, way.lists.get(person, ""))
    for address in way.outside:
        call.execute(_OUT, {"mail": mail.id, "address": address, "plain": untagged(address), "now": call.now})
