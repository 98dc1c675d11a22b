"""Comments on a file and their replies: content, audience, and JSON.

developers.google.com/workspace/drive/api/guides/manage-comments,
developers.google.com/workspace/drive/api/reference/rest/v3/comments
"""

import html
import re
from typing import NamedTuple

from apps.drive import access, contents, mail_notifications
from apps.drive.access import FileRow
from apps.drive.timestamps import format_timestamp
from apps.drive.views import Views
from world.core.call import Call
from world.core.errors import OperationError
from world.core.json_types import JsonObject

ACTIONS = ("resolve", "reopen")
MENTION = re.compile(r"(?<![\w.])[+@]([\w.%+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63})+)")
_COLUMNS = (
    "id, key, file_id, parent_id, author_id, content, action, anchor, quoted, sheet_id, row, col, resolved,"
    " assignee_id, created_at, modified_at, deleted_at"
)
_ADD = (
    f"INSERT INTO drive_comment({_COLUMNS}) VALUES (:id, :key, :file_id, :parent_id, :author_id, :content, :action,"
    " :anchor, :quoted, :sheet_id, :row, :col, :resolved, :assignee_id, :created_at, :modified_at, :deleted_at)"
)
_ROOTS = (
    f"SELECT {_COLUMNS} FROM drive_comment WHERE file_id = :file AND parent_id IS NULL ORDER BY modified_at DESC, id"
    " DESC"
)
_ANSWERS = f"SELECT {_COLUMNS} FROM drive_comment WHERE parent_id = :id ORDER BY created_at, id"
_ONE = f"SELECT {_COLUMNS} FROM drive_comment WHERE file_id = :file AND key = :key AND parent_id IS :parent"
_THREAD = (
    "SELECT author_id, assignee_id FROM drive_comment WHERE (id = :id OR parent_id = :id) AND deleted_at IS NULL ORDER"
    " BY created_at, id"
)


class Post(NamedTuple):
    """A comment or an answer as a row."""

    id: int
    key: str
    file_id: int
    parent_id: int | None
    author_id: str
    content: str
    action: str
    anchor: str
    quoted: str
    sheet_id: int | None
    row: int | None
    col: int | None
    resolved: bool
    assignee_id: str | None
    created_at: int
    modified_at: int
    deleted_at: int | None


def roots(call: Call, file: FileRow) -> list[Post]:
    """Return the comments of a file, last changed first."""
    return [Post._make(row) for row in call.all(_ROOTS, {"file": file.id})]


def answers(call: Call, comment: Post) -> list[Post]:
    """Return the replies to a comment, oldest first."""
    return [Post._make(row) for row in call.all(_ANSWERS, {"id": comment.id})]


def get_comment(call: Call, file: FileRow, key: str, *, deleted: bool = False) -> Post:
    """A comment of a file. Raises no_comment."""
    row = call.first(_ONE, {"file": file.id, "key": key, "parent": None})
    if row is None or (row[-1] is not None and not deleted):
        raise OperationError("no_comment", id=key)
    return Post._make(row)


def find_answer(call: Call, comment: Post, key: str, *, deleted: bool = False) -> Post:
    """An answer to a comment. Raises no_reply."""
    row = call.first(_ONE, {"file": comment.file_id, "key": key, "parent": comment.id})
    if row is None or (row[-1] is not None and not deleted):
        raise OperationError("no_reply", id=key)
    return Post._make(row)


def list_mentioned(call: Call, text: str) -> list[str]:
    """The people whose addresses a text names after + or @."""
    found = (call.directory.owner(address.rstrip(".")) for address in MENTION.findall(text))
    return list(dict.fromkeys(one[0] for one in found if one is not None and one[1] == "active"))


def audience(call: Call, post: Post) -> list[str]:
    """Return the people notified of a post: the file's owner, the thread's authors, and people it names.

    Only people who may read the file are notified.
    """
    file = access.by_id(call, post.file_id)
    if file is None:
        return []
    thread = [person for row in call.all(_THREAD, {"id": post.parent_id or post.id}) for person in row]
    people = dict.fromkeys([*list_mentioned(call, post.content), post.assignee_id, file.owner_id, *thread])
    return [one for one in people if one is not None and one != post.author_id and access.role(call, file, one)]


def list_addressees(call: Call, post: Post) -> list[str]:
    """Return the people a post addresses: those it names and its assignee, else everybody notified of it."""
    told = audience(call, post)
    named = [person for person in (*list_mentioned(call, post.content), post.assignee_id) if person in told]
    return [one for one in dict.fromkeys(named) if one is not None] or told


def place(call: Call, file: FileRow, anchor: str) -> contents.Cell:
    """Return the cell that an anchor names, for a content with anchors; nothing if it names none."""
    kept = contents.find_content(call, file.mime_type)
    return (None, None, None) if kept is None else kept.find_anchor(call, file, anchor)


