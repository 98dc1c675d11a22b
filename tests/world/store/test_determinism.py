"""The same calls give the same record bytes, marks and pages, however the work was scheduled."""

import os
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from office import finish, pages, start
from twins import Office, outcome

from world.store import Base, Store, World, vfs

CALLS = 120


def call(store: Store, world: World, number: int) -> None:
    """Call `number` of the script: some statements, some of which fail, some rolled back to a savepoint."""
    office = Office(random.Random(number))
    bound = store.connection(world)
    seq = start(bound)
    for _ in range(office.number(4)):
        bound.raw.execute("SAVEPOINT a")
        outcome(bound.raw, *office.write())
        if bound.raw.in_transaction and office.number(4) == 0:
            bound.raw.execute("ROLLBACK TO a")
        outcome(bound.raw, *office.read())
    if bound.raw.in_transaction:
        finish(bound, seq)


def fingerprint(world: World) -> tuple[int, str, list[bytes]]:
    return world.mark(), world.record_digest().hexdigest(), pages(world)


def straight(store: Store) -> World:
    world = store.create("world")
    for number in range(CALLS):
        call(store, world, number)
    return world


def among_others(store: Store) -> World:
    """Other worlds do other things between the calls."""
    chance = random.Random(3)
    world, *others = [store.create(f"w{n}") for n in range(6)]
    for number in range(CALLS):
        call(store, world, number)
        for _ in range(chance.randrange(4)):
            call(store, chance.choice(others), chance.randrange(10_000))
    return world


def through_forks(store: Store) -> World:
    """Every tenth call in a fork, some of them from some calls back, which are made again."""
    world = store.create("w0")
    number, forks = 0, 0
    following = {0: 0}  # what comes after each committed call
    while number < CALLS:
        call(store, world, number)
        number += 1
        last = store.snapshot(world)
        following[last] = number
        if number % 10 == 0:
            forks += 1
            at = last - 12 if forks % 4 == 0 and forks < 20 else last
            world = store.fork(world, f"w{forks}", at=at)
            number = following[at]
    return world


def with_indexes_dropped(store: Store) -> World:
    world = store.create("world")
    for number in range(CALLS):
        call(store, world, number)
        if world.log is not None and number % 3 == 0:
            world.log.drop()
            world.log.release()
    return world


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory, image: Path) -> tuple[int, str, list[bytes]]:
    store = Store(tmp_path_factory.mktemp("straight"), Base(image))
    found = fingerprint(straight(store))
    store.close()
    return found


@pytest.mark.full
@pytest.mark.parametrize("pool", [1, 3, 16])
@pytest.mark.parametrize("schedule", [straight, among_others, through_forks, with_indexes_dropped])
def test_bytes_do_not_depend_on_the_schedule(
    tmp_path: Path, base: Base, expected: tuple[int, str, list[bytes]], pool: int, schedule: Callable[[Store], World]
) -> None:
    store = Store(tmp_path / "worlds", base, pool=pool)
    assert fingerprint(schedule(store)) == expected
    store.close()


def test_bytes_do_not_depend_on_the_size_of_the_cache(
    tmp_path: Path, base: Base, expected: tuple[int, str, list[bytes]], monkeypatch: pytest.MonkeyPatch
) -> None:
    pragmas = tuple(pragma.replace("cache_size=-512", "cache_size=5") for pragma in vfs.PRAGMAS)
    assert pragmas != vfs.PRAGMAS
    monkeypatch.setattr(vfs, "PRAGMAS", pragmas)
    store = Store(tmp_path / "worlds", base, pool=2)
    assert fingerprint(among_others(store)) == expected
    store.close()


def test_bytes_do_not_depend_on_reopening(tmp_path: Path, base: Base, expected: tuple[int, str, list[bytes]]) -> None:
    store = Store(tmp_path / "worlds", base)
    world = store.create("world")
    for number in range(CALLS):
        call(store, world, number)
        if number % 20 == 7:
            store.close()
            store = Store(tmp_path / "worlds", base)
            world = store.open("world")
    assert fingerprint(world) == expected
    store.close()


def test_bytes_do_not_depend_on_the_process(
    tmp_path: Path, image: Path, expected: tuple[int, str, list[bytes]]
) -> None:
    code = (
        "import sys; sys.path.insert(0, sys.argv[3])\n"
        "from test_determinism import straight; from world.store import Base, Store\n"
        "store = Store(sys.argv[1], Base(sys.argv[2])); world = straight(store)\n"
        "print(world.mark(), world.record_digest().hexdigest())"
    )
    for place, settings in enumerate(
        ({"PYTHONHASHSEED": "1", "TZ": "Asia/Tokyo"}, {"PYTHONHASHSEED": "2", "LC_ALL": "C"})
    ):
        command = [sys.executable, "-c", code, str(tmp_path / str(place)), str(image), str(Path(__file__).parent)]
        ran = subprocess.run(command, capture_output=True, text=True, check=True, env=os.environ | settings)
        assert ran.stdout.split() == [str(expected[0]), expected[1]]


def test_another_call_gives_other_bytes(tmp_path: Path, base: Base, expected: tuple[int, str, list[bytes]]) -> None:
    store = Store(tmp_path / "worlds", base)
    world = store.create("world")
    for number in range(CALLS):
        call(store, world, number + (number == 50))
    assert fingerprint(world)[1] != expected[1]
    store.close()
