"""Components and versions of projects."""

from datetime import date
from typing import Annotated

from pydantic import Field
from sqlalchemy import literal_column
from sqlmodel import col, func, select

from apps.jira.app import app
from apps.jira.domain.access import find_person, find_project, parse_number, require
from apps.jira.domain.context import JiraContext
from apps.jira.domain.lookups import version_to_json
from apps.jira.domain.offset_pages import page_to_json
from apps.jira.limits import EDITS
from apps.jira.models import Component, Issue, Project, Version
from apps.jira.operations.params import Expand, Id, MaxResults, ProjectRef, StartAt, Word, split_commas
from apps.jira.refusals import field_errors
from world.core.call import Call
from world.core.clock import to_datetime
from world.core.errors import OperationError
from world.core.json_types import JsonObject
from world.core.params import Params, Text

COMPONENTS = "developer.atlassian.com/cloud/jira/platform/rest/v3/api-group-project-components"
VERSIONS = "developer.atlassian.com/cloud/jira/platform/rest/v3/api-group-project-versions"
Long = Annotated[Text, Field(max_length=16_384)]


class ProjectOnly(Params):
    """One project."""

    projectIdOrKey: ProjectRef


class ComponentRef(Params):
    """One component."""

    id: Id = Field(description="Component id.")


class ComponentNew(Params):
    """A new component."""

    project: Id | None = Field(default=None, description="Project key.")
    name: Word | None = Field(default=None, description="Name, unique in the project.")
    description: Long | None = Field(default=None, description="What it is.")
    leadAccountId: Id | None = Field(default=None, description="Account id of its lead.")
    assigneeType: Word | None = Field(
        default=None, description="PROJECT_DEFAULT, COMPONENT_LEAD, PROJECT_LEAD or UNASSIGNED."
    )


class ComponentChange(ComponentNew):
    """New values of a component."""

    id: Id = Field(description="Component id.")


class ComponentDelete(ComponentRef):
    """A component to delete."""

    moveIssuesTo: Id | None = Field(default=None, description="Component that takes over its issues.")


class VersionRef(Params):
    """One version."""

    id: Id = Field(description="Version id.")
    expand: Expand | None = Field(default=None, description="issuesstatus adds counts.")


class VersionNew(Params):
    """A new version."""

    project: Id | None = Field(default=None, description="Project key.")
    projectId: Id | None = Field(default=None, description="Project id.")
    name: Word | None = Field(default=None, description="Name, unique in the project.", examples=["2026.4"])
    description: Long | None = Field(default=None, description="What it brings.")
    startDate: Word | None = Field(default=None, description="First day, yyyy-MM-dd.")
    releaseDate: Word | None = Field(default=None, description="Release day, yyyy-MM-dd.")
    archived: bool | None = Field(default=None, description="Hide it from pickers.")
    released: bool | None = Field(default=None, description="Whether it is out.")


class VersionChange(VersionNew):
    """New values of a version."""

    id: Id = Field(description="Version id.")


class VersionList(Params):
    """Versions of a project, a page at a time."""

    projectIdOrKey: ProjectRef
    startAt: StartAt = 0
    maxResults: MaxResults = 50
    query: Word | None = Field(default=None, description="Part of the name.")
    status: Word | None = Field(default=None, description="released, unreleased, archived; comma-separated.")
    orderBy: Word | None = Field(default=None, description="sequence or name.")


class VersionDelete(Params):
    """A version to delete."""

    id: Id = Field(description="Version id.")
    moveFixIssuesTo: Id | None = Field(default=None, description="Version that takes over as fix version.")
    moveAffectedIssuesTo: Id | None = Field(default=None, description="Version that takes over as affected version.")


def list_components(context: JiraContext, project: Project) -> list[Component]:
    """A project's components by name."""
    return [row for row in context.components.values() if row.project_id == project.id]


def list_versions(context: JiraContext, project: Project) -> list[Version]:
    """A project's versions in its order."""
    return [row for row in context.versions.values() if row.project_id == project.id]


