"""Lookup, description and opening of conversations."""

from typing import NotRequired, TypedDict

from pydantic import Field
from sqlalchemy import insert, update

from apps.slack import conversation_access, cursors
from apps.slack.app import app
from apps.slack.conversation_access import Room
from apps.slack.cursors import Metadata
from apps.slack.example_objects import A_CHANNEL_OF_MINE, A_COLLEAGUE, A_DIRECT
from apps.slack.limits import DOCS, TIER2, TIER3, TIER4
from apps.slack.message_delivery import format_ts
from apps.slack.models import Channel, Member
from apps.slack.params import CHANNEL, Count, Cursor, Ident, InChannel, Line, Names, limit_field
from apps.slack.profiles import Roster, User
from world.core.access import check_scope
from world.core.call import Call
from world.core.errors import OperationError
from world.core.json_types import JsonObject
from world.core.params import Params

KINDS = {"public_channel": "public", "private_channel": "private", "im": "im", "mpim": "mpim"}
MAX_GROUP = 8  # people besides the caller: docs.slack.dev/reference/methods/conversations.open


class Channels(TypedDict):
    """A page of conversations."""

    channels: list[JsonObject]
    response_metadata: Metadata


class ChannelAnswer(TypedDict):
    """A conversation."""

    channel: JsonObject


class OpenedConversation(TypedDict):
    """A direct conversation that is open now."""

    channel: JsonObject
    no_op: NotRequired[bool]
    already_open: NotRequired[bool]


class MemberList(TypedDict):
    """A page of user ids."""

    members: list[str]
    response_metadata: Metadata


class ListChannels(Params):
    """Filters and page of conversations."""

    types: Line = Field(
        default="public_channel",
        description="Comma-separated: public_channel, private_channel, mpim, im.",
        examples=["public_channel,private_channel"],
    )
    exclude_archived: bool = Field(default=False, description="Leave archived channels out.")
    limit: Count = limit_field(100, 1000)
    cursor: Cursor = ""


class ListMine(ListChannels):
    """Filters and page of a user's conversations."""

    user: Line = Field(default="", description="User id; yourself if empty. Of others you see what you share.")


_LIST = f"""SELECT {conversation_access.COLUMNS} FROM {conversation_access.SOURCE} WHERE c.id > :after
  AND instr(:kinds, ' ' || c.kind || ' ') AND (:archived OR c.archived_at IS NULL)"""
_VISIBLE = f"{_LIST} AND (m.joined_at IS NOT NULL OR (c.kind = 'public' AND NOT :guest)) ORDER BY c.id LIMIT :n"
_SHARED = (
    f"{_LIST} AND (m.joined_at IS NOT NULL OR (c.kind = 'public' AND NOT :guest)) AND EXISTS (SELECT 1 FROM"
    " slack_member o WHERE o.channel_id = c.id AND o.person_id = :user) ORDER BY c.id LIMIT :n"
)


def parse_kinds(call: Call, types: str) -> list[str]:
    """Kinds of conversation named by `types`, as far as the token's scopes reach. Raises invalid_types, missing_scope."""
    asked = [part.strip() for part in types.split(",") if part.strip()] or ["public_channel"]
    if any(part not in KINDS for part in asked):
        raise OperationError("invalid_types")
    kinds = [KINDS[part] for part in dict.fromkeys(asked)]
    for kind in kinds:
        check_scope(call.principal, f"{conversation_access.SCOPES[kind]}:read")
    return kinds


def _list_page(call: Call, params: ListChannels, user: str | None) -> Channels:
    kinds, n = parse_kinds(call, params.types), cursors.page_size(params.limit, 100, 1000)
    roster = Roster(call)
    values = {
        "me": call.person,
        "after": cursors.read_cursor(call, "team", params.cursor) or "",
        "kinds": f" {' '.join(kinds)} ",
        "archived": not params.exclude_archived,
        "guest": roster.me.is_guest,
        "n": n + 1,
        "user": user,
    }
    found = [Room(*row) for row in call.all(_VISIBLE if user is None else _SHARED, values)]
    page = found[:n]
    sizes = conversation_access.count_members(call, [room.id for room in page]) if user is None else {}
    roster.need(
        {
            person
            for room in page
            for person in (room.creator_id, room.topic_by, room.purpose_by, *room.people)
            if person
        }
    )
    shown = [
        conversation_access.conversation_to_json(room, roster, sizes.get(room.id, 0) if user is None else None)
        for room in page
    ]
    if user is not None:
        for one in shown:
            one.pop("is_member", None)
    more = cursors.write_cursor(call, "team", page[-1].id) if len(found) > n else ""
    return {"channels": shown, "response_metadata": {"next_cursor": more}}


