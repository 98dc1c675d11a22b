"""Suite files: which scenarios, difficulties and seeds make up a benchmark; plain YAML, checked line by line."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Literal, cast

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from world.core.clock import duration
from world.core.lazy import Lazy
from world.core.yaml_document import Document, Place, YamlError, describe_unknown, load_yaml
from world.script.catalogue import (
    MOST,
    count_difficulties,
    list_chores,
    name_day,
    name_injected,
    split_injected,
    suites,
)
from world.script.errors import ScenarioError

if TYPE_CHECKING:
    from world.script import loader
else:  # the number of tasks is told without loading scenarios
    loader = Lazy("world.script.loader")

Split = Literal["train", "dev", "test"]
SUFFIX = ".yaml"
LEVELS = ("easy", "medium", "hard")  # the difficulties of a chore with knobs
# a scenario's own split -> those its tasks may have: other seeds of a training family may be held out for `dev`
MAY_BE: Mapping[str, Sequence[str]] = {"train": ("train", "dev"), "dev": ("dev",), "test": ("test",)}
MOST_TASKS = 100_000
_RANGE = re.compile(r"(\d{1,10})(?:-(\d{1,10}))?")


class SuiteError(YamlError):
    """A suite that cannot be run; names file and line where there is one."""

    noun = "a suite"


class Entry(BaseModel):
    """One scenario of a suite, or all chores of a split, or a day of `day` chores of a split that each seed draws: seeds
    (`[0, 4, "10-19"]`), difficulties, split.

    Without `difficulties` a scenario has its usual one, without `split` its own. A chore without knobs has one difficulty,
    whatever the entry lists. With `inject`, each task comes once for every vector, which injects a text into it.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)
    scenario: str | None = None
    chores: Literal["all", "train", "dev", "test"] | None = None
    day: int | None = Field(default=None, ge=2, le=MOST)
    inject: list[str] = Field(default_factory=list)
    seeds: list[int | str] = Field(default_factory=lambda: [0], min_length=1)
    difficulties: list[str] = Field(default_factory=list)
    split: Split | None = None

    @property
    def names(self) -> list[str]:
        """The scenarios of the entry as the file names them; with a vector once for each."""
        plain = [self.scenario] if self.scenario is not None else list_chores(self.chores or "none")
        return self.inject_each(plain)

    def inject_each(self, names: Sequence[str]) -> list[str]:
        """Scenarios, or instead of each the same one with every vector of the entry."""
        return [name_injected(vector, name) for name in names for vector in self.inject] if self.inject else [*names]


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
    def family(self) -> str:
        """The scenario's name, without its path."""
        return self.scenario.rstrip("/").rsplit("/", 1)[-1].removesuffix(".py")

    @property
    def id(self) -> str:
        """The task's name in every result."""
        return f"{self.family}.{self.difficulty}.{self.seed:03}"


@dataclass(frozen=True)
class Suite:
    """A loaded suite; its tasks in file order."""

    name: str
    path: Path
    file: SuiteFile
    tasks: tuple[TaskSpec, ...]
    revisions: Mapping[str, str]

    @cached_property
    def digest(self) -> str:
        """A hash of the file and of every scenario it names; results of two digests are not comparable."""
        made = blake2b(self.path.read_bytes(), digest_size=16)
        for name in sorted(self.revisions):
            made.update(self.revisions[name].encode())
        return made.hexdigest()

    def select(self, split: Split | None) -> "Suite":
        """The suite with only the tasks of a split; its digest stays. Raises SuiteError if it has none of them."""
        if split is None:
            return self
        tasks = tuple(task for task in self.tasks if task.split == split)
        if not tasks:
            raise SuiteError(f"the suite {self.name} has no task of the split {split}")
        return replace(self, tasks=tasks)


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
    revisions = {name: loader.find_scenario(name).revision for name in dict.fromkeys(task.scenario for task in tasks)}
    return Suite(path.stem, path, file, tuple(tasks), revisions)


