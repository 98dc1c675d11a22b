"""Resolvers of statuses, checks and workflows of commits."""

from collections import Counter
from collections.abc import Sequence

from sqlmodel import col, select

from apps.github.domain import check_rows
from apps.github.domain.branch_requirements import list_requirements
from apps.github.domain.commit_status import PASSING
from apps.github.domain.context import git_node, node, stamp
from apps.github.graphql.connections import Page, page_of_rows
from apps.github.graphql.git_types import CommitAt, commits_of, ref_at
from apps.github.graphql.issue_lists import issue_page
from apps.github.graphql.loader import Loader
from apps.github.graphql.plain_rows import Conditions
from apps.github.graphql.registry import TYPES, Fact, Values, batch, each, field
from apps.github.graphql.values import Args
from apps.github.models_actions import CheckRun, CheckSuite, Job, Run, Status, Workflow
from apps.github.models_issues import Issue
from apps.github.models_pulls import Pull
from apps.github.operations.actions import statuses
from apps.github.views.checks import app_json, details

TYPES[CheckRun], TYPES[CheckSuite], TYPES[Status] = "CheckRun", "CheckSuite", "StatusContext"
TYPES[Run], TYPES[Workflow] = "WorkflowRun", "Workflow"
STATES = {"success": "SUCCESS", "failure": "FAILURE", "error": "ERROR", "pending": "PENDING"}
LEVELS = {"notice": "NOTICE", "warning": "WARNING", "failure": "FAILURE"}


def runs_of(near: Loader, repo_id: int, sha: str) -> list[CheckRun]:
    """Return the latest check run of each suite and name on a commit, oldest first."""

    def find() -> list[CheckRun]:
        query = (
            select(CheckRun)
            .where(CheckRun.repo_id == repo_id, CheckRun.head_sha == sha)
            .order_by(col(CheckRun.id).desc())
        )
        return check_rows.newest(near.call.session.exec(query).all())[::-1]

    return near.once("check runs", (repo_id, sha), find)


def statuses_of(near: Loader, one: CommitAt) -> list[Status]:
    """Return the latest status of each context on a commit."""
    return near.once(
        "statuses", (one.repo_id, one.row.sha1), lambda: statuses.latest(near.context, near.home(one), one.row.sha1)
    )


def _word(row: CheckRun | Status) -> str:
    if isinstance(row, Status):
        return row.state
    if row.status != "completed" or row.conclusion is None:
        return "pending"
    return "success" if row.conclusion in PASSING else "failure"


def _together(words: list[str]) -> str:
    return next((STATES[word] for word in ("failure", "error", "pending") if word in words), "SUCCESS")


@batch("Commit", "statusCheckRollup")
def rollups(near: Loader, rows: Sequence[CommitAt], args: Args) -> Values:
    """Return the combined state of commits' checks and statuses; None for a commit without any."""
    return [_rollup(near, one) for one in rows]


def _rollup(near: Loader, one: CommitAt) -> Fact | None:
    contexts = [*runs_of(near, one.repo_id, one.row.sha1), *statuses_of(near, one)]
    if not contexts:
        return None
    state = _together([_word(row) for row in contexts])
    return Fact(
        "StatusCheckRollup", id=git_node("SCR", one.repo_id, one.row.sha1), commit=one, state=state, rows=contexts
    )


@batch("PullRequest", "statusCheckRollup")
def pull_rollups(near: Loader, rows: Sequence[Issue], args: Args) -> Values:
    """Return the combined state of the heads of pull requests."""
    near.pulls(rows)
    heads = commits_of(near, [(row.repo_id, near.pull(row).head_sha) for row in rows])
    return [_rollup(near, one) if one is not None else None for one in heads]


@field("StatusCheckRollup", "contexts")
@field("Status", "combinedContexts")
def contexts(near: Loader, row: Fact, args: Args) -> Page:
    """Return the checks and statuses of a combined state."""
    rows = row["rows"]
    runs = [one for one in rows if isinstance(one, CheckRun)]
    others = [one for one in rows if isinstance(one, Status)]
    by_run = Counter(_run_state(one) for one in runs)
    by_state = Counter(STATES[one.state] for one in others)
    return page_of_rows(
        rows,
        args,
        lambda one: [type(one).__name__, one.id],
        ordered=False,
        checkRunCount=len(runs),
        statusContextCount=len(others),
        checkRunCountsByState=[
            Fact("CheckRunStateCount", state=state, count=count) for state, count in sorted(by_run.items())
        ],
        statusContextCountsByState=[
            Fact("StatusContextStateCount", state=state, count=count) for state, count in sorted(by_state.items())
        ],
    )


def _run_state(row: CheckRun) -> str:
    return (row.conclusion if row.status == "completed" and row.conclusion else row.status).upper()


