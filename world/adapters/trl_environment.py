"""TRL: a class for `GRPOTrainer(environment_factory=...)`, whose methods are the employee's tools. It needs no package: TRL
takes any class of this form.
"""

import inspect
import keyword
from collections.abc import Callable, Collection, Mapping
from typing import Any, Literal

from world.client import Episode, Fleet, Task, Tool, ToolDoorError

TYPES: dict[str, Any] = {
    "string": str,
    "integer": int,
    "number": float,
    "boolean": bool,
    "array": list,
    "object": dict,
}


class ToolRefused(RuntimeError):
    """An app refused a call. TRL hands the message to the model and goes on."""


class CompanyEnvironment:
    """One rollout after another. `reset` takes the columns of a row; `get_reward` is the score of the rollout."""

    def __init__(self, fleet: Fleet) -> None:
        self._fleet = fleet
        self._episode: Episode | None = None

    def reset(self, *, scenario: str, seed: int, settings: Mapping[str, Any] | None = None, **_: Any) -> str:
        """A new episode of the row's task. Returns the task's text, which TRL adds to the prompt."""
        self._leave()
        self._episode = self._fleet.create(Task.of(scenario, seed, **(settings or {})))
        return self._episode.prompt

    def get_reward(self) -> float:
        """The score of the episode, which is then forgotten."""
        assert self._episode is not None, "reset comes first"
        score = float(self._episode.grade()["score"])
        self._leave()
        return score

    def _leave(self) -> None:
        episode, self._episode = self._episode, None
        if episode is not None:
            episode.close()

    def __call__(self, name: str, arguments: Mapping[str, Any]) -> str:
        """Call a tool, and return its answer. Raises ToolRefused."""
        assert self._episode is not None, "reset comes first"
        try:
            result = self._episode.call(name, arguments)
        except ToolDoorError as error:
            raise ToolRefused(error.message) from error
        if result.is_error:
            raise ToolRefused(result.text)
        return result.text


def make_environment(fleet: Fleet, task: Task, tools: Collection[str]) -> Callable[[], CompanyEnvironment]:
    """A factory of environments whose methods are the named tools; `task` is any task that has them. Raises LookupError.

    A prompt shows all methods, so name few tools. A fleet is shared by all environments.
    """
    with fleet.create(task) as episode:
        known = {tool.name: tool for tool in episode.tools()}
    if missing := sorted(set(tools) - known.keys()):
        raise LookupError(f"no tool {', '.join(missing)}")
    methods = {name: make_method(known[name]) for name in tools}
    kind = type("CompanyEnvironment", (CompanyEnvironment,), methods)
    return lambda: kind(fleet)


def make_method(tool: Tool) -> Callable[..., str]:
    """A method with the signature and the docstring from which TRL makes the tool's schema. Only arguments that the model
    gives are sent, null among them. Raises LookupError for a required argument whose name is none in Python.
    """

    def method(self: CompanyEnvironment, **arguments: Any) -> str:
        return self(tool.name, arguments)

    properties: Mapping[str, Mapping[str, Any]] = tool.input_schema.get("properties", {})
    usable = {name: one for name, one in properties.items() if name.isidentifier() and not keyword.iskeyword(name)}
    required = set(tool.input_schema.get("required", ()))
    if unusable := sorted(required - usable.keys()):
        raise LookupError(f"{tool.name} requires {', '.join(unusable)}, which no method can take")
    hints = {name: _find_type(one, optional=name not in required) for name, one in usable.items()}
    receiver = inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)
    parameters = [
        inspect.Parameter(
            name,
            inspect.Parameter.KEYWORD_ONLY,
            default=inspect.Parameter.empty if name in required else None,
            annotation=hint,
        )
        for name, hint in hints.items()
    ]
    method.__name__ = method.__qualname__ = tool.name
    method.__doc__ = _render_docstring(tool, usable)
    method.__annotations__ = {**hints, "return": str}
    vars(method)["__signature__"] = inspect.Signature([receiver, *parameters], return_annotation=str)
    return method


def _find_type(schema: Mapping[str, Any], *, optional: bool) -> Any:
    """The type hint of an argument; Any for what is not one of JSON's types."""
    values, kind = schema.get("enum"), schema.get("type")
    hint: Any = Literal[tuple(values)] if values else TYPES.get(kind, Any) if isinstance(kind, str) else Any
    return hint | None if optional and hint is not Any else hint


def _render_docstring(tool: Tool, arguments: Mapping[str, Mapping[str, Any]]) -> str:
    told = [f"    {name}: {_join_lines(str(one.get('description') or name))}" for name, one in arguments.items()]
    first = _join_lines(tool.description or tool.name)
    return "\n".join([first, "", *(["Args:", *told] if told else [])])


def _join_lines(text: str) -> str:
    return " ".join(text.split())
