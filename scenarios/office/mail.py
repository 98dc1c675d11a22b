"""Mail between the company and people outside, for the authors of chores."""

from base64 import urlsafe_b64encode
from collections.abc import Sequence
from typing import Unpack
from unicodedata import normalize

from apps.gmail.external_people import write_mail
from apps.gmail.mime.addresses import Address
from apps.gmail.mime.build import Outgoing, build
from apps.gmail.mime.subject import reply_subject
from world.agents.steps import Scene
from world.core.rows import PersonRow
from world.script.chore import Draw, Item, ItemOptions
from world.script.stage import Facts, Stage

LETTERS = str.maketrans({"ß": "ss", "ł": "l", "Ł": "L", "ø": "o", "ı": "i"})


def list_contacts(w: Stage, kind: str = "customer") -> list[Facts]:
    """Contacts at the organisations of a kind, each with `first_name`, `customer` and its account `owner_id`."""
    known = {one["id"]: one for one in w.rows("organisation", kind=kind)}
    return [
        {
            **one,
            "first_name": one["full_name"].split()[0],
            "customer": known[one["organisation_id"]]["name"],
            "owner_id": known[one["organisation_id"]]["owner_id"],
            "domain": known[one["organisation_id"]]["domain"],
        }
        for one in w.rows("contact")
        if one["organisation_id"] in known
    ]


def team(d: Draw, name: str) -> list[PersonRow]:
    """The present members of a team."""
    return d.people(team_id=d.w.find("team", name=name)["id"])


def list_address(w: Stage, name: str) -> str:
    """The address of a mailing list by its name: `Support`."""
    return w.find("gmail_list", name=name)["address"]


def letter(first_name: str, text: str, writer: str) -> str:
    """A mail's text: greeting, text, first name of who writes."""
    return f"Hi {first_name},\n\n{text}\n\n{writer}"


def receive(w: Stage, sender: str, to: Sequence[str], subject: str, text: str, **more: object) -> str:
    """A mail from the address `sender` arrives. Returns its Message-ID."""
    return write_mail(w, sender, list(to), subject, text, **more)["messageId"]


def send(w: Stage, person: str, to: Sequence[str], subject: str, text: str, **more: object) -> str:
    """Somebody of the company writes a mail. Returns its Message-ID."""
    made = w.act(person, "mail.send", to=list(to), subject=subject, text=text, **more)
    return _message_id(w, made["id"])


def answer(w: Stage, person: str, message_id: str, text: str) -> str:
    """Somebody of the company answers a mail, in its thread, to all it went to. Returns the answer's Message-ID."""
    mail, who = w.find("gmail_mail", message_id=message_id), w.person(person)
    others = [Address(one["name"], one["email"]) for one in (*mail["to_list"], *mail["cc_list"])]
    written = Outgoing(
        Address(who.full_name, who.email),
        w.now,
        f"<{w.rng('answer', message_id, person).integer(10**15, 10**16 - 1):x}@mail.gmail.example>",
        to=(Address(mail["from_name"], mail["from_email"]),),
        cc=tuple(one for one in others if one.email != who.email),
        subject=reply_subject(mail["subject"]),
        text=text,
        in_reply_to=message_id,
        references=(*mail["answers"], message_id),
    )
    raw = urlsafe_b64encode(build(written)).decode()
    return _message_id(w, w.act(person, "users.messages.send", raw=raw)["id"])


def _message_id(w: Stage, copy: str) -> str:
    return w.find("gmail_mail", id=w.find("gmail_message", id=copy)["mail_id"])["message_id"]


def own_copy(scene: Scene, message_id: str) -> str:
    """The id of the agent's copy of a mail."""
    mail = scene.find("gmail_mail", message_id=message_id)
    return scene.find("gmail_message", mail_id=mail["id"], person_id=scene.me)["id"]


def expect_mail(
    address: str, text: Item, *, id: str, threads: Sequence[str] = (), **more: Unpack[ItemOptions]
) -> Facts:
    """The expectation of one mail to an address outside; `address` and `threads` (Message-IDs) are paths of facts.

    Whoever writes it stands by it: nothing of it is bound to a condition.
    """
    where: dict[str, object] = {"sender": {"ref": "agent"}, "recipients": {"any": address}}
    if threads:
        where["answers"] = {"any": {"in": list(threads)}}
    return {
        "id": id,
        "insert": "gmail_mail",
        "where": where,
        "text": {"field": "text", "vouched": True, **text},
        "after": "event.request.start",
        **more,
    }


def nobody_outside(*but: str, id: str = "others_outside") -> Item:
    """The prohibition of mail to people outside; `but` are paths of facts with the addresses that may get one."""
    where = {"address": {"not_in": list(but)}} if but else {}
    return {"id": id, "insert": "gmail_outbound", "where": where, "after": "event.request.start"}


def not_to_all(*, id: str = "to_everybody") -> Item:
    """The prohibition of mail to the address of the whole company, by whatever list."""
    everybody = {"any": {"matches": r"(?i)(all|company|everybody|everyone|staff)@.*"}}
    return {"id": id, "insert": "gmail_mail", "where": {"sender": {"ref": "agent"}, "recipients": everybody}}


def address_of(full_name: str, domain: str) -> str:
    """An address in plain letters: `siobhan.byrne@acme.example`."""
    letters = normalize("NFKD", full_name.translate(LETTERS)).encode("ascii", "ignore").decode().lower()
    return ".".join("".join(one for one in word if one.isalpha()) for word in letters.split()) + f"@{domain}"
