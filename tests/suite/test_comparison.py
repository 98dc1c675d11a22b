"""Two results side by side: the difference, its interval, what changed, and what cannot be compared."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from tests.suite.lines import line, manifest
from world.commands.suite import command
from world.suite.comparison import compare_results, find_mcnemar_p
from world.suite.intervals import estimate_difference
from world.suite.results import LINES, Results
from world.suite.suite_files import SuiteError

TASKS: tuple[str, ...] = ("a.x.000", "a.x.001", "b.x.000", "b.x.001", "c.x.000")


def write(folder: Path, passed: dict[str, list[bool]], **more: Any) -> Path:
    """A folder of results: of each task whether its attempts passed."""
    results = Results(folder, manifest(*passed, **more), resume=False)
    for task, attempts in passed.items():
        for attempt, one in enumerate(attempts):
            results.add(line(task, attempt, passed=one, agent=more.get("agent", "oracle")))
    results.add(line(next(iter(passed)), passed=True, agent="null"))
    return folder


def both(tmp_path: Path, **more: Any) -> tuple[Path, Path]:
    """A passes 1, 1, 0, 1/2 and 1 of the tasks, B 1, 0, 1, 1 and nothing of the last."""
    first = dict(zip(TASKS, ([True], [True], [False], [True, False], [True]), strict=True))
    second = dict(zip(TASKS, ([True], [False], [True], [True, True]), strict=False))
    return write(tmp_path / "a", first), write(tmp_path / "b", second, agent="m:f", attempts=2, **more)


def test_the_difference_is_that_of_the_common_tasks_clustered_by_family(tmp_path: Path) -> None:
    found = compare_results(*both(tmp_path))
    assert found.difference == estimate_difference([[0.0, -1.0], [1.0, 0.5]]) and found.difference.mean == 0.125
    assert found.rates == (0.625, 0.75) and found.alone == (1, 0)


def test_what_changed_is_named_by_the_majority_of_attempts(tmp_path: Path) -> None:
    found = compare_results(*both(tmp_path))
    assert found.lost == ["a.x.001"] and found.gained == ["b.x.000", "b.x.001"]
    assert [(row.family, row.tasks, row.before, row.after) for row in found.list_families()] == [
        ("a", 2, 1.0, 0.5),
        ("b", 2, 0.25, 1.0),
    ]


@pytest.mark.parametrize(
    ("lost", "gained", "p"), [(0, 0, 1.0), (1, 1, 1.0), (0, 5, 2 / 32), (10, 1, 24 / 2048), (3, 12, 0.03515625)]
)
def test_mcnemar_is_the_exact_binomial_test_of_the_changes(lost: int, gained: int, p: float) -> None:
    assert find_mcnemar_p(lost, gained) == find_mcnemar_p(gained, lost) == pytest.approx(p)


@pytest.mark.parametrize(
    ("other", "said"),
    [
        ({"suite": "core"}, "another suite (mixed, then core)"),
        ({"digest": "d2"}, "another version of the suite (d1, then d2)"),
        ({"company": 8}, "another company (7, then 8)"),
        ({"versions": {"firmament": "2"}}, "another version (firmament 1, then firmament 2)"),
    ],
)
def test_results_of_different_things_are_compared_only_anyway(tmp_path: Path, other: dict[str, Any], said: str) -> None:
    folders = both(tmp_path, **other)
    with pytest.raises(SuiteError) as refused:
        compare_results(*folders)
    assert said in str(refused.value) and "--anyway" in str(refused.value)
    assert len(compare_results(*folders, anyway=True).pairs) == 4


def test_results_without_a_common_task_are_refused(tmp_path: Path) -> None:
    first, second = write(tmp_path / "a", {"a.x.000": [True]}), write(tmp_path / "b", {"b.x.000": [True]})
    with pytest.raises(SuiteError, match="no task in common"):
        compare_results(first, second)


def test_with_one_common_family_its_tasks_are_the_clusters(tmp_path: Path) -> None:
    first = write(tmp_path / "a", {"a.x.000": [True], "a.x.001": [False], "b.x.000": [True]})
    second = write(tmp_path / "b", {"a.x.000": [False], "a.x.001": [False]})
    assert compare_results(first, second).difference == estimate_difference([[-1.0], [0.0]])


def test_a_folder_without_results_is_named(tmp_path: Path) -> None:
    with pytest.raises(SuiteError, match=r"suite\.json"):
        compare_results(tmp_path, tmp_path)


def test_comparing_changes_nothing_in_the_folders(tmp_path: Path) -> None:
    folders = both(tmp_path)
    with (folders[0] / LINES).open("ab") as file:
        file.write(b'{"task": "cut')
    before = (folders[0] / LINES).read_bytes()
    assert len(compare_results(*folders).pairs) == 4 and (folders[0] / LINES).read_bytes() == before


def test_the_command_prints_text_or_json(tmp_path: Path) -> None:
    folders = [str(one) for one in both(tmp_path)]
    text = CliRunner().invoke(command, ["compare", *folders]).output
    for said in (
        "A  oracle (door mcp, attempts 1): pass 62.5 % over 4 tasks",
        "B  m:f (door mcp, attempts 2): pass 75.0 %",
        "not compared: 1 tasks that only A has, 0 that only B has",
        "1 tasks from pass to fail, 2 from fail to pass; McNemar's exact test p = 1",
        "pass to fail  a.x.001",
        "-50.0",
    ):
        assert said in text, said
    found = json.loads(CliRunner().invoke(command, ["compare", *folders, "--json"]).output)
    assert found["difference"]["mean"] == 0.125 and found["fail_to_pass"] == ["b.x.000", "b.x.001"]
    assert found["results"][1]["agent"] == "m:f" and found["families"][0]["family"] == "a"
