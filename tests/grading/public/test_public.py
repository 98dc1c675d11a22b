"""The public rendering of a verdict says nothing of the rubric that the agent did not write itself."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.grading.public.public_sweep import Diary, leaks, rubric_values, stands
from world.agents.random_writer import write_at_random
from world.agents.solver import play
from world.agents.spammer import spam
from world.agents.steps import DirectDoor, Scene, Step
from world.commands.regrade import command as regrade_command
from world.commands.run import command as run_command
from world.core.clock import iso
from world.gate.variant_runner import VariantRunner
from world.grading.explain import explain
from world.grading.reasons.public import explain_public, to_public
from world.grading.verdict import Verdict
from world.run import episode
from world.run.episode import Episode
from world.run.home import Home
from world.run.host import open_host
from world.run.images import get_image
from world.run.trajectory_reader import read_steps
from world.script import loader

SCENARIOS = ("customer_escalation", "flapping_alert", "quarter_close", "us_east_1_outage")


@pytest.fixture(scope="module", params=SCENARIOS)
def bench(
    request: pytest.FixtureRequest, home: Home, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[VariantRunner]:
    """Each shipped scenario at its first moment."""
    scenario = loader.find_scenario(request.param)
    host = open_host(get_image(home, scenario.card.size), tmp_path_factory.mktemp("public"))
    yield VariantRunner(host, scenario, 0)
    host.store.close()


def idle(run: Episode) -> None:
    """Do nothing at all."""


def in_part(run: Episode) -> None:
    """The solution with each third step dropped."""
    assert run.scenario.oracle is not None
    numbers = iter(range(1, 10_000))

    def two_of_three(step: Step) -> tuple[Step, ...]:
        return () if next(numbers) % 3 == 0 else (step,)

    play(run.scenario.oracle, Scene(run), DirectDoor(run), change=two_of_three, strict=False)


def cheat(run: Episode) -> None:
    """The task's words in every place that takes some, then writes of all kinds at random."""
    spam(run, DirectDoor(run, "mcp"), calls=60)
    write_at_random(run.host, Scene(run), DirectDoor(run, "mcp"), seed=1, calls=150)


@pytest.mark.full
@pytest.mark.parametrize("act", [idle, in_part, cheat])
def test_nothing_of_the_rubric_leaks(bench: VariantRunner, act: Callable[[Episode], None]) -> None:
    run, diary = bench.fork(), Diary()
    run.actor.recorders.append(diary.take)
    act(run)
    episode.finish(run)
    evidence = bench.evidence(run)
    verdict = bench.grade_and_drop(run)
    values = rubric_values(bench, evidence)
    assert verdict.error is None and not verdict.passed and len(values) > 20
    assert leaks(to_public(verdict.as_json()), values, diary) == []
    told = [value for value in values if stands(value, "\n".join(explain(verdict)))]
    assert (
        len([value for value in told if not diary.wrote(value)]) >= 3
    )  # what the sweep finds in the author's rendering


def test_the_command_shows_the_public_verdict_and_keeps_the_whole(home: Home, tmp_path: Path) -> None:
    file = tmp_path / "verdict.json"
    arguments = ["flapping_alert", "--agent", "random", "--door", "rest", "--public", "--json", str(file)]
    said = CliRunner().invoke(run_command, arguments)
    assert said.exit_code == 1 and "FAIL  score 0, 7 items unmet\n  harm  step " in said.output
    found = json.loads(file.read_bytes())
    assert set(found["verdict"]) == {"pass", "score", "unmet", "charges"}
    whole = json.loads((Path(found["folder"]) / "grade.json").read_bytes())
    again = CliRunner().invoke(regrade_command, [found["folder"], "--public"])
    assert again.output.splitlines()[1:] == explain_public(found["verdict"])
    ids = [item["id"] for item in whole["items"]] + [one["nearest"] for one in whole["unclaimed"] if one["nearest"]]
    assert [id for id in ids if stands(id, said.output + again.output)] == []


def test_a_step_is_a_line_of_the_trajectory(home: Home, tmp_path: Path) -> None:
    file = tmp_path / "verdict.json"
    CliRunner().invoke(run_command, ["flapping_alert", "--agent", "random", "--door", "mcp", "--json", str(file)])
    found = json.loads(file.read_bytes())
    lines = [line.row for line in read_steps(Path(found["folder"]))]
    reasons = [reason for one in found["verdict"]["unclaimed"] for reason in one["reasons"]]
    steps = [reason["step"] for reason in reasons if reason["step"] is not None]
    assert len(steps) > 20
    for step in steps:
        row = lines[step["number"] - 1]
        assert (row["seq"], row["operation"], row["door"]) == (step["call"], step["operation"], step["door"])
        assert iso(row["at"]) == step["at"]


def test_an_ungraded_run_shows_its_kind_alone() -> None:
    verdict = Verdict(False, None, None, error="the ref 'secret' names nothing")
    public = to_public(verdict.as_json())
    assert public == {"pass": False, "score": None, "unmet": 0, "charges": [], "error": {"kind": "grader_error"}}
    assert explain_public(public) == ["not graded"]
