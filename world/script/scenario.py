"""The authoring API: a script of events, triggers, faults and coworkers, compiled into a timeline."""

import inspect
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from world.core.clock import MINUTE, duration, from_datetime, to_datetime
from world.core.rng import Stream
from world.script.coworkers import Coworker
from world.script.errors import ScenarioError
from world.script.faults import Fault
from world.script.stage import DayPart, Stage


class Matches(Protocol):
    """A predicate over one committed row change (`world.core.journal.Change`)."""

    def __call__(self, change: Any) -> bool: ...


@dataclass(frozen=True, slots=True)
class RowIs:
    """Matches a change of a table: `op` insert, update, delete or any; columns equal, or in a given list, or pass a
    test.
    """

    table: str
    op: str = "insert"
    where: Mapping[str, Any] = field(default_factory=dict[str, Any])

    def __call__(self, change: Any) -> bool:
        if change.table != self.table or (self.op != "any" and change.op != self.op):
            return False
        row: Mapping[str, Any] = change.after or change.before or {}
        return all(_meets(row.get(name), wanted) for name, wanted in self.where.items())


def _meets(value: Any, wanted: Any) -> bool:
    if callable(wanted):
        return bool(wanted(value))
    if isinstance(wanted, (list, tuple, set, frozenset)):
        return value in wanted
    return value == wanted


def row(table: str, op: str = "insert", **where: Any) -> RowIs:
    """A trigger on a row change: `row("person", status="left")`."""
    return RowIs(table, op, where)


Action = Callable[[Stage], None]


@dataclass(slots=True)
class Event:
    """One event of a script. `number` is all that a world's queue ever knows of it."""

    number: int
    name: str
    action: Action
    at: int | None = None
    follows: list[tuple[int, int]] = field(default_factory=list[tuple[int, int]])
    every: int | None = None
    while_: Callable[[Stage], bool] | None = None
    priority: int = 0
    line: int = 0
    part: DayPart | None = None

    @property
    def written(self) -> str:
        """Its name and, for the author, the line of the script it stands on."""
        return f"{self.name!r} (line {self.line})" if self.line else repr(self.name)


About = Callable[[Stage, Mapping[str, Any]], bool]  # whether a changed row is one that a trigger means


@dataclass(slots=True)
class Trigger:
    """Fires an event when a committed change matches, and its row is `about` the right thing; disarmed after `times`."""

    number: int
    matches: Matches
    event: int
    delay: int = 0
    times: int = 1
    deadline: int | None = None
    otherwise: int | None = None
    cancels: int | None = None
    armed_by: int | None = None
    about: About | None = None


