"""Delivery of messages: timestamps, threads, mentions, read marks, and activity lines of the service."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import orjson
from sqlalchemy import delete, insert, update

from apps.slack import absence_digest, unfurls
from apps.slack.conversation_access import NEVER, Room
from apps.slack.message_views import Row, find_message
from apps.slack.models import Activity, Channel, FileShare, Member, Mention, Message
from apps.slack.profiles import Roster
from apps.slack.text import find_mentions
from world.core.call import Call
from world.core.clock import SECOND
from world.core.errors import OperationError
from world.core.json_types import JsonObject

_FOLLOW = (
    "INSERT INTO slack_thread_follower(message_id, person_id, is_subscribed, last_read) VALUES (:id, :person, 1, :ts)"
    " ON CONFLICT(message_id, person_id) DO UPDATE SET is_subscribed = 1, last_read = max(last_read,"
    " excluded.last_read)"
)
_JOIN_THREAD = (
    "INSERT OR IGNORE INTO slack_thread_follower(message_id, person_id, is_subscribed, last_read) VALUES (:id, :person,"
    " 1, :ts)"
)
_ADD = insert(Message)
_READ = (
    "UPDATE slack_member SET last_read = :ts WHERE channel_id = :channel AND person_id = :person AND last_read < :ts"
)
_REOPEN = "UPDATE slack_member SET is_open = 1 WHERE channel_id = :channel AND is_open = 0"
_LATEST = "UPDATE slack_channel SET latest_ts = :ts WHERE id = :id RETURNING id"
_LAST = "SELECT latest_ts FROM slack_channel WHERE id = :id"
_GROUPS = "SELECT id FROM slack_usergroup WHERE id IN (SELECT value FROM json_each(:ids))"
_ALSO_SENT = (
    "SELECT ts FROM slack_message WHERE person_id = :person AND channel_id = :channel AND client_msg_id = :key"
    " AND deleted_at IS NULL"
)


@dataclass(frozen=True, slots=True)
class Post:
    """Content of a new message. `text` is stored mrkdwn; `thread` is the parent's row."""

    text: str
    blocks: Sequence[Mapping[str, object]] | None = None
    attachments: Sequence[Mapping[str, object]] | None = None
    thread: Row | None = None
    broadcast: bool = False
    client_msg_id: str | None = None
    username: str | None = None
    icon: str | None = None
    subtype: str | None = None
    facts: Mapping[str, object] | None = None
    files: Sequence[str] = field(default=())


def format_ts(at: int) -> str:
    """The ts of a simulated time."""
    return f"{at // SECOND}.{at % SECOND:06d}"


def parse_ts(ts: str) -> int:
    """The simulated time of a ts, microseconds."""
    seconds, _, rest = ts.partition(".")
    return int(seconds) * SECOND + int((rest + "000000")[:6])


def canonical_ts(ts: str) -> str:
    """A ts with all its digits, as messages are found by."""
    return format_ts(parse_ts(ts))


def reserve_ts(call: Call, channel: str) -> str:
    """A ts later than every other in the conversation, now if possible; the conversation remembers it."""
    last = call.scalar(_LAST, {"id": channel})
    ts = format_ts(max(call.now, parse_ts(last) + 1 if last else 0))
    call.execute(_LATEST, {"id": channel, "ts": ts})
    return ts


def find_already_sent(call: Call, room: Room, author: str, client_msg_id: str | None) -> Row | None:
    """Find the message that an earlier call with the same client_msg_id created."""
    if not client_msg_id:
        return None
    ts = call.scalar(_ALSO_SENT, {"person": author, "channel": room.id, "key": client_msg_id})
    return find_message(call, room.id, ts) if ts else None


def find_parent(call: Call, room: Room, thread_ts: str | None) -> Row | None:
    """Find the parent of a reply; a reply's ts leads to its parent. Raises thread_not_found."""
    if not thread_ts:
        return None
    found = find_message(call, room.id, canonical_ts(thread_ts))
    if found is not None and found.thread_ts:
        found = find_message(call, room.id, found.thread_ts)
    if found is None or (found.is_tombstone and not found.is_parent):
        raise OperationError("thread_not_found")
    return found


def deliver_message(call: Call, room: Room, author: str, post: Post, roster: Roster) -> Row:
    """Add a message with all its effects; the caller checks permissions."""
    ts = reserve_ts(call, room.id)
    call.execute(_ADD, _message_values(room, author, post, ts))
    row = find_message(call, room.id, ts)
    if row is None:
        raise LookupError(f"message {ts} was not stored")
    called = record_mentions(call, row, roster)
    share_files(call, row, post.files)
    if post.thread is not None:
        _record_reply(call, room, post.thread, row, called)
    call.execute(_READ, {"ts": ts, "channel": room.id, "person": author})
    if room.is_direct:
        call.execute(_REOPEN, {"channel": room.id})
    absence_digest.expect_digest(call, room, row, called)
    unfurls.request_unfurls(call, row)
    return row


