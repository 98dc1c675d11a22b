"""The comments pane of a spreadsheet: threads on a cell or on the whole file; reply, resolve, assign."""

from collections.abc import Mapping
from typing import Any

import orjson

from apps.drive.public import MENTION
from apps.sheets import a1
from apps.sheets.pages.ui import pages
from world.core.errors import InvalidArguments
from world.core.params import Arguments, whole_number
from world.web import View
from world.web.pages import PageContext

FILTERS = (("all", "All"), ("open", "Open"), ("resolved", "Resolved"), ("mine", "For you"))
MOST = 100


def pane(view: View, key: str) -> PageContext:
    """The threads to show; nothing when the pane is shut."""
    if view.query.get("pane") != "comments":
        return {"pane_open": False, "threads": []}
    shown = view.query.get("show", "open")
    file = view.read("drive.files.get", fileId=key)
    listed = view.attempt("drive.comments.list", fileId=key, pageSize=MOST) or {"comments": []}
    titles = {tab["properties"]["sheetId"]: tab["properties"]["title"] for tab in sheets(view, key)}
    threads = [thread(one, titles) for one in listed["comments"]]
    shown_threads = [one for one in threads if is_wanted(view, one, shown)]
    return {
        "pane_open": True,
        "threads": shown_threads,
        "names": names_in(view, shown_threads),
        "show": shown,
        "filters": FILTERS,
        "file_key": key,
        "may_comment": file["capabilities"]["canComment"],
        "owned": file["ownedByMe"],
        "cell": view.query.get("cell", "")[:20],
        "gid_here": view.query.get("gid") or str(next(iter(titles), 0)),
        "tab_titles": titles,
        "counts": len(threads),
    }


def sheets(view: View, key: str) -> list[Mapping[str, Any]]:
    """The sheets of a spreadsheet, without cells."""
    found = view.attempt("spreadsheets.get", spreadsheetId=key)
    return found["sheets"] if found else []


def thread(comment: Mapping[str, Any], titles: Mapping[int, str]) -> PageContext:
    """Return a comment with its cell."""
    try:
        anchor = orjson.loads(comment.get("anchor") or "{}")
    except orjson.JSONDecodeError:
        anchor = {}
    anchor = anchor if isinstance(anchor, dict) else {}
    row, column, gid = anchor.get("rowIndex"), anchor.get("columnIndex"), anchor.get("sheetId", 0)
    cell = (
        f"{a1.letters(column)}{row + 1}" if isinstance(row, int) and isinstance(column, int) and gid in titles else ""
    )
    return {**comment, "cell": cell, "gid": gid, "sheet": titles.get(gid, "") if cell else ""}


def is_wanted(view: View, one: Mapping[str, Any], shown: str) -> bool:
    """Whether a filter shows a thread."""
    me = view.page_state.me.email
    named = [
        *one.get("mentionedEmailAddresses", ()),
        *(name for reply in one["replies"] for name in reply.get("mentionedEmailAddresses", ())),
    ]
    given = [one.get("assigneeEmailAddress"), *(reply.get("assigneeEmailAddress") for reply in one["replies"])]
    return {"open": not one["resolved"], "resolved": bool(one["resolved"]), "mine": me in named or me in given}.get(
        shown, True
    )


def pieces(text: str, names: Mapping[str, str] | None = None) -> list[tuple[str, str]]:
    """Split a comment's text into plain text and names of people; an unknown address stays as text."""
    found: list[tuple[str, str]] = []
    at = 0
    for one in MENTION.finditer(text):
        name = (names or {}).get(one[1].rstrip(".").lower())
        found += [("", text[at : one.start()]), ("mention", f"@{name}" if name else one[0])]
        at = one.end()
    return [*found, ("", text[at:])]


def names_in(view: View, threads: list[dict[str, Any]]) -> dict[str, str]:
    """The names of those whom threads name or are given to."""
    posts = [post for one in threads for post in (one, *one["replies"])]
    emails = {
        email
        for post in posts
        for email in (*post.get("mentionedEmailAddresses", ()), post.get("assigneeEmailAddress"))
        if email
    }
    known: dict[str, str] = {}
    for email in sorted(emails):
        listed = (view.attempt("web.people", q=email[:200], limit=2) or {"people": []})["people"]
        known |= {one["email"].lower(): one["name"] for one in listed if one["email"].lower() == email.lower()}
    return known


@pages.action("comment")
def comment(view: View, arguments: dict[str, Any]) -> dict[str, Any]:
    """Say something about a cell, or about the file."""
    asked = {
        "fileId": str(arguments.get("fileId") or ""),
        "content": str(arguments.get("content") or ""),
        **parse_assignee(arguments),
    }
    cell = str(arguments.get("cell") or "").strip().upper()
    return view.submit(
        "drive.comments.create",
        {**asked, **({"anchor": anchor_of(cell, str(arguments.get("gid") or "0"))} if cell else {})},
    )


def anchor_of(cell: str, gid: str) -> str:
    """The anchor of a cell as people name it. Raises InvalidArguments."""
    try:
        area = a1.parse(cell).area
    except a1.BadRange:
        area = None
    if area is None or area.bottom is None or area.right is None:
        raise InvalidArguments([("cell", "is not a cell such as B7")])
    return orjson.dumps({"sheetId": whole_number(gid), "rowIndex": area.top, "columnIndex": area.left}).decode()


def parse_assignee(arguments: Arguments) -> dict[str, Any]:
    """Parse the assignee of a comment."""
    email = str(arguments.get("assignee") or arguments.get("assignee_text") or "").strip().lower()
    return {"assigneeEmailAddress": email} if email else {}


@pages.action("reply")
def reply(view: View, arguments: dict[str, Any]) -> dict[str, object]:
    """Answer, resolve or open a thread again."""
    asked = {name: str(arguments.get(name) or "") for name in ("fileId", "commentId", "content", "action")}
    return view.submit(
        "drive.replies.create", {**{name: value for name, value in asked.items() if value}, **parse_assignee(arguments)}
    )
