"""Completion in text boxes, and files for download."""

import base64
from urllib.parse import quote

from starlette.responses import Response

from apps.jira.pages.ui import pages
from world.core.json_types import JsonObject
from world.web import View

SHOWN = 8


@pages.page("/complete", template="complete.html", free=("suggestions",))
def complete(view: View) -> JsonObject:
    """People whose name begins like what was typed after an @."""
    typed = view.query.get("q", "")
    wanted = typed.lstrip("@").lower()
    people = view.read("getAllUsers", maxResults=1000) if typed.startswith("@") else []
    found = [
        p
        for p in people
        if p["active"] and (p["displayName"].lower().startswith(wanted) or _has_word(p["displayName"], wanted))
    ]
    found.sort(
        key=lambda p: (
            p["accountType"] == "app",
            not p["displayName"].lower().startswith(wanted),
            p["displayName"].lower(),
            p["accountId"],
        )
    )
    return {"people_found": found[:SHOWN], "title": "Suggestions"}


def _has_word(name: str, wanted: str) -> bool:
    return any(word.lower().startswith(wanted) for word in name.split())


@pages.page("/secure/attachment/{id}/{name}", template="complete.html")
def download(view: View, id: str, name: str) -> Response:
    """A file's bytes, always as a download and fenced off from the site."""
    kept = view.call("getAttachmentContent", id=id)
    headers = {
        "Content-Disposition": f"attachment; filename*=UTF-8''{quote(str(kept['filename']), safe='')}",
        "Content-Security-Policy": "default-src 'none'; sandbox",
        "X-Content-Type-Options": "nosniff",
    }
    return Response(base64.b64decode(kept["content"]), media_type=str(kept["mimeType"]), headers=headers)
