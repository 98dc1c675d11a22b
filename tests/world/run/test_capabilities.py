"""What a scenario needs of the host is asked first; what the host could not run is never a score."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from tests.world.run.conftest import Forbid
from world.agents import runner
from world.agents.solver import play
from world.agents.steps import DirectDoor, Scene
from world.cli import firm as command
from world.grading.verdict import Verdict
from world.run import episode
from world.run.home import Home
from world.run.host import Host
from world.run.needs import CapabilityError
from world.run.run_evidence import collect_run_record
from world.sandbox import available, step
from world.script import loader
from world.script.errors import ScenarioError
from world.script.loader import Card
from world.suite.suite_files import Limits, TaskSpec
from world.suite.worker import INSIDE, RunOrder, Worker

NEEDY = "us_east_1_outage"
COMMANDS = (
    ["run", NEEDY],
    ["demo"],
    ["serve", "--scenario", NEEDY],
    ["scenario", "check", NEEDY],
    ["scenario", "lock", NEEDY],
    ["suite", "run", "incident", "--out", "results"],
    ["suite", "attack", "incident"],
    ["mcp", "slack", "--scenario", NEEDY],
)
PAYMENTS = {"owner": "quayline", "repo": "payments"}


@pytest.fixture
def isolated() -> None:
    """Skips where the host cannot isolate."""
    if available() is not None:
        pytest.skip(f"this host cannot isolate: {available()}")


@pytest.mark.parametrize("arguments", COMMANDS, ids=lambda given: " ".join(given[:2]))
def test_commands_refuse_before_anything_is_made(
    arguments: list[str], forbid: Forbid, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    forbid()
    monkeypatch.setattr(loader, "load", lambda folder: pytest.fail("a scenario was imported"))
    monkeypatch.setenv("FIRM_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(command, arguments)
    assert done.exit_code == 2
    assert done.stderr == (
        "Error: us_east_1_outage needs CI, which cannot run here (bwrap is not installed; it comes with the package"
        " bubblewrap; without namespaces: tar is not installed; it comes with the package tar): apt-get install bubblewrap."
        "\n"
    )
    assert not (tmp_path / "home" / "images").exists() and not (tmp_path / "results").exists()


def test_a_card_names_only_needs_that_are_known() -> None:
    with pytest.raises(ScenarioError, match="unknown need 'cl'; known: ci"):
        Card(title="x", agent={"handle": "mia"}, apps=(), horizon="1h", needs=("cl",))


@pytest.mark.usefixtures("isolated")
def test_a_run_is_repeated_and_graded_again_where_nothing_can_be_isolated(
    home: Home, tmp_path: Path, forbid: Forbid
) -> None:
    finished = asyncio.run(runner.perform(home, NEEDY, agent="oracle", door="rest", seed=0))
    assert finished.verdict.passed and finished.verdict.revision["host"] == {"ci": step()}
    forbid()
    with pytest.raises(CapabilityError):
        asyncio.run(runner.perform(home, NEEDY, agent="oracle", door="rest", seed=0))
    again, recorded = runner.replay(home, finished.folder, _folder(tmp_path / "again"))
    assert again.digest == recorded
    graded = runner.regrade(home, finished.folder, _folder(tmp_path / "graded"))
    assert again.verdict.to_json() == graded.to_json() == finished.verdict.to_json()


def test_a_check_that_could_not_run_is_an_error_whatever_the_home_has_kept(
    home: Home, firm: Host, tmp_path: Path, forbid: Forbid
) -> None:
    if available() is None:
        _pushed(firm, "kept")  # leaves an outcome in the home
    forbid()
    verdict = _pushed(firm, "lost")
    assert (verdict.passed, verdict.score, verdict.raw_score) == (False, None, None)
    assert json.loads(verdict.to_json())["error"] == {
        "kind": "host_error",
        "why": "a check could not run on this host: bwrap is not installed; it comes with the package bubblewrap;"
        " without namespaces: tar is not installed; it comes with the package tar.",
    }


def test_a_suite_run_that_the_host_could_not_check_is_lost(
    home: Home, tmp_path: Path, forbid: Forbid, monkeypatch: pytest.MonkeyPatch
) -> None:
    def push(run: episode.Episode, order: RunOrder) -> None:
        _push(run)

    monkeypatch.setitem(INSIDE, "pushes", push)  # type: ignore[arg-type]
    forbid()
    task = TaskSpec("flapping_alert", "medium", 0)
    worker = Worker(home.path, _folder(tmp_path / "scratch"))
    try:
        with pytest.raises(CapabilityError, match="a check could not run on this host"):
            worker.run(RunOrder(task, "pushes", "mcp", 0, tmp_path / "run", Limits()))
    finally:
        worker.close()


@pytest.mark.parametrize("name", sorted(loader.folders()))
def test_a_solution_that_has_checks_run_declares_the_need(name: str, firm: Host) -> None:
    if "ci" in loader.find_scenario(name).card.needs and available() is not None:
        pytest.skip(f"this host cannot isolate: {available()}")
    run = episode.start(firm, loader.find_scenario(name), seed=0, world="solved")
    assert run.scenario.oracle is not None
    play(run.scenario.oracle, Scene(run), DirectDoor(run, "mcp"))
    episode.finish(run)
    assert bool(collect_run_record(run.actor).outcomes) == ("ci" in run.scenario.card.needs)


def _folder(path: Path) -> Path:
    path.mkdir()
    return path


def _push(run: episode.Episode) -> None:
    """A new branch with a file more; that repository was given bugs, so its hidden tests look at the branch."""

    def call(operation: str, **arguments: object) -> dict[str, Any]:
        return run.host.call(run.principal("github"), "mcp", operation, {**PAYMENTS, **arguments})

    head = call("repos/get-branch", branch="main")["commit"]["sha"]
    call("git/create-ref", ref="refs/heads/said", sha=head)
    call("web/push-files", branch="said", message="Say it", files=[{"path": "SAID.md", "content": "said\n"}])


def _pushed(firm: Host, world: str) -> Verdict:
    """The verdict on a run in which somebody pushed."""
    run = episode.start(firm, loader.find_scenario("flapping_alert"), seed=0, world=world)
    _push(run)
    episode.finish(run)
    return episode.verdict(run)
