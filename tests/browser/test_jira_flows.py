"""What people do all day in the tracker, by mouse and keyboard."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

import apps.jira
from tests.apps.jira import tracker
from tests.browser.conftest import Office, Site, settled
from tests.company import host as make_host

BOARD = "/jira/projects/SHOP/board"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A server over the tracker."""
    folder = tmp_path_factory.mktemp("tracker")
    made = Site(lambda: make_host(folder, [apps.jira.app], tracker.rows), [apps.jira])
    yield made
    made.stop()


@pytest.fixture
def office(site: Site, office_of: Callable[..., Office]) -> Office:
    """A fresh world."""
    return office_of(site)


def fields(office: Office, key: str) -> dict[str, Any]:
    """An issue as Ada reads it by another door."""
    return office.see("ada", "getIssue", issueIdOrKey=key, fields=["*all"])["fields"]


def calls(office: Office) -> list[tuple[Any, ...]]:
    """Writing calls of the world so far."""
    return office.rows("SELECT operation, status FROM _call WHERE operation NOT LIKE 'get%' AND operation NOT LIKE 'search%' ORDER BY seq")


def journal(office: Office) -> list[tuple[Any, ...]]:
    """What changed in the world: table and kind of change."""
    return office.rows("SELECT table_name, op FROM _journal ORDER BY id")


def test_an_issue_is_created_from_the_dialog_with_the_fields_its_type_requires(office: Office) -> None:
    page = office.open("ada", "/jira/browse/SHOP-1")
    page.keyboard.press("c")
    dialog = page.get_by_role("dialog", name="Create issue")
    expect(dialog).to_be_visible()
    assert dialog.get_by_label("Severity").get_attribute("required") is None
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


def column(page: Page, index: int) -> Locator:
    """A column of the board."""
    return page.locator(f'.column[data-drop-column="{index}"]')


def by_drag(page: Page, moves: int) -> None:
    """Drag SHOP-1 to the second column by raw mouse."""
    card, target = page.locator("#card-SHOP-1").bounding_box(), column(page, 1).bounding_box()
    assert card and target
    page.mouse.move(card["x"] + 40, card["y"] + 8)
    page.mouse.down()
    page.mouse.move(target["x"] + target["width"] / 2, target["y"] + 60, steps=moves)
    page.mouse.up()


def by_drag_to(page: Page) -> None:
    """The same by Playwright's own drag."""
    page.locator("#card-SHOP-1").drag_to(column(page, 1), source_position={"x": 40, "y": 8})


def by_menu(page: Page) -> None:
    """The same by the card's menu and the keyboard."""
    page.get_by_role("link", name="Actions for SHOP-1").focus()
    page.keyboard.press("Enter")
    settled(page)
    page.get_by_role("dialog").get_by_role("button", name="In Progress Start").focus()
    page.keyboard.press("Enter")


def test_dragging_a_card_and_its_menu_do_the_same(site: Site, office_of: Callable[..., Office]) -> None:
    seen = []
    for way in (lambda p: by_drag(p, 1), lambda p: by_drag(p, 10), by_drag_to, by_menu):
        office = office_of(site)
        page = office.open("ada", BOARD)
        expect(page.locator("#column-0 .column-count")).to_have_text("1")
        way(page)
        expect(column(page, 1).locator("#card-SHOP-1")).to_be_visible()
        expect(page.locator("#column-1 .column-count")).to_have_text("1")
        seen.append((fields(office, "SHOP-1")["status"]["name"], calls(office), journal(office)))
    assert seen == [seen[0]] * 4 and seen[0][0] == "In Progress"


