"""Commit statuses by context, and their combined state."""

from typing import Literal

from pydantic import Field
from sqlmodel import col, select

from apps.github.app import app
from apps.github.domain.context import GithubContext
from apps.github.domain.params import Line, ListPage, PageParams, Ref, RepoRef, Sha
from apps.github.domain.pull_rows import reconsider_pulls_of_commit
from apps.github.domain.revisions import head_of
from apps.github.models import Repository
from apps.github.models_actions import Status
from apps.github.refusals import invalid
from apps.github.views.accounts import minimal_repo
from apps.github.views.checks import simple_status, status_json
from world.core.call import Call
from world.core.json_types import JsonObject

SOURCE = "docs.github.com/rest/commits/statuses"
HERE = {"owner": "quayline", "repo": "payments"}
MOST = 1000  # statuses of one commit and context
_LATEST = "SELECT max(id) FROM github_status WHERE repo_id = :repo AND sha = :sha GROUP BY context ORDER BY 1"
_COUNT = "SELECT count(*) FROM github_status WHERE repo_id = :repo AND sha = :sha AND context = :context"


class StatusNew(RepoRef):
    """A status for a commit."""

    sha: Sha = Field(description="The SHA of the commit.")
    state: Literal["error", "failure", "pending", "success"] = Field(description="How it stands.", examples=["success"])
    target_url: Line | None = Field(default=None, description="Where details are; http or https.")
    description: str | None = Field(default=None, max_length=140, description="A short word on the status.")
    context: Line = Field(
        default="default", description="A name that tells this status from those of others.", examples=["ci/build"]
    )


class CommitStatuses(RepoRef, PageParams):
    """Statuses of a commit."""

    ref: Ref = Field(description="A SHA, branch or tag.", examples=["main"])


@app.operation(
    "repos/create-commit-status",
    writes=True,
    units=1,
    source=f"{SOURCE}#create-a-commit-status",
    examples=[{**HERE, "sha": "$repos/get-combined-status-for-ref:sha", "state": "success", "context": "ci/smoke"}],
    raises=("not_found", "archived", "validation_failed"),
)
def create_commit_status(call: Call, params: StatusNew) -> JsonObject:
    """Set a commit's status under a context: success, failure, error or pending. The latest of a context counts."""
    context = GithubContext(call)
    repo = context.repo(params.owner, params.repo)
    context.need(repo, "push", code="not_found")
    sha = context.git(repo).commit_named(params.sha) if len(params.sha) == 40 else None
    if sha is None:
        raise invalid("Status", "sha", "custom", f"No commit found for SHA: {params.sha}")
    if params.target_url and not params.target_url.startswith(("http://", "https://")):
        raise invalid("Status", "target_url", "custom", "target_url must use http(s) scheme")
    if call.scalar(_COUNT, {"repo": repo.id, "sha": sha, "context": params.context}) >= MOST:
        raise invalid("Status", "context", "custom", "This SHA and context has reached the maximum number of statuses.")
    row = Status(
        id=context.next_id("github_status"),
        repo_id=repo.id,
        sha=sha,
        context=params.context,
        state=params.state,
        description=params.description,
        target_url=params.target_url or None,
        creator_id=context.me.id,
        created_at=call.now,
        updated_at=call.now,
    )
    context.add(row)
    call.flush()
    reconsider_pulls_of_commit(context, repo, sha)
    call.publish("github.status_set", repo_id=repo.id, status=row.id, actor_id=context.me.id)
    return status_json(context, repo, row)


@app.operation(
    "repos/list-commit-statuses-for-ref",
    units=1,
    source=f"{SOURCE}#list-commit-statuses-for-a-reference",
    examples=[{**HERE, "ref": "main"}],
    raises=("not_found", "no_such", "empty_repository"),
)
def list_commit_statuses(call: Call, params: CommitStatuses) -> list[JsonObject]:
    """List every status a commit was given, newest first."""
    context = GithubContext(call)
    repo = context.repo(params.owner, params.repo)
    sha = head_of(context, repo, params.ref)
    where = (Status.repo_id == repo.id, Status.sha == sha)
    total = len(call.session.exec(select(Status.id).where(*where)).all())
    rows = call.session.exec(
        select(Status).where(*where).order_by(col(Status.id).desc()).offset(params.start).limit(params.size)
    ).all()
    context.preload(row.creator_id for row in rows)
    return ListPage([status_json(context, repo, row) for row in rows], total)


@app.operation(
    "repos/get-combined-status-for-ref",
    units=1,
    source=f"{SOURCE}#get-the-combined-status-for-a-specific-reference",
    examples=[{**HERE, "ref": "main"}],
    raises=("not_found", "no_such", "empty_repository"),
)
def get_combined_status(call: Call, params: CommitStatuses) -> JsonObject:
    """Read the latest status of each context of a commit, and what they say together; checks are not among them."""
    context = GithubContext(call)
    repo = context.repo(params.owner, params.repo)
    sha = head_of(context, repo, params.ref)
    rows = latest(context, repo, sha)
    url = f"{context.repo_api(repo)}/commits/{sha}"
    return {
        "state": combine_states([row.state for row in rows]),
        "statuses": [simple_status(context, repo, row) for row in rows[params.start :][: params.size]],
        "sha": sha,
        "total_count": len(rows),
        "repository": minimal_repo(context, repo),
        "commit_url": url,
        "url": f"{url}/status",
    }


def latest(context: GithubContext, repo: Repository, sha: str) -> list[Status]:
    """Return the latest status of each context, oldest first."""
    ids = [row[0] for row in context.call.all(_LATEST, {"repo": repo.id, "sha": sha})]
    return list(context.call.session.exec(select(Status).where(col(Status.id).in_(ids)).order_by(col(Status.id))))


def combine_states(states: list[str]) -> str:
    """Return failure if any failed, pending if any is pending or there is none, else success."""
    if any(state in ("error", "failure") for state in states):
        return "failure"
    return "pending" if "pending" in states or not states else "success"
