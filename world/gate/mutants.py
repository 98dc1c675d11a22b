"""Changed solutions: every argument of every write altered in ways that must not earn the same marks."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from world.agents.solver import Change, with_arguments
from world.agents.steps import Scene, Step

IDLE_TEXT = "Lunch is at noon today, the kitchen is on the second floor."
_NUMBER = re.compile(r"\d+")
_TABLES = {
    "channel": ("slack_channel", "id"),
    "issueIdOrKey": ("jira_issue", "key"),
    "key": ("jira_issue", "key"),
    "accountId": ("account", "external_id"),
    "users": ("account", "external_id"),
}


@dataclass(frozen=True, slots=True)
class Mutant:
    """One altered argument: `step.path: old -> new`."""

    step: str
    path: tuple[str | int, ...]
    label: str
    value: Any

    def change(self, steps: Mapping[str, Step]) -> Change:
        """The change that plays the solution with this argument."""
        arguments = _put(dict(steps[self.step].arguments), self.path, self.value)
        top = self.path[0]
        return with_arguments(self.step, **{str(top): arguments[top]})

    @property
    def name(self) -> str:
        """How survivors are listed."""
        return f"{self.step}.{self.where}: {self.label}"

    @property
    def where(self) -> str:
        """The argument, as a path."""
        return ".".join(str(part) for part in self.path)

    @property
    def aims(self) -> bool:
        """Whether it says at whom or at what the step is aimed."""
        return _named(self.path) in _TABLES

    def wanted(self, step: Step) -> Any:
        """What the solution says there."""
        found: Any = step.arguments
        for part in self.path:
            found = found[part]
        return found


def mutants(step: Step, scene: Scene, app: str) -> Iterator[Mutant]:
    """Every alteration of a step's arguments."""
    for path, value in _leaves(step.arguments, ()):
        if isinstance(value, bool):
            yield Mutant(step.id, path, "flipped", not value)
        elif isinstance(value, int):
            yield Mutant(step.id, path, "plus one", value + 1)
        elif isinstance(value, str):
            yield from _of_text(step, path, value, scene, app)


def _of_text(step: Step, path: tuple[str | int, ...], value: str, scene: Scene, app: str) -> Iterator[Mutant]:
    neighbour = _neighbour(path, value, scene, app)
    if neighbour is not None:
        yield Mutant(step.id, path, f"{value} -> {neighbour}", neighbour)
    elif " " in value:
        yield Mutant(step.id, path, "another text", IDLE_TEXT)
        yield Mutant(step.id, path, "negated", f"It is not true that {value[0].lower()}{value[1:]}")
    elif value.isdigit():
        yield Mutant(step.id, path, "plus one", str(int(value) + 1))
    if match := next(iter(_NUMBER.finditer(value)), None):
        if "-" in value and neighbour is None and " " not in value:
            yield Mutant(
                step.id, path, "number plus one", f"{value[: match.start()]}{int(match[0]) + 1}{value[match.end() :]}"
            )


def _neighbour(path: tuple[str | int, ...], value: str, scene: Scene, app: str) -> str | None:
    """Another id of the same kind that exists: what a careless agent would hit instead."""
    table, column = _TABLES.get(_named(path), ("", ""))
    if not table:
        return None
    where = (
        {"app": app}
        if table == "account"
        else {"archived_at": None, "kind": "public"}
        if table == "slack_channel"
        else {}
    )
    others = [str(row[column]) for row in scene.rows(table, **where) if str(row[column]) != value]
    if table == "slack_channel":  # where the agent may write, or the alteration would only be refused
        open_ = {row["channel_id"] for row in scene.rows("slack_member", person_id=scene.me)}
        others = [other for other in others if other in open_] or others
    return others[len(others) // 2] if others else None


def _named(path: tuple[str | int, ...]) -> str:
    """The name of an argument, or of the list it stands in."""
    return [part for part in path if isinstance(part, str)][-1]


def _leaves(value: Any, path: tuple[str | int, ...]) -> Iterator[tuple[tuple[str | int, ...], Any]]:
    if isinstance(value, Mapping):
        for key, item in value.items():
            yield from _leaves(item, (*path, str(key)))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _leaves(item, (*path, index))
    else:
        yield path, value


def _put(tree: Any, path: tuple[str | int, ...], value: Any) -> Any:
    head, rest = path[0], path[1:]
    new = value if not rest else _put(tree[head], rest, value)
    if isinstance(tree, list):
        return [new if index == head else item for index, item in enumerate(tree)]
    return {**tree, head: new}
