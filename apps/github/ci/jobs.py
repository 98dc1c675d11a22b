"""The jobs of a run: queued when what they need is over, and the run's end when all are."""

from collections.abc import Sequence
from typing import Any

from sqlmodel import col, select

from apps.github.ci.contexts import contexts_of, needs_of
from apps.github.ci.expressions import Scope, holds
from apps.github.ci.job_plan import JobPlan, cells, plan, title
from apps.github.ci.workflow import JobFile, Workflow, parse
from apps.github.ci.workflow_errors import FileFault
from apps.github.domain import notify
from apps.github.domain.context import Hub
from apps.github.domain.pull_rows import checked
from apps.github.domain.workflow_rows import workflow_of
from apps.github.models import Repository
from apps.github.models_actions import CheckRun, CheckSuite, Job, Run

RUN_COMPLETED = "github.run_completed"
BAD = ("failure", "timed_out")


def suite_of(hub: Hub, run: Run) -> CheckSuite:
    """The check suite of a run."""
    found = hub.call.session.get(CheckSuite, run.suite_id)
    assert found is not None
    return found


def file_of(hub: Hub, repo: Repository, run: Run) -> Workflow:
    """The workflow file a run was started from."""
    git = hub.git(repo)
    entry = git.at(run.tree_sha, workflow_of(hub, run).path)
    assert entry is not None, f"run {run.id} has no file"
    return parse(git.blob(entry.sha))


def jobs_of(hub: Hub, run: Run, attempt: int | None = None) -> Sequence[Job]:
    """The jobs of an attempt (the last one), in order."""
    query = select(Job).where(Job.run_id == run.id, Job.attempt == (attempt or run.attempt))
    return hub.call.session.exec(query.order_by(col(Job.id))).all()


def plan_of(hub: Hub, repo: Repository, run: Run, file: Workflow, job: Job) -> JobPlan:
    """What a job runs. Raises FileFault."""
    contexts = contexts_of(hub, repo, run, file)
    contexts["github"]["job"] = job.key
    one = file.jobs[job.key]
    contexts["needs"] = {key: value for key, value in contexts["needs"].items() if key in one.needs}
    for cell in cells(one):
        if title(one, cell, contexts) == job.name:
            return plan(file, one, cell, contexts)
    raise FileFault("The matrix has no such job")


# -- queueing


def queue_ready(hub: Hub, repo: Repository, run: Run, file: Workflow) -> list[Job]:
    """Queue jobs whose needs are over; those whose condition does not hold are skipped, and may free others."""
    made: list[Job] = []
    while True:
        here = jobs_of(hub, run)
        known, over = {job.key for job in here}, _over(here)
        ready = [job for key, job in file.jobs.items() if key not in known and all(need in over for need in job.needs)]
        if not ready:
            return made
        for job in ready:
            made += _queued(hub, repo, run, file, job)
        hub.call.flush()


def _over(jobs: Sequence[Job]) -> set[str]:
    return {job.key for job in jobs} - {job.key for job in jobs if job.status != "completed"}


def _queued(hub: Hub, repo: Repository, run: Run, file: Workflow, job: JobFile) -> list[Job]:
    contexts = contexts_of(hub, repo, run, file)
    try:
        runs = holds(job.condition, Scope(contexts, _status(needs_of(hub, run), job.needs)))
        named = [(title(job, cell, contexts), cell) for cell in cells(job)] if runs else [(job.name or job.key, {})]
    except FileFault as fault:
        row = add_job(hub, repo, run, job, job.name or job.key)
        end_job(hub, row, "failure", title="Invalid workflow file", summary=fault.message)
        return []
    rows = [add_job(hub, repo, run, job, name) for name in dict.fromkeys(name for name, _ in named)]
    if runs:
        return rows
    for row in rows:
        end_job(hub, row, "skipped")
    return []


def _status(needs: dict[str, Any], wanted: Sequence[str]) -> str:
    results = [needs[name]["result"] for name in wanted]
    return next((one for one in ("cancelled", "failure", "skipped") if one in results), "success")


