"""What people do all day with one issue, by mouse and keyboard."""

import re
from pathlib import Path

from playwright.sync_api import expect

from tests.apps.jira import tracker
from tests.browser.conftest import Office, settled
from tests.browser.jira.tracker_world import fields


def test_an_issue_is_created_from_the_dialog_with_the_fields_its_type_requires(office: Office) -> None:
    page = office.open("ada", "/jira/browse/SHOP-1")
    page.keyboard.press("c")
    dialog = page.get_by_role("dialog", name="Create issue")
    expect(dialog).to_be_visible()
    expect(dialog.get_by_label("Severity")).to_have_js_property("required", False)
    dialog.get_by_label("Summary").fill("Cart loses items")
    dialog.get_by_label("Issue type").select_option("Bug")
    settled(page)
    expect(dialog.get_by_label("Severity")).to_have_attribute("required", "")
    dialog.get_by_label("Severity").select_option("SEV1")
    dialog.get_by_label("Labels").fill("cart, urgent")
    dialog.get_by_label("Assignee").select_option("Bo Lindqvist")
    dialog.get_by_role("button", name="Create", exact=True).click()
    page.wait_for_url("**/browse/SHOP-5")
    expect(page.locator("h1")).to_have_text("Cart loses items")
    expect(page.get_by_role("status").filter(has_text="Created SHOP-5")).to_be_visible()
    made = fields(office, "SHOP-5")
    assert made["labels"] == ["cart", "urgent"] and made["assignee"]["displayName"] == "Bo Lindqvist"
    assert made[tracker.SEVERITY]["value"] == "SEV1"


def test_the_summary_is_edited_in_place_and_escape_leaves_it(office: Office) -> None:
    page = office.open("ada", "/jira/browse/SHOP-1")
    page.get_by_role("heading", name="Login fails").get_by_role("link").click()
    box = page.get_by_label("Summary")
    expect(box).to_be_focused()
    page.keyboard.press("Escape")
    expect(box).to_have_count(0)
    page.get_by_role("heading", name="Login fails").get_by_role("link").click()
    box.fill("Login fails after a retry")
    page.get_by_role("button", name="Save").first.click()
    expect(page.locator("h1")).to_have_text("Login fails after a retry")
    assert fields(office, "SHOP-1")["summary"] == "Login fails after a retry"


def test_a_detail_is_edited_in_place_with_confirm_and_cancel(office: Office) -> None:
    page = office.open("ada", "/jira/browse/SHOP-1")
    page.get_by_role("link", name="Edit Priority").click()
    page.locator("#detail-priority select").select_option("Highest")
    page.get_by_role("link", name="Cancel").click()
    settled(page)
    assert fields(office, "SHOP-1")["priority"]["name"] == "Medium"
    page.get_by_role("link", name="Edit Priority").click()
    page.locator("#detail-priority select").select_option("Highest")
    page.locator("#detail-priority").get_by_role("button", name="Save").click()
    expect(page.locator("#detail-priority select")).to_have_count(0)
    expect(page.locator("#detail-priority")).to_contain_text("Highest")
    assert fields(office, "SHOP-1")["priority"]["name"] == "Highest"
    page.reload()
    expect(page.locator("#detail-priority select")).to_have_count(0)


def test_the_status_menu_offers_allowed_transitions_and_asks_what_their_screen_requires(office: Office) -> None:
    page = office.open("ada", "/jira/browse/SHOP-1")
    page.get_by_label("Status: To Do").click()
    expect(page.locator("#status-menu .menu-item")).to_have_text(["Start In Progress"])
    page.locator("#status-menu .menu-item").first.click()
    expect(page.get_by_label("Status: In Progress")).to_be_visible()
    page.get_by_label("Status: In Progress").click()
    page.locator("#status-menu").get_by_text("Finish…").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_label("Resolution")).to_have_attribute("required", "")
    dialog.get_by_label("Resolution").select_option("Won't Do")
    dialog.get_by_label("Comment").fill("Not this quarter")
    dialog.get_by_role("button", name="Finish").click()
    expect(page.get_by_label("Status: Done")).to_be_visible()
    expect(page.locator(".resolution")).to_have_text("Won't Do")
    expect(page.locator("#activity article").first).to_contain_text("Not this quarter")


