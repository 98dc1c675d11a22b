"""The ladder of scripted agents: better rungs pass more often, and an attempt is the same every time."""

from collections.abc import Iterator

import pytest

from world.gate.variant_runner import VariantRunner
from world.run import episode
from world.run.home import Home
from world.run.host import open_host
from world.run.images import get_image
from world.script import loader
from world.suite.ladder import RUNGS, climb

ATTEMPTS = 8


@pytest.fixture(scope="module")
def bench(home: Home, tmp_path_factory: pytest.TempPathFactory) -> Iterator[VariantRunner]:
    """A chore at its first moment."""
    host = open_host(get_image(home, "S"), tmp_path_factory.mktemp("ladder"))
    yield VariantRunner(host, loader.find_scenario("hand_over_tickets"), 0)
    host.store.close()


def count_passes(bench: VariantRunner, rung: str) -> int:
    """How many attempts of a rung pass."""
    passed = 0
    for attempt in range(ATTEMPTS):
        run = bench.fork()
        climb(run, rung, attempt)
        episode.finish(run)
        passed += bench.grade_and_drop(run).passed
    return passed


@pytest.mark.full
def test_each_rung_passes_at_least_as_often_as_the_one_below(bench: VariantRunner) -> None:
    passes = [count_passes(bench, rung) for rung in RUNGS]
    assert passes == sorted(passes) and passes[0] == 0 and passes[-1] > ATTEMPTS // 2


def test_the_same_attempt_makes_the_same_mistakes(bench: VariantRunner) -> None:
    records = list[str]()
    for attempt in (0, 0, 1):
        run = bench.fork()
        climb(run, "hasty", attempt)
        records.append(run.actor.world.record_digest().hexdigest())
        bench.host.drop(run.world)
    assert records[0] == records[1] != records[2]
