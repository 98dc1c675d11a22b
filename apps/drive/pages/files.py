"""Lists of files: My Drive and its folders, what is shared, starred, recent, in the trash, or searched for."""

from collections.abc import Mapping
from typing import NamedTuple

from starlette.responses import Response

from apps.drive.access import FOLDER, SPREADSHEET
from apps.drive.pages.ui import pages
from apps.drive.vendor_types import File
from world.core.errors import OperationError
from world.core.json_types import JsonObject
from world.web import View, response_headers
from world.web.pages import PageContext

SIZE = 50
OWNERS = {"anyone": "", "me": " and 'me' in owners", "others": " and not 'me' in owners"}
COLUMNS = {"name": "folder,name_natural", "modified": "modifiedTime", "size": "quotaBytesUsed"}
TYPES = {
    "spreadsheets": f"mimeType = '{SPREADSHEET}'",
    "folders": f"mimeType = '{FOLDER}'",
    "files": f"mimeType != '{SPREADSHEET}' and mimeType != '{FOLDER}'",
}
WORDS = {
    "is:starred": "starred = true",
    "owner:me": "'me' in owners",
    "type:spreadsheet": TYPES["spreadsheets"],
    "type:folder": TYPES["folders"],
    "type:file": TYPES["files"],
    "is:shared": "sharedWithMe = true",
}


class Kind(NamedTuple):
    """A list: its title, its search, its order, the column of times, and what it says when it is empty."""

    title: str
    q: str
    order: str
    time: str
    heading: str
    empty: tuple[str, str, str]


KINDS = {
    "my-drive": Kind(
        "My Drive",
        "'root' in parents and trashed = false",
        "folder,name_natural",
        "modifiedTime",
        "Last modified",
        ("hard-drive", "A place for all of your files", "Use the “New” button to make or upload something."),
    ),
    "shared-with-me": Kind(
        "Shared with me",
        "sharedWithMe = true and trashed = false",
        "sharedWithMeTime desc",
        "sharedWithMeTime",
        "Date shared",
        (
            "users",
            "Files and folders others have shared with you",
            "Say yes to the next invitation and it shows up here.",
        ),
    ),
    "recent": Kind(
        "Recent",
        f"mimeType != '{FOLDER}' and trashed = false",
        "recency desc",
        "modifiedTime",
        "Last modified",
        ("clock", "No recent files", "Files you opened or changed lately show up here."),
    ),
    "starred": Kind(
        "Starred",
        "starred = true and trashed = false",
        "folder,name_natural",
        "modifiedTime",
        "Last modified",
        ("star", "No starred files", "Add stars to things that you want to find again easily."),
    ),
    "trash": Kind(
        "Trash",
        "trashed = true and 'me' in owners",
        "modifiedTime desc",
        "modifiedTime",
        "Last modified",
        ("trash", "Nothing in trash", "Move items you don't need to trash."),
    ),
    "folder": Kind(
        "Folder",
        "trashed = false",
        "folder,name_natural",
        "modifiedTime",
        "Last modified",
        ("folder-open", "This folder is empty", "Use the “New” button to put something in it."),
    ),
    "search": Kind(
        "Search results",
        "",
        "",
        "modifiedTime",
        "Last modified",
        ("search-x", "No matching results", "Adjust your filters, or try other words."),
    ),
}


def quote_search_text(text: str) -> str:
    """A text as a search of the drive holds it."""
    escaped = text.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"


def search_files(view: View, q: str, order: str) -> PageContext:
    """A page of files, which is what the page asks first; a dialog over it needs none."""
    if view.block == "overlay":
        return {"files": []}
    asked = {"q": q, "orderBy": order, "pageSize": SIZE, "pageToken": view.query.get("page", "")[:1000]}
    return view.call("drive.files.list", **{name: value for name, value in asked.items() if value})


