"""Telling: turns an authored conversation into posted messages at times when those people would write."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from seeds.bursts import draw_pause_s, split_thought
from seeds.chat_style import apply_style
from seeds.company import WEEKDAYS, Company, Staff
from seeds.content_packs import Turn
from seeds.events import OPEN, Edited, Event, Log, Pinned, Posted, Reacted, token
from seeds.hours import Hours, NeverAgain
from seeds.slots import Slots
from seeds.spec import MESS, Spec
from seeds.temper import Temper, apply_temper, draw_temper
from world.core.clock import DAY, HOUR, MINUTE, SECOND, to_datetime
from world.core.rng import Stream

ANCIENT = re.compile(r"\bd\d+\b")
# How many times faster than the first answer come those after it, by gap.
LIVELY = {"": 8, "now": 8, "short": 8, "work": 8, "hours": 4}
QUIET = 25 * MINUTE  # kept between two conversations of a channel where possible


@dataclass(slots=True)
class Room:
    """A channel as the stories know it: its members with the time they joined, and when it was open."""

    key: str
    name: str
    kind: str
    born_at: int
    joined: dict[str, int] = field(default_factory=dict)
    archived_at: int | None = None
    busy: list[tuple[int, int]] = field(default_factory=list)

    def seats(self, at: int) -> list[str]:
        """Return the seats of the people in the room at a time."""
        return [seat for seat, since in self.joined.items() if since <= at]

    def open(self, at: int) -> bool:
        """Whether the room exists and is not archived."""
        return self.born_at <= at and (self.archived_at is None or at < self.archived_at)

    def is_crowded(self, start: int, end: int) -> bool:
        """Whether another conversation is going on near a span of time."""
        return any(start < b + QUIET and a < end + QUIET for a, b in self.busy)


class StoryWriter:
    """Holds the company, its rooms and the growing log; every story speaks through it."""

    def __init__(self, spec: Spec, company: Company) -> None:
        self.spec, self.company, self.hours, self.log = spec, company, Hours(company), Log()
        self.people = company.by_id()
        self.rooms: dict[str, Room] = {}
        self.spoken = 0
        self._reacted: set[tuple[str, str, str]] = set()
        self._typo = 0.04 * MESS[spec.mess]
        self._tempers: dict[str, Temper] = {}

    def post(
        self,
        story: str,
        one: Staff,
        channel: str,
        text: str,
        at: int,
        *,
        thread: str = "",
        causes: Sequence[str] = (),
        part: str = "",
        ack: bool = False,
    ) -> Event:
        """One message, written in the person's style if it is a person."""
        human = one.kind == "employee"
        if human:
            text = apply_temper(text, self._find_temper(one), self.spec.stream(story, part, at, "temper"))
            text = apply_style(text, one.style, self.spec.stream(story, part, at, "style"), typo_rate=self._typo)
            self.spoken += 1
        return self.log.add(story, at, one.id, Posted(channel, text, thread, human, ack), causes=causes, part=part)

    def say(
        self, story: str, one: Staff, channel: str, text: str, at: int, *, causes: Sequence[str] = (), part: str = ""
    ) -> Event:
        """One thought outside a conversation, as several messages where its writer sends it so; returns the last."""
        draw, span = self.spec.stream(story, part, at, "burst"), (at, self.spec.start - SECOND)
        _, text, at = self._post_burst(story, one, channel, text, span, causes, part, "", draw)
        return self.post(story, one, channel, text, at, causes=causes, part=part)

    def _find_temper(self, one: Staff) -> Temper:
        if one.id not in self._tempers:
            self._tempers[one.id] = draw_temper(self.spec, one.id, one.style.voice)
        return self._tempers[one.id]

    def timeline(
        self,
        turns: Sequence[Turn],
        roles: dict[str, Staff],
        start: int,
        draw: Stream,
        *,
        urgent: bool = False,
        moments: Mapping[str, int] | None = None,
        lively: bool = False,
    ) -> list[int]:
        """Return the time of each turn: the gap its author takes, moved to working time unless it is urgent.

        A turn that names a moment of its story waits for it. A lively talk is fast once somebody has answered.
        """
        at, times, before = start, list[int](), ""
        for i, turn in enumerate(turns):
            one = roles[turn.by]
            if i:
                gap = self.hours.gap(turn.gap or ("now" if turn.by == before else "short"), one, draw)
                gap = gap // LIVELY.get(turn.gap, 1) if lively and i > 1 else gap
                at += min(gap // 2, 9 * MINUTE) if urgent and turn.gap in ("", "short", "work") else gap
            if moments and turn.phase in moments:
                at = max(at, moments[turn.phase] + self.hours.gap("short", one, draw) // 2)
            if not urgent or turn.gap == "overnight":
                patient = one.style.late > draw.random() and self.hours.is_working(one, at, grace=150)
                at = at if patient else self.hours.next_working(one, at, draw)
            times.append(at)
            before = turn.by
        return times

    def tell(
        self,
        story: str,
        place: str,
        turns: Sequence[Turn],
        slots: Slots,
        times: Sequence[int],
        *,
        causes: Sequence[str] = (),
        part: str = "",
        bursts: bool = False,
    ) -> list[Event]:
        """Post the turns; a reply belongs to the last message outside a thread. Returns the message that ends each.

        With `bursts` people send several messages where one thought has several sentences.
        """
        made: list[Event] = []
        root = ""
        limits = [*times[1:], self.spec.start - SECOND]
        for turn, at, limit in zip(turns, times, limits, strict=True):
            one = slots.roles[turn.by]
            draw = self.spec.stream(story, part, len(made), "turn")
            text = self._address_reply(slots.fill(turn.say, one, at), turn, one, made, place, draw)
            cause = [made[-1].id] if made else list(causes)
            if bursts and one.kind == "employee" and "ack" not in turn.flags:
                thread = root if turn.reply else ""
                first, text, at = self._post_burst(story, one, place, text, (at, limit), cause, part, thread, draw)
                root = root or first
            event = self.post(
                story,
                one,
                place,
                text,
                at,
                thread=root if turn.reply else "",
                causes=cause,
                part=part,
                ack="ack" in turn.flags,
            )
            root = root if turn.reply else event.id
            made.append(event)
            self._afterwards(event, turn, one, place, draw)
        if made:
            self.rooms[place].busy.append((made[0].at, max(e.at for e in made if not _reply(e))))
        return made

    def _post_burst(
        self,
        story: str,
        one: Staff,
        place: str,
        text: str,
        span: tuple[int, int],
        causes: Sequence[str],
        part: str,
        thread: str,
        draw: Stream,
    ) -> tuple[str, str, int]:
        """Post all but the last message of a thought; return the first one's id, and text and time of the last."""
        at, limit = span
        pieces = split_thought(text, one.style.voice, draw)
        pauses = [int(draw_pause_s(len(piece.split()), draw) * SECOND) for piece in pieces[1:]]
        room = (limit - at) * 3 // 4
        if sum(pauses) > room:
            pauses = [pause * room // sum(pauses) for pause in pauses]
        if pauses and min(pauses) < 2 * SECOND:
            return "", text, at
        first = ""
        for piece, pause in zip(pieces, pauses, strict=False):
            event = self.post(story, one, place, piece, at, thread=thread, causes=causes, part=part)
            first, at, causes = first or event.id, at + pause, [event.id]
        return first, pieces[-1], at

    def _address_reply(self, text: str, turn: Turn, one: Staff, made: Sequence[Event], place: str, draw: Stream) -> str:
        """A late answer in a channel sometimes names whom it answers."""
        if not made or made[-1].actor == one.id or self.rooms[place].kind in ("im", "mpim") or one.kind != "employee":
            return text
        chance = 0.35 if turn.gap in ("work", "hours", "overnight") else 0.12
        other = self.people[made[-1].actor]
        if other.kind != "employee" or text.startswith((OPEN, "*")) or draw.random() >= chance:
            return text
        return f"{token('p', other.id)} {text}"

    def _afterwards(self, event: Event, turn: Turn, one: Staff, place: str, draw: Stream) -> None:
        """Reactions the author asked for, pins, and the odd correction."""
        if "pin" in turn.flags:
            self._later(event, one, Pinned(event.id), self.hours.minutes(0.3, 4, draw))
        if "edit" in turn.flags or (one.kind == "employee" and draw.random() < 0.036):
            self._later(event, one, Edited(event.id), self.hours.minutes(0.3, 6, draw))
        for emoji, times in turn.react:
            self.react(event, place, emoji, times, draw)

    def react(self, event: Event, place: str, emoji: str, times: int, draw: Stream) -> None:
        """Up to `times` people of the room react while they are at work."""
        room, added = self.rooms[place], 0
        for seat in draw.shuffled(room.seats(event.at)):
            one = self.company.who(seat)
            at = event.at + int(draw.lognormal(240, 1.1)) * SECOND + draw.integer(0, SECOND - 1)
            if added == times:
                return
            if (event.id, emoji, seat) in self._reacted or one.kind != "employee" or one.id == event.actor:
                continue
            if at < self.spec.start and self.hours.is_working(one, at) and room.open(at):
                self._reacted.add((event.id, emoji, seat))
                self.log.add(event.story, at, one.id, Reacted(event.id, emoji), causes=[event.id], part=event.part)
                added += 1

    def _later(self, event: Event, one: Staff, facts: Pinned | Edited, delay: int) -> None:
        at = min(event.at + delay, self.spec.start - SECOND)
        if at > event.at and one.is_employed(at):
            self.log.add(event.story, at, one.id, facts, causes=[event.id], part=event.part)

    def start_of(
        self, when: str, room: Room, turns: Sequence[Turn], roles: dict[str, Staff], draw: Stream, *, after: int = 0
    ) -> list[int] | None:
        """Times for a conversation inside the window: everybody present if possible, the room quiet, all before now."""
        best: tuple[int, list[int]] | None = None
        first = roles[turns[0].by]
        for attempt in range(60):
            at = self.moment(when, first, draw, exact=attempt < 30)
            if at <= after or self.hours.off(first, at) or at >= self.spec.start:
                continue
            times = self._possible(turns, roles, at, draw, urgent="today" in when.split())
            if (
                times is None
                or times[-1] >= self.spec.start - 20 * SECOND
                or not self._inside(room, turns, roles, times)
            ):
                continue
            score = self._trouble(turns, times, roles) + 2 * room.is_crowded(times[0], times[-1])
            if best is None or score < best[0]:
                best = (score, times)
            if score == 0:
                break
        return best[1] if best else None

    def moment(self, when: str, first: Staff, draw: Stream, *, exact: bool) -> int:
        """A start on a day that fits; the part of the day is given up when it cannot be had. Mondays begin early."""
        if "today" in when.split():
            return self.spec.start - draw.integer(4, 110) * MINUTE + draw.integer(0, SECOND - 1)
        return self.hours.moment_in_day(first, self._day(when, draw), draw, _part_of_day(when) if exact else "")

    def _trouble(self, turns: Sequence[Turn], times: Sequence[int], roles: dict[str, Staff]) -> int:
        """Return a penalty for an odd pace: people absent at the start, and answers later than their gap allows."""
        absent = sum(not self.hours.is_working(one, times[0]) for one in roles.values())
        limits = {"hours": 30 * HOUR, "overnight": 60 * HOUR, "day": 90 * HOUR}
        waits = (
            (b - a, limits.get(turn.gap, 3 * HOUR)) for (a, b), turn in zip(pairwise(times), turns[1:], strict=True)
        )
        return absent + 4 * sum(wait > limit for wait, limit in waits)

    def ancient(self, when: str) -> int | None:
        """About when a conversation of `d118` takes place; None for one of the window."""
        found = ANCIENT.search(when)
        return self.spec.start - int(found[0][1:]) * DAY if found else None

    @staticmethod
    def _inside(room: Room, turns: Sequence[Turn], roles: dict[str, Staff], times: Sequence[int]) -> bool:
        """Everybody is in the open room when they speak."""
        spoken = zip(turns, times, strict=True)
        return all(room.open(at) and room.joined.get(roles[turn.by].seat, at + 1) <= at for turn, at in spoken)

    def _possible(
        self, turns: Sequence[Turn], roles: dict[str, Staff], at: int, draw: Stream, *, urgent: bool
    ) -> list[int] | None:
        """The timeline from a start, or None if somebody leaves before their turn."""
        try:
            times = self.timeline(turns, roles, at, draw, urgent=urgent, lively=True)
        except NeverAgain:
            return None
        return times if all(roles[turn.by].is_employed(when) for turn, when in zip(turns, times, strict=True)) else None

    def _day(self, when: str, draw: Stream) -> int:
        """A day of the window; `when` may name a weekday, a week (w1 is the oldest), `today`, or `d118`: days before
        now.
        """
        words = when.split()
        if "today" in words:
            return self.spec.start
        if back := [int(word[1:]) for word in words if word[0] == "d" and word[1:].isdigit()]:
            return self.spec.start - (back[0] - draw.integer(0, 3)) * DAY
        weeks = [int(word[1]) for word in words if word[0] == "w" and word[1:].isdigit()]
        days = [WEEKDAYS.index(word) for word in words if word in WEEKDAYS]
        for _ in range(60):
            back = draw.integer(0, 29)
            day = self.spec.start - back * DAY
            if weeks and not (weeks[0] - 1) * 7 <= 28 - back < weeks[0] * 7:
                continue
            if not days or to_datetime(day, self.company.tz).weekday() in days:
                return day
        return self.spec.start - DAY


def _part_of_day(when: str) -> str:
    return next((word for word in when.split() if word in ("morning", "noon", "afternoon", "late")), "")


def _reply(event: Event) -> bool:
    return isinstance(event.facts, Posted) and bool(event.facts.thread)