def test_a_drop_that_needs_a_resolution_asks_for_it_and_one_that_leads_nowhere_is_refused(office: Office) -> None:
    office.act("ada", "doTransition", issueIdOrKey="SHOP-1", transition={"id": "21"})
    page = office.open("ada", BOARD)
    page.locator("#card-SHOP-1").drag_to(column(page, 2), source_position={"x": 40, "y": 8})
    dialog = page.get_by_role("dialog", name="Change status of SHOP-1")
    dialog.get_by_label("Resolution").select_option("Done")
    dialog.get_by_role("button", name="Finish").click()
    expect(column(page, 2).locator("#card-SHOP-1")).to_be_visible()
    page.locator("#card-SHOP-1").drag_to(column(page, 1), source_position={"x": 40, "y": 8})
    expect(page.get_by_role("alert").filter(has_text="is not valid for the current state of this issue (SHOP-1)")).to_be_visible()
    expect(column(page, 2).locator("#card-SHOP-1")).to_be_visible()
    office.expect_complaint("400")


def test_filters_over_the_board_are_in_the_address(office: Office) -> None:
    page = office.open("ada", BOARD)
    page.get_by_role("button", name="Filter by Bo Lindqvist").click()
    settled(page)
    expect(page.locator("#card-SHOP-1")).to_be_visible()
    assert "who=5fBO" in page.url
    page.get_by_role("button", name="Only my issues").click()
    settled(page)
    expect(page.locator(".card")).to_have_count(0)
    page.reload()
    expect(page.locator(".card")).to_have_count(0)
    page.get_by_role("link", name="Clear filters").click()
    expect(page.locator("#card-SHOP-1")).to_be_visible()
    page.get_by_label("Search board").fill("nothing like this")
    page.keyboard.press("Enter")
    expect(page.locator(".card")).to_have_count(0)


def test_a_sprint_is_filled_started_and_completed(office: Office) -> None:
    page = office.open("ada", "/jira/projects/SHOP/backlog")
    page.locator("#row-SHOP-2").drag_to(page.locator('[data-drop-sprint="2"]'), source_position={"x": 300, "y": 12})
    expect(page.locator("#section-2 #row-SHOP-2")).to_be_visible()
    page.locator("#section-1").get_by_role("link", name="Complete sprint").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("1 open issue")
    dialog.get_by_label("Move open issues to").select_option("Sprint 2")
    dialog.get_by_role("button", name="Complete sprint").click()
    page.wait_for_url("**/sprints/1")
    page.goto(f"{office.base}/jira/projects/SHOP/backlog")
    page.locator("#section-2").get_by_role("link", name="Start sprint").click()
    page.get_by_role("dialog").get_by_label("Sprint goal").fill("Keys and logins")
    page.get_by_role("dialog").get_by_role("button", name="Start").click()
    page.wait_for_url("**/projects/SHOP/board")
    expect(page.locator("h1")).to_have_text("Sprint 2")
    expect(page.locator(".card")).to_have_count(2)
    sprint = office.see("ada", "getSprint", sprintId="2")
    assert sprint["state"] == "active" and sprint["goal"] == "Keys and logins"


def test_rows_are_ranked_by_menu_and_by_drag(office: Office) -> None:
    page = office.open("ada", "/jira/projects/SHOP/backlog")
    rows = page.locator("#section-backlog .backlog-row")
    before = [str(row.get_attribute("id")) for row in rows.all()]
    page.locator(f"#{before[-1]}").get_by_role("link", name="Actions for").click()
    page.get_by_role("dialog").get_by_role("button", name="Top").click()
    expect(rows.first).to_have_attribute("id", before[-1])
    rows.first.drag_to(rows.last, source_position={"x": 300, "y": 12}, target_position={"x": 300, "y": 30})
    expect(rows.last).to_have_attribute("id", before[-1])
    assert [c for c in calls(office) if c[0] == "rankIssues"] == [("rankIssues", "ok")] * 2


