"""The change set: the origin of each journal entry, and the net effect per row of agent, reaction and world."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal, NamedTuple

from world.core.event_queue import TOLD
from world.grading.errors import GraderError
from world.grading.inputs import AFTERWARDS, AGENT_DOORS, CallRow, Change, Evidence, Rows
from world.grading.tables import Cells, Key, Row, Table

Origin = Literal["agent", "reaction", "world"]
Kind = Literal["insert", "update", "delete"]


class Ledger:
    """The calls of a run, and the origin of each."""

    def __init__(self, calls: Sequence[CallRow], errands: frozenset[int] = frozenset()) -> None:
        self.calls: dict[int, CallRow] = {call.seq: call for call in calls}
        self._errands = errands
        self._chains: dict[int, tuple[int, ...]] = {}
        self._origins: dict[int, Origin] = {}
        self._back: dict[int, bool] = {}

    def call(self, seq: int) -> CallRow:
        """A call by number. Raises GraderError for a journal entry without one."""
        found = self.calls.get(seq)
        if found is None:
            raise GraderError(f"the journal names call {seq}, which is not there")
        return found

    def chain(self, seq: int) -> tuple[int, ...]:
        """Return the call, the call it is charged with, and so on up to the agent's call or the world's first."""
        known = self._chains.get(seq)
        if known is None:
            known = self._chains[seq] = tuple(self._climb(seq, self._find_charged_call))
        return known

    def causes(self, seq: int) -> Iterator[int]:
        """The call, what caused it, and so on up to the agent's call or the world's first, through other apps' rules
        too.
        """
        return self._climb(seq, lambda call: call.cause_seq)

    def _climb(self, seq: int, above: Callable[[CallRow], int | None]) -> Iterator[int]:
        limit = len(self.calls)
        current: int | None = seq
        while current is not None and limit >= 0:
            call = self.call(current)
            yield current
            current = None if call.door in AGENT_DOORS or call.cause_seq == current else above(call)
            limit -= 1
        if limit < 0:
            raise GraderError(f"the causes of call {seq} run in a circle")

    def _find_charged_call(self, call: CallRow) -> int | None:
        """Return the number of the call that answers for a call; None for a call that the world answers for.

        It is the call's cause, or the call that told another app to make it. Apps answer published events by their own
        rules, which are the world's.
        """
        if call.operation.startswith(TOLD):
            return None
        given = self._find_passed_on(call)
        return call.cause_seq if given is None else given.seq

    def _find_passed_on(self, call: CallRow) -> CallRow | None:
        """The call by which the same person told another app to make this one, as a commit's message may."""
        told = None if call.cause_seq is None else self.call(call.cause_seq)
        if told is None or told.cause_seq is None or not told.operation.startswith(TOLD):
            return None
        giver = self.call(told.cause_seq)
        return giver if giver.actor == call.actor else None

    def root(self, seq: int) -> CallRow:
        """Return the first call in the chain of a call."""
        return self.call(self.chain(seq)[-1])

    def origin(self, seq: int) -> Origin:
        """Return who is charged with a call.

        `agent`: its own calls and those it told an app to make. `reaction`: what these set off. `world`: everything
        else.
        """
        known = self._origins.get(seq)
        if known is None:
            known = self._origins[seq] = self._find_origin(seq)
        return known

    def _find_origin(self, seq: int) -> Origin:
        root, call = self.root(seq), self.call(seq)
        if root.door not in AGENT_DOORS:
            return "world"
        return "agent" if call is root or self.is_errand(seq) or self._find_passed_on(call) is root else "reaction"

    def is_errand(self, seq: int) -> bool:
        """Whether the world carried out in a call an order for that time: it sent a scheduled message."""
        return seq in self._errands

    def is_to_come(self, seq: int) -> bool:
        """Whether a call happens only after the end."""
        return self.call(seq).operation == AFTERWARDS

    def actor(self, seq: int) -> str:
        """Return the person who did a call; of an errand, the person who gave it."""
        return self.root(seq).actor if self.is_errand(seq) else self.call(seq).actor

    def goes_back(self, seq: int) -> bool:
        """Whether a call goes back to the agent at all, be it through another app's rules."""
        known = self._back.get(seq)
        if known is None:
            known = self._back[seq] = any(self.call(above).door in AGENT_DOORS for above in self.causes(seq))
        return known


