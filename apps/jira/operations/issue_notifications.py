"""Mails about an issue that a person sends to people of their choice."""

from collections.abc import Iterable, Iterator
from typing import Annotated

from pydantic import Field
from sqlmodel import col, select

from apps.jira.app import app
from apps.jira.domain.access import find_issue, project_of
from apps.jira.domain.context import PERMISSIONS, JiraContext
from apps.jira.domain.mail_notifications import send_written_mail
from apps.jira.models import Group, GroupMember, Issue, Vote
from apps.jira.models_notifications import SentNotification
from apps.jira.operations.params import Id, IssueRef, Word
from apps.jira.operations.watchers import list_watchers
from world.core.call import Call
from world.core.errors import OperationError
from world.core.params import Params, Text
from world.core.reading.html import from_html, tidy_html

SOURCE = "developer.atlassian.com/cloud/jira/platform/rest/v3/api-group-issues"
OLD_KEYS = {"BROWSE": "BROWSE_PROJECTS", "EDIT": "EDIT_ISSUES", "CREATE": "CREATE_ISSUES"}  # of permissions
Written = Annotated[Text, Field(max_length=32_767)]


class UserName(Params):
    """A user, by account id."""

    accountId: Id = Field(description="Account id.")


class GroupName(Params):
    """A group, by name or id."""

    name: Word | None = Field(default=None, description="Group name.")
    groupId: Id | None = Field(default=None, description="Group id.")


class PermissionName(Params):
    """A project permission, by key."""

    key: Word = Field(description="Permission key, such as BROWSE_PROJECTS.")


class Recipients(Params):
    """People to mail."""

    reporter: bool = Field(default=False, description="Mail the issue's reporter.")
    assignee: bool = Field(default=False, description="Mail the issue's assignee.")
    watchers: bool = Field(default=False, description="Mail the issue's watchers.")
    voters: bool = Field(default=False, description="Mail those who voted for the issue.")
    users: list[UserName] = Field(default_factory=list[UserName], max_length=200, description="Mail these users.")
    groups: list[GroupName] = Field(default_factory=list[GroupName], max_length=50, description="Mail these groups.")
    groupIds: list[Id] = Field(default_factory=list[Id], max_length=50, description="Mail the groups of these ids.")


class Restriction(Params):
    """Conditions that every recipient meets."""

    groups: list[GroupName] = Field(
        default_factory=list[GroupName], max_length=50, description="Only members of one of these groups."
    )
    groupIds: list[Id] = Field(
        default_factory=list[Id], max_length=50, description="Only members of a group with one of these ids."
    )
    permissions: list[PermissionName] = Field(
        default_factory=list[PermissionName], max_length=50, description="Only people with all these permissions."
    )


class IssueNotification(Params):
    """A mail about an issue, and who gets it."""

    issueIdOrKey: IssueRef
    subject: Annotated[Text, Field(max_length=255)] | None = Field(
        default=None, description="Subject. Default: issue key and summary."
    )
    textBody: Written | None = Field(default=None, description="The text of the mail.")
    htmlBody: Written | None = Field(default=None, description="The text of the mail in HTML.")
    to: Recipients = Field(default_factory=Recipients, description="Who gets the mail.")
    restrict: Restriction = Field(default_factory=Restriction, description="Conditions that each recipient must meet.")


@app.operation(
    "notify",
    writes=True,
    source=SOURCE,
    scope="write:jira-work",
    after=["assignIssue"],
    examples=[{"issueIdOrKey": "SHOP-1", "textBody": "The test results are in.", "to": {"watchers": True}}],
    raises=("issue_not_found", "bad_recipient", "no_recipients"),
)
def notify(call: Call, params: IssueNotification) -> None:
    """Mail people about an issue: its reporter, assignee, watchers or voters, or users and groups that you name.

    You get no mail yourself, and nobody gets one who may not see the issue.
    """
    context = JiraContext(call)
    issue = find_issue(context, params.issueIdOrKey)
    readers = _list_readers(context, issue, params)
    if not readers:
        raise OperationError("no_recipients")
    html = params.htmlBody or ""
    text = params.textBody or from_html(tidy_html(html)).without("hidden").strip()
    sent = SentNotification(
        id=context.next_id("jira_notification"),
        issue_id=issue.id,
        author_id=call.person,
        recipients=readers,
        subject=params.subject or f"({issue.key}) {issue.summary}",
        text=text,
        html=html,
        created_at=call.now,
    )
    call.session.add(sent)
    send_written_mail(context, issue, readers, sent.subject, text, html)


def _list_readers(context: JiraContext, issue: Issue, params: IssueNotification) -> list[str]:
    """Ids of the people who get the mail, each once, the caller never."""
    project = project_of(context, issue)
    needed = {"BROWSE_PROJECTS", *map(_permission_key, params.restrict.permissions)}
    limits = _list_groups(context, params.restrict.groups, params.restrict.groupIds)
    addressees = list(dict.fromkeys(_list_addressees(context, issue, params.to)))
    context.preload_roles(addressees)
    inside = set(_list_group_members(context, limits)) if limits else None
    return [
        person
        for person in addressees
        if person != context.call.person
        and (inside is None or person in inside)
        and needed <= context.permissions_of(person, project)
    ]


def _list_addressees(context: JiraContext, issue: Issue, to: Recipients) -> Iterator[str]:
    if to.reporter and issue.reporter_id:
        yield issue.reporter_id
    if to.assignee and issue.assignee_id:
        yield issue.assignee_id
    if to.watchers:
        yield from list_watchers(context, issue)
    if to.voters:
        voters = select(Vote.person_id).where(Vote.issue_id == issue.id)
        yield from context.call.session.exec(voters.order_by(col(Vote.created_at), Vote.person_id))
    for user in to.users:
        yield _find_user(context, user.accountId)
    yield from _list_group_members(context, _list_groups(context, to.groups, to.groupIds))


def _find_user(context: JiraContext, account: str) -> str:
    person = context.people_by_account.get(account)
    if person is None:
        raise OperationError("bad_recipient", why=f"The user with account ID '{account}' does not exist.")
    return person


def _list_groups(context: JiraContext, groups: Iterable[GroupName], ids: Iterable[str]) -> list[str]:
    """Ids of the groups named. Raises bad_recipient."""
    named = [(one.name or "", one.groupId or "") for one in groups] + [("", id) for id in ids]
    return [_find_group(context, name, id) for name, id in named]


def _find_group(context: JiraContext, name: str, id: str) -> str:
    query = select(Group.id).where((col(Group.name) == name) | (col(Group.id) == id))
    found = context.call.session.exec(query.order_by(Group.name)).first()
    if found is None:
        raise OperationError("bad_recipient", why=f"The group named '{name or id}' does not exist.")
    return found


def _list_group_members(context: JiraContext, groups: list[str]) -> Iterator[str]:
    for group in groups:
        query = select(GroupMember.person_id).where(GroupMember.group_id == group)
        yield from context.call.session.exec(query.order_by(GroupMember.person_id))


def _permission_key(named: PermissionName) -> str:
    key = OLD_KEYS.get(named.key, named.key)
    if key not in PERMISSIONS:
        raise OperationError("bad_recipient", why=f"The permission with key '{named.key}' does not exist.")
    return key
