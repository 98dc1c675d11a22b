"""Operations that create checks: runs and suites of a commit, with output and annotations."""

from collections.abc import Sequence
from typing import Annotated, Literal

from pydantic import Field, JsonValue
from sqlmodel import col, select

from apps.github.app import app
from apps.github.ci.rerun import rerun
from apps.github.domain.check_rows import latest, run_of, suite_of
from apps.github.domain.context import GithubContext
from apps.github.domain.params import Id, Line, RepoRef, Sha
from apps.github.domain.pull_rows import reconsider_pulls_of_commit
from apps.github.domain.revisions import moment
from apps.github.models import Repository
from apps.github.models_actions import CheckRun, CheckSuite, Run
from apps.github.refusals import invalid, unprocessable
from apps.github.views.accounts import minimal_repo
from apps.github.views.checks import ACTIONS_ID, SuiteJson, check_json, suite_json
from world.core.call import Call
from world.core.clock import from_datetime
from world.core.errors import OperationError
from world.core.json_types import JsonObject
from world.core.params import Params, Text

RUNS, SUITES = "docs.github.com/rest/checks/runs", "docs.github.com/rest/checks/suites"
HERE = {"owner": "quayline", "repo": "payments"}
MOST_NOTED = 50
Conclusion = Literal["action_required", "cancelled", "failure", "neutral", "success", "skipped", "timed_out"]
Long = Annotated[Text, Field(max_length=65_535)]


class Annotation(Params):
    """A remark on lines of a file."""

    path: Line = Field(description="The file.", examples=["src/retry.py"])
    start_line: int = Field(ge=0, le=2**31, description="First line, from 1.")
    end_line: int = Field(ge=0, le=2**31, description="Last line.")
    start_column: int | None = Field(default=None, ge=0, le=2**31, description="First column, on a single line only.")
    end_column: int | None = Field(default=None, ge=0, le=2**31, description="Last column, on a single line only.")
    annotation_level: Literal["notice", "warning", "failure"] = Field(description="How serious it is.")
    message: Annotated[Text, Field(max_length=65_536)] = Field(description="What is remarked.")
    title: Annotated[Text, Field(max_length=255)] | None = Field(default=None, description="Its title.")
    raw_details: Annotated[Text, Field(max_length=65_536)] | None = Field(
        default=None, description="Details as they came."
    )


class Output(Params):
    """Output of a check: title, summary, details, annotations and images."""

    title: Line | None = Field(default=None, description="Title.")
    summary: Long | None = Field(default=None, description="Summary, in Markdown.")
    text: Long | None = Field(default=None, description="Details, in Markdown.")
    annotations: list[Annotation] = Field(
        default=[], max_length=MOST_NOTED, description="Remarks on lines, 50 at a time."
    )
    images: list[dict[str, JsonValue]] = Field(default=[], max_length=50, description="Images; not kept.")


class CheckFields(RepoRef):
    """Request fields shared by creating and updating a check."""

    details_url: Line | None = Field(default=None, description="Where details are.")
    external_id: Line | None = Field(default=None, description="What its maker calls it.")
    started_at: Line | None = Field(default=None, description="When it began, ISO 8601.")
    conclusion: Conclusion | None = Field(default=None, description="How it ended; needed when `status` is completed.")
    completed_at: Line | None = Field(default=None, description="When it ended, ISO 8601.")
    output: Output | None = Field(default=None, description="What it says.")


class CheckNew(CheckFields):
    """A check for a commit."""

    name: Line = Field(description="Its name.", examples=["smoke"])
    head_sha: Sha = Field(description="The SHA of the commit.")
    status: Literal["queued", "in_progress", "completed"] = Field(default="queued", description="Where it is.")


class CheckRef(RepoRef):
    """One check."""

    check_run_id: Id = Field(description="The id of the check run.")


class CheckChange(CheckFields, CheckRef):
    """A change of a check."""

    name: Line | None = Field(default=None, description="Its name.")
    status: Literal["queued", "in_progress", "completed"] | None = Field(default=None, description="Where it is.")


class SuiteRef(RepoRef):
    """One suite."""

    check_suite_id: Id = Field(description="The id of the check suite.")


class SuiteNew(RepoRef):
    """A suite for a commit."""

    head_sha: Sha = Field(description="The SHA of the commit.")


def commit_of(context: GithubContext, repo: Repository, sha: str, resource: str) -> str:
    """Return a commit by its whole SHA. Raises validation_failed."""
    found = context.git(repo).commit_named(sha) if len(sha) == 40 else None
    if found is None:
        raise invalid(resource, "head_sha", "custom", f"No commit found for SHA: {sha}")
    return found