class State:
    """A state as S0 and the journal entries after it."""

    def __init__(self, tables: Mapping[str, Table], s0: Rows, changes: Sequence[Change]) -> None:
        self._tables, self._s0 = tables, s0
        self._changed: dict[str, dict[Key, Cells | None]] = {}
        self._indexes: dict[tuple[str, tuple[str, ...]], dict[tuple[Any, ...], list[Cells]]] = {}
        for change in changes:
            self._changed.setdefault(change.table, {})[tuple(change.pk)] = change.after

    def row(self, table: str, pk: Key) -> Cells | None:
        """The row with a key, or None."""
        changed = self._changed.get(table, {})
        return changed[pk] if pk in changed else self._s0.row(table, pk)

    def rows(self, table: str) -> Iterator[Cells]:
        """Every row of a table: the seed's in its order, then the new ones."""
        changed = dict(self._changed.get(table, {}))
        if not changed:
            yield from self._s0.rows(table)
            return
        key_of = self._tables[table].key_of
        for row in self._s0.rows(table):
            now = changed.pop(key_of(row), row) if changed else row
            if now is not None:
                yield now
        yield from (row for row in changed.values() if row is not None)

    def _index(self, table: str, names: tuple[str, ...]) -> Mapping[tuple[Any, ...], Sequence[Cells]]:
        """The new and changed rows of a table by their values in some columns."""
        if (table, names) not in self._indexes:
            found: dict[tuple[Any, ...], list[Cells]] = {}
            for row in self._changed.get(table, {}).values():
                if row is not None:
                    found.setdefault(tuple(row.get(name) for name in names), []).append(row)
            self._indexes[table, names] = found
        return self._indexes[table, names]

    def find(self, table: str, where: Mapping[str, Any]) -> Iterator[Cells]:
        """The rows with these values in some columns: new and changed ones first."""
        changed, key_of = self._changed.get(table, {}), self._tables[table].key_of
        yield from self._index(table, tuple(where)).get(tuple(where.values()), ())
        yield from (row for row in self._s0.find(table, where) if key_of(row) not in changed)


@dataclass(frozen=True)
class Effect:
    """The net effect of one origin on one row.

    `row` is the row at the end (the last value of a deleted one), `written` as the origin left it, `before` the
    values of `columns` before its first write. `gone`: the row is not there at the end. `written_at` has the columns of
    updates.
    """

    number: int
    table: str
    pk: Key
    kind: Kind
    origin: Origin
    row: Row
    written: Row
    before: Row
    columns: frozenset[str]
    gone: bool
    history: tuple[Change, ...]
    actors: frozenset[str]
    first_at: int
    last_at: int
    written_at: Mapping[str, int] = field(default_factory=dict[str, int])

    @cached_property
    def name(self) -> str:
        """The row as verdicts write it: `TABLE:KEY.KEY`."""
        return row_name(self.table, self.pk)

    @cached_property
    def journal(self) -> list[int]:
        """The journal entries behind the effect."""
        return [change.id for change in self.history]

    @cached_property
    def calls(self) -> tuple[int, ...]:
        """The calls behind the effect, first to last."""
        return tuple(dict.fromkeys(change.call_seq for change in self.history))


@dataclass(frozen=True)
class ChangeSet:
    """All effects in the order of their first journal entry; `transient` rows were made and removed by the agent,
    `restored` ones changed and changed back.

    `columns` are those that each journal entry changed, by its id.
    """

    effects: tuple[Effect, ...]
    transient: tuple[Effect, ...]
    ledger: Ledger
    final: State
    columns: Mapping[int, frozenset[str]]
    restored: tuple[Effect, ...] = ()

    @cached_property
    def inserted(self) -> Mapping[str, Sequence[Effect]]:
        """The new rows by table, oldest first."""
        found: dict[str, list[Effect]] = {}
        for effect in sorted(self.effects, key=lambda effect: (effect.first_at, effect.number)):
            if effect.kind == "insert":
                found.setdefault(effect.table, []).append(effect)
        return found

    @cached_property
    def own_inserted(self) -> Mapping[tuple[str, Key], Effect]:
        """The new rows of the agent, by table and key."""
        return {(one.table, one.pk): one for one in self.effects if one.kind == "insert" and one.origin == "agent"}

    def of(self, *origins: Origin) -> list[Effect]:
        """The effects of some origins."""
        return [effect for effect in self.effects if effect.origin in origins]

    def meaningful(self, table: Table, change: Change) -> bool:
        """Whether an entry changed more than volatile, derived and benign columns."""
        return change.before is None or change.after is None or bool(self.columns[change.id] - table.quiet)


def row_name(table: str, pk: Key) -> str:
    """A row's name in verdicts and messages."""
    return f"{table}:{'.'.join(str(part) for part in pk)}"


def change_set(evidence: Evidence) -> ChangeSet:
    """Fold the journal by row and origin. Raises GraderError for a journal that contradicts itself."""
    check_journal(evidence)
    return fold(
        evidence.tables, evidence.s0, evidence.changes, Ledger(evidence.calls, frozenset(list_errands(evidence)))
    )


def list_errands(evidence: Evidence) -> Iterator[int]:
    """The calls in which a scheduled message went out, by their number; the row that held it is settled there."""
    for change in evidence.changes:
        sends = evidence.tables[change.table].conduct.sends
        if change.before is not None and sends(change.before) and not (change.after and sends(change.after)):
            yield change.call_seq
    yield from (call.seq for call in evidence.calls if call.operation == AFTERWARDS)


