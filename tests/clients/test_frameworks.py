"""Training frameworks, unmodified and in environments of their own, over the public client."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.clients.day import interpreter, run
from tests.conftest import Server
from tests.world.studio.exports.run_folders import ask, open_source, open_writer, write_run
from world.agents import chromium
from world.client import Client, Fleet, Task
from world.run.home import Home
from world.studio.exports.harbor import VERDICT, export_tasks

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def fleet(home: Home, company: Path) -> Iterator[Fleet]:
    """A server of its own."""
    with Fleet.local() as made:
        yield made


def test_gymnasium_accepts_the_environment(fleet: Fleet) -> None:
    report = run(
        interpreter("gymnasium"),
        "gymnasium_check.py",
        PYTHONPATH=str(ROOT),
        FIRM_CONTROL=str(fleet.address["socket"]),
        FIRM_SECRET=fleet.address["secret"],
    )
    assert report == {
        "warnings": report["warnings"],
        "same_seed": True,
        "tools": report["tools"],
        "errors": [True, True, False],
        "flags": [[False, False], [False, False], [False, True]],
        "verdict": 0.0,
        "ended": [True, False],
        "dense": 0.0,
        "refused": "unknown options: speed",
        "needed": True,
        "left": ["main-1"],
    }
    assert report["tools"] > 100


@pytest.mark.slow  # packages of a hundred megabytes
def test_pettingzoo_accepts_a_team(fleet: Fleet) -> None:
    report = run(
        interpreter("pettingzoo"),
        "pettingzoo_check.py",
        PYTHONPATH=str(ROOT),
        FIRM_CONTROL=str(fleet.address["socket"]),
        FIRM_SECRET=fleet.address["secret"],
    )
    assert report.pop("tools") > 100
    assert report == {
        "agents": ["p_0004", "p_0006"],
        "prompts": ["You are Daniel Kowalski", "You are Deepika Sharma"],
        "states": [["waiting", "at_work"], ["at_work", "finished"], ["finished", "finished"]],
        "errors": [[False, True], [False, False], [False, False]],
        "ended": [False, False, True],
        "rewards": {"p_0004": 0.0, "p_0006": 0.0},
        "dense": [[0.0, 0.0], [0.0, 0.0]],
        "slips": 0,
        "woken": ["events", "happened", "local", "utc"],
        "after": [],
        "order": ["p_0004", "p_0006", "p_0004", "p_0006"],
        "left": ["main-1"],
    }


@pytest.mark.slow  # packages of a hundred megabytes
def test_inspect_plays_and_scores_with_a_scripted_model(fleet: Fleet, tmp_path: Path) -> None:
    report = run(
        interpreter("inspect"),
        "inspect_eval.py",
        PYTHONPATH=str(ROOT),
        FIRM_CONTROL=str(fleet.address["socket"]),
        FIRM_SECRET=fleet.address["secret"],
        FIRM_LOGS=str(tmp_path),
    )
    assert report == {
        "status": "success",
        "error": "",
        "ids": ["flapping_alert-1", "flapping_alert-2"],
        "prompt": "You are",
        "answers": [True, True, False, True],
        "scores": [0.0, 0.0],
        "unmet": [7, 7],
    }
    assert fleet.client.worlds() == ["main-1"]


@pytest.mark.slow  # packages of a hundred megabytes
def test_langgraph_plays_over_mcp_with_a_scripted_model(fleet: Fleet) -> None:
    report, operations = play_over_mcp(fleet, "langgraph", "langgraph_agent.py")
    assert report.pop("tools") > 100
    assert report == {
        "answers": [["world_now", "success"], ["world_wait", "success"], ["world_finish", "success"]],
        "first": True,
        "last": "It is done.",
    }
    assert operations == ["world.now", "world.wait", "world.finish"]


@pytest.mark.slow  # packages of a hundred megabytes
def test_openai_agents_play_over_mcp_with_a_scripted_model(fleet: Fleet) -> None:
    report, operations = play_over_mcp(fleet, "openai_agents", "openai_agents_run.py")
    assert report.pop("tools") > 100
    assert report == {"answers": 3, "first": True, "last": "It is done."}
    assert operations == ["world.now", "world.wait", "world.finish"]


def play_over_mcp(fleet: Fleet, client: str, script: str) -> tuple[dict[str, Any], list[str]]:
    """Let a script play an episode. Returns its report, and the operations it called."""
    with fleet.create(Task.of("flapping_alert", 1)) as episode:
        report = run(
            interpreter(client),
            script,
            FIRM_MCP=episode.connections.mcp,
            FIRM_TOKEN=episode.connections.token,
            FIRM_TASK=episode.prompt,
        )
        assert episode.observe().ended == "finished"
        return report, [call["operation"] for call in episode.trajectory() if call["door"] == "mcp"]


@pytest.mark.slow  # packages of half a gigabyte
def test_verifiers_own_agent_plays_and_is_rewarded(fleet: Fleet) -> None:
    report = run(
        interpreter("verifiers"),
        "verifiers_rollout.py",
        timeout_s=600,  # its harness is a program with packages of its own, which uv installs first
        PYTHONPATH=f"{ROOT}:{ROOT / 'docker' / 'verifiers'}",
        FIRM_CONTROL=str(fleet.address["socket"]),
        FIRM_SECRET=fleet.address["secret"],
    )
    clock, refused, ended = report.pop("answers")
    assert report == {
        "tasks": ["flapping_alert-1", "flapping_alert-2"],
        "prompt": "You are",
        "errors": [],
        "rewards": {"verdict": 0.0},
        "unmet": 7,
        "tools": report["tools"],
        "schema": ["integer", True],
    }
    assert report["tools"] > 100
    assert "utc" in clock and "channel_not_found" in refused and "done" in ended
    assert fleet.client.worlds() == ["main-1"]


@pytest.mark.slow  # packages of a gigabyte
def test_trl_trains_on_rollouts_with_tool_calls(fleet: Fleet, tmp_path: Path) -> None:
    report = run(
        interpreter("trl"),
        "trl_grpo.py",
        timeout_s=300,
        PYTHONPATH=str(ROOT),
        FIRM_CONTROL=str(fleet.address["socket"]),
        FIRM_SECRET=fleet.address["secret"],
        FIRM_OUT=str(tmp_path),
    )
    assert report == {
        "steps": 2,
        "scores": [0.0, 0.0],
        "moved": True,
        "calls": [3.0, 3.0],
        "failures": [0.33, 0.33],
        "required": ["channel_id", "message"],
        "seconds": "integer",
        "left": ["main-1"],
    }


@pytest.mark.slow  # packages of a hundred megabytes, and a browser
def test_browsergym_plays_on_the_pages(fleet: Fleet) -> None:
    report = run(
        interpreter("browsergym"),
        "browsergym_episode.py",
        PYTHONPATH=str(ROOT),
        FIRM_CONTROL=str(fleet.address["socket"]),
        FIRM_SECRET=fleet.address["secret"],
        FIRM_CHROMIUM=str(chromium.find_executable()),
    )
    assert report == {
        "id": "browsergym/firmament.flapping_alert",
        "goal": "You are",
        "signed_in": True,
        "errors": ["", ""],
        "text": True,
        "rewards": [0.0, 0.0],
        "ended": [False, True],
        "verdict": 0.0,
        "another": True,
        "report": [0.0, True],
        "left": ["main-1"],
    }


@pytest.mark.slow  # packages of a hundred megabytes, and a newer Python
def test_harbor_reads_exported_tasks(home: Home, tmp_path: Path) -> None:
    write_run(tmp_path / "runs" / "a", ask(5))
    source, _ = open_source(home, tmp_path / "runs")
    assert export_tasks(source, open_writer(), tmp_path / "tasks") == 1
    assert run(interpreter("harbor"), "harbor_load.py", FIRM_TASKS=str(tmp_path / "tasks")) == {
        "valid": True,
        "name": "firmament/tidy-3-difficulty_hard-4e19d7f2",
        "instruction": ["Do", "it."],
        "metadata": "tidy",
        "mode": "separate",
        "own_tests": True,
        "collected": [["world", f"firm world grade --public task > {VERDICT}"]],
        "artifacts": [["world", VERDICT]],
        "solution": "solve.sh",
        "unknown": [],
    }


@pytest.mark.slow  # packages of half a gigabyte
def test_openenvs_own_clients_play_on_its_wire(server: Server) -> None:
    address = f"{server.control_url}/openenv"
    report = run(interpreter("openenv"), "openenv_session.py", FIRM_OPENENV=address, FIRM_SECRET="control secret")
    check_openenv(report)
    assert server.do(server.plane.worlds) == []


@pytest.mark.slow  # packages of half a gigabyte
def test_openenvs_own_clients_play_with_several_processes(home: Home, company: Path, tmp_path: Path) -> None:
    with served(home, tmp_path, "--control", "127.0.0.1:0", "--workers", "2") as (control, secret):
        report = run(
            interpreter("openenv"), "openenv_session.py", FIRM_OPENENV=f"{control}/openenv", FIRM_SECRET=secret
        )
        check_openenv(report)
        with Client(url=control, secret=secret) as client:
            assert client.worlds() == []


def check_openenv(report: dict[str, Any]) -> None:
    """What the script must report."""
    played, called = report["played"], report["called"]
    assert (played["prompt"], played["reset"], played["state"]) == ("You are", [None, False], ["mine", 201])
    assert (played["step"], played["end"]) == ([0.0, False, None], [0.0, True])
    assert report["at_once"] == [1, 2, 3, 4, 5, 6]
    assert called["tools"] > 100 and called["schema"] and called["said"]
    assert called["step"] == [0.0, None] and called["refused"].startswith("Tool 'slack_read_channel' failed")


@contextmanager
def served(home: Home, folder: Path, *options: str) -> Iterator[tuple[str, str]]:
    """Address and secret of the control plane of `firm serve` in a home of its own."""
    own = folder / "home"
    own.mkdir(mode=0o700)
    (own / "images").symlink_to(home.images)
    environment = {**os.environ, "FIRM_HOME": str(own), "PYTHONUNBUFFERED": "1"}
    command = [sys.executable, "-m", "world", "serve", "--listen", "127.0.0.1:0", *options]
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as running:
        try:
            assert running.stdout is not None
            line = next(line for line in running.stdout if line.strip().startswith("control"))
            yield line.split()[1], (own / "secrets" / "control").read_text().strip()
        finally:
            running.terminate()
            running.wait(60)
