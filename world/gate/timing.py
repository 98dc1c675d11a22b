"""V11: the right work at the wrong time."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from world.core.clock import SECOND
from world.gate.replay import TimedWrite, at_times, perform, record
from world.gate.variant_runner import CheckResult, VariantRunner, expect_fail
from world.grading.effects import change_set
from world.grading.errors import EventNotFired
from world.grading.grading_context import build_context
from world.grading.items import Item
from world.grading.scope import Operand, Scope
from world.run import episode
from world.run.episode import Episode


@dataclass(frozen=True, slots=True)
class Window:
    """Time window of the calls behind an item, as the rubric declares it (us)."""

    item: str
    calls: frozenset[str]
    opens: int | None
    closes: int | None


def try_wrong_times(runner: VariantRunner) -> Iterator[CheckResult]:
    """V11: all or each of the work before anything happened, all of it at the end, and each item outside its declared
    time. What is there at the first moment may be done at once, and a chore without a deadline at the end.
    """
    run, calls = record(runner)
    spans = windows(runner, run, calls)
    runner.host.drop(run.world)
    first, horizon = runner.root.actor.now, runner.root.actor.settings.horizon_at or calls[-1].at
    work = [call.step.id for call in calls if not call.ends]
    if waits(runner):
        yield try_other_times(runner, "everything at the start", calls, dict.fromkeys(work, first))
    if any(span.closes is not None for span in spans) or (waits(runner) and runner.scenario.file is None):
        late = horizon - (horizon - first) // 20
        yield try_other_times(runner, "everything at the end", calls, dict.fromkeys(work, late))
    for call in calls if waits(runner) else ():
        early = list_needed_calls(call, calls)
        if not (call.ends or call.step.optional) and possible(runner, early):
            yield try_other_times(
                runner, f"{call.step.id} at the start", calls, dict.fromkeys((c.step.id for c in early), first)
            )
    for span in spans:
        times = {call.step.id: call.at for call in calls if call.step.id in span.calls}
        if not times:  # another customary act that would do, and that the solution does without
            continue
        if span.opens is not None and span.opens - SECOND > first:
            yield try_other_times(runner, f"{span.item} too early", calls, _each(times, span.opens - SECOND, min))
        if span.closes is not None and span.closes + SECOND < horizon:
            yield try_other_times(runner, f"{span.item} too late", calls, _each(times, span.closes + SECOND, max))


def waits(runner: VariantRunner) -> bool:
    """Whether the script has something to happen after the first moment, so that work at the start comes too early."""
    return any(event.at > runner.root.actor.now for event in runner.quiet.events.values())


def _each(times: Mapping[str, int], bound: int, choose: Callable[[int, int], int]) -> dict[str, int]:
    return {id: choose(at, bound) for id, at in times.items()}


def try_other_times(
    runner: VariantRunner, what: str, calls: Sequence[TimedWrite], times: Mapping[str, int]
) -> CheckResult:
    """Whether the work loses with some of it at other times."""
    run = runner.fork()
    perform(run, at_times(calls, times))
    episode.finish(run)
    return expect_fail("V11", what, runner.grade_and_drop(run))


def list_needed_calls(call: TimedWrite, calls: Sequence[TimedWrite]) -> list[TimedWrite]:
    """The call after all that it needs first."""
    ids = {call.step.id}
    for other in reversed(calls):
        if other.step.id in ids:
            ids.update(other.step.after)
    return [other for other in calls if other.step.id in ids]


def possible(runner: VariantRunner, calls: Sequence[TimedWrite]) -> bool:
    """Whether the last of these could be done before anything happened."""
    run = runner.fork()
    played = perform(run, [replace(call, at=run.actor.now) for call in calls])
    runner.host.drop(run.world)
    return played[-1].refusal is None


def windows(runner: VariantRunner, run: Episode, calls: Sequence[TimedWrite]) -> list[Window]:
    """The items of the rubric that have a time, with the solution's calls behind them."""
    evidence = runner.evidence(run)
    context = build_context(runner.rubric, evidence, change_set(evidence))
    behind = {item.id: frozenset(item.journal) for item in runner.grade(run).items}
    by_call = {call.seq: call.step.id for call in calls}
    steps = {change.id: by_call[change.call_seq] for change in evidence.changes if change.call_seq in by_call}
    return [
        Window(
            item.id, frozenset(steps[id] for id in behind.get(item.id, ()) if id in steps), *span(item, context.scope)
        )
        for item in runner.rubric.items
        if item.after is not None or item.before is not None
    ]


def span(item: Item, scope: Scope) -> tuple[int | None, int | None]:
    """Return the times at which an item opens and closes in a run."""
    opens, before = resolve_time(item.after, scope), resolve_time(item.before, scope)
    ends = [
        at
        for at in (before, opens + item.within if opens is not None and item.within is not None else None)
        if at is not None
    ]
    return opens, min(ends, default=None)


def resolve_time(operand: Operand | None, scope: Scope) -> Any:
    """The time an operand names, if its event has happened."""
    try:
        return None if operand is None else scope.value(operand)
    except EventNotFired:
        return None
