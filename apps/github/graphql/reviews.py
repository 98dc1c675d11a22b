"""Reviews, review requests, and conversations about code."""

from collections.abc import Callable, Sequence
from typing import Protocol

from sqlmodel import col, select

from apps.github.domain.context import git_node, node, stamp
from apps.github.graphql.connections import Page, page_of_rows
from apps.github.graphql.conversations import issue_path
from apps.github.graphql.git_types import commits_of
from apps.github.graphql.loader import Loader
from apps.github.graphql.registry import TYPES, Values, batch, each, field
from apps.github.graphql.values import Args
from apps.github.models import Team
from apps.github.models_issues import Issue
from apps.github.models_pulls import Review, ReviewComment, ReviewRequest, ReviewThread

TYPES[ReviewThread], TYPES[ReviewRequest] = "PullRequestReviewThread", "ReviewRequest"
OPINIONS = ("APPROVED", "CHANGES_REQUESTED", "DISMISSED")


class PullRow(Protocol):
    """A row that belongs to a pull request."""

    issue_id: int


def _pulls(near: Loader, rows: Sequence[PullRow], args: Args) -> Values:
    found = near.rows(Issue, [row.issue_id for row in rows])
    return [found.get(row.issue_id) for row in rows]


batch("PullRequestReview PullRequestReviewThread PullRequestReviewComment ReviewRequest", "pullRequest")(_pulls)


# -- reviews


def reviews_of(near: Loader, rows: Sequence[Issue]) -> dict[int, list[Review]]:
    """Return the reviews of pull requests that the caller sees, oldest first."""
    me = near.me.id

    def load(ids: list[int]) -> list[tuple[int, Review]]:
        query = select(Review).where(col(Review.issue_id).in_(ids)).order_by(col(Review.id))
        return [
            (one.issue_id, one)
            for one in near.call.session.exec(query)
            if one.state != "PENDING" or one.author_id == me
        ]

    return near.lists("reviews", [row.id for row in rows], load)


@batch("PullRequest", "reviews")
def reviews(near: Loader, rows: Sequence[Issue], args: Args) -> Values:
    """Return pages of reviews."""
    found, states = reviews_of(near, rows), args.get("states")
    author = near.context.find_login(args["author"]) if args.get("author") else None
    who = None if not args.get("author") else author.id if author is not None else 0
    kept = {
        id: [one for one in listed if (not states or one.state in states) and who in (None, one.author_id)]
        for id, listed in found.items()
    }
    return [page_of_rows(kept[row.id], args, lambda one: one.id) for row in rows]


def _latest(near: Loader, row: Issue, states: Sequence[str]) -> list[Review]:
    """Return the last review of each person in some states, without the author's own."""
    last: dict[int, Review] = {}
    for one in reviews_of(near, [row])[row.id]:
        if one.state in states and one.author_id != row.author_id:
            last.pop(one.author_id, None)
            last[one.author_id] = one
    return list(last.values())


@field("PullRequest", "latestReviews")
def latest_reviews(near: Loader, row: Issue, args: Args) -> Page:
    """Return the last review of each person without a new request; a comment does not replace an opinion."""
    asked = {one.account_id for one in requests_of(near, [row])[row.id]}
    opinions = {one.author_id: one for one in _latest(near, row, OPINIONS)}
    spoken = {one.author_id: one for one in _latest(near, row, ("COMMENTED",))}
    found = sorted((spoken | opinions).values(), key=lambda one: one.id)
    return page_of_rows([one for one in found if one.author_id not in asked], args, lambda one: one.id)


@field("PullRequest", "latestOpinionatedReviews")
def opinions(near: Loader, row: Issue, args: Args) -> Page:
    """Return the last opinion of each reviewer."""
    found = sorted(_latest(near, row, OPINIONS), key=lambda one: one.id)
    if args.get("writersOnly"):
        found = [one for one in found if near.at_least(near.home(row), one.author_id, "push")]
    return page_of_rows(found, args, lambda one: one.id)


@field("PullRequest", "viewerLatestReview")
def own_review(near: Loader, row: Issue, args: Args) -> Review | None:
    """Return the caller's last review."""
    return next((one for one in reversed(reviews_of(near, [row])[row.id]) if one.author_id == near.me.id), None)


