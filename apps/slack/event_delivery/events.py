"""The Events API: what happened in the workspace, read from the journal as an app that subscribes to it is told.

Source: docs.slack.dev/reference/events
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

from apps.slack import conversation_access
from apps.slack.conversation_access import Room
from apps.slack.manifests import find_manifest, is_interactive, list_subscriptions
from apps.slack.message_views import Row, list_by_ids, messages_to_json
from apps.slack.operations.users import describe_person
from apps.slack.profiles import Roster, User
from apps.slack.text import find_mentions
from world.core.call import Call
from world.core.clock import SECOND
from world.core.journal import Change, changes_after, parse_json
from world.core.json_types import JsonObject
from world.core.rng import digest

SUBSCRIPTIONS = {"public": "message.channels", "private": "message.groups", "im": "message.im", "mpim": "message.mpim"}
CHANNEL_TYPES = {"public": "channel", "private": "group", "im": "im", "mpim": "mpim"}
_AT = "SELECT at FROM _call WHERE seq = :seq"
_ITEM = "SELECT channel_id, ts, person_id FROM slack_message WHERE id = :id"
_THREAD = ("reply_count", "reply_users_count", "latest_reply", "reply_users", "is_locked", "subscribed", "last_read")


class Event(NamedTuple):
    """One thing an app is told: which change and subscription it is of, the whole payload, the kind of envelope."""

    key: tuple[int, str]
    payload: JsonObject
    envelope: str = "events_api"


Said = Iterator[tuple[str, JsonObject]]


class EventSender:
    """Tells one bot what it subscribes to, as far as it may see it."""

    def __init__(self, call: Call) -> None:
        self.call, self.roster = call, Roster(call)
        self.me: User = self.roster.me
        manifest = find_manifest(call, self.me.app_id)
        self.wanted, self.is_interactive = list_subscriptions(manifest), is_interactive(manifest)

    def list_events(self, after: int) -> list[Event]:
        """The events of all changes after a journal id, in the order they happened."""
        return [event for change in changes_after(self.call.bound, after) for event in self._tell(change)]

    def _tell(self, change: Change) -> Iterator[Event]:
        if change.table == "slack_interaction":
            yield from self._tell_interaction(change)
            return
        read = READERS.get(change.table)
        if read is None or not self.wanted:
            return
        at = int(self.call.scalar(_AT, {"seq": change.call_seq}) or self.call.now)
        for kind, body in read(self, change):
            if kind in self.wanted:
                stamped = {**body, "event_ts": body.get("event_ts") or f"{at // SECOND}.{at % SECOND:06d}"}
                yield Event((change.id, kind), self._wrap(change.id, kind, at, stamped))

    def _tell_interaction(self, change: Change) -> Iterator[Event]:
        """Return the payload of an interaction with this app: docs.slack.dev/reference/interaction-payloads."""
        row = change.after
        if change.op == "insert" and row is not None and row["app_id"] == self.me.app_id and self.is_interactive:
            yield Event((change.id, str(row["kind"])), parse_json(row["payload"]), "interactive")

    def _wrap(self, id: int, kind: str, at: int, body: JsonObject) -> JsonObject:
        """The outer payload: docs.slack.dev/apis/events-api#events-JSON."""
        mark = digest("slack event", self.me.app_id, id, kind).hex().upper()
        team = self.roster.team.id
        bot = {
            "enterprise_id": None,
            "team_id": team,
            "user_id": self.me.id,
            "is_bot": True,
            "is_enterprise_install": False,
        }
        return {
            "token": digest("slack verification token", self.me.app_id).hex()[:24],
            "team_id": team,
            "context_team_id": team,
            "context_enterprise_id": None,
            "api_app_id": self.me.app_id,
            "event": body,
            "type": "event_callback",
            "event_id": f"Ev{mark[:9]}",
            "event_time": at // SECOND,
            "authorizations": [bot],
            "is_ext_shared_channel": False,
            "event_context": f"4-{mark.lower()}",
        }

    def room(self, channel: str) -> Room | None:
        """A conversation that the bot is in."""
        found = conversation_access.find_any(self.call, channel)
        return found if found is not None and found.is_member else None


