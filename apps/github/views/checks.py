"""JSON shapes of statuses, checks and suites. Source: the published OpenAPI description, schemas status, check-run,
check-suite.
"""

from collections.abc import Mapping, Sequence
from typing import Any, TypedDict

from pydantic import JsonValue

from apps.github.domain.context import GithubContext, node, stamp
from apps.github.models import Account, Repository
from apps.github.models_actions import CheckRun, CheckSuite, Status
from apps.github.views.accounts import UserJson, maybe_user, minimal_repo, user_json
from world.core.json_types import JsonObject

ACTIONS = "github-actions"
ACTIONS_ID, VENDOR_ID, VENDOR_AT = 15368, 9919, 1_210_000_000_000_000  # as api.github.com/apps/github-actions answers
VENDOR = Account(
    id=VENDOR_ID, login="github", kind="Organization", name="GitHub", created_at=VENDOR_AT, updated_at=VENDOR_AT
)
_PULLS = """SELECT p.issue_id, i.number, p.head_ref, p.head_sha, p.base_ref, p.base_sha, p.head_repo_id, p.head_sha FROM
    github_pull p
    JOIN github_issue i ON i.id = p.issue_id WHERE p.repo_id = :repo AND p.head_sha = :sha AND i.state = 'open' ORDER BY
    p.issue_id"""


class AppJson(TypedDict):
    """App that owns a check: the vendor's own, or the account that created it with a token."""

    id: int
    slug: str
    node_id: str
    owner: UserJson
    client_id: str
    name: str
    description: str
    external_url: str
    html_url: str
    created_at: str | None
    updated_at: str | None
    permissions: dict[str, str]
    events: list[str]


class StatusJson(TypedDict):
    """Response of `_status`."""

    url: str
    avatar_url: str
    id: int
    node_id: str
    state: str
    description: str | None
    target_url: str | None
    context: str
    created_at: str | None
    updated_at: str | None


class SimpleCommitJson(TypedDict):
    """A commit as runs and suites mention it (schema simple-commit)."""

    id: str
    tree_id: str
    message: str
    timestamp: str | None
    author: dict[str, str]
    committer: dict[str, str]


class SuiteJson(TypedDict):
    """A check suite."""

    id: int
    node_id: str
    head_branch: str | None
    head_sha: str
    status: str
    conclusion: str | None
    url: str
    before: str | None
    after: str
    pull_requests: list[JsonObject]
    app: AppJson
    repository: JsonObject
    created_at: str | None
    updated_at: str | None
    head_commit: SimpleCommitJson
    latest_check_runs_count: JsonValue
    check_runs_url: str
    rerequestable: int
    runs_rerequestable: int


def app_json(context: GithubContext, slug: str) -> AppJson:
    """Render the app that owns a check: the vendor's own, or the account that created it with a token."""
    account = None if slug == ACTIONS else context.find_login(slug)
    owner, id = account or VENDOR, account.id if account else ACTIONS_ID
    at = stamp(account.created_at if account else 1_531_000_000_000_000)
    return {
        "id": id,
        "slug": slug,
        "node_id": node("App", id),
        "owner": user_json(context, owner),
        "client_id": f"Iv1.{id:016x}",
        "name": "GitHub Actions" if slug == ACTIONS else slug,
        "description": "Automate your workflow from idea to production" if slug == ACTIONS else "",
        "external_url": "https://help.github.com/en/actions",
        "html_url": f"{context.html}/apps/{slug}",
        "created_at": at,
        "updated_at": at,
        "permissions": {
            "actions": "write",
            "checks": "write",
            "contents": "write",
            "metadata": "read",
            "statuses": "write",
        },
        "events": ["check_run", "check_suite", "push", "workflow_dispatch"],
    }


def pulls_json(context: GithubContext, repo: Repository, sha: str) -> list[JsonObject]:
    """Render the open pull requests with a commit as head (schema pull-request-minimal)."""

    def place(id: int) -> dict[str, Any]:
        found = context.repo_by_id(id) or repo
        return {"id": found.id, "url": context.repo_api(found), "name": found.name}

    return [
        {
            "id": id,
            "number": number,
            "url": f"{context.repo_api(repo)}/pulls/{number}",
            "head": {"ref": head, "sha": head_sha, "repo": place(head_repo or repo.id)},
            "base": {"ref": base, "sha": base_sha, "repo": place(repo.id)},
        }
        for id, number, head, head_sha, base, base_sha, head_repo, _ in context.call.all(
            _PULLS, {"repo": repo.id, "sha": sha}
        )
    ]


