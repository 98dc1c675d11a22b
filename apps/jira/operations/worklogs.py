"""Work logged on issues."""

from typing import Annotated, Literal, TypedDict

from pydantic import Field
from sqlmodel import col, func, select

from apps.jira.app import app
from apps.jira.domain.access import find_issue, parse_number, project_of
from apps.jira.domain.context import JiraContext, format_timestamp
from apps.jira.domain.durations import format_short, parse_duration
from apps.jira.domain.field_kinds import read_moment
from apps.jira.domain.history import WORKLOG, Edit
from apps.jira.domain.text import Format, Problem, document_text, read_body, show_body
from apps.jira.limits import EDITS
from apps.jira.models import Issue, Worklog
from apps.jira.operations.params import BodyFormat, Id, IssueRef, JsonObjectParam, MaxResults, StartAt, Word
from apps.jira.refusals import field_errors
from world.core.call import Call
from world.core.errors import OperationError
from world.core.json_types import JsonObject
from world.core.params import Int64, Params, Text

SOURCE = "developer.atlassian.com/cloud/jira/platform/rest/v3/api-group-issue-worklogs"
Adjust = Literal["auto", "leave", "new", "manual"]


class WorklogPage(TypedDict):
    """A page of worklogs."""

    startAt: int
    maxResults: int
    total: int
    worklogs: list[JsonObject]


class WorklogList(BodyFormat):
    """Issue, time range and page of worklogs."""

    issueIdOrKey: IssueRef
    startAt: StartAt = 0
    maxResults: MaxResults | None = Field(default=None, description="Most items on the page.")
    startedAfter: Int64 | None = Field(
        default=None, description="Only work started at or after this time, milliseconds since the epoch."
    )
    startedBefore: Int64 | None = Field(
        default=None, description="Only work started before this time, milliseconds since the epoch."
    )


class WorklogRef(BodyFormat):
    """One worklog."""

    issueIdOrKey: IssueRef
    id: Id = Field(description="Worklog id.")


class WorklogNew(BodyFormat):
    """Time to log. Give timeSpent or timeSpentSeconds."""

    issueIdOrKey: IssueRef
    timeSpent: Word | None = Field(default=None, description="Time spent, like 3h 20m.", examples=["3h 20m"])
    timeSpentSeconds: Int64 | None = Field(default=None, description="Time spent in seconds, at least 60.")
    started: Word | None = Field(
        default=None, description="When the work began, yyyy-MM-dd'T'HH:mm:ss.SSSZ; now by default."
    )
    comment: JsonObjectParam | Annotated[Text, Field(max_length=100_000)] | None = Field(
        default=None, description="What was done."
    )
    adjustEstimate: Adjust = Field(default="auto", description="What happens to the remaining estimate.")
    newEstimate: Word | None = Field(default=None, description="Remaining estimate when adjustEstimate is new.")
    reduceBy: Word | None = Field(default=None, description="Reduction when adjustEstimate is manual.")


class WorklogChange(WorklogNew):
    """New values for a worklog."""

    id: Id = Field(description="Worklog id.")


class WorklogDelete(Params):
    """A worklog to remove."""

    issueIdOrKey: IssueRef
    id: Id = Field(description="Worklog id.")
    adjustEstimate: Adjust = Field(default="auto", description="What happens to the remaining estimate.")
    newEstimate: Word | None = Field(default=None, description="Remaining estimate when adjustEstimate is new.")
    increaseBy: Word | None = Field(default=None, description="Increase when adjustEstimate is manual.")


def worklog_to_json(context: JiraContext, row: Worklog, form: Format | None) -> JsonObject:
    """A worklog as the API shows it."""
    out: JsonObject = {
        "self": f"{context.api}/issue/{row.issue_id}/worklog/{row.id}",
        "author": context.user(row.author_id),
        "updateAuthor": context.user(row.update_author_id),
    }
    if row.comment is not None:
        out["comment"] = show_body(row.comment, form)
    return out | {
        "created": format_timestamp(row.created_at),
        "updated": format_timestamp(row.updated_at),
        "started": format_timestamp(row.started_at),
        "timeSpent": format_short(row.spent_s),
        "timeSpentSeconds": row.spent_s,
        "id": str(row.id),
        "issueId": str(row.issue_id),
    }