def component_details_to_json(context: JiraContext, row: Component, *, brief: bool = False) -> JsonObject:
    """A component on its own or in a list."""
    out: JsonObject = {
        "self": f"{context.api}/component/{row.id}",
        "id": str(row.id),
        "name": row.name,
        "description": row.description,
    }
    if row.lead_id is not None and not brief:
        out["lead"] = context.user(row.lead_id)
    if brief:
        return out | {"isAssigneeTypeValid": True}
    project = context.projects[row.project_id]
    real = {"COMPONENT_LEAD": row.lead_id, "PROJECT_LEAD": project.lead_id}.get(row.assignee_type)
    out |= {"assigneeType": row.assignee_type, "realAssigneeType": row.assignee_type, "isAssigneeTypeValid": True}
    if real is not None:
        out["assignee"] = out["realAssignee"] = context.user(real)
    return out | {"project": project.key, "projectId": project.id}


def version_details_to_json(context: JiraContext, row: Version) -> JsonObject:
    """A version on its own, with its dates."""
    out = {**version_to_json(context, row), "projectId": row.project_id}
    today = to_datetime(context.call.now).date().isoformat()
    if row.start_on is not None:
        out |= {"startDate": row.start_on, "userStartDate": _format_typed_day(row.start_on)}
    if row.release_on is not None:
        out["userReleaseDate"] = _format_typed_day(row.release_on)
        out["overdue"] = not row.released and row.release_on < today
    return out


def _format_typed_day(day: str) -> str:
    moment = date.fromisoformat(day)
    months = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
    return f"{moment.day:02}/{months[moment.month - 1]}/{moment.year % 100:02}"


def _get_component_row(context: JiraContext, id: str) -> Component:
    row = context.components.get(parse_number(id) or 0)
    if row is None or row.project_id not in context.visible_projects:
        raise OperationError("component_not_found", component=id)
    return row


def _get_version_row(context: JiraContext, id: str) -> Version:
    row = context.versions.get(parse_number(id) or 0)
    if row is None or row.project_id not in context.visible_projects:
        raise OperationError("version_not_found", version=id)
    return row


def _parse_day(name: str, text: str | None) -> str | None:
    if not text:
        return None
    try:
        return date.fromisoformat(text).isoformat()
    except ValueError:
        raise field_errors(**{name: f"Error parsing date string: {text[:40]}"}) from None


@app.operation(
    "getProjectComponents",
    source=COMPONENTS,
    scope="read:jira-work",
    examples=[{"projectIdOrKey": "SHOP"}],
    raises=("project_not_found", "project_id_not_found"),
)
def get_project_components(call: Call, params: ProjectOnly) -> list[JsonObject]:
    """List the components of a project."""
    context = JiraContext(call)
    return [
        component_details_to_json(context, row)
        for row in list_components(context, find_project(context, params.projectIdOrKey))
    ]


@app.operation(
    "getComponent",
    source=COMPONENTS,
    scope="read:jira-work",
    examples=[{"id": "$getProjectComponents:0.id"}],
    raises=("component_not_found",),
)
def get_component(call: Call, params: ComponentRef) -> JsonObject:
    """Read a component."""
    context = JiraContext(call)
    return component_details_to_json(context, _get_component_row(context, params.id))


def _set_component_values(context: JiraContext, row: Component, params: ComponentNew) -> None:
    if params.name is not None:
        others = [c for c in list_components(context, context.projects[row.project_id]) if c.id != row.id]
        if any(c.name.casefold() == params.name.casefold() for c in others):
            raise field_errors(name=f"A component with the name {params.name} already exists in this project.")
        row.name = params.name
    row.description = row.description if params.description is None else params.description
    row.lead_id = row.lead_id if params.leadAccountId is None else find_person(context, params.leadAccountId)
    row.assignee_type = params.assigneeType or row.assignee_type


@app.operation(
    "createComponent",
    writes=True,
    source=COMPONENTS,
    scope="manage:jira-project",
    examples=[{"project": "SHOP", "name": "Receipts"}],
    raises=("project_not_found", "project_id_not_found", "cannot_administer", "field_errors", "user_not_found"),
)
def create_component(call: Call, params: ComponentNew) -> JsonObject:
    """Add a component to a project you administer."""
    context = JiraContext(call)
    project = find_project(context, params.project or "", "ADMINISTER_PROJECTS")
    if not params.name:
        raise field_errors(name="The component name specified is invalid - cannot be an empty string.")
    row = Component(id=context.next_id("jira_component"), project_id=project.id, name=params.name)
    _set_component_values(context, row, params)
    call.session.add(row)
    return component_details_to_json(context, row)


