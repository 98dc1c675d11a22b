"""Waits of solutions."""

from collections.abc import Iterator

from world.agents.steps import Scene, Step, wait_until
from world.core.clock import MINUTE


def wait_for(scene: Scene, event: str, *, step: int = 1, until: int = 185) -> Iterator[Step]:
    """Wait until an event has left facts, some minutes at a time, at most until so many minutes after the start."""
    minute = (scene.now - scene.start) // MINUTE
    while not scene.facts(event) and minute < until:
        minute = (scene.now - scene.start) // MINUTE + step
        yield from wait_until(scene, minute, f"{event}_{minute}")
