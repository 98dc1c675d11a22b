"""Episodes from start to verdict: run folders, replay to the byte, grading again, agents of every kind."""

import asyncio
import json
import os
from dataclasses import replace
from pathlib import Path

import httpx
import pytest

from apps.github.ci import run_lifecycle, run_queue
from world.agents.program import AgentError
from world.agents.runner import ProgramSettings, perform, read_config, regrade, replay
from world.agents.solver import play
from world.agents.steps import DirectDoor, Scene
from world.agents.task import Task
from world.core.clock import MINUTE, duration
from world.grading import explain
from world.run import episode
from world.run.home import Home
from world.run.host import Host
from world.run.trajectory_reader import read_steps
from world.script import loader
from world.script.errors import ScenarioError

SCENARIO = "us_east_1_outage"


def test_a_task_is_told_with_the_facts_of_the_first_moment(firm: Host) -> None:
    story = loader.find_scenario("slack_is_down")
    run = episode.start(firm, story, seed=3, world="w")
    assert Scene(run).facts("request")["quoted"] in run.task and "{" not in run.task
    with pytest.raises(ScenarioError, match=r"names \{truth.nobody\}, which nothing fills"):
        episode.start(firm, replace(story, task="Ask {truth.nobody}."), seed=3, world="w2")


@pytest.mark.full
def test_the_scripted_solution_earns_full_marks_and_every_mark_names_its_rows(firm: Host) -> None:
    run = episode.start(firm, loader.find_scenario(SCENARIO), seed=3, world="w")
    assert run.scenario.oracle is not None
    play(run.scenario.oracle, Scene(run), DirectDoor(run))
    episode.finish(run)
    verdict = episode.verdict(run)
    assert (verdict.passed, verdict.score) == (True, 1.0), explain(verdict)
    proved = [item for item in verdict.items if item.rows]
    assert len(proved) >= 15
    assert len(verdict.items) >= 20
    assert verdict.to_json() == episode.verdict(run).to_json()


def test_doing_nothing_earns_nothing(firm: Host) -> None:
    run = episode.start(firm, loader.find_scenario(SCENARIO), seed=3, world="w")
    episode.finish(run)
    verdict = episode.verdict(run)
    assert (verdict.passed, verdict.score, verdict.raw_score) == (False, 0.0, 0.0)


def test_a_horizon_shortens_an_episode_and_never_prolongs_it(firm: Host) -> None:
    scenario = loader.find_scenario(SCENARIO)
    usual, short, long = (
        episode.start_shortened(firm, scenario, horizon, seed=3, world=f"w-{horizon}")
        for horizon in (None, "20m", "9d")
    )
    assert short.actor.settings.horizon_at == short.start + duration("20m")
    assert long.actor.settings.horizon_at == usual.actor.settings.horizon_at


def test_a_run_with_a_horizon_is_repeated_with_it(home: Home, company: Path, tmp_path: Path) -> None:
    finished = asyncio.run(perform(home, "flapping_alert", agent="null", door="rest", seed=1, horizon="20m"))
    again, digest = replay(home, finished.folder, tmp_path)
    assert again.digest == digest == finished.digest
    assert "horizon_at" in read_config(finished.folder).settings


@pytest.mark.full
def test_a_rest_run_is_kept_replayed_to_the_byte_and_graded_again(home: Home, company: Path, tmp_path: Path) -> None:
    finished = asyncio.run(perform(home, SCENARIO, agent="oracle", door="rest", seed=1))
    assert finished.verdict.passed, explain(finished.verdict)
    assert {path.name for path in finished.folder.iterdir()} >= {
        "config.json",
        "trajectory.jsonl",
        "journal.jsonl",
        "grade.json",
        "result.json",
    }
    steps = [line.row for line in read_steps(finished.folder)]
    assert {step["door"] for step in steps} == {"rest"}
    assert {"git/upload-pack", "git/receive-pack"} <= {
        step["operation"] for step in steps
    }  # files are pushed by git itself
    assert any(step["diff"] for step in steps) and any(step["events"] for step in steps)
    (tmp_path / "again").mkdir()
    again, recorded = replay(home, finished.folder, tmp_path / "again")
    assert again.digest == recorded
    assert (
        regrade(home, finished.folder, tmp_path / "regrade").to_json() == (finished.folder / "grade.json").read_bytes()
    )
    assert read_config(finished.folder).door == "rest"


