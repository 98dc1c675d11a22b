"""Scheduled messages."""

from typing import Any, TypedDict

import orjson
from pydantic import Field
from sqlalchemy import insert, update

from apps.slack import conversation_access, cursors, message_views
from apps.slack.app import app
from apps.slack.cursors import Metadata
from apps.slack.example_objects import A_CHANNEL, A_SCHEDULED
from apps.slack.limits import DOCS, TIER3
from apps.slack.message_delivery import Post, deliver_message, find_parent, parse_ts
from apps.slack.models import Scheduled
from apps.slack.operations.messages import CONTENT_CODES, MessageParams, compose_content, open_destination
from apps.slack.params import CHANNEL, Count, Cursor, Ident, Line, OptionalTs, limit_field
from apps.slack.profiles import Roster
from world.core.app import Facts
from world.core.call import Call
from world.core.clock import DAY, MINUTE, SECOND
from world.core.errors import OperationError
from world.core.json_types import JsonObject
from world.core.params import Int64, Params

HORIZON = 120 * DAY  # docs.slack.dev/reference/methods/chat.scheduleMessage
TOPIC = "slack.scheduled_message_due"


class ScheduleMessage(MessageParams):
    """A message and when to send it."""

    post_at: Int64 = Field(
        description="When to send it: seconds since the epoch, UTC; at most 120 days ahead.", examples=[1772550000]
    )
    reply_broadcast: bool = Field(default=False, description="Also show the reply in the channel.")


class ListScheduled(Params):
    """Filters and page of scheduled messages."""

    channel: Line = Field(default="", description="Only those for this conversation.")
    oldest: OptionalTs = Field(default=None, description="Only those due at or after this time (epoch seconds).")
    latest: OptionalTs = Field(default=None, description="Only those due at or before this time (epoch seconds).")
    limit: Count = limit_field(100, 100)
    cursor: Cursor = ""


class ScheduledRef(Params):
    """A scheduled message to withdraw."""

    channel: Ident = CHANNEL
    scheduled_message_id: Ident = Field(description="Id of the scheduled message, Q….", examples=["Q1298393284"])


class ScheduledAnswer(TypedDict):
    """A message that will be sent."""

    channel: str
    scheduled_message_id: str
    post_at: int
    message: JsonObject


class ScheduledShape(TypedDict):
    """One line of the list."""

    id: str
    channel_id: str
    post_at: int
    date_created: int
    text: str


class ScheduledPage(TypedDict):
    """A page of scheduled messages."""

    scheduled_messages: list[ScheduledShape]
    response_metadata: Metadata


class ScheduledDeleted(TypedDict):
    """Response without data beyond success."""


@app.operation(
    "chat.scheduleMessage",
    writes=True,
    source=DOCS + "chat.scheduleMessage",
    scope="chat:write",
    limit=TIER3,
    examples=[{"channel": A_CHANNEL, "text": "Good morning.", "post_at": 1772553600}],
    raises={
        "channel_not_found": "",
        "not_in_channel": "",
        "is_archived": "",
        "restricted_action_read_only_channel": "",
        "time_in_past": "",
        "time_too_far": "over 120 days",
        **CONTENT_CODES,
        "thread_not_found": "",
        "missing_scope": "",
    },
)
def schedule(call: Call, params: ScheduleMessage) -> ScheduledAnswer:
    """Send a message later, at `post_at`.

    Time: `post_at` is seconds since the epoch, UTC.
    """
    roster = Roster(call)
    room = open_destination(call, params.channel, roster)
    written, blocks = compose_content(call, params, roster)
    thread = find_parent(call, room, params.thread_ts)
    due = params.post_at * SECOND
    if due <= call.now:
        raise OperationError("time_in_past")
    if due > call.now + HORIZON:
        raise OperationError("time_too_far")
    new = call.ids.token("Q", 10)
    values = {
        "id": new,
        "channel_id": room.id,
        "person_id": call.person,
        "text": written,
        "blocks": blocks,
        "attachments": params.attachments,
        "thread_ts": thread.ts if thread else None,
        "is_broadcast": params.reply_broadcast,
        "post_at": due,
        "created_at": call.now,
        "queued": call.later(TOPIC, due, id=new),
        "state": "pending",
    }
    call.execute(insert(Scheduled).values(values))
    return {
        "channel": room.id,
        "scheduled_message_id": new,
        "post_at": params.post_at,
        "message": _preview_to_json(roster, values),
    }


def _preview_to_json(roster: Roster, values: JsonObject) -> JsonObject:
    me = roster.me
    out = {"text": values["text"], "type": "delayed_message", "user": me.id, "team": roster.team.id}
    if me.is_bot:
        out["bot_id"] = me.bot_id
    if values["blocks"]:
        out["blocks"] = values["blocks"]
    if values["thread_ts"]:
        out["thread_ts"] = values["thread_ts"]
    return out


