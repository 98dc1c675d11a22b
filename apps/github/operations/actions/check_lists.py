"""Operations that read checks: of a commit, of a suite, and one by one."""

from collections.abc import Sequence
from typing import Any, Literal, TypedDict

from pydantic import Field
from sqlmodel import col, select

from apps.github.app import app
from apps.github.domain.check_rows import latest, newest, run_of, suite_of
from apps.github.domain.context import GithubContext
from apps.github.domain.params import Id, Line, ListPage, PageParams, Ref, RepoRef
from apps.github.domain.revisions import head_of
from apps.github.models import Repository
from apps.github.models_actions import CheckRun, CheckSuite
from apps.github.operations.actions.checks import HERE, RUNS, SUITES, CheckRef, SuiteRef
from apps.github.views.checks import ACTIONS, ACTIONS_ID, SuiteJson, annotation_json, check_json, pulls_json, suite_json
from world.core.call import Call
from world.core.json_types import JsonObject


class ListChecksJson(TypedDict):
    """Response of `_list_checks`."""

    total_count: int
    check_runs: list[JsonObject]


class Annotations(CheckRef, PageParams):
    """The annotations of a check."""


class CheckFilter(PageParams):
    """Filters of a list of checks."""

    check_name: Line | None = Field(default=None, description="Only those of this name.")
    status: Literal["queued", "in_progress", "completed"] | None = Field(default=None, description="Only those here.")
    filter: Literal["latest", "all"] = Field(default="latest", description="`latest` of each name, or all.")


class SuiteChecks(SuiteRef, CheckFilter):
    """Checks of a suite."""


class CommitChecks(RepoRef, CheckFilter):
    """Checks of a commit."""

    ref: Ref = Field(description="A SHA, branch or tag.", examples=["main"])
    app_id: Id | None = Field(default=None, description="Only those of this app.")


class CommitSuites(RepoRef, PageParams):
    """Suites of a commit."""

    ref: Ref = Field(description="A SHA, branch or tag.", examples=["main"])
    app_id: Id | None = Field(default=None, description="Only those of this app.")
    check_name: Line | None = Field(default=None, description="Only those with a check of this name.")


@app.operation(
    "checks/get",
    units=1,
    source=f"{RUNS}#get-a-check-run",
    examples=[{**HERE, "check_run_id": "$checks/list-for-ref:check_runs.0.id"}],
    raises=("not_found",),
)
def get(call: Call, params: CheckRef) -> dict[str, Any]:
    """Read one check run."""
    context = GithubContext(call)
    repo = context.repo(params.owner, params.repo)
    return check_json(context, repo, run_of(context, repo, params.check_run_id))


@app.operation(
    "checks/list-annotations",
    units=1,
    source=f"{RUNS}#list-check-run-annotations",
    examples=[{**HERE, "check_run_id": "$checks/list-for-ref:check_runs.0.id"}],
    raises=("not_found",),
)
def list_annotations(call: Call, params: Annotations) -> list[JsonObject]:
    """List what a check remarks on lines of files."""
    context = GithubContext(call)
    repo = context.repo(params.owner, params.repo)
    row = run_of(context, repo, params.check_run_id)
    page = row.annotations[params.start : params.start + params.size]
    return ListPage([annotation_json(context, repo, row, one) for one in page], len(row.annotations))


@app.operation(
    "checks/list-for-ref",
    units=1,
    source=f"{RUNS}#list-check-runs-for-a-git-reference",
    examples=[{**HERE, "ref": "main"}],
    raises=("not_found", "no_such", "empty_repository"),
)
def list_for_ref(call: Call, params: CommitChecks) -> ListChecksJson:
    """List the check runs of a commit: what CI says of it."""
    context = GithubContext(call)
    repo = context.repo(params.owner, params.repo)
    sha = head_of(context, repo, params.ref)
    query = (
        select(CheckRun).where(CheckRun.repo_id == repo.id, CheckRun.head_sha == sha).order_by(col(CheckRun.id).desc())
    )
    rows = [
        row
        for row in call.session.exec(query).all()
        if params.app_id is None or params.app_id == app_id(context, row.app)
    ]
    return _list_checks(context, repo, sha, rows, params)


@app.operation(
    "checks/list-for-suite",
    units=1,
    source=f"{RUNS}#list-check-runs-in-a-check-suite",
    examples=[{**HERE, "check_suite_id": "$checks/list-suites-for-ref:check_suites.0.id"}],
    raises=("not_found",),
)
def list_for_suite(call: Call, params: SuiteChecks) -> ListChecksJson:
    """List the check runs of a suite."""
    context = GithubContext(call)
    repo = context.repo(params.owner, params.repo)
    suite = suite_of(context, repo, params.check_suite_id)
    rows = call.session.exec(
        select(CheckRun).where(CheckRun.suite_id == suite.id).order_by(col(CheckRun.id).desc())
    ).all()
    return _list_checks(context, repo, suite.head_sha, rows, params)


def _list_checks(
    context: GithubContext, repo: Repository, sha: str, rows: Sequence[CheckRun], params: CheckFilter
) -> ListChecksJson:
    found = newest(rows) if params.filter == "latest" else rows
    wanted = [row for row in found if params.check_name in (None, row.name) and params.status in (None, row.status)]
    pulls = pulls_json(context, repo, sha)
    page = wanted[params.start : params.start + params.size]
    return {"total_count": len(wanted), "check_runs": [check_json(context, repo, row, pulls) for row in page]}


def app_id(context: GithubContext, slug: str) -> int:
    """Return the app id of a check's creator."""
    found = None if slug == ACTIONS else context.find_login(slug)
    return ACTIONS_ID if found is None else found.id


@app.operation(
    "checks/list-suites-for-ref",
    units=1,
    source=f"{SUITES}#list-check-suites-for-a-git-reference",
    examples=[{**HERE, "ref": "main"}],
    raises=("not_found", "no_such", "empty_repository"),
)
def list_suites_for_ref(call: Call, params: CommitSuites) -> JsonObject:
    """List the check suites of a commit: one for each workflow run and maker of checks."""
    context = GithubContext(call)
    repo = context.repo(params.owner, params.repo)
    sha = head_of(context, repo, params.ref)
    query = (
        select(CheckSuite).where(CheckSuite.repo_id == repo.id, CheckSuite.head_sha == sha).order_by(col(CheckSuite.id))
    )
    rows = [
        row
        for row in call.session.exec(query).all()
        if params.app_id is None or params.app_id == app_id(context, row.app)
    ]
    if params.check_name is not None:
        rows = [row for row in rows if any(one.name == params.check_name for one in latest(context, row))]
    page = rows[params.start : params.start + params.size]
    return {"total_count": len(rows), "check_suites": [suite_json(context, repo, row) for row in page]}


@app.operation(
    "checks/get-suite",
    units=1,
    source=f"{SUITES}#get-a-check-suite",
    examples=[{**HERE, "check_suite_id": "$checks/list-suites-for-ref:check_suites.0.id"}],
    raises=("not_found",),
)
def get_suite(call: Call, params: SuiteRef) -> SuiteJson:
    """Read one check suite."""
    context = GithubContext(call)
    repo = context.repo(params.owner, params.repo)
    return suite_json(context, repo, suite_of(context, repo, params.check_suite_id))
