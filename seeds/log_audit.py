"""The invariants of an event log: causes before effects, nobody acts while absent, nothing refers to what is not there."""

from collections.abc import Mapping, Sequence
from typing import Protocol

from seeds.events import (
    OUTSIDE,
    SHEETS,
    Archived,
    ChannelMade,
    Checked,
    Commented,
    Deployed,
    Edited,
    Event,
    IssueChanged,
    IssueMade,
    Joined,
    Linked,
    Mailed,
    Pinned,
    Posted,
    PullClosed,
    PullMerged,
    PullOpened,
    Pushed,
    Reacted,
    Renamed,
    Reviewed,
    Watched,
    Worked,
    references,
)


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
        self.pulls: set[str] = set()
        self.commits: set[str] = set()  # what a token of a commit may name
        self.ended: set[str] = set()
        self.pushes: dict[str, int] = {}

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
        elif isinstance(facts, (Pushed, Checked, PullOpened, Reviewed, PullMerged, PullClosed)):
            self._on_pull(event, facts)
        elif isinstance(facts, Deployed):
            self.commits.add(f"{facts.service}@{facts.version}")
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

    def _on_pull(self, event: Event, facts: Pushed | Checked | PullOpened | Reviewed | PullMerged | PullClosed) -> None:
        """The issue is older, the request is opened once, and after its end nothing follows."""
        if facts.pull not in self.status:
            self.say(event, f"is for {facts.pull}, which is not there yet")
        if facts.pull in self.ended:
            self.say(event, f"follows the end of {facts.pull}")
        if isinstance(facts, PullOpened):
            self.pulls.add(facts.pull)
        elif not isinstance(facts, Pushed) and facts.pull not in self.pulls:
            self.say(event, f"comes before {facts.pull} is opened")
        if isinstance(facts, Pushed):
            number = self.pushes[facts.pull] = self.pushes.get(facts.pull, -1) + 1
            self.commits.add(f"{facts.pull}:{number}")
        if isinstance(facts, (PullMerged, PullClosed)):
            self.ended.add(facts.pull)
        if isinstance(facts, PullMerged):
            self.commits.add(facts.pull)

    def _reference(self, event: Event, kind: str, ref: str) -> None:
        pulls = {"g": self.commits, "n": self.pulls, "a": self.pulls}
        known = {"s": SHEETS, "p": self.people, "c": self.rooms, "m": self.seen, **pulls}.get(kind, self.status)
        if ref not in known:
            self.say(event, f"mentions {kind}:{ref}, which is not there yet")
