"""Queue of answers that coworkers owe: one row per asker and place, and the messages behind it.

The messages are read again when the answer is typed.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import orjson
from pydantic import JsonValue
from sqlmodel import SQLModel

from world.core import event_queue
from world.core.app import App, HeardMessage
from world.core.call import Call
from world.core.clock import SECOND
from world.core.journal import Change
from world.core.json_types import is_object

READING = 20 * SECOND  # time to read a message that arrives while an answer is being typed
Facts = dict[str, JsonValue]
_DELETED_BY = """SELECT c.actor FROM _journal j JOIN _call c ON c.seq = j.call_seq
    WHERE j.table_name = ? AND j.pk = ? AND j.op = 'delete' ORDER BY j.id DESC LIMIT 1"""


class PendingReply(NamedTuple):
    """A row of the queue with an answer to come, and its messages."""

    seq: int
    due: int
    messages: list[JsonValue]


def find_waiting(call: Call, number: int, heard: HeardMessage) -> PendingReply | None:
    """Return the answer that somebody is about to give to the same person in the same place, or None."""
    sql = "SELECT seq, due, facts FROM _queue WHERE number = ? AND facts <> '' ORDER BY seq"
    for seq, due, text in call.bound.raw.execute(sql, (number,)).fetchall():
        facts = orjson.loads(text)
        same = all(facts.get(name) == getattr(heard, name) for name in ("listener", "speaker", "place"))
        if same and "messages" in facts and "question" not in facts:
            return PendingReply(seq, due, facts["messages"])
    return None


def push_answer(call: Call, number: int, heard: HeardMessage, change: Change, due: int, **more: JsonValue) -> None:
    """Queue an answer. What is to be answered in the same place is answered with it, when that is due."""
    waiting, messages = find_waiting(call, number, heard), [_message(heard, change)]
    if waiting is not None:
        event_queue.withdraw(call.bound, waiting.seq)
        due, messages = max(waiting.due, call.now + READING), [*waiting.messages, *messages]
    facts: Facts = {**_whom(heard), "messages": messages, **more}
    event_queue.push(call.bound, due=due, number=number, cause=call.seq, facts=facts)


def push_thanks(call: Call, number: int, heard: HeardMessage, change: Change, due: int, question: str) -> None:
    """Queue a reaction to an answer. It has no cause: it is the world's."""
    facts: Facts = {**_whom(heard), "messages": [_message(heard, change)], "question": question}
    event_queue.push(call.bound, due=due, number=number, cause=None, facts=facts)


def _whom(heard: HeardMessage) -> Facts:
    return {"listener": heard.listener, "speaker": heard.speaker, "place": heard.place}


def _message(heard: HeardMessage, change: Change) -> JsonValue:
    row = change.after or {}
    keys = SQLModel.metadata.tables[change.table].primary_key.columns.keys()
    return {"table": change.table, "pk": [row[name] for name in keys], "heard": to_facts(heard)}


def refresh_messages(call: Call, app: App, facts: Mapping[str, JsonValue]) -> HeardMessage | None:
    """Read the messages of a waiting answer again; the answer goes where the last of them can be answered.

    None if all of them have been deleted since, or do not speak to the coworker any more.
    """
    found = [heard for message in _list_messages(facts["messages"]) for heard in _hear_again(call, app, message, facts)]
    text = "\n".join(dict.fromkeys(heard.text for heard in found))
    return replace(found[-1], text=text) if found else None


def _list_messages(messages: JsonValue) -> list[Mapping[str, Any]]:
    return [message for message in messages if is_object(message)] if isinstance(messages, list) else []


def _hear_again(call: Call, app: App, message: Mapping[str, Any], facts: Mapping[str, JsonValue]) -> list[HeardMessage]:
    row = _find_row(call, message["table"], message["pk"])
    if row is None and not _is_withdrawn(call, message, facts):
        return [from_facts(message["heard"])]
    if row is None or app.hears is None:
        return []
    change = Change(0, call.seq, message["table"], tuple(message["pk"]), "insert", None, row)
    return [
        heard
        for heard in app.hears(call, change)
        if (heard.listener, heard.place) == (facts["listener"], facts["place"])
    ][:1]


def _find_row(call: Call, table: str, pk: Sequence[Any]) -> dict[str, Any] | None:
    """A row as the journal has it; None once it is deleted."""
    meta = SQLModel.metadata.tables[table]
    names, gone = meta.columns.keys(), str(meta.info.get("soft_delete", ""))
    keys = meta.primary_key.columns.keys()
    columns, where = ", ".join(f'"{name}"' for name in names), " AND ".join(f'"{name}" = ?' for name in keys)
    found = call.bound.raw.execute(f'SELECT {columns} FROM "{table}" WHERE {where}', tuple(pk)).fetchone()
    row = None if found is None else dict(zip(names, found, strict=True))
    return None if row is None or row.get(gone) else row


def _is_withdrawn(call: Call, message: Mapping[str, Any], facts: Mapping[str, JsonValue]) -> bool:
    """Whether a row is gone because its author took it back, or because the listener has done what it asks.

    A request to a team goes away when any of its members does.
    """
    pk = orjson.dumps(message["pk"]).decode()
    found = call.bound.raw.execute(_DELETED_BY, (message["table"], pk)).fetchone()
    return found is None or found[0] in (facts["speaker"], facts["listener"])


def to_facts(heard: HeardMessage) -> Facts:
    """Turn something heard into facts of the queue."""
    names = ("text", "operation", "field")
    return {**_whom(heard), **{name: getattr(heard, name) for name in names}, "arguments": dict(heard.arguments)}


def from_facts(facts: Mapping[str, Any]) -> HeardMessage:
    """Restore something heard from facts."""
    listener, speaker, text, place = (str(facts[name]) for name in ("listener", "speaker", "text", "place"))
    return HeardMessage(
        listener, speaker, text, place, str(facts["operation"]), dict(facts["arguments"]), str(facts["field"])
    )
