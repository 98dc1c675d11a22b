"""People: the caller, others, and their email addresses."""

from typing import Annotated, Any

from pydantic import Field
from sqlmodel import col, select

from apps.github.app import app
from apps.github.domain.context import GithubContext, stamp
from apps.github.domain.params import Id, Int64, Line, Login, PageParams, page_of
from apps.github.models import Account
from apps.github.refusals import invalid
from apps.github.views.accounts import UserJson, user_json
from world.core.call import Call
from world.core.errors import OperationError
from world.core.json_types import JsonObject
from world.core.params import NoParams, Params, Text

SOURCE = "docs.github.com/rest/users"
ME = "$users/get-authenticated:login"
_REPOS = """SELECT count(*) FILTER (WHERE visibility = 'public'), count(*) FILTER (WHERE visibility <> 'public'),
    coalesce(sum(size_kb), 0)
    FROM github_repository WHERE owner_id = :id"""
_GISTS = (
    "SELECT count(*) FILTER (WHERE public), count(*) FILTER (WHERE NOT public) FROM github_gist WHERE owner_id = :id"
)
_FOLLOWS = """SELECT (SELECT count(*) FROM github_follow WHERE followed_id = :id), (SELECT count(*) FROM github_follow
    WHERE account_id = :id)"""
_COLLABORATORS = """SELECT count(DISTINCT c.account_id) FROM github_collaborator c JOIN github_repository r ON r.id =
    c.repo_id
    WHERE r.owner_id = :id AND r.visibility <> 'public'"""


class UserRef(Params):
    """A person by login."""

    username: Login


class UserId(Params):
    """A person by number."""

    account_id: Id = Field(description="The number of the account.")


class UserList(Params):
    """Start and page size of a list of all accounts."""

    since: Int64 = Field(default=0, description="Only accounts with a greater id.")
    per_page: Int64 = Field(default=30, description="Results per page, 100 at most.")


class Emails(PageParams):
    """The caller's addresses."""


class Profile(Params):
    """Request fields for updating the caller's profile."""

    name: Line | None = Field(default=None, description="The name shown.")
    email: Line | None = Field(default=None, description="The address shown.")
    blog: Line | None = Field(default=None, description="An address with more.")
    twitter_username: Line | None = Field(default=None, description="The name at that service.")
    company: Line | None = Field(default=None, description="The company.", examples=["Quayline"])
    location: Line | None = Field(default=None, description="The place.")
    hireable: bool | None = Field(default=None, description="Whether one looks for work.")
    bio: Annotated[Text, Field(max_length=160)] | None = Field(default=None, description="A few words about oneself.")


def public_json(context: GithubContext, account: Account) -> JsonObject:
    """Render an account as everybody sees it (schema public-user)."""
    repos, gists = _counts(context, account)
    return {
        **user_json(context, account),
        "name": account.name,
        "company": account.company,
        "blog": account.blog,
        "location": account.location,
        "email": account.email,
        "hireable": account.hireable,
        "bio": account.bio,
        "twitter_username": account.twitter,
        "public_repos": repos[0],
        "public_gists": gists[0],
        **_count_follows(context, account),
        "created_at": stamp(account.created_at),
        "updated_at": stamp(account.updated_at),
    }


def _count_follows(context: GithubContext, account: Account) -> dict[str, int]:
    row = context.call.first(_FOLLOWS, {"id": account.id})
    assert row is not None
    return {"followers": row[0], "following": row[1]}


def _counts(context: GithubContext, account: Account) -> tuple[Any, Any]:
    values = {"id": account.id}
    return context.call.first(_REPOS, values), context.call.first(_GISTS, values)


def private_json(context: GithubContext, account: Account) -> JsonObject:
    """Render the caller's own account (schema private-user)."""
    context.call.flush()
    repos, gists = _counts(context, account)
    return {
        **public_json(context, account),
        "user_view_type": "private",
        "notification_email": account.email,
        "private_gists": gists[1],
        "total_private_repos": repos[1],
        "owned_private_repos": repos[1],
        "disk_usage": repos[2],
        "collaborators": context.call.scalar(_COLLABORATORS, {"id": account.id}),
        "two_factor_authentication": False,
    }


@app.operation(
    "users/get-authenticated",
    units=1,
    source=f"{SOURCE}/users#get-the-authenticated-user",
    examples=[{}],
    raises=("bad_credentials",),
)
def get_authenticated(call: Call, params: NoParams) -> JsonObject:
    """Read the caller's own account: login, name, address, counts."""
    context = GithubContext(call)
    return private_json(context, context.me)


@app.operation(
    "users/update-authenticated",
    writes=True,
    units=1,
    source=f"{SOURCE}/users#update-the-authenticated-user",
    examples=[{"company": "Quayline"}],
    raises=("bad_credentials", "validation_failed"),
)
def update_authenticated(call: Call, params: Profile) -> JsonObject:
    """Update the caller's profile: name, company, location, bio."""
    context = GithubContext(call)
    me, given = context.me, params.model_dump(exclude_unset=True)
    if given.get("email") and given["email"].lower() != (me.email or "").lower():
        raise invalid("User", "email", "custom", "email is not a verified address of this account")
    for name, value in given.items():
        setattr(
            me, "twitter" if name == "twitter_username" else name, "" if name == "blog" and value is None else value
        )
    me.updated_at = call.now
    context.add(me)
    return private_json(context, me)


@app.operation(
    "users/get-by-username",
    units=1,
    source=f"{SOURCE}/users#get-a-user",
    examples=[{"username": ME}],
    raises=("not_found",),
)
def get_by_username(call: Call, params: UserRef) -> JsonObject:
    """Read somebody's account by login."""
    context = GithubContext(call)
    return public_json(context, context.by_login(params.username))


@app.operation(
    "users/get-by-id",
    units=1,
    source=f"{SOURCE}/users#get-a-user-using-their-id",
    examples=[{"account_id": "$users/get-authenticated:id"}],
    raises=("not_found",),
)
def get_by_id(call: Call, params: UserId) -> JsonObject:
    """Read somebody's account by its number."""
    context = GithubContext(call)
    account = call.session.get(Account, params.account_id)
    if account is None:
        raise OperationError("not_found")
    return public_json(context, account)


@app.operation("users/list", units=1, source=f"{SOURCE}/users#list-users", examples=[{}], raises=("bad_credentials",))
def list_users(call: Call, params: UserList) -> list[UserJson]:
    """List all accounts, including organisations, by id."""
    context = GithubContext(call)
    size = params.per_page if 1 <= params.per_page <= 100 else 30
    found = call.session.exec(
        select(Account).where(col(Account.id) > params.since).order_by(col(Account.id)).limit(size)
    )
    return [user_json(context, account) for account in found]


@app.operation(
    "users/list-emails-for-authenticated-user",
    units=1,
    source=f"{SOURCE}/emails#list-email-addresses-for-the-authenticated-user",
    examples=[{}],
    raises=("bad_credentials",),
)
def list_emails_for_authenticated_user(call: Call, params: Emails) -> list[JsonObject]:
    """List the caller's email addresses."""
    context = GithubContext(call)
    me = context.me
    hidden = f"{me.id}+{me.login}@users.noreply.github.com"
    shown = [{"email": me.email, "primary": True, "verified": True, "visibility": "public"}] if me.email else []
    return page_of([*shown, {"email": hidden, "primary": not shown, "verified": True, "visibility": None}], params)
