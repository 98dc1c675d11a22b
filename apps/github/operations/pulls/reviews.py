"""Reviews of pull requests: pending ones with comments, submitted, changed, dismissed."""

from typing import Annotated, Any, Literal

from pydantic import Field
from sqlmodel import col, func, or_, select

from apps.github.app import app
from apps.github.domain.context import GithubContext
from apps.github.domain.diff_position import PositionNotInDiff, place
from apps.github.domain.params import Body, Id, Line, ListPage, MediaType, PageParams
from apps.github.domain.protection import is_among, rule_for
from apps.github.domain.pull_git import Changes
from apps.github.domain.pull_rows import EXAMPLE, PullRef, get_pull, get_writable_pull
from apps.github.domain.review_rows import (
    ONE_PENDING,
    EventName,
    begin_thread,
    check_event,
    dismiss,
    drop,
    find_pending_review,
    find_review,
    new_review,
    select_visible_comments,
    submit,
)
from apps.github.models import Repository
from apps.github.models_issues import Issue
from apps.github.models_pulls import Pull, Review, ReviewComment
from apps.github.refusals import review_refused
from apps.github.views.reviews import ReviewContext, review_json, with_position
from world.core.call import Call
from world.core.errors import OperationError
from world.core.json_types import JsonObject
from world.core.params import Int64, Params, Text

SOURCE = "docs.github.com/rest/pulls/reviews"
PENDING = {**EXAMPLE, "review_id": "$pulls/create-review:id"}
Sha = Annotated[Text, Field(max_length=64)]
MAX_COMMENTS = 1000


class ReviewRef(PullRef):
    """One review."""

    review_id: Id = Field(description="The id of the review.", examples=[1])


class ReviewGet(ReviewRef, MediaType):
    """A review to read."""


class ReviewList(PullRef, PageParams, MediaType):
    """Reviews of a pull request."""


class ReviewComments(ReviewRef, PageParams, MediaType):
    """Comments of a review."""


class DraftComment(Params):
    """A comment on the diff, as part of a review."""

    path: Line = Field(description="The file.")
    body: Body = Field(description="The text, in Markdown.")
    line: Int64 | None = Field(default=None, description="The line of the file on `side`; the last one of several.")
    side: Literal["LEFT", "RIGHT"] | None = Field(
        default=None, description="LEFT for the old file, RIGHT for the new one."
    )
    start_line: Int64 | None = Field(default=None, description="The first of several lines.")
    start_side: Literal["LEFT", "RIGHT"] | None = Field(default=None, description="The side of the first line.")
    position: Int64 | None = Field(
        default=None, description="The line of the diff, counted below its first hunk's header, instead of `line`."
    )


class ReviewNew(PullRef):
    """A review; without `event` it stays pending, for its author alone."""

    commit_id: Sha | None = Field(default=None, description="The commit it is about; the head when left out.")
    body: Body | None = Field(default=None, description="The text, in Markdown.")
    event: EventName | None = Field(default=None, description="APPROVE, REQUEST_CHANGES or COMMENT; left out: pending.")
    comments: Annotated[list[DraftComment], Field(max_length=MAX_COMMENTS)] | None = Field(
        default=None, description="Comments on the diff."
    )


class ReviewText(ReviewRef):
    """New text for a review."""

    body: Body = Field(description="The text, in Markdown.", examples=["Looks good."])


class ReviewSubmit(ReviewRef):
    """Request fields for submitting a pending review."""

    event: EventName = Field(description="APPROVE, REQUEST_CHANGES or COMMENT.", examples=["COMMENT"])
    body: Body | None = Field(default=None, description="The text, in Markdown.")


class ReviewDismissal(ReviewRef):
    """Reason for dismissing a review."""

    message: Body = Field(description="The reason.", examples=["The code was rewritten."])
    event: Literal["DISMISS"] | None = Field(default=None, description="DISMISS.")


