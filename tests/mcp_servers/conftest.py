"""Fixtures of the tool doors."""

from pathlib import Path

import pytest

from tests.mcp_servers import memo
from world.run.host import Host


@pytest.fixture
def anyio_backend() -> str:
    """What the server runs on."""
    return "asyncio"


@pytest.fixture
def firm(tmp_path: Path) -> Host:
    """Two worlds of the fixture company with the test app."""
    return memo.firm(tmp_path)
