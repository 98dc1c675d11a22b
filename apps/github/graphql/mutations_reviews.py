"""Mutations of reviews and of conversations about code."""

from apps.github.domain.diff_position import CommentPosition, PositionNotInDiff
from apps.github.domain.diff_position import place as placed
from apps.github.domain.review_rows import add_comment, begin_thread, find_pending_review, new_review
from apps.github.graphql.connections import cursor_of
from apps.github.graphql.loader import Loader
from apps.github.graphql.mutation_context import Given, Payload, ask, get_node, mutation, place, pull_at
from apps.github.graphql.registry import Problem
from apps.github.models_issues import Issue
from apps.github.models_pulls import Review, ReviewComment, ReviewThread
from apps.github.operations.pulls.reviews import check_unlocked
from world.core.errors import OperationError


def _pull_of(near: Loader, row: Review | ReviewThread | ReviewComment) -> Issue:
    issue = near.issue(row.issue_id)
    assert issue is not None
    return issue


def _locate_review(near: Loader, review: Review) -> Payload:
    return {**pull_at(near, _pull_of(near, review)), "review_id": review.id}


def _review(near: Loader, id: int) -> Review:
    row = near.call.session.get(Review, id)
    assert row is not None
    return row


# -- reviews


@mutation("addPullRequestReview")
def add_review(near: Loader, given: Given) -> Payload:
    """Review a pull request; without an event it stays pending."""
    pull = get_node(near, given["pullRequestId"], "PullRequest")
    event = given.get("event")
    if event == "DISMISS":
        raise Problem("A new review cannot be dismissed.", "UNPROCESSABLE")
    comments = [
        _draft(one) for one in [*(given.get("comments") or []), *(given.get("threads") or [])] if one is not None
    ]
    about = {"body": given.get("body"), "event": event, "commit_id": given.get("commitOID"), "comments": comments}
    made = ask(near, "pulls/create-review", **pull_at(near, pull), **about)
    review = _review(near, made["id"])
    return {"pullRequestReview": review, "reviewEdge": {"node": review, "cursor": cursor_of(review.id)}}


def _draft(one: Given) -> Payload:
    names = {"startLine": "start_line", "startSide": "start_side"}
    return {names.get(name, name): value for name, value in one.items() if value is not None}


def _get_review(near: Loader, given: Given) -> Review:
    """Return the requested review: by its id, or the caller's pending one of a pull request."""
    if given.get("pullRequestReviewId"):
        return get_node(near, given["pullRequestReviewId"], "PullRequestReview")
    pull = get_node(near, given.get("pullRequestId") or "", "PullRequest")
    review = find_pending_review(near.context, pull)
    if review is None:
        raise Problem("Could not find pending review for this pull request", "NOT_FOUND")
    return review


@mutation("submitPullRequestReview")
def submit_review(near: Loader, given: Given) -> Payload:
    """Submit a pending review."""
    review = _get_review(near, given)
    if given["event"] == "DISMISS":
        raise Problem("Can not dismiss a pending review", "UNPROCESSABLE")
    body = {"body": given["body"]} if given.get("body") is not None else {}
    ask(near, "pulls/submit-review", **_locate_review(near, review), event=given["event"], **body)
    return {"pullRequestReview": _review(near, review.id)}


@mutation("updatePullRequestReview")
def update_review(near: Loader, given: Given) -> Payload:
    """Change the text of a review."""
    review = get_node(near, given["pullRequestReviewId"], "PullRequestReview")
    ask(near, "pulls/update-review", **_locate_review(near, review), body=given["body"])
    return {"pullRequestReview": _review(near, review.id)}


@mutation("dismissPullRequestReview")
def dismiss_review(near: Loader, given: Given) -> Payload:
    """Dismiss a review."""
    review = get_node(near, given["pullRequestReviewId"], "PullRequestReview")
    ask(near, "pulls/dismiss-review", **_locate_review(near, review), message=given["message"])
    return {"pullRequestReview": _review(near, review.id)}


@mutation("deletePullRequestReview")
def delete_review(near: Loader, given: Given) -> Payload:
    """Delete a pending review."""
    review = get_node(near, given["pullRequestReviewId"], "PullRequestReview")
    ask(near, "pulls/delete-pending-review", **_locate_review(near, review))
    return {"pullRequestReview": review}


# -- comments and threads


def _draft_review(near: Loader, given: Given, pull: Issue) -> Review:
    """Return the caller's pending review for a comment; begin one if there is none."""
    repo = near.home(pull)
    if repo.archived:
        raise OperationError("archived")
    check_unlocked(near.context, repo, pull)
    if given.get("pullRequestReviewId"):
        review = get_node(near, given["pullRequestReviewId"], "PullRequestReview")
        if review.state != "PENDING" or review.issue_id != pull.id:
            raise Problem("The review is not pending.", "UNPROCESSABLE")
        return review
    return find_pending_review(near.context, pull) or new_review(near.context, repo, pull, near.pull(pull))


