"""Rollouts of a trainer: tasks, tools, forks and verdicts over one server."""

from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import TracebackType
from typing import Any, TypeVar

import httpx

from . import wire
from .async_fleet import AsyncFleet
from .control import Client
from .episode import Episode
from .local import LocalServer
from .models import IDLE_TTL_S, Task, ToolResult, World

A = TypeVar("A")
B = TypeVar("B")


class Fleet:
    """Episodes of one server, many at a time: `Fleet(socket=..., secret=...)`, `Fleet(url=..., secret=...)`, or
    `Fleet.local()`, which starts a server of its own.
    """

    def __init__(
        self,
        *,
        secret: str,
        socket: str | Path | None = None,
        url: str | None = None,
        timeout_s: float = 300.0,
        at_once: int = 64,
        idle_ttl_s: float = IDLE_TTL_S,
    ) -> None:
        self.address: dict[str, Any] = {"secret": secret, "socket": socket, "url": url, "timeout_s": timeout_s}
        self.client = Client(**self.address)
        self.agents = httpx.Client(timeout=timeout_s, limits=wire.LIMITS)
        self._at_once, self._idle_ttl_s = at_once, idle_ttl_s
        self._server: LocalServer | None = None

    @classmethod
    def local(cls, *, workers: int = 1, company: int = 7, size: str = "S", home: Path | None = None) -> "Fleet":
        """A fleet on a server that this call starts and `close` ends; needs firmament installed beside the client."""
        server = LocalServer(workers=workers, company=company, size=size, home=home)
        made = cls(secret=server.secret, socket=server.socket)
        made._server = server
        return made

    def __enter__(self) -> "Fleet":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections, and end a server of one's own."""
        self.client.close()
        self.agents.close()
        if self._server is not None:
            self._server.close()

    def on_loop(self) -> "AsyncFleet":
        """A fleet of the same server for an event loop; it ends with its own context, the server does not."""
        return AsyncFleet(**self.address, at_once=self._at_once, idle_ttl_s=self._idle_ttl_s)

    def create(self, task: Task) -> Episode:
        """A new rollout of a task. Raises ControlError."""
        world = self.client.create(
            scenario=task.scenario, seed=task.seed, idle_ttl_s=self._idle_ttl_s, **dict(task.settings)
        )
        return self.open(world)

    def open(self, world: World) -> Episode:
        """The rollout in a world that is there."""
        return Episode(self, world, self.client.token(world.world))

    def create_many(self, tasks: Iterable[Task]) -> "list[Episode]":
        """Rollouts of many tasks, in order."""
        return self._map(self.create, tasks)

    def step_many(self, steps: Iterable[tuple[Episode, str, Mapping[str, Any]]]) -> list[ToolResult]:
        """Tool calls (episode, tool, arguments), done in the order given, with their answers. Raises ToolDoorError."""
        asked = [
            {"world": one.world, "person": one.agent, "name": name, "arguments": arguments}
            for one, name, arguments in steps
        ]
        found: list[ToolResult] = []
        for batch in wire.split_batches(asked):
            answers = self.client.do_steps(batch)
            found += [ToolResult.model_validate(wire.read_item(one, is_tool=True)) for one in answers]
        return found

    def grade_many(self, episodes: Iterable[Episode], *, public: bool = True) -> list[dict[str, Any]]:
        """Verdicts of many rollouts, in order. Raises ControlError."""
        worlds = [one.world for one in episodes]
        found: list[dict[str, Any]] = []
        for batch in wire.split_batches(worlds):
            answers = self.client.grade_worlds(batch, public=public)
            found += [wire.read_item(one) for one in answers]
        return found

    def close_many(self, episodes: Iterable[Episode]) -> None:
        """Forget many rollouts."""
        self._map(lambda episode: episode.close(), episodes)

    def _map(self, do: Callable[[A], B], over: Iterable[A]) -> list[B]:
        with ThreadPoolExecutor(self._at_once) as pool:
            return list(pool.map(do, over))
