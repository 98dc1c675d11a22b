"""JSON shapes of reviews and review comments.

Source: the published OpenAPI description, schemas pull-request-review(-comment).
"""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlmodel import col, select

from apps.github.domain.context import GithubContext, node, stamp
from apps.github.models import Repository
from apps.github.models_issues import Issue
from apps.github.models_pulls import Review, ReviewComment, ReviewThread
from apps.github.views.accounts import user_json
from apps.github.views.issues import association, bodies, reactions_json
from world.core.json_types import JsonObject


def review_json(
    context: GithubContext, repo: Repository, issue: Issue, row: Review, media: str | None = None
) -> JsonObject:
    """Render a review; a pending one has no time."""
    author = context.account(row.author_id)
    html = f"{context.repo_html(repo)}/pull/{issue.number}#pullrequestreview-{row.id}"
    pull = f"{context.repo_api(repo)}/pulls/{issue.number}"
    shown = {
        "id": row.id,
        "node_id": node("PullRequestReview", repo.id, row.id),
        "user": user_json(context, author),
        "body": "",
        **bodies(context, repo, row.body, media),
        "state": row.state,
        "html_url": html,
        "pull_request_url": pull,
        "author_association": association(context, repo, author),
        "commit_id": row.commit_sha,
        "_links": {"html": {"href": html}, "pull_request": {"href": pull}},
    }
    return shown if row.submitted_at is None else {**shown, "submitted_at": stamp(row.submitted_at)}


class ReviewContext:
    """Review comments of one repository with the rows that their JSON needs, read together."""

    def __init__(self, context: GithubContext, repo: Repository, rows: Sequence[ReviewComment]) -> None:
        self.context, self.repo, self.rows = context, repo, rows
        session = context.call.session
        threads = session.exec(select(ReviewThread).where(col(ReviewThread.id).in_({row.thread_id for row in rows})))
        self.threads = {thread.id: thread for thread in threads}
        issues = session.exec(select(Issue).where(col(Issue.id).in_({row.issue_id for row in rows})))
        self.issues = {issue.id: issue for issue in issues}
        url = f"{context.repo_api(repo)}/pulls/comments/{{id}}/reactions"
        self.reactions = reactions_json(context, url, "review_comment", [row.id for row in rows])
        self._associations: dict[int, str] = {}
        context.preload(row.author_id for row in rows)

    def association(self, account_id: int) -> str:
        """Return the cached association of an author with the repository."""
        if account_id not in self._associations:
            self._associations[account_id] = association(self.context, self.repo, self.context.account(account_id))
        return self._associations[account_id]

    def all(self, media: str | None = None) -> list[JsonObject]:
        """Render every comment, in order."""
        return [self.json(row, media) for row in self.rows]

    def json(self, row: ReviewComment, media: str | None = None) -> dict[str, Any]:
        """Render one comment; line and position are left out once the line is gone."""
        context, repo, thread = self.context, self.repo, self.threads[row.thread_id]
        number = self.issues[row.issue_id].number
        url, pull = f"{context.repo_api(repo)}/pulls/comments/{row.id}", f"{context.repo_api(repo)}/pulls/{number}"
        html = f"{context.repo_html(repo)}/pull/{number}#discussion_r{row.id}"
        return {
            "url": url,
            "pull_request_review_id": row.review_id,
            "id": row.id,
            "node_id": node("PullRequestReviewComment", repo.id, row.id),
            "diff_hunk": thread.diff_hunk,
            "path": thread.path,
            "commit_id": thread.commit_sha,
            "original_commit_id": thread.original_sha,
            "user": user_json(context, context.account(row.author_id)),
            "body": row.body,
            **bodies(context, repo, row.body, media),
            "created_at": stamp(row.created_at),
            "updated_at": stamp(row.updated_at),
            "html_url": html,
            "pull_request_url": pull,
            "author_association": self.association(row.author_id),
            "_links": {"self": {"href": url}, "html": {"href": html}, "pull_request": {"href": pull}},
            "reactions": self.reactions[row.id],
            "subject_type": thread.subject,
            "start_line": thread.start_line,
            "original_start_line": thread.original_start_line,
            "start_side": thread.start_side,
            **({"in_reply_to_id": row.reply_to_id} if row.reply_to_id is not None else {}),
            **_lines(thread),
        }


def _lines(thread: ReviewThread) -> JsonObject:
    """Return side, lines and positions, as far as the thread has them."""
    found: JsonObject = {"original_position": thread.original_position or 1}
    if thread.subject == "line":
        found |= {"side": thread.side, "original_line": thread.original_line}
    if thread.line is not None:
        found["line"] = thread.line
    if thread.position is not None:
        found["position"] = thread.position
    return found


def with_position(shown: Mapping[str, object]) -> JsonObject:
    """Render a comment for the list of a review's comments, which always includes the position."""
    return {**shown, "position": shown.get("position")}