@app.operation(
    "pulls/list-reviews",
    units=1,
    source=f"{SOURCE}#list-reviews-for-a-pull-request",
    examples=[EXAMPLE],
    raises=("not_found",),
)
def list_reviews(call: Call, params: ReviewList) -> list[JsonObject]:
    """List the reviews of a pull request, oldest first, including your pending one."""
    context = GithubContext(call)
    repo, issue, _ = get_pull(context, params)
    where = [Review.issue_id == issue.id, or_(col(Review.state) != "PENDING", col(Review.author_id) == context.me.id)]
    total = call.scalar(select(func.count()).select_from(Review).where(*where))
    rows = call.session.exec(
        select(Review).where(*where).order_by(col(Review.id)).offset(params.start).limit(params.size)
    ).all()
    context.preload(row.author_id for row in rows)
    return ListPage([review_json(context, repo, issue, row, params.mediaType) for row in rows], total)


@app.operation(
    "pulls/get-review",
    units=1,
    source=f"{SOURCE}#get-a-review-for-a-pull-request",
    examples=[PENDING],
    after=["pulls/create-review"],
    raises=("not_found",),
)
def get_review(call: Call, params: ReviewGet) -> JsonObject:
    """Read one review."""
    context = GithubContext(call)
    repo, issue, _ = get_pull(context, params)
    return review_json(context, repo, issue, find_review(context, issue, params.review_id), params.mediaType)


@app.operation(
    "pulls/create-review",
    writes=True,
    units=1,
    source=f"{SOURCE}#create-a-review-for-a-pull-request",
    examples=[{**EXAMPLE, "body": "Two questions."}],
    raises=("not_found", "archived", "locked", "review_refused"),
)
def create_review(call: Call, params: ReviewNew) -> JsonObject:
    """Review a pull request: approve, request changes or comment, with comments on lines. Without `event` it stays
    pending.
    """
    context = GithubContext(call)
    repo, issue, pull = get_writable_pull(context, params)
    review = write_review(context, repo, issue, pull, params)
    return review_json(context, repo, issue, review)


def write_review(context: GithubContext, repo: Repository, issue: Issue, pull: Pull, params: ReviewNew) -> Review:
    """Write a review with its comments, and submit it if an event is given. Raises locked, review_refused."""
    check_unlocked(context, repo, issue)
    if params.event is not None:
        check_event(context, issue, params.event)
        if params.event != "APPROVE" and not params.body and not params.comments:
            raise review_refused("Body can't be blank")
    if find_pending_review(context, issue) is not None:
        raise review_refused(ONE_PENDING)
    changes = Changes(context, repo, issue, pull)
    commit = part_of(changes, params.commit_id)
    places = [_place_comment(changes, one) for one in params.comments or []]
    review = new_review(context, repo, issue, pull, body=params.body or "", commit=commit)
    for where, one in zip(places, params.comments or [], strict=True):
        begin_thread(context, repo, issue, review, where, one.body, commit)
    if params.event is not None:
        submit(context, repo, issue, pull, review, params.event)
    return review


def check_unlocked(context: GithubContext, repo: Repository, issue: Issue) -> None:
    """Raise locked when only people who can push may comment."""
    if issue.locked and not context.may(repo, "push"):
        raise OperationError("locked")


def part_of(changes: Changes, commit: str | None) -> str:
    """Return the commit of a review: the head, or one that is part of the pull request. Raises review_refused."""
    if commit is None or commit == changes.pull.head_sha:
        return changes.pull.head_sha
    found = changes.git.commit_named(commit)
    if found is None or found not in {row.sha1 for row in changes.commits}:
        raise review_refused("commit_id is not part of the pull request")
    return found


def _place_comment(changes: Changes, one: DraftComment) -> Any:
    if not one.body.strip():
        raise review_refused("Body can't be blank")
    try:
        return place(
            changes,
            one.path,
            line=one.line,
            side=one.side,
            start_line=one.start_line,
            start_side=one.start_side,
            position=one.position,
        )
    except PositionNotInDiff as wrong:
        raise review_refused(f"{wrong.field.replace('_', ' ').capitalize()} could not be resolved") from None


@app.operation(
    "pulls/update-review",
    writes=True,
    units=1,
    source=f"{SOURCE}#update-a-review-for-a-pull-request",
    examples=[{**PENDING, "body": "Three questions."}],
    after=["pulls/create-review"],
    raises=("not_found", "archived", "forbidden"),
)
def update_review(call: Call, params: ReviewText) -> JsonObject:
    """Change the text of your own review."""
    context = GithubContext(call)
    repo, issue, _ = get_writable_pull(context, params)
    row = find_review(context, issue, params.review_id)
    if row.author_id != context.me.id:
        context.need(repo, "admin")
    row.body, row.updated_at = params.body, call.now
    return review_json(context, repo, issue, row)


