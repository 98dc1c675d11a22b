"""Issues: create, read, edit, assign, delete, move, and their changelog."""

from collections.abc import Mapping
from typing import Annotated, Any, TypedDict

from pydantic import Field

from apps.jira.app import app
from apps.jira.domain import mail_notifications
from apps.jira.domain.access import find_issue, list_children, project_of, require
from apps.jira.domain.context import JiraContext
from apps.jira.domain.edits import Changes
from apps.jira.domain.field_meta import get_edit_meta
from apps.jira.domain.fields import SYSTEM, get_screen_fields, select_fields
from apps.jira.domain.history import Edit, announce, announce_mentions
from apps.jira.domain.notifications import list_comment_audience
from apps.jira.domain.text import Problem, list_mentions
from apps.jira.limits import EDITS
from apps.jira.models import Issue
from apps.jira.models_workflows import ScreenField
from apps.jira.operations.creation import create_issue_row
from apps.jira.operations.issue_view import IssueViewOptions, issue_to_json, list_histories
from apps.jira.operations.params import (
    BodyFormat,
    Expand,
    Id,
    IssueRef,
    JsonObjectParam,
    PageParams,
    Refs,
    Words,
    split_commas,
)
from apps.jira.operations.side_effects import run_side_effects
from apps.jira.refusals import field_errors, render_refusal
from world.core.call import Call
from world.core.errors import OperationError
from world.core.json_types import JsonObject
from world.core.params import Params

SOURCE = "developer.atlassian.com/cloud/jira/platform/rest/v3/api-group-issues"
MOST_IN_BULK = 50  # developer.atlassian.com/cloud/jira/platform/rest/v3/api-group-issues, bulk create
MOST_FETCHED = 100
MOST_LOGS = 1000


class CreatedIssue(TypedDict):
    """A new issue's address."""

    id: str
    key: str
    self: str


Fields = Annotated[JsonObjectParam, Field(description="Values by field id.")]
Update = Annotated[JsonObjectParam, Field(description="Operations by field id: [{add|remove|set|edit: value}].")]


class IssueNew(BodyFormat):
    """A new issue."""

    fields: Fields = Field(
        default_factory=dict,
        examples=[{"project": {"key": "SHOP"}, "issuetype": {"name": "Task"}, "summary": "Rotate the signing key"}],
    )
    update: Update = Field(default_factory=dict)


class IssueBulk(BodyFormat):
    """Several new issues."""

    issueUpdates: list[IssueNew] = Field(default_factory=list, description="The issues, at most 50.", max_length=1000)


class IssueGet(BodyFormat):
    """One issue and how to show it."""

    issueIdOrKey: IssueRef
    fields: Words = Field(
        default_factory=list, description="Fields to return: ids, *all, *navigable, -id; all when empty."
    )
    expand: Expand | None = Field(
        default=None, description="renderedFields, names, schema, transitions, operations, editmeta, changelog."
    )
    properties: Words = Field(default_factory=list, description="Issue properties to return.")
    updateHistory: bool = Field(default=False, description="Whether the project counts as recently viewed.")


class IssueEdit(BodyFormat):
    """Changes to an issue."""

    issueIdOrKey: IssueRef
    fields: Fields = Field(default_factory=dict, examples=[{"summary": "Rotate both signing keys"}])
    update: Update = Field(default_factory=dict, examples=[{"labels": [{"add": "security"}]}])
    returnIssue: bool = Field(default=False, description="Answer with the changed issue.")
    expand: Expand | None = Field(default=None, description="Expansions of the returned issue.")


class IssueDelete(Params):
    """An issue to delete."""

    issueIdOrKey: IssueRef
    deleteSubtasks: bool = Field(
        default=False, description="Delete its sub-tasks too; refused without when it has any."
    )


class AssignIssue(Params):
    """Request fields for assigning an issue."""

    issueIdOrKey: IssueRef
    accountId: Id | None = Field(default=None, description="Account id; -1 for the project's default, null for nobody.")
    name: Id | None = Field(default=None, description="Not accepted on Cloud.")


class ChangelogGet(PageParams):
    """A page of an issue's changelog."""

    issueIdOrKey: IssueRef


