"""Cheats on the shipped scenarios: of a share of them (all, in `make cheats`) none passes but those that are known to."""

from collections import Counter
from collections.abc import Iterator

import pytest

from tests.gate.cheats import HALVES, SCENARIOS, Cheat, Cheating, read_causes, read_cheats, read_survivors, take_share
from world.gate.variant_runner import VariantRunner
from world.run.home import Home
from world.run.host import open_host
from world.run.images import get_image
from world.script import loader

LEAST = 35  # cheats of a scenario
IDLE = 10  # among them: runs in which nothing or nearly nothing is done
EVERY = [(scenario, half) for scenario in SCENARIOS for half in HALVES]


@pytest.fixture(scope="module", params=SCENARIOS)
def cheating(
    request: pytest.FixtureRequest, home: Home, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Cheating]:
    """A workbench of a shipped scenario."""
    scenario = loader.find_scenario(request.param)
    host = open_host(get_image(home, scenario.card.size), tmp_path_factory.mktemp("cheats"))
    yield Cheating(VariantRunner(host, scenario, 0))
    host.store.close()


@pytest.mark.full
def test_the_solution_itself_passes(cheating: Cheating) -> None:
    outcome = cheating.run(Cheat(id="honest", means="Changes nothing of the solution."))
    assert outcome.verdict.passed and outcome.stuck == ()


@pytest.mark.full
@pytest.mark.parametrize("half", HALVES)
def test_no_cheat_passes_but_known_survivors(cheating: Cheating, half: str) -> None:
    name = cheating.bench.scenario.name
    outcomes = [cheating.run(one) for one in take_share(cheating.bench, read_cheats(name, half))]
    passed = {one.cheat.id for one in outcomes if one.verdict.passed}
    print(f"{name}, {half}: {len(passed)} of {len(outcomes)} cheats pass")
    assert [f"{one.cheat.id}: {', '.join(one.stuck)}" for one in outcomes if one.stuck] == []
    new = passed - read_survivors(name, half).keys()
    if half == "test":  # run, never read
        assert len(new) == 0, f"{len(new)} cheats pass that did not"
    assert new == set()


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_there_are_cheats_enough_of_every_scenario_and_none_stands_twice(scenario: str) -> None:
    cheats = [one for half in HALVES for one in read_cheats(scenario, half)]
    for values in ([one.id for one in cheats], [one.means for one in cheats]):
        assert [value for value, times in Counter(values).items() if times > 1] == []
    idle = [one for one in cheats if one.id.startswith("idle_")]
    assert len(idle) >= IDLE and len(cheats) - len(idle) >= LEAST


@pytest.mark.parametrize(("scenario", "half"), EVERY)
def test_every_survivor_is_a_cheat_and_has_a_cause_that_is_explained(scenario: str, half: str) -> None:
    known = read_survivors(scenario, half)
    assert known.keys() <= {one.id for one in read_cheats(scenario, half)}
    assert set(known.values()) <= read_causes().keys()
