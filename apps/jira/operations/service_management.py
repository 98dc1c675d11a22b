"""Projects of the kind `service_desk` as the service management API shows them: desks, request types, queues, requests."""

from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import Field
from sqlalchemy import ColumnElement
from sqlmodel import col, func, or_, select

from apps.jira.app import app
from apps.jira.domain.access import find_issue, find_person, parse_number, project_of, require
from apps.jira.domain.context import JiraContext
from apps.jira.domain.service_management_views import (
    page_to_json,
    request_to_json,
    request_type_to_json,
    service_desk_to_json,
    status_of_request_to_json,
)
from apps.jira.models import Issue, IssueType, Project
from apps.jira.operations.creation import create_issue_row
from apps.jira.operations.issue_view import issues_to_json
from apps.jira.operations.meta import VERSION
from apps.jira.operations.params import Id, IssueRef, JsonObjectParam, MaxResults, StartAt, Word
from apps.jira.operations.search import count_matches, find_issues, view_options
from world.core.call import Call
from world.core.errors import OperationError
from world.core.json_types import JsonObject
from world.core.params import NoParams, Params, Text

SOURCE = "developer.atlassian.com/cloud/jira/service-desk/rest/api-group-"
KIND = "service_desk"
PAGE = 50
COLUMNS = ("issuetype", "issuekey", "summary", "reporter", "assignee", "status", "created")


@dataclass(frozen=True, slots=True)
class Queue:
    """A queue of a desk: the name, and what restricts the project's issues."""

    name: str
    jql: str


QUEUES = {
    1: Queue("All open", "resolution = Unresolved"),
    2: Queue("Assigned to me", "assignee = currentUser() AND resolution = Unresolved"),
    3: Queue("Unassigned issues", "assignee IS EMPTY AND resolution = Unresolved"),
    4: Queue("Resolved", "resolution IS NOT EMPTY"),
}


class DeskPage(Params):
    """A page by offset."""

    start: StartAt = 0
    limit: MaxResults = PAGE


class DeskRef(Params):
    """One service desk, by its id or the key of its project."""

    serviceDeskId: Id = Field(description="Service desk id, or the key of its project.", examples=["INC"])


class DeskParts(DeskPage, DeskRef):
    """A page of the parts of a service desk."""

    searchQuery: Word | None = Field(default=None, description="Part of the name.")


class RequestTypeRef(DeskRef):
    """One request type of a desk."""

    requestTypeId: Id = Field(description="Request type id.")


class QueueList(DeskPage, DeskRef):
    """A page of the queues of a desk."""

    includeCount: bool = Field(default=False, description="Whether the number of issues is counted.")


class QueueRef(DeskRef):
    """One queue of a desk."""

    queueId: Id = Field(description="Queue id.", examples=["1"])
    includeCount: bool = Field(default=False, description="Whether the number of issues is counted.")


class QueueIssues(DeskPage, DeskRef):
    """A page of the issues in a queue."""

    queueId: Id = Field(description="Queue id.", examples=["1"])


class RequestList(DeskPage):
    """Which requests are wanted."""

    searchTerm: Word | None = Field(default=None, description="Part of the summary.")
    requestOwnership: Literal["OWNED_REQUESTS", "ALL_REQUESTS"] = Field(
        default="OWNED_REQUESTS", description="Yours, or all you may see."
    )
    requestStatus: Literal["OPEN_REQUESTS", "CLOSED_REQUESTS", "ALL_REQUESTS"] = Field(
        default="ALL_REQUESTS", description="Whether they are resolved."
    )
    serviceDeskId: Id | None = Field(default=None, description="Only of this service desk.")
    requestTypeId: Id | None = Field(default=None, description="Only of this request type.")


class RequestRef(Params):
    """One request."""

    issueIdOrKey: IssueRef


class RequestStatuses(DeskPage, RequestRef):
    """A page of the statuses a request had."""


