"""The site and its vocabulary: server info, fields, types, statuses, priorities, resolutions, create metadata."""

from pydantic import Field
from sqlalchemy import func, true
from sqlmodel import col, select

from apps.jira.app import app
from apps.jira.domain.access import find_project, parse_number
from apps.jira.domain.context import JiraContext, format_timestamp
from apps.jira.domain.field_meta import get_create_meta
from apps.jira.domain.fields import field_to_json, get_fields_by_id
from apps.jira.domain.lookups import (
    CATEGORIES,
    category_to_json,
    issue_type_to_json,
    option_to_json,
    priority_details_to_json,
    project_to_json,
    resolution_to_json,
    status_to_json,
)
from apps.jira.domain.offset_pages import page_to_json
from apps.jira.models import Issue, Site
from apps.jira.operations.params import (
    Expand,
    Id,
    MaxResults,
    PageParams,
    ProjectRef,
    StartAt,
    Word,
    Words,
    split_commas,
)
from world.core.call import Call
from world.core.errors import OperationError
from world.core.json_types import JsonObject
from world.core.params import NoParams, Params

API = "developer.atlassian.com/cloud/jira/platform/rest/v3/api-group-"
VERSION = "1001.0.0-SNAPSHOT"


class IdRef(Params):
    """One thing by id."""

    id: Id = Field(description="Id.")


class StatusRef(Params):
    """One status by id or name."""

    idOrName: Id = Field(description="Status id or name.")


class CreateMeta(Params):
    """Create metadata of several projects."""

    projectIds: Words = Field(default_factory=list, description="Project ids.")
    projectKeys: Words = Field(default_factory=list, description="Project keys.")
    issuetypeIds: Words = Field(default_factory=list, description="Issue type ids.")
    issuetypeNames: Words = Field(default_factory=list, description="Issue type names.")
    expand: Expand | None = Field(default=None, description="projects.issuetypes.fields adds the fields.")


class CreateTypes(PageParams):
    """Issue types of a project."""

    projectIdOrKey: ProjectRef


class CreateFields(PageParams):
    """Fields of an issue type's create screen."""

    projectIdOrKey: ProjectRef
    issueTypeId: Id = Field(description="Issue type id.")


class Search(Params):
    """A page by part of the name."""

    startAt: StartAt = 0
    maxResults: MaxResults = 50
    query: Word | None = Field(default=None, description="Part of the name.")


class FieldSearch(Search):
    """Fields by part of the name."""

    type: Words = Field(default_factory=list, description="custom or system.")
    id: Words = Field(default_factory=list, description="Only these ids.")


class OptionList(Params):
    """Options of a select field."""

    fieldId: Id = Field(description="Custom field id.", examples=["customfield_10050"])
    contextId: Id | None = Field(default=None, description="Field context id.")
    startAt: StartAt = 0
    maxResults: MaxResults = 100


class LabelList(Params):
    """Labels in use, a page at a time."""

    startAt: StartAt = 0
    maxResults: MaxResults = 1000


@app.operation("getServerInfo", source=API + "server-info", scope="read:jira-work", examples=[{}])
def get_server_info(call: Call, params: NoParams) -> JsonObject:
    """Read what site this is: address, version, the time there."""
    site, address = call.session.get(Site, 1), call.public_link("")
    return {
        "baseUrl": address,
        "displayUrl": address,
        "displayUrlServicedeskHelpCenter": address,
        "displayUrlConfluence": address,
        "version": VERSION,
        "versionNumbers": [1001, 0, 0],
        "deploymentType": "Cloud",
        "buildNumber": 100_290,
        "buildDate": "2026-01-01T00:00:00.000+0000",
        "serverTime": format_timestamp(call.now),
        "scmInfo": "0000000000000000000000000000000000000000",
        "serverTitle": site.title if site else "Jira",
        "defaultLocale": {"locale": "en_US"},
        "serverTimeZone": "UTC",
    }


