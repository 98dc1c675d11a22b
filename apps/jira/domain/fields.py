"""The fields of an issue: system ones, the software fields with their usual custom ids, and the site's own."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from sqlmodel import col, select

from apps.jira.domain.context import JiraContext
from apps.jira.domain.field_kinds import KINDS, Kind, Scope
from apps.jira.domain.text import Format
from apps.jira.models import CustomField, Issue, Project
from apps.jira.models_workflows import ScreenField

SPRINT, EPIC_LINK, POINTS = "customfield_10020", "customfield_10014", "customfield_10016"
TEAM, RANK = "customfield_10001", "customfield_10019"

_GREENHOPPER = "com.pyxis.greenhopper.jira:"
_FIELD_TYPES = "com.atlassian.jira.plugin.system.customfieldtypes:"


@dataclass(frozen=True, slots=True)
class Field:
    """A field: REST id, name, kind of value ("" = read-only), the issue's column, and its schema."""

    id: str
    name: str
    kind: str
    column: str
    type: str
    items: str = ""
    custom: str = ""
    clauses: tuple[str, ...] = ()
    navigable: bool = True
    searchable: bool = True

    @property
    def is_custom(self) -> bool:
        """Whether the id is a customfield."""
        return self.id.startswith("customfield_")

    @property
    def values(self) -> Kind:
        """Kind that reads and shows its values."""
        return KINDS[self.kind]

    def get_stored_value(self, issue: Issue) -> Any:
        """Get the issue's value as stored."""
        if self.column == "custom":
            return issue.custom.get(self.id)
        if self.id == SPRINT:
            return [*issue.past_sprint_ids, *([issue.sprint_id] if issue.sprint_id is not None else [])]
        return getattr(issue, self.column)

    def schema(self) -> dict[str, object]:
        """The JSON schema block of /field."""
        out: dict[str, object] = {"type": self.type}
        if self.items:
            out["items"] = self.items
        if self.custom:
            out["custom"] = self.custom
            out["customId"] = int(self.id.removeprefix("customfield_"))
        else:
            out["system"] = self.id
        return out


def _system_field(id: str, name: str, kind: str, column: str, type: str, items: str = "", **more: Any) -> Field:
    return Field(id, name, kind, column, type, items, **more)


SYSTEM: dict[str, Field] = {
    f.id: f
    for f in (
        _system_field("summary", "Summary", "summary", "summary", "string"),
        _system_field("issuetype", "Issue Type", "", "", "issuetype", clauses=("issuetype", "type")),
        _system_field("status", "Status", "", "", "status"),
        _system_field("priority", "Priority", "priority", "priority_id", "priority"),
        _system_field("resolution", "Resolution", "resolution", "resolution_id", "resolution"),
        _system_field("assignee", "Assignee", "assignee", "assignee_id", "user"),
        _system_field("reporter", "Reporter", "reporter", "reporter_id", "user"),
        _system_field("creator", "Creator", "", "", "user"),
        _system_field("project", "Project", "", "", "project"),
        _system_field("parent", "Parent", "", "parent_id", "issuelink"),
        _system_field("labels", "Labels", "labels", "labels", "array", "string"),
        _system_field(
            "components", "Components", "components", "component_ids", "array", "component", clauses=("component",)
        ),
        _system_field(
            "fixVersions", "Fix versions", "versions", "fix_version_ids", "array", "version", clauses=("fixVersion",)
        ),
        _system_field(
            "versions",
            "Affects versions",
            "versions",
            "affects_version_ids",
            "array",
            "version",
            clauses=("affectedVersion",),
        ),
        _system_field("description", "Description", "textarea", "description", "string"),
        _system_field("environment", "Environment", "textarea", "environment", "string"),
        _system_field("duedate", "Due date", "date", "due_on", "date", clauses=("due", "duedate")),
        _system_field("created", "Created", "", "", "datetime", clauses=("created", "createdDate")),
        _system_field("updated", "Updated", "", "", "datetime", clauses=("updated", "updatedDate")),
        _system_field("resolutiondate", "Resolved", "", "", "datetime", clauses=("resolutiondate", "resolved")),
        _system_field(
            "statuscategorychangedate",
            "Status Category Changed",
            "",
            "",
            "datetime",
            clauses=("statusCategoryChangedDate",),
        ),
        _system_field("statusCategory", "Status Category", "", "", "statusCategory", clauses=("statusCategory",)),
        _system_field("lastViewed", "Last Viewed", "", "", "datetime"),
        _system_field("security", "Security Level", "", "", "securitylevel", clauses=("level",)),
        _system_field("timetracking", "Time tracking", "", "", "timetracking", navigable=False),
        _system_field("timespent", "Time Spent", "", "", "number"),
        _system_field(
            "timeestimate", "Remaining Estimate", "", "", "number", clauses=("remainingEstimate", "timeestimate")
        ),
        _system_field(
            "timeoriginalestimate",
            "Original estimate",
            "",
            "",
            "number",
            clauses=("originalEstimate", "timeoriginalestimate"),
        ),
        _system_field("aggregatetimespent", "Σ Time Spent", "", "", "number", searchable=False),
        _system_field("aggregatetimeestimate", "Σ Remaining Estimate", "", "", "number", searchable=False),
        _system_field("aggregatetimeoriginalestimate", "Σ Original Estimate", "", "", "number", searchable=False),
        _system_field("progress", "Progress", "", "", "progress", searchable=False),
        _system_field("aggregateprogress", "Σ Progress", "", "", "progress", searchable=False),
        _system_field("workratio", "Work Ratio", "", "", "number"),
        _system_field("issuelinks", "Linked Issues", "", "", "array", "issuelinks", clauses=("issueLink",)),
        _system_field("subtasks", "Sub-tasks", "", "", "array", "issuelinks"),
        _system_field("watches", "Watchers", "", "", "watches", clauses=("watchers",)),
        _system_field("votes", "Votes", "", "", "votes"),
        _system_field("comment", "Comment", "", "", "comments-page", navigable=False),
        _system_field("worklog", "Log Work", "", "", "array", "worklog", navigable=False),
        _system_field(
            "attachment", "Attachment", "", "", "array", "attachment", navigable=False, clauses=("attachments",)
        ),
    )
}