def list_worklogs(
    context: JiraContext, issue: Issue, start: int, limit: int, *more: object
) -> tuple[int, list[Worklog]]:
    """Return the number of worklogs, and one page of them, oldest first."""
    where = [Worklog.issue_id == issue.id, *more]
    total = context.call.scalar(select(func.count()).select_from(Worklog).where(*where))
    query = select(Worklog).where(*where).order_by(col(Worklog.started_at), col(Worklog.id)).offset(start).limit(limit)
    rows = list(context.call.session.exec(query))
    context.preload(person for row in rows for person in (row.author_id, row.update_author_id))
    return total, rows


def _read_time_spent(params: WorklogNew) -> int | None:
    if params.timeSpentSeconds is not None:
        value = params.timeSpentSeconds
    elif params.timeSpent is not None:
        value = parse_duration(params.timeSpent)
    else:
        return None
    if value < 60 or value >= 2**31:
        raise Problem("Worklog time must be at least one minute.")
    return value // 60 * 60


def write_worklog(context: JiraContext, issue: Issue, params: WorklogNew) -> Worklog:
    """Add a worklog and adjust the issue's time figures. Raises field_errors."""
    try:
        spent = _read_time_spent(params)
        if spent is None:
            raise Problem("You must indicate the time spent working.")
        comment = read_body(params.comment, params.contentFormat)
        started = context.call.now if params.started is None else read_moment(params.started)
    except Problem as problem:
        raise field_errors(timeLogged=str(problem)) from None
    row = Worklog(
        id=context.next_id("jira_worklog"),
        issue_id=issue.id,
        author_id=context.call.person,
        update_author_id=context.call.person,
        comment=comment,
        comment_text=document_text(comment),
        started_at=started,
        spent_s=spent,
        created_at=context.call.now,
        updated_at=context.call.now,
    )
    context.call.session.add(row)
    _record_time(
        context,
        issue,
        spent,
        _compute_remaining_estimate(issue, spent, params.adjustEstimate, params.newEstimate, params.reduceBy),
    )
    return row


def _compute_remaining_estimate(
    issue: Issue, spent: int, adjust: Adjust, new: str | None, by: str | None
) -> int | None:
    """The remaining estimate after `spent` more seconds (negative: fewer)."""
    left = issue.remaining_estimate_s
    try:
        if adjust == "new":
            return parse_duration(new or "")
        if adjust == "manual":
            return max(0, (left or 0) - (1 if spent >= 0 else -1) * parse_duration(by or ""))
    except Problem as problem:
        raise field_errors(**{"newEstimate" if adjust == "new" else "reduceBy": str(problem)}) from None
    if adjust == "leave" or left is None:
        return left
    return max(0, left - spent)


def _record_time(
    context: JiraContext, issue: Issue, spent: int, left: int | None, removed: Worklog | None = None
) -> None:
    edit = Edit(context, issue)
    if removed is not None:
        edit.record(WORKLOG, WORKLOG, (str(removed.id), str(removed.id)), (None, None))
    total = max(0, (issue.time_spent_s or 0) + spent)
    for name, column, value in (("timeestimate", "remaining_estimate_s", left), ("timespent", "time_spent_s", total)):
        before, after = (None if v is None else str(v) for v in (getattr(issue, column), value))
        setattr(issue, column, value)
        edit.record(name, name, (before, before), (after, after))
    edit.finish()
    issue.updated_at = context.call.now


def find_worklog(context: JiraContext, issue: Issue, id: str) -> Worklog:
    """A worklog of an issue. Raises worklog_not_found."""
    wanted = parse_number(id)
    row = None if wanted is None else context.call.session.get(Worklog, wanted)
    if row is None or row.issue_id != issue.id:
        raise OperationError("worklog_not_found", worklog=id)
    return row


def _check_own_worklog(context: JiraContext, issue: Issue, row: Worklog, verb: str) -> None:
    project = project_of(context, issue)
    own = row.author_id == context.call.person and context.may(f"{verb}_OWN_WORKLOGS", project)
    if not own and not context.may(f"{verb}_ALL_WORKLOGS", project):
        raise OperationError("cannot_edit_worklog", worklog=row.id)


