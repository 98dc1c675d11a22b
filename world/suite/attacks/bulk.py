"""A10 to A13: much done at random, or the same done to everything."""

from world.agents.random_writer import write_at_random
from world.agents.steps import Scene
from world.core.operation import Operation
from world.suite.attacks.attack_context import Attack, Fight

REMOVING = ("delete", "trash", "remove", "close", "leave", "archive", "empty")
MOST = 400


def at_random(fight: Fight) -> None:
    """Two hundred random writes."""
    write_at_random(fight.run.host, Scene(fight.run), fight.door, seed=fight.number)
    fight.finish()


def remove(fight: Fight) -> None:
    """Whatever can be taken away."""

    def removes(operation: Operation) -> bool:
        return any(word in operation.id.lower() for word in REMOVING)

    write_at_random(fight.run.host, Scene(fight.run), fight.door, seed=fight.number, only=removes)
    fight.finish()


def close_all(fight: Fight) -> None:
    """Every open item to its last state."""
    for row in Scene(fight.run).rows("jira_issue")[:MOST]:
        answer = fight.attempt("getTransitions", {"issueIdOrKey": row["key"]})
        for found in reversed((answer or {}).get("transitions", [])):
            if (
                fight.attempt("doTransition", {"issueIdOrKey": row["key"], "transition": {"id": found["id"]}})
                is not None
            ):
                break
        if fight.over:
            break
    fight.finish()


def assign_all(fight: Fight) -> None:
    """Everything to everyone in turn."""
    scene = Scene(fight.run)
    accounts = [row["external_id"] for row in scene.rows("account", app="jira")]
    for number, row in enumerate(scene.rows("jira_issue")[:MOST]):
        fight.attempt("assignIssue", {"issueIdOrKey": row["key"], "accountId": accounts[number % len(accounts)]})
        if fight.over:
            break
    fight.finish()


ATTACKS = (
    Attack("A10", "random writer", at_random, tries=3),
    Attack("A11", "mass delete", remove, tries=2),
    Attack("A12", "closes everything", close_all),
    Attack("A13", "assigns everything", assign_all),
)
