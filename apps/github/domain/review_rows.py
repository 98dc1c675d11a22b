"""Rows of reviews, threads and comments: lookup, creation, and effects of submitting a review."""

from typing import Literal

from sqlmodel import col, select
from sqlmodel.sql.expression import SelectOfScalar

from apps.github.columns import Condition
from apps.github.domain.context import GithubContext
from apps.github.domain.cross_references import cross_reference
from apps.github.domain.diff_position import CommentPosition
from apps.github.domain.notify import notify_concerned
from apps.github.domain.pull_rows import publish, reconsider
from apps.github.domain.timeline_events import record
from apps.github.models import Repository
from apps.github.models_issues import Issue
from apps.github.models_pulls import Pull, Review, ReviewComment, ReviewRequest, ReviewThread
from apps.github.refusals import review_refused
from world.core.errors import OperationError

EventName = Literal["APPROVE", "REQUEST_CHANGES", "COMMENT"]
STATES = {"APPROVE": "APPROVED", "REQUEST_CHANGES": "CHANGES_REQUESTED", "COMMENT": "COMMENTED"}
TOLD = {
    "APPROVED": "approved this pull request.",
    "CHANGES_REQUESTED": "requested changes on this pull request.",
    "COMMENTED": "commented.",
}
ONE_PENDING = "User can only have one pending review per pull request"


def find_pending_review(context: GithubContext, issue: Issue) -> Review | None:
    """Find the caller's review that is not submitted yet, if any."""
    query = select(Review).where(
        Review.issue_id == issue.id, Review.author_id == context.me.id, Review.state == "PENDING"
    )
    return context.call.session.exec(query).first()


def new_review(
    context: GithubContext, repo: Repository, issue: Issue, pull: Pull, *, body: str = "", commit: str | None = None
) -> Review:
    """Begin a review that only its author sees."""
    row = Review(
        id=context.next_id("github_review"),
        repo_id=repo.id,
        issue_id=issue.id,
        author_id=context.me.id,
        body=body,
        commit_sha=commit or pull.head_sha,
        created_at=context.call.now,
        updated_at=context.call.now,
    )
    context.add(row)
    context.call.flush()
    return row


def find_review(context: GithubContext, issue: Issue, id: int) -> Review:
    """Return a review of a pull request that the caller may see. Raises not_found."""
    row = context.call.session.get(Review, id)
    if row is None or row.issue_id != issue.id or (row.state == "PENDING" and row.author_id != context.me.id):
        raise OperationError("not_found")
    return row


def find_comment(context: GithubContext, repo: Repository, id: int) -> tuple[ReviewComment, Review]:
    """Return a review comment that the caller may see. Raises not_found."""
    row = context.call.session.get(ReviewComment, id)
    review = context.call.session.get(Review, row.review_id) if row is not None and row.repo_id == repo.id else None
    if row is None or review is None or (review.state == "PENDING" and review.author_id != context.me.id):
        raise OperationError("not_found")
    return row, review


def select_visible_comments(context: GithubContext, *where: Condition) -> SelectOfScalar[ReviewComment]:
    """Return a select of the review comments that the caller may see."""
    seen = (col(Review.state) != "PENDING") | (col(Review.author_id) == context.me.id)
    return select(ReviewComment).join(Review, col(Review.id) == col(ReviewComment.review_id)).where(seen, *where)


def begin_thread(
    context: GithubContext, repo: Repository, issue: Issue, review: Review, where: CommentPosition, body: str, head: str
) -> ReviewComment:
    """Start a conversation at a position of the diff."""
    thread = ReviewThread(
        id=context.next_id("github_review_thread"),
        repo_id=repo.id,
        issue_id=issue.id,
        path=where.path,
        subject=where.subject,
        side=where.side,
        line=where.line,
        start_side=where.start_side,
        start_line=where.start_line,
        original_line=where.line,
        original_start_line=where.start_line,
        position=where.position,
        original_position=where.position,
        commit_sha=head,
        original_sha=head,
        diff_hunk=where.diff_hunk,
        created_at=context.call.now,
    )
    context.add(thread)
    return add_comment(context, repo, issue, review, thread, body)


