"""Lists of conversations: the inbox and its kin, categories, labels."""

from typing import Any, NamedTuple

from starlette.responses import Response

from apps.gmail.pages import dialogs
from apps.gmail.pages.sidebar import label_name, label_path, read_counts
from apps.gmail.pages.ui import pages
from apps.gmail.system_folders import CATEGORIES, FOLDERS
from world.core.errors import OperationError
from world.core.json_types import JsonObject
from world.web import View
from world.web.pages import PageContext


class Empty(NamedTuple):
    """Message of an empty list."""

    icon: str
    title: str
    text: str = ""


EMPTY = {
    "inbox": Empty("inbox", "Your inbox is empty", "Mail that comes for you shows up here."),
    "starred": Empty(
        "star", "No starred messages", "Stars let you give messages a special status to make them easier to find."
    ),
    "snoozed": Empty(
        "clock", "No snoozed messages", "Snoozed messages come back to your inbox at the time you choose."
    ),
    "important": Empty("bookmark", "No important messages", "Mark what matters with the important marker."),
    "sent": Empty("send-horizontal", "No sent messages", "Messages you send are kept here."),
    "drafts": Empty(
        "file",
        "You don't have any saved drafts",
        "Saving a draft allows you to keep a message you aren't ready to send yet.",
    ),
    "scheduled": Empty(
        "calendar-clock", "No scheduled messages", "Messages in Scheduled will be sent at their scheduled time."
    ),
    "all": Empty("mails", "No mail yet"),
    "spam": Empty("octagon-alert", "Hooray, no spam here!"),
    "trash": Empty("trash", "No conversations in Trash"),
    "category": Empty("tag", "Nothing in this category"),
    "label": Empty("tag", "There are no conversations with this label"),
    "search": Empty("search-x", "No messages matched your search", "Try other words, or open the search options."),
}


@pages.page("/", template="list.html")
def home(view: View) -> Response:
    """The inbox."""
    return Response(status_code=303, headers={"Location": view.url("/mail/inbox")})


@pages.page("/mail", template="list.html")
def mail(view: View) -> Response:
    """The inbox."""
    return Response(status_code=303, headers={"Location": view.url("/mail/inbox")})


def page_number(view: View) -> int:
    """The page of a list that the address asks for."""
    asked = view.query.get("page", "")
    return min(max(int(asked), 1), 10_000) if asked.isascii() and asked.isdecimal() and len(asked) < 6 else 1


def list_page(view: View, title: str, base: str, kind: str, **which: str) -> PageContext:
    """Show a list. `kind` chooses rows and tools; `base` is the address prefix of its conversations."""
    found = view.call("mail.threads", **which, page=page_number(view))
    labels = {label["id"]: label for label in read_counts(view)["labels"]}
    here = next((id for id, label in labels.items() if kind == "label" and label["name"].lower() == title.lower()), "")
    return {
        "title": title,
        "base": base,
        "kind": kind,
        "found": found,
        "rows": found["threads"],
        "labels": labels,
        "here_label": here or (FOLDERS[kind].label if kind in FOLDERS else ""),
        "empty": EMPTY[kind],
        "last": found["page"] * found["size"] >= found["total"],
        "is_checked": selection_test(view),
    } | dialogs.open_overlay(view, found["threads"])


def selection_test(view: View) -> Any:
    """Return the test whether a row is selected: by id, or by a kind of row."""
    ids, kind = set(view.queries.get("ids", [])), view.query.get("select", "")
    kinds = {
        "all": lambda row: True,
        "read": lambda row: not row["isUnread"],
        "unread": lambda row: row["isUnread"],
        "starred": lambda row: "STARRED" in row["labelIds"],
        "unstarred": lambda row: "STARRED" not in row["labelIds"],
    }
    fits = kinds.get(kind, lambda row: False)
    return lambda row: row["id"] in ids or fits(row)


@pages.page("/mail/category/{name}", template="list.html", free=("overlay",))
def category(view: View, name: str) -> JsonObject:
    """A category of the inbox."""
    known = CATEGORIES.get(name)
    return list_page(view, known.title if known else name, f"/mail/category/{name}", "category", category=name)


@pages.page("/mail/label/{name}", template="list.html", free=("overlay",))
def label_page(view: View, name: str) -> JsonObject:
    """Show the conversations under an own label."""
    own = label_name(name)
    return list_page(view, own, label_path(own), "label", label=own)


@pages.page("/mail/{folder}", template="list.html", free=("overlay",))
def folder(view: View, folder: str) -> JsonObject:
    """Show a system folder."""
    known = FOLDERS.get(folder)
    if known is None:
        raise OperationError("label_not_found", name=folder)
    return list_page(view, known.title, f"/mail/{folder}", folder, folder=folder)
