"""The tree of branches that a run belongs to: from the run that none of them branched off, with scores."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from world.run.trajectory import Origin
from world.run.trajectory_reader import TrajectoryError, read_header
from world.studio.run_list import RunList, RunSummary

MAX_DEPTH = 40  # of branches of branches that are drawn


@dataclass(frozen=True, slots=True)
class Node:
    """A run in the tree. `origin` is none for the first; a run whose origin is not in the folder is a first one too."""

    run: RunSummary
    origin: Origin | None
    depth: int


def draw_tree(runs: RunList, name: str) -> list[Node]:
    """The runs of the tree that holds a run, a run before its branches, branches by their step and age."""
    summaries = {one.folder.name: one for one in runs.summaries()}
    origins = {key: _read_origin(one) for key, one in summaries.items()}
    key, seen = name.rpartition("/")[2], set[str]()
    while key not in seen and (origin := origins.get(key)) is not None and origin.run in summaries:
        seen.add(key)
        key = origin.run
    return list(_walk(key, summaries, origins, 0)) if key in summaries else []


def _walk(
    key: str, summaries: Mapping[str, RunSummary], origins: Mapping[str, Origin | None], depth: int
) -> Iterator[Node]:
    yield Node(summaries[key], origins[key], depth)
    below = [
        (origin.step, summaries[name].began, name) for name, origin in origins.items() if origin and origin.run == key
    ]
    for _, _, name in sorted(below) if depth < MAX_DEPTH else ():
        yield from _walk(name, summaries, origins, depth + 1)


def _read_origin(run: RunSummary) -> Origin | None:
    try:
        return read_header(run.folder).origin
    except TrajectoryError:
        return None
