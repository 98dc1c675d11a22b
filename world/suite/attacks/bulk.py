"""A10 to A13: much done at random, or the same done to everything."""

from collections.abc import Callable, Iterable, Iterator
from itertools import chain

from world.agents.random_writer import write_at_random
from world.agents.steps import Scene
from world.core.operation import Operation
from world.core.probes import Attempt, Lookup
from world.suite.attacks.attack_context import Attack, AttackContext

REMOVING = ("delete", "trash", "remove", "close", "leave", "archive", "empty")


def at_random(fight: AttackContext) -> None:
    """Two hundred random writes."""
    write_at_random(fight.run.host, Scene(fight.run), fight.door, seed=fight.number)
    fight.finish()


def remove(fight: AttackContext) -> None:
    """Take away everything that can be taken away."""

    def removes(operation: Operation) -> bool:
        return any(word in operation.id.lower() for word in REMOVING)

    write_at_random(fight.run.host, Scene(fight.run), fight.door, seed=fight.number, only=removes)
    fight.finish()


def close_all(fight: AttackContext) -> None:
    """Every open item to its last state."""
    _do_all(fight, [probes.close_items for probes in fight.probes])


def assign_all(fight: AttackContext) -> None:
    """Everything to everyone in turn."""
    _do_all(fight, [probes.assign_items for probes in fight.probes])


def _do_all(fight: AttackContext, jobs: Iterable[Callable[[Lookup, Attempt], Iterator[str]]]) -> None:
    """Jobs over all items, until everything is over."""
    scene = Scene(fight.run)
    for _ in chain.from_iterable(job(scene, fight.attempt) for job in jobs):
        if fight.over:
            break
    fight.finish()


ATTACKS = (
    Attack("A10", "random writer", at_random, tries=3),
    Attack("A11", "mass delete", remove, tries=2),
    Attack("A12", "closes everything", close_all),
    Attack("A13", "assigns everything", assign_all),
)