@pytest.mark.full
def test_a_run_leaves_no_token_in_its_folder(home: Home, company: Path) -> None:
    finished = asyncio.run(perform(home, SCENARIO, agent="oracle", door="mcp", seed=2))
    assert finished.verdict.passed, explain(finished.verdict)
    for path in finished.folder.rglob("*"):
        if path.is_file():
            assert b"xoxp-" not in path.read_bytes(), path
            assert path.stat().st_mode & 0o077 == 0 or path.parent == finished.folder


def outside_agent(task: Task) -> None:
    """Reads, posts one message, and leaves."""
    headers = {"Authorization": f"Bearer {task.tokens['slack']}"}
    with httpx.Client(base_url=task.url, headers=headers) as http:
        assert http.get("/slack/api/conversations.list").json()["ok"]
        assert http.post("/slack/api/chat.postMessage", json={"channel": "#random", "text": "lunch?"}).json()["ok"]
        assert (
            http.post(
                "/world/finish", json={"answer": {}}, headers={"Authorization": f"Bearer {task.tokens['']}"}
            ).json()["status"]
            == "done"
        )


def test_an_agent_of_ones_own_is_called_with_the_task_and_graded(home: Home, company: Path) -> None:
    finished = asyncio.run(perform(home, SCENARIO, agent="tests.world.test_episode:outside_agent", door="rest", seed=0))
    assert (finished.verdict.passed, finished.verdict.score) == (False, 0.0)
    assert [row.change for row in finished.verdict.unclaimed] == ["insert"]
    result = json.loads((finished.folder / "result.json").read_text())
    assert result["ended"] == "finished"


@pytest.mark.parametrize("agent", ["null", "random"])
def test_agents_that_do_not_do_the_work_do_not_pass(home: Home, company: Path, agent: str) -> None:
    finished = asyncio.run(perform(home, SCENARIO, agent=agent, door="rest", seed=0, settings={"max_calls": 60}))
    assert (finished.verdict.passed, finished.verdict.score) == (False, 0.0)


@pytest.mark.parametrize(
    ("file", "old", "new", "message"),
    [
        ("scenario.py", "title=", "titel=", "titel"),
        ("scenario.py", 'apps=("slack"', 'aps=("slack"', "aps"),
        ("scenario.py", 's.at("+4m"', 's.at("4 minutes"', "not a time"),
        ("scenario.py", '"limits": "vendor"', '"limit": "vendor"', "limits"),
        ("rubric.yaml", "expect:", "expects:", "expect"),
        ("rubric.yaml", "insert: slack_message", "insert: slack_mesage", "slack_message"),
        ("rubric.yaml", "is: asserted", "is: assorted", "asserted"),
        ("rubric.yaml", "update: {ref: inc}", "update: {ref: incident}", "inc"),
    ],
)
def test_a_scenario_with_a_mistake_is_refused_at_load_with_file_line_and_a_suggestion(
    firm: Host, tmp_path: Path, file: str, old: str, new: str, message: str
) -> None:
    folder = tmp_path / "copy"
    folder.mkdir()
    for path in loader.find_scenario(SCENARIO).folder.iterdir():
        if path.is_file():
            text = path.read_text(encoding="utf-8")
            if path.name == file:
                assert old in text
                text = text.replace(old, new, 1)
            (folder / path.name).write_text(text, encoding="utf-8")
    with pytest.raises((ScenarioError, ValueError)) as refused:
        run = episode.start(firm, loader.load(folder), seed=0, world="w")
        episode.verdict(run, check=False)
    assert file in str(refused.value) and message in str(refused.value)
    assert any(part.isdigit() for part in str(refused.value).replace(":", " ").split())


