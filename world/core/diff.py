"""Net changes of a world: the net diff, the incremental state hash, and the hash of everything."""

from dataclasses import dataclass
from typing import Any
from weakref import WeakKeyDictionary

from world.core.journal import entries, parse_json
from world.store import Base, Bound
from world.store.digest import MODULUS, RunningDigest, Shape, row_hash, scan

__all__ = ["NetChange", "RunningDigest", "compute_changed_hash", "full_hash", "net_diff", "state_hash"]

SINCE = "SELECT id, table_name, pk, before, after FROM _journal WHERE id > ? ORDER BY id"
KEPT_HASHES = 50_000  # rows of an image
_SEALED: "WeakKeyDictionary[Base, dict[tuple[str, str], int]]" = WeakKeyDictionary()
NAMED = "SELECT DISTINCT table_name, pk FROM _journal"


@dataclass(frozen=True, slots=True)
class NetChange:
    """One row that is different in the end, and the journal entries that made it so."""

    table: str
    pk: tuple[Any, ...]
    op: str
    before: dict[str, Any] | None
    after: dict[str, Any] | None
    journal_ids: tuple[int, ...]


def net_diff(bound: Bound, since_call: int = 0) -> list[NetChange]:
    """Return the net diff of all calls after `since_call`: first before, last after.

    Rows with the same values as at first drop out. Ordered by table, then by the first journal entry of the row.
    """
    rows: dict[tuple[str, str], tuple[str | None, list[str | None], list[int]]] = {}
    for id, table, pk, before, after in entries(bound, since_call):
        _, last, ids = rows.setdefault((table, pk), (before, [after], []))
        last[0] = after
        ids.append(id)
    found = [
        _fold(table, pk, before, last[0], ids) for (table, pk), (before, last, ids) in rows.items() if before != last[0]
    ]
    return sorted((row for row in found if row.before != row.after), key=lambda row: (row.table, row.journal_ids[0]))


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


def compute_changed_hash(bound: Bound, image: Bound) -> int:
    """The same hash from the image's and, for the rows that the journal names, from what image and world hold."""
    base = bound.world.base
    total, sealed = base.state_hash, _SEALED.setdefault(base, {})
    if len(sealed) > KEPT_HASHES:
        sealed.clear()
    named: dict[str, set[str]] = {}
    for table, pk in bound.raw.execute(NAMED):
        named.setdefault(table, set()).add(pk)
    for table, keys in named.items():
        find = Shape(base.tables[table]).find(table)
        for pk in sorted(keys):
            if (table, pk) not in sealed:
                sealed[table, pk] = _hash_row(image, find, table, pk)
            total += _hash_row(bound, find, table, pk) - sealed[table, pk]
    return total % MODULUS


def _hash_row(bound: Bound, find: str, table: str, pk: str) -> int:
    """The hash of a row, 0 where there is none."""
    return sum(row_hash(table, pk, columns) for (columns,) in bound.raw.execute(find, (pk,)))


def full_hash(bound: Bound) -> int:
    """The same hash from every row of every table."""
    return scan(bound.raw, bound.world.base.tables)


def _fold(table: str, pk: str, before: str | None, after: str | None, ids: list[int]) -> NetChange:
    op = "insert" if before is None else "delete" if after is None else "update"
    was, now = (None if text is None else parse_json(text) for text in (before, after))
    return NetChange(table, tuple(parse_json(pk)), op, was, now, tuple(ids))
