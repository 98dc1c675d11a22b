"""The channel browser, the people directory, profiles and files."""

import base64
from typing import Any

from starlette.responses import Response

from apps.slack.pages import dialogs
from apps.slack.pages.messages import file_view, is_text
from apps.slack.pages.people import People
from apps.slack.pages.ui import pages
from world.core.json_types import JsonObject
from world.core.params import whole_number
from world.web import View

TEXT_SHOWN = 20_000  # characters of a text file that its page shows
ATTACHED_CSP = "default-src 'none'; sandbox"


@pages.page("/channels", template="channels.html", free=("overlay",))
def channels(view: View) -> JsonObject:
    """All channels the reader may see."""
    people = People.of(view)
    show, find = view.query.get("show", ""), view.query.get("find", "").lstrip("#").lower()
    rooms = view.call("conversations.list", types="public_channel,private_channel", limit=1000)["channels"]
    found = [
        room
        for room in rooms
        if _is_listed(room, show) and (find in room["name"] or find in room["purpose"]["value"].lower())
    ]
    return {"title": "All channels", "rooms": sorted(found, key=lambda r: (r["name"], r["id"]))} | dialogs.open_overlay(
        view, people, None
    )


def _is_listed(room: JsonObject, show: str) -> bool:
    if show == "archived":
        return bool(room["is_archived"])
    if room["is_archived"]:
        return False
    return {"mine": bool(room["is_member"]), "other": not room["is_member"]}.get(show, True)


@pages.page("/people", template="people.html", free=("overlay",))
def directory(view: View) -> JsonObject:
    """Everybody in the workspace."""
    people, find = People.of(view), view.query.get("find", "").lower()
    view.call("users.list", limit=1000)
    found = [
        w
        for w in people.all.values()
        if not w.is_gone and any(find in t.lower() for t in (w.name, w.real_name, w.title))
    ]
    listed = sorted(found, key=lambda who: (who.is_bot, who.real_name.lower(), who.id))
    return {"title": "People", "listed": listed} | dialogs.open_overlay(view, people, None)


@pages.page("/team/{user}", template="team.html", free=("overlay",))
def profile(view: View, user: str) -> JsonObject:
    """One person's profile."""
    people = People.of(view)
    view.call("users.info", user=user)
    return {"title": people.who(user).real_name, "who": people.who(user)} | dialogs.open_overlay(view, people, None)


@pages.page("/groups", template="groups.html", free=("overlay",))
def groups(view: View) -> JsonObject:
    """User groups."""
    listed = view.call("usergroups.list", include_users=True, include_disabled=True)["usergroups"]
    return {"title": "User groups", "groups": listed} | dialogs.open_overlay(view, People.of(view), None)


@pages.page("/files", template="files.html", free=("overlay",))
def files(view: View) -> JsonObject:
    """Files the reader may see, the latest first."""
    people = People.of(view)
    page = whole_number(view.query.get("page"), 1, least=1)
    found = view.call("files.list", count=50, page=page)
    listed = [(file_view(f), f, people.who(str(f["user"]))) for f in found["files"]]
    return {"title": "Files", "files": listed, "paging": found["paging"]} | dialogs.open_overlay(view, people, None)


@pages.page("/files/{file}", template="file.html", free=("overlay",))
def file(view: View, file: str) -> JsonObject:
    """One file: a preview, who shared it where, download and delete."""
    people = People.of(view)
    found = view.call("files.info", file=file)["file"]
    shares = [(c, s) for side in found["shares"].values() for c, listed in side.items() for s in listed]
    where = [
        {"title": people.title(people.room(c)), "kind": people.kind(c), "address": view.url(f"/client/{c}", at=s["ts"])}
        for c, s in shares
    ]
    return {
        "title": found["name"],
        "file": file_view(found),
        "raw": found,
        "owner": people.who(str(found["user"])),
        "where": where,
        "words": file_text(view, found),
        "mine": found["user"] == people.me,
    } | dialogs.open_overlay(view, people, None)


def file_text(view: View, found: JsonObject) -> str | None:
    """Return the displayed part of a text file."""
    if not is_text(found):
        return None
    kept = view.attempt("files.content", file=found["id"])
    return base64.b64decode(kept["content"]).decode("utf-8", "replace")[:TEXT_SHOWN] if kept else None


@pages.page("/files/{user}/{file}/{name}", template="file.html")
def file_permalink(view: View, user: str, file: str, name: str) -> Response:
    """A file's permanent address."""
    return Response(status_code=303, headers={"Location": view.url(f"/files/{file}")})


@pages.page("/download/{file}/{name}", template="file.html")
def download(view: View, file: str, name: str) -> Response:
    """A file's bytes, always as a download."""
    kept = view.call("files.content", file=file)
    return file_response(kept, f"attachment; filename*=UTF-8''{quote_file_name(kept['name'])}")


@pages.page("/preview/{file}", template="file.html")
def preview(view: View, file: str) -> Response:
    """A picture that browsers draw without risk; anything else is not shown."""
    kept = view.read("files.content", file=file)
    if kept["mimetype"] not in ("image/png", "image/jpeg", "image/gif"):
        return Response(status_code=404)
    return file_response(kept, "inline")


def file_response(kept: dict[str, Any], disposition: str) -> Response:
    """The bytes, fenced off from the site."""
    headers = {
        "Content-Disposition": disposition,
        "Content-Security-Policy": ATTACHED_CSP,
        "X-Content-Type-Options": "nosniff",
    }
    return Response(base64.b64decode(kept["content"]), media_type=kept["mimetype"], headers=headers)


def quote_file_name(name: str) -> str:
    """A file name for a header (RFC 8187)."""
    return "".join(
        chr(b) if chr(b).isascii() and (chr(b).isalnum() or chr(b) in "._-") else f"%{b:02X}" for b in name.encode()
    )