class Script:
    """Script of a story, filled by `scenario(s)`. Times are simulated; `start` is the world's first moment.

    `difficulty` is one of the card's `difficulties`, as the run chose it.
    """

    def __init__(self, name: str, start: int, zone: str = "UTC", seed: int = 0, difficulty: str = "medium") -> None:
        self.name, self.start, self.zone, self.seed, self.difficulty = name, start, zone, seed, difficulty
        self.events: list[Event] = []
        self.triggers: list[Trigger] = []
        self.faults: list[Fault] = []
        self.coworkers: list[Coworker] = []

    def rng(self, *purpose: str | int) -> Stream:
        """Return a seeded random stream for the shape of the story: same seed, same values."""
        return Stream(self.seed, "script", self.name, *purpose)

    def _event(self, action: Action, name: str | None, **more: Any) -> Event:
        label = name or getattr(action, "__name__", "event")
        if any(event.name == label for event in self.events):
            raise ScenarioError(f"{self.name}: two events are called {label!r}; give one a name=")
        event = Event(len(self.events), label, action, line=_line(), **more)
        self.events.append(event)
        return event

    def moment(self, when: str | int) -> int:
        """Microseconds of `+23m` after the start, `06:48` on the first day (the script's zone), or an integer as it is."""
        if isinstance(when, int):
            return when
        if when.startswith("+"):
            return self.start + duration(when)
        hour, colon, minute = when.partition(":")
        if not colon or not (hour.isdecimal() and minute.isdecimal()):
            raise ScenarioError(f"{self.name}: not a time: {when!r} (write +23m or 06:48)")
        day = to_datetime(self.start, self.zone).replace(hour=int(hour), minute=int(minute), second=0, microsecond=0)
        at = from_datetime(day)
        return at if at >= self.start else at + 24 * 60 * MINUTE

    def at(self, when: str | int, action: Action, *, name: str | None = None) -> Event:
        """Declare an event at a time, whatever the agent does."""
        at = self.moment(when)
        if at < self.start:
            raise ScenarioError(f"{self.name}: {when!r} lies before the start of the world")
        return self._event(action, name, at=at)

    def after(self, event: Event, delay: str, action: Action, *, name: str | None = None) -> Event:
        """Declare an event some time after another one has fired."""
        made = self._event(action, name)
        event.follows.append((duration(delay), made.number))
        return made

    def on(
        self,
        matches: Matches,
        action: Action,
        *,
        deadline: str | None,
        otherwise: Action | None,
        delay: str = "0s",
        times: int = 1,
        after: Event | None = None,
        about: About | None = None,
        name: str | None = None,
    ) -> Event:
        """Declare an event that fires when a row change matches; at the deadline, `otherwise` happens instead.

        Both must be written out: no event may depend on the agent taking one particular path.
        `deadline` counts from the start, or from `after` when the trigger is armed by an event. `about` looks at the world
        and the changed row where the change alone does not tell whether it is meant.
        """
        if (deadline is None) != (otherwise is None):
            raise ScenarioError(f"{self.name}: on(...) needs deadline and otherwise together, or both None")
        made = self._event(action, name)
        other = self._event(otherwise, f"{made.name}.otherwise") if otherwise else None
        self.triggers.append(
            Trigger(
                len(self.triggers),
                matches,
                made.number,
                duration(delay),
                times,
                deadline=duration(deadline) if deadline else None,
                otherwise=other.number if other else None,
                armed_by=after.number if after else None,
                about=about,
            )
        )
        return made

    def every(
        self,
        period: str,
        action: Action,
        *,
        start: str | int | Event,
        while_: Callable[[Stage], bool],
        name: str | None = None,
    ) -> Event:
        """Declare an event that repeats while a condition holds; the condition is asked before each time."""
        made = self._event(action, name, every=duration(period), while_=while_)
        if isinstance(start, Event):
            start.follows.append((duration(period), made.number))
        else:
            made.at = self.moment(start)
        return made

    def cancel(self, event: Event, *, on: Matches) -> None:
        """Withdraw an event that has not fired yet when a row change matches."""
        self.triggers.append(Trigger(len(self.triggers), on, event.number, cancels=event.number))

    def fault(self, fault: Fault, *, start: str | int | Event, end: str | int | Event | None = None) -> Fault:
        """Declare a failure of a service from one time or event to another; its start and end are separate events."""
        number = len(self.faults)
        self.faults.append(fault)
        self._moment_or_event(start, lambda stage: stage.start_fault(number), f"{fault.id}.start", first=True)
        if end is not None:
            lingers = fault.ramp_s > 0 or fault.flapping is not None
            self._moment_or_event(
                end, lambda stage: stage.end_fault(number, lingers=lingers), f"{fault.id}.end", first=False
            )
        return fault

    def _moment_or_event(self, when: str | int | Event, action: Action, name: str, *, first: bool) -> None:
        if isinstance(when, Event):
            made = self._event(action, name, priority=-1)
            when.follows.insert(0, (0, made.number))
        else:
            self._event(action, name, at=self.moment(when), priority=-1 if first else 1)

    def coworker(self, coworker: Coworker) -> None:
        """Add a colleague who reads and answers. Raises ScenarioError for a mistake in the declaration."""
        wrong = coworker.problems()
        if wrong:
            raise ScenarioError(f"{self.name}: coworker {coworker.name or len(self.coworkers)}: {'; '.join(wrong)}")
        self.coworkers.append(coworker)


@dataclass(frozen=True, slots=True)
class Timeline:
    """A compiled script. It holds no state: fired events, armed triggers and memories are in the world."""

    name: str
    start: int
    events: tuple[Event, ...]
    triggers: tuple[Trigger, ...]
    faults: tuple[Fault, ...]
    coworkers: tuple[Coworker, ...]
    horizon: int

    def unreachable(self) -> list[Event]:
        """Events that nothing can ever fire."""
        reached = {e.number for e in self.events if e.at is not None}
        reached |= {
            number
            for t in self.triggers
            if t.cancels is None
            for number in (t.event, t.otherwise)
            if number is not None
        }
        todo = sorted(reached)
        while todo:
            for _, number in self.events[todo.pop()].follows:
                if number not in reached:
                    reached.add(number)
                    todo.append(number)
        return [event for event in self.events if event.number not in reached]


def _line() -> int:
    """Return the line on which the script called the authoring API."""
    frame = inspect.currentframe()
    while frame is not None and frame.f_code.co_filename == __file__:
        frame = frame.f_back
    return frame.f_lineno if frame is not None else 0


def compile_script(script: Script, *, horizon: str) -> Timeline:
    """Check and freeze a script. Raises ScenarioError for unreachable events and cycles without delay."""
    timeline = Timeline(
        script.name,
        script.start,
        tuple(script.events),
        tuple(script.triggers),
        tuple(script.faults),
        tuple(script.coworkers),
        script.moment(horizon if horizon.startswith("+") else f"+{horizon}"),
    )
    lost = timeline.unreachable()
    if lost:
        raise ScenarioError(f"{script.name}: nothing ever fires {', '.join(event.written for event in lost)}")
    _refuse_cycles(script.name, timeline.events)
    late = [e.written for e in timeline.events if e.at is not None and e.at > timeline.horizon]
    if late:
        raise ScenarioError(f"{script.name}: after the horizon, so never seen: {', '.join(late)}")
    return timeline


def _refuse_cycles(name: str, events: Iterable[Event]) -> None:
    links = {e.number: [number for delay, number in e.follows if delay == 0] for e in events}
    for first in links:
        seen, todo = set[int](), list(links[first])
        while todo:
            number = todo.pop()
            if number == first:
                written = next(event.written for event in events if event.number == first)
                raise ScenarioError(f"{name}: event {written} follows itself without delay")
            if number not in seen:
                seen.add(number)
                todo += links[number]
