"""Outages and degraded service: whether a call is hit, decided once per call from seed, caller and time."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import Literal, get_args

from world.core.app import App
from world.core.errors import Outage
from world.core.operation import Operation
from world.core.rng import Stream

FaultKind = Literal[
    "auth_expired",
    "transport",
    "timeout",
    "ratelimit",
    "readonly",
    "error",
    "write_then_error",
    "corrupt_payload",
    "partial",
    "stale_read",
    "degraded",
    "latency",
    "delay_event",
    "drop_event",
    "dup_event",
]
PRECEDENCE: dict[str, int] = {kind: rank for rank, kind in enumerate(get_args(FaultKind))}
AFTER = frozenset({"write_then_error"})  # the operation commits first
EVENTS = frozenset({"delay_event", "drop_event", "dup_event"})  # of deliveries: late, lost, twice
SILENT = frozenset({"stale_read", "degraded", "latency"}) | EVENTS  # the caller gets an answer
CLIENT_TIMEOUT_S = 30


@dataclass(frozen=True, slots=True)
class Backlog:
    """Backlog of an outage: what piled up arrives afterwards, `per_minute` deliveries, oldest first."""

    per_minute: int = 30


@dataclass(frozen=True, slots=True)
class Flapping:
    """A recovery that does not last: after its end the fault is back in the second half of each of `count` periods."""

    period_s: int
    count: int

    def is_back(self, past_s: float) -> bool:
        """Whether the fault is on again, so many seconds after its end."""
        return past_s < self.period_s * self.count and past_s % self.period_s >= self.period_s / 2


@dataclass(frozen=True, slots=True)
class Fault:
    """A failure of one service. `operations` are globs; `rate` is the share of matching calls that are hit.

    `latency_ms` (median, simulated) and `sigma` describe a log-normal charged to the clock; a stale read is as old as
    the fault's start; a degraded answer lacks what the service computes, or that part of it which `reason` names;
    `ramp_s` is how long the rate takes to grow and, at the end, to fall. `delay_event` always has a backlog.
    For `delay_event`, `drop_event` and `dup_event` the globs are of an app's deliveries (`App.on(topic,
    delivery=True)`).
    """

    id: str
    service: str
    kind: FaultKind
    operations: tuple[str, ...] = ("*",)
    doors: frozenset[str] = frozenset({"rest", "mcp", "page", "world"})
    people: frozenset[str] = frozenset()
    rate: float = 1.0
    retry_after_s: int | None = None
    reason: str | None = None
    latency_ms: float = 4_000.0
    sigma: float = 0.5
    ramp_s: int = 0
    commits: bool = False
    backlog: Backlog | None = None
    flapping: Flapping | None = None
    code: str | None = None

    def __post_init__(self) -> None:
        if self.kind not in PRECEDENCE:
            raise ValueError(f"fault {self.id}: unknown kind {self.kind!r}; one of {', '.join(PRECEDENCE)}")
        if not 0 < self.rate <= 1:
            raise ValueError(f"fault {self.id}: rate must be above 0 and at most 1")
        if self.flapping is not None and (self.ramp_s or self.kind in EVENTS):
            raise ValueError(f"fault {self.id}: flapping goes neither with ramp_s nor with {', '.join(sorted(EVENTS))}")
        if self.kind == "delay_event" and self.backlog is None:
            object.__setattr__(self, "backlog", Backlog())

    def matches(self, operation: Operation, door: str, person: str) -> bool:
        """Whether calls of this operation by this person at this door can be hit at all."""
        if self.service not in ("*", operation.app) or door not in self.doors:
            return False
        if self.people and person not in self.people:
            return False
        if self.kind in ("readonly", "write_then_error") and not operation.writes:
            return False
        if self.kind == "stale_read" and operation.writes:
            return False
        return any(fnmatchcase(operation.id, glob) for glob in self.operations)


@dataclass(frozen=True, slots=True)
class ActiveFault:
    """A fault that is on: since when (us), which call it started at, when it began to fall (us, or None)."""

    fault: Fault
    since: int
    call: int
    ending: int | None = None

    def share(self, now: int) -> float:
        """The share of calls hit at a simulated time, ramps and relapses included."""
        if self.fault.flapping is not None and self.ending is not None:
            return self.fault.rate if self.fault.flapping.is_back((now - self.ending) / 1_000_000) else 0.0
        ramp = self.fault.ramp_s * 1_000_000
        if not ramp:
            return self.fault.rate
        if self.ending is not None:
            return self.fault.rate * max(0.0, 1 - (now - self.ending) / ramp)
        return self.fault.rate * min(1.0, (now - self.since) / ramp)


@dataclass(frozen=True, slots=True)
class FaultDecision:
    """The decision for one call."""

    active: ActiveFault | None = None
    extra_us: int = 0
    stale_since: int | None = None
    degraded: str | None = None
    names: tuple[str, ...] = field(default=())

    @property
    def kind(self) -> str | None:
        """The kind that decides the answer; None when the call goes through."""
        return self.active.fault.kind if self.active else None


CLEAR = FaultDecision()


def decide(
    active: Iterable[ActiveFault], operation: Operation, door: str, person: str, now: int, seed: int
) -> FaultDecision:
    """Decide the effect of the active faults on one call: at most one refusal, and any latency and staleness."""
    loud: ActiveFault | None = None
    extra, stale, degraded = 0, None, None
    names: list[str] = []
    for item in active:
        fault = item.fault
        if not fault.matches(operation, door, person):
            continue
        draw = Stream(seed, "fault", fault.id, person, now)
        if draw.random() >= item.share(now):
            continue
        names.append(fault.id)
        if fault.kind == "latency":
            extra += int(draw.lognormal(fault.latency_ms, fault.sigma) * 1000)
        elif fault.kind == "stale_read":
            stale = item.call if stale is None else min(stale, item.call)
        elif fault.kind == "degraded":
            degraded = min(fault.reason or "", fault.reason or "" if degraded is None else degraded)
        elif fault.kind in EVENTS:
            continue
        elif loud is None or PRECEDENCE[fault.kind] < PRECEDENCE[loud.fault.kind]:
            loud = item
    if loud is not None and loud.fault.kind == "timeout":
        extra += CLIENT_TIMEOUT_S * 1_000_000
    return FaultDecision(loud, extra, stale, degraded, tuple(names)) if names else CLEAR


def outage(hit: FaultDecision, app: App) -> Outage:
    """The refusal of a hit, with the app's own code for that kind."""
    if hit.active is None:
        raise ValueError("nothing was hit")
    fault = hit.active.fault
    code = fault.code or app.fault_codes.get(fault.kind, fault.kind)
    return Outage(fault.kind, code, app=app.name, retry_after_s=fault.retry_after_s, reason=fault.reason)


def holds_back(
    active: Iterable[ActiveFault], operation: Operation, person: str, *, delivers: bool
) -> ActiveFault | None:
    """The fault that makes a world-made write wait in a backlog instead of failing; none once the backlog is draining.

    In an app that `delivers`, `delay_event` holds its deliveries back instead.
    """
    for item in active:
        fault = item.fault
        if (
            fault.backlog is None
            or item.ending is not None
            or not operation.writes
            or fault.kind in ("latency", "stale_read", "degraded")
        ):
            continue
        if fault.kind == "delay_event" and delivers:
            continue
        if fault.matches(operation, "world", person):
            return item
    return None


def of_delivery(
    active: Iterable[ActiveFault], app: str, topic: str, *, now: int, draw: tuple[str | int, ...]
) -> ActiveFault | None:
    """Return the fault that delays, loses or repeats one delivery of an app; `draw` identifies the delivery."""
    hits = [
        item
        for item in active
        if item.fault.kind in EVENTS
        and item.fault.service in ("*", app)
        and not item.fault.people
        and any(fnmatchcase(topic, glob) for glob in item.fault.operations)
        and not (item.fault.kind == "delay_event" and item.ending is not None)
        and Stream("fault", item.fault.id, *draw).random() < item.share(now)
    ]
    return min(hits, key=lambda item: PRECEDENCE[item.fault.kind], default=None)


def by_number(faults: Iterable[Fault], rows: Iterable[tuple[int, int, int, int | None]]) -> list[ActiveFault]:
    """Active faults of `_fault` rows (number, since, mark_seq, ending), in file order."""
    known: Mapping[int, Fault] = dict(enumerate(faults))
    return [ActiveFault(known[number], since, call, ending) for number, since, call, ending in rows if number in known]
