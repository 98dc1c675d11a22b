"""Comments on commits, and the pull requests of a commit."""

from pydantic import Field
from sqlmodel import col, select

from apps.github.app import app
from apps.github.columns import Condition
from apps.github.domain.context import GithubContext
from apps.github.domain.params import Body, Id, Int64, ListPage, MediaType, PageParams, Path, Ref, RepoRef, page_of
from apps.github.domain.revisions import get_started_git
from apps.github.git import Repo
from apps.github.git.history import is_ancestor
from apps.github.models import Repository
from apps.github.models_issues import CommitComment, Issue
from apps.github.models_pulls import Pull
from apps.github.refusals import invalid, unprocessable
from apps.github.views.commit_comments import comments_json
from apps.github.views.pulls import PullContext, simple_json
from world.core.call import Call
from world.core.errors import OperationError
from world.core.json_types import JsonObject

SOURCE = "docs.github.com/rest/commits/comments"
HERE = {"owner": "quayline", "repo": "payments"}
A_COMMIT = "$repos/get-branch:commit.sha"
A_COMMENT = {**HERE, "comment_id": "$repos/create-commit-comment:id"}


class CommentList(RepoRef, PageParams, MediaType):
    """All comments on commits."""


class CommitCommentList(RepoRef, PageParams, MediaType):
    """Page of a list that belongs to a commit."""

    commit_sha: Ref = Field(description="The SHA of the commit.")


class CommentNew(RepoRef):
    """A comment to create."""

    commit_sha: Ref = Field(description="The SHA of the commit.")
    body: Body = Field(description="The text, in Markdown.", examples=["Nice"])
    path: Path | None = Field(default=None, description="The file it is about.")
    position: Int64 | None = Field(default=None, description="The line of the diff it is about.")
    line: Int64 | None = Field(default=None, description="The line of the file; give position instead.")


class CommentRef(RepoRef):
    """One comment on a commit."""

    comment_id: Id = Field(description="The id of the comment.")


class CommentGet(CommentRef, MediaType):
    """A comment on a commit to read."""


class CommentUpdate(CommentRef):
    """A comment on a commit to change."""

    body: Body = Field(description="The new text, in Markdown.", examples=["Nicer"])


def _list_comments(
    context: GithubContext, repo: Repository, params: CommentList | CommitCommentList, *where: Condition
) -> list[JsonObject]:
    query = select(CommitComment).where(CommitComment.repo_id == repo.id, *where).order_by(col(CommitComment.id))
    page = page_of(list(context.call.session.exec(query)), params)
    return ListPage(comments_json(context, repo, page, params.mediaType), page.total)


@app.operation(
    "repos/list-commit-comments-for-repo",
    units=1,
    source=f"{SOURCE}#list-commit-comments-for-a-repository",
    examples=[HERE],
    raises=("not_found",),
)
def list_commit_comments_for_repo(call: Call, params: CommentList) -> list[JsonObject]:
    """List all comments on commits of a repository."""
    context = GithubContext(call)
    return _list_comments(context, context.repo(params.owner, params.repo), params)


def get_commit_sha(context: GithubContext, repo: Repository, name: str) -> str:
    """Return the commit of a revision. Raises unprocessable, empty_repository."""
    sha = get_started_git(context, repo).resolve(name)
    if sha is None:
        raise unprocessable(f"No commit found for SHA: {name}")
    return sha


@app.operation(
    "repos/list-comments-for-commit",
    units=1,
    source=f"{SOURCE}#list-commit-comments",
    examples=[{**HERE, "commit_sha": A_COMMIT}],
    raises=("not_found", "empty_repository", "unprocessable"),
)
def list_comments_for_commit(call: Call, params: CommitCommentList) -> list[JsonObject]:
    """List the comments on a commit."""
    context = GithubContext(call)
    repo = context.repo(params.owner, params.repo)
    return _list_comments(context, repo, params, CommitComment.sha == get_commit_sha(context, repo, params.commit_sha))


