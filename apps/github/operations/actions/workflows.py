"""Workflows: listed, enabled, disabled and started by hand; and repository dispatch events."""

from typing import Literal

from pydantic import Field, JsonValue
from sqlmodel import col, select

from apps.github.app import app
from apps.github.ci.run_queue import Cause, launch
from apps.github.ci.run_queue import start as start_runs
from apps.github.ci.workflow import Trigger, parse
from apps.github.ci.workflow import Workflow as File
from apps.github.ci.workflow_errors import FileFault
from apps.github.domain.context import GithubContext
from apps.github.domain.params import Line, PageParams, Ref, Reply, RepoRef
from apps.github.git import Repo
from apps.github.models import Repository
from apps.github.models_actions import Workflow
from apps.github.refusals import unprocessable
from apps.github.views.runs import WorkflowJson, workflow_json
from world.core.call import Call
from world.core.errors import OperationError
from world.core.json_types import JsonObject

SOURCE = "docs.github.com/rest/actions/workflows"
HERE = {"owner": "quayline", "repo": "payments"}
ONE = {**HERE, "workflow_id": "ci.yml"}
MOST_INPUTS = 25
MOST_PAYLOAD = 10  # top-level properties; docs.github.com/rest/repos/repos#create-a-repository-dispatch-event


class WorkflowRef(RepoRef):
    """One workflow."""

    workflow_id: Line = Field(description="The id of the workflow, or the name of its file.", examples=["ci.yml"])


class WorkflowList(RepoRef, PageParams):
    """The workflows of a repository."""


class WorkflowDispatch(WorkflowRef):
    """Request fields of a manual start."""

    ref: Ref = Field(description="The branch or tag to run on.", examples=["main"])
    inputs: dict[str, JsonValue] = Field(default={}, description="Values of the inputs the file declares, 25 at most.")
    return_run_details: bool = Field(default=False, description="Answer with the id and addresses of the run.")


class RepositoryDispatch(RepoRef):
    """A repository dispatch event."""

    event_type: str = Field(min_length=1, max_length=100, description="A name for the event.", examples=["deploy"])
    client_payload: dict[str, JsonValue] = Field(
        default={}, description="What workflows may read of it; 10 properties at most."
    )


def workflow_by(context: GithubContext, repo: Repository, wanted: str) -> Workflow:
    """Return a workflow by id or by the name of its file. Raises not_found."""
    where = (
        Workflow.id == int(wanted)
        if wanted.isdecimal() and len(wanted) < 16
        else col(Workflow.path).endswith(f"/{wanted}", autoescape=True)
    )
    row = context.call.session.exec(
        select(Workflow).where(Workflow.repo_id == repo.id, where).order_by(col(Workflow.id))
    ).first()
    if row is None:
        raise OperationError("not_found")
    return row


@app.operation(
    "actions/list-repo-workflows",
    units=1,
    source=f"{SOURCE}#list-repository-workflows",
    examples=[HERE],
    raises=("not_found",),
)
def list_repo_workflows(call: Call, params: WorkflowList) -> JsonObject:
    """List the workflows of a repository."""
    context = GithubContext(call)
    repo = context.repo(params.owner, params.repo)
    rows = call.session.exec(select(Workflow).where(Workflow.repo_id == repo.id).order_by(col(Workflow.id))).all()
    page = rows[params.start : params.start + params.size]
    return {"total_count": len(rows), "workflows": [workflow_json(context, repo, row) for row in page]}


@app.operation(
    "actions/get-workflow", units=1, source=f"{SOURCE}#get-a-workflow", examples=[ONE], raises=("not_found",)
)
def get_workflow(call: Call, params: WorkflowRef) -> WorkflowJson:
    """Read one workflow."""
    context = GithubContext(call)
    repo = context.repo(params.owner, params.repo)
    return workflow_json(context, repo, workflow_by(context, repo, params.workflow_id))


@app.operation(
    "actions/disable-workflow",
    writes=True,
    units=1,
    source=f"{SOURCE}#disable-a-workflow",
    examples=[ONE],
    raises=("not_found", "no_push", "archived", "refused"),
)
def disable_workflow(call: Call, params: WorkflowRef) -> None:
    """Switch a workflow off: nothing starts it until it is on again."""
    _switch(call, params, "disabled_manually")


@app.operation(
    "actions/enable-workflow",
    writes=True,
    units=1,
    source=f"{SOURCE}#enable-a-workflow",
    examples=[ONE],
    after=["actions/disable-workflow"],
    raises=("not_found", "no_push", "archived", "refused"),
)
def enable_workflow(call: Call, params: WorkflowRef) -> None:
    """Switch a workflow on again."""
    _switch(call, params, "active")


