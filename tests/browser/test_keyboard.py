"""Every control of the apps' main pages is in the order of Tab, keeps no focus and has a name of its own in its row."""

from collections.abc import Callable

import pytest

from tests.browser.conftest import Office, Site, settled
from tests.browser.keyboard import sweep_page
from world.core.settings import Settings

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


@pytest.mark.full
def test_every_control_is_in_the_order_of_tab_and_named_apart_in_its_row(
    company_site: Site, office_of: Callable[..., Office]
) -> None:
    office = office_of(company_site, Settings(limits="off"))
    page = office.open("dkowalski", ADDRESSES[0])
    found = dict[str, list[str]]()
    for address in ADDRESSES:
        page.goto(office.base + address)
        settled(page)
        found[address] = sweep_page(page)
    assert {address: wrong for address, wrong in found.items() if wrong} == {}