def _read_message(teller: EventSender, change: Change) -> Said:
    before, after = change.before, change.after
    room = teller.room(str((after or before or {})["channel_id"]))
    if room is None or after is None:
        return
    if change.op == "insert":
        yield from _tell_message(teller, room, after)
    elif before is not None and after["deleted_at"] and not before["deleted_at"]:
        yield SUBSCRIPTIONS[room.kind], _build_deletion(teller, room, before, after)
    elif before is not None and after["edited_ts"] != before["edited_ts"]:
        yield SUBSCRIPTIONS[room.kind], _build_edit(teller, room, before, after)


def _tell_message(teller: EventSender, room: Room, row: JsonObject) -> Said:
    body = _message_to_json(teller, int(str(row["id"])))
    if body is None:
        return
    placed = {**body, "channel": room.id, "event_ts": row["ts"]}
    yield SUBSCRIPTIONS[room.kind], {**placed, "channel_type": CHANNEL_TYPES[room.kind]}
    if not room.is_direct and teller.me.id in find_mentions(str(row["text"])).users:
        yield "app_mention", {**placed, "type": "app_mention"}


def _message_to_json(teller: EventSender, id: int) -> JsonObject | None:
    rows: list[Row] = [row for row in list_by_ids(teller.call, [id]) if not row.is_tombstone]
    if not rows:
        return None
    [body] = messages_to_json(teller.call, rows, teller.roster)
    return {name: value for name, value in body.items() if name not in _THREAD}


def _build_previous(teller: EventSender, row: JsonObject) -> JsonObject:
    """A message as it was."""
    user = teller.roster.user_id(str(row["person_id"]))
    shown: JsonObject = {"type": "message", "user": user, "text": row["text"], "ts": row["ts"]}
    return {**shown, "thread_ts": row["thread_ts"]} if row["thread_ts"] else shown


def _build_hidden(room: Room, subtype: str) -> JsonObject:
    return {
        "type": "message",
        "subtype": subtype,
        "hidden": True,
        "channel": room.id,
        "channel_type": CHANNEL_TYPES[room.kind],
    }


def _build_deletion(teller: EventSender, room: Room, before: JsonObject, after: JsonObject) -> JsonObject:
    at = int(str(after["deleted_at"]))
    stamp = f"{at // SECOND}.{at % SECOND:06d}"
    told = {
        "deleted_ts": before["ts"],
        "previous_message": _build_previous(teller, before),
        "ts": stamp,
        "event_ts": stamp,
    }
    return {**_build_hidden(room, "message_deleted"), **told}


def _build_edit(teller: EventSender, room: Room, before: JsonObject, after: JsonObject) -> JsonObject:
    now = _message_to_json(teller, int(str(after["id"]))) or _build_previous(teller, after)
    told = {"message": now, "previous_message": _build_previous(teller, before)}
    return {**_build_hidden(room, "message_changed"), **told, "ts": after["edited_ts"], "event_ts": after["edited_ts"]}


def _read_activity(teller: EventSender, change: Change) -> Said:
    row = change.after
    room = teller.room(str(row["channel_id"])) if row is not None and change.op == "insert" else None
    if row is None or room is None:
        return
    yield (
        SUBSCRIPTIONS[room.kind],
        {
            "type": "message",
            "subtype": row["subtype"],
            "user": teller.roster.user_id(str(row["person_id"])),
            "text": row["text"],
            "ts": row["ts"],
            **(row["facts"] if isinstance(row["facts"], dict) else {}),
            "channel": room.id,
            "channel_type": CHANNEL_TYPES[room.kind],
            "event_ts": row["ts"],
        },
    )


