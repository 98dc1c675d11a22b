"""Notification mails of other services: one automatic mail per person, one thread per subject."""

from collections.abc import Iterator

from apps.gmail import content, outgoing
from apps.gmail.app import app
from apps.gmail.mailbox import Mailbox
from apps.gmail.mailbox_delivery import deliver_to_mailbox
from apps.gmail.mime.addresses import Address
from apps.gmail.mime.build import Outgoing, build
from apps.gmail.mime.headers import read_mail
from world.core.app import Facts
from world.core.call import Call
from world.core.directory import Person
from world.core.rng import digest

TOPIC = "person.notified"
_THERE = "SELECT 1 FROM gmail_mailbox WHERE person_id = :id"
_KNOWN = "SELECT 1 FROM gmail_mail WHERE message_id = :id"


@app.on(TOPIC, delivery=True)
def send_notification_mail(call: Call, facts: Facts) -> None:
    """A mail to each of `people` (directory ids) from `sender`, an address called `sender_name`, written at `at`.

    Mails of one `thread` go together; `subject`, `text` and, where there is one, `html` are what they say.
    """
    for person in _iter_readers(call, facts["people"]):
        raw = build(_build_mail(call, facts, person))
        id = outgoing.store_mail(call, raw, read_mail(raw), None, call.now)
        deliver_to_mailbox(Mailbox(call, person.id), content.contents_by_id(call, [id])[id], person.email.lower())


def _iter_readers(call: Call, people: object) -> Iterator[Person]:
    for id in people if isinstance(people, list) else []:
        person = call.directory.person(str(id))
        if person is not None and person.status == "active" and call.first(_THERE, {"id": person.id}) is not None:
            yield person


def _build_mail(call: Call, facts: Facts, person: Person) -> Outgoing:
    sender = str(facts["sender"])
    domain = sender.rpartition("@")[2]
    root = f"<{digest(TOPIC, sender, str(facts['thread']), person.id).hex()}@{domain}>"
    follows = call.first(_KNOWN, {"id": root}) is not None
    return Outgoing(
        sender=Address(str(facts["sender_name"]), sender),
        at_us=int(str(facts["at"])),
        to=(Address(person.full_name, person.email),),
        message_id=outgoing.new_message_id(call, domain) if follows else root,
        references=(root,) if follows else (),
        in_reply_to=root if follows else "",
        subject=" ".join(str(facts["subject"]).split()),
        text=str(facts["text"]),
        html=str(facts.get("html") or "") or None,
        extra=(("Auto-Submitted", "auto-generated"), ("Precedence", "bulk")),
    )
