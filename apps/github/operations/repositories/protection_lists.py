"""Lists in the settings of protected branches: required checks by name, and people who may push."""

from collections.abc import Sequence
from typing import Any

from pydantic import Field

from apps.github.app import app
from apps.github.domain.context import GithubContext
from apps.github.domain.params import Line
from apps.github.domain.protection_actors import team_ids, user_ids
from apps.github.models import Protection, Repository
from apps.github.operations.repositories.protection_settings import (
    BRANCH,
    SOURCE,
    BranchRef,
    Contexts,
    rule_at,
    rule_seen,
    url_of,
    with_checks,
)
from apps.github.views.accounts import UserJson
from apps.github.views.protection import restrictions_json, teams_json, users_json
from world.core.call import Call
from world.core.errors import OperationError
from world.core.json_types import JsonObject

CONTEXTS = {**BRANCH, "contexts": ["test"]}
PROTECTED = ["repos/update-branch-protection"]


class Names(BranchRef):
    """Names of checks."""

    contexts: Contexts = Field(description="Names of checks.", examples=[["test"]])


class Users(BranchRef):
    """People."""

    users: list[Line] = Field(description="Logins.", examples=[[]])


class Teams(BranchRef):
    """Teams."""

    teams: list[Line] = Field(description="Slugs of teams.", examples=[[]])


@app.operation(
    "repos/get-all-status-check-contexts",
    units=1,
    source=f"{SOURCE}#get-all-status-check-contexts",
    examples=[BRANCH],
    after=PROTECTED,
    raises=("not_found", "branch_not_found", "no_such"),
)
def get_contexts(call: Call, params: BranchRef) -> list[str]:
    """List the checks a branch requires."""
    return with_checks(rule_seen(GithubContext(call), params))[1].contexts or []


def _set_contexts(call: Call, params: Names, kept: Sequence[str], added: Sequence[str]) -> list[str]:
    row = with_checks(rule_at(GithubContext(call), params))[1]
    row.contexts = list(dict.fromkeys([*kept, *added]))
    return row.contexts


@app.operation(
    "repos/add-status-check-contexts",
    writes=True,
    units=1,
    source=f"{SOURCE}#add-status-check-contexts",
    examples=[CONTEXTS],
    after=PROTECTED,
    raises=("not_found", "branch_not_found", "no_such", "archived"),
)
def add_contexts(call: Call, params: Names) -> list[str]:
    """Require more checks on a branch."""
    return _set_contexts(
        call, params, with_checks(rule_at(GithubContext(call), params))[1].contexts or [], params.contexts
    )


@app.operation(
    "repos/set-status-check-contexts",
    writes=True,
    units=1,
    source=f"{SOURCE}#set-status-check-contexts",
    examples=[CONTEXTS],
    after=PROTECTED,
    raises=("not_found", "branch_not_found", "no_such", "archived"),
)
def set_contexts(call: Call, params: Names) -> list[str]:
    """Require exactly these checks on a branch."""
    return _set_contexts(call, params, [], params.contexts)


@app.operation(
    "repos/remove-status-check-contexts",
    writes=True,
    units=1,
    source=f"{SOURCE}#remove-status-check-contexts",
    examples=[CONTEXTS],
    after=PROTECTED,
    raises=("not_found", "branch_not_found", "no_such", "archived"),
)
def remove_contexts(call: Call, params: Names) -> list[str]:
    """Remove checks from those a branch requires."""
    row = with_checks(rule_at(GithubContext(call), params))[1]
    return _set_contexts(call, params, [name for name in row.contexts or [] if name not in params.contexts], [])


def _get_restrictions(found: tuple[Repository, Protection]) -> tuple[Repository, Protection, dict[str, Any]]:
    repo, row = found
    if row.pushers is None:
        raise OperationError("no_such", why="Push restrictions not enabled")
    return repo, row, row.pushers


@app.operation(
    "repos/get-access-restrictions",
    units=1,
    source=f"{SOURCE}#get-access-restrictions",
    examples=[BRANCH],
    after=PROTECTED,
    raises=("not_found", "branch_not_found", "no_such"),
)
def get_restrictions(call: Call, params: BranchRef) -> JsonObject:
    """Read the restriction of pushes to a branch, if there is one."""
    context = GithubContext(call)
    repo, row, people = _get_restrictions(rule_seen(context, params))
    return restrictions_json(context, f"{url_of(context, repo, row.pattern)}/restrictions", people)


@app.operation(
    "repos/delete-access-restrictions",
    writes=True,
    units=1,
    source=f"{SOURCE}#delete-access-restrictions",
    examples=[BRANCH],
    after=PROTECTED,
    raises=("not_found", "branch_not_found", "no_such", "archived"),
)
def delete_restrictions(call: Call, params: BranchRef) -> None:
    """Let everybody with write access push to a branch."""
    _get_restrictions(rule_at(GithubContext(call), params))[1].pushers = None