def _review_path(near: Loader, row: Review) -> str:
    return f"{issue_path(near, near.get_issue(row.issue_id))}#pullrequestreview-{row.id}"


each(
    "PullRequestReview",
    state=lambda near, row: row.state,
    submittedAt=lambda near, row: stamp(row.submitted_at),
    resourcePath=_review_path,
    url=lambda near, row: near.url(_review_path(near, row)),
    authorCanPushToRepository=lambda near, row: near.at_least(near.home(row), row.author_id, "push"),
)


@batch("PullRequestReview", "commit")
def resolve_reviewed_commits(near: Loader, rows: Sequence[Review], args: Args) -> Values:
    """Return the reviewed commits."""
    return list(commits_of(near, [(row.repo_id, row.commit_sha) for row in rows]))


# -- requests


def requests_of(near: Loader, rows: Sequence[Issue]) -> dict[int, list[ReviewRequest]]:
    """Return the review requests of pull requests."""

    def load(ids: list[int]) -> list[tuple[int, ReviewRequest]]:
        query = select(ReviewRequest).where(col(ReviewRequest.issue_id).in_(ids))
        query = query.order_by(col(ReviewRequest.created_at), col(ReviewRequest.account_id), col(ReviewRequest.team_id))
        return [(one.issue_id, one) for one in near.call.session.exec(query)]

    return near.lists("review requests", [row.id for row in rows], load)


@batch("PullRequest", "reviewRequests")
def review_requests(near: Loader, rows: Sequence[Issue], args: Args) -> Values:
    """Return pages of review requests."""
    found = requests_of(near, rows)
    return [
        page_of_rows(found[row.id], args, lambda one: [one.created_at, one.account_id, one.team_id]) for row in rows
    ]


@field("PullRequest", "viewerLatestReviewRequest")
def own_request(near: Loader, row: Issue, args: Args) -> ReviewRequest | None:
    """Return the review request to the caller."""
    return next((one for one in requests_of(near, [row])[row.id] if one.account_id == near.me.id), None)


@batch("ReviewRequest", "requestedReviewer")
def reviewers(near: Loader, rows: Sequence[ReviewRequest], args: Args) -> Values:
    """Return the requested reviewers."""
    near.accounts(row.account_id or None for row in rows)
    teams = near.rows(Team, [row.team_id or None for row in rows])
    return [near.context.account(row.account_id) if row.account_id else teams.get(row.team_id) for row in rows]


each(
    "ReviewRequest",
    id=lambda near, row: git_node("RR", row.issue_id, f"{row.account_id}:{row.team_id}"),
    asCodeOwner=lambda near, row: row.as_code_owner,
)


# -- conversations about code


def comments_of(near: Loader, name: str, column: int, ids: Sequence[int]) -> dict[int, list[ReviewComment]]:
    """Return the review comments that the caller sees, by one of their columns."""
    me = near.me.id

    def load(missing: list[int]) -> list[tuple[int, ReviewComment]]:
        query = (
            select(ReviewComment, Review)
            .join(Review, col(Review.id) == col(ReviewComment.review_id))
            .where(col(column).in_(missing))
        )
        rows = near.call.session.exec(query.order_by(col(ReviewComment.id)))
        return [
            (getattr(one, name), one) for one, review in rows if review.state != "PENDING" or review.author_id == me
        ]

    return near.lists(f"review comments {name}", ids, load)


def of_threads(near: Loader, rows: Sequence[ReviewThread]) -> dict[int, list[ReviewComment]]:
    """Return the comments of conversations."""
    return comments_of(near, "thread_id", ReviewComment.thread_id, [row.id for row in rows])


def threads_of(near: Loader, rows: Sequence[Issue]) -> dict[int, list[ReviewThread]]:
    """Return the conversations of pull requests in which the caller sees a comment."""

    def load(ids: list[int]) -> list[tuple[int, ReviewThread]]:
        query = select(ReviewThread).where(col(ReviewThread.issue_id).in_(ids)).order_by(col(ReviewThread.id))
        threads = list(near.call.session.exec(query))
        said = of_threads(near, threads)
        return [(one.issue_id, one) for one in threads if said[one.id]]

    return near.lists("threads", [row.id for row in rows], load)


@batch("PullRequest", "reviewThreads")
def review_threads(near: Loader, rows: Sequence[Issue], args: Args) -> Values:
    """Return pages of conversations about code."""
    found = threads_of(near, rows)
    return [page_of_rows(found[row.id], args, lambda one: one.id) for row in rows]


