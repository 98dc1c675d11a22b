"""On a telephone's screen no page is wider than the screen."""

from collections.abc import Callable

import pytest

from tests.browser.conftest import Office, Site
from world.core.settings import Settings

WIDTH, HEIGHT = 390, 844
ADDRESSES = (
    "/",
    "/drive/",
    "/drive/recent",
    "/github/",
    "/github/quayline/payments",
    "/github/quayline/payments/issues",
    "/github/quayline/payments/pulls",
    "/github/quayline/payments/actions",
    "/gmail/mail/inbox",
    "/gmail/mail/sent",
    "/gmail/settings",
    "/jira/",
    "/jira/browse/SHOP-20",
    "/jira/projects/SHOP/board",
    "/sheets/",
    "/slack/",
    "/slack/more",
    "/status/",
)


@pytest.mark.full
def test_no_page_is_wider_than_a_telephone(company_site: Site, office_of: Callable[..., Office]) -> None:
    office = office_of(company_site, Settings(limits="off"))
    page = office.open("dkowalski", ADDRESSES[0], width=WIDTH, height=HEIGHT)
    wide, refused = list[str](), list[str]()
    for address in ADDRESSES:
        answer = page.goto(office.base + address, wait_until="load")
        refused += [] if answer is not None and answer.ok else [address]
        measured = page.evaluate("document.documentElement.scrollWidth")
        wide += [f"{address}: {measured}"] if measured > WIDTH else []
    assert (wide, refused) == ([], [])
