"""The same for trainers on an event loop."""

import asyncio
from collections.abc import Awaitable, Iterable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, TypeVar

import httpx

from . import wire
from .async_control import AsyncClient
from .async_episode import AsyncEpisode
from .local import LocalServer
from .models import IDLE_TTL_S, Task, ToolResult, World

B = TypeVar("B")


class AsyncFleet:
    """Episodes of one server, many at a time: `AsyncFleet(socket=..., secret=...)`, `AsyncFleet(url=..., secret=...)`, or
    `AsyncFleet.local()`, which starts a server of its own.
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
        self.client = AsyncClient(secret=secret, socket=socket, url=url, timeout_s=timeout_s)
        self.agents = httpx.AsyncClient(timeout=timeout_s, limits=wire.LIMITS)
        self._at_once, self._idle_ttl_s = at_once, idle_ttl_s
        self._server: LocalServer | None = None

    @classmethod
    def local(cls, *, workers: int = 1, company: int = 7, size: str = "S", home: Path | None = None) -> "AsyncFleet":
        """A fleet on a server that this call starts and `close` ends; needs firmament installed beside the client."""
        server = LocalServer(workers=workers, company=company, size=size, home=home)
        made = cls(secret=server.secret, socket=server.socket)
        made._server = server
        return made

    async def __aenter__(self) -> "AsyncFleet":
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Close the connections, and end a server of one's own."""
        await self.client.close()
        await self.agents.aclose()
        if self._server is not None:
            self._server.close()

    async def create(self, task: Task) -> AsyncEpisode:
        """A new rollout of a task. Raises ControlError."""
        world = await self.client.create(
            scenario=task.scenario, seed=task.seed, idle_ttl_s=self._idle_ttl_s, **dict(task.settings)
        )
        return await self.open(world)

    async def open(self, world: World) -> AsyncEpisode:
        """The rollout in a world that is there."""
        return AsyncEpisode(self, world, await self.client.token(world.world))

    async def create_many(self, tasks: Iterable[Task]) -> "list[AsyncEpisode]":
        """Rollouts of many tasks, in order."""
        return await self._gather([self.create(task) for task in tasks])

    async def step_many(self, steps: Iterable[tuple[AsyncEpisode, str, Mapping[str, Any]]]) -> list[ToolResult]:
        """Tool calls (episode, tool, arguments), done in the order given, with their answers. Raises ToolDoorError."""
        asked = [
            {"world": one.world, "person": one.agent, "name": name, "arguments": arguments}
            for one, name, arguments in steps
        ]
        found: list[ToolResult] = []
        for batch in wire.split_batches(asked):
            answers = await self.client.do_steps(batch)
            found += [ToolResult.model_validate(wire.read_item(one, is_tool=True)) for one in answers]
        return found

    async def grade_many(self, episodes: Iterable[AsyncEpisode], *, public: bool = True) -> list[dict[str, Any]]:
        """Verdicts of many rollouts, in order. Raises ControlError."""
        worlds = [one.world for one in episodes]
        found: list[dict[str, Any]] = []
        for batch in wire.split_batches(worlds):
            answers = await self.client.grade_worlds(batch, public=public)
            found += [wire.read_item(one) for one in answers]
        return found

    async def close_many(self, episodes: Iterable[AsyncEpisode]) -> None:
        """Forget many rollouts."""
        await self._gather([episode.close() for episode in episodes])

    async def _gather(self, jobs: Sequence[Awaitable[B]]) -> list[B]:
        """The results of all jobs, so many of them at once as the fleet takes. Raises the first error, once all ended."""
        gate = asyncio.Semaphore(self._at_once)

        async def run(job: Awaitable[B]) -> B:
            async with gate:
                return await job

        results = await asyncio.gather(*(run(job) for job in jobs), return_exceptions=True)
        failed = next((one for one in results if isinstance(one, BaseException)), None)
        if failed is not None:
            raise failed
        return [one for one in results if not isinstance(one, BaseException)]