@app.operation(
    "conversations.list",
    source=DOCS + "conversations.list",
    limit=TIER2,
    examples=[{"types": "public_channel,private_channel", "limit": 20}],
    raises=("invalid_types", "invalid_cursor", "invalid_limit", "missing_scope"),
)
def list_conversations(call: Call, params: ListChannels) -> Channels:
    """List the channels of the workspace (and your private channels, group messages and direct messages by `types`).

    Private conversations are listed for their members only.
    """
    return _list_page(call, params, None)


@app.operation(
    "users.conversations",
    source=DOCS + "users.conversations",
    limit=TIER2,
    examples=[{"types": "public_channel,private_channel"}],
    raises=("invalid_types", "invalid_cursor", "invalid_limit", "user_not_found", "missing_scope"),
)
def list_mine(call: Call, params: ListMine) -> Channels:
    """List the conversations you (or another user) are a member of."""
    person = call.person
    if params.user:
        person = get_user(Roster(call), params.user).person_id
    return _list_page(call, params, person)


def get_user(roster: Roster, user_id: str) -> User:
    """The user of an id. Raises user_not_found."""
    found = roster.find(user_id)
    if found is None:
        raise OperationError("user_not_found")
    return found


class ChannelInfo(InChannel):
    """Request fields for describing a conversation."""

    include_num_members: bool = Field(default=False, description="Also count the members.")
    include_locale: bool = Field(default=False, description="Also tell the language.")


@app.operation(
    "conversations.info",
    source=DOCS + "conversations.info",
    limit=TIER3,
    examples=[{"channel": A_CHANNEL_OF_MINE}],
    raises=("channel_not_found", "missing_scope"),
)
def info(call: Call, params: ChannelInfo) -> ChannelAnswer:
    """Describe one conversation: name, topic, purpose, whether archived, whether you are in it."""
    room, roster = conversation_access.get_conversation(call, params.channel), Roster(call)
    conversation_access.require_scope(call, room, "read")
    size = (
        conversation_access.count_members(call, [room.id]).get(room.id, 0)
        if params.include_num_members and not room.is_direct
        else None
    )
    shown = conversation_access.conversation_to_json(room, roster, size)
    if params.include_locale:
        shown["locale"] = "en-US"
    if room.is_member:
        shown["last_read"] = room.last_read
    if room.kind == "im":
        shown["is_open"] = bool(room.is_open)
    return {"channel": shown}


class ListMembers(InChannel):
    """Request fields for listing the members of a conversation."""

    limit: Count = limit_field(100, 1000)
    cursor: Cursor = ""


_MEMBERS = (
    "SELECT m.person_id, a.external_id FROM slack_member m JOIN account a ON a.app = 'slack' AND a.person_id ="
    " m.person_id WHERE m.channel_id = :channel AND a.external_id > :after ORDER BY a.external_id LIMIT :n"
)


@app.operation(
    "conversations.members",
    source=DOCS + "conversations.members",
    limit=TIER4,
    examples=[{"channel": A_CHANNEL_OF_MINE}],
    raises=("channel_not_found", "invalid_cursor", "invalid_limit", "missing_scope"),
)
def members(call: Call, params: ListMembers) -> MemberList:
    """List the user ids of a conversation's members."""
    room, n = conversation_access.get_conversation(call, params.channel), cursors.page_size(params.limit, 100, 1000)
    conversation_access.require_scope(call, room, "read")
    after = cursors.read_cursor(call, "user", params.cursor) or ""
    ids = [row[1] for row in call.all(_MEMBERS, {"channel": room.id, "after": after, "n": n + 1})]
    more = cursors.write_cursor(call, "user", ids[n - 1]) if len(ids) > n else ""
    return {"members": ids[:n], "response_metadata": {"next_cursor": more}}


class OpenConversation(Params):
    """People of a direct conversation (`users`), or `channel` to reopen one."""

    users: Names | None = Field(
        default=None, description="User ids, comma-separated; one for a direct message, up to 8 for a group."
    )
    channel: Ident | None = Field(
        default=None, description="Id of a direct conversation to open again instead of `users`."
    )
    return_im: bool = Field(default=False, description="Answer with the whole conversation instead of its id.")
    prevent_creation: bool = Field(default=False, description="Only find an existing conversation.")


