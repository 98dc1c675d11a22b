"""What changed in the end: the net diff, the incremental state hash, and the hash of everything."""

from dataclasses import dataclass
from typing import Any

from world.journal import Change, changes
from world.store import Base, Bound
from world.store.digest import MODULUS, RunningDigest, row_hash, scan

__all__ = ["NetChange", "RunningDigest", "full_hash", "net", "net_diff", "state_hash"]

SINCE = "SELECT id, table_name, pk, before, after FROM _journal WHERE id > ? ORDER BY id"


@dataclass(frozen=True, slots=True)
class NetChange:
    """One row that is different in the end, and the journal entries that made it so."""

    table: str
    pk: tuple[Any, ...]
    op: str
    before: dict[str, Any] | None
    after: dict[str, Any] | None
    journal_ids: tuple[int, ...]


def net(changes: list[Change]) -> list[NetChange]:
    """Fold the journal by row: first before, last after; rows that came back to what they were drop out.

    Ordered by table, then by the first journal entry of the row.
    """
    rows: dict[tuple[str, tuple[Any, ...]], list[Change]] = {}
    for change in changes:
        rows.setdefault((change.table, change.pk), []).append(change)
    found = [_fold(table, pk, history) for (table, pk), history in rows.items()]
    return sorted((row for row in found if row.before != row.after), key=lambda row: (row.table, row.journal_ids[0]))


def net_diff(bound: Bound, since_call: int = 0) -> list[NetChange]:
    """The net diff of all calls after `since_call`."""
    return net(changes(bound, since_call))


def state_hash(bound: Bound, base: Base, *, resume: tuple[int, int] | None = None) -> tuple[int, int]:
    """(last journal id, hash of all tracked rows), from the base or from an earlier answer."""
    last, total = resume or (0, base.state_hash)
    for id, table, pk, before, after in bound.raw.execute(SINCE, (last,)):
        last = id
        if after is not None:
            total += row_hash(table, pk, after)
        if before is not None:
            total -= row_hash(table, pk, before)
    return last, total % MODULUS


def full_hash(bound: Bound) -> int:
    """The same hash from every row of every table."""
    return scan(bound.raw, bound.world.base.tables)


def _fold(table: str, pk: tuple[Any, ...], history: list[Change]) -> NetChange:
    before, after = history[0].before, history[-1].after
    op = "insert" if before is None else "delete" if after is None else "update"
    return NetChange(table, pk, op, before, after, tuple(change.id for change in history))