def count_tasks(path: Path) -> tuple[int, str]:
    """Return the number of tasks of a suite file and its title, without loading a scenario. Raises SuiteError."""
    document, file = _read(path)
    numbers = (
        sum(1 for _ in _seeds(document, ("entries", index, "seeds"), entry.seeds)) * _count_levels(entry)
        for index, entry in enumerate(file.entries)
    )
    return sum(numbers), file.title


def _count_levels(entry: Entry) -> int:
    """Pairs of a scenario and a difficulty that an entry stands for."""
    if entry.chores is None or entry.day is not None:
        return max(1, len(entry.difficulties)) * max(1, len(entry.inject))
    return sum(count_difficulties(split_injected(name)[1], entry.difficulties) for name in entry.names)


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
    twice = next((name for name, number in Counter(task.id for task in tasks).items() if number > 1), None)
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
    place, kind = ("entries", index), "scenario" if entry.chores is None else "chores"
    if (entry.scenario is None) == (entry.chores is None):
        raise document.error(place, "an entry names either `scenario` or `chores`")
    if entry.day is not None:
        yield from _list_days(document, path, index, entry)
        return
    if not entry.names:
        raise document.error((*place, "chores"), f"no chore of the split {entry.chores} is installed")
    for named in entry.names:
        scenario = _scenario(document, path, (*place, kind), named)
        name = str(scenario.path) if "/" in named else named
        split = _find_split(document, place, entry, scenario)
        for difficulty in _list_difficulties(document, place, entry, scenario):
            for seed in _seeds(document, (*place, "seeds"), entry.seeds):
                yield TaskSpec(name, difficulty, seed, split)


def _list_days(document: Document, path: Path, index: int, entry: Entry) -> Iterator[TaskSpec]:
    """The days of an entry: every seed draws which chores it has."""
    place = ("entries", index)
    if entry.chores is None:
        raise document.error((*place, "day"), "a day is drawn from the `chores` of a split")
    for seed in _seeds(document, (*place, "seeds"), entry.seeds):
        for name in entry.inject_each([name_day(entry.chores, entry.day or 0, seed)]):
            scenario = _scenario(document, path, (*place, "day"), name)
            split = _find_split(document, place, entry, scenario)
            for difficulty in _list_difficulties(document, place, entry, scenario):
                yield TaskSpec(name, difficulty, seed, split)


def _find_split(document: Document, place: Place, entry: Entry, scenario: "loader.Scenario") -> Split:
    """The split of an entry's tasks. Raises SuiteError where it would let training see what is held back."""
    own = cast("Split", scenario.card.split)
    if entry.chores not in (None, "all", own):
        raise document.error((*place, "chores"), f"write the split of {scenario.name} as a plain text: split={own!r}")
    wanted = entry.split or own
    if wanted not in MAY_BE[own]:
        allowed = " or ".join(MAY_BE[own])
        raise document.error(
            (*place, "split"), f"{scenario.name} is of the split {own}; its tasks may be {allowed}, not {wanted}"
        )
    return wanted


def _list_difficulties(document: Document, place: Place, entry: Entry, scenario: "loader.Scenario") -> list[str]:
    levels = scenario.card.levels
    known = levels if entry.chores is None else LEVELS
    for difficulty in entry.difficulties:
        if difficulty not in known:
            raise document.error((*place, "difficulties"), describe_unknown("difficulty", difficulty, known))
    if not entry.difficulties or (entry.chores is not None and len(levels) == 1):
        return [scenario.card.difficulty]
    return entry.difficulties


def _scenario(document: Document, path: Path, place: Place, name: str) -> "loader.Scenario":
    try:
        return loader.find_scenario(str(path.parent / name) if "/" in name and not Path(name).is_absolute() else name)
    except ScenarioError as error:
        raise document.error(place, str(error)) from None


def _seeds(document: Document, place: Place, listed: list[int | str]) -> Iterator[int]:
    for index, seed in enumerate(listed):
        found = _RANGE.fullmatch(str(seed))
        if found is None:
            raise document.error((*place, index), f"a seed is 7 or '0-9', not {seed!r}")
        first, last = int(found[1]), int(found[2] or found[1])
        if not first <= last < first + MOST_TASKS:
            raise document.error((*place, index), f"{seed!r} is no range of at most {MOST_TASKS} seeds")
        yield from range(first, last + 1)
