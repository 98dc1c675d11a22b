"""Transfer of an issue to another repository of the same owner.

Source: docs.github.com/issues/tracking-your-work-with-issues/using-issues/transferring-an-issue-to-another-repository.
"""

from sqlmodel import col, select

from apps.github.domain.context import GithubContext
from apps.github.domain.issue_rows import can_be_assigned, find_issue, has_name, labels_of
from apps.github.domain.notify import notify_concerned
from apps.github.domain.timeline_events import record
from apps.github.models import Repository
from apps.github.models_issues import Assignee, Issue, IssueLabel, Label, Milestone, PinnedIssue, TransferredIssue
from apps.github.refusals import unprocessable
from world.core.errors import OperationError

FOLLOWING = ("github_comment", "github_event")  # rows of an issue that also name its repository
_FOLLOW = "UPDATE {table} SET repo_id = :repo WHERE issue_id = :issue"
_FOLLOW_IN_INBOXES = "UPDATE github_notification SET repo_id = :repo WHERE subject = 'Issue' AND subject_id = :issue"


def transfer_issue(
    context: GithubContext, home: Repository, issue: Issue, target: Repository, *, create_labels: bool
) -> None:
    """Move an issue with its comments and events; its old number leads to the new one. Raises unprocessable."""
    for repo in (home, target):
        context.need(repo, "push")
    _check_target(home, target)
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


def _check_target(home: Repository, target: Repository) -> None:
    if target.id == home.id:
        raise unprocessable("Issue is already in the target repository")
    if target.owner_id != home.owner_id:
        raise unprocessable("Issues can only be transferred to repositories of the same owner")
    if home.visibility != "public" and target.visibility == "public":
        raise unprocessable("Issues of a private repository cannot be transferred to a public one")
    if not target.has_issues:
        raise OperationError("issues_disabled")


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
        same = select(Label.id).where(Label.repo_id == target.id, has_name(label.name))
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


def find_issue_here(context: GithubContext, repo: Repository, number: int) -> Issue:
    """Return an issue or pull request by number. Raises moved for one that was transferred, not_found."""
    if (now := find_transferred(context, repo, number)) is not None:
        home, issue = now
        url = f"{context.api}/repositories/{home.id}/issues/{issue.number}"
        raise OperationError("moved", url=url, page=f"/{context.full_name(home)}/issues/{issue.number}")
    return find_issue(context, repo, number)


def find_transferred(context: GithubContext, repo: Repository, number: int) -> tuple[Repository, Issue] | None:
    """Find where the issue that once had this number is now, if the caller may see it there."""
    row = context.call.session.get(TransferredIssue, (repo.id, number))
    issue = row and context.call.session.get(Issue, row.issue_id)
    home = issue and context.repo_by_id(issue.repo_id)
    return (home, issue) if home and issue and context.sees(home) else None