class IssueOnly(Params):
    """One issue."""

    issueIdOrKey: IssueRef


class BulkFetch(BodyFormat):
    """Issues to read together."""

    issueIdsOrKeys: Refs = Field(description="Keys or ids, at most 100.")
    fields: Words = Field(default_factory=list, description="Fields to return; *navigable when empty.")
    expand: list[Id] = Field(default_factory=list, description="Expansions.")


class BulkLogs(Params):
    """Issues whose changelogs are wanted."""

    issueIdsOrKeys: Refs = Field(description="Keys or ids, at most 1000.")
    fieldIds: Words = Field(default_factory=list, description="Only changes of these fields.")


def _created_to_json(context: JiraContext, issue: Issue) -> CreatedIssue:
    return {"id": str(issue.id), "key": issue.key, "self": f"{context.api}/issue/{issue.id}"}


@app.operation(
    "createIssue",
    writes=True,
    source=SOURCE,
    scope="write:jira-work",
    examples=[
        {"fields": {"project": {"key": "SHOP"}, "issuetype": {"name": "Task"}, "summary": "Rotate the signing key"}}
    ],
    raises=(
        "field_errors",
        "cannot_create",
        "empty_comment",
        "bad_visibility",
        "issue_not_found",
        "link_type_not_found",
        "link_to_self",
        "cannot_link",
    ),
)
def create_issue(call: Call, params: IssueNew) -> CreatedIssue:
    """Create an issue or sub-task; the create metadata of its project and type names the required fields."""
    context = JiraContext(call)
    return _created_to_json(context, create_issue_row(context, params.fields, params.update, params.contentFormat))


@app.operation(
    "createIssues",
    writes=True,
    source=SOURCE,
    scope="write:jira-work",
    examples=[
        {
            "issueUpdates": [
                {"fields": {"project": {"key": "SHOP"}, "issuetype": {"name": "Task"}, "summary": "One of many"}}
            ]
        }
    ],
    raises=("too_many_issues", "bad_request"),
)
def create_issues(call: Call, params: IssueBulk) -> JsonObject:
    """Create up to 50 issues at once; each failure is reported beside those that succeeded."""
    context = JiraContext(call)
    if not params.issueUpdates:
        raise OperationError("bad_request", why="issueUpdates is required")
    if len(params.issueUpdates) > MOST_IN_BULK:
        raise OperationError("too_many_issues", limit=MOST_IN_BULK)
    made: list[CreatedIssue] = []
    failed: list[JsonObject] = []
    for position, one in enumerate(params.issueUpdates):
        with call.session.begin_nested() as step:
            try:
                issue = create_issue_row(context, one.fields, one.update, one.contentFormat or params.contentFormat)
                made.append(_created_to_json(context, issue))
            except OperationError as error:
                body = render_refusal(error)
                failed.append(
                    {
                        "status": body.status,
                        "elementErrors": {**body.json(), "status": body.status},
                        "failedElementNumber": position,
                    }
                )
                step.rollback()
    return {"issues": made, "errors": failed}


@app.operation(
    "getIssue",
    source=SOURCE,
    scope="read:jira-work",
    examples=[{"issueIdOrKey": "SHOP-1"}],
    raises=("issue_not_found",),
)
def get_issue(call: Call, params: IssueGet) -> JsonObject:
    """Read one issue by key or id; name fields to keep the answer short, expand for changelog or transitions.

    Time: dates are UTC with milliseconds, no colon in the offset.
    """
    context = JiraContext(call)
    issue = find_issue(context, params.issueIdOrKey)
    look = IssueViewOptions(
        context,
        select_fields(context, params.fields, "*all"),
        frozenset(split_commas(params.expand)),
        params.contentFormat,
    )
    return issue_to_json(look, issue)


