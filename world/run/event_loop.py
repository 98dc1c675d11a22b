"""Simulated time in one world: events that become due, what changes set off, and colleagues who act inside an event."""

import sys
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Protocol

import orjson

from world.core import event_queue
from world.core.app import App, Facts, Notice
from world.core.builtin_operations import WakeEvent
from world.core.call import Call
from world.core.errors import OperationError
from world.core.event_queue import STORM, EventStorm, QueuedEvent
from world.core.journal import Change, changes_after, finish_call, last_change, resume_call, start_call
from world.core.operation import Operation
from world.core.params import Arguments, Params
from world.core.principal import Kind, Principal, system
from world.run import failures
from world.run.call_record import Attempt, CallRecord
from world.run.failures import FAILED
from world.run.transactions import Transactions, find_no_room
from world.script import faults
from world.script.errors import ScenarioError
from world.script.faults import ActiveFault
from world.script.scenario import Timeline
from world.script.scenario_runtime import ScenarioRuntime, is_bot
from world.store import Bound, NoRoom, TooManyRows


def list_once(found: Iterable[tuple[str, Notice]]) -> list[WakeEvent]:
    """List what became visible, each thing once. A thing that reaches somebody in two ways has the same ids."""
    told: dict[tuple[object, ...], WakeEvent] = {}
    for app, notice in found:
        key = (app, *(sorted(notice.ids.items()) or [notice.text]))
        told.setdefault(key, {"app": app, "text": notice.text, "ids": dict(notice.ids)})
    return list(told.values())


class Performer(Protocol):
    """Interface that runs an operation for a colleague: admission first, then the operation."""

    @property
    def generation(self) -> int: ...

    def admit(self, attempt: Attempt) -> None: ...

    def run_operation(self, bound: Bound, attempt: Attempt, params: Params, seq: int) -> Any: ...


