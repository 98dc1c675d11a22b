"""Operations of a client's start and news: conversations, unread counts, mentions."""

from typing import Any, TypedDict

import orjson
from pydantic import Field

from apps.slack import conversation_access, message_views
from apps.slack.app import app
from apps.slack.conversation_access import Room
from apps.slack.limits import CLIENT
from apps.slack.message_views import Row
from apps.slack.operations.conversations import KINDS
from apps.slack.operations.history import LAST, list_rows
from apps.slack.params import Count, Line, Names, limit_field
from apps.slack.profiles import Roster, list_group_ids
from world.core.call import Call
from world.core.clock import SECOND
from world.core.errors import OperationError
from world.core.json_types import JsonObject
from world.core.params import NoParams, Params

MANY = 100  # unread messages counted at most


class BootAnswer(TypedDict):
    """Yourself, the workspace and your conversations."""

    self: dict[str, Any]
    team: dict[str, Any]
    channels: list[JsonObject]
    ims: list[JsonObject]
    mpims: list[JsonObject]
    starred: list[str]
    prefs: dict[str, Any]
    subteams: dict[str, list[str]]
    cache_ts: int


class ConversationNews(TypedDict):
    """News of one conversation; in a direct conversation every unread message counts as a mention."""

    id: str
    kind: str
    last_read: str
    latest: str
    updated: str
    mention_count: int
    has_unreads: bool
    unread_count: int
    is_muted: bool
    is_open: bool


class Counts(TypedDict):
    """News of each conversation."""

    channels: list[ConversationNews]
    mpims: list[ConversationNews]
    ims: list[ConversationNews]
    threads: JsonObject
    saved: dict[str, int]


class Unreads(TypedDict):
    """Conversations with unread messages."""

    channels: list[JsonObject]
    total_channels: int
    total_unread: int


class ActivityFeed(TypedDict):
    """Activity that concerns the caller, latest first."""

    items: list[JsonObject]
    has_more: bool


class ListUnreads(Params):
    """Filters of unread messages."""

    channel_types: Names = Field(
        default_factory=lambda: list(KINDS), description="public_channel, private_channel, im, mpim."
    )
    include_messages: bool = Field(default=True, description="Also show the unread messages.")
    include_muted: bool = Field(default=False, description="Muted conversations too.")
    mentions_only: bool = Field(default=False, description="Only conversations in which you are mentioned.")
    max_channels: Count = Field(default=50, description="Most conversations to show.")
    max_messages_per_channel: Count = Field(default=10, description="Most messages to show of each.")


class GetFeed(Params):
    """Filters of the caller's activity."""

    types: Line = Field(
        default="mention,reaction,thread_reply", description="Comma-separated: mention, reaction, thread_reply."
    )
    limit: Count = limit_field(20, 100)


_MY_ROOMS = (
    f"SELECT {conversation_access.COLUMNS} FROM slack_member m JOIN slack_channel c ON c.id = m.channel_id WHERE m.person_id = :me"
    " AND c.archived_at IS NULL ORDER BY c.name, c.id"
)
_NEW = """
  SELECT c.id, c.kind, m.last_read, m.is_muted, m.is_open,
    (SELECT max(x.ts) FROM slack_message x WHERE x.channel_id = c.id AND x.deleted_at IS NULL
      AND (x.thread_ts IS NULL OR x.is_broadcast)),
    (SELECT count(*) FROM (SELECT 1 FROM slack_message u WHERE u.channel_id = c.id AND u.ts > m.last_read AND
    u.deleted_at IS NULL
      AND (u.thread_ts IS NULL OR u.is_broadcast) AND u.person_id <> :me LIMIT :many)),
    (SELECT count(DISTINCT n.message_id) FROM slack_mention n JOIN slack_message y ON y.id = n.message_id
      WHERE n.channel_id = c.id AND n.ts > m.last_read AND n.target IN (SELECT value FROM json_each(:targets))
      AND y.person_id <> :me
      AND (y.thread_ts IS NULL OR y.is_broadcast))
  FROM slack_member m JOIN slack_channel c ON c.id = m.channel_id
  WHERE m.person_id = :me AND c.archived_at IS NULL ORDER BY c.id"""
_THREADS = """
  SELECT count(*), count(DISTINCT m.id) FROM slack_thread_follower f JOIN slack_message m ON m.id = f.message_id
    JOIN slack_message r ON r.channel_id = m.channel_id AND r.thread_ts = m.ts AND r.ts > f.last_read AND r.deleted_at
    IS NULL
  WHERE f.person_id = :me AND f.is_subscribed AND m.reply_count > 0 AND m.latest_reply > f.last_read AND r.person_id <>
  :me"""
