"""The company whose people the texts of the corpus speak of."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.grading.content.content_company import build_surroundings
from world.grading.content.inspection import Surroundings


@pytest.fixture(scope="session")
def surroundings() -> Surroundings:
    """One company, its customers and vendors."""
    return build_surroundings()
