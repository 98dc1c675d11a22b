"""Transfer of an issue to another repository of the same owner.

Source: docs.github.com/issues/tracking-your-work-with-issues/administering-issues/transferring-an-issue-to-another-repository.
"""

from typing import TypedDict

from pydantic import Field
from sqlmodel import col, select

from apps.github.app import app
from apps.github.domain.context import GithubContext
from apps.github.domain.issue_rows import can_be_assigned, find_issue, labels_of
from apps.github.domain.notify import notify_concerned
from apps.github.domain.params import Name, RepoRef
from apps.github.domain.timeline_events import record
from apps.github.models import Repository
from apps.github.models_issues import Assignee, Issue, IssueLabel, Label, Milestone, PinnedIssue, TransferredIssue
from apps.github.operations.issues.issues import IssueRef
from apps.github.operations.issues.pinned_issues import ISSUE
from apps.github.refusals import unprocessable
from apps.github.spellings import has_name
from world.core.call import Call
from world.core.errors import OperationError

SOURCE = (
    "docs.github.com/issues/tracking-your-work-with-issues/administering-issues/"
    "transferring-an-issue-to-another-repository"
)
REPO = {"owner": "quayline", "repo": "payments"}
FOLLOWING = ("github_comment", "github_event")  # rows of an issue that also name its repository
_FOLLOW = "UPDATE {table} SET repo_id = :repo WHERE issue_id = :issue"
_FOLLOW_IN_INBOXES = "UPDATE github_notification SET repo_id = :repo WHERE subject = 'Issue' AND subject_id = :issue"


class TransferTarget(TypedDict):
    """A repository that an issue can be transferred to."""

    name: str


class MovedIssue(TypedDict):
    """Where a transferred issue is now."""

    repo: str
    number: int


class IssueTransfer(IssueRef):
    """An issue to transfer."""

    target: Name = Field(description="The name of another repository of the same owner.", examples=["ledger"])


@app.operation("web/issues/list-transfer-targets", units=1, source=SOURCE, examples=[REPO], raises=("not_found",))
def list_transfer_targets(call: Call, params: RepoRef) -> list[TransferTarget]:
    """List the repositories that issues of a repository can be transferred to, by name."""
    context = GithubContext(call)
    home = context.repo(params.owner, params.repo)
    owned = call.session.exec(select(Repository).where(Repository.owner_id == home.owner_id)).all()
    fitting = [
        one for one in owned if context.may(one, "push") and not one.archived and find_obstacle(home, one) is None
    ]
    return [{"name": one.name} for one in sorted(fitting, key=lambda one: one.name_key)]


@app.operation(
    "web/issues/transfer",
    writes=True,
    units=1,
    source=SOURCE,
    examples=[{**ISSUE, "target": "$web/issues/list-transfer-targets:0.name"}],
    raises=("not_found", "moved", "forbidden", "archived", "issues_disabled", "unprocessable"),
)
def transfer(call: Call, params: IssueTransfer) -> MovedIssue:
    """Move an issue to another repository of the same owner; its old address leads to the new one."""
    context = GithubContext(call)
    home = context.repo(params.owner, params.repo)
    issue, target = find_issue(context, home, params.issue_number), context.repo(params.owner, params.target)
    if issue.is_pull:
        raise OperationError("not_found")
    transfer_issue(context, home, issue, target, create_labels=False)
    return {"repo": target.name, "number": issue.number}


def transfer_issue(
    context: GithubContext, home: Repository, issue: Issue, target: Repository, *, create_labels: bool
) -> None:
    """Move an issue with its comments and events; its old number leads to the new one. Raises unprocessable."""
    for repo in (home, target):
        context.need(repo, "push")
    if (refused := find_obstacle(home, target)) is not None:
        raise refused
    labels, number = labels_of(context, issue), issue.number
    issue.repo_id, issue.number = target.id, context.next_number(target)
    issue.milestone_id = _find_same_milestone(context, issue, target)
    context.add(TransferredIssue(repo_id=home.id, number=number, issue_id=issue.id))
    context.call.flush()
    _move_rows(context, issue, target)
    _match_labels(context, issue, target, labels, create_labels)
    _drop_assignees(context, issue, target)
    record(context, target, issue, "transferred", from_repository=home.id)
    notify_concerned(context, target, issue, "transferred this issue here", issue.body)


def find_obstacle(home: Repository, target: Repository) -> OperationError | None:
    """Return why issues of a repository cannot be transferred to another; None if nothing stands against it."""
    if target.id == home.id:
        return unprocessable("Issue is already in the target repository")
    if target.owner_id != home.owner_id:
        return unprocessable("Issues can only be transferred to repositories of the same owner")
    if home.visibility != "public" and target.visibility == "public":
        return unprocessable("Issues of a private repository cannot be transferred to a public one")
    return None if target.has_issues else OperationError("issues_disabled")


def _find_same_milestone(context: GithubContext, issue: Issue, target: Repository) -> int | None:
    """Return the target's milestone of the same title and due date."""
    before = issue.milestone_id and context.call.session.get(Milestone, issue.milestone_id)
    if not before:
        return None
    same = select(Milestone.id).where(Milestone.repo_id == target.id, Milestone.title == before.title)
    return context.call.session.exec(same.where(col(Milestone.due_on).is_not_distinct_from(before.due_on))).first()


def _move_rows(context: GithubContext, issue: Issue, target: Repository) -> None:
    at = {"repo": target.id, "issue": issue.id}
    for table in FOLLOWING:
        context.call.execute(_FOLLOW.format(table=table), at)
    context.call.execute(_FOLLOW_IN_INBOXES, at)
    pinned = context.call.session.get(PinnedIssue, issue.id)
    if pinned is not None:
        context.call.session.delete(pinned)


def _match_labels(
    context: GithubContext, issue: Issue, target: Repository, labels: list[Label], create_missing: bool
) -> None:
    """Replace labels by the target's of the same name; others are created if asked for, or dropped."""
    context.call.execute("DELETE FROM github_issue_label WHERE issue_id = :issue", {"issue": issue.id})
    context.call.session.expire_all()
    for label in labels:
        same = select(Label.id).where(Label.repo_id == target.id, has_name(context.call, label.name))
        id = context.call.session.exec(same).first()
        if id is None and create_missing:
            id = context.next_id("github_label")
            context.add(
                Label(id=id, repo_id=target.id, name=label.name, color=label.color, description=label.description)
            )
        if id is not None:
            context.add(IssueLabel(issue_id=issue.id, label_id=id))
    context.call.flush()


def _drop_assignees(context: GithubContext, issue: Issue, target: Repository) -> None:
    """Take the issue from assignees who cannot see the target."""
    for row in context.call.session.exec(select(Assignee).where(Assignee.issue_id == issue.id)).all():
        if not can_be_assigned(context, target, row.account_id):
            context.call.session.delete(row)
