"""The host on which stories are played."""

from collections.abc import Iterator

import pytest

from world.run.home import Home
from world.run.host import Host, open_host
from world.run.images import get_image


@pytest.fixture(scope="module")
def host(home: Home, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Host]:
    """A host over the small company."""
    made = open_host(get_image(home, "S"), tmp_path_factory.mktemp("stories"))
    yield made
    made.store.close()
