"""Context of an event's action: look-ups, acting as people, and facts left for rubrics."""

import inspect
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from pydantic import JsonValue
from sqlalchemy import Select, Table, bindparam, select
from sqlmodel import SQLModel

from world.core.call import Call
from world.core.clock import DAY
from world.core.directory import Person
from world.core.rng import Stream
from world.core.rows import Row
from world.script import personnel
from world.script.errors import NotYet, ScenarioError

Act = Callable[[str, str, Mapping[str, object]], Any]
Facts = Mapping[str, Any]  # what an event has left, or a part of it, by name: JSON values
_AGENT_CALL = "SELECT 1 FROM _call WHERE door IN ('rest', 'mcp', 'page') LIMIT 1"
WORLD = f"{Path(__file__).parents[1]}{os.sep}"


@dataclass(frozen=True, slots=True)
class FiredEvent:
    """Record of a fired event, for triggers, coworkers and rubrics."""

    at: int
    seq: int
    facts: Mapping[str, JsonValue]


@dataclass(frozen=True, slots=True)
class DayPart:
    """A chore of a composed day. Its events are called `<name>.<event>`; it begins when its request comes (us)."""

    name: str
    start: int


class Stage:
    """One firing of one event. Everything an action does goes through operations, with that person's permissions."""

    def __init__(
        self, call: Call, act: Act, start: int, *, trigger: Facts | None = None, part: DayPart | None = None
    ) -> None:
        self.call, self._act, self._part = call, act, part
        self.start = start if part is None else part.start
        self.trigger: Facts = trigger or {}
        self.facts: dict[str, JsonValue] = {}
        self.ended: list[int] = []
        self.queued: list[tuple[str, int, dict[str, JsonValue]]] = []

    @property
    def now(self) -> int:
        """Microseconds since the epoch, UTC."""
        return self.call.now

    def rng(self, *purpose: str | int) -> Stream:
        """Return a random stream for one purpose; the same in every run of the seed, independent of other draws."""
        own = () if self._part is None else ("part", self._part.name)
        return Stream(self.call.rng.seed, "stage", *own, *purpose)

    def locate_event(self, name: str) -> str:
        """The name of an event in the whole script; a chore of a composed day means its own."""
        return name if self._part is None else f"{self._part.name}.{name}"

    def rows(self, table: str, **where: object) -> list[Row]:
        """Rows of a table whose columns equal the given values, by primary key."""
        meta = SQLModel.metadata.tables.get(table)
        if meta is None:
            raise locate_mistake(f"no table {table!r}")
        for name, value in where.items():
            if name not in meta.columns:
                raise locate_mistake(f"{table} has no column {name!r}; it has {', '.join(meta.columns.keys())}")
            if not isinstance(value, str | int | float | bytes | None):
                raise locate_mistake(
                    f"{name} of {table} is compared with a {type(value).__name__}; of a person give the `id`"
                )
        found = self.call.execute(_query(meta, tuple(where)), where)
        names = tuple(found.keys())
        return [dict(zip(names, row, strict=True)) for row in found]

    def find(self, table: str, **where: object) -> Row:
        """The one row that matches. Raises ScenarioError if there is none."""
        found = self.rows(table, **where)
        if not found:
            raise locate_mistake(f"no row of {table} where {where}")
        return found[0]

    def person(self, handle: str) -> Person:
        """A person by handle or directory id. Raises ScenarioError if there is none."""
        found = self.call.directory.by_handle(handle) or self.call.directory.person(handle)
        if found is None:
            raise locate_mistake(f"nobody has the handle {handle!r}")
        return found

    def on_call(self, schedule: str) -> Person:
        """Return the person on call now. Raises ScenarioError on an empty rota."""
        found = self.call.directory.on_call(schedule)
        if found is None:
            raise locate_mistake(f"nobody is on call on {schedule!r}")
        return found

    def act(self, person: Person | str, operation: str, **arguments: object) -> Any:
        """Do something as a person. Returns the operation's result; None if an outage holds it back, or if it is refused
        after the agent's first call. Raises ScenarioError if it is refused before, which is a mistake of the author's.
        """
        return self._act(person if isinstance(person, str) else person.id, operation, arguments)

    def rename(self, person: Person | str, full_name: str, *, email: str = "") -> None:
        """Give somebody another name, and address, in every app."""
        personnel.rename(self.call, self._whom(person), full_name, email=email)

    def move(self, person: Person | str, team: str, *, title: str = "", manager: Person | str = "") -> None:
        """Put somebody into another team, by name or id. Raises ScenarioError if there is none."""
        try:
            personnel.move(
                self.call, self._whom(person), team, title=title, manager=self._whom(manager).id if manager else ""
            )
        except LookupError as error:
            raise locate_mistake(str(error)) from None

    def leave(
        self,
        person: Person | str,
        days: float,
        *,
        kind: str = "vacation",
        note: str = "",
        delegate: Person | str | None = None,
    ) -> None:
        """Send somebody away from now on."""
        until = self.now + round(days * DAY)
        personnel.leave(
            self.call,
            self._whom(person),
            until,
            kind=kind,
            note=note,
            delegate=self._whom(delegate).id if delegate else None,
        )

    def deactivate(self, person: Person | str) -> None:
        """Take somebody's accounts away, everywhere."""
        personnel.deactivate(self.call, self._whom(person))

    def _whom(self, person: Person | str) -> Person:
        return self.person(person if isinstance(person, str) else person.id)

    def try_out(self, action: Callable[[], None], find_wrong: Callable[["Stage"], list[str]]) -> list[str]:
        """Do something, and undo all of it if something is found to be wrong with it; returns what was wrong.

        Raises ScenarioError after the agent's first call, whose answers nothing may take back.
        """
        if self._has_agent_called:
            raise locate_mistake("nothing can be tried out after the agent's first call")
        raw = self.call.bound.raw
        facts, ended, queued = dict(self.facts), list(self.ended), list(self.queued)
        self.call.flush()
        raw.execute("SAVEPOINT try_out")
        action()
        self.call.flush()
        if wrong := find_wrong(self):
            raw.execute("ROLLBACK TO try_out")
            self.call.close(keep=False)
            self.facts, self.ended, self.queued = facts, ended, queued
        raw.execute("RELEASE try_out")
        return wrong

    @property
    def _has_agent_called(self) -> bool:
        """Whether a call has come through an agent's door."""
        return self.call.bound.raw.execute(_AGENT_CALL).fetchone() is not None

    def note(self, **facts: JsonValue) -> None:
        """Leave facts under the event's name: what rubrics call `event.<name>.<fact>`."""
        self.facts.update(facts)

    def fired(self, event: str) -> FiredEvent | None:
        """Return the time and facts of an earlier event; None if it has not fired."""
        stored = self.call.state(f"event:{self.locate_event(event)}")
        if not isinstance(stored, dict):
            return None
        return FiredEvent(int(str(stored["at"])), int(str(stored["seq"])), stored.get("facts") or {})  # type: ignore[arg-type]

    def fact(self, event: str, name: str) -> Any:
        """One fact of an earlier event. Raises ScenarioError if it has not fired or left no such fact."""
        found = self.fired(event)
        if found is None:
            raise NotYet(str(locate_mistake(f"event {event!r} has not happened yet; ask w.fired first")))
        if name not in found.facts:
            raise locate_mistake(
                f"event {event!r} has left no fact {name!r}; it has left {', '.join(found.facts) or 'none'}"
            )
        return found.facts[name]

    def queue(self, event: str, delay_us: int, **facts: JsonValue) -> None:
        """Let another event of the script happen after a while; its action sees `facts` as its trigger."""
        self.queued.append((self.locate_event(event), delay_us, facts))

    def start_fault(self, number: int) -> None:
        """Switch a fault of the script on."""
        self.call.bound.raw.execute(
            "INSERT OR REPLACE INTO _fault(number, since, mark_seq, ending) VALUES (?, ?, ?, NULL)",
            (number, self.now, self.call.seq),
        )

    def end_fault(self, number: int, *, lingers: bool = False) -> None:
        """Switch a fault of the script off; one that lingers fades, or comes back for a while."""
        self.ended.append(number)
        if lingers:
            self.call.bound.raw.execute("UPDATE _fault SET ending = ? WHERE number = ?", (self.now, number))
        else:
            self.call.bound.raw.execute("DELETE FROM _fault WHERE number = ?", (number,))

    def active_faults(self) -> list[int]:
        """Numbers of the faults that are on."""
        return [row[0] for row in self.call.bound.raw.execute("SELECT number FROM _fault ORDER BY number")]


@lru_cache(maxsize=500)
def _query(table: Table, names: tuple[str, ...]) -> Select[Any]:
    """A table's rows by the values of some columns: made once, since making it costs more than running it."""
    query = select(table).order_by(*table.primary_key.columns)
    return query.where(
        *(table.columns[name].is_not_distinct_from(bindparam(name, type_=table.columns[name].type)) for name in names)
    )


def locate_mistake(message: str) -> ScenarioError:
    """A mistake of an author's, with the place in their file that led here."""
    frame = inspect.currentframe()
    while frame is not None and frame.f_code.co_filename.startswith(WORLD):
        frame = frame.f_back
    return ScenarioError(f"{frame.f_code.co_filename}:{frame.f_lineno}: {message}" if frame is not None else message)
