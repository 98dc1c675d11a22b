"""`firm new` writes what works as it stands."""

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.docs.pages import ROOT, blocks
from world.cli import firm
from world.commands.new import TEMPLATES
from world.run.home import Home


def run(folder: Path, *arguments: str, **environment: str) -> "subprocess.CompletedProcess[str]":
    """`firm` as a process, in a folder outside the repository."""
    return subprocess.run(
        [sys.executable, "-m", "world", *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_new_scenario_is_the_one_of_the_documentation() -> None:
    """Its whole gate is proved with the page's."""
    documented = {Path(b.file).name: b.text for b in blocks(ROOT / "docs" / "scenarios.md") if b.file}
    kept = {one.name: one.read_text() for one in (TEMPLATES / "scenario").iterdir() if one.name != "__pycache__"}
    assert kept == documented


@pytest.mark.full
def test_a_new_scenario_is_won_by_its_solution_and_not_by_doing_nothing(home: Home, tmp_path: Path) -> None:
    made = run(tmp_path, "new", "scenario", "late_refund")
    assert made.returncode == 0, made.stderr
    command = made.stdout.split("`")[1].split()
    assert command == ["firm", "scenario", "check", "./late_refund", "--no-doors", "--seeds", "1"]
    done = run(tmp_path, *command[1:], "--only", "V1", "--only", "V2", FIRM_HOME=str(home.path))
    assert done.returncode == 0, done.stdout + done.stderr
    assert {"V1", "V2"} <= {line.split()[0] for line in done.stdout.splitlines()}


@pytest.mark.slow
def test_the_whole_gate_of_a_new_scenario_holds(home: Home, tmp_path: Path) -> None:
    command = run(tmp_path, "new", "scenario", "late_refund").stdout.split("`")[1].split()
    done = run(tmp_path, *command[1:], FIRM_HOME=str(home.path))
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("name", ["Late", "late-refund", "../late", "2late", "late_"])
def test_a_name_that_is_none_writes_nothing(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    refused = CliRunner().invoke(firm, ["new", "scenario", name])
    assert refused.exit_code == 1 and "is no name" in refused.output
    assert list(tmp_path.iterdir()) == []


def test_what_exists_is_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "late").mkdir()
    refused = CliRunner().invoke(firm, ["new", "scenario", "late"])
    assert refused.exit_code == 1 and "exists already" in refused.output
    assert list((tmp_path / "late").iterdir()) == []


@pytest.mark.full
def test_a_new_app_passes_its_door_tests_outside_the_repository(tmp_path: Path) -> None:
    """As installed: its entry point is found through the metadata of a distribution."""
    made = run(tmp_path, "new", "app", "meeting_room")
    assert made.returncode == 0, made.stderr
    folder = tmp_path / "meeting_room"
    metadata = folder / "firmament_meeting_room-0.1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: firmament-meeting-room\nVersion: 0.1.0\n")
    declared = tomllib.loads((folder / "pyproject.toml").read_text())["project"]["entry-points"]["firmament.apps"]
    lines = [f"{name} = {value}" for name, value in declared.items()]
    (metadata / "entry_points.txt").write_text("\n".join(["[firmament.apps]", *lines, ""]))
    path = os.pathsep.join([str(folder), str(ROOT)])
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests"],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "6 passed" in done.stdout
