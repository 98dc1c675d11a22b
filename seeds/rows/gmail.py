"""Rows of the mail service: every mail once, as real bytes, and a message in each mailbox it lies in."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from html import escape
from typing import Any

from apps.gmail import content
from apps.gmail import models as m
from apps.gmail.mailbox import RANDOM_BITS
from apps.gmail.mime import reply
from apps.gmail.mime.addresses import Address
from apps.gmail.mime.build import Outgoing, build
from apps.gmail.mime.headers import Mail, read_mail
from apps.gmail.mime.html import from_text
from apps.gmail.mime.subject import same_subject
from seeds.attachments import build_file
from seeds.company import Company, Staff
from seeds.events import Event, Mailed
from seeds.mailing_lists import circles
from seeds.rows import gmail_habits
from seeds.rows.gmail_habits import Entry
from seeds.rows.references import References
from seeds.rows.row_collector import Row, Sink
from seeds.spec import Spec
from world.core.clock import zone_info
from world.core.directory import Blob
from world.core.ids import Ids


@dataclass(slots=True)
class Box:
    """A mailbox being filled: its entries, and the mails by Message-ID that later ones may answer."""

    owner: Staff
    entries: list[Entry] = field(default_factory=list)
    known: dict[str, list[Entry]] = field(default_factory=dict)

    def thread_of(self, subject: str, answers: Iterable[str]) -> str:
        """The thread a mail joins, as delivery decides: the latest mail it answers with the same subject; empty for
        none.
        """
        found = [
            entry for header in answers for entry in self.known.get(header, ()) if same_subject(entry.subject, subject)
        ]
        return max(found, key=lambda entry: entry.at).thread if found else ""


def project(spec: Spec, company: Company, events: Iterable[Event], refs: References, sink: Sink) -> None:
    """All mails of the log, then what each person did with theirs."""
    post = Post(spec, company, refs, sink)
    for event in events:
        if isinstance(event.facts, Mailed):
            post.keep(event, event.facts)
    for box in post.boxes.values():
        gmail_habits.settle(spec, company, box.owner, box.entries, sink)


class Post:
    """Turns events into mails and puts them where they go."""

    def __init__(self, spec: Spec, company: Company, refs: References, sink: Sink) -> None:
        self.spec, self.company, self.refs, self.sink = spec, company, refs, sink
        self.taken = set[str]()
        self.boxes = {one.id: Box(one) for one in company.staff.values()}
        self.by_address = {one.email: one for one in company.staff.values()}
        self.people = company.by_id()
        self.contacts = {one.email: one for client in company.clients.values() for one in client.contacts}
        self.lists = {circle.address: circle for circle in circles(company).values()}
        self.mails: dict[str, tuple[Mail, str]] = {}
        self.blobs: set[str] = set()
        self.number = 0

    def keep(self, event: Event, facts: Mailed) -> None:
        """The mail's bytes and row, and its entries."""
        raw = build(self._build_mail(event, facts))
        mail = read_mail(raw)
        values = content.describe_content(raw, mail)
        self.number += 1
        writer = self.by_address.get(facts.sender[1])
        if values["sha256"] not in self.blobs:
            self.blobs.add(values["sha256"])
            self.sink.add(Blob, sha256=values["sha256"], size=len(raw), data=raw)
        self.sink.add(
            m.Mail, id=self.number, sender_id=writer.id if writer else None, sent_at=event.at, queued=None, **values
        )
        self.sink.refer("gmail_mail", str(self.number), event.id, event.story, event.part)
        self.mails[event.id] = (mail, mail.message_id)
        self._deliver(event, facts, values, writer)

    # -- the mail itself

    def _build_mail(self, event: Event, facts: Mailed) -> Outgoing:
        zone = zone_info(self._zone(facts.sender[1]))
        text = self.refs.write(facts.text, self._form)
        mail = Outgoing(
            sender=Address(*facts.sender),
            at_us=event.at,
            message_id=self._header(event, facts),
            to=self._people(facts.to),
            cc=self._people(facts.cc),
            subject=self.refs.write(facts.subject, self._form),
            text=text,
            html=self._html(facts, text),
            attachments=tuple(build_file(name, said) for name, said in facts.files),
            zone=zone,
            extra=tuple(self._extra(facts)),
        )
        if facts.forwards:
            before = self.mails[facts.forwards][0]
            return reply.build_forward(
                before, Outgoing(**{**fields(mail), "subject": reply.forward_subject(before.subject)})
            )
        if not facts.answers:
            return mail
        before = self.mails[facts.answers][0]
        if facts.kind == "person":
            return reply.build_reply(
                before, Outgoing(**{**fields(mail), "subject": reply.reply_subject(before.subject)})
            )
        return Outgoing(
            **{**fields(mail), "in_reply_to": before.message_id, "references": reply.reply_references(before)}
        )

    def _header(self, event: Event, facts: Mailed) -> str:
        """Build a Message-ID in the form of the sender's mail system."""
        ids = Ids(self.spec.seed, f"mail:{event.id}", 0)
        domain = facts.sender[1].rpartition("@")[2]
        if facts.kind == "person":
            return (
                f"<CA{ids.base62(42)}@mail.gmail.com>"
                if domain == self.company.domain
                else f"<{ids.hex(8)}.{ids.digits(7)}@{domain}>"
            )
        return f"<{ids.hex(24)}@{domain}>"

    def _form(self, kind: str, ref: str) -> str:
        if kind == "p":
            return self.people[ref].full if ref in self.people else ref
        if kind == "i":
            return self.refs.issue_keys[ref]
        if kind in ("l", "u"):
            return self.refs.issue_url(ref)
        if kind == "s":
            return self.refs.sheet_url(ref)
        if kind in ("g", "n", "a"):
            return self.refs.write_code(kind, ref)
        return f"#{self.refs.channel_names[ref]}" if kind == "c" else self.refs.permalink(ref)

    def _people(self, addresses: Iterable[str]) -> tuple[Address, ...]:
        return tuple(Address(self._name(address), address) for address in addresses)

    def _name(self, address: str) -> str:
        if address in self.by_address:
            return self.by_address[address].full
        if address in self.lists:
            return self.lists[address].name
        return self.contacts[address].full if address in self.contacts else ""

    def _zone(self, address: str) -> str:
        if address in self.by_address:
            return self.by_address[address].tz
        return self.contacts[address].tz if address in self.contacts else "UTC"

    @staticmethod
    def _html(facts: Mailed, text: str) -> str | None:
        """Newsletters are designed; people write in their mail program; machines and terse people send plain text."""
        if facts.kind == "list":
            parts = "".join(f'<p style="margin:0 0 14px">{escape(part)}</p>' for part in text.split("\n\n"))
            head = f'<h2 style="font-family:Georgia,serif;color:#274060">{escape(facts.sender[0])}</h2>'
            foot = (
                '<p style="color:#777;font-size:12px">You receive this because you subscribed. Unsubscribe with the'
                " link above.</p>"
            )
            return f'<div style="max-width:600px;margin:0 auto;font-family:Arial,sans-serif">{head}{parts}{foot}</div>'
        return f'<div dir="ltr">{from_text(text)}</div>' if facts.kind == "person" else None

    @staticmethod
    def _extra(facts: Mailed) -> Iterator[tuple[str, str]]:
        domain = facts.sender[1].rpartition("@")[2]
        if facts.kind == "list":
            yield "List-Unsubscribe", f"<https://{domain}/unsubscribe>, <mailto:unsubscribe@{domain}>"
            yield "List-Unsubscribe-Post", "List-Unsubscribe=One-Click"
            yield "Precedence", "bulk"
        elif facts.kind in ("notice", "invite"):
            yield "Auto-Submitted", "auto-generated"

    # -- where it goes

    def _deliver(self, event: Event, facts: Mailed, values: dict[str, object], writer: Staff | None) -> None:
        arrived: dict[str, tuple[str, bool]] = {person: (self.people[person].email, False) for person in facts.readers}
        outside: list[str] = []
        for address in () if facts.readers else (*facts.to, *facts.cc):
            circle = self.lists.get(address)
            if circle is not None:
                for one in circle.members(self.company, event.at):
                    arrived.setdefault(one.id, (address, True))
            elif address in self.by_address:
                arrived[self.by_address[address].id] = (address, False)
            else:
                outside.append(address)
        if writer is not None:
            self._out(event, outside)
            listed = arrived.pop(writer.id, None) is not None
            self._enter(event, facts, values, writer, "", {"SENT", *(("INBOX",) if listed else ())})
        for person, (address, by_list) in sorted(arrived.items()):
            if self.people[person].is_employed(event.at):
                labels = gmail_habits.first_labels(facts.kind, bool(values["is_automatic"]), by_list)
                self._enter(event, facts, values, self.people[person], address, labels)

    def _out(self, event: Event, outside: Iterable[str]) -> None:
        for address in outside:
            contact = self.contacts[address].id if address in self.contacts else None
            self.sink.add(
                m.Outbound, mail_id=self.number, address=address, contact_id=contact, state="sent", sent_at=event.at
            )

    def _take_id(self, number: int) -> str:
        """The id that a mailbox gives a mail; the next one where another mailbox has drawn it at this moment."""
        while (id := format(number, "016x")) in self.taken:
            number += 1
        self.taken.add(id)
        return id

    def _enter(
        self, event: Event, facts: Mailed, values: dict[str, Any], one: Staff, address: str, labels: set[str]
    ) -> None:
        box = self.boxes[one.id]
        draw = self.spec.stream("mail", event.id, one.seat)
        id = self._take_id((event.at // 1000 << RANDOM_BITS) | draw.bits() >> 64 - RANDOM_BITS)
        thread = box.thread_of(values["subject"], values["answers"]) or id
        entry = Entry(
            id, thread, self.number, event.at, values["subject"], facts.kind, facts.sender[1], address, labels, draw
        )
        box.entries.append(entry)
        box.known.setdefault(values["message_id"], []).append(entry)


def fields(mail: Outgoing) -> Row:
    """The fields of a mail by name."""
    return {name: getattr(mail, name) for name in mail.__dataclass_fields__}
