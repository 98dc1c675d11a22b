"""Jobs of runs: steps and logs, one by one or for a whole run; and artifacts of runs."""

import io
import zipfile
from collections.abc import Iterator
from typing import Literal, TypedDict

from pydantic import Field
from sqlmodel import col, select

from apps.github.app import app
from apps.github.ci.jobs import jobs_of
from apps.github.ci.rerun import rerun
from apps.github.domain.context import GithubContext
from apps.github.domain.params import Id, Line, PageParams, Raw, Redirect, RepoRef
from apps.github.models import Repository
from apps.github.models_actions import Job, Run
from apps.github.operations.actions.runs import RUN, AttemptRef, RunRef, get_run_row
from apps.github.operations.actions.workflows import HERE
from apps.github.views.runs import JobJson, job_json
from apps.github.views.urls import archive_url
from world.core.call import Call
from world.core.clock import to_datetime
from world.core.errors import OperationError
from world.core.json_types import JsonObject

JOBS, RUNS, ARTIFACTS = (
    f"docs.github.com/rest/actions/{name}" for name in ("workflow-jobs", "workflow-runs", "artifacts")
)
JOB = {**HERE, "job_id": "$actions/list-jobs-for-workflow-run:jobs.0.id"}
OPENINGS = ("##[group]Run ", "Post job cleanup.", "Cleaning up orphan processes")  # lines with which a step may begin
JOB_LOG, RUN_LOGS = "job-log", "run-logs"


class Summary(TypedDict):
    """Summary that a job wrote for the page of its run."""

    job: str
    job_id: int
    body: str


class JobsPageJson(TypedDict):
    """Response of `_jobs_page`."""

    total_count: int
    jobs: list[JobJson]


class JobRef(RepoRef):
    """One job."""

    job_id: Id = Field(description="The id of the job.")


class JobRerun(JobRef):
    """A job to rerun."""

    enable_debug_logging: bool = Field(default=False, description="Log more; there is nothing more to log here.")


class JobList(RunRef, PageParams):
    """Jobs of a run."""

    filter: Literal["latest", "all"] = Field(default="latest", description="Those of the latest attempt, or of all.")


class AttemptJobs(AttemptRef, PageParams):
    """Jobs of an attempt."""


class ArtifactList(RepoRef, PageParams):
    """Request fields for the artifacts of a repository."""

    name: Line | None = Field(default=None, description="Only those of this name.")


class RunArtifacts(RunRef, PageParams):
    """Request fields for the artifacts of a run."""

    name: Line | None = Field(default=None, description="Only those of this name.")


class RunLogs(RunRef):
    """The logs of a run."""

    attempt: int = Field(default=0, ge=0, le=2**31, description="Of which attempt; 0 for the latest.")


def job_of(context: GithubContext, params: JobRef) -> tuple[Repository, Run, Job]:
    """Return a job, its run and repository. Raises not_found."""
    repo = context.repo(params.owner, params.repo)
    job = context.call.session.get(Job, params.job_id)
    run = context.call.session.get(Run, job.run_id) if job is not None and job.repo_id == repo.id else None
    if job is None or run is None:
        raise OperationError("not_found")
    return repo, run, job


@app.operation(
    "actions/list-jobs-for-workflow-run",
    units=1,
    source=f"{JOBS}#list-jobs-for-a-workflow-run",
    examples=[RUN],
    raises=("not_found",),
)
def list_jobs(call: Call, params: JobList) -> JobsPageJson:
    """List the jobs of a run with their steps."""
    context = GithubContext(call)
    repo, run = get_run_row(context, params)
    rows = list(jobs_of(context, run))
    if params.filter == "all":
        rows = list(call.session.exec(select(Job).where(Job.run_id == run.id).order_by(col(Job.id))).all())
    return _jobs_page(context, repo, run, rows, params)