@app.operation(
    "bulkFetchIssues",
    source=SOURCE,
    scope="read:jira-work",
    examples=[{"issueIdsOrKeys": ["SHOP-1"]}],
    raises=("too_many_issues",),
)
def bulk_fetch_issues(call: Call, params: BulkFetch) -> JsonObject:
    """Read up to 100 issues at once; those missing or hidden are listed as errors."""
    context = JiraContext(call)
    if len(params.issueIdsOrKeys) > MOST_FETCHED:
        raise OperationError("too_many_issues", limit=MOST_FETCHED)
    look = IssueViewOptions(
        context, select_fields(context, params.fields, "*navigable"), frozenset(params.expand), params.contentFormat
    )
    found: list[JsonObject] = []
    errors: list[JsonObject] = []
    for ref in dict.fromkeys(params.issueIdsOrKeys):
        try:
            found.append(issue_to_json(look, find_issue(context, ref)))
        except OperationError as error:
            errors.append({"id": ref, "errorMessage": render_refusal(error).messages[0]})
    return {"expand": "schema,names", "issues": found, "issueErrors": errors}


@app.operation(
    "editIssue",
    writes=True,
    limit=EDITS,
    source=SOURCE,
    scope="write:jira-work",
    examples=[{"issueIdOrKey": "SHOP-1", "fields": {"summary": "Rotate both signing keys"}}],
    raises=(
        "issue_not_found",
        "cannot_edit",
        "field_errors",
        "empty_comment",
        "bad_visibility",
        "link_type_not_found",
        "link_to_self",
        "cannot_link",
    ),
)
def edit_issue(call: Call, params: IssueEdit) -> JsonObject | None:
    """Change fields of an issue (not its status: use a transition for that)."""
    context = JiraContext(call)
    issue = find_issue(context, params.issueIdOrKey)
    if params.fields or set(params.update) - {"comment", "worklog"}:
        require(context, "EDIT_ISSUES", project_of(context, issue))
    before = (issue.assignee_id, list_mentions(issue.description))
    config = context.project_type(issue.project_id, issue.issue_type_id)
    listed = {**(get_screen_fields(context, config.edit_screen_id) if config else {})}
    changes = Changes(Edit(context, issue), {**listed, **_add_always_editable(listed)}, params.contentFormat)
    changes.apply(params.fields, params.update)
    changes.finish()
    changes.edit.finish()
    run_side_effects(context, issue, params.update, params.contentFormat)
    _announce_assignee(context, issue, *before)
    if not params.returnIssue:
        return None
    return issue_to_json(
        IssueViewOptions(
            context, select_fields(context, [], "*all"), frozenset(split_commas(params.expand)), params.contentFormat
        ),
        issue,
    )


def _add_always_editable(listed: Mapping[str, ScreenField]) -> dict[str, ScreenField]:
    """Return the fields of every edit screen: type and project may be repeated, and displayed fields changed."""
    from_summary = listed.get("summary")
    return (
        {} if from_summary is None else {name: from_summary for name in ("issuetype", "project") if name not in listed}
    )


def _announce_assignee(context: JiraContext, issue: Issue, assignee: str | None, mentioned: list[str]) -> None:
    if issue.assignee_id is not None and issue.assignee_id != assignee:
        announce(context, "jira.issue_assigned", issue, person=issue.assignee_id)
        told = f"assigned {issue.key} to {context.name(issue.assignee_id)}"
        mail_notifications.send_issue_mail(
            context, issue, [issue.assignee_id, *list_comment_audience(context.call, issue, context.call.person)], told
        )
    fresh = [account for account in list_mentions(issue.description) if account not in mentioned]
    announce_mentions(context, issue, fresh, text=issue.description_text, comment_id=None)
    mail_notifications.send_issue_mail(
        context,
        issue,
        mail_notifications.list_mentioned_people(context, fresh),
        f"mentioned you in {issue.key}",
        issue.description_text,
    )


@app.operation(
    "assignIssue",
    writes=True,
    limit=EDITS,
    source=SOURCE,
    scope="write:jira-work",
    examples=[{"issueIdOrKey": "SHOP-1", "accountId": "$getCurrentUser:accountId"}],
    raises=("issue_not_found", "cannot_assign", "field_errors"),
)
def assign_issue(call: Call, params: AssignIssue) -> None:
    """Give an issue to somebody, or to nobody with accountId null."""
    context = JiraContext(call)
    issue = find_issue(context, params.issueIdOrKey, "ASSIGN_ISSUES")
    raw: JsonObject | None = None if params.accountId is None else {"accountId": params.accountId}
    if raw is None and params.name is not None:
        raw = {"name": params.name}
    old = issue.assignee_id
    changes = Changes(Edit(context, issue), None)
    try:
        changes.set(SYSTEM["assignee"], raw)
    except Problem as problem:
        raise field_errors(assignee=str(problem)) from None
    changes.edit.finish()
    _announce_assignee(context, issue, old, list_mentions(issue.description))


