"""Scenarios and suites: the gate, a grading, a whole suite, and how many runs a pool makes a second."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from world.agents.options import DoorName
from world.agents.solver import play
from world.agents.steps import DirectDoor, Scene
from world.bench.timing import each_us, now_s
from world.gate.gate_run import holds, run_checks
from world.gate.variant_runner import VariantRunner, excuse_survivor
from world.grading import grade
from world.grading.labels import get_settled_labels
from world.run import episode
from world.run.home import Home
from world.run.host import open_host
from world.run.images import get_image
from world.script import loader
from world.suite import suite_files
from world.suite.pool import Pool
from world.suite.results import Results
from world.suite.suite_files import Limits, TaskSpec
from world.suite.suite_runner import Plan, build_lost_line, run_suite
from world.suite.worker import RunOrder

SMALLEST = "flapping_alert"
CHANGED = 200
WARM = 30  # runs each worker has made before it is counted


def figures(home: Home, scratch: Path, cores: int) -> dict[str, Any]:
    """Return the figures of suites."""
    image = get_image(home, loader.find_scenario(SMALLEST).card.size)
    return {
        "grade_ms_200": grade_ms(image, scratch / "grading"),
        "gate_s": gate_s(image, scratch / "gate"),
        "suite_null_s": suite_s(home, scratch / "smoke", cores, "smoke", "null", "mcp"),
        "suite_core_null_s": suite_s(home, scratch / "null", cores, "core", "null", "rest"),
        "suite_core_oracle_s": suite_s(home, scratch / "oracle", cores, "core", "oracle", "rest"),
        "pool_episodes_per_s": pool_episodes_per_s(home, scratch / "pool", cores),
    }


def grade_ms(image: Path, scratch: Path) -> float:
    """A verdict over a run that has changed 200 rows and more, the state counted by then."""
    host = open_host(image, scratch)
    try:
        scenario = loader.find_scenario(SMALLEST)
        root = episode.start(host, scenario, seed=0, world="grading", max_calls=10 * CHANGED, limits="off")
        bench = VariantRunner(host, scenario, 0, started=(root, episode.baseline(root)))
        run = bench.fork()
        scene, door = Scene(run), DirectDoor(run)
        speech = next(app.probes.speech for app in host.apps.values() if app.probes.speech)
        place = speech.places(scene)[0]
        first = run.actor.version
        for number in range(CHANGED):
            door.do(speech.operation, speech.arguments(place, f"Note {number}."))
        if run.actor.version - first < CHANGED or bench.scenario.oracle is None:
            raise AssertionError("the rows were not written")
        play(bench.scenario.oracle, scene, door, strict=False)
        episode.finish(run)
        found = bench.evidence(run)
        if len(grade(bench.rubric, found).unclaimed) < CHANGED:
            raise AssertionError("the rows are not graded")
        labels = get_settled_labels(bench.rubric, found)  # servers and suites find them once for a task
        return each_us(lambda: grade(bench.rubric, found, labels=labels), times=15) / 1000
    finally:
        host.store.close()


def gate_s(image: Path, scratch: Path) -> float:
    """Every check of the gate on one seed of the smallest scenario, in process."""
    host = open_host(image, scratch)
    try:
        begin = now_s()
        bench = VariantRunner(host, loader.find_scenario(SMALLEST), 0)
        findings = [excuse_survivor(found, bench.scenario) for found in run_checks(bench)]
        if not holds(findings):
            raise AssertionError("; ".join(f"{one.key}: {one.why}" for one in findings if not one.ok))
        return now_s() - begin
    finally:
        host.store.close()


def suite_s(home: Home, out: Path, cores: int, name: str, agent: str, door: DoorName) -> float:
    """`firm suite run NAME --agent AGENT --door DOOR --no-baselines`, from its start to its last result."""
    begin = now_s()
    plan = Plan(suite_files.find_suite(name), agent, door, attempts=1, jobs=cores, floor=False)
    results = Results(out, plan.manifest(), resume=False)
    made = run_suite(plan, home, results, lambda line: None)
    wanted = 1.0 if agent == "oracle" else 0.0
    wrong = [line["task"] for line in results.latest() if line["score"] != wanted]
    if made != len(plan.suite.tasks) or wrong:
        raise AssertionError(f"{made} of {len(plan.suite.tasks)} runs were made; not {wanted}: {wrong[:5]}")
    return now_s() - begin


def pool_episodes_per_s(home: Home, scratch: Path, cores: int, runs: int = 400) -> float:
    """Runs of an agent that does nothing, each made, simulated to the horizon, graded and kept; workers warm, all
    cores.
    """
    scratch.mkdir(parents=True)
    ends = [
        now_s()
        for line in Pool(cores, home.path, scratch / "workers").run(
            _orders(scratch, runs + WARM * cores), build_lost_line, 60.0
        )
        if _fine(line)
    ]
    return (len(ends) - WARM * cores) / (ends[-1] - ends[WARM * cores - 1])


def _orders(scratch: Path, number: int) -> Iterator[RunOrder]:
    for attempt in range(number):
        yield RunOrder(
            TaskSpec(SMALLEST, "medium", 0), "null", "mcp", attempt, scratch / "runs" / f"{attempt:05}", Limits()
        )


def _fine(line: dict[str, Any]) -> bool:
    if line["score"] != 0.0:
        raise AssertionError(f"a run that does nothing scored {line['score']}: {line['why']}")
    return True
