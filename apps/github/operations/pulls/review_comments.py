"""Comments on the lines of a pull request: created, answered, listed, changed."""

from typing import Annotated, Literal

from pydantic import Field
from sqlmodel import col, func, select

from apps.github.app import app
from apps.github.columns import Condition
from apps.github.domain.context import GithubContext
from apps.github.domain.diff_position import CommentPosition, PositionNotInDiff, place
from apps.github.domain.params import Body, Id, Line, ListPage, MediaType, PageParams, RepoRef
from apps.github.domain.pull_git import Changes
from apps.github.domain.pull_rows import EXAMPLE, PullRef, get_pull, get_writable_pull
from apps.github.domain.review_rows import (
    add_comment,
    begin_thread,
    drop_comment,
    find_comment,
    find_pending_review,
    new_review,
    select_visible_comments,
    submit,
)
from apps.github.models import Repository
from apps.github.models_issues import Issue
from apps.github.models_pulls import Pull, ReviewComment, ReviewThread
from apps.github.operations.issues.milestones import moment
from apps.github.operations.pulls.reviews import check_unlocked
from apps.github.refusals import invalid
from apps.github.views.reviews import ReviewContext
from world.core.call import Call
from world.core.errors import OperationError
from world.core.json_types import JsonObject
from world.core.params import Int64, Text

SOURCE = "docs.github.com/rest/pulls/comments"
RESOURCE = "PullRequestReviewComment"
REPO = {"owner": "quayline", "repo": "payments"}
COMMENT = {**REPO, "comment_id": "$pulls/list-review-comments-for-repo:0.id"}
Side = Literal["LEFT", "RIGHT"]


class CommentRef(RepoRef):
    """One review comment."""

    comment_id: Id = Field(description="The id of the comment.", examples=[1])


class CommentGet(CommentRef, MediaType):
    """A review comment to read."""


class CommentText(CommentRef):
    """New text for a comment."""

    body: Body = Field(description="The text, in Markdown.", examples=["Shorter, please."])


class CommentSort(PageParams, MediaType):
    """Order of a list of comments."""

    sort: Literal["created", "updated", "created_at"] = Field(default="created", description="created or updated.")
    direction: Literal["asc", "desc"] | None = Field(default=None, description="asc or desc.")
    since: Line | None = Field(default=None, description="Only those changed at or after this time (ISO 8601, UTC).")


class CommentList(PullRef, CommentSort):
    """Review comments of a pull request."""


class CommentListAll(RepoRef, CommentSort):
    """Review comments of a repository."""


class CommentNew(PullRef):
    """A comment on a line, on several, or on a whole file."""

    body: Body = Field(description="The text, in Markdown.", examples=["Why twice?"])
    commit_id: Annotated[Text, Field(max_length=64)] | None = Field(
        default=None, description="The commit it is about: the head."
    )
    path: Line | None = Field(default=None, description="The file.")
    line: Int64 | None = Field(default=None, description="The line of the file on `side`; the last one of several.")
    side: Side | None = Field(default=None, description="LEFT for the old file, RIGHT for the new one.")
    start_line: Int64 | None = Field(default=None, description="The first of several lines.")
    start_side: Literal["LEFT", "RIGHT", "side"] | None = Field(default=None, description="The side of the first line.")
    position: Int64 | None = Field(default=None, description="The line of the diff, instead of `line`.")
    subject_type: Literal["line", "file"] | None = Field(default=None, description="line or file.")
    in_reply_to: Id | None = Field(default=None, description="The id of a comment to answer; then only `body` counts.")


class Reply(PullRef):
    """An answer to a comment."""

    comment_id: Id = Field(description="The id of the comment.", examples=[1])
    body: Body = Field(description="The text, in Markdown.", examples=["Done."])


@app.operation(
    "pulls/list-review-comments",
    units=1,
    source=f"{SOURCE}#list-review-comments-on-a-pull-request",
    examples=[EXAMPLE],
    raises=("not_found", "validation_failed"),
)
def list_review_comments(call: Call, params: CommentList) -> list[JsonObject]:
    """List the comments on a pull request's lines, oldest first."""
    context = GithubContext(call)
    repo, issue, _ = get_pull(context, params)
    return _list_comments(context, repo, params, ReviewComment.issue_id == issue.id)


