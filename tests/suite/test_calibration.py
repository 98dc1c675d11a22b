"""Calibration: rates by task, their histogram, the tasks outside the band, and the table for the sampler."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from tests.suite.lines import line, manifest
from world.commands.suite import command
from world.run.home import Home
from world.suite import calibration
from world.suite.calibration import Calibration, TaskRate, calibrate, describe_calibration, read_rates
from world.suite.suite_files import SuiteError, TaskSpec, find_suite
from world.suite.suite_runner import Plan


def measured(**passed: int) -> Calibration:
    """Ten attempts at each task, of which some pass."""
    lines = [line(f"{task}.x.000", attempt, passed=attempt < n) for task, n in passed.items() for attempt in range(10)]
    return calibrate(manifest(*(f"{task}.x.000" for task in passed), attempts=10), lines)


def test_a_rate_is_the_share_of_the_agents_own_passed_attempts() -> None:
    lines = [line("a.x.000", n, passed=n == 0) for n in range(4)] + [line("a.x.000", agent="null", passed=True)]
    assert calibrate(manifest("a.x.000"), lines).tasks == [TaskRate("a.x.000", 1, 4)]


def test_a_lost_run_says_nothing_of_a_task() -> None:
    gone: dict[str, Any] = {"status": "crashed", "score": None, "error": "gone"}
    lines = [line("a.x.000", 0, passed=True), line("a.x.000", 1, **gone), line("b.x.000", 0, **gone)]
    found = calibrate(manifest("a.x.000", "b.x.000"), lines)
    assert found.tasks == [TaskRate("a.x.000", 1, 1)] and found.lost == ["b.x.000"]
    assert "  lost  b.x.000" in list(describe_calibration(found))


def test_the_histogram_keeps_never_and_always_apart() -> None:
    counts = measured(a=0, b=1, c=3, d=3, e=9, f=10).count_bins()
    assert {name: number for name, number in counts.items() if number} == {
        "0 %": 1,
        "10-20 %": 1,
        "30-40 %": 2,
        "90-100 %": 1,
        "100 %": 1,
    }
    said = list(describe_calibration(measured(a=0, c=3, d=3)))
    assert " 30-40 %     2 ########################################" in said
    assert "     0 %     1 ####################" in said and "   100 %     0" in said


def test_tasks_outside_the_band_are_named() -> None:
    found = measured(never=0, seldom=1, often=7, mostly=8)
    said = list(describe_calibration(found))
    assert "2 of 4 tasks within 2 to 70 %" in said
    assert said[-2:] == ["  too hard  never.x.000  0 of 10", "  too easy  mostly.x.000  8 of 10"]


def test_the_file_is_the_samplers_table(tmp_path: Path) -> None:
    path = calibration.write_calibration(tmp_path, measured(a=3, b=10))
    assert read_rates(path) == {"a.x.000": 0.3, "b.x.000": 1.0}
    kept = json.loads(path.read_text(encoding="utf-8"))
    assert kept["too_easy"] == ["b.x.000"] and kept["agent"] == "oracle" and kept["histogram"]["30-40 %"] == 1


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"tasks": [1]}', '{"tasks": {"a": {"passed": 1, "attempts": 0}}}'])
def test_another_file_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "odd.json").write_text(text, encoding="utf-8")
    with pytest.raises(SuiteError, match=r"odd\.json: not a calibration"):
        read_rates(tmp_path / "odd.json")


def test_the_attempts_at_a_task_follow_each_other_so_that_its_start_is_made_once() -> None:
    plan = Plan(find_suite("smoke"), "reads", "mcp", attempts=3, jobs=1)
    order = [(one.task, one.agent) for one in plan.orders(Path("out"))]
    assert [task for task, _ in order[:6]] == [plan.suite.tasks[0]] * 6 and len(order) == 24
    assert [agent for _, agent in order[:6]] == ["null", "spam", "random", "reads", "reads", "reads"]


@pytest.mark.full
def test_the_command_measures_a_suite(
    home: Home, company: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FIRM_HOME", str(home.path))
    suite, out = tmp_path / "one.yaml", tmp_path / "out"
    suite.write_text("version: 1\ntitle: One\nentries: [{scenario: flapping_alert}]\n", encoding="utf-8")
    done = CliRunner().invoke(
        command, ["calibrate", str(suite), "--agent", "null", "-k", "3", "--jobs", "1", "--out", str(out)]
    )
    assert done.exit_code == 0, done.output
    assert "too hard  flapping_alert.medium.000  0 of 3" in done.output
    assert read_rates(out / calibration.FILE) == {TaskSpec("flapping_alert", "medium", 0).id: 0.0}
