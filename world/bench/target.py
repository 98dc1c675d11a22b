"""A server to measure, in a process of its own: `python -m world.bench.target IMAGE FOLDER`."""

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

from world.bench.app_bench import WORLD, app_benches, issue_token, workload
from world.core.settings import Settings
from world.run.host import Host, open_host
from world.server.serve import listening, run, tcp, unix


def describe(host: Host) -> dict[str, Any]:
    """Describe a place to read and write: person, token and requests; and every app by its own description."""
    host.create(WORLD, Settings(limits="off"))
    load = workload()
    person, place = load.find_member(host, WORLD)
    calls = {
        "parent": WORLD,
        "graded": False,
        "app": load.app,
        "get": load.get(place),
        "post": load.post(place, "hello"),
    }
    apps = {name: bench.describe(host) for name, bench in app_benches().items()}
    return {**calls, "person": person, "place": place, "token": issue_token(host, person, load.app), "apps": apps}


async def _main(image: Path, folder: Path) -> None:
    host = open_host(image, folder / "worlds")
    path = folder / "control.sock"
    about = describe(host)
    async with listening(host, tcp("127.0.0.1", 0), unix(path), secret="bench") as up:
        print(json.dumps({"url": up.url, "control": str(path), **about}), flush=True)
        await asyncio.Event().wait()


if __name__ == "__main__":
    run(_main(Path(sys.argv[1]), Path(sys.argv[2])))
