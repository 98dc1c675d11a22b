"""Closing keywords: issues that close when the fixing commit or pull request reaches the default branch."""

from collections.abc import Iterable

from apps.github.domain.context import GithubContext
from apps.github.domain.cross_references import list_referenced_issues
from apps.github.domain.notify import notify_concerned
from apps.github.domain.pull_rows import close as close_pull
from apps.github.domain.timeline_events import record
from apps.github.git.graph import Row
from apps.github.models import Repository
from apps.github.models_issues import Issue
from apps.github.models_pulls import Pull


def list_closed_issues(context: GithubContext, repo: Repository, text: str | None) -> list[tuple[Repository, Issue]]:
    """List the issues that a text says it closes and that the caller may close."""
    return [
        (where, issue)
        for where, issue in list_referenced_issues(context, repo, text, closing=True)
        if where.id == repo.id or context.may(where, "push")
    ]


def close_linked(
    context: GithubContext, repo: Repository, text: str | None, *, commit: str | None = None, pull: Issue | None = None
) -> None:
    """Close the issues that a commit or pull request says it closes."""
    for where, issue in list_closed_issues(context, repo, text):
        if issue.state == "open" and not (pull is not None and issue.id == pull.id):
            _close(context, where, issue, commit, pull)


def _close(context: GithubContext, repo: Repository, issue: Issue, commit: str | None, pull: Issue | None) -> None:
    if issue.is_pull:
        found = context.call.session.get(Pull, issue.id)
        assert found is not None
        close_pull(context, repo, issue, found)
        return
    issue.state, issue.state_reason, issue.updated_at = "closed", "completed", context.call.now
    issue.closed_at, issue.closed_by_id = context.call.now, context.me.id
    by = {"pull": pull.id} if pull is not None else {}
    record(context, repo, issue, "closed", commit=commit, state_reason="completed", **by)
    told = (
        f"closed this as completed in #{pull.number}"
        if pull is not None
        else f"closed this as completed in {(commit or '')[:7]}"
    )
    context.call.publish(
        "github.issue_closed",
        repo=context.full_name(repo),
        number=issue.number,
        title=issue.title,
        actor=context.call.person,
    )
    notify_concerned(context, repo, issue, told)


def close_by_commits(context: GithubContext, repo: Repository, rows: Iterable[Row]) -> None:
    """Close what commits that arrived on the default branch say they close; others mentioned are referred to."""
    for row in rows:
        close_linked(context, repo, row.message, commit=row.sha1)
        for where, issue in list_referenced_issues(context, repo, row.message):
            if where.id == repo.id and context.call.first(_SEEN, {"issue": issue.id, "sha": row.sha1}) is None:
                record(context, where, issue, "referenced", commit=row.sha1)
        context.call.flush()


_SEEN = "SELECT 1 FROM github_event WHERE issue_id = :issue AND commit_sha = :sha LIMIT 1"
