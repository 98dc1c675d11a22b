"""An issue as the API shows it: fields, and what `expand` adds."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any

from sqlmodel import col, select

from apps.jira.domain.access import project_of
from apps.jira.domain.context import JiraContext, format_timestamp
from apps.jira.domain.durations import format_short
from apps.jira.domain.field_meta import get_edit_meta
from apps.jira.domain.fields import EPIC_LINK, RANK, Field, get_fields_by_id, get_scope, get_screen_fields
from apps.jira.domain.hierarchy import IssueFamily
from apps.jira.domain.html import render_html
from apps.jira.domain.lookups import category_to_json, issue_type_to_json, project_to_json, status_to_json
from apps.jira.domain.text import Format
from apps.jira.domain.workflow import list_available_transitions, transition_to_json
from apps.jira.models import ChangeItem, Issue, Worklog
from apps.jira.operations.attachments import attachment_to_json
from apps.jira.operations.comments import comment_to_json, list_comments
from apps.jira.operations.links import linked_issue_to_json, links_to_json
from apps.jira.operations.watchers import votes_to_json, watches_to_json
from apps.jira.operations.worklogs import list_worklogs, worklog_to_json
from world.core.json_types import JsonObject

EXPANDABLE = "renderedFields,names,schema,operations,editmeta,changelog,versionedRepresentations"
PEOPLE_FIELDS = frozenset({"assignee", "reporter"})


@dataclass(frozen=True, slots=True)
class IssueViewOptions:
    """Display options of issues: fields, expansions, body form."""

    context: JiraContext
    fields: frozenset[str]
    expand: frozenset[str] = frozenset()
    form: Format | None = None
    page: IssueFamily | None = None

    @property
    def kin(self) -> IssueFamily:
        """Rows that belong to the issues of the page. Raises LookupError outside a page."""
        if self.page is None:
            raise LookupError("issues are shown by issues_json")
        return self.page


FieldReader = Callable[[IssueViewOptions, Issue], Any]


def _progress_to_json(raw: int | None, spent: int | None) -> JsonObject:
    done, left = spent or 0, raw or 0
    out: JsonObject = {"progress": done, "total": done + left}
    if done + left:
        out["percent"] = done * 100 // (done + left)
    return out


def _sum_with_subtasks(column: str) -> FieldReader:
    def total(look: IssueViewOptions, issue: Issue) -> object:
        found = [getattr(one, column) for one in (issue, *look.kin.subtasks(issue))]
        known = [value for value in found if value is not None]
        return sum(known) if known else None

    return total


def _get_parent(look: IssueViewOptions, issue: Issue) -> object:
    parent = look.kin.parents.get(issue.parent_id or 0)
    return None if parent is None else linked_issue_to_json(look.context, parent)


def _get_epic_key(look: IssueViewOptions, issue: Issue) -> object:
    parent = look.kin.parents.get(issue.parent_id or 0)
    return parent.key if parent is not None and look.context.types[parent.issue_type_id].level == 1 else None


def _get_comments(look: IssueViewOptions, issue: Issue) -> dict[str, Any]:
    total, rows = list_comments(look.context, issue, 0, 5000)
    shown = [comment_to_json(look.context, row, look.form) for row in rows]
    own = f"{look.context.api}/issue/{issue.id}/comment"
    return {"comments": shown, "self": own, "maxResults": total, "total": total, "startAt": 0}


def _get_worklogs(look: IssueViewOptions, issue: Issue) -> dict[str, Any]:
    total, rows = list_worklogs(look.context, issue, 0, 20)
    shown = [worklog_to_json(look.context, row, look.form) for row in rows]
    return {"startAt": 0, "maxResults": 20, "total": total, "worklogs": shown}


def _get_attachments(look: IssueViewOptions, issue: Issue) -> object:
    return [attachment_to_json(look.context, row) for row in look.kin.attachments.get(issue.id, ())]


def _get_timetracking(_look: IssueViewOptions, issue: Issue) -> object:
    out: JsonObject = {}
    for name, value in (
        ("originalEstimate", issue.original_estimate_s),
        ("remainingEstimate", issue.remaining_estimate_s),
        ("timeSpent", issue.time_spent_s),
    ):
        if value is not None:
            out[name], out[f"{name}Seconds"] = format_short(value), value
    return out


def _get_workratio(_look: IssueViewOptions, issue: Issue) -> int:
    if not issue.original_estimate_s:
        return -1
    return (issue.time_spent_s or 0) * 100 // issue.original_estimate_s


def _get_aggregate_progress(look: IssueViewOptions, issue: Issue) -> object:
    left = _sum_with_subtasks("remaining_estimate_s")(look, issue)
    return _progress_to_json(left, _sum_with_subtasks("time_spent_s")(look, issue))


READ: dict[str, FieldReader] = {
    "issuetype": lambda look, issue: issue_type_to_json(look.context, look.context.types[issue.issue_type_id]),
    "status": lambda look, issue: status_to_json(look.context, look.context.statuses[issue.status_id]),
    "statusCategory": lambda look, issue: category_to_json(
        look.context, look.context.statuses[issue.status_id].category
    ),
    "project": lambda look, issue: project_to_json(look.context, project_of(look.context, issue)),
    "creator": lambda look, issue: look.context.user(issue.creator_id),
    "parent": _get_parent,
    EPIC_LINK: _get_epic_key,
    RANK: lambda _, issue: issue.rank,
    "created": lambda _, issue: format_timestamp(issue.created_at),
    "updated": lambda _, issue: format_timestamp(issue.updated_at),
    "resolutiondate": lambda _, issue: format_timestamp(issue.resolved_at),
    "statuscategorychangedate": lambda _, issue: format_timestamp(issue.status_changed_at or issue.created_at),
    "lastViewed": lambda _, __: None,
    "security": lambda _, __: None,
    "timetracking": _get_timetracking,
    "timespent": lambda _, issue: issue.time_spent_s,
    "timeestimate": lambda _, issue: issue.remaining_estimate_s,
    "timeoriginalestimate": lambda _, issue: issue.original_estimate_s,
    "aggregatetimespent": _sum_with_subtasks("time_spent_s"),
    "aggregatetimeestimate": _sum_with_subtasks("remaining_estimate_s"),
    "aggregatetimeoriginalestimate": _sum_with_subtasks("original_estimate_s"),
    "progress": lambda _, issue: _progress_to_json(issue.remaining_estimate_s, issue.time_spent_s),
    "aggregateprogress": _get_aggregate_progress,
    "workratio": _get_workratio,
    "issuelinks": lambda look, issue: links_to_json(look.kin, issue),
    "subtasks": lambda look, issue: [linked_issue_to_json(look.context, child) for child in look.kin.subtasks(issue)],
    "watches": lambda look, issue: watches_to_json(look.context, issue, *look.kin.watches.get(issue.id, (0, False))),
    "votes": lambda look, issue: votes_to_json(look.context, issue, *look.kin.votes.get(issue.id, (0, False))),
    "comment": _get_comments,
    "worklog": _get_worklogs,
    "attachment": _get_attachments,
}


def list_issue_fields(look: IssueViewOptions, issue: Issue) -> list[Field]:
    """The asked-for fields that this issue has: system fields always, custom ones when set or on its screen."""
    config = look.context.project_type(issue.project_id, issue.issue_type_id)
    listed = get_screen_fields(look.context, config.edit_screen_id) if config else {}
    out = []
    for spec in get_fields_by_id(look.context).values():
        if spec.id not in look.fields:
            continue
        if spec.is_custom and spec.id not in listed and spec.get_stored_value(issue) in (None, []):
            continue
        if spec.id == "parent" and issue.parent_id is None:
            continue
        out.append(spec)
    return out


def get_field_value(look: IssueViewOptions, issue: Issue, spec: Field) -> object:
    """One field's value."""
    read = READ.get(spec.id)
    if read is not None:
        return read(look, issue)
    return spec.values.show(
        get_scope(look.context, project_of(look.context, issue), spec, look.form), spec.get_stored_value(issue)
    )


