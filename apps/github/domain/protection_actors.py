"""Whom rules of protected branches name: people and teams, kept as ids, shown as accounts and teams."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from pydantic import Field
from sqlmodel import func, select

from apps.github.domain.context import Hub, rank
from apps.github.domain.params import Line
from apps.github.models import Repository, Team
from apps.github.views.accounts import user_json
from apps.github.views.pulls import team_json
from world.core.errors import OperationError
from world.core.params import Params

ONLY_ORGANISATIONS = "Only organization repositories can have users and team restrictions"


class Who(Params):
    """People, teams and apps."""

    users: list[Line] | None = Field(default=None, description="Logins.")
    teams: list[Line] | None = Field(default=None, description="Slugs of teams.")
    apps: list[Line] | None = Field(default=None, description="Slugs of apps.")


class People(NamedTuple):
    """Names as they are given."""

    users: Sequence[str] = ()
    teams: Sequence[str] = ()
    apps: Sequence[str] = ()


def refused(why: str) -> OperationError:
    """A 422 whose errors are sentences."""
    return OperationError("validation_failed", errors=[why], said=why)


def people_of(hub: Hub, repo: Repository, given: People) -> dict[str, list[int]]:
    """Names as ids. Raises validation_failed for who may not write, and outside of organisations."""
    if hub.account(repo.owner_id).kind != "Organization":
        raise refused(ONLY_ORGANISATIONS)
    if given.apps:
        raise refused(f"apps: {given.apps[0]} is not installed on this repository")
    return {"users": user_ids(hub, repo, given.users), "teams": team_ids(hub, repo, given.teams), "apps": []}


def user_ids(hub: Hub, repo: Repository, logins: Sequence[str]) -> list[int]:
    """Accounts by login. Raises validation_failed for who may not write."""
    out = []
    for login in dict.fromkeys(logins):
        account = hub.find_login(login)
        if account is None or rank(hub.level(repo, account)) < rank("push"):
            raise refused(f"users: {login} does not have push access to this repository")
        out.append(account.id)
    return out


def team_ids(hub: Hub, repo: Repository, slugs: Sequence[str]) -> list[int]:
    """Teams of the owner by slug. Raises validation_failed."""
    out = []
    for slug in dict.fromkeys(slugs):
        team = hub.call.session.exec(
            select(Team).where(Team.org_id == repo.owner_id, func.lower(Team.slug) == slug.lower())
        ).first()
        if team is None:
            raise refused(f"teams: {slug} does not have access to this repository")
        out.append(team.id)
    return out


def users_json(hub: Hub, people: dict[str, Any]) -> list[dict[str, Any]]:
    """The people a rule names."""
    return [user_json(hub, hub.account(id)) for id in people.get("users", [])]


def teams_json(hub: Hub, people: dict[str, Any]) -> list[dict[str, Any]]:
    """The teams a rule names, those that are gone left out."""
    found = [hub.call.session.get(Team, id) for id in people.get("teams", [])]
    return [team_json(hub, team) for team in found if team is not None]


def allowances_json(hub: Hub, people: dict[str, Any]) -> dict[str, Any]:
    """People, teams and apps."""
    return {"users": users_json(hub, people), "teams": teams_json(hub, people), "apps": []}


def people_json(hub: Hub, url: str, people: dict[str, Any]) -> dict[str, Any]:
    """People, teams and apps with their addresses."""
    return {"url": url, "users_url": f"{url}/users", "teams_url": f"{url}/teams", **allowances_json(hub, people)}


def restrictions_json(hub: Hub, url: str, people: dict[str, Any]) -> dict[str, Any]:
    """Who may push (schema branch-restriction-policy)."""
    return {**people_json(hub, url, people), "apps_url": f"{url}/apps"}
