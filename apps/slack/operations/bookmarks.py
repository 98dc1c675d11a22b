"""Pinned messages and bookmarks of a channel."""

from typing import TypedDict

from pydantic import Field
from sqlalchemy import delete, insert, update

from apps.slack import conversation_access, message_views
from apps.slack.answers import EmptyAnswer
from apps.slack.app import app
from apps.slack.conversation_access import Room
from apps.slack.example_objects import A_BOOKMARK, A_CHANNEL, A_CHANNEL_OF_MINE, A_MESSAGE
from apps.slack.limits import DOCS, TIER2, TIER3
from apps.slack.message_views import Row
from apps.slack.models import Bookmark, Pin
from apps.slack.operations.edits import get_message
from apps.slack.params import CHANNEL, TIMESTAMP, Ident, InChannel, Line, Ts
from apps.slack.profiles import Roster
from world.core.call import Call
from world.core.clock import SECOND
from world.core.errors import OperationError
from world.core.json_types import JsonObject
from world.core.params import Params

MAX_PINS, MAX_BOOKMARKS = 100, 100


class PinMessage(Params):
    """A message to pin or unpin."""

    channel: Ident = CHANNEL
    timestamp: Ts = TIMESTAMP


class AddBookmark(Params):
    """A bookmark to add."""

    channel_id: Ident = CHANNEL
    title: Line = Field(description="What the link is called.", examples=["Runbook"])
    type: Line = Field(default="link", description="Only link.")
    link: Line = Field(description="Where it leads.", examples=["https://wiki.example/runbook"])
    emoji: Line = Field(default="", description="Emoji shown before the title.")


class EditBookmark(Params):
    """A bookmark's new content; what is left out stays."""

    channel_id: Ident = CHANNEL
    bookmark_id: Ident = Field(description="Id of the bookmark, Bk….")
    title: Line = Field(default="", description="What the link is called.")
    link: Line = Field(default="", description="Where it leads.")
    emoji: Line = Field(default="", description="Emoji shown before the title.")


class RemoveBookmark(Params):
    """A bookmark to remove."""

    channel_id: Ident = CHANNEL
    bookmark_id: Ident = Field(description="Id of the bookmark, Bk….")


class ListBookmarks(Params):
    """Channel whose bookmarks to list."""

    channel_id: Ident = CHANNEL


class Pins(TypedDict):
    """Pinned messages, the latest pin first."""

    items: list[JsonObject]


class BookmarkAnswer(TypedDict):
    """A bookmark."""

    bookmark: JsonObject


class BookmarkList(TypedDict):
    """A channel's bookmarks."""

    bookmarks: list[JsonObject]


def _get_member_channel(call: Call, channel: str) -> Room:
    room = conversation_access.get_conversation(call, channel)
    if not room.is_member:
        raise OperationError("not_in_channel")
    if room.archived_at is not None:
        raise OperationError("is_archived")
    return room


_PINNED = "SELECT message_id FROM slack_pin WHERE channel_id = :channel"


@app.operation(
    "pins.add",
    writes=True,
    source=DOCS + "pins.add",
    scope="pins:write",
    limit=TIER2,
    examples=[{"channel": A_CHANNEL, "timestamp": A_MESSAGE}],
    raises=(
        "channel_not_found",
        "not_in_channel",
        "is_archived",
        "message_not_found",
        "already_pinned",
        "too_many_pins",
        "missing_scope",
    ),
)
def pin(call: Call, params: PinMessage) -> EmptyAnswer:
    """Pin a message to its channel."""
    room = _get_member_channel(call, params.channel)
    row = get_message(call, room, params.timestamp)
    pinned = {item[0] for item in call.all(_PINNED, {"channel": room.id})}
    if row.id in pinned:
        raise OperationError("already_pinned")
    if len(pinned) >= MAX_PINS:
        raise OperationError("too_many_pins")
    call.execute(insert(Pin).values(channel_id=room.id, message_id=row.id, person_id=call.person, pinned_at=call.now))
    return {}


@app.operation(
    "pins.remove",
    writes=True,
    source=DOCS + "pins.remove",
    scope="pins:write",
    limit=TIER2,
    after=["pins.add"],
    examples=[{"channel": A_CHANNEL, "timestamp": A_MESSAGE}],
    raises=("channel_not_found", "not_in_channel", "is_archived", "message_not_found", "no_pin", "missing_scope"),
)
def unpin(call: Call, params: PinMessage) -> EmptyAnswer:
    """Unpin a message."""
    room = _get_member_channel(call, params.channel)
    row = get_message(call, room, params.timestamp)
    if row.id not in {item[0] for item in call.all(_PINNED, {"channel": room.id})}:
        raise OperationError("no_pin")
    call.execute(delete(Pin).where(Pin.channel_id == room.id, Pin.message_id == row.id))  # type: ignore[arg-type]
    return {}


_PINS = (
    f"SELECT p.person_id, p.pinned_at, {message_views.COLUMNS} FROM slack_pin p JOIN slack_message m ON m.id = p.message_id"
    " WHERE p.channel_id = :channel AND m.deleted_at IS NULL ORDER BY p.pinned_at DESC, m.id"
)


