"""The results folder: whole lines or none, going on after a stop, refusing what does not belong together."""

import os
from pathlib import Path

import pytest

from tests.suite.lines import line, manifest
from world.suite.results import LINES, Results
from world.suite.suite_files import SuiteError


def test_a_line_that_was_cut_off_is_made_again(tmp_path: Path) -> None:
    results = Results(tmp_path, manifest("a.x.0", "a.x.1"), resume=False)
    results.add(line("a.x.0"))
    results.add(line("a.x.1"))
    path = tmp_path / LINES
    os.truncate(path, path.stat().st_size - 5)
    again = Results(tmp_path, manifest("a.x.0", "a.x.1"), resume=True)
    assert again.list_finished_runs() == {("a.x.0", "oracle", 0)}
    again.add(line("a.x.1"))
    assert [one["task"] for one in Results(tmp_path, again.manifest, resume=True).latest()] == ["a.x.0", "a.x.1"]


def test_a_lost_run_is_made_again_and_its_new_line_counts(tmp_path: Path) -> None:
    results = Results(tmp_path, manifest("a.x.0"), resume=False)
    results.add(line("a.x.0", status="crashed", error="gone", score=None))
    assert results.list_finished_runs() == set()
    results.add(line("a.x.0", passed=True))
    assert [one["pass"] for one in results.latest()] == [True]


def test_a_folder_with_results_is_not_written_over(tmp_path: Path) -> None:
    Results(tmp_path, manifest("a.x.0"), resume=False)
    with pytest.raises(SuiteError, match="--resume"):
        Results(tmp_path, manifest("a.x.0"), resume=False)


@pytest.mark.parametrize(
    "other",
    [{"digest": "d2"}, {"agent": "null"}, {"attempts": 2}, {"tasks": ["b.x.0"]}, {"versions": {"firmament": "2"}}],
)
def test_another_run_does_not_go_on_in_it(tmp_path: Path, other: dict[str, object]) -> None:
    Results(tmp_path, manifest("a.x.0"), resume=False)
    with pytest.raises(SuiteError, match=f"another {next(iter(other))}"):
        Results(tmp_path, manifest("a.x.0", **other), resume=True)


def test_another_time_limit_may_go_on_in_it(tmp_path: Path) -> None:
    Results(tmp_path, manifest("a.x.0"), resume=False)
    assert Results(tmp_path, manifest("a.x.0", wall_s=5.0), resume=True).lines == []


def test_a_foreign_folder_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("years of work", encoding="utf-8")
    with pytest.raises(SuiteError, match="not empty"):
        Results(tmp_path, manifest("a.x.0"), resume=False)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["thesis.txt"]


def test_a_broken_line_is_named(tmp_path: Path) -> None:
    Results(tmp_path, manifest("a.x.0"), resume=False).add(line("a.x.0"))
    with (tmp_path / LINES).open("ab") as file:
        file.write(b"{broken}\n")
    with pytest.raises(SuiteError, match=r"results\.jsonl:2"):
        Results(tmp_path, manifest("a.x.0"), resume=True)


def test_a_full_disk_leaves_whole_lines_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    results = Results(tmp_path, manifest("a.x.0", "a.x.1"), resume=False)
    results.add(line("a.x.0"))
    whole = (tmp_path / LINES).read_bytes()

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        results.add(line("a.x.1"))
    assert (tmp_path / LINES).read_bytes() == whole and len(results.lines) == 1
