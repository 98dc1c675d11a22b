"""Runs of the solution with an act added at a moment of it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from world.agents.steps import DirectDoor, Scene, StepRefused
from world.core.clock import MINUTE
from world.core.journal import Change, changes_after, last_change
from world.gate.act_slots import find_slots
from world.gate.acts import Act, ActCall, fill_slots, list_names, look_up
from world.gate.replay import TimedWrite, perform, record
from world.gate.variant_runner import VariantRunner
from world.grading.verdict import Verdict
from world.run import episode
from world.run.episode import Episode
from world.store.queries import rows

OWN_CALLS = "SELECT seq FROM _call WHERE actor = ? AND door IN ('rest', 'mcp', 'page')"


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Reason why an act was not tried."""

    why: str


class RecordedSolution:
    """The recorded solution of a scenario, the values of slots after it, and its moments.

    A moment is a number of calls of the solution that are done by then, and a time.
    """

    def __init__(self, runner: VariantRunner) -> None:
        self.runner = runner
        run, self.calls = record(runner)
        runner.host.drop(run.world)
        self.work = [call for call in self.calls if not call.ends]
        self.before_end = runner.fork()
        self.played = perform(self.before_end, self.work)
        end = next((call.at for call in self.calls if call.ends), self.before_end.actor.now)
        self.before_end.actor.advance(max(end, self.before_end.actor.now))
        self.values = find_slots(self.before_end, list_own_changes(self.before_end))

    def close(self) -> None:
        """Let go of its world."""
        self.runner.host.drop(self.before_end.world)

    def at_end(self) -> tuple[Episode, Sequence[TimedWrite]]:
        """A run in which all is done but the end."""
        return self.runner.fork(self.before_end), self.calls[len(self.work) :]

    def after(self, number: int, at: int) -> tuple[Episode, Sequence[TimedWrite]]:
        """A run in which so many calls are done, at a time, and the calls left."""
        run = self.runner.fork()
        perform(run, self.calls[:number])
        run.actor.advance(max(at, run.actor.now))
        return run, self.calls[number:]

    def gaps(self) -> list[tuple[int, int]]:
        """The moments at which the solution waits, the longest wait first: calls done, and a minute later."""
        times = [self.runner.root.actor.now, *(call.at for call in self.calls)]
        waits = [(times[number + 1] - times[number], number) for number in range(len(self.calls))]
        return [
            (number, times[number] + MINUTE) for length, number in sorted(waits, reverse=True) if length > 5 * MINUTE
        ]

    def judge(self, run: Episode, rest: Sequence[TimedWrite]) -> Verdict:
        """The verdict of a run with the rest of the solution; its world is dropped."""
        perform(run, rest)
        episode.finish(run)
        return self.runner.grade_and_drop(run)


def list_own_changes(run: Episode) -> list[Change]:
    """List the changes that the agent made through its doors."""
    mine = {seq for (seq,) in rows(run.actor.bound, OWN_CALLS, run.agent)}
    return [change for change in changes_after(run.actor.bound, 0) if change.call_seq in mine]


Moment = Callable[[], tuple[Episode, Sequence[TimedWrite]]]


def run_with(
    solved: RecordedSolution, act: Act, moments: Sequence[Moment], values: Mapping[str, Any] | None = None
) -> Verdict | LeftOut:
    """The verdict of the solution with an act at the first of these moments at which it is not refused."""
    known = solved.values if values is None else values
    missing = sorted(find_missing(act.steps, known))
    if missing:
        return LeftOut(f"no value for {', '.join(missing)}")
    why = "no moment for it"
    for moment in moments:
        run, rest = moment()
        mark = last_change(run.actor.bound)
        refusal = take_steps(run, act.steps, known)
        touched = changes_by(run, mark)
        if not refusal and touched:
            return solved.judge(run, rest)
        solved.runner.host.drop(run.world)
        why = refusal or "it changes nothing"
    return LeftOut(why)


def changes_by(run: Episode, mark: int) -> bool:
    """Whether the agent changed anything since."""
    mine = {seq for (seq,) in rows(run.actor.bound, OWN_CALLS, run.agent)}
    return any(change.call_seq in mine for change in changes_after(run.actor.bound, mark))


def find_missing(steps: Sequence[ActCall], values: Mapping[str, Any]) -> set[str]:
    """The slots of an act that have no value."""
    named = {name for step in steps for name in list_names(step.params)}
    return {name for name in named if "." not in name and name not in values}


def take_steps(run: Episode, steps: Sequence[ActCall], known: Mapping[str, Any]) -> str:
    """Take the steps of an act as the agent; return the first unexpected outcome, empty if there is none."""
    door, scene, values = DirectDoor(run), Scene(run), dict(known)
    for step in steps:
        if step.wait:
            run.actor.advance(min(scene.now + step.wait * MINUTE, run.actor.settings.horizon_at or scene.now))
            continue
        try:
            answer = door.do(step.operation, fill_slots(step.params, partial(look_up, values=values)))
        except StepRefused as refusal:
            if not step.refused:
                return f"{step.operation} refused: {refusal.code}"
            continue
        except LookupError as error:
            return f"{step.operation}: no {error}"
        if step.refused:
            return f"{step.operation} is not refused"
        values.update({step.keep: answer} if step.keep else {})
    return ""