def test_a_comment_is_written_with_a_mention_edited_and_deleted(office: Office) -> None:
    page = office.open("ada", "/jira/browse/SHOP-1")
    box = page.get_by_label("Add a comment")
    box.click()
    page.keyboard.type("Ask @bo")
    page.get_by_role("option").filter(has_text="Bo Lindqvist").wait_for()
    page.keyboard.press("Enter")
    page.keyboard.type("about **it**")
    page.locator("#add-comment").get_by_role("button", name="Save").click()
    first = page.locator("#activity article").first
    expect(first).to_contain_text("Ask @Bo Lindqvist about it")
    expect(box).to_have_value("")
    first.get_by_role("link", name="Edit").click()
    edited = page.get_by_label("Comment", exact=True)
    expect(edited).to_have_value("Ask @Bo Lindqvist about **it**")
    edited.fill("Ask @Bo Lindqvist tomorrow")
    page.locator("#edit-comment").get_by_role("button", name="Save").click()
    expect(first).to_contain_text("tomorrow")
    body = fields(office, "SHOP-1")["comment"]["comments"][-1]["body"]
    assert {"type": "mention", "attrs": {"id": "5fBO"}} in body["content"][0]["content"]
    first.get_by_role("link", name="Delete").click()
    expect(page.get_by_role("dialog").get_by_role("link", name="Cancel")).to_be_focused()
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    expect(page.locator("#activity article")).to_have_count(1)


def test_links_web_links_and_watching(office: Office) -> None:
    page = office.open("ada", "/jira/browse/SHOP-2")
    page.get_by_role("link", name="Link issue").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("This issue").select_option("is blocked by")
    dialog.get_by_label("Issue", exact=True).fill("SHOP-1")
    dialog.get_by_role("button", name="Link").click()
    linked = page.get_by_role("region", name="Linked issues")
    expect(linked).to_contain_text("is blocked by")
    assert fields(office, "SHOP-1")["issuelinks"][0]["outwardIssue"]["key"] == "SHOP-2"
    linked.get_by_role("link", name="Remove link to SHOP-1").click()
    page.get_by_role("dialog").get_by_role("button", name="Remove link").click()
    expect(linked).to_have_count(0)
    page.get_by_role("button", name="Start watching").click()
    expect(page.get_by_role("button", name="Stop watching")).to_contain_text("1")
    assert fields(office, "SHOP-2")["watches"]["isWatching"] is True


def test_a_file_is_attached_and_downloaded(office: Office, tmp_path: Path) -> None:
    page = office.open("ada", "/jira/browse/SHOP-1")
    file = tmp_path / "trace.log"
    file.write_bytes(b"line 1\n")
    page.get_by_role("link", name="Attach").click()
    page.locator("#attach-files").set_input_files(str(file))
    page.get_by_role("dialog").get_by_role("button", name="Attach").click()
    with page.expect_download() as started:
        page.get_by_role("link", name="trace.log", exact=True).click()
    assert Path(started.value.path()).read_bytes() == b"line 1\n"


def test_a_colleagues_comment_appears_by_itself(office: Office) -> None:
    page = office.open("ada", "/jira/browse/SHOP-1")
    expect(page.locator('html[data-live="open"]')).to_be_attached()
    office.act("bo", "addComment", issueIdOrKey="SHOP-1", contentFormat="markdown", body="On it")
    expect(page.locator("#activity article").first).to_contain_text("On it")


def test_a_refused_form_keeps_what_was_typed(office: Office) -> None:
    page = office.open("ada", "/jira/browse/SHOP-1?dialog=link")
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Issue", exact=True).fill("SHOP-99")
    dialog.get_by_role("button", name="Link").click()
    expect(dialog.get_by_role("alert")).to_have_text("Issue does not exist or you do not have permission to see it.")
    expect(dialog.get_by_label("Issue", exact=True)).to_have_value("SHOP-99")
    office.expect_complaint("404")


