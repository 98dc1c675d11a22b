"""Training frameworks, unmodified and in environments of their own, over the public client."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.clients.day import interpreter, run
from world.client import Fleet
from world.run.home import Home

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def fleet(home: Home, company: Path) -> Iterator[Fleet]:
    """A server of its own."""
    with Fleet.local() as made:
        yield made


def test_gymnasium_accepts_the_environment(fleet: Fleet) -> None:
    report = run(
        interpreter("gymnasium"),
        "gymnasium_check.py",
        PYTHONPATH=str(ROOT),
        FIRM_CONTROL=str(fleet.address["socket"]),
        FIRM_SECRET=fleet.address["secret"],
    )
    assert report == {
        "warnings": report["warnings"],
        "same_seed": True,
        "tools": report["tools"],
        "errors": [True, True, False],
        "flags": [[False, False], [False, False], [False, True]],
        "verdict": 0.0,
        "ended": [True, False],
        "dense": 0.0,
        "refused": "unknown options: speed",
        "needed": True,
        "left": ["main-1"],
    }
    assert report["tools"] > 100


def test_inspect_plays_and_scores_with_a_scripted_model(fleet: Fleet, tmp_path: Path) -> None:
    report = run(
        interpreter("inspect"),
        "inspect_eval.py",
        PYTHONPATH=str(ROOT),
        FIRM_CONTROL=str(fleet.address["socket"]),
        FIRM_SECRET=fleet.address["secret"],
        FIRM_LOGS=str(tmp_path),
    )
    assert report == {
        "status": "success",
        "error": "",
        "ids": ["flapping_alert-1", "flapping_alert-2"],
        "prompt": "You are",
        "answers": [True, True, False, True],
        "scores": [0.0, 0.0],
        "unmet": [7, 7],
    }
    assert fleet.client.worlds() == ["main-1"]
