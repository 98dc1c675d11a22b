"""People and teams named by branch protection rules: kept as ids, shown as accounts and teams."""

from collections.abc import Sequence
from typing import NamedTuple

from pydantic import Field
from sqlmodel import func, select

from apps.github.domain.context import GithubContext, rank
from apps.github.domain.params import Line
from apps.github.models import Repository, Team
from world.core.errors import OperationError
from world.core.params import Params

ONLY_ORGANISATIONS = "Only organization repositories can have users and team restrictions"


class ActorParams(Params):
    """People, teams and apps."""

    users: list[Line] | None = Field(default=None, description="Logins.")
    teams: list[Line] | None = Field(default=None, description="Slugs of teams.")
    apps: list[Line] | None = Field(default=None, description="Slugs of apps.")


class ActorNames(NamedTuple):
    """Logins and slugs as given in a request."""

    users: Sequence[str] = ()
    teams: Sequence[str] = ()
    apps: Sequence[str] = ()


def rule_refused(why: str) -> OperationError:
    """Return a 422 error whose errors are sentences."""
    return OperationError("validation_failed", errors=[why], said=why)


def people_of(context: GithubContext, repo: Repository, given: ActorNames) -> dict[str, list[int]]:
    """Resolve names to ids.

    Raises validation_failed for accounts that may not write, and for teams outside organisations.
    """
    if context.account(repo.owner_id).kind != "Organization":
        raise rule_refused(ONLY_ORGANISATIONS)
    if given.apps:
        raise rule_refused(f"apps: {given.apps[0]} is not installed on this repository")
    return {"users": user_ids(context, repo, given.users), "teams": team_ids(context, repo, given.teams), "apps": []}


def user_ids(context: GithubContext, repo: Repository, logins: Sequence[str]) -> list[int]:
    """Return the ids of accounts by login. Raises validation_failed for one that may not write."""
    out = []
    for login in dict.fromkeys(logins):
        account = context.find_login(login)
        if account is None or rank(context.level(repo, account)) < rank("push"):
            raise rule_refused(f"users: {login} does not have push access to this repository")
        out.append(account.id)
    return out


def team_ids(context: GithubContext, repo: Repository, slugs: Sequence[str]) -> list[int]:
    """Return the ids of the owner's teams by slug. Raises validation_failed."""
    out = []
    for slug in dict.fromkeys(slugs):
        team = context.call.session.exec(
            select(Team).where(Team.org_id == repo.owner_id, func.lower(Team.slug) == slug.lower())
        ).first()
        if team is None:
            raise rule_refused(f"teams: {slug} does not have access to this repository")
        out.append(team.id)
    return out