@app.operation(
    "actions/list-jobs-for-workflow-run-attempt",
    units=1,
    source=f"{JOBS}#list-jobs-for-a-workflow-run-attempt",
    examples=[{**RUN, "attempt_number": 1}],
    raises=("not_found",),
)
def list_jobs_of_attempt(call: Call, params: AttemptJobs) -> JobsPageJson:
    """List the jobs of one attempt of a run."""
    context = GithubContext(call)
    repo, run = get_run_row(context, params)
    if params.attempt_number > run.attempt:
        raise OperationError("not_found")
    return _jobs_page(context, repo, run, list(jobs_of(context, run, params.attempt_number)), params)


def _jobs_page(context: GithubContext, repo: Repository, run: Run, rows: list[Job], params: PageParams) -> JobsPageJson:
    page = rows[params.start : params.start + params.size]
    return {"total_count": len(rows), "jobs": [job_json(context, repo, run, job) for job in page]}


@app.operation(
    "actions/get-job-for-workflow-run",
    units=1,
    source=f"{JOBS}#get-a-job-for-a-workflow-run",
    examples=[JOB],
    raises=("not_found",),
)
def get_job(call: Call, params: JobRef) -> JobJson:
    """Read one job with its steps."""
    context = GithubContext(call)
    return job_json(context, *job_of(context, params))


@app.operation(
    "actions/re-run-job-for-workflow-run",
    writes=True,
    units=1,
    source=f"{RUNS}#re-run-a-job-from-a-workflow-run",
    examples=[JOB],
    raises=("not_found", "forbidden", "archived", "refused"),
)
def re_run_job(call: Call, params: JobRerun) -> JsonObject:
    """Run one job again, and those that need it, as a new attempt of its run."""
    context = GithubContext(call)
    repo, run, job = job_of(context, params)
    context.need(repo, "push")
    rerun(context, repo, run, only=job)
    return {}


# -- logs


@app.operation(
    "actions/download-job-logs-for-workflow-run",
    units=1,
    source=f"{JOBS}#download-job-logs-for-a-workflow-run",
    examples=[JOB],
    raises=("not_found",),
)
def download_job_logs(call: Call, params: JobRef) -> Redirect:
    """Get the address of a job's log, a plain text; there is none before the job is over."""
    context = GithubContext(call)
    repo, _, job = job_of(context, params)
    if not job.log:
        raise OperationError("not_found")
    return Redirect(archive_url(context, repo, JOB_LOG, str(job.id)))


@app.operation(
    "web/job-log", source=f"{JOBS}#download-job-logs-for-a-workflow-run", examples=[JOB], raises=("not_found",)
)
def job_log(call: Call, params: JobRef) -> Raw:
    """Read the log of a job that is over: lines with times, `##[error]` before what went wrong."""
    _, _, job = job_of(GithubContext(call), params)
    if not job.log:
        raise OperationError("not_found")
    return Raw(job.log.encode(), "text/plain; charset=utf-8")


@app.operation(
    "web/run-summaries",
    examples=[RUN],
    source="docs.github.com/actions/reference/workflows-and-actions/workflow-commands#adding-a-job-summary",
    raises=("not_found",),
)
def run_summaries(call: Call, params: RunRef) -> list[Summary]:
    """Read what the jobs of a run that are over wrote as their summaries, in Markdown."""
    _, run = get_run_row(GithubContext(call), params)
    query = select(Job).where(Job.run_id == run.id, Job.attempt == run.attempt, Job.summary != "").order_by(col(Job.id))
    return [{"job": job.name, "job_id": job.id, "body": job.summary} for job in call.session.exec(query)]


@app.operation(
    "actions/download-workflow-run-logs",
    units=1,
    source=f"{RUNS}#download-workflow-run-logs",
    examples=[RUN],
    raises=("not_found",),
)
def download_run_logs(call: Call, params: RunRef) -> Redirect:
    """Get the address of an archive with the logs of all jobs of a run."""
    context = GithubContext(call)
    repo, run = get_run_row(context, params)
    return _redirect_to_archive(context, repo, run, run.attempt)


@app.operation(
    "actions/download-workflow-run-attempt-logs",
    units=1,
    source=f"{RUNS}#download-workflow-run-attempt-logs",
    examples=[{**RUN, "attempt_number": 1}],
    raises=("not_found",),
)
def download_attempt_logs(call: Call, params: AttemptRef) -> Redirect:
    """Get the address of an archive with the logs of one attempt of a run."""
    context = GithubContext(call)
    repo, run = get_run_row(context, params)
    return _redirect_to_archive(context, repo, run, params.attempt_number)


