"""Deployments of commits to environments, and their statuses."""

from typing import Annotated, Any, Literal, cast

import orjson
from pydantic import Field, JsonValue
from sqlmodel import col, select

from apps.github.app import app
from apps.github.domain.commit_status import PASSING, checks_of
from apps.github.domain.context import GithubContext
from apps.github.domain.params import Id, Line, ListPage, PageParams, Ref, RepoRef
from apps.github.models import Deployment, DeploymentStatus, Repository
from apps.github.models_actions import Environment
from apps.github.refusals import conflict, invalid, unprocessable
from apps.github.views.deployments import DeploymentJson, deployment_json, status_json
from world.core.call import Call
from world.core.errors import OperationError
from world.core.json_types import JsonObject
from world.core.params import Text

DEPLOYMENTS, STATUSES = "docs.github.com/rest/deployments/deployments", "docs.github.com/rest/deployments/statuses"
HERE = {"owner": "quayline", "repo": "payments"}
ONE = {**HERE, "deployment_id": "$repos/list-deployments:0.id"}
MOST_PAYLOAD = 65_536
State = Literal["error", "failure", "inactive", "in_progress", "queued", "pending", "success"]
Short = Annotated[Text, Field(max_length=140)]


class DeploymentNew(RepoRef):
    """Request fields for a new deployment."""

    ref: Ref = Field(description="The branch, tag or SHA to deploy.", examples=["main"])
    task: Line = Field(default="deploy", description="What is done.")
    auto_merge: bool = Field(
        default=True, description="Merge the default branch into the ref first; nothing is merged here."
    )
    required_contexts: list[Line] | None = Field(
        default=None, max_length=100, description="Checks that must have passed; all there are by default."
    )
    payload: dict[str, JsonValue] | str = Field(default={}, description="Anything whoever deploys may need.")
    environment: Line = Field(default="production", min_length=1, description="Where to.", examples=["staging"])
    description: Short | None = Field(default=None, description="A short word on it.")
    transient_environment: bool = Field(
        default=False, description="Whether the environment is for this deployment alone."
    )
    production_environment: bool | None = Field(
        default=None, description="Whether users meet it; true for `production`."
    )


class DeploymentRef(RepoRef):
    """One deployment."""

    deployment_id: Id = Field(description="The id of the deployment.")


class DeploymentList(RepoRef, PageParams):
    """Filters of deployments."""

    sha: Line = Field(default="none", description="Only those of this commit.")
    ref: Ref = Field(default="none", description="Only those of this ref.")
    task: Line = Field(default="none", description="Only those of this task.")
    environment: Line | None = Field(default="none", description="Only those to this environment.")


class StatusList(DeploymentRef, PageParams):
    """Statuses of a deployment."""


class StatusRef(DeploymentRef):
    """One status of a deployment."""

    status_id: Id = Field(description="The id of the status.")


class StatusNew(DeploymentRef):
    """Request fields for a new status of a deployment."""

    state: State = Field(description="How it stands.", examples=["success"])
    target_url: Line = Field(default="", description="The old name of log_url.")
    log_url: Line = Field(default="", description="Where its output is.")
    description: Short = Field(default="", description="A short word on it.")
    environment: Line | None = Field(default=None, description="Another environment than that of the deployment.")
    environment_url: Line = Field(default="", description="Where what was deployed can be met.")
    auto_inactive: bool = Field(
        default=True, description="Make earlier deployments to the environment inactive when this one succeeds."
    )


def get_deployment_row(
    context: GithubContext, params: DeploymentRef, level: str = "pull"
) -> tuple[Repository, Deployment]:
    """Return a deployment and its repository. Raises not_found, archived."""
    repo = context.repo(params.owner, params.repo)
    row = context.call.session.get(Deployment, params.deployment_id)
    if row is None or row.repo_id != repo.id:
        raise OperationError("not_found")
    context.need(repo, level, code="not_found")
    return repo, row


