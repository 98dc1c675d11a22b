"""The code host's surfaces over the small organisation."""

from pathlib import Path

import pytest

import apps.github
from tests.apps.github.conftest import load
from tests.company import START, unmetered
from tests.mcp_servers.github.json_answers import Json
from world.core.image_builder import build
from world.run.host import Host


@pytest.fixture(scope="session")
def sealed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sealed image of the small organisation."""
    return build(tmp_path_factory.mktemp("github") / "images", [apps.github.app], load, now=START)


@pytest.fixture
def firm(sealed: Path, tmp_path: Path) -> Host:
    """Two worlds of it: one for tools, one for REST."""
    return unmetered(sealed, tmp_path, apps.github.app, worlds=("w", "rest"))


@pytest.fixture
def hub(firm: Host) -> Json:
    """The vendor's surface with all its tools."""
    return Json(firm, "github", "vendor-full")


@pytest.fixture
def reference(firm: Host) -> Json:
    """The surface of the reference server."""
    return Json(firm, "github", "reference")
