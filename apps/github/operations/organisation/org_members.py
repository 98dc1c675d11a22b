"""Memberships of organisations: members, roles, and public visibility."""

from typing import Literal, TypedDict

from pydantic import Field
from sqlmodel import col, select

from apps.github.app import app
from apps.github.columns import Condition
from apps.github.domain.context import GithubContext
from apps.github.domain.params import ListPage, Login, PageParams, Redirect, page_of
from apps.github.models import Account, OrgMember, TeamMember
from apps.github.operations.organisation.orgs import (
    ORG,
    SOURCE,
    OrgJson,
    OrgRef,
    find_org,
    need_owner,
    org_json,
    orgs_of,
    role_of,
)
from apps.github.refusals import unprocessable
from apps.github.views.accounts import UserJson, user_json
from world.core.call import Call
from world.core.errors import OperationError

COLLEAGUE = {**ORG, "username": "$orgs/list-members:0.login"}


class MembershipJson(TypedDict):
    """A membership (schema org-membership)."""

    url: str
    state: str
    role: str
    organization_url: str
    organization: OrgJson
    user: UserJson


class MemberList(OrgRef, PageParams):
    """Filters of members."""

    filter: Literal["all", "2fa_disabled", "2fa_insecure"] = Field(
        default="all", description="all, or by second factor (nobody has one)."
    )
    role: Literal["all", "admin", "member"] = Field(default="all", description="all, admin or member.")


class PublicMembers(OrgRef, PageParams):
    """The public members."""


class MemberRef(OrgRef):
    """A person and an organisation."""

    username: Login


class MembershipSet(MemberRef):
    """Role to give somebody in an organisation."""

    role: Literal["admin", "member"] = Field(default="member", description="admin or member.")


class Memberships(PageParams):
    """The caller's memberships."""

    state: Literal["active", "pending"] | None = Field(default=None, description="active or pending.")


def _members(context: GithubContext, org: Account, *where: Condition) -> list[Account]:
    query = (
        select(Account)
        .join(OrgMember, col(OrgMember.account_id) == col(Account.id))
        .where(OrgMember.org_id == org.id, *where)
    )
    return list(context.call.session.exec(query.order_by(col(Account.login))))


@app.operation(
    "orgs/list-members",
    units=1,
    source=f"{SOURCE}/members#list-organization-members",
    examples=[ORG],
    raises=("not_found", "unprocessable"),
)
def list_members(call: Call, params: MemberList) -> list[UserJson]:
    """List the members of an organisation; outsiders see the public ones."""
    context = GithubContext(call)
    org = find_org(context, params.org)
    role = role_of(context, org, context.me)
    if params.filter != "all" and role != "admin":
        raise unprocessable("Only owners can use this filter.")
    where: list[Condition] = [] if role else [OrgMember.public]
    where += [] if params.role == "all" else [OrgMember.role == params.role]
    page = page_of(_members(context, org, *where) if params.filter != "2fa_insecure" else [], params)
    return ListPage([user_json(context, one) for one in page], page.total)


@app.operation(
    "orgs/list-public-members",
    units=1,
    source=f"{SOURCE}/members#list-public-organization-members",
    examples=[ORG],
    raises=("not_found",),
)
def list_public_members(call: Call, params: PublicMembers) -> list[UserJson]:
    """List the public members of an organisation."""
    context = GithubContext(call)
    page = page_of(_members(context, find_org(context, params.org), OrgMember.public), params)
    return ListPage([user_json(context, one) for one in page], page.total)


def membership(context: GithubContext, org: Account, username: str) -> OrgMember:
    """Return somebody's membership. Raises not_found."""
    account = context.find_login(username)
    row = None if account is None else context.call.session.get(OrgMember, (org.id, account.id))
    if row is None:
        raise OperationError("not_found")
    return row


@app.operation(
    "orgs/check-membership-for-user",
    units=1,
    source=f"{SOURCE}/members#check-organization-membership-for-a-user",
    examples=[COLLEAGUE],
    raises=("not_found",),
)
def check_membership_for_user(call: Call, params: MemberRef) -> Redirect | None:
    """Check whether somebody is a member: an empty answer if so, not found if not."""
    context = GithubContext(call)
    org = find_org(context, params.org)
    if role_of(context, org, context.me) is None:
        return Redirect(f"{context.api}/orgs/{org.login}/public_members/{params.username}")
    membership(context, org, params.username)
    return None


@app.operation(
    "orgs/check-public-membership-for-user",
    units=1,
    source=f"{SOURCE}/members#check-public-organization-membership-for-a-user",
    after=["orgs/set-public-membership-for-authenticated-user"],
    examples=[{**ORG, "username": "$users/get-authenticated:login"}],
    raises=("not_found",),
)
def check_public_membership_for_user(call: Call, params: MemberRef) -> None:
    """Check whether somebody is a public member of an organisation."""
    context = GithubContext(call)
    if not membership(context, find_org(context, params.org), params.username).public:
        raise OperationError("not_found")


def _tell(call: Call, params: MemberRef, *, public: bool) -> None:
    context = GithubContext(call)
    row = membership(context, find_org(context, params.org), params.username)
    if row.account_id != context.me.id:
        raise OperationError("refused", why="You cannot publicize another member's membership.")
    row.public = public
    context.add(row)


@app.operation(
    "orgs/set-public-membership-for-authenticated-user",
    writes=True,
    units=1,
    source=f"{SOURCE}/members#set-public-organization-membership-for-the-authenticated-user",
    examples=[{**ORG, "username": "$users/get-authenticated:login"}],
    raises=("not_found", "refused"),
)
def set_public_membership(call: Call, params: MemberRef) -> None:
    """Make the caller's membership public."""
    _tell(call, params, public=True)


