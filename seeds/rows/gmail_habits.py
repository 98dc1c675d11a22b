"""Mail habits of people: labels and filters, read or not, archived, starred, thrown away, drafts, settings."""

from collections.abc import Sequence
from dataclasses import dataclass

from apps.gmail import content
from apps.gmail import models as m
from apps.gmail.labels import CATEGORIES
from apps.gmail.mailbox import RANDOM_BITS
from apps.gmail.mime.addresses import Address
from apps.gmail.mime.build import Outgoing, build
from apps.gmail.mime.headers import read_mail
from seeds.company import Company, Staff
from seeds.mail_style import manners_of
from seeds.rows.row_collector import Sink
from seeds.spec import Spec
from world.core.clock import DAY, HOUR, MINUTE, to_datetime, zone_info
from world.core.directory import Blob
from world.core.ids import Ids
from world.core.rng import Stream


@dataclass(slots=True)
class Entry:
    """A mail in one mailbox, before its owner has touched it."""

    id: str
    thread: str
    mail: int
    at: int
    subject: str
    kind: str
    sender: str
    address: str
    labels: set[str]
    draw: Stream


@dataclass(frozen=True, slots=True)
class Shelf:
    """A label that somebody keeps: the mail filed there, by sender or list, and whether a filter skips the inbox."""

    name: str
    query: str
    sender: str = ""
    to: str = ""
    subject: str = ""
    skips: bool = False
    colour: tuple[str, str] = ("", "")

    def takes(self, entry: Entry) -> bool:
        """Whether a mail belongs there."""
        if not entry.address:
            return False
        by_address = (
            self.sender in entry.sender if self.sender else entry.address.startswith(self.to) if self.to else True
        )
        return by_address and self.subject.lower() in entry.subject.lower()


SHELVES = (
    Shelf("Jira", "from:jira@quayline.atlassian.example", sender="jira@", skips=True),
    Shelf(
        "Alerts",
        "from:alertmanager@bots.quayline.example",
        sender="alertmanager@",
        skips=True,
        colour=("#ffffff", "#cc3a21"),
    ),
    Shelf("Releases", "from:deploybot@bots.quayline.example", sender="deploybot@", skips=True),
    Shelf("Newsletters", "unsubscribe", sender=".example", subject=":", skips=False),
    Shelf("Customers", "to:support@quayline.example", to="support@", colour=("#094228", "#b9e4d0")),
    Shelf("Slack", "from:notification@slack.example", sender="notification@slack"),
    Shelf("Calendar", "from:calendar-notification@calendar.example", sender="calendar-notification@", skips=True),
    Shelf("Finance", "to:finance@quayline.example", to="finance@", colour=("#7a4706", "#fce8b3")),
    Shelf("CI", "from:ci@bots.quayline.example", sender="ci@bots", skips=True),
    Shelf("Announcements", "to:everyone@quayline.example", to="everyone@"),
)


def first_labels(kind: str, automatic: bool, by_list: bool) -> set[str]:
    """Return the labels of arriving mail before anybody looks at it."""
    personal, _, promotions, updates, forums = CATEGORIES
    if kind == "spam":
        return {"SPAM", "UNREAD"}
    if kind == "list":
        return {"INBOX", "UNREAD", promotions}
    if by_list:
        return {"INBOX", "UNREAD", forums}
    return {"INBOX", "UNREAD", updates} if automatic else {"INBOX", "UNREAD", "IMPORTANT", personal}


def settle(spec: Spec, company: Company, one: Staff, entries: Sequence[Entry], sink: Sink) -> None:
    """One person's mailbox as it stands at the start, with its settings."""
    draw = spec.stream("mail", one.seat, "habits")
    box = Habits(spec, company, one, draw)
    shelves = box.shelves(entries)
    base = spec.stream("mail", one.seat, "history").integer(21_000, 940_000)
    for number, (id, shelf) in enumerate(shelves.items(), 1):
        _label(one, id, shelf, sink)
        if shelf.skips or number % 2:
            _filter(spec, one, id, shelf, sink)
    for back, entry in enumerate(reversed(entries)):
        box.touch(entry, shelves)
        _rows(one, entry, base - back, sink)
    _settings(spec, company, one, draw, sink)
    if draw.random() < 0.25 and one.is_employed(spec.start):
        _draft(spec, company, one, base, sink)


