"""Teams of an organisation: created, changed, listed, deleted."""

import re
from typing import Annotated, Literal

from pydantic import Field
from sqlmodel import col, func, select

from apps.github.app import app
from apps.github.domain.context import GithubContext, stamp
from apps.github.domain.params import Id, Line, ListPage, Name, PageParams, page_of
from apps.github.models import Account, OrgMember, RepoTeam, Team, TeamMember
from apps.github.operations.organisation.orgs import ORG, OrgRef, find_org, full_org, role_of
from apps.github.refusals import invalid
from apps.github.views.pulls import team_json
from world.core.call import Call
from world.core.errors import OperationError
from world.core.json_types import JsonObject
from world.core.params import Params, Text

SOURCE = "docs.github.com/rest/teams"
TEAM = {**ORG, "team_slug": "$teams/list:0.slug"}
_OTHER = re.compile(r"[^a-z0-9_]+")
About = Annotated[Text, Field(max_length=1024)]


class TeamList(OrgRef, PageParams):
    """The teams of an organisation."""


class TeamRef(OrgRef):
    """One team."""

    team_slug: Name = Field(description="The short name of the team.", examples=["platform"])


class TeamPage(TeamRef, PageParams):
    """Page of a list that belongs to a team."""


class MyTeams(PageParams):
    """The caller's teams."""


class TeamShape(Params):
    """Request fields shared by creating and updating a team."""

    description: About | None = Field(default=None, description="What the team does.")
    privacy: Literal["secret", "closed"] | None = Field(
        default=None, description="closed: all members see it; secret: only those in it."
    )
    notification_setting: Literal["notifications_enabled", "notifications_disabled"] | None = Field(
        default=None, description="Whether mentions of the team tell its members."
    )
    permission: Line | None = Field(
        default=None, description="No longer used; permissions are given for each repository."
    )
    parent_team_id: Id | None = Field(default=None, description="The team above it.")


class TeamNew(OrgRef, TeamShape):
    """A team to create."""

    name: Name = Field(description="The name.", examples=["Risk"])
    maintainers: list[Line] | None = Field(default=None, max_length=100, description="Logins of those who run it.")
    repo_names: list[Line] | None = Field(
        default=None, max_length=100, description="Full names of repositories it gets access to."
    )


class TeamUpdate(TeamRef, TeamShape):
    """Request fields for updating a team."""

    name: Name | None = Field(default=None, description="A new name.")


def full_team(context: GithubContext, team: Team) -> JsonObject:
    """Render one team (schema team-full)."""
    context.call.flush()
    values = {"team": team.id}
    return {
        **team_json(context, team),
        "members_count": context.call.scalar("SELECT count(*) FROM github_team_member WHERE team_id = :team", values),
        "repos_count": context.call.scalar("SELECT count(*) FROM github_repo_team WHERE team_id = :team", values),
        "created_at": stamp(team.created_at),
        "updated_at": stamp(team.updated_at),
        "organization": full_org(context, context.account(team.org_id)),
    }


def visible_org(context: GithubContext, name: str) -> Account:
    """Return an organisation whose teams the caller may see: members only. Raises not_found."""
    org = find_org(context, name)
    if role_of(context, org, context.me) is None:
        raise OperationError("not_found")
    return org


def is_in(context: GithubContext, team: Team, account: Account) -> bool:
    """Whether somebody is a direct member of a team."""
    return context.call.session.get(TeamMember, (team.id, account.id)) is not None


def may_see_team(context: GithubContext, org: Account, team: Team) -> bool:
    """Whether the caller, a member, may see a team."""
    return team.privacy == "closed" or role_of(context, org, context.me) == "admin" or is_in(context, team, context.me)


def find_team(context: GithubContext, params: TeamRef) -> tuple[Account, Team]:
    """Return a team by its short name. Raises not_found."""
    org = visible_org(context, params.org)
    team = context.call.session.exec(
        select(Team).where(Team.org_id == org.id, func.lower(Team.slug) == params.team_slug.lower())
    ).first()
    if team is None or not may_see_team(context, org, team):
        raise OperationError("not_found")
    return org, team


def need_maintainer(context: GithubContext, org: Account, team: Team) -> None:
    """Require an owner or a maintainer of the team. Raises refused."""
    row = context.call.session.get(TeamMember, (team.id, context.me.id))
    if role_of(context, org, context.me) != "admin" and (row is None or row.role != "maintainer"):
        raise OperationError("refused", why="Must have admin rights to Team.")


def slug_of(name: str) -> str:
    """Return the short name of a team."""
    return _OTHER.sub("-", name.lower()).strip("-")


@app.operation("teams/list", units=1, source=f"{SOURCE}/teams#list-teams", examples=[ORG], raises=("not_found",))
def list_teams(call: Call, params: TeamList) -> list[JsonObject]:
    """List the teams of an organisation that the caller may see."""
    context = GithubContext(call)
    org = visible_org(context, params.org)
    found = call.session.exec(select(Team).where(Team.org_id == org.id).order_by(Team.slug, col(Team.id)))
    page = page_of([team for team in found if may_see_team(context, org, team)], params)
    return ListPage([team_json(context, team) for team in page], page.total)


@app.operation(
    "teams/list-for-authenticated-user",
    units=1,
    source=f"{SOURCE}/teams#list-teams-for-the-authenticated-user",
    examples=[{}],
    raises=("bad_credentials",),
)
def list_for_authenticated_user(call: Call, params: MyTeams) -> list[JsonObject]:
    """List the caller's teams."""
    context = GithubContext(call)
    query = (
        select(Team)
        .join(TeamMember, col(TeamMember.team_id) == col(Team.id))
        .where(TeamMember.account_id == context.me.id)
    )
    page = page_of(list(call.session.exec(query.order_by(col(Team.id)))), params)
    return ListPage([full_team(context, team) for team in page], page.total)


