"""Statuses and checks of a commit by name, in one form for branches that require some."""

from apps.github.domain.context import GithubContext
from apps.github.models import Repository

PASSING = frozenset({"success", "neutral", "skipped"})
_STATUSES = "SELECT context, state FROM github_status WHERE repo_id = :repo AND sha = :sha ORDER BY id"
_RUNS = "SELECT name, status, conclusion FROM github_check_run WHERE repo_id = :repo AND head_sha = :sha ORDER BY id"


def checks_of(context: GithubContext, repo: Repository, sha: str) -> dict[str, str]:
    """Return the latest state of each name: success, failure, error or pending, or the conclusion of an ended check."""
    values = {"repo": repo.id, "sha": sha}
    found: dict[str, str] = {name: state for name, state in context.call.all(_STATUSES, values)}
    for name, status, conclusion in context.call.all(_RUNS, values):
        found[name] = conclusion if status == "completed" and conclusion else "pending"
    return found