@app.operation(
    "repos/list-deployments", units=1, source=f"{DEPLOYMENTS}#list-deployments", examples=[HERE], raises=("not_found",)
)
def list_deployments(call: Call, params: DeploymentList) -> list[DeploymentJson]:
    """List deployments of a repository, newest first."""
    context = GithubContext(call)
    repo = context.repo(params.owner, params.repo)
    asked = (
        (Deployment.sha, params.sha),
        (Deployment.ref, params.ref),
        (Deployment.task, params.task),
        (Deployment.environment, params.environment),
    )
    where = [
        Deployment.repo_id == repo.id,
        *(column == value for column, value in asked if value not in ("none", None)),
    ]
    rows = call.session.exec(select(Deployment).where(*where).order_by(col(Deployment.id).desc())).all()
    return ListPage(
        [deployment_json(context, repo, row) for row in rows[params.start : params.start + params.size]], len(rows)
    )


@app.operation(
    "repos/get-deployment",
    units=1,
    source=f"{DEPLOYMENTS}#get-a-deployment",
    examples=[ONE],
    after=["repos/create-deployment"],
    raises=("not_found",),
)
def get_deployment(call: Call, params: DeploymentRef) -> DeploymentJson:
    """Read one deployment."""
    context = GithubContext(call)
    return deployment_json(context, *get_deployment_row(context, params))


@app.operation(
    "repos/create-deployment",
    writes=True,
    units=1,
    source=f"{DEPLOYMENTS}#create-a-deployment",
    examples=[{**HERE, "ref": "main", "environment": "staging", "required_contexts": []}],
    raises=("not_found", "archived", "conflict", "unprocessable"),
)
def create_deployment(call: Call, params: DeploymentNew) -> DeploymentJson:
    """Create a deployment of a commit to an environment; checks of the commit must have passed.

    Deviates: `auto_merge` merges nothing.
    """
    context = GithubContext(call)
    repo = context.repo(params.owner, params.repo)
    context.need(repo, "push", code="not_found")
    sha = context.git(repo).resolve(params.ref)
    if sha is None:
        raise unprocessable(f"No ref found for: {params.ref}")
    if len(orjson.dumps(params.payload)) > MOST_PAYLOAD:
        raise unprocessable("Payload is too large")
    _check(context, repo, sha, params.required_contexts)
    production = (
        params.production_environment
        if params.production_environment is not None
        else params.environment == "production"
    )
    row = Deployment(
        id=context.next_id("github_deployment"),
        repo_id=repo.id,
        sha=sha,
        ref=params.ref,
        task=params.task,
        environment=params.environment,
        description=params.description,
        transient=params.transient_environment,
        production=production,
        creator_id=context.me.id,
        created_at=call.now,
        updated_at=call.now,
    )
    row.payload = cast(Any, params.payload)
    context.add(row)
    _environment(context, repo, params.environment)
    call.flush()
    call.publish(
        "github.deployment_created",
        repo_id=repo.id,
        deployment=row.id,
        actor_id=context.me.id,
        sha=sha,
        environment=row.environment,
    )
    return deployment_json(context, repo, row)


def _check(context: GithubContext, repo: Repository, sha: str, wanted: list[str] | None) -> None:
    found = checks_of(context, repo, sha)
    names = list(found) if wanted is None else wanted
    if any(found.get(name) not in PASSING for name in names):
        raise conflict(f"Conflict: Commit status checks failed for {sha[:7]}.")


def _environment(context: GithubContext, repo: Repository, name: str) -> None:
    """Create an environment with its first deployment."""
    if (
        context.call.first(
            "SELECT 1 FROM github_environment WHERE repo_id = :repo AND name = :name", {"repo": repo.id, "name": name}
        )
        is None
    ):
        now = context.call.now
        context.add(
            Environment(
                id=context.next_id("github_environment"), repo_id=repo.id, name=name, created_at=now, updated_at=now
            )
        )


@app.operation(
    "repos/delete-deployment",
    writes=True,
    units=1,
    source=f"{DEPLOYMENTS}#delete-a-deployment",
    examples=[ONE],
    after=["repos/create-deployment"],
    raises=("not_found", "archived", "unprocessable"),
)
def delete_deployment(call: Call, params: DeploymentRef) -> None:
    """Delete a deployment that is inactive, or the only one."""
    context = GithubContext(call)
    repo, row = get_deployment_row(context, params, "push")
    states = _statuses(context, row)
    others = call.scalar(
        "SELECT count(*) FROM github_deployment WHERE repo_id = :repo AND id <> :id", {"repo": repo.id, "id": row.id}
    )
    if others and (not states or states[0].state != "inactive"):
        raise unprocessable(
            "We cannot delete an active deployment unless it is the only deployment in a given environment."
        )
    for one in states:
        call.session.delete(one)
    call.session.delete(row)


