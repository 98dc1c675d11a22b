"""A code host that serves git, and clones of its repositories."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.apps.github.git_http.git_requests import Clone
from tests.apps.github.git_server import Client, GitServer
from world.core.settings import Settings


@pytest.fixture(scope="module")
def running(sealed: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[GitServer]:
    """A server for the module; every test has a world of its own in it."""
    made = GitServer(sealed, tmp_path_factory.mktemp("served") / "worlds")
    yield made
    made.stop()


@pytest.fixture
def server(running: GitServer) -> Iterator[GitServer]:
    """The server with a fresh world `w`."""
    running.do(lambda: running.host.create("w", Settings(limits="off")))
    yield running
    running.do(lambda: running.host.drop("w"))


@pytest.fixture
def clone(server: GitServer, tmp_path: Path) -> Clone:
    """`clone("bo", "--depth", "1")`: somebody's clone of tiny/app."""

    def made(who: str = "bo", *words: str, repo: str = "tiny/app", protocol: int = 2, into: str = "work") -> Client:
        Client(tmp_path)("clone", "-q", *words, server.address(who, repo), into, protocol=protocol)
        return Client(tmp_path / into)

    return made