@app.operation(
    "getAccessibleResources",
    source="developer.atlassian.com/cloud/jira/platform/oauth-2-3lo-apps",
    scope="read:jira-work",
    examples=[{}],
)
def get_accessible_resources(call: Call, params: NoParams) -> list[JsonObject]:
    """List the sites you can reach, with their cloud ids."""
    site = call.session.get(Site, 1)
    company = call.directory.company()
    scopes = sorted(call.principal.scopes) or ["read:jira-user", "read:jira-work", "write:jira-work"]
    avatar = f"{call.base_url}/images/site.png"
    return [
        {
            "id": site.cloud_id if site else "",
            "name": company.jira_site,
            "url": call.public_link(""),
            "scopes": scopes,
            "avatarUrl": avatar,
        }
    ]


@app.operation("getFields", source=API + "issue-fields", scope="read:jira-work", examples=[{}])
def get_fields(call: Call, params: NoParams) -> list[JsonObject]:
    """List all fields, system and custom, with the names JQL knows them by."""
    return [field_to_json(field) for field in get_fields_by_id(JiraContext(call)).values()]


@app.operation(
    "getFieldsPaginated", source=API + "issue-fields", scope="read:jira-work", examples=[{"query": "sprint"}]
)
def get_fields_paginated(call: Call, params: FieldSearch) -> JsonObject:
    """Find fields by part of their name."""
    text = (params.query or "").casefold()
    found = [
        field
        for field in get_fields_by_id(JiraContext(call)).values()
        if text in field.name.casefold()
        and (not params.id or field.id in params.id)
        and (not params.type or ("custom" if field.is_custom else "system") in params.type)
    ]
    found.sort(key=lambda field: (field.name.casefold(), field.id))
    limit = min(params.maxResults, 50)
    return page_to_json(
        call,
        "/rest/api/3/field/search",
        found,
        params.startAt,
        limit,
        lambda f: {"id": f.id, "name": f.name, "schema": f.schema()},
    )


@app.operation(
    "getOptionsForContext",
    source=API + "issue-custom-field-options",
    scope="read:jira-work",
    examples=[{"fieldId": "customfield_10050", "contextId": "1"}],
    raises=("field_not_found",),
)
def get_options_for_context(call: Call, params: OptionList) -> JsonObject:
    """List the options of a select field."""
    context = JiraContext(call)
    if params.fieldId not in context.custom_fields:
        raise OperationError("field_not_found")
    rows = context.options.get(params.fieldId, [])
    path = f"/rest/api/3/field/{params.fieldId}/context/{params.contextId or 1}/option"
    show = lambda o: {"id": str(o.id), "value": o.value, "disabled": o.disabled}  # noqa: E731
    return page_to_json(call, path, rows, params.startAt, min(params.maxResults, 1000), show)


@app.operation(
    "getCustomFieldOption",
    source=API + "issue-custom-field-options",
    scope="read:jira-work",
    examples=[{"id": "$getOptionsForContext:values.0.id"}],
    raises=("field_not_found",),
)
def get_custom_field_option(call: Call, params: IdRef) -> JsonObject:
    """Read one option of a select field."""
    context = JiraContext(call)
    for rows in context.options.values():
        for row in rows:
            if str(row.id) == params.id:
                shown = option_to_json(context, row)
                return {"self": shown["self"], "value": row.value}
    raise OperationError("field_not_found")


@app.operation("getIssueAllTypes", source=API + "issue-types", scope="read:jira-work", examples=[{}])
def get_issue_all_types(call: Call, params: NoParams) -> list[JsonObject]:
    """List all issue types of the site."""
    context = JiraContext(call)
    return [issue_type_to_json(context, kind) for kind in context.types.values()]


@app.operation(
    "getIssueType",
    source=API + "issue-types",
    scope="read:jira-work",
    examples=[{"id": "$getIssueAllTypes:0.id"}],
    raises=("issue_type_not_found",),
)
def get_issue_type(call: Call, params: IdRef) -> JsonObject:
    """Read one issue type."""
    context = JiraContext(call)
    found = context.types.get(parse_number(params.id) or 0)
    if found is None:
        raise OperationError("issue_type_not_found")
    return issue_type_to_json(context, found)