@app.operation(
    "repos/get-users-with-access-to-protected-branch",
    units=1,
    source=f"{SOURCE}#get-users-with-access-to-the-protected-branch",
    examples=[BRANCH],
    after=PROTECTED,
    raises=("not_found", "branch_not_found", "no_such"),
)
def get_users(call: Call, params: BranchRef) -> list[UserJson]:
    """List the people who may push to a branch."""
    context = GithubContext(call)
    return users_json(context, _get_restrictions(rule_seen(context, params))[2])


@app.operation(
    "repos/get-teams-with-access-to-protected-branch",
    units=1,
    source=f"{SOURCE}#get-teams-with-access-to-the-protected-branch",
    examples=[BRANCH],
    after=PROTECTED,
    raises=("not_found", "branch_not_found", "no_such"),
)
def get_teams(call: Call, params: BranchRef) -> list[JsonObject]:
    """List the teams that may push to a branch."""
    context = GithubContext(call)
    return teams_json(context, _get_restrictions(rule_seen(context, params))[2])


def _change_users(call: Call, params: Users, how: str) -> list[UserJson]:
    context = GithubContext(call)
    repo, row, people = _get_restrictions(rule_at(context, params))
    row.pushers = {**people, "users": _combine_ids(people.get("users", []), user_ids(context, repo, params.users), how)}
    return users_json(context, row.pushers)


def _change_teams(call: Call, params: Teams, how: str) -> list[JsonObject]:
    context = GithubContext(call)
    repo, row, people = _get_restrictions(rule_at(context, params))
    row.pushers = {**people, "teams": _combine_ids(people.get("teams", []), team_ids(context, repo, params.teams), how)}
    return teams_json(context, row.pushers)


def _combine_ids(here: list[int], given: list[int], how: str) -> list[int]:
    if how == "set":
        return given
    return [*here, *(id for id in given if id not in here)] if how == "add" else [id for id in here if id not in given]


@app.operation(
    "repos/add-user-access-restrictions",
    writes=True,
    units=1,
    source=f"{SOURCE}#add-user-access-restrictions",
    examples=[{**BRANCH, "users": []}],
    after=PROTECTED,
    raises=("not_found", "branch_not_found", "no_such", "archived", "validation_failed"),
)
def add_users(call: Call, params: Users) -> list[UserJson]:
    """Allow more people to push to a branch."""
    return _change_users(call, params, "add")


@app.operation(
    "repos/set-user-access-restrictions",
    writes=True,
    units=1,
    source=f"{SOURCE}#set-user-access-restrictions",
    examples=[{**BRANCH, "users": []}],
    after=PROTECTED,
    raises=("not_found", "branch_not_found", "no_such", "archived", "validation_failed"),
)
def set_users(call: Call, params: Users) -> list[UserJson]:
    """Allow exactly these people to push to a branch."""
    return _change_users(call, params, "set")


@app.operation(
    "repos/remove-user-access-restrictions",
    writes=True,
    units=1,
    source=f"{SOURCE}#remove-user-access-restrictions",
    examples=[{**BRANCH, "users": []}],
    after=PROTECTED,
    raises=("not_found", "branch_not_found", "no_such", "archived", "validation_failed"),
)
def remove_users(call: Call, params: Users) -> list[UserJson]:
    """Remove people from those who may push to a branch."""
    return _change_users(call, params, "remove")


@app.operation(
    "repos/add-team-access-restrictions",
    writes=True,
    units=1,
    source=f"{SOURCE}#add-team-access-restrictions",
    examples=[{**BRANCH, "teams": []}],
    after=PROTECTED,
    raises=("not_found", "branch_not_found", "no_such", "archived", "validation_failed"),
)
def add_teams(call: Call, params: Teams) -> list[JsonObject]:
    """Allow more teams to push to a branch."""
    return _change_teams(call, params, "add")


@app.operation(
    "repos/set-team-access-restrictions",
    writes=True,
    units=1,
    source=f"{SOURCE}#set-team-access-restrictions",
    examples=[{**BRANCH, "teams": []}],
    after=PROTECTED,
    raises=("not_found", "branch_not_found", "no_such", "archived", "validation_failed"),
)
def set_teams(call: Call, params: Teams) -> list[JsonObject]:
    """Allow exactly these teams to push to a branch."""
    return _change_teams(call, params, "set")


@app.operation(
    "repos/remove-team-access-restrictions",
    writes=True,
    units=1,
    source=f"{SOURCE}#remove-team-access-restrictions",
    examples=[{**BRANCH, "teams": []}],
    after=PROTECTED,
    raises=("not_found", "branch_not_found", "no_such", "archived", "validation_failed"),
)
def remove_teams(call: Call, params: Teams) -> list[JsonObject]:
    """Remove teams from those that may push to a branch."""
    return _change_teams(call, params, "remove")
