"""Several agents in one world: who is at work, who waits and who is done. Time passes by itself only while all wait."""

from collections.abc import Callable, Collection, Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, TypedDict

import orjson

from world.core.app import Notice
from world.core.builtin_operations import TEAM, WaitResult, WakeEvent
from world.core.clock import iso
from world.core.errors import OperationError
from world.run.event_loop import EventLoop, list_once
from world.store import Bound
from world.store.queries import row, rows

Reaches = Callable[[Notice], bool]
LAST_CALLS = """SELECT actor, max(seq) FROM _call
    WHERE door IN ('rest', 'mcp', 'page') AND actor IN (SELECT value FROM json_each(?)) GROUP BY actor"""


class TeamWorld(Protocol):
    """What a team needs of its world's actor."""

    @property
    def bound(self) -> Bound: ...

    @property
    def now(self) -> int: ...

    @property
    def ended(self) -> str | None: ...

    @property
    def events(self) -> EventLoop: ...

    def make_test(self, person: str, places: Iterable[str]) -> Reaches: ...


class MemberState(TypedDict):
    """State of a member. `until` (us) and `on` are those of the wait, `woken` is the result of the last one."""

    state: Literal["at_work", "waiting", "finished"]
    until: int
    on: list[str]
    woken: WaitResult | None


def _begin() -> MemberState:
    return {"state": "at_work", "until": 0, "on": [], "woken": None}


@dataclass
class Team:
    """The employees of one world whom agents play; the scenario's own comes first and gives the graded answer.

    The world keeps their states, so a fork, a replay and a world that is opened again go on alike.
    """

    world: TeamWorld
    members: tuple[str, ...]
    _heard: list[tuple[str, Notice]] = field(default_factory=list[tuple[str, Notice]])

    def __post_init__(self) -> None:
        self.world.events.played = frozenset(self.members)

    def holds(self, person: str) -> bool:
        """Whether a person is a member."""
        return person in self.members

    def list_states(self) -> dict[str, MemberState]:
        """The state of every member, in the team's order."""
        found = row(self.world.bound, "SELECT value FROM _state WHERE key = ?", TEAM)
        known: Mapping[str, MemberState] = orjson.loads(found[0])["members"] if found else {}
        return {person: known.get(person) or _begin() for person in self.members}

    def has_finished(self, person: str) -> bool:
        """Whether a person is a member who has called finish."""
        return self.holds(person) and self.list_states()[person]["state"] == "finished"

    def is_waiting(self, person: str) -> bool:
        """Whether a member's wait is not over."""
        return self.list_states()[person]["state"] == "waiting"

    def list_at_work(self) -> list[str]:
        """The members who neither wait nor are done."""
        return [person for person, one in self.list_states().items() if one["state"] == "at_work"]

    def choose_next(self, candidates: Collection[str]) -> str:
        """The candidate whose last call ended earliest; among those without one the first of the team."""
        last = dict(rows(self.world.bound, LAST_CALLS, orjson.dumps(self.members).decode()))
        return min(candidates, key=lambda person: (last.get(person, 0), self.members.index(person)))

    def read_wake(self, person: str) -> WaitResult | None:
        """The result of a member's last wait; None before its end, or if a call of theirs ended it."""
        return self.list_states()[person]["woken"]

    def begin(self) -> None:
        """Put the team into the world's memory."""
        self._keep(self.list_states())

    def begin_wait(self, person: str, until: int, places: Iterable[str]) -> WaitResult | None:
        """Let a member wait until a time (us) or until something reaches them. Returns the result if it is over at once."""
        self._keep({**self.list_states(), person: {"state": "waiting", "until": until, "on": [*places], "woken": None}})
        self.settle()
        return self.read_wake(person)

    def finish(self, person: str) -> bool:
        """Note that a member is done; returns whether all are."""
        states = self.list_states()
        states[person]["state"] = "finished"
        self._keep(states)
        return all(one["state"] == "finished" for one in states.values())

    @contextmanager
    def follow(self, person: str) -> Generator[None, None, None]:
        """Notice whom a call of a person reaches, and let time pass afterwards if then all members wait.

        A member who acts while they wait waits no longer.
        """
        if self.world.events.listener is not None:
            yield
            return
        if self.holds(person) and self.is_waiting(person):
            self._keep({**self.list_states(), person: _begin()})
        self.world.events.listener = lambda app, notice: self._heard.append((app, notice))
        try:
            try:
                yield
            except OperationError:
                self.settle()
                raise
            self.settle()
        finally:
            self.world.events.listener = None
            self._heard.clear()

    def settle(self) -> None:
        """Wake those whom something has reached or whose time is over; while nobody is at work, let time pass."""
        self._wake()
        while self.world.ended is None and not self.list_at_work():
            waiting = {who: one for who, one in self.list_states().items() if one["state"] == "waiting"}
            if not waiting:
                return
            tests = [self.world.make_test(who, one["on"]) for who, one in waiting.items()]
            until = min(one["until"] for one in waiting.values())
            self.world.events.wait(lambda notice, tests=tests: any(test(notice) for test in tests), until)
            self._wake()

    def _wake(self) -> None:
        heard, states, now = list(self._heard), self.list_states(), self.world.now
        self._heard.clear()
        woken = dict[str, list[WakeEvent]]()
        for person, one in states.items():
            if one["state"] == "waiting":
                reaches = self.world.make_test(person, one["on"])
                mine = list_once((app, notice) for app, notice in heard if reaches(notice))
                if mine or one["until"] <= now or self.world.ended is not None:
                    woken[person] = mine
        if woken:
            self._keep({**states, **{person: self._end_wait(person, mine) for person, mine in woken.items()}})

    def _end_wait(self, person: str, events: Sequence[WakeEvent]) -> MemberState:
        found, now = row(self.world.bound, "SELECT tz FROM person WHERE id = ?", person), self.world.now
        zone = found[0] if found else "UTC"
        texts = [one["text"] for one in events]
        return {
            **_begin(),
            "woken": {"utc": iso(now), "local": iso(now, zone), "happened": texts, "events": [*events]},
        }

    def _keep(self, states: Mapping[str, Any]) -> None:
        with self.world.events.step("team") as call:
            call.remember(TEAM, {"lead": self.members[0], "members": dict(states)})
