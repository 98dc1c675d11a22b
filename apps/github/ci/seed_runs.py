"""Runs of the time before a world begins: their rows, from what a job said of a tree, as a build of the company has it."""

from collections.abc import Callable
from typing import Any, NamedTuple

from sqlmodel import SQLModel

from apps.github.ci import job_logs
from apps.github.ci.executor import Said, Where, where
from apps.github.ci.job_plan import JobPlan, cells, plan, variables
from apps.github.ci.jobs import BAD
from apps.github.ci.workflow import Workflow
from apps.github.models_actions import CheckRun, CheckSuite, Job, Run, Verdict
from apps.github.models_actions import Workflow as WorkflowRow
from world.core.clock import SECOND

QUEUED_US = 8 * SECOND
GREEN_SEED = 1  # of flaky tests: what is past had no bad luck


class Past(NamedTuple):
    """A run that was: what it ran on, when, and for whom. `next_id` numbers the rows of a table."""

    next_id: Callable[[str], int]
    repo_id: int
    full_name: str
    workflow: WorkflowRow
    file: Workflow
    sha: str
    tree: str
    at: int
    account_id: int
    event: str = "push"
    branch: str = "main"
    title: str = ""
    pull_ids: tuple[int, ...] = ()


def rows_of(past: Past, said: Callable[[Where, JobPlan, dict[str, str]], Said]) -> list[SQLModel]:
    """The suite, run, jobs, checks and verdicts; `said` tells what a job says. Jobs with needs are taken as begun with
    the others.
    """
    suite = CheckSuite(
        id=past.next_id("github_check_suite"),
        repo_id=past.repo_id,
        head_sha=past.sha,
        head_branch=past.branch,
        status="completed",
        created_at=past.at,
        updated_at=past.at,
    )
    past.workflow.runs += 1
    run = Run(
        id=past.next_id("github_run"),
        repo_id=past.repo_id,
        workflow_id=past.workflow.id,
        suite_id=suite.id,
        number=past.workflow.runs,
        event=past.event,
        title=past.title,
        head_branch=past.branch,
        head_sha=past.sha,
        tree_sha=past.tree,
        pull_ids=list(past.pull_ids),
        facts={"ref": f"refs/heads/{past.branch}"},
        actor_id=past.account_id,
        trigger_id=past.account_id,
        status="completed",
        created_at=past.at,
        updated_at=past.at,
        started_at=past.at + QUEUED_US,
    )
    made: list[SQLModel] = []
    ends = []
    for job in past.file.jobs.values():
        for cell in cells(job):
            ends.append(_job(past, run, plan(past.file, job, cell, _contexts(past, run)), said, made))
    run.conclusion = suite.conclusion = "failure" if any(end in BAD for end in ends) else "success"
    run.updated_at = suite.updated_at = max(
        (one.completed_at or 0 for one in made if isinstance(one, Job)), default=past.at
    )
    return [suite, run, *made]


def _contexts(past: Past, run: Run) -> dict[str, Any]:
    github = {
        "event_name": past.event,
        "ref": f"refs/heads/{past.branch}",
        "ref_name": past.branch,
        "sha": past.sha,
        "repository": past.full_name,
        "run_id": str(run.id),
        "run_number": str(run.number),
        "run_attempt": "1",
        "workflow": past.file.name,
        "event": {},
    }
    return {
        "github": github,
        "vars": {},
        "inputs": {},
        "needs": {},
        "runner": {"os": "Linux"},
        "env": dict(past.file.env),
        "secrets": {},
    }


def _job(
    past: Past, run: Run, planned: JobPlan, said: Callable[[Where, JobPlan, dict[str, str]], Said], made: list[SQLModel]
) -> str:
    env = variables(planned, past.file, past.full_name, GREEN_SEED)
    place = where(past.tree, planned, env)
    word = said(place, planned, env)
    report = job_logs.report(planned, word, past.tree, run.started_at, past.full_name, past.sha)
    id, ended = past.next_id("github_job"), run.started_at + report.seconds * SECOND
    check = CheckRun(
        id=past.next_id("github_check_run"),
        repo_id=past.repo_id,
        suite_id=run.suite_id,
        head_sha=past.sha,
        name=planned.name,
        status="completed",
        conclusion=report.conclusion,
        external_id=f"{run.id}-1-{id}",
        annotations=report.annotations,
        details_url=f"/{past.full_name}/actions/runs/{run.id}/job/{id}",
        started_at=run.started_at,
        completed_at=ended,
        created_at=past.at,
    )
    made += [
        check,
        Job(
            id=id,
            repo_id=past.repo_id,
            run_id=run.id,
            attempt=1,
            key=planned.key,
            name=planned.name,
            check_run_id=check.id,
            status="completed",
            conclusion=report.conclusion,
            steps=report.steps,
            log=report.log,
            created_at=past.at,
            started_at=run.started_at,
            completed_at=ended,
        ),
    ]
    if place.suite:
        made.append(
            Verdict(
                tree_sha=place.tree,
                suite=place.suite,
                conclusion=word.conclusion,
                steps=[dict(step) for step in word.steps],
            )
        )
    return report.conclusion