_SAVED = "SELECT count(*) FROM slack_saved WHERE person_id = :me AND state = 'in_progress'"


def list_mention_targets(call: Call) -> list[str]:
    """Return the targets of mentions that reach the caller: the person, their groups, everybody."""
    return [call.person, *list_group_ids(call, call.person), "!channel", "!everyone", "!here"]


@app.operation("client.userBoot", scope="client", source=CLIENT, examples=[{}], raises=("missing_scope",))
def user_boot(call: Call, params: NoParams) -> BootAnswer:
    """Tell a starting client who you are and which conversations you have."""
    roster = Roster(call)
    found = [Room(*row) for row in call.all(_MY_ROOMS, {"me": call.person})]
    roster.need(
        {
            person
            for room in found
            for person in (room.creator_id, room.topic_by, room.purpose_by, *room.people)
            if person
        }
    )
    shapes = {
        room.id: {
            **conversation_access.conversation_to_json(room, roster),
            "last_read": room.last_read,
            "is_open": bool(room.is_open),
        }
        for room in found
    }
    me, team = roster.me, roster.team
    own = {
        "id": me.id,
        "team_id": team.id,
        "name": me.handle,
        "real_name": me.real_name,
        "is_admin": me.is_admin,
        "is_restricted": me.is_guest,
    }
    return {
        "self": own,
        "team": {"id": team.id, "name": team.name, "domain": team.domain, "url": call.public_link("/")},
        "channels": [shapes[room.id] for room in found if not room.is_direct],
        "ims": [shapes[room.id] for room in found if room.kind == "im"],
        "mpims": [shapes[room.id] for room in found if room.kind == "mpim"],
        "starred": [room.id for room in found if room.is_starred],
        "prefs": {"muted_channels": ",".join(room.id for room in found if room.is_muted)},
        "subteams": {"self": list_group_ids(call, call.person)},
        "cache_ts": call.now // SECOND,
    }


def _list_news(call: Call) -> list[ConversationNews]:
    values = {"me": call.person, "targets": orjson.dumps(list_mention_targets(call)).decode(), "many": MANY}
    return [
        {
            "id": id,
            "kind": kind,
            "last_read": last_read,
            "latest": latest or "",
            "updated": latest or "",
            "mention_count": unread if kind in ("im", "mpim") else mentions,
            "has_unreads": unread > 0,
            "unread_count": unread,
            "is_muted": bool(muted),
            "is_open": bool(is_open),
        }
        for id, kind, last_read, muted, is_open, latest, unread, mentions in call.all(_NEW, values)
    ]


@app.operation("client.counts", scope="client", source=CLIENT, examples=[{}], raises=("missing_scope",))
def counts(call: Call, params: NoParams) -> Counts:
    """Count what you have not read, by conversation, with mentions of you."""
    news = _list_news(call)
    replies, threads = call.all(_THREADS, {"me": call.person})[0]
    return {
        "channels": [item for item in news if item["kind"] in ("public", "private")],
        "mpims": [item for item in news if item["kind"] == "mpim"],
        "ims": [item for item in news if item["kind"] == "im"],
        "threads": {"has_unreads": replies > 0, "unread_count": replies, "unread_threads": threads, "mention_count": 0},
        "saved": {"uncompleted_count": call.scalar(_SAVED, {"me": call.person})},
    }


@app.operation(
    "conversations.unreads",
    scope="client",
    source=CLIENT + " (client.counts with messages)",
    examples=[{}],
    raises=("invalid_types", "missing_scope"),
)
def unreads(call: Call, params: ListUnreads) -> Unreads:
    """List the conversations with messages you have not read, direct messages first, with those messages."""
    if any(kind not in KINDS for kind in params.channel_types):
        raise OperationError("invalid_types")
    kinds = [KINDS[kind] for kind in params.channel_types]
    order = {"im": 0, "mpim": 1, "private": 2, "public": 3}
    news = [
        item
        for item in _list_news(call)
        if item["has_unreads"]
        and item["kind"] in kinds
        and (params.include_muted or not item["is_muted"])
        and (item["mention_count"] or not params.mentions_only)
    ]
    news.sort(key=lambda item: (not item["mention_count"], order[item["kind"]], item["id"]))
    roster = Roster(call)
    out = [_unread_to_json(call, item, params, roster) for item in news[: max(params.max_channels, 0)]]
    return {"channels": out, "total_channels": len(news), "total_unread": sum(item["unread_count"] for item in news)}


