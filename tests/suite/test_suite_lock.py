"""The lock of a suite: what it freezes, what has changed since, and going on all the same."""

import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.suite.office import install_chores, write_chore
from world.commands.suite import command
from world.suite import suite_files
from world.suite.suite_files import Suite, SuiteError
from world.suite.suite_lock import check_lock, compare_lock, find_lock, write_suite_lock


@pytest.fixture(autouse=True)
def office(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return install_chores(tmp_path, monkeypatch)


def load(tmp_path: Path, entries: str = "[{chores: all}]") -> Suite:
    path = tmp_path / "core.yaml"
    path.write_text(f"version: 1\ntitle: Core\nentries: {entries}\n", encoding="utf-8")
    return suite_files.load(path)


def test_a_lock_holds_the_tasks_in_order_and_every_revision(tmp_path: Path) -> None:
    suite = load(tmp_path)
    lock = json.loads(write_suite_lock(suite).read_text(encoding="utf-8"))
    assert lock["tasks"] == [task.id for task in suite.tasks] and lock["revisions"] == suite.revisions
    assert compare_lock(load(tmp_path)) == [] and find_lock(suite) == tmp_path / "core.lock"


def test_a_suite_without_a_lock_is_not_frozen(tmp_path: Path) -> None:
    assert compare_lock(load(tmp_path)) == []


def test_what_has_changed_since_is_named(tmp_path: Path, office: Path) -> None:
    write_suite_lock(load(tmp_path))
    (office / "count_votes.py").unlink()
    for number in range(6):
        write_chore(office, f"plan_trip_{number}", "train")
    with (office / "undo_deploy.py").open("a", encoding="utf-8") as file:
        file.write("# harder\n")
    assert compare_lock(load(tmp_path)) == [
        "6 tasks that the lock does not name: plan_trip_0.medium.000, plan_trip_1.medium.000, plan_trip_2.medium.000,"
        " plan_trip_3.medium.000, plan_trip_4.medium.000 and 1 more",
        "1 tasks that are no longer there: count_votes.medium.000",
        "1 scenarios of another revision: undo_deploy",
    ]


def test_another_order_is_another_suite(tmp_path: Path) -> None:
    write_suite_lock(load(tmp_path, "[{scenario: book_room}, {scenario: count_votes}]"))
    other = load(tmp_path, "[{scenario: count_votes}, {scenario: book_room}]")
    assert compare_lock(other) == ["the tasks stand in another order"]


def test_a_lock_holds_in_another_place(tmp_path: Path) -> None:
    """A scenario by its path is named from the suite's file."""
    (tmp_path / "here").mkdir()
    write_chore(tmp_path / "here", "own", "train")
    write_suite_lock(load(tmp_path / "here", "[{scenario: ./own.py}]"))
    shutil.copytree(tmp_path / "here", tmp_path / "there")
    assert compare_lock(suite_files.load(tmp_path / "there" / "core.yaml")) == []


def test_a_broken_lock_is_named(tmp_path: Path) -> None:
    suite = load(tmp_path)
    find_lock(suite).write_text('{"tasks": []}', encoding="utf-8")
    with pytest.raises(SuiteError, match=r"core\.lock: not a lock: Field required"):
        check_lock(suite)


def test_a_suite_that_is_not_as_locked_runs_only_unlocked(tmp_path: Path, office: Path) -> None:
    suite = load(tmp_path)
    done = CliRunner().invoke(command, ["lock", str(suite.path)])
    assert (done.exit_code, done.output.strip()) == (0, str(tmp_path / "core.lock"))
    write_chore(office, "plan_trip", "test")
    out = tmp_path / "out"
    refused = CliRunner().invoke(command, ["run", str(suite.path), "--agent", "null", "--out", str(out)])
    assert refused.exit_code == 1 and not out.exists()
    assert "1 tasks that the lock does not name: plan_trip.medium.000" in refused.output
    assert "--unlocked" in refused.output
    asked = ["run", str(suite.path), "--unlocked", "--split", "train", "--agent", "nobody", "--out", str(out)]
    assert "nobody" in CliRunner().invoke(command, asked).output
