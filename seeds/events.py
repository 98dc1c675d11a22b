"""The event log: one time-ordered causal list of what happened, the single truth every row is projected from."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

OUTSIDE = "outside:"  # before the address of an actor who does not work here
# References inside texts are tokens that each projector writes in its vendor's form: \x02p:p_0007\x03.
OPEN, CLOSE = "\x02", "\x03"
TOKEN = re.compile(f"{OPEN}([a-z]):([^{CLOSE}]*){CLOSE}")
# Proper names between these keep their spelling whatever the writer's style; they are gone once a text is in an event.
KEEP, KEPT = "\x04", "\x05"

# Spreadsheets that texts link, by handle; the company keeps them all the time.
SHEETS = frozenset({"accounts", "budget", "credits", "hiring", "offsite", "quota", "releases", "rota", "salaries"})


def bare(text: str) -> str:
    """The text without the marks around proper names."""
    return text.replace(KEEP, "").replace(KEPT, "")


def token(kind: str, ref: str) -> str:
    """A reference in a text: kind p (person), i (issue key), l (issue address), u (both), c (channel), m (message), s
    (spreadsheet).
    """
    return f"{OPEN}{kind}:{ref}{CLOSE}"


@dataclass(frozen=True, slots=True)
class ChannelMade:
    """`kind`: public, private, im or mpim; `channel` is the key stories use, `name` what people see."""

    channel: str
    name: str
    kind: str
    topic: str
    purpose: str
    members: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Joined:
    channel: str
    inviter: str = ""


@dataclass(frozen=True, slots=True)
class Renamed:
    channel: str
    old: str
    new: str


@dataclass(frozen=True, slots=True)
class Archived:
    channel: str


@dataclass(frozen=True, slots=True)
class Posted:
    """A message. `thread` is the event id of the thread's first message."""

    channel: str
    text: str
    thread: str = ""
    human: bool = True
    ack: bool = False


@dataclass(frozen=True, slots=True)
class Edited:
    """A message's text was corrected; Posted holds the text as it stands now."""

    message: str


@dataclass(frozen=True, slots=True)
class Reacted:
    message: str
    emoji: str


@dataclass(frozen=True, slots=True)
class Pinned:
    message: str


@dataclass(frozen=True, slots=True)
class ProjectMade:
    key: str


@dataclass(frozen=True, slots=True)
class SprintMade:
    sprint: str
    project: str


@dataclass(frozen=True, slots=True)
class SprintStarted:
    sprint: str


@dataclass(frozen=True, slots=True)
class SprintClosed:
    sprint: str


@dataclass(frozen=True, slots=True)
class VersionReleased:
    project: str
    version: str


@dataclass(frozen=True, slots=True)
class IssueMade:
    """An issue as it was created; later values are IssueChanged. `parent` is an epic or a standard issue."""

    issue: str
    project: str
    type: str
    title: str
    description: str
    status: str
    reporter: str
    priority: str = "Medium"
    assignee: str = ""
    parent: str = ""
    components: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    affects: tuple[str, ...] = ()
    points: float | None = None
    sprint: str = ""
    due: str = ""
    estimate_s: int = 0
    severity: str = ""
    service: str = ""
    customer: str = ""
    started_at: int = 0


@dataclass(frozen=True, slots=True)
class FieldChange:
    """`field`: status, assignee, sprint, priority, points, resolution, fix, labels, summary, due, parent, estimate."""

    field: str
    old: str
    new: str


@dataclass(frozen=True, slots=True)
class IssueChanged:
    issue: str
    changes: tuple[FieldChange, ...]


@dataclass(frozen=True, slots=True)
class Commented:
    issue: str
    text: str
    internal: bool = False


@dataclass(frozen=True, slots=True)
class Linked:
    """`kind`: Blocks, Relates, Duplicate, Cloners, Problem/Incident; issue --outward--> other."""

    issue: str
    kind: str
    other: str


@dataclass(frozen=True, slots=True)
class Worked:
    """Time logged; `started_at` in microseconds, `spent_s` in seconds."""

    issue: str
    started_at: int
    spent_s: int
    text: str = ""


@dataclass(frozen=True, slots=True)
class Watched:
    issue: str


