"""Worklogs across issues: which were changed or removed since a time, and several of them by their ids."""

from pydantic import Field
from sqlmodel import col, select

from apps.jira.app import app
from apps.jira.domain.access import visible_issue
from apps.jira.domain.context import JiraContext
from apps.jira.domain.history import WORKLOG
from apps.jira.models import ChangeItem, Worklog
from apps.jira.operations.params import BodyFormat
from apps.jira.operations.worklogs import SOURCE, worklog_to_json
from world.core.call import Call
from world.core.json_types import JsonObject
from world.core.params import INT64_MAX, Int64, Params

PAGE = 1000


class ChangedSince(Params):
    """The time from which on worklogs are wanted."""

    since: Int64 = Field(default=0, ge=0, le=INT64_MAX // 1000, description="Milliseconds since the epoch.")


class WorklogIds(BodyFormat):
    """Worklogs to read together."""

    ids: list[Int64] = Field(description="Worklog ids.", max_length=PAGE, examples=[[10000]])


def _page_to_json(call: Call, path: str, since: int, rows: list[tuple[int, int]]) -> JsonObject:
    """A page of worklog ids and times (microseconds), oldest first; the page after it begins where this one ends."""
    shown, own = rows[:PAGE], f"{call.base_url}/rest/api/3/worklog/{path}"
    until = shown[-1][1] // 1000 if shown else since
    out: JsonObject = {
        "values": [{"worklogId": id, "updatedTime": at // 1000, "properties": []} for id, at in shown],
        "since": since,
        "until": until,
        "self": f"{own}?since={since}",
        "lastPage": len(rows) <= PAGE,
    }
    return out if len(rows) <= PAGE else out | {"nextPage": f"{own}?since={until}"}


@app.operation("getIdsOfWorklogsModifiedSince", source=SOURCE, scope="read:jira-work", examples=[{}])
def get_ids_of_worklogs_modified_since(call: Call, params: ChangedSince) -> JsonObject:
    """List the ids of worklogs that were added or changed since a time, oldest first. Time: milliseconds."""
    context = JiraContext(call)
    query = select(Worklog).where(Worklog.updated_at >= params.since * 1000)
    rows = call.session.exec(query.order_by(col(Worklog.updated_at), col(Worklog.id)))
    found = [(row.id, row.updated_at) for row in rows if visible_issue(context, row.issue_id) is not None]
    return _page_to_json(call, "updated", params.since, found)


@app.operation("getIdsOfWorklogsDeletedSince", source=SOURCE, scope="read:jira-work", examples=[{}])
def get_ids_of_worklogs_deleted_since(call: Call, params: ChangedSince) -> JsonObject:
    """List the ids of worklogs that were removed since a time, oldest first. Time: milliseconds."""
    context = JiraContext(call)
    query = select(ChangeItem).where(ChangeItem.field_id == WORKLOG, ChangeItem.created_at >= params.since * 1000)
    rows = call.session.exec(query.order_by(col(ChangeItem.created_at), col(ChangeItem.history_id)))
    found = [
        (int(row.from_value or 0), row.created_at) for row in rows if visible_issue(context, row.issue_id) is not None
    ]
    return _page_to_json(call, "deleted", params.since, found)


@app.operation("getWorklogsForIds", source=SOURCE, scope="read:jira-work", examples=[{"ids": ["$addWorklog:id"]}])
def get_worklogs_for_ids(call: Call, params: WorklogIds) -> list[JsonObject]:
    """Read several worklogs; those of issues you cannot see are left out."""
    context = JiraContext(call)
    rows = call.session.exec(select(Worklog).where(col(Worklog.id).in_(params.ids)).order_by(col(Worklog.id)))
    return [
        worklog_to_json(context, row, params.contentFormat)
        for row in rows
        if visible_issue(context, row.issue_id) is not None
    ]
