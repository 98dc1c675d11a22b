"""Labels: of a repository, and on issues."""

import re
from collections.abc import Sequence
from typing import Annotated

from pydantic import BeforeValidator, Field
from sqlmodel import col, delete, select

from apps.github.app import app
from apps.github.domain.context import GithubContext
from apps.github.domain.issue_rows import add_labels, find_issue, labels_of, name_of
from apps.github.domain.params import Line, PageParams, RepoRef, page_of
from apps.github.models import Repository
from apps.github.models_issues import IssueLabel, Label, Milestone
from apps.github.operations.issues.issue_changes import ISSUE, drop_label, replace_labels
from apps.github.operations.issues.issues import IssueRef
from apps.github.refusals import invalid
from apps.github.spellings import has_name
from apps.github.views.issues import LabelJson, label_json
from world.core.call import Call
from world.core.errors import OperationError
from world.core.json_types import JsonObject
from world.core.params import Int64, Text

SOURCE = "docs.github.com/rest/issues/labels"
REPO = {"owner": "quayline", "repo": "payments"}
Colour = Annotated[Text, Field(max_length=20)]
Named = Annotated[Text, Field(max_length=50)]


class LabelList(RepoRef, PageParams):
    """Labels of a repository."""


class LabelRef(RepoRef):
    """One label."""

    name: Line = Field(description="The label's name; not case sensitive.", examples=["bug"])


class LabelNew(RepoRef):
    """A label to create."""

    name: Named = Field(description="The name; emoji are allowed.", examples=["needs-triage"])
    color: Colour | None = Field(default=None, description="Six hex digits, without #.")
    description: Annotated[Text, Field(max_length=100)] | None = Field(
        default=None, description="What it is for, 100 characters at most."
    )


class LabelChange(LabelRef):
    """Request fields for updating a label."""

    new_name: Named | None = Field(default=None, description="The new name.")
    color: Colour | None = Field(default=None, description="Six hex digits, without #.")
    description: Annotated[Text, Field(max_length=100)] | None = Field(default=None, description="What it is for.")


class IssueLabels(IssueRef, PageParams):
    """Labels on an issue."""


class IssueLabelsNew(IssueRef):
    """Labels for an issue."""

    labels: Annotated[
        list[Line | JsonObject],
        BeforeValidator(lambda given: [given] if isinstance(given, (str, dict)) else given or []),
    ] = Field(default_factory=list, description="Names of labels.", examples=[["bug"]])


class IssueLabelRemoval(IssueRef):
    """A label to remove from an issue."""

    name: Line = Field(description="The label's name.", examples=["bug"])


class MilestoneLabels(RepoRef, PageParams):
    """Labels of the issues of a milestone."""

    milestone_number: Int64 = Field(description="The milestone's number.", examples=[1])


def find_label(context: GithubContext, repo: Repository, name: str) -> Label:
    """Return a label of a repository by name. Raises not_found."""
    called = has_name(context.call, name)
    found = context.call.session.exec(select(Label).where(Label.repo_id == repo.id, called)).first()
    if found is None:
        raise OperationError("not_found")
    return found


def _colour(text: str | None, default: str) -> str:
    if text is None:
        return default
    if not re.fullmatch(r"[0-9A-Fa-f]{6}", text.removeprefix("#")):
        raise invalid("Label", "color", "invalid", value=text)
    return text.removeprefix("#").lower()


def _free(context: GithubContext, repo: Repository, name: str, but: int | None = None) -> str:
    """Return a name that no other label has. Raises validation_failed."""
    if not name.strip():
        raise invalid("Label", "name", "missing_field")
    called = has_name(context.call, name.strip())
    taken = context.call.session.exec(select(Label.id).where(Label.repo_id == repo.id, called)).first()
    if taken is not None and taken != but:
        raise invalid("Label", "name", "already_exists")
    return name.strip()


@app.operation(
    "issues/list-labels-for-repo",
    units=1,
    source=f"{SOURCE}#list-labels-for-a-repository",
    examples=[REPO],
    raises=("not_found",),
)
def list_for_repo(call: Call, params: LabelList) -> list[LabelJson]:
    """List the labels of a repository."""
    context = GithubContext(call)
    repo = context.repo(params.owner, params.repo)
    rows = call.session.exec(select(Label).where(Label.repo_id == repo.id).order_by(col(Label.name), col(Label.id)))
    return page_of([label_json(context, repo, row) for row in rows], params)


@app.operation(
    "issues/get-label",
    units=1,
    source=f"{SOURCE}#get-a-label",
    examples=[{**REPO, "name": "bug"}],
    raises=("not_found",),
)
def get(call: Call, params: LabelRef) -> LabelJson:
    """Read one label by its name."""
    context = GithubContext(call)
    repo = context.repo(params.owner, params.repo)
    return label_json(context, repo, find_label(context, repo, params.name))


@app.operation(
    "issues/create-label",
    writes=True,
    units=1,
    source=f"{SOURCE}#create-a-label",
    examples=[{**REPO, "name": "needs-triage", "color": "f29513"}],
    raises=("not_found", "forbidden", "archived", "validation_failed"),
)
def create(call: Call, params: LabelNew) -> LabelJson:
    """Create a label in a repository."""
    context = GithubContext(call)
    repo = context.repo(params.owner, params.repo)
    context.need(repo, "push")
    row = Label(
        id=context.next_id("github_label"),
        repo_id=repo.id,
        name=_free(context, repo, params.name),
        color=_colour(params.color, "ededed"),
    )
    row.description = params.description
    context.add(row)
    return label_json(context, repo, row)


