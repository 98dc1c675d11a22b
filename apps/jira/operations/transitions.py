"""Moving issues through their workflow."""

from typing import Annotated

from pydantic import BeforeValidator, Field

from apps.jira.app import app
from apps.jira.domain.access import find_issue
from apps.jira.domain.context import JiraContext
from apps.jira.domain.edits import Changes
from apps.jira.domain.fields import get_screen_fields
from apps.jira.domain.history import Edit, announce
from apps.jira.domain.text import Format
from apps.jira.domain.workflow import list_available_transitions, list_transitions, transition_to_json
from apps.jira.models import Issue
from apps.jira.models_workflows import Transition
from apps.jira.operations.params import BodyFormat, Expand, Id, IssueRef, JsonObjectParam, Word, split_commas
from apps.jira.operations.side_effects import run_side_effects
from world.core.call import Call
from world.core.errors import OperationError
from world.core.json_types import JsonObject
from world.core.params import Params

SOURCE = "developer.atlassian.com/cloud/jira/platform/rest/v3/api-group-issues"


class TransitionList(Params):
    """Request fields for listing an issue's transitions."""

    issueIdOrKey: IssueRef
    expand: Expand | None = Field(default=None, description="transitions.fields adds what each screen asks.")
    transitionId: Id | None = Field(default=None, description="Only this transition.")
    sortByOpsBarAndStatus: bool | None = Field(default=None, description="Order as the issue page does.")


def _wrap_choice(value: object) -> object:
    return {"id": value} if isinstance(value, (str, int)) and not isinstance(value, bool) else value


class Choice(Params):
    """A transition by id, or by name."""

    id: Id | None = Field(default=None, description="Transition id, from the issue's transitions.", examples=["31"])
    name: Word | None = Field(default=None, description="Transition name, when the id is not known.")


class TransitionTake(BodyFormat):
    """A transition to perform, with values for its screen."""

    issueIdOrKey: IssueRef
    transition: Annotated[Choice, BeforeValidator(_wrap_choice)] | None = Field(
        default=None, description="The transition.", examples=[{"id": "31"}]
    )
    fields: JsonObjectParam = Field(
        default_factory=dict, description="Values for fields of the transition's screen, like resolution."
    )
    update: JsonObjectParam = Field(
        default_factory=dict, description="Operations by field; a comment goes here: comment [{add: {body}}]."
    )


def get_transition(context: JiraContext, issue: Issue, choice: Choice | None) -> Transition:
    """The transition of a choice. Raises missing_transition, unknown_transition, bad_transition."""
    if choice is None or not (choice.id or choice.name):
        raise OperationError("missing_transition")
    offered = list_available_transitions(context, issue)
    for step in offered:
        if choice.id == str(step.id) or (choice.id is None and step.name.casefold() == (choice.name or "").casefold()):
            return step
    for step in list_transitions(context, issue):
        if choice.id == str(step.id):
            raise OperationError("bad_transition", name=step.name, issue=issue.key)
    raise OperationError("unknown_transition", transition=choice.id or choice.name)


def _apply_resolution(context: JiraContext, changes: Changes, step: Transition) -> None:
    """The workflow's own effect on the resolution: set, cleared, or set because the issue is done."""
    spec, issue = changes.get_known_field("resolution"), changes.issue
    to = context.statuses[step.to_id]
    if step.clears_resolution or (to.category != "done" and issue.resolution_id is not None):
        changes.store(spec, None)
    elif step.resolution_id is not None and issue.resolution_id is None:
        changes.store(spec, step.resolution_id)
    elif to.category == "done" and issue.resolution_id is None and step.screen_id is None:
        default = next((r.id for r in context.resolutions.values() if r.is_default), None)
        if default is not None:
            changes.store(spec, default)
    if (issue.resolution_id is None) != (issue.resolved_at is None):
        issue.resolved_at = None if issue.resolution_id is None else context.call.now


def perform_transition(
    context: JiraContext,
    issue: Issue,
    step: Transition,
    fields: JsonObject,
    update: JsonObject,
    form: Format | None,
) -> None:
    """Take a transition: screen values, status, resolution, changelog, events. Raises field_errors."""
    edit = Edit(context, issue)
    listed = get_screen_fields(context, step.screen_id) if step.screen_id is not None else {}
    changes = Changes(edit, listed, form)
    changes.apply(fields, update)
    changes.finish()
    old, new = context.statuses[issue.status_id], context.statuses[step.to_id]
    _apply_resolution(context, changes, step)
    edit.record("status", "status", (str(old.id), old.name), (str(new.id), new.name))
    issue.status_id = new.id
    if old.category != new.category:
        issue.status_changed_at = context.call.now
    edit.finish()
    issue.updated_at = context.call.now
    run_side_effects(context, issue, update, form)
    announce(
        context,
        "jira.transitioned",
        issue,
        transition=step.name,
        from_status=old.name,
        to_status=new.name,
        from_category=old.category,
        to_category=new.category,
        assignee=issue.assignee_id,
    )


@app.operation(
    "getTransitions",
    source=SOURCE,
    scope="read:jira-work",
    examples=[{"issueIdOrKey": "SHOP-1"}],
    raises=("issue_not_found",),
)
def get_transitions(call: Call, params: TransitionList) -> JsonObject:
    """List the transitions you can take on an issue now, with their ids and target statuses."""
    context = JiraContext(call)
    issue = find_issue(context, params.issueIdOrKey)
    steps = [s for s in list_available_transitions(context, issue) if params.transitionId in (None, "0", str(s.id))]
    fields = "transitions.fields" in split_commas(params.expand)
    return {
        "expand": "transitions",
        "transitions": [transition_to_json(context, issue, step, fields=fields) for step in steps],
    }


@app.operation(
    "doTransition",
    writes=True,
    source=SOURCE,
    scope="write:jira-work",
    examples=[{"issueIdOrKey": "SHOP-1", "transition": {"id": "21"}}],
    raises=(
        "issue_not_found",
        "cannot_transition",
        "missing_transition",
        "unknown_transition",
        "bad_transition",
        "field_errors",
        "empty_comment",
        "bad_visibility",
        "link_type_not_found",
        "link_to_self",
        "cannot_link",
    ),
)
def do_transition(call: Call, params: TransitionTake) -> None:
    """Move an issue to another status through a transition, giving what its screen requires."""
    context = JiraContext(call)
    issue = find_issue(context, params.issueIdOrKey, "TRANSITION_ISSUES")
    step = get_transition(context, issue, params.transition)
    perform_transition(context, issue, step, dict(params.fields), dict(params.update), params.contentFormat)
