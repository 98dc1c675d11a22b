"""Fixtures of the doors."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import Server
from tests.doors.fault_scene import Scene
from tests.doors.three import Doors


@pytest.fixture(scope="module")
def scene(company: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scene]:
    """One server for all faults."""
    server = Server(company, tmp_path_factory.mktemp("faults"))
    doors = Doors(server)
    yield Scene(doors)
    doors.close()
    server.stop()
