"""Workflow runs: listed, read, cancelled, rerun, deleted."""

from typing import TypedDict

from pydantic import Field
from sqlmodel import col, select

from apps.github.app import app
from apps.github.ci.jobs import cancel, jobs_of, suite_of
from apps.github.ci.rerun import rerun
from apps.github.columns import Condition
from apps.github.domain.context import GithubContext
from apps.github.domain.params import Id, Line, PageParams, Ref, RepoRef
from apps.github.domain.revisions import moment
from apps.github.models import Repository
from apps.github.models_actions import CheckRun, Job, Run, Workflow
from apps.github.operations.actions.workflows import HERE, WorkflowRef, workflow_by
from apps.github.refusals import conflict
from apps.github.views.runs import RunJson, run_json
from world.core.call import Call
from world.core.clock import SECOND, from_datetime
from world.core.errors import OperationError
from world.core.json_types import JsonObject

SOURCE = "docs.github.com/rest/actions/workflow-runs"
RUN = {**HERE, "run_id": "$actions/list-workflow-runs-for-repo:workflow_runs.0.id"}
STATES = ("queued", "in_progress", "completed", "requested", "waiting", "pending")
DAY = 86_400 * SECOND


class ListRunsJson(TypedDict):
    """Response of `_list_runs`."""

    total_count: int
    workflow_runs: list[RunJson]


class RunRef(RepoRef):
    """One run."""

    run_id: Id = Field(description="The id of the run.")


class RunGet(RunRef):
    """One run to show."""

    exclude_pull_requests: bool = Field(default=False, description="Leave `pull_requests` empty.")


class AttemptRef(RunGet):
    """One attempt of a run."""

    attempt_number: Id = Field(description="The number of the attempt, from 1.")


class RunFilter(PageParams):
    """Filters of a list of runs."""

    actor: Line | None = Field(default=None, description="Only those this login started.")
    branch: Ref | None = Field(default=None, description="Only those of this branch.")
    event: Line | None = Field(
        default=None, description="Only those of this event: push, pull_request, workflow_dispatch."
    )
    status: Line | None = Field(
        default=None, description="A status (queued, in_progress, completed) or a conclusion (success, failure)."
    )
    created: Line | None = Field(
        default=None, description="Only those made then: a date, `>=2026-03-01`, `2026-03-01..2026-03-05`."
    )
    exclude_pull_requests: bool = Field(default=False, description="Leave `pull_requests` empty.")
    check_suite_id: Id | None = Field(default=None, description="Only that of this suite.")
    head_sha: Line | None = Field(default=None, description="Only those of this commit.")


class RunList(RepoRef, RunFilter):
    """Runs of a repository."""


class WorkflowRuns(WorkflowRef, RunFilter):
    """Runs of a workflow."""


class RunRerun(RunRef):
    """A run to rerun."""

    enable_debug_logging: bool = Field(default=False, description="Log more; there is nothing more to log here.")


def get_run_row(context: GithubContext, params: RunRef, level: str = "pull") -> tuple[Repository, Run]:
    """Return a run and its repository. Raises not_found, forbidden, archived."""
    repo = context.repo(params.owner, params.repo)
    run = context.call.session.get(Run, params.run_id)
    if run is None or run.repo_id != repo.id:
        raise OperationError("not_found")
    if level != "pull":
        context.need(repo, level)
    return repo, run


# -- reading


@app.operation(
    "actions/list-workflow-runs-for-repo",
    units=1,
    source=f"{SOURCE}#list-workflow-runs-for-a-repository",
    examples=[HERE],
    raises=("not_found", "unprocessable"),
)
def list_runs(call: Call, params: RunList) -> ListRunsJson:
    """List the workflow runs of a repository, newest first."""
    context = GithubContext(call)
    return _list_runs(context, context.repo(params.owner, params.repo), params)


@app.operation(
    "actions/list-workflow-runs",
    units=1,
    source=f"{SOURCE}#list-workflow-runs-for-a-workflow",
    examples=[{**HERE, "workflow_id": "ci.yml", "status": "failure"}],
    raises=("not_found", "unprocessable"),
)
def list_of_workflow(call: Call, params: WorkflowRuns) -> ListRunsJson:
    """List the runs of one workflow, newest first."""
    context = GithubContext(call)
    repo = context.repo(params.owner, params.repo)
    return _list_runs(context, repo, params, workflow_by(context, repo, params.workflow_id))


