"""Requests about comments on cells: insertComment, addCommentReply, updateCommentPost, deleteComment,
deleteCommentReply.
"""

import html

import orjson

from apps.drive.public import comments, format_timestamp
from apps.sheets.cells import Area
from apps.sheets.grid.conditions import AreaValues
from apps.sheets.operations.requests.objects import objects_of
from apps.sheets.operations.requests.registry import RequestArguments, request
from apps.sheets.spreadsheet import Spreadsheet
from apps.sheets.vendor_types import CheckedObject
from world.core.errors import OperationError
from world.core.json_types import JsonObject

MOST_LETTERS = 20_000
ACTIONS = {"RESOLVE": "resolve", "REOPEN": "reopen"}


def post(book: Spreadsheet, one: comments.Post) -> CheckedObject:
    """A Post."""
    call = book.call
    author, given = (
        call.directory.person(one.author_id),
        call.directory.person(one.assignee_id) if one.assignee_id else None,
    )
    told: CheckedObject = {
        "postId": one.key,
        "createTime": format_timestamp(one.created_at),
        "updateTime": format_timestamp(one.modified_at),
    }
    if one.deleted_at is not None:
        return {**told, "deleted": True}
    if author is not None:
        told["author"] = {
            "displayName": author.full_name,
            "user": f"users/{author.id}",
            **({"me": True} if author.id == call.person else {}),
        }
    told |= (
        {"content": one.content, "contentHtml": html.escape(one.content, quote=False).replace("\n", "<br>")}
        if one.content
        else {}
    )
    told |= {"assigneeEmail": given.email} if given else {}
    return {**told, "commentAction": one.action.upper()} if one.action else told


def thread(book: Spreadsheet, one: comments.Post) -> CheckedObject:
    """A CommentThread."""
    told: CheckedObject = {
        "commentId": one.key,
        "headPost": post(book, one),
        "status": "RESOLVED" if one.resolved else "OPEN",
        "anchorId": one.key,
    }
    replies = [post(book, each) for each in comments.answers(book.call, one) if each.deleted_at is None]
    if one.quoted:
        told["plainTextQuote"] = one.quoted
    return {**told, "replies": replies} if replies else told


def _content(asked: RequestArguments, given: CheckedObject, *, needed: bool = True) -> str:
    content = given.get("content") or ""
    if not isinstance(content, str) or (needed and not content.strip()):
        raise asked.wrong("content is required.")
    if len(content) > MOST_LETTERS:
        raise asked.wrong(f"content must have at most {MOST_LETTERS} characters.")
    return content


def _get_comment(book: Spreadsheet, asked: RequestArguments) -> comments.Post:
    """The comment of `commentId`. Raises no_object."""
    key = str(asked.need("commentId"))
    try:
        return comments.get_comment(book.call, book.file, key)
    except OperationError:
        raise OperationError("no_object", place=asked.place, kind=asked.kind, what="comment", id=key) from None


def _reply(book: Spreadsheet, asked: RequestArguments, comment: comments.Post) -> comments.Post:
    """The reply of `postId`. Raises no_object."""
    key = str(asked.need("postId"))
    try:
        return comments.find_answer(book.call, comment, key)
    except OperationError:
        raise OperationError("no_object", place=asked.place, kind=asked.kind, what="post", id=key) from None


def _mine(book: Spreadsheet, asked: RequestArguments, one: comments.Post) -> comments.Post:
    """A post that the caller wrote. Raises bad_request."""
    if one.author_id != book.call.person:
        raise asked.wrong("The user does not have sufficient permissions for this comment.")
    return one


def _assignee(book: Spreadsheet, asked: RequestArguments, email: str | None) -> str | None:
    try:
        return comments.assignee(book.call, email)
    except OperationError:
        raise asked.wrong(f"Invalid assignee email address: {email}") from None


@request("insertComment")
def insert_comment(book: Spreadsheet, asked: RequestArguments) -> JsonObject:
    """Comment on a cell."""
    tab, row, column = asked.cell(book, "coordinate")
    content, given_to = _content(asked, asked.given), _assignee(book, asked, asked.get("assigneeEmailAddress"))
    anchor = orjson.dumps({"sheetId": tab.gid, "rowIndex": row, "columnIndex": column}).decode()
    quoted = AreaValues(book, tab, Area(row, column, row + 1, column + 1)).text(row, column)
    made = comments.add(book.call, book.file, content, anchor=anchor, quoted=quoted, given_to=given_to)
    return {"commentThread": thread(book, made)}


@request("addCommentReply")
def add_reply(book: Spreadsheet, asked: RequestArguments) -> CheckedObject:
    """Answer a comment, resolve it or open it again."""
    given, comment = objects_of(asked, asked.given, "post"), _get_comment(book, asked)
    action = ACTIONS.get(given.get("commentAction") or "", "")
    content, given_to = _content(asked, given, needed=not action), _assignee(book, asked, given.get("assigneeEmail"))
    return {"post": post(book, comments.answer(book.call, book.file, comment, content, action, given_to=given_to))}


@request("updateCommentPost")
def update_post(book: Spreadsheet, asked: RequestArguments) -> None:
    """Change what one of your comments or answers says."""
    comment, content = _get_comment(book, asked), _content(asked, asked.given)
    is_head = asked.need("postId") == comment.key
    comments.edit(book.call, _mine(book, asked, comment if is_head else _reply(book, asked, comment)), content)


@request("deleteComment")
def delete_comment(book: Spreadsheet, asked: RequestArguments) -> None:
    """Delete a comment of yours."""
    comments.delete(book.call, _mine(book, asked, _get_comment(book, asked)))


@request("deleteCommentReply")
def delete_reply(book: Spreadsheet, asked: RequestArguments) -> None:
    """Delete an answer of yours."""
    comments.delete(book.call, _mine(book, asked, _reply(book, asked, _get_comment(book, asked))))
