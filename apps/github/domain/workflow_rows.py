"""Rows of workflows."""

from apps.github.domain.context import GithubContext
from apps.github.models_actions import Run
from apps.github.models_actions import Workflow as WorkflowRow


def workflow_of(context: GithubContext, run: Run) -> WorkflowRow:
    """Return the workflow of a run."""
    found = context.call.session.get(WorkflowRow, run.workflow_id)
    assert found is not None
    return found