def test_an_issue_is_created_by_keyboard_alone(office: Office) -> None:
    page = office.open("ada", "/jira/browse/SHOP-1")
    page.keyboard.press("c")
    expect(page.get_by_label("Summary", exact=False).first).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.locator("#create-button").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#create-fields-summary")).to_be_focused()
    for key in ("Shift+Tab",) * 5 + ("Tab",) * 3:
        page.keyboard.press(key)
        expect(page.locator(".dialog :focus")).to_have_count(1)
    page.keyboard.press("Escape")
    expect(page.locator("#create-button")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#create-fields-summary")).to_be_focused()
    page.keyboard.type("Typed without a mouse")
    page.keyboard.press("Enter")
    page.wait_for_url("**/browse/SHOP-5")
    assert fields(office, "SHOP-5")["summary"] == "Typed without a mouse"


def test_the_description_is_edited_in_place(office: Office) -> None:
    page = office.open("ada", "/jira/browse/SHOP-1")
    page.get_by_role("link", name="Edit description").click()
    box = page.get_by_role("textbox", name="Description", exact=True)
    expect(box).to_have_value("Login fails after a retry.")
    page.keyboard.press("Escape")
    expect(box).to_have_count(0)
    page.get_by_role("link", name="Edit description").click()
    box.fill("Fails twice, see SHOP-2")
    box.select_text()
    page.locator("#description").get_by_role("button", name="Bold").click()
    page.locator("#description").get_by_role("button", name="Save").click()
    expect(page.locator("#description .prose b")).to_have_text("Fails twice, see SHOP-2")
    expect(page.locator("#description").get_by_role("link", name="SHOP-2")).to_have_attribute(
        "href", re.compile("/browse/SHOP-2$")
    )


def test_the_side_panel_holds_the_usual_fields_and_a_value_opens_its_editor(office: Office) -> None:
    page = office.open("ada", "/jira/browse/SHOP-1")
    side = page.get_by_role("complementary", name="Details")
    wanted = (
        "Assignee",
        "Reporter",
        "Priority",
        "Labels",
        "Parent",
        "Sprint",
        "Fix versions",
        "Components",
        "Due date",
        "Time tracking",
    )
    for name in wanted:
        expect(side.locator("dt").filter(has_text=re.compile(f"^{name}$"))).to_have_count(1)
    crumbs = page.get_by_role("navigation", name="Breadcrumb").get_by_role("link")
    expect(crumbs).to_have_text(["Projects", "Engineering", "SHOP-1"])
    side.locator("#detail-duedate dd").click(position={"x": 30, "y": 14})
    side.get_by_label("Due date", exact=True).fill("2026-03-20")
    page.keyboard.press("Enter")
    expect(side.locator("#detail-duedate")).to_contain_text("Mar 20, 2026")
    side.locator("#detail-assignee dd").click(position={"x": 30, "y": 14})
    expect(side.locator("#detail-assignee select")).to_be_focused()
    page.keyboard.press("Escape")
    expect(side.locator("#detail-assignee select")).to_have_count(0)


def test_activity_shows_all_comments_or_history(office: Office) -> None:
    office.act("ada", "editIssue", issueIdOrKey="SHOP-1", fields={"priority": {"name": "High"}})
    page = office.open("ada", "/jira/browse/SHOP-1")
    show = page.get_by_role("group", name="Show")
    rows = page.locator("#activity article")
    expect(rows).to_have_count(1)
    show.get_by_role("link", name="History").click()
    expect(rows.first).to_contain_text("Ada Novak changed the priority")
    expect(rows.first.locator("td").first).to_have_text("Medium")
    show.get_by_role("link", name="All").click()
    expect(rows).to_have_count(3)
    page.get_by_role("link", name="Newest first").click()
    expect(rows.first).to_contain_text("created the issue")


def test_a_subtask_is_made_under_its_issue_and_listed_there(office: Office) -> None:
    page = office.open("ada", "/jira/browse/SHOP-1")
    below = page.get_by_role("region", name="Subtasks")
    expect(below).to_contain_text("0 of 1 done")
    page.get_by_role("link", name="Create subtask", exact=True).click()
    dialog = page.get_by_role("dialog", name="Create issue")
    expect(dialog.get_by_label("Issue type")).to_have_value("Sub-task")
    dialog.get_by_label("Summary").fill("Reproduce it")
    dialog.get_by_role("button", name="Create", exact=True).click()
    page.wait_for_url("**/browse/SHOP-5")
    page.get_by_role("navigation", name="Breadcrumb").get_by_role("link", name="SHOP-1").click()
    expect(below.get_by_role("listitem")).to_have_count(2)
    expect(below).to_contain_text("Reproduce it")
