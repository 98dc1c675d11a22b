"""Service desks, request types and requests in the form of the service management API."""

from collections.abc import Sequence

from sqlmodel import col, select

from apps.jira.domain.context import JiraContext, format_timestamp
from apps.jira.domain.text import show_body
from apps.jira.models import ChangeItem, Issue, IssueType, Project
from world.core.call import Call
from world.core.clock import to_datetime
from world.core.json_types import JsonObject

REQUEST_CATEGORIES = {"new": "NEW", "indeterminate": "INDETERMINATE", "done": "DONE"}


def page_to_json(
    call: Call, path: str, values: Sequence[JsonObject], start: int, limit: int, *, cut: bool = False
) -> JsonObject:
    """A page of the service management API. With `cut` the values begin at `start` and one more tells of a next page."""
    rest = values if cut else values[start:]
    base = f"{call.base_url}/rest/servicedeskapi"
    links = {"self": f"{base}/{path}?start={start}&limit={limit}", "base": call.base_url, "context": ""}
    if len(rest) > limit:
        links["next"] = f"{base}/{path}?start={start + limit}&limit={limit}"
    shown = [*rest[:limit]]
    return {
        "_expands": [],
        "size": len(shown),
        "start": start,
        "limit": limit,
        "isLastPage": len(rest) <= limit,
        "_links": links,
        "values": shown,
    }


def moment_to_json(at: int) -> JsonObject:
    """A time in the API's four forms, UTC."""
    stamp, moment = format_timestamp(at) or "", to_datetime(at)
    hour = f"{moment:%I:%M %p}".lstrip("0")
    return {
        "iso8601": f"{moment:%Y-%m-%dT%H:%M:%S}+0000",
        "jira": stamp,
        "friendly": f"{moment:%d/%b/%y} {hour}",
        "epochMillis": at // 1000,
    }


def service_desk_to_json(context: JiraContext, project: Project) -> JsonObject:
    """A service desk."""
    return {
        "id": str(project.id),
        "projectId": str(project.id),
        "projectName": project.name,
        "projectKey": project.key,
        "_links": {"self": f"{context.call.base_url}/rest/servicedeskapi/servicedesk/{project.id}"},
    }


def request_type_to_json(call: Call, project: Project, kind: IssueType) -> JsonObject:
    """A request type: an issue type of the desk's project."""
    address = f"{call.base_url}/rest/servicedeskapi/servicedesk/{project.id}/requesttype/{kind.id}"
    return {
        "_expands": ["field"],
        "id": str(kind.id),
        "_links": {"self": address},
        "name": kind.name,
        "description": kind.description,
        "helpText": "",
        "issueTypeId": str(kind.id),
        "serviceDeskId": str(project.id),
        "portalId": str(project.id),
        "groupIds": [],
    }


def request_to_json(context: JiraContext, issue: Issue) -> JsonObject:
    """A request."""
    call = context.call
    base, project = call.base_url, context.projects[issue.project_id]
    return {
        "_expands": ["participant", "status", "sla", "requestType", "serviceDesk", "attachment", "action", "comment"],
        "issueId": str(issue.id),
        "issueKey": issue.key,
        "summary": issue.summary,
        "requestTypeId": str(issue.issue_type_id),
        "serviceDeskId": str(issue.project_id),
        "createdDate": moment_to_json(issue.created_at),
        "reporter": context.user(issue.reporter_id),
        "requestFieldValues": [
            {"fieldId": "summary", "label": "Summary", "value": issue.summary},
            {"fieldId": "description", "label": "Description", "value": show_body(issue.description, "wiki")},
        ],
        "currentStatus": _status_to_json(context, issue.status_id, issue.status_changed_at or issue.created_at),
        "_links": {
            "self": f"{base}/rest/servicedeskapi/request/{issue.id}",
            "jiraRest": f"{base}/rest/api/2/issue/{issue.id}",
            "web": call.public_link(f"/servicedesk/customer/portal/{project.id}/{issue.key}"),
            "agent": call.public_link(f"/browse/{issue.key}"),
        },
    }


def _status_to_json(context: JiraContext, status_id: int, at: int) -> JsonObject:
    status = context.statuses[status_id]
    category = REQUEST_CATEGORIES.get(status.category, "UNDEFINED")
    return {"status": status.name, "statusCategory": category, "statusDate": moment_to_json(at)}


def status_of_request_to_json(context: JiraContext, issue: Issue) -> list[JsonObject]:
    """The statuses a request had, the latest first."""
    query = select(ChangeItem).where(ChangeItem.issue_id == issue.id, ChangeItem.field_id == "status")
    rows = list(context.call.session.exec(query.order_by(col(ChangeItem.history_id).desc())))
    first = int(rows[-1].from_value or issue.status_id) if rows else issue.status_id
    later = [(int(row.to_value or issue.status_id), row.created_at) for row in rows]
    return [_status_to_json(context, id, at) for id, at in (*later, (first, issue.created_at))]