@app.operation(
    "getIssueWorklog",
    source=SOURCE,
    scope="read:jira-work",
    examples=[{"issueIdOrKey": "SHOP-1"}],
    raises=("issue_not_found",),
)
def get_issue_worklog(call: Call, params: WorklogList) -> WorklogPage:
    """List the work logged on an issue, oldest first."""
    context = JiraContext(call)
    issue = find_issue(context, params.issueIdOrKey)
    limit = min(params.maxResults if params.maxResults is not None else 5000, 5000)
    more = []
    if params.startedAfter is not None:
        more.append(col(Worklog.started_at) >= min(params.startedAfter, 2**53) * 1000)
    if params.startedBefore is not None:
        more.append(col(Worklog.started_at) < min(params.startedBefore, 2**53) * 1000)
    total, rows = list_worklogs(context, issue, params.startAt, limit, *more)
    shown = [worklog_to_json(context, row, params.contentFormat) for row in rows]
    return {"startAt": params.startAt, "maxResults": limit, "total": total, "worklogs": shown}


@app.operation(
    "getWorklog",
    source=SOURCE,
    scope="read:jira-work",
    examples=[{"issueIdOrKey": "SHOP-1", "id": "$addWorklog:id"}],
    raises=("issue_not_found", "worklog_not_found"),
)
def get_worklog(call: Call, params: WorklogRef) -> JsonObject:
    """Read one worklog."""
    context = JiraContext(call)
    return worklog_to_json(
        context, find_worklog(context, find_issue(context, params.issueIdOrKey), params.id), params.contentFormat
    )


@app.operation(
    "addWorklog",
    writes=True,
    source=SOURCE,
    scope="write:jira-work",
    examples=[{"issueIdOrKey": "SHOP-1", "timeSpent": "1h 30m"}],
    raises=("issue_not_found", "cannot_log_work", "field_errors"),
)
def add_worklog(call: Call, params: WorklogNew) -> JsonObject:
    """Log time you spent on an issue; the remaining estimate shrinks unless told otherwise.

    Time: a day is 8 hours, a week 5 days.
    """
    context = JiraContext(call)
    issue = find_issue(context, params.issueIdOrKey, "WORK_ON_ISSUES")
    return worklog_to_json(context, write_worklog(context, issue, params), params.contentFormat)


@app.operation(
    "updateWorklog",
    writes=True,
    limit=EDITS,
    source=SOURCE,
    scope="write:jira-work",
    examples=[{"issueIdOrKey": "SHOP-1", "id": "$addWorklog:id", "timeSpent": "2h"}],
    raises=("issue_not_found", "worklog_not_found", "cannot_edit_worklog", "field_errors"),
)
def update_worklog(call: Call, params: WorklogChange) -> JsonObject:
    """Correct a worklog: time, start or comment."""
    context = JiraContext(call)
    issue = find_issue(context, params.issueIdOrKey)
    row = find_worklog(context, issue, params.id)
    _check_own_worklog(context, issue, row, "EDIT")
    try:
        spent = _read_time_spent(params) or row.spent_s
        row.started_at = row.started_at if params.started is None else read_moment(params.started)
        if params.comment is not None:
            row.comment = read_body(params.comment, params.contentFormat)
            row.comment_text = document_text(row.comment)
    except Problem as problem:
        raise field_errors(timeLogged=str(problem)) from None
    more = spent - row.spent_s
    _record_time(
        context,
        issue,
        more,
        _compute_remaining_estimate(issue, more, params.adjustEstimate, params.newEstimate, params.reduceBy),
    )
    row.spent_s, row.update_author_id, row.updated_at = spent, call.person, call.now
    return worklog_to_json(context, row, params.contentFormat)


@app.operation(
    "deleteWorklog",
    writes=True,
    limit=EDITS,
    source=SOURCE,
    scope="write:jira-work",
    examples=[{"issueIdOrKey": "SHOP-1", "id": "$addWorklog:id"}],
    raises=("issue_not_found", "worklog_not_found", "cannot_edit_worklog", "field_errors"),
)
def delete_worklog(call: Call, params: WorklogDelete) -> None:
    """Remove a worklog; the remaining estimate grows back unless told otherwise."""
    context = JiraContext(call)
    issue = find_issue(context, params.issueIdOrKey)
    row = find_worklog(context, issue, params.id)
    _check_own_worklog(context, issue, row, "DELETE")
    _record_time(
        context,
        issue,
        -row.spent_s,
        _compute_remaining_estimate(issue, -row.spent_s, params.adjustEstimate, params.newEstimate, params.increaseBy),
        removed=row,
    )
    call.session.delete(row)
