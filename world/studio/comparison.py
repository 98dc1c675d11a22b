"""Two runs side by side: the steps they share from the start, and the first that differs."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

from world.studio.run_view import RunView, StepSummary

COMPARED = ("operation", "door", "actor", "arguments", "status")


@dataclass(frozen=True, slots=True)
class Pair:
    """Steps of one number in both runs; None where a run has ended. `is_equal` counts what was asked, not the answer."""

    number: int
    left: StepSummary | None
    right: StepSummary | None
    is_equal: bool


@dataclass(frozen=True, slots=True)
class Comparison:
    """`shared` steps from the start ask the same in both runs. `answer` is the first of them that was answered otherwise."""

    shared: int
    answer: int | None
    pairs: Sequence[Pair]

    @property
    def number(self) -> int:
        """How many pairs there are."""
        return len(self.pairs)


def compare_runs(left: RunView, right: RunView) -> Comparison:
    """Align two runs by the number of the step. Raises TrajectoryError."""
    shared, answer = 0, None
    for number in range(1, min(len(left.steps), len(right.steps)) + 1):
        if not _may_equal(left.steps[number - 1], right.steps[number - 1]):
            break
        one, other = left.step(number), right.step(number)
        if any(one[name] != other[name] for name in COMPARED):
            break
        shared = number
        if answer is None and read_answer(left, one) != read_answer(right, other):
            answer = number
    pairs = [
        Pair(number, one, other, number <= shared or _is_alike(one, other))
        for number, (one, other) in enumerate(zip_longest(left.steps, right.steps), 1)
    ]
    return Comparison(shared, answer, pairs)


def read_answer(view: RunView, row: dict[str, Any]) -> Any:
    """What the agent saw at a step, or the operation's answer where the step has no door of its own."""
    return view.contents.restore(row.get("response", row.get("result")))


def _may_equal(one: StepSummary, other: StepSummary) -> bool:
    return (one.operation, one.door, one.status) == (other.operation, other.door, other.status)


def _is_alike(one: StepSummary | None, other: StepSummary | None) -> bool:
    return one is not None and other is not None and _may_equal(one, other) and one.title == other.title
