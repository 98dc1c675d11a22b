"""Existing messages: change, delete, permalink."""

from typing import TypedDict

from pydantic import Field
from sqlalchemy import update

from apps.slack import conversation_access, message_views
from apps.slack.app import app
from apps.slack.conversation_access import Room
from apps.slack.example_objects import A_CHANNEL, A_CHANNEL_OF_MINE, A_MESSAGE, ITS_LATEST
from apps.slack.limits import DOCS, SPECIAL, TIER3
from apps.slack.message_delivery import (
    canonical_ts,
    forget_mentions,
    format_ts,
    parse_ts,
    record_mentions,
    recount_replies,
)
from apps.slack.message_views import Row
from apps.slack.models import Message
from apps.slack.operations.messages import CONTENT_CODES, Content, MeMessageAnswer, compose_content
from apps.slack.params import CHANNEL, TIMESTAMP, Ident, InChannel, Ts
from apps.slack.profiles import Roster
from world.core.call import Call
from world.core.clock import SECOND
from world.core.errors import OperationError
from world.core.json_types import JsonObject

IMPLIED = (
    "ts",
    "pinned_to",
)  # the answer to chat.update does not repeat them; docs.slack.dev/reference/methods/chat.update


class UpdateMessage(Content):
    """A message's new content; what is left out stays."""

    channel: Ident = CHANNEL
    ts: Ts = TIMESTAMP


class DeleteMessage(InChannel):
    """Message to delete."""

    ts: Ts = TIMESTAMP


class GetPermalink(InChannel):
    """Message whose permalink to return."""

    message_ts: Ts = Field(description="ts of the message.", examples=["1700000000.000100"])


class UpdatedMessage(TypedDict):
    """The message as it is now."""

    channel: str
    ts: str
    text: str
    message: JsonObject


class Permalink(TypedDict):
    """A message's address."""

    channel: str
    permalink: str


def get_message(call: Call, room: Room, ts: str, code: str = "message_not_found") -> Row:
    """Return an existing message. Raises `code`."""
    row = message_views.find_message(call, room.id, canonical_ts(ts))
    if row is None or row.is_tombstone:
        raise OperationError(code)
    return row


def _edit_window(call: Call) -> int | None:
    return call.scalar(_WINDOW)


_WINDOW = "SELECT edit_window_s FROM slack_workspace ORDER BY id LIMIT 1"


@app.operation(
    "chat.update",
    writes=True,
    source=DOCS + "chat.update",
    scope="chat:write",
    limit=TIER3,
    examples=[{"channel": A_CHANNEL, "ts": A_MESSAGE, "text": "Deploy is done, checked."}],
    raises={
        "channel_not_found": "",
        "message_not_found": "",
        "cant_update_message": "",
        "edit_window_closed": "",
        "is_archived": "",
        **CONTENT_CODES,
        "missing_scope": "",
    },
)
def edit(call: Call, params: UpdateMessage) -> UpdatedMessage:
    """Change a message you sent."""
    room, roster = conversation_access.get_conversation(call, params.channel), Roster(call)
    row = get_message(call, room, params.ts)
    if row.person_id != call.person or row.subtype in message_views.HIDDEN_SUBTYPES:
        raise OperationError("cant_update_message")
    if room.archived_at is not None:
        raise OperationError("is_archived")
    window = _edit_window(call)
    if window is not None and call.now > parse_ts(row.ts) + window * SECOND:
        raise OperationError("edit_window_closed")
    values = _list_changes(call, params, roster, row)
    if values:
        values |= {"edited_ts": format_ts(call.now), "edited_by": call.person}
        call.execute(update(Message).where(Message.id == row.id).values(values))  # type: ignore[arg-type]
        row = get_message(call, room, row.ts)
        forget_mentions(call, row)
        record_mentions(call, row, roster)
    message = message_views.single_message_to_json(call, row, roster, thread=False)
    return {
        "channel": room.id,
        "ts": row.ts,
        "text": row.text,
        "message": {k: v for k, v in message.items() if k not in IMPLIED},
    }


def _list_changes(call: Call, params: UpdateMessage, roster: Roster, row: Row) -> JsonObject:
    """Return the columns an edit changes; empty for an edit without effect."""
    written, _ = compose_content(call, params, roster)
    values: JsonObject = {}
    if written != row.text and (params.text or params.markdown_text or params.blocks):
        values["text"] = written
    if "blocks" in params.model_fields_set and params.blocks is not None:
        values["blocks"] = params.blocks or None
    if "attachments" in params.model_fields_set and params.attachments is not None:
        values["attachments"] = params.attachments or None
    return values


@app.operation(
    "chat.delete",
    writes=True,
    source=DOCS + "chat.delete",
    scope="chat:write",
    limit=TIER3,
    examples=[{"channel": A_CHANNEL, "ts": A_MESSAGE}],
    raises=("channel_not_found", "message_not_found", "cant_delete_message", "is_archived", "missing_scope"),
)
def delete_message(call: Call, params: DeleteMessage) -> MeMessageAnswer:
    """Delete a message you sent (admins: anybody's). A thread's first message leaves a mark in its place."""
    room, roster = conversation_access.get_conversation(call, params.channel), Roster(call)
    row = get_message(call, room, params.ts)
    if row.person_id != call.person and not (call.principal.kind == "user" and roster.me.is_admin):
        raise OperationError("cant_delete_message")
    if room.archived_at is not None:
        raise OperationError("is_archived")
    values = {"deleted_at": call.now, "deleted_by": call.person}
    call.execute(update(Message).where(Message.id == row.id).values(values))  # type: ignore[arg-type]
    forget_mentions(call, row)
    if row.thread_ts:
        recount_replies(call, room.id, row.thread_ts)
    return {"channel": room.id, "ts": row.ts}


@app.operation(
    "chat.getPermalink",
    source=DOCS + "chat.getPermalink",
    limit=SPECIAL,
    examples=[{"channel": A_CHANNEL_OF_MINE, "message_ts": ITS_LATEST}],
    raises=("channel_not_found", "message_not_found"),
)
def get_permalink(call: Call, params: GetPermalink) -> Permalink:
    """Return the permalink of a message."""
    room = conversation_access.get_conversation(call, params.channel)
    row = get_message(call, room, params.message_ts)
    return {"channel": room.id, "permalink": message_views.permalink(call, room.id, row.ts, row.thread_ts)}
