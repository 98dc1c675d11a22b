"""Changes of issues: title, text, state, labels, people, milestone, type; and locking."""

from typing import Annotated, Literal

from pydantic import Field
from sqlmodel import select

from apps.github.app import app
from apps.github.domain.context import GithubContext
from apps.github.domain.cross_references import cross_reference
from apps.github.domain.issue_rows import (
    add_labels,
    assign,
    find_issue,
    labels_of,
    name_of,
    pull_of,
    set_milestone,
    set_type,
)
from apps.github.domain.notify import list_mentioned_accounts, notify_concerned
from apps.github.domain.params import Body, Id, Line
from apps.github.domain.pull_lifecycle import set_state as set_pull_state
from apps.github.domain.timeline_events import record
from apps.github.models import Repository
from apps.github.models_issues import Assignee, Issue, IssueLabel
from apps.github.operations.issues.issues import SOURCE, IssueRef
from apps.github.refusals import invalid, unprocessable
from apps.github.views.issues import one_json
from world.core.call import Call
from world.core.errors import OperationError
from world.core.json_types import JsonObject
from world.core.params import Int64, Text

ISSUE = {"owner": "quayline", "repo": "payments", "issue_number": 1}
Reason = Literal["completed", "not_planned", "duplicate", "reopened"]


class IssueChange(IssueRef):
    """Request fields for updating an issue; fields left out stay."""

    title: Annotated[Text, Field(max_length=256)] | Int64 | None = Field(default=None, description="The new title.")
    body: Body | None = Field(default=None, description="The new text, in Markdown.")
    assignee: Line | None = Field(default=None, description="One login to assign instead of all.")
    state: Literal["open", "closed"] | None = Field(default=None, description="open or closed.")
    state_reason: Reason | None = Field(
        default=None, description="Why the state changes: completed, not_planned, duplicate or reopened."
    )
    duplicate_issue_id: Id | None = Field(default=None, description="Id of the issue this one duplicates.")
    milestone: Line | Int64 | None = Field(default=None, description="The number of a milestone; null takes it out.")
    labels: list[Line | JsonObject] | None = Field(default=None, description="The labels it shall have.")
    assignees: list[Line] | None = Field(default=None, description="The logins that shall be assigned.")
    type: Line | None = Field(default=None, description="The name of an issue type; null takes it away.")


class Lock(IssueRef):
    """A conversation to lock."""

    lock_reason: Literal["off-topic", "too heated", "resolved", "spam"] | None = Field(
        default=None, description="Why it is locked."
    )


@app.operation(
    "issues/update",
    writes=True,
    units=1,
    source=f"{SOURCE}#update-an-issue",
    examples=[{**ISSUE, "title": "A better title"}],
    raises=("not_found", "moved", "forbidden", "archived", "validation_failed"),
)
def update(call: Call, params: IssueChange) -> JsonObject:
    """Change an issue: text, state, labels, assignees, milestone. Its author may; labels and people need triage access."""
    context = GithubContext(call)
    repo = context.repo(params.owner, params.repo)
    issue = find_issue(context, repo, params.issue_number)
    change(context, repo, issue, params)
    return one_json(context, repo, issue)


def change(context: GithubContext, repo: Repository, issue: Issue, params: IssueChange) -> None:
    """Apply the fields that were given. Raises forbidden, archived, validation_failed."""
    given = params.model_fields_set
    if issue.author_id != context.me.id:
        context.need(repo, "triage")
    elif repo.archived:
        raise OperationError("archived")
    if params.title is not None:
        retitle(context, repo, issue, str(params.title))
    if "body" in given and params.body != issue.body:
        rewrite(context, repo, issue, params.body)
    if context.may(repo, "triage"):
        _arrange(context, repo, issue, params)
    if params.state is not None and issue.is_pull:
        set_pull_state(context, repo, issue, pull_of(context, issue), params.state)
    elif params.state is not None:
        set_state(context, repo, issue, params.state, params.state_reason, duplicate_of=params.duplicate_issue_id)


def _arrange(context: GithubContext, repo: Repository, issue: Issue, params: IssueChange) -> None:
    given = params.model_fields_set
    if "milestone" in given:
        set_milestone(context, repo, issue, params.milestone)
    if params.labels is not None:
        replace_labels(context, repo, issue, [name_of(one) for one in params.labels])
    if params.assignees is not None or "assignee" in given:
        wanted = params.assignees if params.assignees is not None else [params.assignee] if params.assignee else []
        replace_assignees(context, repo, issue, wanted)
    if "type" in given:
        set_type(context, repo, issue, params.type)


def retitle(context: GithubContext, repo: Repository, issue: Issue, title: str) -> None:
    """Change an issue's title. Raises validation_failed for an empty one."""
    if not title.strip():
        raise invalid("Issue", "title", "missing_field")
    if title.strip() != issue.title:
        record(context, repo, issue, "renamed", rename={"from": issue.title, "to": title.strip()})
        issue.title = title.strip()


def rewrite(context: GithubContext, repo: Repository, issue: Issue, body: str | None) -> None:
    """Change an issue's text; newly mentioned people are notified."""
    before = list_mentioned_accounts(context, issue.body)
    issue.body, issue.updated_at = body, context.call.now
    fresh = {id: why for id, why in list_mentioned_accounts(context, body).items() if id not in before}
    cross_reference(context, repo, issue, body)
    if fresh:
        notify_concerned(context, repo, issue, "mentioned you", None, to=fresh)


