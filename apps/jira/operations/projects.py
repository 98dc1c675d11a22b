"""Projects: list, search, read; their statuses, roles and permissions."""

from typing import Annotated, Literal

from pydantic import Field
from sqlmodel import col, func, select

from apps.jira.app import app
from apps.jira.domain.access import find_person, find_project
from apps.jira.domain.context import ROLES, JiraContext, format_timestamp
from apps.jira.domain.lookups import issue_type_to_json, project_to_json, status_to_json, version_to_json
from apps.jira.domain.offset_pages import page_to_json
from apps.jira.limits import EDITS
from apps.jira.models import Issue, Project
from apps.jira.operations.params import Expand, Id, MaxResults, ProjectRef, StartAt, Word, Words, split_commas
from apps.jira.operations.project_parts import component_details_to_json, list_components, list_versions
from world.core.call import Call
from world.core.json_types import JsonObject
from world.core.params import Int64, Params, Text

SOURCE = "developer.atlassian.com/cloud/jira/platform/rest/v3/api-group-projects"


class ProjectList(Params):
    """Expansion and limit of a list of projects."""

    expand: Expand | None = Field(default=None, description="description, lead, issueTypes.")
    recent: Int64 | None = Field(default=None, description="At most this many.")


class ProjectSearch(Params):
    """Filters and page of projects."""

    startAt: StartAt = 0
    maxResults: MaxResults = 50
    orderBy: Literal[
        "key",
        "-key",
        "+key",
        "name",
        "-name",
        "+name",
        "category",
        "owner",
        "lastIssueUpdatedTime",
        "-lastIssueUpdatedTime",
    ] = Field(default="key", description="Sort field.")
    query: Word | None = Field(default=None, description="Part of the key or name.")
    keys: Words = Field(default_factory=list, description="Only these keys.")
    id: Words = Field(default_factory=list, description="Only these ids.")
    typeKey: Word | None = Field(default=None, description="software, business or service_desk.")
    action: Literal["view", "browse", "edit", "create"] = Field(
        default="view", description="Only projects where you may do this."
    )
    expand: Expand | None = Field(default=None, description="description, lead, issueTypes, url, insight.")


class ProjectOnly(Params):
    """One project."""

    projectIdOrKey: ProjectRef
    expand: Expand | None = Field(default=None, description="description, lead, issueTypes, url.")


def project_summary_to_json(context: JiraContext, project: Project, expand: frozenset[str]) -> JsonObject:
    """A project in a list."""
    out: JsonObject = {
        "expand": "description,lead,issueTypes,url,projectKeys,permissions,insight",
        **project_to_json(context, project),
    }
    out |= {"style": project.style, "isPrivate": project.access == "private", "properties": {}}
    if project.style == "next-gen":
        out["entityId"] = out["uuid"] = str(project.id)
    if "description" in expand:
        out["description"] = project.description
    if "lead" in expand:
        out["lead"] = context.user(project.lead_id)
    if "issueTypes" in expand:
        out["issueTypes"] = issue_types_to_json(context, project)
    if "url" in expand and project.url:
        out["url"] = project.url
    if "insight" in expand:
        out["insight"] = _insight_to_json(context, project)
    return out


def _insight_to_json(context: JiraContext, project: Project) -> JsonObject:
    live = (Issue.project_id == project.id, col(Issue.deleted_at).is_(None))
    total = context.call.scalar(select(func.count()).select_from(Issue).where(*live))
    last = context.call.scalar(select(func.max(Issue.updated_at)).where(*live))
    return {"totalIssueCount": total, "lastIssueUpdateTime": format_timestamp(last)}


def issue_types_to_json(context: JiraContext, project: Project) -> list[dict[str, object]]:
    """Issue types of a project in its order."""
    return [issue_type_to_json(context, context.types[row.issue_type_id]) for row in context.project_types(project.id)]


def project_details_to_json(context: JiraContext, project: Project, expand: frozenset[str]) -> JsonObject:
    """A project on its own."""
    out = project_summary_to_json(context, project, expand | {"description", "lead", "issueTypes"})
    out["components"] = [
        component_details_to_json(context, row, brief=True) for row in list_components(context, project)
    ]
    out["versions"] = [
        {**version_to_json(context, row), "projectId": project.id} for row in list_versions(context, project)
    ]
    out["assigneeType"] = project.assignee_type
    out["roles"] = {name: f"{context.api}/project/{project.id}/role/{id}" for name, id in ROLES.items()}
    if project.url:
        out["url"] = project.url
    return out


def list_visible_projects(context: JiraContext) -> list[Project]:
    """Projects the caller may browse, by key."""
    allowed = frozenset(context.visible_projects)
    return [project for project in context.projects.values() if project.id in allowed]


