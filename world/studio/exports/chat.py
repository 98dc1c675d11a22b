"""Runs as conversations with tools, in the form of OpenAI's chat completions."""

import json
from collections.abc import Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import Any, TypedDict

from world.run.trajectory_reader import TrajectoryError
from world.studio.exports.selection import StoredRun
from world.studio.exports.turns import Turn, read_turns
from world.studio.tool_lists import LocalTools

SEPARATOR = "__"  # between surface and tool, where two lists have a tool of one name


class CalledFunction(TypedDict):
    """Name and arguments of a call; `arguments` is JSON in a text."""

    name: str
    arguments: str


class ToolCall(TypedDict):
    """A call of a tool."""

    id: str
    type: str
    function: CalledFunction


class ChatMessage(TypedDict, total=False):
    """A message of the task's giver, of the agent, or of a tool."""

    role: str
    content: str
    tool_calls: list[ToolCall]
    tool_call_id: str


class ToolFunction(TypedDict):
    """A tool as a model is told of it."""

    name: str
    description: str
    parameters: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ToolUse:
    """The tool lists that runs used, and the name of each tool in a conversation."""

    surfaces: Sequence[str]
    functions: Mapping[str, ToolFunction]
    names: Mapping[tuple[str, str], str]

    def to_json(self) -> str:
        """The list as JSON in a text: schemas differ too much for the columns of a table."""
        return json.dumps([{"type": "function", "function": one} for one in self.functions.values()])


@dataclass(slots=True)
class ChatWriter:
    """Makes conversations of runs. `lists` are the installed tool lists, which must be those that the run read."""

    lists: LocalTools
    _checked: dict[tuple[str, str], bool] = field(default_factory=dict[tuple[str, str], bool])

    def describe_tools(self, runs: Iterable[StoredRun]) -> ToolUse:
        """The tools on the lists that these runs used. Raises TrajectoryError for a list that is no longer the same."""
        surfaces = dict.fromkeys(surface for run in runs for surface in self._list_surfaces(run))
        return name_tools({surface: self.lists.list_tools(surface) for surface in sorted(surfaces)})

    def _list_surfaces(self, run: StoredRun) -> set[str]:
        found = {self.find_surface(run, turn) for turn in read_turns(run.folder)}
        for surface in found:
            self._check(run, surface)
        return found

    def find_surface(self, run: StoredRun, turn: Turn) -> str:
        """The list that a tool is on. Raises TrajectoryError for a tool that is on none."""
        known = [turn.surface] if turn.surface else list(self.lists.find_surfaces(turn.tool))
        for surface in known:
            if surface in self.lists.surfaces and turn.operation in self.lists.list_operations(surface, turn.tool):
                return surface
        raise TrajectoryError(f"{run.folder}: step {turn.step} calls {turn.tool!r}, which is on no installed tool list")

    def _check(self, run: StoredRun, surface: str) -> None:
        if run.config.tools and self.lists.describe_list(surface) not in run.config.tools.values():
            raise TrajectoryError(f"{run.folder}: the tools of {surface} are no longer those that the agent saw")

    def list_messages(
        self, run: StoredRun, tools: ToolUse, after: int = 0, last: int | None = None
    ) -> Generator[ChatMessage]:
        """The messages of the steps after one, up to another. Raises TrajectoryError."""
        for turn in read_turns(run.folder, last):
            if turn.step > after:
                yield from render_turn(turn, tools.names[self.find_surface(run, turn), turn.tool])

    def list_opening(self, run: StoredRun, tools: ToolUse, last: int | None = None) -> Generator[ChatMessage]:
        """The task, and the messages of the steps up to one, or of all. Raises TrajectoryError."""
        yield {"role": "user", "content": run.header.task}
        yield from self.list_messages(run, tools, last=last)

    def check_shared(self, runs: Sequence[StoredRun], tools: ToolUse, last: int) -> None:
        """Raise TrajectoryError unless runs have the task and the messages up to a step in common."""
        for other in runs[1:]:
            pairs = zip_longest(self.list_opening(runs[0], tools, last), self.list_opening(other, tools, last))
            if any(one != another for one, another in pairs):
                raise TrajectoryError(f"{other.folder} does not share the first {last} steps with {runs[0].folder}")


def render_turn(turn: Turn, name: str) -> list[ChatMessage]:
    """The call and its result."""
    arguments = json.dumps(turn.arguments, ensure_ascii=False, separators=(",", ":"))
    id = f"call_{turn.step}"
    call: ToolCall = {"id": id, "type": "function", "function": {"name": name, "arguments": arguments}}
    return [
        {"role": "assistant", "content": turn.said, "tool_calls": [call]},
        {"role": "tool", "content": turn.seen, "tool_call_id": id},
    ]


def name_tools(lists: Mapping[str, Sequence[Mapping[str, Any]]]) -> ToolUse:
    """The tools of several lists; a name that stands on two of them is told with its list."""
    counts: dict[str, int] = {}
    for tools in lists.values():
        for tool in tools:
            counts[tool["name"]] = counts.get(tool["name"], 0) + 1
    names = {
        (surface, tool["name"]): tool["name"] if counts[tool["name"]] == 1 else f"{surface}{SEPARATOR}{tool['name']}"
        for surface, tools in lists.items()
        for tool in tools
    }
    functions: dict[str, ToolFunction] = {
        names[surface, tool["name"]]: {
            "name": names[surface, tool["name"]],
            "description": tool.get("description", ""),
            "parameters": tool["inputSchema"],
        }
        for surface, tools in lists.items()
        for tool in tools
    }
    return ToolUse(list(lists), functions, names)


def describe_run(run: StoredRun, tools: ToolUse) -> dict[str, Any]:
    """What a row says of its run: enough to repeat it."""
    return {
        "run": run.name,
        "scenario": run.config.scenario,
        "revision": run.config.revision,
        "seed": run.config.seed,
        "image": run.config.image,
        "settings": json.dumps(run.config.settings, sort_keys=True),
        "agent": run.config.agent,
        "door": run.config.door,
        "score": run.summary.score,
        "raw_score": run.raw_score,
        "passed": run.summary.passed,
        "digest": run.digest,
        "surfaces": list(tools.surfaces),
        "origin": describe_origin(run),
    }


def describe_origin(run: StoredRun) -> str:
    """Where a branch began, as RUN@STEP; empty for a run from the start."""
    origin = run.header.origin
    return f"{origin.run}@{origin.step}" if origin is not None else ""