@app.operation(
    "deleteIssue",
    writes=True,
    limit=EDITS,
    source=SOURCE,
    scope="write:jira-work",
    examples=[{"issueIdOrKey": "$createIssue:key"}],
    raises=("issue_not_found", "cannot_delete", "has_subtasks"),
)
def delete_issue(call: Call, params: IssueDelete) -> None:
    """Delete an issue for good. Most roles may not: only administrators of the project."""
    context = JiraContext(call)
    issue = find_issue(context, params.issueIdOrKey, "DELETE_ISSUES")
    below = [child for child in list_children(context, issue) if context.types[child.issue_type_id].level < 0]
    if below and not params.deleteSubtasks:
        raise OperationError("has_subtasks", issue=issue.key)
    for one in (issue, *below):
        one.deleted_at = call.now
    for child in list_children(context, issue):
        child.parent_id = None
    announce(context, "jira.issue_deleted", issue)


@app.operation(
    "getChangeLogs",
    source=SOURCE,
    scope="read:jira-work",
    examples=[{"issueIdOrKey": "SHOP-1"}],
    raises=("issue_not_found",),
)
def get_change_logs(call: Call, params: ChangelogGet) -> JsonObject:
    """Read who changed which field of an issue, and when; oldest first."""
    context = JiraContext(call)
    issue = find_issue(context, params.issueIdOrKey)
    limit = min(params.maxResults if params.maxResults is not None else 100, 100)
    found = list_histories(context, issue)
    page = found[params.startAt : params.startAt + limit]
    address = f"{context.api}/issue/{issue.id}/changelog"
    out: JsonObject = {"self": f"{address}?maxResults={limit}&startAt={params.startAt}"}
    if params.startAt + limit < len(found):
        out["nextPage"] = f"{address}?maxResults={limit}&startAt={params.startAt + limit}"
    last = params.startAt + limit >= len(found)
    return out | {"maxResults": limit, "startAt": params.startAt, "total": len(found), "isLast": last, "values": page}


@app.operation(
    "getBulkChangelogs",
    source=SOURCE,
    scope="read:jira-work",
    examples=[{"issueIdsOrKeys": ["SHOP-1"]}],
    raises=("too_many_issues", "issue_not_found"),
)
def get_bulk_changelogs(call: Call, params: BulkLogs) -> JsonObject:
    """Read the changelogs of several issues, oldest first, narrowed to some fields."""
    context = JiraContext(call)
    if len(params.issueIdsOrKeys) > MOST_LOGS:
        raise OperationError("too_many_issues", limit=MOST_LOGS)
    out = []
    for ref in dict.fromkeys(params.issueIdsOrKeys):
        issue = find_issue(context, ref)
        found = [_filter_changelog_entry(entry, params.fieldIds) for entry in list_histories(context, issue)]
        out.append({"issueId": str(issue.id), "changeHistories": [entry for entry in found if entry["items"]]})
    return {"issueChangeLogs": out}


def _filter_changelog_entry(entry: dict[str, Any], fields: list[str]) -> JsonObject:
    items = [item for item in entry["items"] if not fields or item["fieldId"] in fields]
    return {**entry, "items": items}


@app.operation(
    "getEditIssueMeta",
    source=SOURCE,
    scope="read:jira-work",
    examples=[{"issueIdOrKey": "SHOP-1"}],
    raises=("issue_not_found",),
)
def get_edit_issue_meta(call: Call, params: IssueOnly) -> JsonObject:
    """Read which fields of an issue you may change, with their allowed values."""
    context = JiraContext(call)
    return {"fields": get_edit_meta(context, find_issue(context, params.issueIdOrKey))}