def _statuses(context: GithubContext, row: Deployment) -> list[DeploymentStatus]:
    query = (
        select(DeploymentStatus)
        .where(DeploymentStatus.deployment_id == row.id)
        .order_by(col(DeploymentStatus.id).desc())
    )
    return list(context.call.session.exec(query).all())


# -- statuses


@app.operation(
    "repos/list-deployment-statuses",
    units=1,
    source=f"{STATUSES}#list-deployment-statuses",
    examples=[ONE],
    after=["repos/create-deployment"],
    raises=("not_found",),
)
def list_statuses(call: Call, params: StatusList) -> list[JsonObject]:
    """List the statuses of a deployment, newest first."""
    context = GithubContext(call)
    repo, row = get_deployment_row(context, params)
    rows = _statuses(context, row)
    return ListPage(
        [status_json(context, repo, one) for one in rows[params.start : params.start + params.size]], len(rows)
    )


@app.operation(
    "repos/get-deployment-status",
    units=1,
    source=f"{STATUSES}#get-a-deployment-status",
    examples=[{**ONE, "status_id": "$repos/create-deployment-status:id"}],
    after=["repos/create-deployment-status"],
    raises=("not_found",),
)
def get_status(call: Call, params: StatusRef) -> JsonObject:
    """Read one status of a deployment."""
    context = GithubContext(call)
    repo, row = get_deployment_row(context, params)
    found = call.session.get(DeploymentStatus, params.status_id)
    if found is None or found.deployment_id != row.id:
        raise OperationError("not_found")
    return status_json(context, repo, found)


@app.operation(
    "repos/create-deployment-status",
    writes=True,
    units=1,
    source=f"{STATUSES}#create-a-deployment-status",
    examples=[{**ONE, "state": "success", "log_url": "https://ci.example/1"}],
    after=["repos/create-deployment"],
    raises=("not_found", "archived", "validation_failed"),
)
def create_status(call: Call, params: StatusNew) -> JsonObject:
    """Add a status to a deployment; with `success`, earlier ones to the environment become inactive."""
    context = GithubContext(call)
    repo, row = get_deployment_row(context, params, "push")
    _require_links(params)
    made = _add_status(context, row, params.state, params)
    if params.state == "success" and params.auto_inactive and not row.transient:
        query = select(Deployment).where(
            Deployment.repo_id == repo.id, Deployment.environment == row.environment, col(Deployment.id) < row.id
        )
        for other in call.session.exec(query.order_by(col(Deployment.id))).all():
            states = _statuses(context, other)
            if states and states[0].state == "success":
                _add_status(context, other, "inactive", None)
    row.updated_at = call.now
    context.add(row)
    call.flush()
    call.publish(
        "github.deployment_status",
        repo_id=repo.id,
        repo=context.full_name(repo),
        deployment=row.id,
        status=made.id,
        state=made.state,
        sha=row.sha,
        environment=row.environment,
        actor_id=context.me.id,
    )
    return status_json(context, repo, made)


def _require_links(params: StatusNew) -> None:
    links = {
        "target_url": params.target_url,
        "log_url": params.log_url,
        "environment_url": params.environment_url,
    }
    for name, link in links.items():
        if link and not link.startswith(("http://", "https://")):
            raise invalid("DeploymentStatus", name, "custom", f"{name} must use http(s) scheme")


def _add_status(context: GithubContext, row: Deployment, state: str, params: StatusNew | None) -> DeploymentStatus:
    now = context.call.now
    made = DeploymentStatus(
        id=context.next_id("github_deployment_status"),
        deployment_id=row.id,
        state=state,
        environment=row.environment,
        creator_id=context.me.id,
        created_at=now,
        updated_at=now,
    )
    if params is not None:
        made.description, made.environment_url = params.description, params.environment_url
        made.log_url, made.environment = params.log_url or params.target_url, params.environment or row.environment
    context.add(made)
    context.call.flush()
    return made
