"""The runs below a folder, by name."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from world.core.json_types import is_object
from world.run.trajectory import FILE
from world.run.trajectory_reader import RESULT
from world.server.control_state import Plane

DEPTH = 3  # of folders: a suite keeps its runs two below its own
SKIPPED = frozenset({"worlds", "content"})
SERVED = "worlds/"  # begins the names of served worlds


@dataclass(frozen=True, slots=True)
class RunSummary:
    """One line of the list. `score` and `passed` are None until the run is graded; `began` orders runs by age."""

    name: str
    folder: Path
    scenario: str
    agent: str
    door: str
    seed: int
    steps: int | None
    score: float | None
    passed: bool | None
    ended: str | None
    began: float
    is_live: bool


class RunList:
    """The runs below a root folder, and the worlds that are served. A name is a path relative to the root, or
    `worlds/NAME`; no other path is ever opened.
    """

    def __init__(self, root: Path, plane: Plane | None = None) -> None:
        self.root, self._plane = root.resolve(), plane

    def folders(self) -> dict[str, Path]:
        """Name -> folder of every run, in order of names."""
        found = {self._name(path): path for path in _find_runs(self.root, DEPTH)}
        return dict(sorted({**found, **self._list_served()}.items()))

    def _list_served(self) -> dict[str, Path]:
        """The served worlds that have no run folder of their own, every step of them written."""
        kept = self._plane.trajectories if self._plane is not None else None
        if kept is None:
            return {}
        folders = {world: kept.write(world).resolve() for world in kept.folders()}
        return {f"{SERVED}{name}": path for name, path in folders.items() if not path.is_relative_to(self.root)}

    def find(self, name: str) -> Path | None:
        """The folder of a run; None if there is no run of this name."""
        if name.startswith(SERVED):
            return self._list_served().get(name)
        folder = (self.root / name).resolve() if name != self.root.name else self.root
        if not folder.is_relative_to(self.root) or not _is_run(folder):
            return None
        return folder

    def summaries(self) -> list[RunSummary]:
        """All runs, the newest first."""
        found = [read_summary(name, folder) for name, folder in self.folders().items()]
        return sorted(found, key=lambda one: (-one.began, one.name))

    def _name(self, folder: Path) -> str:
        return self.root.name if folder == self.root else folder.relative_to(self.root).as_posix()


def read_summary(name: str, folder: Path) -> RunSummary:
    """What the list says of a run; what a file lacks is left out."""
    config, result, grade = (read_object(folder / f"{one}.json") for one in ("config", "result", "grade"))
    score, passed, steps, ended = grade.get("score"), grade.get("pass"), result.get("steps"), result.get("ended")
    seed = config.get("seed")
    return RunSummary(
        name=name,
        folder=folder,
        scenario=str(config.get("scenario", "")),
        agent=str(config.get("agent", "")),
        door=str(config.get("door", "")),
        seed=seed if isinstance(seed, int) else 0,
        steps=steps if isinstance(steps, int) else None,
        score=float(score) if isinstance(score, (int, float)) else None,
        passed=passed if isinstance(passed, bool) else None,
        ended=str(ended) if ended else None,
        began=(folder / FILE).stat().st_ctime,
        is_live=not result,
    )


def mark_stopped(folder: Path) -> None:
    """Say in a run's folder that it was stopped before its end; it has no verdict then."""
    if not (folder / RESULT).exists():
        (folder / RESULT).write_text(json.dumps({"digest": "", "ended": "stopped"}) + "\n", encoding="utf-8")


def read_object(path: Path) -> dict[str, Any]:
    """The JSON object in a file; empty if there is none."""
    try:
        found: object = json.loads(path.read_bytes())
    except (FileNotFoundError, ValueError):
        return {}
    return dict(found) if is_object(found) else {}


def _is_run(folder: Path) -> bool:
    return (folder / "config.json").is_file() and (folder / FILE).is_file()


def _find_runs(folder: Path, depth: int) -> Iterator[Path]:
    if _is_run(folder):
        yield folder
    elif depth > 0 and folder.is_dir():
        for below in sorted(folder.iterdir()):
            if below.is_dir() and below.name not in SKIPPED and not below.is_symlink():
                yield from _find_runs(below, depth - 1)
