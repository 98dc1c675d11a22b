"""JSON shapes of the people and teams named by branch protection."""

from typing import Any, TypedDict

from pydantic import JsonValue

from apps.github.domain.context import GithubContext
from apps.github.models import Team
from apps.github.views.accounts import UserJson, user_json
from apps.github.views.pulls import team_json
from world.core.json_types import JsonObject


class AllowancesJson(TypedDict):
    """People, teams and apps."""

    users: list[UserJson]
    teams: list[JsonObject]
    apps: list[JsonValue]


def users_json(context: GithubContext, people: dict[str, Any]) -> list[UserJson]:
    """Render the people a rule names."""
    return [user_json(context, context.account(id)) for id in people.get("users", [])]


def teams_json(context: GithubContext, people: dict[str, Any]) -> list[JsonObject]:
    """Render the teams a rule names; deleted teams are left out."""
    found = [context.call.session.get(Team, id) for id in people.get("teams", [])]
    return [team_json(context, team) for team in found if team is not None]


def allowances_json(context: GithubContext, people: JsonObject) -> AllowancesJson:
    """Render people, teams and apps."""
    return {"users": users_json(context, people), "teams": teams_json(context, people), "apps": []}


def people_json(context: GithubContext, url: str, people: JsonObject) -> JsonObject:
    """Render people, teams and apps with their addresses."""
    return {"url": url, "users_url": f"{url}/users", "teams_url": f"{url}/teams", **allowances_json(context, people)}


def restrictions_json(context: GithubContext, url: str, people: JsonObject) -> JsonObject:
    """Render the restriction of pushes (schema branch-restriction-policy)."""
    return {**people_json(context, url, people), "apps_url": f"{url}/apps"}
