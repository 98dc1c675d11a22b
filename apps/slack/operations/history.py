"""Reading messages: a conversation's history, a thread."""

from typing import Annotated, NotRequired, TypedDict

from pydantic import BeforeValidator, Field

from apps.slack import conversation_access, cursors, message_views
from apps.slack.app import app
from apps.slack.conversation_access import Room
from apps.slack.cursors import Metadata
from apps.slack.example_objects import A_CHANNEL_OF_MINE, ITS_LATEST
from apps.slack.limits import DOCS, TIER3
from apps.slack.message_delivery import canonical_ts, format_ts, parse_ts
from apps.slack.message_views import Row
from apps.slack.params import Count, Cursor, InChannel, OptionalTs, Ts, limit_field
from apps.slack.profiles import Roster
from world.core.call import Call
from world.core.errors import OperationError
from world.core.json_types import JsonObject

FIRST, LAST = "0000000000.000000", "9999999999.999999"
MAX_PAGE = 999

_HISTORY = f"""SELECT {message_views.COLUMNS} FROM slack_message m WHERE m.channel_id = :channel AND m.ts >= :low AND m.ts <=
    :high
  AND (m.thread_ts IS NULL OR m.is_broadcast) AND (m.deleted_at IS NULL OR m.reply_count > 0) ORDER BY m.ts"""
_LINES = f"""SELECT {message_views.ACTIVITY} FROM slack_activity a WHERE a.channel_id = :channel AND a.ts >= :low AND a.ts <=
    :high
  ORDER BY a.ts"""
_NEWEST, _OLDEST = f"{_HISTORY} DESC LIMIT :n", f"{_HISTORY} LIMIT :n"
_LINES_NEWEST, _LINES_OLDEST = f"{_LINES} DESC LIMIT :n", f"{_LINES} LIMIT :n"
_REPLIES = (
    f"SELECT {message_views.COLUMNS} FROM slack_message m WHERE m.channel_id = :channel AND m.thread_ts = :thread"
    " AND m.ts >= :low AND m.ts <= :high AND m.deleted_at IS NULL ORDER BY m.ts LIMIT :n"
)
_PINS = "SELECT count(*) FROM slack_pin WHERE channel_id = :channel"


def _now_is_none(value: object) -> object:
    return None if value in ("now", "") else value


class Span(InChannel):
    """A part of a conversation."""

    oldest: OptionalTs = Field(default=None, description="Only messages after this ts.", examples=["1700000000.000100"])
    latest: Annotated[OptionalTs, BeforeValidator(_now_is_none)] = Field(
        default=None, description="Only messages before this ts."
    )
    inclusive: bool = Field(default=False, description="Include messages with exactly the ts of oldest or latest.")
    cursor: Cursor = ""


class History(Span):
    """Range and page of a conversation's messages."""

    limit: Count = limit_field(100, MAX_PAGE)
    include_all_metadata: bool = Field(default=False, description="Accepted for compatibility.")


class Replies(Span):
    """Thread, range and page of its replies."""

    ts: Ts = Field(description="ts of the thread's first message.", examples=["1700000000.000100"])
    limit: Count = limit_field(1000, 1000)
    include_all_metadata: bool = Field(default=False, description="Accepted for compatibility.")


class HistoryPage(TypedDict):
    """A page of messages, newest first."""

    messages: list[JsonObject]
    has_more: bool
    pin_count: int
    channel_actions_ts: int | None
    channel_actions_count: int
    latest: NotRequired[str]
    oldest: NotRequired[str]
    response_metadata: Metadata


class Thread(TypedDict):
    """A page of a thread: parent, then replies, oldest first."""

    messages: list[JsonObject]
    has_more: bool
    response_metadata: Metadata


def ts_bounds(params: Span) -> tuple[str, str]:
    """Lowest and highest ts wanted, both included."""
    step = 0 if params.inclusive else 1
    low = format_ts(parse_ts(params.oldest) + step) if params.oldest else FIRST
    high = format_ts(max(0, parse_ts(params.latest) - step)) if params.latest else LAST
    return low.rjust(17, "0"), high.rjust(17, "0")


