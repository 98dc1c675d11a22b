"""Dialogs over a page: the address names one by `dialog`, and its file by `file`."""

import re
from collections.abc import Callable, Mapping

from apps.drive.access import FOLDER
from apps.drive.pages import share
from apps.drive.pages.files import quote_search_text, trail_of
from apps.drive.vendor_types import File
from world.core.json_types import JsonObject
from world.web import View

Maker = Callable[[View, File], JsonObject]
CLOSED: JsonObject = {"open": "", "target": None, "box": {}}
_PAGE = re.compile(r"/(?:d|file/d|folders)/([^/]+)")


def key_of(view: View) -> str:
    """The file that a dialog is about: as the address says, or the one the page shows."""
    page = _PAGE.match(view.path)
    return view.query.get("file") or (page[1] if page else "")


def overlay(view: View) -> JsonObject:
    """Return the open dialog and its context; nothing for a missing file."""
    name = view.query.get("dialog", "")
    if name in WITHOUT:
        return {"open": name, "target": None, "box": {"folder_key": view.query.get("in", "root")}}
    make = DIALOGS.get(name)
    file = view.attempt("drive.files.get", fileId=key_of(view)) if make is not None and key_of(view) else None
    if make is None or file is None:
        return CLOSED
    return {"open": name, "target": file, "box": make(view, file)}


def render_file_dialog(view: View, file: File) -> JsonObject:
    """A dialog that needs the file only."""
    return {}


def build_move_dialog(view: View, file: File) -> JsonObject:
    """One folder, the folders in it, and those above it."""
    now = (file.get("parents") or ["root"])[0]
    at = view.query.get("at") or now
    folder = view.attempt("drive.files.get", fileId=at) or view.read("drive.files.get", fileId="root")
    inside = f"{quote_search_text(folder['id'])} in parents and mimeType = '{FOLDER}' and trashed = false"
    listed = view.attempt("drive.files.list", q=inside, orderBy="name_natural", pageSize=200) or {"files": []}
    return {
        "folder": folder,
        "trail": trail_of(view, folder),
        "is_there": folder["id"] == now,
        "from_key": now if file.get("parents") else "",
        "inside": [one for one in listed["files"] if one["id"] != file["id"]],
        "shared_folders": list_shared_folders(view) if folder["name"] == "My Drive" else [],
    }


def list_shared_folders(view: View) -> list[Mapping[str, object]]:
    """Folders of others that the reader may put things into."""
    q = f"sharedWithMe = true and mimeType = '{FOLDER}' and trashed = false"
    listed = view.attempt("drive.files.list", q=q, orderBy="name_natural", pageSize=100) or {"files": []}
    return [one for one in listed["files"] if one["capabilities"]["canAddChildren"]]


def build_copy_dialog(view: View, file: File) -> JsonObject:
    """Folders that a copy may lie in."""
    q = f"mimeType = '{FOLDER}' and trashed = false"
    listed = view.attempt("drive.files.list", q=q, orderBy="name_natural", pageSize=200) or {"files": []}
    return {
        "folders": [one for one in listed["files"] if one["capabilities"]["canAddChildren"]],
        "now_in": (file.get("parents") or [""])[0],
    }


def build_details_dialog(view: View, file: File) -> JsonObject:
    """Return a file's place and grantees, or its activity."""
    if view.query.get("tab") == "activity":
        return {"activity": (view.attempt("web.activity", fileId=file["id"]) or {"activity": []})["activity"]}
    return {"activity": None, "trail": trail_of(view, file)[:-1], "access": share.permissions(view, file)}


def build_history_dialog(view: View, file: File) -> JsonObject:
    """The revisions of a file, the last first, for those who may change it."""
    listed = view.attempt("drive.revisions.list", fileId=file["id"])
    return {"revisions": list(reversed(listed["revisions"])) if listed else None}


DIALOGS: dict[str, Maker] = {
    "menu": render_file_dialog,
    "rename": render_file_dialog,
    "share": share.build_share_dialog,
    "copy": build_copy_dialog,
    "move": build_move_dialog,
    "details": build_details_dialog,
    "history": build_history_dialog,
    "download": render_file_dialog,
    "forever": render_file_dialog,
    "trash": render_file_dialog,
}
WITHOUT = frozenset({"new-folder", "upload", "new", "empty-trash"})
