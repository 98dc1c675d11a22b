"""Images to build worlds on; helper modules of this folder are imported by name."""

import sys
from pathlib import Path

import pytest

collect_ignore = ["dialect"]  # SQLAlchemy's suite needs a process of its own
sys.path.insert(0, str(Path(__file__).parent))

from office import build_office  # noqa: E402

from world.store import Base, seal  # noqa: E402


@pytest.fixture(scope="session")
def image(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("image")
    build_office(folder / "office.building")
    return seal(folder / "office.building", folder / "images")


@pytest.fixture
def base(image: Path) -> Base:
    return Base(image)
