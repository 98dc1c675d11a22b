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
from .local import LocalServer
from .models import IDLE_TTL_S, TOOLS, StepReward, Task, Token, Tool, ToolResult, World

A = TypeVar("A")
B = TypeVar("B")


class Episode:
    """One rollout: a world with a task, and the employee who has it. Close it, or use it as a context manager."""

    def __init__(self, fleet: "Fleet", world: World, token: Token) -> None:
        self._fleet, self._token = fleet, token
        self.world, self.prompt = world.world, world.task or ""
        self.scenario, self.seed, self.agent = world.scenario, world.seed, world.agent

    def __enter__(self) -> "Episode":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def connections(self) -> Token:
        """Addresses and the token of the employee: log-in link, REST, MCP."""
        return self._token

    def tools(self, app: str = "", surface: str = "") -> list[Tool]:
        """The tools of an app's surface, by default those of all apps in one list. Raises ToolDoorError."""
        return TOOLS.validate_python(self._ask("GET", self._address(app, surface)))

    def call(self, name: str, arguments: Mapping[str, Any], *, app: str = "", surface: str = "") -> ToolResult:
        """Call a tool; a refusal of the app is a result. Raises ToolDoorError for a tool that is not there."""
        body = {"name": name, "arguments": arguments}
        return ToolResult.model_validate(self._ask("POST", self._address(app, surface), body))

    def observe(self) -> World:
        """The simulated time, the number of calls, and whether the episode ended."""
        return self._fleet.client.describe(self.world)

    def finish(self, answer: Mapping[str, Any] | None = None, *, status: str = "done") -> ToolResult:
        """End the episode with the answer fields of its task, as the agent does: `finish({"root_cause": "dns"})`."""
        return self.call("world_finish", {"status": status, "answer": answer or {}})

    def advance(self, duration: str) -> World:
        """Let simulated time pass: `20m`, `2h`."""
        return self._fleet.client.advance(self.world, duration)

    def fork(self, at: int | None = None) -> "Episode":
        """Another rollout from call `at` of this one (from its head by default); copies nothing."""
        return self._fleet.open(self._fleet.client.fork(self.world, at=at))

    def fork_group(self, size: int, at: int | None = None) -> "list[Episode]":
        """Several forks of one state, in one request: a group of rollouts whose rewards are compared."""
        made = self._fleet.client.fork_group(self.world, size, at=at)
        return [Episode(self._fleet, world, token) for world, token in made]

    def grade(self, *, public: bool = True, at: int | None = None) -> dict[str, Any]:
        """The verdict as it stands, or as it stood after call `at`. By default it tells nothing of the rubric, so a policy
        may see it.
        """
        return self._fleet.client.grade(self.world, public=public, at=at)

    def rewards(self, since: int = 0) -> list[StepReward]:
        """What each call after call `since` was worth. The gains add up to the score, less what the first moment is worth."""
        return self._fleet.client.rewards(self.world, since)

    def trajectory(self) -> list[dict[str, Any]]:
        """Every call so far: seq, at (microseconds, UTC), actor, door, operation, cause_seq, status."""
        return (self._fleet.client.history(self.world))["calls"]

    def close(self) -> None:
        """Forget the world and its tokens."""
        self._fleet.client.drop(self.world)

    def _address(self, app: str, surface: str) -> str:
        return "/".join(filter(None, [self._token.tools, app, surface]))

    def _ask(self, method: str, address: str, body: Mapping[str, Any] | None = None) -> Any:
        headers = {"Authorization": f"Bearer {self._token.token}"}
        return wire.read(wire.send(self._fleet.agents, method, address, json=body, headers=headers), is_tool=True)


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
        asked = [{"world": one.world, "name": name, "arguments": arguments} for one, name, arguments in steps]
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
