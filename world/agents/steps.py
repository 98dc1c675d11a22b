"""Steps of a scripted solution, and the look-ups its author may use."""

from collections.abc import Callable, Generator, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import count
from typing import Any, Protocol

import orjson
from sqlalchemy import JSON
from sqlmodel import SQLModel

from world.core.clock import MINUTE, SECOND
from world.core.errors import OperationError
from world.core.params import Arguments
from world.core.rows import Row
from world.run.call_record import CallRecord
from world.run.episode import Episode
from world.script.stage import DayPart, Facts
from world.store.queries import row, rows

Run = Callable[[Callable[[], Any]], Any]
_EVENT = "SELECT value FROM _state WHERE key = ?"


@dataclass(frozen=True, slots=True)
class Step:
    """One call of a solution. `after` names steps that must come first; `optional` steps may be left out;
    doing a `repeatable` one twice is no harm.

    `paraphrases` maps an argument to other wordings, or other values as good, that must be accepted as well.
    """

    id: str
    operation: str
    arguments: Mapping[str, Any] = field(default_factory=dict[str, Any])
    after: tuple[str, ...] = ()
    optional: bool = False
    repeatable: bool = False
    paraphrases: Mapping[str, tuple[Any, ...]] = field(default_factory=dict[str, tuple[Any, ...]])


Steps = Generator[Step, Any, None]  # of a solution: each `yield` gives the result of the step


class MissingResult(str):
    """Stands in for the result of a step that was left out or refused: every part of it is missing too."""

    def __new__(cls) -> "MissingResult":
        return super().__new__(cls, "missing")

    def __getitem__(self, key: object) -> "MissingResult":  # type: ignore[override]
        return MissingResult()

    def get(self, key: object, default: object = None) -> "MissingResult":
        """Like a mapping's."""
        return MissingResult()

    def __iter__(self) -> Iterator[str]:
        return iter(())


class StepRefused(Exception):
    """A door answered a step with a refusal."""

    def __init__(self, code: str, detail: object = None) -> None:
        super().__init__(code)
        self.code, self.detail = code, detail


class Door(Protocol):
    """One of the ways into a world."""

    name: str

    def do(self, operation: str, arguments: Arguments) -> Any:
        """Perform an operation as the agent's employee. Raises StepRefused."""

    def close(self) -> None:
        """Let go of connections."""


