"""What may be set on a screen: the metadata of create, edit and transition screens."""

from collections.abc import Mapping
from typing import Any

from apps.jira.models import Issue, Project, ScreenField
from apps.jira.operations.access import project_of
from apps.jira.operations.context import Desk
from apps.jira.operations.fields import EPIC_LINK, SPRINT, Field, all_fields, scope_of, screen
from apps.jira.operations.lookups import project_json, type_json

VERBS = {
    "timetracking": ("set", "edit"),
    "issuelinks": ("add", "copy"),
    "comment": ("add",),
    "attachment": ("set", "copy"),
}
USERS = {
    "assignee": "user/assignable/search?project={project}&query=",
    "reporter": "user/recommend?context=Reporter&query=",
}


def field_meta(desk: Desk, project: Project, spec: Field, *, required: bool) -> dict[str, Any]:
    """One field of a screen."""
    out: dict[str, Any] = {
        "required": required,
        "schema": spec.schema(),
        "name": spec.name,
        "key": spec.id,
        "hasDefaultValue": spec.id in ("priority", "reporter"),
        "operations": list(spec.values.verbs if spec.kind else VERBS.get(spec.id, ("set",))),
    }
    if spec.is_custom:
        out["fieldId"] = spec.id
    kind = spec.values if spec.kind else None
    if kind is not None and kind.choices is not None:
        out["allowedValues"] = kind.choices(scope_of(desk, project, spec, None))
    if spec.id in USERS:
        out["autoCompleteUrl"] = f"{desk.api}/{USERS[spec.id].format(project=project.key)}"
    elif spec.id == "labels":
        out["autoCompleteUrl"] = f"{desk.call.base_url}/rest/api/1.0/labels/suggest?query="
    return out


def screen_meta(desk: Desk, project: Project, rows: Mapping[str, ScreenField]) -> dict[str, dict[str, Any]]:
    """All fields of a screen, in its order."""
    known = all_fields(desk)
    return {
        name: field_meta(desk, project, known[name], required=row.required)
        for name, row in rows.items()
        if name in known
    }


def create_meta(desk: Desk, project: Project, issue_type_id: int) -> dict[str, dict[str, Any]]:
    """Fields of the create screen of an issue type, project and issue type first."""
    config, kind = desk.project_type(project.id, issue_type_id), desk.types[issue_type_id]
    known = all_fields(desk)
    head = {
        "project": {
            **field_meta(desk, project, known["project"], required=True),
            "allowedValues": [project_json(desk, project)],
        },
        "issuetype": {
            **field_meta(desk, project, known["issuetype"], required=True),
            "allowedValues": [type_json(desk, kind)],
        },
    }
    listed = screen_meta(desk, project, screen(desk, config.create_screen_id) if config else {})
    if kind.level < 0:
        head["parent"] = field_meta(desk, project, known["parent"], required=True)
    return {**head, **listed}


def edit_meta(desk: Desk, issue: Issue) -> dict[str, dict[str, Any]]:
    """Fields the caller may change on an issue now; none without permission to edit."""
    project = project_of(desk, issue)
    if not desk.may("EDIT_ISSUES", project):
        return {}
    config = desk.project_type(issue.project_id, issue.issue_type_id)
    meta = screen_meta(desk, project, screen(desk, config.edit_screen_id) if config else {})
    types = [type_json(desk, desk.types[row.issue_type_id]) for row in desk.project_types(project.id)]
    out = {
        "issuetype": {**field_meta(desk, project, all_fields(desk)["issuetype"], required=True), "allowedValues": types}
    }
    out |= meta
    out["comment"] = field_meta(desk, project, all_fields(desk)["comment"], required=False)
    return {name: row for name, row in out.items() if name not in (SPRINT, EPIC_LINK) or project.type_key == "software"}
