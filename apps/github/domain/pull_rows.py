"""Pull request rows: lookup by address, closing, reopening, change of base."""

from pydantic import Field, JsonValue
from sqlmodel import col, select

from apps.github.domain.context import GithubContext
from apps.github.domain.issue_rows import find_by_number, pull_of
from apps.github.domain.mergeability import forget, soon
from apps.github.domain.notify import notify_concerned
from apps.github.domain.params import RepoRef
from apps.github.domain.timeline_events import record
from apps.github.models import Repository
from apps.github.models_issues import Issue
from apps.github.models_pulls import Pull
from world.core.errors import OperationError
from world.core.params import Int64

AUTO_MERGE = "github.auto_merge"
A_MOMENT_US = 1_000_000
EXAMPLE = {"owner": "quayline", "repo": "payments", "pull_number": "$pulls/list:0.number"}


class PullRef(RepoRef):
    """Reference to one pull request."""

    pull_number: Int64 = Field(description="The number of the pull request.", examples=[1])


def get_pull(context: GithubContext, params: PullRef) -> tuple[Repository, Issue, Pull]:
    """Return the pull request of an address. Raises not_found."""
    repo = context.repo(params.owner, params.repo)
    issue = find_by_number(context, repo, params.pull_number)
    if issue is None:
        raise OperationError("not_found")
    return repo, issue, pull_of(context, issue)


def get_writable_pull(context: GithubContext, params: PullRef) -> tuple[Repository, Issue, Pull]:
    """Return a pull request of a repository that accepts changes. Raises not_found, archived."""
    repo, issue, pull = get_pull(context, params)
    if repo.archived:
        raise OperationError("archived")
    return repo, issue, pull


def need_author_or(context: GithubContext, repo: Repository, issue: Issue, level: str) -> None:
    """Raise forbidden unless the caller opened it or has a permission; raise archived for a read-only repository."""
    if issue.author_id != context.me.id:
        context.need(repo, level)
    elif repo.archived:
        raise OperationError("archived")


def publish(context: GithubContext, topic: str, repo: Repository, issue: Issue, pull: Pull, **more: JsonValue) -> None:
    """Publish an event of a pull request."""
    author = context.account(issue.author_id)
    context.call.publish(
        f"github.{topic}",
        repo=context.full_name(repo),
        repo_id=repo.id,
        number=issue.number,
        issue_id=issue.id,
        title=issue.title,
        url=f"{context.as_kept().repo_html(repo)}/pull/{issue.number}",
        body=issue.body or "",
        head=pull.head_ref,
        base=pull.base_ref,
        head_sha=pull.head_sha,
        actor=context.me.login,
        actor_id=context.me.id,
        author=author.login,
        author_person=author.person_id,
        draft=pull.draft,
        **more,
    )


def open_pulls(context: GithubContext, *where: object) -> list[tuple[Issue, Pull]]:
    """List open pull requests that match some conditions, oldest first."""
    query = select(Issue, Pull).join(Pull, col(Pull.issue_id) == col(Issue.id)).where(Issue.state == "open", *where)  # type: ignore[arg-type]
    return [(issue, pull) for issue, pull in context.call.session.exec(query.order_by(col(Issue.id))).all()]


def close(
    context: GithubContext, repo: Repository, issue: Issue, pull: Pull, *, told: str | None = "closed this"
) -> None:
    """Close a pull request that is not merged."""
    _shut(context, issue)
    pull.auto_merge = None
    forget(pull)
    record(context, repo, issue, "closed")
    publish(context, "pull_closed", repo, issue, pull)
    if told is not None:
        notify_concerned(context, repo, issue, told)


def _shut(context: GithubContext, issue: Issue) -> None:
    issue.state, issue.closed_at, issue.closed_by_id, issue.updated_at = (
        "closed",
        context.call.now,
        context.me.id,
        context.call.now,
    )


def mark_merged(
    context: GithubContext, repo: Repository, issue: Issue, pull: Pull, sha: str, *, base_before: str, method: str
) -> None:
    """Record that the caller merged a pull request as `sha`."""
    _shut(context, issue)
    pull.merged_at, pull.merged_by_id, pull.merge_sha, pull.merge_method = context.call.now, context.me.id, sha, method
    pull.base_sha, pull.auto_merge = base_before, None
    forget(pull)
    record(context, repo, issue, "merged", commit=sha)
    record(context, repo, issue, "closed")
    context.call.flush()


def change_base(
    context: GithubContext,
    repo: Repository,
    issue: Issue,
    pull: Pull,
    base: str,
    tip: str,
    *,
    kind: str = "base_ref_changed",
) -> None:
    """Change the base branch of a pull request."""
    record(context, repo, issue, kind, base={"from": pull.base_ref, "to": base})
    pull.base_ref, pull.base_sha = base, tip
    forget(pull)
    soon(context, repo, number=issue.number)


def reconsider(context: GithubContext, pull: Pull) -> None:
    """Check again whether a pull request can merge automatically, after a change it may have waited for."""
    if pull.auto_merge is not None:
        context.call.later(AUTO_MERGE, context.call.now + A_MOMENT_US, issue=pull.issue_id)


def reconsider_pulls_of_commit(context: GithubContext, repo: Repository, sha: str) -> None:
    """Check pull requests again that wait for a status or check of a commit."""
    query = select(Pull).join(Issue, col(Issue.id) == col(Pull.issue_id))
    for pull in context.call.session.exec(
        query.where(Pull.repo_id == repo.id, Pull.head_sha == sha, Issue.state == "open").order_by(col(Pull.issue_id))
    ):
        reconsider(context, pull)
