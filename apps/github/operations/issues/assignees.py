"""Assignees of issues, and the people who can be assigned."""

from typing import Annotated

from pydantic import Field
from sqlmodel import col, select

from apps.github.app import app
from apps.github.domain.context import GithubContext
from apps.github.domain.issue_rows import can_be_assigned, find_issue
from apps.github.domain.params import Line, PageParams, RepoRef, page_of
from apps.github.models import Account
from apps.github.operations.issues.issue_changes import ISSUE, appoint, unassign
from apps.github.operations.issues.issues import IssueRef
from apps.github.views.accounts import UserJson, user_json
from apps.github.views.issues import one_json
from world.core.call import Call
from world.core.errors import OperationError
from world.core.json_types import JsonObject

SOURCE = "docs.github.com/rest/issues/assignees"
REPO = {"owner": "quayline", "repo": "payments"}


class AssigneeList(RepoRef, PageParams):
    """Page of the people who can be assigned in a repository."""


class Candidate(RepoRef):
    """A person who might be assigned."""

    assignee: Line = Field(description="A login.", examples=["monalisa"])


class IssueCandidate(IssueRef):
    """A person who might be assigned to an issue."""

    assignee: Line = Field(description="A login.", examples=["monalisa"])


class AssigneeChange(IssueRef):
    """People to assign to an issue, or to unassign."""

    assignees: Annotated[list[Line], Field(max_length=100)] = Field(
        default_factory=list, description="Logins.", examples=[["monalisa"]]
    )


@app.operation(
    "issues/list-assignees", units=1, source=f"{SOURCE}#list-assignees", examples=[REPO], raises=("not_found",)
)
def list_assignees(call: Call, params: AssigneeList) -> list[UserJson]:
    """List the people who can be assigned to issues of a repository."""
    context = GithubContext(call)
    repo = context.repo(params.owner, params.repo)
    people = call.session.exec(select(Account).where(Account.kind == "User").order_by(col(Account.id)))
    return page_of([user_json(context, one) for one in people if context.sees(repo, one)], params)


@app.operation(
    "issues/check-user-can-be-assigned",
    units=1,
    source=f"{SOURCE}#check-if-a-user-can-be-assigned",
    examples=[{**REPO, "assignee": "$issues/list-assignees:0.login"}],
    raises=("not_found",),
)
def check(call: Call, params: Candidate) -> None:
    """Check whether somebody can be assigned to issues of a repository: refused with 404 if not."""
    context = GithubContext(call)
    repo = context.repo(params.owner, params.repo)
    if not can_be_assigned(context, repo, context.by_login(params.assignee).id):
        raise OperationError("not_found")


@app.operation(
    "issues/check-user-can-be-assigned-to-issue",
    units=1,
    source=f"{SOURCE}#check-if-a-user-can-be-assigned-to-a-issue",
    examples=[{**ISSUE, "assignee": "$issues/list-assignees:0.login"}],
    raises=("not_found", "moved"),
)
def check_for_issue(call: Call, params: IssueCandidate) -> None:
    """Check whether somebody can be assigned to an issue: refused with 404 if not."""
    context = GithubContext(call)
    repo = context.repo(params.owner, params.repo)
    find_issue(context, repo, params.issue_number)
    if not can_be_assigned(context, repo, context.by_login(params.assignee).id):
        raise OperationError("not_found")


@app.operation(
    "issues/add-assignees",
    writes=True,
    units=1,
    source=f"{SOURCE}#add-assignees-to-an-issue",
    examples=[{**ISSUE, "assignees": ["$issues/list-assignees:0.login"]}],
    raises=("not_found", "moved", "forbidden", "archived", "validation_failed"),
)
def add(call: Call, params: AssigneeChange) -> JsonObject:
    """Assign people to an issue; present assignees stay."""
    context = GithubContext(call)
    repo = context.repo(params.owner, params.repo)
    issue = find_issue(context, repo, params.issue_number)
    context.need(repo, "triage")
    appoint(context, repo, issue, params.assignees)
    return one_json(context, repo, issue)


@app.operation(
    "issues/remove-assignees",
    writes=True,
    units=1,
    source=f"{SOURCE}#remove-assignees-from-an-issue",
    examples=[{**ISSUE, "assignees": ["$issues/list-assignees:0.login"]}],
    raises=("not_found", "moved", "forbidden", "archived"),
)
def remove(call: Call, params: AssigneeChange) -> JsonObject:
    """Unassign people from an issue."""
    context = GithubContext(call)
    repo = context.repo(params.owner, params.repo)
    issue = find_issue(context, repo, params.issue_number)
    context.need(repo, "triage")
    for login in params.assignees:
        account = context.find_login(login)
        if account is not None:
            unassign(context, repo, issue, account.id)
    return one_json(context, repo, issue)
