"""The tracker that browser tests of it share."""

from collections.abc import Callable, Iterator

import pytest
from sqlmodel import SQLModel

import apps.jira
from apps.jira.models_boards import BoardColumn
from tests.apps.jira import tracker
from tests.browser.conftest import Office, Site
from tests.company import host as make_host


def rows() -> list[SQLModel]:
    """The tracker with a limit on the second column of its board."""
    made = tracker.rows()
    next(row for row in made if isinstance(row, BoardColumn) and row.position == 1).maximum = 1
    return made


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A server over the tracker."""
    folder = tmp_path_factory.mktemp("tracker")
    made = Site(lambda: make_host(folder, [apps.jira.app], rows), [apps.jira])
    yield made
    made.stop()


@pytest.fixture
def office(site: Site, office_of: Callable[..., Office]) -> Office:
    """A fresh world."""
    return office_of(site)
