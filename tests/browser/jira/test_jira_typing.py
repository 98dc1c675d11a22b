"""Typing goes on while a comment is saved, elsewhere and after a reload: nothing is lost, cut off or doubled."""

from playwright.sync_api import expect

from tests.browser.conftest import Hold, Office, settled

SAVING = "**/do/addComment"
BOX = "#add-comment-body"


def comments(office: Office) -> list[str]:
    """The comments of SHOP-1, the oldest first."""
    found = office.see("ada", "getComments", issueIdOrKey="SHOP-1", contentFormat="markdown")["comments"]
    return [one["body"].strip() for one in found]


def test_comments_written_in_a_row_arrive_whole_and_the_third_stays_in_the_box(office: Office) -> None:
    before = comments(office)
    page = office.open("ada", "/jira/browse/SHOP-1")
    held = Hold(page, SAVING)
    save = page.locator("#add-comment").get_by_role("button", name="Save")
    with page.expect_request(SAVING):
        page.locator(BOX).press_sequentially("the first")
        save.click()
        page.locator(BOX).press_sequentially("the second")
        save.click()
        page.locator(BOX).press_sequentially("the thi")
    held.let_go()
    expect(page.locator("#activity")).to_contain_text("the second")
    settled(page)
    expect(page.locator(BOX)).to_be_focused()
    page.keyboard.type("rd")
    expect(page.locator(BOX)).to_have_value("the third")
    assert comments(office) == [*before, "the first", "the second"]


def test_a_comment_that_was_begun_is_there_again_after_a_look_elsewhere_and_a_reload(office: Office) -> None:
    page = office.open("ada", "/jira/browse/SHOP-1")
    page.locator(BOX).press_sequentially("half a thou")
    page.goto(f"{office.base}/jira/browse/SHOP-2")
    expect(page.locator(BOX)).to_have_value("")
    page.goto(f"{office.base}/jira/browse/SHOP-1")
    expect(page.locator(BOX)).to_have_value("half a thou")
    page.reload()
    expect(page.locator(BOX)).to_have_value("half a thou")
    page.locator("#add-comment").get_by_role("button", name="Save").click()
    expect(page.locator("#activity article")).to_contain_text(["half a thou"])
    page.reload()
    expect(page.locator(BOX)).to_have_value("")
