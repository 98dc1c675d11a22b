"""A leaderboard: order, common tasks, splits, costs, and a page that is safe with any name."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from tests.suite.lines import line, manifest, text
from world.commands.suite import command
from world.suite.intervals import estimate_difference, estimate_rate
from world.suite.leaderboard import rank_results, write_leaderboard
from world.suite.results import Results
from world.suite.suite_files import SuiteError

TASKS = {"a.x.000": "train", "a.x.001": "train", "b.x.000": "test", "c.x.000": "test"}
MARKUP = "\"'><img src=x onerror=alert(1)>[red]"


def write(folder: Path, passed: list[bool], *, agent: str = "oracle", steps: int = 4, **more: Any) -> Path:
    """A folder of results: of the first tasks whether they passed."""
    tasks = dict(zip(TASKS, passed, strict=False))
    results = Results(folder, manifest(*tasks, agent=agent, **more), resume=False)
    for task, one in tasks.items():
        results.add(line(task, passed=one, agent=agent, split=TASKS[task], steps=steps))
    return folder


def three(tmp_path: Path) -> list[Path]:
    """`first` passes two of the three common tasks, `second` all of them, `third` none."""
    return [
        write(tmp_path / "first", [True, True, False, True]),
        write(tmp_path / "second", [True, True, True], agent="m:two", steps=10),
        write(tmp_path / "third", [False, False, False, True], agent="m:three"),
    ]


def test_the_best_over_the_common_tasks_comes_first_with_clustered_intervals(tmp_path: Path) -> None:
    found = rank_results(three(tmp_path))
    assert [one.folder for one in found.standings] == ["second", "first", "third"]
    assert (found.tasks, found.only_some) == ({"train": 2, "test": 1}, 1)
    assert found.standings[1].row.passed == estimate_rate([[1.0, 1.0], [0.0]])
    assert found.standings[0].difference is None
    assert found.standings[2].difference == estimate_difference([[-1.0, -1.0], [-1.0]])


def test_each_split_has_a_rate_of_its_own_and_each_run_a_cost(tmp_path: Path) -> None:
    second, first, _ = rank_results(three(tmp_path)).standings
    assert {name: one.mean for name, one in first.splits.items()} == {"train": 1.0, "test": 0.0}
    assert (first.row.steps, second.row.steps, second.times) == (4, 10, {"agent_s": 0.5, "wall_s": 1.0})


def test_the_floor_of_the_first_folder_that_has_it_stands_below(tmp_path: Path) -> None:
    folders = three(tmp_path)
    results = Results(folders[1], manifest(*list(TASKS)[:3], agent="m:two"), resume=True)
    results.add(line("a.x.000", agent="spam", split="train"))
    assert [(row.agent, row.passed.mean) for row in rank_results(folders).floor] == [("spam", 0.0)]


def test_results_of_another_suite_are_ranked_only_anyway(tmp_path: Path) -> None:
    folders = [write(tmp_path / "a", [True]), write(tmp_path / "b", [False], suite="core")]
    with pytest.raises(SuiteError, match=r"the results in .*b are of another suite .* --anyway"):
        rank_results(folders)
    assert len(rank_results(folders, anyway=True).standings) == 2


def test_a_task_has_the_split_of_the_first_folder_in_every_row(tmp_path: Path) -> None:
    other = Results(tmp_path / "other", manifest(*TASKS, suite="core"), resume=False)
    for task in TASKS:
        other.add(line(task, passed=True, split="dev"))
    board = rank_results([write(tmp_path / "first", [True, False, True, False]), other.folder], anyway=True)
    assert [list(one.splits) for one in board.standings] == [["train", "test"]] * 2
    write_leaderboard(board, tmp_path / "board.html")
    assert "By split" in text(tmp_path, "board.html")


def test_folders_of_one_name_stand_with_the_path_that_tells_them_apart(tmp_path: Path) -> None:
    folders = [write(tmp_path / one, [True]) for one in ("a/results", "b/results", "c")]
    assert [one.folder for one in rank_results(folders).standings] == ["a/results", "b/results", "c"]


def test_results_without_a_common_task_have_no_ranks(tmp_path: Path) -> None:
    empty = Results(tmp_path / "b", manifest("a.x.000"), resume=False)
    with pytest.raises(SuiteError, match="no task in common"):
        rank_results([write(tmp_path / "a", [True]), empty.folder])


def test_the_page_loads_nothing_and_hostile_names_stay_text(tmp_path: Path) -> None:
    folders = [write(tmp_path / "a", [True, False, True], agent=f"m:{MARKUP}"), *three(tmp_path)]
    write_leaderboard(rank_results(folders), tmp_path / "board.html")
    page = text(tmp_path, "board.html")
    assert "<img" not in page and re.findall(r"\b(?:src|href)=\"\S*|url\(|@import", page) == ['href="data:,">']
    assert page.count("&lt;img") == 3 and "By split" in page and "default-src 'none'" in page


def test_the_command_writes_page_and_figures_and_prints_the_ranks(tmp_path: Path) -> None:
    folders, page = [str(one) for one in three(tmp_path)], tmp_path / "board.html"
    done = CliRunner().invoke(command, ["leaderboard", *folders, "--out", str(page)], env={"COLUMNS": "160"})
    ranks = [line.split()[1] for line in done.output.splitlines() if line.startswith("│")]
    assert done.exit_code == 0 and ranks == ["second", "first", "third"]
    found = json.loads(text(tmp_path, "board.json"))
    assert [one["agent"] for one in found["standings"]] == ["m:two", "oracle", "m:three"] and found["tasks"] == 3
    assert found["standings"][1]["splits"]["test"]["mean"] == 0.0 and found["standings"][0]["mean_calls"] == 10
    refused = CliRunner().invoke(command, ["leaderboard", *folders, "--out", "board.json"])
    assert refused.exit_code == 2 and ".html" in refused.output
