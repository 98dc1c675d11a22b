"""Programs of others in processes of their own: what they cannot reach, and how each of their ends is met."""

import json
import os
import select
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import world.run.episode
from tests.agents import programs
from tests.agents.launcher import launch
from world import grading
from world.agents import external_agent
from world.agents.confinement import list_visible
from world.agents.external_agent import LOG_BYTES, AgentExit
from world.grading.verdict import Trust
from world.sandbox import landlock
from world.sandbox.model import Unavailable
from world.sandbox.users import reserve_user

ROOT = os.geteuid() == 0
MODES = ["another user", "root itself", "a normal user"] if ROOT else ["a normal user"]
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="a confinement of Linux")


@dataclass
class Case:
    """A grader's home with a secret in it, a solution, and where an agent's output goes."""

    home: Path
    solution: Path
    log: Path

    def told(self, name: str, *, wall_s: float = 60.0, user: int | None = None) -> dict[str, Any]:
        """How to run one of the programs."""
        secrets = [str(self.home / "secret"), str(self.solution)]
        text = {"secrets": secrets, "grader": os.getpid(), "code": world.run.episode.__file__}
        return {
            "name": name if ":" in name else f"{programs.__name__}:{name}",
            "text": json.dumps(text),
            "home": str(self.home),
            "secret": secrets[0],
            "solution": secrets[1],
            "log": str(self.log),
            "wall_s": wall_s,
            "user": user,
        }


@pytest.fixture
def case(tmp_path: Path) -> Case:
    home, scenario = tmp_path / "home", tmp_path / "home" / "scenario"
    scenario.mkdir(parents=True, mode=0o700)
    (home / "secret").write_text("the answer is 42", encoding="utf-8")
    (scenario / "rubric.yaml").write_text("expect: []", encoding="utf-8")
    return Case(home, scenario / "rubric.yaml", home / "agent.log")


def run_as(case: Case, mode: str, name: str, monkeypatch: pytest.MonkeyPatch) -> AgentExit:
    """Run a program while the grader is somebody."""
    if mode == "root itself":
        monkeypatch.setattr(external_agent, "reserve_user", _nobody_left)
    if mode != "a normal user" or not ROOT:
        return launch(case.told(name))
    with reserve_user() as user:
        for path in (case.home, *case.home.rglob("*")):
            os.chown(path, user, user)
        command = [sys.executable, "-m", "tests.agents.launcher", json.dumps(case.told(name, user=user))]
        done = subprocess.run(command, capture_output=True, check=False)
        assert done.returncode == 0, done.stderr.decode()
        found = json.loads(done.stdout)
        return AgentExit(found["status"], found["why"], trust=Trust.from_json(found["trust"]))


def _nobody_left() -> Any:
    raise Unavailable("256 sandboxes are running already", "run fewer at once")


@pytest.mark.skipif(landlock.version() < landlock.SIGNALS, reason="a kernel that holds all of it")
@pytest.mark.parametrize("mode", MODES)
def test_an_agent_that_is_after_its_grader_gets_nothing(case: Case, mode: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FIRM_HOME", str(case.home))
    monkeypatch.setenv("MY_SECRET", "sesame")
    before = grading.grade
    ended = run_as(case, mode, "prowls", monkeypatch)
    found = json.loads(case.log.read_text(encoding="utf-8"))
    assert [what for what, worked in found.items() if worked] == ["its own folder"], found
    assert ended.status == "finished" and grading.grade is before
    assert (case.home / "secret").read_text(encoding="utf-8") == "the answer is 42"
    another = mode == "another user"
    why = "" if another else "it ran as the grader's user"
    assert ended.trust == Trust(True, another, home=True, scenario=True, why=why) and ended.trust.trusted


def test_a_solution_that_is_missing_proves_nothing(case: Case) -> None:
    case.solution.unlink()
    trust = launch(case.told("leaves_at_once")).trust
    assert (trust.home, trust.scenario, trust.trusted) == (True, False, False)


def test_a_folder_stays_hidden_when_a_file_in_it_is_hidden_too(case: Case) -> None:
    hidden = case.solution.parent
    shown = [Path(path) for path in list_visible({str(hidden), str(hidden / "predicates.py")})]
    assert Path(case.home / "secret") in shown
    assert not any(case.solution.is_relative_to(path) for path in shown)


def test_an_agent_that_nothing_holds_is_not_trusted(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the record says is tried from inside, not supposed."""
    told = case.told("leaves_at_once")
    told["secret"], told["home"] = __file__, str(case.home / "scenario")
    trust = launch(told).trust
    assert (trust.process, trust.home, trust.scenario, trust.trusted) == (True, False, True, False)
    assert "it could read the home folder" in trust.why


@pytest.mark.parametrize(
    ("name", "status", "why"),
    [
        ("leaves_at_once", "finished", ""),
        ("tests.suite.agents:raises", "failed", "exit code 1; see agent.log"),
        ("tests.suite.agents:dies", "failed", "exit code -11; see agent.log"),
        ("tests.agents.programs:absent", "failed", "exit code 1; see agent.log"),
        ("tests.suite.agents:gushes", "finished", ""),
    ],
)
def test_every_end_of_an_agent_is_told(case: Case, name: str, status: str, why: str) -> None:
    ended = launch(case.told(name))
    assert (ended.status, ended.why) == (status, why) and ended.trust.process
    assert case.log.stat().st_size <= LOG_BYTES


def test_a_process_that_an_agent_leaves_behind_is_ended(case: Case) -> None:
    assert launch(case.told("leaves")).status == "finished"
    with pytest.raises(ProcessLookupError):
        os.kill(int(case.log.read_text(encoding="ascii")), 0)


@pytest.mark.full
def test_an_agent_that_does_not_go_is_ended_when_its_time_is_up(case: Case) -> None:
    ended = launch(case.told("stays", wall_s=15.0))
    assert (ended.status, ended.why) == ("timeout", "stopped after 15 s") and ended.trust.process
    with pytest.raises(ProcessLookupError):
        os.kill(int(case.log.read_text(encoding="ascii")), 0)


@pytest.mark.full
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT])
def test_an_agent_ends_with_the_process_that_started_it(case: Case, number: signal.Signals) -> None:
    os.mkfifo(case.log)
    command = [sys.executable, "-m", "tests.agents.launcher", json.dumps(case.told("stays"))]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as starter:
        with case.log.open("rb") as said:
            agent = os.pidfd_open(int(said.readline()))
            starter.send_signal(number)
            starter.wait(180)
        poll = select.poll()  # the descriptor may have a high number
        poll.register(agent, select.POLLIN)
        ended = poll.poll(30_000)
        os.close(agent)
    assert ended and starter.returncode != 0
