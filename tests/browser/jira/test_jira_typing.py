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


def test_enter_searches_in_the_query_and_shift_enter_starts_a_line(office: Office) -> None:
    page = office.open("ada", "/jira/issues")
    page.locator("#jql").fill("key = SHOP-1")
    page.locator("#jql").press("Enter")
    page.wait_for_url("**jql=key*")
    expect(page.locator(".issue-table tbody tr")).to_have_count(1)
    page.locator("#jql").press("End")
    page.keyboard.press("Shift+Enter")
    page.keyboard.type("ORDER BY key")
    expect(page.locator("#jql")).to_have_value("key = SHOP-1\nORDER BY key")
    page.locator("#jql").fill("")
    page.locator("#jql").press("Enter")
    page.wait_for_url("**jql=*")
    expect(page.locator(".issue-table tbody tr")).not_to_have_count(1)


def test_assign_to_me_is_where_it_is_seen(office: Office) -> None:
    page = office.open("ada", "/jira/browse/SHOP-1?dialog=create")
    page.locator('[name="fields.summary"]').fill("Mine")
    button = page.locator("#create_fields").get_by_role("button", name="Assign to me")
    button.scroll_into_view_if_needed()
    box = button.bounding_box()
    assert box
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(page.locator("#create-fields-assignee-accountId")).to_have_js_property("selectedIndex", 1)


def test_typed_lines_stay_lines_and_are_edited_as_they_were_typed(office: Office) -> None:
    page = office.open("ada", "/jira/browse/SHOP-1")
    page.locator(BOX).fill("first\nsecond\n\n- one\n- two\n\n```\na\nb\n```")
    page.locator("#add-comment").get_by_role("button", name="Save").click()
    said = page.locator("#activity article").filter(has_text="second")
    expect(said.locator(".prose br")).to_have_count(1)
    said.get_by_role("link", name="Edit", exact=True).click()
    box = page.locator("#activity article textarea")
    expect(box).to_have_value("first\nsecond\n\n- one\n- two\n\n```\na\nb\n```")
    box.fill("first\nsecond\nthird")
    page.locator("#activity article form").get_by_role("button", name="Save").click()
    expect(said.locator(".prose br")).to_have_count(2)
    assert comments(office)[-1] == "first\\\nsecond\\\nthird"
