"""Emoji under messages."""

from collections import Counter
from typing import NotRequired, TypedDict

from pydantic import Field
from sqlalchemy import delete, insert

from apps.slack import conversation_access, cursors, message_views
from apps.slack.answers import EmptyAnswer
from apps.slack.app import app
from apps.slack.cursors import Metadata
from apps.slack.emoji_names import find_stored_name
from apps.slack.example_objects import A_CHANNEL, A_CHANNEL_OF_MINE, A_MESSAGE, ITS_LATEST
from apps.slack.limits import DOCS, TIER2, TIER3
from apps.slack.message_views import Row
from apps.slack.models import Reaction
from apps.slack.operations.conversations import get_user
from apps.slack.operations.edits import get_message
from apps.slack.params import CHANNEL, TIMESTAMP, Count, Cursor, Ident, Line, Ts, limit_field
from apps.slack.profiles import Roster
from world.core.call import Call
from world.core.errors import OperationError
from world.core.json_types import JsonObject
from world.core.params import Params

MAX_PER_PERSON, MAX_PER_MESSAGE = (
    23,
    50,
)  # emoji of one person, of one message; docs.slack.dev/reference/methods/reactions.add


class MessageRef(Params):
    """One message."""

    channel: Ident = CHANNEL
    timestamp: Ts = TIMESTAMP


class React(MessageRef):
    """An emoji and a message."""

    name: Ident = Field(description="Name of the emoji, without colons.", examples=["thumbsup"])


class GetReactions(MessageRef):
    """Message whose reactions to read."""

    full: bool = Field(default=False, description="Name everybody who reacted.")


class ListReactions(Params):
    """User and page of reacted messages."""

    user: Line = Field(default="", description="User id; yourself if empty.")
    limit: Count = limit_field(100, 1000)
    cursor: Cursor = ""
    full: bool = Field(default=False, description="Name everybody who reacted.")


class ReactionsAnswer(TypedDict):
    """A message with its reactions."""

    type: str
    channel: str
    message: JsonObject


class ReactedItems(TypedDict):
    """Messages somebody reacted to, the latest first."""

    items: list[ReactionsAnswer]
    response_metadata: NotRequired[Metadata]


_ON = "SELECT name, person_id FROM slack_reaction WHERE message_id = :id"


def _get_target(call: Call, params: MessageRef) -> Row:
    room = conversation_access.get_conversation(call, params.channel, "channel.history")
    return get_message(call, room, params.timestamp)


@app.operation(
    "reactions.add",
    writes=True,
    source=DOCS + "reactions.add",
    scope="reactions:write",
    limit=TIER3,
    examples=[{"channel": A_CHANNEL, "timestamp": A_MESSAGE, "name": "rocket"}],
    raises=(
        "channel_not_found",
        "not_in_channel",
        "message_not_found",
        "invalid_name",
        "already_reacted",
        "too_many_emoji",
        "too_many_reactions",
        "is_archived",
        "missing_scope",
    ),
)
def add(call: Call, params: React) -> EmptyAnswer:
    """Add an emoji to a message."""
    room = conversation_access.get_conversation(call, params.channel, "channel.history")
    row, name = get_message(call, room, params.timestamp), find_stored_name(call, params.name)
    if room.archived_at is not None:
        raise OperationError("is_archived")
    present = [(item[0], item[1]) for item in call.all(_ON, {"id": row.id})]
    if (name, call.person) in present:
        raise OperationError("already_reacted")
    mine = Counter(person for _, person in present)[call.person]
    if mine >= MAX_PER_PERSON:
        raise OperationError("too_many_reactions")
    names = {item[0] for item in present}
    if name not in names and len(names) >= MAX_PER_MESSAGE:
        raise OperationError("too_many_emoji")
    call.execute(insert(Reaction).values(message_id=row.id, name=name, person_id=call.person, created_at=call.now))
    return {}


@app.operation(
    "reactions.remove",
    writes=True,
    source=DOCS + "reactions.remove",
    scope="reactions:write",
    limit=TIER2,
    after=["reactions.add"],
    examples=[{"channel": A_CHANNEL, "timestamp": A_MESSAGE, "name": "rocket"}],
    raises=("channel_not_found", "not_in_channel", "message_not_found", "invalid_name", "no_reaction", "missing_scope"),
)
def remove(call: Call, params: React) -> EmptyAnswer:
    """Remove an emoji of yours from a message."""
    row, name = _get_target(call, params), find_stored_name(call, params.name)
    if (name, call.person) not in [(item[0], item[1]) for item in call.all(_ON, {"id": row.id})]:
        raise OperationError("no_reaction")
    where = (Reaction.message_id == row.id, Reaction.name == name, Reaction.person_id == call.person)
    call.execute(delete(Reaction).where(*where))  # type: ignore[arg-type]
    return {}


@app.operation(
    "reactions.get",
    source=DOCS + "reactions.get",
    scope="reactions:read",
    limit=TIER3,
    examples=[{"channel": A_CHANNEL_OF_MINE, "timestamp": ITS_LATEST}],
    raises=("channel_not_found", "not_in_channel", "message_not_found", "missing_scope"),
)
def get(call: Call, params: GetReactions) -> ReactionsAnswer:
    """Read the emoji on one message."""
    row, roster = _get_target(call, params), Roster(call)
    return _item_to_json(call, row, roster)


def _item_to_json(call: Call, row: Row, roster: Roster) -> ReactionsAnswer:
    message = message_views.single_message_to_json(call, row, roster, thread=False)
    message["permalink"] = message_views.permalink(call, row.channel_id, row.ts, row.thread_ts)
    return {"type": "message", "channel": row.channel_id, "message": message}


_LISTED = (
    f"SELECT {message_views.COLUMNS} FROM slack_message m JOIN slack_channel c ON c.id = m.channel_id"
    " LEFT JOIN slack_member v ON v.channel_id = c.id AND v.person_id = :me"
    " WHERE m.id IN (SELECT message_id FROM slack_reaction WHERE person_id = :user) AND m.deleted_at IS NULL"
    " AND (v.person_id IS NOT NULL OR (c.kind = 'public' AND NOT :guest))"
    " AND m.ts || m.channel_id < :before ORDER BY m.ts DESC, m.channel_id DESC LIMIT :n"
)


@app.operation(
    "reactions.list",
    source=DOCS + "reactions.list",
    scope="reactions:read",
    limit=TIER2,
    examples=[{}],
    raises=("user_not_found", "invalid_cursor", "invalid_limit", "missing_scope"),
)
def list_reactions(call: Call, params: ListReactions) -> ReactedItems:
    """List the messages you (or another user) reacted to, among those you may see."""
    roster, n = Roster(call), cursors.page_size(params.limit, 100, 1000)
    user = get_user(roster, params.user) if params.user else roster.me
    values = {
        "me": call.person,
        "user": user.person_id,
        "guest": roster.me.is_guest,
        "n": n + 1,
        "before": cursors.read_cursor(call, "reacted", params.cursor) or "A",
    }
    rows = [Row(*row) for row in call.all(_LISTED, values)]
    messages = message_views.messages_to_json(call, rows[:n], roster)
    items: list[ReactionsAnswer] = []
    for row, message in zip(rows, messages, strict=False):
        message["permalink"] = message_views.permalink(call, row.channel_id, row.ts, row.thread_ts)
        items.append({"type": "message", "channel": row.channel_id, "message": message})
    last = rows[n - 1] if len(rows) > n else None
    more = cursors.write_cursor(call, "reacted", last.ts + last.channel_id) if last else ""
    return {"items": items, "response_metadata": {"next_cursor": more}}