@dataclass(frozen=True, slots=True)
class Deployed:
    """A release of a service reached production; `issues` are the handles it carries."""

    service: str
    version: str
    issues: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Mailed:
    """A mail from `sender` (name, address). `answers` and `forwards` are event ids of mails, whose text goes along.

    `kind`: person, notice, list (a newsletter), invite or spam. `readers` are the people it reaches when its headers do
    not say. `files`: names and contents.
    """

    sender: tuple[str, str]
    to: tuple[str, ...]
    subject: str
    text: str
    cc: tuple[str, ...] = ()
    answers: str = ""
    forwards: str = ""
    kind: str = "person"
    readers: tuple[str, ...] = ()
    files: tuple[tuple[str, str], ...] = ()
    key: str = ""


@dataclass(frozen=True, slots=True)
class Anchor:
    """Something of a story that leaves no row of its own: a fault begins, is found, ends."""

    name: str


Facts = (
    ChannelMade
    | Joined
    | Renamed
    | Archived
    | Posted
    | Edited
    | Reacted
    | Pinned
    | ProjectMade
    | SprintMade
    | SprintStarted
    | SprintClosed
    | VersionReleased
    | IssueMade
    | IssueChanged
    | Commented
    | Linked
    | Worked
    | Watched
    | Deployed
    | Mailed
    | Anchor
)


@dataclass(frozen=True, slots=True)
class Event:
    """`id` is story and position, `actor` a person id; `story` and `part` are the handles rubrics use."""

    id: str
    at: int
    actor: str
    facts: Facts
    causes: tuple[str, ...] = ()
    story: str = ""
    part: str = ""

    @property
    def kind(self) -> str:
        """The name of its facts, lower case."""
        return type(self.facts).__name__.lower()


class Log:
    """Collects events; a story's events are numbered on their own, so one more story renames nothing."""

    def __init__(self) -> None:
        self._events: dict[str, Event] = {}
        self._counts: dict[str, int] = {}
        self._moments: set[tuple[str, int]] = set()

    def add(
        self, story: str, at: int, actor: str, facts: Facts, *, causes: Sequence[str] = (), part: str = ""
    ) -> Event:
        """Append an event; two messages of one channel never share a moment."""
        number = self._counts[story] = self._counts.get(story, 0) + 1
        if isinstance(facts, (Posted, Joined, Renamed, Archived)):
            while (facts.channel, at) in self._moments:
                at += 1
            self._moments.add((facts.channel, at))
        event = Event(f"e.{story}.{number:03}", at, actor, facts, tuple(causes), story, part)
        self._events[event.id] = event
        return event

    def __getitem__(self, event_id: str) -> Event:
        return self._events[event_id]

    def list_events(self) -> list[Event]:
        """All events by time, ties by id."""
        return sorted(self._events.values(), key=lambda event: (event.at, event.id))


class Actor(Protocol):
    """Interface of a person or bot, as far as the invariants need it."""

    def is_employed(self, at: int) -> bool:
        """Whether they work here at a time."""
        ...


def violations(events: Sequence[Event], people: Mapping[str, Actor], now: int) -> list[str]:
    """Return the violations in a log, empty when it is sound.

    They are effects before causes, acts of absent people, and references to nothing.
    """
    found = _Audit(people, now)
    for event in events:
        found.look(event)
    return found.said


