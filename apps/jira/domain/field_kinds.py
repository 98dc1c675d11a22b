"""Kinds of fields: accepted input, display, and changelog form of their values."""

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, TypeVar

from sqlmodel import SQLModel

from apps.jira.domain.context import JiraContext, format_timestamp
from apps.jira.domain.lookups import (
    component_to_json,
    option_to_json,
    priority_to_json,
    resolution_to_json,
    sprint_to_json,
    team_to_json,
    version_to_json,
)
from apps.jira.domain.text import NOT_A_STRING, Format, Problem, document_text, read_body, show_body
from apps.jira.models import Component, FieldOption, Priority, Project, Resolution, Version
from world.core.clock import from_datetime
from world.core.json_types import JsonObject

Trace = tuple[str | None, str | None]
Row = TypeVar("Row", bound=SQLModel)
Named = TypeVar("Named", bound=Component | Version | Priority | Resolution)
Part = TypeVar("Part", bound=Component | Version)
Render = Callable[[JiraContext, Row], JsonObject]
Table = Callable[[JiraContext], Mapping[int, Row]]


@dataclass(frozen=True, slots=True)
class Scope:
    """Scope in which a value is read or shown: context, project, field, body form."""

    context: JiraContext
    project: Project
    field_id: str = ""
    field_name: str = ""
    form: Format | None = None


