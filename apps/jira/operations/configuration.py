"""The site's configuration: field contexts, statuses, workflows, screens, kinds of projects, webhooks, the audit log."""

from collections.abc import Callable, Sequence
from typing import TypeVar

from pydantic import Field
from sqlmodel import col, select

from apps.jira.app import app
from apps.jira.domain.access import find_project, parse_number
from apps.jira.domain.context import JiraContext, format_timestamp
from apps.jira.domain.fields import get_fields_by_id
from apps.jira.domain.lookups import project_category_to_json
from apps.jira.domain.offset_pages import page_to_json
from apps.jira.models import Category, Project, Status
from apps.jira.models_workflows import Screen, ScreenField, Workflow
from apps.jira.operations.params import Id, MaxResults, StartAt, Word, Words
from world.core.call import Call
from world.core.errors import OperationError
from world.core.json_types import JsonObject
from world.core.params import NoParams, Params

API = "developer.atlassian.com/cloud/jira/platform/rest/v3/api-group-"
T = TypeVar("T")
STATUS_CATEGORIES = {"undefined": "TODO", "new": "TODO", "indeterminate": "IN_PROGRESS", "done": "DONE"}
GLOBAL = 10_000  # added to the number of a field for the id of its context
TAB = "Field Tab"
PROJECT_KINDS = {
    "software": ("Software", "Bring your development work together."),
    "service_desk": ("Service Management", "Handle requests of customers and colleagues."),
    "business": ("Business", "Plan and track the work of any team."),
}


class NamedPage(Params):
    """A page of things, perhaps by part of their name."""

    startAt: StartAt = 0
    maxResults: MaxResults = 50
    queryString: Word | None = Field(default=None, description="Part of the name.")


class ContextList(Params):
    """Contexts of a custom field."""

    fieldId: Id = Field(description="Custom field id.", examples=["customfield_10050"])
    contextId: Words = Field(default_factory=list, description="Only these contexts.")
    startAt: StartAt = 0
    maxResults: MaxResults = 50


class StatusSearch(Params):
    """Statuses, perhaps of a project, a category or a name."""

    projectId: Id | None = Field(default=None, description="Project id.")
    searchString: Word | None = Field(default=None, description="Part of the name.")
    statusCategory: Word | None = Field(default=None, description="TODO, IN_PROGRESS or DONE.")
    startAt: StartAt = 0
    maxResults: MaxResults = 200


class WorkflowSearch(NamedPage):
    """Workflows, perhaps only those of some names."""

    workflowName: Words = Field(default_factory=list, description="Only these names.")


class ScreenRef(Params):
    """One screen."""

    screenId: Id = Field(description="Screen id.")


class TabRef(ScreenRef):
    """The tab of a screen."""

    tabId: Id = Field(description="Tab id; a screen has one tab.")


class AuditList(Params):
    """A page of the audit log."""

    offset: StartAt = 0
    limit: MaxResults = 1000
    filter: Word | None = Field(default=None, description="Words of the summary or of what was changed.")


class ProjectKey(Params):
    """One kind of project."""

    projectTypeKey: Word = Field(description="software, service_desk or business.", examples=["software"])


class CategoryRef(Params):
    """One project category."""

    id: Id = Field(description="Category id.")


def _require_admin(context: JiraContext) -> None:
    if not (context.is_admin or context.is_system):
        raise OperationError("not_site_admin")


def _select_named(rows: Sequence[T], name: Callable[[T], str], text: str | None) -> list[T]:
    wanted = (text or "").casefold()
    return [row for row in rows if wanted in name(row).casefold()]


def _read_screens(context: JiraContext) -> list[Screen]:
    return list(context.call.session.exec(select(Screen).order_by(col(Screen.id))))


@app.operation(
    "getContextsForField",
    source=API + "issue-custom-field-contexts",
    scope="read:jira-work",
    examples=[{"fieldId": "customfield_10050"}],
    raises=("field_not_found",),
)
def get_contexts_for_field(call: Call, params: ContextList) -> JsonObject:
    """List the contexts of a custom field: here one, for all projects and issue types."""
    context = JiraContext(call)
    if params.fieldId not in context.custom_fields:
        raise OperationError("field_not_found")
    id = str(GLOBAL + int(params.fieldId.rpartition("_")[2]))
    found = [id] if not params.contextId or id in params.contextId else []
    path = f"/rest/api/3/field/{params.fieldId}/context"
    return page_to_json(call, path, found, params.startAt, params.maxResults, _context_to_json)


def _context_to_json(id: str) -> JsonObject:
    name = "Default Configuration Scheme"
    return {"id": id, "name": name, "description": "", "isGlobalContext": True, "isAnyIssueType": True}


