"""Dialogs over a conversation: the emoji picker, a message's menu, and dialogs of channel and workspace."""

from collections.abc import Callable, Mapping
from datetime import timedelta
from typing import Any

from apps.slack.pages.messages import message_view
from apps.slack.pages.people import People, conversation_kind
from world.core.clock import to_datetime
from world.core.json_types import JsonObject
from world.web import View
from world.web.emoji import PICKER

Room = Mapping[str, Any]
Context = JsonObject


def open_overlay(view: View, people: People, room: Room | None) -> Context:
    """Return the dialog that the address opens, or nothing."""
    query = view.query
    channel = str(room["id"]) if room else ""
    for name, make in (
        ("react", emoji_picker),
        ("menu", message_menu_dialog),
        ("delete", message_menu_dialog),
        ("remind", message_menu_dialog),
    ):
        if query.get(name) and channel:
            return {"open": name, **make(view, people, channel, query[name])}
    name = query.get("dialog", "")
    if name not in DIALOGS or (room is None and name in NEEDS_ROOM):
        return {"open": ""}
    return {"open": name, **DIALOGS[name](view, people, room)}


def emoji_picker(view: View, people: People, channel: str, ts: str) -> Context:
    """The emoji picker of a message."""
    wanted = view.query.get("emoji", "").strip(":").lower()
    groups = {group: [(n, c) for n, c in entries if wanted in n] for group, entries in PICKER.items()}
    return {"subject_ts": ts, "groups": {group: found for group, found in groups.items() if found}, "wanted": wanted}


def message_menu_dialog(view: View, people: People, channel: str, ts: str) -> Context:
    """A message's menu, or the question before it is deleted."""
    message = find_message(view, channel, ts)
    if message is None:
        return {"subject": None, "subject_ts": ts}
    saved = view.attempt("saved.list") or {"saved_items": []}
    kept = any(i.get("item_id") == channel and i.get("ts") == ts for i in saved.get("saved_items") or ())
    shown: Context = {"subject": message_view(message, channel, people), "subject_ts": ts, "subject_saved": kept}
    return shown | {"message_shortcuts": list_message_shortcuts(view)}


def list_message_shortcuts(view: View) -> list[tuple[str, JsonObject]]:
    """What apps offer to do with a message, each with its app."""
    apps = (view.attempt("views.list") or {"apps": []})["apps"]
    return [(app["app_id"], one) for app in apps for one in app["shortcuts"] if one["type"] == "message"]


def find_message(view: View, channel: str, ts: str) -> Mapping[str, object] | None:
    """A message of a conversation, in a thread or not."""
    page = view.attempt("conversations.history", channel=channel, latest=ts, oldest=ts, inclusive=True, limit=1)
    if page and page["messages"]:
        return page["messages"][0]
    thread = view.query.get("thread")
    if not thread:
        return None
    found = view.attempt(
        "conversations.replies", channel=channel, ts=thread, latest=ts, oldest=ts, inclusive=True, limit=2
    )
    return next((m for m in (found or {"messages": []})["messages"] if m["ts"] == ts), None)


def details_dialog(view: View, people: People, room: Room | None) -> Context:
    """About a conversation: topic, purpose, members, settings."""
    tab = view.query.get("tab", "about")
    context: Context = {"tab": tab}
    if room and tab == "pins":
        pins = (view.attempt("pins.list", channel=room["id"]) or {"items": []})["items"]
        context["pinned"] = [message_view(pin["message"], str(room["id"]), people) for pin in pins]
    if room and tab == "members":
        members = view.attempt("conversations.members", channel=room["id"], limit=1000) or {"members": []}
        wanted = view.query.get("find", "").lower()
        everyone = [people.who(user) for user in members["members"]]
        found = [who for who in everyone if wanted in who.name.lower() or wanted in who.real_name.lower()]
        context |= {"members": sorted(found, key=lambda who: (who.name.lower(), who.id)), "find": wanted}
    return context


def plain_dialog(view: View, people: People, room: Room | None) -> Context:
    """A dialog that needs nothing else."""
    return {}


