"""What a trainer waits for: a step over OpenEnv's wire, a call in process, graded MCP episodes, a restart over many worlds."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from itertools import count, cycle
from pathlib import Path
from statistics import median
from typing import Any

from websockets.sync.client import ClientConnection, unix_connect

from world.bench.app_bench import workload
from world.bench.doors import rollouts
from world.bench.server_process import LeanClient, UnixClient, serve_process
from world.bench.timing import now_s, per_call_us, per_second
from world.client import Client
from world.core.settings import Settings
from world.run.home import Home
from world.run.host import open_host
from world.run.images import get_image

SCENARIO = "flapping_alert"
STEPS, WARM_UP = 500, 50
CALLS = 30  # of an episode over MCP
WORLDS = 10_000
PROTOCOL = {"Accept": "application/json, text/event-stream", "Mcp-Protocol-Version": "2025-06-18"}


def figures(home: Home, scratch: Path, cores: int) -> dict[str, Any]:
    """Return all figures."""
    image = get_image(home)
    for name in ("openenv", "inside", "home"):
        (scratch / name).mkdir(parents=True, mode=0o700)
    return {
        "openenv_step_ms": measure_openenv_step(image, scratch / "openenv"),
        "inprocess_call_us": measure_call(image, scratch / "inside"),
        "mcp_episodes_per_s": rollouts("world.bench.graded_target", image, scratch / "mcp", cores, 6.0, __name__),
        "restart_10000_worlds_s": measure_restart(home, image, scratch / "home"),
    }


def measure_openenv_step(image: Path, folder: Path) -> float:
    """Milliseconds from a step's message to its answer: a look at the clock. Median."""
    with serve_process("world.bench.graded_target", str(image), str(folder)) as target:
        headers = {"Authorization": "Bearer bench"}
        with unix_connect(target["control"], "ws://control/openenv/ws", additional_headers=headers) as socket:
            _say(socket, {"type": "reset", "data": {"scenario": SCENARIO, "settings": {"limits": "off"}}})
            taken: list[float] = []
            for _ in range(STEPS):
                begin = now_s()
                _say(socket, {"type": "step", "data": {"tool_name": "world_now", "arguments": {}}})
                taken.append((now_s() - begin) * 1000)
    return median(taken[WARM_UP:])


def _say(socket: ClientConnection, message: Mapping[str, Any]) -> None:
    socket.send(json.dumps(message))
    answer: dict[str, Any] = json.loads(socket.recv())
    if answer["type"] != "observation":
        raise AssertionError(str(answer))


def measure_call(image: Path, folder: Path) -> float:
    """Microseconds of a call in the process: five different reads and a write in turn, all with their records. Median."""
    host = open_host(image, folder / "worlds")
    host.create("calls", Settings(limits="off"))
    load = workload()
    person, place = load.find_member(host, "calls")
    principal, numbers = load.principal(host, "calls", person), count()
    asked = cycle([*load.reads(place), None])

    def call() -> None:
        operation, arguments = next(asked) or load.write(place, f"hello {next(numbers)}")
        host.call(principal, "rest", operation, arguments)

    taken = per_call_us(call, rounds=40, calls=60)
    host.store.close()
    return taken


def mcp_episodes_per_s(target: Mapping[str, Any], seconds: float) -> float:
    """Fork, a session of 30 tool calls, verdict, drop, again and again."""
    control = UnixClient(target["control"], {"Authorization": "Bearer bench"})
    numbers = count()

    def episode() -> None:
        name = f"m{next(numbers)}"
        control.send("POST", f"/worlds/{target['parent']}/fork", {"name": name})
        token = json.loads(control.send("POST", f"/worlds/{name}/tokens", {}))["token"]
        _play(LeanClient(target["url"], {**PROTOCOL, "Authorization": f"Bearer {token}"}))
        if json.loads(control.send("POST", f"/worlds/{name}/grade"))["score"] is None:
            raise AssertionError("the world was not graded")
        control.send("DELETE", f"/worlds/{name}")

    return per_second(episode, seconds)


def _play(agent: LeanClient) -> None:
    """A session as the protocol has it since 2025: initialize, then calls."""
    about = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"}}
    session = agent.open_session("/mcp", {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": about})
    agent.add_header("Mcp-Session-Id", session)
    agent.send("POST", "/mcp", {"jsonrpc": "2.0", "method": "notifications/initialized"})
    for number in range(1, CALLS + 1):
        asked: dict[str, Any] = {"name": "world_now", "arguments": {}}
        said = agent.send("POST", "/mcp", {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": asked})
        if json.loads(said)["result"].get("isError"):
            raise AssertionError(str(said))


def measure_restart(home: Home, image: Path, folder: Path) -> float:
    """Seconds from starting `firm serve` over 10,000 written worlds to the answer about one of them."""
    (folder / "images").symlink_to(home.images)
    host = open_host(image, folder / "worlds")
    for number in range(WORLDS):
        actor = host.create(f"w{number}")
        actor.advance(actor.now + 1)
    host.store.close()
    begin = now_s()
    with subprocess.Popen(
        [sys.executable, "-m", "world", "serve", "--listen", "127.0.0.1:0"],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "FIRM_HOME": str(folder), "PYTHONDONTWRITEBYTECODE": "", "PYTHONUNBUFFERED": "1"},
    ) as running:
        try:
            next(line for line in running.stdout or () if line.strip().startswith("control"))
            secret = (folder / "secrets" / "control").read_text().strip()
            with Client(socket=folder / "run" / "control.sock", secret=secret) as client:
                client.describe(f"w{WORLDS // 2}")
                return now_s() - begin
        finally:
            running.terminate()
            running.communicate(timeout=60)


if __name__ == "__main__":
    print(json.dumps({"episodes_per_s": mcp_episodes_per_s(json.loads(sys.argv[1]), float(sys.argv[2]))}))
