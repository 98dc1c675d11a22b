"""A server with scenarios to grade, in a process of its own: `python -m world.bench.graded_target IMAGE FOLDER`."""

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

from world.agents.solver import play
from world.agents.steps import DirectDoor, Scene
from world.bench.app_bench import issue_token, workload
from world.run import episode
from world.run.host import Host, open_host
from world.script import loader
from world.server.control_state import Plane
from world.server.serve import listening, run, tcp, unix

SCENARIOS = {"smallest": "flapping_alert", "largest": "us_east_1_outage"}
FRESH = "fresh"  # the smallest at its first moment


def _describe(host: Host, plane: Plane) -> dict[str, Any]:
    """Worlds in which the solution was played, one at its first moment, and how to read and write there."""
    for world, name in (*SCENARIOS.items(), (FRESH, SCENARIOS["smallest"])):
        made = plane.episodes[world] = episode.start(host, loader.find_scenario(name), seed=0, world=world)
        if world != FRESH and made.scenario.oracle is not None:
            play(made.scenario.oracle, Scene(made), DirectDoor(made), strict=False)
    load = workload()
    person, place = load.find_member(host, FRESH)
    calls = {"app": load.app, "get": load.get(place), "post": load.post(place, "hello"), "person": person}
    token = issue_token(host, person, load.app, FRESH)
    return {"parent": FRESH, "graded": True, "token": token, **calls}


async def _main(image: Path, folder: Path) -> None:
    host = open_host(image, folder / "worlds")
    path = folder / "control.sock"
    async with listening(host, tcp("127.0.0.1", 0), unix(path), secret="bench") as up:
        about = _describe(host, up.plane)
        for world in SCENARIOS:
            await up.plane.grade(world)  # the process is started, the tasks are prepared
        print(json.dumps({"url": up.url, "control": str(path), **about}), flush=True)
        await asyncio.Event().wait()


if __name__ == "__main__":
    run(_main(Path(sys.argv[1]), Path(sys.argv[2])))
