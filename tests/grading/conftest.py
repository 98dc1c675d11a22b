"""Fixtures of the grading tests."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from grading_company import Bench, Desk


@pytest.fixture
def desk() -> Desk:
    """A run in which nothing has happened yet."""
    return Desk()


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    """Where rubrics are written and graded."""
    return Bench(tmp_path)