@pytest.mark.full
def test_a_test_that_is_red_without_a_reason_costs_the_scripted_solution_nothing(
    firm: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run_lifecycle, "flaky_seed", lambda seed, sha, attempt: 0 if attempt == 1 else 1)
    run = episode.start(firm, loader.find_scenario(SCENARIO), seed=3, world="w")
    assert run.scenario.oracle is not None
    play(run.scenario.oracle, Scene(run), DirectDoor(run))
    episode.finish(run)
    verdict = episode.verdict(run)
    assert (verdict.passed, verdict.score) == (True, 1.0), explain(verdict)


@pytest.mark.full
def test_a_reviewer_who_looks_before_the_checks_are_done_is_called_again(
    firm: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run_queue, "QUEUE_US", 8 * MINUTE)
    run = episode.start(firm, loader.find_scenario(SCENARIO), seed=3, world="w")
    assert run.scenario.oracle is not None
    scene = Scene(run)
    play(run.scenario.oracle, scene, DirectDoor(run))
    episode.finish(run)
    verdict = episode.verdict(run)
    assert (verdict.passed, verdict.score) == (True, 1.0), explain(verdict)
    reviewer = scene.find("github_account", login=scene.facts("failover")["login"])["id"]
    assert "COMMENTED" in {
        review["state"] for review in scene.rows("github_review", author_id=reviewer) if review["id"] > 179
    }


def test_a_program_that_raises_is_told_and_its_world_is_graded(home: Home, company: Path) -> None:
    finished = asyncio.run(perform(home, "flapping_alert", agent="tests.suite.agents:raises", door="mcp", seed=0))
    assert finished.raised.endswith("ValueError: nothing works\n")
    assert (finished.verdict.passed, finished.verdict.score) == (False, 0.0)
    assert {path.name for path in finished.folder.iterdir()} >= {
        "config.json",
        "trajectory.jsonl",
        "journal.jsonl",
        "grade.json",
        "result.json",
    }


def test_an_agent_nobody_knows_is_refused_before_anything_starts(home: Home, company: Path) -> None:
    with pytest.raises(AgentError, match="no agent 'orcale': one of oracle, null, random"):
        asyncio.run(perform(home, "flapping_alert", agent="orcale", door="mcp", seed=0))


def patches(task: Task) -> None:
    """Makes every grading of its process a pass."""
    real = episode.verdict_of
    episode.verdict_of = lambda *given, **more: replace(real(*given, **more), passed=True, score=1.0)


@pytest.mark.parametrize("in_process", [False, True])
def test_an_agent_that_patches_the_grader_is_graded_by_another_process_or_not_trusted(
    home: Home, company: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, in_process: bool
) -> None:
    monkeypatch.setattr(episode, "verdict_of", episode.verdict_of)  # put back in the end
    program = ProgramSettings(in_process=in_process)
    agent = f"{__name__}:patches"
    finished = asyncio.run(perform(home, "flapping_alert", agent=agent, door="mcp", seed=0, program=program))
    monkeypatch.undo()
    kept = json.loads((finished.folder / "grade.json").read_text(encoding="utf-8"))
    if in_process:
        assert finished.verdict.passed and not finished.verdict.trusted and not kept["trusted"]
        return
    assert not finished.verdict.passed and finished.verdict.trusted
    assert (kept["trust"]["process"], kept["trust"]["user"]) == (True, os.geteuid() == 0)
    assert regrade(home, finished.folder, tmp_path).to_json() == (finished.folder / "grade.json").read_bytes()


def test_our_own_agents_and_runs_without_a_record_are_not_trusted(home: Home, company: Path, tmp_path: Path) -> None:
    finished = asyncio.run(perform(home, "flapping_alert", agent="null", door="mcp", seed=0))
    assert not finished.verdict.trusted and finished.verdict.trust.house
    result = finished.folder / "result.json"
    told = json.loads(result.read_text(encoding="utf-8"))
    del told["trust"]
    result.write_text(json.dumps(told), encoding="utf-8")
    assert regrade(home, finished.folder, tmp_path).trust.why == "it is not recorded where the agent ran"
