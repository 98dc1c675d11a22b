"""Plays a scripted solution through a door, whole or changed: steps left out, altered, repeated, reordered."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any

from world.agents.steps import Door, MissingResult, Scene, Step, StepRefused, Steps

Solution = Callable[[Scene], Steps]
Change = Callable[[Step], Iterable[Step]]


@dataclass(frozen=True, slots=True)
class StepOutcome:
    """One step as it was played; `refusal` is the code if it was refused, `detail` the door's further words."""

    step: Step
    result: Any
    refusal: str | None = None
    detail: object = None


PerformStep = Callable[[Step, bool], StepOutcome]  # a step, and whether the solution may do without it


def as_is(step: Step) -> Iterable[Step]:
    """The solution unchanged."""
    return (step,)


def play(
    solution: Solution,
    scene: Scene,
    door: Door,
    *,
    change: Change = as_is,
    tell: Callable[[StepOutcome], None] | None = None,
    strict: bool = True,
) -> list[StepOutcome]:
    """Play a solution. `change` maps each step to the steps done instead; strict runs let refusals through."""

    def perform(step: Step, optional: bool) -> StepOutcome:
        return perform_step(door, step, strict=strict and not optional)

    return perform_all(solution(scene), scene, perform, change=change, tell=tell)


def perform_all(
    steps: Steps,
    scene: Scene,
    perform: PerformStep,
    *,
    change: Change = as_is,
    tell: Callable[[StepOutcome], None] | None = None,
) -> list[StepOutcome]:
    """Perform the steps of a solution until it or the episode ends; each `yield` gives the last result that came."""
    played: list[StepOutcome] = []
    answer: object = None
    while not scene.ended:
        try:
            step = steps.send(answer)
        except StopIteration:
            break
        answer = MissingResult()
        for actual in change(step):
            done = perform(actual, step.optional)
            played.append(done)
            if done.refusal is None:
                answer = done.result
            if tell is not None:
                tell(done)
    steps.close()
    return played


def perform_step(door: Door, step: Step, *, strict: bool) -> StepOutcome:
    """Perform one step through a door. Raises StepRefused if `strict`."""
    try:
        return StepOutcome(step, door.do(step.operation, step.arguments))
    except StepRefused as refusal:
        if strict:
            raise
        return StepOutcome(step, None, refusal.code, refusal.detail)


def without(*ids: str) -> Change:
    """Leave steps out."""
    return lambda step: () if step.id in ids else (step,)


def twice(id: str) -> Change:
    """Do a step two times."""
    return lambda step: (step, replace(step, id=f"{step.id}.again")) if step.id == id else (step,)


def with_arguments(id: str, /, **arguments: object) -> Change:
    """Do a step with other arguments."""
    return lambda step: (replace(step, arguments={**step.arguments, **arguments}),) if step.id == id else (step,)
