"""One world's actor: every call of every door passes here, one at a time, as one transaction and one record."""

from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager, nullcontext
from hashlib import blake2b
from typing import Any

import apsw
from pydantic_core import PydanticSerializationError
from sqlalchemy.exc import OperationalError

from world.core.access import check_scope
from world.core.app import Notice
from world.core.builtin_operations import WaitParams, WaitResult, wait_end
from world.core.builtin_operations import app as employee_app
from world.core.clock import SECOND
from world.core.errors import InvalidArguments, OperationError, Outage
from world.core.journal import finish_call, last_change
from world.core.operation import Operation
from world.core.params import Arguments, Params
from world.core.principal import HUMAN, Principal
from world.core.settings import Settings
from world.run.call_record import Attempt, CallRecord, Recorder, Visitor
from world.run.episode_end import CUT_OFF, MAX_WAITS, describe_ending, describe_left, episode_ended
from world.run.event_loop import EventLoop
from world.run.rate_limit import RateLimit
from world.run.sandbox_results import SandboxResults
from world.run.team import Team
from world.run.transactions import TOO_MUCH, ActorHost, Transactions, is_interrupted
from world.script import faults
from world.script.faults import CLEAR, ActiveFault, FaultDecision
from world.script.scenario import Timeline
from world.store import Bound, NoRoom, World
from world.store.queries import row, value

TOO_LARGE = ("arguments", "a number is too large")
NO_TEXT = ("arguments", "a text contains a lone surrogate")