def _read_reaction(teller: EventSender, change: Change) -> Said:
    row = change.after if change.op == "insert" else change.before if change.op == "delete" else None
    item = teller.call.first(_ITEM, {"id": row["message_id"]}) if row is not None else None
    if row is None or item is None or teller.room(item[0]) is None:
        return
    kind = "reaction_added" if change.op == "insert" else "reaction_removed"
    yield (
        kind,
        {
            "type": kind,
            "user": teller.roster.user_id(str(row["person_id"])),
            "reaction": row["name"],
            "item_user": teller.roster.user_id(item[2]),
            "item": {"type": "message", "channel": item[0], "ts": item[1]},
        },
    )


def _read_member(teller: EventSender, change: Change) -> Said:
    row = change.after if change.op == "insert" else change.before if change.op == "delete" else None
    room = teller.room(str(row["channel_id"])) if row is not None else None
    if row is None or room is None or room.is_direct:
        return
    kind = "member_joined_channel" if change.op == "insert" else "member_left_channel"
    body: JsonObject = {
        "type": kind,
        "user": teller.roster.user_id(str(row["person_id"])),
        "channel": room.id,
        "channel_type": "C" if room.kind == "public" else "G",
        "team": teller.roster.team.id,
    }
    if change.op == "insert" and row["inviter_id"]:
        body["inviter"] = teller.roster.user_id(str(row["inviter_id"]))
    yield kind, body


def _read_channel(teller: EventSender, change: Change) -> Said:
    before, after = change.before, change.after
    if after is None or after["kind"] not in ("public", "private"):
        return
    public, word = after["kind"] == "public", "channel" if after["kind"] == "public" else "group"
    shown: JsonObject = {"id": after["id"], "name": after["name"], "created": int(str(after["created_at"])) // SECOND}
    if before is None:
        if public:
            creator = teller.roster.user_id(str(after["creator_id"]))
            yield "channel_created", {"type": "channel_created", "channel": {**shown, "creator": creator}}
        return
    if not public and teller.room(str(after["id"])) is None:
        return
    if after["name"] != before["name"]:
        yield f"{word}_rename", {"type": f"{word}_rename", "channel": {**shown, "name_normalized": after["name"]}}
    if bool(after["archived_at"]) != bool(before["archived_at"]):
        kind = f"{word}_archive" if after["archived_at"] else f"{word}_unarchive"
        by = after["archived_by"] or before["archived_by"]
        user = teller.roster.user_id(None if by is None else str(by))
        yield kind, {"type": kind, "channel": after["id"], "user": user, "is_moved": 0}


def _read_pin(teller: EventSender, change: Change) -> Said:
    row = change.after if change.op == "insert" else change.before if change.op == "delete" else None
    room = teller.room(str(row["channel_id"])) if row is not None else None
    if row is None or room is None:
        return
    kind = "pin_added" if change.op == "insert" else "pin_removed"
    user = teller.roster.user_id(str(row["person_id"]))
    item = {
        "type": "message",
        "channel": room.id,
        "created": int(str(row["pinned_at"])) // SECOND,
        "created_by": user,
        "message": _message_to_json(teller, int(str(row["message_id"]))),
    }
    yield kind, {"type": kind, "user": user, "channel_id": room.id, "item": item, "has_pins": change.op == "insert"}


def _read_account(teller: EventSender, change: Change) -> Said:
    row = change.after
    if change.op == "insert" and row is not None and row["app"] == "slack":
        yield "team_join", {"type": "team_join", "user": describe_person(teller.call, str(row["external_id"]))}


READERS: dict[str, Callable[[EventSender, Change], Iterable[tuple[str, Any]]]] = {
    "slack_message": _read_message,
    "slack_activity": _read_activity,
    "slack_reaction": _read_reaction,
    "slack_member": _read_member,
    "slack_channel": _read_channel,
    "slack_pin": _read_pin,
    "account": _read_account,
}
