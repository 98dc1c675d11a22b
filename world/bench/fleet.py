"""Graded episodes per second of `firm serve` with one worker and with two, asked by two clients in both cases."""

import json
import os
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from world.bench.app_bench import workload
from world.bench.graded_target import SCENARIOS
from world.client import Client
from world.run.home import Home
from world.run.host import open_host
from world.run.images import get_image

CLIENTS = 2
SECONDS = 8.0


def figures(home: Home, scratch: Path) -> dict[str, Any]:
    """Return all figures."""
    one, two = (_measure(home, scratch / f"workers{number}", number) for number in (1, 2))
    return {"graded_episodes_per_s_workers2": two, "workers2_x_one_worker": two / one}


def _measure(home: Home, folder: Path, workers: int) -> float:
    """Episodes of all clients together per second."""
    (folder / "home").mkdir(parents=True, mode=0o700)
    (folder / "home" / "images").symlink_to(home.images)
    with _serve(folder / "home", workers) as (client, about):
        parents = [client.create(scenario=SCENARIOS["smallest"]).world for _ in range(CLIENTS)]
        targets = [
            {**about, **_describe_load(folder / f"load{number}", parent)} for number, parent in enumerate(parents)
        ]
        for parent in parents:
            client.grade(parent)  # the process is started, the task is prepared
        running = [
            subprocess.Popen(
                [sys.executable, "-m", "world.bench.rollouts", json.dumps(target), str(SECONDS)],
                stdout=subprocess.PIPE,
                text=True,
            )
            for target in targets
        ]
        return sum(json.loads(one.communicate(timeout=SECONDS * 10 + 60)[0])["episodes_per_s"] for one in running)


def _describe_load(folder: Path, parent: str) -> dict[str, Any]:
    """What a client reads and writes in forks of a world, and as whom."""
    host = open_host(get_image(Home()), folder)
    host.create("look")
    load = workload()
    person, place = load.find_member(host, "look")
    host.store.close()
    asked = {"get": load.get(place), "post": load.post(place, "hello")}
    return {"parent": parent, "graded": True, "person": person, "app": load.app, "names": parent, **asked}


@contextmanager
def _serve(home: Path, workers: int) -> Generator[tuple[Client, dict[str, str]], None, None]:
    """A server in a home of its own, and where it is."""
    command = [sys.executable, "-m", "world", "serve", "--listen", "127.0.0.1:0", "--workers", str(workers)]
    environment = {**os.environ, "FIRM_HOME": str(home), "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as running:
        try:
            url = _read_address(running)
            secret = (home / "secrets" / "control").read_text().strip()
            socket = home / "run" / "control.sock"
            with Client(socket=socket, secret=secret) as client:
                yield client, {"url": url, "control": str(socket), "secret": secret}
        finally:
            running.terminate()
            running.wait(timeout=60)


def _read_address(running: "subprocess.Popen[str]") -> str:
    """The address it prints, once it has printed that the control plane is there. Raises RuntimeError."""
    found = ""
    for line in running.stdout or ():
        found = found or next((word.split(",")[0] for word in line.split() if word.startswith("http://127.")), "")
        if line.strip().startswith("control"):
            return "/".join(found.split("/")[:3])
    raise RuntimeError("the server did not start")
