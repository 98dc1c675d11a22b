"""Installed chores as tests need them: three families, one of each split, of which one has knobs."""

from collections.abc import Mapping
from pathlib import Path
from types import SimpleNamespace

import pytest

from world.script import catalogue

CHORE = '''"""A chore."""

from world.agents.steps import Step
from world.script.chore import Chore

chore = Chore(title="{name}", apps=("slack",), calls=(1, 2), split="{split}"{more})


def draw(d):
    """Nothing to choose."""
    return {{}}


def deliver(w, truth):
    """Nothing to deliver."""


def solution(scene):
    """Finish."""
    yield Step("finish", "world.finish", {{"status": "done"}})


def rubric(truth):
    """Nothing."""
    return {{}}
'''
FAMILIES: Mapping[str, tuple[str, str]] = {
    "book_room": ("train", ', knobs={"noise": (1, 2, 3)}'),
    "count_votes": ("dev", ""),
    "undo_deploy": ("test", ""),
}


def write_chore(folder: Path, name: str, split: str, more: str = "") -> Path:
    """The file of a chore."""
    path = folder / f"{name}.py"
    path.write_text(CHORE.format(name=name, split=split, more=more), encoding="utf-8")
    return path


def install_chores(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make these families the installed chores; returns their folder."""
    place = folder / "content" / "chores"
    place.mkdir(parents=True)
    for name, (split, more) in FAMILIES.items():
        write_chore(place, name, split, more)
    package = SimpleNamespace(__path__=[str(folder / "content")])
    monkeypatch.setattr(catalogue, "packages", lambda group: [package])
    return place