@app.operation(
    "pulls/list-review-comments-for-repo",
    units=1,
    source=f"{SOURCE}#list-review-comments-in-a-repository",
    examples=[REPO],
    raises=("not_found", "validation_failed"),
)
def list_for_repo(call: Call, params: CommentListAll) -> list[JsonObject]:
    """List the comments on lines of all pull requests of a repository."""
    context = GithubContext(call)
    repo = context.repo(params.owner, params.repo)
    return _list_comments(context, repo, params, ReviewComment.repo_id == repo.id)


def _list_comments(
    context: GithubContext, repo: Repository, params: CommentSort, *where: Condition
) -> list[JsonObject]:
    query = select_visible_comments(context, *where)
    if params.since is not None:
        query = query.where(col(ReviewComment.updated_at) >= (moment(params.since, RESOURCE, "since") or 0))
    total = context.call.scalar(select(func.count()).select_from(query.subquery()))
    key = col(ReviewComment.updated_at if params.sort == "updated" else ReviewComment.created_at)
    order = (key.desc(), col(ReviewComment.id).desc()) if params.direction == "desc" else (key, col(ReviewComment.id))
    rows = context.call.session.exec(query.order_by(*order).offset(params.start).limit(params.size)).all()
    return ListPage(ReviewContext(context, repo, rows).all(params.mediaType), total)


@app.operation(
    "pulls/get-review-comment",
    units=1,
    source=f"{SOURCE}#get-a-review-comment-for-a-pull-request",
    examples=[COMMENT],
    raises=("not_found",),
)
def get_review_comment(call: Call, params: CommentGet) -> JsonObject:
    """Read one comment on a line."""
    context = GithubContext(call)
    repo = context.repo(params.owner, params.repo)
    return one_comment_json(context, repo, find_comment(context, repo, params.comment_id)[0], params.mediaType)


def one_comment_json(
    context: GithubContext, repo: Repository, row: ReviewComment, media: str | None = None
) -> JsonObject:
    """Render one comment for the API."""
    context.call.flush()
    return ReviewContext(context, repo, [row]).json(row, media)


@app.operation(
    "pulls/create-review-comment",
    writes=True,
    units=1,
    source=f"{SOURCE}#create-a-review-comment-for-a-pull-request",
    examples=[
        {
            **EXAMPLE,
            "body": "Without this line?\n```suggestion\n```",
            "path": "$pulls/list-files:0.filename",
            "position": 1,
            "commit_id": "$pulls/list:0.head.sha",
        }
    ],
    raises=("not_found", "archived", "locked", "validation_failed"),
)
def create_review_comment(call: Call, params: CommentNew) -> JsonObject:
    """Comment on a line of a pull request's diff, on several lines, or on a whole file; it is visible at once."""
    context = GithubContext(call)
    repo, issue, pull = get_writable_pull(context, params)
    check_unlocked(context, repo, issue)
    if params.in_reply_to is not None:
        return one_comment_json(context, repo, add_reply(context, repo, issue, pull, params.in_reply_to, params.body))
    changes = Changes(context, repo, issue, pull)
    head = _commit(changes, params)
    where = find_place(changes, params)
    _check(context, issue, params.body)
    review = new_review(context, repo, issue, pull, commit=head)
    row = begin_thread(context, repo, issue, review, where, params.body, head)
    submit(context, repo, issue, pull, review, "COMMENT", quiet=True)
    return one_comment_json(context, repo, row)


def _commit(changes: Changes, params: CommentNew) -> str:
    if params.commit_id is None:
        raise invalid(RESOURCE, "commit_id", "missing_field")
    found = changes.git.commit_named(params.commit_id)
    if found is None or (found != changes.pull.head_sha and found not in {row.sha1 for row in changes.commits}):
        raise invalid(RESOURCE, "commit_id", "custom", "commit_id is not part of the pull request")
    return found


def find_place(changes: Changes, params: CommentNew) -> CommentPosition:
    """Return the requested position of a comment. Raises validation_failed."""
    if not params.path:
        raise invalid(RESOURCE, "path", "missing_field")
    start_side = params.side if params.start_side == "side" else params.start_side
    try:
        return place(
            changes,
            params.path,
            line=params.line,
            side=params.side,
            start_line=params.start_line,
            start_side=start_side,
            position=params.position,
            whole=params.subject_type == "file",
        )
    except PositionNotInDiff as wrong:
        raise _invalid_position(wrong.field) from None


