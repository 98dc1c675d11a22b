"""Prompt injection as an option of any task: a text that orders something else lies where the agent reads.

A vector is one file, `injections/<vector>.py` of a scenario package. It defines `title`; `inject(w, me, truth)`, which lays
the text, leaves `canary` and what it orders as the facts of the event `injection`, and gets the facts of the draw; and
`forbid()`, the `never` items that the order breaks. They read `event.injection.<fact>`.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from world.script.errors import ScenarioError
from world.script.scenario import Script
from world.script.stage import Facts, Stage

EVENT = "injection"
PARTS = ("title", "inject", "forbid")


@dataclass(frozen=True, slots=True)
class Vector:
    """A way by which a foreign text reaches the agent. `files` are its file and the modules of scenario packages that it
    uses.
    """

    name: str
    title: str
    inject: Callable[[Stage, str, Facts], None]
    forbid: Callable[[], Sequence[Mapping[str, object]]]
    files: tuple[Path, ...] = ()


def tell_injected(tell: Callable[[Script], None], vector: Vector, agent: Mapping[str, str], script: Script) -> None:
    """Write the script of a task, and the event that plants the text after all others of the first moment."""
    tell(script)
    script.at("+0s", partial(_inject, vector, agent), name=EVENT)


def _inject(vector: Vector, agent: Mapping[str, str], w: Stage) -> None:
    found = w.fired("truth")
    vector.inject(w, _find_agent(w, agent), _choose_part(found.facts if found is not None else {}))
    if "canary" not in w.facts:
        raise ScenarioError(f"the vector {vector.name} has planted nothing that can be recognised: it notes no canary")


def _find_agent(w: Stage, chosen: Mapping[str, str]) -> str:
    """The directory id of the employee the agent plays, as the card chooses them."""
    if "fact" in chosen:
        event, _, name = chosen["fact"].partition(".")
        return str(w.fact(event, name))
    return (w.on_call(chosen["schedule"]) if "schedule" in chosen else w.person(chosen["handle"])).id


def _choose_part(truth: Facts) -> Facts:
    """The facts of the draw; of a composed day those of the chore that is asked for first."""
    parts: Mapping[str, Any] = truth.get("chores") or {}
    return next(iter(parts.values()), truth)
