"""How hard tasks are for an agent: pass rates from several attempts at each, and the tasks that are too easy or too hard."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from world.suite.results import Manifest
from world.suite.statistics import Line, group_lines
from world.suite.suite_files import SuiteError

FILE = "calibration.json"
BAND = (0.02, 0.7)  # pass rates from which something can be learnt
BINS = ("0 %", *(f"{low}-{low + 10} %" for low in range(0, 100, 10)), "100 %")
WIDEST = 40  # characters of the longest bar


@dataclass(frozen=True, slots=True)
class TaskRate:
    """How often a task was passed, lost runs aside."""

    task: str
    passed: int
    attempts: int

    @property
    def rate(self) -> float:
        """The share of passed attempts."""
        return self.passed / self.attempts


@dataclass(frozen=True, slots=True)
class Calibration:
    """The pass rates of an agent on the tasks of a suite; `lost` names the tasks of which no run could be graded."""

    manifest: Manifest
    tasks: Sequence[TaskRate]
    lost: Sequence[str]

    @property
    def too_hard(self) -> list[TaskRate]:
        """The tasks below the band."""
        return [one for one in self.tasks if one.rate < BAND[0]]

    @property
    def too_easy(self) -> list[TaskRate]:
        """The tasks above the band."""
        return [one for one in self.tasks if one.rate > BAND[1]]

    def count_bins(self) -> dict[str, int]:
        """How many tasks have a rate of 0, of 0 to 10 %, ... and of 100 %; a bin holds its lower end."""
        counts = dict.fromkeys(BINS, 0)
        for one in self.tasks:
            counts[BINS[_find_bin(one)]] += 1
        return counts

    def to_json(self) -> dict[str, Any]:
        """The calibration as plain data; `read_rates` reads `tasks`."""
        asked = ("suite", "digest", "agent", "door", "attempts", "company", "calls", "horizon", "versions")
        return {
            **{name: getattr(self.manifest, name) for name in asked},
            "tasks": {one.task: {"passed": one.passed, "attempts": one.attempts} for one in self.tasks},
            "histogram": self.count_bins(),
            "too_hard": [one.task for one in self.too_hard],
            "too_easy": [one.task for one in self.too_easy],
            "lost": list(self.lost),
        }


def _find_bin(one: TaskRate) -> int:
    """Whole numbers, so that 3 of 10 is not below 30 %."""
    if one.passed in (0, one.attempts):
        return 0 if one.passed == 0 else len(BINS) - 1
    return 1 + 10 * one.passed // one.attempts


def calibrate(manifest: Manifest, lines: Sequence[Line]) -> Calibration:
    """Count the passes of the agent that the results were made for, task by task in the order of the suite."""
    mine = [line for line in lines if line["agent"] == manifest.agent]
    graded = group_lines([line for line in mine if line["error"] is None], "task")
    rates = [TaskRate(task, sum(bool(run["pass"]) for run in runs), len(runs)) for task, runs in graded.items()]
    return Calibration(
        manifest, rates, [task for task in dict.fromkeys(line["task"] for line in mine) if task not in graded]
    )


def write_calibration(folder: Path, found: Calibration) -> Path:
    """Write `calibration.json` into a folder of results. Raises OSError."""
    path = folder / FILE
    path.write_text(json.dumps(found.to_json(), indent=1) + "\n", encoding="utf-8")
    return path


def read_rates(path: Path) -> dict[str, float]:
    """Read the pass rate of each task of a calibration, as the sampler takes it. Raises SuiteError."""
    try:
        found = json.loads(path.read_bytes())["tasks"]
        return {task: one["passed"] / one["attempts"] for task, one in found.items()}
    except (OSError, ValueError, LookupError, TypeError, AttributeError, ZeroDivisionError) as error:
        raise SuiteError(f"{path}: not a calibration: {error}") from None


def describe_calibration(found: Calibration) -> Iterator[str]:
    """The histogram and the tasks outside the band, as lines of text."""
    counts = found.count_bins()
    most = max(counts.values())
    for name, number in counts.items():
        bar = "#" * -(-WIDEST * number // most) if most else ""
        yield f"{name:>8} {number:>5} {bar}".rstrip()
    within = len(found.tasks) - len(found.too_hard) - len(found.too_easy)
    yield f"{within} of {len(found.tasks)} tasks within {100 * BAND[0]:.0f} to {100 * BAND[1]:.0f} %"
    for what, tasks in (("too hard", found.too_hard), ("too easy", found.too_easy)):
        yield from (f"  {what}  {one.task}  {one.passed} of {one.attempts}" for one in tasks)
    yield from (f"  lost  {task}" for task in found.lost)
