"""Tables of commit statuses, checks, and workflow runs."""

# SQLModel types __tablename__ as a declared attribute
# pyright: reportAssignmentType=false

from typing import Any

from sqlalchemy import Index
from sqlmodel import Field, SQLModel

from apps.github.columns import REPO, json_column
from world.core.json_types import JsonObject


class Status(SQLModel, table=True):
    """A commit status. `state`: error, failure, pending or success."""

    __tablename__ = "github_status"
    __table_args__ = (Index("github_status_sha", "repo_id", "sha"), {"info": {"names": {"repo": REPO}}})
    id: int = Field(primary_key=True)
    repo_id: int
    sha: str
    context: str = "default"
    state: str
    description: str | None = None
    target_url: str | None = None
    creator_id: int
    created_at: int
    updated_at: int


class CheckSuite(SQLModel, table=True):
    """The checks of one app on one commit. `app`: its slug, `github-actions` for workflows."""

    __tablename__ = "github_check_suite"
    __table_args__ = (
        Index("github_check_suite_sha", "repo_id", "head_sha"),
        {"info": {"derived_from": "*", "volatile": ["updated_at"]}},
    )
    id: int = Field(primary_key=True)
    repo_id: int
    head_sha: str
    head_branch: str | None = None
    before: str | None = None
    app: str = "github-actions"
    status: str = "queued"  # queued, in_progress, completed
    conclusion: str | None = None
    created_at: int
    updated_at: int


class CheckRun(SQLModel, table=True):
    """A check on a commit. `conclusion`: success, failure, neutral, cancelled, skipped, timed_out or action_required."""

    __tablename__ = "github_check_run"
    __table_args__ = (Index("github_check_run_sha", "repo_id", "head_sha"), {"info": {"derived_from": "*"}})
    id: int = Field(primary_key=True)
    repo_id: int
    suite_id: int = Field(index=True)
    head_sha: str
    name: str
    app: str = "github-actions"
    status: str = "queued"
    conclusion: str | None = None
    external_id: str = ""
    details_url: str | None = None
    title: str | None = None
    summary: str | None = None
    text: str | None = None
    annotations: list[dict[str, Any]] = Field(default_factory=list, sa_column=json_column())
    started_at: int | None = None
    completed_at: int | None = None
    created_at: int


class Workflow(SQLModel, table=True):
    """A workflow file of a repository. `state`: active, disabled_manually or deleted."""

    __tablename__ = "github_workflow"
    __table_args__ = {"info": {"names": {"repo": REPO}, "volatile": ["updated_at", "runs"]}}
    id: int = Field(primary_key=True)
    repo_id: int = Field(index=True)
    path: str
    name: str
    state: str = "active"
    runs: int = 0
    created_at: int
    updated_at: int


class Run(SQLModel, table=True):
    """A run of a workflow. `status`: queued, in_progress, completed; `conclusion` as of checks.

    `facts`: the trigger as expressions see it (ref, base_ref, head_ref, action, number, client_payload), the
    concurrency `group`, and the `problem` of an unreadable file.
    """

    __tablename__ = "github_run"
    __table_args__ = (
        Index("github_run_sha", "repo_id", "head_sha"),
        {
            "info": {
                "volatile": ["updated_at", "started_at"],
                "derived_from": ["github_ref", "github_issue", "github_pull"],
                "derived_key": [],
            }
        },
    )
    id: int = Field(primary_key=True)
    repo_id: int
    workflow_id: int = Field(index=True)
    suite_id: int = Field(index=True)
    number: int
    attempt: int = 1
    event: str
    title: str
    head_branch: str | None = None
    head_sha: str
    tree_sha: str
    pull_ids: list[int] = Field(default_factory=list, sa_column=json_column())
    inputs: JsonObject = Field(default_factory=dict, sa_column=json_column())
    facts: dict[str, Any] = Field(default_factory=dict, sa_column=json_column())
    actor_id: int
    trigger_id: int
    status: str = "queued"
    conclusion: str | None = None
    created_at: int
    updated_at: int
    started_at: int


class Job(SQLModel, table=True):
    """A job of an attempt of a run.

    `steps` are {name, number, status, conclusion, started_at, completed_at}, `log` its whole text.

    `summary`: the Markdown summary written by its steps.
    """

    __tablename__ = "github_job"
    __table_args__ = {"info": {"derived_from": "*"}}
    id: int = Field(primary_key=True)
    repo_id: int
    run_id: int = Field(index=True)
    attempt: int
    key: str
    name: str
    check_run_id: int
    status: str = "queued"
    conclusion: str | None = None
    steps: list[dict[str, Any]] = Field(default_factory=list, sa_column=json_column())
    log: str = ""
    summary: str = ""
    created_at: int
    started_at: int | None = None
    completed_at: int | None = None


class Verdict(SQLModel, table=True):
    """Outcome of a job on a tree, so that it runs only once.

    `suite` is the digest of what was run, `tree_sha` the tree it ran on.
    """

    __tablename__ = "github_verdict"
    __table_args__ = {"info": {"control": True}}
    tree_sha: str = Field(primary_key=True)
    suite: str = Field(primary_key=True)
    conclusion: str
    steps: list[dict[str, Any]] = Field(default_factory=list, sa_column=json_column())


class Bug(SQLModel, table=True):
    """A bug planted in the company's code, and the tests that detect it; no operation reads it.

    `tests` are files by path, `ids` unittest ids that fail with the bug (`fails`) or hold always (`passes`), `serve`
    starts the service.
    """

    __tablename__ = "github_bug"
    __table_args__ = {"info": {"control": True}}
    repo_id: int = Field(primary_key=True)
    id: str = Field(primary_key=True)
    introduced_sha: str
    serve: str
    tests: dict[str, str] = Field(default_factory=dict, sa_column=json_column())
    fails: list[str] = Field(default_factory=list, sa_column=json_column())
    passes: list[str] = Field(default_factory=list, sa_column=json_column())


class Variable(SQLModel, table=True):
    """A variable of a repository's workflows; `environment` is empty for one that applies everywhere."""

    __tablename__ = "github_variable"
    __table_args__ = {"info": {"names": {"repo": REPO}, "volatile": ["updated_at"]}}
    repo_id: int = Field(primary_key=True)
    environment: str = Field(default="", primary_key=True)
    name: str = Field(primary_key=True)
    value: str
    created_at: int
    updated_at: int


class Secret(SQLModel, table=True):
    """A secret that is set.

    Its value is sealed to a key that nobody has, can never be read, and so is not stored.
    """

    __tablename__ = "github_secret"
    __table_args__ = {"info": {"names": {"repo": REPO}, "volatile": ["updated_at"]}}
    repo_id: int = Field(primary_key=True)
    environment: str = Field(default="", primary_key=True)
    name: str = Field(primary_key=True)
    digest: str
    created_at: int
    updated_at: int


class Environment(SQLModel, table=True):
    """A deployment target."""

    __tablename__ = "github_environment"
    __table_args__ = (
        Index("github_environment_name", "repo_id", "name", unique=True),
        {"info": {"names": {"repo": REPO}, "volatile": ["updated_at"]}},
    )
    id: int = Field(primary_key=True)
    repo_id: int
    name: str
    wait_timer: int = 0
    prevent_self_review: bool = False
    reviewers: list[dict[str, Any]] = Field(default_factory=list, sa_column=json_column())
    branch_policy: JsonObject | None = Field(default=None, sa_column=json_column(nullable=True))
    created_at: int
    updated_at: int
