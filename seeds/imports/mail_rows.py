"""Rows of the mail service from imported mails: each mail once, and an entry in every mailbox it lies in."""

import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from apps.gmail import content
from apps.gmail import models as m
from apps.gmail.mailbox import RANDOM_BITS
from apps.gmail.mime.addresses import Address
from apps.gmail.mime.build import Outgoing, build, without_bcc
from apps.gmail.mime.headers import Mail, read_mail
from apps.gmail.mime.subject import same_subject
from seeds.imports.identities import Individual
from seeds.imports.intake import Landing
from seeds.imports.mbox_archive import LABELS, PLAIN, ImportedMail, MailExport, shift_date
from seeds.imports.pseudonyms import Pseudonyms
from world.core.directory import Blob
from world.core.rng import digest


@dataclass(slots=True)
class _Entry:
    """A mail in one mailbox."""

    id: str
    thread: str
    mail: int
    at: int
    subject: str
    address: str
    labels: frozenset[str]


@dataclass(slots=True)
class _Box:
    """A mailbox being filled."""

    person: str
    entries: list[_Entry] = field(default_factory=list)
    known: defaultdict[str, list[_Entry]] = field(default_factory=lambda: defaultdict(list))

    def thread_of(self, subject: str, answers: Iterable[str]) -> str:
        """The thread of the latest mail that is answered under the same subject; empty for none."""
        found = [one for header in answers for one in self.known[header] if same_subject(one.subject, subject)]
        return max(found, key=lambda one: one.at).thread if found else ""


def add_mail_rows(landing: Landing, export: MailExport, lists: Iterable[Individual]) -> None:
    """All rows of mails, mailboxes' labels and lists."""
    office = _PostOffice(landing, export)
    for mail in sorted(export.mails.values(), key=lambda one: (one.sent_at, one.key)):
        office.keep(mail)
    for box in office.boxes.values():
        _add_entries(landing, box)
    for one in lists:
        address = one.emails[0]
        name = one.best("name") or address.partition("@")[0]
        landing.sink.add(m.MailingList, address=address, name=name, allows_outside=True)


