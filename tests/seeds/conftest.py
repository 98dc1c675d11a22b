"""GeneratedCompany companies and sealed images, made once per session."""

from collections.abc import Callable
from functools import lru_cache
from pathlib import Path

import pytest

from seeds.build import GeneratedCompany, build, build_story
from seeds.spec import Spec

Tell = Callable[..., GeneratedCompany]


@lru_cache(maxsize=64)
def _told(size: str, seed: int) -> GeneratedCompany:
    return build_story(Spec(size=size, seed=seed))  # type: ignore[arg-type]


@pytest.fixture(scope="session")
def tell() -> Tell:
    """`tell(size="S", seed=7)`: the log of a company, told once per session."""
    return lambda size="S", seed=7: _told(size, seed)


@pytest.fixture(scope="session")
def images(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder for sealed images."""
    return tmp_path_factory.mktemp("images")


@pytest.fixture(scope="session")
def small(images: Path) -> Path:
    """The sealed S image of seed 7."""
    return build(Spec(size="S", seed=7), images)


@pytest.fixture(scope="session")
def tiny(images: Path) -> Path:
    """The sealed XS image of seed 7."""
    return build(Spec(size="XS", seed=7), images)
