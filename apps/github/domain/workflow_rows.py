"""Rows of workflows."""

from apps.github.domain.context import Hub
from apps.github.models_actions import Run
from apps.github.models_actions import Workflow as WorkflowRow


def workflow_of(hub: Hub, run: Run) -> WorkflowRow:
    """The workflow of a run."""
    found = hub.call.session.get(WorkflowRow, run.workflow_id)
    assert found is not None
    return found