@app.operation(
    "issues/update-label",
    writes=True,
    units=1,
    source=f"{SOURCE}#update-a-label",
    examples=[{**REPO, "name": "bug", "description": "It is broken"}],
    raises=("not_found", "forbidden", "archived", "validation_failed"),
)
def update(call: Call, params: LabelChange) -> LabelJson:
    """Rename or recolour a label."""
    context = GithubContext(call)
    repo = context.repo(params.owner, params.repo)
    row = find_label(context, repo, params.name)
    context.need(repo, "push")
    if params.new_name is not None:
        row.name = _free(context, repo, params.new_name, row.id)
    row.color = _colour(params.color, row.color)
    if "description" in params.model_fields_set:
        row.description = params.description
    return label_json(context, repo, row)


@app.operation(
    "issues/delete-label",
    writes=True,
    units=1,
    source=f"{SOURCE}#delete-a-label",
    examples=[{**REPO, "name": "bug"}],
    raises=("not_found", "forbidden", "archived"),
)
def delete_label(call: Call, params: LabelRef) -> None:
    """Delete a label; it leaves every issue it is on."""
    context = GithubContext(call)
    repo = context.repo(params.owner, params.repo)
    row = find_label(context, repo, params.name)
    context.need(repo, "push")
    call.session.exec(delete(IssueLabel).where(col(IssueLabel.label_id) == row.id))
    call.session.delete(row)


@app.operation(
    "issues/list-labels-on-issue",
    units=1,
    source=f"{SOURCE}#list-labels-for-an-issue",
    examples=[ISSUE],
    raises=("not_found", "moved"),
)
def list_on_issue(call: Call, params: IssueLabels) -> list[LabelJson]:
    """List the labels on an issue."""
    context = GithubContext(call)
    repo = context.repo(params.owner, params.repo)
    issue = find_issue(context, repo, params.issue_number)
    return page_of([label_json(context, repo, one) for one in labels_of(context, issue)], params)


def _names(labels: Sequence[object]) -> list[str]:
    return [name_of(one) for one in labels]


@app.operation(
    "issues/add-labels",
    writes=True,
    units=1,
    source=f"{SOURCE}#add-labels-to-an-issue",
    examples=[{**ISSUE, "labels": ["bug"]}],
    raises=("not_found", "moved", "forbidden", "archived", "validation_failed"),
)
def add(call: Call, params: IssueLabelsNew) -> list[LabelJson]:
    """Add labels to an issue; it keeps its present ones."""
    context = GithubContext(call)
    repo = context.repo(params.owner, params.repo)
    issue = find_issue(context, repo, params.issue_number)
    context.need(repo, "triage")
    add_labels(context, repo, issue, _names(params.labels))
    return [label_json(context, repo, one) for one in labels_of(context, issue)]


@app.operation(
    "issues/set-labels",
    writes=True,
    units=1,
    source=f"{SOURCE}#set-labels-for-an-issue",
    examples=[{**ISSUE, "labels": ["bug"]}],
    raises=("not_found", "moved", "forbidden", "archived", "validation_failed"),
)
def set_all(call: Call, params: IssueLabelsNew) -> list[LabelJson]:
    """Set the labels of an issue to exactly these."""
    context = GithubContext(call)
    repo = context.repo(params.owner, params.repo)
    issue = find_issue(context, repo, params.issue_number)
    context.need(repo, "triage")
    replace_labels(context, repo, issue, _names(params.labels))
    return [label_json(context, repo, one) for one in labels_of(context, issue)]


@app.operation(
    "issues/remove-all-labels",
    writes=True,
    units=1,
    source=f"{SOURCE}#remove-all-labels-from-an-issue",
    examples=[ISSUE],
    raises=("not_found", "moved", "forbidden", "archived"),
)
def remove_all(call: Call, params: IssueRef) -> None:
    """Remove all labels from an issue."""
    context = GithubContext(call)
    repo = context.repo(params.owner, params.repo)
    issue = find_issue(context, repo, params.issue_number)
    context.need(repo, "triage")
    replace_labels(context, repo, issue, [])


@app.operation(
    "issues/remove-label",
    writes=True,
    units=1,
    source=f"{SOURCE}#remove-a-label-from-an-issue",
    examples=[{**ISSUE, "name": "bug"}],
    after=["issues/add-labels"],
    raises=("not_found", "moved", "forbidden", "archived"),
)
def remove(call: Call, params: IssueLabelRemoval) -> list[LabelJson]:
    """Remove one label from an issue; answers with the remaining ones."""
    context = GithubContext(call)
    repo = context.repo(params.owner, params.repo)
    issue = find_issue(context, repo, params.issue_number)
    context.need(repo, "triage")
    drop_label(context, repo, issue, params.name)
    return [label_json(context, repo, one) for one in labels_of(context, issue)]


@app.operation(
    "issues/list-labels-for-milestone",
    units=1,
    source=f"{SOURCE}#list-labels-for-issues-in-a-milestone",
    examples=[{**REPO, "milestone_number": 1}],
    raises=("not_found",),
)
def list_of_milestone(call: Call, params: MilestoneLabels) -> list[LabelJson]:
    """List the labels of the issues of a milestone."""
    context = GithubContext(call)
    repo = context.repo(params.owner, params.repo)
    stone = call.session.exec(
        select(Milestone).where(Milestone.repo_id == repo.id, Milestone.number == params.milestone_number)
    ).first()
    if stone is None:
        raise OperationError("not_found")
    ids = call.all(
        "SELECT DISTINCT l.label_id FROM github_issue_label l JOIN github_issue i ON i.id = l.issue_id WHERE"
        " i.milestone_id = :id ORDER BY 1",
        {"id": stone.id},
    )
    rows = [call.session.get(Label, row[0]) for row in ids]
    return page_of([label_json(context, repo, row) for row in rows if row is not None], params)
