"""Rollouts: one world with a task, its tools, forks and verdicts."""
# Written by docs/sync_client.py from async_episode.py; change that one.

from collections.abc import Mapping
from types import TracebackType
from typing import TYPE_CHECKING, Any

from . import wire
from .models import TOOLS, StepReward, Token, Tool, ToolResult, World
from .requests import send_request

if TYPE_CHECKING:
    from .fleet import Fleet


class Episode:
    """One rollout: a world with a task, and the employee who has it. Close it, or use it as a context manager."""

    def __init__(self, fleet: "Fleet", world: World, token: Token) -> None:
        self._fleet, self._token = fleet, token
        self.world, self.prompt = world.world, world.task or ""
        self.scenario, self.seed, self.agent = world.scenario, world.seed, world.agent
        self.members = [one.person for one in world.team]

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

    def member(self, person: str) -> "Episode":
        """The same rollout for a member of its team: `agent`, `prompt` and `connections` are theirs. Raises LookupError."""
        world = self.observe()
        found = next((one for one in world.team if one.person == person), None)
        if found is None:
            raise LookupError(f"{person} is in no team of {self.world}")
        theirs = world.model_copy(update={"agent": person, "task": found.task})
        return Episode(self._fleet, theirs, self._fleet.client.token(self.world, person=person))

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
        """What each call after call `since` was worth, of all members in a team. The gains add up to the score, less what the
        first moment is worth; those of a member to the member's own.
        """
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
        return wire.read(send_request(self._fleet.agents, method, address, json=body, headers=headers), is_tool=True)
