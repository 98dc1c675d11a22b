"""The agents' plane without sockets: requests go to the application in this process, and how long each holds the thread is
measured.
"""

import asyncio
import gc
import selectors
import time
from collections.abc import Coroutine, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar
from urllib.parse import unquote_to_bytes

from world.core import discovery
from world.run.host import Host
from world.server.agent_plane import agent_plane
from world.server.serve import surfaces_module

T = TypeVar("T")
Headers = Iterable[tuple[str, str]]
ENCODED_ADDRESS = "latin-1"  # what an address is sent as when it holds more than ASCII


class HoldMeter(selectors.DefaultSelector):
    """A selector that tells the longest time of the processor between two looks for input, in seconds of this thread.

    Nobody else is served in between, so this bounds what one request can hold the thread for.
    """

    longest = 0.0
    _began = 0.0

    def start(self) -> None:
        """Forget what was measured."""
        self.longest, self._began = 0.0, time.thread_time()

    def stop(self) -> float:
        """The longest hold since the start, in milliseconds."""
        self._end_pass()
        return self.longest * 1e3

    def select(self, timeout: float | None = None) -> list[Any]:
        self._end_pass()
        found = super().select(timeout)
        self._began = time.thread_time()
        return found

    def _end_pass(self) -> None:
        self.longest = max(self.longest, time.thread_time() - self._began)


@dataclass(frozen=True, slots=True)
class Answer:
    """Return the answer, and the longest hold of the thread meanwhile in milliseconds of processor time."""

    status: int
    headers: Mapping[str, str]
    body: bytes
    hold_ms: float

    @property
    def text(self) -> str:
        """The body as text, whatever it holds."""
        return self.body.decode("utf-8", "replace")


class LocalPlane:
    """The agents' plane over a host, with an event loop of its own. `close` ends it."""

    def __init__(self, host: Host) -> None:
        self.host, self.meter = host, HoldMeter()
        self._loop = asyncio.SelectorEventLoop(self.meter)
        self._plane = agent_plane(host, discovery.app_packages(), surfaces=surfaces_module)
        self._ready, self._ended = asyncio.Event(), asyncio.Event()
        self._lasting = self._loop.create_task(self._last())
        self._loop.run_until_complete(self._ready.wait())
        for door in self._plane.state.late:
            self._loop.run_until_complete(door.ready())

    async def _last(self) -> None:
        async with self._plane.router.lifespan_context(self._plane):
            self._ready.set()
            await self._ended.wait()

    def settle(self) -> None:
        """Keep what the first requests made out of later collections, as a server does once it listens."""
        gc.collect()
        gc.freeze()

    def close(self) -> None:
        """End what runs beside the requests, and the loop."""
        self._ended.set()
        self._loop.run_until_complete(self._lasting)
        self._loop.close()
        gc.unfreeze()

    def send(self, method: str, address: str, headers: Headers = (), body: bytes = b"") -> Answer:
        """One request. Raises what the application raises without an answer."""
        self.meter.start()
        status, sent, content = self._loop.run_until_complete(self._exchange(method, address, headers, body))
        return Answer(status, sent, content, self.meter.stop())

    def run(self, job: Coroutine[Any, Any, T]) -> T:
        """Run something else on the loop of the requests, which take turns there."""
        return self._loop.run_until_complete(job)

    async def _exchange(
        self, method: str, address: str, headers: Headers, body: bytes
    ) -> tuple[int, dict[str, str], bytes]:
        requests = [{"type": "http.request", "body": body, "more_body": False}]
        answers: list[dict[str, Any]] = []
        over = asyncio.Event()

        async def receive() -> dict[str, Any]:
            if requests:
                return requests.pop()
            await over.wait()
            return {"type": "http.disconnect"}

        async def send(message: Any) -> None:
            answers.append(message)

        try:
            await self._plane(_build_scope(method, address, headers, body), receive, send)
        except Exception:  # raised again behind an answer that says 500
            if not answers:
                raise
        finally:
            over.set()
        sent = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in answers[0]["headers"]}
        return answers[0]["status"], sent, b"".join(part.get("body", b"") for part in answers[1:])


def _build_scope(method: str, address: str, headers: Headers, body: bytes) -> dict[str, Any]:
    path, _, query = address.encode(ENCODED_ADDRESS, "replace").partition(b"?")
    lines = [("host", "127.0.0.1"), ("content-length", str(len(body))), *headers]
    return {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": method,
        "scheme": "http",
        "path": unquote_to_bytes(path).decode("utf-8", "replace"),
        "raw_path": path,
        "query_string": query,
        "root_path": "",
        "headers": [(name.lower().encode("latin-1"), value.encode("latin-1", "replace")) for name, value in lines],
        "client": ("127.0.0.1", 1),
        "server": ("127.0.0.1", 80),
        "state": {},
    }