@app.operation(
    "searchStatuses", source=API + "status", scope="read:jira-work", examples=[{}], raises=("project_id_not_found",)
)
def search_statuses(call: Call, params: StatusSearch) -> JsonObject:
    """Find statuses by project, category and part of the name."""
    context = JiraContext(call)
    project = None if params.projectId is None else find_project(context, params.projectId)
    ids = None if project is None else _list_status_ids(context, project)
    found = [
        status
        for status in _select_named([*context.statuses.values()], lambda s: s.name, params.searchString)
        if (ids is None or status.id in ids) and params.statusCategory in (None, STATUS_CATEGORIES[status.category])
    ]
    limit = min(params.maxResults, 200)
    return page_to_json(call, "/rest/api/3/statuses/search", found, params.startAt, limit, _status_to_json)


def _list_status_ids(context: JiraContext, project: Project) -> set[int]:
    steps = [step for row in context.project_types(project.id) for step in context.transitions(row.workflow_id)]
    return {id for step in steps for id in (*step.from_ids, step.to_id)}


def _status_to_json(status: Status) -> JsonObject:
    return {
        "id": str(status.id),
        "name": status.name,
        "statusCategory": STATUS_CATEGORIES[status.category],
        "scope": {"type": "GLOBAL"},
        "description": status.description,
        "usages": [],
        "workflowUsages": [],
    }


@app.operation(
    "getWorkflowsPaginated",
    source=API + "workflows",
    scope="manage:jira-configuration",
    examples=[{}],
    raises=("not_site_admin",),
)
def get_workflows_paginated(call: Call, params: WorkflowSearch) -> JsonObject:
    """List workflows with their statuses and transitions; for administrators of the site."""
    context = JiraContext(call)
    _require_admin(context)
    rows = [*call.session.exec(select(Workflow).order_by(Workflow.name))]
    found = [
        row
        for row in _select_named(rows, lambda w: w.name, params.queryString)
        if not params.workflowName or row.name in params.workflowName
    ]
    limit = min(params.maxResults, 50)
    return page_to_json(
        call, "/rest/api/3/workflow/search", found, params.startAt, limit, lambda w: _workflow_to_json(context, w)
    )


def _workflow_to_json(context: JiraContext, workflow: Workflow) -> JsonObject:
    steps = context.transitions(workflow.id)
    used = sorted({id for step in steps for id in (*step.from_ids, step.to_id)} | {workflow.initial_status_id})
    return {
        "id": {"name": workflow.name, "entityId": f"{workflow.id:08d}-0000-4000-8000-000000000000"},
        "description": "",
        "transitions": [
            {
                "id": str(step.id),
                "name": step.name,
                "description": "",
                "from": [str(id) for id in step.from_ids],
                "to": str(step.to_id),
                "type": "directed" if step.from_ids else "global",
                **({"screen": {"id": str(step.screen_id)}} if step.screen_id is not None else {}),
            }
            for step in steps
        ],
        "statuses": [{"id": str(id), "name": context.statuses[id].name, "properties": {}} for id in used],
        "isDefault": False,
        "hasDraftWorkflow": False,
    }


@app.operation(
    "getScreens",
    source=API + "screens",
    scope="manage:jira-configuration",
    examples=[{}],
    raises=("not_site_admin",),
)
def get_screens(call: Call, params: NamedPage) -> JsonObject:
    """List screens; for administrators of the site."""
    context = JiraContext(call)
    _require_admin(context)
    found = _select_named(_read_screens(context), lambda s: s.name, params.queryString)
    limit = min(params.maxResults, 100)
    show: Callable[[Screen], JsonObject] = lambda s: {"id": s.id, "name": s.name, "description": ""}  # noqa: E731
    return page_to_json(call, "/rest/api/3/screens", found, params.startAt, limit, show)


def _find_screen(context: JiraContext, id: str) -> Screen:
    number = parse_number(id)
    found = None if number is None else context.call.session.get(Screen, number)
    if found is None:
        raise OperationError("screen_not_found", screen=id)
    return found


@app.operation(
    "getAllScreenTabs",
    source=API + "screen-tabs",
    scope="manage:jira-configuration",
    examples=[{"screenId": "$getScreens:values.0.id"}],
    raises=("not_site_admin", "screen_not_found"),
)
def get_all_screen_tabs(call: Call, params: ScreenRef) -> list[JsonObject]:
    """List the tabs of a screen: here one."""
    context = JiraContext(call)
    _require_admin(context)
    return [{"id": _find_screen(context, params.screenId).id, "name": TAB}]


@app.operation(
    "getAllScreenTabFields",
    source=API + "screen-tab-fields",
    scope="manage:jira-configuration",
    examples=[{"screenId": "$getScreens:values.0.id", "tabId": "$getAllScreenTabs:0.id"}],
    raises=("not_site_admin", "screen_not_found"),
)
def get_all_screen_tab_fields(call: Call, params: TabRef) -> list[JsonObject]:
    """List the fields of a screen's tab in their order."""
    context = JiraContext(call)
    _require_admin(context)
    screen = _find_screen(context, params.screenId)
    if params.tabId != str(screen.id):
        raise OperationError("screen_not_found", screen=params.tabId)
    query = select(ScreenField.field_id).where(ScreenField.screen_id == screen.id)
    known = get_fields_by_id(context)
    ids = call.session.exec(query.order_by(col(ScreenField.position), ScreenField.field_id))
    return [{"id": id, "name": known[id].name} for id in ids if id in known]