def _redirect_to_archive(context: GithubContext, repo: Repository, run: Run, attempt: int) -> Redirect:
    if not any(job.log for job in jobs_of(context, run, attempt)):
        raise OperationError("not_found")
    return Redirect(archive_url(context, repo, RUN_LOGS, f"{run.id}/{attempt}"))


@app.operation("web/run-logs", source=f"{RUNS}#download-workflow-run-logs", examples=[RUN], raises=("not_found",))
def run_logs(call: Call, params: RunLogs) -> Raw:
    """Read the logs of a run: a zip file with a text for each job, and one for each of its steps."""
    context = GithubContext(call)
    _, run = get_run_row(context, params)
    jobs = [job for job in jobs_of(context, run, params.attempt or None) if job.log]
    if not jobs:
        raise OperationError("not_found")
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        texts = [(job, f"{number}_{_file(job.name)}.txt", job.log) for number, job in enumerate(jobs)]
        texts += [
            (job, f"{_file(job.name)}/{step}_{_file(name)}.txt", text)
            for job in jobs
            for step, name, text in _parts(job)
        ]
        for job, name, text in texts:
            member = zipfile.ZipInfo(name, to_datetime(job.completed_at or run.created_at).timetuple()[:6])
            member.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(member, text)
    return Raw(stream.getvalue(), "application/zip", f"logs_{run.id}.zip")


def _file(name: str) -> str:
    return name.replace("/", "")


def _parts(job: Job) -> Iterator[tuple[int, str, str]]:
    """Yield number and name of each step that ran, with its part of the log.

    The part begins with a line of the step's own, at the earliest at the step's start time.
    """
    ran = [step for step in job.steps if step["conclusion"] != "skipped"]
    lines: list[list[str]] = [[] for _ in ran]
    at = 0
    for line in job.log.splitlines(keepends=True):
        moment, _, text = line.partition(" ")
        opens = at + 1 < len(ran) and bool(lines[at]) and text.startswith(OPENINGS)
        if opens and moment[:19] >= (ran[at + 1]["started_at"] or "")[:19]:
            at += 1
        lines[at].append(line)
    for step, own in zip(ran, lines, strict=True):
        yield step["number"], step["name"], "".join(own)


@app.operation(
    "actions/delete-workflow-run-logs",
    writes=True,
    units=1,
    source=f"{RUNS}#delete-workflow-run-logs",
    examples=[RUN],
    raises=("not_found", "forbidden", "archived", "refused"),
)
def delete_run_logs(call: Call, params: RunRef) -> None:
    """Delete the logs of all jobs of a run that is over."""
    context = GithubContext(call)
    _, run = get_run_row(context, params, "push")
    if run.status != "completed":
        raise OperationError("refused", why="Could not delete the logs, the workflow run is still running")
    for job in jobs_of(context, run):
        job.log = ""
        context.add(job)


# -- artifacts


@app.operation(
    "actions/list-artifacts-for-repo",
    units=1,
    source=f"{ARTIFACTS}#list-artifacts-for-a-repository",
    examples=[HERE],
    raises=("not_found",),
)
def list_artifacts(call: Call, params: ArtifactList) -> JsonObject:
    """List what the runs of a repository uploaded.

    Deviates: no run leaves anything: a step that uploads fails, as its action is not there.
    """
    GithubContext(call).repo(params.owner, params.repo)
    return {"total_count": 0, "artifacts": []}


@app.operation(
    "actions/list-workflow-run-artifacts",
    units=1,
    source=f"{ARTIFACTS}#list-workflow-run-artifacts",
    examples=[RUN],
    raises=("not_found",),
)
def list_run_artifacts(call: Call, params: RunArtifacts) -> JsonObject:
    """List what a run uploaded.

    Deviates: no run leaves anything: a step that uploads fails, as its action is not there.
    """
    get_run_row(GithubContext(call), params)
    return {"total_count": 0, "artifacts": []}
