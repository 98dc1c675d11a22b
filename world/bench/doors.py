"""Cost of a call at the doors, against bare echoes served and called the same way."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from contextlib import ExitStack
from itertools import count
from pathlib import Path
from statistics import median
from typing import Any

import httpx2
from anyio.from_thread import start_blocking_portal
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from world.bench.app_bench import Target, Workload, workload
from world.bench.server_process import LeanClient, serve_process
from world.bench.timing import now_s, pair_ms


def rest(target: Target, echo: Target) -> dict[str, float]:
    """Reads and writes of the workload against the echo's."""
    load = workload()
    ours, theirs = LeanClient(target["url"], {"Authorization": f"Bearer {target['token']}"}), LeanClient(echo["url"])
    place, numbers = target["place"], count()

    def post() -> bytes:
        return ours.send("POST", *load.post(place, f"hello {next(numbers)}"))

    _check(load, ours.send("GET", load.get(place)))
    read, read_echo = pair_ms(lambda: ours.send("GET", load.get(place)), lambda: theirs.send("GET", "/echo?text=hello"))
    _check(load, post())
    write, write_echo = pair_ms(post, lambda: theirs.send("POST", "/echo", {"text": f"hello {next(numbers)}"}))
    return {
        "rest_read_ms": read,
        "rest_read_echo_ms": read_echo,
        "rest_read_x_echo": read / read_echo,
        "rest_write_ms": write,
        "rest_write_echo_ms": write_echo,
        "rest_write_x_echo": write / write_echo,
    }


def _check(load: Workload, content: bytes) -> None:
    if not load.answered(json.loads(content)):
        raise AssertionError(content[:300])


def mcp(target: Target, echo: Target) -> dict[str, float]:
    """One tool call by the official client against the official package's own echo tool."""
    with ExitStack() as stack:
        portal = stack.enter_context(start_blocking_portal())

        def client(url: str, token: str) -> Callable[[str, dict[str, Any]], Any]:
            web = httpx2.AsyncClient(headers={"Authorization": f"Bearer {token}"}, timeout=30.0)
            made = Client(streamable_http_client(url, http_client=web))
            opened = stack.enter_context(portal.wrap_async_context_manager(made))
            return lambda name, arguments: portal.call(opened.call_tool, name, arguments)

        load = workload()
        name, arguments = load.tool(target["place"])
        ours = client(f"{target['url']}/mcp/{load.app}/operations", target["token"])
        theirs = client(f"{echo['url']}/mcp", "-")
        answer = ours(name, arguments)
        if answer.is_error:
            raise AssertionError(str(answer.content)[:300])
        mine, reference = pair_ms(lambda: ours(name, arguments), lambda: theirs("echo", {"text": "hello"}))
    return {"mcp_call_ms": mine, "mcp_echo_ms": reference, "mcp_call_x_sdk_echo": mine / reference}


def episodes(image: Path, folder: Path, workers: int, seconds: float = 4.0) -> float:
    """Fork, 5 reads, 1 write, diff, drop over HTTP: a server and a client per core, episodes of all together per
    second.
    """
    return rollouts("world.bench.target", image, folder, workers, seconds)


def rollouts(
    target: str, image: Path, folder: Path, workers: int, seconds: float, client: str = "world.bench.rollouts"
) -> float:
    """Episodes per second of so many servers together, each with a client, a module that prints its own."""
    with ExitStack() as stack:
        targets: list[Target] = []
        for number in range(workers):
            place = folder / f"worker{number}"
            place.mkdir(parents=True)
            targets.append(stack.enter_context(serve_process(target, str(image), str(place))))
        clients = [
            subprocess.Popen(
                [sys.executable, "-m", client, json.dumps(target), str(seconds)],
                stdout=subprocess.PIPE,
                text=True,
            )
            for target in targets
        ]
        rates = [json.loads(one.communicate(timeout=seconds * 10 + 60)[0])["episodes_per_s"] for one in clients]
    return sum(rates)


def episodes_in_process(image: Path, folder: Path, workers: int, seconds: float = 4.0) -> float:
    """The same without HTTP: one process per core, episodes of all together per second."""
    running: list[subprocess.Popen[str]] = []
    for number in range(workers):
        place = folder / f"inside{number}"
        place.mkdir()
        command = [sys.executable, "-m", "world.bench.in_process", str(image), str(place), str(seconds)]
        running.append(subprocess.Popen(command, stdout=subprocess.PIPE, text=True))
    return sum(json.loads(one.communicate(timeout=seconds * 10 + 60)[0])["episodes_per_s"] for one in running)


def cold_start_s(home: Path, times: int = 3) -> float:
    """Return the seconds from starting `firm serve` to its first answer.

    The company is sealed and the modules are compiled, as an installed command's are.
    """
    taken: list[float] = []
    for _ in range(times):
        begin = now_s()
        environment = {**os.environ, "FIRM_HOME": str(home), "PYTHONDONTWRITEBYTECODE": ""}
        with subprocess.Popen(
            [sys.executable, "-m", "world", "serve", "--listen", "127.0.0.1:0"],
            stdout=subprocess.PIPE,
            text=True,
            env=environment,
        ) as running:
            try:
                if running.stdout is None:
                    raise RuntimeError("no output")
                url = next(part for line in running.stdout for part in line.split() if part.startswith("http://"))
                LeanClient(url).send("GET", "/login")
                taken.append(now_s() - begin)
            finally:
                running.terminate()
                running.communicate(timeout=20)
    return median(taken)
