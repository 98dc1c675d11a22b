"""Mail between people: authored exchanges, told with the issues and incidents they belong to."""

from collections.abc import Sequence
from dataclasses import dataclass

from seeds.chat_style import apply_style
from seeds.company import Client, Staff
from seeds.content_packs import SLOT, Letter, MailTurn
from seeds.conversation_timing import StoryWriter
from seeds.events import OUTSIDE, Event, Mailed, bare
from seeds.hours import NeverAgain
from seeds.mail_style import Manners, add_salutation, draw_answer_delay, employer, manners_of, outsider
from seeds.mailing_lists import circles
from seeds.role_selectors import RoleNotFilled, cast
from seeds.slots import Slots, draw_value
from seeds.spec import MESS
from seeds.stories.issues import Issues, Life
from world.core.clock import DAY, MINUTE, SECOND
from world.core.rng import Stream

INBOXES = ("support", "finance", "invoices")  # lists that outsiders write to and that keep their copy of the answers
LEAST = {"work": 4 * MINUTE, "hours": 40 * MINUTE}  # least delay for an authored gap
PHASES = (
    "before",
    "created",
    "started",
    "review",
    "done",
    "fault",
    "detected",
    "declared",
    "found",
    "mitigated",
    "resolved",
    "reviewed",
)


@dataclass(frozen=True, slots=True)
class Envelope:
    """Sender and recipients of a mail of an exchange."""

    sender: str
    to: tuple[str, ...]
    cc: tuple[str, ...]