@app.operation(
    "updateComponent",
    writes=True,
    limit=EDITS,
    source=COMPONENTS,
    scope="manage:jira-project",
    examples=[{"id": "$createComponent:id", "description": "What buyers get by mail."}],
    raises=("component_not_found", "cannot_administer", "field_errors", "user_not_found"),
)
def update_component(call: Call, params: ComponentChange) -> JsonObject:
    """Change a component of a project you administer."""
    context = JiraContext(call)
    row = _get_component_row(context, params.id)
    require(context, "ADMINISTER_PROJECTS", context.projects[row.project_id])
    _set_component_values(context, row, params)
    return component_details_to_json(context, row)


@app.operation(
    "deleteComponent",
    writes=True,
    limit=EDITS,
    source=COMPONENTS,
    scope="manage:jira-project",
    examples=[{"id": "$createComponent:id"}],
    raises=("component_not_found", "cannot_administer"),
)
def delete_component(call: Call, params: ComponentDelete) -> None:
    """Delete a component; its issues lose it or get another."""
    context = JiraContext(call)
    row = _get_component_row(context, params.id)
    require(context, "ADMINISTER_PROJECTS", context.projects[row.project_id])
    heir = None if params.moveIssuesTo is None else _get_component_row(context, params.moveIssuesTo).id
    _replace_reference(context, row.project_id, "component_ids", row.id, heir)
    call.session.delete(row)


def _replace_reference(context: JiraContext, project_id: int, column: str, old: int, new: int | None) -> None:
    for issue in context.call.session.exec(select(Issue).where(Issue.project_id == project_id).order_by(col(Issue.id))):
        ids = getattr(issue, column)
        if old in ids:
            kept = [new if id == old else id for id in ids]
            setattr(issue, column, list(dict.fromkeys(id for id in kept if id is not None)))


@app.operation(
    "getProjectVersions",
    source=VERSIONS,
    scope="read:jira-work",
    examples=[{"projectIdOrKey": "SHOP"}],
    raises=("project_not_found", "project_id_not_found"),
)
def get_project_versions(call: Call, params: ProjectOnly) -> list[JsonObject]:
    """List the versions of a project."""
    context = JiraContext(call)
    return [
        version_details_to_json(context, row)
        for row in list_versions(context, find_project(context, params.projectIdOrKey))
    ]


@app.operation(
    "getProjectVersionsPaginated",
    source=VERSIONS,
    scope="read:jira-work",
    examples=[{"projectIdOrKey": "SHOP"}],
    raises=("project_not_found", "project_id_not_found"),
)
def get_project_versions_paginated(call: Call, params: VersionList) -> JsonObject:
    """List the versions of a project a page at a time, by part of the name or by status."""
    context = JiraContext(call)
    project = find_project(context, params.projectIdOrKey)
    text, states = (params.query or "").casefold(), split_commas(params.status)
    rows = [
        v
        for v in list_versions(context, project)
        if text in v.name.casefold() and (not states or _version_state(v) in states)
    ]
    path = f"/rest/api/3/project/{project.id}/version"
    return page_to_json(
        call, path, rows, params.startAt, min(params.maxResults, 100), lambda row: version_details_to_json(context, row)
    )


def _version_state(row: Version) -> str:
    return "archived" if row.archived else "released" if row.released else "unreleased"


@app.operation(
    "getVersion",
    source=VERSIONS,
    scope="read:jira-work",
    examples=[{"id": "$getProjectVersions:0.id"}],
    raises=("version_not_found",),
)
def get_version(call: Call, params: VersionRef) -> JsonObject:
    """Read a version."""
    context = JiraContext(call)
    return version_details_to_json(context, _get_version_row(context, params.id))


