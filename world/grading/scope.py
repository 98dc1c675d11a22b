"""Meaning of names in one run: refs, event facts, people, readable cells. Built anew for every grading."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from world.core.audience import Audience
from world.core.json_types import is_object
from world.core.reading.passage import Passage
from world.grading.commitment.retraction import find_sweeping_denial
from world.grading.corrections.detector import find_correction
from world.grading.directory import Person
from world.grading.effects import ChangeSet, Effect, row_name
from world.grading.errors import EventNotFired, GraderError
from world.grading.facts import vocabulary_of
from world.grading.inputs import CallRow, Change, Evidence, FiredEvent
from world.grading.readings import Readings, WorldLookup, decode
from world.grading.reasons.clause import Miss
from world.grading.tables import Key, Name, Row, Table


@dataclass(frozen=True, slots=True)
class PersonRef:
    """A person, by directory id."""

    id: str


@dataclass(frozen=True)
class RowRef:
    """A row that a ref names, as the seed (or the event that made it) had it."""

    table: str
    pk: Key
    row: Row


Resolved = PersonRef | RowRef | str | int | float | bool | None
Resolver = Callable[["Scope"], tuple[Resolved, ...]]


@dataclass(frozen=True, slots=True)
class Literal:
    """A value written in the rubric."""

    value: Any


@dataclass(frozen=True, slots=True)
class RefUse:
    """A ref, or one column of the row it names."""

    name: str
    field: str | None = None


@dataclass(frozen=True, slots=True)
class Fact:
    """`event.outage.start`: a fact an event stated when it fired; `plus` is added to a time (us)."""

    path: str
    plus: int = 0


Operand = Literal | RefUse | Fact


class Scope:
    """Refs resolve once, against S0 and what events stated; nothing the agent wrote can move them."""

    def __init__(self, evidence: Evidence, changes: ChangeSet, resolvers: Mapping[str, Resolver]) -> None:
        self.evidence, self.changes, self._resolvers = evidence, changes, resolvers
        self.directory = evidence.directory
        lookup = WorldLookup(evidence.tables, changes.final, evidence.s0, evidence.directory, evidence.contents)
        self.world = lookup
        self.readings = Readings(evidence.readings, lookup, evidence.tables)
        self._refs: dict[str, tuple[Resolved, ...] | EventNotFired] = {}
        self._facts: dict[str, Any] = {}
        self._rows: dict[tuple[str, Key], Row | None] = {}
        self._alike: dict[str, tuple[str, ...]] = {}
        self._open: list[str] = []
        self.told: dict[tuple[int, str, bool], tuple[str, str]] = {}  # clauses in words, by the clause's identity
        # passages added to a message at once, by its identity (the row is held so that it stays one), table and fields
        self.additions: dict[tuple[int, str, tuple[str, ...]], tuple[Row, tuple[Passage, ...]]] = {}
        # by claim and effect: why it is the wrong row; asked to match, and to explain
        self.misplaced: dict[tuple[str, int], list[Miss]] = {}
        self._readers: dict[int, Audience] = {}
        # journal entries charged to the agent, with or without what other apps made of its doings; and of one table
        self.charged: dict[bool, list[tuple[Change, Table]]] = {}
        self.charged_in: dict[tuple[bool, str], list[tuple[Change, Table]]] = {}

    def table(self, name: str) -> Table:
        """The description of a table."""
        return self.evidence.tables[name]

    def ref(self, name: str) -> tuple[Resolved, ...]:
        """Resolve a ref. Raises EventNotFired before its event, GraderError when it does not name exactly one thing."""
        known = self._refs.get(name)
        if known is None:
            if name in self._open:
                raise GraderError(f"the ref {name!r} refers to itself")
            self._open.append(name)
            try:
                known = self._resolvers[name](self)
            except EventNotFired as waiting:
                known = waiting
            finally:
                self._open.pop()
            self._refs[name] = known
        if isinstance(known, EventNotFired):
            raise EventNotFired(*known.args)
        return known

    def get_alike(self, table: Table) -> tuple[str, ...]:
        """The tables of an app in which one speaks in the same places as in a table, itself among them."""
        if table.name not in self._alike:
            self._alike[table.name] = tuple(
                one.name
                for one in self.evidence.tables.values()
                if one.app == table.app
                and one.conduct.place == table.conduct.place
                and set(table.conduct.words[:1]) <= one.columns.keys()
            )
        return self._alike[table.name]

    def list_readers(self, effect: Effect) -> Audience:
        """The readers of a row as an effect left it, found once."""
        if effect.number not in self._readers:
            table = self.evidence.tables[effect.table]
            self._readers[effect.number] = table.conduct.readers(decode(table, effect.written), self.world)
        return self._readers[effect.number]

    def names_row(self, table: str, pk: Key) -> bool:
        """Whether some ref of the rubric names a row."""
        return (table, pk) in self._named_rows

    @cached_property
    def sweeping_denials(self) -> Sequence[tuple[tuple[int, int], str]]:
        """Sentences by which the agent took back all that it had said, each with its time.

        They count in any place, also those yet to be sent.
        """
        found: list[tuple[tuple[int, int], str]] = []
        for one in self.changes.own_inserted.values():
            table = self.evidence.tables[one.table]
            for passage in self.readings.passages(table, one.row, table.conduct.words[:1]):
                if (sentence := find_sweeping_denial(passage)) is not None:
                    found.append(((one.first_at, one.number), sentence))
        return sorted(found)

    @cached_property
    def corrections(self) -> Sequence[tuple[Effect, str]]:
        """Messages by which the agent takes back or changes what it told before, each with the sentence."""
        vocabulary = vocabulary_of(self.directory)
        found: list[tuple[Effect, str]] = []
        for one in self.changes.own_inserted.values():
            sentence = next(filter(None, (find_correction(body, vocabulary) for body in self.list_bodies(one))), None)
            if sentence is not None:
                found.append((one, sentence))
        return found

    def list_bodies(self, effect: Effect) -> tuple[Passage, ...]:
        """What people read in a message, without its heading; nothing for other rows."""
        table = self.evidence.tables[effect.table]
        if not table.conduct.place:
            return ()
        parts = self.readings.of_effect(effect)
        bodies = tuple(part.passage for part in parts if part.kind == "body")
        return bodies if parts else self.readings.passages(table, effect.row, table.conduct.words[:1])

    @cached_property
    def _named_rows(self) -> frozenset[tuple[str, Key]]:
        found: set[tuple[str, Key]] = set()
        for name in self._resolvers:
            try:
                found |= {(one.table, one.pk) for one in self.ref(name) if isinstance(one, RowRef)}
            except (EventNotFired, GraderError):  # it names nothing in this run
                continue
        return frozenset(found)

    def fact(self, path: str) -> Any:
        """The fact behind `event.<name>.<fact>`; `at` and `start` are the time of firing where not stated otherwise."""
        if path not in self._facts:
            self._facts[path] = self._get_stated_fact(path)
        return self._facts[path]

    def _get_stated_fact(self, path: str) -> Any:
        event, rest = self._event(path)
        value: Any = event.facts
        for part in rest:
            if is_object(value) and part in value:
                value = value[part]
            elif value is event.facts and part in ("at", "start"):
                value = event.at
            else:
                raise GraderError(
                    f"{path}: the event states no {part!r}; it states {', '.join(sorted(event.facts)) or 'nothing'}"
                )
        return value

    def _event(self, path: str) -> tuple[FiredEvent, list[str]]:
        parts = path.split(".")[1:]
        for size in range(len(parts), 0, -1):
            name = ".".join(parts[:size])
            found = self.evidence.events.get(name)
            if found is not None:
                return found, parts[size:] or ["at"]
        raise EventNotFired(f"the event of {path} has not happened")

    def values(self, operand: Operand) -> tuple[Any, ...]:
        """Everything an operand stands for; one value except for refs with `many`."""
        if isinstance(operand, Literal):
            return (operand.value,)
        if isinstance(operand, Fact):
            value = self.fact(operand.path)
            return (value + operand.plus if operand.plus else value,)
        found = self.ref(operand.name)
        if operand.field is None:
            return found
        return tuple(self._field(one, operand) for one in found)

    def _field(self, one: Resolved, operand: RefUse) -> Any:
        field = operand.field or ""
        if isinstance(one, RowRef):
            return self.readable(self.table(one.table), one.row, field)
        if isinstance(one, PersonRef):
            return getattr(self.person(one.id), field)
        raise GraderError(f"{operand.name!r} is no row and no person; it has no fields")

    def value(self, operand: Operand) -> Any:
        """The one thing an operand stands for."""
        found = self.values(operand)
        if len(found) != 1:
            raise GraderError(f"{operand} names {len(found)} things where one is needed")
        return found[0]

    def person(self, id: str) -> Person:
        """A person of the seed's directory."""
        found = self.directory.by_id.get(id)
        if found is None:
            raise GraderError(f"there is no person {id!r} in the seed")
        return found

    def readable(self, table: Table, row: Row, column: str) -> Any:
        """Return a cell's value; for a readable column, the readable form of the key beside it."""
        name = table.names.get(column)
        return table.cell(row, column) if name is None or column in table.columns else self.lookup(name, row)

    def lookup(self, name: Name, row: Row) -> Any:
        """The readable value of a key, which is the last column of the named table's; any before it stand in the row by
        the same names.

        The seed's rows are asked first, so a rename during the run changes nothing.
        """
        if row.get(name.column) is None:
            return None
        table = self.evidence.tables[name.table]
        found = self._row(name.table, (*(row[column] for column in table.key[:-1]), row[name.column]))
        return None if found is None else self.readable(table, found, name.field)

    def _row(self, table: str, key: Key) -> Row | None:
        """A row that a key names, asked for once: hundreds of posts name one channel."""
        if (table, key) not in self._rows:
            self._rows[table, key] = self.evidence.s0.row(table, key) or self.changes.final.row(table, key)
        return self._rows[table, key]

    @property
    def zones(self) -> Sequence[str]:
        """The zones a time without one may be in: the agent's, the company's, UTC."""
        agent = self.directory.by_id.get(self.evidence.agent)
        company = str(self.directory.company.get("tz", "UTC"))
        return tuple(dict.fromkeys([agent.tz if agent else "UTC", company, "UTC"]))

    def call(self, seq: int) -> CallRow:
        """A call of the run."""
        return self.changes.ledger.call(seq)


def row_value(one: RowRef) -> Any:
    """Return the value by which a column points at a row: its key. Raises GraderError for a key of several columns."""
    if len(one.pk) != 1:
        raise GraderError(
            f"{row_name(one.table, one.pk)} has a key of several columns; compare with a field of the ref"
        )
    return one.pk[0]
