"""Follow-ups of a message: what its author says next in the same conversation, and later to the same readers."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence

from world.core.audience import Audience
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


def list_later(row: Row, table: Table, s: Scope) -> Iterator[Effect]:
    """The new rows that the agent makes later for a reader of a row, for who takes part in its conversation, or in its
    place.
    """
    mine = s.changes.own_inserted.get((table.name, table.key_of(row)))
    if mine is None or mine.origin != "agent":
        return
    readers = s.list_readers(mine) | Audience(_list_partners(row, table, s))
    for effect in s.changes.of("agent"):
        if effect.kind == "insert" and effect.first_at > mine.first_at and effect.number != mine.number:
            if _share(readers, s.list_readers(effect), s.evidence.agent) or _is_in_place(effect, row, table, s):
                yield effect


def list_corrections(row: Row, table: Table, s: Scope) -> Iterator[tuple[Effect, str]]:
    """The later messages by which the agent takes back or changes what it told others in a message, with the sentences.

    They reach a reader of the message, somebody who takes part in its conversation, or its place.
    """
    mine = s.changes.own_inserted.get((table.name, table.key_of(row)))
    later = [one for one in s.corrections if mine is not None and (one[0].first_at, one[0].number) > _order(mine)]
    if mine is None or not later or not table.conduct.place:
        return
    readers = s.list_readers(mine) | Audience(_list_partners(row, table, s))
    for effect, sentence in later:
        if _share(readers, s.list_readers(effect), s.evidence.agent) or _is_in_place(effect, row, table, s):
            yield effect, sentence


def _order(effect: Effect) -> tuple[int, int]:
    return effect.first_at, effect.number


def _list_partners(row: Row, table: Table, s: Scope) -> frozenset[str]:
    """Everybody else who has spoken in the conversation of a message."""
    if not table.conduct.place:
        return frozenset()
    said = (one for name in s.get_alike(table) for one in s.changes.inserted.get(name, ()))
    others = (one for one in said if one.origin != "agent")
    return frozenset(
        s.changes.ledger.actor(one.calls[0])
        for one in others
        if is_same_conversation(row, one.row, s.evidence.tables[one.table])
    )


def _share(one: Audience, other: Audience, author: str) -> bool:
    """Whether both are told to somebody by name."""
    return bool((one.people & other.people) - {author}) or bool(one.outsiders & other.outsiders)


def _is_in_place(effect: Effect, row: Row, table: Table, s: Scope) -> bool:
    place = table.conduct.place
    alike = bool(place) and effect.table in s.get_alike(table)
    return alike and table.same(place, effect.written.get(place), row.get(place))


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
