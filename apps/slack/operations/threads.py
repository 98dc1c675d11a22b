"""Followed threads."""

from typing import Any, TypedDict

import orjson
from pydantic import Field

from apps.slack import conversation_access, message_views
from apps.slack.answers import EmptyAnswer
from apps.slack.app import app
from apps.slack.example_objects import A_CHANNEL, A_MESSAGE
from apps.slack.limits import CLIENT
from apps.slack.message_delivery import canonical_ts
from apps.slack.message_views import Row
from apps.slack.operations.edits import get_message
from apps.slack.params import TIMESTAMP, Count, InChannel, Ts, limit_field
from apps.slack.profiles import Roster
from world.core.call import Call
from world.core.errors import OperationError
from world.core.json_types import JsonObject
from world.core.params import Params


class InThread(InChannel):
    """A thread, by its first message."""

    thread_ts: Ts = TIMESTAMP


class MarkThread(InThread):
    """Read position to set in a thread."""

    ts: Ts = Field(description="ts of the last reply you read.")


class ThreadView(Params):
    """Number of threads to list."""

    limit: Count = limit_field(20, 50)


class Threads(TypedDict):
    """Followed threads, the latest reply first."""

    threads: list[JsonObject]
    has_more: bool
    total_unread_replies: int


_FOLLOW = (
    "INSERT INTO slack_thread_follower(message_id, person_id, is_subscribed, last_read) VALUES (:id, :me, :on, :ts)"
    " ON CONFLICT(message_id, person_id) DO UPDATE SET is_subscribed = :on"
)
_READ = (
    "UPDATE slack_thread_follower SET last_read = :ts WHERE message_id = :id AND person_id = :me RETURNING message_id"
)


def _get_parent(call: Call, params: InThread) -> Row:
    return get_message(
        call,
        conversation_access.get_conversation(call, params.channel, "channel.history"),
        params.thread_ts,
        "thread_not_found",
    )


@app.operation(
    "subscriptions.thread.add",
    writes=True,
    scope="client",
    source=CLIENT,
    examples=[{"channel": A_CHANNEL, "thread_ts": A_MESSAGE}],
    raises=("channel_not_found", "not_in_channel", "thread_not_found", "missing_scope"),
)
def follow(call: Call, params: InThread) -> EmptyAnswer:
    """Follow a thread, to be notified of its replies."""
    row = _get_parent(call, params)
    call.execute(_FOLLOW, {"id": row.id, "me": call.person, "on": True, "ts": row.latest_reply or row.ts})
    return {}


@app.operation(
    "subscriptions.thread.remove",
    writes=True,
    scope="client",
    source=CLIENT,
    after=["subscriptions.thread.add"],
    examples=[{"channel": A_CHANNEL, "thread_ts": A_MESSAGE}],
    raises=("channel_not_found", "not_in_channel", "thread_not_found", "missing_scope"),
)
def unfollow(call: Call, params: InThread) -> EmptyAnswer:
    """Unfollow a thread."""
    row = _get_parent(call, params)
    call.execute(_FOLLOW, {"id": row.id, "me": call.person, "on": False, "ts": row.latest_reply or row.ts})
    return {}


@app.operation(
    "subscriptions.thread.mark",
    writes=True,
    scope="client",
    source=CLIENT,
    after=["subscriptions.thread.add"],
    examples=[{"channel": A_CHANNEL, "thread_ts": A_MESSAGE, "ts": A_MESSAGE}],
    raises=("channel_not_found", "not_in_channel", "thread_not_found", "not_subscribed", "missing_scope"),
)
def mark(call: Call, params: MarkThread) -> EmptyAnswer:
    """Set your read position in a thread you follow."""
    row = _get_parent(call, params)
    if call.first(_READ, {"id": row.id, "me": call.person, "ts": canonical_ts(params.ts)}) is None:
        raise OperationError("not_subscribed")
    return {}


_VIEW = (
    f"SELECT f.last_read, {message_views.COLUMNS} FROM slack_thread_follower f JOIN slack_message m ON m.id = f.message_id JOIN"
    " slack_channel c ON c.id = m.channel_id LEFT JOIN slack_member v ON v.channel_id = c.id AND v.person_id = :me"
    " WHERE f.person_id = :me AND f.is_subscribed AND m.reply_count > 0 AND (v.person_id IS NOT NULL OR c.kind ="
    " 'public') ORDER BY m.latest_reply DESC, m.id LIMIT :n"
)
_TAIL = (
    f"SELECT {message_views.COLUMNS} FROM json_each(:ids) j JOIN slack_message p ON p.id = j.value JOIN slack_message m"
    " ON m.channel_id = p.channel_id AND m.thread_ts = p.ts AND m.deleted_at IS NULL ORDER BY m.channel_id, m.ts"
)


@app.operation("subscriptions.thread.getView", scope="client", source=CLIENT, examples=[{}], raises=("missing_scope",))
def view(call: Call, params: ThreadView) -> Threads:
    """List the threads you follow with their latest replies, unread ones counted."""
    n, roster = min(params.limit or 20, 50), Roster(call)
    found = call.all(_VIEW, {"me": call.person, "n": n + 1})
    parents = [Row(*row[1:]) for row in found[:n]]
    replies = [Row(*row) for row in call.all(_TAIL, {"ids": orjson.dumps([row.id for row in parents]).decode()})]
    shapes = message_views.messages_to_json(call, [*parents, *replies], roster)
    by_thread: dict[tuple[str, str | None], list[dict[str, object]]] = {}
    for row, shape in zip(replies, shapes[len(parents) :], strict=True):
        by_thread.setdefault((row.channel_id, row.thread_ts), []).append(shape)
    threads: list[dict[str, Any]] = []
    for (last_read, *_), row, root in zip(found, parents, shapes, strict=False):
        tail = by_thread.get((row.channel_id, row.ts), [])
        unread = [item for item in tail if item["ts"] > last_read and item["user"] != roster.me.id]
        threads.append(
            {"channel": row.channel_id, "root_msg": root, "latest_replies": tail[-3:], "unread_replies": unread}
        )
    total = sum(len(item["unread_replies"]) for item in threads)
    return {"threads": threads, "has_more": len(found) > n, "total_unread_replies": total}
