"""Every control of the code host's pages can be pressed where it is seen."""

from collections.abc import Callable

import pytest

from tests.browser.conftest import Office, Site, settled
from tests.browser.github.code_site import HOME, open_pull
from tests.browser.reach import list_covered
from world.core.settings import Settings

PAGES = (
    HOME,
    f"{HOME}/issues",
    f"{HOME}/issues/1",
    f"{HOME}/issues/1?menu=labels",
    f"{HOME}/issues/new",
    f"{HOME}/pull/3",
    f"{HOME}/pull/3/files",
    f"{HOME}/settings",
    f"{HOME}/branches",
    "/github/notifications",
)


@pytest.fixture
def office(site: Site, office_of: Callable[..., Office]) -> Office:
    """A fresh world."""
    return office_of(site, Settings(limits="off"))


@pytest.mark.full
def test_every_control_can_be_pressed_at_its_middle(office: Office) -> None:
    open_pull(office)
    page = office.open("ada", "/github/")
    found = dict[str, list[str]]()
    for path in PAGES:
        page.goto(office.base + path)
        settled(page)
        found[path] = list_covered(page)
    assert {path: covered for path, covered in found.items() if covered} == {}
