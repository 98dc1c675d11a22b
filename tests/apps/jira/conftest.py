"""The fixture tracker: one sealed image for the session, a fresh world for each test."""

from pathlib import Path

import pytest

from apps.jira import app
from tests import company
from tests.apps.jira import tracker as fixture
from tests.apps.jira.tracker import Tracker


@pytest.fixture(scope="session")
def image(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sealed image of the fixture company with its tracker."""
    return company.image(tmp_path_factory.mktemp("jira"), [app], fixture.rows)


@pytest.fixture
def tracker(image: Path, tmp_path: Path) -> Tracker:
    """A fresh world."""
    host = company.closed(image, tmp_path, app)
    host.create("w")
    return Tracker(host)
