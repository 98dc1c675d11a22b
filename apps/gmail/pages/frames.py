"""Contents of a mail at separate addresses: its HTML in a locked frame, its files, its original bytes."""

import re
from typing import Any
from urllib.parse import quote

from starlette.responses import Response

from apps.gmail.mime.base64url import from_base64url
from apps.gmail.pages.bodies import RASTER, render_html, split_html_quotation, wrap_document
from apps.gmail.pages.ui import pages
from world.core.errors import OperationError
from world.core.json_types import JsonObject
from world.web import View

ROOT = "mail"  # the part of an address that stands for a mail which has no parts
SANDBOX = "sandbox allow-same-origin allow-popups allow-popups-to-escape-sandbox"
FRAME_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; script-src 'none'; form-action 'none';"
    f" base-uri 'none'; frame-ancestors 'self'; {SANDBOX}"
)
FILE_POLICY = "default-src 'none'; sandbox; frame-ancestors 'none'"


def list_picture_addresses(view: View, message: dict[str, Any]) -> dict[str, str]:
    """Return the addresses of a mail's inline images, by content id."""
    held = [one for one in message["files"] if one["contentId"] and one["mimeType"] in RASTER]
    return {one["contentId"]: view.url(f"/image/{message['id']}/{one['partId'] or ROOT}") for one in held}


@pages.page("/body/{message}", template="mail.html")
def body(view: View, message: str) -> Response:
    """Return the HTML of a mail, or with `?part=quoted` its quotation.

    Nothing in it runs, submits, or loads from elsewhere.
    """
    found = view.read("mail.message", id=message)
    if found["html"] is None:
        raise OperationError("not_found")
    own, quoted = split_html_quotation(found["html"])
    html = quoted if view.query.get("part") == "quoted" else own
    text = wrap_document(render_html(html, list_picture_addresses(view, found)))
    return Response(
        view.lead_home(text),
        media_type="text/html",
        headers={"Content-Security-Policy": FRAME_POLICY, "Referrer-Policy": "no-referrer"},
    )


@pages.page("/image/{message}/{part}", template="mail.html")
def image(view: View, message: str, part: str) -> Response:
    """A picture in a mail; no other kind of file is shown."""
    found = view.read("mail.file", id=message, partId="" if part == ROOT else part)
    if found["mimeType"] not in RASTER:
        raise OperationError("not_found")
    return Response(
        from_base64url(found["data"]), media_type=found["mimeType"], headers={"Content-Security-Policy": FILE_POLICY}
    )


@pages.page("/file/{message}/{part}/{name}", template="mail.html")
def file(view: View, message: str, part: str, name: str) -> Response:
    """A file of a mail, to be kept, never shown."""
    found = view.call("mail.file", id=message, partId="" if part == ROOT else part)
    return download(from_base64url(found["data"]), found["filename"] or "noname", found["mimeType"])


def download(data: bytes, name: str, media_type: str) -> Response:
    """Bytes as a download, whatever they are."""
    plain = re.sub(r"[^A-Za-z0-9._ -]", "_", name) or "file"
    headers = {
        "Content-Disposition": f"attachment; filename=\"{plain}\"; filename*=UTF-8''{quote(name, safe='')}",
        "Content-Security-Policy": FILE_POLICY,
        "Content-Type": (
            media_type if re.fullmatch(r"[\w.+-]+/[\w.+-]+", media_type, re.A) else "application/octet-stream"
        ),
    }
    return Response(data, headers=headers)


@pages.page("/original/{message}", template="message_original.html")
def original(view: View, message: str) -> JsonObject | Response:
    """A mail as it came, byte for byte; with `?download=1` as a file."""
    found = view.call("users.messages.get", id=message, format="raw")
    raw = from_base64url(found["raw"])
    if view.query.get("download"):
        return download(raw, "original_msg.eml", "message/rfc822")
    shown = view.read("mail.message", id=message)
    return {
        "title": "Original message",
        "message": shown,
        "raw": raw.decode("utf-8", "replace"),
        "header_id": _find_header(raw, b"message-id"),
    }


def _find_header(raw: bytes, name: bytes) -> str:
    found = re.search(rb"(?im)^" + name + rb":[ \t]*(?:\r?\n[ \t]+)?([^\r\n]*)", raw[:65_536])
    return found[1].decode("utf-8", "replace") if found else ""
