"""The installed tools, opened once."""

import pytest

from tests.world.studio.exports.run_folders import open_writer
from world.studio.exports.chat import ChatWriter


@pytest.fixture(scope="session")
def writer() -> ChatWriter:
    """A writer of conversations."""
    return open_writer()
