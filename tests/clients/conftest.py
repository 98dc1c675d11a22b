"""A small company with a code host of its own, by address and behind the proxy: what clients of the code host ask."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.apps.github.conftest import load
from tests.company import START
from tests.conftest import Server
from world.core import discovery
from world.core.image_builder import build


@pytest.fixture(scope="session")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sealed small company of the code host's own tests, with the tables of every app."""
    return build(tmp_path_factory.mktemp("hub") / "images", discovery.apps(), load, now=START)


@pytest.fixture
def hub(tiny: Path, tmp_path: Path) -> Iterator[Server]:
    """A running server over the small company."""
    running = Server(tiny, tmp_path)
    yield running
    running.stop()


@pytest.fixture
def proxied_hub(tiny: Path, tmp_path: Path) -> Iterator[Server]:
    """The same, and the vendor's own host names lead to it."""
    running = Server(tiny, tmp_path, proxied=True)
    yield running
    running.stop()
