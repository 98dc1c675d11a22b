"""Organisations: read, listed, changed, and their members' organisations."""

import re
from typing import Annotated, Any, Literal, TypedDict

from pydantic import AfterValidator, Field, JsonValue
from sqlmodel import col, select

from apps.github.app import app
from apps.github.domain.context import BASE, GithubContext, node, stamp
from apps.github.domain.params import Address, Int64, Line, ListPage, Login, Name, PageParams, page_of
from apps.github.models import Account, OrgMember
from world.core.call import Call
from world.core.errors import OperationError
from world.core.json_types import JsonObject
from world.core.params import Params

SOURCE = "docs.github.com/rest/orgs"
ORG = {"org": "quayline"}
COLLEAGUE = {**ORG, "username": "$orgs/list-members:0.login"}
_REPOS = """SELECT count(*) FILTER (WHERE visibility = 'public'), count(*) FILTER (WHERE visibility <> 'public'),
    coalesce(sum(size_kb), 0)
    FROM github_repository WHERE owner_id = :id"""


class OrgJson(TypedDict):
    """An organisation in a list (schema organization-simple)."""

    login: str
    id: int
    node_id: str
    url: str
    repos_url: str
    events_url: str
    hooks_url: str
    issues_url: str
    members_url: str
    public_members_url: str
    avatar_url: str
    description: str | None


class MemberOrgJson(TypedDict):
    """Fields of an organisation that only members see."""

    total_private_repos: JsonValue
    owned_private_repos: JsonValue
    disk_usage: JsonValue
    default_repository_permission: str
    members_can_create_repositories: int


def _as_email(text: str | None) -> str | None:
    if text and not re.fullmatch(r"[^@\s]+@[^@\s]+", text):
        raise ValueError("is not an email address")
    return text


Email = Annotated[Line | None, AfterValidator(_as_email)]


class OrgRef(Params):
    """One organisation."""

    org: Name = Field(description="The organisation's login.", examples=["quayline"])


class OrgAll(Params):
    """Start and page size of a list of all organisations."""

    since: Int64 = Field(default=0, description="Only organisations with a greater id.")
    per_page: Int64 = Field(default=30, description="Results per page, 100 at most.")


class MyOrgs(PageParams):
    """The caller's organisations."""


class UserOrgs(PageParams):
    """Somebody's organisations."""

    username: Login


class OrgUpdate(OrgRef):
    """Request fields for updating an organisation."""

    name: Line | None = Field(default=None, description="The name shown.")
    email: Email = Field(default=None, description="The address shown.")
    company: Line | None = Field(default=None, description="The company.")
    location: Line | None = Field(default=None, description="The place.")
    blog: Address = Field(default=None, description="An address with more.")
    description: Line | None = Field(default=None, description="What it does.", examples=["Payments for shops"])
    twitter_username: Line | None = Field(default=None, description="The name at that service.")
    default_repository_permission: Literal["read", "write", "admin", "none"] | None = Field(
        default=None, description="What members may do in every repository."
    )


def org_json(context: GithubContext, org: Account) -> OrgJson:
    """Render an organisation for a list (schema organization-simple)."""
    url = f"{context.api}/orgs/{org.login}"
    return {
        "login": org.login,
        "id": org.id,
        "node_id": node("Organization", org.id),
        "url": url,
        "repos_url": f"{url}/repos",
        "events_url": f"{url}/events",
        "hooks_url": f"{url}/hooks",
        "issues_url": f"{url}/issues",
        "members_url": f"{url}/members{{/member}}",
        "public_members_url": f"{url}/public_members{{/member}}",
        "avatar_url": context.avatar(org),
        "description": org.bio,
    }


def full_org(context: GithubContext, org: Account) -> JsonObject:
    """Render one organisation (schema team-organization, the greater part of organization-full)."""
    row = context.call.first(_REPOS, {"id": org.id})
    assert row is not None
    given = {"name": org.name, "company": org.company, "blog": org.blog, "location": org.location, "email": org.email}
    return {
        **org_json(context, org),
        **{name: value for name, value in given.items() if value},
        "twitter_username": org.twitter,
        "has_organization_projects": True,
        "has_repository_projects": True,
        "public_repos": row[0],
        "public_gists": 0,
        "followers": 0,
        "following": 0,
        "html_url": f"{context.html}/{org.login}",
        "type": "Organization",
        "created_at": stamp(org.created_at),
        "updated_at": stamp(org.updated_at),
        "archived_at": None,
        **(_inside(org, row) if role_of(context, org, context.me) else {}),
    }


