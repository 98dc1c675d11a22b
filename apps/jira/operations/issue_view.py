"""An issue as the API shows it: fields, and what `expand` adds."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any

from sqlmodel import col, select

from apps.jira.models import ChangeItem, Issue, Worklog
from apps.jira.operations.access import project_of
from apps.jira.operations.attachments import attachment_json
from apps.jira.operations.comments import comment_json, comments_of
from apps.jira.operations.context import Desk, stamp
from apps.jira.operations.durations import short
from apps.jira.operations.field_meta import edit_meta
from apps.jira.operations.fields import EPIC_LINK, RANK, Field, all_fields, scope_of, screen
from apps.jira.operations.hierarchy import Kin
from apps.jira.operations.html import html
from apps.jira.operations.links import linked_issue, links_of
from apps.jira.operations.lookups import category_json, project_json, status_json, type_json
from apps.jira.operations.text import Format
from apps.jira.operations.watchers import votes_json, watches_json
from apps.jira.operations.workflow import available, transition_json
from apps.jira.operations.worklogs import worklog_json, worklogs_of

EXPANDABLE = "renderedFields,names,schema,operations,editmeta,changelog,versionedRepresentations"
PEOPLE_FIELDS = frozenset({"assignee", "reporter"})


@dataclass(frozen=True, slots=True)
class Look:
    """How issues are shown: which fields, which expansions, in which form."""

    desk: Desk
    fields: frozenset[str]
    expand: frozenset[str] = frozenset()
    form: Format | None = None
    page: Kin | None = None

    @property
    def kin(self) -> Kin:
        """What belongs to the issues of the page. Raises LookupError outside a page."""
        if self.page is None:
            raise LookupError("issues are shown by issues_json")
        return self.page


Show = Callable[[Look, Issue], Any]


def _total(raw: int | None, spent: int | None) -> dict[str, Any]:
    done, left = spent or 0, raw or 0
    out: dict[str, Any] = {"progress": done, "total": done + left}
    if done + left:
        out["percent"] = done * 100 // (done + left)
    return out


def _aggregate(column: str) -> Show:
    def total(look: Look, issue: Issue) -> Any:
        found = [getattr(one, column) for one in (issue, *look.kin.subtasks(issue))]
        known = [value for value in found if value is not None]
        return sum(known) if known else None

    return total


def _parent(look: Look, issue: Issue) -> Any:
    parent = look.kin.parents.get(issue.parent_id or 0)
    return None if parent is None else linked_issue(look.desk, parent)


def _epic_key(look: Look, issue: Issue) -> Any:
    parent = look.kin.parents.get(issue.parent_id or 0)
    return parent.key if parent is not None and look.desk.types[parent.issue_type_id].level == 1 else None


def _comments(look: Look, issue: Issue) -> Any:
    total, rows = comments_of(look.desk, issue, 0, 5000)
    shown = [comment_json(look.desk, row, look.form) for row in rows]
    own = f"{look.desk.api}/issue/{issue.id}/comment"
    return {"comments": shown, "self": own, "maxResults": total, "total": total, "startAt": 0}


def _worklogs(look: Look, issue: Issue) -> Any:
    total, rows = worklogs_of(look.desk, issue, 0, 20)
    shown = [worklog_json(look.desk, row, look.form) for row in rows]
    return {"startAt": 0, "maxResults": 20, "total": total, "worklogs": shown}


def _attachments(look: Look, issue: Issue) -> Any:
    return [attachment_json(look.desk, row) for row in look.kin.attachments.get(issue.id, ())]


def _timetracking(_look: Look, issue: Issue) -> Any:
    out: dict[str, Any] = {}
    for name, value in (
        ("originalEstimate", issue.original_estimate_s),
        ("remainingEstimate", issue.remaining_estimate_s),
        ("timeSpent", issue.time_spent_s),
    ):
        if value is not None:
            out[name], out[f"{name}Seconds"] = short(value), value
    return out


def _workratio(_look: Look, issue: Issue) -> int:
    if not issue.original_estimate_s:
        return -1
    return (issue.time_spent_s or 0) * 100 // issue.original_estimate_s


def _aggregate_progress(look: Look, issue: Issue) -> Any:
    left = _aggregate("remaining_estimate_s")(look, issue)
    return _total(left, _aggregate("time_spent_s")(look, issue))


READ: dict[str, Show] = {
    "issuetype": lambda look, issue: type_json(look.desk, look.desk.types[issue.issue_type_id]),
    "status": lambda look, issue: status_json(look.desk, look.desk.statuses[issue.status_id]),
    "statusCategory": lambda look, issue: category_json(look.desk, look.desk.statuses[issue.status_id].category),
    "project": lambda look, issue: project_json(look.desk, project_of(look.desk, issue)),
    "creator": lambda look, issue: look.desk.user(issue.creator_id),
    "parent": _parent,
    EPIC_LINK: _epic_key,
    RANK: lambda _, issue: issue.rank,
    "created": lambda _, issue: stamp(issue.created_at),
    "updated": lambda _, issue: stamp(issue.updated_at),
    "resolutiondate": lambda _, issue: stamp(issue.resolved_at),
    "statuscategorychangedate": lambda _, issue: stamp(issue.status_changed_at or issue.created_at),
    "lastViewed": lambda _, __: None,
    "security": lambda _, __: None,
    "timetracking": _timetracking,
    "timespent": lambda _, issue: issue.time_spent_s,
    "timeestimate": lambda _, issue: issue.remaining_estimate_s,
    "timeoriginalestimate": lambda _, issue: issue.original_estimate_s,
    "aggregatetimespent": _aggregate("time_spent_s"),
    "aggregatetimeestimate": _aggregate("remaining_estimate_s"),
    "aggregatetimeoriginalestimate": _aggregate("original_estimate_s"),
    "progress": lambda _, issue: _total(issue.remaining_estimate_s, issue.time_spent_s),
    "aggregateprogress": _aggregate_progress,
    "workratio": _workratio,
    "issuelinks": lambda look, issue: links_of(look.kin, issue),
    "subtasks": lambda look, issue: [linked_issue(look.desk, child) for child in look.kin.subtasks(issue)],
    "watches": lambda look, issue: watches_json(look.desk, issue, *look.kin.watches.get(issue.id, (0, False))),
    "votes": lambda look, issue: votes_json(look.desk, issue, *look.kin.votes.get(issue.id, (0, False))),
    "comment": _comments,
    "worklog": _worklogs,
    "attachment": _attachments,
}


def shown_fields(look: Look, issue: Issue) -> list[Field]:
    """The asked-for fields that this issue has: system fields always, custom ones when set or on its screen."""
    config = look.desk.project_type(issue.project_id, issue.issue_type_id)
    listed = screen(look.desk, config.edit_screen_id) if config else {}
    out = []
    for spec in all_fields(look.desk).values():
        if spec.id not in look.fields:
            continue
        if spec.is_custom and spec.id not in listed and spec.stored(issue) in (None, []):
            continue
        if spec.id == "parent" and issue.parent_id is None:
            continue
        out.append(spec)
    return out


def field_value(look: Look, issue: Issue, spec: Field) -> Any:
    """One field's value."""
    read = READ.get(spec.id)
    if read is not None:
        return read(look, issue)
    return spec.values.show(scope_of(look.desk, project_of(look.desk, issue), spec, look.form), spec.stored(issue))


