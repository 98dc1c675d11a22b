"""Milestones of a repository."""

from datetime import UTC, datetime
from typing import Annotated, Literal

from pydantic import Field
from sqlmodel import col, select, update

from apps.github.app import app
from apps.github.domain.context import GithubContext
from apps.github.domain.params import Body, PageParams, RepoRef, page_of
from apps.github.models import Repository
from apps.github.models_issues import Issue, Milestone
from apps.github.refusals import invalid
from apps.github.views.issues import MilestoneJson, milestone_json
from world.core.call import Call
from world.core.clock import from_datetime
from world.core.errors import OperationError
from world.core.params import Int64, Text

SOURCE = "docs.github.com/rest/issues/milestones"
REPO = {"owner": "quayline", "repo": "payments"}
State = Literal["open", "closed"]
When = Annotated[Text, Field(max_length=40)]


class MilestoneList(RepoRef, PageParams):
    """Filters and order of milestones."""

    state: Literal["open", "closed", "all"] = Field(default="open", description="open, closed or all.")
    sort: Literal["due_on", "completeness"] = Field(default="due_on", description="due_on or completeness.")
    direction: Literal["asc", "desc"] = Field(default="asc", description="asc or desc.")


class MilestoneRef(RepoRef):
    """One milestone."""

    milestone_number: Int64 = Field(description="The milestone's number.", examples=[1])


class MilestoneNew(RepoRef):
    """A milestone to create."""

    title: Annotated[Text, Field(max_length=256)] = Field(description="The title.", examples=["v1.5"])
    state: State = Field(default="open", description="open or closed.")
    description: Body | None = Field(default=None, description="What it is about.")
    due_on: When | None = Field(default=None, description="When it is due, `2026-04-01T08:00:00Z`.")


class MilestoneChange(MilestoneRef):
    """Request fields for updating a milestone."""

    title: Annotated[Text, Field(max_length=256)] | None = Field(default=None, description="The title.")
    state: State | None = Field(default=None, description="open or closed.")
    description: Body | None = Field(default=None, description="What it is about.")
    due_on: When | None = Field(default=None, description="When it is due; null for no date.")


def moment(text: str | None, resource: str, field: str) -> int | None:
    """Return the microseconds of an ISO 8601 time; without a zone it is UTC. Raises validation_failed."""
    if text is None:
        return None
    try:
        found = datetime.fromisoformat(text.strip().replace("Z", "+00:00"))
    except ValueError:
        raise invalid(resource, field, "invalid", value=text) from None
    return from_datetime(found if found.tzinfo else found.replace(tzinfo=UTC))


def get_milestone_row(context: GithubContext, repo: Repository, number: int) -> Milestone:
    """Return a milestone by number. Raises not_found."""
    found = context.call.session.exec(
        select(Milestone).where(Milestone.repo_id == repo.id, Milestone.number == number)
    ).first()
    if found is None:
        raise OperationError("not_found")
    return found


def _title(context: GithubContext, repo: Repository, text: str, but: int | None = None) -> str:
    if not text.strip():
        raise invalid("Milestone", "title", "missing_field")
    taken = context.call.session.exec(
        select(Milestone.id).where(Milestone.repo_id == repo.id, Milestone.title == text.strip())
    ).first()
    if taken is not None and taken != but:
        raise invalid("Milestone", "title", "already_exists")
    return text.strip()


def _completeness(shown: MilestoneJson) -> float:
    total = shown["open_issues"] + shown["closed_issues"]
    return shown["closed_issues"] / total if total else 0.0