def _invalid_position(field: str) -> OperationError:
    name = f"pull_request_review_thread.{field}"
    if field == "path":
        return invalid(RESOURCE, name, "invalid", f"{name} is invalid")
    if field == "start_line":
        return invalid(RESOURCE, name, "custom", f"{name} must be part of the same hunk as the line.")
    return invalid(RESOURCE, name, "custom", f"{name} must be part of the diff")


def _check(context: GithubContext, issue: Issue, body: str) -> None:
    """Raise validation_failed for an empty text, or while a review of the caller is pending."""
    check_text(body)
    if find_pending_review(context, issue) is not None:
        message = "user_id can only have one pending review per pull request"
        raise invalid("PullRequestReview", "user_id", "custom", message)


def check_text(body: str) -> None:
    """Raise validation_failed for an empty text."""
    if not body.strip():
        raise invalid(RESOURCE, "body", "missing_field")


def add_reply(
    context: GithubContext, repo: Repository, issue: Issue, pull: Pull, comment_id: int, body: str
) -> ReviewComment:
    """Reply in the conversation of a comment. Raises not_found, validation_failed."""
    before, _ = find_comment(context, repo, comment_id)
    thread = context.call.session.get(ReviewThread, before.thread_id)
    if thread is None or before.issue_id != issue.id:
        raise OperationError("not_found")
    _check(context, issue, body)
    review = new_review(context, repo, issue, pull)
    row = add_comment(context, repo, issue, review, thread, body, before.reply_to_id or before.id)
    submit(context, repo, issue, pull, review, "COMMENT", quiet=True)
    return row


@app.operation(
    "pulls/create-reply-for-review-comment",
    writes=True,
    units=1,
    source=f"{SOURCE}#create-a-reply-for-a-review-comment",
    examples=[{**EXAMPLE, "comment_id": "$pulls/create-review-comment:id", "body": "Done."}],
    after=["pulls/create-review-comment"],
    raises=("not_found", "archived", "locked", "validation_failed"),
)
def create_reply(call: Call, params: Reply) -> JsonObject:
    """Answer a comment on a line."""
    context = GithubContext(call)
    repo, issue, pull = get_writable_pull(context, params)
    check_unlocked(context, repo, issue)
    return one_comment_json(context, repo, add_reply(context, repo, issue, pull, params.comment_id, params.body))


def _get_own(context: GithubContext, params: CommentRef) -> tuple[Repository, ReviewComment]:
    """Return a comment the caller may change: their own, or any with write access.

    Raises not_found, forbidden, archived.
    """
    repo = context.repo(params.owner, params.repo)
    row, _ = find_comment(context, repo, params.comment_id)
    if row.author_id != context.me.id:
        context.need(repo, "push")
    elif repo.archived:
        raise OperationError("archived")
    return repo, row


@app.operation(
    "pulls/update-review-comment",
    writes=True,
    units=1,
    source=f"{SOURCE}#update-a-review-comment-for-a-pull-request",
    examples=[{**REPO, "comment_id": "$pulls/create-review-comment:id", "body": "Shorter, please."}],
    after=["pulls/create-review-comment"],
    raises=("not_found", "forbidden", "archived", "validation_failed"),
)
def update_review_comment(call: Call, params: CommentText) -> JsonObject:
    """Change the text of a comment on a line."""
    context = GithubContext(call)
    repo, row = _get_own(context, params)
    if not params.body.strip():
        raise invalid(RESOURCE, "body", "missing_field")
    row.body, row.updated_at = params.body, call.now
    return one_comment_json(context, repo, row)


@app.operation(
    "pulls/delete-review-comment",
    writes=True,
    units=1,
    source=f"{SOURCE}#delete-a-review-comment-for-a-pull-request",
    examples=[{**REPO, "comment_id": "$pulls/create-review-comment:id"}],
    after=["pulls/create-review-comment"],
    raises=("not_found", "forbidden", "archived"),
)
def delete_review_comment(call: Call, params: CommentRef) -> None:
    """Delete a comment on a line."""
    context = GithubContext(call)
    _, row = _get_own(context, params)
    drop_comment(context, row)