class EventLoop:
    """Fires the events of one world, and answers what changes."""

    def __init__(self, transactions: Transactions, timeline: Timeline | None, performer: Performer) -> None:
        self._world, self.timeline, self._performer = transactions, timeline, performer
        self.plot = ScenarioRuntime(self, timeline) if timeline is not None else None
        self._noticed: list[tuple[str, Notice]] | None = None
        self.listener: Callable[[str, Notice], None] | None = None  # told of every notice, whoever waits
        self.played: frozenset[str] = frozenset()  # the members of a team: no script answers for them
        self.mistakes: list[ScenarioError] = []  # of the scenario, as they were met

    @property
    def seed(self) -> int:
        """The seed of the world."""
        return self._world.settings.seed

    @property
    def apps(self) -> Mapping[str, App]:
        """Every app of the world."""
        return self._world.host.apps

    def operation(self, name: str) -> Operation:
        """The operation of an id. Raises LookupError."""
        return self._world.host.operation(name)

    def active_faults(self) -> list[ActiveFault]:
        """The faults that are on now, in file order."""
        if self.timeline is None or not self.timeline.faults:
            return []
        rows = self._world.bound.raw.execute("SELECT number, since, mark_seq, ending FROM _fault ORDER BY number")
        return faults.by_number(self.timeline.faults, rows)

    def begin(self) -> None:
        """Put a scenario's first events into the queue and record the settings; called once, before any call."""
        with self.step("start") as call:
            call.remember("settings", orjson.loads(self._world.settings.model_dump_json()))
            if self.plot is not None:
                self.plot.begin(call)

    def advance(self, until: int) -> int:
        """Let simulated time pass up to `until`, firing what becomes due; returns how many events fired."""
        fired = self.fire_until(until)
        if until > self._world.now:
            with self.step("advance", until):
                pass
        return fired

    def hasten(self, name: str) -> int:
        """Let an event of the scenario happen now instead of when it was due; returns how many events fired.

        Raises LookupError for a name that the scenario does not have.
        """
        events = self.timeline.events if self.timeline is not None else ()
        number = next((one.number for one in events if one.name == name), None)
        if number is None:
            raise LookupError(f"the scenario has no event {name!r}")
        with self.step("hasten") as call:
            event_queue.withdraw_number(call.bound, number)
            event_queue.push(call.bound, due=call.now, number=number, cause=call.seq)
        return self.fire_until(self._world.now)

    def fire_until(self, until: int) -> int:
        """Fire everything due up to a time; returns how many events fired. What fails is never due again."""
        fired = 0
        while (queued := event_queue.find_due_event(self._world.bound, until)) is not None:
            if fired == STORM:
                self._calm(queued)
                break
            self._fire(queued)
            fired += 1
            if self._noticed:
                break
        return fired

    def _calm(self, queued: QueuedEvent) -> None:
        """End a storm of events: events due at this very moment fail, later ones wait for the next call."""
        storm = EventStorm(f"more than {STORM} events fired during one call")
        for one in event_queue.list_due_events(self._world.bound, max(self._world.now, queued.due)):
            self._fail(one, storm)

    def wait(self, reaches: Callable[[Notice], bool], until: int) -> tuple[int, list[WakeEvent]]:
        """Let time pass to `until` or the first event that reaches the caller; returns (now, what reached them)."""
        self._noticed = []
        try:
            while True:
                stormy = self.fire_until(until) >= STORM
                mine = list_once((app, one) for app, one in self._noticed if reaches(one))
                if mine:
                    return self._world.now, mine
                if stormy or event_queue.find_due_event(self._world.bound, until) is None:
                    break
                self._noticed = []
        finally:
            self._noticed = None
        self.advance(until)
        return self._world.now, []

    @contextmanager
    def step(
        self, name: str, now: int | None = None, cause: int | None = None, status: str = "ok"
    ) -> Generator[Call, None, None]:
        """One transaction of the world itself: an event firing, a clock advance, a start."""
        world = self._world
        before = world.now
        at = before if now is None else now
        with world.open() as bound:
            mark = last_change(bound)
            seq = start_call(
                bound, at=at, actor="system:world", door="world", operation=name, params_hash="", cause_seq=cause
            )
            call = world.new_call(bound, system(world.name, "world"), "world", "world", at, seq)
            try:
                yield call
            finally:
                call.close(keep=sys.exception() is None)
            self.finish(bound, seq, status, max(before, at), mark)
        world.record(CallRecord(seq, at, max(before, at), "system:world", "world", name, {}, status, None, cause))
        world.announce(seq, mark)

    def finish(self, bound: Bound, seq: int, status: str, now: int, mark: int) -> None:
        """Close the row of a call, after everything its changes set off."""
        self._react(bound, seq, now, mark)
        finish_call(bound, seq, status, now)

    def tell(self, call: Call, app: App, topic: str, facts: Facts) -> None:
        """Let an app's subscriber of a world event run."""
        world = self._world
        own = world.new_call(call.bound, system(world.name, app.name), app.name, "world", call.now, call.seq)
        own.hand = lambda event, person, id, arguments: self.act(event, person, self.operation(id), arguments)
        done = False
        try:
            app.topics[topic](own, facts)
            done = True
        finally:
            own.close(keep=done)

    def act(self, call: Call, person: str, operation: Operation, arguments: Arguments) -> Any:
        """One operation by a colleague inside an event; None if refused."""
        return self.try_act(call, person, operation, arguments)[0]

    def try_act(
        self, call: Call, person: str, operation: Operation, arguments: Arguments
    ) -> tuple[Any, OperationError | None]:
        """Return the answer to a colleague's operation and its refusal; it has a savepoint and a call row of its own."""
        world = self._world
        kind: Kind = "bot" if is_bot(call, person) else "user"
        principal = Principal(world.name, person, kind, operation.app, generation=self._performer.generation)
        attempt = Attempt(principal, "world", operation, arguments, "", call.now)
        call.flush()
        raw = call.bound.raw
        status, answer, error = "ok", None, None
        seq = world.start(call.bound, attempt, cause=call.seq)
        mark = last_change(call.bound)
        raw.execute("SAVEPOINT act")
        try:
            self._performer.admit(attempt)
            if attempt.params is not None:
                answer = self._performer.run_operation(call.bound, attempt, attempt.params, seq)
        except OperationError as refusal:
            raw.execute("ROLLBACK TO act")
            status, error = refusal.code, refusal
        raw.execute("RELEASE act")
        self.finish(call.bound, seq, status, call.now, mark)
        resume_call(call.bound, call.seq)
        world.record(
            CallRecord(
                seq, call.now, call.now, person, "world", operation.id, arguments, status, error or answer, call.seq
            )
        )
        return answer, error

    def notices(self, call: Call, change: Change) -> list[Notice]:
        """List the notices of a row change, by the app that owns the table."""
        app = self.apps.get(change.table.split("_", 1)[0])
        if app is None or app.notice is None:
            return []
        return list(app.notice(self.for_app(call, app.name), change))

    def for_app(self, call: Call, app: str) -> Call:
        """The same call, as another app's code sees it."""
        return self._world.new_call(call.bound, call.principal, app, "world", call.now, call.seq)

    def _fire(self, queued: QueuedEvent) -> None:
        try:
            with self.step(queued.name, self._moment(queued), queued.cause) as call:
                event_queue.withdraw(call.bound, queued.seq)
                with call.bound.meter.limit():
                    self._perform(call, queued)
        except NoRoom as full:
            if not isinstance(full.__cause__, TooManyRows):
                raise  # with room again it can happen
            self._fail(queued, full.__cause__)
        except Exception as error:  # noqa: BLE001  # the edge: whatever an event does, the next call must work
            self._fail(queued, error)

    def _moment(self, queued: QueuedEvent) -> int:
        last = self._last_at()
        return min(max(self._world.now, queued.due), queued.due) if queued.due >= last else last

    def _perform(self, call: Call, queued: QueuedEvent) -> None:
        if queued.number in (event_queue.TOPIC, event_queue.PUBLISHED):
            self._publish(call, queued)
        elif self.plot is not None:
            self.plot.fire(call, queued)

    def _fail(self, queued: QueuedEvent, error: Exception) -> None:
        """Record an event as failed, once, and let the apps show what their vendors would. Raises where authors work."""
        if self._world.host.strict:
            raise error
        with self.step(queued.name, self._moment(queued), queued.cause, FAILED) as call:
            event_queue.withdraw(call.bound, queued.seq)
            self._note_failure(call, queued.name, error)
            if queued.number == event_queue.TOPIC:
                self._show_failure(call, queued)

    def _show_failure(self, call: Call, queued: QueuedEvent) -> None:
        """Let the apps know of subscribed events that could not be delivered."""
        topic, facts = f"{queued.facts['topic']}.failed", {k: v for k, v in queued.facts.items() if k != "topic"}
        for _, app in sorted(self.apps.items()):
            if topic in app.topics:
                error = self._attempt(call.bound, lambda app=app: self.tell(call, app, topic, facts))
                if error is not None:
                    self._note_failure(call, topic, error)

    def _note_failure(self, call: Call, event: str, error: Exception) -> None:
        failures.remember(call, event, error)
        if isinstance(error, ScenarioError):
            self.mistakes.append(error)

    def _attempt(self, bound: Bound, act: Callable[[], None]) -> Exception | None:
        """Do something inside an open call, or undo it and return the error; a full disk ends the call itself."""
        bound.raw.execute("SAVEPOINT attempt")
        try:
            act()
        except Exception as error:  # the edge: it may be anybody's code
            if self._world.host.strict or find_no_room(error) is not None:
                raise
            bound.raw.execute("ROLLBACK TO attempt")
            return error
        finally:
            if bound.raw.in_transaction:
                bound.raw.execute("RELEASE attempt")
        return None

    def _last_at(self) -> int:
        row = self._world.bound.raw.execute("SELECT at FROM _call ORDER BY seq DESC LIMIT 1").fetchone()
        return row[0] if row else 0

    def _publish(self, call: Call, queued: QueuedEvent) -> None:
        topic = str(queued.facts["topic"])
        facts = {k: v for k, v in queued.facts.items() if k not in ("topic", "only")}
        for name, app in sorted(self.apps.items()):
            if topic in app.topics and queued.facts.get("only") in (None, name):
                for _ in range(self.plot.copies(call, queued, app, topic) if self.plot is not None else 1):
                    self.tell(call, app, topic, facts)

    def _react(self, bound: Bound, seq: int, now: int, mark: int) -> None:
        """Triggers, colleagues and notices, on what this call changed; inside its transaction."""
        if self.plot is None and self._noticed is None and self.listener is None:
            return
        changed = [c for c in changes_after(bound, mark) if c.call_seq == seq]
        if not changed:
            return
        call = self._world.new_call(bound, system(self._world.name, "world"), "world", "world", now, seq)
        if self._attempt(bound, lambda: self._answer_changes(call, changed)) is not None:
            self._answer_singly(call, changed)

    def _answer_singly(self, call: Call, changed: Sequence[Change]) -> None:
        """Answer each change by itself, so that one that cannot be answered spoils no other."""
        for change in changed:
            error = self._attempt(call.bound, lambda one=change: self._answer_changes(call, [one]))
            if error is not None:
                self._note_failure(call, f"reaction:{change.table}", error)
        call.close(keep=True)

    def _answer_changes(self, call: Call, changed: Sequence[Change]) -> None:
        own, noticed, done = self.for_app(call, "world"), list[tuple[str, Notice]](), False
        try:
            for change in changed:
                if self.plot is not None:
                    self.plot.react(own, change)
                if self._noticed is not None or self.listener is not None:
                    noticed += [(change.table.partition("_")[0], one) for one in self.notices(own, change)]
            done = True
        finally:
            own.close(keep=done)
        if self._noticed is not None:
            self._noticed += noticed
        if self.listener is not None:
            for app, notice in noticed:
                self.listener(app, notice)
