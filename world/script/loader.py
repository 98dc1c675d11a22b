"""Scenarios on disk: a folder with task.md, scenario.py, rubric.yaml and oracle.py, or a chore in one file.

Further modules of the folder are imported by those two: `from .people import channel`.
"""

import importlib.util
import linecache
import re
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from difflib import get_close_matches
from functools import partial
from hashlib import blake2b
from operator import attrgetter
from pathlib import Path
from types import ModuleType
from typing import Any

from world.core.clock import duration
from world.core.entry_points import packages
from world.core.settings import Settings
from world.core.yaml_text import load_yaml
from world.script.catalogue import (
    DAY,
    MOST,
    check_length,
    chores,
    folders,
    list_day,
    name_injected,
    split_injected,
    vectors,
)
from world.script.chore import PARTS, SPLITS, TASK, Chore, ChoreParts, tell_chore
from world.script.composition import (
    DAY_TASK,
    Member,
    find_horizon,
    find_levels,
    merge_rubrics,
    solve_day,
    tell_day,
)
from world.script.errors import ScenarioError
from world.script.injection import PARTS as VECTOR_PARTS
from world.script.injection import Vector, tell_injected
from world.script.scenario import Action, Script, Timeline, compile_script
from world.script.stage import DayPart, Facts, Stage

NEEDS = ("ci",)  # needs of the host that a scenario may declare: to run the company's checks


GRADED = ("rubric.yaml", "rubric.lock", "predicates.py")  # files that nothing but grading reads
_APPS, _NEEDS = attrgetter("apps"), attrgetter("needs")
_PACKAGE = re.compile(r"firmament_scenario_[0-9a-f]{12}\.?")


@dataclass(frozen=True, slots=True)
class Card:
    """Card of a scenario. `start` is an offset from the image's clock; `horizon` from the start.

    `difficulties` are the settings a run may choose, of which `difficulty` is the usual one; the script reads them as
    `s.difficulty`. `agent` selects the employee the agent plays: `{"schedule": "payments"}` (the person on call at the
    start), `{"handle": "mia"}`, or `{"fact": "truth.me"}`: the directory id that an event of the first moment has left.
    `surfaces` maps app to the tool surface shown first. `needs` lists the capabilities
    that the host must have: `ci`, where something depends on the results of the company's checks. `split` says which suites
    may use it: `train`, `dev` or `test`.
    """

    title: str
    agent: Mapping[str, str]
    apps: tuple[str, ...]
    horizon: str
    start: str = "0s"
    size: str = "S"
    max_calls: int = 500
    settings: Mapping[str, Any] = field(default_factory=dict[str, Any])
    surfaces: Mapping[str, str] = field(default_factory=dict[str, str])
    minutes: int = 10
    difficulty: str = "medium"
    difficulties: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    split: str = "test"

    def __post_init__(self) -> None:
        if set(self.agent) not in ({"schedule"}, {"handle"}, {"fact"}):
            raise ScenarioError(
                f"agent must be {{'schedule': ...}}, {{'handle': ...}} or {{'fact': ...}}, not {dict(self.agent)}"
            )
        for text in (self.start, self.horizon):
            duration(text)
        if self.difficulty not in self.levels:
            raise ScenarioError(f"difficulty {self.difficulty!r} is not among {list(self.levels)}")
        if self.split not in SPLITS:
            raise ScenarioError(f"split {self.split!r} is none of {', '.join(SPLITS)}")
        for need in self.needs:
            if need not in NEEDS:
                raise ScenarioError(f"unknown need {need!r}{suggestion(need, NEEDS)}; known: {', '.join(NEEDS)}")
        unknown = sorted(set(self.settings) - set(Settings.model_fields))
        if unknown:
            raise ScenarioError(f"unknown setting {unknown[0]!r}{suggestion(unknown[0], Settings.model_fields)}")

    @property
    def levels(self) -> tuple[str, ...]:
        """The difficulties a run may choose."""
        return self.difficulties or (self.difficulty,)


def suggestion(word: str, known: Iterable[str]) -> str:
    """` (did you mean 'x'?)` when something known is close, else nothing."""
    near = get_close_matches(word, list(known), n=1)
    return f" (did you mean {near[0]!r}?)" if near else ""


