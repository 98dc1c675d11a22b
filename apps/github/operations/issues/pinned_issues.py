"""Issues pinned above the list of their repository.

Source: docs.github.com/issues/tracking-your-work-with-issues/administering-issues/pinning-an-issue-to-your-repository.
"""

from sqlmodel import col, select

from apps.github.app import app
from apps.github.domain.context import GithubContext, node
from apps.github.domain.issue_rows import find_issue
from apps.github.domain.params import RepoRef
from apps.github.domain.timeline_events import record
from apps.github.models import Repository
from apps.github.models_issues import Issue, PinnedIssue
from apps.github.operations.issues.issues import IssueRef
from apps.github.refusals import unprocessable
from apps.github.views.issues import issues_json
from world.core.call import Call
from world.core.errors import OperationError
from world.core.json_types import JsonObject

MOST_PINNED = 3
SOURCE = (
    "docs.github.com/issues/tracking-your-work-with-issues/administering-issues/pinning-an-issue-to-your-repository"
)
ISSUE = {"owner": "quayline", "repo": "payments", "issue_number": "$web/issues:issues.0.number"}


@app.operation(
    "web/issues/list-pinned",
    units=1,
    source=SOURCE,
    examples=[{"owner": "quayline", "repo": "payments"}],
    raises=("not_found",),
)
def list_pinned(call: Call, params: RepoRef) -> list[JsonObject]:
    """List the issues that stand above a repository's list, the first pinned first."""
    context = GithubContext(call)
    repo = context.repo(params.owner, params.repo)
    query = select(Issue).join(PinnedIssue, col(PinnedIssue.issue_id) == col(Issue.id))
    found = query.where(PinnedIssue.repo_id == repo.id).order_by(col(PinnedIssue.position))
    return issues_json(context, repo, list(call.session.exec(found)), None)


@app.operation(
    "web/issues/pin",
    writes=True,
    units=1,
    source=SOURCE,
    examples=[ISSUE],
    raises=("not_found", "moved", "forbidden", "archived", "unprocessable"),
)
def pin(call: Call, params: IssueRef) -> None:
    """Pin an issue above its repository's list, for everybody; at most three are pinned."""
    context = GithubContext(call)
    repo = context.repo(params.owner, params.repo)
    pin_issue(context, repo, _find(context, repo, params))


@app.operation(
    "web/issues/unpin",
    writes=True,
    units=1,
    source=SOURCE,
    examples=[ISSUE],
    after=["web/issues/pin"],
    raises=("not_found", "moved", "forbidden", "archived", "unprocessable"),
)
def unpin(call: Call, params: IssueRef) -> None:
    """Take an issue from above its repository's list."""
    context = GithubContext(call)
    repo = context.repo(params.owner, params.repo)
    unpin_issue(context, repo, _find(context, repo, params))


def _find(context: GithubContext, repo: Repository, params: IssueRef) -> Issue:
    issue = find_issue(context, repo, params.issue_number)
    if issue.is_pull:
        raise OperationError("not_found")
    return issue


def pin_issue(context: GithubContext, repo: Repository, issue: Issue) -> None:
    """Pin an issue below those that are. Raises forbidden, archived, unprocessable."""
    context.need(repo, "push")
    pinned = context.call.session.exec(select(PinnedIssue).where(PinnedIssue.repo_id == repo.id)).all()
    if any(one.issue_id == issue.id for one in pinned):
        raise unprocessable("Issue is already pinned")
    if len(pinned) >= MOST_PINNED:
        raise unprocessable(f"Maximum {MOST_PINNED} pinned issues per repository")
    position = max((one.position for one in pinned), default=-1) + 1
    who, at = context.me.id, context.call.now
    context.add(PinnedIssue(issue_id=issue.id, repo_id=repo.id, position=position, pinned_by_id=who, created_at=at))
    record(context, repo, issue, "pinned")


def unpin_issue(context: GithubContext, repo: Repository, issue: Issue) -> str:
    """Take an issue down and return the node id that its pin had. Raises forbidden, archived, unprocessable."""
    context.need(repo, "push")
    row = context.call.session.get(PinnedIssue, issue.id)
    if row is None:
        raise unprocessable("Issue is not pinned")
    context.call.session.delete(row)
    record(context, repo, issue, "unpinned")
    return node("PinnedIssue", repo.id, issue.id)
