"""Typing goes on while a comment is sent, elsewhere and after a reload: nothing is lost, cut off or doubled."""

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Hold, Office, Site, settled
from tests.browser.github.code_site import HOME, see
from world.core.settings import Settings

SENDING = "**/do/issue.comment"
BOX = "#new-comment"


@pytest.fixture
def office(site: Site, office_of: Callable[..., Office]) -> Office:
    """A fresh world."""
    return office_of(site, Settings(limits="off"))


def test_comments_written_in_a_row_arrive_whole_and_closing_waits_for_them(office: Office) -> None:
    page = office.open("ada", f"{HOME}/issues/1")
    held = Hold(page, SENDING)
    send = page.get_by_role("button", name="Comment", exact=True)
    with page.expect_request(SENDING):
        page.locator(BOX).press_sequentially("the first")
        send.click()
        page.locator(BOX).press_sequentially("the second")
        page.get_by_label("More ways to close").click()
        page.get_by_role("button", name="Close as not planned").click()
        page.locator(BOX).press_sequentially("the thi")
    held.let_go()
    expect(page.locator("#timeline")).to_contain_text("ada closed this as not planned")
    settled(page)
    page.keyboard.type("rd")
    expect(page.locator(BOX)).to_have_value("the third")
    send.click()
    expect(page.locator("#timeline")).to_contain_text("the third")
    found = see(office, "issues/list-comments", issue_number=1)
    assert [one["body"] for one in found] == ["the first", "the second", "the third"]
    assert see(office, "issues/get", issue_number=1)["state_reason"] == "not_planned"


def test_a_comment_that_was_begun_is_there_again_after_a_reload(office: Office) -> None:
    page = office.open("ada", f"{HOME}/issues/1")
    page.locator(BOX).press_sequentially("half a thou")
    page.reload()
    expect(page.locator(BOX)).to_have_value("half a thou")
    page.locator(BOX).fill("")
    page.reload()
    expect(page.locator(BOX)).to_have_value("")
