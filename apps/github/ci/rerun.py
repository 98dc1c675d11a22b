"""Reruns: a new attempt of a run, with all its jobs or only the failed ones."""

from apps.github.ci.contexts import variables_now
from apps.github.ci.jobs import BAD, file_of, jobs_of, queue_ready, suite_of
from apps.github.ci.run_lifecycle import queue
from apps.github.ci.run_queue import QUEUE_US
from apps.github.domain.context import GithubContext
from apps.github.models import Repository
from apps.github.models_actions import Job, Run
from world.core.errors import OperationError

OLDEST_US = 30 * 86_400 * 1_000_000  # docs.github.com/actions/how-tos/manage-workflow-runs/re-run-workflows-and-jobs
MOST_ATTEMPTS = 50
AGAIN = (*BAD, "cancelled")


def rerun(
    context: GithubContext, repo: Repository, run: Run, *, failed_only: bool = False, only: Job | None = None
) -> None:
    """Start a new attempt. Jobs that are not run again are copied unchanged. Raises refused."""
    _check(context, run, failed_only)
    before = list(jobs_of(context, run))
    run.attempt, run.status, run.conclusion = run.attempt + 1, "queued", None
    run.trigger_id, run.started_at, run.updated_at = context.me.id, context.call.now, context.call.now
    run.facts = {**run.facts, "vars": variables_now(context, repo)}
    suite = suite_of(context, run)
    suite.status, suite.conclusion, suite.updated_at = "queued", None, context.call.now
    context.add(run)
    context.add(suite)
    file = file_of(context, repo, run)
    again = (
        {only.key}
        if only is not None
        else {job.key for job in before if job.conclusion in AGAIN}
        if failed_only
        else set(file.jobs)
    )
    while more := {key for key, job in file.jobs.items() if key not in again and again.intersection(job.needs)}:
        again |= more
    for job in before:
        if job.key not in again:
            _take_over(context, run, job)
    context.call.flush()
    queue_ready(context, repo, run, file)
    context.call.flush()
    queue(context, run, QUEUE_US)


def _check(context: GithubContext, run: Run, failed_only: bool) -> None:
    if run.status != "completed":
        raise OperationError("refused", why="This workflow is already running")
    if "problem" in run.facts:
        raise OperationError("refused", why="The workflow run cannot be retried: its file is not valid")
    if context.call.now - run.created_at > OLDEST_US:
        raise OperationError("refused", why="Unable to retry this workflow run because it was created over a month ago")
    if run.attempt >= MOST_ATTEMPTS:
        raise OperationError("refused", why="Unable to retry this workflow run because it was retried too many times")
    if failed_only and run.conclusion not in (*AGAIN, "failure"):
        raise OperationError("refused", why="The workflow run containing this job has no failed jobs")


def _take_over(context: GithubContext, run: Run, job: Job) -> None:
    kept = job.model_dump(exclude={"id", "attempt"})
    context.add(Job(id=context.next_id("github_job"), attempt=run.attempt, **kept))
