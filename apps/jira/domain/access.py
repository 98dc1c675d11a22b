"""Permissions: one rule per project permission, and lookups limited to what the caller may see."""

from collections.abc import Callable
from dataclasses import dataclass

from sqlmodel import col, select

from apps.jira.app import app
from apps.jira.domain.context import PERMISSIONS, JiraContext
from apps.jira.models import Issue, KeyAlias, Project
from world.core.call import Call
from world.core.errors import OperationError

REFUSALS = {
    "BROWSE_PROJECTS": "issue_not_found",
    "CREATE_ISSUES": "cannot_create",
    "EDIT_ISSUES": "cannot_edit",
    "DELETE_ISSUES": "cannot_delete",
    "ASSIGN_ISSUES": "cannot_assign",
    "TRANSITION_ISSUES": "cannot_transition",
    "ADD_COMMENTS": "cannot_comment",
    "WORK_ON_ISSUES": "cannot_log_work",
    "LINK_ISSUES": "cannot_link",
    "CREATE_ATTACHMENTS": "cannot_attach",
    "MANAGE_WATCHERS": "cannot_watch_others",
    "MANAGE_SPRINTS_PERMISSION": "cannot_manage_sprints",
    "SCHEDULE_ISSUES": "cannot_edit",
    "MOVE_ISSUES": "cannot_move",
    "ADMINISTER_PROJECTS": "cannot_administer",
}
BIGGEST_ID = 2**63 - 1


@dataclass(frozen=True, slots=True)
class ProjectAccess:
    """A project, and the context that knows the caller's roles in it."""

    context: JiraContext
    project: Project


def _permission_rule(permission: str) -> Callable[[Call, ProjectAccess], str | None]:
    def check(_call: Call, wanted: ProjectAccess) -> str | None:
        return None if wanted.context.may(permission, wanted.project) else REFUSALS.get(permission, "cannot_administer")

    return check


for _permission in PERMISSIONS:
    app.rule(_permission)(_permission_rule(_permission))


def require(context: JiraContext, permission: str, project: Project) -> None:
    """Raise the refusal of a project permission."""
    context.call.authorise(permission, ProjectAccess(context, project))


def parse_number(text: object) -> int | None:
    """A positive 64-bit number, or None."""
    word = str(text)
    if not (word.isascii() and word.isdigit()) or len(word) > 19:
        return None
    value = int(word)
    return value if value <= BIGGEST_ID else None


def find_issue(context: JiraContext, id_or_key: object, permission: str = "BROWSE_PROJECTS") -> Issue:
    """The issue of an id, a key or a key it had before. Raises issue_not_found, or the permission's refusal."""
    issue = _find_issue_row(context, str(id_or_key).strip())
    project = None if issue is None else context.projects.get(issue.project_id)
    if issue is None or issue.deleted_at is not None or project is None or project.archived_at is not None:
        raise OperationError("issue_not_found", issue=str(id_or_key)[:60])
    require(context, "BROWSE_PROJECTS", project)
    if permission != "BROWSE_PROJECTS":
        context.call.authorise(permission, ProjectAccess(context, project))
    return issue


def _find_issue_row(context: JiraContext, id_or_key: str) -> Issue | None:
    session, wanted = context.call.session, parse_number(id_or_key)
    if wanted is not None:
        return session.get(Issue, wanted)
    key = id_or_key.upper()
    found = session.exec(select(Issue).where(Issue.key == key)).first()
    if found is not None:
        return found
    alias = session.get(KeyAlias, key)
    return session.get(Issue, alias.issue_id) if alias else None


def is_seen(context: JiraContext, key: str) -> bool:
    """Whether a key, present or past, is that of an issue the caller may see."""
    issue = _find_issue_row(context, key)
    return issue is not None and visible_issue(context, issue.id) is not None


def visible_issue(context: JiraContext, issue_id: int | None) -> Issue | None:
    """An issue by its row id, or None when there is none the caller may see."""
    issue = None if issue_id is None else context.call.session.get(Issue, issue_id)
    if issue is None or issue.deleted_at is not None or issue.project_id not in context.visible_projects:
        return None
    return issue


def project_of(context: JiraContext, issue: Issue) -> Project:
    """The project of an issue that was found."""
    return context.projects[issue.project_id]


def find_project(context: JiraContext, id_or_key: object, permission: str = "BROWSE_PROJECTS") -> Project:
    """The project of an id or key. Raises project_not_found, or the permission's refusal."""
    wanted = parse_number(id_or_key)
    project = context.projects.get(wanted) if wanted is not None else None
    if project is None:
        key = str(id_or_key).strip().upper()
        project = next((p for p in context.projects.values() if p.key == key), None)
    if project is None or project.archived_at is not None or not context.may("BROWSE_PROJECTS", project):
        code = "project_id_not_found" if wanted is not None else "project_not_found"
        raise OperationError(code, project=str(id_or_key)[:60])
    if permission != "BROWSE_PROJECTS":
        require(context, permission, project)
    return project


def find_person(context: JiraContext, account: object) -> str:
    """The person id of an accountId. Raises user_not_found."""
    person = context.people_by_account.get(str(account))
    if person is None or context.person(person) is None:
        raise OperationError("user_not_found", user=str(account)[:60])
    return person


def list_children(context: JiraContext, issue: Issue) -> list[Issue]:
    """Sub-tasks, or the stories of an epic, in rank order."""
    query = select(Issue).where(Issue.parent_id == issue.id, col(Issue.deleted_at).is_(None))
    return list(context.call.session.exec(query.order_by(Issue.rank, col(Issue.id))))
