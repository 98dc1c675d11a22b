"""Pairs and groups: which runs part where, and their advantages."""

from pathlib import Path

import pytest

from tests.world.studio.exports.run_folders import ask, open_source, read_rows, write_run
from world.run.home import Home
from world.run.trajectory import Origin
from world.run.trajectory_reader import TrajectoryError
from world.studio.exports.branch_groups import find_groups
from world.studio.exports.chat import ChatWriter
from world.studio.exports.grpo import export_groups, list_advantages
from world.studio.exports.preferences import export_preferences


def write_tree(root: Path) -> None:
    """A run, two branches of its second step, a branch of a branch at the first step, and a run of its own."""
    write_run(root / "a", ask(1), ask(2), ask(3), score=0.0)
    write_run(root / "b", ask(1), ask(2), ask(4), score=0.5, origin=Origin(run="a", step=2, seq=2))
    write_run(root / "c", ask(1), ask(2), ask(5), score=1.0, origin=Origin(run="a", step=2, seq=2))
    write_run(root / "d", ask(1), ask(6), score=0.5, origin=Origin(run="c", step=1, seq=1))
    write_run(root / "e", ask(7), score=1.0)


def test_runs_are_grouped_where_they_part(home: Home, tmp_path: Path) -> None:
    write_tree(tmp_path)
    source, _ = open_source(home, tmp_path)
    found = {group.name: [run.name for run in group.runs] for group in find_groups(source)}
    start = next(name for name in found if name.endswith("@0"))
    assert found == {"a@1": ["a", "d"], "a@2": ["a", "b", "c"], start: ["a", "e"]}


def test_a_run_that_ends_where_it_parts_is_left_out(home: Home, tmp_path: Path) -> None:
    write_run(tmp_path / "a", ask(1), ask(2))
    write_run(tmp_path / "b", ask(1), origin=Origin(run="a", step=1, seq=1))
    source, told = open_source(home, tmp_path)
    assert find_groups(source) == [] and told == ["b: has nothing after step 1"]


def test_pairs_put_the_better_way_first(home: Home, tmp_path: Path, writer: ChatWriter) -> None:
    write_tree(tmp_path / "runs")
    source, told = open_source(home, tmp_path / "runs")
    assert export_preferences(source, writer, tmp_path / "out") == 5 and told == []
    rows = {
        (row["metadata"]["chosen"]["run"], row["metadata"]["rejected"]["run"]): row
        for row in read_rows(tmp_path / "out")
    }
    assert set(rows) == {("d", "a"), ("b", "a"), ("c", "a"), ("c", "b"), ("e", "a")}
    row = rows["c", "b"]
    assert [one["role"] for one in row["prompt"]] == ["user", "assistant", "tool", "assistant", "tool"]
    ways = [row[name][0]["tool_calls"][0]["function"]["arguments"] for name in ("chosen", "rejected")]
    assert ways == ['{"seconds":5}', '{"seconds":4}'] and len(row["chosen"]) == 2
    assert (row["chosen_score"], row["rejected_score"], row["metadata"]["group"]) == (1.0, 0.5, "a@2")
    assert export_preferences(source, writer, tmp_path / "out", margin=0.5) == 2


def test_groups_have_scores_and_advantages(home: Home, tmp_path: Path, writer: ChatWriter) -> None:
    write_tree(tmp_path / "runs")
    source, _ = open_source(home, tmp_path / "runs")
    assert export_groups(source, writer, tmp_path / "out") == 7
    rows = [row for row in read_rows(tmp_path / "out") if row["group"] == "a@2"]
    assert [row["score"] for row in rows] == [0.0, 0.5, 1.0]
    assert rows[1]["advantage"] == 0 and rows[2]["advantage"] == -rows[0]["advantage"] == pytest.approx(
        1.2244, abs=1e-3
    )
    assert {(row["group_size"], row["group_mean"]) for row in rows} == {(3, 0.5)}
    assert len({str(row["prompt"]) for row in rows}) == 1
    assert list_advantages([0.3, 0.3]) == [0, 0]


def test_a_branch_that_does_not_share_the_steps_before_is_left_out(
    home: Home, tmp_path: Path, writer: ChatWriter
) -> None:
    write_run(tmp_path / "runs" / "a", ask(1), ask(2), score=0.0)
    write_run(tmp_path / "runs" / "b", ask(9), ask(3), origin=Origin(run="a", step=1, seq=1))
    source, told = open_source(home, tmp_path / "runs")
    assert export_preferences(source, writer, tmp_path / "out") == export_groups(source, writer, tmp_path / "out") == 0
    assert ["does not share the first 1 steps" in text for text in told] == [True, True]


def test_two_runs_of_one_name_are_refused_when_a_branch_could_mean_either(home: Home, tmp_path: Path) -> None:
    for side in ("x", "y"):
        write_run(tmp_path / side / "a", ask(1), origin=Origin(run="z", step=1, seq=1))
    source, _ = open_source(home, tmp_path)
    with pytest.raises(TrajectoryError, match="runs of one name"):
        find_groups(source)


def test_origins_in_a_circle_are_no_trap(home: Home, tmp_path: Path) -> None:
    write_run(tmp_path / "a", ask(1), ask(2), origin=Origin(run="b", step=1, seq=1))
    write_run(tmp_path / "b", ask(1), ask(2), origin=Origin(run="a", step=1, seq=1))
    source, _ = open_source(home, tmp_path)
    assert find_groups(source) == []
