"""Suite files: what they say, and what is wrong with a file, by line."""

from pathlib import Path

import pytest

from world.script import catalogue, loader
from world.suite import suite_files
from world.suite.suite_files import SuiteError, TaskSpec

GOOD = """version: 1
title: Mixed
entries:
  - scenario: us_east_1_outage
    seeds: [0, "3-5"]
    split: test
"""


def written(tmp_path: Path, text: str) -> Path:
    (tmp_path / "mixed.yaml").write_text(text, encoding="utf-8")
    return tmp_path / "mixed.yaml"


def test_tasks_stand_in_file_order_with_readable_names(tmp_path: Path) -> None:
    suite = suite_files.load(written(tmp_path, GOOD))
    assert [task.id for task in suite.tasks] == [f"us_east_1_outage.hard.{seed:03}" for seed in (0, 3, 4, 5)]
    assert suite.tasks[0] == TaskSpec("us_east_1_outage", "hard", 0, "test")


def test_a_changed_file_has_another_digest(tmp_path: Path) -> None:
    before = suite_files.load(written(tmp_path, GOOD)).digest
    assert suite_files.load(written(tmp_path, GOOD)).digest == before
    assert suite_files.load(written(tmp_path, GOOD.replace("3-5", "3-6"))).digest != before


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("version: 1", "version: 2", "mixed.yaml:1: version"),
        ("title: Mixed", "titel: Mixed", "mixed.yaml:2: titel: unknown key 'titel'; did you mean 'title'?"),
        (
            "us_east_1_outage",
            "us_east_1_outages",
            "mixed.yaml:4: entries[0].scenario: no scenario 'us_east_1_outages' (did you mean",
        ),
        ("3-5", "5-3", "mixed.yaml:5: entries[0].seeds[1]"),
        ("3-5", "a", "a seed is 7 or '0-9', not 'a'"),
        ('"3-5"', "0", "the task us_east_1_outage.hard.000 stands twice"),
        ('"3-5"', '"0-99999999"', "no range of at most 100000 seeds"),
        ("    split: test", "    split: exam", "mixed.yaml:6: entries[0].split"),
        (
            "    split: test",
            "    difficulties: [trivial]",
            "mixed.yaml:6: entries[0].difficulties: unknown difficulty 'trivial'",
        ),
        ("    split: test", "limits: {horizon: soon}", "mixed.yaml:6: limits.horizon"),
        ("    split: test", "limits: {calls: 0}", "mixed.yaml:6: limits.calls"),
        ("entries:", "entries: []\nlimits:", "mixed.yaml:3: entries"),
        ("entries:", "entries: [", "not YAML"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(tmp_path: Path, old: str, new: str, said: str) -> None:
    with pytest.raises(SuiteError) as refused:
        suite_files.load(written(tmp_path, GOOD.replace(old, new)))
    assert said in str(refused.value)


def test_the_suite_all_has_every_installed_scenario_at_every_difficulty() -> None:
    there = {(name, level) for name in loader.folders() for level in loader.find_scenario(name).card.levels}
    assert {(task.scenario, task.difficulty) for task in suite_files.find_suite("all").tasks} == there


def test_installed_suites_load() -> None:
    assert {"all", "core", "incident", "smoke"} <= set(catalogue.suites())
    assert all(suite_files.find_suite(name).tasks for name in catalogue.suites())
    with pytest.raises(SuiteError, match="did you mean 'smoke'"):
        suite_files.find_suite("smok")