def status_json(context: GithubContext, repo: Repository, row: Status) -> JsonObject:
    """Render a commit status (schema status)."""
    return {**_status(context, repo, row), "creator": maybe_user(context, row.creator_id)}


def simple_status(context: GithubContext, repo: Repository, row: Status) -> StatusJson:
    """Render one of a commit's statuses (schema simple-commit-status)."""
    return _status(context, repo, row)


def _status(context: GithubContext, repo: Repository, row: Status) -> StatusJson:
    return {
        "url": f"{context.repo_api(repo)}/statuses/{row.sha}",
        "avatar_url": context.avatar(context.account(row.creator_id)),
        "id": row.id,
        "node_id": node("StatusContext", repo.id, row.id),
        "state": row.state,
        "description": row.description,
        "target_url": row.target_url,
        "context": row.context,
        "created_at": stamp(row.created_at),
        "updated_at": stamp(row.updated_at),
    }


def details(context: GithubContext, url: str | None) -> str | None:
    """Return the address of details; addresses on our own pages are stored without the host."""
    return None if url is None else context.html + url if url.startswith("/") else url


def check_json(
    context: GithubContext, repo: Repository, row: CheckRun, pulls: Sequence[Mapping[str, object]] | None = None
) -> JsonObject:
    """Render a check run."""
    url = f"{context.repo_api(repo)}/check-runs/{row.id}"
    shown = details(context, row.details_url)
    return {
        "id": row.id,
        "node_id": node("CheckRun", repo.id, row.id),
        "head_sha": row.head_sha,
        "external_id": row.external_id,
        "url": url,
        "html_url": shown if row.app == ACTIONS and shown else f"{context.repo_html(repo)}/runs/{row.id}",
        "details_url": shown or f"{context.repo_html(repo)}/runs/{row.id}",
        "status": row.status,
        "conclusion": row.conclusion,
        "started_at": stamp(row.started_at),
        "completed_at": stamp(row.completed_at),
        "output": {
            "title": row.title,
            "summary": row.summary,
            "text": row.text,
            "annotations_count": len(row.annotations),
            "annotations_url": f"{url}/annotations",
        },
        "name": row.name,
        "check_suite": {"id": row.suite_id},
        "app": app_json(context, row.app),
        "pull_requests": list(pulls) if pulls is not None else pulls_json(context, repo, row.head_sha),
    }


def annotation_json(context: GithubContext, repo: Repository, row: CheckRun, one: Mapping[str, object]) -> JsonObject:
    """Render one annotation of a check run."""
    names = (
        "path",
        "start_line",
        "end_line",
        "start_column",
        "end_column",
        "annotation_level",
        "title",
        "message",
        "raw_details",
    )
    return {
        **{name: one.get(name) for name in names},
        "blob_href": f"{context.repo_html(repo)}/blob/{row.head_sha}/{one['path']}",
    }


def simple_commit(context: GithubContext, repo: Repository, sha: str) -> SimpleCommitJson:
    """Render a commit as runs and suites mention it (schema simple-commit)."""
    (row,) = context.git(repo).graph.rows([sha])
    return {
        "id": sha,
        "tree_id": row.tree,
        "message": row.message.removesuffix("\n"),
        "timestamp": stamp(row.authored_at * 1_000_000),
        "author": {"name": row.author_name, "email": row.author_email},
        "committer": {"name": row.committer_name, "email": row.committer_email},
    }


def suite_json(context: GithubContext, repo: Repository, row: CheckSuite) -> SuiteJson:
    """Render a check suite."""
    url = f"{context.repo_api(repo)}/check-suites/{row.id}"
    count = context.call.scalar(
        "SELECT count(DISTINCT name) FROM github_check_run WHERE suite_id = :suite", {"suite": row.id}
    )
    return {
        "id": row.id,
        "node_id": node("CheckSuite", repo.id, row.id),
        "head_branch": row.head_branch,
        "head_sha": row.head_sha,
        "status": row.status,
        "conclusion": row.conclusion,
        "url": url,
        "before": row.before,
        "after": row.head_sha,
        "pull_requests": pulls_json(context, repo, row.head_sha),
        "app": app_json(context, row.app),
        "repository": minimal_repo(context, repo),
        "created_at": stamp(row.created_at),
        "updated_at": stamp(row.updated_at),
        "head_commit": simple_commit(context, repo, row.head_sha),
        "latest_check_runs_count": count,
        "check_runs_url": f"{url}/check-runs",
        "rerequestable": True,
        "runs_rerequestable": True,
    }
