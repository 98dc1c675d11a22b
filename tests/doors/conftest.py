"""Fixtures of the doors."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import Server
from tests.doors.fault_scene import Scene
from tests.doors.three import Doors
from world.core.settings import Settings


@pytest.fixture(scope="module")
def scene(company: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scene]:
    """One server for all faults."""
    server = Server(company, tmp_path_factory.mktemp("faults"))
    doors = Doors(server)
    yield Scene(doors)
    doors.close()
    server.stop()


@pytest.fixture(scope="module")
def doors(company: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Doors]:
    """One server and one prepared world, `root`, for all operations."""
    server = Server(company, tmp_path_factory.mktemp("doors"))
    server.do(lambda: server.up.host.create("root", Settings(limits="off")))
    made = Doors(server)
    yield made
    made.close()
    server.stop()
