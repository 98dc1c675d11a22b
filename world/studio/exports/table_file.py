"""A table as a Parquet file, written some thousand rows at a time."""

from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any

from world.core.lazy import Lazy
from world.studio.exports.columns import COLUMNS, NUMBER, TEXT, TRUTH, WHOLE

BATCH_BYTES = 8 << 20  # of texts, after which rows are written
BATCH_ROWS = 2000
pyarrow, parquet = Lazy("pyarrow"), Lazy("pyarrow.parquet")


class TableFile:
    """One of the tables in COLUMNS; it appears when it is whole. Raises ModuleNotFoundError without pyarrow, OSError."""

    def __init__(self, path: Path, table: str) -> None:
        kinds = {
            TEXT: pyarrow.string(),
            WHOLE: pyarrow.int64(),
            NUMBER: pyarrow.float64(),
            TRUTH: pyarrow.bool_(),
        }
        self._schema = pyarrow.schema([(name, kinds[kind]) for name, kind in COLUMNS[table].items()])
        self._columns = COLUMNS[table]
        self._path, self._part = path, path.with_name(f"{path.name}.part")
        self._writer: Any = parquet.ParquetWriter(self._part, self._schema, compression="zstd")
        self._rows: list[Mapping[str, Any]] = []
        self._bytes = 0

    def __enter__(self) -> "TableFile":
        return self

    def add(self, values: Mapping[str, Any]) -> None:
        """Add a row. Raises ValueError for a value that the column cannot hold."""
        for name, kind in self._columns.items():
            if not fits(values[name], kind):
                raise ValueError(f"{name} is {str(values[name])[:80]!r}, which is no {kind}")
        self._rows.append(values)
        self._bytes += sum(len(value) for value in values.values() if isinstance(value, str))
        if len(self._rows) >= BATCH_ROWS or self._bytes >= BATCH_BYTES:
            self._write()

    def _write(self) -> None:
        self._writer.write_table(pyarrow.Table.from_pylist(self._rows, schema=self._schema))
        self._rows, self._bytes = [], 0

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        if error is None:
            self._write()
        self._writer.close()
        if error is None:
            self._part.replace(self._path)
        else:
            self._part.unlink()


def fits(value: object, kind: str) -> bool:
    """Whether a column of this kind holds a value; every column may lack one."""
    if value is None:
        return True
    if kind == TEXT:
        return isinstance(value, str) and _is_utf8(value)
    if kind == TRUTH:
        return isinstance(value, bool)
    if kind == WHOLE:
        return isinstance(value, int) and -(2**63) <= value < 2**63
    return isinstance(value, (int, float))


def _is_utf8(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
