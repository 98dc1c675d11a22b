"""The studio over a run of 5,000 steps: opening it, choosing a step, going on from one."""

import asyncio
import json
from itertools import count
from pathlib import Path

import httpx

from world.bench.app_bench import workload
from world.bench.timing import now_s
from world.run import episode
from world.run.episode import Episode
from world.run.home import Home
from world.run.host import open_host
from world.run.images import get_image
from world.run.trajectory import FILE, Trajectory
from world.script import loader
from world.server.control_state import Plane
from world.studio.run_view import RunView
from world.studio.run_world import RunWorld
from world.studio.studio_app import build_studio
from world.studio.studio_state import Studio

STEPS, OPENED, SCRUBBED, RUN = 5000, 5, 40, "long"


def measure_studio(home: Home, scratch: Path) -> dict[str, float]:
    """Medians, in milliseconds, in process: the first page of a run by a studio that has not read it; a step's page and
    a fork of the world at that step, at steps all over the run; a fork and one call in it.
    """
    host = open_host(get_image(home), scratch / "worlds")
    try:
        scenario = loader.find_scenario(next(iter(sorted(loader.folders()))))
        run = episode.start(host, scenario, seed=0, world=RUN, limits="off", max_calls=None, horizon_at=None)
        write_run(run, scratch / "runs" / RUN)
        view = RunView(RUN, scratch / "runs" / RUN)
        world = RunWorld(Plane(host, ""), run)
        return {
            "studio_open_ms_5000_steps": asyncio.run(_time_opening(home, scratch / "runs")),
            "studio_scrub_ms": asyncio.run(_time_scrubbing(home, scratch / "runs", world, view)),
            "fork_and_continue_ms": _time_going_on(world, view),
        }
    finally:
        host.store.close()


def write_run(run: Episode, folder: Path) -> None:
    """Record 5,000 writes in a run folder."""
    folder.mkdir(parents=True)
    (folder / "config.json").write_text(json.dumps({"scenario": run.scenario.name}), encoding="utf-8")
    trajectory = Trajectory(run.actor, folder / FILE)
    load = workload()
    person, place = load.find_member(run.host, RUN)
    principal = load.principal(run.host, RUN, person)
    for number in range(STEPS):
        run.host.call(principal, "rest", *load.write(place, f"line {number}"))
    trajectory.close()


async def _time_opening(home: Home, root: Path) -> float:
    async def once() -> float:
        transport = httpx.ASGITransport(build_studio(Studio(home, root)))
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as http:
            begin = now_s()
            (await http.get(f"/runs/{RUN}")).raise_for_status()
            return (now_s() - begin) * 1e3

    return sorted([await once() for _ in range(OPENED)])[OPENED // 2]


async def _time_scrubbing(home: Home, root: Path, world: RunWorld, view: RunView) -> float:
    taken = list[float]()
    transport = httpx.ASGITransport(build_studio(Studio(home, root)))
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as http:
        await http.get(f"/runs/{RUN}")
        for number in range(SCRUBBED):
            step = 1 + number * 2371 % STEPS
            begin = now_s()
            (await http.get(f"/runs/{RUN}/steps/{step}/content")).raise_for_status()
            fork = world.fork(view, step)
            if fork.actor.version != view.seq_after(step):
                raise AssertionError(f"the fork does not stand at step {step}")
            taken.append((now_s() - begin) * 1e3)
            world.drop(fork)
    return sorted(taken)[SCRUBBED // 2]


def _time_going_on(world: RunWorld, view: RunView) -> float:
    load, names, taken = workload(), count(), list[float]()
    person, place = load.find_member(world.plane.host, RUN)
    for number in range(SCRUBBED):
        begin = now_s()
        fork = world.fork(view, 1 + number * 2371 % STEPS)
        principal = load.principal(world.plane.host, fork.world, person)
        world.plane.host.call(principal, "rest", *load.write(place, f"another way {next(names)}"))
        taken.append((now_s() - begin) * 1e3)
        world.drop(fork)
    return sorted(taken)[SCRUBBED // 2]