def build_list_context(view: View, kind: str, listed: Mapping[str, object], **more: object) -> JsonObject:
    """Return the template context of every list."""
    known = KINDS.get(kind)
    base = (
        {"title": known.title, "heading": known.heading, "time_of": known.time, "empty": known.empty} if known else {}
    )
    about = (view.attempt("drive.about.get") if view.wants() else None) or {}
    return {
        "kind": kind,
        "rows": listed["files"],
        "next_page": listed.get("nextPageToken"),
        "layout": view.query.get("view", "list"),
        "used": int(about.get("storageQuota", {}).get("usage", 0)),
        "trail": [],
        "place_key": "root",
        **base,
        **more,
    }


@pages.page("/", template="files_list.html")
def home(view: View) -> Response:
    """My Drive."""
    return response_headers.see_other(view.url("/my-drive"))


def order_of(view: View, usual: str) -> tuple[str, str]:
    """The column a list is sorted by, with the direction, and how the drive says it."""
    column, _, way = view.query.get("sort", "").partition("-")
    if column not in COLUMNS:
        return "", usual
    parts = COLUMNS[column].split(",")
    return f"{column}-{way}" if way else column, ",".join([*parts[:-1], parts[-1] + (" desc" if way == "desc" else "")])


def place(view: View, kind: str, q: str = "", **more: object) -> JsonObject:
    """A list of the drive."""
    sort, order = order_of(view, KINDS[kind].order)
    return build_list_context(view, kind, search_files(view, q or KINDS[kind].q, order), sort=sort, **more)


def declare(kind: str) -> None:
    """The page of one list everybody has."""

    @pages.page(f"/{kind}", template="files_list.html", free=("overlay",))
    def show_files(view: View) -> JsonObject:
        return place(view, kind)

    show_files.__doc__ = KINDS[kind].title


for _kind in ("my-drive", "shared-with-me", "recent", "starred", "trash"):
    declare(_kind)


@pages.page("/folders/{key}", template="files_list.html", free=("overlay",))
def folder(view: View, key: str) -> JsonObject | Response:
    """Show the content of a folder."""
    file = view.read("drive.files.get", fileId=key)
    if file["mimeType"] != FOLDER:
        raise OperationError("not_found")
    trail = trail_of(view, file)
    if len(trail) == 1 and trail[0]["name"] == "My Drive" and file.get("parents") is None and file["ownedByMe"]:
        return response_headers.see_other(view.url("/my-drive"))
    return place(
        view,
        "folder",
        f"{quote_search_text(key)} in parents and trashed = false",
        title=file["name"],
        folder=file,
        trail=trail,
        place_key=key,
    )


def trail_of(view: View, file: File) -> list[File]:
    """The folders above a file as far as the reader sees them, the topmost first."""
    trail, at = [file], file
    while (parents := at.get("parents")) and len(trail) < 20:
        above: File | None = view.attempt("drive.files.get", fileId=parents[0])
        if above is None:
            break
        trail.insert(0, above)
        at = above
    return trail


def search_of(text: str, kind: str = "", owner: str = "") -> str:
    """Return the query of a search: operators, and the rest as text."""
    parts = ["trashed = false"] + [WORDS[word] for word in text.split() if word in WORDS]
    parts += [TYPES[kind]] if kind in TYPES else []
    parts += [OWNERS[owner].removeprefix(" and ")] if OWNERS.get(owner) else []
    words = " ".join(word for word in text.split() if word not in WORDS)[:500]
    parts += (
        [f"(name contains {quote_search_text(words)} or fullText contains {quote_search_text(words)})"] if words else []
    )
    return " and ".join(parts)


@pages.page("/search", template="files_list.html", free=("overlay",))
def search(view: View) -> JsonObject | Response:
    """Show the results of a search, by name and by content."""
    text = view.query.get("q", "").strip()
    kind, owner = view.query.get("type", ""), view.query.get("owner", "")
    if not text and not kind and not owner:
        return response_headers.see_other(view.url("/"))
    listed = search_files(view, search_of(text, kind, owner), "")
    return build_list_context(
        view,
        "search",
        listed,
        text=text,
        type=kind if kind in TYPES else "",
        owner=owner if owner in OWNERS else "",
        sort="",
    )
