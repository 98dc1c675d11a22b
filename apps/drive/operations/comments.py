"""Comments on files, and their replies."""

from typing import NotRequired, TypedDict

from pydantic import Field

from apps.drive import comments, file_lookup, page_tokens
from apps.drive.app import app
from apps.drive.operations.file_fields import parse_time_field
from apps.drive.operations.params import (
    DOCS,
    EXAMPLE,
    READ,
    WRITE,
    FileParams,
    Key,
    Line,
    Long,
    Object,
    PageParams,
    PageSize,
    size,
)
from apps.drive.views import Views
from world.core.call import Call
from world.core.errors import OperationError
from world.core.json_types import JsonObject

COMMENT, REPLY = "$drive.comments.create:id", "$drive.replies.create:id"


class CommentParams(FileParams):
    """One comment of a file."""

    commentId: Key = Field(description="Id of the comment.", examples=[COMMENT])


class ReplyParams(CommentParams):
    """One answer to a comment."""

    replyId: Key = Field(description="Id of the reply.", examples=[REPLY])


class PostListParams(PageParams, FileParams):
    """A page of comments or replies."""

    includeDeleted: bool = Field(default=False, description="Tell deleted ones too, without what they said.")
    pageSize: PageSize | None = Field(default=None, description="Most of a page, up to 100; 20 unless said.")


class ListCommentsParams(PostListParams):
    """Filter and page of a file's comments."""

    startModifiedTime: Line = Field(default="", description="Only those changed at this time or later, RFC 3339.")


class ListRepliesParams(PostListParams, CommentParams):
    """Page of the replies to a comment."""


class GetCommentParams(CommentParams):
    """A comment, perhaps a deleted one."""

    includeDeleted: bool = Field(default=False, description="Tell it even when it has been deleted.")


class GetReplyParams(ReplyParams):
    """A reply, perhaps a deleted one."""

    includeDeleted: bool = Field(default=False, description="Tell it even when it has been deleted.")


class CreateCommentParams(FileParams):
    """Request fields of a new comment."""

    content: Long = Field(
        default="",
        description="What it says; `@name@company` or `+name@company` calls somebody.",
        examples=["Is Q3 final?"],
    )
    anchor: Line = Field(
        default="", description='Where: JSON; `{"sheetId": 0, "rowIndex": 2, "columnIndex": 1}` is a cell.'
    )
    quotedFileContent: Object | None = Field(default=None, description="`{mimeType, value}`: the text it is about.")
    assigneeEmailAddress: Line | None = Field(default=None, description="Who is to do something about it.")


class UpdateCommentParams(CommentParams):
    """New text of a comment."""

    content: Long = Field(default="", description="What it says now.", examples=["Is Q2 final?"])


class CreateReplyParams(CommentParams):
    """Request fields of a new reply."""

    content: Long = Field(default="", description="What it says.", examples=["Yes."])
    action: Line = Field(default="", description="resolve or reopen: what becomes of the comment.")
    assigneeEmailAddress: Line | None = Field(default=None, description="Who is to do something about it.")


class UpdateReplyParams(ReplyParams):
    """New text of a reply."""

    content: Long = Field(default="", description="What it says now.", examples=["No."])


class CommentList(TypedDict):
    """A page of comments."""

    kind: str
    comments: list[JsonObject]
    nextPageToken: NotRequired[str]


class ReplyList(TypedDict):
    """A page of replies."""

    kind: str
    replies: list[JsonObject]
    nextPageToken: NotRequired[str]


def _render_page(
    call: Call, params: PostListParams, kind: str, posts: list[comments.Post]
) -> tuple[list[JsonObject], JsonObject]:
    if params.pageSize is not None and params.pageSize < 1:
        raise OperationError("invalid_value", parameter="pageSize")
    posts = [one for one in posts if params.includeDeleted or one.deleted_at is None]
    found, token = page_tokens.page(
        call, kind, posts, [one.id for one in posts], size(params.pageSize, 20, 100), params.pageToken
    )
    views = Views(call)
    return [comments.shape(views, one, deleted=params.includeDeleted) for one in found], (
        {"nextPageToken": token} if token else {}
    )