@app.operation("getAllProjectTypes", source=API + "project-types", scope="read:jira-work", examples=[{}])
def get_all_project_types(call: Call, params: NoParams) -> list[JsonObject]:
    """List the kinds of projects there are."""
    return [_kind_to_json(key) for key in PROJECT_KINDS]


@app.operation(
    "getProjectTypeByKey",
    source=API + "project-types",
    scope="read:jira-work",
    examples=[{"projectTypeKey": "software"}],
    raises=("project_kind_not_found",),
)
def get_project_type_by_key(call: Call, params: ProjectKey) -> JsonObject:
    """Read one kind of project."""
    if params.projectTypeKey not in PROJECT_KINDS:
        raise OperationError("project_kind_not_found", kind=params.projectTypeKey)
    return _kind_to_json(params.projectTypeKey)


def _kind_to_json(key: str) -> JsonObject:
    name, description = PROJECT_KINDS[key]
    return {
        "key": key,
        "formattedKey": name,
        "descriptionI18nKey": f"jira.project.type.{key}.description",
        "description": description,
        "icon": "",
        "color": "",
    }


@app.operation("getAllProjectCategories", source=API + "project-categories", scope="read:jira-work", examples=[{}])
def get_all_project_categories(call: Call, params: NoParams) -> list[JsonObject]:
    """List the headings over projects."""
    context = JiraContext(call)
    return [project_category_to_json(context, row) for row in context.categories.values()]


@app.operation(
    "getProjectCategoryById",
    source=API + "project-categories",
    scope="read:jira-work",
    examples=[{"id": "$getAllProjectCategories:0.id"}],
    raises=("category_not_found",),
)
def get_project_category_by_id(call: Call, params: CategoryRef) -> JsonObject:
    """Read one heading over projects."""
    number = parse_number(params.id)
    found = None if number is None else call.session.get(Category, number)
    if found is None:
        raise OperationError("category_not_found", category=params.id)
    return project_category_to_json(JiraContext(call), found)


@app.operation("getSiteConfiguration", source=API + "jira-settings", scope="read:jira-work", examples=[{}])
def get_configuration(call: Call, params: NoParams) -> JsonObject:
    """Read which features the site has switched on, and how long a working day and week are."""
    on = {"votingEnabled", "watchingEnabled", "unassignedIssuesAllowed", "subTasksEnabled", "issueLinkingEnabled"}
    names = (*sorted(on), "timeTrackingEnabled", "attachmentsEnabled")
    hours = {"workingHoursPerDay": 8.0, "workingDaysPerWeek": 5.0, "timeFormat": "pretty", "defaultUnit": "minute"}
    return {**dict.fromkeys(names, True), "timeTrackingConfiguration": hours}


@app.operation(
    "getDynamicWebhooksForApp",
    source=API + "webhooks",
    scope="manage:jira-webhook",
    examples=[],
    raises=("only_for_apps",),
)
def get_dynamic_webhooks(call: Call, params: NamedPage) -> JsonObject:
    """List the webhooks of the calling app. People and their tokens are refused, and no apps are installed here."""
    raise OperationError("only_for_apps")


@app.operation(
    "getAuditRecords",
    source=API + "audit-records",
    scope="manage:jira-configuration",
    examples=[{}],
    raises=("not_site_admin",),
)
def get_audit_records(call: Call, params: AuditList) -> JsonObject:
    """List what administrators did, newest first: the projects they made. For administrators of the site."""
    context = JiraContext(call)
    _require_admin(context)
    made = sorted(context.projects.values(), key=lambda p: (-p.created_at, p.id))
    found = [p for p in made if (params.filter or "").casefold() in f"project created {p.name} {p.key}".casefold()]
    limit = min(params.limit, 1000)
    shown = [_record_to_json(context, project) for project in found[params.offset : params.offset + limit]]
    return {"offset": params.offset, "limit": limit, "total": len(found), "records": shown}


def _record_to_json(context: JiraContext, project: Project) -> JsonObject:
    return {
        "id": project.id,
        "summary": "Project created",
        "created": format_timestamp(project.created_at),
        "category": "projects",
        "eventSource": "",
        "authorAccountId": context.account(project.lead_id),
        "objectItem": {"id": str(project.id), "name": project.name, "typeName": "PROJECT"},
        "changedValues": [
            {"fieldName": "Name", "changedTo": project.name},
            {"fieldName": "Key", "changedTo": project.key},
            {"fieldName": "Project lead", "changedTo": context.name(project.lead_id)},
        ],
    }
