"""JSON shapes of accounts and repositories. Source: the published OpenAPI description, schemas simple-user, minimal-
and full-repository.
"""

from typing import TypedDict

from apps.github.domain.context import GithubContext, node, rank, stamp
from apps.github.domain.languages import language
from apps.github.models import Account, Repository
from apps.github.views.licenses import license_json
from world.core.json_types import JsonObject

REPO_URLS = {
    "forks_url": "/forks",
    "keys_url": "/keys{/key_id}",
    "collaborators_url": "/collaborators{/collaborator}",
    "teams_url": "/teams",
    "hooks_url": "/hooks",
    "issue_events_url": "/issues/events{/number}",
    "events_url": "/events",
    "assignees_url": "/assignees{/user}",
    "branches_url": "/branches{/branch}",
    "tags_url": "/tags",
    "blobs_url": "/git/blobs{/sha}",
    "git_tags_url": "/git/tags{/sha}",
    "git_refs_url": "/git/refs{/sha}",
    "trees_url": "/git/trees{/sha}",
    "statuses_url": "/statuses/{sha}",
    "languages_url": "/languages",
    "stargazers_url": "/stargazers",
    "contributors_url": "/contributors",
    "subscribers_url": "/subscribers",
    "subscription_url": "/subscription",
    "commits_url": "/commits{/sha}",
    "git_commits_url": "/git/commits{/sha}",
    "comments_url": "/comments{/number}",
    "issue_comment_url": "/issues/comments{/number}",
    "contents_url": "/contents/{+path}",
    "compare_url": "/compare/{base}...{head}",
    "merges_url": "/merges",
    "archive_url": "/{archive_format}{/ref}",
    "downloads_url": "/downloads",
    "issues_url": "/issues{/number}",
    "pulls_url": "/pulls{/number}",
    "milestones_url": "/milestones{/number}",
    "notifications_url": "/notifications{?since,all,participating}",
    "labels_url": "/labels{/name}",
    "releases_url": "/releases{/id}",
    "deployments_url": "/deployments",
}
PERMISSIONS = ("admin", "maintain", "push", "triage", "pull")


class UserJson(TypedDict):
    """An account as other objects mention it (simple-user)."""

    login: str
    id: int
    node_id: str
    avatar_url: str
    gravatar_id: str
    url: str
    html_url: str
    followers_url: str
    following_url: str
    gists_url: str
    starred_url: str
    subscriptions_url: str
    organizations_url: str
    repos_url: str
    events_url: str
    received_events_url: str
    type: str
    user_view_type: str
    site_admin: bool


def user_json(context: GithubContext, account: Account) -> UserJson:
    """Render an account as other objects mention it (simple-user)."""
    url = f"{context.api}/users/{account.login}"
    html = (
        f"{context.html}/apps/{account.login.removesuffix('[bot]')}"
        if account.kind == "Bot"
        else f"{context.html}/{account.login}"
    )
    return {
        "login": account.login,
        "id": account.id,
        "node_id": node(account.kind, account.id),
        "avatar_url": context.avatar(account),
        "gravatar_id": "",
        "url": url,
        "html_url": html,
        "followers_url": f"{url}/followers",
        "following_url": url + "/following{/other_user}",
        "gists_url": url + "/gists{/gist_id}",
        "starred_url": url + "/starred{/owner}{/repo}",
        "subscriptions_url": f"{url}/subscriptions",
        "organizations_url": f"{url}/orgs",
        "repos_url": f"{url}/repos",
        "events_url": url + "/events{/privacy}",
        "received_events_url": f"{url}/received_events",
        "type": account.kind,
        "user_view_type": "public",
        "site_admin": False,
    }


def maybe_user(context: GithubContext, id: int | None) -> UserJson | None:
    """Render an account by id; None for None."""
    return None if id is None else user_json(context, context.account(id))


def minimal_repo(context: GithubContext, repo: Repository) -> JsonObject:
    """Render a repository as other objects mention it (its addresses and name)."""
    url, html = context.repo_api(repo), context.repo_html(repo)
    return {
        "id": repo.id,
        "node_id": node("Repository", repo.id),
        "name": repo.name,
        "full_name": context.full_name(repo),
        "private": repo.visibility != "public",
        "owner": user_json(context, context.account(repo.owner_id)),
        "html_url": html,
        "description": repo.description,
        "fork": repo.fork_of is not None,
        "url": url,
        **{name: url + path for name, path in REPO_URLS.items()},
    }


def permissions(context: GithubContext, repo: Repository) -> dict[str, bool]:
    """Return the caller's permissions on a repository."""
    level = rank(context.level(repo))
    return {name: level >= rank(name) for name in PERMISSIONS}


def repo_json(context: GithubContext, repo: Repository) -> JsonObject:
    """Render a repository for a list of repositories (minimal-repository and repository)."""
    host = context.reached.partition("://")[2]
    counts = _counts(context, repo)
    return {
        **minimal_repo(context, repo),
        "git_url": f"git://{host}/{context.full_name(repo)}.git",
        "ssh_url": f"git@{host}:{context.full_name(repo)}.git",
        "clone_url": f"{context.reached}/{context.full_name(repo)}.git",
        "svn_url": context.repo_html(repo),
        "mirror_url": None,
        "homepage": repo.homepage,
        "size": repo.size_kb,
        "language": language(context, repo),
        "has_issues": repo.has_issues,
        "has_projects": repo.has_projects,
        "has_downloads": repo.has_downloads,
        "has_wiki": repo.has_wiki,
        "has_pages": False,
        "has_discussions": repo.has_discussions,
        "archived": repo.archived,
        "disabled": False,
        "license": license_json(context, repo.license),
        "allow_forking": repo.allow_forking,
        "is_template": repo.is_template,
        "web_commit_signoff_required": repo.web_commit_signoff_required,
        "topics": repo.topics,
        "visibility": repo.visibility,
        "default_branch": repo.default_branch,
        "created_at": stamp(repo.created_at),
        "updated_at": stamp(repo.updated_at),
        "pushed_at": stamp(repo.pushed_at),
        **counts,
        "permissions": permissions(context, repo),
    }


def _counts(context: GithubContext, repo: Repository) -> dict[str, int]:
    row = context.call.first(
        "SELECT (SELECT count(*) FROM github_issue WHERE repo_id = :repo AND state = 'open'), (SELECT count(*) FROM"
        " github_star WHERE repo_id = :repo), (SELECT count(*) FROM github_repository WHERE fork_of = :repo)",
        {"repo": repo.id},
    )
    assert row is not None
    issues, stars, forks = row
    return {
        "forks_count": forks,
        "forks": forks,
        "stargazers_count": stars,
        "watchers_count": stars,
        "watchers": stars,
        "open_issues_count": issues,
        "open_issues": issues,
    }