@app.operation("getPriorities", source=API + "issue-priorities", scope="read:jira-work", examples=[{}])
def get_priorities(call: Call, params: NoParams) -> list[JsonObject]:
    """List the priorities, highest first."""
    context = JiraContext(call)
    return [priority_details_to_json(context, row) for row in context.priorities.values()]


@app.operation("searchPriorities", source=API + "issue-priorities", scope="read:jira-work", examples=[{}])
def search_priorities(call: Call, params: Search) -> JsonObject:
    """List the priorities a page at a time."""
    context = JiraContext(call)
    rows = list(context.priorities.values())
    return page_to_json(
        call,
        "/rest/api/3/priority/search",
        rows,
        params.startAt,
        min(params.maxResults, 50),
        lambda r: priority_details_to_json(context, r),
    )


@app.operation(
    "getPriority",
    source=API + "issue-priorities",
    scope="read:jira-work",
    examples=[{"id": "$getPriorities:0.id"}],
    raises=("priority_not_found",),
)
def get_priority(call: Call, params: IdRef) -> JsonObject:
    """Read one priority."""
    context = JiraContext(call)
    found = context.priorities.get(parse_number(params.id) or 0)
    if found is None:
        raise OperationError("priority_not_found", priority=params.id)
    return priority_details_to_json(context, found)


@app.operation("getStatuses", source=API + "workflow-statuses", scope="read:jira-work", examples=[{}])
def get_statuses(call: Call, params: NoParams) -> list[JsonObject]:
    """List all statuses of the site with their categories."""
    context = JiraContext(call)
    return [status_to_json(context, row) for row in context.statuses.values()]


@app.operation(
    "getStatus",
    source=API + "workflow-statuses",
    scope="read:jira-work",
    examples=[{"idOrName": "$getStatuses:0.id"}],
    raises=("status_not_found",),
)
def get_status(call: Call, params: StatusRef) -> JsonObject:
    """Read one status by id or name."""
    context = JiraContext(call)
    wanted = params.idOrName.casefold()
    for row in context.statuses.values():
        if wanted in (str(row.id), row.name.casefold()):
            return status_to_json(context, row)
    raise OperationError("status_not_found", status=params.idOrName)


@app.operation("getStatusCategories", source=API + "workflow-status-categories", scope="read:jira-work", examples=[{}])
def get_status_categories(call: Call, params: NoParams) -> list[JsonObject]:
    """List the status categories: to do, in progress, done."""
    context = JiraContext(call)
    return [category_to_json(context, key) for key in CATEGORIES]


@app.operation("getResolutions", source=API + "issue-resolutions", scope="read:jira-work", examples=[{}])
def get_resolutions(call: Call, params: NoParams) -> list[JsonObject]:
    """List the resolutions an issue can end with."""
    context = JiraContext(call)
    return [resolution_to_json(context, row) for row in context.resolutions.values()]


@app.operation("searchResolutions", source=API + "issue-resolutions", scope="read:jira-work", examples=[{}])
def search_resolutions(call: Call, params: Search) -> JsonObject:
    """List the resolutions a page at a time."""
    context = JiraContext(call)
    rows = list(context.resolutions.values())
    show = lambda r: {**resolution_to_json(context, r), "isDefault": r.is_default}  # noqa: E731
    return page_to_json(call, "/rest/api/3/resolution/search", rows, params.startAt, min(params.maxResults, 50), show)


@app.operation(
    "getResolution",
    source=API + "issue-resolutions",
    scope="read:jira-work",
    examples=[{"id": "$getResolutions:0.id"}],
    raises=("resolution_not_found",),
)
def get_resolution(call: Call, params: IdRef) -> JsonObject:
    """Read one resolution."""
    context = JiraContext(call)
    found = context.resolutions.get(parse_number(params.id) or 0)
    if found is None:
        raise OperationError("resolution_not_found", resolution=params.id)
    return resolution_to_json(context, found)


def list_used_labels(context: JiraContext) -> list[str]:
    """Labels of issues the caller may see, by name."""
    labels = func.json_each(Issue.labels).table_valued("value")
    seen = (col(Issue.deleted_at).is_(None), col(Issue.project_id).in_(context.visible_projects))
    query = select(labels.c.value).select_from(Issue).join(labels, onclause=true()).where(*seen).distinct()
    return sorted(str(row[0]) for row in context.call.all(query))


