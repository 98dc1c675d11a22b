"""Pages of files with bytes: details, preview, download; and redirects to the pages of others."""

import base64
from collections.abc import Mapping
from urllib.parse import quote

from starlette.responses import Response

from apps.drive import contents, media_types
from apps.drive.access import FOLDER, SPREADSHEET
from apps.drive.pages.files import trail_of
from apps.drive.pages.share import address_of
from apps.drive.pages.ui import pages
from apps.drive.vendor_types import File
from world.core.errors import OperationError
from world.core.json_types import JsonObject
from world.web import View, response_headers

PICTURES = ("image/png", "image/jpeg", "image/gif", "image/webp")
SHOWN = 200_000  # bytes of a text


def build_download(name: str, kind: str, data: bytes, *, inline: bool = False) -> Response:
    """Bytes to keep, or a picture to look at."""
    way = "inline" if inline else "attachment"
    headers = {"Content-Disposition": f"{way}; filename*=UTF-8''{quote(name, safe='')}"}
    return response_headers.add_page_headers(Response(data, headers=headers, media_type=kind))


def data_of(told: Mapping[str, str]) -> bytes:
    """Return the bytes in an operation's result."""
    return base64.urlsafe_b64decode(told["content"])


@pages.page("/file/d/{key}/view", template="files_view.html", free=("overlay",))
def look(view: View, key: str) -> JsonObject | Response:
    """Show a file with bytes: a picture, a text, or its details."""
    file = view.call("drive.files.get", fileId=key)
    if file["mimeType"] in (SPREADSHEET, FOLDER):
        return response_headers.see_other(address_of(view, file))
    return {
        "title": file["name"],
        "kind": "file",
        "file": file,
        "trail": trail_of(view, file)[:-1],
        "text": text_of(view, file),
        "picture": file["mimeType"] in PICTURES,
        "converts": file["mimeType"] in media_types.IMPORTS,
        "place_key": "root",
    }


def text_of(view: View, file: File) -> str | None:
    """The beginning of a text file."""
    kind = str(file["mimeType"])
    if (
        not (kind.startswith("text/") or kind == "application/json")
        or int(file.get("size", "0")) > SHOWN
        or not file["capabilities"]["canDownload"]
    ):
        return None
    told = view.attempt("drive.files.get", fileId=file["id"], alt="media")
    return None if told is None else data_of(told).decode("utf-8", "replace")


@pages.page("/open", template="files_view.html")
def open_file(view: View) -> Response:
    """Open the page of a file, by its id and kind."""
    file = view.read("drive.files.get", fileId=view.query.get("id") or "root")
    return response_headers.see_other(address_of(view, file))


@pages.page("/file/d/{key}", template="files_view.html")
def bytes_of(view: View, key: str) -> Response:
    """The bytes of a file to keep; pictures also to look at."""
    if view.query.get("export") not in ("download", "view"):
        return response_headers.see_other(view.url(f"/file/d/{key}/view"))
    file = view.read("drive.files.get", fileId=key)
    if view.query.get("revision"):
        told = view.call("drive.revisions.get", fileId=key, revisionId=view.query["revision"][:100], alt="media")
    else:
        told = view.call("drive.files.get", fileId=key, alt="media")
    inline = view.query["export"] == "view" and file["mimeType"] in PICTURES
    return build_download(file["name"], str(told["mimeType"]), data_of(told), inline=inline)


@pages.page("/d/{rest:path}", template="files_view.html")
def elsewhere(view: View, rest: str) -> Response:
    """A page of the app that keeps a file's content."""
    file = view.read("drive.files.get", fileId=rest.partition("/")[0])
    app = contents.app_of(str(file["mimeType"]))
    if app is None:
        raise OperationError("not_found")
    return response_headers.see_other(view.place.app_url(app, view.here_inner))
