"""Agents by name: a slip of the pen is told before anything runs, and what is asynchronous is run."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from world.agents.program import AgentError, VariableError, call, check, find_variables
from world.agents.task import Task
from world.commands import run, suite

TASK = Task("text", "http://127.0.0.1:1", {}, "", {})
HEARD: list[Task] = []


def plain(task: Task) -> None:
    """A function."""
    HEARD.append(task)


async def waiting(task: Task) -> None:
    """A coroutine function."""
    HEARD.append(task)


@pytest.mark.parametrize("name", ["plain", "waiting"])
def test_a_function_is_called_and_a_coroutine_function_runs_to_its_end(name: str) -> None:
    HEARD.clear()
    call(f"{__name__}:{name}", TASK)
    assert HEARD == [TASK]


def test_a_module_without_the_callable_is_refused() -> None:
    with pytest.raises(AgentError, match="has no callable 'absent'"):
        call(f"{__name__}:absent", TASK)


@pytest.mark.parametrize(
    ("agent", "said"),
    [
        ("oracl", "no agent 'oracl': one of oracle, null, random"),
        ("absent_module:work", "there is no module 'absent_module'"),
        ("absent.module:work", "there is no module 'absent.module'"),
        ("tests.agents.test_program:", "no agent 'tests.agents.test_program:'"),
        (":work", "no agent ':work'"),
    ],
)
@pytest.mark.parametrize("command", ["run", "suite"])
def test_an_agent_that_is_not_there_is_refused_before_anything_runs(
    tmp_path: Path, agent: str, said: str, command: str
) -> None:
    out = tmp_path / "out"
    asked = {"run": (run.command, ["flapping_alert"]), "suite": (suite.command, ["run", "smoke", "--out", str(out)])}
    program, arguments = asked[command]
    done = CliRunner().invoke(program, [*arguments, "--agent", agent], env={"FIRM_HOME": str(tmp_path / "home")})
    assert (done.exit_code, said in done.output) == (1, True), done.output
    assert not out.exists() and not (tmp_path / "home").exists()


@pytest.mark.parametrize("command", ["run", "suite"])
def test_a_horizon_that_is_no_duration_is_refused(tmp_path: Path, command: str) -> None:
    asked = {
        "run": (run.command, ["flapping_alert"]),
        "suite": (suite.command, ["run", "smoke", "--out", str(tmp_path)]),
    }
    program, arguments = asked[command]
    done = CliRunner().invoke(program, [*arguments, "--horizon", "soon"])
    assert done.exit_code == 2 and "not a duration: 'soon'" in done.output


def test_an_agent_is_given_the_variables_that_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("MODEL_URL", "MODEL_KEY", "FIRM_HOME", "FIRM_JUDGE_KEY"):
        monkeypatch.setenv(name, "x")
    assert find_variables(["MODEL_*", "MODEL_KEY"]) == ("MODEL_KEY", "MODEL_URL")
    assert not [name for name in find_variables(["*"]) if name.startswith("FIRM_")]
    for name, why in (("FIRM_HOME", "is not for agents"), ("FIRM_*", "is not for agents"), ("ABSENT", "is not set")):
        with pytest.raises(VariableError, match=why):
            find_variables([name])


def test_looking_for_a_module_runs_nothing_of_the_packages_around_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "outer").mkdir()
    (tmp_path / "outer" / "__init__.py").write_text("raise SystemExit('it ran')", encoding="utf-8")
    (tmp_path / "outer" / "inner.py").write_text("", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    check("outer.inner:work", ())
    with pytest.raises(AgentError, match=r"there is no module 'outer\.absent'"):
        check("outer.absent:work", ())
