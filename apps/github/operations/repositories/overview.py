"""Header of a repository's pages: counts, and the reader's own star, watch and permissions."""

from typing import TypedDict

from apps.github.app import app
from apps.github.domain.context import GithubContext
from apps.github.domain.params import RepoRef
from apps.github.views.autolinks import list_autolinks
from world.core.call import Call

SOURCE = "github.com, a repository's pages"
_COUNTS = """SELECT (SELECT count(*) FROM github_issue WHERE repo_id = :repo AND state = 'open' AND NOT is_pull),
    (SELECT count(*) FROM github_issue WHERE repo_id = :repo AND state = 'open' AND is_pull),
    (SELECT count(*) FROM github_ref WHERE repo_id = :repo AND name LIKE 'refs/heads/%'),
    (SELECT count(*) FROM github_ref WHERE repo_id = :repo AND name LIKE 'refs/tags/%'),
    (SELECT count(*) FROM github_star WHERE repo_id = :repo), (SELECT count(*) FROM github_repository WHERE fork_of =
    :repo),
    (SELECT count(*) FROM github_watch WHERE repo_id = :repo AND NOT ignored),
    (SELECT count(*) FROM github_release WHERE repo_id = :repo AND NOT draft),
    EXISTS(SELECT 1 FROM github_star WHERE repo_id = :repo AND account_id = :me),
    (SELECT CASE WHEN ignored THEN 'ignoring' ELSE 'watching' END FROM github_watch WHERE repo_id = :repo AND account_id
    = :me),
    EXISTS(SELECT 1 FROM github_workflow WHERE repo_id = :repo AND state <> 'deleted')"""


class Overview(TypedDict):
    """Counts of a repository; `watching` is watching, ignoring or participating."""

    full_name: str
    private: bool
    archived: bool
    default_branch: str
    level: str
    issues: int
    pulls: int
    branches: int
    tags: int
    stars: int
    forks: int
    watchers: int
    releases: int
    starred: bool
    watching: str
    actions: bool
    has_issues: bool
    autolinks: list[tuple[str, str, bool]]
    fork_of: str | None


@app.operation(
    "web/overview", units=1, source=SOURCE, examples=[{"owner": "quayline", "repo": "payments"}], raises=("not_found",)
)
def overview(call: Call, params: RepoRef) -> Overview:
    """Read the header of a repository: open issues and pull requests, branches, tags, stars, and your permissions."""
    context = GithubContext(call)
    repo = context.repo(params.owner, params.repo)
    row = call.first(_COUNTS, {"repo": repo.id, "me": context.me.id})
    assert row is not None
    parent = context.repo_by_id(repo.fork_of) if repo.fork_of else None
    return {
        "full_name": context.full_name(repo),
        "private": repo.visibility != "public",
        "archived": repo.archived,
        "default_branch": repo.default_branch,
        "level": context.level(repo),
        "issues": row[0],
        "pulls": row[1],
        "branches": row[2],
        "tags": row[3],
        "stars": row[4],
        "forks": row[5],
        "watchers": row[6],
        "releases": row[7],
        "starred": bool(row[8]),
        "watching": row[9] or "participating",
        "actions": bool(row[10]),
        "has_issues": repo.has_issues,
        "autolinks": [(one.prefix, one.url, one.letters) for one in list_autolinks(context, repo)],
        "fork_of": context.full_name(parent) if parent is not None and context.sees(parent) else None,
    }
