"""A run as turns: what the agent asked a tool and what it saw, one after the other, each read when it is needed."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson

from world.core.json_types import is_array, is_object
from world.run.run_folder import Contents
from world.run.trajectory import CONTENT_FOLDER, HARNESS
from world.run.trajectory_reader import StepLine, TrajectoryError, read_bounded_lines, read_steps

HARNESS_MARK = b'"messages"'
FIELDS = {"step": int, "seq": int, "operation": str, "door": str, "status": str, "arguments": Mapping}


@dataclass(frozen=True, slots=True)
class Turn:
    """A tool call and its result. `surface` is empty in runs from before it was kept; `said` is what the model wrote."""

    step: int
    surface: str
    tool: str
    operation: str
    arguments: Mapping[str, Any]
    seen: str
    is_error: bool
    said: str = ""


def read_turns(folder: Path, last: int | None = None) -> Iterator[Turn]:
    """The tool calls of a run up to a step. Raises TrajectoryError where the run has anything else."""
    contents, said = Contents(folder / CONTENT_FOLDER), read_said(folder)
    for line in read_sound_steps(folder):
        if last is not None and line.row["step"] > last:
            return
        if line.row.get("within") is None:
            yield _read_turn(folder, restore_texts(folder, contents, line.row), said)


def read_sound_steps(folder: Path) -> Iterator[StepLine]:
    """The steps of a run. Raises TrajectoryError, also for one that lacks what every step has."""
    for line in read_steps(folder):
        if not all(isinstance(line.row.get(name), kind) for name, kind in FIELDS.items()):
            raise TrajectoryError(f"{folder} has a step without its {', '.join(FIELDS)}")
        yield line


def restore_texts(folder: Path, contents: Contents, value: Mapping[str, Any]) -> dict[str, Any]:
    """A row with its long texts and bytes in place. Raises TrajectoryError."""
    try:
        return contents.restore(value)
    except (OSError, ValueError, TypeError) as error:
        raise TrajectoryError(f"{folder} lacks a text that it refers to: {error}") from None


def read_said(folder: Path) -> Mapping[int, str]:
    """What the model wrote before each call, where a harness has noted it: step -> text. Raises TrajectoryError."""
    path = folder / HARNESS
    if not path.exists():
        return {}
    with path.open("rb") as file:
        notes = [_parse_note(path, text) for text in read_bounded_lines(file, path) if HARNESS_MARK in text]
    return {step: text for step, text in notes if text}


def _parse_note(path: Path, line: bytes) -> tuple[int, str]:
    """(step, what the model wrote) of a line."""
    try:
        row = orjson.loads(line)
        return int(row["step"]), _find_said(row.get("messages"))
    except (ValueError, KeyError, TypeError, AttributeError):
        raise TrajectoryError(f"{path} holds a line that is none") from None


def _find_said(messages: object) -> str:
    """The last text of the assistant among messages."""
    for one in reversed(messages if is_array(messages) else []):
        if is_object(one) and one.get("role") == "assistant" and isinstance(one.get("content"), str):
            return one["content"]
    return ""


def _read_turn(folder: Path, row: Mapping[str, Any], said: Mapping[int, str]) -> Turn:
    request, response, step = row.get("request"), row.get("response"), row["step"]
    if not is_object(request) or not is_object(response) or "tool" not in request:
        raise TrajectoryError(f"{folder}: step {step} is no tool call with its answer (door {row['door']})")
    arguments, blocks = request.get("arguments"), response.get("content")
    if not is_object(arguments) or not is_array(blocks):
        raise TrajectoryError(f"{folder}: step {step} has a broken tool call")
    texts = [str(one.get("text", "")) for one in blocks if is_object(one)]
    return Turn(
        step,
        str(request.get("surface", "")),
        str(request["tool"]),
        row["operation"],
        arguments,
        "\n".join(texts),
        bool(response.get("is_error")),
        said.get(step, ""),
    )
