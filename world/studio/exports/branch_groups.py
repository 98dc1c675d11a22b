"""Runs that went different ways from one moment: the start of an episode, or a step of a run."""

from collections.abc import Iterable
from dataclasses import dataclass, field

import orjson

from world.run.trajectory_reader import TrajectoryError
from world.studio.exports.selection import RunSource, StoredRun

Moment = tuple[str, int]  # a run, or the start of an episode, and the step after which the ways part


@dataclass(slots=True)
class BranchGroup:
    """The runs that share the steps up to `step` and no more, in order of their names."""

    name: str
    step: int
    runs: list[StoredRun] = field(default_factory=list[StoredRun])


def find_groups(source: RunSource) -> list[BranchGroup]:
    """The groups of two runs or more; runs that end where they part are left out. Raises TrajectoryError for two runs
    of one name, if branches tell of it.
    """
    runs = _by_name(source.list_runs())
    groups = dict[Moment, BranchGroup]()
    for run in runs.values():
        moment = find_moment(run, runs)
        if not _goes_on(run, moment[1]):
            source.skip(run.name, f"has nothing after step {moment[1]}")
            continue
        groups.setdefault(moment, BranchGroup(f"{moment[0]}@{moment[1]}", moment[1])).runs.append(run)
    for (name, step), group in groups.items():
        parent = runs.get(name) if step else None
        if (
            parent is not None
            and parent not in group.runs
            and _goes_on(parent, step)
            and _is_same(parent, group.runs[0])
        ):
            group.runs.append(parent)
    found = [group for group in groups.values() if len(group.runs) > 1]
    for group in found:
        group.runs.sort(key=lambda run: run.name)
    return sorted(found, key=lambda group: group.name)


def find_moment(run: StoredRun, runs: dict[str, StoredRun]) -> Moment:
    """Where a run left the others. A branch of a branch at a step before that began leaves the first run there."""
    origin = run.header.origin
    if origin is None:
        return describe_start(run), 0
    name, step, seen = origin.run, origin.step, {run.name}
    while (parent := runs.get(name)) is not None and name not in seen:
        before = parent.header.origin
        if before is None or step > before.step:
            break
        seen.add(name)
        name = before.run
    return (describe_start(run), 0) if step == 0 else (name, step)


def describe_start(run: StoredRun) -> str:
    """The first moment of an episode: runs with the same one saw the same world."""
    config = run.config
    settings = orjson.dumps(config.settings, option=orjson.OPT_SORT_KEYS).decode()
    return f"{config.scenario} {config.revision} {config.seed} {config.image[:16]} {settings}"


def _goes_on(run: StoredRun, step: int) -> bool:
    return run.summary.steps is not None and run.summary.steps > step


def _is_same(one: StoredRun, other: StoredRun) -> bool:
    return describe_start(one) == describe_start(other)


def _by_name(runs: Iterable[StoredRun]) -> dict[str, StoredRun]:
    found = dict[str, StoredRun]()
    for run in runs:
        name = run.folder.name
        if name in found and run.header.origin is not None:
            raise TrajectoryError(f"{found[name].folder} and {run.folder} are runs of one name; export them apart")
        found[name if name not in found else run.name] = run
    return found
