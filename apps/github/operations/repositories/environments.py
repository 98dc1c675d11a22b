"""Deployment environments of a repository, with their rules."""

from typing import Literal, TypedDict

from pydantic import Field
from sqlmodel import col, select

from apps.github.app import app
from apps.github.domain.context import GithubContext, node, stamp
from apps.github.domain.params import Line, PageParams, RepoRef
from apps.github.models import Repository
from apps.github.models_actions import Environment
from apps.github.operations.repositories.deployments import HERE
from apps.github.refusals import unprocessable
from apps.github.views.accounts import user_json
from apps.github.views.urls import quote_path
from world.core.call import Call
from world.core.errors import OperationError
from world.core.json_types import JsonObject
from world.core.params import Int64, Params

ENVIRONMENTS = "docs.github.com/rest/deployments/environments"


class EnvironmentJson(TypedDict):
    """An environment with its rules."""

    id: int
    node_id: str
    name: str
    url: str
    html_url: str
    created_at: str | None
    updated_at: str | None
    protection_rules: list[JsonObject]
    deployment_branch_policy: JsonObject | None


class EnvironmentRef(RepoRef):
    """One environment."""

    environment_name: Line = Field(min_length=1, description="The name of the environment.", examples=["staging"])


class EnvironmentList(RepoRef, PageParams):
    """The environments of a repository."""


class Reviewer(Params):
    """A person or team who may approve jobs of an environment."""

    type: Literal["User", "Team"] = Field(description="User or Team.")
    id: Int64 = Field(description="Their id.")


class Policy(Params):
    """Branches that may be deployed."""

    protected_branches: bool = Field(description="Only protected ones.")
    custom_branch_policies: bool = Field(description="Only those that fit a pattern.")


class EnvironmentPut(EnvironmentRef):
    """The rules of an environment."""

    wait_timer: int = Field(default=0, ge=0, le=43_200, description="Minutes a job waits.")
    prevent_self_review: bool = Field(default=False, description="Whoever started a job may not let it go on.")
    reviewers: list[Reviewer] | None = Field(default=None, max_length=6, description="Who may let a job go on.")
    deployment_branch_policy: Policy | None = Field(
        default=None, description="Which branches may be deployed; all by default."
    )


# -- environments


def environment_json(context: GithubContext, repo: Repository, row: Environment) -> EnvironmentJson:
    """Render an environment with its rules."""
    rules: list[JsonObject] = []
    if row.wait_timer:
        rules.append(
            {
                "id": row.id * 10 + 1,
                "node_id": node("Environment", repo.id, row.id, 1),
                "type": "wait_timer",
                "wait_timer": row.wait_timer,
            }
        )
    if row.reviewers:
        people = [
            {"type": "User", "reviewer": user_json(context, context.account(one["id"]))}
            for one in row.reviewers
            if one["type"] == "User"
        ]
        rules.append(
            {
                "id": row.id * 10 + 2,
                "node_id": node("Environment", repo.id, row.id, 2),
                "type": "required_reviewers",
                "prevent_self_review": row.prevent_self_review,
                "reviewers": people,
            }
        )
    if row.branch_policy:
        rules.append(
            {"id": row.id * 10 + 3, "node_id": node("Environment", repo.id, row.id, 3), "type": "branch_policy"}
        )
    return {
        "id": row.id,
        "node_id": node("Environment", repo.id, row.id),
        "name": row.name,
        "url": f"{context.repo_api(repo)}/environments/{quote_path(row.name)}",
        "html_url": f"{context.repo_html(repo)}/deployments/activity_log?environments_filter={quote_path(row.name)}",
        "created_at": stamp(row.created_at),
        "updated_at": stamp(row.updated_at),
        "protection_rules": rules,
        "deployment_branch_policy": row.branch_policy,
    }


def _environment(context: GithubContext, repo: Repository, name: str) -> Environment | None:
    return context.call.session.exec(
        select(Environment).where(Environment.repo_id == repo.id, Environment.name == name)
    ).first()


@app.operation(
    "repos/get-all-environments",
    units=1,
    source=f"{ENVIRONMENTS}#list-environments",
    examples=[HERE],
    raises=("not_found",),
)
def get_all_environments(call: Call, params: EnvironmentList) -> JsonObject:
    """List the environments of a repository."""
    context = GithubContext(call)
    repo = context.repo(params.owner, params.repo)
    rows = call.session.exec(
        select(Environment).where(Environment.repo_id == repo.id).order_by(col(Environment.id))
    ).all()
    page = rows[params.start : params.start + params.size]
    return {"total_count": len(rows), "environments": [environment_json(context, repo, row) for row in page]}


@app.operation(
    "repos/get-environment",
    units=1,
    source=f"{ENVIRONMENTS}#get-an-environment",
    examples=[{**HERE, "environment_name": "staging"}],
    after=["repos/create-or-update-environment"],
    raises=("not_found",),
)
def get_environment(call: Call, params: EnvironmentRef) -> EnvironmentJson:
    """Read one environment."""
    context = GithubContext(call)
    repo = context.repo(params.owner, params.repo)
    row = _environment(context, repo, params.environment_name)
    if row is None:
        raise OperationError("not_found")
    return environment_json(context, repo, row)


@app.operation(
    "repos/create-or-update-environment",
    writes=True,
    units=1,
    source=f"{ENVIRONMENTS}#create-or-update-an-environment",
    examples=[{**HERE, "environment_name": "staging", "wait_timer": 5}],
    raises=("not_found", "forbidden", "archived", "unprocessable"),
)
def put_environment(call: Call, params: EnvironmentPut) -> EnvironmentJson:
    """Create an environment, or set its rules; rules that are left out are removed.

    Deviates: rules are stored and shown; nothing waits for them.
    """
    context = GithubContext(call)
    repo = context.repo(params.owner, params.repo)
    context.need(repo, "admin")
    policy = params.deployment_branch_policy
    if policy is not None and policy.protected_branches == policy.custom_branch_policies:
        raise unprocessable("`protected_branches` and `custom_branch_policies` cannot have the same value")
    known = {row[0] for row in call.all("SELECT id FROM github_account")}
    if any(one.type == "User" and one.id not in known for one in params.reviewers or []):
        raise unprocessable("Invalid reviewer: no such user")
    row = _environment(context, repo, params.environment_name)
    if row is None:
        id, name = context.next_id("github_environment"), params.environment_name
        row = Environment(id=id, repo_id=repo.id, name=name, created_at=call.now, updated_at=call.now)
    row.wait_timer, row.prevent_self_review, row.updated_at = params.wait_timer, params.prevent_self_review, call.now
    row.reviewers = [one.model_dump() for one in params.reviewers or []]
    row.branch_policy = policy.model_dump() if policy is not None else None
    context.add(row)
    call.flush()
    return environment_json(context, repo, row)


@app.operation(
    "repos/delete-an-environment",
    writes=True,
    units=1,
    source=f"{ENVIRONMENTS}#delete-an-environment",
    examples=[{**HERE, "environment_name": "staging"}],
    after=["repos/create-or-update-environment"],
    raises=("not_found", "forbidden", "archived"),
)
def delete_environment(call: Call, params: EnvironmentRef) -> None:
    """Delete an environment."""
    context = GithubContext(call)
    repo = context.repo(params.owner, params.repo)
    context.need(repo, "admin")
    row = _environment(context, repo, params.environment_name)
    if row is None:
        raise OperationError("not_found")
    call.session.delete(row)