@app.operation(
    "issues/list-milestones", units=1, source=f"{SOURCE}#list-milestones", examples=[REPO], raises=("not_found",)
)
def list_milestones(call: Call, params: MilestoneList) -> list[MilestoneJson]:
    """List the milestones of a repository, soonest due first."""
    context = GithubContext(call)
    repo = context.repo(params.owner, params.repo)
    query = select(Milestone).where(Milestone.repo_id == repo.id).order_by(col(Milestone.number))
    rows = [row for row in call.session.exec(query) if params.state in ("all", row.state)]
    shown = [milestone_json(context, repo, row) for row in rows]
    key = _completeness if params.sort == "completeness" else lambda one: (one["due_on"] is None, one["due_on"] or "")
    shown.sort(key=key, reverse=params.direction == "desc")
    return page_of(shown, params)


@app.operation(
    "issues/get-milestone",
    units=1,
    source=f"{SOURCE}#get-a-milestone",
    examples=[{**REPO, "milestone_number": 1}],
    raises=("not_found",),
)
def get(call: Call, params: MilestoneRef) -> MilestoneJson:
    """Read one milestone by its number."""
    context = GithubContext(call)
    repo = context.repo(params.owner, params.repo)
    return milestone_json(context, repo, get_milestone_row(context, repo, params.milestone_number))


@app.operation(
    "issues/create-milestone",
    writes=True,
    units=1,
    source=f"{SOURCE}#create-a-milestone",
    examples=[{**REPO, "title": "Spring"}],
    raises=("not_found", "forbidden", "archived", "validation_failed"),
)
def create(call: Call, params: MilestoneNew) -> MilestoneJson:
    """Create a milestone.

    Time: due_on is UTC unless it names a zone.
    """
    context = GithubContext(call)
    repo = context.repo(params.owner, params.repo)
    context.need(repo, "triage")
    number = (call.scalar("SELECT max(number) FROM github_milestone WHERE repo_id = :repo", {"repo": repo.id}) or 0) + 1
    row = Milestone(
        id=context.next_id("github_milestone"),
        repo_id=repo.id,
        number=number,
        title=_title(context, repo, params.title),
        state=params.state,
        description=params.description,
        creator_id=context.me.id,
        due_on=moment(params.due_on, "Milestone", "due_on"),
        created_at=call.now,
        updated_at=call.now,
        closed_at=call.now if params.state == "closed" else None,
    )
    context.add(row)
    return milestone_json(context, repo, row)


@app.operation(
    "issues/update-milestone",
    writes=True,
    units=1,
    source=f"{SOURCE}#update-a-milestone",
    examples=[{**REPO, "milestone_number": 1, "state": "closed"}],
    raises=("not_found", "forbidden", "archived", "validation_failed"),
)
def change(call: Call, params: MilestoneChange) -> MilestoneJson:
    """Change a milestone's title, text, date or state.

    Time: due_on is UTC unless it names a zone.
    """
    context = GithubContext(call)
    repo = context.repo(params.owner, params.repo)
    row = get_milestone_row(context, repo, params.milestone_number)
    context.need(repo, "triage")
    if params.title is not None:
        row.title = _title(context, repo, params.title, row.id)
    if "description" in params.model_fields_set:
        row.description = params.description
    if "due_on" in params.model_fields_set:
        row.due_on = moment(params.due_on, "Milestone", "due_on")
    if params.state is not None and params.state != row.state:
        row.state, row.closed_at = params.state, (call.now if params.state == "closed" else None)
    row.updated_at = call.now
    return milestone_json(context, repo, row)


@app.operation(
    "issues/delete-milestone",
    writes=True,
    units=1,
    source=f"{SOURCE}#delete-a-milestone",
    examples=[{**REPO, "milestone_number": 1}],
    raises=("not_found", "forbidden", "archived"),
)
def delete(call: Call, params: MilestoneRef) -> None:
    """Delete a milestone; its issues lose it."""
    context = GithubContext(call)
    repo = context.repo(params.owner, params.repo)
    row = get_milestone_row(context, repo, params.milestone_number)
    context.need(repo, "triage")
    call.session.exec(update(Issue).where(col(Issue.milestone_id) == row.id).values(milestone_id=None))
    call.session.delete(row)