def issues_json(look: Look, issues: Iterable[Issue]) -> list[dict[str, Any]]:
    """Issues with their fields and expansions; what belongs to them is read together."""
    rows = list(issues)
    whole = replace(look, page=Kin(look.desk, rows))
    return [_one(whole, issue) for issue in rows]


def issue_json(look: Look, issue: Issue) -> dict[str, Any]:
    """One issue with its fields and expansions."""
    return issues_json(look, [issue])[0]


def _one(look: Look, issue: Issue) -> dict[str, Any]:
    head: dict[str, Any] = {
        "expand": EXPANDABLE,
        "id": str(issue.id),
        "self": f"{look.desk.api}/issue/{issue.id}",
        "key": issue.key,
    }
    specs = shown_fields(look, issue)
    for name in sorted(look.expand):
        add = EXPAND.get(name)
        if add is not None:
            head[name] = add(look, issue, specs)
    head["fields"] = {spec.id: field_value(look, issue, spec) for spec in specs}
    return head


# expansions


def changelog_item(desk: Desk, row: ChangeItem) -> dict[str, Any]:
    """One item of a changelog entry; people appear as accountIds."""
    before, after = row.from_value, row.to_value
    if row.field_id in PEOPLE_FIELDS:
        before, after = (None if p is None else desk.account(p) for p in (before, after))
    return {
        "field": row.field,
        "fieldtype": row.field_type,
        "fieldId": row.field_id,
        "from": before,
        "fromString": row.from_string,
        "to": after,
        "toString": row.to_string,
    }


