"""The runs that the shipped scenarios' cards record: players who saw nothing but the task and the tools."""

import lzma
import re
from pathlib import Path

import pytest

from tests.docs.pages import ROOT
from world.gate.recorded_runs import read_card

NAMES = ("customer_escalation", "flapping_alert", "quarter_close", "us_east_1_outage")
STORIES = ("three_day_handover", "sprint_from_scraps", "flaky_checkout", "phishing_wave")
TRAJECTORIES = ROOT / "tests" / "grading" / "corpus" / "blind_runs"
FINISH = re.compile(rb'"operation": ?"world.finish"')


def trajectory(name: str, run: str) -> Path:
    """Where the trajectory of a recorded run is kept."""
    return TRAJECTORIES / name / f"{run}.jsonl.xz"


@pytest.mark.parametrize("name", NAMES)
def test_each_scenario_was_played_often_at_two_doors_and_more(name: str) -> None:
    runs = read_card(ROOT / "scenarios" / name / "card.yaml").runs
    assert len(runs) >= 7 and len({run.door for run in runs}) >= 2 and len({run.run for run in runs}) == len(runs)


@pytest.mark.parametrize("name", (*NAMES, *STORIES))
def test_no_verdict_differs_from_a_fair_reading(name: str) -> None:
    assert [
        run for run in read_card(ROOT / "scenarios" / name / "card.yaml").runs if run.fair not in (None, run.passed)
    ] == []


@pytest.mark.parametrize("name", (*NAMES, *STORIES))
def test_the_trajectory_of_each_run_is_kept(name: str) -> None:
    runs = read_card(ROOT / "scenarios" / name / "card.yaml").runs
    kept = {run.run: lzma.decompress(trajectory(name, run.run).read_bytes()) for run in runs}
    assert {run for run, lines in kept.items() if not FINISH.search(lines)} <= {"rest-7"}  # one was cut off
