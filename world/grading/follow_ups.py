"""Follow-ups of a message: its author's next messages in the same conversation, before anybody else speaks there."""

from bisect import bisect_right
from collections.abc import Sequence

from world.core.clock import MINUTE
from world.grading.effects import Effect
from world.grading.scope import Scope
from world.grading.tables import Row, Table

AT_ONCE = 15 * MINUTE


def list_following(row: Row, table: Table, s: Scope) -> Sequence[Row]:
    """The messages the agent added within a quarter of an hour, oldest first."""
    if not table.conduct.place:
        return ()
    mine = s.changes.own_inserted.get((table.name, table.key_of(row)))
    if mine is None:
        return ()
    found: list[Row] = []
    for one in _list_said(table, mine.first_at, s):
        if not is_same_conversation(one.row, row, s.evidence.tables[one.table]):
            continue
        if one.origin != "agent":
            break
        found.append(one.row)
    return found


def find_sweeping(row: Row, table: Table, s: Scope) -> str | None:
    """The later sentence, in any place, by which the agent takes back all it said, this row with it."""
    mine = s.changes.own_inserted.get((table.name, table.key_of(row)))
    if mine is None:
        return None
    return next((said for at, said in s.sweeping_denials if at > (mine.first_at, mine.number)), None)


def _list_said(table: Table, after: int, s: Scope) -> Sequence[Effect]:
    """List the messages of anybody soon after a moment, in all tables for the same places.

    A review is said like a comment, and a message that one member sees like one that all see.
    """
    alike = s.get_alike(table)
    found: list[Effect] = []
    for name in alike:
        said = s.changes.inserted.get(name, ())
        begin, end = (bisect_right(said, at, key=lambda one: one.first_at) for at in (after, after + AT_ONCE))
        found += said[begin:end]
    return found if len(alike) == 1 else sorted(found, key=lambda one: (one.first_at, one.number))


def is_same_conversation(later: Row, earlier: Row, table: Table) -> bool:
    """Whether a message stands in the conversation of an earlier one, or in the one that it began."""
    place, thread = table.conduct.place, table.conduct.thread
    if not table.same(place, later.get(place), earlier.get(place)):
        return False
    if not thread:
        return True
    named, first = thread
    return later.get(named) in (earlier.get(named), earlier.get(first))
