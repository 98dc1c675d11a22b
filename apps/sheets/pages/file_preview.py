"""Files that are no spreadsheets: what is known of one, a look at it, its bytes; and spreadsheets as files."""

import base64
from typing import Any
from urllib.parse import quote

from starlette.responses import Response

from apps.sheets.access import FOLDER, SPREADSHEET
from apps.sheets.drive import media_types
from apps.sheets.drive.conversion import GIVEN
from apps.sheets.pages.files import trail_of
from apps.sheets.pages.share import link_of
from apps.sheets.pages.ui import pages
from world.core.errors import OperationError
from world.web import View, response_headers

PICTURES = ("image/png", "image/jpeg", "image/gif", "image/webp")
SHOWN = 200_000  # bytes of a text
FORMATS = {"zip": "html", **{name: name for name in GIVEN.values()}, **GIVEN}


def attached(name: str, kind: str, data: bytes, *, inline: bool = False) -> Response:
    """Bytes to keep, or a picture to look at."""
    way = "inline" if inline else "attachment"
    headers = {"Content-Disposition": f"{way}; filename*=UTF-8''{quote(name, safe='')}"}
    return response_headers.guarded(Response(data, headers=headers, media_type=kind))


def data_of(told: dict[str, Any]) -> bytes:
    """The bytes that an operation tells."""
    return base64.urlsafe_b64decode(told["content"])


@pages.page("/file/d/{key}/view", template="files_view.html", free=("overlay",))
def look(view: View, key: str) -> dict[str, Any] | Response:
    """A file with bytes of its own: a picture, a text, or what is known of it."""
    file = view.call("drive.files.get", fileId=key)
    if file["mimeType"] == SPREADSHEET:
        return response_headers.see_other(view.url(f"/d/{key}/edit"))
    if file["mimeType"] == FOLDER:
        return response_headers.see_other(view.url(f"/folders/{key}"))
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


def text_of(view: View, file: dict[str, Any]) -> str | None:
    """The beginning of a text file."""
    kind = str(file["mimeType"])
    if (
        not (kind.startswith("text/") or kind == "application/json")
        or int(file.get("size", 0)) > SHOWN
        or not file["capabilities"]["canDownload"]
    ):
        return None
    told = view.attempt("drive.files.get", fileId=file["id"], alt="media")
    return None if told is None else data_of(told).decode("utf-8", "replace")


@pages.page("/open", template="files_view.html")
def opened(view: View) -> Response:
    """Whatever has an id: the page of its kind."""
    file = view.read("drive.files.get", fileId=view.query.get("id") or "root")
    return response_headers.see_other(view.url(link_of(file)))


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
    return attached(file["name"], str(told["mimeType"]), data_of(told), inline=inline)


@pages.page("/d/{key}/export", template="files_view.html")
def export(view: View, key: str) -> Response:
    """A spreadsheet, or an older revision of it, as xlsx, ods or web pages, or one of its sheets as csv or tsv."""
    wanted = FORMATS.get(view.query.get("format") or view.query.get("mimeType") or "xlsx")
    if wanted is None:
        raise OperationError("conversion_unsupported")
    gid = view.query.get("gid", "")
    asked = {"spreadsheetId": key, "format": wanted, **({"gid": int(gid)} if gid.isdecimal() and len(gid) < 11 else {})}
    asked |= {"revisionId": view.query["revision"][:100]} if view.query.get("revision") else {}
    told = view.call("web.download", **asked)
    return attached(told["name"], told["mimeType"], data_of(told))
