"""Event feeds: of a repository, its network, an organisation or an account, and the events an account receives."""

from pydantic import Field
from sqlmodel import col, select

from apps.github.app import app
from apps.github.columns import Condition
from apps.github.domain.context import GithubContext
from apps.github.domain.event_query import happenings
from apps.github.domain.fork_compare import origin
from apps.github.domain.params import ListPage, Login, Name, PageParams, RepoRef, page_of
from apps.github.domain.visibility import list_visible_repositories
from apps.github.models import Account, Repository
from apps.github.views.events import happenings_json
from world.core.call import Call
from world.core.errors import OperationError
from world.core.json_types import JsonObject

SOURCE = "docs.github.com/rest/activity/events"
HERE = {"owner": "quayline", "repo": "payments"}
ME = "$users/get-authenticated:login"


class RepositoryFeed(RepoRef, PageParams):
    """Page of a repository's events."""


class OrganizationFeed(PageParams):
    """Page of an organisation's events."""

    org: Name = Field(description="The login of the organisation.", examples=["quayline"])


class UserFeed(PageParams):
    """Page of an account's events."""

    username: Login


class UserOrganizationFeed(UserFeed):
    """Page of an organisation's events in an account's feed."""

    org: Name = Field(description="The login of the organisation.", examples=["quayline"])


def _list_events(
    context: GithubContext, params: PageParams, *where: Condition, **whose: int | None
) -> list[JsonObject]:
    """Return one page of the events in visible repositories, under some conditions."""
    may = list_visible_repositories(context)
    query = select(Repository.id).where(col(Repository.id).in_(may.ids), *where)
    page = page_of(happenings(context, list(context.call.session.exec(query)), may.json, **whose), params)
    return ListPage(happenings_json(context, page), page.total)


def _public(context: GithubContext, who: Account) -> list[Condition]:
    """Return the condition that only public events of others are shown."""
    return [] if who.id == context.me.id else [Repository.visibility == "public"]


@app.operation(
    "activity/list-public-events",
    units=1,
    source=f"{SOURCE}#list-public-events",
    examples=[{}],
    raises=("bad_credentials",),
)
def list_public(call: Call, params: PageParams) -> list[JsonObject]:
    """List the events in all public repositories, latest first."""
    return _list_events(GithubContext(call), params, Repository.visibility == "public")


@app.operation(
    "activity/list-repo-events",
    units=1,
    source=f"{SOURCE}#list-repository-events",
    examples=[HERE],
    raises=("not_found",),
)
def list_repo(call: Call, params: RepositoryFeed) -> list[JsonObject]:
    """List the events in a repository, latest first: pushes, issues, pull requests, comments, releases, stars."""
    context = GithubContext(call)
    return _list_events(context, params, Repository.id == context.repo(params.owner, params.repo).id)


@app.operation(
    "activity/list-public-events-for-repo-network",
    units=1,
    source=f"{SOURCE}#list-public-events-for-a-network-of-repositories",
    examples=[HERE],
    raises=("not_found",),
)
def list_network(call: Call, params: RepositoryFeed) -> list[JsonObject]:
    """List the public events in a repository and its forks."""
    context = GithubContext(call)
    root = origin(context, context.repo(params.owner, params.repo)).id
    sql = """WITH RECURSIVE network(id) AS (SELECT :root UNION SELECT r.id FROM github_repository r JOIN network n ON
        r.fork_of = n.id)
        SELECT id FROM network ORDER BY id"""
    joined = [row[0] for row in call.all(sql, {"root": root})]
    return _list_events(context, params, col(Repository.id).in_(joined), Repository.visibility == "public")


@app.operation(
    "activity/list-public-org-events",
    units=1,
    source=f"{SOURCE}#list-public-organization-events",
    examples=[{"org": "quayline"}],
    raises=("not_found",),
)
def list_org(call: Call, params: OrganizationFeed) -> list[JsonObject]:
    """List the events in an organisation's public repositories."""
    context = GithubContext(call)
    org = context.by_login(params.org, "Organization")
    return _list_events(context, params, Repository.owner_id == org.id, Repository.visibility == "public")


@app.operation(
    "activity/list-events-for-authenticated-user",
    units=1,
    source=f"{SOURCE}#list-events-for-the-authenticated-user",
    examples=[{"username": ME}],
    raises=("not_found",),
)
def list_by(call: Call, params: UserFeed) -> list[JsonObject]:
    """List the events of somebody; of others only public ones."""
    context = GithubContext(call)
    who = context.by_login(params.username)
    return _list_events(context, params, *_public(context, who), actor=who.id)


@app.operation(
    "activity/list-public-events-for-user",
    units=1,
    source=f"{SOURCE}#list-public-events-for-a-user",
    examples=[{"username": ME}],
    raises=("not_found",),
)
def list_public_by(call: Call, params: UserFeed) -> list[JsonObject]:
    """List the public events of somebody."""
    context = GithubContext(call)
    return _list_events(context, params, Repository.visibility == "public", actor=context.by_login(params.username).id)


@app.operation(
    "activity/list-org-events-for-authenticated-user",
    units=1,
    source=f"{SOURCE}#list-organization-events-for-the-authenticated-user",
    examples=[{"username": ME, "org": "quayline"}],
    raises=("not_found",),
)
def list_org_of_mine(call: Call, params: UserOrganizationFeed) -> list[JsonObject]:
    """List the events in an organisation's repositories that you may see; `username` must be yourself."""
    context = GithubContext(call)
    if context.by_login(params.username).id != context.me.id:
        raise OperationError("not_found")
    return _list_events(context, params, Repository.owner_id == context.by_login(params.org, "Organization").id)


@app.operation(
    "activity/list-received-events-for-user",
    units=1,
    source=f"{SOURCE}#list-events-received-by-the-authenticated-user",
    examples=[{"username": ME}],
    raises=("not_found",),
)
def list_received(call: Call, params: UserFeed) -> list[JsonObject]:
    """List the events in repositories somebody watches and by people they follow; for others only public ones."""
    context = GithubContext(call)
    who = context.by_login(params.username)
    return _list_events(context, params, *_public(context, who), reader=who.id)


@app.operation(
    "activity/list-received-public-events-for-user",
    units=1,
    source=f"{SOURCE}#list-public-events-received-by-a-user",
    examples=[{"username": ME}],
    raises=("not_found",),
)
def list_public_received(call: Call, params: UserFeed) -> list[JsonObject]:
    """List the public events that somebody receives by watching and following."""
    context = GithubContext(call)
    return _list_events(context, params, Repository.visibility == "public", reader=context.by_login(params.username).id)
