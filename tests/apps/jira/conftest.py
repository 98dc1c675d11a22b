"""The fixture tracker: one sealed image for the session, a fresh world for each test."""

from pathlib import Path

import pytest

from apps.jira import app
from tests import company
from tests.apps.jira import tracker as fixture
from tests.apps.jira.tracker import Tracker
from world.access import Tokens
from world.host import Host
from world.store import Base, Store


@pytest.fixture(scope="session")
def image(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sealed image of the fixture company with its tracker."""
    return company.image(tmp_path_factory.mktemp("jira"), [app], fixture.rows)


@pytest.fixture
def tracker(image: Path, tmp_path: Path) -> Tracker:
    """A fresh world."""
    host = Host(Store(tmp_path / "worlds", Base(image)), [app], Tokens("test secret"))
    host.create("w")
    return Tracker(host)