def histories(desk: Desk, issue: Issue) -> list[dict[str, Any]]:
    """The changelog, oldest entry first."""
    query = select(ChangeItem).where(ChangeItem.issue_id == issue.id)
    out: dict[int, dict[str, Any]] = {}
    for row in desk.call.session.exec(query.order_by(col(ChangeItem.history_id), col(ChangeItem.ordinal))):
        entry = out.get(row.history_id)
        if entry is None:
            head = {"id": str(row.history_id), "author": desk.user(row.author_id), "created": stamp(row.created_at)}
            entry = out[row.history_id] = {**head, "items": []}
        entry["items"].append(changelog_item(desk, row))
    return list(out.values())


def _changelog(look: Look, issue: Issue, _specs: list[Field]) -> Any:
    found = histories(look.desk, issue)[::-1]
    return {"startAt": 0, "maxResults": len(found), "total": len(found), "histories": found}


def _names(_look: Look, _issue: Issue, specs: list[Field]) -> Any:
    return {spec.id: spec.name for spec in specs}


def _schema(_look: Look, _issue: Issue, specs: list[Field]) -> Any:
    return {spec.id: spec.schema() for spec in specs}


def _rendered(look: Look, issue: Issue, specs: list[Field]) -> Any:
    return {spec.id: _rendered_value(look, issue, spec) for spec in specs}


def _rendered_value(look: Look, issue: Issue, spec: Field) -> Any:
    if spec.kind == "textarea":
        return html(look.desk, spec.stored(issue))
    if spec.id == "comment":
        shown = _comments(look, issue)
        _, rows = comments_of(look.desk, issue, 0, 5000)
        for entry, row in zip(shown["comments"], rows, strict=True):
            entry["body"] = html(look.desk, row.body)
        return shown
    if spec.id == "worklog":
        return _rendered_worklogs(look, issue)
    if spec.type in ("datetime", "date"):
        return field_value(look, issue, spec)
    return None


def _rendered_worklogs(look: Look, issue: Issue) -> Any:
    shown = _worklogs(look, issue)
    rows: list[Worklog] = worklogs_of(look.desk, issue, 0, 20)[1]
    for entry, row in zip(shown["worklogs"], rows, strict=True):
        entry["comment"] = html(look.desk, row.comment)
    return shown


def _operations(_look: Look, _issue: Issue, _specs: list[Field]) -> Any:
    return {"linkGroups": []}


def _transitions(look: Look, issue: Issue, _specs: list[Field]) -> Any:
    return [transition_json(look.desk, issue, step) for step in available(look.desk, issue)]


def _editmeta(look: Look, issue: Issue, _specs: list[Field]) -> Any:
    return {"fields": edit_meta(look.desk, issue)}


EXPAND: dict[str, Callable[[Look, Issue, list[Field]], Any]] = {
    "changelog": _changelog,
    "names": _names,
    "schema": _schema,
    "renderedFields": _rendered,
    "operations": _operations,
    "transitions": _transitions,
    "editmeta": _editmeta,
}