@app.operation(
    "drive.comments.list",
    source=DOCS + "comments/list",
    scope=READ,
    examples=[{"fileId": EXAMPLE}],
    raises=("not_found", "forbidden", "invalid_value", "bad_page_token"),
)
def list_comments(call: Call, params: ListCommentsParams) -> CommentList:
    """List the comments of a file with their replies, the one changed last first."""
    file = file_lookup.get_file(call, params.fileId)
    since = parse_time_field(params.startModifiedTime, "startModifiedTime") if params.startModifiedTime else 0
    posts = [one for one in comments.roots(call, file) if one.modified_at >= since]
    shown, more = _render_page(call, params, f"comments:{file.key}", posts)
    return {"kind": "drive#commentList", "comments": shown, **more}  # type: ignore[typeddict-item]


@app.operation(
    "drive.comments.get",
    source=DOCS + "comments/get",
    scope=READ,
    examples=[{"fileId": EXAMPLE, "commentId": COMMENT}],
    raises=("not_found", "forbidden", "no_comment"),
)
def get_comment(call: Call, params: GetCommentParams) -> JsonObject:
    """Read one comment with its replies."""
    comment = comments.get_comment(
        call, file_lookup.get_file(call, params.fileId), params.commentId, deleted=params.includeDeleted
    )
    return comments.shape(Views(call), comment, deleted=params.includeDeleted)


def _get_quoted_text(params: CreateCommentParams) -> str:
    value = (params.quotedFileContent or {}).get("value") or ""
    if not isinstance(value, str) or len(value) > 50_000:
        raise OperationError("invalid_value", parameter="quotedFileContent")
    return value


@app.operation(
    "drive.comments.create",
    source=DOCS + "comments/create",
    scope=WRITE,
    writes=True,
    examples=[{"fileId": EXAMPLE, "content": "Is Q3 final?"}],
    raises=("not_found", "forbidden", "required", "invalid_value"),
)
def create_comment(call: Call, params: CreateCommentParams) -> JsonObject:
    """Comment on a file, on one of its cells if an anchor is given; its owner and people named in it are mailed.

    Deviates: an anchor that is a GridCoordinate puts the comment on that cell; the vendor's anchors of spreadsheets are
    not published.
    """
    file = file_lookup.get_file(call, params.fileId, "file.comment")
    if not params.content.strip():
        raise OperationError("required", parameter="content")
    given = comments.assignee(call, params.assigneeEmailAddress)
    post = comments.add(
        call, file, params.content, anchor=params.anchor, quoted=_get_quoted_text(params), given_to=given
    )
    return comments.shape(Views(call), post)


def _mine(call: Call, post: comments.Post) -> comments.Post:
    """Return a post of the caller's. Raises not_the_author."""
    if post.author_id != call.person:
        raise OperationError("not_the_author")
    return post


@app.operation(
    "drive.comments.update",
    source=DOCS + "comments/update",
    scope=WRITE,
    writes=True,
    examples=[{"fileId": EXAMPLE, "commentId": COMMENT, "content": "Is Q2 final?"}],
    raises=("not_found", "forbidden", "no_comment", "not_the_author", "required"),
)
def update_comment(call: Call, params: UpdateCommentParams) -> JsonObject:
    """Change the text of a comment of yours."""
    file = file_lookup.get_file(call, params.fileId, "file.comment")
    comment = _mine(call, comments.get_comment(call, file, params.commentId))
    if not params.content.strip():
        raise OperationError("required", parameter="content")
    comments.edit(call, comment, params.content)
    return comments.shape(Views(call), comments.get_comment(call, file, params.commentId))


@app.operation(
    "drive.comments.delete",
    source=DOCS + "comments/delete",
    scope=WRITE,
    writes=True,
    examples=[{"fileId": EXAMPLE, "commentId": COMMENT}],
    raises=("not_found", "forbidden", "no_comment", "not_the_author"),
)
def delete_comment(call: Call, params: CommentParams) -> None:
    """Delete a comment of yours, or any on a file of yours."""
    file = file_lookup.get_file(call, params.fileId, "file.comment")
    comment = comments.get_comment(call, file, params.commentId)
    comments.delete(call, comment if file.owner_id == call.person else _mine(call, comment))


