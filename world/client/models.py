"""What the server answers, typed."""

from dataclasses import dataclass, field
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

IDLE_TTL_S = 1800.0  # a trainer's rollout that nobody uses for so long is forgotten: programs die before they clean up


class Member(BaseModel):
    """A member of a team; `state` is at_work, waiting or finished, `woken` the result of their last wait."""

    model_config = ConfigDict(extra="ignore")
    person: str
    name: str
    state: str
    task: str
    woken: dict[str, Any] | None = None


class World(BaseModel):
    """State of a world. `now` is simulated microseconds since the epoch, UTC; `calls` the last call's number."""

    model_config = ConfigDict(extra="ignore")
    world: str
    now: int
    utc: str
    calls: int
    ended: str | None = None
    ending: str | None = None
    scenario: str | None = None
    seed: int | None = None
    agent: str | None = None
    task: str | None = None
    team: list[Member] = []
    quarantined: dict[str, str] | None = None


class Token(BaseModel):
    """A credential of one employee, and where to use it."""

    model_config = ConfigDict(extra="ignore")
    token: str
    person: str
    login: str
    rest: str
    mcp: str
    credentials: dict[str, Any] = {}

    @property
    def tools(self) -> str:
        """The address of the same tools without the protocol's handshake."""
        before, _, after = self.mcp.rpartition("/mcp")
        return f"{before}/tools{after}"


class Tool(BaseModel):
    """A tool as a model is told of it; `input_schema` is JSON Schema."""

    model_config = ConfigDict(extra="ignore", populate_by_name=True)
    name: str
    description: str = ""
    input_schema: dict[str, Any] = Field(default_factory=dict, alias="inputSchema")


TOOLS = TypeAdapter(list[Tool])


class ToolResult(BaseModel):
    """Answer of a tool: its texts in order. `is_error`: the app refused, and the text says why, as the vendor words it."""

    model_config = ConfigDict(extra="ignore", populate_by_name=True)
    content: list[dict[str, Any]]
    is_error: bool = Field(default=False, alias="isError")

    @property
    def text(self) -> str:
        """All texts, one after another."""
        return "\n".join(str(part["text"]) for part in self.content if part.get("type") == "text")


class MemberReward(BaseModel):
    """What the run was worth to a member of a team after a call, and the `gain` over the value before."""

    model_config = ConfigDict(extra="ignore")
    value: float
    gain: float


class StepReward(BaseModel):
    """What a call of the agent, or of the member `person` of their team, was worth: `value` of the run after it, `gain`
    over the value before. `members` has both for each member of a team.
    """

    model_config = ConfigDict(extra="ignore")
    call: int
    operation: str
    person: str
    value: float
    gain: float
    members: dict[str, MemberReward]


REWARDS = TypeAdapter(list[StepReward])


@dataclass(frozen=True, slots=True)
class Task:
    """One task: a scenario or chore, a seed, and settings of its world. Hashable, and equal by value."""

    scenario: str
    seed: int = 0
    settings: tuple[tuple[str, Any], ...] = field(default=())

    @classmethod
    def of(cls, scenario: str, seed: int = 0, **settings: Any) -> "Task":
        """A task by name: `Task.of("flapping_alert", 3, difficulty="hard")`."""
        return cls(scenario, seed, tuple(sorted(settings.items())))

    @property
    def id(self) -> str:
        """A stable name: `flapping_alert-3-difficulty=hard`."""
        return "-".join([self.scenario, str(self.seed), *(f"{name}={value}" for name, value in self.settings)])