def assignee(call: Call, email: str | None) -> str | None:
    """Return the assignee of a comment. Raises invalid_value."""
    found = call.directory.by_email(email) if email else None
    if email and (found is None or found.status != "active"):
        raise OperationError("invalid_value", parameter="assigneeEmailAddress")
    return found.id if found else None


def add(
    call: Call, file: FileRow, content: str, *, anchor: str = "", quoted: str = "", given_to: str | None = None
) -> Post:
    """Add a comment of the caller; the people concerned get a mail."""
    sheet, row, col = place(call, file, anchor)
    post = _store_post(
        call,
        _new(call, file, content)._replace(
            anchor=anchor, quoted=quoted, sheet_id=sheet, row=row, col=col, assignee_id=given_to
        ),
    )
    told = "assigned you an action item" if given_to else "added a comment"
    mail_notifications.mail_comment(call, file, post.key, audience(call, post), told, quoted, content)
    return post


def answer(
    call: Call, file: FileRow, comment: Post, content: str, action: str = "", *, given_to: str | None = None
) -> Post:
    """Add a reply of the caller, which may resolve or reopen the comment."""
    post = _store_post(
        call, _new(call, file, content)._replace(parent_id=comment.id, action=action, assignee_id=given_to)
    )
    resolved = action == "resolve" if action else comment.resolved
    values = {"now": call.now, "resolved": resolved, "given": given_to or comment.assignee_id, "id": comment.id}
    sql = "UPDATE drive_comment SET modified_at = :now, resolved = :resolved, assignee_id = :given WHERE id = :id"
    call.execute(sql, values)
    told = {"resolve": "resolved a comment", "reopen": "reopened a comment"}.get(action, "replied to a comment")
    mail_notifications.mail_comment(call, file, comment.key, audience(call, post), told, comment.content, content)
    return post


def _new(call: Call, file: FileRow, content: str) -> Post:
    number = (call.scalar("SELECT max(id) FROM drive_comment") or 0) + 1
    key = "AAAA" + call.ids.base62(8)
    return Post(
        number,
        key,
        file.id,
        None,
        call.person,
        content,
        "",
        "",
        "",
        None,
        None,
        None,
        False,
        None,
        call.now,
        call.now,
        None,
    )


def _store_post(call: Call, post: Post) -> Post:
    call.execute(_ADD, post._asdict())
    return post


def edit(call: Call, post: Post, content: str) -> None:
    """Change the text of a post."""
    sql = "UPDATE drive_comment SET content = :content, modified_at = :now WHERE id = :id"
    call.execute(sql, {"content": content, "now": call.now, "id": post.id})


def delete(call: Call, post: Post) -> None:
    """Delete a post; a mark of it remains."""
    call.execute(
        "UPDATE drive_comment SET deleted_at = :now, modified_at = :now WHERE id = :id",
        {"now": call.now, "id": post.id},
    )


# as told


def shape(views: Views, post: Post, *, deleted: bool = False) -> JsonObject:
    """A Comment with its answers, or a Reply."""
    told: JsonObject = {
        "kind": "drive#comment" if post.parent_id is None else "drive#reply",
        "id": post.key,
        "createdTime": format_timestamp(post.created_at),
        "modifiedTime": format_timestamp(post.modified_at),
        "deleted": post.deleted_at is not None,
    }
    if post.deleted_at is None:
        told |= {"author": views.author(post.author_id), **_post_to_json(views.call, post)}
    if post.parent_id is None:
        told |= {"resolved": bool(post.resolved), **_where(views.call, post)}
        told["replies"] = [shape(views, one) for one in answers(views.call, post) if deleted or one.deleted_at is None]
    return told


def _post_to_json(call: Call, post: Post) -> JsonObject:
    told: JsonObject = {"content": post.content, "htmlContent": _html(post.content)} if post.content else {}
    if post.action:
        told["action"] = post.action
    found = call.directory.person(post.assignee_id) if post.assignee_id else None
    told |= {"assigneeEmailAddress": found.email} if found else {}
    people = [call.directory.person(one) for one in list_mentioned(call, post.content)]
    return {**told, "mentionedEmailAddresses": [one.email for one in people if one is not None]}


def _html(text: str) -> str:
    linked = MENTION.sub(lambda found: f'<a href="mailto:{found[1]}">{found[0]}</a>', html.escape(text, quote=False))
    return linked.replace("\n", "<br>")


def _where(call: Call, post: Post) -> JsonObject:
    """Return the anchor as given; for a cell its present place, or none once it is deleted."""
    anchor = post.anchor if post.sheet_id is None else _cell(call, post)
    told: JsonObject = {"anchor": anchor} if anchor else {}
    return {
        **told,
        **(
            {"quotedFileContent": {"mimeType": "text/html", "value": html.escape(post.quoted, quote=False)}}
            if post.quoted
            else {}
        ),
    }


def _cell(call: Call, post: Post) -> str:
    file = access.by_id(call, post.file_id)
    kept = None if file is None else contents.find_content(call, file.mime_type)
    return "" if kept is None else kept.render_anchor(call, post.file_id, (post.sheet_id, post.row, post.col))
