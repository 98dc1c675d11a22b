"""The scenario of docs/scenarios.md, taken from the page alone."""

from pathlib import Path

import pytest

from tests.docs.conftest import BIN, Reader, environment
from tests.docs.pages import ROOT, blocks
from world.script import loader

FILES = ["thanks/task.md", "thanks/scenario.py", "thanks/rubric.yaml", "thanks/oracle.py", "thanks/survivors.yaml"]


def test_the_page_gives_every_file() -> None:
    assert [b.file for b in blocks(ROOT / "docs" / "scenarios.md") if b.file] == FILES


def test_it_loads(folder: Path) -> None:
    found = loader.load(folder / "thanks")
    assert [event.name for event in found.timeline(3, 0, "UTC").events] == ["question"]
    assert found.card.size == "XS"


@pytest.mark.full
def test_its_solution_wins_and_doing_nothing_fails(folder: Path) -> None:
    reader = Reader(folder, "", environment(folder))
    done = reader.run(
        str(BIN / "firm"),
        "scenario",
        "check",
        "./thanks",
        "--no-doors",
        "--seeds",
        "1",
        "--only",
        "V1",
        "--only",
        "V2",
    )
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    assert {line.split()[0] for line in done.stdout.splitlines()} >= {"V1", "V2"}


@pytest.mark.slow
def test_its_whole_gate_holds(folder: Path) -> None:
    reader = Reader(folder, "", environment(folder))
    done = reader.run(str(BIN / "firm"), "scenario", "check", "./thanks", "--no-doors", "--seeds", "1")
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
