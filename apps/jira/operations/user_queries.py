"""Users by what they may do, and by what they have done; projects for a picker."""

import re
from collections.abc import Callable, Iterable

from pydantic import Field
from sqlalchemy import ColumnElement
from sqlmodel import col, select

from apps.jira.app import app
from apps.jira.domain.access import find_issue, find_project, project_of
from apps.jira.domain.context import PERMISSIONS, JiraContext
from apps.jira.domain.offset_pages import page_to_json
from apps.jira.models import ChangeItem, Comment, Issue, Project, Vote, Watcher
from apps.jira.operations.params import Id, MaxResults, StartAt, Word, Words
from apps.jira.operations.projects import list_visible_projects
from apps.jira.operations.users import SOURCE, UserSearch, list_wanted_people, people_to_json
from world.core.call import Call
from world.core.errors import OperationError
from world.core.json_types import JsonObject
from world.core.params import Params, Text

PICKER = "docs.atlassian.com/software/jira/docs/api/REST/9.12.0/#api/2/projects-picker"
OLD_NAMES = {"BROWSE": "BROWSE_PROJECTS", "CREATE_ISSUE": "CREATE_ISSUES", "EDIT_ISSUE": "EDIT_ISSUES"}
CLAUSE = re.compile(r"\s*is\s+(\w+)\s+of\s+(\([^()]*\)|[\w-]+)\s*", re.IGNORECASE)
JOIN = re.compile(r"\s(AND|OR)\s", re.IGNORECASE)
MOST_CLAUSES = 20
People = Callable[[JiraContext, ColumnElement[bool]], Iterable[str | None]]


class PermissionSearch(UserSearch):
    """Users who have permissions in a project or on an issue."""

    permissions: Words = Field(description="Permissions, all of which they must have.", examples=[["BROWSE_PROJECTS"]])
    issueKey: Id | None = Field(default=None, description="Issue key.")
    projectKey: Id | None = Field(default=None, description="Project key.", examples=["SHOP"])


class StructuredSearch(Params):
    """Users by a structured query."""

    query: Text = Field(
        description="is assignee|reporter|watcher|voter|commenter|transitioner of a project or (ISSUE-1, ISSUE-2),"
        " joined by AND or OR.",
        max_length=2000,
        examples=["is assignee of SHOP"],
    )
    startAt: StartAt = 0
    maxResults: MaxResults = 100


class ProjectPicker(Params):
    """Projects by the beginning of a word of their name, or of their key."""

    query: Word | None = Field(default=None, description="What was typed.", examples=["sho"])
    maxResults: MaxResults = 50
    allowEmptyQuery: bool = Field(default=False, description="Whether nothing typed finds every project.")


def _read_permissions(names: list[str]) -> list[str]:
    wanted = [OLD_NAMES.get(name, name) for name in names]
    unknown = [name for name in wanted if name not in PERMISSIONS]
    if unknown or not wanted:
        raise OperationError("bad_request", why=f"Permission with key '{unknown[0] if unknown else ''}' does not exist")
    return wanted


def _find_place(context: JiraContext, params: PermissionSearch) -> Project:
    if params.issueKey is not None:
        return project_of(context, find_issue(context, params.issueKey))
    if params.projectKey is None:
        raise OperationError("bad_request", why="The 'projectKey' or 'issueKey' query parameter needs to be provided")
    return find_project(context, params.projectKey)


@app.operation(
    "findUsersWithAllPermissions",
    source=SOURCE,
    scope="read:jira-user",
    examples=[{"permissions": ["BROWSE_PROJECTS"], "projectKey": "SHOP", "query": "a"}],
    raises=("bad_request", "project_not_found", "project_id_not_found", "issue_not_found"),
)
def find_users_with_permissions(call: Call, params: PermissionSearch) -> list[JsonObject]:
    """Find users who have all of some permissions in a project or on an issue."""
    context = JiraContext(call)
    wanted, project = _read_permissions(params.permissions), _find_place(context, params)
    people = [
        person
        for person in list_wanted_people(context, params)
        if all(context.person_may(person.id, one, project) for one in wanted)
    ]
    return people_to_json(context, people, params)


def _list_issue_people(name: str) -> People:
    return lambda context, where: context.call.session.exec(select(getattr(Issue, name)).where(where).distinct())


