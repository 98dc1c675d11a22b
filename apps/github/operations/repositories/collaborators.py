"""Collaborators of a repository: listed, checked, added, removed, and invited from outside."""

from typing import Literal, TypedDict

from pydantic import Field
from sqlmodel import col, select

from apps.github.app import app
from apps.github.domain.context import LEVELS, ROLE, GithubContext, rank, stamp
from apps.github.domain.params import Id, Line, ListPage, Login, PageParams, Reply, RepoRef, page_of
from apps.github.models import Account, Collaborator, Invitation, OrgMember, Repository
from apps.github.operations.repositories.repository_lifecycle import admit
from apps.github.refusals import invalid
from apps.github.views.accounts import UserJson, minimal_repo, user_json
from apps.github.views.repository_settings import collaborator_json
from world.core.call import Call
from world.core.errors import OperationError
from world.core.json_types import JsonObject

SOURCE = "docs.github.com/rest/collaborators"
HERE = {"owner": "quayline", "repo": "payments"}
SYNONYMS = {"read": "pull", "write": "push"}
COARSE = {"none": "none", "pull": "read", "triage": "read", "push": "write", "maintain": "write", "admin": "admin"}
COLLEAGUE = "$repos/list-collaborators:0.login"


class InvitationJson(TypedDict):
    """An invitation (schema repository-invitation)."""

    id: int
    node_id: str
    repository: JsonObject
    invitee: UserJson
    inviter: UserJson
    permissions: str
    created_at: str | None
    expired: int
    url: str
    html_url: str


class CollaboratorList(RepoRef, PageParams):
    """Filters of collaborators."""

    affiliation: Literal["outside", "direct", "all"] = Field(
        default="all", description="outside the organisation, direct, or all."
    )
    permission: Literal["pull", "triage", "push", "maintain", "admin"] | None = Field(
        default=None, description="Only those with this permission."
    )


class CollaboratorRef(RepoRef):
    """One person and a repository."""

    username: Login


class CollaboratorAdd(CollaboratorRef):
    """A person to add as a collaborator, with their permission."""

    permission: Line = Field(default="push", description="pull, triage, push, maintain or admin.")


@app.operation(
    "repos/list-collaborators",
    units=1,
    source=f"{SOURCE}/collaborators#list-repository-collaborators",
    examples=[HERE],
    raises=("not_found", "refused"),
)
def list_collaborators(call: Call, params: CollaboratorList) -> list[JsonObject]:
    """List the people with access to a repository, with their permissions."""
    context = GithubContext(call)
    repo = context.repo(params.owner, params.repo)
    if not context.may(repo, "push"):
        raise OperationError("refused", why="Must have push access to view repository collaborators.")
    found = [(one, context.level(repo, one)) for one in _people(context, repo, params.affiliation)]
    shown = [(one, level) for one, level in found if level != "none" and params.permission in (None, level)]
    page = page_of(shown, params)
    return ListPage([collaborator_json(context, one, level) for one, level in page], page.total)


def _people(context: GithubContext, repo: Repository, affiliation: str) -> list[Account]:
    """Return the people with access to a repository beyond public access, by id."""
    direct = set(context.call.session.exec(select(Collaborator.account_id).where(Collaborator.repo_id == repo.id)))
    owner = context.account(repo.owner_id)
    members = set(context.call.session.exec(select(OrgMember.account_id).where(OrgMember.org_id == owner.id)))
    chosen = {"outside": direct - members, "direct": direct, "all": direct | members}[affiliation]
    if owner.kind == "User" and affiliation != "outside":
        chosen |= {owner.id}
    context.preload(chosen)
    return [context.account(id) for id in sorted(chosen)]


def is_collaborator(context: GithubContext, repo: Repository, account: Account) -> bool:
    """Whether somebody has access to a repository: as a collaborator, through a team or as a member."""
    return any(one.id == account.id for one in _people(context, repo, "all")) and context.level(repo, account) != "none"


@app.operation(
    "repos/check-collaborator",
    units=1,
    source=f"{SOURCE}/collaborators#check-if-a-user-is-a-repository-collaborator",
    examples=[{**HERE, "username": COLLEAGUE}],
    raises=("not_found", "refused"),
)
def check_collaborator(call: Call, params: CollaboratorRef) -> None:
    """Check whether somebody is a collaborator: an empty answer if so, not found if not."""
    context = GithubContext(call)
    repo = context.repo(params.owner, params.repo)
    if not context.may(repo, "push"):
        raise OperationError("refused", why="Must have push access to view repository collaborators.")
    account = context.find_login(params.username)
    if account is None or not is_collaborator(context, repo, account):
        raise OperationError("not_found")


