"""T3 on the code host: what each writing operation needs, as one table, and that who has less changes nothing."""

from collections.abc import Iterator
from typing import Any

import orjson
import pytest

from tests.security.github_writes import NEEDS, NOTHING_TO_DO, Changing, arguments
from tests.security.vault import LEVEL, VAULT
from world.core.errors import InvalidArguments, OperationError
from world.core.operation import Operation

ORDER = ("pull", "triage", "push", "maintain", "admin")
OF = {level: who for who, level in LEVEL.items() if level != "none"}
STRANGERS = [who for who, level in LEVEL.items() if level == "none"]
STILL = set(  # what is nothing of an archived repository's contents
    """activity/delete-repo-subscription activity/mark-repo-notifications-as-read activity/set-repo-subscription
    activity/star-repo-for-authenticated-user activity/unstar-repo-for-authenticated-user repos/create-fork repos/delete-invitation
    repos/remove-collaborator repos/update-invitation teams/remove-repo-in-org web/pulls/mark-file-viewed web/subscribe web/watch""".split()
)
NO = {"forbidden", "not_found", "no_push", "refused", "review_refused"}  # how somebody hears that they may not


@pytest.fixture(scope="module")
def vault(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Changing]:
    made = Changing(tmp_path_factory.mktemp("levels"))
    yield made
    made.host.store.close()


def writes(vault: Changing) -> list[Operation]:
    return [o for o in vault.operations.values() if o.writes and "repo" in o.params.model_fields]


def attempt(vault: Changing, who: str, operation: str, world: str, given: dict[str, object]) -> str:
    """The code of the refusal, or nothing."""
    try:
        vault.say(operation, who, world=world, **given)
    except InvalidArguments as refusal:
        raise AssertionError(f"{operation} {given}: {refusal.problems}") from None
    except OperationError as refusal:
        return refusal.code
    return ""


def changes(vault: Changing, world: str) -> int:
    raw: Any = vault.host.actor(world).bound.raw
    return raw.execute("SELECT count(*) FROM _journal").fetchone()[0]


def needed() -> dict[str, str]:
    return {operation: level for level, operations in NEEDS.items() for operation in operations.split()}


def test_the_table_names_every_writing_operation_on_a_repository(vault: Changing) -> None:
    assert needed().keys() == {o.id for o in writes(vault)}


def judge_writes(vault: Changing) -> Iterator[tuple[str, str]]:
    """Every writing operation by everybody who has less than it needs, and by one who has enough: the case, and what is
    wrong about it.
    """
    for operation, level in needed().items():
        given, world = arguments(vault, operation), operation.replace("/", "-")
        vault.host.fork(vault.host.actor("w"), world)
        before = changes(vault, world)
        below = ORDER[: ORDER.index(level)] if level in ORDER else ORDER[:-1]
        for who in [*STRANGERS, *(OF[one] for one in below)]:
            code = attempt(vault, who, operation, world, given)
            refused = code in (NO if who not in STRANGERS else {"not_found"}) and changes(vault, world) == before
            yield f"{who} {operation}", "" if refused else code or "done"
        if level != "author":
            code = attempt(vault, OF[level], operation, world, given)
            fine = code == NOTHING_TO_DO.get(operation, "")
            yield f"{OF[level]} {operation}", "" if fine else f"{code}, who may"
        vault.host.drop(world)


def test_who_has_less_than_an_operation_needs_is_refused_and_changes_nothing(vault: Changing) -> None:
    judged = list(judge_writes(vault))
    assert not [case for case in judged if case[1]]
    assert len(judged) > 700, len(judged)


def test_an_archived_repository_takes_no_change_of_its_contents_from_anybody(vault: Changing) -> None:
    vault.host.fork(vault.host.actor("w"), "archived")
    vault.say("repos/update", world="archived", archived=True)
    before = changes(vault, "archived")
    let = set()
    for operation in needed():
        if operation != "repos/delete" and not attempt(
            vault, "ada", operation, "archived", arguments(vault, operation)
        ):
            let.add(operation)
            vault.host.drop("archived")
            vault.host.fork(vault.host.actor("w"), "archived")
            vault.say("repos/update", world="archived", archived=True)
        else:
            assert operation == "repos/delete" or changes(vault, "archived") == before, operation
    assert let == STILL, " ".join(sorted(let))


def test_ids_of_another_repository_are_nothing_to_change_by_the_address_of_ones_own(vault: Changing) -> None:
    raw: Any = vault.host.actor("w").bound.raw
    own = raw.execute("SELECT id FROM github_repository WHERE name = 'own'").fetchone()[0]
    theirs = {row[0] for row in raw.execute("SELECT id FROM github_issue WHERE repo_id = ?", (VAULT,))}
    for operation in (one for one in needed() if one not in ("repos/delete", "repos/update")):
        start = changes(vault, "w")
        attempt(vault, "eve", operation, "w", {**arguments(vault, operation), "owner": "eve", "repo": "own"})
        for table, before, after in raw.execute(
            "SELECT table_name, before, after FROM _journal ORDER BY id LIMIT -1 OFFSET ?", (start,)
        ).fetchall():
            for row in (orjson.loads(one) for one in (before, after) if one):
                assert row.get("repo_id", own) in (own, None), (operation, table, row)
                assert not theirs & {
                    value for name, value in row.items() if name.endswith("_id") and "issue" in table
                }, (operation, table, row)
