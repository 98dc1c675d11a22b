"""Members of teams, and access of teams to repositories."""

from typing import Literal

from pydantic import Field
from sqlmodel import col, select

from apps.github.app import app
from apps.github.domain.context import LEVELS, ROLE, GithubContext
from apps.github.domain.params import Line, ListPage, Login, Name, PageParams
from apps.github.domain.params import page_of as paged
from apps.github.models import Account, OrgMember, Repository, RepoTeam, Team, TeamMember
from apps.github.operations.organisation.orgs import role_of
from apps.github.operations.organisation.teams import SOURCE, TEAM, TeamPage, TeamRef, find_team, is_in, need_maintainer
from apps.github.operations.repositories.repositories import HERE
from apps.github.refusals import invalid, unprocessable
from apps.github.views.accounts import UserJson, repo_json, user_json
from apps.github.views.repository_settings import rights
from world.core.call import Call
from world.core.errors import OperationError
from world.core.json_types import JsonObject

SYNONYMS = {"read": "pull", "write": "push"}
MEMBER = {**TEAM, "username": "$orgs/list-members:0.login"}


class TeamMembers(TeamRef, PageParams):
    """Filter of a team's members."""

    role: Literal["member", "maintainer", "all"] = Field(default="all", description="member, maintainer or all.")


class TeamUser(TeamRef):
    """A person and a team."""

    username: Login


class TeamRole(TeamUser):
    """Role to give somebody in a team."""

    role: Literal["member", "maintainer"] = Field(default="member", description="member or maintainer.")


class TeamRepo(TeamRef):
    """A repository and a team."""

    owner: Name = Field(description="The account that owns the repository.", examples=["quayline"])
    repo: Name = Field(description="The name of the repository.", examples=["payments"])


class TeamGrant(TeamRepo):
    """Permission to give a team on a repository."""

    permission: Line | None = Field(
        default=None, description="pull, triage, push, maintain or admin; push if left out."
    )


@app.operation(
    "teams/list-members-in-org",
    units=1,
    source=f"{SOURCE}/members#list-team-members",
    examples=[TEAM],
    raises=("not_found",),
)
def list_members_in_org(call: Call, params: TeamMembers) -> list[UserJson]:
    """List the members of a team and of the teams below it."""
    context = GithubContext(call)
    _, team = find_team(context, params)
    roles = _roles(context, team)
    chosen = sorted(id for id, role in roles.items() if params.role in ("all", role))
    context.preload(chosen)
    page = paged([context.account(id) for id in chosen], params)
    return ListPage([user_json(context, one) for one in page], page.total)


def _roles(context: GithubContext, team: Team) -> dict[int, str]:
    """Return everybody's role in a team; members of teams below are members."""
    found: dict[int, str] = {}
    for child in context.call.session.exec(select(Team).where(Team.parent_id == team.id).order_by(col(Team.id))):
        found |= dict.fromkeys(_roles(context, child), "member")
    own = context.call.session.exec(
        select(TeamMember).where(TeamMember.team_id == team.id).order_by(col(TeamMember.account_id))
    )
    return found | {row.account_id: row.role for row in own}


def membership_json(context: GithubContext, team: Team, account: Account, role: str) -> JsonObject:
    """Render a membership of a team (schema team-membership)."""
    url = f"{context.api}/organizations/{team.org_id}/team/{team.id}/memberships/{account.login}"
    return {"url": url, "role": role, "state": "active"}


@app.operation(
    "teams/get-membership-for-user-in-org",
    units=1,
    source=f"{SOURCE}/members#get-team-membership-for-a-user",
    examples=[{**TEAM, "username": "$teams/list-members-in-org:0.login"}],
    raises=("not_found",),
)
def get_membership_for_user_in_org(call: Call, params: TeamUser) -> JsonObject:
    """Read somebody's role in a team."""
    context = GithubContext(call)
    org, team = find_team(context, params)
    account = context.by_login(params.username)
    role = _roles(context, team).get(account.id)
    if role is None:
        raise OperationError("not_found")
    return membership_json(context, team, account, "maintainer" if role_of(context, org, account) == "admin" else role)


@app.operation(
    "teams/add-or-update-membership-for-user-in-org",
    writes=True,
    units=1,
    examples=[MEMBER],
    source=f"{SOURCE}/members#add-or-update-team-membership-for-a-user",
    raises=("not_found", "refused", "unprocessable"),
)
def add_or_update_membership_for_user_in_org(call: Call, params: TeamRole) -> JsonObject:
    """Add a member of the organisation to a team, or change their role in it."""
    context = GithubContext(call)
    org, team = find_team(context, params)
    need_maintainer(context, org, team)
    account = context.by_login(params.username)
    if account.kind == "Organization":
        raise unprocessable("Cannot add an organization as a member.")
    if call.session.get(OrgMember, (org.id, account.id)) is None:
        raise unprocessable("User isn't a member of this organization. Please invite them first.")
    row = call.session.get(TeamMember, (team.id, account.id)) or TeamMember(team_id=team.id, account_id=account.id)
    row.role = params.role
    context.add(row)
    return membership_json(context, team, account, row.role)


