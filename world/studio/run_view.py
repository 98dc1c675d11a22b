"""One run as the studio reads it: an index of its steps, the whole of a step, search. Follows a run that grows."""

from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import dataclass, field
from operator import attrgetter
from pathlib import Path
from typing import Any

from world.core.json_types import is_array, is_object
from world.run.run_folder import CONTENT, Contents
from world.run.trajectory import CONTENT_FOLDER, FILE, Header
from world.run.trajectory_reader import StepLine, read_header, read_step, read_steps
from world.studio.run_list import read_object

TITLE = 160  # characters of a step's title


@dataclass(frozen=True, slots=True)
class Meanwhile:
    """A call of somebody else before a step: of a colleague, a machine or the scenario. `at` is in us."""

    at: int
    actor: str
    operation: str
    status: str


@dataclass(frozen=True, slots=True)
class StepSummary:
    """What the list of steps shows of one. Times are simulated, in us; `rows` counts changed rows.

    `offset` and `size` say where the whole step stands in the file; `within` is the step whose request it shares.
    """

    number: int
    seq: int
    at: int
    ended_at: int
    door: str
    operation: str
    status: str
    title: str
    rows: int
    events: int
    within: int | None
    offset: int
    size: int
    meanwhile: tuple[Meanwhile, ...] = ()
    last_change: int = 0  # number in the journal of the last row that changed; 0 if none did


@dataclass(slots=True)
class RunView:
    """A run folder. Raises TrajectoryError for what is no run, or cannot be read."""

    name: str
    folder: Path
    header: Header = field(init=False)
    config: Mapping[str, Any] = field(init=False)
    steps: list[StepSummary] = field(default_factory=list[StepSummary])
    _read: int = 0

    def __post_init__(self) -> None:
        self.header, self.config = read_header(self.folder), read_object(self.folder / "config.json")
        self.refresh()

    @property
    def contents(self) -> Contents:
        """The long texts of the run."""
        return Contents(self.folder / CONTENT_FOLDER)

    @property
    def verdict(self) -> Mapping[str, Any]:
        """The verdict; empty until the run is graded."""
        return read_object(self.folder / "grade.json")

    @property
    def result(self) -> Mapping[str, Any]:
        """How the run ended; empty while it is under way."""
        return read_object(self.folder / "result.json")

    @property
    def person(self) -> str:
        """The directory id of the agent's employee; in runs from before there was a header that of the first step."""
        return self.header.person or (str(self.step(1)["actor"]) if self.steps else "")

    def refresh(self) -> None:
        """Read the steps written since the last time."""
        if (self.folder / FILE).stat().st_size <= self._read:
            return
        for line in read_steps(self.folder, self._read, len(self.steps)):
            self.steps.append(summarise_step(line))
            self._read = line.offset + line.size

    def step(self, number: int) -> dict[str, Any]:
        """The whole of a step as it was written. Raises LookupError for one that is not there, TrajectoryError."""
        if not 1 <= number <= len(self.steps):
            raise LookupError(f"{self.name} has no step {number}")
        one = self.steps[number - 1]
        return {"kind": "step", "step": number, **read_step(self.folder, one.offset, one.size)}

    def seq_after(self, number: int) -> int:
        """The call after which the world stands as it was after a step. Raises LookupError; step 0 has none."""
        if not 1 <= number <= len(self.steps):
            raise LookupError(f"{self.name} has no step {number}")
        return self.steps[number - 1].seq

    def read_lines(self, last: int) -> list[bytes]:
        """The lines of the first steps as they stand in the file."""
        shared = self.steps[:last]
        with (self.folder / FILE).open("rb") as file:
            return [file.read(one.size) for one in shared if file.seek(one.offset) == one.offset]

    def find_step(self, change: int) -> int | None:
        """The step up to whose end a row was changed, by the number of the change in the journal."""
        changing = [one for one in self.steps if one.last_change]
        place = bisect_left(changing, change, key=attrgetter("last_change"))
        return changing[place].number if place < len(changing) else None

    def search(self, text: str) -> list[int]:
        """The numbers of the steps that hold a text anywhere, whatever its case; long texts are searched too."""
        wanted = text.casefold()
        return [one.number for one in self.steps if self._holds(one, wanted)]

    def _holds(self, one: StepSummary, wanted: str) -> bool:
        return any(wanted in text.casefold() for text in list_texts(self.step(one.number), self.contents))


def summarise_step(line: StepLine) -> StepSummary:
    """What the list of steps shows of a line."""
    row = line.row
    return StepSummary(
        number=row["step"],
        seq=row["seq"],
        at=row["at"],
        ended_at=row["ended_at"],
        door=row["door"],
        operation=row["operation"],
        status=row["status"],
        title=title_step(row),
        rows=len(row["diff"]),
        events=len(row["events"]),
        within=row.get("within"),
        offset=line.offset,
        size=line.size,
        last_change=row["diff"][-1]["id"] if row["diff"] else 0,
        meanwhile=tuple(Meanwhile(one["at"], one["actor"], one["operation"], one["status"]) for one in row["events"]),
    )


def title_step(row: Mapping[str, Any]) -> str:
    """A step on one line: the tool and its arguments, the method and its path, or the operation."""
    request = row.get("request")
    if not is_object(request):
        return f"{row['operation']} {describe_arguments(row['arguments'])}"[:TITLE]
    if "tool" in request:
        return f"{request['tool']} {describe_arguments(request['arguments'])}"[:TITLE]
    query = f"?{request['query']}" if request["query"] else ""
    return f"{request['method']} {request['path']}{query}"[:TITLE]


def describe_arguments(arguments: object) -> str:
    """Arguments as `name=value` on one line."""
    if not is_object(arguments):
        return ""
    return " ".join(f"{name}={_shorten(value)}" for name, value in arguments.items())


def _shorten(value: object) -> str:
    if is_object(value) and CONTENT in value:
        return "…"
    text = " ".join(str(value).split())
    return text if len(text) <= 60 else f"{text[:59]}…"


def list_texts(value: object, contents: Contents) -> list[str]:
    """Every text in a JSON value, those it refers to included, and its numbers as text."""
    if is_object(value):
        if CONTENT in value:
            return [str(contents.restore(value))]
        return [text for key, item in value.items() for text in (key, *list_texts(item, contents))]
    if is_array(value):
        return [text for item in value for text in list_texts(item, contents)]
    return [] if value is None else [str(value)]
