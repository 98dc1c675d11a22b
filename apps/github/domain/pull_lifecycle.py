"""Closing and reopening of pull requests; two branches have at most one open pull request."""

from apps.github.domain.context import GithubContext
from apps.github.domain.mergeability import forget, soon
from apps.github.domain.notify import notify_concerned
from apps.github.domain.pull_git import head_ref, keep_ref
from apps.github.domain.pull_rows import close, open_pulls, publish
from apps.github.domain.timeline_events import record
from apps.github.git.history import is_ancestor
from apps.github.models import Repository
from apps.github.models_issues import Issue
from apps.github.models_pulls import Pull
from apps.github.refusals import invalid


def twin(repo: Repository, head_repo_id: int | None, head: str, base: str, context: GithubContext) -> Issue | None:
    """Find an open pull request of the same branches."""
    found = open_pulls(
        context,
        Pull.repo_id == repo.id,
        Pull.head_repo_id == head_repo_id,
        Pull.head_ref == head,
        Pull.base_ref == base,
    )
    return found[0][0] if found else None


def set_state(context: GithubContext, repo: Repository, issue: Issue, pull: Pull, state: str) -> None:
    """Close or reopen a pull request. Raises validation_failed."""
    if issue.state == state:
        return
    if state == "closed":
        close(context, repo, issue, pull)
        return
    reopen(context, repo, issue, pull)


def reopen(context: GithubContext, repo: Repository, issue: Issue, pull: Pull) -> None:
    """Reopen a closed pull request.

    Raises validation_failed for a merged one, or when its branch is gone or replaced.
    """
    head_repo = context.repo_by_id(pull.head_repo_id) if pull.head_repo_id is not None else None
    tip = context.git(head_repo).branch(pull.head_ref) if head_repo is not None else None
    base = context.git(repo).branch(pull.base_ref)
    if why := _cannot_reopen(context, repo, pull, head_repo, tip, base):
        raise invalid("PullRequest", "state", "invalid", f"state cannot be changed. {why}")
    assert tip is not None and base is not None
    issue.state, issue.closed_at, issue.closed_by_id, issue.updated_at = "open", None, None, context.call.now
    pull.head_sha, pull.base_sha = tip, base
    keep_ref(context.git(repo), head_ref(issue.number), tip)
    forget(pull)
    record(context, repo, issue, "reopened")
    soon(context, repo, number=issue.number)
    publish(context, "pull_reopened", repo, issue, pull)
    notify_concerned(context, repo, issue, "reopened this")


def _cannot_reopen(
    context: GithubContext,
    repo: Repository,
    pull: Pull,
    head_repo: Repository | None,
    tip: str | None,
    base: str | None,
) -> str | None:
    if pull.merged_at is not None:
        return "The pull request cannot be reopened."
    if head_repo is None:
        return "The repository that submitted this pull request has been deleted."
    if tip is None or base is None:
        return f"The {pull.head_ref if tip is None else pull.base_ref} branch has been deleted."
    if tip != pull.head_sha and not is_ancestor(context.git(head_repo), pull.head_sha, tip):
        return f"The {pull.head_ref} branch was force-pushed or recreated."
    if context.git(repo).kind(tip) is not None and is_ancestor(context.git(repo), tip, base):
        return f"There are no new commits on the {pull.head_ref} branch."
    if twin(repo, pull.head_repo_id, pull.head_ref, pull.base_ref, context):
        return f"There is already an open pull request from {pull.head_ref} to {pull.base_ref}."
    return None