def list_rows(call: Call, room: Room, low: str, high: str, n: int, *, newest: bool = True) -> list[Row]:
    """Up to `n` messages and activity lines of a conversation, newest (or oldest) first."""
    values = {"channel": room.id, "low": low, "high": high, "n": n}
    rows = [Row(*row) for row in call.all(_NEWEST if newest else _OLDEST, values)]
    lines = (
        [] if room.is_direct else [Row(*row) for row in call.all(_LINES_NEWEST if newest else _LINES_OLDEST, values)]
    )
    return sorted([*rows, *lines], key=lambda row: row.ts, reverse=newest)[:n] if lines else rows


@app.operation(
    "conversations.history",
    source=DOCS + "conversations.history",
    limit=TIER3,
    examples=[{"channel": A_CHANNEL_OF_MINE, "limit": 20}],
    raises=("channel_not_found", "not_in_channel", "invalid_cursor", "invalid_limit", "missing_scope"),
)
def history(call: Call, params: History) -> HistoryPage:
    """Read the messages of a channel or direct message, newest first; replies are read with conversations.replies.

    Time: `oldest` and `latest` are ts values (seconds since the epoch, UTC), excluded unless `inclusive`.
    """
    room, n = (
        conversation_access.get_conversation(call, params.channel, "channel.history"),
        cursors.page_size(params.limit, 100, MAX_PAGE),
    )
    conversation_access.require_scope(call, room, "history")
    low, high = ts_bounds(params)
    after = cursors.read_cursor(call, "next_ts", params.cursor)
    found = list_rows(call, room, low, min(high, after) if after else high, n + 1)
    page = found[:n]
    more = cursors.write_cursor(call, "next_ts", found[n].ts) if len(found) > n else ""
    out: HistoryPage = {
        "messages": _with_thread_roots(call, page),
        "has_more": bool(more),
        "pin_count": call.scalar(_PINS, {"channel": room.id}),
        "channel_actions_ts": None,
        "channel_actions_count": 0,
        "response_metadata": {"next_cursor": more},
    }
    if params.latest:
        out["latest"] = params.latest
    if params.oldest:
        out["oldest"] = params.oldest
    return out


def _with_thread_roots(call: Call, rows: list[Row]) -> list[JsonObject]:
    """Message objects; a reply that was also sent to the channel carries its thread's parent."""
    roster = Roster(call)
    out = message_views.messages_to_json(call, rows, roster)
    for row, message in zip(rows, out, strict=True):
        if (
            row.is_broadcast
            and row.thread_ts
            and (root := message_views.find_message(call, row.channel_id, row.thread_ts))
        ):
            message["root"] = message_views.single_message_to_json(call, root, roster)
    return out


@app.operation(
    "conversations.replies",
    source=DOCS + "conversations.replies",
    limit=TIER3,
    examples=[{"channel": A_CHANNEL_OF_MINE, "ts": ITS_LATEST}],
    raises=(
        "channel_not_found",
        "not_in_channel",
        "thread_not_found",
        "invalid_cursor",
        "invalid_limit",
        "missing_scope",
    ),
)
def replies(call: Call, params: Replies) -> Thread:
    """Read a thread: its first message, then the replies, oldest first."""
    room, n = (
        conversation_access.get_conversation(call, params.channel, "channel.history"),
        cursors.page_size(params.limit, 1000, 1000),
    )
    conversation_access.require_scope(call, room, "history")
    parent = message_views.find_message(call, room.id, canonical_ts(params.ts))
    if parent is None or (parent.is_tombstone and not parent.is_parent):
        raise OperationError("thread_not_found")
    if parent.thread_ts:
        return {
            "messages": message_views.messages_to_json(call, [parent], Roster(call)),
            "has_more": False,
            "response_metadata": {"next_cursor": ""},
        }
    low, high = ts_bounds(params)
    after = cursors.read_cursor(call, "next_ts", params.cursor)
    values = {"channel": room.id, "thread": parent.ts, "low": max(low, after) if after else low, "high": high}
    room_left = n if after else max(0, n - 1)
    found = [Row(*row) for row in call.all(_REPLIES, {**values, "n": room_left + 1})]
    page = found[:room_left] if after else [parent, *found[:room_left]]
    more = cursors.write_cursor(call, "next_ts", found[room_left].ts) if len(found) > room_left else ""
    shapes = message_views.messages_to_json(call, page, Roster(call))
    return {"messages": shapes, "has_more": bool(more), "response_metadata": {"next_cursor": more}}
