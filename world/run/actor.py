"""One world's actor: every call of every door passes here, one at a time, as one transaction and one record."""

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

import apsw
import orjson
from sqlalchemy.exc import OperationalError

from world.core import event_queue
from world.core.access import check_scope
from world.core.app import App, Facts, Notice
from world.core.builtin_operations import Waited, WaitParams, wait_end
from world.core.call import Call
from world.core.clock import SECOND
from world.core.errors import OperationError, Outage
from world.core.event_queue import STORM, EventStorm, Queued
from world.core.journal import Change, changes_after, finish_call, last_change, resume_call, start_call, tables_after
from world.core.operation import Operation, Pool
from world.core.params import Params
from world.core.principal import Kind, Principal, system
from world.core.settings import Settings
from world.script import faults
from world.script.faults import CLEAR, Active, Hit
from world.script.scenario import Timeline
from world.script.scenario_runtime import Plot, is_bot
from world.store import Bound, NoRoom, QuotaExceeded, World
from world.store.queries import row, value

if TYPE_CHECKING:
    from world.run.host import Host

NO_ROOM = (QuotaExceeded, apsw.FullError, apsw.IOError, apsw.ReadOnlyError)
MAX_WAITS = 100  # consecutive waits before an episode counts as idle


@dataclass(frozen=True, slots=True)
class CallRecord:
    """What a recorder is told of one call: times in us, the outcome, and the caller's arguments."""

    seq: int
    at: int
    ended_at: int
    actor: str
    door: str
    operation: str
    arguments: Mapping[str, Any]
    status: str
    result: Any = None
    cause: int | None = None
    at_door: bool = False


Recorder = Callable[[CallRecord], None]


@dataclass(slots=True)
class _Attempt:
    """One call under way."""

    principal: Principal
    door: str
    operation: Operation
    arguments: Mapping[str, Any]
    base_url: str
    now: int
    refusal: OperationError | None = None
    params: Params | None = None
    hit: Hit = CLEAR
    digest: str = ""


def _no_room(error: BaseException) -> BaseException | None:
    """What a transaction failed of, if for want of room: quota or disk, whichever layer tells it."""
    found = getattr(error.orig, "__cause__", None) if isinstance(error, OperationalError) else error
    return found if isinstance(found, NO_ROOM) else None


