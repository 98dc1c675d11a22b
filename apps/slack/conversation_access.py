"""Conversations: lookup limited to what the caller may see, permission rules, and their wire shape."""

from collections.abc import Iterable
from typing import Literal, NamedTuple, TypedDict

import orjson

from apps.slack.app import app
from apps.slack.profiles import Roster
from world.core.access import check_scope
from world.core.call import Call
from world.core.clock import SECOND
from world.core.errors import OperationError
from world.core.json_types import JsonObject

Kind = Literal["public", "private", "im", "mpim"]
SCOPES = {"public": "channels", "private": "groups", "im": "im", "mpim": "mpim"}  # docs.slack.dev/reference/scopes
NEVER = "0000000000.000000"

COLUMNS = """c.id, c.name, c.kind, c.creator_id, c.created_at, c.topic, c.topic_by, c.topic_at, c.purpose, c.purpose_by,
  c.purpose_at, c.previous_names, c.is_general, c.posting, c.members_key, c.archived_at, c.latest_ts, c.updated_at,
  m.joined_at, m.last_read, m.is_muted, m.is_starred, m.is_open"""
SOURCE = "slack_channel c LEFT JOIN slack_member m ON m.channel_id = c.id AND m.person_id = :me"
_ONE = f"SELECT {COLUMNS} FROM {SOURCE} WHERE c.id = :id"
_NAMED = f"SELECT {COLUMNS} FROM {SOURCE} WHERE c.name = :name AND c.kind IN ('public', 'private')"
_KEYED = f"SELECT {COLUMNS} FROM {SOURCE} WHERE c.members_key = :key"
_SIZES = (
    "SELECT channel_id, count(*) FROM slack_member WHERE channel_id IN (SELECT value FROM json_each(:ids)) GROUP BY"
    " channel_id"
)
_MEMBERS = "SELECT person_id FROM slack_member WHERE channel_id = :id ORDER BY joined_at, person_id"


class Room(NamedTuple):
    """A conversation, and the caller's membership; `joined_at` is None for a non-member."""

    id: str
    name: str
    kind: Kind
    creator_id: str
    created_at: int
    topic: str
    topic_by: str
    topic_at: int
    purpose: str
    purpose_by: str
    purpose_at: int
    previous_names: str | None
    is_general: bool
    posting: str
    members_key: str | None
    archived_at: int | None
    latest_ts: str
    updated_at: int
    joined_at: int | None
    last_read: str | None
    is_muted: bool | None
    is_starred: bool | None
    is_open: bool | None

    @property
    def is_member(self) -> bool:
        """Whether the caller is in it."""
        return self.joined_at is not None

    @property
    def is_direct(self) -> bool:
        """Whether it is a conversation between people rather than a channel."""
        return self.kind in ("im", "mpim")

    @property
    def people(self) -> list[str]:
        """Directory ids of the people of a direct conversation."""
        return self.members_key.split(",") if self.members_key else []


@app.rule("channel.read")
def may_read(call: Call, room: object) -> str | None:
    """Refuse reading, except to members of the conversation, and in a public channel to everybody but guests."""
    if not isinstance(room, Room) or room.is_member:
        return None
    if room.kind != "public":
        return "channel_not_found"
    user = Roster(call).get(call.person)
    return "channel_not_found" if user is not None and user.is_guest else None


@app.rule("channel.history")
def may_read_history(call: Call, room: object) -> str | None:
    """Refuse reading the history: people may read that of any public channel, apps only as members."""
    hidden = may_read(call, room)
    if hidden or not isinstance(room, Room) or room.is_member:
        return hidden
    return "not_in_channel" if call.principal.kind == "bot" else None


@app.rule("channel.post")
def may_post(call: Call, room: object) -> str | None:
    """Refuse posting to an archived channel, by non-members, and by non-admins where only admins may post."""
    hidden = may_read(call, room)
    if hidden or not isinstance(room, Room):
        return hidden
    if room.archived_at is not None:
        return "is_archived"
    if not room.is_member:
        return "not_in_channel"
    user = Roster(call).get(call.person)
    if room.posting == "admins" and not (user and user.is_admin) and room.creator_id != call.person:
        return "restricted_action_read_only_channel"
    return None


def require_scope(call: Call, room: Room, verb: str) -> None:
    """Raises missing_scope when the token lacks `<kind>:<verb>` for this kind of conversation."""
    check_scope(call.principal, f"{SCOPES[room.kind]}:{verb}")


def require_manage_scope(call: Call, kind: str) -> None:
    """Raises missing_scope when the token may not change conversations of this kind."""
    verb = "manage" if kind == "public" and call.principal.kind == "bot" else "write"
    check_scope(call.principal, f"{SCOPES[kind]}:{verb}")