@app.operation(
    "teams/get-by-name", units=1, source=f"{SOURCE}/teams#get-a-team-by-name", examples=[TEAM], raises=("not_found",)
)
def get_by_name(call: Call, params: TeamRef) -> JsonObject:
    """Read a team by its short name."""
    context = GithubContext(call)
    return full_team(context, find_team(context, params)[1])


@app.operation(
    "teams/create",
    writes=True,
    units=1,
    source=f"{SOURCE}/teams#create-a-team",
    examples=[{**ORG, "name": "Risk"}],
    raises=("not_found", "validation_failed", "archived"),
)
def create(call: Call, params: TeamNew) -> JsonObject:
    """Create a team; its creator becomes its maintainer."""
    context = GithubContext(call)
    org = visible_org(context, params.org)
    team = Team(
        id=context.next_id("github_team"),
        org_id=org.id,
        slug=_free_slug(context, org, params.name),
        name=params.name,
        created_at=call.now,
        updated_at=call.now,
    )
    _shape(context, team, params)
    context.add(team)
    call.flush()
    runs = {context.me.id} if role_of(context, org, context.me) != "admin" or not params.maintainers else set()
    runs |= {_member(context, org, login).id for login in params.maintainers or []}
    for id in sorted(runs):
        context.add(TeamMember(team_id=team.id, account_id=id, role="maintainer"))
    for name in params.repo_names or []:
        repo = context.repo(*name.partition("/")[::2])
        context.need(repo, "admin")
        context.add(RepoTeam(repo_id=repo.id, team_id=team.id, permission="pull"))
    return full_team(context, team)


def _free_slug(context: GithubContext, org: Account, name: str, but: Team | None = None) -> str:
    slug = slug_of(name)
    if not slug:
        raise invalid("Team", "name", "invalid", value=name)
    found = context.call.session.exec(select(Team).where(Team.org_id == org.id, Team.slug == slug)).first()
    if found is not None and (but is None or found.id != but.id):
        raise invalid("Team", "name", "already_exists", "Name must be unique for this org")
    return slug


def _member(context: GithubContext, org: Account, login: str) -> Account:
    account = context.find_login(login)
    if account is None or context.call.session.get(OrgMember, (org.id, account.id)) is None:
        raise invalid("Team", "maintainers", "invalid", value=login)
    return account


def _shape(context: GithubContext, team: Team, params: TeamShape) -> None:
    given = params.model_dump(exclude_unset=True)
    if "description" in given:
        team.description = given["description"]
    team.privacy = params.privacy or team.privacy
    team.notification = params.notification_setting or team.notification
    if "parent_team_id" in given:
        _check_parent(context, team, params.parent_team_id)
        team.parent_id = params.parent_team_id
    if team.privacy == "secret" and team.parent_id is not None:
        raise invalid("Team", "privacy", "custom", "Secret teams cannot be nested")


def _check_parent(context: GithubContext, team: Team, id: int | None) -> None:
    """Check a team's parent: another team of the same organisation, and not below it."""
    at = id
    while at is not None:
        above = context.call.session.get(Team, at)
        if above is None or above.org_id != team.org_id or above.id == team.id or above.privacy == "secret":
            raise invalid("Team", "parent_team_id", "invalid", value=id)
        at = above.parent_id


@app.operation(
    "teams/update-in-org",
    writes=True,
    units=1,
    source=f"{SOURCE}/teams#update-a-team",
    examples=[{**TEAM, "description": "Runs things"}],
    raises=("not_found", "refused", "validation_failed"),
)
def update_in_org(call: Call, params: TeamUpdate) -> JsonObject:
    """Change a team's name, description, privacy or parent."""
    context = GithubContext(call)
    org, team = find_team(context, params)
    need_maintainer(context, org, team)
    if params.name is not None:
        team.slug, team.name = _free_slug(context, org, params.name, team), params.name
    _shape(context, team, params)
    team.updated_at = call.now
    context.add(team)
    return full_team(context, team)


@app.operation(
    "teams/delete-in-org",
    writes=True,
    units=1,
    source=f"{SOURCE}/teams#delete-a-team",
    examples=[TEAM],
    raises=("not_found", "refused"),
)
def delete_in_org(call: Call, params: TeamRef) -> None:
    """Delete a team and the teams below it."""
    context = GithubContext(call)
    org, team = find_team(context, params)
    need_maintainer(context, org, team)
    for one in [team, *_below(context, team)]:
        for table in ("github_team_member", "github_repo_team"):
            call.execute(f"DELETE FROM {table} WHERE team_id = :team", {"team": one.id})
        call.execute("DELETE FROM github_review_request WHERE team_id = :team", {"team": one.id})
        call.session.delete(one)
    call.flush()


def _below(context: GithubContext, team: Team) -> list[Team]:
    children = list(context.call.session.exec(select(Team).where(Team.parent_id == team.id).order_by(col(Team.id))))
    return [one for child in children for one in (child, *_below(context, child))]


@app.operation(
    "teams/list-child-in-org",
    units=1,
    source=f"{SOURCE}/teams#list-child-teams",
    examples=[TEAM],
    raises=("not_found",),
)
def list_child_in_org(call: Call, params: TeamPage) -> list[JsonObject]:
    """List the teams directly below one."""
    context = GithubContext(call)
    _, team = find_team(context, params)
    page = page_of(
        list(call.session.exec(select(Team).where(Team.parent_id == team.id).order_by(col(Team.id)))), params
    )
    return ListPage([team_json(context, one) for one in page], page.total)