@batch("PullRequestReviewThread", "comments")
def thread_comments(near: Loader, rows: Sequence[ReviewThread], args: Args) -> Values:
    """Return pages of the comments of conversations."""
    found = of_threads(near, rows)
    return [page_of_rows(found[row.id], args, lambda one: one.id) for row in rows]


@batch("PullRequestReview", "comments")
def review_comments(near: Loader, rows: Sequence[Review], args: Args) -> Values:
    """Return pages of the line comments of reviews."""
    found = comments_of(near, "review_id", ReviewComment.review_id, [row.id for row in rows])
    return [page_of_rows(found[row.id], args, lambda one: one.id) for row in rows]


def _may_resolve(near: Loader, row: ReviewThread) -> bool:
    return near.may(row, "push") or (
        near.get_issue(row.issue_id).author_id == near.me.id and not near.home(row).archived
    )


each(
    "PullRequestReviewThread",
    id=lambda near, row: node("PullRequestReviewThread", row.repo_id, row.id),
    path=lambda near, row: row.path,
    repository=lambda near, row: near.home(row),
    line=lambda near, row: row.line,
    startLine=lambda near, row: row.start_line,
    originalLine=lambda near, row: row.original_line,
    originalStartLine=lambda near, row: row.original_start_line,
    diffSide=lambda near, row: row.side,
    startDiffSide=lambda near, row: row.start_side,
    subjectType=lambda near, row: row.subject.upper(),
    isOutdated=lambda near, row: row.outdated,
    isResolved=lambda near, row: row.resolved_by_id is not None,
    isCollapsed=lambda near, row: row.resolved_by_id is not None or row.outdated,
    resolvedBy=lambda near, row: near.account(row.resolved_by_id),
    viewerCanReply=lambda near, row: not near.home(row).archived,
    viewerCanResolve=lambda near, row: row.resolved_by_id is None and _may_resolve(near, row),
    viewerCanUnresolve=lambda near, row: row.resolved_by_id is not None and _may_resolve(near, row),
)


def _thread(near: Loader, row: ReviewComment) -> ReviewThread:
    found = near.row(ReviewThread, row.thread_id)
    assert found is not None
    return found


def _of_thread(name: str) -> Callable[[Loader, ReviewComment], object]:
    return lambda near, row: getattr(_thread(near, row), name)


def _comment_path(near: Loader, row: ReviewComment) -> str:
    return f"{issue_path(near, near.get_issue(row.issue_id))}#discussion_r{row.id}"


each(
    "PullRequestReviewComment",
    path=_of_thread("path"),
    line=_of_thread("line"),
    startLine=_of_thread("start_line"),
    originalLine=_of_thread("original_line"),
    originalStartLine=_of_thread("original_start_line"),
    diffHunk=_of_thread("diff_hunk"),
    position=_of_thread("position"),
    originalPosition=lambda near, row: _thread(near, row).original_position or 1,
    outdated=_of_thread("outdated"),
    subjectType=lambda near, row: _thread(near, row).subject.upper(),
    draftedAt=lambda near, row: stamp(row.created_at),
    state=lambda near, row: "PENDING" if _review(near, row).state == "PENDING" else "SUBMITTED",
    pullRequestReview=lambda near, row: _review(near, row),
    replyTo=lambda near, row: near.row(ReviewComment, row.reply_to_id),
    resourcePath=_comment_path,
    url=lambda near, row: near.url(_comment_path(near, row)),
)


def _review(near: Loader, row: ReviewComment) -> Review:
    found = near.row(Review, row.review_id)
    assert found is not None
    return found


@batch("PullRequestReviewComment", "commit")
def resolve_commented_commits(near: Loader, rows: Sequence[ReviewComment], args: Args) -> Values:
    """Return the commits that comments refer to now."""
    return list(commits_of(near, [(row.repo_id, _thread(near, row).commit_sha) for row in rows]))


@batch("PullRequestReviewComment", "originalCommit")
def first_commented(near: Loader, rows: Sequence[ReviewComment], args: Args) -> Values:
    """Return the commits that comments were made on."""
    return list(commits_of(near, [(row.repo_id, _thread(near, row).original_sha) for row in rows]))
