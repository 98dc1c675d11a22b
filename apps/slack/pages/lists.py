"""Lists of messages from all conversations: threads, mentions, drafts and scheduled messages, saved messages."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from apps.slack.pages import dialogs
from apps.slack.pages.messages import QUICK_REACTIONS, MessageView, arrange_messages, message_view
from apps.slack.pages.people import People, conversation_kind
from apps.slack.pages.ui import pages
from world.core.json_types import JsonObject
from world.web import View
from world.web.emoji import BY_NAME
from world.web.pages import PageContext

QUICK = [(name, BY_NAME[name]) for name in QUICK_REACTIONS]


@dataclass(frozen=True, slots=True)
class Hit:
    """A message of some conversation in a list."""

    message: MessageView
    channel: str
    title: str
    kind: str
    address: str


def to_hit(view: View, people: People, message: Mapping[str, object], channel: str) -> Hit:
    """A message with where it stands."""
    made = message_view(message, channel, people)
    room = people.room(channel)
    thread = made.in_thread if made.is_reply else None
    return Hit(
        made,
        channel,
        people.title(room),
        conversation_kind(room),
        view.url(f"/client/{channel}", at=thread or made.ts, thread=thread),
    )


@pages.page("/threads", template="threads.html", free=("overlay",))
def threads(view: View) -> JsonObject:
    """Threads the reader follows, the latest reply first."""
    people = People.of(view)
    found = view.call("subscriptions.thread.getView", limit=20)
    listed = [_thread_view(view, people, item) for item in found["threads"]]
    return {"title": "Threads", "listed": listed, "more": found["has_more"], "quick": QUICK} | dialogs.open_overlay(
        view, people, None
    )


def _thread_view(view: View, people: People, item: Mapping[str, Any]) -> PageContext:
    root, channel = item["root_msg"], str(item["channel"])
    last_read = str(root.get("last_read") or "")
    tail = [message_view(m, channel, people) for m in item["latest_replies"]]
    made = arrange_messages([message_view(root, channel, people), *tail], people, last_read)
    for message in made:
        message.day = False
    hidden = int(root.get("reply_count") or 0) - len(tail)
    return {
        "channel": channel,
        "ts": str(root["ts"]),
        "title": _place_title(people, channel),
        "kind": people.kind(channel),
        "root": made[0],
        "replies": made[1:],
        "hidden": max(0, hidden),
        "unread": len(item["unread_replies"]),
        "latest": str(root.get("latest_reply") or root["ts"]),
    }


@pages.page("/mentions", template="mentions.html", free=("overlay",))
def mentions(view: View) -> JsonObject:
    """Messages that mention the reader, the latest first."""
    people = People.of(view)
    found = view.call("activity.feed", types="mention", limit=40)
    hits = [to_hit(view, people, item["message"], str(item["channel"])) for item in found["items"]]
    return {"title": "Mentions", "hits": hits, "quick": QUICK} | dialogs.open_overlay(view, people, None)


@pages.page("/later", template="later.html", free=("overlay",))
def later(view: View) -> JsonObject:
    """Messages kept for later."""
    people = People.of(view)
    state = view.query.get("state", "in_progress")
    if state == "reminders":
        reminders = view.call("reminders.list")["reminders"]
        context = {
            "title": "Later",
            "hits": [],
            "state": state,
            "counts": view.read("saved.list")["counts"],
            "reminders": reminders,
        }
        return context | dialogs.open_overlay(view, people, None)
    found = view.call(
        "saved.list", filter=state if state in ("in_progress", "archived", "completed") else "in_progress"
    )
    hits = [(to_hit(view, people, item["message"], str(item["item_id"])), item) for item in found["saved_items"]]
    return {"title": "Later", "hits": hits, "state": state, "counts": found["counts"]} | dialogs.open_overlay(
        view, people, None
    )


@pages.page("/drafts", template="drafts.html", free=("overlay",))
def drafts(view: View) -> JsonObject:
    """Drafts, scheduled and sent messages."""
    people = People.of(view)
    tab = view.query.get("tab", "drafts")
    context: JsonObject = {"title": "Drafts & sent", "tab": tab, "editing": view.query.get("edit", "")}
    if tab == "scheduled":
        found = view.call("chat.scheduledMessages.list")
        context["scheduled"] = [
            (item, _place_title(people, str(item["channel_id"]))) for item in found["scheduled_messages"]
        ]
    elif tab == "sent":
        page = view.call("search.messages", query="from:me", sort="timestamp", count=30)
        context["hits"] = [to_hit(view, people, m, str(m["channel"]["id"])) for m in page["messages"]["matches"]]
    else:
        found = view.call("drafts.list")
        context["drafts"] = [(item, _place_title(people, str(item["channel_id"]))) for item in found["drafts"]]
    return context | dialogs.open_overlay(view, people, None)


def _place_title(people: People, channel: str) -> str:
    name = people.title(people.room(channel))
    return name if people.kind(channel) in ("im", "mpim") else f"#{name}"
