"""Followers: the people who follow an account, and those it follows."""

from pydantic import Field
from sqlmodel import col, func, select

from apps.github.app import app
from apps.github.domain.context import GithubContext
from apps.github.domain.params import ListPage, Login, Name, PageParams
from apps.github.models import Account, Follow
from apps.github.refusals import invalid
from apps.github.views.accounts import UserJson, user_json
from world.core.call import Call
from world.core.errors import OperationError
from world.core.params import Params

SOURCE = "docs.github.com/rest/users/followers"
SOMEBODY = {"username": "$repos/list-collaborators:1.login"}


class UserName(Params):
    """One person."""

    username: Login


class UserFollowers(PageParams):
    """Page of an account's followers, or of the people it follows."""

    username: Login


class UserPair(UserName):
    """Two people: a possible follower and the one they may follow."""

    target_user: Name = Field(description="The login of the other.", examples=["mia"])


def _others(context: GithubContext, who: Account, params: PageParams, *, followers: bool) -> list[UserJson]:
    own, other = (Follow.followed_id, Follow.account_id) if followers else (Follow.account_id, Follow.followed_id)
    joined = select(Account).join(Follow, col(Account.id) == col(other)).where(own == who.id)
    rows = context.call.session.exec(
        joined.order_by(col(Follow.created_at), col(Account.id)).offset(params.start).limit(params.size)
    )
    total = context.call.scalar(select(func.count()).select_from(Follow).where(col(own) == who.id))
    return ListPage([user_json(context, row) for row in rows], total)


def _follows(context: GithubContext, who: Account, other: Account) -> Follow | None:
    return context.call.session.get(Follow, (who.id, other.id))


@app.operation(
    "users/follow",
    writes=True,
    units=1,
    source=f"{SOURCE}#follow-a-user",
    examples=[SOMEBODY],
    raises=("not_found", "validation_failed"),
)
def follow(call: Call, params: UserName) -> None:
    """Follow somebody, to receive their events."""
    context = GithubContext(call)
    other = context.by_login(params.username)
    if other.id == context.me.id:
        raise invalid("User", "username", "invalid", value=params.username)
    if _follows(context, context.me, other) is None:
        context.add(Follow(account_id=context.me.id, followed_id=other.id, created_at=call.now))


@app.operation(
    "users/unfollow",
    writes=True,
    units=1,
    source=f"{SOURCE}#unfollow-a-user",
    examples=[SOMEBODY],
    raises=("not_found",),
)
def unfollow(call: Call, params: UserName) -> None:
    """Unfollow somebody."""
    context = GithubContext(call)
    row = _follows(context, context.me, context.by_login(params.username))
    if row is not None:
        call.session.delete(row)


@app.operation(
    "users/check-person-is-followed-by-authenticated",
    units=1,
    examples=[SOMEBODY],
    after=["users/follow"],
    source=f"{SOURCE}#check-if-a-person-is-followed-by-the-authenticated-user",
    raises=("not_found",),
)
def check_own(call: Call, params: UserName) -> None:
    """Check whether you follow somebody: an empty answer if so, not_found if not."""
    context = GithubContext(call)
    if _follows(context, context.me, context.by_login(params.username)) is None:
        raise OperationError("not_found")


@app.operation(
    "users/check-following-for-user",
    units=1,
    source=f"{SOURCE}#check-if-a-user-follows-another-user",
    after=["users/follow"],
    examples=[{"username": "$users/get-authenticated:login", "target_user": "$repos/list-collaborators:1.login"}],
    raises=("not_found",),
)
def check(call: Call, params: UserPair) -> None:
    """Check whether somebody follows somebody else: an empty answer if so, not_found if not."""
    context = GithubContext(call)
    if _follows(context, context.by_login(params.username), context.by_login(params.target_user)) is None:
        raise OperationError("not_found")


@app.operation(
    "users/list-followers-for-authenticated-user",
    units=1,
    source=f"{SOURCE}#list-followers-of-the-authenticated-user",
    examples=[{}],
    raises=("bad_credentials",),
)
def own_followers(call: Call, params: PageParams) -> list[UserJson]:
    """List your followers."""
    context = GithubContext(call)
    return _others(context, context.me, params, followers=True)


@app.operation(
    "users/list-followed-by-authenticated-user",
    units=1,
    source=f"{SOURCE}#list-the-people-the-authenticated-user-follows",
    examples=[{}],
    raises=("bad_credentials",),
)
def own_followed(call: Call, params: PageParams) -> list[UserJson]:
    """List the people you follow."""
    context = GithubContext(call)
    return _others(context, context.me, params, followers=False)


@app.operation(
    "users/list-followers-for-user",
    units=1,
    source=f"{SOURCE}#list-followers-of-a-user",
    examples=[SOMEBODY],
    raises=("not_found",),
)
def followers(call: Call, params: UserFollowers) -> list[UserJson]:
    """List the followers of somebody."""
    context = GithubContext(call)
    return _others(context, context.by_login(params.username), params, followers=True)


@app.operation(
    "users/list-following-for-user",
    units=1,
    source=f"{SOURCE}#list-the-people-a-user-follows",
    examples=[SOMEBODY],
    raises=("not_found",),
)
def list_followed(call: Call, params: UserFollowers) -> list[UserJson]:
    """List the people somebody follows."""
    context = GithubContext(call)
    return _others(context, context.by_login(params.username), params, followers=False)