@batch("Commit", "status")
def commit_statuses(near: Loader, rows: Sequence[CommitAt], args: Args) -> Values:
    """Return the combined statuses of commits."""
    out: list[object] = []
    for one in rows:
        found = statuses_of(near, one)
        id, state = git_node("S", one.repo_id, one.row.sha1), _together([row.state for row in found])
        out.append(Fact("Status", id=id, commit=one, state=state, rows=found, contexts=found) if found else None)
    return out


@field("Status", "context")
def context(near: Loader, row: Fact, args: Args) -> Status | None:
    """Return a status by its context."""
    return next((one for one in row["rows"] if one.context == args["name"]), None)


@batch("StatusContext", "commit")
def status_commits(near: Loader, rows: Sequence[Status], args: Args) -> Values:
    """Return the commits of statuses."""
    return list(commits_of(near, [(row.repo_id, row.sha) for row in rows]))


@field("CheckRun StatusContext", "isRequired")
def is_required(near: Loader, row: CheckRun | Status, args: Args) -> bool:
    """Whether the base branch of a pull request requires a check."""
    number = args.get("pullRequestNumber")
    sha, name = (row.sha, row.context) if isinstance(row, Status) else (row.head_sha, row.name)
    query = select(Pull).join(Issue, col(Issue.id) == col(Pull.issue_id)).where(Pull.repo_id == row.repo_id)
    query = query.where(Issue.number == number) if number else query.where(Pull.head_sha == sha)
    pulls = near.once("pulls of check", (row.repo_id, number, sha), lambda: list(near.call.session.exec(query)))
    asked = (one.rule for pull in pulls for one in list_requirements(near.context, near.home(row), pull.base_ref))
    return any(name in (rule.contexts or []) for rule in asked)


each(
    "StatusContext",
    id=lambda near, row: node("StatusContext", row.repo_id, row.id),
    context=lambda near, row: row.context,
    state=lambda near, row: STATES[row.state],
    description=lambda near, row: row.description,
    targetUrl=lambda near, row: row.target_url or None,
    createdAt=lambda near, row: stamp(row.created_at),
    creator=lambda near, row: near.context.account(row.creator_id),
    avatarUrl=lambda near, row: near.context.avatar(near.context.account(row.creator_id)),
)


# -- check runs and suites


def _run_path(near: Loader, row: CheckRun) -> str:
    return f"{near.path(row)}/runs/{row.id}"


each(
    "CheckRun",
    id=lambda near, row: node("CheckRun", row.repo_id, row.id),
    databaseId=lambda near, row: row.id,
    name=lambda near, row: row.name,
    status=lambda near, row: row.status.upper(),
    conclusion=lambda near, row: row.conclusion.upper() if row.conclusion else None,
    title=lambda near, row: row.title,
    summary=lambda near, row: row.summary,
    text=lambda near, row: row.text,
    externalId=lambda near, row: row.external_id,
    startedAt=lambda near, row: stamp(row.started_at),
    completedAt=lambda near, row: stamp(row.completed_at),
    repository=lambda near, row: near.home(row),
    detailsUrl=lambda near, row: details(near.context, row.details_url) or near.url(_run_path(near, row)),
    resourcePath=_run_path,
    url=lambda near, row: near.url(_run_path(near, row)),
    permalink=lambda near, row: near.url(_run_path(near, row)),
    checkSuite=lambda near, row: near.row(CheckSuite, row.suite_id),
)


@field("CheckRun", "annotations")
def annotations(near: Loader, row: CheckRun, args: Args) -> Page:
    """Return the annotations of a check."""
    rows = [
        Fact(
            "CheckAnnotation",
            path=one["path"],
            message=one["message"],
            title=one.get("title"),
            rawDetails=one.get("raw_details"),
            annotationLevel=LEVELS.get(one.get("annotation_level", "")),
            blobUrl=near.url(f"{near.path(row)}/blob/{row.head_sha}/{one['path']}"),
        )
        for one in row.annotations
    ]
    return page_of_rows(rows, args, lambda one: one["path"], ordered=False)


@field("CheckRun", "steps")
def steps(near: Loader, row: CheckRun, args: Args) -> Page:
    """Return the steps of the job behind a check."""
    job = near.call.session.exec(select(Job).where(Job.check_run_id == row.id).order_by(col(Job.id).desc())).first()
    rows = [
        Fact(
            "CheckStep",
            name=one["name"],
            number=one["number"],
            status=one["status"].upper(),
            conclusion=(one["conclusion"] or "").upper() or None,
            startedAt=_step(one.get("started_at")),
            completedAt=_step(one.get("completed_at")),
        )
        for one in (job.steps if job is not None else [])
    ]
    return page_of_rows(rows, args, lambda one: one["number"])


def _step(at: int | str | None) -> str | None:
    return stamp(at) if isinstance(at, int) else at


def _suite_path(near: Loader, row: CheckSuite) -> str:
    return f"{near.path(row)}/commit/{row.head_sha}/checks?check_suite_id={row.id}"