def _set_version_values(context: JiraContext, row: Version, params: VersionNew) -> None:
    if params.name is not None:
        others = [v for v in list_versions(context, context.projects[row.project_id]) if v.id != row.id]
        if any(v.name.casefold() == params.name.casefold() for v in others):
            raise field_errors(name="A version with this name already exists in this project.")
        row.name = params.name
    given = params.model_fields_set
    if "startDate" in given:
        row.start_on = _parse_day("startDate", params.startDate)
    if "releaseDate" in given:
        row.release_on = _parse_day("releaseDate", params.releaseDate)
    if row.start_on and row.release_on and row.start_on > row.release_on:
        raise field_errors(startDate="The start date must be before the release date.")
    row.description = row.description if params.description is None else params.description
    row.archived = row.archived if params.archived is None else params.archived
    row.released = row.released if params.released is None else params.released


@app.operation(
    "createVersion",
    writes=True,
    source=VERSIONS,
    scope="manage:jira-project",
    examples=[{"project": "SHOP", "name": "Spring release"}],
    raises=("project_not_found", "project_id_not_found", "cannot_administer", "field_errors"),
)
def create_version(call: Call, params: VersionNew) -> JsonObject:
    """Add a version (a release) to a project you administer."""
    context = JiraContext(call)
    project = find_project(context, params.projectId or params.project or "", "ADMINISTER_PROJECTS")
    if not params.name:
        raise field_errors(name="You must specify a valid version name")
    last = max((v.position for v in list_versions(context, project)), default=0)
    row = Version(id=context.next_id("jira_version"), project_id=project.id, name=params.name, position=last + 1)
    _set_version_values(context, row, params)
    call.session.add(row)
    return version_details_to_json(context, row)


@app.operation(
    "updateVersion",
    writes=True,
    limit=EDITS,
    source=VERSIONS,
    scope="manage:jira-project",
    examples=[{"id": "$createVersion:id", "released": True}],
    raises=("version_not_found", "cannot_administer", "field_errors"),
)
def update_version(call: Call, params: VersionChange) -> JsonObject:
    """Change a version: rename, set dates, release or archive it."""
    context = JiraContext(call)
    row = _get_version_row(context, params.id)
    require(context, "ADMINISTER_PROJECTS", context.projects[row.project_id])
    _set_version_values(context, row, params)
    return version_details_to_json(context, row)


@app.operation(
    "deleteVersion",
    writes=True,
    limit=EDITS,
    source=VERSIONS,
    scope="manage:jira-project",
    examples=[{"id": "$createVersion:id"}],
    raises=("version_not_found", "cannot_administer"),
)
def delete_version(call: Call, params: VersionDelete) -> None:
    """Delete a version; its issues lose it or get another."""
    context = JiraContext(call)
    row = _get_version_row(context, params.id)
    require(context, "ADMINISTER_PROJECTS", context.projects[row.project_id])
    for column, heir in (
        ("fix_version_ids", params.moveFixIssuesTo),
        ("affects_version_ids", params.moveAffectedIssuesTo),
    ):
        _replace_reference(
            context, row.project_id, column, row.id, None if heir is None else _get_version_row(context, heir).id
        )
    call.session.delete(row)


@app.operation(
    "getVersionRelatedIssues",
    source=VERSIONS,
    scope="read:jira-work",
    examples=[{"id": "$getProjectVersions:0.id"}],
    raises=("version_not_found",),
)
def get_version_related_issues(call: Call, params: VersionRef) -> JsonObject:
    """Count the issues that a version fixes and affects."""
    context = JiraContext(call)
    row = _get_version_row(context, params.id)
    return {
        "self": f"{context.api}/version/{row.id}",
        "issuesFixedCount": _count_uses(context, "fix_version_ids", row.id),
        "issuesAffectedCount": _count_uses(context, "affects_version_ids", row.id),
        "issueCountWithCustomFieldsShowingVersion": 0,
        "customFieldUsage": [],
    }


def _count_uses(context: JiraContext, column: str, id: int) -> int:
    items = func.json_each(getattr(Issue, column)).table_valued("value")
    inside = select(literal_column("1")).select_from(items).where(items.c.value == id).exists()
    query = select(func.count()).select_from(Issue).where(inside, col(Issue.deleted_at).is_(None))
    return int(context.call.scalar(query))
