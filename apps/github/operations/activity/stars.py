"""Stars: the people who starred a repository, and the repositories somebody starred."""

from typing import Literal, TypedDict

from pydantic import Field
from sqlmodel import col, func, select

from apps.github.app import app
from apps.github.domain.context import GithubContext, stamp
from apps.github.domain.params import ListPage, Name, PageParams, RepoRef
from apps.github.domain.visibility import list_visible_repositories
from apps.github.models import Account, Repository, Star
from apps.github.views.accounts import UserJson, repo_json, user_json
from world.core.call import Call
from world.core.errors import OperationError
from world.core.json_types import JsonObject
from world.core.params import Params

SOURCE = "docs.github.com/rest/activity/starring"
EXAMPLE = {"owner": "quayline", "repo": "payments"}


class StarTimes(Params):
    """Whether to include the time; the REST door takes it from the Accept header."""

    mediaType: Literal["star"] | None = Field(default=None, description="star: with the time of each star.")


class Stargazers(RepoRef, PageParams, StarTimes):
    """Page of the people who starred a repository."""


class StarredRepos(PageParams, StarTimes):
    """Order and page of the caller's starred repositories."""

    sort: Literal["created", "updated"] = Field(
        default="created", description="created (when it was starred) or updated (when it was pushed to)."
    )
    direction: Literal["asc", "desc"] = Field(default="desc", description="asc or desc.")


class UserStarredRepos(StarredRepos):
    """Order and page of somebody's starred repositories."""

    username: Name = Field(description="A login.", examples=["ada"])


class Count(TypedDict):
    """Number of items."""

    count: int


@app.operation(
    "activity/star-repo-for-authenticated-user",
    writes=True,
    units=1,
    examples=[EXAMPLE],
    source=f"{SOURCE}#star-a-repository-for-the-authenticated-user",
    raises=("not_found",),
)
def star(call: Call, params: RepoRef) -> None:
    """Star a repository."""
    context = GithubContext(call)
    repo = context.repo(params.owner, params.repo)
    if call.session.get(Star, (repo.id, context.me.id)) is None:
        context.add(Star(repo_id=repo.id, account_id=context.me.id, created_at=call.now))


@app.operation(
    "activity/unstar-repo-for-authenticated-user",
    writes=True,
    units=1,
    examples=[EXAMPLE],
    source=f"{SOURCE}#unstar-a-repository-for-the-authenticated-user",
    raises=("not_found",),
)
def unstar(call: Call, params: RepoRef) -> None:
    """Remove your star from a repository."""
    context = GithubContext(call)
    row = call.session.get(Star, (context.repo(params.owner, params.repo).id, context.me.id))
    if row is not None:
        call.session.delete(row)


@app.operation(
    "activity/check-repo-is-starred-by-authenticated-user",
    units=1,
    examples=[EXAMPLE],
    after=["activity/star-repo-for-authenticated-user"],
    source=f"{SOURCE}#check-if-a-repository-is-starred-by-the-authenticated-user",
    raises=("not_found",),
)
def check(call: Call, params: RepoRef) -> None:
    """Ask whether you starred a repository: nothing is answered if so, not_found if not."""
    context = GithubContext(call)
    if call.session.get(Star, (context.repo(params.owner, params.repo).id, context.me.id)) is None:
        raise OperationError("not_found")


@app.operation(
    "activity/list-stargazers-for-repo",
    units=1,
    source=f"{SOURCE}#list-stargazers",
    examples=[EXAMPLE],
    raises=("not_found",),
)
def stargazers(call: Call, params: Stargazers) -> list[UserJson | JsonObject]:
    """List the people who starred a repository."""
    context = GithubContext(call)
    repo = context.repo(params.owner, params.repo)
    rows = list(
        call.session.exec(
            select(Star, Account)
            .join(Account, col(Account.id) == col(Star.account_id))
            .where(Star.repo_id == repo.id)
            .order_by(col(Star.created_at), col(Star.account_id))
            .offset(params.start)
            .limit(params.size)
        )
    )
    total = call.scalar(select(func.count()).select_from(Star).where(Star.repo_id == repo.id))
    shown = [(row, user_json(context, account)) for row, account in rows]
    return ListPage(
        [{"starred_at": stamp(row.created_at), "user": user} if params.mediaType else user for row, user in shown],
        total,
    )


@app.operation(
    "activity/get-stargazer-count-for-repo",
    units=1,
    source=f"{SOURCE}#get-the-stargazer-count",
    examples=[EXAMPLE],
    raises=("not_found",),
)
def stargazer_count(call: Call, params: RepoRef) -> Count:
    """Count the stars of a repository."""
    repo = GithubContext(call).repo(params.owner, params.repo)
    return {"count": call.scalar(select(func.count()).select_from(Star).where(Star.repo_id == repo.id))}


@app.operation(
    "activity/list-repos-starred-by-authenticated-user",
    units=1,
    examples=[{}],
    source=f"{SOURCE}#list-repositories-starred-by-the-authenticated-user",
    raises=("bad_credentials",),
)
def list_own(call: Call, params: StarredRepos) -> list[JsonObject]:
    """List the repositories you starred."""
    context = GithubContext(call)
    return _list_starred(context, context.me, params)


@app.operation(
    "activity/list-repos-starred-by-user",
    units=1,
    examples=[{"username": "$users/get-authenticated:login"}],
    source=f"{SOURCE}#list-repositories-starred-by-a-user",
    raises=("not_found",),
)
def list_of_user(call: Call, params: UserStarredRepos) -> list[JsonObject]:
    """List the repositories somebody starred, as far as you can see them."""
    context = GithubContext(call)
    return _list_starred(context, context.by_login(params.username), params)


def _list_starred(context: GithubContext, who: Account, params: StarredRepos) -> list[JsonObject]:
    where = (Star.account_id == who.id, col(Star.repo_id).in_(list_visible_repositories(context).ids))
    key = col(Repository.pushed_at if params.sort == "updated" else Star.created_at)
    order = (
        (key.asc(), col(Star.repo_id).asc()) if params.direction == "asc" else (key.desc(), col(Star.repo_id).desc())
    )
    joined = select(Star, Repository).join(Repository, col(Repository.id) == col(Star.repo_id))
    rows = list(
        context.call.session.exec(joined.where(*where).order_by(*order).offset(params.start).limit(params.size))
    )
    total = context.call.scalar(select(func.count()).select_from(Star).where(*where))
    shown = [(row, repo_json(context, repo)) for row, repo in rows]
    return ListPage(
        [{"starred_at": stamp(row.created_at), "repo": repo} if params.mediaType else repo for row, repo in shown],
        total,
    )
