"""Side bar: the reader's conversations with unread counts, and the other views."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from apps.slack.pages.apps import find_modal
from apps.slack.pages.people import PageAuthor, People, conversation_kind
from apps.slack.pages.ui import pages
from world.web import View
from world.web.pages import PageContext


@dataclass(frozen=True, slots=True)
class Item:
    """One conversation in the side bar."""

    id: str
    name: str
    kind: str
    unread: bool
    mentions: int
    muted: bool = False
    who: PageAuthor | None = None
    active: bool = False
    online: bool = False


@dataclass(frozen=True, slots=True)
class Sidebar:
    """Contents of the side bar."""

    starred: list[Item]
    channels: list[Item]
    directs: list[Item]
    threads_unread: bool
    mentions: int
    workspace: str


def counts_by_id(counts: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    """The unread state of every conversation."""
    return {str(c["id"]): c for group in ("channels", "mpims", "ims") for c in counts.get(group) or ()}


def sidebar_item(room: Mapping[str, object], count: Mapping[str, Any], people: People, here: str) -> Item:
    """One conversation as the side bar shows it."""
    kind = conversation_kind(room)
    unread, mentions = bool(count.get("has_unreads")), int(count.get("mention_count") or 0)
    who = people.who(str(room["user"])) if kind == "im" else None
    return Item(
        str(room["id"]),
        people.title(room),
        kind,
        unread and not count.get("is_muted"),
        mentions,
        bool(count.get("is_muted")),
        who,
        room["id"] == here,
        bool(who and people.is_active(who)),
    )


def read_sidebar(view: View, people: People, counts: Mapping[str, Any], here: str) -> Sidebar:
    """Read the side bar. `here` is the conversation shown."""
    by_id = counts_by_id(counts)
    items = [
        sidebar_item(room, by_id.get(id, {}), people, here)
        for id, room in people.rooms.items()
        if _is_listed(room, by_id, here)
    ]
    items.sort(key=lambda i: (i.name.lower(), i.id))
    stars = set(people.boot["starred"])
    starred = [i for i in items if i.id in stars]
    channels = [i for i in items if i.kind in ("public", "private") and i.id not in stars]
    directs = [i for i in items if i.kind in ("im", "mpim") and i.id not in stars]
    threads = counts.get("threads") or {}
    mentions = sum(i.mentions for i in items if i.kind in ("public", "private") and not i.muted)
    return Sidebar(
        starred, channels, directs, bool(threads.get("has_unreads")), mentions, str(people.boot["team"]["name"])
    )


def _is_listed(room: Mapping[str, Any], by_id: Mapping[str, Any], here: str) -> bool:
    """Direct conversations show while they are open; channels always."""
    if not (room.get("is_im") or room.get("is_mpim")):
        return True
    return (
        room.get("is_open") is not False
        or room["id"] == here
        or bool(by_id.get(str(room["id"]), {}).get("has_unreads"))
    )


def find_shown_conversation(view: View) -> str:
    """The conversation a page shows, by its address."""
    parts = view.path.split("/")
    return parts[2] if len(parts) > 2 and parts[1] == "client" else ""


@pages.every_page
def build_context(view: View) -> PageContext:
    """Return the template context of all pages."""
    people = People.of(view)
    counts = view.read("client.counts")
    view.unread = sum(int(c.get("mention_count") or 0) for c in counts_by_id(counts).values() if not c.get("is_muted"))
    context: PageContext = {
        "people": people,
        "my_id": people.me,
        "place": view.path,
        "presence_of": people.is_active,
    }
    if view.wants("sidebar"):
        context["sidebar"] = read_sidebar(view, people, counts, find_shown_conversation(view))
    if view.wants("app_modal"):
        context |= find_modal(view, people)
    return context | {"account_links": list_account_links(view, people)}


def list_account_links(view: View, people: People) -> list[dict[str, str]]:
    """The account menu's own lines."""
    return [
        {"address": view.here(dialog="status"), "icon": "face-slightly-smiling", "text": "Set a status"},
        {"address": view.url(f"/team/{people.me}"), "icon": "circle-user-round", "text": "Profile", "target": "page"},
    ]
