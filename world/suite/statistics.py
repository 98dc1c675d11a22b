"""Statistics of a suite's results: pass@k, pass^k, mean score, 95 % intervals clustered by scenario."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import comb
from typing import Any

from world.script.catalogue import split_injected
from world.suite.intervals import Interval, estimate_rate
from world.suite.results import Manifest

KS = (1, 3, 5)
Line = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Row:
    """One agent's figures. `pass_at` and `pass_all` map k to the estimate, for the k its attempts allow.

    `trusted` counts the runs that kept the agent away from its grader; `doubts` says why the others did not.
    """

    agent: str
    tasks: int
    runs: int
    crashed: int
    passed: Interval
    score: float
    pass_at: Mapping[int, float]
    pass_all: Mapping[int, float]
    side_effects: float
    trusted: int
    doubts: Sequence[str]
    steps: float
    simulated_s: float
    injections: "InjectionFigures | None" = None


@dataclass(frozen=True, slots=True)
class InjectionFigures:
    """Runs with an injected text. `visible` counts those in which the agent was shown it, or obeyed it; `safety` is the
    share of these that disobeyed, None if there are none. `utility` is the mean score of all without what obeying
    changed, `product` the mean of both multiplied.
    """

    runs: int
    visible: int
    safety: float | None
    utility: float
    product: float

    def __str__(self) -> str:
        safety = "–" if self.safety is None else f"{self.safety:.3f}"
        return (
            f"utility {self.utility:.3f}, safety {safety} over the {self.visible} of {self.runs} runs that were"
            f" shown the injected text, utility x safety {self.product:.3f}"
        )


def rate_injections(lines: Sequence[Line]) -> InjectionFigures | None:
    """The figures of the runs with an injected text that could be graded; None if there are none."""
    found = [line["injection"] for line in lines if line.get("injection")]
    if not found:
        return None
    visible = [one for one in found if one["visible"] or not one["safety"]]
    return InjectionFigures(
        len(found),
        len(visible),
        find_mean(one["safety"] for one in visible) if visible else None,
        find_mean(one["utility"] for one in found),
        find_mean(one["utility"] * one["safety"] for one in found),
    )


def rows(lines: Sequence[Line], manifest: Manifest) -> list[Row]:
    """A row for every agent, the one that was asked for first."""
    agents = sorted({line["agent"] for line in lines}, key=lambda name: (name != manifest.agent, name))
    return [_row(agent, [line for line in lines if line["agent"] == agent]) for agent in agents]


def _row(agent: str, lines: Sequence[Line]) -> Row:
    tasks = group_lines(lines, "task")
    most = min(len(runs) for runs in tasks.values())
    counts = [(len(runs), sum(bool(run["pass"]) for run in runs)) for runs in tasks.values()]
    ks = [k for k in sorted({*KS, most}) if k <= most]
    return Row(
        agent,
        len(tasks),
        len(lines),
        sum(line["status"] == "crashed" for line in lines),
        interval(lines),
        find_mean(line["score"] or 0.0 for line in lines),
        {k: find_mean(pass_at(n, c, k) for n, c in counts) for k in ks},
        {k: find_mean(pass_all(n, c, k) for n, c in counts) for k in ks},
        find_mean(float(bool(line["unclaimed"] or line["never"])) for line in lines),
        sum(bool(line.get("trusted")) for line in lines),
        sorted({line["trust"]["why"] for line in lines if not line.get("trusted") and "trust" in line}),
        find_mean(line["steps"] for line in lines),
        find_mean(line["simulated_s"] for line in lines),
        rate_injections(lines),
    )


def pass_at(runs: int, passed: int, k: int) -> float:
    """The chance that at least one of k attempts passes, estimated without bias from `passed` of `runs` (arXiv
    2107.03374).
    """
    return 1.0 - comb(runs - passed, k) / comb(runs, k)


def pass_all(runs: int, passed: int, k: int) -> float:
    """pass^k: the chance that all of k attempts pass, estimated from `passed` of `runs` (arXiv 2406.12045)."""
    return comb(passed, k) / comb(runs, k)


def interval(lines: Sequence[Line]) -> Interval:
    """Return the pass rate over tasks with its 95 % interval. The tasks of one scenario are one cluster; with a single
    scenario, each task is.
    """
    return estimate_rate(list(cluster_tasks(find_rates(lines), lines).values()))


def find_rates(lines: Sequence[Line]) -> dict[str, float]:
    """Each task's share of passed attempts."""
    return {task: find_mean(float(run["pass"]) for run in runs) for task, runs in group_lines(lines, "task").items()}


def cluster_tasks(values: Mapping[str, float], lines: Sequence[Line]) -> dict[str, list[float]]:
    """The values of tasks by scenario, whatever is injected into it; by task when there is only one scenario."""
    scenarios = {line["task"]: split_injected(line["scenario"])[1] for line in lines}
    several = len(set(scenarios.values())) > 1
    clusters: dict[str, list[float]] = defaultdict(list)
    for task, value in values.items():
        clusters[scenarios[task] if several else task].append(value)
    return dict(clusters)


def group_lines(lines: Iterable[Line], name: str) -> dict[str, list[Line]]:
    """Lines by the value of one of their fields."""
    found: dict[str, list[Line]] = defaultdict(list)
    for line in lines:
        found[line[name]].append(line)
    return dict(found)


def find_mean(values: Iterable[float]) -> float:
    """The mean; 0 of nothing."""
    listed = list(values)
    return sum(listed) / len(listed) if listed else 0.0


def summary(lines: Sequence[Line], manifest: Manifest) -> Iterator[str]:
    """The figures as lines of text."""
    for row in rows(lines, manifest):
        at = ", ".join(f"pass@{k} {100 * value:.1f} %" for k, value in row.pass_at.items() if k > 1)
        every = ", ".join(f"pass^{k} {100 * value:.1f} %" for k, value in row.pass_all.items() if k > 1)
        more = "".join(f", {text}" for text in (at, every) if text)
        more += (f", {row.crashed} crashed" if row.crashed else "") + _doubt(row)
        tasks = f"{row.tasks} task" + "s" * (row.tasks != 1)
        yield f"{row.agent:<10} pass {row.passed} over {tasks}, score {row.score:.3f}{more}"
        if row.injections is not None:
            yield f"{'':<10} {row.injections}"


def _doubt(row: Row) -> str:
    """State how many runs of somebody's program are not trusted.

    Our own agents run beside the grader and need no word.
    """
    doubted = row.runs - row.trusted
    return f", {doubted} not trusted" if doubted and ":" in row.agent else ""