def _label(one: Staff, id: str, shelf: Shelf, sink: Sink) -> None:
    text, background = shelf.colour
    sink.add(m.Label, person_id=one.id, id=id, name=shelf.name, text_color=text, background_color=background)


def _filter(spec: Spec, one: Staff, id: str, shelf: Shelf, sink: Sink) -> None:
    ids = Ids(spec.seed, f"filter:{one.id}:{shelf.name}", 0)
    criteria = (
        {"from": shelf.query.removeprefix("from:")} if shelf.query.startswith("from:") else {"query": shelf.query}
    )
    action: dict[str, object] = {"addLabelIds": [id], **({"removeLabelIds": ["INBOX"]} if shelf.skips else {})}
    sink.add(
        m.Filter,
        id=f"ANe1Bm{ids.base62(32)}",
        person_id=one.id,
        criteria=criteria,
        action=action,
        created_at=min(one.joined_at + 20 * DAY, spec.start - 2 * DAY),
    )


def _rows(one: Staff, entry: Entry, history: int, sink: Sink) -> None:
    labels = entry.labels
    trashed = min(entry.at + 3 * HOUR, entry.at + entry.draw.integer(5, 170) * MINUTE) if "TRASH" in labels else None
    sink.add(
        m.Message,
        id=entry.id,
        person_id=one.id,
        thread_id=entry.thread,
        mail_id=entry.mail,
        internal_at=entry.at,
        is_unread="UNREAD" in labels,
        is_spam="SPAM" in labels,
        trashed_at=trashed,
        delivered_to=entry.address,
        history_id=history,
    )
    for label in sorted(labels - {"UNREAD", "SPAM", "TRASH"}):
        sink.add(
            m.MessageLabel,
            message_id=entry.id,
            label_id=label,
            person_id=one.id,
            thread_id=entry.thread,
            mail_id=entry.mail,
            internal_at=entry.at,
        )


class Habits:
    """Habits of one person in their mailbox."""

    def __init__(self, spec: Spec, company: Company, one: Staff, draw: Stream) -> None:
        self.spec, self.one = spec, one
        self.archives = draw.weighted((0.05, 0.5, 0.93), (4, 3, 3))
        self.lag = int(draw.lognormal(3, 0.8) * HOUR)
        self.ignores = draw.weighted((0.02, 0.3, 0.7), (3, 4, 3))  # share of what machines send that stays unread
        self.stars = 0.03 * draw.random()
        self.trashes = draw.weighted((0.0, 0.05, 0.25), (4, 4, 2))
        self.draw = draw

    def shelves(self, entries: Sequence[Entry]) -> dict[str, Shelf]:
        """Return the labels that would hold something, about the logarithm of the number of messages."""
        useful = [
            shelf
            for shelf in SHELVES
            if shelf.name != "Newsletters" and sum(shelf.takes(entry) for entry in entries) >= 3
        ]
        most = max(len(entries), 1).bit_length() // 2
        chosen = self.draw.shuffled(useful)[:most]
        return {f"Label_{number}": shelf for number, shelf in enumerate(chosen, 1)}

    def touch(self, entry: Entry, shelves: dict[str, Shelf]) -> None:
        """Read, file, archive, star, throw away."""
        labels, draw = entry.labels, entry.draw
        if "SPAM" in labels:
            return
        if entry.address:
            self._file(entry, shelves)
        machine = entry.kind != "person"
        seen = entry.at + self.lag * (1 + draw.integer(0, 3)) < self.spec.start
        left = self.one.left_at is not None and entry.at > self.one.left_at - 4 * HOUR
        if ("INBOX" not in labels and "SENT" in labels) or (
            seen and not left and draw.random() >= (self.ignores if machine else 0.02)
        ):
            labels.discard("UNREAD")
        if (
            "INBOX" in labels
            and "UNREAD" not in labels
            and entry.at < self.spec.start - 30 * HOUR
            and draw.random() < self.archives
        ):
            labels.discard("INBOX")
        if entry.address and draw.random() < self.stars:
            labels.add("STARRED")
        if machine and entry.address and "UNREAD" not in labels and draw.random() < self.trashes:
            labels.add("TRASH")
            labels.discard("INBOX")
        if machine and draw.random() < 0.12:
            labels.add("IMPORTANT")

    @staticmethod
    def _file(entry: Entry, shelves: dict[str, Shelf]) -> None:
        for id, shelf in shelves.items():
            if shelf.takes(entry):
                entry.labels.add(id)
                if shelf.skips:
                    entry.labels.discard("INBOX")