def own_suite(context: GithubContext, repo: Repository, sha: str) -> tuple[CheckSuite, bool]:
    """Return the caller's suite on a commit, and whether it has just been created."""
    query = select(CheckSuite).where(
        CheckSuite.repo_id == repo.id, CheckSuite.head_sha == sha, CheckSuite.app == context.me.login
    )
    found = context.call.session.exec(query.order_by(col(CheckSuite.id))).first()
    if found is not None:
        return found, False
    branch = next(
        (
            name.removeprefix("refs/heads/")
            for name, target in context.git(repo).refs("refs/heads/").items()
            if target == sha
        ),
        None,
    )
    made = CheckSuite(
        id=context.next_id("github_check_suite"),
        repo_id=repo.id,
        head_sha=sha,
        head_branch=branch,
        app=context.me.login,
        created_at=context.call.now,
        updated_at=context.call.now,
    )
    context.add(made)
    return made, True


# -- writing


@app.operation(
    "checks/create",
    writes=True,
    units=1,
    source=f"{RUNS}#create-a-check-run",
    examples=[{**HERE, "name": "smoke", "head_sha": "$repos/get-combined-status-for-ref:sha", "status": "in_progress"}],
    raises=("not_found", "archived", "validation_failed", "unprocessable"),
)
def create(call: Call, params: CheckNew) -> JsonObject:
    """Add a check to a commit, with output and remarks on lines.

    Deviates: the vendor lets only apps do this; here everybody with push access can, under their own name.
    """
    context = GithubContext(call)
    repo = context.repo(params.owner, params.repo)
    context.need(repo, "push", code="not_found")
    sha = commit_of(context, repo, params.head_sha, "CheckRun")
    suite, _ = own_suite(context, repo, sha)
    row = CheckRun(
        id=context.next_id("github_check_run"),
        repo_id=repo.id,
        suite_id=suite.id,
        head_sha=sha,
        name=params.name,
        app=context.me.login,
        status=params.status,
        created_at=call.now,
        started_at=call.now,
    )
    context.add(row)
    _apply(context, row, params)
    return _publish_change(context, repo, row, suite)


@app.operation(
    "checks/update",
    writes=True,
    units=1,
    source=f"{RUNS}#update-a-check-run",
    after=["checks/create"],
    examples=[{**HERE, "check_run_id": "$checks/list-for-ref:check_runs.0.id", "conclusion": "success"}],
    raises=("not_found", "archived", "forbidden", "unprocessable", "refused"),
)
def update(call: Call, params: CheckChange) -> JsonObject:
    """Change a check: its state, conclusion and output; remarks are added to those there are.

    Deviates: the vendor lets only the app that made it do this; here its maker, who needs push access.
    """
    context = GithubContext(call)
    repo = context.repo(params.owner, params.repo)
    context.need(repo, "push", code="not_found")
    row = run_of(context, repo, params.check_run_id)
    if row.app != context.me.login:
        raise OperationError(
            "refused", why="Invalid app_id `15368` - check run can only be modified by the GitHub App that created it."
        )
    row.name = params.name or row.name
    if params.status is not None:
        row.status = params.status
        row.conclusion = row.conclusion if params.status == "completed" else None
        row.completed_at = row.completed_at if params.status == "completed" else None
    _apply(context, row, params)
    return _publish_change(context, repo, row, suite_of(context, repo, row.suite_id))


def _apply(context: GithubContext, row: CheckRun, params: CheckFields) -> None:
    now = context.call.now
    row.details_url = params.details_url if params.details_url is not None else row.details_url
    row.external_id = params.external_id if params.external_id is not None else row.external_id
    row.started_at = _time(params.started_at, "started_at") or row.started_at
    row.conclusion = params.conclusion or row.conclusion
    if params.conclusion is not None or params.completed_at is not None:
        row.status = "completed"
    if row.status == "completed":
        if row.conclusion is None:
            raise unprocessable('Invalid request.\n\nNo subschema in "anyOf" matched.\n"conclusion" wasn\'t supplied.')
        row.completed_at = _time(params.completed_at, "completed_at") or row.completed_at or now
    if params.output is not None:
        if params.output.summary is None or params.output.title is None:
            raise unprocessable('Invalid request.\n\n"title", "summary" weren\'t supplied.')
        row.title, row.summary, row.text = params.output.title, params.output.summary, params.output.text
        row.annotations = [*row.annotations, *(one.model_dump() for one in params.output.annotations)]


def _time(text: str | None, name: str) -> int | None:
    return None if text is None else from_datetime(moment(text, name))


