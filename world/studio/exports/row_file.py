"""A file that is written row by row and appears when it is whole."""

from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import BinaryIO

from world.run.run_folder import line


class RowFile:
    """Writes JSON piece by piece, so that no row need be held in memory. Raises OSError."""

    def __init__(self, path: Path) -> None:
        self._path, self._part = path, path.with_name(f"{path.name}.part")
        self._file: BinaryIO = self._part.open("wb")
        self.rows = 0

    def __enter__(self) -> "RowFile":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        self._file.close()
        if error is None:
            self._part.replace(self._path)
        else:
            self._part.unlink()

    def write(self, text: bytes) -> None:
        """Write a piece as it is."""
        self._file.write(text)

    def write_value(self, value: object) -> None:
        """Write a JSON value, without an end of line."""
        self._file.write(line(value)[:-1])

    def write_list(self, values: "Generator[object] | list[object]") -> None:
        """Write a JSON array, each value as it comes."""
        self._file.write(b"[")
        for number, value in enumerate(values):
            self._file.write(b"," if number else b"")
            self.write_value(value)
        self._file.write(b"]")

    @contextmanager
    def row(self) -> Generator[None]:
        """Write one row; if that fails, nothing of it stays."""
        before = self._file.tell()
        try:
            yield
        except BaseException:
            self._file.seek(before)
            self._file.truncate()
            raise
        self.rows += 1