@app.operation(
    "conversations.open",
    writes=True,
    source=DOCS + "conversations.open",
    limit=TIER3,
    examples=[{"users": [A_COLLEAGUE]}],
    raises=(
        "users_list_not_supplied",
        "user_not_found",
        "user_disabled",
        "too_many_users",
        "channel_not_found",
        "method_not_supported_for_channel_type",
        "missing_scope",
    ),
)
def open_conversation(call: Call, params: OpenConversation) -> OpenedConversation:
    """Open (or find) the direct message with one person, or the group message with several."""
    roster = Roster(call)
    if params.channel:
        room = conversation_access.get_conversation(call, params.channel)
        if not room.is_direct:
            raise OperationError("method_not_supported_for_channel_type")
    else:
        people = _list_wanted_people(call, roster, params.users or [])
        check_scope(call.principal, f"{conversation_access.SCOPES['im' if len(people) <= 2 else 'mpim']}:write")
        found = conversation_access.find_direct(call, people)
        if found is None:
            if params.prevent_creation:
                raise OperationError("channel_not_found")
            if any(user.status != "active" for user in map(roster.get, people) if user):
                raise OperationError("user_disabled")
            room = start_direct(call, people, roster)
            unopened: JsonObject = (
                conversation_access.conversation_to_json(room, roster) if params.return_im else {"id": room.id}
            )
            return {"channel": unopened}
        room = found
    was_open = bool(room.is_open)
    if not was_open:
        where = (Member.channel_id == room.id, Member.person_id == call.person)
        call.execute(update(Member).where(*where).values(is_open=True))  # type: ignore[arg-type]
    shown: JsonObject = conversation_access.conversation_to_json(room, roster) if params.return_im else {"id": room.id}
    return {"no_op": True, "already_open": True, "channel": shown} if was_open else {"channel": shown}


def _list_wanted_people(call: Call, roster: Roster, users: list[str]) -> list[str]:
    if not users:
        raise OperationError("users_list_not_supplied")
    found = roster.find_all(users)
    if len(found) < len(set(users)):
        raise OperationError("user_not_found")
    people = sorted({call.person, *(user.person_id for user in found)})
    if len(people) > MAX_GROUP + 1:
        raise OperationError("too_many_users")
    return people


def start_direct(call: Call, people: list[str], roster: Roster) -> Room:
    """Create the direct conversation of exactly these people."""
    kind = "im" if len(people) <= 2 else "mpim"
    roster.need(people)
    handles = sorted(user.handle for user in map(roster.get, people) if user)
    purpose = "Group messaging with: " + " ".join(f"@{handle}" for handle in handles) if kind == "mpim" else ""
    room = create_room(
        call,
        kind,
        "" if kind == "im" else f"mpdm-{'--'.join(handles)}-1",
        purpose=purpose,
        key=conversation_access.members_key(people),
    )
    rows = [
        {
            "channel_id": room.id,
            "person_id": person,
            "joined_at": call.now,
            "inviter_id": None,
            "last_read": format_ts(call.now),
            "is_muted": False,
            "is_starred": False,
            "is_open": person == call.person,
        }
        for person in people
    ]
    call.execute(insert(Member), rows)
    found = conversation_access.find_any(call, room.id)
    if found is None:
        raise LookupError(f"conversation {room.id} was not stored")
    return found


def create_room(call: Call, kind: str, name: str, *, purpose: str = "", key: str | None = None) -> Room:
    """Add a conversation without members."""
    new = call.ids.token("D" if kind == "im" else "C", 10)
    values = {
        "id": new,
        "name": name,
        "kind": kind,
        "creator_id": call.person,
        "created_at": call.now,
        "topic": "",
        "topic_by": "",
        "topic_at": 0,
        "purpose": purpose,
        "purpose_by": call.person if purpose else "",
        "purpose_at": call.now if purpose else 0,
        "is_general": False,
        "posting": "everyone",
        "members_key": key,
        "latest_ts": "",
        "updated_at": call.now,
    }
    call.execute(insert(Channel).values(values))
    room = conversation_access.find_any(call, new)
    if room is None:
        raise LookupError(f"conversation {new} was not stored")
    return room


class CloseConversation(Params):
    """Direct conversation to close."""

    channel: Ident = CHANNEL


class ClosedConversation(TypedDict):
    """Response of closing a conversation."""

    no_op: NotRequired[bool]
    already_closed: NotRequired[bool]


@app.operation(
    "conversations.close",
    writes=True,
    source=DOCS + "conversations.close",
    limit=TIER2,
    examples=[{"channel": A_DIRECT}],
    raises=("channel_not_found", "method_not_supported_for_channel_type", "missing_scope"),
)
def close(call: Call, params: CloseConversation) -> ClosedConversation:
    """Hide a direct or group message from your sidebar; nothing is deleted."""
    room = conversation_access.get_conversation(call, params.channel)
    if not room.is_direct:
        raise OperationError("method_not_supported_for_channel_type")
    conversation_access.require_scope(call, room, "write")
    if not room.is_open:
        return {"no_op": True, "already_closed": True}
    where = (Member.channel_id == room.id, Member.person_id == call.person)
    call.execute(update(Member).where(*where).values(is_open=False))  # type: ignore[arg-type]
    return {}