@app.operation(
    "pins.list",
    source=DOCS + "pins.list",
    scope="pins:read",
    limit=TIER2,
    examples=[{"channel": A_CHANNEL_OF_MINE}],
    raises=("channel_not_found", "not_in_channel", "missing_scope"),
)
def list_pins(call: Call, params: InChannel) -> Pins:
    """List a channel's pinned messages."""
    room, roster = conversation_access.get_conversation(call, params.channel, "channel.history"), Roster(call)
    found = call.all(_PINS, {"channel": room.id})
    rows = [Row(*row[2:]) for row in found]
    items: list[JsonObject] = []
    for (person, at, *_), row, message in zip(
        found, rows, message_views.messages_to_json(call, rows, roster), strict=True
    ):
        message["permalink"] = message_views.permalink(call, room.id, row.ts, row.thread_ts)
        by = roster.user_id(person)
        items.append(
            {"type": "message", "created": at // SECOND, "created_by": by, "channel": room.id, "message": message}
        )
    return {"items": items}


_MARKS = (
    "SELECT id, channel_id, title, link, emoji, rank, person_id, created_at, updated_at FROM slack_bookmark"
    " WHERE channel_id = :channel ORDER BY created_at, id"
)


def _list_marks(call: Call, channel: str) -> dict[str, JsonObject]:
    roster, out = Roster(call), {}
    for id, room, title, link, emoji, rank, person, created, updated in call.all(_MARKS, {"channel": channel}):
        out[id] = {
            "id": id,
            "channel_id": room,
            "title": title,
            "link": link,
            "emoji": emoji or None,
            "icon_url": None,
            "type": "link",
            "entity_id": None,
            "date_created": created // SECOND,
            "date_updated": updated // SECOND,
            "rank": rank,
            "last_updated_by_user_id": roster.user_id(person),
            "last_updated_by_team_id": roster.team.id,
            "shortcut_id": None,
            "app_id": None,
        }
    return out


@app.operation(
    "bookmarks.list",
    source=DOCS + "bookmarks.list",
    scope="bookmarks:read",
    limit=TIER3,
    examples=[{"channel_id": A_CHANNEL_OF_MINE}],
    raises=("channel_not_found", "missing_scope"),
)
def list_bookmarks(call: Call, params: ListBookmarks) -> BookmarkList:
    """List the links kept at the top of a channel."""
    return {
        "bookmarks": list(_list_marks(call, conversation_access.get_conversation(call, params.channel_id).id).values())
    }


@app.operation(
    "bookmarks.add",
    writes=True,
    source=DOCS + "bookmarks.add",
    scope="bookmarks:write",
    limit=TIER2,
    examples=[{"channel_id": A_CHANNEL, "title": "Runbook", "link": "https://wiki.example/runbook"}],
    raises=(
        "channel_not_found",
        "not_in_channel",
        "is_archived",
        "invalid_bookmark_type",
        "invalid_link",
        "too_many_bookmarks",
        "missing_scope",
    ),
)
def add_bookmark(call: Call, params: AddBookmark) -> BookmarkAnswer:
    """Keep a link at the top of a channel."""
    room = _get_member_channel(call, params.channel_id)
    if params.type != "link":
        raise OperationError("invalid_bookmark_type")
    _check_link(params.link)
    if len(_list_marks(call, room.id)) >= MAX_BOOKMARKS:
        raise OperationError("too_many_bookmarks")
    new = call.ids.token("Bk", 10)
    values = {
        "id": new,
        "channel_id": room.id,
        "title": params.title,
        "link": params.link,
        "emoji": params.emoji,
        "rank": "i",
        "person_id": call.person,
        "created_at": call.now,
        "updated_at": call.now,
    }
    call.execute(insert(Bookmark).values(values))
    return {"bookmark": _list_marks(call, room.id)[new]}


def _check_link(link: str) -> None:
    if not link.startswith(("https://", "http://")):
        raise OperationError("invalid_link")


@app.operation(
    "bookmarks.edit",
    writes=True,
    source=DOCS + "bookmarks.edit",
    scope="bookmarks:write",
    limit=TIER2,
    examples=[{"channel_id": A_CHANNEL, "bookmark_id": A_BOOKMARK, "title": "Runbook 2"}],
    raises=("channel_not_found", "not_in_channel", "is_archived", "not_found", "invalid_link", "missing_scope"),
)
def edit_bookmark(call: Call, params: EditBookmark) -> BookmarkAnswer:
    """Change a link kept at the top of a channel."""
    room = _get_member_channel(call, params.channel_id)
    if params.bookmark_id not in _list_marks(call, room.id):
        raise OperationError("not_found")
    if params.link:
        _check_link(params.link)
    given = {"title": params.title, "link": params.link, "emoji": params.emoji}
    values = {name: value for name, value in given.items() if value}
    changed = {**values, "updated_at": call.now, "person_id": call.person}
    call.execute(update(Bookmark).where(Bookmark.id == params.bookmark_id).values(changed))  # type: ignore[arg-type]
    return {"bookmark": _list_marks(call, room.id)[params.bookmark_id]}


@app.operation(
    "bookmarks.remove",
    writes=True,
    source=DOCS + "bookmarks.remove",
    scope="bookmarks:write",
    limit=TIER2,
    examples=[{"channel_id": A_CHANNEL, "bookmark_id": A_BOOKMARK}],
    raises=("channel_not_found", "not_in_channel", "is_archived", "not_found", "missing_scope"),
)
def remove_bookmark(call: Call, params: RemoveBookmark) -> EmptyAnswer:
    """Remove a link from the top of a channel."""
    room = _get_member_channel(call, params.channel_id)
    if params.bookmark_id not in _list_marks(call, room.id):
        raise OperationError("not_found")
    call.execute(delete(Bookmark).where(Bookmark.id == params.bookmark_id))  # type: ignore[arg-type]
    return {}
