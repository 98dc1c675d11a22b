"""A world with the small workspace, and a short way to call operations in it."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

import apps.slack
from tests.apps.slack.rows import workspace_rows
from tests.apps.slack.web_api import Ask, client_of, make_ask
from tests.company import image
from world.core.app import App
from world.run.host import Host

Say = Callable[..., Any]


@pytest.fixture
def app() -> App:
    """The app under test."""
    return apps.slack.app


@pytest.fixture(scope="session")
def sealed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sealed image of the small workspace."""
    return image(tmp_path_factory.mktemp("slack"), [apps.slack.app], workspace_rows)


@pytest.fixture
def client(host: Host) -> Iterator[TestClient]:
    """All requests, sockets and deliveries run on one loop, as on a server."""
    with client_of(host) as made:
        yield made


@pytest.fixture
def ask(host: Host, client: TestClient) -> Ask:
    """`ask("chat.postMessage", "bo", channel=...)`; Ada unless told."""
    return make_ask(host, client)
