"""What an author adds to a message: their next messages in the same conversation, before anybody else speaks there."""

from collections.abc import Sequence

from world.core.clock import MINUTE
from world.grading.scope import Scope
from world.grading.tables import Row, Table

AT_ONCE = 15 * MINUTE


def list_following(row: Row, table: Table, s: Scope) -> Sequence[Row]:
    """The messages the agent added within a quarter of an hour, oldest first."""
    if not table.conduct.place:
        return ()
    said = [one for one in s.changes.effects if one.table == table.name and one.kind == "insert"]
    mine = next((one for one in said if one.origin == "agent" and table.key_of(one.row) == table.key_of(row)), None)
    if mine is None:
        return ()
    found: list[Row] = []
    later = [one for one in said if mine.first_at < one.first_at <= mine.first_at + AT_ONCE]
    for one in sorted(later, key=lambda effect: (effect.first_at, effect.number)):
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