class Scene:
    """Look-ups for the author of a solution; they read the world as it is, without touching it."""

    def __init__(self, episode: Episode, run: Run = lambda job: job()) -> None:
        self._episode, self._run = episode, run

    @property
    def me(self) -> str:
        """The directory id of the employee the agent plays."""
        return self._episode.agent

    @property
    def now(self) -> int:
        """Simulated microseconds since the epoch, UTC."""
        return self._run(lambda: self._episode.actor.now)

    @property
    def start(self) -> int:
        """Start of the episode, simulated microseconds since the epoch, UTC."""
        return self._episode.start

    def facts(self, event: str) -> Facts:
        """Return the facts that a scenario event left; empty before it has happened."""
        return self._run(lambda: self._facts(event))

    def has_fired(self, event: str) -> bool:
        """Whether a scenario event has happened; it may have left no facts."""
        return bool(self._run(lambda: row(self._episode.actor.bound, _EVENT, f"event:{event}")))

    def _facts(self, event: str) -> Facts:
        found = row(self._episode.actor.bound, _EVENT, f"event:{event}")
        return orjson.loads(found[0])["facts"] if found else {}

    def enter(self, part: DayPart) -> "Scene":
        """The scene as the solution of one chore of a composed day sees it."""
        return PartScene(self, part)

    def wait_step(self, until: int) -> "Step":
        """The step that waits until a time (us); it may be left out."""
        seconds = max(1, -(-(until - self.now) // SECOND))
        return Step(f"wait_{(until - self.start) // SECOND}", "world.wait", {"seconds": seconds}, optional=True)

    @property
    def ended(self) -> bool:
        """Whether the episode is over."""
        return self._episode.actor.ended is not None

    def rows(self, table: str, **where: object) -> list[Row]:
        """Rows whose columns equal the given values, by primary key; columns of the kind json are read."""
        return self._run(lambda: self._rows(table, where))

    def find(self, table: str, **where: object) -> Row:
        """The first such row. Raises LookupError."""
        found = self.rows(table, **where)
        if not found:
            raise LookupError(f"no row of {table} where {where}")
        return found[0]

    def _rows(self, table: str, where: Mapping[str, object]) -> list[Row]:
        known = SQLModel.metadata.tables[table]
        names = [column.name for column in known.columns]
        tests = " AND ".join(f'"{known.columns[name].name}" IS ?' for name in where) or "1"
        order = ", ".join(f'"{column.name}"' for column in known.primary_key.columns)
        listed = ", ".join(f'"{name}"' for name in names)
        found = rows(
            self._episode.actor.bound, f'SELECT {listed} FROM "{table}" WHERE {tests} ORDER BY {order}', *where.values()
        )
        read = [orjson.loads if isinstance(column.type, JSON) else _as_is for column in known.columns]
        return [
            {name: None if value is None else how(value) for name, value, how in zip(names, one, read, strict=True)}
            for one in found
        ]


class PartScene(Scene):
    """A scene in which events are those of one chore of a day, and the start is when it was asked for."""

    def __init__(self, day: Scene, part: DayPart) -> None:
        self._day, self._part = day, part  # a scene may move on to another world, so it is asked each time

    @property
    def me(self) -> str:
        """The directory id of the employee the agent plays."""
        return self._day.me

    @property
    def now(self) -> int:
        """Simulated microseconds since the epoch, UTC."""
        return self._day.now

    @property
    def start(self) -> int:
        """The time of the request, simulated microseconds since the epoch, UTC."""
        return self._part.start

    @property
    def ended(self) -> bool:
        """Whether the episode is over."""
        return self._day.ended

    def facts(self, event: str) -> Facts:
        """Return the facts that an event of the chore left; empty before it has happened."""
        return self._day.facts(f"{self._part.name}.{event}")

    def rows(self, table: str, **where: object) -> list[Row]:
        """Rows whose columns equal the given values, by primary key; columns of the kind json are read."""
        return self._day.rows(table, **where)


def _as_is(value: object) -> object:
    return value


def wait_until(scene: Scene, minute: int, name: str = "") -> Iterator[Step]:
    """Wait until so many minutes after the start, unless the episode ends before; the steps are named for `name`, or
    for the minute.
    """
    end = scene.start + minute * MINUTE
    for number in count(1):
        if scene.now >= end or scene.ended:
            return
        seconds = max(1, -(-(end - scene.now) // SECOND))
        yield Step(f"wait_{name or minute}_{number}", "world.wait", {"seconds": seconds}, optional=True)


@dataclass(slots=True)
class LastResult:
    """Remembers the outcome of the agent's calls since the last `forget`, by operation, through any door."""

    records: dict[str, CallRecord] = field(default_factory=dict[str, CallRecord])

    def take(self, record: CallRecord) -> None:
        """A recorder."""
        if record.door in ("rest", "mcp", "page"):
            self.records[record.operation] = record

    def forget(self) -> None:
        """Start afresh before a call."""
        self.records.clear()


class DirectDoor:
    """Calls the host in process, under the name of any door; for the many runs of a scenario's checks."""

    def __init__(self, episode: Episode, door: str = "rest") -> None:
        self.name, self._episode = door, episode

    def do(self, operation: str, arguments: Arguments) -> Any:
        """Perform an operation. Raises StepRefused."""
        host = self._episode.host
        principal = self._episode.principal(host.operation(operation).app)
        try:
            return host.call(principal, self.name, operation, arguments)
        except OperationError as refusal:
            raise StepRefused(refusal.code, refusal.detail) from None

    def close(self) -> None:
        """Nothing is held."""
