"""Remarks of people who label runs, kept with the run: `annotations.jsonl`."""

from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from world.run.run_folder import line
from world.run.trajectory_reader import TrajectoryError

FILE = "annotations.jsonl"
MAX_LABEL, MAX_TEXT = 80, 20_000


class Annotation(BaseModel):
    """A remark on a step. `span` is a range of characters in what the agent saw, or none for the whole step."""

    model_config = ConfigDict(extra="forbid")
    step: int = Field(ge=0)
    span: tuple[int, int] | None = None
    label: str = Field(default="", max_length=MAX_LABEL)
    text: str = Field(default="", max_length=MAX_TEXT)


def read_annotations(folder: Path) -> list[Annotation]:
    """The remarks on a run in the order they were made. Raises TrajectoryError for a line that is none."""
    path = folder / FILE
    if not path.exists():
        return []
    try:
        return [Annotation.model_validate_json(text) for text in path.read_bytes().splitlines()]
    except ValidationError as error:
        raise TrajectoryError(f"{path} holds a line that is no annotation: {error.errors()[0]['msg']}") from None


def add_annotation(folder: Path, annotation: Annotation) -> None:
    """Add a remark to a run."""
    with (folder / FILE).open("ab") as file:
        file.write(line(annotation.model_dump()))