def issues_to_json(look: IssueViewOptions, issues: Iterable[Issue]) -> list[JsonObject]:
    """Issues with their fields and expansions; what belongs to them is read together."""
    rows = list(issues)
    whole = replace(look, page=IssueFamily(look.context, rows))
    return [_issue_to_json(whole, issue) for issue in rows]


def issue_to_json(look: IssueViewOptions, issue: Issue) -> JsonObject:
    """One issue with its fields and expansions."""
    return issues_to_json(look, [issue])[0]


def _issue_to_json(look: IssueViewOptions, issue: Issue) -> JsonObject:
    head: JsonObject = {
        "expand": EXPANDABLE,
        "id": str(issue.id),
        "self": f"{look.context.api}/issue/{issue.id}",
        "key": issue.key,
    }
    specs = list_issue_fields(look, issue)
    for name in sorted(look.expand):
        add = EXPAND.get(name)
        if add is not None:
            head[name] = add(look, issue, specs)
    head["fields"] = {spec.id: get_field_value(look, issue, spec) for spec in specs}
    return head


# expansions


def changelog_item_to_json(context: JiraContext, row: ChangeItem) -> JsonObject:
    """One item of a changelog entry; people appear as accountIds."""
    before, after = row.from_value, row.to_value
    if row.field_id in PEOPLE_FIELDS:
        before, after = (None if p is None else context.account(p) for p in (before, after))
    return {
        "field": row.field,
        "fieldtype": row.field_type,
        "fieldId": row.field_id,
        "from": before,
        "fromString": row.from_string,
        "to": after,
        "toString": row.to_string,
    }


