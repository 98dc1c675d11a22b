"""Lifecycle of a run: a runner takes it, jobs run in the sandbox and end at set times, then dependent jobs follow.

The sandbox runs when a job begins; its output stays unreadable until the job ends.
"""

from apps.github.app import app
from apps.github.ci import job_logs
from apps.github.ci.executor import (
    JobResult,
    ResultKey,
    Unavailable,
    find_outcome,
    flaky_seed,
    run_job,
    summary_of,
    where,
)
from apps.github.ci.job_plan import JobPlan, variables
from apps.github.ci.jobs import (
    BAD,
    check_of,
    conclude,
    end_job,
    file_of,
    finish,
    jobs_of,
    plan_of,
    queue_ready,
    suite_of,
)
from apps.github.ci.run_queue import RUN_START
from apps.github.ci.workflow import Workflow
from apps.github.ci.workflow_errors import FileFault
from apps.github.domain.context import GithubContext
from apps.github.domain.pull_rows import reconsider_pulls_of_commit
from apps.github.git.store import TooMuchWork
from apps.github.models import Repository
from apps.github.models_actions import Job, Run
from world.core.app import Facts
from world.core.call import Call
from world.core.clock import SECOND

JOB_START, JOB_DONE = "github.job_start", "github.job_done"
NEXT_US = 4 * SECOND  # from what a job needs to its own runner
NOT_RUN = "This check was not run"
NO_SPACE = "No space left on device"
LOST = "The hosted runner lost communication with the server."


def queue(context: GithubContext, run: Run, delay_us: int) -> None:
    """Queue a run for a runner."""
    context.call.later(RUN_START, context.call.now + delay_us, run=run.id, attempt=run.attempt)


@app.on(RUN_START, delivery=True)
def begin(call: Call, facts: Facts) -> None:
    """Let a runner take a run; during a delivery fault the run stays queued."""
    context, run, repo = _find_run(call, facts)
    if run is None or repo is None or run.status != "queued" or run.attempt != facts["attempt"]:
        return
    suite = suite_of(context, run)
    run.status = suite.status = "in_progress"
    run.started_at = run.updated_at = suite.updated_at = call.now
    _advance(context, repo, run)


@app.on(JOB_START)
def follow(call: Call, facts: Facts) -> None:
    """Let a runner take the jobs that waited for others."""
    context, run, repo = _find_run(call, facts)
    if run is not None and repo is not None and run.status == "in_progress" and run.attempt == facts["attempt"]:
        _advance(context, repo, run)


def _find_run(call: Call, facts: Facts) -> tuple[GithubContext, Run | None, Repository | None]:
    context = GithubContext(call)
    run = call.session.get(Run, int(str(facts["run"])))
    if run is None:
        return context, None, None
    return context.act_as(run.trigger_id), run, context.repo_by_id(run.repo_id)


def _advance(context: GithubContext, repo: Repository, run: Run) -> None:
    file = file_of(context, repo, run)
    for job in jobs_of(context, run):
        if job.status == "queued":
            _take(context, repo, run, file, job)
    context.call.flush()
    _settle(context, repo, run, file)


def _settle(context: GithubContext, repo: Repository, run: Run, file: Workflow) -> None:
    """Queue the jobs that are ready, or close the run."""
    if queue_ready(context, repo, run, file):
        context.call.later(JOB_START, context.call.now + NEXT_US, run=run.id, attempt=run.attempt)
    elif all(job.status == "completed" for job in jobs_of(context, run)):
        finish(context, repo, run)


def _take(context: GithubContext, repo: Repository, run: Run, file: Workflow, job: Job) -> None:
    now, check = context.call.now, check_of(context, job)
    try:
        plan = plan_of(context, repo, run, file, job)
        env = variables(
            plan, file, context.full_name(repo), flaky_seed(context.call.rng.seed, run.head_sha, run.attempt)
        )
        place = where(run.tree_sha, plan, env)
        said = run_job(context.git(repo), place, plan, env)
    except FileFault as fault:
        end_job(context, job, "failure", title="Invalid workflow file", summary=fault.message)
        return
    except TooMuchWork:
        end_job(context, job, "failure", title=NO_SPACE, summary=f"System.IO.IOException: {NO_SPACE}")
        return
    except Unavailable as why:
        end_job(context, job, "cancelled", title=NOT_RUN, summary=f"{NOT_RUN}: {why}")
        return
    job.status = check.status = "in_progress"
    job.started_at = check.started_at = now
    job.steps = job_logs.render_initial_steps(plan, now)
    context.add(job)
    context.add(check)
    ends = now + _report(context, repo, run, plan, said, now).seconds * SECOND
    context.call.later(JOB_DONE, ends, run=run.id, job=job.id, tree=place.tree, suite=place.suite)


def _report(
    context: GithubContext, repo: Repository, run: Run, plan: JobPlan, said: JobResult, at: int
) -> job_logs.Report:
    return job_logs.report(plan, said, run.tree_sha, at, context.full_name(repo), run.head_sha)


@app.on(JOB_DONE)
def finish_job(call: Call, facts: Facts) -> None:
    """End a job: publish its steps, log and annotations, and let dependent jobs follow."""
    context, run, repo = _find_run(call, facts)
    job = call.session.get(Job, int(str(facts["job"])))
    if run is None or repo is None or job is None or job.status != "in_progress" or job.started_at is None:
        return
    file = file_of(context, repo, run)
    said = find_outcome(call, ResultKey(str(facts["tree"]), str(facts["suite"])))
    try:
        report = _report(context, repo, run, plan_of(context, repo, run, file, job), said, job.started_at)
    except FileFault as fault:
        end_job(context, job, "failure", title="Invalid workflow file", summary=fault.message)
    else:
        job.steps, job.log, job.summary = report.steps, report.log, summary_of(said)
        end_job(context, job, report.conclusion, annotations=report.annotations)
    if job.conclusion in BAD and file.jobs[job.key].fail_fast:
        _stop_others(context, run, job)
    _settle(context, repo, run, file)
    reconsider_pulls_of_commit(context, repo, run.head_sha)


def _stop_others(context: GithubContext, run: Run, failed: Job) -> None:
    """Stop the other cells of a matrix after a failure."""
    for job in jobs_of(context, run):
        if job.key == failed.key and job.status != "completed":
            end_job(
                context, job, "cancelled", title="The strategy configuration was canceled because another job failed"
            )


@app.on(f"{RUN_START}.failed")
@app.on(f"{JOB_START}.failed")
@app.on(f"{JOB_DONE}.failed")
def give_up(call: Call, facts: Facts) -> None:
    """Fail a run that cannot continue, and its checks."""
    context, run, repo = _find_run(call, facts)
    if run is None or repo is None or run.status == "completed" or run.attempt != facts.get("attempt", run.attempt):
        return
    for job in jobs_of(context, run):
        if job.status != "completed":
            end_job(context, job, "failure", title=LOST, summary=LOST)
    context.call.flush()
    conclude(context, repo, run, "failure")
