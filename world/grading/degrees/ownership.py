"""Ownership of a row: by the agent, who made it or stands in it as its owner, or by somebody else."""

from functools import cached_property
from typing import Any

from world.grading.effects import ChangeSet
from world.grading.scope import Scope
from world.grading.tables import Key, Row, Table


class Ownership:
    """Decides by the seed, the journal and what the apps declare."""

    def __init__(self, scope: Scope, changes: ChangeSet) -> None:
        self._scope, self._changes = scope, changes

    def is_own(self, table: Table, pk: Key, row: Row) -> bool:
        """Whether the agent is among the owners of a row; of one that names none, whether it was made in this run."""
        if not table.conduct.owners:
            return (table.name, pk) in self._own_rows
        agent = self._scope.evidence.agent
        return any(self._person(table, row, column) == agent for column in table.conduct.owners)

    def _person(self, table: Table, row: Row, column: str) -> str | None:
        value: Any = self._scope.readable(table, row, column)
        return self._scope.directory.identify(value, table.app)

    @cached_property
    def _own_rows(self) -> frozenset[tuple[str, Key]]:
        seen: set[tuple[str, Key]] = set()
        made: set[tuple[str, Key]] = set()
        for change in self._scope.evidence.changes:
            place = (change.table, tuple(change.pk))
            if place not in seen and change.before is None and self._changes.ledger.origin(change.call_seq) == "agent":
                made.add(place)
            seen.add(place)
        return frozenset(made)
