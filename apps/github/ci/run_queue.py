"""Queues runs: finds the workflow files that an event triggers, and adds rows of runs that wait for a runner."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlmodel import col, select

from apps.github.ci.contexts import contexts_of, variables_now
from apps.github.ci.expressions import Scope, fill
from apps.github.ci.globs import is_selected
from apps.github.ci.job_plan import cells
from apps.github.ci.jobs import cancel, queue_ready, suite_of
from apps.github.ci.workflow import FOLDER, MOST_JOBS, Trigger, name_of, parse
from apps.github.ci.workflow import Workflow as File
from apps.github.ci.workflow_errors import FileFault
from apps.github.domain.context import GithubContext
from apps.github.git import Repo
from apps.github.models import Repository
from apps.github.models_actions import CheckSuite, Run, Workflow
from world.core.json_types import JsonObject

RUN_START = "github.run_start"
QUEUE_US = 8_000_000  # from an event to a runner
MOST_FILES = 50
SKIPS = ("[skip ci]", "[ci skip]", "[no ci]", "[skip actions]", "[actions skip]")
_OPEN = (
    "SELECT id FROM github_run WHERE repo_id = :repo AND status <> 'completed' AND json_extract(facts, '$.group') ="
    " :group ORDER BY id"
)


@dataclass(frozen=True)
class Cause:
    """Event that can start workflows.

    `ref` is a full ref, the run is listed under `branch`, and `paths` returns the changed paths when called.
    """

    event: str
    ref: str
    sha: str
    tree: str
    title: str
    branch: str | None
    paths: Callable[[], Sequence[str]] = list
    facts: dict[str, Any] = field(default_factory=dict)
    inputs: JsonObject = field(default_factory=dict)
    pull_ids: Sequence[int] = ()
    touched: Callable[[str], bool] = lambda path: True


def files(git: Repo, tree: str) -> Iterator[tuple[str, bytes]]:
    """Yield the workflow files of a tree, by path."""
    folder = git.at(tree, FOLDER)
    if folder is None or folder.kind != "tree":
        return
    named = [
        one for one in git.entries(folder.sha, FOLDER) if one.kind == "blob" and one.name.endswith((".yml", ".yaml"))
    ]
    for entry in named[:MOST_FILES]:
        yield entry.path, git.blob(entry.sha)


def start(context: GithubContext, repo: Repository, cause: Cause) -> list[Run]:
    """Queue a run of every workflow that an event triggers; an unreadable file gives a failed run."""
    made = []
    for path, data in files(context.git(repo), cause.tree):
        row = workflow_row(context, repo, path, data)
        if row.state != "active":
            continue
        try:
            file = parse(data)
        except FileFault as fault:
            if cause.event == "push" and cause.touched(path):
                made.append(add_failed_run(context, repo, row, cause, fault.sentence(path)))
            continue
        if concerns(file, cause):
            made.append(launch(context, repo, row, file, cause))
    return made


def concerns(file: File, cause: Cause) -> bool:
    """Whether an event triggers a workflow."""
    trigger = file.triggers.get(cause.event)
    if trigger is None:
        return False
    if cause.event in ("pull_request", "pull_request_target"):
        types = trigger.types or ("opened", "synchronize", "reopened")
        fits = cause.facts.get("action") in types and _branch_fits(trigger, str(cause.facts.get("base_ref")), tag=False)
        return fits and _paths_fit(trigger, cause)
    if cause.event == "repository_dispatch":
        return not trigger.types or cause.facts.get("action") in trigger.types
    if cause.event != "push":
        return True
    tag = cause.ref.startswith("refs/tags/")
    name = cause.ref.removeprefix("refs/heads/").removeprefix("refs/tags/")
    return _branch_fits(trigger, name, tag=tag) and (tag or _paths_fit(trigger, cause))


def _branch_fits(trigger: Trigger, name: str, *, tag: bool) -> bool:
    mine, other = ("tags", "branches") if tag else ("branches", "tags")
    if mine in trigger.filters:
        return is_selected(trigger.filters[mine], name)
    if f"{mine}-ignore" in trigger.filters:
        return not is_selected(trigger.filters[f"{mine}-ignore"], name)
    return other not in trigger.filters and f"{other}-ignore" not in trigger.filters


def _paths_fit(trigger: Trigger, cause: Cause) -> bool:
    if "paths" in trigger.filters:
        return any(is_selected(trigger.filters["paths"], path) for path in cause.paths())
    if "paths-ignore" in trigger.filters:
        return any(not is_selected(trigger.filters["paths-ignore"], path) for path in cause.paths())
    return True


# -- rows


def workflow_row(context: GithubContext, repo: Repository, path: str, data: bytes) -> Workflow:
    """Return the row of a workflow file, added when the file is first seen."""
    name, now = name_of(data, path), context.call.now
    row = context.call.session.exec(
        select(Workflow).where(Workflow.repo_id == repo.id, Workflow.path == path).order_by(col(Workflow.id))
    ).first()
    if row is None:
        row = Workflow(
            id=context.next_id("github_workflow"), repo_id=repo.id, path=path, name=name, created_at=now, updated_at=now
        )
        context.add(row)
    elif row.name != name:
        row.name, row.updated_at = name, now
    return row


def launch(context: GithubContext, repo: Repository, row: Workflow, file: File, cause: Cause) -> Run:
    """Add a queued run; its jobs are added when a runner takes it."""
    run = _run(context, repo, row, cause)
    contexts = contexts_of(context, repo, run, file)
    try:
        scope = Scope(contexts)
        if sum(len(cells(job)) for job in file.jobs.values()) > MOST_JOBS:
            raise FileFault(f"A run has at most {MOST_JOBS} jobs here")
        run.title = fill(file.run_name, scope).strip() or run.title
        group = fill(file.group, scope)
        if group:
            run.facts = {**run.facts, "group": group}
            if fill(file.cancels, scope) == "true":
                _replace(context, repo, run, group)
    except FileFault as fault:
        return _fail(context, run, fault.sentence(row.path))
    queue_ready(context, repo, run, file)
    context.call.later(RUN_START, context.call.now + QUEUE_US, run=run.id, attempt=1)
    return run


def add_failed_run(context: GithubContext, repo: Repository, row: Workflow, cause: Cause, problem: str) -> Run:
    """Add a run that failed before it began, for example for an unreadable file."""
    return _fail(context, _run(context, repo, row, cause), problem)


def _fail(context: GithubContext, run: Run, problem: str) -> Run:
    run.facts, run.status, run.conclusion = {**run.facts, "problem": problem}, "completed", "failure"
    suite = suite_of(context, run)
    suite.status, suite.conclusion = "completed", "failure"
    context.call.flush()
    return run


def _run(context: GithubContext, repo: Repository, row: Workflow, cause: Cause) -> Run:
    now = context.call.now
    suite = CheckSuite(
        id=context.next_id("github_check_suite"),
        repo_id=repo.id,
        head_sha=cause.sha,
        head_branch=cause.branch,
        created_at=now,
        updated_at=now,
        before=cause.facts.get("before"),
    )
    row.runs += 1
    run = Run(
        id=context.next_id("github_run"),
        repo_id=repo.id,
        workflow_id=row.id,
        suite_id=suite.id,
        number=row.runs,
        event=cause.event,
        title=cause.title,
        head_branch=cause.branch,
        head_sha=cause.sha,
        tree_sha=cause.tree,
        pull_ids=list(cause.pull_ids),
        inputs=cause.inputs,
        facts={"ref": cause.ref, "vars": variables_now(context, repo), **cause.facts},
        actor_id=context.me.id,
        trigger_id=context.me.id,
        created_at=now,
        updated_at=now,
        started_at=now,
    )
    context.add(suite)
    context.add(row)
    context.add(run)
    context.call.flush()
    return run


def _replace(context: GithubContext, repo: Repository, run: Run, group: str) -> None:
    for (id,) in context.call.all(_OPEN, {"repo": repo.id, "group": group}):
        other = context.call.session.get(Run, id)
        if other is not None and other.id != run.id:
            cancel(context, repo, other)