@app.operation(
    "repos/get-collaborator-permission-level",
    units=1,
    source=f"{SOURCE}/collaborators#get-repository-permissions-for-a-user",
    examples=[{**HERE, "username": COLLEAGUE}],
    raises=("not_found",),
)
def get_collaborator_permission_level(call: Call, params: CollaboratorRef) -> JsonObject:
    """Read somebody's permission in a repository: admin, write, read or none."""
    context = GithubContext(call)
    repo = context.repo(params.owner, params.repo)
    account = context.find_login(params.username)
    if account is None or account.kind == "Organization":
        raise OperationError("not_found")
    level = context.level(repo, account)
    return {"permission": COARSE[level], "role_name": ROLE[level], "user": collaborator_json(context, account, level)}


@app.operation(
    "repos/add-collaborator",
    writes=True,
    units=1,
    source=f"{SOURCE}/collaborators#add-a-repository-collaborator",
    examples=[{**HERE, "username": COLLEAGUE, "permission": "triage"}],
    raises=("not_found", "forbidden", "archived", "validation_failed"),
)
def add_collaborator(call: Call, params: CollaboratorAdd) -> Reply:
    """Give somebody access to a repository; people from outside get an invitation."""
    context = GithubContext(call)
    repo = context.repo(params.owner, params.repo)
    context.need(repo, "admin")
    account = context.by_login(params.username)
    permission = SYNONYMS.get(params.permission, params.permission)
    if permission not in LEVELS[1:]:
        raise invalid("Repository", "permission", "invalid", value=params.permission)
    if account.id == repo.owner_id or account.kind == "Organization":
        raise invalid("Collaborator", "username", "custom", "Repository owner cannot be a collaborator")
    if needs_no_invitation(context, repo, account):
        admit(context, repo, account, permission)
        return Reply({}, 204)
    return Reply(invitation_json(context, _invite(context, repo, account, permission)), 201)


def needs_no_invitation(context: GithubContext, repo: Repository, account: Account) -> bool:
    """Whether somebody is added without an invitation: members, and people who already have access."""
    session = context.call.session
    return (
        session.get(OrgMember, (repo.owner_id, account.id)) is not None
        or session.get(Collaborator, (repo.id, account.id)) is not None
    )


def _invite(context: GithubContext, repo: Repository, account: Account, permission: str) -> Invitation:
    row = context.call.session.exec(
        select(Invitation).where(Invitation.repo_id == repo.id, Invitation.invitee_id == account.id)
    ).first()
    if row is None:
        id = context.next_id("github_invitation")
        row = Invitation(
            id=id,
            repo_id=repo.id,
            invitee_id=account.id,
            inviter_id=context.me.id,
            permission=permission,
            created_at=context.call.now,
        )
    row.permission = permission
    context.add(row)
    context.call.flush()
    return row


def invitation_json(context: GithubContext, row: Invitation) -> InvitationJson:
    """Render an invitation (schema repository-invitation)."""
    repo = context.repo_by_id(row.repo_id)
    assert repo is not None
    return {
        "id": row.id,
        "node_id": f"RI_{row.id}",
        "repository": minimal_repo(context, repo),
        "invitee": user_json(context, context.account(row.invitee_id)),
        "inviter": user_json(context, context.account(row.inviter_id)),
        "permissions": ROLE[row.permission],
        "created_at": stamp(row.created_at),
        "expired": False,
        "url": f"{context.api}/user/repository_invitations/{row.id}",
        "html_url": f"{context.repo_html(repo)}/invitations",
    }


@app.operation(
    "repos/remove-collaborator",
    writes=True,
    units=1,
    source=f"{SOURCE}/collaborators#remove-a-repository-collaborator",
    after=["repos/add-collaborator"],
    examples=[{**HERE, "username": COLLEAGUE}],
    raises=("not_found", "forbidden"),
)
def remove_collaborator(call: Call, params: CollaboratorRef) -> None:
    """Remove somebody's access to a repository; everybody may remove their own."""
    context = GithubContext(call)
    repo = context.repo(params.owner, params.repo)
    account = context.by_login(params.username)
    if account.id != context.me.id and not context.may(repo, "admin"):
        raise OperationError("forbidden")
    row = call.session.get(Collaborator, (repo.id, account.id))
    if row is not None:
        call.session.delete(row)
    for asked in call.session.exec(
        select(Invitation).where(Invitation.repo_id == repo.id, Invitation.invitee_id == account.id)
    ):
        call.session.delete(asked)
    call.flush()


class InvitationList(RepoRef, PageParams):
    """Page of invitations to a repository."""


class InvitationRef(RepoRef):
    """One invitation."""

    invitation_id: Id = Field(description="The id of the invitation.")


