"""What a call costs at the doors, against bare echoes served and called the same way."""

import http.client
import json
import os
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from itertools import count
from pathlib import Path
from statistics import median
from typing import Any
from urllib.parse import urlsplit

import httpx2
from anyio.from_thread import start_blocking_portal
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from world.bench.timing import now_s, pair_ms


@contextmanager
def process(module: str, *arguments: str) -> Iterator[dict[str, Any]]:
    """A server process; yields the JSON line it prints when it listens. It is ended by its own id."""
    with subprocess.Popen([sys.executable, "-m", module, *arguments], stdout=subprocess.PIPE, text=True) as running:
        try:
            if running.stdout is None:
                raise RuntimeError("no output")
            text = running.stdout.readline()
            if not text:
                raise RuntimeError(f"{module} did not start")
            yield json.loads(text)
        finally:
            running.terminate()
            running.wait(timeout=20)


class Lean:
    """A keep-alive HTTP client that costs little, for both sides of a comparison."""

    def __init__(self, url: str, headers: Mapping[str, str] | None = None) -> None:
        self._headers = dict(headers or {})
        self._connection = http.client.HTTPConnection(urlsplit(url).netloc, timeout=30)

    def headers(self, token: str) -> None:
        """Use another bearer token from now on."""
        self._headers["Authorization"] = f"Bearer {token}"

    def send(self, method: str, path: str, body: Any = None) -> bytes:
        """The body of the answer. Raises AssertionError unless the status is 2xx."""
        if body is None:
            return self._sent(method, path, None, self._headers)
        return self.send_bytes(method, path, json.dumps(body).encode(), "application/json; charset=utf-8")

    def send_bytes(self, method: str, path: str, body: bytes, kind: str) -> bytes:
        """The same with a body of a content type."""
        return self._sent(method, path, body, {**self._headers, "Content-Type": kind})

    def _sent(self, method: str, path: str, body: bytes | None, headers: Mapping[str, str]) -> bytes:
        self._connection.request(method, path, body, headers)
        answer = self._connection.getresponse()
        content = answer.read()
        if answer.status >= 300:
            raise AssertionError(f"{method} {path}: {answer.status} {content[:200]!r}")
        return content


class Unix(Lean):
    """The same over a unix socket."""

    def __init__(self, path: str, headers: Mapping[str, str]) -> None:
        super().__init__("http://control", headers)
        self._connection = _UnixConnection(path)


class _UnixConnection(http.client.HTTPConnection):
    def __init__(self, path: str) -> None:
        super().__init__("control", timeout=30)
        self._path = path

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.connect(self._path)


def rest(target: Mapping[str, Any], echo: Mapping[str, Any]) -> dict[str, float]:
    """Reads (20 messages of a channel) and writes (a message) against the echo's."""
    ours = Lean(target["url"], {"Authorization": f"Bearer {target['token']}"})
    theirs = Lean(echo["url"])
    channel = target["channel"]
    _ok(ours.send("GET", f"/slack/api/conversations.history?channel={channel}&limit=20"))
    read, read_echo = pair_ms(
        lambda: ours.send("GET", f"/slack/api/conversations.history?channel={channel}&limit=20"),
        lambda: theirs.send("GET", "/echo?text=hello"),
    )
    numbers = count()
    _ok(ours.send("POST", "/slack/api/chat.postMessage", {"channel": channel, "text": "hello"}))
    write, write_echo = pair_ms(
        lambda: ours.send(
            "POST", "/slack/api/chat.postMessage", {"channel": channel, "text": f"hello {next(numbers)}"}
        ),
        lambda: theirs.send("POST", "/echo", {"text": f"hello {next(numbers)}"}),
    )
    return {
        "rest_read_ms": read,
        "rest_read_echo_ms": read_echo,
        "rest_read_x_echo": read / read_echo,
        "rest_write_ms": write,
        "rest_write_echo_ms": write_echo,
        "rest_write_x_echo": write / write_echo,
    }


def _ok(content: bytes) -> None:
    if not json.loads(content).get("ok"):
        raise AssertionError(content[:300])


def mcp(target: Mapping[str, Any], echo: Mapping[str, Any]) -> dict[str, float]:
    """One tool call by the official client against the official package's own echo tool."""
    with ExitStack() as stack:
        portal = stack.enter_context(start_blocking_portal())

        def client(url: str, token: str) -> Callable[[str, dict[str, Any]], Any]:
            web = httpx2.AsyncClient(headers={"Authorization": f"Bearer {token}"}, timeout=30.0)
            made = Client(streamable_http_client(url, http_client=web))
            opened = stack.enter_context(portal.wrap_async_context_manager(made))
            return lambda name, arguments: portal.call(opened.call_tool, name, arguments)

        ours = client(f"{target['url']}/mcp/slack/operations", target["token"])
        theirs = client(f"{echo['url']}/mcp", "-")
        answer = ours("conversations_info", {"channel": target["channel"]})
        if answer.is_error:
            raise AssertionError(str(answer.content)[:300])
        mine, reference = pair_ms(
            lambda: ours("conversations_info", {"channel": target["channel"]}),
            lambda: theirs("echo", {"text": "hello"}),
        )
    return {"mcp_call_ms": mine, "mcp_echo_ms": reference, "mcp_call_x_sdk_echo": mine / reference}


def episodes(image: Path, folder: Path, workers: int, seconds: float = 4.0) -> float:
    """Fork, 5 reads, 1 write, diff, drop over HTTP: a server and a client per core, episodes of all together per
    second.
    """
    with ExitStack() as stack:
        targets = []
        for number in range(workers):
            place = folder / f"worker{number}"
            place.mkdir()
            targets.append(stack.enter_context(process("world.bench.target", str(image), str(place))))
        clients = [
            subprocess.Popen(
                [sys.executable, "-m", "world.bench.rollouts", json.dumps(target), str(seconds)],
                stdout=subprocess.PIPE,
                text=True,
            )
            for target in targets
        ]
        rates = [json.loads(one.communicate(timeout=seconds * 10 + 60)[0])["episodes_per_s"] for one in clients]
    return sum(rates)


def episodes_in_process(image: Path, folder: Path, workers: int, seconds: float = 4.0) -> float:
    """The same without HTTP: one process per core, episodes of all together per second."""
    running = []
    for number in range(workers):
        place = folder / f"inside{number}"
        place.mkdir()
        command = [sys.executable, "-m", "world.bench.in_process", str(image), str(place), str(seconds)]
        running.append(subprocess.Popen(command, stdout=subprocess.PIPE, text=True))
    return sum(json.loads(one.communicate(timeout=seconds * 10 + 60)[0])["episodes_per_s"] for one in running)


def cold_start_s(home: Path, times: int = 3) -> float:
    """From starting `firm serve` to its first answer, the company being sealed and the modules compiled, as an
    installed command's are.
    """
    taken = []
    for _ in range(times):
        begin = now_s()
        environment = {**os.environ, "FIRM_HOME": str(home), "PYTHONDONTWRITEBYTECODE": ""}
        with subprocess.Popen(
            [sys.executable, "-m", "world", "serve", "--agent", "127.0.0.1:0"],
            stdout=subprocess.PIPE,
            text=True,
            env=environment,
        ) as running:
            try:
                if running.stdout is None:
                    raise RuntimeError("no output")
                url = next(part for line in running.stdout for part in line.split() if part.startswith("http://"))
                parts = urlsplit(url)
                Lean(f"{parts.scheme}://{parts.netloc}").send("GET", "/login")
                taken.append(now_s() - begin)
            finally:
                running.terminate()
                running.communicate(timeout=20)
    return median(taken)
