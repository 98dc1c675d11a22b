"""Pull requests as rows: which one an address names, and how one is closed, reopened or given another base."""

from pydantic import Field, JsonValue
from sqlmodel import col, select

from apps.github.domain.context import Hub
from apps.github.domain.issue_rows import find_issue, pull_of
from apps.github.domain.mergeability import forget, soon
from apps.github.domain.notify import tell
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
    """One pull request."""

    pull_number: Int64 = Field(description="The number of the pull request.", examples=[1])


def find(hub: Hub, params: PullRef) -> tuple[Repository, Issue, Pull]:
    """The pull request an address names. Raises not_found."""
    repo = hub.repo(params.owner, params.repo)
    issue = find_issue(hub, repo, params.pull_number)
    return repo, issue, pull_of(hub, issue)


def find_writable(hub: Hub, params: PullRef) -> tuple[Repository, Issue, Pull]:
    """Like find, for a repository that takes changes. Raises not_found, archived."""
    repo, issue, pull = find(hub, params)
    if repo.archived:
        raise OperationError("archived")
    return repo, issue, pull


def need_author_or(hub: Hub, repo: Repository, issue: Issue, level: str) -> None:
    """Raise forbidden unless the caller opened it or has a permission; archived when nothing may change."""
    if issue.author_id != hub.me.id:
        hub.need(repo, level)
    elif repo.archived:
        raise OperationError("archived")


def publish(hub: Hub, topic: str, repo: Repository, issue: Issue, pull: Pull, **more: JsonValue) -> None:
    """Tell the world what happened to a pull request."""
    author = hub.account(issue.author_id)
    hub.call.publish(
        f"github.{topic}",
        repo=hub.full_name(repo),
        repo_id=repo.id,
        number=issue.number,
        issue_id=issue.id,
        title=issue.title,
        url=f"https://github.com/{hub.full_name(repo)}/pull/{issue.number}",
        body=issue.body or "",
        head=pull.head_ref,
        base=pull.base_ref,
        head_sha=pull.head_sha,
        actor=hub.me.login,
        actor_id=hub.me.id,
        author=author.login,
        author_person=author.person_id,
        draft=pull.draft,
        **more,
    )


def open_pulls(hub: Hub, *where: object) -> list[tuple[Issue, Pull]]:
    """Open pull requests under some conditions, oldest first."""
    query = select(Issue, Pull).join(Pull, col(Pull.issue_id) == col(Issue.id)).where(Issue.state == "open", *where)  # type: ignore[arg-type]
    return [(issue, pull) for issue, pull in hub.call.session.exec(query.order_by(col(Issue.id))).all()]


def close(hub: Hub, repo: Repository, issue: Issue, pull: Pull, *, told: str | None = "closed this") -> None:
    """Close a pull request that is not merged."""
    _shut(hub, issue)
    pull.auto_merge = None
    forget(pull)
    record(hub, repo, issue, "closed")
    publish(hub, "pull_closed", repo, issue, pull)
    if told is not None:
        tell(hub, repo, issue, told)


def _shut(hub: Hub, issue: Issue) -> None:
    issue.state, issue.closed_at, issue.closed_by_id, issue.updated_at = "closed", hub.call.now, hub.me.id, hub.call.now


def mark_merged(
    hub: Hub, repo: Repository, issue: Issue, pull: Pull, sha: str, *, base_before: str, method: str
) -> None:
    """Write down that a pull request was merged, by the caller, as `sha`."""
    _shut(hub, issue)
    pull.merged_at, pull.merged_by_id, pull.merge_sha, pull.merge_method = hub.call.now, hub.me.id, sha, method
    pull.base_sha, pull.auto_merge = base_before, None
    forget(pull)
    record(hub, repo, issue, "merged", commit=sha)
    record(hub, repo, issue, "closed")
    hub.call.flush()


def change_base(
    hub: Hub, repo: Repository, issue: Issue, pull: Pull, base: str, tip: str, *, kind: str = "base_ref_changed"
) -> None:
    """Have a pull request merged into another branch."""
    record(hub, repo, issue, kind, base={"from": pull.base_ref, "to": base})
    pull.base_ref, pull.base_sha = base, tip
    forget(pull)
    soon(hub, repo, number=issue.number)


def reconsider(hub: Hub, pull: Pull) -> None:
    """Something changed that a pull request may have waited for to merge by itself."""
    if pull.auto_merge is not None:
        hub.call.later(AUTO_MERGE, hub.call.now + A_MOMENT_US, issue=pull.issue_id)


def checked(hub: Hub, repo: Repository, sha: str) -> None:
    """A status or check of a commit has changed: pull requests that wait for it are looked at again."""
    query = select(Pull).join(Issue, col(Issue.id) == col(Pull.issue_id))
    for pull in hub.call.session.exec(
        query.where(Pull.repo_id == repo.id, Pull.head_sha == sha, Issue.state == "open").order_by(col(Pull.issue_id))
    ):
        reconsider(hub, pull)