class InvitationUpdate(InvitationRef):
    """Request fields for updating an invitation."""

    permissions: Literal["read", "write", "maintain", "triage", "admin"] | None = Field(
        default=None, description="What they shall be allowed."
    )


class MyInvitations(PageParams):
    """Page of the caller's invitations."""


class MyInvitation(PageParams):
    """One invitation of the caller."""

    invitation_id: Id = Field(description="The id of the invitation.")


@app.operation(
    "repos/list-invitations",
    units=1,
    source=f"{SOURCE}/invitations#list-repository-invitations",
    examples=[HERE],
    raises=("not_found", "forbidden"),
)
def list_invitations(call: Call, params: InvitationList) -> list[InvitationJson]:
    """List open invitations to a repository."""
    context = GithubContext(call)
    repo = context.repo(params.owner, params.repo)
    if not context.may(repo, "admin"):
        raise OperationError("forbidden")
    page = page_of(
        list(call.session.exec(select(Invitation).where(Invitation.repo_id == repo.id).order_by(col(Invitation.id)))),
        params,
    )
    return ListPage([invitation_json(context, row) for row in page], page.total)


def _of_repo(context: GithubContext, params: InvitationRef) -> Invitation:
    repo = context.repo(params.owner, params.repo)
    if not context.may(repo, "admin"):
        raise OperationError("forbidden")
    row = context.call.session.get(Invitation, params.invitation_id)
    if row is None or row.repo_id != repo.id:
        raise OperationError("not_found")
    return row


@app.operation(
    "repos/update-invitation",
    writes=True,
    units=1,
    source=f"{SOURCE}/invitations#update-a-repository-invitation",
    examples=[{**HERE, "invitation_id": 1, "permissions": "read"}],
    raises=("not_found", "forbidden"),
)
def update_invitation(call: Call, params: InvitationUpdate) -> InvitationJson:
    """Change the permission that an invitation gives."""
    context = GithubContext(call)
    row = _of_repo(context, params)
    if params.permissions is not None:
        row.permission = SYNONYMS.get(params.permissions, params.permissions)
        context.add(row)
    return invitation_json(context, row)


@app.operation(
    "repos/delete-invitation",
    writes=True,
    units=1,
    source=f"{SOURCE}/invitations#delete-a-repository-invitation",
    examples=[{**HERE, "invitation_id": 1}],
    raises=("not_found", "forbidden"),
)
def delete_invitation(call: Call, params: InvitationRef) -> None:
    """Withdraw an invitation."""
    call.session.delete(_of_repo(GithubContext(call), params))


@app.operation(
    "repos/list-invitations-for-authenticated-user",
    units=1,
    source=f"{SOURCE}/invitations#list-repository-invitations-for-the-authenticated-user",
    examples=[{}],
    raises=("bad_credentials",),
)
def list_invitations_for_authenticated_user(call: Call, params: MyInvitations) -> list[InvitationJson]:
    """List the caller's open invitations to repositories."""
    context = GithubContext(call)
    page = page_of(
        list(
            call.session.exec(
                select(Invitation).where(Invitation.invitee_id == context.me.id).order_by(col(Invitation.id))
            )
        ),
        params,
    )
    return ListPage([invitation_json(context, row) for row in page], page.total)


def _mine(context: GithubContext, id: int) -> Invitation:
    row = context.call.session.get(Invitation, id)
    if row is None or row.invitee_id != context.me.id:
        raise OperationError("not_found")
    return row


@app.operation(
    "repos/accept-invitation-for-authenticated-user",
    writes=True,
    units=1,
    source=f"{SOURCE}/invitations#accept-a-repository-invitation",
    examples=[{"invitation_id": 1}],
    raises=("not_found",),
)
def accept_invitation_for_authenticated_user(call: Call, params: MyInvitation) -> None:
    """Accept an invitation to a repository."""
    context = GithubContext(call)
    row = _mine(context, params.invitation_id)
    repo = context.repo_by_id(row.repo_id)
    assert repo is not None
    own = call.session.get(Collaborator, (repo.id, context.me.id))
    if own is None or rank(own.permission) < rank(row.permission):
        admit(context, repo, context.me, row.permission)
    call.session.delete(row)


@app.operation(
    "repos/decline-invitation-for-authenticated-user",
    writes=True,
    units=1,
    source=f"{SOURCE}/invitations#decline-a-repository-invitation",
    examples=[{"invitation_id": 1}],
    raises=("not_found",),
)
def decline_invitation_for_authenticated_user(call: Call, params: MyInvitation) -> None:
    """Decline an invitation to a repository."""
    call.session.delete(_mine(GithubContext(call), params.invitation_id))