def _settings(spec: Spec, company: Company, one: Staff, draw: Stream, sink: Sink) -> None:
    """Signature, out-of-office while away, and where a leaver's mail goes."""
    signature = manners_of(spec, one, company.name).signature
    if signature:
        html = "<div>" + "<br>".join(signature.split("\n")) + "</div>"
        sink.add(
            m.SendAs,
            person_id=one.id,
            email=one.email,
            display_name=one.full,
            signature=html,
            is_default=True,
            treat_as_alias=False,
        )
    away = next(
        (
            gone
            for gone in company.absences
            if gone.seat == one.seat and gone.end_at > spec.start and gone.kind != "sick"
        ),
        None,
    )
    if away is not None and (away.start_at <= spec.start or draw.random() < 0.8):
        sink.add(
            m.Setting,
            person_id=one.id,
            name="vacation",
            value=_vacation(company, one, away.start_at, away.end_at, away.delegate),
        )
    manager = company.staff.get(one.manager or "")
    if one.left_at is not None and one.left_at <= spec.start and manager is not None:
        sink.add(m.Forwarding, person_id=one.id, email=manager.email)
        value = {"enabled": True, "emailAddress": manager.email, "disposition": "leaveInInbox"}
        sink.add(m.Setting, person_id=one.id, name="autoForwarding", value=value)


def _vacation(company: Company, one: Staff, start: int, end: int, delegate: str | None) -> dict[str, object]:
    """The vendor's object; times are milliseconds."""
    back = to_datetime(end, one.tz)
    other = company.staff.get(delegate or "")
    ask = f" Until then please write to {other.full} <{other.email}>." if other else ""
    text = f"I am out of the office and back on {back.day} {back:%B}.{ask}\n\n{one.first}"
    return {
        "enableAutoReply": True,
        "responseSubject": "Out of office",
        "responseBodyPlainText": text,
        "restrictToContacts": False,
        "restrictToDomain": False,
        "startTime": str(start // 1000),
        "endTime": str(end // 1000),
    }


DRAFTS = (
    ("", "Half a thought: we should write down who may promise what to whom. Will finish this when"),
    ("Notes for Thursday", "- numbers\n- the thing with the keys\n- ask about April"),
    ("Re: offsite", "Happy to help with the bus, but I will not"),
    ("Vacation in May", "Would the second half of May work for everyone? I have 9 days left and"),
)


def _draft(spec: Spec, company: Company, one: Staff, base: int, sink: Sink) -> None:
    """A mail somebody began and did not send."""
    draw, ids = spec.stream("mail", one.seat, "draft"), Ids(spec.seed, f"draft:{one.id}", 0)
    at = spec.start - draw.integer(3, 190) * HOUR - draw.integer(0, 3599) * 1_000_000
    subject, text = draw.choice(DRAFTS)
    manager = company.staff.get(one.manager or "")
    to = (Address(manager.full, manager.email),) if manager and draw.random() < 0.6 else ()
    header = f"<CA{ids.base62(42)}@mail.gmail.com>"
    raw = build(
        Outgoing(Address(one.full, one.email), at, header, to=to, subject=subject, text=text, zone=zone_info(one.tz))
    )
    values = content.describe_content(raw, read_mail(raw))
    number = -1 - len(sink.rows.get(m.Draft, ()))
    sink.add(Blob, sha256=values["sha256"], size=len(raw), data=raw)
    sink.add(
        m.Draft,
        mail_id=number,
        id=f"r{int(ids.hex(15), 16)}",
        person_id=one.id,
        updated_at=at,
        send_at=None,
        queued=None,
        **values,
    )
    sink.refer("gmail_draft", str(number), "e.people", "people", f"draft-{one.seat}")
    id = format((at // 1000 << RANDOM_BITS) | draw.bits() >> 64 - RANDOM_BITS, "016x")
    _rows(one, Entry(id, id, number, at, subject, "person", one.email, "", {"DRAFT"}, draw), base, sink)
