"""One run prepared for matching: its effects without benign ones, and which of them follow from others."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from world.grading.effects import ChangeSet, Effect
from world.grading.inputs import Change, Evidence
from world.grading.rubric_loader import Rubric
from world.grading.scope import Scope
from world.grading.tables import Key, Table

MAX_EFFECTS, MAX_EFFECTS_OF_DAY = 500, 2_500  # changed rows of one chore, of all of a day


@dataclass(frozen=True)
class GradingContext:
    """One run, ready to be matched with claims. `effects` keeps journal order; `columns` are those of each that count."""

    rubric: Rubric
    evidence: Evidence
    changes: ChangeSet
    scope: Scope
    effects: Sequence[Effect]
    columns: Mapping[int, frozenset[str]]
    follows: frozenset[int]

    @property
    def limit(self) -> int:
        """How many effects a run may have at most; on a composed day each chore counts."""
        return min(MAX_EFFECTS * max(1, len(self.rubric.parts)), MAX_EFFECTS_OF_DAY)

    @cached_property
    def charged(self) -> list[Effect]:
        """Effects that the agent answers for: its own, and those it set off."""
        return [effect for effect in self.effects if effect.origin != "world"]


def build_context(rubric: Rubric, evidence: Evidence, changes: ChangeSet) -> GradingContext:
    """Build the context: drop benign effects and mark derived ones."""
    scope = Scope(evidence, changes, rubric.resolvers)
    writes = _Writes(evidence, changes)
    effects: list[Effect] = []
    columns: dict[int, frozenset[str]] = {}
    for effect in changes.effects:
        table = evidence.tables[effect.table]
        left = _effective(effect, table, rubric, writes)
        free = table.only_benign and rubric.is_benign(table.name)
        if left if effect.kind == "update" else not free:
            effects.append(effect)
            columns[effect.number] = left
    follows = frozenset(e.number for e in effects if writes.follows(e, evidence.tables[e.table]))
    return GradingContext(rubric, evidence, changes, scope, effects, columns, follows)


def _effective(effect: Effect, table: Table, rubric: Rubric, writes: "_Writes") -> frozenset[str]:
    left = effect.columns - table.volatile
    if effect.kind == "update":
        left -= {column for column in left & table.derived if writes.column_follows(effect, column)}
        if rubric.is_benign(table.name):
            left -= table.benign
    return left


class _Writes:
    """Index of the calls of a run: rows each call touched, and calls that wrote more than derived rows."""

    def __init__(self, evidence: Evidence, changes: ChangeSet) -> None:
        self._changes = changes
        self._touched: dict[int, set[tuple[str, Key]]] = {}
        self._changed: dict[int, set[tuple[str, Key]]] = {}
        self._earnest: set[int] = set()
        self._booked: set[int] = set()
        for change in evidence.changes:
            table = evidence.tables[change.table]
            place = (change.table, tuple(change.pk))
            self._touched.setdefault(change.call_seq, set()).add(place)
            book = table.is_book(change.after or change.before or {})
            if not book and changes.columns[change.id] - table.volatile - table.derived:
                self._booked.add(change.call_seq)
            if changes.meaningful(table, change):
                self._changed.setdefault(change.call_seq, set()).add(place)
                if not table.derived_from and not book and not table.only_benign:
                    self._earnest.add(change.call_seq)

    def column_follows(self, effect: Effect, column: str) -> bool:
        """Whether every write of a derived column came with a real write in the same chain of calls."""
        mine = [change for change in effect.history if column in self._changes.columns[change.id]]
        return all(self._earnest.intersection(self._changes.ledger.chain(change.call_seq)) for change in mine)

    def follows(self, effect: Effect, table: Table) -> bool:
        """Whether a row of a derived table was written together with the row it belongs to.

        For a row of books, any other row will do.
        """
        if all(table.is_book(change.after or change.before or {}) for change in effect.history):
            return all(
                self._booked.intersection(self._changes.ledger.chain(change.call_seq)) for change in effect.history
            )
        follows = self._leaves_with_whole if effect.kind == "delete" else self._beside_primary
        return bool(table.derived_from) and all(
            self._beside_primary(change, table) or follows(change, table) for change in effect.history
        )

    def _beside_primary(self, change: Change, table: Table) -> bool:
        chain = self._changes.ledger.chain(change.call_seq)
        if not self._earnest.intersection(chain):
            return False
        row = change.after or change.before or {}
        wanted = tuple(str(row.get(column)) for column in table.derived_key)
        touched = (place for seq in chain for place in self._touched.get(seq, ()))
        return any(name in table.derived_from and tuple(map(str, pk[: len(wanted)])) == wanted for name, pk in touched)

    def _leaves_with_whole(self, change: Change, table: Table) -> bool:
        """Whether the row that a deleted one is a part of was changed in earnest in the same chain of calls."""
        row = change.after or change.before or {}
        wholes = {(name, (row.get(column),)) for name, column in table.part_of.items()}
        return any(
            not wholes.isdisjoint(self._changed.get(seq, ())) for seq in self._changes.ledger.chain(change.call_seq)
        )
