"""Worlds take turns: who computes next is a matter of rotation, and the slow wait by themselves."""

import asyncio
from collections.abc import Callable

import pytest

from world.run.turns import (
    ALLOWANCE_S,
    AT_WORK_S,
    FORGIVEN_S,
    LONG_S,
    MOST_DEBT_S,
    NO_WORLD,
    PAID_BACK,
    REST,
    SHORT_S,
    Turns,
)


class Bench:
    """Turns with a clock that stands still, and the order in which worlds had theirs."""

    def __init__(self) -> None:
        self.now, self.order = 100.0, list[str]()
        self.timers: list[tuple[float, Callable[[], None]]] = []
        self.turns = Turns(lambda: self.now, self.set_timer)

    def set_timer(self, delay: float, wake: Callable[[], None]) -> None:
        self.timers.append((self.now + delay, wake))

    async def step(self, world: str, length: float = 0.0) -> None:
        """Wait for a turn, and compute for so long."""
        await self.turns.take(world)
        self.order.append(world)
        self.turns.note(world, self.now, self.now + length)
        self.now += length

    def make_slow(self, world: str) -> None:
        while not self.turns.queue(world).is_slowed:
            self.turns.note(world, self.now, self.now + 2 * LONG_S)

    async def run(self, *worlds: str) -> str:
        """Let requests of these worlds arrive at once, in this order; the worlds in the order of their turns."""
        self.order.clear()
        await asyncio.gather(*map(self.step, worlds))
        return "".join(self.order)


@pytest.fixture
def bench() -> Bench:
    return Bench()


def test_however_many_requests_a_world_sends_every_other_world_comes_next(bench: Bench) -> None:
    assert asyncio.run(bench.run(*"aaaaaabcbd")) == "aabcdabaaa"


def test_who_computes_alone_does_not_wait(bench: Bench) -> None:
    async def alone() -> None:
        with pytest.raises(StopIteration):
            bench.turns.take("a").send(None)

    asyncio.run(alone())


def test_a_turn_lasts_until_its_task_waits(bench: Bench) -> None:
    held = list[str]()

    async def compute(world: str) -> None:
        await bench.turns.take(world)
        held.append(world)
        assert held == [world]
        held.clear()
        await asyncio.sleep(0)

    async def many() -> None:
        await asyncio.gather(*(compute(world) for world in "aaabbc" * 5))

    asyncio.run(many())
    assert not held


def test_who_goes_away_while_waiting_keeps_nobody(bench: Bench) -> None:
    async def leave() -> None:
        tasks = [asyncio.create_task(bench.step(world)) for world in "abca"]
        await asyncio.sleep(0)
        tasks[1].cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    asyncio.run(leave())
    assert bench.order == ["a", "c", "a"] and not any(one.waiting for one in bench.turns.queues.values())


def test_a_world_is_slowed_by_long_steps_and_forgiven_when_it_asks_for_nothing(bench: Bench) -> None:
    queue = bench.turns.queue("a")
    for number in range(10):
        assert queue.is_slowed == (number * (LONG_S - SHORT_S) > ALLOWANCE_S)
        bench.turns.note("a", bench.now, bench.now + LONG_S * 1.5)
    assert (queue.debt, queue.long_steps, queue.longest, queue.steps) == (MOST_DEBT_S, 10, LONG_S * 1.5, 10)
    bench.now += (MOST_DEBT_S - FORGIVEN_S) / PAID_BACK + LONG_S * 1.5
    asyncio.run(bench.run("a"))
    assert not queue.is_slowed and queue.debt == pytest.approx(FORGIVEN_S)


def test_steps_of_usual_length_never_slow_a_world(bench: Bench) -> None:
    for _ in range(1_000):
        bench.turns.note("a", bench.now, bench.now + SHORT_S)
    assert bench.turns.queue("a").debt == pytest.approx(0.0)