def _message_values(room: Room, author: str, post: Post, ts: str) -> JsonObject:
    subtype = "thread_broadcast" if post.thread and post.broadcast else post.subtype
    return {
        "channel_id": room.id,
        "ts": ts,
        "person_id": author,
        "text": post.text,
        "blocks": list(post.blocks) if post.blocks else None,
        "attachments": list(post.attachments) if post.attachments else None,
        "subtype": subtype,
        "thread_ts": post.thread.ts if post.thread else None,
        "is_broadcast": bool(post.thread and post.broadcast),
        "reply_count": 0,
        "client_msg_id": post.client_msg_id,
        "username": post.username,
        "icon": post.icon,
        "has_files": bool(post.files),
        "facts": dict(post.facts) if post.facts else None,
    }


def record_mentions(call: Call, row: Row, roster: Roster) -> list[str]:
    """Record the mentions of a message; return the people mentioned by name."""
    found = find_mentions(row.text)
    if found.users or found.groups or found.broadcasts:
        people = [user.person_id for user in roster.find_all(found.users)]
        groups = _list_known_groups(call, found.groups)
        targets = [*people, *groups, *found.broadcasts]
        rows = [{"message_id": row.id, "target": t, "channel_id": row.channel_id, "ts": row.ts} for t in targets]
        if rows:
            call.execute(insert(Mention), rows)
        return people
    return []


def _list_known_groups(call: Call, groups: Sequence[str]) -> list[str]:
    listed = (
        {row[0] for row in call.all(_GROUPS, {"ids": orjson.dumps(list(groups)).decode()})} if groups else set[str]()
    )
    return [group for group in groups if group in listed]


def forget_mentions(call: Call, row: Row) -> None:
    """Delete the recorded mentions of a message that is changed or deleted."""
    call.execute(delete(Mention).where(Mention.message_id == row.id))  # type: ignore[arg-type]


def share_files(call: Call, row: Row, files: Iterable[str]) -> None:
    """Attach files to a message."""
    rows = [
        {"file_id": file, "message_id": row.id, "channel_id": row.channel_id, "position": n}
        for n, file in enumerate(files)
    ]
    if rows:
        call.execute(insert(FileShare), rows)


def _record_reply(call: Call, room: Room, parent: Row, row: Row, called: Sequence[str]) -> None:
    users: list[str] = orjson.loads(parent.reply_users) if parent.reply_users else []
    if row.person_id not in users:
        users.append(row.person_id)
    counts = {"reply_count": parent.reply_count + 1, "reply_users": users, "latest_reply": row.ts}
    call.execute(update(Message).where(Message.id == parent.id).values(counts))  # type: ignore[arg-type]
    call.execute(_FOLLOW, {"id": parent.id, "person": row.person_id, "ts": row.ts})
    for person in dict.fromkeys([parent.person_id, *called]):
        if person != row.person_id:
            call.execute(
                _JOIN_THREAD,
                {"id": parent.id, "person": person, "ts": parent.ts if person == parent.person_id else NEVER},
            )


_REPLIES = (
    "SELECT ts, person_id FROM slack_message WHERE channel_id = :channel AND thread_ts = :ts AND deleted_at IS NULL"
    " ORDER BY ts"
)


def recount_replies(call: Call, channel: str, thread_ts: str) -> None:
    """Recount a parent's replies."""
    rows = call.all(_REPLIES, {"channel": channel, "ts": thread_ts})
    users = list(dict.fromkeys(row[1] for row in rows))
    values = {"reply_count": len(rows), "reply_users": users or None, "latest_reply": rows[-1][0] if rows else None}
    where = (Message.channel_id == channel, Message.ts == thread_ts)
    call.execute(update(Message).where(*where).values(values))  # type: ignore[arg-type]


def record_activity(
    call: Call, room: Room, author: str, subtype: str, sentence: str, facts: Mapping[str, object] | None = None
) -> str:
    """Add an activity line of the service (`channel_join` and so on); return its ts."""
    ts = reserve_ts(call, room.id)
    values = {"channel_id": room.id, "ts": ts, "person_id": author, "subtype": subtype, "text": sentence}
    call.execute(insert(Activity).values({**values, "facts": dict(facts) if facts else None}))
    return ts


def add_member(call: Call, room: Room, person: str, roster: Roster, inviter: str | None = None) -> None:
    """Make somebody a member, with the line that says so in a channel."""
    ts = format_ts(call.now) if room.is_direct else _record_join(call, room, person, roster, inviter)
    values = {"channel_id": room.id, "person_id": person, "joined_at": call.now, "inviter_id": inviter, "last_read": ts}
    call.execute(insert(Member).values({**values, "is_muted": False, "is_starred": False, "is_open": True}))


def _record_join(call: Call, room: Room, person: str, roster: Roster, inviter: str | None) -> str:
    facts = {"inviter": roster.user_id(inviter)} if inviter else None
    return record_activity(
        call, room, person, "channel_join", f"<@{roster.user_id(person)}> has joined the channel", facts
    )


def remove_member(call: Call, room: Room, person: str, roster: Roster) -> None:
    """End a membership, with the line that says so."""
    where = (Member.channel_id == room.id, Member.person_id == person)
    call.execute(delete(Member).where(*where))  # type: ignore[arg-type]
    record_activity(call, room, person, "channel_leave", f"<@{roster.user_id(person)}> has left the channel")


def update_channel(call: Call, room: Room, **values: object) -> None:
    """Set columns of a conversation."""
    where = Channel.id == room.id
    call.execute(update(Channel).where(where).values({**values, "updated_at": call.now}))  # type: ignore[arg-type]