def _list_runs(
    context: GithubContext, repo: Repository, params: RunFilter, workflow: Workflow | None = None
) -> ListRunsJson:
    where = _conditions(context, repo, params)
    if workflow is not None:
        where.append(Run.workflow_id == workflow.id)
    ids = context.call.session.exec(select(Run.id).where(*where).order_by(col(Run.id).desc())).all()
    page = ids[params.start : params.start + params.size]
    rows = context.call.session.exec(select(Run).where(col(Run.id).in_(page)).order_by(col(Run.id).desc())).all()
    shown = [run_json(context, repo, run, pulls=not params.exclude_pull_requests) for run in rows]
    return {"total_count": len(ids), "workflow_runs": shown}


def _conditions(context: GithubContext, repo: Repository, params: RunFilter) -> list[Condition]:
    where: list[Condition] = [Run.repo_id == repo.id]
    if params.actor:
        account = context.find_login(params.actor)
        where.append(Run.actor_id == (account.id if account else 0))
    if params.status:
        where.append(Run.status == params.status if params.status in STATES else Run.conclusion == params.status)
    if params.created:
        low, high = parse_created(params.created)
        where += [Run.created_at >= low, Run.created_at < high]
    wanted = (
        (Run.head_branch, params.branch),
        (Run.event, params.event),
        (Run.suite_id, params.check_suite_id),
        (Run.head_sha, params.head_sha),
    )
    return where + [column == value for column, value in wanted if value is not None]


def parse_created(text: str) -> tuple[int, int]:
    """Parse `2026-03-01`, `>=…`, `<…` or `…..…` into start and end. Raises unprocessable."""
    low, high = 0, 2**62
    if ".." in text:
        first, _, last = text.partition("..")
        return (low if first in ("", "*") else _edges(first)[0]), (high if last in ("", "*") else _edges(last)[1])
    sign = next((one for one in (">=", "<=", ">", "<") if text.startswith(one)), "")
    begin, end = _edges(text.removeprefix(sign))
    return {"": (begin, end), ">=": (begin, high), ">": (end, high), "<": (low, begin), "<=": (low, end)}[sign]


def _edges(text: str) -> tuple[int, int]:
    at = from_datetime(moment(text.strip(), "created"))
    return at, at + (DAY if len(text.strip()) <= 10 else SECOND)


@app.operation(
    "actions/get-workflow-run", units=1, source=f"{SOURCE}#get-a-workflow-run", examples=[RUN], raises=("not_found",)
)
def get_run(call: Call, params: RunGet) -> RunJson:
    """Read one workflow run: where it is, and how it ended."""
    context = GithubContext(call)
    repo, run = get_run_row(context, params)
    return run_json(context, repo, run, pulls=not params.exclude_pull_requests)


@app.operation(
    "actions/get-workflow-run-attempt",
    units=1,
    source=f"{SOURCE}#get-a-workflow-run-attempt",
    examples=[{**RUN, "attempt_number": 1}],
    raises=("not_found",),
)
def get_attempt(call: Call, params: AttemptRef) -> RunJson:
    """Read one attempt of a run that was run again."""
    context = GithubContext(call)
    repo, run = get_run_row(context, params)
    if params.attempt_number > run.attempt:
        raise OperationError("not_found")
    return run_json(context, repo, run, attempt=params.attempt_number, pulls=not params.exclude_pull_requests)


@app.operation(
    "actions/get-workflow-run-usage",
    units=1,
    source=f"{SOURCE}#get-workflow-run-usage",
    examples=[RUN],
    raises=("not_found",),
)
def get_usage(call: Call, params: RunRef) -> JsonObject:
    """Read how long a run took.

    Time: milliseconds.
    """
    context = GithubContext(call)
    _, run = get_run_row(context, params)
    jobs = [job for job in jobs_of(context, run) if job.completed_at is not None]
    spent = [{"job_id": job.id, "duration_ms": _ms(job)} for job in jobs]
    usage: JsonObject = {
        "billable": {"UBUNTU": {"total_ms": sum(_ms(job) for job in jobs), "jobs": len(jobs), "job_runs": spent}}
    }
    if run.status == "completed":
        usage["run_duration_ms"] = max(0, run.updated_at - run.started_at) // 1000
    return usage


