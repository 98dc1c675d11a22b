"""The frozen inputs of a grading: seed rows, baseline, journal, calls, fired events and the answer, as plain data."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

from pydantic import JsonValue

from world.core.journal import Change
from world.core.reading.part import Reader
from world.grading.directory import Directory
from world.grading.rows import Rows
from world.grading.tables import Cells, Key, Table

__all__ = [
    "AFTERWARDS",
    "AGENT_DOORS",
    "Answer",
    "CallRow",
    "Change",
    "Evidence",
    "FiredEvent",
    "Provenance",
    "Rows",
    "SeedRows",
]

AGENT_DOORS = frozenset({"rest", "mcp", "page"})
AFTERWARDS = "after the end"  # the operation of a call that has not happened yet, and will
Status = Literal["done", "impossible"]


@dataclass(frozen=True, slots=True)
class CallRow:
    """One call as the journal has it; `at` is microseconds since the epoch, `cause_seq` the call that led to it."""

    seq: int
    at: int
    actor: str
    door: str
    operation: str
    cause_seq: int | None = None
    status: str = "ok"


@dataclass(frozen=True, slots=True)
class FiredEvent:
    """A scenario event that has happened: its time (us), its call, and its facts."""

    at: int
    seq: int
    facts: Mapping[str, JsonValue] = field(default_factory=dict[str, JsonValue])


@dataclass(frozen=True, slots=True)
class Answer:
    """Answer that the agent submitted at the end. `evidence` names the row that shows why a task is impossible."""

    status: str
    fields: Mapping[str, JsonValue] = field(default_factory=dict[str, JsonValue])
    reason: str | None = None
    evidence: str | None = None


@dataclass(frozen=True, slots=True)
class Provenance:
    """Provenance that the verdict quotes beside its own revision."""

    scenario: str = ""
    seed: str = ""
    image: str = ""
    host: Mapping[str, str] = field(default_factory=dict[str, str])


@dataclass(frozen=True)
class Evidence:
    """One finished run. `baseline*` is the same world run to the horizon without any agent.

    `task` is the text the agent was given. `lacking` says which checks the host could not run; then there is no verdict either.
    `state_hashes` is (S0 advanced by the journal, S1); when given and unequal there is no verdict.
    `readings` say by table what people see of a row, `contents` are stored bytes by digest.
    `team` are the people whom agents played, if there were several; the first is `agent`.
    `stories` maps a story handle (`payroll`, `payroll.first_ticket`) to the rows it owns.
    """

    tables: Mapping[str, Table]
    s0: Rows
    changes: Sequence[Change]
    calls: Sequence[CallRow]
    agent: str
    directory: Directory
    events: Mapping[str, FiredEvent] = field(default_factory=dict[str, FiredEvent])
    answer: Answer | None = None
    baseline: Sequence[Change] = ()
    baseline_calls: Sequence[CallRow] = ()
    baseline_events: Mapping[str, FiredEvent] = field(default_factory=dict[str, FiredEvent])
    stories: Mapping[str, Sequence[tuple[str, Key]]] = field(default_factory=dict[str, Sequence[tuple[str, Key]]])
    start_at: int = 0
    task: str = ""
    marks: Provenance = Provenance()
    state_hashes: tuple[str, str] | None = None
    lacking: Sequence[str] = ()
    readings: Mapping[str, Reader] = field(default_factory=dict[str, Reader])
    contents: Mapping[str, bytes] = field(default_factory=dict[str, bytes])
    team: Sequence[str] = ()

    @cached_property
    def acting(self) -> frozenset[str]:
        """The people whom agents played."""
        return frozenset((self.agent, *self.team))


class SeedRows:
    """Rows held in memory, for tests and for worlds read from an export."""

    def __init__(self, tables: Mapping[str, Table], content: Mapping[str, Sequence[Mapping[str, Any]]]) -> None:
        self._rows: dict[str, dict[Key, Cells]] = {
            name: {tables[name].key_of(row): dict(row) for row in rows} for name, rows in content.items()
        }

    def rows(self, table: str) -> Iterator[Cells]:
        """Every row of a table, in the order given."""
        return iter(self._rows.get(table, {}).values())

    def row(self, table: str, pk: Key) -> Cells | None:
        """The row with a key, or None."""
        return self._rows.get(table, {}).get(tuple(pk))

    def find(self, table: str, where: Mapping[str, Any]) -> Iterator[Cells]:
        """The rows with these values in some columns."""
        return (row for row in self.rows(table) if all(row.get(name) == value for name, value in where.items()))

    def data(self, sha256: str) -> bytes | None:
        """Stored bytes by their digest: none are held."""
        return None

    def read_held(self, table: str, pk: Key) -> bytes | None:
        """The bytes of a row: none are held."""
        return None

    def blobs(self, table: str, column: str) -> Iterator[tuple[Key, bytes]]:
        """The bytes of a column by row: none are held."""
        return iter(())
