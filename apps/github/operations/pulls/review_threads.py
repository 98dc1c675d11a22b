"""Conversations on code, resolved or open; and viewed files."""

from pydantic import Field

from apps.github.app import app
from apps.github.domain.context import GithubContext, node
from apps.github.domain.params import Id, Path, RepoRef
from apps.github.domain.pull_git import Changes
from apps.github.domain.pull_rows import EXAMPLE, PullRef, get_pull, need_author_or, reconsider
from apps.github.domain.review_rows import select_visible_comments
from apps.github.models import Repository
from apps.github.models_issues import Issue
from apps.github.models_pulls import Pull, ReviewComment, ReviewThread, ViewedFile
from apps.github.refusals import unprocessable
from world.core.call import Call
from world.core.errors import OperationError
from world.core.json_types import JsonObject

SOURCE = (
    "docs.github.com/pull-requests/collaborating-with-pull-requests/reviewing-changes-in-pull-requests/"
    "commenting-on-a-pull-request"
)
VIEWED = (
    "docs.github.com/pull-requests/collaborating-with-pull-requests/reviewing-changes-in-pull-requests/"
    "reviewing-proposed-changes-in-a-pull-request"
)


class ThreadRef(RepoRef):
    """One conversation."""

    thread_id: Id = Field(description="The id of the conversation.", examples=[1])


class ViewedFileRef(PullRef):
    """A file of a pull request."""

    path: Path = Field(description="The file.")
    viewed: bool = Field(default=True, description="Whether it was looked at.")


def find_thread(context: GithubContext, repo: Repository, id: int) -> tuple[ReviewThread, Issue, Pull]:
    """Return a conversation the caller may see. Raises not_found."""
    thread = context.call.session.get(ReviewThread, id)
    if (
        thread is None
        or thread.repo_id != repo.id
        or context.call.session.exec(select_visible_comments(context, ReviewComment.thread_id == id)).first() is None
    ):
        raise OperationError("not_found")
    issue, pull = context.call.session.get(Issue, thread.issue_id), context.call.session.get(Pull, thread.issue_id)
    assert issue is not None and pull is not None
    return thread, issue, pull


def thread_json(context: GithubContext, repo: Repository, thread: ReviewThread) -> JsonObject:
    """Render a conversation for pages and surfaces."""
    resolved = context.account(thread.resolved_by_id).login if thread.resolved_by_id is not None else None
    return {
        "id": thread.id,
        "node_id": node("PullRequestReviewThread", repo.id, thread.id),
        "path": thread.path,
        "line": thread.line,
        "is_resolved": thread.resolved_by_id is not None,
        "is_outdated": thread.outdated,
        "resolved_by": resolved,
    }


def set_resolved(context: GithubContext, repo: Repository, id: int, resolved: bool) -> ReviewThread:
    """Resolve a conversation or reopen it. Raises not_found, forbidden, archived."""
    thread, issue, pull = find_thread(context, repo, id)
    need_author_or(context, repo, issue, "push")
    if (thread.resolved_by_id is not None) != resolved:
        thread.resolved_by_id = context.me.id if resolved else None
        reconsider(context, pull)
    return thread


THREAD = {"owner": "quayline", "repo": "payments", "thread_id": 1}


@app.operation(
    "web/threads/resolve",
    writes=True,
    units=1,
    source=SOURCE,
    examples=[THREAD],
    raises=("not_found", "forbidden", "archived"),
)
def resolve(call: Call, params: ThreadRef) -> JsonObject:
    """Resolve a conversation on a pull request's code."""
    context = GithubContext(call)
    repo = context.repo(params.owner, params.repo)
    return thread_json(context, repo, set_resolved(context, repo, params.thread_id, True))


@app.operation(
    "web/threads/unresolve",
    writes=True,
    units=1,
    source=SOURCE,
    examples=[THREAD],
    raises=("not_found", "forbidden", "archived"),
)
def unresolve(call: Call, params: ThreadRef) -> JsonObject:
    """Reopen a resolved conversation."""
    context = GithubContext(call)
    repo = context.repo(params.owner, params.repo)
    return thread_json(context, repo, set_resolved(context, repo, params.thread_id, False))


@app.operation(
    "web/pulls/mark-file-viewed",
    writes=True,
    units=1,
    source=VIEWED,
    examples=[{**EXAMPLE, "path": "$pulls/list-files:0.filename"}],
    raises=("not_found", "unprocessable"),
)
def mark_file_viewed(call: Call, params: ViewedFileRef) -> None:
    """Mark a file of a pull request as viewed by you; a change of the file removes the mark."""
    context = GithubContext(call)
    repo, issue, pull = get_pull(context, params)
    change = Changes(context, repo, issue, pull).change(params.path)
    if change is None:
        raise unprocessable("Path is not part of the pull request")
    entry = change.new or change.old
    row = call.session.get(ViewedFile, (issue.id, context.me.id, params.path))
    if not params.viewed:
        if row is not None:
            call.session.delete(row)
        return
    row = row or ViewedFile(issue_id=issue.id, account_id=context.me.id, path=params.path, blob="")
    row.blob = entry.sha if entry is not None else ""
    context.add(row)


def list_viewed_files(context: GithubContext, issue: Issue, changes: Changes) -> set[str]:
    """List the files the caller viewed that have not changed since."""
    sql = "SELECT path, blob FROM github_viewed_file WHERE issue_id = :issue AND account_id = :me"
    rows = {path: blob for path, blob in context.call.all(sql, {"issue": issue.id, "me": context.me.id})}
    now = {one.path: one.new or one.old for one in changes.changes}
    return {path for path, blob in rows.items() if (entry := now.get(path)) is not None and entry.sha == blob}
