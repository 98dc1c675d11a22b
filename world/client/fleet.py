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
from .models import TOOLS, Task, Token, Tool, ToolResult, World

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

    def grade(self, *, public: bool = True) -> dict[str, Any]:
        """The verdict as it stands. By default it tells nothing of the rubric, so a policy may see it."""
        return self._fleet.client.grade(self.world, public=public)

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
    ) -> None:
        self.address: dict[str, Any] = {"secret": secret, "socket": socket, "url": url, "timeout_s": timeout_s}
        self.client = Client(**self.address)
        self.agents = httpx.Client(timeout=timeout_s, limits=wire.LIMITS)
        self._at_once = at_once
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
        return AsyncFleet(**self.address, at_once=self._at_once)

    def create(self, task: Task) -> Episode:
        """A new rollout of a task. Raises ControlError."""
        world = self.client.create(scenario=task.scenario, seed=task.seed, **dict(task.settings))
        return self.open(world)

    def open(self, world: World) -> Episode:
        """The rollout in a world that is there."""
        return Episode(self, world, self.client.token(world.world))

    def create_many(self, tasks: Iterable[Task]) -> "list[Episode]":
        """Rollouts of many tasks, in order."""
        return self._map(self.create, tasks)

    def step_many(self, steps: Iterable[tuple[Episode, str, Mapping[str, Any]]]) -> list[ToolResult]:
        """Tool calls (episode, tool, arguments) with their answers in order; those of one episode one after another."""
        return _in_order(steps, self._map, lambda step: step[0].call(step[1], step[2]))

    def grade_many(self, episodes: Iterable[Episode], *, public: bool = True) -> list[dict[str, Any]]:
        """Verdicts of many rollouts, in order."""
        return self._map(lambda episode: episode.grade(public=public), episodes)

    def close_many(self, episodes: Iterable[Episode]) -> None:
        """Forget many rollouts."""
        self._map(lambda episode: episode.close(), episodes)

    def _map(self, do: Callable[[A], B], over: Iterable[A]) -> list[B]:
        with ThreadPoolExecutor(self._at_once) as pool:
            return list(pool.map(do, over))


Step = tuple[Episode, str, Mapping[str, Any]]


def _in_order(
    steps: Iterable[Step], run: Callable[..., list[Any]], do: Callable[[Step], ToolResult]
) -> list[ToolResult]:
    """The answers to all steps. What goes to one world goes in the order given."""
    numbered = list(steps)
    queues: dict[str, list[int]] = {}
    for number, step in enumerate(numbered):
        queues.setdefault(step[0].world, []).append(number)
    found: dict[int, ToolResult] = {}

    def play(queue: list[int]) -> None:
        for number in queue:
            found[number] = do(numbered[number])

    run(play, queues.values())
    return [found[number] for number in range(len(numbered))]