@app.operation(
    "drive.replies.list",
    source=DOCS + "replies/list",
    scope=READ,
    examples=[{"fileId": EXAMPLE, "commentId": COMMENT}],
    raises=("not_found", "forbidden", "no_comment", "invalid_value", "bad_page_token"),
)
def list_replies(call: Call, params: ListRepliesParams) -> ReplyList:
    """List the answers to a comment, the oldest first."""
    comment = comments.get_comment(call, file_lookup.get_file(call, params.fileId), params.commentId)
    shown, more = _render_page(call, params, f"replies:{comment.key}", comments.answers(call, comment))
    return {"kind": "drive#replyList", "replies": shown, **more}  # type: ignore[typeddict-item]


@app.operation(
    "drive.replies.get",
    source=DOCS + "replies/get",
    scope=READ,
    examples=[{"fileId": EXAMPLE, "commentId": COMMENT, "replyId": REPLY}],
    raises=("not_found", "forbidden", "no_comment", "no_reply"),
)
def get_reply(call: Call, params: GetReplyParams) -> JsonObject:
    """Read one answer to a comment."""
    comment = comments.get_comment(call, file_lookup.get_file(call, params.fileId), params.commentId)
    return comments.shape(
        Views(call), comments.find_answer(call, comment, params.replyId, deleted=params.includeDeleted)
    )


@app.operation(
    "drive.replies.create",
    source=DOCS + "replies/create",
    scope=WRITE,
    writes=True,
    examples=[{"fileId": EXAMPLE, "commentId": COMMENT, "content": "Yes."}],
    raises=("not_found", "forbidden", "no_comment", "required", "invalid_value"),
)
def create_reply(call: Call, params: CreateReplyParams) -> JsonObject:
    """Answer a comment; with the action resolve or reopen it is closed or opened again."""
    file = file_lookup.get_file(call, params.fileId, "file.comment")
    comment = comments.get_comment(call, file, params.commentId)
    if params.action and params.action not in comments.ACTIONS:
        raise OperationError("invalid_value", parameter="action")
    if not params.content.strip() and not params.action:
        raise OperationError("required", parameter="content")
    given = comments.assignee(call, params.assigneeEmailAddress)
    return comments.shape(
        Views(call), comments.answer(call, file, comment, params.content, params.action, given_to=given)
    )


@app.operation(
    "drive.replies.update",
    source=DOCS + "replies/update",
    scope=WRITE,
    writes=True,
    examples=[{"fileId": EXAMPLE, "commentId": COMMENT, "replyId": REPLY, "content": "No."}],
    raises=("not_found", "forbidden", "no_comment", "no_reply", "not_the_author", "required"),
)
def update_reply(call: Call, params: UpdateReplyParams) -> JsonObject:
    """Change the text of a reply of yours."""
    file = file_lookup.get_file(call, params.fileId, "file.comment")
    comment = comments.get_comment(call, file, params.commentId)
    reply = _mine(call, comments.find_answer(call, comment, params.replyId))
    if not params.content.strip():
        raise OperationError("required", parameter="content")
    comments.edit(call, reply, params.content)
    return comments.shape(Views(call), comments.find_answer(call, comment, params.replyId))


@app.operation(
    "drive.replies.delete",
    source=DOCS + "replies/delete",
    scope=WRITE,
    writes=True,
    examples=[{"fileId": EXAMPLE, "commentId": COMMENT, "replyId": REPLY}],
    raises=("not_found", "forbidden", "no_comment", "no_reply", "not_the_author"),
)
def delete_reply(call: Call, params: ReplyParams) -> None:
    """Delete an answer of yours, or any on a file of yours."""
    file = file_lookup.get_file(call, params.fileId, "file.comment")
    reply = comments.find_answer(call, comments.get_comment(call, file, params.commentId), params.replyId)
    comments.delete(call, reply if file.owner_id == call.person else _mine(call, reply))
