"""Simulated time in one world: events that become due, what changes set off, and colleagues who act inside an event."""

import sys
from collections.abc import Callable, Generator, Iterable, Mapping
from contextlib import contextmanager
from typing import Any, Protocol

import orjson

from world.core import event_queue
from world.core.app import App, Facts, Notice
from world.core.builtin_operations import Happened
from world.core.call import Call
from world.core.errors import OperationError
from world.core.event_queue import STORM, EventStorm, Queued
from world.core.journal import Change, changes_after, finish_call, last_change, resume_call, start_call
from world.core.operation import Operation
from world.core.params import Params
from world.core.principal import Kind, Principal, system
from world.run.call_record import Attempt, CallRecord
from world.run.transactions import Transactions
from world.script import faults
from world.script.faults import Active
from world.script.scenario import Timeline
from world.script.scenario_runtime import Plot, is_bot
from world.store import Bound


def list_once(found: Iterable[tuple[str, Notice]]) -> list[Happened]:
    """What became visible, each thing once: what reaches somebody in two ways has the same ids."""
    told: dict[tuple[object, ...], Happened] = {}
    for app, notice in found:
        key = (app, *(sorted(notice.ids.items()) or [notice.text]))
        told.setdefault(key, {"app": app, "text": notice.text, "ids": dict(notice.ids)})
    return list(told.values())


class Performer(Protocol):
    """What runs an operation for a colleague: admission first, then the operation."""

    @property
    def generation(self) -> int: ...

    def admit(self, attempt: Attempt) -> None: ...

    def run_operation(self, bound: Bound, attempt: Attempt, params: Params, seq: int) -> Any: ...


class EventLoop:
    """Fires the events of one world, and answers what changes."""

    def __init__(self, transactions: Transactions, timeline: Timeline | None, performer: Performer) -> None:
        self._world, self.timeline, self._performer = transactions, timeline, performer
        self.plot = Plot(self, timeline) if timeline is not None else None
        self._noticed: list[tuple[str, Notice]] | None = None

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

    def active_faults(self) -> list[Active]:
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

    def fire_until(self, until: int) -> int:
        """Fire everything due up to a time; returns how many events fired. Raises EventStorm."""
        fired = 0
        while (queued := event_queue.find_due_event(self._world.bound, until)) is not None:
            self._fire(queued)
            fired += 1
            if fired > STORM:
                raise EventStorm(f"more than {STORM} events fired during one call")
            if self._noticed:
                break
        return fired

    def wait(self, reaches: Callable[[Notice], bool], until: int) -> tuple[int, list[Happened]]:
        """Let time pass to `until` or the first event that reaches the caller; returns (now, what reached them)."""
        self._noticed = []
        try:
            while True:
                self.fire_until(until)
                mine = list_once((app, one) for app, one in self._noticed if reaches(one))
                if mine:
                    return self._world.now, mine
                if event_queue.find_due_event(self._world.bound, until) is None:
                    break
                self._noticed = []
        finally:
            self._noticed = None
        self.advance(until)
        return self._world.now, []

    @contextmanager
    def step(self, name: str, now: int | None = None, cause: int | None = None) -> Generator[Call, None, None]:
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
            self.finish(bound, seq, "ok", max(before, at), mark)
        world.record(CallRecord(seq, at, max(before, at), "system:world", "world", name, {}, "ok", None, cause))
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

    def act(self, call: Call, person: str, operation: Operation, arguments: Mapping[str, Any]) -> Any:
        """One operation by a colleague inside an event: a savepoint and a call row of its own; None if refused."""
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
        return answer

    def notices(self, call: Call, change: Change) -> list[Notice]:
        """Whom a row change reaches, by the app that owns the table."""
        app = self.apps.get(change.table.split("_", 1)[0])
        if app is None or app.notice is None:
            return []
        return list(app.notice(self.for_app(call, app.name), change))

    def for_app(self, call: Call, app: str) -> Call:
        """The same call, as another app's code sees it."""
        return self._world.new_call(call.bound, call.principal, app, "world", call.now, call.seq)

    def _fire(self, queued: Queued) -> None:
        now = max(self._world.now, queued.due)
        last = self._last_at()
        at = min(now, queued.due) if queued.due >= last else last
        with self.step(queued.name, at, queued.cause) as call:
            event_queue.withdraw(call.bound, queued.seq)
            if queued.number in (event_queue.TOPIC, event_queue.PUBLISHED):
                self._publish(call, queued)
            elif self.plot is not None:
                self.plot.fire(call, queued)

    def _last_at(self) -> int:
        row = self._world.bound.raw.execute("SELECT at FROM _call ORDER BY seq DESC LIMIT 1").fetchone()
        return row[0] if row else 0

    def _publish(self, call: Call, queued: Queued) -> None:
        topic = str(queued.facts["topic"])
        facts = {k: v for k, v in queued.facts.items() if k not in ("topic", "only")}
        for name, app in sorted(self.apps.items()):
            if topic in app.topics and queued.facts.get("only") in (None, name):
                for _ in range(self.plot.copies(call, queued, app, topic) if self.plot is not None else 1):
                    self.tell(call, app, topic, facts)

    def _react(self, bound: Bound, seq: int, now: int, mark: int) -> None:
        """Triggers, colleagues and notices, on what this call changed; inside its transaction."""
        if self.plot is None and self._noticed is None:
            return
        changed = [c for c in changes_after(bound, mark) if c.call_seq == seq]
        if not changed:
            return
        call = self._world.new_call(bound, system(self._world.name, "world"), "world", "world", now, seq)
        for change in changed:
            if self.plot is not None:
                self.plot.react(call, change)
            if self._noticed is not None:
                self._noticed += [(change.table.partition("_")[0], one) for one in self.notices(call, change)]
        call.close(keep=True)
