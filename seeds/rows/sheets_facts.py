"""Facts of the log that spreadsheets repeat: contracts, credits, incidents, releases; and the people who keep them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property

from seeds.company import Client, Company, Staff
from seeds.content_packs import PackEntry, load_texts
from seeds.events import Anchor, Deployed, Event, IssueChanged, IssueMade, Mailed, Posted
from seeds.rows.references import References
from seeds.rows.row_collector import Sink
from seeds.rows.sheets_builder import day_of
from seeds.spec import MESS, Spec
from world.core.clock import DAY, MINUTE
from world.core.rng import Stream

MONTHLY = {"enterprise": (33_600, 29_800, 10_900), "growth": (4_850, 2_650), "starter": (890, 390)}
MONTHS = tuple(date(2025 + i // 12, i % 12 + 1, 1) for i in range(14))
ENDS = (date(2026, 3, 31), date(2026, 4, 30), date(2026, 6, 30), date(2026, 6, 30), date(2026, 4, 15))
SELF_SERVE = "Self-serve"
GROWTH = 1.09  # January against the January before it, as the mail to everybody says


@dataclass(frozen=True, slots=True)
class Contract:
    """A customer's contract. `fee` is in cents a month; `outlook`: certain, likely, depends."""

    client: Client
    region: str
    fee: int
    since: date
    ends: date
    outlook: str
    promised: str
    signed: bool

    @property
    def value(self) -> int:
        """Cents a year."""
        return 12 * self.fee


@dataclass(frozen=True, slots=True)
class Credit:
    """A credit somebody promised by mail, in cents."""

    event: Event
    client: Client
    incident: str
    cents: int
    why: str
    invoice: str
    part: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Invoice:
    """One line of revenue: `kind` is Platform or Transactions, in cents."""

    month: date
    customer: str
    region: str
    kind: str
    cents: int


@dataclass(slots=True)
class IncidentRecord:
    """An incident as its ticket and its anchors tell it."""

    handle: str
    made: Event
    facts: IssueMade
    moments: Mapping[str, int] = field(default_factory=dict)
    status: str = ""


