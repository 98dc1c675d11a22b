"""What the browser tests of the code host share."""

from collections.abc import Iterator

import pytest

from tests.browser.conftest import Site
from tests.browser.github.code_site import hub_site


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A server over the code host."""
    made = hub_site(tmp_path_factory.mktemp("hub"))
    yield made
    made.stop()