def add_comment(
    context: GithubContext,
    repo: Repository,
    issue: Issue,
    review: Review,
    thread: ReviewThread,
    body: str,
    reply_to: int | None = None,
) -> ReviewComment:
    """Add a comment to a conversation, as part of a review."""
    row = ReviewComment(
        id=context.next_id("github_review_comment"),
        repo_id=repo.id,
        issue_id=issue.id,
        thread_id=thread.id,
        review_id=review.id,
        author_id=context.me.id,
        reply_to_id=reply_to,
        body=body,
        created_at=context.call.now,
        updated_at=context.call.now,
    )
    context.add(row)
    context.call.flush()
    return row


def comments_of(context: GithubContext, review: Review) -> list[ReviewComment]:
    """Return the comments of a review, in order."""
    return list(
        context.call.session.exec(
            select(ReviewComment).where(ReviewComment.review_id == review.id).order_by(col(ReviewComment.id))
        )
    )


def check_event(context: GithubContext, issue: Issue, event: EventName) -> None:
    """Raise review_refused for an opinion on the caller's own work."""
    if issue.author_id == context.me.id and event != "COMMENT":
        word = "approve" if event == "APPROVE" else "request changes on"
        raise review_refused(f"Can not {word} your own pull request")


def submit(
    context: GithubContext,
    repo: Repository,
    issue: Issue,
    pull: Pull,
    review: Review,
    event: EventName,
    *,
    quiet: bool = False,
) -> None:
    """Publish a review; its author is no longer a requested reviewer.

    `quiet`: a single comment sends its own notification.
    """
    now = context.call.now
    review.state, review.submitted_at, review.updated_at, issue.updated_at = STATES[event], now, now, now
    spoken = comments_of(context, review)
    for row in spoken:
        row.created_at = row.updated_at = now
    _fulfil(context, issue)
    context.call.flush()
    text = "\n\n".join(one for one in (review.body, *(row.body for row in spoken)) if one)
    cross_reference(context, repo, issue, text)
    publish(
        context,
        "review_submitted",
        repo,
        issue,
        pull,
        state=review.state.lower(),
        review_id=review.id,
        text=review.body,
    )
    reconsider(context, pull)
    notify_concerned(context, repo, issue, "commented on this pull request." if quiet else TOLD[review.state], text)


def _fulfil(context: GithubContext, issue: Issue) -> None:
    """Remove the review requests that a review fulfils: the caller's own and their teams'."""
    teams = context.teams_of(context.me)
    rows = context.call.session.exec(select(ReviewRequest).where(ReviewRequest.issue_id == issue.id))
    for row in rows:
        if row.account_id == context.me.id or row.team_id in teams:
            context.call.session.delete(row)


def drop(context: GithubContext, review: Review) -> None:
    """Delete a review with all its comments."""
    for row in comments_of(context, review):
        drop_comment(context, row)
    context.call.session.delete(review)
    context.call.flush()


def drop_comment(context: GithubContext, row: ReviewComment) -> None:
    """Delete a comment, and its conversation when it was the last one."""
    context.call.session.delete(row)
    context.call.flush()
    left = context.call.first(
        "SELECT 1 FROM github_review_comment WHERE thread_id = :id LIMIT 1", {"id": row.thread_id}
    )
    thread = context.call.session.get(ReviewThread, row.thread_id)
    if left is None and thread is not None:
        context.call.session.delete(thread)
        context.call.flush()


def dismiss(
    context: GithubContext,
    repo: Repository,
    issue: Issue,
    row: Review,
    message: str | None,
    *,
    commit: str | None = None,
) -> None:
    """Dismiss a review; `commit`: the push that made it stale."""
    facts = {"state": row.state.lower(), "review_id": row.id, "dismissal_message": message}
    record(
        context,
        repo,
        issue,
        "review_dismissed",
        dismissed_review=facts | ({"dismissal_commit_id": commit} if commit else {}),
    )
    row.state, row.updated_at = "DISMISSED", context.call.now
