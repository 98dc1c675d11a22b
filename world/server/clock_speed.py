"""Lets the time of worlds run by itself, as many times as fast as real time as their operator has set."""

import asyncio
import logging

from world.core.clock import SECOND, wall_seconds
from world.run.quarantine import FORESEEN
from world.server.control_state import Advance, Plane, advance_world

log = logging.getLogger("firmament")
TICK_S = 1.0


async def run_time(plane: Plane) -> None:
    """Move every world that has a speed, once a second, until cancelled."""
    last = wall_seconds()
    while True:
        await asyncio.sleep(TICK_S)
        now = wall_seconds()
        for name, speed in list(plane.speeds.items()):
            _move(plane, name, int((now - last) * SECOND) * speed)
        last = now


def _move(plane: Plane, world: str, by: int) -> None:
    actor = plane.host.actors.get(world)
    if actor is None or world in plane.host.quarantined or actor.ended is not None or by <= 0:
        return
    try:
        advance_world(plane, world, Advance(until=actor.now + by))
    except (*FORESEEN, OSError) as error:
        del plane.speeds[world]
        log.error("the time of world %s stands still: %s", world, error)
