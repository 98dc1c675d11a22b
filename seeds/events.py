"""The event log: one time-ordered causal list of what happened, the single truth every row is projected from."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

OUTSIDE = "outside:"  # before the address of an actor who does not work here
# References inside texts are tokens that each projector writes in its vendor's form: \x02p:p_0007\x03.
OPEN, CLOSE = "\x02", "\x03"
TOKEN = re.compile(f"{OPEN}([a-z]):([^{CLOSE}]*){CLOSE}")
TEXTS = ("text", "title", "description")  # fields of facts in which tokens stand
# Proper names between these keep their spelling whatever the writer's style; they are gone once a text is in an event.
KEEP, KEPT = "\x04", "\x05"

# Spreadsheets that texts link, by handle; the company keeps them all the time.
SHEETS = frozenset({"accounts", "budget", "credits", "hiring", "offsite", "quota", "releases", "rota", "salaries"})


def bare(text: str) -> str:
    """The text without the marks around proper names."""
    return text.replace(KEEP, "").replace(KEPT, "")


def token(kind: str, ref: str) -> str:
    """A reference in a text: kind p (person), i (issue key), l (issue address), u (both), c (channel), m (message), s
    (spreadsheet), g (the commit of a merged pull request; `handle:0` the first one of its branch, `service@version`
    that of a release), n (a pull request's number), a (its address), v (a release's version, gone once all are told;
    `live:service:time` what ran then).
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
class Pushed:
    """A commit on the branch of a pull request. `pull` is the handle of the issue that it is for, here and below.

    `what` it holds: draft (CI will refuse it), work, mend (of a draft) or answer (to a review).
    """

    service: str
    pull: str
    subject: str
    what: str = "work"


@dataclass(frozen=True, slots=True)
class Checked:
    """CI's verdict on the last commit of a pull request."""

    service: str
    pull: str
    passed: bool


@dataclass(frozen=True, slots=True)
class PullOpened:
    """A pull request was opened in the repository of a service, and a person asked for a review."""

    service: str
    pull: str
    title: str
    text: str
    reviewer: str = ""


@dataclass(frozen=True, slots=True)
class Reviewed:
    """`state`: APPROVED or CHANGES_REQUESTED."""

    service: str
    pull: str
    state: str
    text: str = ""


@dataclass(frozen=True, slots=True)
class PullMerged:
    """A pull request's work reached the main branch."""

    service: str
    pull: str


@dataclass(frozen=True, slots=True)
class PullClosed:
    """A pull request was closed and its work given up; `text` is what its author says."""

    service: str
    pull: str
    text: str


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
    | Pushed
    | Checked
    | PullOpened
    | Reviewed
    | PullMerged
    | PullClosed
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
        self,
        story: str,
        at: int,
        actor: str,
        facts: Facts,
        *,
        causes: Sequence[str] = (),
        part: str = "",
        name: str = "",
    ) -> Event:
        """Append an event; two messages of one channel never share a moment. A name takes the place of the number."""
        if not name:
            number = self._counts[story] = self._counts.get(story, 0) + 1
            name = f"{number:03}"
        if isinstance(facts, (Posted, Joined, Renamed, Archived)):
            while (facts.channel, at) in self._moments:
                at += 1
            self._moments.add((facts.channel, at))
        event = Event(f"e.{story}.{name}", at, actor, facts, tuple(causes), story, part)
        self._events[event.id] = event
        return event

    def __getitem__(self, event_id: str) -> Event:
        return self._events[event_id]

    def add_cause(self, event_id: str, cause: str) -> None:
        """Say of an event that another, told after it, is among its causes."""
        event = self._events[event_id]
        self._events[event_id] = replace(event, causes=(cause, *event.causes))

    def write_tokens(self, kind: str, words: Mapping[str, str]) -> None:
        """Put words in place of the tokens of one kind, by their references, in the texts and versions of all facts."""
        for event in self._events.values():
            old = {name: getattr(event.facts, name) for name in (*TEXTS, "version") if hasattr(event.facts, name)}
            new = {
                name: TOKEN.sub(lambda found: words[found[2]] if found[1] == kind else found[0], text)
                for name, text in old.items()
            }
            if new != old:
                self._events[event.id] = replace(event, facts=replace(event.facts, **new))

    def list_events(self) -> list[Event]:
        """All events by time, ties by id."""
        return sorted(self._events.values(), key=lambda event: (event.at, event.id))


def references(facts: Facts) -> list[tuple[str, str]]:
    """The reference tokens in the texts of facts."""
    texts = [getattr(facts, name) for name in TEXTS if hasattr(facts, name)]
    return [(found[1], found[2]) for text in texts for found in TOKEN.finditer(text)]
