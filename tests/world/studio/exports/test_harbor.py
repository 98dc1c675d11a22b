"""Tasks as Harbor's folders: what stands in them, and that one of them can be played and graded."""

import asyncio
import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner
from compose_spec import PyCompose

from tests.conftest import Server
from tests.world.studio.exports.run_folders import CONFIG, ask, open_source, visit, write_run
from world.agents.runner import perform
from world.cli import firm
from world.run.home import Home
from world.studio.exports.chat import ChatWriter
from world.studio.exports.company_command import read_message
from world.studio.exports.harbor import VERDICT, export_tasks

TIDY = "tidy-3-difficulty_hard-4e19d7f2"
FILES = [
    "environment/Dockerfile",
    "environment/company",
    "environment/docker-compose.yaml",
    "instruction.md",
    "task.toml",
    "tests/Dockerfile",
    "tests/test.sh",
]


def list_files(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


def read_compose(folder: Path) -> dict[str, Any]:
    return yaml.safe_load((folder / "environment" / "docker-compose.yaml").read_text())


def test_a_task_is_a_folder(home: Home, tmp_path: Path, writer: ChatWriter) -> None:
    write_run(tmp_path / "runs" / "a", ask(5), task="Wait a {moment}.\n")
    source, told = open_source(home, tmp_path / "runs")
    assert export_tasks(source, writer, tmp_path / "out") == 1 and told == []
    folder = tmp_path / "out" / TIDY
    assert list_files(folder) == sorted([*FILES, "solution/solve.sh"])
    assert (folder / "instruction.md").read_text().startswith("Wait a {moment}.\n\nYour tools are")
    config = tomllib.loads((folder / "task.toml").read_text())
    assert config["task"]["name"] == f"firmament/{TIDY}"
    assert config["metadata"]["settings"] == '{"difficulty": "hard"}' and config["metadata"]["seed"] == 3
    assert config["artifacts"] == [{"source": VERDICT, "service": "world"}]
    solution = (folder / "solution" / "solve.sh").read_text().splitlines()
    assert solution[-1] == """company call --at world/employee wait '{"seconds": 5}'"""
    PyCompose.from_yaml(
        yaml.safe_dump(read_compose(folder)).replace("${FIRM_IMAGE:-firmament}", "firmament")
    ).validate()
    assert set(read_compose(folder)["services"]) == {"main", "steward", "world"}


def test_the_agents_container_holds_no_secret(home: Home, tmp_path: Path, writer: ChatWriter) -> None:
    write_run(tmp_path / "runs" / "a", ask(5))
    export_tasks(open_source(home, tmp_path / "runs")[0], writer, tmp_path / "out")
    services = read_compose(tmp_path / "out" / TIDY)["services"]
    assert services["main"]["volumes"] == ["task:/task:ro"]
    holders = [name for name, one in services.items() if any("secrets" in volume for volume in one["volumes"])]
    assert holders == ["world", "steward"] and services["steward"]["network_mode"] == "none"


def test_one_folder_a_task_with_the_solution_of_a_run_that_passed(
    home: Home, tmp_path: Path, writer: ChatWriter
) -> None:
    refused = ask(2, response={"is_error": True, "code": "x", "content": []})
    write_run(tmp_path / "runs" / "a", ask(1), score=0.5)
    write_run(tmp_path / "runs" / "b", refused)
    write_run(tmp_path / "runs" / "c", ask(3))
    source, told = open_source(home, tmp_path / "runs")
    assert export_tasks(source, writer, tmp_path / "out") == 1 and told == []
    (folder,) = (tmp_path / "out").iterdir()
    assert "wait '{\"seconds\": 2}' || true" in (folder / "solution" / "solve.sh").read_text()
    source, told = open_source(home, tmp_path / "runs" / "a")
    assert export_tasks(source, writer, tmp_path / "out") == 1
    assert list_files(folder) == sorted(FILES)  # the solution of the earlier export is gone


def test_a_call_from_the_combined_list_names_no_list(home: Home, tmp_path: Path, writer: ChatWriter) -> None:
    request = {"surface": "firmament", "tool": "world_wait", "arguments": {"seconds": 5}}
    write_run(tmp_path / "runs" / "a", ask(5, request=request))
    source, told = open_source(home, tmp_path / "runs")
    assert export_tasks(source, writer, tmp_path / "out") == 1 and told == []
    solution = (tmp_path / "out" / TIDY / "solution" / "solve.sh").read_text()
    assert """company call world_wait '{"seconds": 5}'\n""" in solution


def test_settings_that_differ_in_other_letters_only_have_folders_of_their_own(
    home: Home, tmp_path: Path, writer: ChatWriter
) -> None:
    for number, value in enumerate(("a b", "a_b", "a/b")):
        run = write_run(tmp_path / "runs" / str(number), ask(1))
        (run / "config.json").write_text(json.dumps({**CONFIG, "agent": "oracle", "settings": {"x": value}}))
    source, told = open_source(home, tmp_path / "runs")
    assert export_tasks(source, writer, tmp_path / "out") == 3 and told == []


@pytest.mark.parametrize(
    ("body", "message"),
    [('{"message": "No such tool."}', "No such tool."), ("Not Found", "Not Found"), ("[1]", "[1]"), ("", "")],
)
def test_the_command_tells_any_refusal(body: str, message: str) -> None:
    assert read_message(body) == message


@pytest.mark.parametrize("score", [1.0, 0.5])
def test_a_run_without_tools_gives_no_task(home: Home, tmp_path: Path, writer: ChatWriter, score: float) -> None:
    write_run(tmp_path / "runs" / "a", visit("/x"), score=score)
    source, told = open_source(home, tmp_path / "runs")
    assert export_tasks(source, writer, tmp_path / "out") == 0
    assert len(told) == 1 and "no tool call" in told[0]


@pytest.mark.full  # a whole run, and a server
def test_the_solution_earns_the_reward_and_nothing_else_does(
    home: Home, company: Path, server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FIRM_HOME", str(home.path))
    run = asyncio.run(perform(home, "flapping_alert", agent="oracle", door="mcp", seed=0))
    done = CliRunner().invoke(firm, ["export", "harbor", run.folder.name, "--out", str(tmp_path / "tasks")])
    assert done.exit_code == 0 and "1 tasks" in done.output, done.output
    folder = tmp_path / "tasks" / "flapping_alert-0"
    desk = tmp_path / "desk" / "secrets"
    desk.mkdir(mode=0o700, parents=True)
    (desk / "control").write_text("control secret")
    monkeypatch.setenv("FIRM_HOME", str(desk.parent))
    trials = [Trial(server.control_url, folder, tmp_path / name) for name in ("idle", "solved")]
    assert trials[0].run("company", "tools", "slack").startswith("slack_")
    trials[1].run(str(folder / "solution" / "solve.sh"))
    assert [trial.find_reward() for trial in trials] == [0.0, 1.0]


class Trial:
    """A task's containers as folders of a place, beside a world of the server."""

    def __init__(self, url: str, folder: Path, place: Path) -> None:
        self._url, self._folder, self._place = url, folder, place
        self._path = f"{place}:{Path(sys.executable).parent}:{os.environ['PATH']}"
        place.mkdir()
        self._steer("create", "--name", place.name, "--scenario", "flapping_alert", "--settings", "{}")
        self._steer("task", place.name, "--out", str(place / "task.json"))
        command = (folder / "environment" / "company").read_text()
        (place / "company").write_text(command.replace("/task/task.json", str(place / "task.json")))
        (place / "company").chmod(0o755)

    def run(self, *command: str) -> str:
        """What a command in the agent's container prints."""
        return subprocess.run(command, env={"PATH": self._path}, check=True, capture_output=True, text=True).stdout

    def find_reward(self) -> float:
        """What the verifier writes of the verdict that the world's container hands out."""
        verdict = self._place / "verdict.json"
        verdict.write_text(self._steer("grade", "--public", self._place.name))
        check = (self._folder / "tests" / "test.sh").read_text().replace(VERDICT, str(verdict))
        self.run("sh", "-c", check.replace("/logs/verifier", str(self._place / "logs")))
        return json.loads((self._place / "logs" / "reward.json").read_text())["reward"]

    def _steer(self, *asked: str) -> str:
        done = CliRunner().invoke(firm, ["world", "--url", self._url, *asked])
        assert done.exit_code == 0, done.output
        return done.output
