"""A leaderboard: folders of results of one suite, one row each, over the tasks that all of them have."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from world.suite.comparison import pair_results, refuse_unlike
from world.suite.intervals import Interval
from world.suite.report import clean_text, open_templates
from world.suite.results import Manifest, read_results
from world.suite.statistics import Line, Row, find_mean, group_lines, interval, rows
from world.suite.suite_files import SuiteError
from world.suite.suite_runner import FLOOR

SPLITS = ("train", "dev", "test")
TIMES = ("agent_s", "wall_s")  # seconds of a run: of the agent alone, and of all


@dataclass(frozen=True, slots=True)
class Standing:
    """One folder's figures over the common tasks. `folder` is the end of its path that tells it from the others.
    `difference` is its pass rate less that of the first row, with a 95 % interval; the first row has none. `splits` has
    the pass rate of each split, `times` means of a run in seconds.
    """

    folder: str
    manifest: Manifest
    row: Row
    splits: Mapping[str, Interval]
    times: Mapping[str, float]
    difference: Interval | None

    def to_json(self) -> dict[str, Any]:
        """The figures as plain data."""
        manifest, row = self.manifest, self.row
        return {
            "folder": self.folder,
            **{name: getattr(manifest, name) for name in ("agent", "door", "attempts", "calls", "horizon")},
            "runs": row.runs,
            "lost": row.crashed,
            "trusted": row.trusted,
            "pass": _to_json(row.passed),
            "difference_to_first": None if self.difference is None else _to_json(self.difference),
            "splits": {name: _to_json(one) for name, one in self.splits.items()},
            "score": row.score,
            "side_effects": row.side_effects,
            "mean_calls": row.steps,
            "mean_simulated_s": row.simulated_s,
            **{f"mean_{name}": value for name, value in self.times.items()},
        }


@dataclass(frozen=True, slots=True)
class Leaderboard:
    """The rows of a leaderboard, the best first. `tasks` counts the common tasks by split; `floor` has the figures of
    the baseline agents on them, as far as the first folder with any has them.
    """

    suite: str
    digest: str
    tasks: Mapping[str, int]
    only_some: int
    standings: Sequence[Standing]
    floor: Sequence[Row]

    def to_json(self) -> dict[str, Any]:
        """The leaderboard as plain data."""
        return {
            "suite": self.suite,
            "digest": self.digest,
            "tasks": sum(self.tasks.values()),
            "tasks_by_split": dict(self.tasks),
            "tasks_only_some_have": self.only_some,
            "standings": [one.to_json() for one in self.standings],
            "floor": [{"agent": row.agent, "pass": _to_json(row.passed), "score": row.score} for row in self.floor],
        }


def _to_json(found: Interval) -> dict[str, float]:
    return {"mean": found.mean, "low": found.low, "high": found.high}


def rank_results(folders: Sequence[Path], *, anyway: bool = False) -> Leaderboard:
    """Rank folders of results by pass rate, then score, over the tasks that all of them have. Raises SuiteError.

    `anyway` ranks results of different suites, versions or companies by the names of their tasks; each task has the split
    that it has in the first folder.
    """
    found = [read_results(folder) for folder in folders]
    first = found[0][0]
    for folder, (manifest, _) in zip(folders[1:], found[1:], strict=True):
        if not anyway:
            refuse_unlike(first, manifest, f"the results in {folder}")
    agents = [[line for line in lines if line["agent"] == manifest.agent] for manifest, lines in found]
    common, every = _find_common(agents)
    splits = {line["task"]: line["split"] for line in agents[0] if line["task"] in common}
    standings = [
        _stand(name, manifest, _keep(lines, common), splits)
        for name, (manifest, _), lines in zip(_name_folders(folders), found, agents, strict=True)
    ]
    counts = {name: list(splits.values()).count(name) for name in SPLITS}
    floors = [_list_floor(manifest, _keep(lines, common)) for manifest, lines in found]
    return Leaderboard(
        first.suite,
        first.digest,
        {name: count for name, count in counts.items() if count},
        every - len(common),
        _rank(standings, [_keep(lines, common) for lines in agents]),
        next(filter(None, floors), list[Row]()),
    )


def _name_folders(folders: Sequence[Path]) -> list[str]:
    """Of each folder's path the shortest end that no other folder's path has."""
    paths = [folder.absolute() for folder in folders]
    return [_name_folder(path, [one for one in paths if one != path]) for path in paths]


def _name_folder(path: Path, others: Sequence[Path]) -> str:
    ends = (path.parts[-length:] for length in range(1, len(path.parts)))
    known = (end for end in ends if all(one.parts[-len(end) :] != end for one in others))
    return str(Path(*next(known, path.parts)))


def _find_common(agents: Sequence[Sequence[Line]]) -> tuple[frozenset[str], int]:
    """The tasks that all have, and how many there are in all. Raises SuiteError if they have none in common."""
    tasks = [frozenset(str(line["task"]) for line in lines) for lines in agents]
    common, every = tasks[0].intersection(*tasks), tasks[0].union(*tasks)
    if not common:
        raise SuiteError("the results have no task in common")
    return common, len(every)


def _keep(lines: Sequence[Line], tasks: frozenset[str]) -> list[Line]:
    return [line for line in lines if line["task"] in tasks]


def _stand(folder: str, manifest: Manifest, lines: Sequence[Line], splits: Mapping[str, str]) -> Standing:
    by_split = group_lines([{**line, "split": splits[line["task"]]} for line in lines], "split")
    return Standing(
        folder,
        manifest,
        rows(lines, manifest)[0],
        {name: interval(by_split[name]) for name in SPLITS if name in by_split},
        {name: find_mean(line[name] for line in lines) for name in TIMES},
        None,
    )


def _rank(standings: Sequence[Standing], lines: Sequence[Sequence[Line]]) -> list[Standing]:
    """The best first, each with its difference to the first; equal ones in the order of the folders."""
    order = sorted(range(len(standings)), key=lambda at: (-standings[at].row.passed.mean, -standings[at].row.score))
    best = order[0]
    return [standings[best], *(_differ(standings, lines, best, at) for at in order[1:])]


def _differ(standings: Sequence[Standing], lines: Sequence[Sequence[Line]], best: int, at: int) -> Standing:
    one = standings[at]
    pair = pair_results((standings[best].manifest, one.manifest), lines[best], lines[at])
    return Standing(one.folder, one.manifest, one.row, one.splits, one.times, pair.difference)


def _list_floor(manifest: Manifest, lines: Sequence[Line]) -> list[Row]:
    floor = [line for line in lines if line["agent"] in FLOOR and line["agent"] != manifest.agent]
    return rows(floor, manifest)


def write_leaderboard(found: Leaderboard, path: Path) -> None:
    """Write the page, and its figures as JSON beside it. Raises OSError."""
    page = open_templates().get_template("leaderboard.html").render(board=found, floor=FLOOR)
    path.write_text(clean_text(page), encoding="utf-8")
    path.with_suffix(".json").write_text(json.dumps(found.to_json(), indent=1) + "\n", encoding="utf-8")
