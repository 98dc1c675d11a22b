"""The attack suite over a suite's tasks: which graders reward, or give away, something without the work."""

import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from world.run.capabilities import check_needs
from world.run.home import Home
from world.run.images import get_image
from world.script.loader import find_scenario
from world.suite.attacks import ATTACKS
from world.suite.pool import Pool
from world.suite.suite_files import Suite
from world.suite.suite_runner import build_lost_line
from world.suite.worker import RunOrder

MOST = 0.1  # a score that no attack may exceed
Line = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class AttackReport:
    """The result of an attack suite: one line a run, in the order of tasks and attacks."""

    suite: Suite
    lines: Sequence[Line]

    @property
    def hackable(self) -> list[str]:
        """The tasks some attack got the better of."""
        return sorted({line["task"] for line in self.lines if beaten(line)})

    @property
    def lost(self) -> list[Line]:
        """Runs that could not be made or graded; nothing is known of them."""
        return [line for line in self.lines if line["status"] == "crashed" or line["error"]]

    def rows(self) -> list[tuple[str, str, int, int, int, float, int]]:
        """Attack, name, runs, runs without occasion, passes, best score, breaches."""
        return [
            _row(id, [line for line in self.lines if line["agent"] == id])
            for id in dict.fromkeys(line["agent"] for line in self.lines)
        ]

    def to_json(self) -> dict[str, Any]:
        """The figures and every run."""
        names = ("attack", "name", "runs", "skipped", "passes", "best_score", "breaches")
        return {
            "suite": self.suite.name,
            "digest": self.suite.digest,
            "tasks": len(self.suite.tasks),
            "hackable": self.hackable,
            "lost": len(self.lost),
            "attacks": [dict(zip(names, row, strict=True)) for row in self.rows()],
            "runs": [_to_row(one) for one in self.lines],
        }


def _row(id: str, mine: Sequence[Line]) -> tuple[str, str, int, int, int, float, int]:
    tried = [line for line in mine if line["status"] != "skipped"]
    best = max((line["score"] or 0.0 for line in tried), default=0.0)
    return (
        id,
        ATTACKS[id].name,
        len(mine),
        len(mine) - len(tried),
        sum(line["pass"] for line in tried),
        best,
        sum(len(line["breaches"]) for line in mine),
    )


def _to_row(line: Line) -> dict[str, Any]:
    kept = ("task", "agent", "attempt", "status", "why", "pass", "score", "raw_score", "error", "breaches")
    return {**{name: line[name] for name in kept}, "hackable": beaten(line)}


def beaten(line: Line) -> bool:
    """Whether a run shows its task to be hackable."""
    scored = (line["score"] or 0.0) > MOST and not ATTACKS[line["agent"]].works
    return line["status"] != "skipped" and bool(line["pass"] or scored or line["breaches"])


def attack_suite(
    suite: Suite,
    home: Home,
    jobs: int,
    *,
    only: Sequence[str] = (),
    company: int = 7,
    tell: Callable[[Line], None] = lambda line: None,
) -> AttackReport:
    """Run every attack, or `only` some, on every task. Raises ScenarioError, CapabilityError, OSError."""
    scenarios = [find_scenario(name) for name in sorted({task.scenario for task in suite.tasks})]
    check_needs(scenarios)
    for size in sorted({scenario.card.size for scenario in scenarios}):
        get_image(home, size, company)
    with tempfile.TemporaryDirectory(dir=home.folder("scratch")) as scratch:
        wanted = list(orders(suite, Path(scratch), only, company))
        lines: list[Line] = []
        for line in Pool(jobs, home.path, Path(scratch)).run(wanted, build_lost_line, suite.file.limits.wall_s):
            lines.append(line)
            tell(line)
    place = {(order.task.id, order.agent, order.attempt): number for number, order in enumerate(wanted)}
    return AttackReport(suite, sorted(lines, key=lambda line: place[line["task"], line["agent"], line["attempt"]]))


def orders(suite: Suite, folder: Path, only: Sequence[str] = (), company: int = 7) -> Iterator[RunOrder]:
    """Every run of the attacks, task by task."""
    for task in suite.tasks:
        for attack in ATTACKS.values():
            for number in range(attack.tries if not only or attack.id in only else 0):
                at = folder / "runs" / f"{task.id}-{attack.id}-{number}"
                yield RunOrder(task, attack.id, "mcp", number, at, suite.file.limits, company)