def _list_other_people(table: type[Comment | Watcher | Vote | ChangeItem], name: str) -> People:
    def find(context: JiraContext, where: ColumnElement[bool]) -> Iterable[str | None]:
        query = select(getattr(table, name)).join(Issue, col(Issue.id) == col(table.issue_id)).where(where)
        only = (col(ChangeItem.field) == "status",) if table is ChangeItem else ()
        return context.call.session.exec(query.where(*only).distinct())

    return find


RELATIONS: dict[str, People] = {
    "assignee": _list_issue_people("assignee_id"),
    "reporter": _list_issue_people("reporter_id"),
    "watcher": _list_other_people(Watcher, "person_id"),
    "voter": _list_other_people(Vote, "person_id"),
    "commenter": _list_other_people(Comment, "author_id"),
    "transitioner": _list_other_people(ChangeItem, "author_id"),
}


@app.operation(
    "findUsersByQuery",
    source=SOURCE,
    scope="read:jira-user",
    examples=[{"query": "is assignee of SHOP"}],
    raises=("bad_request", "project_not_found", "project_id_not_found", "issue_not_found"),
)
def find_users_by_query(call: Call, params: StructuredSearch) -> JsonObject:
    """Find users by what they are to a project or to issues: `is assignee of SHOP AND is watcher of (SHOP-1, SHOP-2)`."""
    context = JiraContext(call)
    found = _evaluate(context, params.query)
    people = sorted((id for id in found if id in context.accounts), key=lambda id: (context.name(id), id))
    limit = min(params.maxResults, 100)
    return page_to_json(call, "/rest/api/3/user/search/query", people, params.startAt, limit, context.user)


def _evaluate(context: JiraContext, query: str) -> set[str]:
    """The people of a query; AND binds more closely than OR. Raises OperationError."""
    parts = JOIN.split(query)
    if len(parts) > 2 * MOST_CLAUSES:
        raise OperationError("bad_request", why=f"A query may have at most {MOST_CLAUSES} statements.")
    groups: list[set[str]] = [_find_related(context, parts[0])]
    for join, clause in zip(parts[1::2], parts[2::2], strict=True):
        found = _find_related(context, clause)
        if join.upper() == "AND":
            groups[-1] &= found
        else:
            groups.append(found)
    return set[str]().union(*groups)


def _find_related(context: JiraContext, clause: str) -> set[str]:
    read = CLAUSE.fullmatch(clause)
    relation = RELATIONS.get(read[1].lower()) if read else None
    if read is None or relation is None:
        raise OperationError("bad_request", why=f"The query could not be parsed: {clause.strip()[:100]}")
    return {id for id in relation(context, _issues_of(context, read[2])) if id is not None}


def _issues_of(context: JiraContext, text: str) -> ColumnElement[bool]:
    """The condition of the issues of a project key, or of a list of issue keys."""
    if not text.startswith("("):
        if "-" in text:
            return col(Issue.id) == find_issue(context, text).id
        project = find_project(context, text)
        return (col(Issue.project_id) == project.id) & col(Issue.deleted_at).is_(None)
    keys = [key.strip() for key in text.strip("()").split(",") if key.strip()]
    return col(Issue.id).in_([find_issue(context, key).id for key in keys])


@app.operation("getProjectsForPicker", source=PICKER, scope="read:jira-work", examples=[{"query": "sho"}])
def get_projects_for_picker(call: Call, params: ProjectPicker) -> JsonObject:
    """Find projects for a picker: short entries with the match marked."""
    context, text = JiraContext(call), (params.query or "").strip()
    found = list_visible_projects(context) if text or params.allowEmptyQuery else []
    found = [project for project in found if _is_picked(project, text.casefold())]
    shown = [
        {
            "name": project.name,
            "key": project.key,
            "id": str(project.id),
            "html": _mark(f"{project.name} ({project.key})", text),
            "avatar": context.avatars("project", project.id)["16x16"],
        }
        for project in found[: params.maxResults]
    ]
    header = f"Showing {len(shown)} of {len(found)} matching projects"
    return {"projects": shown, "total": len(found), "header": header}


def _is_picked(project: Project, text: str) -> bool:
    words = (project.key.casefold(), project.name.casefold(), *project.name.casefold().split())
    return any(word.startswith(text) for word in words)


def _mark(shown: str, text: str) -> str:
    at = shown.casefold().find(text.casefold()) if text else -1
    return shown if at < 0 else f"{shown[:at]}<b>{shown[at : at + len(text)]}</b>{shown[at + len(text) :]}"
