"""Cross-references: issues that a text mentions get a timeline event, once per source."""

from apps.github.domain import markup
from apps.github.domain.context import GithubContext
from apps.github.domain.timeline_events import record
from apps.github.models import Repository
from apps.github.models_issues import Issue
from world.core.errors import OperationError

MAX = 20  # references taken from one text
_SEEN = (
    "SELECT 1 FROM github_event WHERE issue_id = :issue AND kind = 'cross-referenced' AND json_extract(facts,"
    " '$.source') = :source LIMIT 1"
)


def list_referenced_issues(
    context: GithubContext, repo: Repository, text: str | None, *, closing: bool = False
) -> list[tuple[Repository, Issue]]:
    """List the issues that a text mentions (or says it closes) and that the caller can see."""
    found: list[tuple[Repository, Issue]] = []
    for name, number in (markup.closes(text) if closing else markup.references(text))[:MAX]:
        target = _repository(context, repo, name)
        row = target and context.call.scalar(
            "SELECT id FROM github_issue WHERE repo_id = :repo AND number = :number",
            {"repo": target.id, "number": number},
        )
        issue = context.call.session.get(Issue, row) if row else None
        if target is not None and issue is not None:
            found.append((target, issue))
    return found


def _repository(context: GithubContext, repo: Repository, name: str | None) -> Repository | None:
    if name is None:
        return repo
    owner, _, short = name.partition("/")
    try:
        return context.repo(owner, short)
    except OperationError:
        return None


def cross_reference(context: GithubContext, repo: Repository, source: Issue, text: str | None) -> None:
    """Record in the timelines of the issues mentioned in a text that `source` mentions them."""
    for target, issue in list_referenced_issues(context, repo, text):
        if issue.id != source.id and not context.call.first(_SEEN, {"issue": issue.id, "source": source.id}):
            record(context, target, issue, "cross-referenced", source=source.id)
            context.call.flush()
