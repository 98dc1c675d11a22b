"""Issues: list, read, open, change. A pull request is an issue too."""

from typing import Annotated, Any, Literal

from pydantic import Field
from sqlmodel import col, func, select
from sqlmodel.sql.expression import SelectOfScalar

from apps.github.app import app
from apps.github.columns import Condition
from apps.github.domain import notify
from apps.github.domain.context import GithubContext
from apps.github.domain.cross_references import cross_reference
from apps.github.domain.issue_rows import (
    add_labels,
    assign,
    find_issue,
    find_milestone,
    name_of,
    new_issue,
    set_milestone,
    set_type,
)
from apps.github.domain.notify import notify_concerned
from apps.github.domain.params import Body, Line, ListPage, MediaType, PageParams, RepoRef
from apps.github.models import Repository
from apps.github.models_issues import Assignee, Issue, IssueLabel, IssueType, Label
from apps.github.operations.issues.milestones import moment
from apps.github.refusals import invalid
from apps.github.spellings import has_name, is_called
from apps.github.views.issues import issues_json, one_json
from world.core.call import Call
from world.core.errors import OperationError
from world.core.json_types import JsonObject
from world.core.params import Int64, Text

SOURCE = "docs.github.com/rest/issues/issues"
SORTS = {"created": Issue.created_at, "updated": Issue.updated_at}
State = Literal["open", "closed", "all"]


class IssueRef(RepoRef):
    """One issue or pull request."""

    issue_number: Int64 = Field(description="The number of the issue or pull request.", examples=[1])


class IssueGet(IssueRef, MediaType):
    """One issue to read."""


class IssueList(RepoRef, PageParams, MediaType):
    """Filters and order of a repository's issues."""

    milestone: Line | None = Field(default=None, description="A milestone's number, `*` for any, `none` for none.")
    state: State = Field(default="open", description="open, closed or all.")
    assignee: Line | None = Field(default=None, description="A login, `none`, or `*` for anybody.")
    creator: Line | None = Field(default=None, description="The login of who opened it.")
    mentioned: Line | None = Field(default=None, description="The login of who is mentioned in it.")
    type: Line | None = Field(default=None, description="An issue type's name, `*` for any, `none` for none.")
    labels: Annotated[Text, Field(max_length=1000)] | None = Field(
        default=None, description="Label names with commas between; all must be on it."
    )
    sort: Literal["created", "updated", "comments"] = Field(
        default="created", description="created, updated or comments."
    )
    direction: Literal["asc", "desc"] = Field(default="desc", description="asc or desc.")
    since: Line | None = Field(default=None, description="Only those changed at or after this time (ISO 8601, UTC).")


class IssueNew(RepoRef):
    """An issue to open."""

    title: Annotated[Text, Field(max_length=256)] | Int64 = Field(
        description="The title.", examples=["Retry loop charges twice"]
    )
    body: Body | None = Field(default=None, description="The text, in Markdown.")
    assignee: Line | None = Field(default=None, description="One login to assign.")
    assignees: list[Line] | None = Field(
        default=None, description="Logins to assign; dropped silently without push access."
    )
    milestone: Line | Int64 | None = Field(default=None, description="The number of a milestone.")
    labels: list[Line | JsonObject] | None = Field(
        default=None, description="Names of labels; dropped silently without push access."
    )
    type: Line | None = Field(
        default=None, description="The name of an issue type; dropped silently without push access."
    )


@app.operation(
    "issues/list-for-repo",
    units=1,
    source=f"{SOURCE}#list-repository-issues",
    examples=[{"owner": "quayline", "repo": "payments"}],
    raises=("not_found", "validation_failed"),
)
def list_for_repo(call: Call, params: IssueList) -> list[JsonObject]:
    """List the issues and pull requests of a repository; pull requests have a `pull_request` key."""
    context = GithubContext(call)
    repo = context.repo(params.owner, params.repo)
    where = _conditions(context, repo, params)
    total = call.scalar(select(func.count()).select_from(Issue).where(*where))
    key = col(SORTS.get(params.sort, Issue.created_at))
    order = key.desc() if params.direction == "desc" else key.asc()
    last = col(Issue.number).desc() if params.direction == "desc" else col(Issue.number).asc()
    rows = list(
        call.session.exec(select(Issue).where(*where).order_by(order, last).offset(params.start).limit(params.size))
    )
    return ListPage(issues_json(context, repo, rows, params.mediaType), total)