@app.operation(
    "orgs/remove-public-membership-for-authenticated-user",
    writes=True,
    units=1,
    source=f"{SOURCE}/members#remove-public-organization-membership-for-the-authenticated-user",
    examples=[{**ORG, "username": "$users/get-authenticated:login"}],
    raises=("not_found", "refused"),
)
def remove_public_membership(call: Call, params: MemberRef) -> None:
    """Make the caller's membership visible to members only."""
    _tell(call, params, public=False)


def membership_json(context: GithubContext, org: Account, row: OrgMember) -> MembershipJson:
    """Render a membership (schema org-membership)."""
    account, url = context.account(row.account_id), f"{context.api}/orgs/{org.login}"
    return {
        "url": f"{url}/memberships/{account.login}",
        "state": "active",
        "role": row.role,
        "organization_url": url,
        "organization": org_json(context, org),
        "user": user_json(context, account),
    }


@app.operation(
    "orgs/get-membership-for-user",
    units=1,
    source=f"{SOURCE}/members#get-organization-membership-for-a-user",
    examples=[COLLEAGUE],
    raises=("not_found", "refused"),
)
def get_membership_for_user(call: Call, params: MemberRef) -> MembershipJson:
    """Read somebody's role in an organisation: admin or member."""
    context = GithubContext(call)
    org = find_org(context, params.org)
    if role_of(context, org, context.me) is None:
        raise OperationError("refused", why="You must be a member of this organization to see its memberships.")
    return membership_json(context, org, membership(context, org, params.username))


@app.operation(
    "orgs/get-membership-for-authenticated-user",
    units=1,
    source=f"{SOURCE}/members#get-an-organization-membership-for-the-authenticated-user",
    examples=[ORG],
    raises=("not_found",),
)
def get_membership_for_authenticated_user(call: Call, params: OrgRef) -> MembershipJson:
    """Read the caller's role in an organisation."""
    context = GithubContext(call)
    org = find_org(context, params.org)
    return membership_json(context, org, membership(context, org, context.me.login))


@app.operation(
    "orgs/list-memberships-for-authenticated-user",
    units=1,
    source=f"{SOURCE}/members#list-organization-memberships-for-the-authenticated-user",
    examples=[{}],
    raises=("bad_credentials",),
)
def list_memberships_for_authenticated_user(call: Call, params: Memberships) -> list[MembershipJson]:
    """List the caller's memberships of organisations, with roles."""
    context = GithubContext(call)
    mine = [] if params.state == "pending" else orgs_of(context, context.me)
    page = page_of(mine, params)
    return ListPage(
        [membership_json(context, org, membership(context, org, context.me.login)) for org in page], page.total
    )


@app.operation(
    "orgs/set-membership-for-user",
    writes=True,
    units=1,
    source=f"{SOURCE}/members#set-organization-membership-for-a-user",
    examples=[{**COLLEAGUE, "role": "admin"}],
    raises=("not_found", "refused"),
)
def set_membership_for_user(call: Call, params: MembershipSet) -> MembershipJson:
    """Add somebody to an organisation, or change their role; owners only.

    Deviates: people whom the vendor would invite become members at once.
    """
    context = GithubContext(call)
    org = find_org(context, params.org)
    need_owner(context, org)
    account = context.by_login(params.username, "User", "Bot")
    row = call.session.get(OrgMember, (org.id, account.id)) or OrgMember(org_id=org.id, account_id=account.id)
    _keep_an_owner(context, org, account, stays=params.role == "admin")
    row.role = params.role
    context.add(row)
    call.flush()
    return membership_json(context, org, row)


def _keep_an_owner(context: GithubContext, org: Account, account: Account, *, stays: bool) -> None:
    owners = context.call.session.exec(
        select(OrgMember.account_id).where(OrgMember.org_id == org.id, OrgMember.role == "admin")
    ).all()
    if not stays and list(owners) == [account.id]:
        raise OperationError("refused", why="Cannot remove the last owner of the organization.")


def _leave(call: Call, params: MemberRef) -> None:
    context = GithubContext(call)
    org = find_org(context, params.org)
    row = membership(context, org, params.username)
    if row.account_id != context.me.id:
        need_owner(context, org)
    _keep_an_owner(context, org, context.account(row.account_id), stays=False)
    mine = "SELECT id FROM github_team WHERE org_id = :org"
    values = {"org": org.id, "account": row.account_id}
    call.execute(f"DELETE FROM {TeamMember.__tablename__} WHERE account_id = :account AND team_id IN ({mine})", values)
    call.session.delete(row)
    call.flush()


@app.operation(
    "orgs/remove-member",
    writes=True,
    units=1,
    source=f"{SOURCE}/members#remove-an-organization-member",
    examples=[COLLEAGUE],
    raises=("not_found", "refused"),
)
def remove_member(call: Call, params: MemberRef) -> None:
    """Remove somebody from an organisation and all its teams."""
    _leave(call, params)


@app.operation(
    "orgs/remove-membership-for-user",
    writes=True,
    units=1,
    source=f"{SOURCE}/members#remove-organization-membership-for-a-user",
    examples=[COLLEAGUE],
    raises=("not_found", "refused"),
)
def remove_membership_for_user(call: Call, params: MemberRef) -> None:
    """Remove somebody from an organisation and all its teams."""
    _leave(call, params)
