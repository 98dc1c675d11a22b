"""JSON shapes of repositories with all their settings, and of collaborators."""

from apps.github.domain.context import ROLE, GithubContext, rank
from apps.github.domain.fork_compare import origin
from apps.github.models import Account, Repository
from apps.github.views.accounts import PERMISSIONS, repo_json, user_json
from world.core.json_types import JsonObject

# argument of the API -> column
MERGE_TEXTS = {
    "squash_merge_commit_title": "squash_title",
    "squash_merge_commit_message": "squash_message",
    "merge_commit_title": "merge_title",
    "merge_commit_message": "merge_message",
}
MERGE_SETTINGS = (
    "allow_squash_merge",
    "allow_merge_commit",
    "allow_rebase_merge",
    "allow_auto_merge",
    "delete_branch_on_merge",
    "allow_update_branch",
)


def full_repo(context: GithubContext, repo: Repository) -> JsonObject:
    """Render one repository (schema full-repository)."""
    context.call.flush()
    owner, root = context.account(repo.owner_id), origin(context, repo)
    shown = {
        **repo_json(context, repo),
        "temp_clone_token": None,
        "subscribers_count": context.call.scalar(
            "SELECT count(*) FROM github_watch WHERE repo_id = :repo AND NOT ignored", {"repo": repo.id}
        ),
        "network_count": _network(context, root),
    }
    if owner.kind == "Organization":
        shown["organization"] = user_json(context, owner)
    if repo.fork_of is not None and (parent := context.repo_by_id(repo.fork_of)) is not None:
        shown |= {"parent": repo_json(context, parent), "source": repo_json(context, root)}
    return shown | (_settings(repo) if context.may(repo, "push") else {})


def _settings(repo: Repository) -> JsonObject:
    """Render the settings visible only with write access."""
    texts = {name: getattr(repo, column) for name, column in MERGE_TEXTS.items()}
    squash_by_title = repo.squash_title == "PR_TITLE"
    return {
        **{name: getattr(repo, name) for name in MERGE_SETTINGS},
        **texts,
        "use_squash_pr_title_as_default": squash_by_title,
    }


def _network(context: GithubContext, root: Repository) -> int:
    """Count the forks of a repository, including forks of forks."""
    sql = """WITH RECURSIVE network(id) AS (SELECT :root UNION SELECT r.id FROM github_repository r JOIN network n ON
        r.fork_of = n.id)
        SELECT count(*) - 1 FROM network"""
    return context.call.scalar(sql, {"root": root.id})


def rights(level: str) -> dict[str, bool]:
    """Return the rights that a permission includes."""
    return {name: rank(level) >= rank(name) for name in PERMISSIONS}


def collaborator_json(context: GithubContext, account: Account, level: str) -> JsonObject:
    """Render a collaborator with their permission (schema collaborator)."""
    return {**user_json(context, account), "permissions": rights(level), "role_name": ROLE[level]}
