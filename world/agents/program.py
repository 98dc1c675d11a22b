"""An agent by its name: one of ours, or somebody's `module:callable`."""

import asyncio
import importlib
import importlib.util
import inspect
from collections.abc import Iterable

from world.agents.task import Task


class AgentError(Exception):
    """No agent of that name; the message says what there is."""


def check(name: str, ours: Iterable[str]) -> None:
    """Raises AgentError unless a name is one of `ours` or its module can be found. Nothing of the module runs."""
    module, colon, attribute = name.partition(":")
    if not colon and name not in ours:
        raise AgentError(f"no agent {name!r}: one of {', '.join(ours)}, or MODULE:CALLABLE")
    if colon and not (attribute and _there(module)):
        raise AgentError(f"no agent {name!r}: there is no module {module!r} here")


def _there(module: str) -> bool:
    try:
        return importlib.util.find_spec(module) is not None
    except (ImportError, ValueError):
        return False


def call(name: str, task: Task) -> None:
    """Call `module:callable` with a task; what is asynchronous runs to its end. Raises AgentError, and whatever the
    agent raises.
    """
    module, _, attribute = name.partition(":")
    found = getattr(importlib.import_module(module), attribute, None)
    if not callable(found):
        raise AgentError(f"no agent {name!r}: {module} has no callable {attribute!r}")
    answer = found(task)
    if inspect.iscoroutine(answer):
        asyncio.run(answer)
