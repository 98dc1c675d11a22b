"""Members of conversations, and each member's own settings."""

from typing import NotRequired, TypedDict

from pydantic import Field
from sqlalchemy import update

from apps.slack import conversation_access
from apps.slack.app import app
from apps.slack.conversation_access import Room
from apps.slack.example_objects import A_CHANNEL, A_COLLEAGUE, A_MESSAGE
from apps.slack.limits import CLIENT, DOCS, TIER3
from apps.slack.message_delivery import add_member, canonical_ts, remove_member
from apps.slack.models import Member
from apps.slack.operations.channels import EmptyAnswer, channel_answer
from apps.slack.operations.conversations import ChannelAnswer, get_user
from apps.slack.params import TIMESTAMP, USER, Ident, InChannel, Names, Ts
from apps.slack.profiles import Roster, User
from world.core.call import Call
from world.core.errors import OperationError
from world.core.json_types import JsonObject

MAX_INVITED = 100  # docs.slack.dev/reference/methods/conversations.invite


class JoinedChannel(TypedDict):
    """The channel you are in now."""

    channel: JsonObject
    warning: NotRequired[str]
    response_metadata: NotRequired[dict[str, list[str]]]


class LeaveAnswer(TypedDict):
    """Response of leaving a channel."""

    not_in_channel: NotRequired[bool]


class Invite(InChannel):
    """People to add to a channel."""

    users: Names = Field(description="User ids, comma-separated; up to 100.", examples=[["U061F7AUR"]])
    force: bool = Field(default=False, description="Add those who can be added, even if others cannot.")


class Kick(InChannel):
    """Person to remove from a channel."""

    user: Ident = USER


class Mark(InChannel):
    """Read position to set."""

    ts: Ts = TIMESTAMP


class Mute(InChannel):
    """Whether a conversation is to keep quiet."""

    muted: bool = Field(default=True, description="False ends it.")


class Star(InChannel):
    """Whether a conversation is among your starred ones."""

    starred: bool = Field(default=True, description="False ends it.")


def _check_own_membership(call: Call, room: Room, **values: object) -> None:
    where = (Member.channel_id == room.id, Member.person_id == call.person)
    call.execute(update(Member).where(*where).values(values))  # type: ignore[arg-type]


@app.operation(
    "conversations.join",
    writes=True,
    source=DOCS + "conversations.join",
    limit=TIER3,
    after=["conversations.leave"],
    examples=[{"channel": A_CHANNEL}],
    raises=("channel_not_found", "is_archived", "method_not_supported_for_channel_type", "missing_scope"),
)
def join(call: Call, params: InChannel) -> JoinedChannel:
    """Join a public channel."""
    room, roster = conversation_access.get_conversation(call, params.channel), Roster(call)
    conversation_access.require_scope(call, room, "join" if call.principal.kind == "bot" else "write")
    if room.is_member and not room.is_direct:
        return {
            **channel_answer(call, room.id, roster),
            "warning": "already_in_channel",
            "response_metadata": {"warnings": ["already_in_channel"]},
        }
    if room.kind != "public":
        raise OperationError("method_not_supported_for_channel_type")
    if room.archived_at is not None:
        raise OperationError("is_archived")
    add_member(call, room, call.person, roster)
    return {"channel": channel_answer(call, room.id, roster)["channel"]}


@app.operation(
    "conversations.leave",
    writes=True,
    source=DOCS + "conversations.leave",
    limit=TIER3,
    examples=[{"channel": A_CHANNEL}],
    raises=(
        "channel_not_found",
        "cant_leave_general",
        "last_member",
        "is_archived",
        "method_not_supported_for_channel_type",
        "missing_scope",
    ),
)
def leave(call: Call, params: InChannel) -> LeaveAnswer:
    """Leave a channel."""
    room, roster = conversation_access.get_conversation(call, params.channel), Roster(call)
    conversation_access.require_scope(call, room, "write")
    if room.is_direct:
        raise OperationError("method_not_supported_for_channel_type")
    if not room.is_member:
        return {"not_in_channel": True}
    if room.is_general:
        raise OperationError("cant_leave_general")
    if room.archived_at is not None:
        raise OperationError("is_archived")
    if room.kind == "private" and conversation_access.count_members(call, [room.id]).get(room.id) == 1:
        raise OperationError("last_member")
    remove_member(call, room, call.person, roster)
    return {}


