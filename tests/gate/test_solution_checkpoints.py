"""A variant that begins at its first different step ends as one that is played from the start."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

import pytest

from world.agents.solver import Change, as_is, play, twice, with_arguments, without
from world.agents.steps import DirectDoor, Scene, Step
from world.core.clock import HOUR, SECOND
from world.gate.variant_runner import VariantRunner
from world.run import episode
from world.run.home import Home
from world.run.host import open_host
from world.run.images import get_image
from world.script import loader


@pytest.fixture(scope="module")
def runner(home: Home, tmp_path_factory: pytest.TempPathFactory) -> Iterator[VariantRunner]:
    """Variants of the smallest shipped scenario."""
    scenario = loader.find_scenario("flapping_alert")
    host = open_host(get_image(home, scenario.card.size), tmp_path_factory.mktemp("checkpoints"))
    yield VariantRunner(host, scenario, 0)
    host.store.close()


def look_first(step: Step) -> Iterable[Step]:
    """A look before every step."""
    yield Step(f"look_{step.id}", "world.now", {})
    yield step


def changes(runner: VariantRunner) -> dict[str, Change]:
    """Changes of the first, a middle and the last step, and of none."""
    steps = [one.step for one in runner.play_solution()[1]]
    ids = [step.id for step in steps if step.operation != "world.wait"]
    waits = [step for step in steps if step.operation == "world.wait"]
    return {
        "none": as_is,
        **{f"without {id}": without(id) for id in ids},
        "without a wait": without(waits[0].id),
        "twice the first": twice(ids[0]),
        "a look before every step": look_first,
        "a longer wait": with_arguments(waits[-1].id, seconds=2 * HOUR // SECOND),
        "renamed steps": lambda step: (replace(step, id=f"other_{step.id}"),),
    }


@pytest.mark.full
def test_the_verdict_is_that_of_a_run_from_the_start(runner: VariantRunner) -> None:
    oracle = runner.scenario.oracle
    assert oracle is not None
    for name, change in changes(runner).items():
        whole = runner.fork()
        played = play(oracle, Scene(whole), DirectDoor(whole), change=change, strict=False)
        episode.finish(whole)
        run, steps = runner.play_solution(change)
        assert steps == played, name
        assert episode.count_hash(run) == episode.count_hash(whole), name
        assert runner.grade_and_drop(run).to_json() == runner.grade_and_drop(whole).to_json(), name


def test_what_a_variant_does_is_in_no_other(runner: VariantRunner) -> None:
    first = runner.verdict().to_json()
    runner.verdict(without(runner.play_solution()[1][0].step.id))
    assert runner.verdict().to_json() == first
