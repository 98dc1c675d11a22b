"""Changed solutions: every argument of every write altered in ways that must not earn the same marks."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from world.agents.solver import Change, with_arguments
from world.agents.steps import Scene, Step
from world.core.app import App
from world.core.json_types import is_array, is_object
from world.core.probes import Reference
from world.gate.sentences import deny_sentences

IDLE_TEXT = "Lunch is at noon today, the kitchen is on the second floor."
_NUMBER = re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class Mutant:
    """One altered argument: `step.path: old -> new`."""

    step: str
    path: tuple[str | int, ...]
    label: str
    value: Any
    reference: Reference | None = None

    def change(self, steps: Mapping[str, Step]) -> Change:
        """The change that plays the solution with this argument."""
        arguments = replace_at(dict(steps[self.step].arguments), self.path, self.value)
        top = self.path[0]
        return with_arguments(self.step, **{str(top): arguments[top]})

    @property
    def name(self) -> str:
        """Name under which survivors are listed."""
        return f"{self.step}.{self.where}: {self.label}"

    @property
    def where(self) -> str:
        """The argument, as a path."""
        return ".".join(str(part) for part in self.path)

    @property
    def aims(self) -> bool:
        """Whether the argument says at which person or thing the step is aimed."""
        return self.reference is not None

    def find_own_value(self, step: Step) -> Any:
        """Return the solution's own value of this argument."""
        found: Any = step.arguments
        for part in self.path:
            found = found[part]
        return found


def mutants(step: Step, scene: Scene, app: App) -> Iterator[Mutant]:
    """Every alteration of a step's arguments."""
    for path, value in get_leaves(step.arguments):
        reference = app.probes.references.get(_find_argument_name(path))
        for label, new in _alterations(value, reference, scene):
            yield Mutant(step.id, path, label, new, reference)


def _alterations(value: object, reference: Reference | None, scene: Scene) -> Iterator[tuple[str, object]]:
    if isinstance(value, bool):
        yield "flipped", not value
    elif isinstance(value, int):
        yield "plus one", value + 1
    elif isinstance(value, str):
        yield from _text_alterations(value, _neighbour(reference, value, scene) if reference else None)


def _text_alterations(value: str, neighbour: str | None) -> Iterator[tuple[str, str]]:
    if neighbour is not None:
        yield f"{value} -> {neighbour}", neighbour
    elif " " in value:
        yield "another text", IDLE_TEXT
        yield "negated", deny_sentences(value)
    elif value.isdigit():
        yield "plus one", str(int(value) + 1)
    if (match := _NUMBER.search(value)) and "-" in value and neighbour is None and " " not in value:
        yield "number plus one", f"{value[: match.start()]}{int(match[0]) + 1}{value[match.end() :]}"


def _neighbour(reference: Reference, value: str, scene: Scene) -> str | None:
    """Another id of the same kind that exists: what a careless agent would hit instead."""
    rows = scene.rows(reference.table, **reference.where)
    others = [str(row[reference.column]) for row in rows if str(row[reference.column]) != value]
    if reference.usable:  # the others would only be refused
        usable = reference.usable(scene)
        others = [other for other in others if other in usable] or others
    return others[len(others) // 2] if others else None


def _find_argument_name(path: tuple[str | int, ...]) -> str:
    """The name of an argument, or of the list it stands in."""
    return [part for part in path if isinstance(part, str)][-1]


def get_leaves(value: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[tuple[str | int, ...], Any]]:
    """The plain values within a value, each with its path."""
    if is_object(value):
        for key, item in value.items():
            yield from get_leaves(item, (*path, str(key)))
    elif is_array(value):
        for index, item in enumerate(value):
            yield from get_leaves(item, (*path, index))
    else:
        yield path, value


def replace_at(tree: Any, path: tuple[str | int, ...], value: Any) -> Any:
    """A value with another one at a path within it."""
    head, rest = path[0], path[1:]
    new = value if not rest else replace_at(tree[head], rest, value)
    if is_array(tree):
        return [new if index == head else item for index, item in enumerate(tree)]
    return {**tree, head: new}