class Actor:
    """Serves one world. Not thread-safe by design: all store work of a process runs on one thread."""

    def __init__(
        self,
        host: ActorHost,
        world: World,
        settings: Settings,
        timeline: Timeline | None,
        generation: int = 0,
        ended: str | None = None,
    ) -> None:
        self.host, self.world, self.settings = host, world, settings
        self.timeline, self.generation, self.ended = timeline, generation, ended
        self.agent: str | None = None  # the employee whose task the episode is; None: anybody's
        self.team: Team | None = None  # where several agents act
        self.transactions = Transactions(host, world, settings)
        self.events = EventLoop(self.transactions, timeline, self)
        self._rate_limit = RateLimit(self.transactions, remembers=timeline is not None)

    @property
    def world_name(self) -> str:
        """The name the world is addressed by."""
        return self.transactions.name

    @property
    def bound(self) -> Bound:
        """A connection on this world; inside a transaction, the one that holds it."""
        return self.transactions.bound

    @property
    def now(self) -> int:
        """The world's simulated time, microseconds since the epoch, UTC."""
        return self.transactions.now

    @property
    def version(self) -> int:
        """Number of the last call."""
        return value(self.bound, "SELECT coalesce(max(seq), 0) FROM _call")

    @property
    def outcomes(self) -> SandboxResults:
        """Results of sandboxes in this world."""
        return self.transactions.outcomes

    @property
    def recorders(self) -> list[Recorder]:
        """Recorders to which every finished call is handed."""
        return self.transactions.recorders

    @property
    def visitors(self) -> list[Visitor]:
        """Those who are told of requests that reached no operation."""
        return self.transactions.visitors

    @property
    def watchers(self) -> list[Callable[[int, frozenset[str]], None]]:
        """Callbacks that are told which tables a call wrote."""
        return self.transactions.watchers

    def advance(self, until: int) -> int:
        """Let simulated time pass up to `until`, firing what becomes due; returns how many events fired."""
        with self.follow():
            return self.events.advance(until)

    def follow(self, person: str = "") -> AbstractContextManager[None]:
        """Let a team know of what happens meanwhile, done by a person if one is named."""
        return nullcontext() if self.team is None else self.team.follow(person)

    def active_faults(self) -> list[ActiveFault]:
        """The faults that are on now, in file order."""
        return self.events.active_faults()

    def call(
        self,
        principal: Principal,
        door: str,
        operation: Operation,
        arguments: Arguments,
        base_url: str = "",
        refusal: OperationError | None = None,
    ) -> Any:
        """Serve one call: due events first, then fault check, the operation in one transaction, its cost, triggers.

        Raises OperationError for every refusal; a refused call costs the same time and leaves its call row. `refusal`
        is the door's own objection to the arguments; it takes the place of their validation.
        """
        self._check_open(principal, operation)
        with self.transactions.translate_full_disk(operation, door), self.follow(principal.person):
            now = self.now
            if self.events.fire_until(now):
                now = self.now
            self._check_budget(now, operation)
            return self._serve(Attempt(principal, door, operation, arguments, base_url, now, refusal))

    def _serve(self, attempt: Attempt) -> Any:
        operation = attempt.operation
        try:
            if operation.id == "world.wait":
                return self._wait(attempt)
            self.admit(attempt)
            answer = self._perform(attempt)
        except OperationError as refusal:
            self._refuse(attempt, refusal)
            raise
        if operation.id == "world.now" and (limits := describe_left(self.settings, self.calls_left, self.now)):
            answer = {**answer, "limits": limits}
        if operation.id == "world.finish" and (self.team is None or self.team.finish(attempt.principal.person)):
            self.end("finished")
        return answer

    def peek(
        self, principal: Principal, door: str, operation: Operation, arguments: Arguments, base_url: str = ""
    ) -> Any:
        """Answer a reading operation without time, call row or event; for live re-fetches and parts of pages."""
        if operation.writes:
            raise ValueError(f"{operation.id} writes; it cannot be peeked")
        self._check_open(principal, operation)
        attempt = Attempt(principal, door, operation, arguments, base_url, self.now)
        self._check_account(principal)
        attempt.hit = self._decide_hit(attempt)
        if attempt.hit.active:
            raise faults.outage(attempt.hit, self.host.apps[operation.app])
        check_scope(principal, operation.scope)
        return self._read(attempt, operation.validate(arguments))

    def _wait(self, attempt: Attempt) -> WaitResult:
        """`world.wait`: events first, then the call's own row at the time it returns."""
        if self._waits() >= MAX_WAITS:
            self.end("idle")
            raise OperationError("idle")
        self.admit(attempt)
        if not isinstance(attempt.params, WaitParams):
            raise TypeError("world.wait takes WaitParams")
        zone = value(self.bound, "SELECT tz FROM person WHERE id = ?", attempt.principal.person)
        end = wait_end(attempt.params, attempt.now, zone)
        if self.settings.horizon_at is not None:
            end = max(attempt.now, min(end, self.settings.horizon_at))
        if self.team is not None and self.team.holds(attempt.principal.person):
            begun: WaitResult = self._perform(attempt)
            over = self.team.begin_wait(attempt.principal.person, end, attempt.params.on)
            return {**begun, "waiting": True} if over is None else over
        attempt.now, happened = self.events.wait(self._reaches(attempt.principal, attempt.params.on), end)
        answer: WaitResult = self._perform(attempt)
        return {**answer, "happened": [one["text"] for one in happened], "events": happened}

    def make_test(self, person: str, places: Iterable[str]) -> Callable[[Notice], bool]:
        """Make the test whether a notice ends the wait of a member who looks at some places."""
        return self._reaches(Principal(self.world_name, person, generation=self.generation), places)

    def _reaches(self, principal: Principal, on: Iterable[str]) -> Callable[[Notice], bool]:
        """Whether something that became visible ends the wait of somebody who looks at some places."""
        watched = {_bare_place(place) for place in on}

        def reaches(notice: Notice) -> bool:
            if notice.person:
                return notice.person == principal.person
            return not watched.isdisjoint(map(_bare_place, notice.places)) and self._is_seen(principal, notice)

        return reaches

    def _is_seen(self, principal: Principal, notice: Notice) -> bool:
        if notice.seen_by is None:
            return False
        operation, arguments = notice.seen_by
        try:
            self.peek(principal, "world", self.host.operation(operation), arguments)
        except OperationError:
            return False
        return True

    def _waits(self) -> int:
        """Consecutive waits at the agents' doors, counted back from the last call."""
        rows = self.bound.raw.execute(
            "SELECT operation FROM _call WHERE door IN ('rest', 'mcp', 'page') ORDER BY seq DESC LIMIT ?", (MAX_WAITS,)
        ).fetchall()
        return next((n for n, (name,) in enumerate(rows) if name != "world.wait"), len(rows))

    def _check_open(self, principal: Principal, operation: Operation) -> None:
        if principal.generation != self.generation:
            raise OperationError("token_revoked")
        if self.ended is not None and not self._takes_answer(operation):
            raise episode_ended(self.ended, self.settings)
        if self.team is not None and self.team.has_finished(principal.person):
            raise episode_ended("finished", self.settings)

    def _takes_answer(self, operation: Operation) -> bool:
        """Whether a call is the answer of somebody whose episode ended before they gave one."""
        given = value(self.bound, "SELECT count(*) FROM _state WHERE key = 'answer'")
        return operation.id == "world.finish" and self.ended in CUT_OFF and not given

    def _check_account(self, principal: Principal) -> None:
        person = row(self.bound, "SELECT status FROM person WHERE id = ?", principal.person)
        if principal.kind != "system" and (person is None or person[0] != "active"):
            raise OperationError("account_inactive")

    def _check_finisher(self, principal: Principal) -> None:
        """Refuse to end an episode for anybody but the employee whose task it is, and the members of their team.

        The key must be their own. A key to one app is for that app only.
        """
        own = principal.kind in HUMAN and principal.app in ("", employee_app.name) and not principal.scopes
        takes_part = self.team is not None and self.team.holds(principal.person)
        if not own or not (takes_part or self.agent in (None, principal.person)):
            raise OperationError("not_yours")

    def _check_budget(self, now: int, operation: Operation) -> None:
        limit, horizon = self.settings.max_calls, self.settings.horizon_at
        if horizon is not None and now >= horizon:
            self.end("horizon")
        elif limit is not None and self.agent_calls() >= limit:
            self.end("budget")
        if self.ended and not self._takes_answer(operation):
            raise episode_ended(self.ended, self.settings)

    @property
    def calls_left(self) -> int | None:
        """Number of calls that the agents' doors still take; None where they are not limited."""
        limit = self.settings.max_calls
        return None if limit is None else max(0, limit - self.agent_calls())

    def agent_calls(self) -> int:
        """Count the calls that came through the agents' doors so far."""
        return value(self.bound, "SELECT count(*) FROM _call WHERE door IN ('rest', 'mcp', 'page')")

    def end(self, why: str) -> None:
        """Close the world to its employees: finished, horizon, budget, idle."""
        before = self.ended
        self.ended = before or why
        try:
            with self.events.step("end") as call:
                call.remember("ended", self.ended)
        except NoRoom:
            self.ended = before
            raise
        if before is None:
            self.host.announce_end(self.world_name, describe_ending(why, self.settings))

    def admit(self, attempt: Attempt) -> None:
        """Make every check that can refuse a call before its operation runs."""
        self._check_account(attempt.principal)
        self._rate_limit.enforce(attempt, self.advance)
        attempt.hit = self._decide_hit(attempt)
        hit = attempt.hit
        if hit.active and hit.kind not in faults.AFTER and not hit.active.fault.commits:
            raise faults.outage(hit, self.host.apps[attempt.operation.app])
        check_scope(attempt.principal, attempt.operation.scope)
        if attempt.operation.id == "world.finish":
            self._check_finisher(attempt.principal)
        if attempt.refusal is not None:
            raise attempt.refusal
        attempt.params = attempt.operation.validate(attempt.arguments)
        attempt.digest = _digest_params(attempt.params)

    def _perform(self, attempt: Attempt) -> Any:
        answer: Any = None
        stale = attempt.hit.stale_since is not None
        if stale:
            answer = self._read(attempt, attempt.params or attempt.operation.validate(attempt.arguments))
        with self.transactions.translate_full_disk(attempt.operation, attempt.door), self.transactions.open() as bound:
            mark = last_change(bound)
            seq = self.transactions.start(bound, attempt)
            if not stale and attempt.params is not None:
                answer = self.run_operation(bound, attempt, attempt.params, seq)
            ended = attempt.now + self.settings.cost(attempt.operation) + attempt.hit.extra_us
            status = attempt.hit.kind or "ok"
            self.events.finish(bound, seq, status, ended, mark)
        self._record(attempt, seq, ended, status, answer)
        if attempt.operation.writes:
            self.transactions.announce(seq, mark)
        if attempt.hit.active:
            raise faults.outage(attempt.hit, self.host.apps[attempt.operation.app])
        return answer

    def _read(self, attempt: Attempt, params: Params) -> Any:
        """The operation's answer without a call row; of a stale read, from the world as it was when the fault began."""
        bound = self.bound
        if attempt.hit.stale_since is not None:
            bound = self.host.store.connection(self.host.store.view(self.world, at=attempt.hit.stale_since))
        bound.sql.begin()
        try:
            return self.run_operation(bound, attempt, params, seq=0)
        finally:
            bound.sql.rollback()

    def run_operation(self, bound: Bound, attempt: Attempt, params: Params, seq: int) -> Any:
        """Run an operation in a call of its own, inside the open transaction."""
        call = self.transactions.new_call(
            bound, attempt.principal, attempt.operation.app, attempt.door, attempt.now, seq, attempt.base_url
        )
        call.degraded = attempt.hit.degraded
        done = False
        try:
            with bound.meter.limit():
                answer = attempt.operation.run(call, params)
                call.flush()
            done = True
            return answer
        except (OperationalError, apsw.InterruptError) as error:
            if not is_interrupted(error):
                raise
            raise InvalidArguments([TOO_MUCH]) from None
        except OverflowError:  # a result of two 64-bit numbers may need more bits
            raise InvalidArguments([TOO_LARGE]) from None
        finally:
            call.close(keep=done)

    def _refuse(self, attempt: Attempt, refusal: OperationError) -> None:
        """Put a refused call on record."""
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
        with self.transactions.open() as bound:
            seq = self.transactions.start(bound, attempt)
            self._rate_limit.remember_retry(bound, attempt, refusal)
            finish_call(bound, seq, status, ended)
        self._record(attempt, seq, ended, status, refusal)

    def _record(self, attempt: Attempt, seq: int, ended: int, status: str, answer: object) -> None:
        self.transactions.record(
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
                at_door=attempt.refusal is not None and answer is attempt.refusal,
            )
        )

    def _decide_hit(self, attempt: Attempt) -> FaultDecision:
        active = self.active_faults()
        if not active or attempt.operation.app == "world":
            return CLEAR
        return faults.decide(
            active, attempt.operation, attempt.door, attempt.principal.person, attempt.now, self.settings.seed
        )


def _bare_place(place: str) -> str:
    return place.strip().lstrip("#").lower()


def _digest_params(params: Params) -> str:
    """Digest arguments, so that equal ones can be found. Raises InvalidArguments for what no JSON can write."""
    try:
        text = params.model_dump_json()
    except PydanticSerializationError:
        raise InvalidArguments([NO_TEXT]) from None
    return blake2b(text.encode(), digest_size=16).hexdigest()