@app.operation(
    "teams/remove-membership-for-user-in-org",
    writes=True,
    units=1,
    source=f"{SOURCE}/members#remove-team-membership-for-a-user",
    examples=[{**TEAM, "username": "$teams/list-members-in-org:0.login"}],
    raises=("not_found", "refused"),
)
def remove_membership_for_user_in_org(call: Call, params: TeamUser) -> None:
    """Remove somebody from a team."""
    context = GithubContext(call)
    org, team = find_team(context, params)
    account = context.by_login(params.username)
    if account.id != context.me.id:
        need_maintainer(context, org, team)
    if not is_in(context, team, account):
        raise OperationError("not_found")
    call.session.delete(call.session.get(TeamMember, (team.id, account.id)))


# -- repositories


def _grants(context: GithubContext, team: Team) -> dict[int, str]:
    """Return a team's permissions by repository, including those of the teams above it."""
    above = context.call.session.get(Team, team.parent_id) if team.parent_id is not None else None
    inherited = {} if above is None else _grants(context, above)
    own = context.call.session.exec(select(RepoTeam).where(RepoTeam.team_id == team.id).order_by(col(RepoTeam.repo_id)))
    return inherited | {row.repo_id: row.permission for row in own}


def _with_rights(context: GithubContext, repo: Repository, permission: str) -> JsonObject:
    return {**repo_json(context, repo), "permissions": rights(permission), "role_name": ROLE[permission]}


@app.operation(
    "teams/list-repos-in-org",
    units=1,
    source=f"{SOURCE}/teams#list-team-repositories",
    examples=[TEAM],
    raises=("not_found",),
)
def list_repos_in_org(call: Call, params: TeamPage) -> list[JsonObject]:
    """List the repositories a team has access to, with its permissions."""
    context = GithubContext(call)
    _, team = find_team(context, params)
    found = [
        (repo, permission)
        for id, permission in sorted(_grants(context, team).items())
        if (repo := context.repo_by_id(id)) and context.sees(repo)
    ]
    page = paged(found, params)
    return ListPage([_with_rights(context, repo, permission) for repo, permission in page], page.total)


@app.operation(
    "teams/check-permissions-for-repo-in-org",
    units=1,
    source=f"{SOURCE}/teams#check-team-permissions-for-a-repository",
    after=["teams/add-or-update-repo-permissions-in-org"],
    examples=[{**TEAM, **HERE}],
    raises=("not_found",),
)
def check_permissions_for_repo_in_org(call: Call, params: TeamRepo) -> None:
    """Check whether a team has access to a repository: an empty answer if so, not found if not."""
    context = GithubContext(call)
    _, team = find_team(context, params)
    if context.repo(params.owner, params.repo).id not in _grants(context, team):
        raise OperationError("not_found")


@app.operation(
    "teams/add-or-update-repo-permissions-in-org",
    writes=True,
    units=1,
    examples=[{**TEAM, **HERE, "permission": "push"}],
    source=f"{SOURCE}/teams#add-or-update-team-repository-permissions",
    raises=("not_found", "forbidden", "archived", "validation_failed"),
)
def add_or_update_repo_permissions_in_org(call: Call, params: TeamGrant) -> None:
    """Give a team access to a repository of its organisation; needs admin rights there."""
    context = GithubContext(call)
    org, team = find_team(context, params)
    repo = context.repo(params.owner, params.repo)
    context.need(repo, "admin")
    permission = SYNONYMS.get(params.permission or "push", params.permission or "push")
    if permission not in LEVELS[1:] or repo.owner_id != org.id:
        raise invalid(
            "Team", "permission" if repo.owner_id == org.id else "repository", "invalid", value=params.permission
        )
    row = call.session.get(RepoTeam, (repo.id, team.id)) or RepoTeam(repo_id=repo.id, team_id=team.id)
    row.permission = permission
    context.add(row)


@app.operation(
    "teams/remove-repo-in-org",
    writes=True,
    units=1,
    source=f"{SOURCE}/teams#remove-a-repository-from-a-team",
    after=["teams/add-or-update-repo-permissions-in-org"],
    examples=[{**TEAM, **HERE}],
    raises=("not_found", "refused"),
)
def remove_repo_in_org(call: Call, params: TeamRepo) -> None:
    """Remove a team's access to a repository."""
    context = GithubContext(call)
    org, team = find_team(context, params)
    repo = context.repo(params.owner, params.repo)
    if not context.may(repo, "admin"):
        need_maintainer(context, org, team)
    row = call.session.get(RepoTeam, (repo.id, team.id))
    if row is not None:
        call.session.delete(row)