class _Audit:
    """One pass over an ordered log."""

    def __init__(self, people: Mapping[str, Actor], now: int) -> None:
        self.people, self.now, self.said = people, now, list[str]()
        self.seen: dict[str, Event] = {}
        self.last = 0
        self.rooms: dict[str, set[str]] = {}
        self.closed: set[str] = set()
        self.moments: set[tuple[str, int]] = set()
        self.status: dict[str, str] = {}
        self.reactions: set[tuple[str, str, str]] = set()

    def say(self, event: Event, what: str) -> None:
        self.said.append(f"{event.id} ({event.kind}): {what}")

    def look(self, event: Event) -> None:
        if event.id in self.seen:
            self.say(event, "id used twice")
        if event.at < self.last:
            self.say(event, "out of order")
        if event.at >= self.now:
            self.say(event, "lies after now")
        self.last = event.at
        self._actor(event)
        for cause in event.causes:
            if cause not in self.seen:
                self.say(event, f"cause {cause} does not come before it")
        self._facts(event)
        self.seen[event.id] = event

    def _actor(self, event: Event) -> None:
        if event.actor.startswith(("system:", OUTSIDE)):
            return
        if event.actor not in self.people:
            self.say(event, f"nobody is {event.actor}")
        elif not self.people[event.actor].is_employed(event.at):
            self.say(event, f"{event.actor} does not work here then")

    def _facts(self, event: Event) -> None:
        facts = event.facts
        if isinstance(facts, ChannelMade):
            self.rooms[facts.channel] = set(facts.members)
        elif isinstance(facts, (Joined, Renamed, Archived, Posted)):
            self._in_room(event, facts)
        elif isinstance(facts, (Reacted, Pinned, Edited)):
            self._on_message(event, facts)
        elif isinstance(facts, IssueMade):
            self._issue_made(event, facts)
        elif isinstance(facts, (IssueChanged, Commented, Linked, Worked, Watched)):
            self._on_issue(event, facts)
        elif isinstance(facts, Mailed):
            self._check_mail(event, facts)
        for kind, ref in references(facts):
            self._reference(event, kind, ref)

    def _in_room(self, event: Event, facts: Joined | Renamed | Archived | Posted) -> None:
        if facts.channel not in self.rooms:
            self.say(event, f"no channel {facts.channel} yet")
            return
        if facts.channel in self.closed:
            self.say(event, f"{facts.channel} is archived")
        if (facts.channel, event.at) in self.moments:
            self.say(event, "shares its moment with another message")
        self.moments.add((facts.channel, event.at))
        if isinstance(facts, Joined):
            self.rooms[facts.channel].add(event.actor)
        elif event.actor not in self.rooms[facts.channel]:
            self.say(event, f"{event.actor} is not in {facts.channel}")
        if isinstance(facts, Archived):
            self.closed.add(facts.channel)
        if isinstance(facts, Posted) and facts.thread:
            self._thread(event, facts)

    def _thread(self, event: Event, facts: Posted) -> None:
        root = self.seen.get(facts.thread)
        if root is None or not isinstance(root.facts, Posted):
            self.say(event, "answers a message that is not there")
        elif root.facts.thread or root.facts.channel != facts.channel:
            self.say(event, "answers an answer, or across channels")

    def _on_message(self, event: Event, facts: Reacted | Pinned | Edited) -> None:
        message = self.seen.get(facts.message)
        if message is None or not isinstance(message.facts, Posted):
            self.say(event, "is about a message that is not there")
            return
        if event.actor not in self.rooms[message.facts.channel]:
            self.say(event, f"{event.actor} cannot see that message")
        if isinstance(facts, Reacted):
            key = (facts.message, facts.emoji, event.actor)
            if key in self.reactions:
                self.say(event, "the same reaction twice")
            self.reactions.add(key)
        if isinstance(facts, Edited) and event.actor != message.actor:
            self.say(event, "edits somebody else's message")

    def _issue_made(self, event: Event, facts: IssueMade) -> None:
        if facts.issue in self.status:
            self.say(event, f"{facts.issue} exists already")
        if facts.parent and facts.parent not in self.status:
            self.say(event, f"parent {facts.parent} does not exist yet")
        self.status[facts.issue] = facts.status

    def _on_issue(self, event: Event, facts: IssueChanged | Commented | Linked | Worked | Watched) -> None:
        others = [facts.issue, *([facts.other] if isinstance(facts, Linked) else [])]
        for issue in others:
            if issue not in self.status:
                self.say(event, f"no issue {issue} yet")
                return
        if isinstance(facts, Worked) and facts.started_at + facts.spent_s * 1_000_000 > event.at:
            self.say(event, "logs work that is not done yet")
        for change in facts.changes if isinstance(facts, IssueChanged) else ():
            if change.field == "status":
                if self.status[facts.issue] != change.old:
                    self.say(event, f"{facts.issue} is {self.status[facts.issue]}, not {change.old}")
                self.status[facts.issue] = change.new

    def _check_mail(self, event: Event, facts: Mailed) -> None:
        for other in filter(None, (facts.answers, facts.forwards)):
            before = self.seen.get(other)
            if before is None or not isinstance(before.facts, Mailed):
                self.say(event, "answers a mail that is not there")
            elif facts.answers and before.facts.kind in ("list", "spam") and not facts.forwards:
                self.say(event, "answers a newsletter")
        if not (facts.to or facts.readers):
            self.say(event, "is for nobody")

    def _reference(self, event: Event, kind: str, ref: str) -> None:
        known = {"s": SHEETS, "p": self.people, "c": self.rooms, "m": self.seen}.get(kind, self.status)
        if ref not in known:
            self.say(event, f"mentions {kind}:{ref}, which is not there yet")


def references(facts: Facts) -> list[tuple[str, str]]:
    """The reference tokens in the texts of facts."""
    texts = [getattr(facts, name) for name in ("text", "title", "description") if hasattr(facts, name)]
    return [(found[1], found[2]) for text in texts for found in TOKEN.finditer(text)]
