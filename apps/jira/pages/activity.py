"""Activity of an issue: comments, changes and work, merged or one kind at a time."""

from collections.abc import Mapping
from typing import Any

from apps.jira.pages.line_ends import show_line_ends
from apps.jira.pages.template_filters import parse_api_time
from world.core.json_types import JsonObject
from world.web import View

TABS = ("all", "comments", "history", "worklog")


def list_activity(view: View, found: Mapping[str, Any]) -> JsonObject:
    """The activity of an issue for the chosen tab, the newest first unless asked otherwise."""
    show = view.query.get("show", "comments")
    show = show if show in TABS else "comments"
    out: list[JsonObject] = []
    if show in ("all", "comments"):
        out += list_comments(found)
    if show in ("all", "history"):
        out += list_history(found)
    if show in ("all", "worklog"):
        out += list_worklogs(view, found)
    oldest = view.query.get("order") == "oldest"
    out.sort(key=lambda e: (e["at"], e["kind"], e["id"]), reverse=not oldest)
    edited = view.query.get("comment", "") if not view.query.get("dialog") else ""
    return {
        "entries": out,
        "show": show,
        "oldest": oldest,
        "edited_comment": edited,
        "comment_source": render_comment_source(view, found["key"], edited) if edited else "",
        "comment_count": len(found["fields"]["comment"]["comments"]),
        "comment_to": view.query.get("reply", ""),
    }


def render_comment_source(view: View, key: str, comment: str) -> str:
    """A comment as its editor shows it."""
    found = view.attempt("getComment", issueIdOrKey=key, id=comment, contentFormat="markdown")
    return show_line_ends(str(found["body"])) if found else ""


def list_comments(found: Mapping[str, Any]) -> list[JsonObject]:
    """Comments with their HTML."""
    rows = found["fields"]["comment"]["comments"]
    shown = found["renderedFields"]["comment"]["comments"]
    return [
        {
            "kind": "comment",
            "id": int(row["id"]),
            "at": parse_api_time(row["created"]),
            "author": row["author"],
            "html": html["body"],
            "edited": row["updated"] != row["created"],
            "visibility": row.get("visibility"),
            "internal": row.get("jsdPublic") is False,
        }
        for row, html in zip(rows, shown, strict=True)
    ]


def list_history(found: Mapping[str, Any]) -> list[JsonObject]:
    """Changes, and the creation."""
    fields = found["fields"]
    made = {
        "kind": "created",
        "id": 0,
        "at": parse_api_time(fields["created"]),
        "author": fields["creator"],
        "items": [],
    }
    return [
        made,
        *(
            {
                "kind": "change",
                "id": int(row["id"]),
                "at": parse_api_time(row["created"]),
                "author": row["author"],
                "items": row["items"],
            }
            for row in found["changelog"]["histories"]
        ),
    ]


def list_worklogs(view: View, found: Mapping[str, object]) -> list[JsonObject]:
    """Work that was logged; the text is Markdown."""
    page = view.attempt("getIssueWorklog", issueIdOrKey=found["key"], contentFormat="markdown", maxResults=200)
    return [
        {
            "kind": "work",
            "id": int(row["id"]),
            "at": parse_api_time(row["started"]),
            "author": row["author"],
            "spent": row["timeSpent"],
            "text": row.get("comment") or "",
        }
        for row in (page or {"worklogs": []})["worklogs"]
    ]
