"""Honest runs of the shipped scenarios: of a share of them (all, in `make cheats`) each passes but those known to fail."""

from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from tests.gate.cheats import SCENARIOS, Cheat, Cheating, take_share
from world.gate.variant_runner import VariantRunner
from world.run.home import Home
from world.run.host import open_host
from world.run.images import get_image
from world.script import loader

FOLDER = Path(__file__).parents[1] / "grading" / "corpus" / "honest_runs"
KNOWN = {  # run -> why the grader is wrong about it, or the run arguable
    "n_ans_german": "another language than the rubric's is unclear",
    "n_ans_table": "`missed events: delivered at 19:58` is taken for sent, whatever the time",
    "o_conf_z2": "a month that is ruled out counts as named",
    "o_man_w1": "what follows `I wouldn't go further` counts as taken back",
}
LEAST = 20  # of a scenario


def read_runs(scenario: str) -> list[Cheat]:
    """The runs of a scenario, as changes of its solution."""
    raw = yaml.safe_load((FOLDER / f"{scenario}.yaml").read_text(encoding="utf-8"))
    return [Cheat.model_validate(one) for one in raw]


@pytest.fixture(scope="module", params=SCENARIOS)
def player(
    request: pytest.FixtureRequest, home: Home, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[str, Cheating]]:
    """A shipped scenario, and what plays changes of its solution."""
    scenario = loader.find_scenario(request.param)
    host = open_host(get_image(home, scenario.card.size), tmp_path_factory.mktemp("honest"))
    yield request.param, Cheating(VariantRunner(host, scenario, 0))
    host.store.close()


@pytest.mark.full
def test_honest_runs_pass(player: tuple[str, Cheating]) -> None:
    scenario, playing = player
    outcomes = [playing.run(one) for one in take_share(playing.bench, read_runs(scenario))]
    failed = {one.cheat.id for one in outcomes if not one.verdict.passed}
    print(f"{scenario}: {len(failed)} of {len(outcomes)} honest runs fail")
    assert [f"{one.cheat.id}: {', '.join(one.stuck)}" for one in outcomes if one.stuck] == []
    assert failed == KNOWN.keys() & {one.cheat.id for one in outcomes}


def test_there_are_runs_enough_and_each_known_failure_is_one() -> None:
    runs = {scenario: read_runs(scenario) for scenario in SCENARIOS}
    assert min(map(len, runs.values())) >= LEAST
    assert KNOWN.keys() <= {one.id for some in runs.values() for one in some}
