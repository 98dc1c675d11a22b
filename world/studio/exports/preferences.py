"""Pairs of ways from one moment, the better one first."""

from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

from world.run.trajectory_reader import TrajectoryError
from world.studio.exports.branch_groups import BranchGroup, find_groups
from world.studio.exports.chat import ChatWriter, describe_run
from world.studio.exports.row_file import RowFile
from world.studio.exports.selection import RunSource, StoredRun


def export_preferences(source: RunSource, writer: ChatWriter, path: Path, margin: float = 0.0) -> int:
    """Write a row for each pair whose scores differ by more than `margin`, and return how many. Raises OSError,
    TrajectoryError.
    """
    with RowFile(path) as file:
        for group in find_groups(source):
            for chosen, rejected in list_pairs(group, margin):
                try:
                    with file.row():
                        write_pair(file, group, chosen, rejected, writer)
                except TrajectoryError as error:
                    source.skip(f"{chosen.name}, {rejected.name}", str(error))
        return file.rows


def list_pairs(group: BranchGroup, margin: float) -> Iterator[tuple[StoredRun, StoredRun]]:
    """(better, worse) of every two runs whose scores differ by more than `margin`."""
    for one, other in combinations(group.runs, 2):
        gap = get_score(one) - get_score(other)
        if abs(gap) > margin:
            yield (one, other) if gap > 0 else (other, one)


def get_score(run: StoredRun) -> float:
    """The score of a graded run."""
    if run.summary.score is None:
        raise ValueError(f"{run.name} is not graded")
    return run.summary.score


def write_pair(file: RowFile, group: BranchGroup, chosen: StoredRun, rejected: StoredRun, writer: ChatWriter) -> None:
    """Write the row of one pair. Raises TrajectoryError for runs that are no conversations with tools."""
    tools = writer.describe_tools([chosen, rejected])
    writer.check_shared([chosen, rejected], tools, group.step)
    file.write(b'{"prompt":')
    file.write_list(writer.list_opening(chosen, tools, last=group.step))
    for name, run in ((b"chosen", chosen), (b"rejected", rejected)):
        file.write(b',"' + name + b'":')
        file.write_list(writer.list_messages(run, tools, after=group.step))
        file.write(b',"' + name + b'_score":')
        file.write_value(get_score(run))
    file.write(b',"tools":')
    file.write_value(tools.to_json())
    file.write(b',"metadata":')
    both = {"chosen": describe_run(chosen, tools), "rejected": describe_run(rejected, tools)}
    file.write_value({"group": group.name, "step": group.step, **both})
    file.write(b"}\n")
