"""Side bar: the lists with their unread counts, and the owner's labels as a tree."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote, unquote

from apps.gmail.operations.client import Counts
from apps.gmail.pages.ui import register_shared_part
from apps.gmail.system_folders import CATEGORIES, FOLDERS, Folder
from world.web import View
from world.web.pages import PageContext

ICONS = {
    "inbox": "inbox",
    "starred": "star",
    "snoozed": "clock",
    "important": "bookmark",
    "sent": "send-horizontal",
    "drafts": "file",
    "scheduled": "calendar-clock",
    "all": "mails",
    "spam": "octagon-alert",
    "trash": "trash",
    "primary": "inbox",
    "social": "users",
    "updates": "info",
    "forums": "messages-square",
    "promotions": "tag",
}
KEYS = {"inbox": "g i", "starred": "g s", "snoozed": "g b", "sent": "g t", "drafts": "g d", "all": "g a"}
FIRST = ("inbox", "starred", "snoozed", "sent", "drafts")
MORE = ("important", "scheduled", "all", "spam", "trash")


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of the rail."""

    path: str
    name: str
    icon: str
    keys: str = ""
    count: int = 0
    unread: int = 0
    active: bool = False
    id: str = ""
    colour: str = ""
    depth: int = 0
    below: list["Entry"] = field(default_factory=list)
    hint: str = ""

    @property
    def label(self) -> str:
        """The accessible name."""
        counted = f", {self.unread} unread" if self.unread else f", {self.count}" if self.count else ""
        return self.name + counted


@dataclass(frozen=True, slots=True)
class Sidebar:
    """Contents of the side bar."""

    first: list[Entry]
    more: list[Entry]
    labels: list[Entry]
    is_open: bool


def read_counts(view: View) -> Counts:
    """Return the counts of each list and the owner's labels, read once per page."""
    found: Counts = view.read("mail.counts")
    return found


def folder_entry(view: View, folder: Folder, counted: Counts, base: str = "/mail/") -> Entry:
    """The line of a list everybody has."""
    path = base + folder.name
    unread = (
        int(counted["unread"].get(folder.label, 0))
        if folder.name in ("inbox", "spam") or folder.label.startswith("CATEGORY")
        else 0
    )
    count = {"drafts": counted["drafts"], "scheduled": counted["scheduled"]}.get(folder.name, 0)
    return Entry(
        path, folder.title, ICONS[folder.name], KEYS.get(folder.name, ""), count, unread, is_current(view, path)
    )


def is_current(view: View, path: str) -> bool:
    """Whether the page shown is this list or a conversation in it."""
    return view.path == path or view.path.startswith(path + "/")


def label_path(name: str) -> str:
    """The address of a label's list; a nested one's slashes are written as in RFC 6901 (`~1`), since a path has its
    own.
    """
    return "/mail/label/" + quote(name.replace("~", "~0").replace("/", "~1"), safe="~")


def label_name(segment: str) -> str:
    """The label an address names."""
    return segment.replace("~1", "/").replace("~0", "~")


def list_label_entries(view: View, labels: Sequence[Mapping[str, Any]]) -> list[Entry]:
    """Labels in the order of their names, each below the one it is nested in."""
    made: list[Entry] = []
    names = {str(label["name"]) for label in labels}
    for label in labels:
        name = str(label["name"])
        parts = name.split("/")
        above = [i for i in range(1, len(parts)) if "/".join(parts[:i]) in names]
        start = above[-1] if above else 0
        path = label_path(name)
        made.append(
            Entry(
                path,
                "/".join(parts[start:]),
                "tag",
                unread=int(label["unread"]),
                active=is_current(view, unquote(path)),
                id=str(label["id"]),
                colour=str(label["color"]),
                depth=len(above),
                hint=name,
            )
        )
    return made


def read_sidebar(view: View) -> Sidebar:
    """Read the rail."""
    counted = read_counts(view)
    first = [folder_entry(view, FOLDERS[name], counted) for name in FIRST]
    more = [folder_entry(view, FOLDERS[name], counted) for name in MORE]
    more += [folder_entry(view, one, counted, "/mail/category/") for one in CATEGORIES.values()]
    labels = list_label_entries(view, counted["labels"])
    return Sidebar(first, more, labels, "more" in view.query or any(entry.active for entry in more))


@register_shared_part
def rail_context(view: View) -> PageContext:
    """The rail, and the number in the title."""
    view.unread = int(read_counts(view)["unread"].get("INBOX", 0))
    return {"sidebar": read_sidebar(view)} if view.wants("sidebar") else {}