@app.operation(
    "pulls/delete-pending-review",
    writes=True,
    units=1,
    source=f"{SOURCE}#delete-a-pending-review-for-a-pull-request",
    examples=[PENDING],
    after=["pulls/create-review"],
    raises=("not_found", "archived", "review_refused"),
)
def delete_pending_review(call: Call, params: ReviewRef) -> JsonObject:
    """Delete your pending review."""
    context = GithubContext(call)
    repo, issue, _ = get_writable_pull(context, params)
    row = find_review(context, issue, params.review_id)
    if row.state != "PENDING":
        raise review_refused("Can not delete a non-pending pull request review")
    shown = review_json(context, repo, issue, row)
    drop(context, row)
    return shown


@app.operation(
    "pulls/submit-review",
    writes=True,
    units=1,
    source=f"{SOURCE}#submit-a-review-for-a-pull-request",
    examples=[{**PENDING, "event": "APPROVE", "body": "Two questions."}],
    after=["pulls/create-review"],
    raises=("not_found", "archived", "review_refused"),
)
def submit_review(call: Call, params: ReviewSubmit) -> JsonObject:
    """Submit your pending review: approve, request changes or comment."""
    context = GithubContext(call)
    repo, issue, pull = get_writable_pull(context, params)
    row = find_review(context, issue, params.review_id)
    submit_pending(context, repo, issue, pull, row, params.event, params.body)
    return review_json(context, repo, issue, row)


def submit_pending(
    context: GithubContext, repo: Repository, issue: Issue, pull: Pull, row: Review, event: EventName, body: str | None
) -> None:
    """Submit a pending review. Raises review_refused."""
    if row.state != "PENDING":
        raise review_refused("Can not submit a review that is not pending")
    check_event(context, issue, event)
    row.body = body if body is not None else row.body
    if (
        event != "APPROVE"
        and not row.body
        and context.call.first("SELECT 1 FROM github_review_comment WHERE review_id = :id", {"id": row.id}) is None
    ):
        raise review_refused("Body can't be blank")
    submit(context, repo, issue, pull, row, event)


@app.operation(
    "pulls/dismiss-review",
    writes=True,
    units=1,
    source=f"{SOURCE}#dismiss-a-review-for-a-pull-request",
    examples=[{**EXAMPLE, "review_id": "$pulls/submit-review:id", "message": "The code was rewritten."}],
    after=["pulls/submit-review"],
    raises=("not_found", "forbidden", "archived", "review_refused"),
)
def dismiss_review(call: Call, params: ReviewDismissal) -> JsonObject:
    """Dismiss an approval or change request; needs write access, and listing if a rule restricts who dismisses."""
    context = GithubContext(call)
    repo, issue, pull = get_pull(context, params)
    context.need(repo, "push")
    rule = rule_for(context, repo, pull.base_ref)
    if (
        rule is not None
        and rule.dismissers is not None
        and not context.may(repo, "admin")
        and not is_among(context, rule.dismissers, context.me)
    ):
        raise OperationError("forbidden")
    row = find_review(context, issue, params.review_id)
    if row.state not in ("APPROVED", "CHANGES_REQUESTED"):
        raise review_refused(f"Can not dismiss a {row.state.lower()} pull request review")
    dismiss(context, repo, issue, row, params.message)
    return review_json(context, repo, issue, row)


@app.operation(
    "pulls/list-comments-for-review",
    units=1,
    source=f"{SOURCE}#list-comments-for-a-pull-request-review",
    examples=[PENDING],
    after=["pulls/create-review"],
    raises=("not_found",),
)
def list_comments_for_review(call: Call, params: ReviewComments) -> list[JsonObject]:
    """List the comments of one review, in order."""
    context = GithubContext(call)
    repo, issue, _ = get_pull(context, params)
    row = find_review(context, issue, params.review_id)
    query = select_visible_comments(context, Review.id == row.id)
    total = call.scalar(select(func.count()).select_from(query.subquery()))
    rows = call.session.exec(query.order_by(col(ReviewComment.id)).offset(params.start).limit(params.size)).all()
    return ListPage([with_position(one) for one in ReviewContext(context, repo, rows).all(params.mediaType)], total)
