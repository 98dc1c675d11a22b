"""What modules of threats share: a running server, a drive, an office, a world to search in."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import Server
from tests.security.rooms import Office
from tests.security.searched_world import Place
from tests.security.sheet_vault import Drive
from world.run.host import open_host


@pytest.fixture(scope="module")
def served(company: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that the tests of a module share; each makes worlds of its own."""
    running = Server(company, tmp_path_factory.mktemp("served"))
    yield running
    running.stop()


@pytest.fixture(scope="module")
def drive(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Drive]:
    """A drive with nothing in it yet."""
    made = Drive(tmp_path_factory.mktemp("drive"))
    yield made
    made.close()


@pytest.fixture(scope="module")
def place(company: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    """A world with what only some may find."""
    host = open_host(company, tmp_path_factory.mktemp("t11") / "worlds")
    yield Place(host)
    host.store.close()


@pytest.fixture(scope="module")
def office(company: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Office]:
    """A world with one room of each kind."""
    host = open_host(company, tmp_path_factory.mktemp("t3") / "worlds")
    yield Office(host)
    host.store.close()