class _PostOffice:
    def __init__(self, landing: Landing, export: MailExport) -> None:
        self.landing, self.export, self.number = landing, export, 0
        inside = {id: one for id, one in landing.individuals.items() if one.kind == "employee"}
        self.boxes = {id: _Box(id) for id in sorted(inside)}
        self.owners = {address: id for id, one in inside.items() for address in (*one.emails, one.email)}
        self.sources = {key: id for (app, key), id in landing.people.items() if app == "gmail" and id in inside}
        self.contacts = {row["email"].lower(): row["id"] for row in self._rows("contact")}
        self.blobs: set[str] = set()

    def _rows(self, table: str) -> list[dict[str, Any]]:
        return [
            row
            for model, rows in self.landing.sink.rows.items()
            if vars(model)["__tablename__"] == table
            for row in rows
        ]

    def keep(self, mail: ImportedMail) -> None:
        """The mail's bytes and row, and its entries."""
        at = self.landing.at(mail.sent_at)
        raw = mail.raw if at == mail.sent_at else shift_date(mail.raw, at)
        if self.landing.pseudonyms is not None:
            raw = change_mail(read_mail(raw), at, self.landing.pseudonyms)
        read = read_mail(raw)
        values = content.describe_content(raw, read)
        self.number += 1
        writer = self.owners.get(values["from_email"].lower())
        if values["sha256"] not in self.blobs:
            self.blobs.add(values["sha256"])
            self.landing.sink.add(Blob, sha256=values["sha256"], size=len(raw), data=raw)
        self.landing.sink.add(m.Mail, id=self.number, sender_id=writer, sent_at=at, queued=None, **values)
        if writer:
            self._add_outbound(values["recipients"], at)
        self._deliver(mail, read, values, at, writer)

    def _add_outbound(self, recipients: Iterable[str], at: int) -> None:
        for address in recipients:
            if address not in self.owners and address.rpartition("@")[2] != self.landing.domain:
                contact = self.contacts.get(address)
                self.landing.sink.add(m.Outbound, mail_id=self.number, address=address, contact_id=contact, sent_at=at)

    def _deliver(self, mail: ImportedMail, read: Mail, values: dict[str, Any], at: int, writer: str | None) -> None:
        """An entry for each mailbox that has the mail, and for everybody it names if it comes from a mix."""
        labels: dict[str, frozenset[str]] = {}
        if mail.is_mixed:
            labels = {self.owners[one]: frozenset({"Inbox"}) for one in values["recipients"] if one in self.owners}
            if writer is not None:
                labels[writer] = frozenset({"Sent", *labels.get(writer, ())})
        for address, found in mail.boxes.items():
            if address in self.sources:
                labels[self.sources[address]] = found
        for person in sorted(labels):
            one = self.landing.individuals[person]
            own = "" if person == writer else next((a for a in values["recipients"] if a in one.emails), one.email)
            self._enter(self.boxes[person], read, values, at, own, labels[person])

    def _enter(
        self, box: _Box, read: Mail, values: dict[str, Any], at: int, address: str, labels: frozenset[str]
    ) -> None:
        bits = int.from_bytes(digest("import mail", values["message_id"], box.person, size=8)) >> 64 - RANDOM_BITS
        id = format((at // 1000 << RANDOM_BITS) | bits, "016x")
        thread = box.thread_of(values["subject"], values["answers"]) or id
        entry = _Entry(id, thread, self.number, at, values["subject"], address, labels)
        box.entries.append(entry)
        box.known[values["message_id"]].append(entry)


def _add_entries(landing: Landing, box: _Box) -> None:
    """The messages of a mailbox with their labels, system labels by id, the owner's own by name."""
    own = sorted({label for one in box.entries for label in one.labels if _is_own(label)})
    ids = {label: f"Label_{number}" for number, label in enumerate(own, 1)}
    change = landing.pseudonyms.change if landing.pseudonyms is not None else str
    for label, id in ids.items():
        landing.sink.add(m.Label, person_id=box.person, id=id, name=change(label))
    for number, one in enumerate(box.entries, 1):
        labels = {LABELS.get(label.lower()) or ids.get(label, "") for label in one.labels} - {""}
        landing.sink.add(
            m.Message,
            id=one.id,
            person_id=box.person,
            thread_id=one.thread,
            mail_id=one.mail,
            internal_at=one.at,
            is_unread="UNREAD" in labels,
            is_spam="SPAM" in labels,
            trashed_at=one.at if "TRASH" in labels else None,
            delivered_to=one.address,
            history_id=1000 + number,
        )
        for label in sorted(labels - {"UNREAD", "SPAM", "TRASH"}):
            landing.sink.add(
                m.MessageLabel,
                message_id=one.id,
                label_id=label,
                person_id=box.person,
                thread_id=one.thread,
                mail_id=one.mail,
                internal_at=one.at,
            )


def _is_own(label: str) -> bool:
    return label.lower() not in LABELS and label.lower() not in PLAIN


def change_mail(mail: Mail, at: int, pseudonyms: Pseudonyms) -> bytes:
    """A mail written anew under pseudonyms: texts, people and references; what is attached is left out."""

    def people(listed: Iterable[Address]) -> tuple[Address, ...]:
        return tuple(Address(pseudonyms.change_name(one.name), pseudonyms.change_address(one.email)) for one in listed)

    assert mail.sender is not None
    return build(
        Outgoing(
            people([mail.sender])[0],
            at,
            pseudonyms.change(mail.message_id),
            to=people(mail.to),
            cc=people(mail.cc),
            bcc=people(mail.bcc),
            subject=re.sub(r"\s+", " ", pseudonyms.change(mail.subject)),
            text=pseudonyms.change(mail.text),
            html=pseudonyms.change(mail.html) if mail.html else None,
            in_reply_to=pseudonyms.change(mail.in_reply_to),
            references=tuple(pseudonyms.change(one) for one in mail.references),
            extra=(("Auto-Submitted", "auto-generated"),) if mail.automatic else (),
        )
    )


def copy_of(raw: bytes, *, own: bool) -> bytes:
    """A mail as it lies in a mailbox: blind receivers are named in their writer's only."""
    return raw if own else without_bcc(raw)
