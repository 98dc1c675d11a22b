"""Workflows: which transitions an issue offers its caller, and what their screens ask."""

from typing import Any

from apps.jira.models import Issue, Transition
from apps.jira.operations.access import children, project_of
from apps.jira.operations.context import Desk
from apps.jira.operations.field_meta import screen_meta
from apps.jira.operations.fields import screen
from apps.jira.operations.lookups import status_json


def all_steps(desk: Desk, issue: Issue) -> list[Transition]:
    """Every transition of the issue's workflow."""
    config = desk.project_type(issue.project_id, issue.issue_type_id)
    return desk.transitions(config.workflow_id) if config else []


def from_here(desk: Desk, issue: Issue) -> list[Transition]:
    """Transitions that start at the issue's status, whether or not the caller may take them."""
    return [t for t in all_steps(desk, issue) if not t.from_ids or issue.status_id in t.from_ids]


def available(desk: Desk, issue: Issue) -> list[Transition]:
    """Transitions the caller may take now, in the workflow's order."""
    if not desk.may("TRANSITION_ISSUES", project_of(desk, issue)):
        return []
    return [t for t in from_here(desk, issue) if condition_met(desk, issue, t)]


def condition_met(desk: Desk, issue: Issue, step: Transition) -> bool:
    """Whether a transition's condition lets the caller take it."""
    name, _, rest = step.condition.partition(":")
    if desk.is_system or not name:
        return True
    if name == "assignee":
        return issue.assignee_id == desk.call.person
    if name == "reporter":
        return issue.reporter_id == desk.call.person
    if name == "role":
        return rest in desk.roles(project_of(desk, issue))
    return all(desk.statuses[child.status_id].category == "done" for child in children(desk, issue))


def transition_json(desk: Desk, issue: Issue, step: Transition, *, fields: bool = False) -> dict[str, Any]:
    """A transition as the API shows it."""
    out: dict[str, Any] = {
        "id": str(step.id),
        "name": step.name,
        "to": status_json(desk, desk.statuses[step.to_id]),
        "hasScreen": step.screen_id is not None,
        "isGlobal": not step.from_ids,
        "isInitial": False,
        "isAvailable": True,
        "isConditional": bool(step.condition),
        "isLooped": step.to_id == issue.status_id,
    }
    if fields:
        rows = screen(desk, step.screen_id) if step.screen_id is not None else {}
        out["fields"] = screen_meta(desk, project_of(desk, issue), rows)
    return out
