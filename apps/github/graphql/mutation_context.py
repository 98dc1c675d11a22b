"""Helpers of mutations: lookup by node id, calls of REST operations, and rollback of failed mutations."""

from collections.abc import Callable, Mapping
from typing import Any

from apps.github.app import app
from apps.github.graphql.conversations import SUBJECTS
from apps.github.graphql.loader import Loader, RepositoryRow
from apps.github.graphql.registry import RESOLVERS, Fact, Problem, kind_of
from apps.github.graphql.roots import by_node
from apps.github.models import Account, Repository
from apps.github.models_issues import Issue
from world.core.errors import OperationError, Outage
from world.core.json_types import JsonObject

Given = dict[str, Any]  # the input of a mutation, of the types that the schema says
Payload = Mapping[str, object]  # the fields of its answer
Mutation = Callable[[Loader, Given], Payload]
_BEGIN, _BACK, _END = "SAVEPOINT mutation", "ROLLBACK TO mutation", "RELEASE mutation"

__all__ = ["SUBJECTS", "Given", "Payload", "ask", "get_node", "issue_at", "logins", "mutation", "place", "pull_at"]


def mutation(name: str) -> Callable[[Mutation], Mutation]:
    """Declare the function of a mutation; it returns the fields of its payload."""

    def declare(run: Mutation) -> Mutation:
        RESOLVERS["Mutation", name] = lambda near, rows, args: [_whole_or_nothing(near, name, run, args["input"])]
        return run

    return declare


def _whole_or_nothing(near: Loader, name: str, run: Mutation, given: Given) -> Fact:
    """Run a mutation; roll back the writes of a refused one."""
    call = near.call
    call.execute(_BEGIN)
    try:
        made = run(near, {key: value for key, value in given.items() if key != "clientMutationId"})
        call.flush()
    except Outage:
        raise
    except (Problem, OperationError):
        call.session.expunge_all()
        call.bound.raw.execute(_BACK)
        call.bound.raw.execute(_END)
        near.renew()
        raise
    call.bound.raw.execute(_END)
    near.renew()
    return Fact(f"{name[0].upper()}{name[1:]}Payload", clientMutationId=given.get("clientMutationId"), **made)


def ask(near: Loader, operation: str, **arguments: object) -> Any:
    """Run an operation of the REST API within the same call."""
    chosen = app.operations[operation]
    answer = chosen.run(near.call, chosen.validate(arguments))
    near.call.flush()
    near.renew()
    return answer


def get_node(near: Loader, id: str, *kinds: str) -> Any:
    """Return the row of a node id. Raises Problem if it is missing, invisible or of another kind."""
    row = by_node(near, id)
    if row is None or (kinds and kind_of(row) not in kinds):
        raise Problem(f"Could not resolve to a node with the global id of '{id}'", "NOT_FOUND")
    return row


def place(near: Loader, row: Repository | RepositoryRow) -> dict[str, str]:
    """Return owner and name of the repository of a row."""
    repo = row if isinstance(row, Repository) else near.home(row)
    return {"owner": near.context.account(repo.owner_id).login, "repo": repo.name}


def issue_at(near: Loader, row: Issue) -> JsonObject:
    """Return the address of an issue, or of a pull request as an issue."""
    return {**place(near, row), "issue_number": row.number}


def pull_at(near: Loader, row: Issue) -> JsonObject:
    """Return the address of a pull request."""
    return {**place(near, row), "pull_number": row.number}


def logins(near: Loader, ids: list[str]) -> list[str]:
    """Return the logins of people by their ids."""
    people: list[Account] = [get_node(near, id, "User", "Bot") for id in ids]
    return [one.login for one in people]
