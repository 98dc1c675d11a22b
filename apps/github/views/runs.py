"""JSON shapes of workflows, runs and jobs. Source: the published OpenAPI description, schemas workflow, workflow-run,
job.
"""

import posixpath
from typing import TypedDict

from pydantic import JsonValue

from apps.github.domain.context import GithubContext, node, stamp
from apps.github.domain.workflow_rows import workflow_of
from apps.github.models import Repository
from apps.github.models_actions import Job, Run, Workflow
from apps.github.views.accounts import UserJson, minimal_repo, user_json
from apps.github.views.checks import SimpleCommitJson, pulls_json, simple_commit
from apps.github.views.urls import quote_path
from world.core.json_types import JsonObject

WORST = ("failure", "timed_out", "cancelled")


class WorkflowJson(TypedDict):
    """A workflow."""

    id: int
    node_id: str
    name: str
    path: str
    state: str
    created_at: str | None
    updated_at: str | None
    url: str
    html_url: str
    badge_url: str


class RunJson(TypedDict):
    """A run, or one of its earlier attempts."""

    id: int
    name: str
    node_id: str
    head_branch: str | None
    head_sha: str
    path: str
    display_title: str
    run_number: int
    event: str
    status: str
    conclusion: str | None
    workflow_id: int
    check_suite_id: int
    check_suite_node_id: str
    url: str
    html_url: str
    pull_requests: list[JsonObject]
    created_at: str | None
    updated_at: str | None
    actor: UserJson
    run_attempt: int
    referenced_workflows: list[JsonValue]
    run_started_at: str | None
    triggering_actor: UserJson
    jobs_url: str
    logs_url: str
    check_suite_url: str
    artifacts_url: str
    cancel_url: str
    rerun_url: str
    previous_attempt_url: str | None
    workflow_url: str
    head_commit: SimpleCommitJson
    repository: JsonObject
    head_repository: JsonObject


class JobJson(TypedDict):
    """A job of a run."""

    id: int
    run_id: int
    workflow_name: str
    head_branch: str | None
    run_url: str
    run_attempt: int
    node_id: str
    head_sha: str
    url: str
    html_url: str
    status: str
    conclusion: str | None
    created_at: str | None
    started_at: str | None
    completed_at: str | None
    name: str
    steps: list[JsonObject]
    check_run_url: str
    labels: list[str]
    runner_id: int | None
    runner_name: str | None
    runner_group_id: int | None
    runner_group_name: str | None


def workflow_json(context: GithubContext, repo: Repository, row: Workflow) -> WorkflowJson:
    """Render a workflow."""
    html, file = context.repo_html(repo), posixpath.basename(row.path)
    return {
        "id": row.id,
        "node_id": node("Workflow", repo.id, row.id),
        "name": row.name,
        "path": row.path,
        "state": row.state,
        "created_at": stamp(row.created_at),
        "updated_at": stamp(row.updated_at),
        "url": f"{context.repo_api(repo)}/actions/workflows/{row.id}",
        "html_url": f"{html}/blob/{quote_path(repo.default_branch)}/{quote_path(row.path)}",
        "badge_url": f"{html}/actions/workflows/{quote_path(file)}/badge.svg",
    }


def run_json(
    context: GithubContext, repo: Repository, run: Run, *, attempt: int | None = None, pulls: bool = True
) -> RunJson:
    """Render a run, or one of its earlier attempts."""
    flow, api = workflow_of(context, run), context.repo_api(repo)
    url, html = f"{api}/actions/runs/{run.id}", f"{context.repo_html(repo)}/actions/runs/{run.id}"
    number = attempt or run.attempt
    earlier = number < run.attempt
    shown = f"{html}/attempts/{number}" if earlier else html
    status, conclusion, began, ended = (
        _attempt(context, run, number) if earlier else (run.status, run.conclusion, run.started_at, run.updated_at)
    )
    where = minimal_repo(context, repo)
    return {
        "id": run.id,
        "name": flow.name,
        "node_id": node("WorkflowRun", repo.id, run.id),
        "head_branch": run.head_branch,
        "head_sha": run.head_sha,
        "path": flow.path,
        "display_title": run.title,
        "run_number": run.number,
        "event": run.event,
        "status": status,
        "conclusion": conclusion,
        "workflow_id": flow.id,
        "check_suite_id": run.suite_id,
        "check_suite_node_id": node("CheckSuite", repo.id, run.suite_id),
        "url": url,
        "html_url": shown,
        "pull_requests": pulls_json(context, repo, run.head_sha) if pulls else [],
        "created_at": stamp(run.created_at),
        "updated_at": stamp(ended),
        "actor": user_json(context, context.account(run.actor_id)),
        "run_attempt": number,
        "referenced_workflows": [],
        "run_started_at": stamp(began),
        "triggering_actor": user_json(context, context.account(run.trigger_id)),
        "jobs_url": f"{url}/jobs",
        "logs_url": f"{url}/logs",
        "check_suite_url": f"{api}/check-suites/{run.suite_id}",
        "artifacts_url": f"{url}/artifacts",
        "cancel_url": f"{url}/cancel",
        "rerun_url": f"{url}/rerun",
        "previous_attempt_url": f"{url}/attempts/{number - 1}" if number > 1 else None,
        "workflow_url": f"{api}/actions/workflows/{flow.id}",
        "head_commit": simple_commit(context, repo, run.head_sha),
        "repository": where,
        "head_repository": where,
    }


def _attempt(context: GithubContext, run: Run, attempt: int) -> tuple[str, str | None, int, int]:
    sql = (
        "SELECT conclusion, created_at, coalesce(completed_at, created_at) FROM github_job WHERE run_id = :run AND"
        " attempt = :attempt"
    )
    rows = context.call.all(f"{sql} ORDER BY id", {"run": run.id, "attempt": attempt})
    ends = [row[0] for row in rows]
    conclusion = (
        "failure" if any(end in WORST[:2] for end in ends) else "cancelled" if "cancelled" in ends else "success"
    )
    return (
        "completed",
        conclusion,
        min((row[1] for row in rows), default=run.created_at),
        max((row[2] for row in rows), default=run.created_at),
    )


def job_json(context: GithubContext, repo: Repository, run: Run, job: Job) -> JobJson:
    """Render a job of a run."""
    api = context.repo_api(repo)
    taken = job.started_at is not None and job.conclusion != "skipped"
    return {
        "id": job.id,
        "run_id": run.id,
        "workflow_name": workflow_of(context, run).name,
        "head_branch": run.head_branch,
        "run_url": f"{api}/actions/runs/{run.id}",
        "run_attempt": job.attempt,
        "node_id": node("CheckRun", repo.id, job.id),
        "head_sha": run.head_sha,
        "url": f"{api}/actions/jobs/{job.id}",
        "html_url": f"{context.repo_html(repo)}/actions/runs/{run.id}/job/{job.id}",
        "status": job.status,
        "conclusion": job.conclusion,
        "created_at": stamp(job.created_at),
        "started_at": stamp(job.started_at if job.started_at is not None else job.created_at),
        "completed_at": stamp(job.completed_at),
        "name": job.name,
        "steps": list(job.steps),
        "check_run_url": f"{api}/check-runs/{job.check_run_id}",
        "labels": ["ubuntu-latest"],
        "runner_id": job.id if taken else None,
        "runner_name": f"GitHub Actions {job.id}" if taken else None,
        "runner_group_id": 0 if taken else None,
        "runner_group_name": "GitHub Actions" if taken else None,
    }
