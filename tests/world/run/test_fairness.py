"""64 worlds of which 8 are hostile, in virtual time: how long the other 56 wait for the thread."""

import asyncio
import random
import selectors
from collections.abc import Coroutine
from typing import Any

import pytest

from world.run.turns import ALLOWANCE_S, LONG_S, REST, SHORT_S, Turns

CALM, HOSTILE, STEP_S, EVERY_S, SECONDS = 56, 8, 0.002, 1.0, 60.0
BEGIN_S = 20.0  # by then those that exceed are slowed


class Jumping(selectors.DefaultSelector):
    """Waits for nothing: the clock of its loop jumps to the next timer."""

    loop: "VirtualLoop"

    def select(self, timeout: float | None = None) -> list[Any]:
        self.loop.now += max(0.0, timeout or 0.0)
        return []


class VirtualLoop(asyncio.SelectorEventLoop):
    """An event loop whose time passes only when something says so."""

    def __init__(self) -> None:
        self.now = 0.0
        selector = Jumping()
        selector.loop = self
        super().__init__(selector)

    def time(self) -> float:
        return self.now


class Crowd:
    """Worlds that use one thread. `hostile` is the length of a hostile step and how many requests each has at once."""

    def __init__(self, hostile: tuple[float, int] | None, *, is_shared: bool = False) -> None:
        self.loop, self.chance, self.is_shared = VirtualLoop(), random.Random(7), is_shared
        self.turns = Turns(self.loop.time, self.loop.call_later)
        self.waits, self.hostile_s = list[float](), 0.0
        jobs: list[Coroutine[Any, Any, None]] = [self.work_calmly(f"calm-{number}") for number in range(CALM)]
        if hostile is not None:
            length, at_once = hostile
            jobs += [self.press(f"hostile-{n}", length) for n in range(HOSTILE) for _ in range(at_once)]
        try:
            self.loop.run_until_complete(self.run(jobs))
        finally:
            self.loop.close()
        self.waits.sort()

    async def run(self, jobs: list[Coroutine[Any, Any, None]]) -> None:
        tasks = [asyncio.create_task(job) for job in jobs]
        await asyncio.wait(tasks, timeout=SECONDS)
        for task in tasks:
            task.cancel()

    async def step(self, world: str, length: float) -> None:
        world = "all" if self.is_shared else world
        await self.turns.take(world)
        began = self.loop.now
        self.loop.now += length
        self.turns.note(world, began, self.loop.now)

    async def work_calmly(self, world: str) -> None:
        await asyncio.sleep(self.chance.random() * EVERY_S)
        while self.loop.now < SECONDS:
            asked = self.loop.now
            await self.step(world, STEP_S)
            if asked > BEGIN_S:
                self.waits.append(self.loop.now - asked)
            await asyncio.sleep(self.chance.expovariate(1 / EVERY_S))

    async def press(self, world: str, length: float) -> None:
        while self.loop.now < SECONDS:
            await self.step(world, length)
            self.hostile_s += length

    def wait_of(self, part: float) -> float:
        """What so large a part of the calm requests did not wait longer than."""
        return self.waits[int(part * (len(self.waits) - 1))]


@pytest.mark.parametrize(("length", "at_once"), [(SHORT_S, 16), (0.005, 16)], ids=lambda value: str(value))
def test_a_calm_world_waits_for_hardly_more_than_one_hostile_step(length: float, at_once: int) -> None:
    crowd, alone = Crowd((length, at_once)), Crowd(None)
    assert len(crowd.waits) > 0.75 * len(alone.waits) > 1000 and alone.wait_of(0.99) <= 2 * STEP_S
    assert crowd.wait_of(0.99) <= 2 * length + 4 * STEP_S
    without_queues = Crowd((length, at_once), is_shared=True)
    assert without_queues.wait_of(0.5) > 5 * crowd.wait_of(0.5)


@pytest.mark.parametrize("length", [0.1, 0.3, 0.4])
def test_worlds_that_press_with_long_steps_are_slowed_to_their_share_together(length: float) -> None:
    crowd = Crowd((length, 2))
    first = HOSTILE * (ALLOWANCE_S + SHORT_S) * length / (min(length, LONG_S) - SHORT_S)
    assert crowd.hostile_s <= first + HOSTILE * length + 2 * SECONDS / (1 + REST) + 2 * length
    assert crowd.wait_of(0.99) <= 2 * STEP_S, "the others do not notice them"
