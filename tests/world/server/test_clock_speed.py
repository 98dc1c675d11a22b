"""Worlds whose time runs by itself."""

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest

from world.core.clock import MINUTE
from world.run.host import open_host
from world.script.errors import ScenarioError
from world.server import clock_speed
from world.server.control_state import Advance, Plane


async def tick(plane: Plane, until: Callable[[], bool]) -> None:
    """Let time run until something has become so."""
    running = asyncio.create_task(clock_speed.run_time(plane))
    while not until():
        await asyncio.sleep(0)
    running.cancel()


def test_a_world_whose_time_cannot_go_on_stops_no_other(
    company: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    host = open_host(company, tmp_path)
    plane, real = Plane(host, ""), clock_speed.advance_world

    def advance(plane: Plane, world: str, body: Advance) -> int:
        if world == "broken":
            raise ScenarioError("an event of it fails")
        return real(plane, world, body)

    monkeypatch.setattr(clock_speed, "TICK_S", 0)
    monkeypatch.setattr(clock_speed, "advance_world", advance)
    worlds = [host.create(name) for name in ("broken", "sound", "paused")]
    begun = [one.now for one in worlds]
    plane.speeds |= {"broken": 10**6, "sound": 10**6}
    asyncio.run(tick(plane, lambda: worlds[1].now > begun[1] + MINUTE))
    assert plane.speeds == {"sound": 10**6}
    assert [one.now > at for one, at in zip(worlds, begun, strict=True)] == [False, True, False]
    host.store.close()