def test_search_sorts_and_changes_many_at_once(office: Office) -> None:
    page = office.open("ada", "/jira/issues")
    page.get_by_label("JQL").fill("project = SHOP AND issuetype = Task ORDER BY key ASC")
    page.get_by_role("button", name="Search", exact=True).click()
    rows = page.locator(".issue-table tbody tr")
    expect(rows).to_have_count(1)
    page.get_by_label("JQL").fill("project = SHOP ORDER BY key ASC")
    page.get_by_role("button", name="Search", exact=True).click()
    expect(rows.first).to_have_id("issue-SHOP-1")
    page.get_by_role("link", name="Key", exact=True).click()
    expect(rows.first).to_have_id("issue-SHOP-4")
    page.get_by_role("link", name="Bulk change").click()
    for key in ("SHOP-1", "SHOP-2"):
        page.get_by_label(f"Choose {key}").check()
    page.get_by_label("Assignee").last.select_option("Eve Martin")
    page.get_by_label("Add labels").fill("swept")
    page.get_by_role("button", name="Change issues").click()
    expect(page.get_by_role("status").filter(has_text="2 of 2 issues changed")).to_be_visible()
    for key in ("SHOP-1", "SHOP-2"):
        got = fields(office, key)
        assert got["assignee"]["displayName"] == "Eve Martin" and "swept" in got["labels"]


def test_a_search_is_saved_and_a_wrong_one_explained(office: Office) -> None:
    page = office.open("ada", "/jira/issues?jql=labels%20%3D%20auth")
    page.get_by_role("link", name="Save filter").click()
    page.get_by_role("dialog").get_by_label("Name").fill("Auth work")
    page.get_by_role("dialog").get_by_role("button", name="Save").click()
    page.wait_for_url("**/issues?filter=*")
    expect(page.locator("h1")).to_have_text("Auth work")
    expect(page.get_by_role("navigation", name="Tracker").get_by_text("Auth work")).to_be_visible()
    page.get_by_label("JQL").fill("status = Nowhere")
    page.get_by_role("button", name="Search", exact=True).click()
    expect(page.get_by_role("alert")).to_have_text("The value 'Nowhere' does not exist for the field 'status'.")
    office.expect_complaint("400")


def test_the_search_box_opens_a_key(office: Office) -> None:
    page = office.open("ada", "/jira/")
    page.keyboard.press("/")
    page.keyboard.type("shop-1")
    page.keyboard.press("Enter")
    page.wait_for_url("**/browse/SHOP-1")


def test_a_colleagues_comment_appears_by_itself(office: Office) -> None:
    page = office.open("ada", "/jira/browse/SHOP-1")
    expect(page.locator('html[data-live="open"]')).to_be_attached()
    office.act("bo", "addComment", issueIdOrKey="SHOP-1", contentFormat="markdown", body="On it")
    expect(page.locator("#activity article").first).to_contain_text("On it")


def test_everything_works_without_scripts(office: Office) -> None:
    page = office.open("ada", "/jira/create?project=SHOP&type=Task", scripts=False)
    page.fill('#create-issue [name="fields.summary"]', "Plain")
    page.locator("#create-issue").get_by_role("button", name="Create").click()
    expect(page.locator("h1")).to_have_text("Plain")
    page.fill("#add-comment-body", "written by hand")
    page.locator("#add-comment").get_by_role("button", name="Save").click()
    expect(page.locator("#activity article").first).to_contain_text("written by hand")
    page.locator("#status-menu summary").click()
    page.locator("#status-menu button").first.click()
    expect(page.locator("#status-menu summary")).to_contain_text("In Progress")
    page.goto(f"{office.base}/jira/projects/SHOP/backlog?menu=SHOP-2")
    page.get_by_role("button", name="Sprint 2").click()
    expect(page.locator("#section-2 #row-SHOP-2")).to_be_visible()


def test_a_refused_form_keeps_what_was_typed(office: Office) -> None:
    page = office.open("ada", "/jira/browse/SHOP-1?dialog=link")
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Issue", exact=True).fill("SHOP-99")
    dialog.get_by_role("button", name="Link").click()
    expect(dialog.get_by_role("alert")).to_have_text("Issue does not exist or you do not have permission to see it.")
    expect(dialog.get_by_label("Issue", exact=True)).to_have_value("SHOP-99")
    office.expect_complaint("404")
