"""Every control of the tracker's pages can be pressed where it is seen."""

import pytest

from tests.browser.conftest import Office, settled
from tests.browser.reach import list_covered

PAGES = (
    "/jira/browse/SHOP-1",
    "/jira/browse/SHOP-1?dialog=create",
    "/jira/browse/SHOP-1?dialog=edit",
    "/jira/browse/SHOP-1?dialog=link",
    "/jira/browse/SHOP-1?dialog=worklog",
    "/jira/projects/SHOP/board",
    "/jira/projects/SHOP/backlog",
    "/jira/issues",
    "/jira/projects/SHOP/settings",
)


@pytest.mark.full
def test_every_control_can_be_pressed_at_its_middle(office: Office) -> None:
    page = office.open("ada", "/jira/")
    found = dict[str, list[str]]()
    for path in PAGES:
        page.goto(office.base + path)
        settled(page)
        found[path] = list_covered(page)
    assert {path: covered for path, covered in found.items() if covered} == {}
