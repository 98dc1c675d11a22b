"""Every control of the apps' main pages is in the order of Tab, keeps no focus and has a name of its own in its row."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.browser.conftest import Office, Site, settled
from tests.browser.keyboard import sweep_page
from world.core import discovery
from world.core.settings import Settings
from world.run.host import open_host

ADDRESSES = (
    "/drive/",
    "/github/",
    "/github/quayline/payments",
    "/github/quayline/payments/issues",
    "/gmail/mail/inbox",
    "/jira/projects/SHOP/board",
    "/jira/browse/SHOP-20",
    "/sheets/",
    "/slack/",
    "/status/",
)


@pytest.fixture(scope="module")
def site(company: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A server over the seed company, with every app."""
    folder = tmp_path_factory.mktemp("keyboard")
    made = Site(lambda: open_host(company, folder / "worlds"), discovery.app_packages())
    yield made
    made.stop()


@pytest.mark.full
def test_every_control_is_in_the_order_of_tab_and_named_apart_in_its_row(
    site: Site, office_of: Callable[..., Office]
) -> None:
    office = office_of(site, Settings(limits="off"))
    page = office.open("dkowalski", ADDRESSES[0])
    found = dict[str, list[str]]()
    for address in ADDRESSES:
        page.goto(office.base + address)
        settled(page)
        found[address] = sweep_page(page)
    assert {address: wrong for address, wrong in found.items() if wrong} == {}
