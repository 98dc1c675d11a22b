"""A world with the small workspace, and a short way to call operations in it."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import apps.slack
from tests.apps.slack.rows import workspace_rows
from tests.company import image
from world.core.app import App

Say = Callable[..., Any]


@pytest.fixture
def app() -> App:
    """The app under test."""
    return apps.slack.app


@pytest.fixture(scope="session")
def sealed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sealed image of the small workspace."""
    return image(tmp_path_factory.mktemp("slack"), [apps.slack.app], workspace_rows)
