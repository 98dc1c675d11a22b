"""Channels: create, rename, archive, topic, purpose."""

import re

import orjson
from pydantic import Field

from apps.slack import conversation_access
from apps.slack.answers import EmptyAnswer
from apps.slack.app import app
from apps.slack.conversation_access import Room
from apps.slack.example_objects import A_CHANNEL
from apps.slack.limits import DOCS, TIER2
from apps.slack.message_delivery import add_member, record_activity, update_channel
from apps.slack.operations.conversations import ChannelAnswer, create_room
from apps.slack.params import InChannel, Line
from apps.slack.profiles import Roster
from apps.slack.text import normalise
from world.core.call import Call
from world.core.errors import OperationError
from world.core.params import Params, Text

MAX_NAME, MAX_TOPIC = 80, 250  # docs.slack.dev/reference/methods/conversations.create and .setTopic
_NAME = re.compile(r"[\w-]+")


class CreateChannel(Params):
    """A channel to create."""

    name: Text = Field(
        description="Lower case, no spaces or full stops, at most 80 characters.", examples=["incident-checkout"]
    )
    is_private: bool = Field(default=False, description="Make it private.")
    team_id: Line = Field(default="", description="Accepted for compatibility.")


class RenameChannel(InChannel):
    """A channel's new name."""

    name: Text = Field(
        description="Lower case, no spaces or full stops, at most 80 characters.", examples=["incident-checkout"]
    )


class SetTopic(InChannel):
    """A channel's new topic."""

    topic: Text = Field(
        description="What is being talked about now; at most 250 characters.", examples=["Release on Thursday"]
    )


class SetPurpose(InChannel):
    """A channel's new purpose."""

    purpose: Text = Field(
        description="What the channel is for; at most 250 characters.", examples=["Questions about billing"]
    )


def check_name(call: Call, name: str) -> str:
    """Return a valid new channel name. Raises invalid_name_*, name_taken."""
    wanted = name.strip().removeprefix("#")
    if not wanted:
        raise OperationError("invalid_name_required")
    if len(wanted) > MAX_NAME:
        raise OperationError("invalid_name_maxlength")
    if not any(char.isalnum() for char in wanted):
        raise OperationError("invalid_name_punctuation")
    if wanted != wanted.lower() or not _NAME.fullmatch(wanted):
        raise OperationError("invalid_name_specials")
    if conversation_access.find_channel_named(call, wanted) is not None:
        raise OperationError("name_taken")
    return wanted


@app.operation(
    "conversations.create",
    writes=True,
    source=DOCS + "conversations.create",
    limit=TIER2,
    examples=[{"name": "project-lemon"}],
    raises=(
        "invalid_name_required",
        "invalid_name_maxlength",
        "invalid_name_punctuation",
        "invalid_name_specials",
        "name_taken",
        "restricted_action",
        "missing_scope",
    ),
)
def create(call: Call, params: CreateChannel) -> ChannelAnswer:
    """Create a public or private channel; you become its first member."""
    roster, kind = Roster(call), "private" if params.is_private else "public"
    conversation_access.require_manage_scope(call, kind)
    if roster.me.is_guest:
        raise OperationError("restricted_action")
    room = create_room(call, kind, check_name(call, params.name))
    add_member(call, room, call.person, roster)
    made = channel_answer(call, room.id, roster)
    return {"channel": {**made["channel"], "last_read": conversation_access.NEVER, "priority": 0}}


def channel_answer(call: Call, channel: str, roster: Roster) -> ChannelAnswer:
    """Return the response with the conversation as it is now."""
    room = conversation_access.find_any(call, channel)
    if room is None:
        raise OperationError("channel_not_found")
    return {"channel": conversation_access.conversation_to_json(room, roster)}


def get_writable_channel(call: Call, channel: str) -> Room:
    """Return a channel that the caller may change.

    Raises channel_not_found, not_in_channel, is_archived, method_not_supported_...
    """
    room = conversation_access.get_conversation(call, channel)
    if room.is_direct:
        raise OperationError("method_not_supported_for_channel_type")
    conversation_access.require_manage_scope(call, room.kind)
    if room.archived_at is not None:
        raise OperationError("is_archived")
    if not room.is_member:
        raise OperationError("not_in_channel")
    return room


