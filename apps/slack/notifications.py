"""Notices of new messages, and the colleagues they address."""

from collections.abc import Iterable
from typing import Any

import orjson

from apps.slack import conversation_access
from apps.slack.app import app
from apps.slack.conversation_access import Room
from apps.slack.markup import Names
from apps.slack.profiles import Roster
from apps.slack.text import Targets, find_mentions, to_plain
from world.core.app import Facts, HeardMessage, Notice
from world.core.call import Call
from world.core.journal import Change

QUIET = ("channel_join", "channel_leave", "group_join", "group_leave")
_LISTENERS = "SELECT person_id, is_muted FROM slack_member WHERE channel_id = :id ORDER BY person_id"
_GROUP = (
    "SELECT DISTINCT person_id FROM slack_usergroup_member WHERE usergroup_id IN (SELECT value FROM json_each(:ids))"
    " ORDER BY 1"
)
_FOLLOWERS = (
    "SELECT f.person_id FROM slack_thread_follower f JOIN slack_message p ON p.id = f.message_id"
    " WHERE p.channel_id = :channel AND p.ts = :ts AND f.is_subscribed ORDER BY f.person_id"
)


def _find_new_message(change: Change) -> dict[str, object] | None:
    row = change.after
    if change.table != "slack_message" or change.op != "insert" or row is None or row.get("subtype") in QUIET:
        return None
    return row


def _list_called(call: Call, found: Targets, roster: Roster) -> set[str]:
    people = {user.person_id for user in roster.find_all(found.users)} if found.users else set[str]()
    if found.groups:
        people |= {row[0] for row in call.all(_GROUP, {"ids": orjson.dumps(list(found.groups)).decode()})}
    return people


def _list_followers(call: Call, channel: str, thread_ts: object) -> set[str]:
    return {row[0] for row in call.all(_FOLLOWERS, {"channel": channel, "ts": thread_ts})} if thread_ts else set()


@app.notices
def list_notices(call: Call, change: Change) -> Iterable[Notice]:
    """Yield notices of direct messages, mentions, and replies in followed threads, never in a muted conversation.

    People viewing the place of a message get a notice of it too.
    """
    row = _find_new_message(change)
    room = conversation_access.find_any(call, str(row["channel_id"])) if row else None
    if row is None or room is None:
        return
    author, roster = str(row["person_id"]), Roster(call)
    found = find_mentions(str(row["text"]))
    named, following = _list_called(call, found, roster), _list_followers(call, room.id, row["thread_ts"])
    for person, muted in call.all(_LISTENERS, {"id": room.id}):
        why = _notice_title(room, person, named, following, bool(found.broadcasts))
        if why and not muted and person != author:
            title = why.format(author=_author_name(roster, author), place=room.name)
            yield Notice(person, f"{title}: {_notice_text(call, row, roster)}", _list_ids(row), _list_places(room, row))
    where = f" in #{room.name}" if room.name else ""
    yield Notice(
        "",
        f"{_author_name(roster, author)}{where}: {_notice_text(call, row, roster)}",
        _list_ids(row),
        _list_places(room, row),
        ("conversations.info", {"channel": room.id}),
    )


def _list_ids(row: dict[str, object]) -> dict[str, str]:
    thread = {"thread_ts": str(row["thread_ts"])} if row["thread_ts"] else {}
    return {"channel": str(row["channel_id"]), "ts": str(row["ts"]), **thread}


def _list_places(room: Room, row: dict[str, object]) -> tuple[str, ...]:
    """Return the names of a message's places: the conversation, and its thread."""
    return room.id, *([f"#{room.name}"] if room.name else []), f"{room.id}:{row['thread_ts'] or row['ts']}"


def _notice_title(room: Room, person: str, named: set[str], following: set[str], broadcast: bool) -> str:
    if room.is_direct:
        return "Slack message from {author}"
    if person in named:
        return "{author} mentioned you in #{place}"
    if broadcast:
        return "{author} notified #{place}"
    return "{author} replied in a thread you follow in #{place}" if person in following else ""


def _author_name(roster: Roster, person: str) -> str:
    user = roster.get(person)
    return user.real_name if user else "Slackbot"


def _notice_text(call: Call, row: dict[str, object], roster: Roster) -> str:
    said = render_plain_text(call, str(row["text"]), roster).replace("\n", " ")
    return said if len(said) <= 120 else said[:117] + "..."


def render_plain_text(call: Call, stored: str, roster: Roster) -> str:
    """Render a stored text with the names of people, channels and groups."""
    found = roster.find_all(find_mentions(stored).users)
    names = Names(users={user.id: user.display_name or user.real_name for user in found})
    return to_plain(stored, names.of)


@app.finds_recipients
def list_listeners(call: Call, change: Change) -> Iterable[HeardMessage]:
    """Yield the people a message addresses.

    A direct message addresses everybody in it, a channel message those it names, a reply the thread's people too.
    """
    row = _find_new_message(change)
    room = conversation_access.find_any(call, str(row["channel_id"])) if row else None
    if row is None or room is None:
        return
    author, roster, thread = str(row["person_id"]), Roster(call), row["thread_ts"]
    listeners = set(room.people) if room.is_direct else _list_called(call, find_mentions(str(row["text"])), roster)
    if thread and not room.is_direct:
        listeners |= _list_followers(call, room.id, thread)
    members = {person for person, _ in call.all(_LISTENERS, {"id": room.id})}
    arguments = (
        {"channel": room.id}
        if room.is_direct and not thread
        else {"channel": room.id, "thread_ts": str(thread or row["ts"])}
    )
    place = room.id if room.is_direct else f"{room.id}:{thread or row['ts']}"
    said = render_plain_text(call, str(row["text"]), roster)
    emoji = ("reactions.add", {"channel": room.id, "timestamp": str(row["ts"])})
    for person in sorted((listeners & members) - {author}):
        yield HeardMessage(person, author, said, place, "chat.postMessage", arguments, emoji=emoji)


@app.finds_place
def find_place(facts: Facts) -> str | None:
    """Return the thread of a message, from `channel` and `ts`."""
    return f"{facts['channel']}:{facts['ts']}" if facts.get("channel") and facts.get("ts") else None


@app.involves_person
def involve_person(call: Call, person: str, arguments: dict[str, Any]) -> tuple[str, dict[str, object]]:
    """Return a mention of a person; in a direct message, the answer goes to a direct message."""
    user, room = Roster(call).get(person), conversation_access.find_any(call, arguments["channel"])
    if user is None:
        return call.directory.full_name(person), arguments
    return f"<@{user.id}>", {"channel": user.id} if room is not None and room.is_direct else arguments


@app.quiet_until
def get_snooze_end(call: Call, person: str) -> int:
    """Return the end of somebody's snooze of notifications."""
    return call.scalar("SELECT snooze_until_at FROM slack_profile WHERE person_id = :id", {"id": person}) or 0