class Letters:
    """Tells letters one by one; a letter that nobody here can write, or that would begin after now, is left out."""

    def __init__(self, teller: StoryWriter, issues: Issues) -> None:
        self.teller, self.issues, self.circles = teller, issues, circles(teller.company)
        self.count = 0
        self._manners: dict[str, Manners] = {}
        self._outside: dict[str, Staff] = {}

    def tell(self, letters: Sequence[Letter], wanted: int) -> None:
        """Letters of issues and with files first, then others in random order, until `wanted` mails are written."""
        draw = self.teller.spec.stream("letters", "order")
        bound = [one for one in letters if one.about or names_files(one)]
        for letter in (*bound, *draw.shuffled([one for one in letters if one not in bound])):
            if self.count < wanted:
                self._tell(letter)

    def _tell(self, letter: Letter) -> None:
        life = self.issues.lives.get(letter.about)
        if letter.about and (life is None or life.made is None):
            return
        for attempt in range(24):
            draw = self.teller.spec.stream("letter", letter.id, attempt)
            try:
                if self._tell_letter(letter, life, draw):
                    return
            except (RoleNotFilled, NeverAgain):
                continue

    def _tell_letter(self, letter: Letter, life: Life | None, draw: Stream) -> bool:
        teller = self.teller
        slots = Slots(teller.company, {})
        if life is not None:
            self._subject(slots, life)
        for name, kind in letter.needs.items():
            slots.values[name] = draw_value(
                kind, teller.spec.stream("letter", letter.id, name), teller.company, slots.values
            )
        day = self._base(life, letter.at) if life else teller.spec.window_start + draw.integer(1, 29) * DAY
        slots.roles = self._cast(letter, slots, life, day, draw)
        first = slots.roles[letter.mails[0].by]
        begin = day + draw_answer_delay(draw) // 4 if life else teller.moment(letter.at, first, draw, exact=True)
        begin = begin if "before" in letter.at.split() else teller.hours.next_working(first, begin, draw)
        if not teller.spec.window_start <= begin < teller.spec.start - 3 * MINUTE or not all(
            one.is_employed(begin) for one in slots.roles.values()
        ):
            return False
        self._exchange(letter, slots, begin, draw)
        return True

    def _subject(self, slots: Slots, life: Life) -> None:
        """What an issue's texts name is what its mail names; its customer is the customer of its mail."""
        made = life.made
        slots.values.update(life.slots.values)
        name = getattr(made.facts, "customer", "") if made else ""
        client = next((one for one in self.teller.company.clients.values() if one.name == name), None)
        if client is not None:
            slots.values["cust"] = client
        slots.moments = {name: at for name, at in life.at.items() if at < self.teller.spec.start}

    def _base(self, life: Life, at: str) -> int:
        word = next((word for word in at.split() if word in PHASES), "created")
        if word == "before":
            return (
                life.at["created"]
                - self.teller.spec.stream("letter", life.ticket.id, "before").integer(15, 90) * MINUTE
            )
        if word not in life.at:
            raise RoleNotFilled(f"{life.ticket.id} never reached {word}")
        return life.at[word] + 5 * MINUTE

    def _cast(self, letter: Letter, slots: Slots, life: Life | None, at: int, draw: Stream) -> dict[str, Staff]:
        own: dict[str, Staff] = {}
        asked: dict[str, str] = {}
        for role, selector in letter.roles.items():
            if selector.startswith("outside "):
                own[role] = self._contact(selector, slots)
            elif selector in ("reporter", "assignee"):
                found = (life.assignee or life.reporter if selector == "assignee" else life.reporter) if life else None
                if found is None or not found.is_employed(at):
                    raise RoleNotFilled(f"no {selector} of {letter.id}")
                own[role] = found
            else:
                asked[role] = selector
        return {
            **own,
            **cast(self.teller.company, asked, draw, at, taken=[one for one in own.values() if one.kind == "employee"]),
        }

    def _contact(self, selector: str, slots: Slots) -> Staff:
        _, name, *number = selector.split()
        client = slots.values.get(name) or self.teller.company.clients.get(name)
        if not isinstance(client, Client):
            raise RoleNotFilled(f"no {name} to write")
        place = int(number[0]) - 1 if number else 0
        if place >= len(client.contacts):
            raise RoleNotFilled(f"{name} has no such contact")
        one = client.contacts[place]
        if one.id not in self._outside:
            self._outside[one.id] = outsider(self.teller.spec, client, one)
        return self._outside[one.id]

    def _exchange(self, letter: Letter, slots: Slots, at: int, draw: Stream) -> None:
        """The mails in order; one that would fall after now is not written yet, nor are those behind it."""
        envelopes, events = self._envelopes(letter, slots, at), list[Event]()
        subject = bare(slots.fill(letter.subject, slots.roles[letter.mails[0].by], at))
        for mail, envelope in zip(letter.mails, envelopes, strict=True):
            one, named = slots.roles[mail.by], self._find_last_creation(mail)
            reached = self._find_phase(letter, mail)
            if reached is None:
                return
            if events or max(named, reached) > at:
                at = self._when(mail, one, max(events[-1].at if events else at, named, reached), draw)
            if at >= self.teller.spec.start - 30 * SECOND or not one.is_employed(at):
                return
            events.append(self._write(letter, mail, one, slots, at, events, envelope, subject))

    def _envelopes(self, letter: Letter, slots: Slots, at: int) -> list[Envelope]:
        """Return the envelope of each mail of a letter.

        Nobody answers a mail they did not get. If the first mail goes to a list without the person who answers, it goes
        to that person instead. Raises RoleNotFilled when a later mail has this problem.
        """
        made: list[Envelope] = []
        for mail in letter.mails:
            one = slots.roles[mail.by]
            if made and not self._had(one, made[-1], at):
                if len(made) > 1:
                    raise RoleNotFilled(f"{one.seat} answers what they did not get")
                made[0] = Envelope(made[0].sender, (one.email,), made[0].cc)
            made.append(self._build_envelope(mail, one, slots, made[-1] if made else None))
        return made

    def _had(self, one: Staff, before: Envelope, at: int) -> bool:
        """Whether somebody wrote or received a mail."""
        listed = (circle for circle in self.circles.values() if circle.address in (*before.to, *before.cc))
        return one.email in (before.sender, *before.to, *before.cc) or any(
            one in circle.members(self.teller.company, at) for circle in listed
        )

    def _find_last_creation(self, mail: MailTurn) -> int:
        """Return the time at which the last of the issues that a mail names was created."""
        lives = [
            self.issues.lives.get(slot.removeprefix("issue."))
            for slot in SLOT.findall(mail.say)
            if slot.startswith("issue.")
        ]
        if any(life is None or life.made is None for life in lives):
            raise RoleNotFilled("names an issue that does not exist")
        return max((life.made.at for life in lives if life and life.made), default=0)

    def _find_phase(self, letter: Letter, mail: MailTurn) -> int | None:
        """Return the time a mail waits for, 0 for none; None if its issue has not come so far.

        What is told of finished work waits until the chat has heard of it, and been told that a mail will follow.
        """
        life = self.issues.lives.get(letter.about)
        if life is None or not mail.phase:
            return 0
        return life.closing.at if mail.phase == "done" and life.closing else life.at.get(mail.phase)

    def _when(self, mail: MailTurn, one: Staff, before: int, draw: Stream) -> int:
        gap = (
            max(draw_answer_delay(draw), LEAST.get(mail.gap, 0))
            if mail.gap in ("", *LEAST)
            else self.teller.hours.gap(mail.gap, one, draw)
        )
        return self.teller.hours.next_working(one, before + gap, draw)

    def _write(
        self,
        letter: Letter,
        mail: MailTurn,
        one: Staff,
        slots: Slots,
        at: int,
        events: list[Event],
        envelope: Envelope,
        subject: str,
    ) -> Event:
        before = events[-1].id if events else ""
        text = self._text(
            mail, one, slots, at, envelope.to, first=not before or mail.forward, path=(letter.id, len(events))
        )
        facts = Mailed(
            sender=(one.full, one.email),
            to=envelope.to,
            cc=envelope.cc,
            subject=subject,
            text=text,
            answers="" if mail.forward else before,
            forwards=before if mail.forward else "",
            files=tuple((name, bare(slots.fill(letter.files[name], one, at))) for name in mail.files),
        )
        self.count += 1
        actor = one.id if one.kind == "employee" else OUTSIDE + one.email
        return self._add(letter, mail, at, actor, facts, before)

    def _add(self, letter: Letter, mail: MailTurn, at: int, actor: str, facts: Mailed, before: str) -> Event:
        """Log a mail: in the story of the issue that it is about, as the cause of that issue where it came first."""
        life = self.issues.lives.get(letter.about)
        if life is None or life.made is None:
            causes = [before] if before else []
            return self.teller.log.add(f"mail.{letter.id}", at, actor, facts, causes=causes, part=letter.id)
        known = (life.closing or life.finished) if mail.phase == "done" else life.made
        causes = [one for one in (before, known.id if known and known.at < at else "") if one]
        event = self.teller.log.add(life.story, at, actor, facts, causes=causes, part=letter.id)
        if not before and at < life.made.at:
            self.teller.log.add_cause(life.made.id, event.id)
        return event

    def _build_envelope(self, mail: MailTurn, one: Staff, slots: Slots, before: Envelope | None) -> Envelope:
        """To and Cc: those named, or for an answer its writer and all who had it; an answer leaves large lists out."""
        cc = tuple(self._address(name, slots) for name in mail.cc)
        if mail.to or before is None:
            return Envelope(one.email, tuple(self._address(name, slots) for name in mail.to), cc)
        to = before.to if before.sender == one.email else (before.sender,)
        broad = {circle.address for name, circle in self.circles.items() if name not in INBOXES}
        others = dict.fromkeys(
            other for other in (*before.to, *before.cc, *cc) if other not in (*to, one.email) and other not in broad
        )
        return Envelope(one.email, to, tuple(others))

    def _address(self, name: str, slots: Slots) -> str:
        if not name.startswith("@"):
            return slots.roles[name].email
        circle = self.circles.get(name[1:])
        if circle is None or not circle.members(self.teller.company, self.teller.spec.start):
            raise RoleNotFilled(f"nobody is on {name}")
        return circle.address

    def _text(
        self,
        mail: MailTurn,
        one: Staff,
        slots: Slots,
        at: int,
        to: tuple[str, ...],
        *,
        first: bool,
        path: tuple[str, int],
    ) -> str:
        teller = self.teller
        draw = teller.spec.stream("letter", *path, "style")
        manners = self._manners.setdefault(one.id, manners_of(teller.spec, one, employer(teller.company, one)))
        text = apply_style(
            slots.fill(mail.say.strip(), one, at), one.style, draw, typo_rate=0.012 * MESS[teller.spec.mess]
        )
        names = {person.email: person.first for person in slots.roles.values()}
        listed = any(circle.address in to for circle in self.circles.values())
        outside = not one.email.endswith(teller.company.domain)
        others = () if listed and not outside else tuple(names[address] for address in to if address in names)
        return add_salutation(text, manners, others, first=first, draw=draw)


def names_files(letter: Letter) -> bool:
    """Whether files or spreadsheets hang on a letter."""
    return bool(letter.files) or any("{sheet." in mail.say or "credit" in mail.say for mail in letter.mails)
