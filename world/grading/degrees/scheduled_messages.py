"""Messages that the agent scheduled for after the end; they are judged as if they had been sent."""

from collections.abc import Iterator
from dataclasses import replace

from world.core.conduct import ScheduledRow
from world.core.journal import Change
from world.grading.effects import Ledger
from world.grading.inputs import AFTERWARDS, CallRow, Evidence
from world.grading.tables import Cells, Key


def append_scheduled_messages(evidence: Evidence) -> Evidence:
    """The run, and after it the messages that the agent has scheduled and that have not gone out."""
    calls, changes = list(evidence.calls), list(evidence.changes)
    for number, (scheduled, one) in enumerate(_list_pending(evidence), 1):
        call = CallRow(calls[-1].seq + 1, one.at, evidence.agent, "world", AFTERWARDS, scheduled.call_seq)
        described = evidence.tables[one.table]
        row: Cells = {**dict.fromkeys(described.columns), **one.cells, **dict.fromkeys(described.key, -number)}
        calls.append(call)
        key = described.key_of(row)
        changes.append(Change(changes[-1].id + 1, call.seq, one.table, key, "insert", None, row))
    return evidence if len(calls) == len(evidence.calls) else replace(evidence, calls=calls, changes=changes)


def _list_pending(evidence: Evidence) -> Iterator[tuple[Change, ScheduledRow]]:
    """The last entries of rows that the agent has left to be sent."""
    last: dict[tuple[str, Key], Change] = {}
    for change in evidence.changes:
        if change.table in evidence.tables:
            last[change.table, tuple(change.pk)] = change
    ledger = Ledger(evidence.calls)
    for change in last.values():
        one = evidence.tables[change.table].conduct.sends(change.after) if change.after else None
        if one is not None and ledger.origin(change.call_seq) == "agent":
            yield change, one
