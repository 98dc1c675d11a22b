"""Typing goes on while a comment is sent, elsewhere and after a reload: nothing is lost, cut off or doubled."""

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Hold, Office, Site, settled
from tests.browser.github.code_site import HOME, act, see
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


def test_a_page_is_scrolled_as_a_document_by_keys_and_by_script(office: Office) -> None:
    for number in range(12):
        act(office, "bo", "issues/create-comment", issue_number=1, body=f"Line {number}\n\n" * 4)
    page = office.open("ada", f"{HOME}/issues/1")
    page.keyboard.press("End")
    end = "scrollY > 400 && scrollY + innerHeight > document.documentElement.scrollHeight - 2"
    moved = f"done => {{ const look = () => ({end} ? done(true) : requestAnimationFrame(look)); look(); }}"
    assert page.evaluate(f"() => new Promise({moved})")
    page.evaluate("() => window.scrollTo(0, 200)")
    assert page.evaluate("() => window.scrollY") == 200
    assert page.evaluate("() => document.documentElement.scrollHeight") > 1200
    page.locator("#side-labels h3 a").evaluate("link => link.click()")
    expect(page.locator("#label-choice")).to_be_visible()
    assert page.evaluate("() => window.scrollY") == 200


def test_heads_counts_and_buttons_follow_what_others_do(office: Office) -> None:
    page = office.open("ada", f"{HOME}/issues/1")
    issues = page.get_by_role("navigation", name="Repository").get_by_role("link", name="Issues")
    before = int(issues.locator(".count").inner_text())
    act(office, "bo", "issues/create", title="One more")
    expect(issues.locator(".count")).to_have_text(str(before + 1))
    act(office, "bo", "issues/update", issue_number=1, title="Renamed meanwhile", state="closed")
    expect(page.locator(".talk-title")).to_contain_text("Renamed meanwhile")
    expect(page.get_by_role("button", name="Reopen issue")).to_be_visible()


def test_labels_are_filtered_by_typing(office: Office) -> None:
    page = office.open("ada", f"{HOME}/issues/1?menu=labels")
    page.get_by_label("Filter label choice").press_sequentially("bug")
    expect(page.locator("#label-choice > li:visible")).to_have_count(1)
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Apply").click()
    expect(page.locator(".side-labels")).to_contain_text("bug")