class Actor:
    """Serves one world. Not thread-safe by design: all store work of a process runs on one thread."""

    def __init__(
        self, host: "Host", world: World, settings: Settings, timeline: Timeline | None, generation: int = 0
    ) -> None:
        self.host, self.world, self.settings = host, world, settings
        self.timeline, self.generation = timeline, generation
        self.plot = Plot(self, timeline) if timeline is not None else None
        self.recorders: list[Recorder] = []
        self.watchers: list[Callable[[int, frozenset[str]], None]] = []
        self.ended: str | None = None
        self._noticed: list[Notice] | None = None
        self._held: Bound | None = None

    @property
    def seed(self) -> int:
        """The seed of the world."""
        return self.settings.seed

    @property
    def apps(self) -> Mapping[str, App]:
        """Every app of the world."""
        return self.host.apps

    def operation(self, name: str) -> Operation:
        """The operation of an id. Raises LookupError."""
        return self.host.operation(name)

    @property
    def bound(self) -> Bound:
        """A connection on this world; inside a transaction, the one that holds it."""
        return self._held or self.host.store.connection(self.world)

    @contextmanager
    def _transaction(self) -> Iterator[Bound]:
        """Everything inside commits as one record, or nothing does."""
        bound = self.host.store.connection(self.world)
        bound.sql.begin()
        self._held = bound
        try:
            yield bound
            bound.sql.commit()
        except BaseException as error:
            bound.sql.rollback()
            if (why := _no_room(error)) is not None:
                raise NoRoom(f"world {self.world.name} cannot be written: {why}") from error
            raise
        finally:
            self._held = None

    @property
    def now(self) -> int:
        """The world's simulated time, microseconds since the epoch, UTC."""
        return value(self.bound, "SELECT at FROM _now")

    @property
    def version(self) -> int:
        """Number of the last call."""
        return value(self.bound, "SELECT coalesce(max(seq), 0) FROM _call")

    def call(
        self,
        principal: Principal,
        door: str,
        operation: Operation,
        arguments: Mapping[str, Any],
        base_url: str = "",
        refusal: OperationError | None = None,
    ) -> Any:
        """Serve one call: due events first, then fault check, the operation in one transaction, its cost, triggers.

        Raises OperationError for every refusal; a refused call costs the same time and leaves its call row. `refusal`
        is what the door itself has to say against the arguments; it takes the place of their validation.
        """
        self._check_open(principal)
        with self._storing(operation, door):
            self.catch_up()
            now = self.now
            self._check_budget(now)
            return self._serve(_Attempt(principal, door, operation, arguments, base_url, now, refusal))

    def _serve(self, attempt: _Attempt) -> Any:
        operation = attempt.operation
        try:
            if operation.id == "world.wait":
                return self._waiting(attempt)
            self._admit(attempt)
            answer = self._perform(attempt)
        except OperationError as refusal:
            self._refused(attempt, refusal)
            raise
        if operation.id == "world.finish":
            self.end("finished")
        return answer

    def peek(
        self, principal: Principal, door: str, operation: Operation, arguments: Mapping[str, Any], base_url: str = ""
    ) -> Any:
        """Answer a reading operation without time, call row or event; for live re-fetches and parts of pages."""
        if operation.writes:
            raise ValueError(f"{operation.id} writes; it cannot be peeked")
        self._check_open(principal)
        attempt = _Attempt(principal, door, operation, arguments, base_url, self.now)
        self._check_account(principal)
        attempt.hit = self._hit(attempt)
        if attempt.hit.active:
            raise faults.outage(attempt.hit, self.host.apps[operation.app])
        check_scope(principal, operation.scope)
        params = operation.validate(arguments)
        bound = self._reading(attempt)
        bound.sql.begin()
        try:
            return self._run(bound, attempt, params, seq=0)
        finally:
            bound.sql.rollback()

    def _waiting(self, attempt: _Attempt) -> Waited:
        """`world.wait`: events first, then the call's own row at the time it returns."""
        if self._waits() >= MAX_WAITS:
            self.end("idle")
            raise OperationError("idle")
        self._admit(attempt)
        if not isinstance(attempt.params, WaitParams):
            raise TypeError("world.wait takes WaitParams")
        zone = value(self.bound, "SELECT tz FROM person WHERE id = ?", attempt.principal.person)
        end = wait_end(attempt.params, attempt.now, zone)
        if self.settings.horizon_at is not None:
            end = max(attempt.now, min(end, self.settings.horizon_at))
        attempt.now, happened = self.wait(attempt.principal, end)
        answer: Waited = self._perform(attempt)
        return {**answer, "happened": happened}

    def _waits(self) -> int:
        """Consecutive waits at the agents' doors, counted back from the last call."""
        rows = self.bound.raw.execute(
            "SELECT operation FROM _call WHERE door IN ('rest', 'mcp', 'page') ORDER BY seq DESC LIMIT ?", (MAX_WAITS,)
        ).fetchall()
        return next((n for n, (name,) in enumerate(rows) if name != "world.wait"), len(rows))

    def _check_open(self, principal: Principal) -> None:
        if principal.generation != self.generation:
            raise OperationError("token_revoked")
        if self.ended is not None:
            raise OperationError("token_revoked", ended=self.ended)

    def _check_account(self, principal: Principal) -> None:
        person = row(self.bound, "SELECT status FROM person WHERE id = ?", principal.person)
        if principal.kind != "system" and (person is None or person[0] != "active"):
            raise OperationError("account_inactive")

    def _check_budget(self, now: int) -> None:
        limit, horizon = self.settings.max_calls, self.settings.horizon_at
        if horizon is not None and now >= horizon:
            self.end("horizon")
        elif limit is not None and self.agent_calls() >= limit:
            self.end("budget")
        if self.ended:
            raise OperationError("token_revoked", ended=self.ended)

    def agent_calls(self) -> int:
        """How many calls came through the agents' doors so far."""
        return value(self.bound, "SELECT count(*) FROM _call WHERE door IN ('rest', 'mcp', 'page')")

    def end(self, why: str) -> None:
        """Close the world to its employees: finished, horizon, budget, idle."""
        before = self.ended
        self.ended = before or why
        try:
            with self._step("end") as call:
                call.remember("ended", self.ended)
        except NoRoom:
            self.ended = before
            raise

    def _admit(self, attempt: _Attempt) -> None:
        """Everything that can refuse a call before its operation runs."""
        self._check_account(attempt.principal)
        self._limit(attempt)
        attempt.hit = self._hit(attempt)
        hit = attempt.hit
        if hit.active and hit.kind not in faults.AFTER and not hit.active.fault.commits:
            raise faults.outage(hit, self.host.apps[attempt.operation.app])
        check_scope(attempt.principal, attempt.operation.scope)
        if attempt.refusal is not None:
            raise attempt.refusal
        attempt.params = attempt.operation.validate(attempt.arguments)
        attempt.digest = blake2b(attempt.params.model_dump_json().encode(), digest_size=16).hexdigest()

    def _perform(self, attempt: _Attempt) -> Any:
        answer: Any = None
        stale = attempt.hit.stale_since is not None
        if stale:
            answer = self._read_past(attempt)
        with self._storing(attempt.operation, attempt.door), self._transaction() as bound:
            mark = last_change(bound)
            seq = self._open(bound, attempt)
            if not stale and attempt.params is not None:
                answer = self._run(bound, attempt, attempt.params, seq)
            ended = attempt.now + self.settings.cost(attempt.operation) + attempt.hit.extra_us
            status = attempt.hit.kind or "ok"
            self._close(bound, seq, status, ended, mark)
        self._tell(attempt, seq, ended, status, answer)
        self._announce(seq, mark, attempt.operation.writes)
        if attempt.hit.active:
            raise faults.outage(attempt.hit, self.host.apps[attempt.operation.app])
        return answer

    def _read_past(self, attempt: _Attempt) -> Any:
        """What a stale read sees: the world as it was when the fault began."""
        bound = self._reading(attempt)
        bound.sql.begin()
        try:
            return self._run(bound, attempt, attempt.params or attempt.operation.validate(attempt.arguments), seq=0)
        finally:
            bound.sql.rollback()

    @contextmanager
    def _storing(self, operation: Operation, door: str) -> Iterator[None]:
        """A disk or a quota that is full is, to an employee, the vendor's own kind of failure; the transaction is gone."""
        try:
            yield
        except NoRoom:
            if door == "control":
                raise
            app = self.host.apps[operation.app]
            raise Outage("error", app.fault_codes.get("error", "internal_error"), app=app.name) from None

    def _open(self, bound: Bound, attempt: _Attempt, cause: int | None = None) -> int:
        return start_call(
            bound,
            at=attempt.now,
            actor=attempt.principal.person,
            door=attempt.door,
            operation=attempt.operation.id,
            params_hash=attempt.digest,
            cause_seq=cause,
        )

    def _close(self, bound: Bound, seq: int, status: str, now: int, mark: int) -> None:
        self._react(bound, seq, now, mark)
        finish_call(bound, seq, status, now)

    def _run(self, bound: Bound, attempt: _Attempt, params: Params, seq: int) -> Any:
        call = self._call(
            bound, attempt.principal, attempt.operation.app, attempt.door, attempt.now, seq, attempt.base_url
        )
        call.degraded = attempt.hit.degraded
        done = False
        try:
            answer = attempt.operation.run(call, params)
            done = True
            return answer
        finally:
            call.close(keep=done)

    def _call(
        self, bound: Bound, principal: Principal, app: str, door: str, now: int, seq: int, base_url: str = ""
    ) -> Call:
        return Call(
            bound,
            self.host.apps,
            app,
            principal,
            door=door,
            now=now,
            seq=seq,
            seed=self.settings.seed,
            base_url=base_url or self.host.base_url(app),
        )

    def _reading(self, attempt: _Attempt) -> Bound:
        if attempt.hit.stale_since is None:
            return self.bound
        return self.host.store.connection(self.host.store.view(self.world, at=attempt.hit.stale_since))

    def _refused(self, attempt: _Attempt, refusal: OperationError) -> None:
        if (
            isinstance(refusal, Outage)
            and attempt.hit.kind in faults.AFTER | {"timeout"}
            and attempt.params is not None
        ):
            return  # the operation committed; its call row says so
        status = refusal.kind if isinstance(refusal, Outage) else refusal.code
        if isinstance(refusal, Outage) and refusal.reason == "early_retry":
            status = "early_retry"
        ended = attempt.now + self.settings.cost(attempt.operation) + attempt.hit.extra_us
        if isinstance(refusal, Outage) and refusal.retry_after_s is not None:
            refusal.until = ended + refusal.retry_after_s * SECOND
        with self._transaction() as bound:
            seq = self._open(bound, attempt)
            self._remember_retry(bound, attempt, refusal)
            finish_call(bound, seq, status, ended)
        self._tell(attempt, seq, ended, status, refusal)

    def _tell(self, attempt: _Attempt, seq: int, ended: int, status: str, answer: Any) -> None:
        at_door = attempt.refusal is not None and answer is attempt.refusal
        for record in self.recorders:
            record(
                CallRecord(
                    seq,
                    attempt.now,
                    ended,
                    attempt.principal.person,
                    attempt.door,
                    attempt.operation.id,
                    attempt.arguments,
                    status,
                    answer,
                    at_door=at_door,
                )
            )

    def _announce(self, seq: int, mark: int, wrote: bool) -> None:
        if self.watchers and wrote:
            tables = tables_after(self.bound, mark)
            for watcher in list(self.watchers):
                watcher(seq, tables)

    # limits and faults

    def active_faults(self) -> list[Active]:
        """The faults that are on now, in file order."""
        if self.timeline is None or not self.timeline.faults:
            return []
        rows = self.bound.raw.execute("SELECT number, since, mark_seq, ending FROM _fault ORDER BY number")
        return faults.by_number(self.timeline.faults, rows)

    def _hit(self, attempt: _Attempt) -> Hit:
        active = self.active_faults()
        if not active or attempt.operation.app == "world":
            return CLEAR
        return faults.decide(
            active, attempt.operation, attempt.door, attempt.principal.person, attempt.now, self.settings.seed
        )

    def _limit(self, attempt: _Attempt) -> None:
        """The vendor's limiter, on simulated time, and the memory of Retry-After."""
        operation = attempt.operation
        if self.settings.limits == "off" or not (
            operation.limit is not None or operation.units or operation.pool or self.timeline is not None
        ):
            return
        key = f"retry:{attempt.principal.person}:{operation.id}"
        row = self.bound.raw.execute("SELECT value FROM _state WHERE key = ?", (key,)).fetchone()
        if row is not None and int(row[0]) > attempt.now:
            if self.settings.retry == "strict":
                left = -(-(int(row[0]) - attempt.now) // SECOND)
                raise self._limited(operation, left, "early_retry")
            self.advance(int(row[0]))
            attempt.now = self.now
        if (
            operation.limit is not None
            and (free_at := self._free_at(attempt, operation.limit, operation.window_s * SECOND)) > attempt.now
        ):
            raise self._limited(operation, -(-(free_at - attempt.now) // SECOND), None)
        if operation.units and (free_at := self._quota_free_at(attempt)) > attempt.now:
            raise self._limited(operation, -(-(free_at - attempt.now) // SECOND), "quota")
        if operation.pool is not None and attempt.door != "world":
            self._draw(attempt, operation.pool)

    def _limited(self, operation: Operation, retry_after_s: int, reason: str | None) -> Outage:
        app = self.host.apps[operation.app]
        return Outage(
            "ratelimit",
            app.fault_codes.get("ratelimit", "ratelimited"),
            app=app.name,
            retry_after_s=retry_after_s,
            reason=reason,
        )

    def _free_at(self, attempt: _Attempt, limit: int, window: int) -> int:
        """When the sliding window has room again; looks back no further than that window."""
        used = [at for at, operation in self._recent(attempt, window) if operation == attempt.operation.id]
        return used[limit - 1] + window if len(used) >= limit else 0

    def _quota_free_at(self, attempt: _Attempt) -> int:
        """When the app's quota has room for the units of this call."""
        app, window = self.host.apps[attempt.operation.app], attempt.operation.window_s * SECOND
        left = (app.units or 0) - attempt.operation.units
        for at, operation in self._recent(attempt, window):
            left -= app.operations[operation].units if operation in app.operations else 0
            if left < 0:
                return at + window
        return 0

    def _draw(self, attempt: _Attempt, pool: Pool) -> None:
        """Take one call from a pool. Raises Outage while the caller or everybody has used it up; for the latter its
        reason is `project`.
        """
        operations, window = self.host.apps[attempt.operation.app].operations, pool.window_s * SECOND
        mine = every = 0
        for at, actor, door, operation in self._calls(attempt.now - window):
            if door == "world" or operation not in operations or operations[operation].pool != pool:
                continue
            mine, every = mine + (actor == attempt.principal.person), every + 1
            if mine == pool.limit or every == pool.everybody:
                left = -(-(at + window - attempt.now) // SECOND)
                raise self._limited(attempt.operation, left, None if mine == pool.limit else "project")

    def _recent(self, attempt: _Attempt, window: int) -> Iterator[tuple[int, str]]:
        """The caller's calls of a window, the last first: when, and which operation."""
        me = attempt.principal.person
        return ((at, operation) for at, actor, _, operation in self._calls(attempt.now - window) if actor == me)

    def _calls(self, since: int) -> Iterator[tuple[int, str, str, str]]:
        """Calls after a time, the last first: when, whose, at which door, which operation; those the limiter refused do
        not count.
        """
        rows = self.bound.raw.execute("SELECT at, actor, door, operation, status FROM _call ORDER BY seq DESC")
        try:
            for at, actor, door, operation, status in rows:
                if at <= since:
                    return
                if status not in ("ratelimit", "early_retry"):
                    yield at, actor, door, operation
        finally:
            rows.close()

    def _remember_retry(self, bound: Bound, attempt: _Attempt, refusal: OperationError) -> None:
        if isinstance(refusal, Outage) and refusal.retry_after_s and refusal.reason != "early_retry":
            until = attempt.now + refusal.retry_after_s * SECOND
            bound.raw.execute(
                "INSERT OR REPLACE INTO _state(key, value) VALUES (?, ?)",
                (f"retry:{attempt.principal.person}:{attempt.operation.id}", str(until)),
            )

    # time and events

    def catch_up(self) -> int:
        """Fire everything that is due; returns how many events fired. Raises EventStorm."""
        return self._fire_until(self.now)

    def advance(self, until: int) -> int:
        """Let simulated time pass up to `until`, firing what becomes due; returns how many events fired."""
        fired = self._fire_until(until)
        if until > self.now:
            with self._step("advance", until):
                pass
        return fired

    def _fire_until(self, until: int) -> int:
        fired = 0
        while (queued := event_queue.pending(self.bound, until)) is not None:
            self._fire(queued)
            fired += 1
            if fired > STORM:
                raise EventStorm(f"more than {STORM} events fired during one call")
            if self._noticed:
                break
        return fired

    def wait(self, principal: Principal, until: int) -> tuple[int, list[str]]:
        """Let time pass to `until` or the first event visible to the caller; returns (now, what became visible)."""
        self._noticed = []
        try:
            while True:
                self._fire_until(until)
                mine = [n.text for n in self._noticed if n.person == principal.person]
                if mine:
                    return self.now, mine
                if event_queue.pending(self.bound, until) is None:
                    break
                self._noticed = []
        finally:
            self._noticed = None
        self.advance(until)
        return self.now, []

    @contextmanager
    def _step(self, name: str, now: int | None = None, cause: int | None = None) -> Iterator[Call]:
        """One transaction of the world itself: an event firing, a clock advance, a start."""
        before = self.now
        at = before if now is None else now
        with self._transaction() as bound:
            mark = last_change(bound)
            seq = start_call(
                bound, at=at, actor="system:world", door="world", operation=name, params_hash="", cause_seq=cause
            )
            call = self._call(bound, system(self.world_name, "world"), "world", "world", at, seq)
            try:
                yield call
            finally:
                call.close(keep=sys.exception() is None)
            self._close(bound, seq, "ok", max(before, at), mark)
        for record in self.recorders:
            record(CallRecord(seq, at, max(before, at), "system:world", "world", name, {}, "ok", None, cause))
        self._announce(seq, mark, True)

    def _fire(self, queued: Queued) -> None:
        now = max(self.now, queued.due)
        at = min(now, queued.due) if queued.due >= self._last_at() else self._last_at()
        with self._step(queued.name, at, queued.cause) as call:
            event_queue.withdraw(call.bound, queued.seq)
            if queued.number in (event_queue.TOPIC, event_queue.PUBLISHED):
                self._topic(call, queued)
            elif self.plot is not None:
                self.plot.fire(call, queued)

    def _last_at(self) -> int:
        row = self.bound.raw.execute("SELECT at FROM _call ORDER BY seq DESC LIMIT 1").fetchone()
        return row[0] if row else 0

    def _topic(self, call: Call, queued: Queued) -> None:
        topic = str(queued.facts["topic"])
        facts = {k: v for k, v in queued.facts.items() if k not in ("topic", "only")}
        for name, app in sorted(self.host.apps.items()):
            if topic in app.topics and queued.facts.get("only") in (None, name):
                for _ in range(self.plot.copies(call, queued, app, topic) if self.plot is not None else 1):
                    self.tell(call, app, topic, facts)

    def tell(self, call: Call, app: App, topic: str, facts: Facts) -> None:
        """Let an app's subscriber of a world event run."""
        own = self._call(call.bound, system(self.world_name, app.name), app.name, "world", call.now, call.seq)
        own.hand = lambda event, person, id, arguments: self.act(event, person, self.host.operation(id), arguments)
        done = False
        try:
            app.topics[topic](own, facts)
            done = True
        finally:
            own.close(keep=done)

    @property
    def world_name(self) -> str:
        """The name the world is addressed by."""
        return str(self.world.name)

    def act(self, call: Call, person: str, operation: Operation, arguments: Mapping[str, Any]) -> Any:
        """One operation by a colleague inside an event: a savepoint and a call row of its own; None if refused."""
        kind: Kind = "bot" if is_bot(call, person) else "user"
        principal = Principal(self.world_name, person, kind, operation.app, generation=self.generation)
        attempt = _Attempt(principal, "world", operation, arguments, "", call.now)
        call.flush()
        raw = call.bound.raw
        status, answer, error = "ok", None, None
        seq = self._open(call.bound, attempt, cause=call.seq)
        mark = last_change(call.bound)
        raw.execute("SAVEPOINT act")
        try:
            self._admit(attempt)
            if attempt.params is not None:
                answer = self._run(call.bound, attempt, attempt.params, seq)
        except OperationError as refusal:
            raw.execute("ROLLBACK TO act")
            status, error = refusal.code, refusal
        raw.execute("RELEASE act")
        self._react(call.bound, seq, call.now, mark)
        finish_call(call.bound, seq, status, call.now)
        resume_call(call.bound, call.seq)
        for record in self.recorders:
            record(
                CallRecord(
                    seq, call.now, call.now, person, "world", operation.id, arguments, status, error or answer, call.seq
                )
            )
        return answer

    def _react(self, bound: Bound, seq: int, now: int, mark: int) -> None:
        """Triggers, colleagues and notices, on what this call changed; inside its transaction."""
        if self.plot is None and self._noticed is None:
            return
        changed = [c for c in changes_after(bound, mark) if c.call_seq == seq]
        if not changed:
            return
        call = self._call(bound, system(self.world_name, "world"), "world", "world", now, seq)
        for change in changed:
            if self.plot is not None:
                self.plot.react(call, change)
            if self._noticed is not None:
                self._noticed += self.notices(call, change)
        call.close(keep=True)

    def notices(self, call: Call, change: Change) -> list[Notice]:
        """Whom a row change reaches, by the app that owns the table."""
        app = self.host.apps.get(change.table.split("_", 1)[0])
        if app is None or app.notice is None:
            return []
        return list(app.notice(self.for_app(call, app.name), change))

    def for_app(self, call: Call, app: str) -> Call:
        """The same call, as another app's code sees it."""
        return self._call(call.bound, call.principal, app, "world", call.now, call.seq)

    def begin(self) -> None:
        """Put a scenario's first events into the queue and record the settings; called once, before any call."""
        with self._step("start") as call:
            call.remember("settings", orjson.loads(self.settings.model_dump_json()))
            if self.plot is not None:
                self.plot.begin(call)
