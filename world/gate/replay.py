"""The solution as a list of timed calls, to be done at other times, in another order, or as somebody else."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import orjson

from world.agents.solver import StepOutcome, play
from world.agents.steps import DirectDoor, Scene, Step
from world.core.errors import OperationError
from world.core.json_types import is_array, is_object, is_row
from world.core.params import Arguments
from world.core.principal import Principal
from world.gate.mutants import get_leaves
from world.gate.variant_runner import VariantRunner
from world.run import episode
from world.run.episode import Episode
from world.store.queries import rows

STATED = "SELECT value FROM _state WHERE key LIKE 'event:%' ORDER BY key"
WAIT, FINISH = "world.wait", "world.finish"


@dataclass(frozen=True, slots=True)
class TimedWrite:
    """One write of the solution: the step, when it was done (us), its call, what came back, and how many waits lay
    before it.
    """

    step: Step
    at: int
    seq: int
    result: Any
    block: int

    @property
    def ends(self) -> bool:
        """Whether this is the end of the work, which stays the last call."""
        return self.step.operation == FINISH


Who = Callable[[Episode, TimedWrite], Iterable[Principal]]


def record(runner: VariantRunner) -> tuple[Episode, list[TimedWrite]]:
    """The unchanged solution: its run, up to the horizon, and its writes in order."""
    if runner.scenario.oracle is None:
        raise LookupError(f"{runner.scenario.name} has no oracle.py")
    run = runner.fork()
    scene, calls, state = Scene(run), list[TimedWrite](), {"at": run.actor.now, "block": 0}

    def note(played: StepOutcome) -> None:
        if played.step.operation == WAIT:
            state["block"] += 1
        elif played.refusal is None and runner.host.operation(played.step.operation).writes:
            calls.append(TimedWrite(played.step, state["at"], run.actor.version, played.result, state["block"]))
        state["at"] = scene.now

    play(runner.scenario.oracle, scene, DirectDoor(run), tell=note, strict=False)
    episode.finish(run)
    return run, calls


def record_writes(runner: VariantRunner) -> list[TimedWrite]:
    """The solution's writes in order; the run itself is dropped."""
    run, calls = record(runner)
    runner.host.drop(run.world)
    return calls


def walk_calls(runner: VariantRunner, calls: Sequence[TimedWrite]) -> Iterator[tuple[Episode, Sequence[TimedWrite]]]:
    """Yield the run before each call, and the calls from there on; each trial runs in a fork of it."""
    run = runner.fork()
    for number, call in enumerate(calls):
        if not call.ends:
            run.actor.advance(max(call.at, run.actor.now))
            yield run, calls[number:]
        perform(run, [call])
    runner.host.drop(run.world)


def at_times(calls: Sequence[TimedWrite], times: Mapping[str, int]) -> list[TimedWrite]:
    """The calls with some of them moved to other times, by step; the end of the work stays last."""
    moved = [replace(call, at=times.get(call.step.id, call.at)) for call in calls]
    return sorted(moved, key=lambda call: (call.ends, call.at))


def perform(run: Episode, calls: Iterable[TimedWrite], who: Who | None = None) -> list[StepOutcome]:
    """Do the calls in order, each at its time or as soon after as may be. What later ones say of earlier results is
    kept true.
    """
    done: list[StepOutcome] = []
    names: dict[str, str] = {}
    calls = list(calls)
    coined = list_coined_texts(calls, list_stated_texts(run))
    for call in calls:
        if run.actor.ended is None and run.actor.now < call.at:
            run.actor.advance(call.at)
        if run.actor.ended is not None:
            break
        played = _as(run, call, replace_names(call.step.arguments, names), who)
        names.update(find_new_names(call.result, played.result, coined[call.seq]))
        done.append(played)
    return done


def _as(run: Episode, call: TimedWrite, arguments: Arguments, who: Who | None) -> StepOutcome:
    step = replace(call.step, arguments=arguments)
    played = StepOutcome(step, None, "nobody")
    for principal in who(run, call) if who is not None else (run.principal(run.host.operation(step.operation).app),):
        played = _once(run, principal, step)
        if played.refusal is None:
            break
    return played


def _once(run: Episode, principal: Principal, step: Step) -> StepOutcome:
    try:
        return StepOutcome(step, run.host.call(principal, "rest", step.operation, step.arguments))
    except OperationError as refusal:
        return StepOutcome(step, None, refusal.code)


def list_stated_texts(run: Episode) -> frozenset[str]:
    """Every text in the facts that events have left in a world."""
    return frozenset[str]().union(*(_list_texts(orjson.loads(text)) for (text,) in rows(run.actor.bound, STATED)))


def list_coined_texts(calls: Iterable[TimedWrite], stated: Collection[str]) -> dict[int, set[str]]:
    """The texts that each call's result was the first to bear, by the call's number: ids of what it made. What an event
    has stated keeps its meaning, as a message of another channel may have the same `ts`; so does what an earlier call
    was told, such as a new name.
    """
    known, found = set(stated), dict[int, set[str]]()
    for call in sorted(calls, key=lambda one: one.seq):
        known |= _list_texts(call.step.arguments)
        said = _list_texts(call.result)
        found.setdefault(call.seq, set()).update(said - known)
        known |= said
    return found


def _list_texts(value: object) -> set[str]:
    return {text for _, text in get_leaves(value) if isinstance(text, str)}


def find_new_names(old: object, new: object, coined: Collection[str]) -> dict[str, str]:
    """The coined texts of a result with what stands in their place in another."""
    return {text: other for text, other in differences(old, new) if text in coined}


def replace_names(value: object, names: Mapping[str, str]) -> Any:
    """A value with every text that is one of the names replaced."""
    if is_object(value):
        return {key: replace_names(item, names) for key, item in value.items()}
    if is_row(value):
        return [replace_names(item, names) for item in value]
    return names.get(value, value) if isinstance(value, str) else value


def differences(old: object, new: object) -> Iterator[tuple[str, str]]:
    """Texts of one result with what stands in their place in another."""
    if is_object(old) and is_object(new):
        for key in old.keys() & new.keys():
            yield from differences(old[key], new[key])
    elif is_array(old) and is_array(new):
        for one, other in zip(old, new, strict=False):
            yield from differences(one, other)
    elif isinstance(old, str) and isinstance(new, str) and old != new:
        yield old, new
