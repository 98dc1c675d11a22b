"""An agent by its name: one of ours, or somebody's `module:callable`."""

import asyncio
import fnmatch
import importlib
import importlib.util
import inspect
import os
import sys
from collections.abc import Iterable, Sequence
from importlib.machinery import PathFinder

from world.agents.task import Task


class AgentError(Exception):
    """No agent of that name; the message says what there is."""


class VariableError(Exception):
    """A variable that an agent cannot be given; the message says why."""


def check(name: str, ours: Iterable[str]) -> None:
    """Raises AgentError unless a name is one of `ours` or its module can be found. Nothing of the module or of the
    packages around it runs.
    """
    module, colon, attribute = name.partition(":")
    if not colon and name not in ours:
        raise AgentError(f"no agent {name!r}: one of {', '.join(ours)}, or MODULE:CALLABLE")
    if colon and not (attribute and _there(module)):
        raise AgentError(f"no agent {name!r}: there is no module {module!r} here")


def find_variables(wanted: Iterable[str]) -> tuple[str, ...]:
    """Return the variables of the environment that an agent is given: names, or patterns such as `OPENAI_*`.

    Raises VariableError for one that leads to the home folder or the control plane, and for one that is not set.
    """
    found: list[str] = []
    for pattern in wanted:
        if pattern.startswith("FIRM_") and pattern != "FIRM_CHROMIUM":
            raise VariableError(f"{pattern} is not for agents")
        names = sorted(name for name in fnmatch.filter(os.environ, pattern) if not name.startswith("FIRM_"))
        names += ["FIRM_CHROMIUM"] if pattern == "FIRM_CHROMIUM" and pattern in os.environ else []
        if not names:
            raise VariableError(f"{pattern} is not set in this environment")
        found += names
    return tuple(dict.fromkeys(found))


def _there(module: str) -> bool:
    """Whether there is such a module, here or on the import path."""
    path: Sequence[str] | None = [os.getcwd(), *sys.path]
    parts = module.split(".")
    for number in range(len(parts)):
        name = ".".join(parts[: number + 1])
        spec = PathFinder.find_spec(name, path) or (importlib.util.find_spec(name) if number == 0 and name else None)
        if spec is None:
            return False
        path = spec.submodule_search_locations or []
    return True


def call(name: str, task: Task) -> None:
    """Call `module:callable` with a task; an asynchronous callable runs to its end.

    Raises AgentError, and every error of the agent.
    """
    module, _, attribute = name.partition(":")
    found = getattr(importlib.import_module(module), attribute, None)
    if not callable(found):
        raise AgentError(f"no agent {name!r}: {module} has no callable {attribute!r}")
    answer = found(task)
    if inspect.iscoroutine(answer):
        asyncio.run(answer)