@dataclass(frozen=True, slots=True)
class Scenario:
    """A loaded scenario: a folder, or the one file of a chore, whose rubric is made from the facts of the draw.

    `sources` are the texts of the files that only grading reads, as they were when it was loaded. `revision` is a hash
    of every file but records of runs and gate declarations; it is part of every verdict. `member` is a chore as a part of
    a composed day, `members` are the chores of such a day, whose `folder` is but its name. `injection` is the way by which
    a text is injected; such a scenario is `inner` otherwise.
    """

    name: str
    folder: Path
    card: Card
    task: str
    tell: Callable[[Script], None]
    oracle: Callable[..., Any] | None
    file: Path | None = None
    helpers: tuple[Path, ...] = ()
    expected: Callable[[Facts], Mapping[str, object]] | None = None
    sources: Mapping[str, str] = field(default_factory=dict[str, str], repr=False)
    revision: str = ""
    member: Member | None = None
    members: tuple["Scenario", ...] = ()
    injection: Vector | None = None
    inner: str = ""

    @property
    def path(self) -> Path:
        """The chore's file, or the folder: the path by which the scenario can be loaded again."""
        return Path(self.name) if self.injection is not None else self.file or self.folder

    @property
    def rubric_path(self) -> Path:
        """Path of the file that holds the rubric."""
        return self.file or self.folder / "rubric.yaml"

    @property
    def rubric_paths(self) -> tuple[Path, ...]:
        """Paths of the files that hold the rubric: on a composed day those of all its chores."""
        return tuple(one.rubric_path for one in self.members) or (self.rubric_path,)

    @property
    def script_path(self) -> Path:
        """Path of the file that holds the script."""
        return self.file or self.folder / "scenario.py"

    @property
    def oracle_path(self) -> Path:
        """Path of the file that holds the solution."""
        return self.file or self.folder / "oracle.py"

    def beside(self, name: str) -> Path:
        """Path of a file that goes with the scenario: in its folder, or `<chore>.<name>` beside a chore."""
        return self.folder / (f"{self.file.stem}.{name}" if self.file else name)

    @property
    def files(self) -> tuple[Path, ...]:
        """Every file that belongs to the scenario, by name."""
        if self.members:
            return tuple(dict.fromkeys(path for one in self.members for path in one.files))
        predicates = self.beside("predicates.py")
        return (
            (self.file, *([predicates] if predicates.is_file() else []), *self.helpers)
            if self.file
            else tuple(path for path in sorted(self.folder.iterdir()) if path.is_file())
        )

    @property
    def survivors(self) -> Mapping[str, str]:
        """Mutants the grader may let live, `V7 step.path: label` -> the author's reason (survivors.yaml)."""
        path = self.beside("survivors.yaml")
        return (load_yaml(path.read_text(encoding="utf-8")) if path.is_file() else None) or {}

    def timeline(self, seed: int, start: int, zone: str, difficulty: str | None = None) -> Timeline:
        """The compiled events of one seed and difficulty. Raises ScenarioError with file and line."""
        level = difficulty or self.card.difficulty
        if level not in self.card.levels:
            raise ScenarioError(f"{self.name} has no difficulty {level!r}; it has {', '.join(self.card.levels)}")
        script = Script(self.inner or self.name, start, zone, seed, level)
        try:
            self.tell(script)
            for event in script.events:
                event.action = self._locate_errors(event.action, event.part)
            return compile_script(script, horizon=self.card.horizon)
        except (ScenarioError, TypeError, ValueError, AttributeError, NameError) as error:
            raise locate_error(self.script_path, error) from error

    def _locate_errors(self, action: Action, part: DayPart | None) -> Action:
        """Wrap an action so that its mistakes are told with their line."""
        path = next((one.script_path for one in self.members if part and one.name == part.name), self.script_path)

        def act(stage: Stage) -> None:
            try:
                action(stage)
            except Exception as error:  # the edge to an author's code, which may raise anything
                raise locate_error(path, error) from error

        return act

    def event_names(self, seed: int, start: int, zone: str) -> frozenset[str]:
        """Return the names of its events on a seed, at all difficulties: one rubric serves all of them."""
        return frozenset(
            event.name for level in self.card.levels for event in self.timeline(seed, start, zone, level).events
        )


def locate_error(path: Path, error: BaseException) -> ScenarioError:
    """The error with the line it came from, of `path` or of a module beside it."""
    line, trace, folder = None, error.__traceback__, path.parent
    while trace is not None:
        if Path(trace.tb_frame.f_code.co_filename).parent == folder:
            path, line = Path(trace.tb_frame.f_code.co_filename), trace.tb_lineno
        trace = trace.tb_next
    if isinstance(error, SyntaxError) and error.filename and Path(error.filename).parent == folder:
        path, line = Path(error.filename), error.lineno
    where = f"{path}:{line}" if line else str(path)
    source = linecache.getline(str(path), line).strip() if line else ""
    known = [f.name for f in fields(Card)] if "Card" in str(error) else []
    word = str(error).split("'")[1] if str(error).count("'") >= 2 else ""
    tip = suggestion(word, known) if word else ""
    kind = f"{type(error).__name__}: " if isinstance(error, LookupError) else ""
    said = _PACKAGE.sub("", str(error).removeprefix(f"{where}: "))
    return ScenarioError(f"{where}: {kind}{said}{tip}" + (f"\n    {source}" if source else ""))