class RequestNew(Params):
    """A request to raise."""

    serviceDeskId: Id = Field(description="Service desk id.", examples=["$getServiceDesks:values.0.id"])
    requestTypeId: Id = Field(description="Request type id.", examples=["$getRequestTypes:values.0.id"])
    requestFieldValues: JsonObjectParam = Field(
        description="Values by field: summary, description, and what the request type asks."
    )
    raiseOnBehalfOf: Annotated[Text, Field(max_length=255)] | None = Field(
        default=None, description="Account id of the person who asks."
    )


def find_desk(context: JiraContext, id_or_key: str) -> Project:
    """The project of a service desk that the caller may see. Raises service_desk_not_found."""
    for project in _list_desks(context):
        if id_or_key in (str(project.id), project.key):
            return project
    raise OperationError("service_desk_not_found", desk=id_or_key)


def _list_desks(context: JiraContext) -> list[Project]:
    return [p for id in context.visible_projects if (p := context.projects[id]).type_key == KIND]


def find_request(context: JiraContext, id_or_key: str, permission: str = "BROWSE_PROJECTS") -> Issue:
    """The issue of a request. Raises request_not_found, or the permission's refusal."""
    try:
        issue = find_issue(context, id_or_key, permission)
    except OperationError as refused:
        if refused.code != "issue_not_found":
            raise
        raise OperationError("request_not_found", request=id_or_key) from None
    if project_of(context, issue).type_key != KIND:
        raise OperationError("request_not_found", request=id_or_key)
    return issue


def _list_request_types(context: JiraContext, project: Project) -> list[IssueType]:
    return [context.types[row.issue_type_id] for row in context.project_types(project.id)]


@app.operation("getInfo", source=SOURCE + "info", scope="read:servicedesk-request", examples=[{}])
def get_info(call: Call, params: NoParams) -> JsonObject:
    """Read the version of the service management of this site."""
    return {
        "version": VERSION,
        "platformVersion": VERSION,
        "isLicensedForUse": True,
        "_links": {"self": f"{call.base_url}/rest/servicedeskapi/info"},
    }


@app.operation("getServiceDesks", source=SOURCE + "servicedesk", scope="read:servicedesk-request", examples=[{}])
def get_service_desks(call: Call, params: DeskPage) -> JsonObject:
    """List the service desks you can see, a page at a time."""
    context = JiraContext(call)
    shown = [service_desk_to_json(context, project) for project in _list_desks(context)]
    return page_to_json(call, "servicedesk", shown, params.start, params.limit)


@app.operation(
    "getServiceDeskById",
    source=SOURCE + "servicedesk",
    scope="read:servicedesk-request",
    examples=[{"serviceDeskId": "$getServiceDesks:values.0.id"}],
    raises=("service_desk_not_found",),
)
def get_service_desk_by_id(call: Call, params: DeskRef) -> JsonObject:
    """Read a service desk by its id or the key of its project."""
    context = JiraContext(call)
    return service_desk_to_json(context, find_desk(context, params.serviceDeskId))


@app.operation(
    "getRequestTypes",
    source=SOURCE + "servicedesk",
    scope="read:servicedesk-request",
    examples=[{"serviceDeskId": "$getServiceDesks:values.0.id"}],
    raises=("service_desk_not_found",),
)
def get_request_types(call: Call, params: DeskParts) -> JsonObject:
    """List what can be asked of a service desk."""
    context = JiraContext(call)
    project, text = find_desk(context, params.serviceDeskId), (params.searchQuery or "").casefold()
    found = [kind for kind in _list_request_types(context, project) if text in kind.name.casefold()]
    shown = [request_type_to_json(call, project, kind) for kind in found]
    return page_to_json(call, f"servicedesk/{project.id}/requesttype", shown, params.start, params.limit)


