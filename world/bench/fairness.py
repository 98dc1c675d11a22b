"""How long calm worlds of a server wait beside hostile ones: `calm_p99_x_quiet` is the p99 of 56 worlds while 8 others press
with requests made to cost, over the p99 without them.

Calm worlds read, write, call tools and open pages, one request at a time with pauses. Hostile ones send without a pause.
"""

import json
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from statistics import quantiles
from typing import Any

from world.bench.app_bench import workload
from world.bench.attacker import Attacker
from world.bench.bombs import at_doors
from world.bench.local_plane import Answer
from world.bench.server_process import LeanClient, UnixClient, serve_process
from world.core import discovery
from world.run.home import Home
from world.run.images import get_image
from world.web.session import COOKIE

CALM, HOSTILE = 56, 8
PAUSE_S = 2.0  # of a calm world between its requests, on average
LEAD_S, SECONDS = 15.0, 45.0  # before anything counts, and while it counts
PERCENT = 99
Send = Callable[[LeanClient], object]


def measure_fairness(home: Home, scratch: Path) -> dict[str, Any]:
    """Return all figures."""
    scratch.mkdir()
    with serve_process("world.bench.target", str(get_image(home)), str(scratch)) as target:
        worlds = [_make_world(target, f"f{number}") for number in range(CALM + HOSTILE)]
        quiet = _measure_calm(target, worlds[:CALM])
        pressing = subprocess.Popen([sys.executable, "-m", "world.bench.fairness", json.dumps([target, worlds[CALM:]])])
        try:
            pressed = _measure_calm(target, worlds[:CALM])
        finally:
            pressing.terminate()
            pressing.wait()
    return {"calm_p99_ms": pressed, "quiet_p99_ms": quiet, "calm_p99_x_quiet": pressed / quiet}


@dataclass(frozen=True, slots=True)
class World:
    """A world of the server: the tokens of one employee for an app, and for all of them."""

    name: str
    token: str
    cookie: str


def _make_world(target: dict[str, Any], name: str) -> dict[str, str]:
    """Fork a world and give its employee tokens."""
    control = UnixClient(target["control"], {"Authorization": "Bearer bench"})
    control.send("POST", f"/worlds/{target['parent']}/fork", {"name": name})
    keys = [
        json.loads(control.send("POST", f"/worlds/{name}/tokens", {"person": target["person"], "app": app}))["token"]
        for app in (target["app"], "")
    ]
    return {"name": name, "token": keys[0], "cookie": keys[1]}


def _measure_calm(target: dict[str, Any], worlds: list[dict[str, str]]) -> float:
    """The p99 of all calm worlds' requests, in milliseconds."""
    times: list[float] = []
    begin = time.perf_counter() + LEAD_S
    players = [
        threading.Thread(target=_play_calmly, args=(target, World(**one), number, begin, times))
        for number, one in enumerate(worlds)
    ]
    for player in players:
        player.start()
    for player in players:
        player.join()
    return quantiles(times, n=100)[PERCENT - 1] * 1e3


def _play_calmly(target: dict[str, Any], world: World, number: int, begin: float, times: list[float]) -> None:
    """Send one request after another, with pauses; those after `begin` count."""
    client, requests = LeanClient(target["url"]), list(_calm_requests(target, world))
    for step in count():
        time.sleep(choose_pause(number, step))  # a client of a calm world thinks between its requests
        asked = time.perf_counter()
        if asked > begin + SECONDS:
            return
        requests[(number + step) % len(requests)](client)
        if asked > begin:
            times.append(time.perf_counter() - asked)


def choose_pause(number: int, step: int) -> float:
    """Seconds before a calm world's next request: from 0 to 2 * PAUSE_S, spread evenly over worlds and steps."""
    return 2 * PAUSE_S * ((number * 37 + step * 53) % 100) / 100


def _calm_requests(target: dict[str, Any], world: World) -> Iterator[Send]:
    """A read, a write, and every app's first page."""

    def read(client: LeanClient) -> None:
        client.headers(world.token)
        client.send("GET", target["get"])

    def write(client: LeanClient) -> None:
        client.headers(world.token)
        client.send("POST", *target["post"])

    def open_page(address: str, client: LeanClient) -> None:
        client.open_page(address, f"{COOKIE}={world.cookie}")

    yield from (read, write) * len(discovery.apps())
    for app in discovery.apps():
        yield lambda client, app=app: open_page(f"/{app.name}/more", client)


class Recorder(Attacker):
    """An attacker who keeps the requests of bombs instead of sending them."""

    def __init__(self, app: str, world: World) -> None:
        self.app, self.bearer, self.cookie, self._proof = app, world.token, world.cookie, "none"
        self.requests: list[tuple[str, str, dict[str, str], bytes]] = []

    def send_lines(self, method: str, address: str, lines: list[tuple[str, str]], body: bytes = b"") -> Answer:
        self.requests.append((method, address, dict(lines), body))
        return Answer(200, {}, b"", 0.0)


def press(target: dict[str, Any], worlds: list[World]) -> None:
    """Send bombs to the doors of every world, each world one after another, for ever."""
    load = workload()
    read, (address, _) = load.get("x").partition("?")[0], load.post("x", "x")
    mount, tool = f"/{load.app}", load.tool("x")[0]
    bombs = at_doors(read.removeprefix(mount), address.removeprefix(mount), tool)

    def send_all(world: World) -> None:
        recorder, client = Recorder(load.app, world), LeanClient(target["url"])
        for bomb in bombs.values():
            bomb(recorder)
        while True:
            for method, path, headers, body in recorder.requests:
                client.send_anyway(method, path, headers, body)

    for world in worlds:
        threading.Thread(target=send_all, args=(world,)).start()


if __name__ == "__main__":
    about, hostile = json.loads(sys.argv[1])
    press(about, [World(**one) for one in hostile])
