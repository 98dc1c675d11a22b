"""The score of a run at its steps: which steps to grade, what changed between them, and the line to draw."""

from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from world.studio.run_view import RunView
from world.studio.run_world import RunWorld
from world.studio.time_line import TimeLine, draw_time_line

SAMPLES = 16  # steps of a long run that are graded in any case; then those between two whose verdicts differ
AT_ONCE = 4  # gradings of one request
HEIGHT = 40.0

Verdict = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ScoreChange:
    """A step after which the verdict is another: the score, and each item with its share before and after."""

    step: int
    score: float
    passed: bool
    items: Sequence[tuple[str, float, float]]


@dataclass(frozen=True, slots=True)
class ScoreLine:
    """What is known so far. `points` is the line of a picture; `is_whole` once no step is left that could differ."""

    points: str
    changes: Sequence[ScoreChange]
    graded: int
    is_whole: bool


def choose_steps(last: int, known: Mapping[int, Verdict]) -> list[int]:
    """The steps to grade next: evenly spread ones, then the middle of every stretch whose ends differ."""
    spread = sorted({last * n // SAMPLES for n in range(SAMPLES + 1)} if last > SAMPLES else set(range(last + 1)))
    missing = [step for step in spread if step not in known]
    if missing:
        return missing
    graded = sorted(known)
    return [
        (first + second) // 2
        for first, second in pairwise(graded)
        if second - first > 1 and _shares(known[first]) != _shares(known[second])
    ]


async def grade_steps(
    world: RunWorld, view: RunView, known: dict[int, Verdict], is_gone: Callable[[], Awaitable[bool]]
) -> ScoreLine:
    """Grade some more steps unless who asked `is_gone`, keep their verdicts in `known`, and draw the line."""
    for step in choose_steps(len(view.steps), known)[:AT_ONCE]:
        if await is_gone():
            break
        known[step] = await world.grade(view, step)
    line = draw_time_line(view)
    left = choose_steps(len(view.steps), known)
    return ScoreLine(draw_points(view, line, known), list(list_changes(known)), len(known), not left)


def draw_points(view: RunView, line: TimeLine, known: Mapping[int, Verdict]) -> str:
    """The score over simulated time as points of a polyline, each score lasting until the next graded step."""
    found, before = list[str](), 0.0
    for step in sorted(known):
        x, y = line.x(view.steps[step - 1].ended_at if step else line.begins), _place(known[step])
        found += [f"{x},{before:g}", f"{x},{y:g}"] if found else [f"{x},{y:g}"]
        before = y
    return " ".join([*found, f"1000,{before:g}"])


def list_changes(known: Mapping[int, Verdict]) -> Iterator[ScoreChange]:
    """The graded steps whose verdict differs from the graded step before."""
    steps = sorted(known)
    for first, second in pairwise(steps):
        old, new = _shares(known[first]), _shares(known[second])
        if old != new:
            items = [(name, old.get(name, 0.0), share) for name, share in new.items() if old.get(name, 0.0) != share]
            yield ScoreChange(second, read_score(known[second]), bool(known[second].get("pass")), items)


def read_score(verdict: Verdict) -> float:
    """The denser of the scores of a verdict, 0 to 1."""
    raw = verdict.get("raw_score")
    found = verdict.get("score") if raw is None else raw
    return float(found) if isinstance(found, int | float) else 0.0


def _place(verdict: Verdict) -> float:
    return round(HEIGHT - 2 - (HEIGHT - 4) * read_score(verdict), 2)


def _shares(verdict: Verdict) -> dict[str, float]:
    """What can differ between two verdicts: each item's share, and whether the run would have passed."""
    listed: Iterable[Mapping[str, Any]] = verdict.get("items", ())
    return {str(one["id"]): float(one["share"]) for one in listed} | {"pass": float(bool(verdict.get("pass")))}
