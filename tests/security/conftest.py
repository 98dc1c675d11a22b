"""One running server for each module of threats."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import Server


@pytest.fixture(scope="module")
def served(company: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that the tests of a module share; each makes worlds of its own."""
    running = Server(company, tmp_path_factory.mktemp("served"))
    yield running
    running.stop()
