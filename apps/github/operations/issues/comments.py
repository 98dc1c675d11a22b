"""Comments on issues and pull requests."""

from typing import Annotated, Any, Literal

from pydantic import Field
from sqlmodel import col, func, select

from apps.github.app import app
from apps.github.domain.context import GithubContext
from apps.github.domain.cross_references import cross_reference
from apps.github.domain.issue_rows import find_issue
from apps.github.domain.notify import list_mentioned_accounts, notify_concerned
from apps.github.domain.params import Body, Id, Line, ListPage, MediaType, PageParams, RepoRef
from apps.github.models import Repository
from apps.github.models_issues import Comment, Issue
from apps.github.operations.issues.issue_changes import ISSUE
from apps.github.operations.issues.issues import IssueRef
from apps.github.operations.issues.milestones import moment
from apps.github.refusals import invalid
from apps.github.views.issues import comment_json
from world.core.call import Call
from world.core.errors import OperationError
from world.core.json_types import JsonObject

SOURCE = "docs.github.com/rest/issues/comments"
REPO = {"owner": "quayline", "repo": "payments"}


class CommentList(IssueRef, PageParams, MediaType):
    """Filters of an issue's comments."""

    since: Line | None = Field(default=None, description="Only those changed at or after this time (ISO 8601, UTC).")


class RepoComments(RepoRef, PageParams, MediaType):
    """Filters and order of a repository's comments."""

    sort: Literal["created", "updated"] = Field(default="created", description="created or updated.")
    direction: Literal["asc", "desc"] | None = Field(default=None, description="asc or desc.")
    since: Line | None = Field(default=None, description="Only those changed at or after this time (ISO 8601, UTC).")


class CommentRef(RepoRef, MediaType):
    """One comment."""

    comment_id: Id = Field(description="The comment's id.", examples=[1])


class CommentNew(IssueRef):
    """A comment to add."""

    body: Annotated[Body, Field(description="The text, in Markdown.", examples=["I can reproduce this."])]


class CommentChange(RepoRef):
    """A new text for a comment."""

    comment_id: Id = Field(description="The comment's id.", examples=[1])
    body: Body = Field(description="The text, in Markdown.", examples=["Fixed on main."])


def find_comment(context: GithubContext, repo: Repository, id: int) -> tuple[Comment, Issue]:
    """Return a comment of a repository and its issue. Raises not_found."""
    row = context.call.session.get(Comment, id)
    issue = context.call.session.get(Issue, row.issue_id) if row is not None and row.repo_id == repo.id else None
    if row is None or issue is None:
        raise OperationError("not_found")
    return row, issue


def one_comment_json(
    context: GithubContext, repo: Repository, issue: Issue, row: Comment, media: str | None = None
) -> JsonObject:
    """Render a comment for the API."""
    return comment_json(context, repo, issue.number, "pull" if issue.is_pull else "issues", row, media)


def may_comment(context: GithubContext, repo: Repository, issue: Issue) -> None:
    """Raise archived, or forbidden on a locked conversation for people who cannot push."""
    if repo.archived:
        raise OperationError("archived")
    if issue.locked and not context.may(repo, "push"):
        raise OperationError("locked")


def add_comment(context: GithubContext, repo: Repository, issue: Issue, body: str) -> Comment:
    """Add a comment; participants and mentioned people are notified."""
    row = Comment(
        id=context.next_id("github_comment"),
        repo_id=repo.id,
        issue_id=issue.id,
        author_id=context.me.id,
        body=body,
        created_at=context.call.now,
        updated_at=context.call.now,
    )
    context.add(row)
    issue.updated_at = context.call.now
    cross_reference(context, repo, issue, body)
    context.call.publish(
        "github.commented", repo=context.full_name(repo), number=issue.number, text=body, actor=context.call.person
    )
    notify_concerned(context, repo, issue, "left a comment", body)
    return row


@app.operation(
    "issues/list-comments",
    units=1,
    source=f"{SOURCE}#list-issue-comments",
    examples=[ISSUE],
    raises=("not_found", "moved", "validation_failed"),
)
def list_comments(call: Call, params: CommentList) -> list[JsonObject]:
    """List the comments on an issue or pull request, oldest first.

    Time: since, created_at and updated_at are UTC.
    """
    context = GithubContext(call)
    repo = context.repo(params.owner, params.repo)
    issue = find_issue(context, repo, params.issue_number)
    where = [Comment.issue_id == issue.id]
    if params.since is not None:
        where.append(Comment.updated_at >= (moment(params.since, "IssueComment", "since") or 0))
    total = call.scalar(select(func.count()).select_from(Comment).where(*where))
    rows = list(
        call.session.exec(
            select(Comment).where(*where).order_by(col(Comment.id)).offset(params.start).limit(params.size)
        )
    )
    context.preload([row.author_id for row in rows])
    return ListPage([one_comment_json(context, repo, issue, row, params.mediaType) for row in rows], total)