def _publish_change(context: GithubContext, repo: Repository, row: CheckRun, suite: CheckSuite) -> JsonObject:
    context.call.flush()
    runs = latest(context, suite)
    over = all(one.status == "completed" for one in runs)
    suite.status = "completed" if over else "in_progress" if any(one.status != "queued" for one in runs) else "queued"
    suite.conclusion = _worst([one.conclusion for one in runs]) if over else None
    suite.updated_at = context.call.now
    context.add(suite)
    context.call.flush()
    reconsider_pulls_of_commit(context, repo, row.head_sha)
    context.call.publish("github.check_changed", repo_id=repo.id, check=row.id, actor_id=context.me.id)
    return check_json(context, repo, row)


def _worst(conclusions: Sequence[str | None]) -> str:
    order = ("failure", "timed_out", "cancelled", "action_required", "success", "neutral", "skipped")
    return next((one for one in order if one in conclusions), "neutral")


@app.operation(
    "checks/rerequest-run",
    writes=True,
    units=1,
    source=f"{RUNS}#rerequest-a-check-run",
    examples=[{**HERE, "check_run_id": "$checks/list-for-ref:check_runs.0.id"}],
    raises=("not_found", "archived", "forbidden", "refused"),
)
def rerequest_run(call: Call, params: CheckRef) -> JsonObject:
    """Ask for a check to be made again; for one of a workflow its job is run again."""
    context = GithubContext(call)
    repo = context.repo(params.owner, params.repo)
    context.need(repo, "push", code="not_found")
    _again(context, repo, suite_of(context, repo, run_of(context, repo, params.check_run_id).suite_id))
    return {}


@app.operation(
    "checks/rerequest-suite",
    writes=True,
    units=1,
    source=f"{SUITES}#rerequest-a-check-suite",
    examples=[{**HERE, "check_suite_id": "$checks/list-suites-for-ref:check_suites.0.id"}],
    raises=("not_found", "archived", "refused"),
)
def rerequest_suite(call: Call, params: SuiteRef) -> JsonObject:
    """Ask for all checks of a suite to be made again."""
    context = GithubContext(call)
    repo = context.repo(params.owner, params.repo)
    context.need(repo, "push", code="not_found")
    _again(context, repo, suite_of(context, repo, params.check_suite_id))
    return {}


def _again(context: GithubContext, repo: Repository, suite: CheckSuite) -> None:
    run = context.call.session.exec(select(Run).where(Run.suite_id == suite.id).order_by(col(Run.id))).first()
    if run is not None:
        rerun(context, repo, run)
        return
    suite.status, suite.conclusion, suite.updated_at = "queued", None, context.call.now
    context.add(suite)


@app.operation(
    "checks/create-suite",
    writes=True,
    units=1,
    source=f"{SUITES}#create-a-check-suite",
    examples=[{**HERE, "head_sha": "$repos/get-combined-status-for-ref:sha"}],
    raises=("not_found", "archived", "validation_failed"),
)
def create_suite(call: Call, params: SuiteNew) -> SuiteJson:
    """Make a suite for a commit before its checks; each commit has one of each maker.

    Deviates: the vendor lets only apps do this; here everybody with push access can.
    """
    context = GithubContext(call)
    repo = context.repo(params.owner, params.repo)
    context.need(repo, "push", code="not_found")
    suite, _ = own_suite(context, repo, commit_of(context, repo, params.head_sha, "CheckSuite"))
    call.flush()
    return suite_json(context, repo, suite)


class AutoTrigger(Params):
    """Setting of automatic suites for one app."""

    app_id: Id = Field(description="The id of the app.")
    setting: bool = Field(description="True if pushes make suites.")


class Preferences(RepoRef):
    """Request fields for automatic suites."""

    auto_trigger_checks: list[AutoTrigger] = Field(default=[], max_length=100, description="Settings by app.")


@app.operation(
    "checks/set-suites-preferences",
    writes=True,
    units=1,
    source=f"{SUITES}#update-repository-preferences-for-check-suites",
    examples=[{**HERE, "auto_trigger_checks": [{"app_id": ACTIONS_ID, "setting": True}]}],
    raises=("not_found", "forbidden", "archived"),
)
def set_suites_preferences(call: Call, params: Preferences) -> JsonObject:
    """Choose the apps whose suites are created automatically with a push.

    Deviates: what is said is answered and has no effect: no app but the vendor's own makes suites here.
    """
    context = GithubContext(call)
    repo = context.repo(params.owner, params.repo)
    context.need(repo, "admin")
    return {
        "preferences": {"auto_trigger_checks": [one.model_dump() for one in params.auto_trigger_checks]},
        "repository": minimal_repo(context, repo),
    }