def invite_dialog(view: View, people: People, room: Room | None) -> Context:
    """Adding people to a channel: everybody who is not in it."""
    if room is None:
        return {"outsiders": []}
    inside = set((view.attempt("conversations.members", channel=room["id"], limit=1000) or {"members": []})["members"])
    outside = [who for who in people.all.values() if who.id not in inside and not who.is_gone]
    return {"outsiders": sorted(outside, key=lambda who: (who.name.lower(), who.id))}


def switcher_dialog(view: View, people: People, room: Room | None) -> Context:
    """Ctrl+K: the reader's conversations and everybody's direct messages, filtered."""
    return {"jumps": list_jumps(view, people, view.query.get("find", "")), "find": view.query.get("find", "")}


def list_jumps(view: View, people: People, wanted: str) -> list[dict[str, object]]:
    """Conversations and people that match, best first."""
    wanted = wanted.strip().lstrip("#@").lower()
    found: list[dict[str, Any]] = []
    for id, room in people.rooms.items():
        name = people.title(room)
        if wanted in name.lower():
            who = people.who(str(room["user"])) if room.get("is_im") else None
            found.append(
                {"name": name, "kind": conversation_kind(room), "address": view.url(f"/client/{id}"), "who": who}
            )
    known = {jump["who"].id for jump in found if jump["who"]}
    for who in people.all.values():
        if (
            wanted
            and who.id not in known
            and not who.is_gone
            and (wanted in who.name.lower() or wanted in who.real_name.lower())
        ):
            found.append({"name": who.name, "kind": "person", "address": view.url(f"/team/{who.id}"), "who": who})
    return sorted(
        found,
        key=lambda j: (
            not j["name"].lower().startswith(wanted),
            j["kind"] == "person",
            j["name"].lower(),
            j["address"],
        ),
    )[:20]


def new_message_dialog(view: View, people: People, room: Room | None) -> Context:
    """Starting a direct message."""
    everyone = [who for who in people.all.values() if not who.is_gone and who.id != people.me]
    return {"everyone": sorted(everyone, key=lambda who: (who.name.lower(), who.id))}


def bookmark_dialog(view: View, people: People, room: Room | None) -> Context:
    """A link for the bar under a channel's name: a new one, or one to change."""
    listed = (view.attempt("bookmarks.list", channel_id=room["id"]) or {"bookmarks": []})["bookmarks"] if room else []
    return {"mark": next((mark for mark in listed if mark["id"] == view.query.get("bookmark")), None)}


def group_dialog(view: View, people: People, room: Room | None) -> Context:
    """A user group: a new one, or one to change, with its members."""
    listed = (view.attempt("usergroups.list", include_users=True, include_disabled=True) or {"usergroups": []})[
        "usergroups"
    ]
    found = next((item for item in listed if item["id"] == view.query.get("group")), None)
    return {"group": found, "members": [people.who(user) for user in (found.get("users") or ())] if found else []}


def status_dialog(view: View, people: People, room: Room | None) -> Context:
    """The reader's status."""
    snooze = view.attempt("dnd.info") or {}
    until = int(snooze.get("snooze_endtime") or 0) * 1_000_000 if snooze.get("snooze_enabled") else 0
    return {
        "mine": people.who(people.me),
        "picker": [n for entries in PICKER.values() for n in entries],
        "snoozed_until": until,
    }


def schedule_dialog(view: View, people: People, room: Room | None) -> Context:
    """Sending later; the earliest choice is the next full hour."""
    local = to_datetime(view.now, view.page_state.me.tz)
    slot = (local + timedelta(hours=1)).replace(minute=0)
    return {"first_slot": f"{slot:%Y-%m-%dT%H:%M}", "text": view.query.get("text", "")}


DIALOGS: dict[str, Callable[[View, People, Room | None], Context]] = {
    "archive": plain_dialog,
    "bookmark": bookmark_dialog,
    "create-channel": plain_dialog,
    "details": details_dialog,
    "group": group_dialog,
    "group-members": group_dialog,
    "invite": invite_dialog,
    "leave": plain_dialog,
    "new-message": new_message_dialog,
    "purpose": plain_dialog,
    "rename": plain_dialog,
    "schedule": schedule_dialog,
    "status": status_dialog,
    "switch": switcher_dialog,
    "topic": plain_dialog,
    "upload": plain_dialog,
}
NEEDS_ROOM = frozenset(
    {"archive", "bookmark", "details", "invite", "leave", "purpose", "rename", "schedule", "topic", "upload"}
)