def _conditions(context: GithubContext, repo: Repository, params: IssueList) -> list[Condition]:
    where: list[Condition] = [Issue.repo_id == repo.id]
    if params.state != "all":
        where.append(Issue.state == params.state)
    for name in (params.labels or "").split(","):
        if name.strip():
            where.append(col(Issue.id).in_(_with_label(context, repo, name.strip())))
    if params.creator:
        account = context.find_login(params.creator)
        where.append(Issue.author_id == (account.id if account else 0))
    if params.assignee:
        where.append(_assignee_condition(context, params.assignee))
    if params.milestone:
        where.append(_in_milestone(context, repo, params.milestone))
    if params.since:
        where.append(Issue.updated_at >= (moment(params.since, "Issue", "since") or 0))
    return where + _rare_conditions(context, params)


def _rare_conditions(context: GithubContext, params: IssueList) -> list[Condition]:
    """Return the rarely used conditions: mentioned account, and type."""
    where: list[Condition] = []
    if params.mentioned:
        found = context.call.all(notify.MENTIONING, {"login": f"%@{params.mentioned}%"})
        where.append(col(Issue.id).in_([row[0] for row in found]))
    if params.type == "none":
        where.append(col(Issue.type_id).is_(None))
    elif params.type:
        typed = (
            select(IssueType.id)
            if params.type == "*"
            else select(IssueType.id).where(is_called(context.call, col(IssueType.name), params.type))
        )
        where.append(col(Issue.type_id).in_(typed))
    return where


def _with_label(context: GithubContext, repo: Repository, name: str) -> SelectOfScalar[int]:
    return (
        select(IssueLabel.issue_id)
        .join(Label, col(Label.id) == col(IssueLabel.label_id))
        .where(Label.repo_id == repo.id, has_name(context.call, name))
    )


def _assignee_condition(context: GithubContext, who: str) -> Condition:
    some = select(Assignee.issue_id)
    if who == "none":
        return col(Issue.id).not_in(some)
    if who == "*":
        return col(Issue.id).in_(some)
    account = context.find_login(who)
    return col(Issue.id).in_(some.where(Assignee.account_id == (account.id if account else 0)))


def _in_milestone(context: GithubContext, repo: Repository, wanted: str) -> Condition:
    if wanted == "none":
        return col(Issue.milestone_id).is_(None)
    if wanted == "*":
        return col(Issue.milestone_id).is_not(None)
    return Issue.milestone_id == find_milestone(context, repo, wanted).id


@app.operation(
    "issues/get",
    units=1,
    source=f"{SOURCE}#get-an-issue",
    examples=[{"owner": "quayline", "repo": "payments", "issue_number": 1}],
    raises=("not_found", "moved"),
)
def get(call: Call, params: IssueGet) -> dict[str, Any]:
    """Read one issue or pull request by its number."""
    context = GithubContext(call)
    repo = context.repo(params.owner, params.repo)
    return one_json(context, repo, find_issue(context, repo, params.issue_number), params.mediaType)


@app.operation(
    "issues/create",
    writes=True,
    units=1,
    source=f"{SOURCE}#create-an-issue",
    examples=[{"owner": "quayline", "repo": "payments", "title": "Retry loop charges twice"}],
    raises=("not_found", "issues_disabled", "archived", "validation_failed"),
)
def create(call: Call, params: IssueNew) -> JsonObject:
    """Open an issue. Assignees, labels and milestone need push access and are dropped without it."""
    context = GithubContext(call)
    repo = context.repo(params.owner, params.repo)
    if not repo.has_issues:
        raise OperationError("issues_disabled")
    context.need(repo, "pull", code="not_found")
    if repo.archived:
        raise OperationError("archived")
    title = str(params.title).strip()
    if not title:
        raise invalid("Issue", "title", "missing_field")
    issue = new_issue(context, repo, title, params.body)
    if context.may(repo, "triage"):
        logins = [*(params.assignees or []), *([params.assignee] if params.assignee else [])]
        set_milestone(context, repo, issue, params.milestone)
        add_labels(context, repo, issue, [name_of(one) for one in params.labels or []])
        assign(context, repo, issue, logins)
        if params.type:
            set_type(context, repo, issue, params.type)
    announce_issue(context, repo, issue)
    return one_json(context, repo, issue)


def announce_issue(context: GithubContext, repo: Repository, issue: Issue) -> None:
    """Announce a new issue: publish it, notify the people concerned, and cross-reference the issues mentioned."""
    cross_reference(context, repo, issue, issue.body)
    context.call.publish(
        "github.issue_opened",
        repo=context.full_name(repo),
        number=issue.number,
        title=issue.title,
        body=issue.body,
        actor=context.call.person,
    )
    notify_concerned(context, repo, issue, "opened an issue", issue.body)