def load(folder: Path) -> Scenario:
    """Load one scenario folder, or the file of a chore. Raises ScenarioError naming file, line and mend."""
    folder = folder.resolve()
    if folder.suffix == ".py":
        return load_chore(folder)
    for name in ("task.md", "scenario.py", "rubric.yaml"):
        if not (folder / name).is_file():
            raise ScenarioError(
                f"{folder / name}: missing; a scenario has task.md, scenario.py, rubric.yaml and oracle.py"
            )
    package = _package(folder)
    story = _module(folder, package, "scenario")
    for name in ("card", "scenario"):
        if not hasattr(story, name):
            raise ScenarioError(f"{folder / 'scenario.py'}: it must define `{name}`")
    if not isinstance(story.card, Card):
        raise ScenarioError(f"{folder / 'scenario.py'}: `card` must be a world.script.loader.Card")
    solver = _module(folder, package, "oracle") if (folder / "oracle.py").is_file() else None
    return _keep_sources(
        Scenario(
            folder.name,
            folder,
            story.card,
            (folder / "task.md").read_text(encoding="utf-8"),
            story.scenario,
            getattr(solver, "oracle", None),
        )
    )


def load_chore(path: Path) -> Scenario:
    """Load the file of a chore. Raises ScenarioError naming file, line and mend."""
    if not path.is_file():
        raise ScenarioError(f"{path}: missing; a chore is one Python file")
    found = vars(_module(path.parent, _package(path), path.stem))
    for name in PARTS:
        if name not in found:
            raise ScenarioError(f"{path}: it must define `{name}`; a chore defines {', '.join(PARTS)}")
    chore = found["chore"]
    if not isinstance(chore, Chore):
        raise ScenarioError(f"{path}: `chore` must be a world.script.chore.Chore")
    parts = ChoreParts(found["draw"], found["deliver"], found.get("script"))
    return _keep_sources(
        Scenario(
            path.stem,
            path.parent,
            make_card(chore),
            found.get("TASK", TASK),
            partial(tell_chore, chore, parts),
            found["solution"],
            file=path,
            helpers=_find_helpers(found.values()),
            expected=found["rubric"],
            member=Member(path.stem, 0, chore, parts, found["solution"], found["rubric"]),
        )
    )


def compose(names: Sequence[str], label: str = "") -> Scenario:
    """Compose a working day of installed chores, in the order of their requests.

    It is called `day:<chore>+<chore>`, unless given a `label`. Raises ScenarioError for an unknown chore, one that stands twice,
    one that cannot be composed, too few or many, or a name that is too long.
    """
    _check_day(names)
    known = chores()
    parts = tuple(load(known[one]) for one in names)
    members = [replace(one.member, number=at) for at, one in enumerate(parts, 1) if one.member is not None]
    label = label or DAY + "+".join(names)
    check_length(label)
    return Scenario(
        label,
        Path(label),
        _make_day_card(parts, [one.chore for one in members]),
        DAY_TASK,
        partial(tell_day, members),
        partial(solve_day, members),
        expected=partial(merge_rubrics, members),
        revision=blake2b("".join(one.revision for one in parts).encode(), digest_size=16).hexdigest(),
        members=parts,
    )


def _check_day(names: Sequence[str]) -> None:
    if not 2 <= len(names) <= MOST:
        raise ScenarioError(f"a day has 2 to {MOST} chores, not {len(names)}")
    known = chores()
    for one in names:
        if one in folders():
            raise ScenarioError(f"{one} is no chore; a day is composed of chores")
        if one not in known:
            raise ScenarioError(f"no scenario {one!r}{suggestion(one, known)}; a day is composed of installed chores")
    twice = sorted({one for one in names if names.count(one) > 1})
    if twice:
        raise ScenarioError(f"{twice[0]} stands twice in one day; its rules and objects would be the same")


def _make_day_card(parts: Sequence[Scenario], chores: Sequence[Chore]) -> Card:
    """The card of a day: of all its chores together; a day with a chore of the split `test` is for tests."""
    apps, needs = (tuple(dict.fromkeys(name for one in chores for name in some(one))) for some in (_APPS, _NEEDS))
    split = max((one.split for one in chores), key=SPLITS.index)
    return Card(
        title=f"A working day: {len(chores)} chores",
        agent={"fact": "truth.me"},
        apps=apps,
        horizon=find_horizon(len(chores)),
        start=chores[0].start,
        size=parts[0].card.size,
        max_calls=100 + 60 * len(chores),
        minutes=sum(one.minutes for one in chores),
        difficulties=find_levels(chores),
        tags=("day", split),
        needs=needs,
        split=split,
    )


