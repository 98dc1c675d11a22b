"""Workflows: transitions available to the caller, and the fields of their screens."""

from apps.jira.domain.access import list_children, project_of
from apps.jira.domain.context import JiraContext
from apps.jira.domain.field_meta import screen_to_json
from apps.jira.domain.fields import get_screen_fields
from apps.jira.domain.lookups import status_to_json
from apps.jira.models import Issue
from apps.jira.models_workflows import Transition
from world.core.json_types import JsonObject


def list_transitions(context: JiraContext, issue: Issue) -> list[Transition]:
    """Every transition of the issue's workflow."""
    config = context.project_type(issue.project_id, issue.issue_type_id)
    return context.transitions(config.workflow_id) if config else []


def list_transitions_from_status(context: JiraContext, issue: Issue) -> list[Transition]:
    """Transitions that start at the issue's status, whether or not the caller may take them."""
    return [t for t in list_transitions(context, issue) if not t.from_ids or issue.status_id in t.from_ids]


def list_available_transitions(context: JiraContext, issue: Issue) -> list[Transition]:
    """Transitions the caller may take now, in the workflow's order."""
    if not context.may("TRANSITION_ISSUES", project_of(context, issue)):
        return []
    return [t for t in list_transitions_from_status(context, issue) if is_condition_met(context, issue, t)]


def is_condition_met(context: JiraContext, issue: Issue, step: Transition) -> bool:
    """Whether a transition's condition lets the caller take it."""
    name, _, rest = step.condition.partition(":")
    if context.is_system or not name:
        return True
    if name == "assignee":
        return issue.assignee_id == context.call.person
    if name == "reporter":
        return issue.reporter_id == context.call.person
    if name == "role":
        return rest in context.roles(project_of(context, issue))
    return all(context.statuses[child.status_id].category == "done" for child in list_children(context, issue))


def transition_to_json(context: JiraContext, issue: Issue, step: Transition, *, fields: bool = False) -> JsonObject:
    """A transition as the API shows it."""
    out: JsonObject = {
        "id": str(step.id),
        "name": step.name,
        "to": status_to_json(context, context.statuses[step.to_id]),
        "hasScreen": step.screen_id is not None,
        "isGlobal": not step.from_ids,
        "isInitial": False,
        "isAvailable": True,
        "isConditional": bool(step.condition),
        "isLooped": step.to_id == issue.status_id,
    }
    if fields:
        rows = get_screen_fields(context, step.screen_id) if step.screen_id is not None else {}
        out["fields"] = screen_to_json(context, project_of(context, issue), rows)
    return out