@app.operation(
    "issues/list-comments-for-repo",
    units=1,
    source=f"{SOURCE}#list-issue-comments-for-a-repository",
    examples=[REPO],
    raises=("not_found", "validation_failed"),
)
def list_for_repo(call: Call, params: RepoComments) -> list[JsonObject]:
    """List all comments on the issues and pull requests of a repository.

    Time: since, created_at and updated_at are UTC.
    """
    context = GithubContext(call)
    repo = context.repo(params.owner, params.repo)
    where = [Comment.repo_id == repo.id]
    if params.since is not None:
        where.append(Comment.updated_at >= (moment(params.since, "IssueComment", "since") or 0))
    total = call.scalar(select(func.count()).select_from(Comment).where(*where))
    key, down = col(Comment.updated_at if params.sort == "updated" else Comment.id), params.direction == "desc"
    order = (key.desc(), col(Comment.id).desc()) if down else (key, col(Comment.id))
    rows = list(
        call.session.exec(select(Comment).where(*where).order_by(*order).offset(params.start).limit(params.size))
    )
    issues = {
        row.id: row for row in call.session.exec(select(Issue).where(col(Issue.id).in_([one.issue_id for one in rows])))
    }
    return ListPage(
        [one_comment_json(context, repo, issues[row.issue_id], row, params.mediaType) for row in rows], total
    )


@app.operation(
    "issues/get-comment",
    units=1,
    source=f"{SOURCE}#get-an-issue-comment",
    examples=[{**REPO, "comment_id": "$issues/create-comment:id"}],
    raises=("not_found",),
)
def get(call: Call, params: CommentRef) -> dict[str, Any]:
    """Read one comment by its id."""
    context = GithubContext(call)
    repo = context.repo(params.owner, params.repo)
    row, issue = find_comment(context, repo, params.comment_id)
    return one_comment_json(context, repo, issue, row, params.mediaType)


@app.operation(
    "issues/create-comment",
    writes=True,
    units=1,
    source=f"{SOURCE}#create-an-issue-comment",
    examples=[{**ISSUE, "body": "I can reproduce this with two retries."}],
    raises=("not_found", "moved", "archived", "locked", "validation_failed"),
)
def create(call: Call, params: CommentNew) -> JsonObject:
    """Comment on an issue or pull request. Participants and mentioned people are notified."""
    context = GithubContext(call)
    repo = context.repo(params.owner, params.repo)
    issue = find_issue(context, repo, params.issue_number)
    may_comment(context, repo, issue)
    if not params.body.strip():
        raise invalid("IssueComment", "data", "unprocessable", "Body cannot be blank")
    return one_comment_json(context, repo, issue, add_comment(context, repo, issue, params.body))


@app.operation(
    "issues/update-comment",
    writes=True,
    units=1,
    source=f"{SOURCE}#update-an-issue-comment",
    examples=[{**REPO, "comment_id": "$issues/create-comment:id", "body": "Fixed on main."}],
    raises=("not_found", "forbidden", "archived", "validation_failed"),
)
def update(call: Call, params: CommentChange) -> JsonObject:
    """Change the text of a comment: your own, or any where you can push."""
    context = GithubContext(call)
    repo = context.repo(params.owner, params.repo)
    row, issue = find_comment(context, repo, params.comment_id)
    _mine(context, repo, row)
    if not params.body.strip():
        raise invalid("IssueComment", "data", "unprocessable", "Body cannot be blank")
    before = list_mentioned_accounts(context, row.body)
    row.body, row.updated_at = params.body, call.now
    fresh = {id: why for id, why in list_mentioned_accounts(context, params.body).items() if id not in before}
    if fresh:
        notify_concerned(context, repo, issue, "mentioned you", None, to=fresh)
    return one_comment_json(context, repo, issue, row)


@app.operation(
    "issues/delete-comment",
    writes=True,
    units=1,
    source=f"{SOURCE}#delete-an-issue-comment",
    examples=[{**REPO, "comment_id": "$issues/create-comment:id"}],
    raises=("not_found", "forbidden", "archived"),
)
def delete(call: Call, params: CommentRef) -> None:
    """Delete a comment: your own, or any where you can push."""
    context = GithubContext(call)
    repo = context.repo(params.owner, params.repo)
    row, issue = find_comment(context, repo, params.comment_id)
    _mine(context, repo, row)
    call.execute("DELETE FROM github_reaction WHERE subject = 'comment' AND subject_id = :id", {"id": row.id})
    call.session.delete(row)
    issue.updated_at = call.now


def _mine(context: GithubContext, repo: Repository, row: Comment) -> None:
    if row.author_id != context.me.id:
        context.need(repo, "push")
    elif repo.archived:
        raise OperationError("archived")
