"""The jobs of a run: each is queued once its needs have ended, and the run ends with its last job."""

from collections.abc import Sequence
from typing import Any

from sqlmodel import col, select

from apps.github.ci.contexts import contexts_of, needs_of
from apps.github.ci.expressions import Scope, holds
from apps.github.ci.job_plan import JobPlan, cells, plan, title
from apps.github.ci.workflow import JobFile, Workflow, parse
from apps.github.ci.workflow_errors import FileFault
from apps.github.domain import notify
from apps.github.domain.context import GithubContext
from apps.github.domain.pull_rows import reconsider_pulls_of_commit
from apps.github.domain.workflow_rows import workflow_of
from apps.github.models import Repository
from apps.github.models_actions import CheckRun, CheckSuite, Job, Run
from world.core.json_types import JsonObject

RUN_COMPLETED = "github.run_completed"
BAD = ("failure", "timed_out")


def suite_of(context: GithubContext, run: Run) -> CheckSuite:
    """Return the check suite of a run."""
    found = context.call.session.get(CheckSuite, run.suite_id)
    assert found is not None
    return found


def file_of(context: GithubContext, repo: Repository, run: Run) -> Workflow:
    """Return the workflow file that started a run."""
    git = context.git(repo)
    entry = git.at(run.tree_sha, workflow_of(context, run).path)
    assert entry is not None, f"run {run.id} has no file"
    return parse(git.blob(entry.sha))


def jobs_of(context: GithubContext, run: Run, attempt: int | None = None) -> Sequence[Job]:
    """Return the jobs of an attempt (by default the last one), in order."""
    query = select(Job).where(Job.run_id == run.id, Job.attempt == (attempt or run.attempt))
    return context.call.session.exec(query.order_by(col(Job.id))).all()


def plan_of(context: GithubContext, repo: Repository, run: Run, file: Workflow, job: Job) -> JobPlan:
    """Build the plan of a job. Raises FileFault."""
    contexts = contexts_of(context, repo, run, file)
    contexts["github"]["job"] = job.key
    one = file.jobs[job.key]
    contexts["needs"] = {key: value for key, value in contexts["needs"].items() if key in one.needs}
    for cell in cells(one):
        if title(one, cell, contexts) == job.name:
            return plan(file, one, cell, contexts)
    raise FileFault("The matrix has no such job")


# -- queueing


def queue_ready(context: GithubContext, repo: Repository, run: Run, file: Workflow) -> list[Job]:
    """Queue jobs whose needs have ended; skip those whose condition is false, which may free others."""
    made: list[Job] = []
    while True:
        here = jobs_of(context, run)
        known, over = {job.key for job in here}, _over(here)
        ready = [job for key, job in file.jobs.items() if key not in known and all(need in over for need in job.needs)]
        if not ready:
            return made
        for job in ready:
            made += _queue_job(context, repo, run, file, job)
        context.call.flush()


def _over(jobs: Sequence[Job]) -> set[str]:
    return {job.key for job in jobs} - {job.key for job in jobs if job.status != "completed"}


def _queue_job(context: GithubContext, repo: Repository, run: Run, file: Workflow, job: JobFile) -> list[Job]:
    contexts = contexts_of(context, repo, run, file)
    try:
        runs = holds(job.condition, Scope(contexts, _status(needs_of(context, run), job.needs)))
        named = [(title(job, cell, contexts), cell) for cell in cells(job)] if runs else [(job.name or job.key, {})]
    except FileFault as fault:
        row = add_job(context, repo, run, job, job.name or job.key)
        end_job(context, row, "failure", title="Invalid workflow file", summary=fault.message)
        return []
    rows = [add_job(context, repo, run, job, name) for name in dict.fromkeys(name for name, _ in named)]
    if runs:
        return rows
    for row in rows:
        end_job(context, row, "skipped")
    return []


def _status(needs: dict[str, Any], wanted: Sequence[str]) -> str:
    results = [needs[name]["result"] for name in wanted]
    return next((one for one in ("cancelled", "failure", "skipped") if one in results), "success")


def add_job(context: GithubContext, repo: Repository, run: Run, job: JobFile, name: str) -> Job:
    """Add a queued job with its check."""
    now = context.call.now
    id = context.next_id("github_job")
    check = CheckRun(
        id=context.next_id("github_check_run"),
        repo_id=repo.id,
        suite_id=run.suite_id,
        head_sha=run.head_sha,
        name=name,
        created_at=now,
        external_id=f"{run.id}-{run.attempt}-{id}",
        started_at=now,
        details_url=f"/{context.full_name(repo)}/actions/runs/{run.id}/job/{id}",
    )
    row = Job(
        id=id,
        repo_id=repo.id,
        run_id=run.id,
        attempt=run.attempt,
        key=job.key,
        name=name,
        check_run_id=check.id,
        created_at=now,
    )
    context.add(check)
    context.add(row)
    return row


