"""The vendor's rate limits, on simulated time: limits per operation, quotas of units, shared pools, and Retry-After."""

from collections.abc import Callable, Iterator

from world.core.clock import SECOND
from world.core.errors import OperationError, Outage
from world.core.operation import Operation, Pool
from world.run.call_record import Attempt
from world.run.transactions import Transactions
from world.store import Bound


class RateLimit:
    """Counts the calls of one world against the limits of its apps."""

    def __init__(self, transactions: Transactions, *, remembers: bool) -> None:
        self._world, self._remembers = transactions, remembers

    def enforce(self, attempt: Attempt, advance: Callable[[int], int]) -> None:
        """Raise Outage for a call over a limit. A patient caller's clock is advanced to the end of Retry-After first.

        Operations without any limit pass at once unless faults can ask them to wait (`remembers`).
        """
        operation = attempt.operation
        if self._world.settings.limits == "off" or not (
            operation.limit is not None or operation.units or operation.pool or self._remembers
        ):
            return
        self._enforce_retry_after(attempt, advance)
        if (
            operation.limit is not None
            and (free_at := self._free_at(attempt, operation.limit, operation.window_s * SECOND)) > attempt.now
        ):
            raise self._build_outage(operation, -(-(free_at - attempt.now) // SECOND), None)
        if operation.units and (free_at := self._quota_free_at(attempt)) > attempt.now:
            raise self._build_outage(operation, -(-(free_at - attempt.now) // SECOND), "quota")
        if operation.pool is not None and operation.pool.counts(attempt.door):
            self._draw(attempt, operation.pool)

    def remember_retry(self, bound: Bound, attempt: Attempt, refusal: OperationError) -> None:
        """Keep until when a refused caller was told to wait."""
        if isinstance(refusal, Outage) and refusal.retry_after_s and refusal.reason != "early_retry":
            until = attempt.now + refusal.retry_after_s * SECOND
            bound.raw.execute(
                "INSERT OR REPLACE INTO _state(key, value) VALUES (?, ?)",
                (f"retry:{attempt.principal.person}:{attempt.operation.id}", str(until)),
            )

    def _enforce_retry_after(self, attempt: Attempt, advance: Callable[[int], int]) -> None:
        key = f"retry:{attempt.principal.person}:{attempt.operation.id}"
        row = self._world.bound.raw.execute("SELECT value FROM _state WHERE key = ?", (key,)).fetchone()
        if row is None or int(row[0]) <= attempt.now:
            return
        if self._world.settings.retry == "strict":
            left = -(-(int(row[0]) - attempt.now) // SECOND)
            raise self._build_outage(attempt.operation, left, "early_retry")
        advance(int(row[0]))
        attempt.now = self._world.now

    def _build_outage(self, operation: Operation, retry_after_s: int, reason: str | None) -> Outage:
        app = self._world.host.apps[operation.app]
        return Outage(
            "ratelimit",
            app.fault_codes.get("ratelimit", "ratelimited"),
            app=app.name,
            retry_after_s=retry_after_s,
            reason=reason,
        )

    def _free_at(self, attempt: Attempt, limit: int, window: int) -> int:
        """Return the time at which the sliding window has room again; looks back no further than that window."""
        used = [at for at, operation in self._recent(attempt, window) if operation == attempt.operation.id]
        return used[limit - 1] + window if len(used) >= limit else 0

    def _quota_free_at(self, attempt: Attempt) -> int:
        """Return the time at which the app's quota has room for the units of this call."""
        app, window = self._world.host.apps[attempt.operation.app], attempt.operation.window_s * SECOND
        left = (app.units or 0) - attempt.operation.units
        for at, operation in self._recent(attempt, window):
            left -= app.operations[operation].units if operation in app.operations else 0
            if left < 0:
                return at + window
        return 0

    def _draw(self, attempt: Attempt, pool: Pool) -> None:
        """Take one call from a pool. Raises Outage while the caller or everybody has used it up; for the latter its
        reason is `project`.
        """
        operations, window = self._world.host.apps[attempt.operation.app].operations, pool.window_s * SECOND
        mine = every = 0
        for at, actor, door, operation in self._calls(attempt.now - window):
            if not pool.counts(door) or operation not in operations or operations[operation].pool != pool:
                continue
            mine, every = mine + (actor == attempt.principal.person), every + 1
            if mine == pool.limit or every == pool.everybody:
                left = -(-(at + window - attempt.now) // SECOND)
                raise self._build_outage(attempt.operation, left, pool.reason if mine == pool.limit else "project")

    def _recent(self, attempt: Attempt, window: int) -> Iterator[tuple[int, str]]:
        """The caller's calls of a window, the last first: when, and which operation."""
        me = attempt.principal.person
        return ((at, operation) for at, actor, _, operation in self._calls(attempt.now - window) if actor == me)

    def _calls(self, since: int) -> Iterator[tuple[int, str, str, str]]:
        """Yield the calls after a time, the last first: time, person, door, operation. Refused ones do not count."""
        rows = self._world.bound.raw.execute("SELECT at, actor, door, operation, status FROM _call ORDER BY seq DESC")
        try:
            for at, actor, door, operation, status in rows:
                if at <= since:
                    return
                if status not in ("ratelimit", "early_retry"):
                    yield at, actor, door, operation
        finally:
            rows.close()