def add_job(hub: Hub, repo: Repository, run: Run, job: JobFile, name: str) -> Job:
    """A queued job with its check."""
    now = hub.call.now
    id = hub.next_id("github_job")
    check = CheckRun(
        id=hub.next_id("github_check_run"),
        repo_id=repo.id,
        suite_id=run.suite_id,
        head_sha=run.head_sha,
        name=name,
        created_at=now,
        external_id=f"{run.id}-{run.attempt}-{id}",
        started_at=now,
        details_url=f"/{hub.full_name(repo)}/actions/runs/{run.id}/job/{id}",
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
    hub.add(check)
    hub.add(row)
    return row


def check_of(hub: Hub, job: Job) -> CheckRun:
    """The check of a job."""
    found = hub.call.session.get(CheckRun, job.check_run_id)
    assert found is not None
    return found


# -- ends


def end_job(
    hub: Hub,
    job: Job,
    conclusion: str,
    *,
    title: str | None = None,
    summary: str | None = None,
    annotations: list[dict[str, Any]] | None = None,
) -> None:
    """Write down how a job ended, with its check."""
    now, check = hub.call.now, check_of(hub, job)
    job.status, job.conclusion, job.completed_at = "completed", conclusion, now
    job.started_at = job.started_at if job.started_at is not None else now
    check.status, check.conclusion, check.completed_at = "completed", conclusion, now
    check.title, check.summary, check.annotations = title, summary, annotations or []
    hub.add(job)
    hub.add(check)


def finish(hub: Hub, repo: Repository, run: Run) -> None:
    """Close a run whose jobs are all over, and tell."""
    tolerated = _tolerated(hub, repo, run)
    ends = [job.conclusion for job in jobs_of(hub, run) if job.conclusion != "failure" or job.key not in tolerated]
    if any(end in BAD for end in ends):
        conclude(hub, repo, run, "failure")
    elif "cancelled" in ends:
        conclude(hub, repo, run, "cancelled")
    else:
        conclude(hub, repo, run, "skipped" if ends and set(ends) == {"skipped"} else "success")


def _tolerated(hub: Hub, repo: Repository, run: Run) -> set[str]:
    return {key for key, job in file_of(hub, repo, run).jobs.items() if job.tolerant == "true"}


def conclude(hub: Hub, repo: Repository, run: Run, conclusion: str) -> None:
    """The end of a run: its suite, a word to whoever started it if it is red, and the world is told."""
    suite, now = suite_of(hub, run), hub.call.now
    run.status = suite.status = "completed"
    run.conclusion = suite.conclusion = conclusion
    run.updated_at = suite.updated_at = now
    hub.add(run)
    hub.add(suite)
    hub.call.flush()
    checked(hub, repo, run.head_sha)
    trigger = hub.account(run.trigger_id)
    if conclusion == "failure" and trigger.kind == "User":
        notify.keep(hub, repo, trigger.id, "CheckSuite", suite.id, "ci_activity")
        _mail(hub, repo, run)
    hub.call.publish(
        RUN_COMPLETED,
        repo=hub.full_name(repo),
        repo_id=repo.id,
        actor_id=trigger.id,
        run=run.id,
        attempt=run.attempt,
        conclusion=conclusion,
        workflow=workflow_of(hub, run).name,
        branch=run.head_branch,
        sha=run.head_sha,
        event=run.event,
        actor=trigger.login,
        person=trigger.person_id,
        url=f"https://github.com/{hub.full_name(repo)}/actions/runs/{run.id}",
    )


def _mail(hub: Hub, repo: Repository, run: Run) -> None:
    person = hub.account(run.trigger_id).person_id
    if person is None or not hub.call.listened(notify.MAIL):
        return
    name, flow = hub.full_name(repo), workflow_of(hub, run).name
    failed = [f"- {job.name}" for job in jobs_of(hub, run) if job.conclusion in BAD]
    text = [
        f"{flow}: Some jobs were not successful",
        *failed,
        f"View workflow run: https://github.com/{name}/actions/runs/{run.id}",
    ]
    hub.call.publish(
        notify.MAIL,
        people=[person],
        sender=notify.SENDER,
        sender_name=name,
        at=hub.call.now,
        thread=f"{name}/actions/runs/{run.id}",
        subject=f"[{name}] Run failed: {flow} - {run.head_branch} ({run.head_sha[:7]})",
        text="\n\n".join(text),
    )


def cancel(hub: Hub, repo: Repository, run: Run) -> None:
    """Stop a run: jobs that are not over are cancelled, and what they would have said is never told."""
    for job in jobs_of(hub, run):
        if job.status != "completed":
            end_job(hub, job, "cancelled", title="The run was canceled")
            job.steps = [
                {**step, "status": "completed", "conclusion": step["conclusion"] or "cancelled"} for step in job.steps
            ]
    conclude(hub, repo, run, "cancelled")