def list_histories(context: JiraContext, issue: Issue) -> list[JsonObject]:
    """The changelog, oldest entry first."""
    query = select(ChangeItem).where(ChangeItem.issue_id == issue.id)
    out: dict[int, dict[str, Any]] = {}
    for row in context.call.session.exec(query.order_by(col(ChangeItem.history_id), col(ChangeItem.ordinal))):
        entry = out.get(row.history_id)
        if entry is None:
            head = {
                "id": str(row.history_id),
                "author": context.user(row.author_id),
                "created": format_timestamp(row.created_at),
            }
            entry = out[row.history_id] = {**head, "items": []}
        entry["items"].append(changelog_item_to_json(context, row))
    return list(out.values())


def _expand_changelog(look: IssueViewOptions, issue: Issue, _specs: list[Field]) -> object:
    found = list_histories(look.context, issue)[::-1]
    return {"startAt": 0, "maxResults": len(found), "total": len(found), "histories": found}


def _expand_names(_look: IssueViewOptions, _issue: Issue, specs: list[Field]) -> object:
    return {spec.id: spec.name for spec in specs}


def _expand_schema(_look: IssueViewOptions, _issue: Issue, specs: list[Field]) -> object:
    return {spec.id: spec.schema() for spec in specs}


def _expand_rendered(look: IssueViewOptions, issue: Issue, specs: list[Field]) -> object:
    return {spec.id: _render_field_value(look, issue, spec) for spec in specs}


def _render_field_value(look: IssueViewOptions, issue: Issue, spec: Field) -> object:
    if spec.kind == "textarea":
        return render_html(look.context, spec.get_stored_value(issue))
    if spec.id == "comment":
        shown = _get_comments(look, issue)
        _, rows = list_comments(look.context, issue, 0, 5000)
        for entry, row in zip(shown["comments"], rows, strict=True):
            entry["body"] = render_html(look.context, row.body)
        return shown
    if spec.id == "worklog":
        return _render_worklogs(look, issue)
    if spec.type in ("datetime", "date"):
        return get_field_value(look, issue, spec)
    return None


def _render_worklogs(look: IssueViewOptions, issue: Issue) -> object:
    shown = _get_worklogs(look, issue)
    rows: list[Worklog] = list_worklogs(look.context, issue, 0, 20)[1]
    for entry, row in zip(shown["worklogs"], rows, strict=True):
        entry["comment"] = render_html(look.context, row.comment)
    return shown


def _expand_operations(_look: IssueViewOptions, _issue: Issue, _specs: list[Field]) -> object:
    return {"linkGroups": []}


def _expand_transitions(look: IssueViewOptions, issue: Issue, _specs: list[Field]) -> object:
    return [transition_to_json(look.context, issue, step) for step in list_available_transitions(look.context, issue)]


def _expand_edit_meta(look: IssueViewOptions, issue: Issue, _specs: list[Field]) -> object:
    return {"fields": get_edit_meta(look.context, issue)}


EXPAND: dict[str, Callable[[IssueViewOptions, Issue, list[Field]], object]] = {
    "changelog": _expand_changelog,
    "names": _expand_names,
    "schema": _expand_schema,
    "renderedFields": _expand_rendered,
    "operations": _expand_operations,
    "transitions": _expand_transitions,
    "editmeta": _expand_edit_meta,
}
