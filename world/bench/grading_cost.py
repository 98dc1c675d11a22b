"""Cost of a verdict over HTTP: one at a time, for other callers meanwhile, and in episodes per second."""

import threading
from pathlib import Path
from statistics import median, quantiles
from typing import Any

from world.bench.app_bench import Target
from world.bench.doors import rollouts
from world.bench.graded_target import SCENARIOS
from world.bench.server_process import LeanClient, serve_process
from world.bench.timing import now_s
from world.client import Client
from world.run.home import Home
from world.run.images import get_image
from world.script import loader

TARGET = "world.bench.graded_target"
READS = 400


def figures(home: Home, scratch: Path, cores: int) -> dict[str, Any]:
    """Return all figures. Each grading is of a new fork, so nothing of an earlier one is reused."""
    image = get_image(home, loader.find_scenario(SCENARIOS["smallest"]).card.size)
    (scratch / "one").mkdir(parents=True)
    with serve_process(TARGET, str(image), str(scratch / "one")) as target:
        found: dict[str, Any] = {
            "grade_over_http_ms": grade_ms(target, "smallest"),
            "grade_over_http_ms_largest": grade_ms(target, "largest"),
            "read_p99_ms": read_p99_ms(target, grading=False),
            "read_p99_ms_while_grading": read_p99_ms(target, grading=True),
        }
    found["graded_episodes_per_s"] = rollouts(TARGET, image, scratch / "rollouts", cores, 8.0)
    return found


def grade_ms(target: Target, world: str, times: int = 20) -> float:
    """The median of `client.grade` of forks of a world in which the solution was played, the process being warm."""
    with Client(socket=target["control"], secret="bench") as client:
        if not client.grade(world)["pass"]:
            raise AssertionError(f"the solution of {world} does not pass")
        taken: list[float] = []
        for number in range(times):
            client.fork(world, name=f"{world}-{number}")
            begin = now_s()
            client.grade(f"{world}-{number}")
            taken.append((now_s() - begin) * 1000)
            client.drop(f"{world}-{number}")
    return median(taken)


def read_p99_ms(target: Target, *, grading: bool) -> float:
    """The 99th percentile of reads in one world while another is graded again and again, or while nothing is."""
    stop = threading.Event()

    def grade() -> None:
        with Client(socket=target["control"], secret="bench") as client:
            while not stop.is_set():
                client.grade("smallest")

    other = threading.Thread(target=grade)
    if grading:
        other.start()
    try:
        return _p99_ms(LeanClient(target["url"], {"Authorization": f"Bearer {target['token']}"}), target["get"])
    finally:
        stop.set()
        if grading:
            other.join()


def _p99_ms(agent: LeanClient, path: str) -> float:
    taken: list[float] = []
    for _ in range(READS):
        begin = now_s()
        agent.send("GET", path)
        taken.append((now_s() - begin) * 1000)
    return quantiles(taken, n=100)[98]
