"""Timeline events of issues: each is recorded and published."""

from apps.github.domain.context import GithubContext
from apps.github.models import Repository
from apps.github.models_issues import Event, Issue


def record(
    context: GithubContext, repo: Repository, issue: Issue, kind: str, *, commit: str | None = None, **facts: object
) -> Event:
    """Add an event by the acting account to an issue's timeline."""
    row = Event(
        id=context.next_id("github_event"),
        repo_id=repo.id,
        issue_id=issue.id,
        actor_id=context.me.id,
        kind=kind,
        commit_sha=commit,
        facts=facts,
        created_at=context.call.now,
    )
    context.add(row)
    issue.updated_at = context.call.now
    return row