@app.operation("getAllProjects", source=SOURCE, scope="read:jira-work", examples=[{}])
def get_all_projects(call: Call, params: ProjectList) -> list[JsonObject]:
    """List every project you can see."""
    context = JiraContext(call)
    found = list_visible_projects(context)[: params.recent]
    context.preload(p.lead_id for p in found)
    return [project_summary_to_json(context, project, frozenset(split_commas(params.expand))) for project in found]


@app.operation("searchProjects", source=SOURCE, scope="read:jira-work", examples=[{"query": "shop"}])
def search_projects(call: Call, params: ProjectSearch) -> JsonObject:
    """Find projects by part of their key or name, a page at a time."""
    context = JiraContext(call)
    found = [project for project in list_visible_projects(context) if _matches_search(context, project, params)]
    name = params.orderBy.lstrip("+-")
    order = {"name": lambda p: p.name.casefold(), "key": lambda p: p.key, "category": lambda p: p.category_id or 0}
    found.sort(key=lambda p: (order.get(name, order["key"])(p), p.id), reverse=params.orderBy.startswith("-"))  # type: ignore[no-any-return]
    context.preload(p.lead_id for p in found)
    expand = frozenset(split_commas(params.expand))
    return page_to_json(
        call,
        "/rest/api/3/project/search",
        found,
        params.startAt,
        min(params.maxResults, 100),
        lambda p: project_summary_to_json(context, p, expand),
    )


def _matches_search(context: JiraContext, project: Project, params: ProjectSearch) -> bool:
    needed = {"edit": "ADMINISTER_PROJECTS", "create": "CREATE_ISSUES"}.get(params.action)
    text = (params.query or "").casefold()
    return (
        (not text or text in project.key.casefold() or text in project.name.casefold())
        and (not params.keys or project.key in {key.upper() for key in params.keys})
        and (not params.id or str(project.id) in params.id)
        and (params.typeKey is None or project.type_key in params.typeKey.split(","))
        and (needed is None or context.may(needed, project))
    )


@app.operation(
    "getProject",
    source=SOURCE,
    scope="read:jira-work",
    examples=[{"projectIdOrKey": "SHOP"}],
    raises=("project_not_found", "project_id_not_found"),
)
def get_project(call: Call, params: ProjectOnly) -> JsonObject:
    """Read a project: lead, issue types, components, versions."""
    context = JiraContext(call)
    return project_details_to_json(
        context, find_project(context, params.projectIdOrKey), frozenset(split_commas(params.expand))
    )


@app.operation(
    "getAllStatuses",
    source=SOURCE,
    scope="read:jira-work",
    examples=[{"projectIdOrKey": "SHOP"}],
    raises=("project_not_found", "project_id_not_found"),
)
def get_all_statuses(call: Call, params: ProjectOnly) -> list[JsonObject]:
    """Read the statuses of each issue type of a project."""
    context = JiraContext(call)
    project = find_project(context, params.projectIdOrKey)
    out = []
    for row in context.project_types(project.id):
        kind = context.types[row.issue_type_id]
        steps = context.transitions(row.workflow_id)
        ids = dict.fromkeys(status for step in steps for status in (*step.from_ids, step.to_id))
        statuses = [status_to_json(context, context.statuses[status]) for status in sorted(ids)]
        head = {
            "self": f"{context.api}/issuetype/{kind.id}",
            "id": str(kind.id),
            "name": kind.name,
            "subtask": kind.level < 0,
        }
        out.append({**head, "statuses": statuses})
    return out


class ProjectChange(Params):
    """New values of a project."""

    projectIdOrKey: ProjectRef
    name: Word | None = Field(default=None, description="Name.")
    description: Annotated[Text, Field(max_length=10_000)] | None = Field(default=None, description="What it is for.")
    leadAccountId: Id | None = Field(default=None, description="Account id of the lead.")
    assigneeType: Literal["PROJECT_LEAD", "UNASSIGNED"] | None = Field(default=None, description="Who gets new issues.")
    url: Word | None = Field(default=None, description="Link shown on the project.")


@app.operation(
    "updateProject",
    writes=True,
    limit=EDITS,
    source=SOURCE,
    scope="manage:jira-project",
    examples=[{"projectIdOrKey": "SHOP", "description": "Where the shop is built."}],
    raises=("project_not_found", "project_id_not_found", "cannot_administer", "user_not_found"),
)
def update_project(call: Call, params: ProjectChange) -> JsonObject:
    """Change a project you administer: name, description, lead, default assignee.

    Deviates: key, access and scheme changes are refused by being ignored.
    """
    context = JiraContext(call)
    project = find_project(context, params.projectIdOrKey, "ADMINISTER_PROJECTS")
    if params.leadAccountId is not None:
        project.lead_id = find_person(context, params.leadAccountId)
    given = {
        "name": params.name,
        "description": params.description,
        "assignee_type": params.assigneeType,
        "url": params.url,
    }
    for column, value in given.items():
        if value is not None:
            setattr(project, column, value)
    project.updated_at = call.now
    return project_details_to_json(context, project, frozenset())
