"""Fields of JQL: names, and compilation of their clauses, history clauses and ORDER BY to SQL.

Names and operators: support.atlassian.com/jira-software-cloud/docs/jql-fields/
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Integer, String, and_, exists, func, literal_column, not_, or_, select, true
from sqlalchemy.orm import aliased
from sqlmodel import col

from apps.jira.models import (
    Attachment,
    Component,
    Issue,
    IssueLink,
    IssueType,
    Priority,
    Project,
    Resolution,
    Status,
    Version,
    Vote,
    Watcher,
    Worklog,
)
from apps.jira.query import functions
from apps.jira.query.clause import (
    EMPTINESS,
    ClauseQuestion,
    Condition,
    Ids,
    SqlColumn,
    any_condition,
    is_among,
    name_resolver,
    resolve_people,
)
from apps.jira.query.field_families import (
    Compile,
    Discrete,
    Has,
    column_has,
    day_family,
    day_row_family,
    has_no_row,
    has_row,
    list_has,
    list_items,
    moment_family,
    number_family,
    parse_number,
    parse_working_seconds,
    text_family,
    unindexed_text_family,
    worklog_text_condition,
)
from apps.jira.query.history_predicates import FieldHistory
from apps.jira.query.sort_keys import count_rows, first_sort_key, holds_column, holds_list, is_empty_list, name_sort_key
from apps.jira.query.tree import FieldName, JqlError, Value
from world.core.directory import Person

SPRINT, EPIC_LINK, POINTS, TEAM, RANK = 10020, 10014, 10016, 10001, 10019  # numbers of the software fields' custom ids


@dataclass(frozen=True, slots=True)
class Field:
    """A field: compilation of its clauses, its sort key and default direction, and whether it has a history."""

    build: Compile | None
    sort: Any = None
    descending: bool = False
    past: FieldHistory | None = None


def _resolve_label(asked: ClauseQuestion, value: Value) -> Ids:
    return [value.text]


_ASCII_LOWER = {ord(upper): ord(upper) + 32 for upper in "ABCDEFGHIJKLMNOPQRSTUVWXYZ"}


def _has_label(asked: ClauseQuestion, ids: Ids) -> Condition:
    items = list_items(col(Issue.labels), String())
    lowered = [str(label).translate(_ASCII_LOWER) for label in ids]
    inside = select(literal_column("1")).select_from(items).where(is_among(func.lower(items.c.value), lowered))
    return exists(inside.correlate(Issue))


CATEGORIES = {
    "new": ("To Do", "2"),
    "indeterminate": ("In Progress", "4"),
    "done": ("Done", "3"),
}  # name and id of each category


def _resolve_category(asked: ClauseQuestion, value: Value) -> Ids:
    said = value.text.casefold()
    keys = [key for key, (name, number) in CATEGORIES.items() if said in (key, name.casefold(), number)]
    if not keys:
        raise asked.refuse_value(value)
    return [status.id for status in asked.lookups.statuses if status.flag in keys] or [-1]


def _resolve_resolution(asked: ClauseQuestion, value: Value) -> Ids:
    if value.text.casefold() == "unresolved":
        return [_UNRESOLVED]
    return name_resolver(lambda lookups: lookups.resolutions)(asked, value)


_UNRESOLVED = 0


def _has_resolution(asked: ClauseQuestion, ids: Ids) -> Condition:
    real = [number for number in ids if number != _UNRESOLVED]
    column = col(Issue.resolution_id)
    parts = [is_among(column, real)] if real else []
    return any_condition([*parts, *([column.is_(None)] if _UNRESOLVED in ids else [])])


def _resolution_clause(asked: ClauseQuestion) -> Condition:
    """`resolution = Unresolved` is `resolution is EMPTY`; `!= Unresolved` is its opposite."""
    unresolved = isinstance(asked.operand, Value) and asked.operand.text.casefold() == "unresolved"
    if unresolved and asked.operator in ("=", "!="):
        column = col(Issue.resolution_id)
        return column.is_(None) if asked.operator == "=" else column.is_not(None)
    return _RESOLUTION(asked)


_RESOLUTION = Discrete(_resolve_resolution, _has_resolution, col(Issue.resolution_id).is_(None))


def _compare_priority(asked: ClauseQuestion, ids: Ids) -> Condition:
    place = {row.id: index for index, row in enumerate(reversed(asked.lookups.priorities))}
    return _compare_position(asked, place, int(ids[0]), column_has(col(Issue.priority_id)))


def _compare_position(asked: ClauseQuestion, place: Mapping[int, int], chosen: int, has: Has) -> Condition:
    """Return the condition of having a value before or after a chosen one."""
    at, operator = place[chosen], asked.operator
    test: dict[str, Callable[[int], bool]] = {
        "<": lambda other: other < at,
        "<=": lambda other: other <= at,
        ">": lambda other: other > at,
        ">=": lambda other: other >= at,
    }
    return has(asked, [row for row, other in place.items() if test[operator](other)])


def _compare_version(has: Has) -> Callable[[ClauseQuestion, Ids], Condition]:
    def greater(asked: ClauseQuestion, ids: Ids) -> Condition:
        parts: list[Condition] = []
        for chosen in ids:
            project = next(row.project_id for row in asked.lookups.versions if row.id == chosen)
            place = {row.id: index for index, row in enumerate(asked.lookups.versions) if row.project_id == project}
            parts.append(_compare_position(asked, place, int(chosen), has))
        return any_condition(parts)

    return greater


def _resolve_issue(asked: ClauseQuestion, value: Value) -> Ids:
    found = functions.find_issue_id(value.text, asked.lookups)
    if found is None and value.number:
        raise asked.refuse_value(value)
    if found is None and not functions.is_issue_key(value.text):
        raise JqlError([f"The issue key '{value.text}' for field '{asked.name}' is invalid."])
    if found is None:
        raise JqlError([f"An issue with key '{value.text}' does not exist for field '{asked.name}'."])
    return [found]


def _compare_key(asked: ClauseQuestion, ids: Ids) -> Condition:
    """Keys compare by number inside one project."""
    row = asked.lookups.context.read(select(Issue.project_id, Issue.number).where(col(Issue.id) == ids[0]))[0]  # type: ignore[call-overload]
    column = col(Issue.number)
    sides = {"<": column < row.number, "<=": column <= row.number, ">": column > row.number, ">=": column >= row.number}
    return and_(col(Issue.project_id) == row.project_id, sides[asked.operator])


def _has_epic(asked: ClauseQuestion, ids: Ids) -> Condition:
    child: Any = aliased(Issue)
    children = select(child.id).where(is_among(child.parent_id, ids))
    return or_(is_among(col(Issue.parent_id), ids), col(Issue.parent_id).in_(children))


def _has_sprint(asked: ClauseQuestion, ids: Ids) -> Condition:
    current = and_(col(Issue.sprint_id).is_not(None), is_among(col(Issue.sprint_id), ids))
    return or_(current, list_has(col(Issue.past_sprint_ids), Integer())(asked, ids))


def _resolve_link_type(asked: ClauseQuestion, value: Value) -> Ids:
    said = value.text.casefold()
    rows = asked.lookups.link_types
    outward = [f"{row.id}>" for row in rows if said in (row.name.casefold(), row.outward.casefold())]
    inward = [f"{row.id}<" for row in rows if said in (row.name.casefold(), row.inward.casefold())]
    if not outward and not inward:
        raise asked.refuse_value(value)
    return outward + inward


def _has_link_type(asked: ClauseQuestion, ids: Ids) -> Condition:
    ahead = [int(str(way)[:-1]) for way in ids if str(way).endswith(">")]
    back = [int(str(way)[:-1]) for way in ids if str(way).endswith("<")]
    kind = col(IssueLink.type_id)
    return or_(
        col(Issue.id).in_(select(col(IssueLink.source_id)).where(is_among(kind, ahead))),
        col(Issue.id).in_(select(col(IssueLink.destination_id)).where(is_among(kind, back))),
    )


def _has_link(asked: ClauseQuestion, ids: Ids) -> Condition:
    return or_(
        col(Issue.id).in_(select(col(IssueLink.source_id)).where(is_among(col(IssueLink.destination_id), ids))),
        col(Issue.id).in_(select(col(IssueLink.destination_id)).where(is_among(col(IssueLink.source_id), ids))),
    )


_UNLINKED = and_(has_no_row(col(IssueLink.source_id)), has_no_row(col(IssueLink.destination_id)))


def _resolve_nothing(asked: ClauseQuestion, value: Value) -> Ids:
    raise asked.refuse_value(value)


def _match_nothing(asked: ClauseQuestion, ids: Ids) -> Condition:
    return not_(true())


def _resolve_project_type(asked: ClauseQuestion, value: Value) -> Ids:
    found = [row.id for row in asked.lookups.projects if row.flag == value.text.casefold()]
    if not found and value.text.casefold() not in ("software", "business", "service_desk"):
        raise asked.refuse_value(value)
    return found or [-1]


def _has_project_category(asked: ClauseQuestion, ids: Ids) -> Condition:
    return col(Issue.project_id).in_(select(col(Project.id)).where(is_among(col(Project.category_id), ids)))


def _resolve_level(asked: ClauseQuestion, value: Value) -> float:
    return parse_number(asked, value)


def _resolve_team(asked: ClauseQuestion, value: Value) -> Ids:
    found = asked.lookups.teams.get(value.text.casefold())
    if not found:
        raise asked.refuse_value(value)
    return found


def _user_field(column: SqlColumn, field_id: str | None = None) -> Field:
    past = (
        FieldHistory(field_id, resolve_people, holds_column(column), column.is_(None), ("user",)) if field_id else None
    )
    return Field(
        Discrete(resolve_people, column_has(column), column.is_(None), ("user",)),
        name_sort_key(col(Person.full_name), col(Person.id), column),
        past=past,
    )


def _people_rows_field(issue: SqlColumn, person: SqlColumn) -> Field:
    return Field(Discrete(resolve_people, has_row(issue, person), has_no_row(issue), ("user",)))


def _versions_field(column: SqlColumn, field_id: str | None = None) -> Field:
    how, has = name_resolver(lambda lookups: lookups.versions), list_has(column, Integer())
    build = Discrete(how, has, is_empty_list(column), ("version",), _compare_version(has))
    past = FieldHistory(field_id, how, holds_list(column), is_empty_list(column), ("version",)) if field_id else None
    return Field(build, first_sort_key(column, col(Version.id), col(Version.position)), past=past)


def _reference_field(rows: str, column: SqlColumn, table: Any, field_id: str | None = None, **more: Any) -> Field:
    how = name_resolver(lambda lookups: getattr(lookups, rows))
    past = FieldHistory(field_id, how, holds_column(column), column.is_(None)) if field_id else None
    return Field(Discrete(how, column_has(column), **more), name_sort_key(table.name, table.id, column), past=past)


_PROJECT_KEY = (
    select(col(Project.key)).where(col(Project.id) == col(Issue.project_id)).correlate(Issue).scalar_subquery()
)
_PRIORITY = name_resolver(lambda lookups: lookups.priorities)
_PLACE = (
    select(-col(Priority.position)).where(col(Priority.id) == col(Issue.priority_id)).correlate(Issue).scalar_subquery()
)
_STATUS = name_resolver(lambda lookups: lookups.statuses)
_LEVEL = (
    select(col(IssueType.level)).where(col(IssueType.id) == col(Issue.issue_type_id)).correlate(Issue).scalar_subquery()
)
_RATIO = col(Issue.time_spent_s) * 100 / func.nullif(col(Issue.original_estimate_s), 0)

KEY = Field(
    Discrete(_resolve_issue, column_has(col(Issue.id)), None, ("issue",), _compare_key),
    (_PROJECT_KEY, col(Issue.number)),
    True,
)
_EPIC = Field(
    Discrete(_resolve_issue, column_has(col(Issue.parent_id)), col(Issue.parent_id).is_(None), ("issue",)),
    col(Issue.parent_id),
)
_SPRINTS = Field(
    Discrete(
        name_resolver(lambda lookups: lookups.sprints),
        _has_sprint,
        and_(col(Issue.sprint_id).is_(None), is_empty_list(col(Issue.past_sprint_ids))),
        ("sprint",),
    ),
    col(Issue.sprint_id),
)
_STORY_POINTS = Field(
    number_family(col(Issue.story_points), parse_number, empty=col(Issue.story_points).is_(None)),
    col(Issue.story_points),
)
_TEAM = Field(Discrete(_resolve_team, column_has(col(Issue.team_id)), col(Issue.team_id).is_(None)), col(Issue.team_id))
_RANK = Field(None, col(Issue.rank))


def _datetime_field(column: SqlColumn) -> Field:
    return Field(moment_family(column), column, descending=True)


def _duration_field(column: SqlColumn) -> Field:
    return Field(number_family(column, parse_working_seconds, empty=column.is_(None)), column)


def _text_field(name: str, column: SqlColumn) -> Field:
    return Field(text_family(name, empty=lambda asked: column == ""), func.lower(column))


SYSTEM: dict[str, Field] = {
    "project": _reference_field("projects", col(Issue.project_id), Project, kinds=("project",)),
    "issuetype": _reference_field("types", col(Issue.issue_type_id), IssueType, kinds=("type",)),
    "status": _reference_field("statuses", col(Issue.status_id), Status, "status"),
    "statuscategory": Field(Discrete(_resolve_category, column_has(col(Issue.status_id)))),
    "resolution": Field(
        _resolution_clause,
        name_sort_key(col(Resolution.name), col(Resolution.id), col(Issue.resolution_id)),
        past=FieldHistory(
            "resolution",
            name_resolver(lambda x: x.resolutions),
            holds_column(col(Issue.resolution_id)),
            col(Issue.resolution_id).is_(None),
        ),
    ),
    "priority": Field(
        Discrete(_PRIORITY, column_has(col(Issue.priority_id)), greater=_compare_priority),
        _PLACE,
        descending=True,
        past=FieldHistory(
            "priority", _PRIORITY, holds_column(col(Issue.priority_id)), col(Issue.priority_id).is_(None)
        ),
    ),
    "assignee": _user_field(col(Issue.assignee_id), "assignee"),
    "reporter": _user_field(col(Issue.reporter_id), "reporter"),
    "creator": _user_field(col(Issue.creator_id)),
    "watcher": _people_rows_field(col(Watcher.issue_id), col(Watcher.person_id)),
    "voter": _people_rows_field(col(Vote.issue_id), col(Vote.person_id)),
    "worklogauthor": _people_rows_field(col(Worklog.issue_id), col(Worklog.author_id)),
    "labels": Field(
        Discrete(_resolve_label, _has_label, is_empty_list(col(Issue.labels))),
        func.lower(func.json_extract(Issue.labels, "$[0]")),
    ),
    "component": Field(
        Discrete(
            name_resolver(lambda x: x.components),
            list_has(col(Issue.component_ids), Integer()),
            is_empty_list(col(Issue.component_ids)),
            ("component",),
        ),
        first_sort_key(col(Issue.component_ids), col(Component.id), func.lower(col(Component.name))),
    ),
    "fixversion": _versions_field(col(Issue.fix_version_ids), "fixVersions"),
    "affectedversion": _versions_field(col(Issue.affects_version_ids)),
    "sprint": _SPRINTS,
    "created": _datetime_field(col(Issue.created_at)),
    "updated": _datetime_field(col(Issue.updated_at)),
    "resolved": _datetime_field(col(Issue.resolved_at)),
    "statuscategorychangeddate": _datetime_field(col(Issue.status_changed_at)),
    "due": Field(day_family(col(Issue.due_on)), col(Issue.due_on)),
    "worklogdate": Field(day_row_family(col(Worklog.issue_id), col(Worklog.started_at))),
    "issuekey": KEY,
    "parent": _EPIC,
    "parentepic": Field(Discrete(_resolve_issue, _has_epic, col(Issue.parent_id).is_(None), ("issue",))),
    "issuelinktype": Field(Discrete(_resolve_link_type, _has_link_type, _UNLINKED)),
    "issuelink": Field(Discrete(_resolve_issue, _has_link, _UNLINKED, ("issue",))),
    "level": Field(Discrete(_resolve_nothing, _match_nothing, true())),
    "category": Field(
        Discrete(
            name_resolver(lambda x: x.categories),
            _has_project_category,
            col(Issue.project_id).in_(select(col(Project.id)).where(col(Project.category_id).is_(None))),
        )
    ),
    "projecttype": Field(Discrete(_resolve_project_type, column_has(col(Issue.project_id)))),
    "attachments": Field(
        Discrete(_resolve_nothing, _match_nothing, has_no_row(col(Attachment.issue_id)), operators=EMPTINESS)
    ),
    "summary": _text_field("summary", col(Issue.summary)),
    "description": _text_field("description_text", col(Issue.description_text)),
    "environment": _text_field("environment_text", col(Issue.environment_text)),
    "comment": Field(text_family(comments=True)),
    "text": Field(text_family("summary", "description_text", "environment_text", comments=True, negative=False)),
    "worklogcomment": Field(worklog_text_condition),
    "votes": Field(number_family(count_rows(col(Vote.issue_id)), parse_number), count_rows(col(Vote.issue_id))),
    "watchers": Field(
        number_family(count_rows(col(Watcher.issue_id)), parse_number), count_rows(col(Watcher.issue_id))
    ),
    "timespent": _duration_field(col(Issue.time_spent_s)),
    "originalestimate": _duration_field(col(Issue.original_estimate_s)),
    "remainingestimate": _duration_field(col(Issue.remaining_estimate_s)),
    "workratio": Field(number_family(_RATIO, parse_number, empty=_RATIO.is_(None)), _RATIO),
    "hierarchylevel": Field(number_family(_LEVEL, _resolve_level), _LEVEL),
}

ALIASES: dict[str, str] = {
    "type": "issuetype",
    "key": "issuekey",
    "issue": "issuekey",
    "id": "issuekey",
    "labels": "labels",
    "label": "labels",
    "components": "component",
    "fixversions": "fixversion",
    "affectedversions": "affectedversion",
    "versions": "affectedversion",
    "createddate": "created",
    "updateddate": "updated",
    "resolutiondate": "resolved",
    "duedate": "due",
    "timeoriginalestimate": "originalestimate",
    "timeestimate": "remainingestimate",
    "security": "level",
    "watches": "watchers",
    "space": "project",
    "worktype": "issuetype",
}

SOFTWARE: dict[int, Field] = {SPRINT: _SPRINTS, EPIC_LINK: _EPIC, POINTS: _STORY_POINTS, TEAM: _TEAM, RANK: _RANK}
SOFTWARE_NAMES = {
    "epic link": EPIC_LINK,
    "story points": POINTS,
    "story point estimate": POINTS,
    "team": TEAM,
    "team[team]": TEAM,
    "rank": RANK,
    "sprint": SPRINT,
}


def find_field(name: FieldName, lookups: functions.Lookups) -> Field | None:
    """The field a query names, or None."""
    if name.number is not None:
        return SOFTWARE.get(name.number) or _find_custom_field(
            lookups, lambda row: row.id == f"customfield_{name.number}"
        )
    folded = name.name.strip().casefold()
    if folded in SOFTWARE_NAMES:
        return SOFTWARE[SOFTWARE_NAMES[folded]]
    system = SYSTEM.get(ALIASES.get(folded, folded))
    return system or _find_custom_field(lookups, lambda row: row.name.casefold() == folded or row.id == folded)


def _find_custom_field(lookups: functions.Lookups, wanted: Callable[[Any], bool]) -> Field | None:
    row = next((row for row in lookups.custom_fields if wanted(row)), None)
    return None if row is None else custom_field(row.id, row.kind)


def custom_field(field_id: str, kind: str) -> Field:
    """A field the site's admins added."""
    value = func.json_extract(Issue.custom, f'$."{field_id}"')
    missing = value.is_(None)
    if kind in ("text", "url", "textarea"):
        return Field(unindexed_text_family(value, missing), value)
    if kind == "number":
        return Field(number_family(value, parse_number, empty=missing), value)
    if kind in ("date", "datetime"):
        return Field((day_family if kind == "date" else moment_family)(value), value, descending=kind == "datetime")
    if kind == "user":
        return Field(
            Discrete(resolve_people, column_has(value), missing, ("user",)),
            name_sort_key(col(Person.full_name), col(Person.id), value),
        )
    return _custom_option_field(field_id, kind, value, missing)


def _custom_option_field(field_id: str, kind: str, value: Any, missing: Condition) -> Field:
    how = _resolve_label if kind == "labels" else name_resolver(lambda lookups: lookups.options.get(field_id, []))
    if kind == "select":
        return Field(Discrete(how, column_has(value), missing), value)
    items = func.json_extract(Issue.custom, f'$."{field_id}"')
    of = String() if kind == "labels" else Integer()
    empty = func.coalesce(func.json_array_length(items), 0) == 0
    return Field(Discrete(how, list_has(items, of), empty), value)
