"""The tables of runs as Parquet files; needs the extra `parquet` (pyarrow)."""

from contextlib import ExitStack
from pathlib import Path

from world.studio.exports.columns import COLUMNS
from world.studio.exports.selection import RunSource
from world.studio.exports.table_file import TableFile
from world.studio.exports.tables import list_rows


def export_tables(source: RunSource, folder: Path) -> int:
    """Write `runs`, `steps`, `calls` and `changes` `.parquet` into a folder, and return how many runs they hold. A run
    that breaks off stays with the steps before. Raises ModuleNotFoundError without pyarrow, OSError, TrajectoryError.
    """
    folder.mkdir(parents=True, exist_ok=True)
    runs = 0
    with ExitStack() as stack:
        tables = {name: stack.enter_context(TableFile(folder / f"{name}.parquet", name)) for name in COLUMNS}
        for run in source.list_runs(ended=False):
            runs += 1
            try:
                for row in list_rows(run):
                    tables[row.table].add(row.values)
            except ValueError as error:
                source.skip(run.name, str(error))
    return runs