@app.operation(
    "getRequestTypeById",
    source=SOURCE + "servicedesk",
    scope="read:servicedesk-request",
    examples=[
        {"serviceDeskId": "$getServiceDesks:values.0.id", "requestTypeId": "$getRequestTypes:values.0.id"},
    ],
    raises=("service_desk_not_found", "request_type_not_found"),
)
def get_request_type_by_id(call: Call, params: RequestTypeRef) -> JsonObject:
    """Read one request type of a service desk."""
    context = JiraContext(call)
    project = find_desk(context, params.serviceDeskId)
    return request_type_to_json(call, project, _find_request_type(context, project, params.requestTypeId))


def _find_request_type(context: JiraContext, project: Project, id: str) -> IssueType:
    found = next((kind for kind in _list_request_types(context, project) if str(kind.id) == id), None)
    if found is None:
        raise OperationError("request_type_not_found", kind=id)
    return found


@app.operation(
    "getQueues",
    source=SOURCE + "servicedesk",
    scope="manage:servicedesk-customer",
    examples=[{"serviceDeskId": "$getServiceDesks:values.0.id", "includeCount": True}],
    raises=(
        "bad_jql",
        "service_desk_not_found",
    ),
)
def get_queues(call: Call, params: QueueList) -> JsonObject:
    """List the queues of a service desk: open, yours, unassigned, resolved."""
    context = JiraContext(call)
    project = find_desk(context, params.serviceDeskId)
    shown = [_queue_to_json(context, project, id, counted=params.includeCount) for id in QUEUES]
    return page_to_json(call, f"servicedesk/{project.id}/queue", shown, params.start, params.limit)


@app.operation(
    "getQueue",
    source=SOURCE + "servicedesk",
    scope="manage:servicedesk-customer",
    examples=[{"serviceDeskId": "$getServiceDesks:values.0.id", "queueId": "1"}],
    raises=("bad_jql", "service_desk_not_found", "queue_not_found"),
)
def get_queue(call: Call, params: QueueRef) -> JsonObject:
    """Read one queue of a service desk."""
    context = JiraContext(call)
    project = find_desk(context, params.serviceDeskId)
    return _queue_to_json(context, project, _find_queue(params.queueId), counted=params.includeCount)


def _find_queue(id: str) -> int:
    number = parse_number(id)
    if number not in QUEUES:
        raise OperationError("queue_not_found", queue=id)
    return number


def _jql(project: Project, id: int) -> str:
    return f"project = {project.key} AND {QUEUES[id].jql} ORDER BY created DESC"


def _queue_to_json(context: JiraContext, project: Project, id: int, *, counted: bool) -> JsonObject:
    address = f"{context.call.base_url}/rest/servicedeskapi/servicedesk/{project.id}/queue/{id}"
    out: JsonObject = {"id": str(id), "name": QUEUES[id].name, "jql": _jql(project, id), "fields": [*COLUMNS]}
    out["_links"] = {"self": address}
    return out | {"issueCount": count_matches(context, _jql(project, id))} if counted else out


@app.operation(
    "getIssuesInQueue",
    source=SOURCE + "servicedesk",
    scope="manage:servicedesk-customer",
    examples=[{"serviceDeskId": "$getServiceDesks:values.0.id", "queueId": "1"}],
    raises=("bad_jql", "service_desk_not_found", "queue_not_found"),
)
def get_issues_in_queue(call: Call, params: QueueIssues) -> JsonObject:
    """List the issues in a queue, newest first."""
    context = JiraContext(call)
    project, id = find_desk(context, params.serviceDeskId), _find_queue(params.queueId)
    limit = min(params.limit, PAGE)
    issues = find_issues(context, _jql(project, id), limit=limit + 1, start=params.start)
    look = view_options(context, [*COLUMNS], None, "wiki", "")
    path = f"servicedesk/{project.id}/queue/{id}/issue"
    return page_to_json(call, path, issues_to_json(look, issues), params.start, limit, cut=True)


