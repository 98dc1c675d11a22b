"""What only a harness knows of a step: the model's tokens and messages, a screenshot; beside the trajectory."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, JsonValue

from world.core.journal import parse_json
from world.core.json_types import is_dict
from world.core.params import Int64
from world.run.run_folder import Contents
from world.run.trajectory import CONTENT_FOLDER, HARNESS
from world.run.trajectory_reader import TrajectoryError

KIND = "harness"


class HarnessNote(BaseModel):
    """What a harness adds to a step. `screenshot` is a PNG in base64."""

    model_config = ConfigDict(extra="forbid")
    tokens: dict[str, Int64] = Field(default_factory=dict)
    messages: list[dict[str, JsonValue]] = Field(default_factory=list[dict[str, JsonValue]])
    screenshot: str | None = None


def add_note(folder: Path, step: int, note: HarnessNote) -> None:
    """Keep a note on a step of a run."""
    row = {"kind": KIND, "step": step, **note.model_dump(exclude_defaults=True)}
    with (folder / HARNESS).open("ab") as file:
        file.write(Contents(folder / CONTENT_FOLDER).encode(row))


def read_notes(folder: Path, step: int) -> list[HarnessNote]:
    """The notes on a step in the order they were made. Raises TrajectoryError for a line that is none."""
    contents = Contents(folder / CONTENT_FOLDER)
    try:
        rows = [row for row in _read_rows(folder / HARNESS) if row.pop("step", None) == step]
        return [HarnessNote.model_validate(contents.restore(row)) for row in rows]
    except ValueError as error:
        raise TrajectoryError(f"{folder / HARNESS} holds a line that is no note: {error}") from None


def _read_rows(path: Path) -> Iterator[dict[str, Any]]:
    """The notes in a file that may be growing: a line without its end is left for later."""
    if not path.exists():
        return
    with path.open("rb") as file:
        for text in file:
            row: object = parse_json(text) if text.endswith(b"\n") else None
            if is_dict(row) and row.pop("kind", "") == KIND:
                yield row
