"""A suite run from plan to results: every task, every attempt, the floor agents beside them."""

import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

import apsw

from world.agents.options import DoorName
from world.grading.verdict import Trust
from world.run.capabilities import check_needs
from world.run.home import Home
from world.run.images import get_image
from world.script.loader import find_scenario
from world.suite.pool import Pool
from world.suite.results import Manifest, Results
from world.suite.suite_files import Limits, Suite, TaskSpec
from world.suite.worker import RunOrder

# agents no honest grader rewards, and what they do; reports show them beside the one asked for
FLOOR = {"null": "does nothing", "spam": "writes everything everywhere", "random": "writes at random"}


@dataclass(frozen=True, slots=True)
class Plan:
    """Plan of a suite run, as it was asked for."""

    suite: Suite
    agent: str
    door: DoorName
    attempts: int
    jobs: int
    company: int = 7
    calls: int | None = None
    horizon: str | None = None
    wall_s: float | None = None
    floor: bool = True
    env: tuple[str, ...] = ()

    @property
    def limits(self) -> Limits:
        """The suite's limits, or those asked for instead."""
        asked: dict[str, Any] = {"calls": self.calls, "horizon": self.horizon, "wall_s": self.wall_s}
        return self.suite.file.limits.model_copy(
            update={name: value for name, value in asked.items() if value is not None}
        )

    def manifest(self) -> Manifest:
        """Build the manifest: the inputs that decide the results."""
        limits = self.limits
        return Manifest(
            suite=self.suite.name,
            digest=self.suite.digest,
            agent=self.agent,
            door=self.door,
            attempts=self.attempts,
            company=self.company,
            calls=limits.calls,
            horizon=limits.horizon,
            wall_s=limits.wall_s,
            tasks=[task.id for task in self.suite.tasks],
            versions={"firmament": version("firmament"), "sqlite": apsw.sqlite_lib_version()},
        )

    def orders(self, folder: Path) -> Iterator[RunOrder]:
        """Every run, task by task, since the runs of a task are forks of one start; the floor agents' first."""
        agents = [(name, 1) for name in FLOOR if self.floor and name != self.agent] + [(self.agent, self.attempts)]
        for task in self.suite.tasks:
            for agent, attempts in agents:
                for attempt in range(attempts):
                    yield self._order(folder, task, agent, attempt)

    def _order(self, folder: Path, task: TaskSpec, agent: str, attempt: int) -> RunOrder:
        label = agent.replace(":", ".").replace("/", ".")
        return RunOrder(
            task,
            agent,
            self.door,
            attempt,
            folder / "runs" / f"{task.id}-{label}-{attempt + 1:03}",
            self.limits,
            self.company,
            env=self.env,
        )


def run_suite(plan: Plan, home: Home, results: Results, tell: Callable[[Mapping[str, Any]], None]) -> int:
    """Make every run that is not there yet; returns how many were made. Raises CapabilityError, and
    OSError when results cannot be kept.
    """
    done = results.list_finished_runs()
    orders = [one for one in plan.orders(results.folder) if (one.task.id, one.agent, one.attempt) not in done]
    scenarios = [find_scenario(name) for name in sorted({order.task.scenario for order in orders})]
    check_needs(scenarios)
    for size in sorted({scenario.card.size for scenario in scenarios}):
        get_image(home, size, plan.company)  # once, before every worker asks for it
    with tempfile.TemporaryDirectory(dir=home.folder("scratch")) as scratch:
        made = 0
        for line in Pool(plan.jobs, home.path, Path(scratch)).run(orders, build_lost_line, plan.limits.wall_s):
            results.add(line)
            tell(line)
            made += 1
    return made


def build_lost_line(order: RunOrder, why: str) -> dict[str, Any]:
    """The line of a run that could not be made or graded; it is no pass, and `--resume` makes it again."""
    return {
        "task": order.task.id,
        "scenario": order.task.family,
        "difficulty": order.task.difficulty,
        "seed": order.task.seed,
        "split": order.task.split,
        "agent": order.agent,
        "door": order.door,
        "attempt": order.attempt,
        "status": "crashed",
        "why": why,
        "breaches": [],
        "pass": False,
        "score": None,
        "raw_score": None,
        "error": why,
        "ended": None,
        "items": [],
        "unclaimed": [],
        "never": [],
        "guards": [],
        "revision": {},
        "trusted": False,
        "trust": Trust(why="the run was lost").to_json(),
        "folder": order.folder.name,
        "digest": None,
        "steps": 0,
        "simulated_s": 0.0,
        "agent_s": 0.0,
        "wall_s": 0.0,
    }
