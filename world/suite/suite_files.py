"""Suite files: which scenarios, difficulties and seeds make up a benchmark; plain YAML, checked line by line."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from world.core.clock import duration
from world.core.lazy import Lazy
from world.core.yaml_document import Document, YamlError, describe_unknown, load_yaml
from world.script.catalogue import suites
from world.script.errors import ScenarioError

if TYPE_CHECKING:
    from world.script import loader
else:  # the number of tasks is told without loading scenarios
    loader = Lazy("world.script.loader")

Split = Literal["train", "dev", "test"]
SUFFIX = ".yaml"
MOST_TASKS = 100_000
_RANGE = re.compile(r"(\d{1,10})(?:-(\d{1,10}))?")


class SuiteError(YamlError):
    """A suite that cannot be run; names file and line where there is one."""

    noun = "a suite"


class Entry(BaseModel):
    """One scenario of a suite: its seeds (`[0, 4, "10-19"]`), its difficulties (its usual one unless told), its split."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    scenario: str
    seeds: list[int | str] = Field(default_factory=lambda: [0], min_length=1)
    difficulties: list[str] = Field(default_factory=list)
    split: Split = "test"


class Limits(BaseModel):
    """Limits of a run: `calls` of its agent, `wall_s` seconds of its own time, `horizon` of simulated time (`2h`)."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    calls: int | None = Field(default=None, ge=1)
    wall_s: float = Field(default=1800.0, gt=0)
    horizon: str | None = None


class SuiteFile(BaseModel):
    """The content of a suite file."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    version: Literal[1]
    title: str
    entries: list[Entry] = Field(min_length=1)
    limits: Limits = Field(default_factory=Limits)


@dataclass(frozen=True, slots=True)
class TaskSpec:
    """One task: a scenario at a difficulty and seed. Its `id` is stable and readable: `us_east_1_outage.hard.003`."""

    scenario: str
    difficulty: str
    seed: int
    split: Split = "test"

    @property
    def id(self) -> str:
        """The task's name in every result."""
        return f"{self.scenario.rstrip('/').rsplit('/', 1)[-1]}.{self.difficulty}.{self.seed:03}"


@dataclass(frozen=True)
class Suite:
    """A loaded suite; its tasks in file order."""

    name: str
    path: Path
    file: SuiteFile
    tasks: tuple[TaskSpec, ...]

    @cached_property
    def digest(self) -> str:
        """A hash of the file and of every scenario it names; results of two digests are not comparable."""
        made = blake2b(self.path.read_bytes(), digest_size=16)
        for name in sorted({task.scenario for task in self.tasks}):
            made.update(loader.find_scenario(name).revision.encode())
        return made.hexdigest()


def find_suite(name: str) -> Suite:
    """A suite by name, or by the path of its file. Raises SuiteError."""
    if name.endswith(SUFFIX) or "/" in name:
        if not Path(name).is_file():
            raise SuiteError(f"no file {name}")
        return load(Path(name))
    known = suites()
    if name not in known:
        raise SuiteError(describe_unknown("suite", name, known))
    return load(known[name])


def load(path: Path) -> Suite:
    """Load a suite file. Raises SuiteError naming file and line."""
    document, file = _read(path)
    tasks = [task for index, entry in enumerate(file.entries) for task in _tasks(document, path, index, entry)]
    _check(document, file, tasks)
    return Suite(path.stem, path, file, tuple(tasks))


def count_tasks(path: Path) -> tuple[int, str]:
    """Return the number of tasks of a suite file and its title, without loading a scenario. Raises SuiteError."""
    document, file = _read(path)
    numbers = (
        sum(1 for _ in _seeds(document, ("entries", index, "seeds"), entry.seeds)) * max(1, len(entry.difficulties))
        for index, entry in enumerate(file.entries)
    )
    return sum(numbers), file.title


def _read(path: Path) -> tuple[Document, SuiteFile]:
    """A suite file, before its scenarios are looked up."""
    document = load_yaml(path, SuiteError)
    try:
        return document, SuiteFile.model_validate(document.data)
    except ValidationError as error:
        raise _refusal(document, error) from None


def _check(document: Document, file: SuiteFile, tasks: list[TaskSpec]) -> None:
    if len(tasks) > MOST_TASKS:
        raise document.error(("entries",), f"{len(tasks)} tasks; at most {MOST_TASKS}")
    twice = (
        next((task.id for index, task in enumerate(tasks) if task in tasks[:index]), None)
        if len(set(tasks)) < len(tasks)
        else None
    )
    if twice:
        raise document.error(("entries",), f"the task {twice} stands twice")
    if file.limits.horizon is not None:
        try:
            duration(file.limits.horizon)
        except ValueError as error:
            raise document.error(("limits", "horizon"), str(error)) from None


def _refusal(document: Document, error: ValidationError) -> YamlError:
    """The first thing that is wrong; a key nobody knows before one that is missing, since it is the same slip."""
    found = sorted(error.errors(), key=lambda one: one["type"] != "extra_forbidden")[0]
    place = found["loc"]
    if found["type"] != "extra_forbidden":
        return document.error(place, found["msg"])
    *above, key = place
    kind: type[BaseModel] = {"entries": Entry, "limits": Limits}[str(above[0])] if above else SuiteFile
    return document.error(place, describe_unknown("key", key, kind.model_fields))


def _tasks(document: Document, path: Path, index: int, entry: Entry) -> Iterator[TaskSpec]:
    place = ("entries", index)
    scenario = _scenario(document, path, (*place, "scenario"), entry.scenario)
    for difficulty in entry.difficulties or [scenario.card.difficulty]:
        if difficulty not in scenario.card.levels:
            raise document.error(
                (*place, "difficulties"), describe_unknown("difficulty", difficulty, scenario.card.levels)
            )
    name = str(scenario.path) if "/" in entry.scenario else entry.scenario
    for difficulty in entry.difficulties or [scenario.card.difficulty]:
        for seed in _seeds(document, (*place, "seeds"), entry.seeds):
            yield TaskSpec(name, difficulty, seed, entry.split)


def _scenario(document: Document, path: Path, place: tuple[int | str, ...], name: str) -> "loader.Scenario":
    try:
        return loader.find_scenario(str(path.parent / name) if "/" in name and not Path(name).is_absolute() else name)
    except ScenarioError as error:
        raise document.error(place, str(error)) from None


def _seeds(document: Document, place: tuple[int | str, ...], listed: list[int | str]) -> Iterator[int]:
    for index, seed in enumerate(listed):
        found = _RANGE.fullmatch(str(seed))
        if found is None:
            raise document.error((*place, index), f"a seed is 7 or '0-9', not {seed!r}")
        first, last = int(found[1]), int(found[2] or found[1])
        if not first <= last < first + MOST_TASKS:
            raise document.error((*place, index), f"{seed!r} is no range of at most {MOST_TASKS} seeds")
        yield from range(first, last + 1)
