"""What OpenEnv's clients send and get. Field names are theirs."""

from typing import Any, Literal

from pydantic import Field, JsonValue
from typing_extensions import TypedDict  # of Python 3.12: pydantic describes no other

from world.core.params import Int64
from world.server.control_state import Body, Name
from world.server.tool_calls import TextPart

ErrorCode = Literal[
    "INVALID_JSON", "UNKNOWN_TYPE", "VALIDATION_ERROR", "EXECUTION_ERROR", "CAPACITY_REACHED", "SESSION_ERROR"
]


class ResetRequest(Body):
    """Which task to begin. Without `scenario`, the family of the split `train` that `seed` chooses.

    `episode_id` names the world. With `dense` each step is rewarded, else the last one alone.
    """

    seed: Int64 = Field(default=0, ge=0)
    episode_id: Name | None = None
    scenario: str | None = None
    settings: dict[str, JsonValue] = Field(default_factory=dict)
    dense: bool = False


class Action(Body):
    """A tool call, or a look at the list of tools."""

    type: Literal["call_tool", "list_tools"] = "call_tool"
    tool_name: str = ""
    arguments: dict[str, Any] = Field(default_factory=dict)
    metadata: dict[str, Any] = Field(default_factory=dict)


class StepRequest(Body):
    """A step over HTTP, where no connection names the episode."""

    action: Action
    episode_id: str
    request_id: str | None = None


class ToolResult(TypedDict):
    """The answer of a tool; `data` is all its text."""

    content: list[TextPart]
    data: str
    is_error: bool


class ToolFailure(TypedDict):
    """Why a call did not succeed."""

    error_type: Literal["tool_not_found", "execution_error"]
    message: str


class Beginning(TypedDict):
    """The observation of a reset."""

    prompt: str
    episode_id: str
    scenario: str
    seed: int
    time: str
    available_tools: list[str]


class Called(TypedDict):
    """The observation of a tool call. `error` is there whenever the call did not succeed, also when the app refused it."""

    tool_name: str
    result: ToolResult | None
    error: ToolFailure | None
    time: str


class Listed(TypedDict):
    """The observation of a look at the list of tools."""

    tools: list[dict[str, Any]]


class StepAnswer(TypedDict):
    """Observation, reward and whether the episode has ended."""

    observation: Beginning | Called | Listed
    reward: float | None
    done: bool


class State(TypedDict):
    """State of a session; `ended` is the reason, if the episode has ended."""

    episode_id: str | None
    step_count: int
    scenario: str | None
    seed: int | None
    time: str | None
    ended: str | None
