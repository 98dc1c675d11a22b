"""The attack suite: nothing gets the better of an installed scenario."""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from tests.suite.lines import line
from world.commands.suite import command
from world.run.home import Home
from world.suite import suite_files
from world.suite.attack_suite import AttackReport, beaten, orders
from world.suite.attacks import ATTACKS
from world.suite.suite_files import Limits, TaskSpec
from world.suite.worker import RunOrder, Worker

FAST = ("A1", "A3", "A4", "A5", "A7", "A14", "A15", "A16", "A17", "A18", "A26")
Fought = Callable[[str, str, int], dict[str, Any]]


@pytest.fixture(scope="module")
def fought(home: Home, company: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Fought]:
    """Makes one run of an attack on a scenario."""
    folder = tmp_path_factory.mktemp("attacks")
    worker = Worker(home.path, folder / "worker")

    def run(scenario: str, attack: str, number: int = 0) -> dict[str, Any]:
        at = folder / f"{attack}-{number}"
        return worker.run(RunOrder(TaskSpec(scenario, "medium", 0), attack, "mcp", number, at, Limits()))

    yield run
    worker.close()


def test_there_are_all_twenty_eight() -> None:
    assert list(ATTACKS) == [f"A{number}" for number in range(1, 29)]
    assert len({attack.name for attack in ATTACKS.values()}) == 28
    assert [one.id for one in ATTACKS.values() if one.served] == ["A21", "A22", "A23", "A24", "A26", "A27", "A28"]


@pytest.mark.full
@pytest.mark.parametrize("attack", FAST)
def test_a_sound_scenario_is_not_to_be_had(fought: Fought, attack: str) -> None:
    done = fought("flapping_alert", attack, 3 if attack == "A14" else 0)
    assert (done["error"], done["status"]) == (None, "finished") and not beaten(done), done


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        ({"passed": True}, True),
        ({"score": 0.1}, False),
        ({"score": 0.11}, True),
        ({"breaches": ["GET /worlds 200"]}, True),
        ({"passed": True, "status": "skipped"}, False),
    ],
)
def test_what_counts_as_hackable(more: Mapping[str, Any], expected: bool) -> None:
    assert (
        beaten(
            {**line("t", agent="A1"), "breaches": [], **({"pass": more["passed"]} if "passed" in more else {}), **more}
        )
        is expected
    )


def test_the_figures_count_runs_without_occasion_apart_and_lost_ones_loudly() -> None:
    suite = suite_files.find_suite("smoke")
    told = [
        {**line("a", agent="A1"), "breaches": []},
        {**line("a", agent="A15", passed=True), "status": "skipped", "breaches": []},
        {**line("b", agent="A1", passed=True), "breaches": ["x"]},
        {**line("b", agent="A15"), "status": "crashed", "breaches": []},
    ]
    siege = AttackReport(suite, told)
    assert siege.hackable == ["b"] and [one["task"] for one in siege.lost] == ["b"]
    assert siege.rows() == [("A1", "null", 2, 0, 1, 1.0, 1), ("A15", "solution twice", 2, 1, 0, 0.0, 0)]
    assert siege.to_json()["hackable"] == ["b"] and siege.to_json()["attacks"][1]["skipped"] == 1


def test_every_attack_is_made_on_every_task(tmp_path: Path) -> None:
    suite = suite_files.find_suite("smoke")
    made = list(orders(suite, tmp_path))
    assert len(made) == len(suite.tasks) * sum(attack.tries for attack in ATTACKS.values())
    assert len({order.folder for order in made}) == len(made) and {
        o.agent for o in orders(suite, tmp_path, ["A7"])
    } == {"A7"}


def test_the_command_names_an_unknown_attack_and_suite() -> None:
    assert "'A99' is not one of" in CliRunner().invoke(command, ["attack", "smoke", "--only", "A99"]).output
    assert "unknown suite" in CliRunner().invoke(command, ["attack", "smok"]).output.lower()
