"""Issues across repositories: the caller's own, and those of an organisation."""

from typing import Literal

from pydantic import Field
from sqlmodel import col, func, or_, select

from apps.github.app import app
from apps.github.columns import Condition
from apps.github.domain import notify
from apps.github.domain.context import GithubContext
from apps.github.domain.params import Line, ListPage, MediaType, Name, PageParams
from apps.github.models import Repository
from apps.github.models_issues import Assignee, Issue, IssueLabel, Label, Subscription
from apps.github.operations.issues.issues import SORTS, SOURCE, State
from apps.github.operations.issues.milestones import moment
from apps.github.spellings import has_name
from apps.github.views.accounts import repo_json
from apps.github.views.issues import issues_json
from world.core.call import Call
from world.core.errors import OperationError
from world.core.json_types import JsonObject

Filter = Literal["assigned", "created", "mentioned", "subscribed", "repos", "all"]


class MyIssues(PageParams, MediaType):
    """Filters and order of the caller's issues."""

    filter: Filter = Field(default="assigned", description="assigned, created, mentioned, subscribed, repos or all.")
    state: State = Field(default="open", description="open, closed or all.")
    labels: Line | None = Field(default=None, description="Label names with commas between; all must be on it.")
    sort: Literal["created", "updated", "comments"] = Field(
        default="created", description="created, updated or comments."
    )
    direction: Literal["asc", "desc"] = Field(default="desc", description="asc or desc.")
    since: Line | None = Field(default=None, description="Only those changed at or after this time (ISO 8601, UTC).")


class MyOrgIssues(MyIssues):
    """Filters and order of the caller's issues in an organisation."""

    org: Name = Field(description="The organisation's login.", examples=["quayline"])


@app.operation(
    "issues/list",
    units=1,
    source=f"{SOURCE}#list-issues-assigned-to-the-authenticated-user",
    examples=[{}],
    raises=("validation_failed",),
)
def list_mine(call: Call, params: MyIssues) -> list[JsonObject]:
    """List issues and pull requests assigned to you (or by `filter`) in all repositories you can see."""
    context = GithubContext(call)
    return _list_issues(context, params, [repo.id for repo in visible(context)])


@app.operation(
    "issues/list-for-authenticated-user",
    units=1,
    source=f"{SOURCE}#list-user-account-issues-assigned-to-the-authenticated-user",
    examples=[{}],
    raises=("validation_failed",),
)
def list_own(call: Call, params: MyIssues) -> list[JsonObject]:
    """List issues assigned to you (or by `filter`) in repositories you own or belong to."""
    context = GithubContext(call)
    return _list_issues(
        context,
        params,
        [repo.id for repo in visible(context) if context.level(repo) != "pull" or repo.owner_id == context.me.id],
    )


@app.operation(
    "issues/list-for-org",
    units=1,
    source=f"{SOURCE}#list-organization-issues-assigned-to-the-authenticated-user",
    examples=[{"org": "quayline"}],
    raises=("not_found", "validation_failed"),
)
def list_for_org(call: Call, params: MyOrgIssues) -> list[JsonObject]:
    """List issues assigned to you (or by `filter`) in an organisation."""
    context = GithubContext(call)
    org = context.by_login(params.org, "Organization")
    return _list_issues(context, params, [repo.id for repo in visible(context) if repo.owner_id == org.id])


def visible(context: GithubContext) -> list[Repository]:
    """Return the ids of every repository the caller can see."""
    return [
        repo
        for repo in context.call.session.exec(select(Repository).order_by(col(Repository.id)))
        if context.sees(repo)
    ]


def _list_issues(context: GithubContext, params: MyIssues, repos: list[int]) -> list[JsonObject]:
    where: list[Condition] = [col(Issue.repo_id).in_(repos), *_filter_conditions(context, params.filter)]
    if params.state != "all":
        where.append(Issue.state == params.state)
    if params.since:
        where.append(Issue.updated_at >= (moment(params.since, "Issue", "since") or 0))
    names = [name.strip() for name in (params.labels or "").split(",") if name.strip()]
    labelled = select(IssueLabel.issue_id).join(Label, col(Label.id) == col(IssueLabel.label_id))
    where += [col(Issue.id).in_(labelled.where(has_name(context.call, name))) for name in names]
    total = context.call.scalar(select(func.count()).select_from(Issue).where(*where))
    key = col(SORTS.get(params.sort, Issue.created_at))
    order = (key.desc(), col(Issue.id).desc()) if params.direction == "desc" else (key, col(Issue.id))
    rows = list(
        context.call.session.exec(select(Issue).where(*where).order_by(*order).offset(params.start).limit(params.size))
    )
    return ListPage(_list_json(context, rows, params.mediaType), total)


def _list_json(context: GithubContext, rows: list[Issue], media: str | None) -> list[JsonObject]:
    by_repo: dict[int, list[Issue]] = {}
    for row in rows:
        by_repo.setdefault(row.repo_id, []).append(row)
    made: dict[int, JsonObject] = {}
    for id, issues in by_repo.items():
        repo = context.repo_by_id(id)
        if repo is None:
            raise OperationError("not_found")
        shown = repo_json(context, repo)
        made |= {issue["id"]: {**issue, "repository": shown} for issue in issues_json(context, repo, issues, media)}
    return [made[row.id] for row in rows]


def _filter_conditions(context: GithubContext, filter: str) -> list[Condition]:
    me = context.me.id
    assigned = col(Issue.id).in_(select(Assignee.issue_id).where(Assignee.account_id == me))
    following = (
        Subscription.account_id == me,
        col(Subscription.ignored).is_(False),
        col(Subscription.unsubscribed).is_(False),
    )
    followed = col(Issue.id).in_(select(Subscription.issue_id).where(*following))
    mentioned = col(Issue.id).in_(
        [row[0] for row in context.call.all(notify.MENTIONING, {"login": f"%@{context.me.login}%"})]
    )
    own = Issue.author_id == me
    found = {"assigned": assigned, "created": own, "mentioned": mentioned, "subscribed": or_(followed, assigned, own)}
    return [found[filter]] if filter in found else []