def _inside(org: Account, row: Any) -> MemberOrgJson:
    """Render the fields that only members see."""
    return {
        "total_private_repos": row[1],
        "owned_private_repos": row[1],
        "disk_usage": row[2],
        "default_repository_permission": org.base_permission,
        "members_can_create_repositories": True,
    }


def role_of(context: GithubContext, org: Account, account: Account) -> str | None:
    """Return admin or member; None for people outside an organisation."""
    row = context.call.session.get(OrgMember, (org.id, account.id))
    return None if row is None else row.role


def need_owner(context: GithubContext, org: Account) -> None:
    """Require an owner. Raises refused, not_found."""
    role = role_of(context, org, context.me)
    if role is None:
        raise OperationError("not_found")
    if role != "admin":
        raise OperationError("refused", why="You must be an admin to do that.")


def find_org(context: GithubContext, name: str) -> Account:
    """Return an organisation by login. Raises not_found."""
    return context.by_login(name, "Organization")


@app.operation("orgs/get", units=1, source=f"{SOURCE}/orgs#get-an-organization", examples=[ORG], raises=("not_found",))
def get(call: Call, params: OrgRef) -> dict[str, Any]:
    """Read an organisation."""
    context = GithubContext(call)
    return full_org(context, find_org(context, params.org))


@app.operation(
    "orgs/update",
    writes=True,
    units=1,
    source=f"{SOURCE}/orgs#update-an-organization",
    examples=[{**ORG, "description": "Payments for shops"}],
    raises=("not_found", "refused"),
)
def update(call: Call, params: OrgUpdate) -> JsonObject:
    """Update an organisation's profile and its members' base permission."""
    context = GithubContext(call)
    org = find_org(context, params.org)
    need_owner(context, org)
    columns = {"description": "bio", "twitter_username": "twitter", "default_repository_permission": "base_permission"}
    for name, value in params.model_dump(exclude_unset=True, exclude={"org"}).items():
        if value is not None or name not in ("default_repository_permission", "blog"):
            setattr(org, columns.get(name, name), value)
    assert org.base_permission in BASE
    org.updated_at = call.now
    context.add(org)
    return full_org(context, org)


@app.operation(
    "orgs/list", units=1, source=f"{SOURCE}/orgs#list-organizations", examples=[{}], raises=("bad_credentials",)
)
def list_orgs(call: Call, params: OrgAll) -> list[OrgJson]:
    """List all organisations by id."""
    context = GithubContext(call)
    size = params.per_page if 1 <= params.per_page <= 100 else 30
    query = (
        select(Account).where(Account.kind == "Organization", col(Account.id) > params.since).order_by(col(Account.id))
    )
    return [org_json(context, org) for org in call.session.exec(query.limit(size))]


def orgs_of(context: GithubContext, account: Account, *, public: bool = False) -> list[Account]:
    """Return the organisations of an account; `public`: only public memberships."""
    query = (
        select(Account)
        .join(OrgMember, col(OrgMember.org_id) == col(Account.id))
        .where(OrgMember.account_id == account.id)
    )
    if public:
        query = query.where(OrgMember.public)
    return list(context.call.session.exec(query.order_by(col(Account.id))))


@app.operation(
    "orgs/list-for-authenticated-user",
    units=1,
    source=f"{SOURCE}/orgs#list-organizations-for-the-authenticated-user",
    examples=[{}],
    raises=("bad_credentials",),
)
def list_for_authenticated_user(call: Call, params: MyOrgs) -> list[OrgJson]:
    """List the organisations the caller belongs to."""
    context = GithubContext(call)
    page = page_of(orgs_of(context, context.me), params)
    return ListPage([org_json(context, org) for org in page], page.total)


@app.operation(
    "orgs/list-for-user",
    units=1,
    source=f"{SOURCE}/orgs#list-organizations-for-a-user",
    examples=[{"username": "$users/get-authenticated:login"}],
    raises=("not_found",),
)
def list_for_user(call: Call, params: UserOrgs) -> list[OrgJson]:
    """List the organisations somebody is a public member of."""
    context = GithubContext(call)
    page = page_of(orgs_of(context, context.by_login(params.username), public=True), params)
    return ListPage([org_json(context, org) for org in page], page.total)
