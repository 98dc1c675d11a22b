"""Query of repository events, from the rows that record them.

Events are pushes, issues, pull requests, comments, reviews, releases, stars and forks.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import orjson

from apps.github.domain.context import GithubContext
from world.core.clock import DAY

MOST = 300  # events of a timeline; docs.github.com/rest/activity/events: at most 300, of the last 30 days
KEPT_US = 30 * DAY
# what, the two numbers of the row, who, where, when
_SQL = """
    WITH here(id) AS (SELECT value FROM json_each(:repos)), happened(what, one, two, actor, repo, at) AS (
    SELECT 'push', id, 0, account_id, repo_id, created_at FROM github_push
        WHERE ref LIKE 'refs/heads/%' OR ref LIKE 'refs/tags/%'
    UNION ALL SELECT 'issue', id, 0, author_id, repo_id, created_at FROM github_issue
    UNION ALL SELECT 'change', e.id, 0, e.actor_id, e.repo_id, e.created_at FROM github_event e JOIN github_issue i ON
    i.id = e.issue_id
        LEFT JOIN github_pull p ON p.issue_id = i.id WHERE e.kind IN ('reopened', 'assigned', 'unassigned', 'labeled',
        'unlabeled', 'merged')
        OR (e.kind = 'closed' AND (p.merged_at IS NULL OR p.merged_at <> e.created_at))
    UNION ALL SELECT 'comment', id, 0, author_id, repo_id, created_at FROM github_comment
    UNION ALL SELECT 'commit_comment', id, 0, author_id, repo_id, created_at FROM github_commit_comment
    UNION ALL SELECT 'review', id, 0, author_id, repo_id, submitted_at FROM github_review WHERE state <> 'PENDING' AND
    submitted_at IS NOT NULL
    UNION ALL SELECT 'review_comment', c.id, 0, c.author_id, c.repo_id, r.submitted_at FROM github_review_comment c
        JOIN github_review r ON r.id = c.review_id WHERE r.state <> 'PENDING' AND r.submitted_at IS NOT NULL
    UNION ALL SELECT 'release', id, 0, author_id, repo_id, published_at FROM github_release WHERE NOT draft AND
    published_at IS NOT NULL
    UNION ALL SELECT 'star', repo_id, account_id, account_id, repo_id, created_at FROM github_star
    UNION ALL SELECT 'fork', id, 0, owner_id, fork_of, created_at FROM github_repository
        WHERE fork_of IS NOT NULL AND id IN (SELECT value FROM json_each(:seen)))
    SELECT what, one, two, actor, repo, at FROM happened WHERE at >= :since AND repo IN here
    AND (:actor IS NULL OR actor = :actor) AND (:reader IS NULL OR (actor <> :reader AND (repo IN (SELECT value FROM
    json_each(:watched))
        OR actor IN (SELECT followed_id FROM github_follow WHERE account_id = :reader))))
    ORDER BY at DESC, what, one DESC, two DESC LIMIT :most"""


@dataclass(frozen=True, slots=True)
class ActivityEvent:
    """One event: its kind `what`, the numbers of its row, its actor, repository and time."""

    what: str
    one: int
    two: int
    actor: int
    repo: int
    at: int


def happenings(
    context: GithubContext, repos: Sequence[int], seen: str, *, actor: int | None = None, reader: int | None = None
) -> list[ActivityEvent]:
    """Return the events of repositories, latest first: of one actor, or in the feed of a reader.

    The feed follows the reader's watched repositories and followed accounts. `seen`: the ids of the repositories
    visible to the caller, as JSON. Forks outside it are left out.
    """
    context.call.flush()
    watched = context.call.all(
        "SELECT repo_id FROM github_watch WHERE account_id = :reader AND NOT ignored", {"reader": reader}
    )
    values = {
        "repos": orjson.dumps(list(repos)).decode(),
        "seen": seen,
        "since": context.call.now - KEPT_US,
        "actor": actor,
        "reader": reader,
        "watched": orjson.dumps([row[0] for row in watched]).decode(),
        "most": MOST,
    }
    return [ActivityEvent(*row) for row in context.call.all(_SQL, values)]