def check_of(context: GithubContext, job: Job) -> CheckRun:
    """Return the check of a job."""
    found = context.call.session.get(CheckRun, job.check_run_id)
    assert found is not None
    return found


# -- ends


def end_job(
    context: GithubContext,
    job: Job,
    conclusion: str,
    *,
    title: str | None = None,
    summary: str | None = None,
    annotations: list[JsonObject] | None = None,
) -> None:
    """Record the conclusion of a job and of its check."""
    now, check = context.call.now, check_of(context, job)
    job.status, job.conclusion, job.completed_at = "completed", conclusion, now
    job.started_at = job.started_at if job.started_at is not None else now
    check.status, check.conclusion, check.completed_at = "completed", conclusion, now
    check.title, check.summary, check.annotations = title, summary, annotations or []
    context.add(job)
    context.add(check)


def finish(context: GithubContext, repo: Repository, run: Run) -> None:
    """Close a run whose jobs have all ended, and announce it."""
    tolerated = _list_tolerated_jobs(context, repo, run)
    ends = [job.conclusion for job in jobs_of(context, run) if job.conclusion != "failure" or job.key not in tolerated]
    if any(end in BAD for end in ends):
        conclude(context, repo, run, "failure")
    elif "cancelled" in ends:
        conclude(context, repo, run, "cancelled")
    else:
        conclude(context, repo, run, "skipped" if ends and set(ends) == {"skipped"} else "success")


def _list_tolerated_jobs(context: GithubContext, repo: Repository, run: Run) -> set[str]:
    return {key for key, job in file_of(context, repo, run).jobs.items() if job.tolerant == "true"}


def conclude(context: GithubContext, repo: Repository, run: Run, conclusion: str) -> None:
    """Conclude a run: its suite, a notification to its starter if it failed, and an event for other apps."""
    suite, now = suite_of(context, run), context.call.now
    run.status = suite.status = "completed"
    run.conclusion = suite.conclusion = conclusion
    run.updated_at = suite.updated_at = now
    context.add(run)
    context.add(suite)
    context.call.flush()
    reconsider_pulls_of_commit(context, repo, run.head_sha)
    trigger = context.account(run.trigger_id)
    if conclusion == "failure" and trigger.kind == "User":
        notify.keep(context, repo, trigger.id, "CheckSuite", suite.id, "ci_activity")
        _mail(context, repo, run)
    context.call.publish(
        RUN_COMPLETED,
        repo=context.full_name(repo),
        repo_id=repo.id,
        actor_id=trigger.id,
        run=run.id,
        attempt=run.attempt,
        conclusion=conclusion,
        workflow=workflow_of(context, run).name,
        branch=run.head_branch,
        sha=run.head_sha,
        event=run.event,
        actor=trigger.login,
        person=trigger.person_id,
        url=f"{context.as_kept().repo_html(repo)}/actions/runs/{run.id}",
    )


def _mail(context: GithubContext, repo: Repository, run: Run) -> None:
    person = context.account(run.trigger_id).person_id
    if person is None or not context.call.has_listeners(notify.MAIL):
        return
    name, flow = context.full_name(repo), workflow_of(context, run).name
    failed = [f"- {job.name}" for job in jobs_of(context, run) if job.conclusion in BAD]
    text = [
        f"{flow}: Some jobs were not successful",
        *failed,
        f"View workflow run: {context.as_kept().html}/{name}/actions/runs/{run.id}",
    ]
    context.call.publish(
        notify.MAIL,
        people=[person],
        sender=notify.SENDER,
        sender_name=name,
        at=context.call.now,
        thread=f"{name}/actions/runs/{run.id}",
        subject=f"[{name}] Run failed: {flow} - {run.head_branch} ({run.head_sha[:7]})",
        text="\n\n".join(text),
    )


def cancel(context: GithubContext, repo: Repository, run: Run) -> None:
    """Stop a run: unfinished jobs are cancelled and their output is dropped."""
    for job in jobs_of(context, run):
        if job.status != "completed":
            end_job(context, job, "cancelled", title="The run was canceled")
            job.steps = [
                {**step, "status": "completed", "conclusion": step["conclusion"] or "cancelled"} for step in job.steps
            ]
    conclude(context, repo, run, "cancelled")
