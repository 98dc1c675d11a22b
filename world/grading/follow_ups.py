"""What an author adds to a message: their next messages in the same conversation, before anybody else speaks there."""

from bisect import bisect_right
from collections.abc import Sequence
from itertools import islice

from world.core.clock import MINUTE
from world.grading.scope import Scope
from world.grading.tables import Row, Table

AT_ONCE = 15 * MINUTE


def list_following(row: Row, table: Table, s: Scope) -> Sequence[Row]:
    """The messages the agent added within a quarter of an hour, oldest first."""
    if not table.conduct.place:
        return ()
    said = s.changes.inserted.get(table.name, ())
    mine = s.changes.own_inserted.get((table.name, table.key_of(row)))
    if mine is None:
        return ()
    found: list[Row] = []
    for one in islice(said, bisect_right(said, mine.first_at, key=lambda effect: effect.first_at), None):
        if one.first_at > mine.first_at + AT_ONCE:
            break
        if not is_same_conversation(one.row, row, table):
            continue
        if one.origin != "agent":
            break
        found.append(one.row)
    return found


def is_same_conversation(later: Row, earlier: Row, table: Table) -> bool:
    """Whether a message stands in the conversation of an earlier one, or in the one that it began."""
    place, thread = table.conduct.place, table.conduct.thread
    if not table.same(place, later.get(place), earlier.get(place)):
        return False
    if not thread:
        return True
    named, first = thread
    return later.get(named) in (earlier.get(named), earlier.get(first))