SOFTWARE: dict[str, Field] = {
    f.id: f
    for f in (
        _system_field(
            TEAM,
            "Team",
            "team",
            "team_id",
            "team",
            custom="com.atlassian.jira.plugin.system.customfieldtypes:atlassian-team",
        ),
        _system_field(EPIC_LINK, "Epic Link", "", "parent_id", "any", custom=_GREENHOPPER + "gh-epic-link"),
        _system_field(
            POINTS, "Story point estimate", "number", "story_points", "number", custom=_GREENHOPPER + "jsw-story-points"
        ),
        _system_field(RANK, "Rank", "", "rank", "any", custom=_GREENHOPPER + "gh-lexo-rank"),
        _system_field(SPRINT, "Sprint", "sprint", "sprint_id", "array", "json", custom=_GREENHOPPER + "gh-sprint"),
    )
}

# custom field kind -> type, items, custom type
CUSTOM: dict[str, tuple[str, str, str]] = {
    "text": ("string", "", "textfield"),
    "textarea": ("string", "", "textarea"),
    "number": ("number", "", "float"),
    "date": ("date", "", "datepicker"),
    "datetime": ("datetime", "", "datetime"),
    "select": ("option", "", "select"),
    "multiselect": ("array", "option", "multiselect"),
    "user": ("user", "", "userpicker"),
    "labels": ("array", "string", "labels"),
    "url": ("string", "", "url"),
}
WRITABLE_BY_HAND = frozenset({"parent", EPIC_LINK, "timetracking", "issuetype", "project"})


def field_from_row(row: CustomField) -> Field:
    """A field the site's admins added."""
    type, items, custom = CUSTOM[row.kind]
    return Field(row.id, row.name, row.kind, "custom", type, items, _FIELD_TYPES + custom)


def get_fields_by_id(context: JiraContext) -> dict[str, Field]:
    """Every field of the site by REST id."""
    if "fields" not in context.memo:
        context.memo["fields"] = {
            **SYSTEM,
            **SOFTWARE,
            **{row.id: field_from_row(row) for row in context.custom_fields.values()},
        }
    return context.memo["fields"]


def find_field(context: JiraContext, name: str) -> Field | None:
    """A field by REST id, or by its displayed name."""
    fields = get_fields_by_id(context)
    if name in fields:
        return fields[name]
    wanted = name.casefold()
    return next((f for f in fields.values() if f.name.casefold() == wanted), None)


def field_to_json(field: Field) -> dict[str, object]:
    """A field as /field lists it."""
    out: dict[str, object] = {
        "id": field.id,
        "key": field.id,
        "name": field.name,
        "custom": field.is_custom,
        "orderable": field.kind != "" or field.id in WRITABLE_BY_HAND,
        "navigable": field.navigable,
        "searchable": field.searchable,
        "clauseNames": clause_names(field),
        "schema": field.schema(),
    }
    if field.is_custom:
        out["untranslatedName"] = field.name
    return out


def clause_names(field: Field) -> list[str]:
    """Return the field's names in JQL."""
    if field.is_custom:
        return [f"cf[{field.id.removeprefix('customfield_')}]", field.name]
    return list(field.clauses) or [field.id]


def get_screen_fields(context: JiraContext, screen_id: int) -> dict[str, ScreenField]:
    """Fields of a screen by id, in order."""
    name = f"screen {screen_id}"
    if name not in context.memo:
        query = select(ScreenField).where(ScreenField.screen_id == screen_id)
        rows = context.call.session.exec(query.order_by(col(ScreenField.position), ScreenField.field_id))
        context.memo[name] = {row.field_id: row for row in rows}
    return context.memo[name]


def get_scope(context: JiraContext, project: Project, field: Field, form: Format | None) -> Scope:
    """The scope a field's value is read in."""
    return Scope(context, project, field.id, field.name, form)


def select_fields(context: JiraContext, wanted: Iterable[str], default: str) -> frozenset[str]:
    """Field ids of a `fields` parameter: ids, names, *all, *navigable, and -id to leave one out."""
    fields = get_fields_by_id(context)
    asked = [part.strip() for item in wanted for part in item.split(",") if part.strip()]
    plus = [item for item in asked if not item.startswith("-")] or [default]
    out: set[str] = set()
    for item in plus:
        if item == "*all":
            out.update(fields)
        elif item == "*navigable":
            out.update(f.id for f in fields.values() if f.navigable)
        else:
            found = find_field(context, item)
            out.add(found.id if found else item)
    out.difference_update(item[1:] for item in asked if item.startswith("-"))
    return frozenset(out)