def _ms(job: Job) -> int:
    return max(0, (job.completed_at or 0) - (job.started_at or job.completed_at or 0)) // 1000


@app.operation(
    "actions/get-workflow-usage",
    units=1,
    source="docs.github.com/rest/actions/workflows#get-workflow-usage",
    examples=[{**HERE, "workflow_id": "ci.yml"}],
    raises=("not_found",),
)
def get_workflow_usage(call: Call, params: WorkflowRef) -> JsonObject:
    """Read how long all runs of a workflow took this month.

    Time: milliseconds.
    """
    context = GithubContext(call)
    repo = context.repo(params.owner, params.repo)
    row = workflow_by(context, repo, params.workflow_id)
    sql = """SELECT coalesce(sum(j.completed_at - j.started_at), 0) FROM github_job j JOIN github_run r ON r.id =
        j.run_id
        WHERE r.workflow_id = :flow AND j.completed_at IS NOT NULL AND j.created_at > :since"""
    total = call.scalar(sql, {"flow": row.id, "since": call.now - 30 * DAY})
    return {"billable": {"UBUNTU": {"total_ms": total // 1000}}}


# -- changing


@app.operation(
    "actions/cancel-workflow-run",
    writes=True,
    units=1,
    source=f"{SOURCE}#cancel-a-workflow-run",
    examples=[RUN],
    after=["actions/create-workflow-dispatch"],
    raises=("not_found", "forbidden", "archived", "conflict"),
)
def cancel_run(call: Call, params: RunRef) -> JsonObject:
    """Stop a run that is queued or in progress."""
    return _stop(call, params)


@app.operation(
    "actions/force-cancel-workflow-run",
    writes=True,
    units=1,
    source=f"{SOURCE}#force-cancel-a-workflow-run",
    examples=[RUN],
    after=["actions/create-workflow-dispatch"],
    raises=("not_found", "forbidden", "archived", "conflict"),
)
def force_cancel_run(call: Call, params: RunRef) -> JsonObject:
    """Stop a run whatever its jobs' conditions; use it when cancelling did not help."""
    return _stop(call, params)


def _stop(call: Call, params: RunRef) -> JsonObject:
    context = GithubContext(call)
    repo, run = get_run_row(context, params, "push")
    if run.status == "completed":
        raise conflict("Cannot cancel a workflow run that is completed.")
    cancel(context, repo, run)
    return {}


@app.operation(
    "actions/re-run-workflow",
    writes=True,
    units=1,
    source=f"{SOURCE}#re-run-a-workflow",
    examples=[RUN],
    raises=("not_found", "forbidden", "archived", "refused"),
)
def re_run(call: Call, params: RunRerun) -> JsonObject:
    """Run all jobs of a run again, as a new attempt."""
    context = GithubContext(call)
    repo, run = get_run_row(context, params, "push")
    rerun(context, repo, run)
    return {}


@app.operation(
    "actions/re-run-workflow-failed-jobs",
    writes=True,
    units=1,
    source=f"{SOURCE}#re-run-failed-jobs-from-a-workflow-run",
    examples=[{**HERE, "run_id": "$actions/list-workflow-runs:workflow_runs.0.id"}],
    raises=("not_found", "forbidden", "archived", "refused"),
)
def re_run_failed(call: Call, params: RunRerun) -> JsonObject:
    """Run the jobs of a run that failed again, and those that need them, as a new attempt."""
    context = GithubContext(call)
    repo, run = get_run_row(context, params, "push")
    rerun(context, repo, run, failed_only=True)
    return {}


@app.operation(
    "actions/delete-workflow-run",
    writes=True,
    units=1,
    source=f"{SOURCE}#delete-a-workflow-run",
    examples=[RUN],
    raises=("not_found", "forbidden", "archived", "refused"),
)
def delete_run(call: Call, params: RunRef) -> None:
    """Delete a run that is over, with its jobs and checks."""
    context = GithubContext(call)
    _, run = get_run_row(context, params, "push")
    if run.status != "completed":
        raise OperationError("refused", why="Could not delete the workflow run, it is still running")
    for row in call.session.exec(select(Job).where(Job.run_id == run.id)).all():
        call.session.delete(row)
    for check in call.session.exec(select(CheckRun).where(CheckRun.suite_id == run.suite_id)).all():
        call.session.delete(check)
    call.session.delete(suite_of(context, run))
    call.session.delete(run)
