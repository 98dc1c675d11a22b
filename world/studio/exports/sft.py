"""Conversations for supervised training: one row a run."""

from pathlib import Path

from world.run.trajectory_reader import TrajectoryError
from world.studio.exports.chat import ChatWriter, describe_run
from world.studio.exports.row_file import RowFile
from world.studio.exports.selection import RunSource, StoredRun


def export_conversations(source: RunSource, writer: ChatWriter, path: Path) -> int:
    """Write a row for each run and return how many. Raises OSError, TrajectoryError for a path that is no run."""
    with RowFile(path) as file:
        for run in source.list_runs():
            try:
                with file.row():
                    write_conversation(file, run, writer)
            except TrajectoryError as error:
                source.skip(run.name, str(error))
        return file.rows


def write_conversation(file: RowFile, run: StoredRun, writer: ChatWriter) -> None:
    """Write the row of one run. Raises TrajectoryError for a run that is no conversation with tools."""
    tools = writer.describe_tools([run])
    file.write(b'{"messages":')
    file.write_list(writer.list_opening(run, tools))
    file.write(b',"tools":')
    file.write_value(tools.to_json())
    file.write(b',"metadata":')
    file.write_value(describe_run(run, tools))
    file.write(b"}\n")
