"""The workspace that browser tests of the chat client share."""

from collections.abc import Callable, Iterator

import pytest

import apps.slack
from tests.browser.conftest import Office, Site
from tests.browser.slack import chat_rows
from tests.company import host as make_host


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A server over the workspace."""
    folder = tmp_path_factory.mktemp("chat")
    made = Site(lambda: make_host(folder, [apps.slack.app], chat_rows.rows), [apps.slack])
    yield made
    made.stop()


@pytest.fixture
def office(site: Site, office_of: Callable[..., Office]) -> Office:
    """A fresh world."""
    return office_of(site)