Choices = Callable[[Scope], list[JsonObject]]


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of value.

    `read` parses what a caller sent to the stored value (raises Problem); `show` is the way back; `trace` is its (id,
    text) in the changelog; `verbs` are the operations of `update` on it; `many` = a list of items.
    """

    read: Callable[[Scope, object], object]
    show: Callable[[Scope, Any], object]
    trace: Callable[[Scope, Any], Trace]
    verbs: tuple[str, ...] = ("set",)
    many: bool = False
    choices: Choices | None = None


def _read_any(_scope: Scope, value: object) -> object:
    return value


def _text_trace(_scope: Scope, value: object) -> Trace:
    return None, None if value is None else str(value)


def _read_line(_scope: Scope, raw: object) -> str | None:
    if raw is None:
        return None
    if not isinstance(raw, str):
        raise Problem(NOT_A_STRING)
    if len(raw) > 255:
        raise Problem("The entered text is too long. It exceeds the allowed limit of 255 characters.")
    return raw.strip() or None


def _read_summary(_scope: Scope, raw: object) -> str:
    if raw is None:
        raise Problem("You must specify a summary of the issue.")
    if not isinstance(raw, str):
        raise Problem(NOT_A_STRING)
    if not raw.strip():
        raise Problem("You must specify a summary of the issue.")
    if "\n" in raw or "\r" in raw:
        raise Problem("The summary is invalid because it contains newline characters.")
    if len(raw) > 255:
        raise Problem("Summary can't exceed 255 characters.")
    return raw.strip()


def _read_body_field(scope: Scope, raw: object) -> JsonObject | None:
    return read_body(raw, scope.form)


def _show_body(scope: Scope, value: JsonObject | None) -> object:
    return show_body(value, scope.form)


def _body_trace(_scope: Scope, value: JsonObject | None) -> Trace:
    return None, document_text(value) or None


def _read_number(_scope: Scope, raw: object) -> float | None:
    if raw is None:
        return None
    if isinstance(raw, bool) or not isinstance(raw, (int, float)) or not math.isfinite(raw) or abs(raw) > 1e14:
        raise Problem("Operation value must be a number")
    return float(raw)


def _number_trace(_scope: Scope, value: float | None) -> Trace:
    if value is None:
        return None, None
    return None, str(int(value)) if float(value).is_integer() else str(value)


def _read_day(scope: Scope, raw: object) -> str | None:
    if raw is None or raw == "":
        return None
    try:
        if not isinstance(raw, str) or not re.fullmatch(r"\d{4}-\d\d-\d\d", raw):
            raise ValueError
        return date.fromisoformat(raw).isoformat()
    except ValueError:
        raise Problem(f'{scope.field_name or "Date"} must be of the format "yyyy-MM-dd"') from None


def _day_trace(_scope: Scope, value: str | None) -> Trace:
    return value, None if value is None else f"{value} 00:00:00.0"


def read_moment(raw: Any) -> int:
    """Microseconds of a Jira date-time (`2026-01-01T00:00:00.000+0000`, Z accepted). Raises Problem."""
    try:
        moment = datetime.fromisoformat(raw)
        if moment.tzinfo is None:
            raise ValueError
        return from_datetime(moment)
    except (ValueError, TypeError, OverflowError):
        raise Problem("Error parsing time: the format is yyyy-MM-dd'T'HH:mm:ss.SSSZ") from None


def _read_datetime(_scope: Scope, raw: object) -> int | None:
    return None if raw is None else read_moment(raw)


def _show_moment(_scope: Scope, value: int | None) -> str | None:
    return format_timestamp(value)


def _moment_trace(_scope: Scope, value: int | None) -> Trace:
    return format_timestamp(value), format_timestamp(value)


def _read_labels(_scope: Scope, raw: object) -> list[str]:
    if raw is None:
        return []
    if not isinstance(raw, list):
        raise Problem("data was not an array")
    return list(dict.fromkeys(_read_label(item) for item in raw))


def _read_label(raw: object) -> str:
    if not isinstance(raw, str):
        raise Problem("string expected at index 0")
    if not raw or any(c.isspace() for c in raw):
        raise Problem(f"The label '{raw[:60]}' contains spaces which is invalid.")
    if len(raw) > 255:
        raise Problem("The label exceeds the maximum length of 255 characters.")
    return raw


def _labels_trace(_scope: Scope, value: list[str] | None) -> Trace:
    return None, " ".join(value or [])


def _read_reference(raw: object, table: Mapping[int, Named], what: str) -> int:
    """The id of `{"id": ...}` or `{"name": ...}` in a reference table. Raises Problem."""
    if not isinstance(raw, dict) or not (raw.get("id") or raw.get("name")):
        raise Problem(f"Could not find valid 'id' or 'name' in the {what.lower()} object.")
    if raw.get("id"):
        if str(raw["id"]).isdecimal() and int(str(raw["id"])[:18]) in table:
            return int(raw["id"])
        raise Problem(f"{what} id '{str(raw['id'])[:60]}' is not valid")
    wanted = str(raw["name"]).casefold()
    for key, row in table.items():
        if row.name.casefold() == wanted:
            return key
    raise Problem(f"{what} name '{str(raw['name'])[:60]}' is not valid")


def _read_priority(scope: Scope, raw: object) -> int:
    if raw is None:
        return get_default_priority(scope.context)
    return _read_reference(raw, scope.context.priorities, "Priority")


def get_default_priority(context: JiraContext) -> int:
    """The priority of an issue created without one."""
    rows = list(context.priorities.values())
    return next((p.id for p in rows if p.is_default), rows[len(rows) // 2].id)


def _priority_trace(scope: Scope, value: int | None) -> Trace:
    return (None, None) if value is None else (str(value), scope.context.priorities[value].name)


def _read_resolution(scope: Scope, raw: object) -> int | None:
    return None if raw is None else _read_reference(raw, scope.context.resolutions, "Resolution")


def _resolution_trace(scope: Scope, value: int | None) -> Trace:
    return (None, None) if value is None else (str(value), scope.context.resolutions[value].name)


def _read_references(scope: Scope, raw: object, table: Mapping[int, Part], what: str) -> list[int]:
    if raw is None:
        return []
    if not isinstance(raw, list):
        raise Problem("data was not an array")
    own = {key: row for key, row in table.items() if row.project_id == scope.project.id}
    return list(dict.fromkeys(_read_reference(item, own, what) for item in raw))


def _read_components(scope: Scope, raw: object) -> list[int]:
    return _read_references(scope, raw, scope.context.components, "Component")


def _read_versions(scope: Scope, raw: object) -> list[int]:
    return _read_references(scope, raw, scope.context.versions, "Version")


def _component_trace(scope: Scope, value: int) -> Trace:
    return str(value), scope.context.components[value].name


def _version_trace(scope: Scope, value: int) -> Trace:
    return str(value), scope.context.versions[value].name


def read_person(scope: Scope, raw: object) -> str | None:
    """The person of `{"accountId": ...}` (or `id`), None for null. Raises Problem."""
    if raw is None:
        return None
    account = (raw.get("accountId") or raw.get("id")) if isinstance(raw, dict) else raw
    if account is None and isinstance(raw, dict) and ("name" in raw or "key" in raw):
        if raw.get("name") is None and raw.get("key") is None:
            return None
        raise Problem("'accountId' must be the only user identifying query parameter in GDPR strict mode.")
    if account is None and isinstance(raw, dict):
        return None
    person = scope.context.people_by_account.get(str(account))
    if person is None:
        raise Problem(f"User '{str(account)[:60]}' does not exist.")
    return person


def _read_assignee(scope: Scope, raw: object) -> str | None:
    account = (raw.get("accountId") or raw.get("id")) if isinstance(raw, dict) else None
    if account == "-1":
        return scope.project.lead_id if scope.project.assignee_type == "PROJECT_LEAD" else None
    person = read_person(scope, raw)
    if person is not None and not scope.context.person_may(person, "ASSIGNABLE_USER", scope.project):
        raise Problem(f"User '{scope.context.account(person)}' cannot be assigned issues.")
    return person


def _read_reporter(scope: Scope, raw: object) -> str:
    person = read_person(scope, raw)
    if person is None:
        raise Problem("Reporter is required.")
    found = scope.context.person(person)
    if found is None or found.status != "active":
        raise Problem("The reporter specified is not a user.")
    return person


def _show_user(scope: Scope, value: str | None) -> object:
    return scope.context.user(value)


def _user_trace(scope: Scope, value: str | None) -> Trace:
    return value, scope.context.name(value) or None


def _read_option(scope: Scope, raw: object) -> int | None:
    if raw is None:
        return None
    offered = [o for o in scope.context.options.get(scope.field_id, ()) if not o.disabled]
    wanted = raw.get("id") or raw.get("value") if isinstance(raw, dict) else raw
    for option in offered:
        if str(wanted) in (str(option.id), option.value):
            return option.id
    if isinstance(raw, dict) and raw.get("id"):
        raise Problem(f"Option id '{str(raw['id'])[:60]}' is not valid")
    if isinstance(raw, dict) and not raw.get("value"):
        raise Problem("Could not find valid 'id' or 'value' in the Parent Option object.")
    raise Problem(f"Option value '{str(wanted)[:60]}' is not valid")


def _read_options(scope: Scope, raw: object) -> list[int]:
    if raw is None:
        return []
    if not isinstance(raw, list):
        raise Problem("data was not an array")
    found = [_read_option(scope, item) for item in raw]
    return list(dict.fromkeys(item for item in found if item is not None))


def _find_option(scope: Scope, value: object) -> FieldOption | None:
    return next((o for o in scope.context.options.get(scope.field_id, ()) if o.id == value), None)


def _show_option(scope: Scope, value: int | None) -> object:
    option = None if value is None else _find_option(scope, value)
    return None if option is None else option_to_json(scope.context, option)


def _option_trace(scope: Scope, value: int | None) -> Trace:
    option = None if value is None else _find_option(scope, value)
    return (None, None) if option is None else (str(option.id), option.value)


def _read_sprint(scope: Scope, raw: object) -> int | None:
    if raw is None:
        return None
    if isinstance(raw, str) and raw.isdecimal():
        raw = int(raw[:18])
    if isinstance(raw, bool) or not isinstance(raw, int):
        raise Problem("Number value expected as the Sprint id.")
    sprint = scope.context.sprints.get(raw)
    if sprint is None:
        raise Problem(f"Sprint with id '{raw}' does not exist.")
    if sprint.state == "closed":
        raise Problem("The sprint is closed; issues cannot be added to it.")
    return raw


def _show_sprints(scope: Scope, value: list[int] | None) -> object:
    found = [scope.context.sprints[s] for s in value or [] if s in scope.context.sprints]
    return [sprint_to_json(sprint) for sprint in found] or None


def _sprint_trace(scope: Scope, value: list[int] | None) -> Trace:
    ids = [s for s in value or [] if s in scope.context.sprints]
    return ", ".join(str(s) for s in ids), ", ".join(scope.context.sprints[s].name for s in ids)


def _read_team(scope: Scope, raw: object) -> str | None:
    wanted = raw.get("id") if isinstance(raw, dict) else raw
    if wanted is None or wanted == "":
        return None
    if team_to_json(scope.context, str(wanted)) is None:
        raise Problem("Team id is not valid.")
    return str(wanted)


def _show_team(scope: Scope, value: str | None) -> object:
    return None if value is None else team_to_json(scope.context, value)


def _team_trace(scope: Scope, value: str | None) -> Trace:
    team = None if value is None else team_to_json(scope.context, value)
    return value, None if team is None else str(team["name"])


def _read_url(scope: Scope, raw: object) -> str | None:
    text = _read_line(scope, raw)
    if text is not None and not re.match(r"https?://\S+$", text):
        raise Problem("The URL you entered is not valid.")
    return text


def _show_row(show: Render[Row], rows_of: Table[Row]) -> Callable[[Scope, int | None], object]:
    def one(scope: Scope, value: int | None) -> object:
        row = None if value is None else rows_of(scope.context).get(value)
        return None if row is None else show(scope.context, row)

    return one


def _show_rows(show: Render[Row], rows_of: Table[Row]) -> Callable[[Scope, list[int] | None], object]:
    def several(scope: Scope, value: list[int] | None) -> object:
        rows = rows_of(scope.context)
        return [show(scope.context, rows[item]) for item in value or [] if item in rows]

    return several


def _table_choices(show: Render[Row], rows_of: Table[Row]) -> Choices:
    def choices(scope: Scope) -> list[JsonObject]:
        rows = rows_of(scope.context).values()
        return [show(scope.context, r) for r in rows if getattr(r, "project_id", scope.project.id) == scope.project.id]

    return choices


def _option_choices(scope: Scope) -> list[JsonObject]:
    return [option_to_json(scope.context, o) for o in scope.context.options.get(scope.field_id, ()) if not o.disabled]


def _show_options(scope: Scope, value: list[int] | None) -> object:
    return [_show_option(scope, item) for item in value] or None if value else None


KINDS: dict[str, Kind] = {
    "summary": Kind(_read_summary, _read_any, _text_trace),
    "text": Kind(_read_line, _read_any, _text_trace),
    "url": Kind(_read_url, _read_any, _text_trace),
    "textarea": Kind(_read_body_field, _show_body, _body_trace),
    "number": Kind(_read_number, _read_any, _number_trace),
    "date": Kind(_read_day, _read_any, _day_trace),
    "datetime": Kind(_read_datetime, _show_moment, _moment_trace),
    "labels": Kind(_read_labels, _read_any, _labels_trace, ("add", "set", "remove"), many=True),
    "priority": Kind(
        _read_priority,
        _show_row(priority_to_json, lambda context: context.priorities),
        _priority_trace,
        choices=_table_choices(priority_to_json, lambda context: context.priorities),
    ),
    "resolution": Kind(
        _read_resolution,
        _show_row(resolution_to_json, lambda context: context.resolutions),
        _resolution_trace,
        choices=_table_choices(resolution_to_json, lambda context: context.resolutions),
    ),
    "components": Kind(
        _read_components,
        _show_rows(component_to_json, lambda context: context.components),
        _component_trace,
        ("add", "set", "remove"),
        True,
        _table_choices(component_to_json, lambda context: context.components),
    ),
    "versions": Kind(
        _read_versions,
        _show_rows(version_to_json, lambda context: context.versions),
        _version_trace,
        ("set", "add", "remove"),
        True,
        _table_choices(version_to_json, lambda context: context.versions),
    ),
    "assignee": Kind(_read_assignee, _show_user, _user_trace),
    "reporter": Kind(_read_reporter, _show_user, _user_trace),
    "user": Kind(read_person, _show_user, _user_trace),
    "select": Kind(_read_option, _show_option, _option_trace, choices=_option_choices),
    "multiselect": Kind(_read_options, _show_options, _option_trace, ("add", "set", "remove"), True, _option_choices),
    "sprint": Kind(_read_sprint, _show_sprints, _sprint_trace),
    "team": Kind(_read_team, _show_team, _team_trace),
}
