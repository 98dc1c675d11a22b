"""Cost of worlds in process: fork, diff, memory."""

import gc
from collections.abc import Callable
from itertools import count
from typing import Any

from world.bench.app_bench import workload
from world.bench.timing import each_us, memory_kb, per_call_us, per_second
from world.core import diff
from world.core.settings import Settings
from world.run.actor import Actor
from world.run.host import Host

READ = "SELECT id, full_name FROM person ORDER BY id LIMIT 1"


def fork_us(host: Host, parent: Actor, at: int | None = None) -> float:
    """Fork, bind a connection, first query; worlds are dropped outside the measured time."""
    names = count()
    made: list[str] = []

    def fork() -> None:
        name = f"f{next(names)}"
        made.append(name)
        host.store.connection(host.fork(parent, name, at).world).raw.execute(READ).fetchone()

    fork()
    taken = each_us(fork, times=400)
    for name in made:
        host.drop(name)
    return taken


def poster(host: Host, world: str) -> Callable[[str], Any]:
    """A function that writes a text as somebody who may."""
    load = workload()
    person, place = load.find_member(host, world)
    principal = load.principal(host, world, person)
    return lambda text: host.call(principal, "rest", *load.write(place, text))


def diff_us(host: Host, world: str) -> float:
    """Net diff of a world with at least 20 changed rows."""
    post = poster(host, world)
    while len(diff.net_diff(host.actors[world].bound)) < 20:
        post("a change")
    return per_call_us(lambda: diff.net_diff(host.actors[world].bound), rounds=20, calls=20)


def step_1000_us(host: Host, world: str) -> float:
    """Fork at step 1000 of a world with 1,200 writes, bind and first query."""
    actor = host.actors[world]
    for _ in range(1200):
        actor.advance(actor.now + 1)
    return fork_us(host, actor, at=1000)


def idle_kb(host: Host, worlds: int = 5000) -> float:
    """Memory of a world that has had one text written and that nobody is looking at, in KB."""
    names = [f"idle{number}" for number in range(worlds + 200)]
    for name in names[:200]:
        host.create(name)
        poster(host, name)("warm")
    gc.collect()
    before = memory_kb()
    for name in names[200:]:
        host.create(name)
        poster(host, name)("hello")
    gc.collect()
    taken = memory_kb() - before
    for name in names:
        host.drop(name)
    return taken / worlds


def hold_at_once(host: Host, worlds: int) -> tuple[int, float]:
    """Return the number of written worlds held at once, and their memory in MB. A sample is checked."""
    number, taken = _hold_worlds(host, "held", worlds)
    return number, taken / 1024


def _hold_worlds(host: Host, prefix: str, worlds: int) -> tuple[int, float]:
    gc.collect()
    before = memory_kb()
    names = [f"{prefix}{number}" for number in range(worlds)]
    for name in names:
        host.create(name).advance(host.actors[name].now + 1 + int(name[len(prefix) :]))
    gc.collect()
    taken = memory_kb() - before
    start = host.create(f"{prefix}-fresh").now
    wrong = [
        name
        for name in names[:: max(1, worlds // 500)]
        if host.actors[name].now != start + 1 + int(name[len(prefix) :])
    ]
    if wrong:
        raise AssertionError(f"{len(wrong)} worlds do not hold their own state")
    for name in [*names, f"{prefix}-fresh"]:
        host.drop(name)
    return worlds, taken


def episodes_per_s(host: Host, seconds: float = 3.0) -> float:
    """Fork, 5 reads, 1 write, diff, drop: in process, on one core."""
    parent = host.create("parent", Settings(limits="off"))
    load = workload()
    person, place = load.find_member(host, "parent")
    names = count()

    def episode() -> None:
        name = f"e{next(names)}"
        actor = host.fork(parent, name)
        principal = load.principal(host, name, person)
        for operation, arguments in load.reads(place):
            host.call(principal, "rest", operation, arguments)
        host.call(principal, "rest", *load.write(place, "hello"))
        if not diff.net_diff(actor.bound):
            raise AssertionError("the write is not in the diff")
        host.drop(name)

    return per_second(episode, seconds)