@app.operation(
    "conversations.rename",
    writes=True,
    source=DOCS + "conversations.rename",
    limit=TIER2,
    examples=[{"channel": A_CHANNEL, "name": "project-lime"}],
    raises=(
        "channel_not_found",
        "not_in_channel",
        "is_archived",
        "not_authorized",
        "invalid_name_required",
        "invalid_name_maxlength",
        "invalid_name_punctuation",
        "invalid_name_specials",
        "name_taken",
        "method_not_supported_for_channel_type",
        "missing_scope",
    ),
)
def rename(call: Call, params: RenameChannel) -> ChannelAnswer:
    """Give a channel another name; only its creator and admins may."""
    room, roster = get_writable_channel(call, params.channel), Roster(call)
    if room.creator_id != call.person and not roster.me.is_admin:
        raise OperationError("not_authorized")
    if params.name.strip().removeprefix("#") == room.name:
        return channel_answer(call, room.id, roster)
    name = check_name(call, params.name)
    before: list[str] = orjson.loads(room.previous_names) if room.previous_names else []
    update_channel(call, room, name=name, previous_names=[room.name, *(old for old in before if old != room.name)])
    sentence = f'<@{roster.me.id}> has renamed the channel from "{room.name}" to "{name}"'
    record_activity(call, room, call.person, "channel_name", sentence, {"old_name": room.name, "name": name})
    return channel_answer(call, room.id, roster)


@app.operation(
    "conversations.setTopic",
    writes=True,
    source=DOCS + "conversations.setTopic",
    limit=TIER2,
    examples=[{"channel": A_CHANNEL, "topic": "Release on Thursday"}],
    raises={
        "channel_not_found": "",
        "not_in_channel": "",
        "is_archived": "",
        "too_long": "over 250 characters",
        "method_not_supported_for_channel_type": "",
        "missing_scope": "",
    },
)
def set_topic(call: Call, params: SetTopic) -> ChannelAnswer:
    """Set a channel's topic, the line shown beside its name."""
    return _set_phrase(call, params.channel, "topic", params.topic)


@app.operation(
    "conversations.setPurpose",
    writes=True,
    source=DOCS + "conversations.setPurpose",
    limit=TIER2,
    examples=[{"channel": A_CHANNEL, "purpose": "Questions about billing"}],
    raises={
        "channel_not_found": "",
        "not_in_channel": "",
        "is_archived": "",
        "too_long": "over 250 characters",
        "method_not_supported_for_channel_type": "",
        "missing_scope": "",
    },
)
def set_purpose(call: Call, params: SetPurpose) -> ChannelAnswer:
    """Set a channel's purpose (its description)."""
    return _set_phrase(call, params.channel, "purpose", params.purpose)


def _set_phrase(call: Call, channel: str, part: str, wanted: str) -> ChannelAnswer:
    room, roster = get_writable_channel(call, channel), Roster(call)
    if len(wanted) > MAX_TOPIC:
        raise OperationError("too_long")
    value = normalise(wanted, links=False)
    if value == getattr(room, part):
        return channel_answer(call, room.id, roster)
    update_channel(call, room, **{part: value, f"{part}_by": call.person, f"{part}_at": call.now})
    said = f"set the channel {part}: {value}" if value else f"cleared the channel {part}"
    record_activity(call, room, call.person, f"channel_{part}", f"<@{roster.me.id}> {said}", {part: value})
    return channel_answer(call, room.id, roster)


@app.operation(
    "conversations.archive",
    writes=True,
    source=DOCS + "conversations.archive",
    limit=TIER2,
    examples=[{"channel": A_CHANNEL}],
    raises=(
        "channel_not_found",
        "not_in_channel",
        "already_archived",
        "cant_archive_general",
        "restricted_action",
        "method_not_supported_for_channel_type",
        "missing_scope",
    ),
)
def archive(call: Call, params: InChannel) -> EmptyAnswer:
    """Archive a channel: it stays readable, but nobody can post."""
    room, roster = conversation_access.get_conversation(call, params.channel), Roster(call)
    if room.archived_at is not None:
        raise OperationError("already_archived")
    get_writable_channel(call, params.channel)
    if room.is_general:
        raise OperationError("cant_archive_general")
    if roster.me.is_guest:
        raise OperationError("restricted_action")
    record_activity(call, room, call.person, "channel_archive", f"<@{roster.me.id}> archived the channel")
    update_channel(call, room, archived_at=call.now, archived_by=call.person)
    return {}


@app.operation(
    "conversations.unarchive",
    writes=True,
    source=DOCS + "conversations.unarchive",
    limit=TIER2,
    after=["conversations.archive"],
    examples=[{"channel": A_CHANNEL}],
    raises=(
        "channel_not_found",
        "not_archived",
        "restricted_action",
        "method_not_supported_for_channel_type",
        "missing_scope",
    ),
)
def unarchive(call: Call, params: InChannel) -> EmptyAnswer:
    """Unarchive a channel."""
    room, roster = conversation_access.get_conversation(call, params.channel), Roster(call)
    if room.is_direct:
        raise OperationError("method_not_supported_for_channel_type")
    conversation_access.require_manage_scope(call, room.kind)
    if room.archived_at is None:
        raise OperationError("not_archived")
    if roster.me.is_guest:
        raise OperationError("restricted_action")
    update_channel(call, room, archived_at=None, archived_by=None)
    record_activity(call, room, call.person, "channel_unarchive", f"<@{roster.me.id}> un-archived the channel")
    return {}