class SheetFacts:
    """The company and its log, asked for what sheets need."""

    def __init__(self, spec: Spec, company: Company, events: list[Event], refs: References, sink: Sink) -> None:
        self.spec, self.company, self.events, self.refs, self.sink = spec, company, events, refs, sink
        self.pack: PackEntry = load_texts("shop")["sheets"]
        self.people = company.by_id()
        self.tz = company.tz
        self.stories: dict[str, list[Event]] = {}
        for event in events:
            talk = {Mailed: f"mail.{event.part}", Posted: f"chat.{event.part}"}.get(type(event.facts), event.story)
            for name in dict.fromkeys((event.story, talk)):  # those about an issue are in its story, and found here too
                self.stories.setdefault(name, []).append(event)

    @property
    def messy(self) -> bool:
        """Whether anything may be wrong in a sheet."""
        return MESS[self.spec.mess] > 0

    def draw(self, *path: str | int) -> Stream:
        """A stream of the sheets alone."""
        return self.spec.stream("sheets", *path)

    def seat(self, *wanted: str) -> str:
        """The first of these seats that is held today; in a smaller company somebody of the team, then its head."""
        held = [seat for seat, one in self.company.staff.items() if one.is_employed(self.spec.start)]
        for seat in wanted:
            near = [one for one in held if one == seat] or [
                one for one in held if one.partition("-")[0] == seat.partition("-")[0]
            ]
            if near:
                return near[0]
        return "ceo"

    def who(self, *wanted: str) -> Staff:
        """The holder of such a seat."""
        return self.company.staff[self.seat(*wanted)]

    def day(self, at: int) -> date:
        """The day of a moment where the company is."""
        return day_of(at, self.tz)

    def since(self, *at: int) -> float:
        """Return the days since somebody entered the last of these times, 75 minutes after it; without times 20."""
        last = min(max(at) + 75 * MINUTE, self.spec.start - 9 * MINUTE) if at else self.spec.start - 20 * DAY
        return (self.spec.start - last) / DAY

    @property
    def today(self) -> date:
        """The world's first day."""
        return self.day(self.spec.start)

    def mails(self, letter: str) -> list[Event]:
        """The mails of a letter that were written."""
        return [event for event in self.stories.get(f"mail.{letter}", []) if isinstance(event.facts, Mailed)]

    def attachment(self, letter: str, name: str) -> tuple[Event, str] | None:
        """A file that went along with a mail of a letter, with the mail."""
        found = ((event, text) for event in self.mails(letter) for file, text in event.facts.files if file == name)  # type: ignore[union-attr]
        return next(found, None)

    def row_of(self, table: str, event_id: str) -> str:
        """The row that an event made."""
        return self._row_ids.get((table, event_id), "")

    def row_of_issue(self, handle: str) -> str:
        """The row of an issue."""
        made = self.issues.get(handle)
        return self.row_of("jira_issue", made.id) if made else ""

    @cached_property
    def _row_ids(self) -> dict[tuple[str, str], str]:
        tables = ("jira_issue", "gmail_mail", "slack_message")
        return {
            (table, ref["event_id"]): ref["row_id"] for table in tables for ref in reversed(self.sink.references(table))
        }

    @cached_property
    def customers(self) -> list[Client]:
        """Organisations with a contract."""
        return [one for one in self.company.clients.values() if one.kind == "customer"]

    @cached_property
    def by_mail(self) -> dict[str, Client]:
        """Customers by the addresses of their people."""
        return {person.email: one for one in self.company.clients.values() for person in one.contacts}

    @cached_property
    def issues(self) -> dict[str, Event]:
        """The making of every issue, by handle."""
        return {event.facts.issue: event for event in self.events if isinstance(event.facts, IssueMade)}

    def key(self, handle: str) -> str:
        """The key of an issue."""
        return self.refs.issue_keys[handle]

    # contracts and money

    def _find_customer(self, story: str) -> Client | None:
        """Return the customer of a conversation: the one written to, or the one named."""
        for event in self.stories.get(story if story.startswith("chat.") else f"mail.{story}", []):
            facts = event.facts
            if isinstance(facts, Mailed):
                found = next((self.by_mail[one] for one in (*facts.to, facts.sender[1]) if one in self.by_mail), None)
                if found:
                    return found
            if isinstance(facts, (Mailed, Posted)):
                named = next((one for one in self.customers if one.name in facts.text), None)
                if named:
                    return named
        return None

    @cached_property
    def contracts(self) -> list[Contract]:
        """Every customer's, in the order of the company."""
        made = self.issues.get("esc-credit")
        in_may = {one.handle for story in self.pack["may"] if (one := self._find_customer(story))}
        in_may |= {one.handle for one in self.customers if made and one.name == getattr(made.facts, "customer", "")}
        signed = self._find_customer(self.pack["signed"])
        outlooks = self._outlooks(signed.handle if signed and signed.handle not in in_may else "")
        return [self._contract(i, one, in_may, signed, outlooks) for i, one in enumerate(self.customers)]

    def _outlooks(self, signed: str) -> dict[str, str]:
        """Of nine: five certain, two likely, two that depend on us."""
        rest = self.draw("outlook").shuffled([one.handle for one in self.customers if one.handle != signed])
        order = ([signed] if signed else []) + rest
        unsure = max(len(order) * 2 // 9, 1)
        depends, likely = order[-unsure:], order[-2 * unsure : -unsure]
        return {one: "depends" if one in depends else "likely" if one in likely else "certain" for one in order}

    def _contract(
        self, i: int, one: Client, in_may: set[str], signed: Client | None, outlooks: Mapping[str, str]
    ) -> Contract:
        draw = self.draw("contract", one.domain)
        steps = MONTHLY[one.tier]
        rank = sum(other.tier == one.tier for other in self.customers[:i])
        fee = steps[rank] if one.tier == "enterprise" else draw.integer(steps[1] // 5, steps[0] // 5) * 5
        depends = [handle for handle in outlooks if outlooks[handle] == "depends"]
        promised = self.pack["promises"][depends.index(one.handle)] if one.handle in depends[:2] else ""
        is_signed = signed is one and one.handle not in in_may
        ends = (
            date(2026, 5, 31) if one.handle in in_may else date(2028, 3, 31) if is_signed else ENDS[draw.integer(0, 4)]
        )
        if depends and one.handle == depends[0] and one.handle not in in_may:
            ends = date(2026, 2, 28)
        since = date(ends.year - (2 if is_signed else 0) - draw.integer(2, 6), 1 + draw.integer(0, 11), 1)
        return Contract(one, self.region(one.tz), fee * 100, since, ends, outlooks[one.handle], promised, is_signed)

    def region(self, tz: str) -> str:
        """The sales region of a zone."""
        regions: Mapping[str, str] = self.pack["regions"]
        return regions.get(tz) or regions[tz.partition("/")[0]]

    @cached_property
    def credits(self) -> list[Credit]:
        """Every credit promised by mail, in order of time."""
        fees = {one.client.handle: one.fee for one in self.contracts}
        found: list[Credit] = []
        for one in self.pack["credits"]:
            mails = self.mails(one["letter"])
            if len(mails) <= one["mail"]:
                continue
            event, (part, whole) = mails[one["mail"]], one["parts"]
            client = next(self.by_mail[to] for to in event.facts.to if to in self.by_mail)  # type: ignore[union-attr]
            cents = fees[client.handle] * part // whole
            found.append(Credit(event, client, one["incident"], cents, one["why"], one["invoice"], (part, whole)))
        return sorted(found, key=lambda credit: credit.event.at)

    @cached_property
    def invoices(self) -> list[Invoice]:
        """Revenue of every month; this January is nine percent above the last."""
        made: list[Invoice] = []
        totals: dict[date, int] = {}
        for number, month in enumerate(MONTHS):
            lines = [line for one in self.contracts for line in self._lines(one, number, month)]
            named = sum(line.cents for line in lines)
            draw = self.draw("self-serve", number)
            rest = int(sum(one.fee for one in self.contracts) * (0.86 + 0.012 * number) * draw.lognormal(1, 0.03))
            if month == date(2026, 1, 1):
                rest = round(GROWTH * totals[date(2025, 1, 1)]) - named
            totals[month] = named + rest
            made += [*lines, Invoice(month, SELF_SERVE, SELF_SERVE, "Transactions", rest)]
        return made

    def _lines(self, one: Contract, number: int, month: date) -> list[Invoice]:
        season = (0.93, 0.95, 1.02, 1.0, 1.03, 1.05, 0.98, 0.94, 1.02, 1.04, 1.09, 0.97)[month.month - 1]
        fee = one.fee if month.year == 2026 else one.fee * 96 // 100
        moved = int(
            one.fee
            * 0.88
            * season
            * self.draw("revenue", one.client.domain, number).lognormal(1 + 0.004 * number, 0.05)
        )
        name = one.client.name
        return [
            Invoice(month, name, one.region, "Platform", fee),
            Invoice(month, name, one.region, "Transactions", moved),
        ]

    # operations

    @cached_property
    def troubles(self) -> list[IncidentRecord]:
        """The incidents, the oldest first."""
        found = [
            IncidentRecord(event.facts.issue, event, event.facts)
            for event in self.events
            if isinstance(event.facts, IssueMade) and event.facts.severity
        ]
        for one in found:
            told = self.stories[one.made.story]
            one.moments = {
                event.facts.name: event.at
                for event in told
                if isinstance(event.facts, Anchor) and event.at < self.spec.start
            }
            one.status = self.status(one.handle)
        return sorted(found, key=lambda one: one.made.at)

    def status(self, handle: str) -> str:
        """An issue's status today."""
        found = self.issues[handle].facts.status  # type: ignore[union-attr]
        for event in self.events:
            if isinstance(event.facts, IssueChanged) and event.facts.issue == handle:
                found = next((change.new for change in event.facts.changes if change.field == "status"), found)
        return found

    @cached_property
    def releases(self) -> list[tuple[Event, Deployed]]:
        """Every release that reached production, the oldest first."""
        return [(event, event.facts) for event in self.events if isinstance(event.facts, Deployed)]

    @cached_property
    def due(self) -> list[tuple[str, IssueMade]]:
        """Issues with a due date: handle and facts, the soonest first."""
        found = [
            (one.facts.issue, one.facts)
            for one in self.issues.values()
            if isinstance(one.facts, IssueMade) and one.facts.due
        ]
        return sorted(found, key=lambda one: (one[1].due, one[0]))