@app.operation(
    "conversations.invite",
    writes=True,
    source=DOCS + "conversations.invite",
    limit=TIER3,
    examples=[{"channel": A_CHANNEL, "users": [A_COLLEAGUE]}],
    raises=(
        "channel_not_found",
        "not_in_channel",
        "is_archived",
        "no_user",
        "user_not_found",
        "cant_invite_self",
        "cant_invite",
        "already_in_channel",
        "too_many_users",
        "restricted_action",
        "method_not_supported_for_channel_type",
        "missing_scope",
    ),
)
def invite(call: Call, params: Invite) -> ChannelAnswer:
    """Add people to a channel you are in."""
    room, roster = conversation_access.get_conversation(call, params.channel), Roster(call)
    conversation_access.require_scope(call, room, "write" if call.principal.kind == "user" else "write.invites")
    _check_open(room)
    if roster.me.is_guest:
        raise OperationError("restricted_action")
    users = list(dict.fromkeys(params.users))
    if not users:
        raise OperationError("no_user")
    if len(users) > MAX_INVITED:
        raise OperationError("too_many_users")
    found = {user.id: user for user in roster.find_all(users)}
    present = set(conversation_access.list_members(call, room.id))
    wrong = {one: code for one in users if (code := _invite_refusal(call, found.get(one), present))}
    if wrong and not (params.force and len(wrong) < len(users)):
        errors = [{"user": one, "ok": False, "error": code} for one, code in wrong.items()]
        raise OperationError(next(iter(wrong.values())), errors=errors)
    for one in users:
        if one not in wrong:
            add_member(call, room, found[one].person_id, roster, inviter=call.person)
    return channel_answer(call, room.id, roster)


def _check_open(room: Room) -> None:
    if room.is_direct:
        raise OperationError("method_not_supported_for_channel_type")
    if room.archived_at is not None:
        raise OperationError("is_archived")
    if not room.is_member:
        raise OperationError("not_in_channel")


def _invite_refusal(call: Call, user: User | None, present: set[str]) -> str | None:
    if user is None:
        return "user_not_found"
    if user.person_id == call.person:
        return "cant_invite_self"
    if user.status != "active":
        return "cant_invite"
    return "already_in_channel" if user.person_id in present else None


@app.operation(
    "conversations.kick",
    writes=True,
    source=DOCS + "conversations.kick",
    limit=TIER3,
    after=["conversations.invite"],
    examples=[{"channel": A_CHANNEL, "user": A_COLLEAGUE}],
    raises=(
        "channel_not_found",
        "not_in_channel",
        "user_not_found",
        "cant_kick_self",
        "cant_kick_from_general",
        "restricted_action",
        "is_archived",
        "method_not_supported_for_channel_type",
        "missing_scope",
    ),
)
def kick(call: Call, params: Kick) -> EmptyAnswer:
    """Remove somebody from a channel; in public channels only its creator and admins may."""
    room, roster = conversation_access.get_conversation(call, params.channel), Roster(call)
    conversation_access.require_scope(call, room, "write")
    _check_open(room)
    user = get_user(roster, params.user)
    if user.person_id == call.person:
        raise OperationError("cant_kick_self")
    if room.is_general:
        raise OperationError("cant_kick_from_general")
    if user.person_id not in conversation_access.list_members(call, room.id):
        raise OperationError("not_in_channel")
    may = room.kind == "private" or roster.me.is_admin or room.creator_id == call.person
    if roster.me.is_guest or not may:
        raise OperationError("restricted_action")
    remove_member(call, room, user.person_id, roster)
    return {}


@app.operation(
    "conversations.mark",
    writes=True,
    cost_s=0,
    source=DOCS + "conversations.mark",
    limit=TIER3,
    examples=[{"channel": A_CHANNEL, "ts": A_MESSAGE}],
    raises=("channel_not_found", "not_in_channel", "missing_scope"),
)
def mark(call: Call, params: Mark) -> EmptyAnswer:
    """Set your read position in a conversation; an earlier ts makes later messages unread again."""
    room = conversation_access.get_conversation(call, params.channel)
    conversation_access.require_scope(call, room, "write")
    if not room.is_member:
        raise OperationError("not_in_channel")
    _check_own_membership(call, room, last_read=canonical_ts(params.ts).rjust(17, "0"))
    return {}


@app.operation(
    "conversations.setMuted",
    writes=True,
    scope="client",
    source=CLIENT + " (users.prefs.set, muted_channels)",
    examples=[{"channel": A_CHANNEL}],
    raises=("channel_not_found", "not_in_channel", "missing_scope"),
)
def set_muted(call: Call, params: Mute) -> EmptyAnswer:
    """Mute a conversation (or end that): it no longer notifies you."""
    room = conversation_access.get_conversation(call, params.channel)
    if not room.is_member:
        raise OperationError("not_in_channel")
    _check_own_membership(call, room, is_muted=params.muted)
    return {}


@app.operation(
    "conversations.setStarred",
    writes=True,
    scope="client",
    source=CLIENT + " (stars.add)",
    examples=[{"channel": A_CHANNEL}],
    raises=("channel_not_found", "not_in_channel", "missing_scope"),
)
def set_starred(call: Call, params: Star) -> EmptyAnswer:
    """Star a conversation (or end that): starred ones stand first in your sidebar."""
    room = conversation_access.get_conversation(call, params.channel)
    if not room.is_member:
        raise OperationError("not_in_channel")
    _check_own_membership(call, room, is_starred=params.starred)
    return {}
