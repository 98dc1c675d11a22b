"""Notices of changes of the drive, and the colleagues that comments address."""

from collections.abc import Iterable
from typing import Any

from apps.drive import access, comments, grants, mail_notifications
from apps.drive.access import Grant
from apps.drive.app import app
from apps.drive.comments import Post
from world.core.app import HeardMessage, Notice
from world.core.call import Call
from world.core.journal import Change
from world.core.json_types import JsonObject

SHOWN = 120  # characters of a text in a notice
DONE = {"resolve": "resolved a comment", "reopen": "reopened a comment"}


@app.notices
def notices(call: Call, change: Change) -> Iterable[Notice]:
    """Return notices of shared files and of comments, to the people concerned; changes of cells give none."""
    row = change.after
    if change.table == "drive_permission" and row is not None:
        return _list_share_notices(call, row, change.before)
    if change.table == "drive_comment" and change.op == "insert" and row is not None:
        return _list_comment_notices(call, _post(row))
    return []


def _post(row: dict[str, Any]) -> Post:
    return Post(**{name: row[name] for name in Post._fields})


def _list_share_notices(call: Call, row: dict[str, Any], before: dict[str, Any] | None) -> list[Notice]:
    grant = Grant(**{name: row[name] for name in Grant._fields})
    file = access.by_id(call, grant.file_id)
    known = access.ROLES.get(before["role"], 0) if before is not None else 0
    if file is None or grant.type not in ("user", "group") or known >= access.ROLES.get(grant.role, 0):
        return []
    who = call.directory.full_name(grant.shared_by) or "Somebody"
    said = f'{who} shared the {mail_notifications.noun(file)} "{file.name}" with you: you may {mail_notifications.VERBS[grant.role]} it'
    return [Notice(person, said) for person in grants.people(call, grant) if person != (grant.shared_by or call.person)]


def _list_comment_notices(call: Call, post: Post) -> list[Notice]:
    file = access.by_id(call, post.file_id)
    if file is None:
        return []
    author = call.directory.full_name(post.author_id)
    said = f'{author} {DONE.get(post.action, "commented")} on "{file.name}"' + (
        f": {post.content[:SHOWN]}" if post.content else ""
    )
    named = {*comments.list_mentioned(call, post.content), post.assignee_id}
    return [
        Notice(person, f"{'You were mentioned. ' if person in named else ''}{said}")
        for person in comments.audience(call, post)
    ]


@app.finds_recipients
def list_hearers(call: Call, change: Change) -> Iterable[HeardMessage]:
    """Return the people who hear a comment: those it names, else everybody notified of it; they reply in its thread."""
    row = change.after
    if change.table != "drive_comment" or change.op != "insert" or row is None or not row["content"]:
        return []
    post = _post(row)
    file = access.by_id(call, post.file_id)
    root = (
        post.key
        if post.parent_id is None
        else call.scalar("SELECT key FROM drive_comment WHERE id = :id", {"id": post.parent_id})
    )
    if file is None or root is None:
        return []
    arguments = {"fileId": file.key, "commentId": root}
    return [
        HeardMessage(
            person, post.author_id, post.content, f"sheets:{root}", "drive.replies.create", arguments, "content"
        )
        for person in comments.list_addressees(call, post)
    ]


@app.involves_person
def mention_person(call: Call, person: str, arguments: dict[str, object]) -> tuple[str, JsonObject]:
    """Return a mention of a person: their address after a plus."""
    found = call.directory.person(person)
    return f"+{found.email}" if found is not None else "", arguments
