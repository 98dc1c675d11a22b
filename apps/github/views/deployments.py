"""JSON shapes of deployments and their statuses."""

from typing import TypedDict

from apps.github.domain.context import GithubContext, node, stamp
from apps.github.models import Deployment, DeploymentStatus, Repository
from apps.github.views.accounts import UserJson, user_json
from world.core.json_types import JsonObject


class DeploymentJson(TypedDict):
    """A deployment."""

    url: str
    id: int
    node_id: str
    sha: str
    ref: str
    task: str
    payload: JsonObject
    original_environment: str
    environment: str
    description: str | None
    creator: UserJson
    created_at: str | None
    updated_at: str | None
    statuses_url: str
    repository_url: str
    transient_environment: bool
    production_environment: bool
    performed_via_github_app: None


def deployment_json(context: GithubContext, repo: Repository, row: Deployment) -> DeploymentJson:
    """Render a deployment."""
    url = f"{context.repo_api(repo)}/deployments/{row.id}"
    return {
        "url": url,
        "id": row.id,
        "node_id": node("Deployment", repo.id, row.id),
        "sha": row.sha,
        "ref": row.ref,
        "task": row.task,
        "payload": row.payload,
        "original_environment": row.environment,
        "environment": row.environment,
        "description": row.description,
        "creator": user_json(context, context.account(row.creator_id)),
        "created_at": stamp(row.created_at),
        "updated_at": stamp(row.updated_at),
        "statuses_url": f"{url}/statuses",
        "repository_url": context.repo_api(repo),
        "transient_environment": row.transient,
        "production_environment": row.production,
        "performed_via_github_app": None,
    }


def status_json(context: GithubContext, repo: Repository, row: DeploymentStatus) -> JsonObject:
    """Render a status of a deployment."""
    url = f"{context.repo_api(repo)}/deployments/{row.deployment_id}"
    links = {name: text for name, text in (("environment_url", row.environment_url), ("log_url", row.log_url)) if text}
    return {
        "url": f"{url}/statuses/{row.id}",
        "id": row.id,
        "node_id": node("DeploymentStatus", repo.id, row.id),
        "state": row.state,
        "creator": user_json(context, context.account(row.creator_id)),
        "description": row.description,
        "environment": row.environment,
        "target_url": row.log_url,
        "created_at": stamp(row.created_at),
        "updated_at": stamp(row.updated_at),
        "deployment_url": url,
        "repository_url": context.repo_api(repo),
        **links,
        "performed_via_github_app": None,
    }
