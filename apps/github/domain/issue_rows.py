"""Issue rows: lookup by number, creation, labels, assignees, milestone and type."""

from sqlmodel import col, select

from apps.github.domain.context import GithubContext
from apps.github.domain.timeline_events import record
from apps.github.models import Repository
from apps.github.models_issues import Assignee, Issue, IssueLabel, IssueType, Label, Milestone, TransferredIssue
from apps.github.models_pulls import Pull
from apps.github.refusals import invalid
from apps.github.spellings import has_name, is_called
from world.core.errors import OperationError

MAX_ASSIGNEES = 10


def find_issue(context: GithubContext, repo: Repository, number: int) -> Issue:
    """Return an issue or pull request by number. Raises moved for an issue that was transferred, not_found."""
    found = find_by_number(context, repo, number)
    if found is not None:
        return found
    now = find_transferred(context, repo, number)
    if now is None:
        raise OperationError("not_found")
    home, issue = now
    url = f"{context.api}/repositories/{home.id}/issues/{issue.number}"
    raise OperationError("moved", url=url, page=f"/{context.full_name(home)}/issues/{issue.number}")


def find_by_number(context: GithubContext, repo: Repository, number: int) -> Issue | None:
    """Find the issue or pull request that has a number now."""
    return context.call.session.exec(select(Issue).where(Issue.repo_id == repo.id, Issue.number == number)).first()


def find_transferred(context: GithubContext, repo: Repository, number: int) -> tuple[Repository, Issue] | None:
    """Find where the issue that once had this number is now, if the caller may see it there."""
    row = context.call.session.get(TransferredIssue, (repo.id, number))
    issue = row and context.call.session.get(Issue, row.issue_id)
    home = issue and context.repo_by_id(issue.repo_id)
    return (home, issue) if home and issue and context.sees(home) else None


def find_milestone(context: GithubContext, repo: Repository, wanted: str | int) -> Milestone:
    """Return a milestone by number. Raises validation_failed."""
    text = str(wanted)
    number = int(text) if text.isdecimal() and len(text) < 10 else 0
    found = context.call.session.exec(
        select(Milestone).where(Milestone.repo_id == repo.id, Milestone.number == number)
    ).first()
    if found is None:
        raise invalid("Issue", "milestone", "invalid", value=wanted)
    return found


def new_issue(context: GithubContext, repo: Repository, title: str, body: str | None, *, pull: bool = False) -> Issue:
    """Add the row of an issue or of a pull request's conversation, and publish the event."""
    issue = Issue(
        id=context.next_id("github_issue"),
        repo_id=repo.id,
        number=context.next_number(repo),
        is_pull=pull,
        title=title,
        body=body,
        author_id=context.me.id,
        created_at=context.call.now,
        updated_at=context.call.now,
    )
    context.add(issue)
    context.add(repo)
    context.call.flush()
    return issue


def name_of(label: object) -> str:
    """Return the name of a label given as text or as {name}. Raises validation_failed."""
    name = label.get("name") if isinstance(label, dict) else label
    if not isinstance(name, str) or not name.strip():
        raise invalid("Label", "name", "missing_field")
    return name.strip()


def set_milestone(context: GithubContext, repo: Repository, issue: Issue, wanted: str | int | None) -> None:
    """Put an issue into a milestone, or take it out (None). Raises validation_failed."""
    found = None if wanted is None else find_milestone(context, repo, wanted)
    if issue.milestone_id == (found.id if found else None):
        return
    if issue.milestone_id is not None:
        before = context.call.session.get(Milestone, issue.milestone_id)
        assert before is not None
        record(context, repo, issue, "demilestoned", milestone=before.title)
    if found is not None:
        record(context, repo, issue, "milestoned", milestone=found.title)
    issue.milestone_id = found.id if found else None


def set_type(context: GithubContext, repo: Repository, issue: Issue, name: str | None) -> None:
    """Give an issue a type of its organisation. Raises validation_failed."""
    found = None
    if name is not None:
        called = is_called(context.call, col(IssueType.name), name)
        found = context.call.session.exec(select(IssueType).where(IssueType.org_id == repo.owner_id, called)).first()
        if found is None:
            raise invalid("Issue", "type", "invalid", value=name)
    issue.type_id, issue.updated_at = (found.id if found else None), context.call.now


def labels_of(context: GithubContext, issue: Issue) -> list[Label]:
    """Return the labels of an issue, in order."""
    query = (
        select(Label).join(IssueLabel, col(IssueLabel.label_id) == col(Label.id)).where(IssueLabel.issue_id == issue.id)
    )
    return list(context.call.session.exec(query.order_by(col(Label.id))))


def add_labels(context: GithubContext, repo: Repository, issue: Issue, names: list[str]) -> None:
    """Put labels on an issue; missing ones are created, as the vendor does."""
    here = {label.name.lower() for label in labels_of(context, issue)}
    for name in names:
        if name.lower() in here:
            continue
        here.add(name.lower())
        called = has_name(context.call, name)
        label = context.call.session.exec(select(Label).where(Label.repo_id == repo.id, called)).first()
        if label is None:
            label = Label(id=context.next_id("github_label"), repo_id=repo.id, name=name)
            context.add(label)
        context.add(IssueLabel(issue_id=issue.id, label_id=label.id))
        record(context, repo, issue, "labeled", label={"name": label.name, "color": label.color})
        context.call.flush()


def assign(context: GithubContext, repo: Repository, issue: Issue, logins: list[str]) -> None:
    """Assign people who can see the repository; others are ignored, as the vendor does. Raises validation_failed."""
    here = set(context.call.session.exec(select(Assignee.account_id).where(Assignee.issue_id == issue.id)))
    for login in dict.fromkeys(logins):
        account = context.find_login(login)
        if account is None or not can_be_assigned(context, repo, account.id):
            raise invalid("Issue", "assignees", "invalid", value=login)
        if account.id not in here and len(here) < MAX_ASSIGNEES:
            here.add(account.id)
            context.add(Assignee(issue_id=issue.id, account_id=account.id))
            record(context, repo, issue, "assigned", assignee=account.id)
    context.call.flush()


def can_be_assigned(context: GithubContext, repo: Repository, account_id: int) -> bool:
    """Whether an account can be an assignee: a user with more than read permission."""
    account = context.account(account_id)
    return account.kind != "Organization" and context.level(repo, account) not in ("none",)


def pull_of(context: GithubContext, issue: Issue) -> Pull:
    """Return the pull request of an issue row. Raises not_found."""
    found = context.call.session.get(Pull, issue.id) if issue.is_pull else None
    if found is None:
        raise OperationError("not_found")
    return found