@app.operation("getAllLabels", source=API + "labels", scope="read:jira-work", examples=[{}])
def get_all_labels(call: Call, params: LabelList) -> JsonObject:
    """List the labels in use, a page at a time."""
    rows = list_used_labels(JiraContext(call))
    return page_to_json(
        call, "/rest/api/3/label", rows, params.startAt, min(params.maxResults, 1000), lambda label: label
    )


@app.operation(
    "getCreateIssueMetaIssueTypes",
    source=API + "issues",
    scope="read:jira-work",
    examples=[{"projectIdOrKey": "SHOP"}],
    raises=("project_not_found", "project_id_not_found", "cannot_create"),
)
def get_create_issue_meta_issue_types(call: Call, params: CreateTypes) -> JsonObject:
    """List the issue types you can create in a project."""
    context = JiraContext(call)
    project = find_project(context, params.projectIdOrKey, "CREATE_ISSUES")
    rows = [issue_type_to_json(context, context.types[row.issue_type_id]) for row in context.project_types(project.id)]
    return _page_to_json("issueTypes", rows, params)


@app.operation(
    "getCreateIssueMetaIssueTypeId",
    source=API + "issues",
    scope="read:jira-work",
    examples=[{"projectIdOrKey": "SHOP", "issueTypeId": "10002"}],
    raises=("project_not_found", "project_id_not_found", "cannot_create", "project_type_not_found"),
)
def get_create_issue_meta_issue_type_id(call: Call, params: CreateFields) -> JsonObject:
    """List the fields of an issue type's create screen: which are required, what values are allowed."""
    context = JiraContext(call)
    project = find_project(context, params.projectIdOrKey, "CREATE_ISSUES")
    wanted = parse_number(params.issueTypeId) or 0
    if context.project_type(project.id, wanted) is None:
        raise OperationError("project_type_not_found")
    rows = [{**meta, "fieldId": name} for name, meta in get_create_meta(context, project, wanted).items()]
    return _page_to_json("fields", rows, params)


def _page_to_json(name: str, rows: list[JsonObject], params: PageParams) -> JsonObject:
    limit = min(params.maxResults if params.maxResults is not None else 50, 200)
    shown = rows[params.startAt : params.startAt + limit]
    return {"startAt": params.startAt, "maxResults": limit, "total": len(rows), name: shown}


@app.operation(
    "getCreateIssueMeta", source=API + "issues", scope="read:jira-work", examples=[{"projectKeys": ["SHOP"]}]
)
def get_create_issue_meta(call: Call, params: CreateMeta) -> JsonObject:
    """Read what can be created in which project; the older form that many clients still call."""
    context = JiraContext(call)
    asked = frozenset((*params.projectIds, *(key.upper() for key in params.projectKeys)))
    fields = "projects.issuetypes.fields" in split_commas(params.expand)
    out = []
    for id in context.visible_projects:
        project = context.projects[id]
        if (asked and not asked & {str(id), project.key}) or not context.may("CREATE_ISSUES", project):
            continue
        head = {
            name: value
            for name, value in project_to_json(context, project).items()
            if name in ("self", "id", "key", "name", "avatarUrls")
        }
        kinds = [context.types[row.issue_type_id] for row in context.project_types(id)]
        kinds = [kind for kind in kinds if _is_type_wanted(kind.id, kind.name, params)]
        types = [
            {
                **issue_type_to_json(context, kind),
                **({"expand": "fields", "fields": get_create_meta(context, project, kind.id)} if fields else {}),
            }
            for kind in kinds
        ]
        out.append({"expand": "issuetypes", **head, "issuetypes": types})
    return {"expand": "projects", "projects": sorted(out, key=lambda p: str(p["key"]))}


def _is_type_wanted(id: int, name: str, params: CreateMeta) -> bool:
    if not params.issuetypeIds and not params.issuetypeNames:
        return True
    return str(id) in params.issuetypeIds or name.casefold() in {n.casefold() for n in params.issuetypeNames}
