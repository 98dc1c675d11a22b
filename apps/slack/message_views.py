"""Messages as a reader sees them: rows with their reactions, files and threads, assembled a page at a time."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import orjson

from apps.slack import file_views
from apps.slack.blocks import add_block_ids, new_block_id
from apps.slack.conversation_access import NEVER
from apps.slack.profiles import SLACKBOT, Roster, list_images
from apps.slack.text import to_rich_text
from world.core.call import Call
from world.core.json_types import JsonObject

COLUMNS = """m.id, m.channel_id, m.ts, m.person_id, m.text, m.blocks, m.attachments, m.subtype, m.thread_ts, m.is_broadcast,
  m.reply_count, m.reply_users, m.latest_reply, m.edited_ts, m.edited_by, m.deleted_at, m.client_msg_id, m.username, m.icon,
  m.has_files, m.facts"""
ACTIVITY = """-1 AS id, a.channel_id, a.ts, a.person_id, a.text, NULL, NULL, a.subtype, NULL, 0, 0, NULL, NULL, NULL, NULL, NULL,
  NULL, NULL, NULL, 0, a.facts"""
_IDS = "IN (SELECT value FROM json_each(:ids))"
_REACTIONS = (
    f"SELECT message_id, name, person_id FROM slack_reaction WHERE message_id {_IDS}"
    " ORDER BY message_id, created_at, name, person_id"
)
_FOLLOWED = (
    "SELECT message_id, is_subscribed, last_read FROM slack_thread_follower WHERE person_id = :me AND message_id"
    f" {_IDS}"
)
_PINNED = f"SELECT message_id, channel_id FROM slack_pin WHERE message_id {_IDS}"
_PARENTS = (
    "SELECT p.ts, p.person_id FROM json_each(:ids) j JOIN slack_message p ON p.channel_id = :channel AND p.ts = j.value"
)
_ONE = f"SELECT {COLUMNS} FROM slack_message m WHERE m.channel_id = :channel AND m.ts = :ts"
_BY_ID = f"SELECT {COLUMNS} FROM slack_message m WHERE m.id {_IDS} ORDER BY m.ts, m.id"
MAX_REPLY_USERS = (
    5  # docs.slack.dev/reference/methods/conversations.replies: reply_users holds a few, reply_users_count all
)
HIDDEN_SUBTYPES = frozenset({"channel_join", "channel_leave", "group_join", "group_leave"})


class Row(NamedTuple):
    """A message row, its JSON columns still text. Activity lines have id -1."""

    id: int
    channel_id: str
    ts: str
    person_id: str
    text: str
    blocks: str | None
    attachments: str | None
    subtype: str | None
    thread_ts: str | None
    is_broadcast: bool
    reply_count: int
    reply_users: str | None
    latest_reply: str | None
    edited_ts: str | None
    edited_by: str | None
    deleted_at: int | None
    client_msg_id: str | None
    username: str | None
    icon: str | None
    has_files: bool
    facts: str | None

    @property
    def is_parent(self) -> bool:
        """Whether it has a thread."""
        return self.reply_count > 0

    @property
    def is_tombstone(self) -> bool:
        """Whether it was deleted and only its thread keeps it in place."""
        return self.deleted_at is not None


def find_message(call: Call, channel: str, ts: str) -> Row | None:
    """The message of a conversation and ts, deleted or not."""
    found = call.first(_ONE, {"channel": channel, "ts": ts})
    return Row(*found) if found else None


def list_by_ids(call: Call, ids: Iterable[int]) -> list[Row]:
    """Messages by row id, oldest first."""
    return [Row(*row) for row in call.all(_BY_ID, {"ids": orjson.dumps(list(ids)).decode()})]


class MessagePage:
    """Reactions, pins, threads and files of a set of messages, read in a few queries."""

    def __init__(self, call: Call, rows: Sequence[Row], roster: Roster) -> None:
        self.call, self.roster = call, roster
        ids = orjson.dumps([row.id for row in rows if row.id > 0]).decode()
        self.reactions = self._reactions(ids)
        self.pins: dict[int, str] = {row[0]: row[1] for row in call.all(_PINNED, {"ids": ids})}
        parents = orjson.dumps([row.id for row in rows if row.is_parent]).decode()
        followed = call.all(_FOLLOWED, {"ids": parents, "me": call.person}) if parents != "[]" else ()
        self.followed: dict[int, tuple[bool, str]] = {row[0]: (bool(row[1]), row[2]) for row in followed}
        self.parents = self._parents(rows)
        self.files = file_views.files_of_messages(call, [row.id for row in rows if row.has_files], roster)
        self._meet(rows)

    def _reactions(self, ids: str) -> dict[int, dict[str, list[str]]]:
        found: dict[int, dict[str, list[str]]] = defaultdict(dict)
        for message, name, person in self.call.all(_REACTIONS, {"ids": ids}):
            found[message].setdefault(name, []).append(person)
        return found

    def _parents(self, rows: Sequence[Row]) -> dict[tuple[str, str], str]:
        by_channel: dict[str, list[str]] = defaultdict(list)
        for row in rows:
            if row.thread_ts:
                by_channel[row.channel_id].append(row.thread_ts)
        out: dict[tuple[str, str], str] = {}
        for channel in sorted(by_channel):
            wanted = orjson.dumps(sorted(set(by_channel[channel]))).decode()
            for ts, person in self.call.all(_PARENTS, {"ids": wanted, "channel": channel}):
                out[channel, ts] = person
        return out

    def _meet(self, rows: Sequence[Row]) -> None:
        people = {row.person_id for row in rows} | {row.edited_by for row in rows if row.edited_by}
        people.update(self.parents.values())
        for names in self.reactions.values():
            for who in names.values():
                people.update(who)
        for row in rows:
            if row.reply_users:
                people.update(orjson.loads(row.reply_users)[:MAX_REPLY_USERS])
        self.roster.need(people)


def messages_to_json(call: Call, rows: Sequence[Row], roster: Roster) -> list[JsonObject]:
    """The message objects of rows: docs.slack.dev/reference/methods/conversations.history."""
    gallery = MessagePage(call, rows, roster)
    return [message_to_json(row, gallery) for row in rows]


def message_to_json(row: Row, gallery: MessagePage) -> JsonObject:
    """One message object."""
    if row.is_tombstone:
        return tombstone_to_json(row, gallery)
    out = _head_to_json(row, gallery)
    _add_content(row, out, gallery)
    if row.edited_ts:
        out["edited"] = {"user": gallery.roster.user_id(row.edited_by), "ts": row.edited_ts}
    _add_thread(row, out, gallery)
    names = gallery.reactions.get(row.id)
    if names:
        out["reactions"] = [reaction_to_json(name, who, gallery.roster) for name, who in names.items()]
    if row.id in gallery.pins:
        out["pinned_to"] = [gallery.pins[row.id]]
    if row.facts:
        out.update(orjson.loads(row.facts))
    return out


def reaction_to_json(name: str, people: Sequence[str], roster: Roster) -> JsonObject:
    """One emoji under a message."""
    return {"name": name, "users": roster.user_ids(people), "count": len(people)}


def tombstone_to_json(row: Row, gallery: MessagePage) -> JsonObject:
    """Render the placeholder of a deleted parent of a thread."""
    out: JsonObject = {
        "type": "message",
        "subtype": "tombstone",
        "text": "This message was deleted.",
        "user": SLACKBOT,
        "hidden": True,
        "ts": row.ts,
    }
    _add_thread(row, out, gallery)
    return out


def _head_to_json(row: Row, gallery: MessagePage) -> JsonObject:
    roster = gallery.roster
    user = roster.get(row.person_id)
    out: JsonObject = {}
    if row.client_msg_id:
        out["client_msg_id"] = row.client_msg_id
    if row.subtype:
        out["subtype"] = row.subtype
    out |= {
        "type": "message",
        "user": user.id if user else SLACKBOT,
        "ts": row.ts,
        "text": row.text,
        "team": roster.team.id,
    }
    if user is not None and user.is_bot:
        base = gallery.call.base_url
        out |= {"bot_id": user.bot_id, "app_id": user.app_id}
        icons = dict(list_images(base, user.id, (36, 48, 72)))
        out["bot_profile"] = {
            "id": user.bot_id,
            "app_id": user.app_id,
            "user_id": user.id,
            "name": user.real_name,
            "icons": icons,
            "deleted": user.status != "active",
            "updated": 0,
            "team_id": roster.team.id,
        }
    if row.username:
        out["username"] = row.username
    if row.icon:
        out["icons"] = {"emoji": row.icon} if row.icon.startswith(":") else {"image_48": row.icon}
    return out


def _add_content(row: Row, out: JsonObject, gallery: MessagePage) -> None:
    if row.blocks:
        out["blocks"] = add_block_ids(orjson.loads(row.blocks), row.channel_id, row.ts)
    elif row.text and row.id > 0:
        out["blocks"] = [to_rich_text(row.text, new_block_id(row.channel_id, row.ts, "0"))]
    if row.attachments:
        out["attachments"] = orjson.loads(row.attachments)
    if row.has_files:
        out |= {
            "files": gallery.files.get(row.id, []),
            "upload": row.subtype is None and not row.text,
            "display_as_bot": False,
        }


def _add_thread(row: Row, out: JsonObject, gallery: MessagePage) -> None:
    if row.thread_ts:
        out["thread_ts"] = row.thread_ts
        parent = gallery.parents.get((row.channel_id, row.thread_ts))
        if parent is not None:
            out["parent_user_id"] = gallery.roster.user_id(parent)
        return
    if not row.is_parent:
        return
    users: list[str] = orjson.loads(row.reply_users) if row.reply_users else []
    subscribed, last_read = gallery.followed.get(row.id, (False, NEVER))
    out |= {
        "thread_ts": row.ts,
        "reply_count": row.reply_count,
        "reply_users_count": len(users),
        "latest_reply": row.latest_reply,
        "reply_users": gallery.roster.user_ids(users[:MAX_REPLY_USERS]),
        "is_locked": False,
        "subscribed": subscribed,
    }
    if subscribed:
        out["last_read"] = last_read


def single_message_to_json(call: Call, row: Row, roster: Roster, *, thread: bool = True) -> JsonObject:
    """One message object; without `thread`, as the service answers a write."""
    shown = row if thread else row._replace(reply_count=0)
    return message_to_json(shown, MessagePage(call, [shown], roster))


def permalink(call: Call, channel: str, ts: str, thread_ts: str | None = None) -> str:
    """The public address of a message."""
    address = call.public_link(f"/archives/{channel}/p{ts.replace('.', '')}", "slack")
    return f"{address}?thread_ts={thread_ts}&cid={channel}" if thread_ts and thread_ts != ts else address
