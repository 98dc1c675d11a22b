"""Groups of ways from one moment, with the advantage of each: one row a run."""

from pathlib import Path
from statistics import fmean, pstdev

from world.run.trajectory_reader import TrajectoryError
from world.studio.exports.branch_groups import BranchGroup, find_groups
from world.studio.exports.chat import ChatWriter, describe_run
from world.studio.exports.preferences import get_score
from world.studio.exports.row_file import RowFile
from world.studio.exports.selection import RunSource

EPSILON = 1e-4  # added to the deviation, as trainers do


def export_groups(source: RunSource, writer: ChatWriter, path: Path) -> int:
    """Write a row for each run of a group, the rows of a group one after the other, and return how many. A group with
    a run that is no conversation with tools is left out. Raises OSError, TrajectoryError.
    """
    with RowFile(path) as file:
        for group in find_groups(source):
            try:
                with file.row():
                    write_group(file, group, writer)
            except TrajectoryError as error:
                source.skip(group.name, str(error))
            else:
                file.rows += len(group.runs) - 1
        return file.rows


def list_advantages(scores: list[float]) -> list[float]:
    """(score - mean) / (deviation + EPSILON) over a group, with the deviation of the population; 0 if all are equal."""
    mean, deviation = fmean(scores), pstdev(scores)
    return [(score - mean) / (deviation + EPSILON) if deviation else 0.0 for score in scores]


def write_group(file: RowFile, group: BranchGroup, writer: ChatWriter) -> None:
    """Write the rows of one group. Raises TrajectoryError."""
    tools = writer.describe_tools(group.runs)
    writer.check_shared(group.runs, tools, group.step)
    scores = [get_score(run) for run in group.runs]
    for run, advantage in zip(group.runs, list_advantages(scores), strict=True):
        file.write(b'{"prompt":')
        file.write_list(writer.list_opening(run, tools, last=group.step))
        file.write(b',"completion":')
        file.write_list(writer.list_messages(run, tools, after=group.step))
        file.write(b',"tools":')
        file.write_value(tools.to_json())
        figures = {"group": group.name, "group_size": len(group.runs), "group_mean": fmean(scores)}
        figures |= {"score": get_score(run), "advantage": advantage, "group_deviation": pstdev(scores)}
        for name, value in figures.items():
            file.write(f',"{name}":'.encode())
            file.write_value(value)
        file.write(b',"metadata":')
        file.write_value(describe_run(run, tools))
        file.write(b"}\n")