def check_journal(evidence: Evidence) -> None:
    """Ids rise, every entry continues its row's last one, and the state hash is that of S1."""
    if evidence.state_hashes and evidence.state_hashes[0] != evidence.state_hashes[1]:
        raise GraderError("the journal does not lead from the seed to the final state")
    last, rows = 0, dict[tuple[str, Key], Cells | None]()
    for change in evidence.changes:
        place = (change.table, tuple(change.pk))
        if change.id <= last:
            raise GraderError(f"journal entry {change.id} is out of order")
        last = change.id
        if change.table not in evidence.tables:
            raise GraderError(f"the journal names the table {change.table}, which no app describes")
        if change.before is None and change.after is None:
            raise GraderError(f"journal entry {change.id} changes nothing")
        if place in rows and rows[place] != change.before:
            raise GraderError(f"journal entry {change.id} does not continue the last one of {row_name(*place)}")
        if place not in rows and (evidence.s0.row(*place) is None) != (change.before is None):
            raise GraderError(f"journal entry {change.id} does not start from the seed's {row_name(*place)}")
        rows[place] = change.after


def fold(tables: Mapping[str, Table], s0: Rows, changes: Sequence[Change], ledger: Ledger) -> ChangeSet:
    """The net effects of a journal; control tables are outside the graded world."""
    final = State(tables, s0, changes)
    columns = {change.id: list_changed_columns(tables[change.table], change) for change in changes}
    groups: dict[tuple[str, Key, Origin], list[Change]] = {}
    for change in changes:
        if not tables[change.table].control:
            groups.setdefault((change.table, tuple(change.pk), ledger.origin(change.call_seq)), []).append(change)
    effects: list[Effect] = []
    transient: list[Effect] = []
    restored: list[Effect] = []
    came: Kind
    for number, ((name, pk, origin), history) in enumerate(groups.items()):
        ends = _ends(history, columns, ledger)
        kind, net = _net(tables[name], history, ends)
        if kind is not None:
            effects.append(_effect(tables[name], pk, origin, history, ledger, final, number, kind, net, ends))
        elif origin == "agent":
            came, found = ("insert", transient) if history[0].before is None else ("update", restored)
            found.append(_effect(tables[name], pk, origin, history, ledger, final, number, came, net, ends))
    return ChangeSet(tuple(effects), tuple(transient), ledger, final, columns, tuple(restored))


def list_changed_columns(table: Table, change: Change) -> frozenset[str]:
    """The columns one journal entry changed; all of them for a row that came or went."""
    before, after = change.before, change.after
    if before is None or after is None:
        return frozenset(after or before or ())
    return frozenset(
        c for c, value in after.items() if before.get(c) != value and not table.same(c, before.get(c), value)
    )


class _Ends(NamedTuple):
    """Of each written column: the value before its first write, the one after its last, and the time of that (us).

    Of a row that was written once, only the values after it.
    """

    before: Cells
    after: Cells
    at: dict[str, int]


def _net(table: Table, history: list[Change], ends: _Ends) -> tuple[Kind | None, frozenset[str]]:
    first, last = history[0].before, history[-1].after
    was, stays = not table.is_gone(first), not table.is_gone(last)
    if first is None:
        return ("insert", frozenset(last or ())) if stays else (None, frozenset())
    if last is None or (was and not stays):
        return "delete", frozenset(first)
    columns = frozenset(
        column for column, after in ends.after.items() if not table.same(column, ends.before[column], after)
    )
    columns -= table.volatile
    return ("update", columns) if columns else (None, frozenset())


def _ends(history: list[Change], columns: Mapping[int, frozenset[str]], ledger: Ledger) -> _Ends:
    first = history[0]
    if len(history) == 1 and first.before is None and first.after is not None:  # most rows are written once
        return _Ends({}, first.after, {})
    ends = _Ends({}, {}, {})
    for change in history:
        written = columns[change.id]
        before, after = change.before or {}, change.after or {}
        ends.before.update({column: before.get(column) for column in written if column not in ends.before})
        ends.after.update({column: after.get(column) for column in written})
        ends.at.update(dict.fromkeys(written, ledger.call(change.call_seq).at))
    return ends


def _effect(
    table: Table,
    pk: Key,
    origin: Origin,
    history: list[Change],
    ledger: Ledger,
    final: State,
    number: int,
    kind: Kind,
    columns: frozenset[str],
    ends: _Ends,
) -> Effect:
    last = next((c.after for c in reversed(history) if c.after is not None), None)
    written: Cells = last if last is not None and last is ends.after else {**(last or {}), **ends.after}
    if kind == "delete":
        written = {}
    now = final.row(table.name, pk)
    if kind == "delete":
        row = next(
            c.before
            for c in reversed(history)
            if c.before is not None and not (table.is_gone(c.before) and _bins(table, history))
        )
    else:
        row = now if now is not None else written
    return Effect(
        number,
        table.name,
        pk,
        kind,
        origin,
        row,
        written or row,
        {c: ends.before[c] for c in columns if c in ends.before} if kind == "update" else {},
        columns,
        table.is_gone(now),
        tuple(history),
        frozenset(ledger.actor(c.call_seq) for c in history),
        ledger.call(history[0].call_seq).at,
        ledger.call(history[-1].call_seq).at,
        ends.at,
    )


def _bins(table: Table, history: list[Change]) -> bool:
    """Whether some earlier value of the row was not in the bin."""
    return any(change.before is not None and not table.is_gone(change.before) for change in history)