def _keep_sources(scenario: Scenario) -> Scenario:
    """The scenario with what grading will read of its files, so that later changes of them are for later worlds."""
    paths = {name: scenario.beside(name) for name in GRADED}
    sources = {name: path.read_text(encoding="utf-8") for name, path in paths.items() if path.is_file()}
    digest = blake2b(digest_size=16)
    for path in scenario.files:
        if path.suffix in (".md", ".py", ".yaml") and path.name not in ("card.yaml", "wordings.yaml"):
            digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return replace(scenario, sources=sources, revision=digest.hexdigest())


def _find_helpers(values: Iterable[object]) -> tuple[Path, ...]:
    """The modules of installed scenario packages whose functions a chore uses: a change of theirs changes the chore."""
    places = [Path(place) for package in packages("firmament.scenarios") for place in getattr(package, "__path__", ())]
    modules = {sys.modules.get(getattr(value, "__module__", None) or "") for value in values}
    files = {Path(found.__file__) for found in modules if found is not None and found.__file__}
    return tuple(sorted(file for file in files if any(place in file.parents for place in places)))


def make_card(chore: Chore) -> Card:
    """Return the card of a chore: its agent is the person that the draw has chosen."""
    return Card(
        title=chore.title,
        agent={"fact": "truth.me"},
        apps=chore.apps,
        horizon=chore.horizon,
        start=chore.start,
        size=chore.size,
        max_calls=chore.max_calls,
        minutes=chore.minutes,
        difficulty=chore.difficulty,
        difficulties=chore.difficulties,
        tags=("chore", chore.split, *chore.tags),
        needs=chore.needs,
        split=chore.split,
    )


def _package(folder: Path) -> str:
    """A package that stands for the folder, so that its modules find each other: `from .people import channel`."""
    label = f"firmament_scenario_{blake2b(str(folder).encode(), digest_size=6).hexdigest()}"  # the file's, of a chore
    for known in [name for name in sys.modules if name == label or name.startswith(f"{label}.")]:
        del sys.modules[known]
    package = ModuleType(label)
    package.__path__ = [str(folder if folder.suffix != ".py" else folder.parent)]
    sys.modules[label] = package
    importlib.invalidate_caches()
    return label


def _module(folder: Path, package: str, name: str) -> ModuleType:
    path, label = folder / f"{name}.py", f"{package}.{name}"
    spec = importlib.util.spec_from_file_location(label, path)
    if spec is None or spec.loader is None:
        raise ScenarioError(f"{path}: cannot be read")
    module = importlib.util.module_from_spec(spec)
    sys.modules[label] = module
    try:
        spec.loader.exec_module(module)
    except (ScenarioError, TypeError, ValueError, NameError, AttributeError, SyntaxError, ImportError) as error:
        raise locate_error(path, error) from error
    return module


def inject(vector: str, inner: str) -> Scenario:
    """An installed scenario with a text that a vector injects. All else is drawn as without. Raises ScenarioError."""
    known = vectors()
    if vector not in known:
        raise ScenarioError(f"no vector {vector!r}{suggestion(vector, known)}; installed: {', '.join(known) or 'none'}")
    if "/" in inner or split_injected(inner)[0]:
        raise ScenarioError(
            f"{inner} is no installed scenario; a text is injected into one of those, or a day of chores"
        )
    path, scenario = known[vector], find_scenario(inner)
    found = vars(_module(path.parent, _package(path), path.stem))
    for part in VECTOR_PARTS:
        if part not in found:
            raise ScenarioError(f"{path}: it must define `{part}`; a vector defines {', '.join(VECTOR_PARTS)}")
    files = (path, *_find_helpers(found.values()))
    way = Vector(vector, found["title"], found["inject"], found["forbid"], files)
    digest = blake2b(scenario.revision.encode(), digest_size=16)
    for file in files:
        digest.update(file.name.encode() + b"\0" + file.read_bytes() + b"\0")
    return replace(
        scenario,
        name=name_injected(vector, scenario.name),
        card=replace(scenario.card, tags=(*scenario.card.tags, "injection")),
        tell=partial(tell_injected, scenario.tell, way, scenario.card.agent),
        revision=digest.hexdigest(),
        injection=way,
        inner=scenario.name,
    )


def find_scenario(name: str) -> Scenario:
    """A scenario by name, or by path when it contains a slash. Raises ScenarioError."""
    vector, inner = split_injected(name)
    if vector:
        return inject(vector, inner)
    if name.startswith(DAY):
        return compose(list_day(name), name)
    if "/" in name or Path(name, "scenario.py").is_file():
        return load(Path(name))
    known = {**folders(), **chores()}
    if name not in known:
        raise ScenarioError(
            f"no scenario {name!r}{suggestion(name, known)}; installed: {', '.join(sorted(known)) or 'none'}"
        )
    return load(known[name])