def _subject(near: Loader, given: Given) -> Issue:
    """Return the pull request given by its own id or by that of a review."""
    if given.get("pullRequestReviewId"):
        return _pull_of(near, get_node(near, given["pullRequestReviewId"], "PullRequestReview"))
    if not given.get("pullRequestId"):
        raise Problem(
            "You must provide one of the following arguments: pullRequestId, pullRequestReviewId", "UNPROCESSABLE"
        )
    return get_node(near, given["pullRequestId"], "PullRequest")


def _where(near: Loader, pull: Issue, given: Given) -> CommentPosition:
    whole = given.get("subjectType") == "FILE"
    try:
        return placed(
            near.changes(pull),
            given["path"],
            line=None if whole else given.get("line"),
            side=given.get("side"),
            start_line=given.get("startLine"),
            start_side=given.get("startSide"),
            position=given.get("position"),
            whole=whole,
        )
    except PositionNotInDiff as wrong:
        raise Problem(f"Pull request review thread {wrong.field} is not part of the diff", "UNPROCESSABLE") from None


def _need_text(body: str | None) -> str:
    if body is None or not body.strip():
        raise Problem("Body can't be blank", "UNPROCESSABLE")
    return body


@mutation("addPullRequestReviewThread")
def add_thread(near: Loader, given: Given) -> Payload:
    """Start a conversation on lines, as part of a pending review."""
    pull, body = _subject(near, given), _need_text(given["body"])
    where = _where(near, pull, given)
    review = _draft_review(near, given, pull)
    row = begin_thread(near.context, near.home(pull), pull, review, where, body, near.pull(pull).head_sha)
    return {"thread": near.call.session.get(ReviewThread, row.thread_id)}


@mutation("addPullRequestReviewThreadReply")
def add_reply(near: Loader, given: Given) -> Payload:
    """Reply in a conversation, at once or as part of a pending review."""
    thread = get_node(near, given["pullRequestReviewThreadId"], "PullRequestReviewThread")
    return {"comment": _reply(near, thread, given)}


def _reply(near: Loader, thread: ReviewThread, given: Given) -> ReviewComment:
    pull, body = _pull_of(near, thread), _need_text(given.get("body"))
    first = near.call.first("SELECT min(id) FROM github_review_comment WHERE thread_id = :id", {"id": thread.id})
    assert first is not None
    if given.get("pullRequestReviewId") or find_pending_review(near.context, pull) is not None:
        review = _draft_review(near, given, pull)
        return add_comment(near.context, near.home(pull), pull, review, thread, body, first[0])
    made = ask(near, "pulls/create-reply-for-review-comment", **pull_at(near, pull), comment_id=first[0], body=body)
    row = near.call.session.get(ReviewComment, made["id"])
    assert row is not None
    return row


@mutation("addPullRequestReviewComment")
def add_review_comment(near: Loader, given: Given) -> Payload:
    """Comment on a line of a diff, or reply to a comment, as part of a pending review."""
    if given.get("inReplyTo"):
        other = get_node(near, given["inReplyTo"], "PullRequestReviewComment")
        thread = near.call.session.get(ReviewThread, other.thread_id)
        assert thread is not None
        row = _reply(near, thread, given)
    else:
        pull, body = _subject(near, given), _need_text(given.get("body"))
        if not given.get("path"):
            raise Problem("Path can't be blank", "UNPROCESSABLE")
        where = _where(near, pull, given)
        row = begin_thread(
            near.context, near.home(pull), pull, _draft_review(near, given, pull), where, body, near.pull(pull).head_sha
        )
    return {"comment": row, "commentEdge": {"node": row, "cursor": cursor_of(row.id)}}


@mutation("updatePullRequestReviewComment")
def update_review_comment(near: Loader, given: Given) -> Payload:
    """Update a comment on a line."""
    row = get_node(near, given["pullRequestReviewCommentId"], "PullRequestReviewComment")
    ask(near, "pulls/update-review-comment", **place(near, row), comment_id=row.id, body=given["body"])
    return {"pullRequestReviewComment": near.call.session.get(ReviewComment, row.id)}


@mutation("deletePullRequestReviewComment")
def delete_review_comment(near: Loader, given: Given) -> Payload:
    """Delete a comment on a line."""
    row = get_node(near, given["id"], "PullRequestReviewComment")
    review = _review(near, row.review_id)
    ask(near, "pulls/delete-review-comment", **place(near, row), comment_id=row.id)
    return {"pullRequestReview": near.call.session.get(Review, review.id), "pullRequestReviewComment": None}


@mutation("resolveReviewThread")
def resolve(near: Loader, given: Given) -> Payload:
    """Resolve a conversation."""
    return _set_resolved(near, given["threadId"], "resolve")


@mutation("unresolveReviewThread")
def unresolve(near: Loader, given: Given) -> Payload:
    """Reopen a resolved conversation."""
    return _set_resolved(near, given["threadId"], "unresolve")


def _set_resolved(near: Loader, id: str, word: str) -> Payload:
    thread = get_node(near, id, "PullRequestReviewThread")
    ask(near, f"web/threads/{word}", **place(near, thread), thread_id=thread.id)
    return {"thread": near.call.session.get(ReviewThread, thread.id)}
