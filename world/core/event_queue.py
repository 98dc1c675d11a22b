"""The event queue of a world: rows of (due, priority, seq); what a numbered event does stays with the scenario."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import orjson
from pydantic import JsonValue

from world.store import Bound
from world.store.queries import value

TOPIC = -1  # number of a queue row that carries in its facts what an app wants to be told later
PUBLISHED = -2  # the same, told to the other apps
TOLD = "published:"  # prefix of the calls of published events
_DUE = """SELECT seq, due, priority, number, cause_seq, facts FROM _queue WHERE due <= ? ORDER BY due, priority, seq"""
STORM = 10_000  # events that may fire during one call


class EventStorm(Exception):
    """More events fired during one call than any honest scenario needs."""


@dataclass(frozen=True, slots=True)
class QueuedEvent:
    """A row of the queue: simulated time it is due, which event, which call caused it."""

    seq: int
    due: int
    priority: int
    number: int
    cause: int | None
    facts: Mapping[str, JsonValue]

    @property
    def name(self) -> str:
        """Name of the call in which the event fires: `event:3`, or `published:APP.TOPIC`."""
        return f"{TOLD}{self.facts['topic']}" if self.number == PUBLISHED else f"event:{self.number}"


def push(
    bound: Bound,
    *,
    due: int,
    number: int,
    cause: int | None,
    facts: Mapping[str, JsonValue] | None = None,
    priority: int = 0,
) -> int:
    """Queue an event; returns its row number. Numbers grow with use only, so nothing shows how many are to come."""
    text = orjson.dumps(facts, option=orjson.OPT_SORT_KEYS).decode() if facts else ""
    sql = "INSERT INTO _queue(due, priority, number, cause_seq, facts) VALUES (?, ?, ?, ?, ?) RETURNING seq"
    return value(bound, sql, due, priority, number, cause, text)


def withdraw(bound: Bound, seq: int) -> bool:
    """Take a row out of the queue; False if it is not there any more."""
    return bound.raw.execute("DELETE FROM _queue WHERE seq = ? RETURNING seq", (seq,)).fetchone() is not None


def withdraw_number(bound: Bound, number: int) -> int:
    """Take all pending rows of one scenario event out; returns how many there were."""
    return len(bound.raw.execute("DELETE FROM _queue WHERE number = ? RETURNING seq", (number,)).fetchall())


def find_due_event(bound: Bound, until: int) -> QueuedEvent | None:
    """The next event due at or before `until`."""
    row = bound.raw.execute(f"{_DUE} LIMIT 1", (until,)).fetchone()
    return None if row is None else _read(row)


def list_due_events(bound: Bound, until: int) -> list[QueuedEvent]:
    """Everything due at or before `until`, in the order it would happen."""
    return [_read(row) for row in bound.raw.execute(_DUE, (until,)).fetchall()]


def _read(row: tuple[Any, ...]) -> QueuedEvent:
    return QueuedEvent(*row[:5], facts=orjson.loads(row[5]) if row[5] else {})
