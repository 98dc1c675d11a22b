"""Combined forms of a pull request's page: opening with reviewers, and changing all settings together."""

from typing import Annotated

from pydantic import Field

from apps.github.app import app
from apps.github.domain.context import GithubContext
from apps.github.domain.params import Line
from apps.github.domain.pull_rows import EXAMPLE, PullRef, get_pull
from apps.github.operations.pulls import pull_creation, pull_states, pulls, review_requests
from apps.github.operations.pulls.pull_creation import PullNew
from apps.github.operations.pulls.pulls import PullChange, one_json
from apps.github.operations.pulls.review_requests import MOST, Reviewers
from world.core.call import Call
from world.core.json_types import JsonObject
from world.core.params import Params

SOURCE = (
    "docs.github.com/pull-requests/collaborating-with-pull-requests/proposing-changes-to-your-work-with-pull-requests"
)
People = Annotated[list[Line], Field(max_length=100)]


class ReviewersAsked(Params):
    """People and teams to request reviews from."""

    reviewers: People | None = Field(
        default=None, description=f"Logins of people to ask for a review, {MOST} at most with the teams."
    )
    team_reviewers: People | None = Field(default=None, description="Slugs of teams to ask for a review.")


class PullOpen(PullNew, ReviewersAsked):
    """A pull request to open, and its reviewers."""


class PullEdit(PullChange, ReviewersAsked):
    """Request fields for updating a pull request; fields left out stay."""

    draft: bool | None = Field(default=None, description="true makes it a draft, false ready for review.")


@app.operation(
    "web/pulls/open",
    writes=True,
    units=1,
    source=f"{SOURCE}/creating-a-pull-request",
    examples=[
        {
            "owner": "quayline",
            "repo": "payments",
            "title": "Try it",
            "head": "$pulls/list:0.head.ref",
            "base": "$pulls/list:1.head.ref",
        }
    ],
    raises=("not_found", "forbidden", "archived", "validation_failed", "unprocessable"),
)
def open_with_reviewers(call: Call, params: PullOpen) -> JsonObject:
    """Open a pull request and request reviews from people and teams; both or neither."""
    made = pull_creation.create(
        call, PullNew.model_validate(params.model_dump(include=set(PullNew.model_fields), exclude_unset=True))
    )
    return _request_reviews(call, params, made["number"]) or made


@app.operation(
    "web/pulls/edit",
    writes=True,
    units=1,
    source=f"{SOURCE}/changing-the-stage-of-a-pull-request",
    examples=[{**EXAMPLE, "title": "Retry once"}],
    raises=("not_found", "forbidden", "archived", "validation_failed", "unprocessable"),
)
def edit(call: Call, params: PullEdit) -> JsonObject:
    """Change a pull request's title, text, base, state, draft stage and reviewers in one call; all or nothing."""
    given = params.model_dump(include=set(PullChange.model_fields), exclude_unset=True)
    shown = pulls.update(call, PullChange.model_validate(given)) if len(given) > len(PullRef.model_fields) else None
    if params.draft is not None:
        change = pull_states.convert_to_draft if params.draft else pull_states.mark_ready
        shown = change(call, PullRef(owner=params.owner, repo=params.repo, pull_number=params.pull_number))
    return _request_reviews(call, params, params.pull_number) or shown or _pull_json(call, params)


def _request_reviews(call: Call, params: PullOpen | PullEdit, number: int) -> JsonObject | None:
    """Request reviews, if any are given, and return the pull request. Raises forbidden, unprocessable."""
    if not params.reviewers and not params.team_reviewers:
        return None
    who = Reviewers(
        owner=params.owner,
        repo=params.repo,
        pull_number=number,
        reviewers=params.reviewers,
        team_reviewers=params.team_reviewers,
    )
    review_requests.request_reviewers(call, who)
    return _pull_json(call, who)


def _pull_json(call: Call, params: PullRef) -> JsonObject:
    context = GithubContext(call)
    return one_json(context, *get_pull(context, params))