def set_state(
    context: GithubContext,
    repo: Repository,
    issue: Issue,
    state: str,
    reason: str | None,
    *,
    duplicate_of: int | None = None,
) -> None:
    """Open or close an issue; its subscribers are notified."""
    reason = reason or ("completed" if state == "closed" else "reopened" if issue.state == "closed" else None)
    if issue.state == state and issue.state_reason == (reason or issue.state_reason):
        return
    was = issue.state
    issue.state, issue.updated_at = state, context.call.now
    issue.state_reason = None if issue.is_pull else reason
    issue.duplicate_of = duplicate_of if reason == "duplicate" else None
    issue.closed_at, issue.closed_by_id = (context.call.now, context.me.id) if state == "closed" else (None, None)
    if was != state:
        record(context, repo, issue, "closed" if state == "closed" else "reopened", state_reason=issue.state_reason)
        context.call.publish(
            "github.issue_closed" if state == "closed" else "github.issue_reopened",
            repo=context.full_name(repo),
            number=issue.number,
            title=issue.title,
            actor=context.call.person,
        )
        notify_concerned(
            context,
            repo,
            issue,
            f"{'closed' if state == 'closed' else 'reopened'} this as {reason}" if reason else f"{state} this",
        )


def replace_labels(context: GithubContext, repo: Repository, issue: Issue, names: list[str]) -> None:
    """Set an issue's labels to exactly these."""
    keep = {name.lower() for name in names}
    for label in labels_of(context, issue):
        if label.name.lower() not in keep:
            drop_label(context, repo, issue, label.name)
    add_labels(context, repo, issue, names)


def drop_label(context: GithubContext, repo: Repository, issue: Issue, name: str) -> None:
    """Remove a label from an issue. Raises not_found."""
    label = next((one for one in labels_of(context, issue) if one.name.lower() == name.lower()), None)
    row = context.call.session.get(IssueLabel, (issue.id, label.id)) if label else None
    if label is None or row is None:
        raise OperationError("not_found")
    context.call.session.delete(row)
    record(context, repo, issue, "unlabeled", label={"name": label.name, "color": label.color})
    context.call.flush()


def replace_assignees(context: GithubContext, repo: Repository, issue: Issue, logins: list[str]) -> None:
    """Set an issue's assignees to exactly these. Raises validation_failed."""
    wanted = {login.lower() for login in logins}
    for account in list_assignee_ids(context, issue):
        if context.account(account).login.lower() not in wanted:
            unassign(context, repo, issue, account)
    appoint(context, repo, issue, logins)


def list_assignee_ids(context: GithubContext, issue: Issue) -> list[int]:
    """List the accounts assigned to an issue."""
    query = select(Assignee.account_id).where(Assignee.issue_id == issue.id).order_by(Assignee.account_id)  # type: ignore[arg-type]
    return list(context.call.session.exec(query))


def appoint(context: GithubContext, repo: Repository, issue: Issue, logins: list[str]) -> None:
    """Assign people, and notify the new ones. Raises validation_failed."""
    before = list_assignee_ids(context, issue)
    assign(context, repo, issue, logins)
    fresh = {id: "assign" for id in list_assignee_ids(context, issue) if id not in before}
    if fresh:
        notify_concerned(context, repo, issue, "assigned you", None, to=fresh)


def unassign(context: GithubContext, repo: Repository, issue: Issue, account_id: int) -> None:
    """Unassign somebody from an issue, if they are assigned."""
    row = context.call.session.get(Assignee, (issue.id, account_id))
    if row is not None:
        context.call.session.delete(row)
        record(context, repo, issue, "unassigned", assignee=account_id)
        context.call.flush()


@app.operation(
    "issues/lock",
    writes=True,
    units=1,
    source=f"{SOURCE}#lock-an-issue",
    examples=[{**ISSUE, "lock_reason": "resolved"}],
    raises=("not_found", "moved", "forbidden", "archived", "unprocessable"),
)
def lock(call: Call, params: Lock) -> None:
    """Lock a conversation: only people who can push may comment then."""
    context = GithubContext(call)
    repo = context.repo(params.owner, params.repo)
    issue = find_issue(context, repo, params.issue_number)
    context.need(repo, "push")
    if issue.locked and issue.lock_reason == params.lock_reason:
        raise unprocessable("Issue is already locked.")
    issue.locked, issue.lock_reason = True, params.lock_reason
    record(context, repo, issue, "locked", lock_reason=params.lock_reason)


@app.operation(
    "issues/unlock",
    writes=True,
    units=1,
    source=f"{SOURCE}#unlock-an-issue",
    examples=[ISSUE],
    after=["issues/lock"],
    raises=("not_found", "moved", "forbidden", "archived"),
)
def unlock(call: Call, params: IssueRef) -> None:
    """Unlock a conversation, so that everybody can comment again."""
    context = GithubContext(call)
    repo = context.repo(params.owner, params.repo)
    issue = find_issue(context, repo, params.issue_number)
    context.need(repo, "push")
    if issue.locked:
        issue.locked, issue.lock_reason = False, None
        record(context, repo, issue, "unlocked")