@app.operation(
    "repos/create-commit-comment",
    writes=True,
    units=1,
    source=f"{SOURCE}#create-a-commit-comment",
    examples=[{**HERE, "commit_sha": A_COMMIT, "body": "Nice"}],
    raises=("not_found", "archived", "empty_repository", "unprocessable", "validation_failed"),
)
def create_commit_comment(call: Call, params: CommentNew) -> JsonObject:
    """Comment on a commit, or on a line of one of its files."""
    context = GithubContext(call)
    repo = context.repo(params.owner, params.repo)
    if repo.archived:
        raise OperationError("archived")
    sha = get_commit_sha(context, repo, params.commit_sha)
    if not params.body.strip():
        raise invalid("CommitComment", "body", "missing_field")
    row = CommitComment(
        id=context.next_id("github_commit_comment"),
        repo_id=repo.id,
        sha=sha,
        path=params.path,
        position=params.position,
        line=params.line,
        author_id=context.me.id,
        body=params.body,
        created_at=call.now,
        updated_at=call.now,
    )
    context.add(row)
    return comments_json(context, repo, [row])[0]


def _find(context: GithubContext, repo: Repository, id: int) -> CommitComment:
    row = context.call.session.get(CommitComment, id)
    if row is None or row.repo_id != repo.id:
        raise OperationError("not_found")
    return row


def _mine(context: GithubContext, params: CommentRef) -> tuple[Repository, CommitComment]:
    """Return a comment that the caller may change, as its author or a writer."""
    repo = context.repo(params.owner, params.repo)
    row = _find(context, repo, params.comment_id)
    if row.author_id != context.me.id and not context.may(repo, "push"):
        raise OperationError("forbidden")
    if repo.archived:
        raise OperationError("archived")
    return repo, row


@app.operation(
    "repos/get-commit-comment",
    units=1,
    source=f"{SOURCE}#get-a-commit-comment",
    examples=[A_COMMENT],
    raises=("not_found",),
)
def get_commit_comment(call: Call, params: CommentGet) -> JsonObject:
    """Read a comment on a commit."""
    context = GithubContext(call)
    repo = context.repo(params.owner, params.repo)
    return comments_json(context, repo, [_find(context, repo, params.comment_id)], params.mediaType)[0]


@app.operation(
    "repos/update-commit-comment",
    writes=True,
    units=1,
    source=f"{SOURCE}#update-a-commit-comment",
    examples=[{**A_COMMENT, "body": "Nicer"}],
    raises=("not_found", "forbidden", "archived"),
)
def update_commit_comment(call: Call, params: CommentUpdate) -> JsonObject:
    """Change the text of a comment on a commit."""
    context = GithubContext(call)
    repo, row = _mine(context, params)
    row.body, row.updated_at = params.body, call.now
    context.add(row)
    return comments_json(context, repo, [row])[0]


@app.operation(
    "repos/delete-commit-comment",
    writes=True,
    units=1,
    source=f"{SOURCE}#delete-a-commit-comment",
    examples=[A_COMMENT],
    raises=("not_found", "forbidden", "archived"),
)
def delete_commit_comment(call: Call, params: CommentRef) -> None:
    """Delete a comment on a commit."""
    _, row = _mine(GithubContext(call), params)
    call.execute("DELETE FROM github_reaction WHERE subject = 'commit_comment' AND subject_id = :id", {"id": row.id})
    call.session.delete(row)


@app.operation(
    "repos/list-pull-requests-associated-with-commit",
    units=1,
    examples=[{**HERE, "commit_sha": A_COMMIT}],
    source="docs.github.com/rest/commits/commits#list-pull-requests-associated-with-a-commit",
    raises=("not_found", "empty_repository", "unprocessable"),
)
def list_pull_requests_associated_with_commit(call: Call, params: CommitCommentList) -> list[JsonObject]:
    """List the pull requests that brought a commit; for one outside the default branch, open ones that contain it."""
    context = GithubContext(call)
    repo = context.repo(params.owner, params.repo)
    sha, git = get_commit_sha(context, repo, params.commit_sha), context.git(repo)
    query = (
        select(Issue, Pull)
        .join(Pull, col(Pull.issue_id) == col(Issue.id))
        .where(Pull.repo_id == repo.id)
        .order_by(col(Issue.id))
    )
    page = page_of([issue for issue, pull in call.session.exec(query) if _brings(git, issue, pull, sha)], params)
    near = PullContext(context, repo, page)
    return ListPage([simple_json(near, issue, params.mediaType) for issue in page], page.total)


def _brings(git: Repo, issue: Issue, pull: Pull, sha: str) -> bool:
    """Whether a commit is the merge of a pull request, or among its commits."""
    if sha in (pull.merge_sha, pull.head_sha):
        return True
    if (issue.state != "open" and pull.merged_at is None) or git.graph.find(pull.head_sha) is None:
        return False
    return is_ancestor(git, sha, pull.head_sha) and not (
        git.graph.find(pull.base_sha) and is_ancestor(git, sha, pull.base_sha)
    )