_DUE = (
    "SELECT channel_id, person_id, text, blocks, attachments, thread_ts, is_broadcast FROM slack_scheduled_message"
    " WHERE id = :id AND state = 'pending'"
)
_WRITES = (
    "SELECT 1 FROM slack_member m JOIN slack_channel c ON c.id = m.channel_id JOIN person p ON p.id = m.person_id"
    " WHERE c.id = :channel AND m.person_id = :person AND c.archived_at IS NULL AND p.status = 'active'"
)


@app.on(TOPIC)
def send_scheduled(call: Call, facts: Facts) -> None:
    """Post a scheduled message whose time has come, unless its author may no longer write there."""
    key = {"id": str(facts["id"])}
    row = call.first(_DUE, key)
    if row is None:
        return
    channel, author, written, blocks, attachments, thread_ts, broadcast = row
    room = conversation_access.find_any(call, channel)
    if room is None or call.first(_WRITES, {"channel": channel, "person": author}) is None:
        _settle_scheduled(call, key["id"], "failed", None)
        return
    thread = (
        find_parent(call, room, thread_ts)
        if thread_ts and message_views.find_message(call, channel, thread_ts)
        else None
    )
    post = Post(written, _decode_json(blocks), _decode_json(attachments), thread, bool(broadcast))
    sent = deliver_message(call, room, author, post, Roster(call))
    _settle_scheduled(call, key["id"], "sent", sent.ts)


def _decode_json(value: str | None) -> Any:
    return orjson.loads(value) if value else None


def _settle_scheduled(call: Call, id: str, state: str, ts: str | None) -> None:
    values = {"state": state, "sent_ts": ts, "queued": None}
    call.execute(update(Scheduled).where(Scheduled.id == id).values(values))  # type: ignore[arg-type]


_LIST = (
    "SELECT id, channel_id, post_at, created_at, text FROM slack_scheduled_message WHERE person_id = :me AND state ="
    " 'pending' AND (:channel = '' OR channel_id = :channel) AND post_at >= :low AND post_at <= :high AND"
    " printf('%020d%s', post_at, id) > :after ORDER BY post_at, id LIMIT :n"
)


@app.operation(
    "chat.scheduledMessages.list",
    source=DOCS + "chat.scheduledMessages.list",
    limit=TIER3,
    examples=[{}],
    raises=("channel_not_found", "invalid_cursor", "invalid_limit"),
)
def list_scheduled(call: Call, params: ListScheduled) -> ScheduledPage:
    """List your messages that are still to be sent, the next one first."""
    if params.channel:
        conversation_access.get_conversation(call, params.channel)
    n = cursors.page_size(params.limit, 100, 100)
    values = {
        "me": call.person,
        "channel": params.channel,
        "low": parse_ts(params.oldest) if params.oldest else 0,
        "high": parse_ts(params.latest) if params.latest else 2**62,
        "after": cursors.read_cursor(call, "due", params.cursor) or "",
        "n": n + 1,
    }
    rows = call.all(_LIST, values)
    page: list[ScheduledShape] = [
        {
            "id": row[0],
            "channel_id": row[1],
            "post_at": row[2] // SECOND,
            "date_created": row[3] // SECOND,
            "text": row[4],
        }
        for row in rows[:n]
    ]
    last = rows[n - 1] if len(rows) > n else None
    more = cursors.write_cursor(call, "due", f"{last[2]:020d}{last[0]}") if last else ""
    return {"scheduled_messages": page, "response_metadata": {"next_cursor": more}}


_OWN = (
    "SELECT queued, post_at FROM slack_scheduled_message WHERE id = :id AND channel_id = :channel AND person_id = :me"
    " AND state = 'pending'"
)


@app.operation(
    "chat.deleteScheduledMessage",
    writes=True,
    source=DOCS + "chat.deleteScheduledMessage",
    scope="chat:write",
    limit=TIER3,
    examples=[{"channel": A_CHANNEL, "scheduled_message_id": A_SCHEDULED}],
    raises=("channel_not_found", "invalid_scheduled_message_id", "missing_scope"),
)
def withdraw(call: Call, params: ScheduledRef) -> ScheduledDeleted:
    """Delete a scheduled message; not in the last minute before it is sent."""
    room = conversation_access.get_conversation(call, params.channel)
    row = call.first(_OWN, {"id": params.scheduled_message_id, "channel": room.id, "me": call.person})
    if row is None or row[1] < call.now + MINUTE:
        raise OperationError("invalid_scheduled_message_id")
    if row[0] is not None:
        call.cancel(row[0])
    _settle_scheduled(call, params.scheduled_message_id, "deleted", None)
    return {}