def find_any(call: Call, channel: str) -> Room | None:
    """The conversation of an id, however hidden."""
    row = call.first(_ONE, {"id": channel, "me": call.person})
    return Room(*row) if row else None


def get_conversation(call: Call, channel: str, rule: str = "channel.read") -> Room:
    """The conversation of an id, as far as the caller may see it. Raises channel_not_found."""
    room = find_any(call, channel)
    if room is None:
        raise OperationError("channel_not_found")
    call.authorise(rule, room)
    return room


def find_channel_named(call: Call, name: str) -> Room | None:
    """The channel of a name, however hidden."""
    row = call.first(_NAMED, {"name": name, "me": call.person})
    return Room(*row) if row else None


def find_direct(call: Call, people: Iterable[str]) -> Room | None:
    """The direct conversation of exactly these people, if it exists."""
    row = call.first(_KEYED, {"key": members_key(people), "me": call.person})
    return Room(*row) if row else None


def members_key(people: Iterable[str]) -> str:
    """Return the key of a direct conversation, made of its people."""
    return ",".join(sorted(set(people)))


def list_members(call: Call, channel: str) -> list[str]:
    """Directory ids of the members, longest first."""
    return [row[0] for row in call.all(_MEMBERS, {"id": channel})]


def count_members(call: Call, channels: Iterable[str]) -> dict[str, int]:
    """Count the members of each conversation."""
    rows = call.all(_SIZES, {"ids": orjson.dumps(list(channels)).decode()})
    return {row[0]: row[1] for row in rows}


class Phrase(TypedDict):
    """A topic or purpose."""

    value: str
    creator: str
    last_set: int


def conversation_to_json(room: Room, roster: Roster, size: int | None = None) -> JsonObject:
    """The conversation object: docs.slack.dev/reference/objects/conversation-object."""
    return _im_to_json(room, roster) if room.kind == "im" else _channel_to_json(room, roster, size)


def _im_to_json(room: Room, roster: Roster) -> JsonObject:
    me = roster.me.person_id
    other = next((person for person in room.people if person != me), me)
    user = roster.get(other)
    return {
        "id": room.id,
        "created": room.created_at // SECOND,
        "is_archived": False,
        "is_im": True,
        "is_org_shared": False,
        "context_team_id": roster.team.id,
        "updated": room.updated_at // 1000,
        "user": roster.user_id(other),
        "is_user_deleted": bool(user and user.status != "active"),
        "priority": 0,
    }


def _channel_to_json(room: Room, roster: Roster, size: int | None) -> JsonObject:
    group = room.kind == "mpim" or room.id.startswith("G")
    out: JsonObject = {
        "id": room.id,
        "name": room.name,
        "is_channel": not group,
        "is_group": group,
        "is_im": False,
        "is_mpim": room.kind == "mpim",
        "is_private": room.kind != "public",
        "created": room.created_at // SECOND,
        "is_archived": room.archived_at is not None,
        "is_general": bool(room.is_general),
        "unlinked": 0,
        "name_normalized": room.name,
        "is_shared": False,
        "is_org_shared": False,
        "is_pending_ext_shared": False,
        "pending_shared": [],
        "context_team_id": roster.team.id,
        "updated": room.updated_at // 1000,
        "creator": roster.user_id(room.creator_id),
        "is_ext_shared": False,
        "shared_team_ids": [roster.team.id],
        "pending_connected_team_ids": [],
        "is_member": room.is_member,
        "topic": _phrase_to_json(roster, room.topic, room.topic_by, room.topic_at),
        "purpose": _phrase_to_json(roster, room.purpose, room.purpose_by, room.purpose_at),
        "previous_names": orjson.loads(room.previous_names) if room.previous_names else [],
    }
    if room.kind == "mpim" and room.is_member:
        out["is_open"] = bool(room.is_open)
    if size is not None:
        out["num_members"] = size
    return out


def _phrase_to_json(roster: Roster, value: str, by: str, at: int) -> Phrase:
    return {"value": value, "creator": roster.user_id(by) if by else "", "last_set": at // SECOND}


def conversation_title(room: Room, roster: Roster) -> str:
    """Return the title of a conversation: #name, or the names of the others."""
    if not room.is_direct:
        return f"#{room.name}"
    me = roster.me.person_id
    others = [person for person in room.people if person != me] or [me]
    roster.need(others)
    shown = [user.display_name or user.real_name for user in map(roster.get, others) if user]
    return ", ".join(shown)
