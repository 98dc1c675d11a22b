"""Issues that close when what fixes them arrives on the default branch."""

from collections.abc import Iterable

from apps.github.domain.context import Hub
from apps.github.domain.cross_references import referred
from apps.github.domain.notify import tell
from apps.github.domain.pull_rows import close as close_pull
from apps.github.domain.timeline_events import record
from apps.github.git.graph import Row
from apps.github.models import Repository
from apps.github.models_issues import Issue
from apps.github.models_pulls import Pull


def linked(hub: Hub, repo: Repository, text: str | None) -> list[tuple[Repository, Issue]]:
    """The issues a text says it closes, that the caller may close."""
    return [
        (where, issue)
        for where, issue in referred(hub, repo, text, closing=True)
        if where.id == repo.id or hub.may(where, "push")
    ]


def close_linked(
    hub: Hub, repo: Repository, text: str | None, *, commit: str | None = None, pull: Issue | None = None
) -> None:
    """Close what a text says it closes, by a commit or by a pull request."""
    for where, issue in linked(hub, repo, text):
        if issue.state == "open" and not (pull is not None and issue.id == pull.id):
            _close(hub, where, issue, commit, pull)


def _close(hub: Hub, repo: Repository, issue: Issue, commit: str | None, pull: Issue | None) -> None:
    if issue.is_pull:
        found = hub.call.session.get(Pull, issue.id)
        assert found is not None
        close_pull(hub, repo, issue, found)
        return
    issue.state, issue.state_reason, issue.updated_at = "closed", "completed", hub.call.now
    issue.closed_at, issue.closed_by_id = hub.call.now, hub.me.id
    by = {"pull": pull.id} if pull is not None else {}
    record(hub, repo, issue, "closed", commit=commit, state_reason="completed", **by)
    told = (
        f"closed this as completed in #{pull.number}"
        if pull is not None
        else f"closed this as completed in {(commit or '')[:7]}"
    )
    hub.call.publish(
        "github.issue_closed", repo=hub.full_name(repo), number=issue.number, title=issue.title, actor=hub.call.person
    )
    tell(hub, repo, issue, told)


def close_by_commits(hub: Hub, repo: Repository, rows: Iterable[Row]) -> None:
    """Close what commits that arrived on the default branch say they close; others mentioned are referred to."""
    for row in rows:
        close_linked(hub, repo, row.message, commit=row.sha1)
        for where, issue in referred(hub, repo, row.message):
            if where.id == repo.id and hub.call.first(_SEEN, {"issue": issue.id, "sha": row.sha1}) is None:
                record(hub, where, issue, "referenced", commit=row.sha1)
        hub.call.flush()


_SEEN = "SELECT 1 FROM github_event WHERE issue_id = :issue AND commit_sha = :sha LIMIT 1"
