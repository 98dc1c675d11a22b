"""Metadata of create, edit and transition screens: the fields that may be set."""

from collections.abc import Mapping

from apps.jira.domain.access import project_of
from apps.jira.domain.context import JiraContext
from apps.jira.domain.fields import EPIC_LINK, SPRINT, Field, get_fields_by_id, get_scope, get_screen_fields
from apps.jira.domain.lookups import issue_type_to_json, project_to_json
from apps.jira.models import Issue, Project
from apps.jira.models_workflows import ScreenField
from world.core.json_types import JsonObject

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


def field_meta_to_json(context: JiraContext, project: Project, spec: Field, *, required: bool) -> JsonObject:
    """One field of a screen."""
    out: JsonObject = {
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
        out["allowedValues"] = kind.choices(get_scope(context, project, spec, None))
    if spec.id in USERS:
        out["autoCompleteUrl"] = f"{context.api}/{USERS[spec.id].format(project=project.key)}"
    elif spec.id == "labels":
        out["autoCompleteUrl"] = f"{context.call.base_url}/rest/api/1.0/labels/suggest?query="
    return out


def screen_to_json(context: JiraContext, project: Project, rows: Mapping[str, ScreenField]) -> dict[str, JsonObject]:
    """All fields of a screen, in its order."""
    known = get_fields_by_id(context)
    return {
        name: field_meta_to_json(context, project, known[name], required=row.required)
        for name, row in rows.items()
        if name in known
    }


def get_create_meta(context: JiraContext, project: Project, issue_type_id: int) -> dict[str, JsonObject]:
    """Fields of the create screen of an issue type, project and issue type first."""
    config, kind = context.project_type(project.id, issue_type_id), context.types[issue_type_id]
    known = get_fields_by_id(context)
    head = {
        "project": {
            **field_meta_to_json(context, project, known["project"], required=True),
            "allowedValues": [project_to_json(context, project)],
        },
        "issuetype": {
            **field_meta_to_json(context, project, known["issuetype"], required=True),
            "allowedValues": [issue_type_to_json(context, kind)],
        },
    }
    listed = screen_to_json(context, project, get_screen_fields(context, config.create_screen_id) if config else {})
    if kind.level < 0:
        head["parent"] = field_meta_to_json(context, project, known["parent"], required=True)
    return {**head, **listed}


def get_edit_meta(context: JiraContext, issue: Issue) -> dict[str, JsonObject]:
    """Fields the caller may change on an issue now; none without permission to edit."""
    project = project_of(context, issue)
    if not context.may("EDIT_ISSUES", project):
        return {}
    config = context.project_type(issue.project_id, issue.issue_type_id)
    meta = screen_to_json(context, project, get_screen_fields(context, config.edit_screen_id) if config else {})
    types = [issue_type_to_json(context, context.types[row.issue_type_id]) for row in context.project_types(project.id)]
    out = {
        "issuetype": {
            **field_meta_to_json(context, project, get_fields_by_id(context)["issuetype"], required=True),
            "allowedValues": types,
        }
    }
    out |= meta
    out["comment"] = field_meta_to_json(context, project, get_fields_by_id(context)["comment"], required=False)
    return {name: row for name, row in out.items() if name not in (SPRINT, EPIC_LINK) or project.type_key == "software"}