def test_an_agent_that_thinks_between_long_requests_is_not_slowed(bench: Bench) -> None:
    async def think() -> None:
        for _ in range(200):
            await bench.step("a", 0.1)
            assert not bench.turns.queue("a").is_slowed
            bench.now += 4.0

    asyncio.run(think())


def test_a_trusted_queue_is_never_slowed(bench: Bench) -> None:
    bench.turns.trust("a")
    for _ in range(100):
        bench.turns.note("a", bench.now, bench.now + LONG_S)
    assert not bench.turns.queue("a").is_slowed


def test_all_slowed_worlds_share_one_lane_that_rests(bench: Bench) -> None:
    async def hostile() -> str:
        await bench.run(*"cd")
        bench.make_slow("a")
        bench.make_slow("b")
        waiting = [asyncio.create_task(bench.step(world, 1.0)) for world in "aabb"]
        others = [asyncio.create_task(bench.step(world)) for world in "cdcd"]
        await asyncio.gather(*others)
        before = "".join(bench.order[2:])
        assert not any(task.done() for task in waiting), "the lane rests after the last long step"
        while not all(task.done() for task in waiting):
            await bench.step("c", SHORT_S)
            for timer in [one for one in bench.timers if one[0] <= bench.now]:
                bench.timers.remove(timer)
                timer[1]()
        return before

    assert asyncio.run(hostile()) == "cdcd"
    slow = [world for world in bench.order if world in "ab"]
    assert slow == ["a", "b", "a", "b"]
    assert bench.now - 100.0 >= 4 * 1.0 + 3 * REST * LONG_S


def test_a_slowed_world_does_not_rest_when_nobody_else_is_at_work(bench: Bench) -> None:
    bench.make_slow("a")
    assert asyncio.run(bench.run(*"aaa")) == "aaa" and not bench.timers


@pytest.mark.parametrize("name", ["operator", f"{NO_WORLD}127.0.0.1"])
def test_what_belongs_to_no_world_is_nobody_at_work(bench: Bench, name: str) -> None:
    bench.turns.trust("operator")
    bench.turns.note(name, bench.now, bench.now + SHORT_S)
    bench.make_slow("a")
    assert asyncio.run(bench.run(*"aaa")) == "aaa" and not bench.timers


def test_a_slowed_world_goes_on_when_the_others_have_stopped(bench: Bench) -> None:
    async def wait() -> None:
        await bench.run("b")
        bench.make_slow("a")
        waiting = asyncio.create_task(bench.step("a"))
        for _ in range(2):
            await asyncio.sleep(0)
        [(when, wake)] = bench.timers
        assert when == pytest.approx(bench.turns.queue("b").last + AT_WORK_S)
        bench.now = when
        wake()
        await waiting

    asyncio.run(wait())


def test_a_busy_machine_slows_nobody(bench: Bench) -> None:
    for _ in range(100):
        bench.turns.note("a", bench.now, bench.now + LONG_S, SHORT_S)
    queue = bench.turns.queue("a")
    assert not queue.is_slowed and queue.longest == LONG_S


def test_a_world_that_is_dropped_is_forgotten_unless_somebody_waits(bench: Bench) -> None:
    async def drop() -> None:
        tasks = [asyncio.create_task(bench.step(world)) for world in "ba"]
        await asyncio.sleep(0)
        bench.turns.forget("a")
        bench.turns.forget("b")
        assert set(bench.turns.queues) == {"a"}
        await asyncio.gather(*tasks)
        bench.turns.forget("a")

    asyncio.run(drop())
    assert not bench.turns.queues and bench.order == ["b", "a"]


def test_a_measured_step_counts_even_when_it_raises(bench: Bench) -> None:
    with pytest.raises(LookupError), bench.turns.measure("a"):
        bench.now += LONG_S
        raise LookupError
    queue = bench.turns.queue("a")
    assert (queue.steps, queue.longest) == (1, LONG_S) and queue.debt < LONG_S
