"""Reads trajectories: of this version, of runs from before there was a header, finished ones and growing ones."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path
from typing import Any, BinaryIO

from pydantic import ValidationError

from world.core.journal import parse_json
from world.core.json_types import is_dict
from world.run.trajectory import FILE, FORMAT, VERSION, Header

RESULT = "result.json"
MAX_LINE = 256 << 20  # bytes; the long texts of a step are files of their own
BEFORE_HEADERS = Header(version=0)
OLD_STEP = {"seq", "operation", "door", "arguments"}  # of a line of a run from before there was a header


class TrajectoryError(ValueError):
    """A folder that is no run, or one that cannot be read; the message is one sentence."""


@dataclass(frozen=True, slots=True)
class StepLine:
    """One step as it was read: where it begins in the file, how long it is, and what it says."""

    offset: int
    size: int
    row: dict[str, Any]


def read_header(folder: Path) -> Header:
    """The header of a run's trajectory; version 0 for a run from before there was one. Raises TrajectoryError."""
    return _parse_header(folder, next(_split(folder), (0, b""))[1])


def read_steps(folder: Path, after: int = 0, number: int = 0) -> Iterator[StepLine]:
    """The steps of a run in order; of a run under way those written so far.

    To go on later, give the end of the last line read as `after` and its step as `number`. Raises TrajectoryError.
    """
    old = read_header(folder).version == 0
    for step, (offset, text) in enumerate(_split(folder, after), number + 1):
        row = _parse(folder, text)
        if "format" in row:
            continue
        if old:
            row = {"kind": "step", "step": step, **row}
        if row.get("kind") == "step":
            yield StepLine(offset, len(text), row)


def read_step(folder: Path, offset: int, size: int) -> dict[str, Any]:
    """One step by its place in the file. Raises TrajectoryError."""
    with (folder / FILE).open("rb") as file:
        file.seek(offset)
        return _parse(folder, file.read(size))


def read_step_lines(folder: Path, last: int) -> list[bytes]:
    """The lines of the first steps as they stand in the file. Raises TrajectoryError."""
    found = list(takewhile(lambda line: line.row["step"] <= last, read_steps(folder)))
    with (folder / FILE).open("rb") as file:
        return [file.read(one.size) for one in found if file.seek(one.offset) == one.offset]


def _split(folder: Path, after: int = 0) -> Iterator[tuple[int, bytes]]:
    """(offset, line) of every whole line. Raises TrajectoryError."""
    try:
        with (folder / FILE).open("rb") as file:
            offset = file.seek(after)
            for text in read_bounded_lines(file, folder / FILE):
                if not text.endswith(b"\n"):
                    _refuse_cut(folder)
                    return
                yield offset, text
                offset += len(text)
    except FileNotFoundError:
        raise TrajectoryError(f"{folder} is not a run folder: it has no {FILE}") from None


def read_bounded_lines(file: BinaryIO, path: Path) -> Iterator[bytes]:
    """The lines of an open file, the last one maybe without its end. Raises TrajectoryError for one beyond MAX_LINE."""
    while text := file.readline(MAX_LINE + 1):
        if len(text) > MAX_LINE:
            raise TrajectoryError(f"{path} has a line of more than {MAX_LINE} bytes")
        yield text


def _refuse_cut(folder: Path) -> None:
    """A line without its end is one that is being written, unless the run has ended. Raises TrajectoryError."""
    if (folder / RESULT).exists():
        raise TrajectoryError(f"{folder / FILE} is cut off: its last line has no end")


def _parse(folder: Path, text: bytes) -> dict[str, Any]:
    try:
        row: object = parse_json(text)
    except ValueError as error:
        raise TrajectoryError(f"{folder / FILE} holds a line that is not JSON: {error}") from None
    if not is_dict(row):
        raise TrajectoryError(f"{folder / FILE} holds a line that is not an object")
    return row


def _parse_header(folder: Path, text: bytes) -> Header:
    if not text:
        raise TrajectoryError(f"{folder / FILE} is empty")
    row = _parse(folder, text)
    if "format" not in row and OLD_STEP <= row.keys():
        return BEFORE_HEADERS
    if row.get("format") != FORMAT:
        raise TrajectoryError(f"{folder / FILE} is not a trajectory of firmament")
    if row.get("version") != VERSION:
        raise TrajectoryError(
            f"{folder / FILE} has version {row.get('version')!r}; this reads {VERSION} and older ones"
        )
    try:
        return Header.model_validate(row)
    except ValidationError as error:
        raise TrajectoryError(f"{folder / FILE} has a header with {error.error_count()} wrong fields") from None
