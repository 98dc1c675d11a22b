"""The runs that an export reads: folders, suites and names, and which of them count."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from math import isfinite
from pathlib import Path

from pydantic import ValidationError

from world.agents.branch import find_run
from world.run.home import Home
from world.run.run_config import RunConfig, read_config
from world.run.trajectory import Header
from world.run.trajectory_reader import TrajectoryError, read_header
from world.studio.run_list import RunList, RunSummary, read_object, read_summary

Note = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class StoredRun:
    """A run on disk: its name, folder, header, configuration and result. `digest` is empty until it has ended."""

    name: str
    folder: Path
    header: Header
    config: RunConfig
    summary: RunSummary
    raw_score: float | None
    digest: str


@dataclass(frozen=True, slots=True)
class Selection:
    """Which runs count. Patterns are those of file names; an empty list takes all. Scores are from 0 to 1."""

    scenarios: tuple[str, ...] = ()
    agents: tuple[str, ...] = ()
    min_score: float | None = None
    passed: bool = False

    def takes(self, summary: RunSummary) -> bool:
        """Whether a run counts; one without a verdict does only if nothing is asked of its score."""
        return (
            _matches(summary.scenario, self.scenarios)
            and _matches(summary.agent, self.agents)
            and (self.min_score is None or (summary.score is not None and summary.score >= self.min_score))
            and (summary.passed is True or not self.passed)
        )


@dataclass(slots=True)
class RunSource:
    """The runs below some paths. `note` hears one sentence for each run that is left out; `skipped` counts them."""

    home: Home
    paths: tuple[str, ...]
    selection: Selection = Selection()
    note: Note = field(default=lambda text: None)
    skipped: int = 0

    def list_runs(self, *, ended: bool = True) -> Iterator[StoredRun]:
        """Each selected run once, in order; with `ended` only those that are finished and graded. Raises TrajectoryError
        for a path that is no run and holds none.
        """
        for name, folder in self._list_folders():
            summary = read_summary(name, folder)
            if not self.selection.takes(summary):
                continue
            if ended and (summary.is_live or summary.score is None or not isfinite(summary.score)):
                self.skip(name, "has no verdict")
                continue
            yield from self.attempt(name, lambda name=name, folder=folder: [read_run(name, folder)])

    def attempt(self, name: str, job: Callable[[], Iterable[StoredRun]]) -> Iterable[StoredRun]:
        """What a job makes of a run; nothing, and a note, if the run cannot be read."""
        try:
            return job()
        except TrajectoryError as error:
            self.skip(name, str(error))
            return ()

    def skip(self, name: str, why: str) -> None:
        """Leave a run out, and say why."""
        self.skipped += 1
        self.note(f"{name}: {why}")

    def _list_folders(self) -> Iterator[tuple[str, Path]]:
        seen = set[Path]()
        for path in self.paths:
            for name, folder in _find_folders(self.home, path):
                if folder not in seen:
                    seen.add(folder)
                    yield name, folder


def read_run(name: str, folder: Path) -> StoredRun:
    """A run folder. Raises TrajectoryError for one that cannot be read."""
    header, result = read_header(folder), read_object(folder / "result.json")
    try:
        config = read_config(folder)
    except (OSError, ValidationError, UnicodeDecodeError):
        raise TrajectoryError(f"{folder / 'config.json'} does not describe a run") from None
    raw = read_object(folder / "grade.json").get("raw_score")
    number = float(raw) if isinstance(raw, (int, float)) else None
    return StoredRun(name, folder, header, config, read_summary(name, folder), number, str(result.get("digest", "")))


def _find_folders(home: Home, path: str) -> Iterator[tuple[str, Path]]:
    if Path(path).is_dir() and not (Path(path) / "config.json").is_file():
        found = RunList(Path(path)).folders()
        if not found:
            raise TrajectoryError(f"{path} is no run folder and holds none")
        yield from found.items()
        return
    folder = find_run(home, path).resolve()
    yield folder.name, folder


def _matches(text: str, patterns: tuple[str, ...]) -> bool:
    return not patterns or any(fnmatchcase(text, pattern) for pattern in patterns)
