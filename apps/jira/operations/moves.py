"""Moving issues to another project; the old key keeps answering."""

from pydantic import Field

from apps.jira.app import app
from apps.jira.domain.access import find_issue, find_project, list_children, parse_number, project_of, require
from apps.jira.domain.context import JiraContext
from apps.jira.domain.history import Edit, announce
from apps.jira.models import Issue, KeyAlias, Project
from apps.jira.models_workflows import ProjectType, Workflow
from apps.jira.operations.params import Id
from apps.jira.refusals import field_errors
from world.core.call import Call
from world.core.errors import OperationError
from world.core.json_types import JsonObject
from world.core.params import Params

SOURCE = "developer.atlassian.com/cloud/jira/platform/rest/v3/api-group-issue-bulk-operations"
MOST_MOVED = 1000


class Target(Params):
    """Issues that go to one project and type."""

    issueIdsOrKeys: list[Id] = Field(description="Issues to move.", max_length=MOST_MOVED)
    inferFieldDefaults: bool = Field(default=True, description="Fill fields from defaults.")
    inferStatusDefaults: bool = Field(default=True, description="Map statuses by name, else to the first one.")
    inferSubtaskTypeDefault: bool = Field(default=True, description="Keep the types of sub-tasks.")


class Move(Params):
    """Targets by `PROJECT,issueTypeId` (project key or id; an optional parent key as third part)."""

    targetToSourcesMapping: dict[str, Target] = Field(
        description="Issues by target.", examples=[{"INC,10002": {"issueIdsOrKeys": ["SHOP-1"]}}]
    )
    sendBulkNotification: bool = Field(default=False, description="Whether watchers are mailed.")


class TaskRef(Params):
    """One bulk task."""

    taskId: Id = Field(description="Task id.")


def _get_target_type(context: JiraContext, project: Project, issue: Issue, type_id: int | None) -> ProjectType:
    wanted = issue.issue_type_id if type_id is None else type_id
    config = context.project_type(project.id, wanted)
    if config is None:
        raise field_errors(issuetype="The issue type selected is invalid.")
    return config


def _choose_status(context: JiraContext, config: ProjectType, issue: Issue) -> int:
    steps = context.transitions(config.workflow_id)
    known = {status for step in steps for status in (*step.from_ids, step.to_id)}
    if issue.status_id in known:
        return issue.status_id
    workflow = context.call.session.get(Workflow, config.workflow_id)
    return workflow.initial_status_id if workflow else issue.status_id


def _renumber(edit: Edit, issue: Issue, old: Project, project: Project) -> None:
    """Take an issue into another project: the next key there, and nothing that belongs to the old one."""
    project.issue_counter += 1
    key = f"{project.key}-{project.issue_counter}"
    edit.record("project", "project", (str(old.id), old.name), (str(project.id), project.name))
    edit.record("Key", "issuekey", (None, issue.key), (None, key))
    edit.context.call.session.add(KeyAlias(key=issue.key, issue_id=issue.id))
    issue.project_id, issue.number, issue.key = project.id, project.issue_counter, key
    issue.component_ids, issue.fix_version_ids, issue.affects_version_ids, issue.sprint_id = [], [], [], None


def move_issue(context: JiraContext, issue: Issue, project: Project, type_id: int | None) -> None:
    """Give an issue another project, key and status, or within its project another type; sub-tasks follow.

    Raises field_errors, cannot_move, cannot_create.
    """
    old = project_of(context, issue)
    require(context, "MOVE_ISSUES", old)
    require(context, "CREATE_ISSUES", project)
    config = _get_target_type(context, project, issue, type_id)
    edit, status = Edit(context, issue), _choose_status(context, config, issue)
    if project.id != old.id:
        _renumber(edit, issue, old, project)
    before, after = context.types[issue.issue_type_id], context.types[config.issue_type_id]
    edit.record("issuetype", "issuetype", (str(before.id), before.name), (str(after.id), after.name))
    was, now = context.statuses[issue.status_id], context.statuses[status]
    edit.record("status", "status", (str(was.id), was.name), (str(now.id), now.name))
    issue.issue_type_id, issue.status_id = config.issue_type_id, status
    edit.finish()
    if project.id == old.id:
        return
    announce(context, "jira.issue_moved", issue, old_project=old.key)
    for child in list_children(context, issue):
        if context.types[child.issue_type_id].level < 0:
            move_issue(context, child, project, None)


@app.operation(
    "submitBulkMove",
    writes=True,
    source=SOURCE,
    scope="write:jira-work",
    examples=[{"targetToSourcesMapping": {"SHOP,10001": {"issueIdsOrKeys": ["$createIssue:key"]}}}],
    raises=(
        "issue_not_found",
        "project_not_found",
        "project_id_not_found",
        "cannot_move",
        "cannot_create",
        "field_errors",
        "bad_request",
    ),
)
def submit_bulk_move(call: Call, params: Move) -> dict[str, str]:
    """Move issues to another project and type; they get new keys, the old keys keep working.

    Deviates: done at once, the task is finished when the answer arrives.
    """
    context = JiraContext(call)
    for target, sources in params.targetToSourcesMapping.items():
        ref, _, rest = target.partition(",")
        project = find_project(context, ref)
        type_id = parse_number(rest.split(",")[0]) if rest else None
        if rest and type_id is None:
            raise OperationError("bad_request", why=f"Target {target[:60]} is not PROJECT,issueTypeId.")
        for issue in sources.issueIdsOrKeys:
            move_issue(context, find_issue(context, issue), project, type_id)
    return {"taskId": str(context.next_id("jira_task"))}


@app.operation(
    "getBulkOperationProgress", source=SOURCE, scope="read:jira-work", examples=[{"taskId": "$submitBulkMove:taskId"}]
)
def get_bulk_operation_progress(call: Call, params: TaskRef) -> JsonObject:
    """Read how far a bulk task is; here every accepted task is complete."""
    return {"taskId": params.taskId, "status": "COMPLETE", "progressPercent": 100}