@app.operation(
    "getCustomerRequests",
    source=SOURCE + "request",
    scope="read:servicedesk-request",
    examples=[{"requestOwnership": "ALL_REQUESTS"}],
)
def get_customer_requests(call: Call, params: RequestList) -> JsonObject:
    """List requests, newest first: yours, or all you may see."""
    context = JiraContext(call)
    desks = [p.id for p in _list_desks(context) if params.serviceDeskId in (None, str(p.id), p.key)]
    where: list[ColumnElement[bool]] = [col(Issue.project_id).in_(desks), col(Issue.deleted_at).is_(None)]
    if params.requestOwnership == "OWNED_REQUESTS":
        where.append(or_(col(Issue.reporter_id) == call.person, col(Issue.creator_id) == call.person))
    if params.requestStatus != "ALL_REQUESTS":
        resolved = col(Issue.resolution_id).is_not(None)
        where.append(resolved if params.requestStatus == "CLOSED_REQUESTS" else ~resolved)
    if params.requestTypeId is not None:
        where.append(col(Issue.issue_type_id) == (parse_number(params.requestTypeId) or 0))
    if params.searchTerm:
        where.append(func.instr(func.lower(Issue.summary), params.searchTerm.lower()) > 0)
    limit = min(params.limit, PAGE)
    query = select(Issue).where(*where).order_by(col(Issue.created_at).desc(), col(Issue.id).desc())
    rows = list(call.session.exec(query.offset(params.start).limit(limit + 1)))
    shown = [request_to_json(context, issue) for issue in rows]
    return page_to_json(call, "request", shown, params.start, limit, cut=True)


@app.operation(
    "getCustomerRequestByIdOrKey",
    source=SOURCE + "request",
    scope="read:servicedesk-request",
    examples=[{"issueIdOrKey": "$getCustomerRequests:values.0.issueKey"}],
    raises=("request_not_found",),
)
def get_customer_request(call: Call, params: RequestRef) -> JsonObject:
    """Read one request: what was asked, by whom, and where it stands."""
    context = JiraContext(call)
    return request_to_json(context, find_request(context, params.issueIdOrKey))


@app.operation(
    "getCustomerRequestStatus",
    source=SOURCE + "request",
    scope="read:servicedesk-request",
    examples=[{"issueIdOrKey": "$getCustomerRequests:values.0.issueKey"}],
    raises=("request_not_found",),
)
def get_customer_request_status(call: Call, params: RequestStatuses) -> JsonObject:
    """List the statuses a request had, the latest first."""
    context = JiraContext(call)
    issue = find_request(context, params.issueIdOrKey)
    shown = status_of_request_to_json(context, issue)
    return page_to_json(call, f"request/{issue.id}/status", shown, params.start, params.limit)


@app.operation(
    "createCustomerRequest",
    writes=True,
    source=SOURCE + "request",
    scope="write:servicedesk-request",
    examples=[
        {
            "serviceDeskId": "$getServiceDesks:values.0.id",
            "requestTypeId": "$getRequestTypes:values.0.id",
            "requestFieldValues": {"summary": "The card reader in the lobby is dead"},
        }
    ],
    raises=(
        "bad_visibility",
        "cannot_link",
        "empty_comment",
        "issue_not_found",
        "link_to_self",
        "link_type_not_found",
        "service_desk_not_found",
        "request_type_not_found",
        "user_not_found",
        "field_errors",
        "cannot_create",
        "cannot_administer",
    ),
)
def create_customer_request(call: Call, params: RequestNew) -> JsonObject:
    """Raise a request at a service desk, for yourself or on behalf of somebody."""
    context = JiraContext(call)
    project = find_desk(context, params.serviceDeskId)
    kind = _find_request_type(context, project, params.requestTypeId)
    fields: JsonObject = {**params.requestFieldValues, "project": {"id": str(project.id)}}
    fields["issuetype"] = {"id": str(kind.id)}
    issue = create_issue_row(context, fields, {}, "wiki")
    if params.raiseOnBehalfOf is not None:
        require(context, "MODIFY_REPORTER", project)
        issue.reporter_id = find_person(context, params.raiseOnBehalfOf)
    return request_to_json(context, issue)