def _switch(call: Call, params: WorkflowRef, state: Literal["active", "disabled_manually"]) -> None:
    context = GithubContext(call)
    repo = context.repo(params.owner, params.repo)
    context.need(repo, "push", code="no_push")
    row = workflow_by(context, repo, params.workflow_id)
    if state == row.state == "disabled_manually":
        raise OperationError("refused", why="Unable to disable this workflow because it is not active")
    row.state, row.updated_at = state, call.now
    context.add(row)


# -- started by hand


@app.operation(
    "actions/create-workflow-dispatch",
    writes=True,
    units=1,
    source=f"{SOURCE}#create-a-workflow-dispatch-event",
    examples=[{**ONE, "ref": "main", "return_run_details": True}],
    raises=("not_found", "no_push", "archived", "unprocessable"),
)
def create_workflow_dispatch(call: Call, params: WorkflowDispatch) -> Reply | None:
    """Start a workflow on a branch or tag; its file must have a `workflow_dispatch` trigger."""
    context = GithubContext(call)
    repo = context.repo(params.owner, params.repo)
    context.need(repo, "push", code="no_push")
    row = workflow_by(context, repo, params.workflow_id)
    if row.state != "active":
        raise unprocessable("Cannot trigger a 'workflow_dispatch' on a disabled workflow")
    git = context.git(repo)
    ref, sha = _resolve_ref(git, params.ref)
    tree = git.tree_of(sha)
    file = _file(git, tree, row)
    inputs = _inputs(file.triggers["workflow_dispatch"], params.inputs)
    branch = ref.removeprefix("refs/heads/").removeprefix("refs/tags/")
    run = launch(context, repo, row, file, Cause("workflow_dispatch", ref, sha, tree, row.name, branch, inputs=inputs))
    if not params.return_run_details:
        return None
    where = f"/actions/runs/{run.id}"
    return Reply(
        {
            "workflow_run_id": run.id,
            "run_url": context.repo_api(repo) + where,
            "html_url": context.repo_html(repo) + where,
        },
        200,
    )


def _resolve_ref(git: Repo, name: str) -> tuple[str, str]:
    for ref in (name, f"refs/heads/{name}", f"refs/tags/{name}"):
        target = git.ref(ref) if ref.startswith(("refs/heads/", "refs/tags/")) else None
        if target is not None and (sha := git.peel(target)) is not None:
            return ref, sha
    raise unprocessable(f"No ref found for: {name}")


def _file(git: Repo, tree: str, row: Workflow) -> File:
    entry = git.at(tree, row.path)
    if entry is None or entry.kind != "blob":
        raise OperationError("not_found")
    try:
        file = parse(git.blob(entry.sha))
    except FileFault as fault:
        raise unprocessable(f"failed to parse workflow: {fault.sentence(row.path)}") from None
    if "workflow_dispatch" not in file.triggers:
        raise unprocessable("Workflow does not have 'workflow_dispatch' trigger")
    return file


def _inputs(trigger: Trigger, given: dict[str, JsonValue]) -> JsonObject:
    if len(given) > MOST_INPUTS:
        raise unprocessable("you may only define up to 25 `inputs` for a `workflow_dispatch` event")
    unknown = [name for name in given if name not in trigger.inputs]
    if unknown:
        raise unprocessable(f"Unexpected inputs provided: {unknown[:5]}".replace("'", '"'))
    out: JsonObject = {}
    for name, one in trigger.inputs.items():
        value = given.get(name, one.default)
        if value is None and one.required:
            raise unprocessable(f"Required input '{name}' not provided")
        if one.options and value is not None and str(value) not in one.options:
            raise unprocessable(
                f"Provided value '{str(value)[:60]}' for input '{name}' not in the list of allowed values"
            )
        out[name] = value
    return out


@app.operation(
    "repos/create-dispatch-event",
    writes=True,
    units=1,
    source="docs.github.com/rest/repos/repos#create-a-repository-dispatch-event",
    examples=[{**HERE, "event_type": "deploy", "client_payload": {"env": "staging"}}],
    raises=("not_found", "archived", "unprocessable"),
)
def create_dispatch_event(call: Call, params: RepositoryDispatch) -> None:
    """Send an event to a repository: workflows of its default branch with a `repository_dispatch` trigger start."""
    context = GithubContext(call)
    repo = context.repo(params.owner, params.repo)
    context.need(repo, "push", code="not_found")
    if len(params.client_payload) > MOST_PAYLOAD:
        raise unprocessable("Invalid request.\n\nNo more than 10 properties are allowed; client_payload has too many.")
    git = context.git(repo)
    sha = git.branch(repo.default_branch)
    if sha is not None:
        facts = {"action": params.event_type, "client_payload": params.client_payload}
        ref = f"refs/heads/{repo.default_branch}"
        start_runs(
            context,
            repo,
            Cause(
                "repository_dispatch", ref, sha, git.tree_of(sha), params.event_type, repo.default_branch, facts=facts
            ),
        )
