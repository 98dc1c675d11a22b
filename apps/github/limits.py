"""The quotas of the code host: one for most calls, and one each for searches, code search and GraphQL.

Source: docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api, docs.github.com/rest/search,
docs.github.com/graphql/overview/rate-limits-and-query-limits-for-the-graphql-api
"""

from collections.abc import Callable, Container, Iterable, Sequence
from typing import Any, NamedTuple

from world.core.operation import Pool

PER_HOUR = 5000
HOUR_S = 3600
MINUTE_S = 60
USED_UP = "quota"  # the reason of a limit that is the resource's own, and not a secondary one
POOLS = {
    "search": Pool("search", 30, window_s=MINUTE_S, reason=USED_UP, pages=False),
    "code_search": Pool("code_search", 10, window_s=MINUTE_S, reason=USED_UP, pages=False),
    "graphql": Pool("graphql", PER_HOUR, window_s=HOUR_S, reason=USED_UP, pages=False),
}
CALLS = (
    "SELECT operation, door, count(*), min(at) FROM _call WHERE seq > coalesce((SELECT seq FROM _call WHERE at <= ?"
    " ORDER BY seq DESC LIMIT 1), 0) AND seq < ? AND actor = ? AND status NOT IN ('ratelimit', 'early_retry') GROUP BY"
    " operation, door"
)
Rows = Callable[[str, tuple[Any, ...]], Iterable[Sequence[Any]]]


class RemainingQuota(NamedTuple):
    """Use of a quota. `reset`: seconds since the epoch."""

    limit: int
    used: int
    reset: int

    @property
    def remaining(self) -> int:
        """Number of calls left."""
        return max(self.limit - self.used, 0)


def resource_of(id: str) -> str:
    """Return the resource that an operation's calls count against: core, search, code_search or graphql."""
    if id == "search/code":
        return "code_search"
    word = id.partition("/")[0]
    return word if word in POOLS else "core"


def pool_of(id: str, writes: bool) -> Pool | None:
    """Return the separate quota of an operation; None if it counts against the 5,000 calls per hour."""
    return POOLS.get(resource_of(id))


def limit_of(resource: str) -> tuple[int, int]:
    """Return the limit of a resource, in calls, and its window in seconds."""
    pool = POOLS.get(resource)
    return (PER_HOUR, HOUR_S) if pool is None else (pool.limit, pool.window_s)


def count_left(rows: Rows, person: str, now: int, seq: int, resource: str, counting: Container[str]) -> RemainingQuota:
    """Return a person's use of a resource before call `seq`; `counting` are the operations on the common quota."""
    limit, window_s = limit_of(resource)
    used, first = 0, now
    for operation, door, times, at in rows(CALLS, (now - window_s * 1_000_000, seq, person)):
        if resource_of(operation) != resource:
            continue
        if (operation in counting) if resource == "core" else door not in ("page", "world"):
            used, first = used + times, min(first, at)
    return RemainingQuota(limit, used, first // 1_000_000 + window_s)