def _unread_to_json(call: Call, item: ConversationNews, params: ListUnreads, roster: Roster) -> dict[str, object]:
    room = conversation_access.get_conversation(call, item["id"])
    out: dict[str, object] = {
        "channel": conversation_access.conversation_to_json(room, roster),
        "name": conversation_access.conversation_title(room, roster),
        "unread_count": item["unread_count"],
        "mention_count": item["mention_count"],
        "last_read": item["last_read"],
        "latest": item["latest"],
    }
    if params.include_messages:
        n = max(1, min(params.max_messages_per_channel, MANY))
        rows = [
            row
            for row in list_rows(call, room, item["last_read"] + "0", LAST, n)
            if row.id > 0 and row.person_id != call.person
        ]
        out["messages"] = message_views.messages_to_json(call, list(reversed(rows)), roster)
    return out


_VISIBLE = "(v.person_id IS NOT NULL OR c.kind = 'public')"
_PLACE = (
    "JOIN slack_channel c ON c.id = m.channel_id LEFT JOIN slack_member v ON v.channel_id = c.id AND v.person_id = :me"
)
_MENTIONS = f"""
  SELECT DISTINCT m.ts, '', '', {message_views.COLUMNS} FROM slack_mention n JOIN slack_message m ON m.id = n.message_id
  {_PLACE}
  WHERE n.target IN (SELECT value FROM json_each(:targets)) AND m.person_id <> :me AND m.deleted_at IS NULL
    AND (n.target = :me OR v.person_id IS NOT NULL) AND {_VISIBLE} ORDER BY m.ts DESC, m.id LIMIT :n"""
_REACTIONS = f"""
  SELECT r.created_at, r.name, r.person_id, {message_views.COLUMNS} FROM slack_message m JOIN slack_reaction r ON r.message_id =
  m.id
  {_PLACE}
  WHERE m.person_id = :me AND r.person_id <> :me AND m.deleted_at IS NULL AND {_VISIBLE}
  ORDER BY r.created_at DESC, m.id, r.name, r.person_id LIMIT :n"""
_REPLIES = f"""
  SELECT m.ts, '', '', {message_views.COLUMNS} FROM slack_thread_follower f JOIN slack_message p ON p.id = f.message_id
    JOIN slack_message m ON m.channel_id = p.channel_id AND m.thread_ts = p.ts {_PLACE}
  WHERE f.person_id = :me AND f.is_subscribed AND m.person_id <> :me AND m.deleted_at IS NULL AND {_VISIBLE}
  ORDER BY m.ts DESC, m.id LIMIT :n"""
_FEEDS = {"mention": _MENTIONS, "reaction": _REACTIONS, "thread_reply": _REPLIES}


@app.operation("activity.feed", scope="client", source=CLIENT, examples=[{}], raises=("invalid_types", "missing_scope"))
def feed(call: Call, params: GetFeed) -> ActivityFeed:
    """List what concerns you: mentions, reactions to your messages, replies in threads you follow."""
    kinds = [part.strip() for part in params.types.split(",") if part.strip()]
    if any(kind not in _FEEDS for kind in kinds):
        raise OperationError("invalid_types")
    n, roster = min(max(params.limit or 20, 1), 100), Roster(call)
    values = {"me": call.person, "targets": orjson.dumps(list_mention_targets(call)).decode(), "n": n + 1}
    found = [
        (_sort_time(at), kind, emoji, person, Row(*row))
        for kind in kinds
        for at, emoji, person, *row in call.all(_FEEDS[kind], values)
    ]
    found.sort(key=lambda item: (item[0], item[4].ts, item[1], item[2], item[3]), reverse=True)
    page = found[:n]
    items: list[JsonObject] = []
    for (at, kind, emoji, person, row), message in zip(
        page, message_views.messages_to_json(call, [item[4] for item in page], roster), strict=True
    ):
        item = {"type": kind, "feed_ts": at, "channel": row.channel_id, "message": message}
        items.append({**item, "reaction": {"name": emoji, "user": roster.user_id(person)}} if emoji else item)
    return {"items": items, "has_more": len(found) > n}


def _sort_time(at: str | int) -> str:
    return at if isinstance(at, str) else f"{at // SECOND}.{at % SECOND:06d}"