each(
    "CheckSuite",
    id=lambda near, row: node("CheckSuite", row.repo_id, row.id),
    databaseId=lambda near, row: row.id,
    repository=lambda near, row: near.home(row),
    status=lambda near, row: row.status.upper(),
    conclusion=lambda near, row: row.conclusion.upper() if row.conclusion else None,
    createdAt=lambda near, row: stamp(row.created_at),
    updatedAt=lambda near, row: stamp(row.updated_at),
    resourcePath=_suite_path,
    url=lambda near, row: near.url(_suite_path(near, row)),
    app=lambda near, row: _app(near, row.app),
    branch=lambda near, row: ref_at(near, near.home(row), f"refs/heads/{row.head_branch}") if row.head_branch else None,
    workflowRun=lambda near, row: near.call.session.exec(select(Run).where(Run.suite_id == row.id)).first(),
)


def _app(near: Loader, slug: str) -> Fact:
    shown = app_json(near.context, slug)
    return Fact(
        "App",
        id=shown["node_id"],
        databaseId=shown["id"],
        slug=slug,
        name=shown["name"],
        description=shown["description"],
        url=shown["html_url"],
        clientId=shown["client_id"],
        createdAt=shown["created_at"],
        updatedAt=shown["updated_at"],
        logoBackgroundColor="ffffff",
        logoUrl=f"{near.context.reached}/avatars/u/{shown['id']}?v=4",
    )


@batch("CheckSuite", "commit")
def suite_commits(near: Loader, rows: Sequence[CheckSuite], args: Args) -> Values:
    """Return the commits of suites."""
    return list(commits_of(near, [(row.repo_id, row.head_sha) for row in rows]))


@field("CheckSuite", "checkRuns")
def suite_runs(near: Loader, row: CheckSuite, args: Args) -> Page:
    """Return the check runs of a suite."""
    wanted = args.get("filterBy") or {}
    rows = near.call.session.exec(select(CheckRun).where(CheckRun.suite_id == row.id).order_by(col(CheckRun.id))).all()
    kept = list(rows) if wanted.get("checkType") == "ALL" else check_rows.newest(rows[::-1])[::-1]
    if wanted.get("checkName"):
        kept = [one for one in kept if one.name == wanted["checkName"]]
    return page_of_rows(kept, args, lambda one: one.id)


@field("CheckSuite", "matchingPullRequests")
def list_matching_pulls(near: Loader, row: CheckSuite, args: Args) -> Page:
    """Return the pull requests whose head a suite belongs to."""
    mine = "id IN (SELECT issue_id FROM github_pull WHERE repo_id = :of_repo AND head_sha = :of_head)"
    return issue_page(near, Conditions(mine, of_repo=row.repo_id, of_head=row.head_sha), args, True)


@field("Commit", "checkSuites")
def suites(near: Loader, one: CommitAt, args: Args) -> Page:
    """Return the suites of a commit."""
    where = [CheckSuite.repo_id == one.repo_id, CheckSuite.head_sha == one.row.sha1]
    return near.page_of(CheckSuite, where, args, col(CheckSuite.created_at), asks=args.asks)


# -- workflows

each(
    "WorkflowRun",
    id=lambda near, row: node("WorkflowRun", row.repo_id, row.id),
    databaseId=lambda near, row: row.id,
    event=lambda near, row: row.event,
    runNumber=lambda near, row: row.number,
    createdAt=lambda near, row: stamp(row.created_at),
    updatedAt=lambda near, row: stamp(row.updated_at),
    resourcePath=lambda near, row: f"{near.path(row)}/actions/runs/{row.id}",
    url=lambda near, row: near.url(f"{near.path(row)}/actions/runs/{row.id}"),
    checkSuite=lambda near, row: near.row(CheckSuite, row.suite_id),
    workflow=lambda near, row: near.row(Workflow, row.workflow_id),
)
each(
    "Workflow",
    id=lambda near, row: node("Workflow", row.repo_id, row.id),
    databaseId=lambda near, row: row.id,
    name=lambda near, row: row.name,
    state=lambda near, row: row.state.upper(),
    createdAt=lambda near, row: stamp(row.created_at),
    updatedAt=lambda near, row: stamp(row.updated_at),
    resourcePath=lambda near, row: _workflow(near, row),
    url=lambda near, row: near.url(_workflow(near, row)),
)


def _workflow(near: Loader, row: Workflow) -> str:
    return f"{near.path(row)}/actions/workflows/{row.path.rpartition('/')[2]}"


@field("Workflow", "runs")
def workflow_runs(near: Loader, row: Workflow, args: Args) -> Page:
    """Return the runs of a workflow."""
    down = (args.get("orderBy") or {}).get("direction") != "ASC"
    return near.page_of(Run, [Run.workflow_id == row.id], args, col(Run.created_at), descending=down, asks=args.asks)
