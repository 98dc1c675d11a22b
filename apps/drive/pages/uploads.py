"""Uploads and new files: folders, uploads converted to spreadsheets or kept, new versions; copying and moving."""

import base64
from typing import Any

from apps.drive import media_types
from apps.drive.access import FOLDER, SPREADSHEET
from apps.drive.pages.ui import pages
from apps.drive.vendor_types import Permission, Upload
from world.core.errors import InvalidArguments
from world.core.json_types import JsonObject
from world.web import View
from world.web.fields import read_files


def encode_upload(file: Upload) -> str:
    """Encode an uploaded file's bytes for an operation."""
    return base64.urlsafe_b64encode(file["data"]).decode()


def files_of(value: object) -> list[Upload]:
    """The uploaded files of a form. Raises InvalidArguments when there is none."""
    found: list[Any] = read_files(value)
    if not found:
        raise InvalidArguments([("file", "choose a file")])
    return found


@pages.action("new")
def new(view: View, arguments: JsonObject) -> JsonObject:
    """A blank spreadsheet, or a folder."""
    is_folder = arguments.get("kind") == "folder"
    name = str(arguments.get("name") or ("Untitled folder" if is_folder else "Untitled spreadsheet"))
    return view.submit(
        "drive.files.create", {"name": name, "mimeType": FOLDER if is_folder else SPREADSHEET, **parents(arguments)}
    )


def parents(arguments: JsonObject) -> JsonObject:
    """The folder that a form names, My Drive unless it does."""
    key = str(arguments.get("parent") or "")
    return {"parents": [key]} if key and key != "root" else {}


@pages.action("upload")
def upload(view: View, arguments: JsonObject) -> JsonObject:
    """Files as they are, or tables as spreadsheets."""
    converts = str(arguments.get("convert") or "") == "true"
    made = [upload_file(view, file, arguments, converts=converts) for file in files_of(arguments.get("file"))]
    said = f"“{made[0]['name']}” uploaded." if len(made) == 1 else f"{len(made)} files uploaded."
    return {"said": said, "id": made[0]["id"]}


def upload_file(view: View, file: Upload, arguments: JsonObject, *, converts: bool) -> JsonObject:
    """Upload one file, a table as a spreadsheet if that is wanted."""
    kind = media_types.guess_type(file["filename"], "")
    asked = {"name": file["filename"], "content": encode_upload(file), "contentType": kind, **parents(arguments)}
    if converts and kind in media_types.IMPORTS:
        return view.submit("drive.files.create", {**asked, "name": stem(file["filename"]), "mimeType": SPREADSHEET})
    return view.submit("drive.files.create", asked)


def stem(name: str) -> str:
    """A file's name without its ending."""
    return name.rpartition(".")[0] or name


@pages.action("convert")
def convert(view: View, arguments: JsonObject) -> JsonObject:
    """A table that is kept as a file, opened as a spreadsheet of its own."""
    name = stem(str(arguments.get("name") or "Untitled spreadsheet"))
    return view.submit(
        "drive.files.copy", {"fileId": str(arguments.get("fileId") or ""), "name": name, "mimeType": SPREADSHEET}
    )


@pages.action("move")
def move(view: View, arguments: JsonObject) -> JsonObject:
    """Another folder for a file; the answer says how to take it back."""
    key, to, was = (str(arguments.get(name) or "") for name in ("fileId", "to", "from"))
    view.submit("drive.files.update", {"fileId": key, "addParents": to, **({"removeParents": was} if was else {})})
    return {
        "id": key,
        "to": to,
        "from": was,
        "undo": "move" if was else "",
        "name": str(arguments.get("name") or "folder"),
    }


@pages.action("copy")
def copy(view: View, arguments: JsonObject) -> JsonObject:
    """A copy under another name; it may be shared with the same people."""
    key = str(arguments.get("fileId") or "")
    people = view.read("drive.permissions.list", fileId=key)["permissions"] if arguments.get("shared") else []
    place = parents(arguments) or {"parents": ["root"]}
    made = view.submit("drive.files.copy", {"fileId": key, "name": str(arguments.get("name") or "Untitled"), **place})
    for one in people:
        _share_copy(view, made["id"], one)
    return made


def _share_copy(view: View, key: str, one: Permission) -> None:
    """Give a copy to somebody who has the original."""
    if one.get("emailAddress") == view.page_state.me.email:
        return
    role = "writer" if one["role"] == "owner" else one["role"]
    parts = {"emailAddress": one.get("emailAddress"), "domain": one.get("domain")}
    whom = {name: part for name, part in parts.items() if part}
    view.submit(
        "drive.permissions.create",
        {"fileId": key, "type": one["type"], "role": role, "sendNotificationEmail": False, **whom},
    )


@pages.action("shortcut")
def shortcut(view: View, arguments: JsonObject) -> JsonObject:
    """A shortcut to a file, in the reader's My Drive."""
    return view.submit(
        "drive.files.create",
        {"mimeType": media_types.SHORTCUT, "shortcutDetails": {"targetId": str(arguments.get("fileId") or "")}},
    )


@pages.action("new-version")
def new_version(view: View, arguments: JsonObject) -> JsonObject:
    """Other bytes for a file that is no spreadsheet."""
    file = files_of(arguments.get("file"))[0]
    key = str(arguments.get("fileId") or "")
    return view.submit(
        "drive.files.update",
        {"fileId": key, "content": encode_upload(file), "contentType": media_types.guess_type(file["filename"], "")},
    )
