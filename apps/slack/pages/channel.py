"""The conversation page: its messages, the thread or profile beside them, and the dialogs over them."""

from collections.abc import Mapping
from typing import Any

from starlette.responses import RedirectResponse, Response

from apps.slack.pages import dialogs
from apps.slack.pages.messages import (
    QUICK_REACTIONS,
    MessageView,
    add_previews,
    arrange_messages,
    count_unread,
    fold_joins,
    message_view,
    ts_to_us,
)
from apps.slack.pages.people import People, conversation_kind
from apps.slack.pages.ui import pages
from world.core.errors import OperationError
from world.core.json_types import JsonObject
from world.core.params import whole_number
from world.web import View
from world.web.emoji import BY_NAME
from world.web.pages import PageContext

PAGE = 60  # messages per page of a conversation
FREE = ("overlay",)


@pages.page("/", template="channel.html")
def home(view: View) -> RedirectResponse:
    """Redirect to the client's first page: the company-wide channel, else the first one."""
    return _redirect_to_first(view)


def _redirect_to_first(view: View) -> RedirectResponse:
    rooms = People.of(view).rooms.values()
    first = sorted(
        rooms,
        key=lambda r: (
            not r.get("is_general"),
            bool(r.get("is_im") or r.get("is_mpim")),
            str(r.get("name", "")),
            r["id"],
        ),
    )
    return RedirectResponse(view.url(f"/client/{first[0]['id']}" if first else "/channels"), 303)


@pages.page("/client", template="channel.html")
def client(view: View) -> RedirectResponse:
    """Redirect to the client's first page, from its well-known address."""
    return _redirect_to_first(view)


@pages.page("/archives/{channel}/p{digits:int}", template="channel.html")
def permalink(view: View, channel: str, digits: int) -> Response:
    """A message's permanent address."""
    text = str(digits)
    ts = f"{text[:-6]}.{text[-6:]}"
    return RedirectResponse(view.url(f"/client/{channel}", at=ts, thread=view.query.get("thread_ts")), 303)


@pages.page("/archives/{channel}", template="channel.html")
def archive(view: View, channel: str) -> Response:
    """A conversation's permanent address."""
    return RedirectResponse(view.url(f"/client/{channel}"), 303)


@pages.page("/team/{user}/message", template="first_message.html")
def first_message(view: View, user: str) -> PageContext:
    """Write to a person, whether or not there is a conversation yet."""
    view.call("users.info", user=user)
    partner = People.of(view).who(user)
    return {"title": partner.real_name, "partner": partner}


@pages.page("/client/{channel}", template="channel.html", free=FREE)
def channel(view: View, channel: str) -> PageContext | Response:
    """A conversation; a person's id leads to where they are written to."""
    if channel.startswith("U"):
        return RedirectResponse(view.url(f"/team/{channel}/message"), 303)
    people = People.of(view)
    room = view.read("conversations.info", channel=channel, include_num_members=True)["channel"]
    context: PageContext = {
        "room": room,
        "room_kind": conversation_kind(room),
        "room_title": people.title(room),
        "quick": [(name, BY_NAME[name]) for name in QUICK_REACTIONS],
        "title": page_heading(room, people),
        "last_read": str(room.get("last_read") or ""),
        "partner": find_partner(room, people),
        "starred": channel in people.boot["starred"],
        "muted": channel in people.boot["prefs"]["muted_channels"].split(","),
    }
    thread = view.query.get("thread")
    if thread and view.wants("pane", "thread_messages"):
        context |= list_replies(view, people, channel, thread)
    if view.wants("messages", "main"):
        context |= list_history(view, people, room)
    if view.query.get("profile") and view.wants("pane"):
        context["profile"] = people.who(view.query["profile"])
    if view.wants("overlay"):
        context |= dialogs.open_overlay(view, people, room)
    return context | (channel_header(view, people, room) if view.wants("main", "channel_header", "overlay") else {})


def page_heading(room: Mapping[str, object], people: People) -> str:
    """The page's title."""
    name = people.title(room)
    return name if conversation_kind(room) in ("im", "mpim") else f"#{name}"


def find_partner(room: Mapping[str, object], people: People) -> object:
    """The other person of a direct message."""
    return people.who(str(room["user"])) if room.get("is_im") else None


def channel_header(view: View, people: People, room: Mapping[str, object]) -> JsonObject:
    """Return the context of the header above the messages."""
    id = room["id"]
    pins = view.attempt("pins.list", channel=id) or {"items": []}
    faces = (view.attempt("conversations.members", channel=id, limit=3) or {"members": []})["members"]
    bookmarks = (view.attempt("bookmarks.list", channel_id=id) or {"bookmarks": []})["bookmarks"]
    return {"pins": pins["items"], "faces": [people.who(user) for user in faces], "bookmarks": bookmarks}


def list_history(view: View, people: People, room: Mapping[str, Any]) -> PageContext:
    """The messages of a conversation: the latest, those before one, or those around one."""
    id, at, before = room["id"], view.query.get("at"), view.query.get("before")
    arguments: dict[str, Any] = {"channel": id, "limit": PAGE}
    if before:
        arguments["latest"] = before
    elif at:
        arguments |= {"latest": ts_after(at), "inclusive": True}
    page = view.call("conversations.history", **arguments)
    last_read = str(room.get("last_read") or "") if room.get("is_member", True) else ""
    found = [message_view(message, id, people) for message in page["messages"]]
    every = arrange_messages(found, people, last_read)
    listed = fold_joins(every, at or "")
    add_previews(view, listed)
    return {
        "messages": listed,
        "more": bool(page.get("has_more")),
        "oldest": every[0].ts if every else "",
        "at": at or "",
        "latest": every[-1].ts if every else "",
        "away": bool(before or at),
        "unread_count": count_unread(every, last_read, people.me),
        "unread_since": ts_to_us(last_read) if last_read.strip("0.") else 0,
        "editing": view.query.get("edit", ""),
    }


def ts_after(ts: str) -> str:
    """A time late enough to show what followed a message on the same page."""
    seconds = ts.partition(".")[0]
    return f"{whole_number(seconds) + 3600}.000000" if whole_number(seconds) else ts


def list_replies(view: View, people: People, channel: str, thread: str) -> JsonObject:
    """A thread beside the conversation, which lives on without it when it fails."""
    try:
        found = view.call("conversations.replies", channel=channel, ts=thread, limit=200)
    except OperationError:
        return {"thread": None, "thread_ts": thread, "thread_failed": True}
    listed: list[MessageView] = [message_view(message, channel, people) for message in found["messages"]]
    root = found["messages"][0]
    last_read = str(root.get("last_read") or "") if root.get("subscribed") else ""
    return {
        "thread": arrange_messages(listed, people, last_read),
        "thread_ts": thread,
        "thread_failed": False,
        "thread_followed": bool(root.get("subscribed")),
        "editing": view.query.get("edit", ""),
    }
