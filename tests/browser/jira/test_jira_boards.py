"""What people do all day with many issues: the board, the backlog, sprints and searches, by mouse and keyboard."""

import re
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import Office, Site, settled
from tests.browser.jira.tracker_world import BOARD, fields


def calls(office: Office) -> list[tuple[Any, ...]]:
    """Writing calls of the world so far."""
    return office.rows(
        "SELECT operation, status FROM _call WHERE operation NOT LIKE 'get%' AND operation NOT LIKE 'search%' ORDER"
        " BY seq"
    )


def journal(office: Office) -> list[tuple[Any, ...]]:
    """What changed in the world: table and kind of change."""
    return office.rows("SELECT table_name, op FROM _journal ORDER BY id")


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
    expect(
        page.get_by_role("alert").filter(has_text="is not valid for the current state of this issue (SHOP-1)")
    ).to_be_visible()
    expect(column(page, 2).locator("#card-SHOP-1")).to_be_visible()
    office.expect_complaint("400")


def test_filters_over_the_board_are_in_the_address(office: Office) -> None:
    page = office.open("ada", BOARD)
    page.get_by_role("button", name="Filter by Bo Lindqvist").click()
    settled(page)
    expect(page.locator("#card-SHOP-1")).to_be_visible()
    expect(page).to_have_url(re.compile("who=5fBO"))
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


def test_several_rows_of_the_backlog_are_planned_at_once(office: Office) -> None:
    page = office.open("ada", "/jira/projects/SHOP/backlog")
    rows = page.locator("#section-backlog .backlog-row")
    keys = [str(row.get_attribute("id")).removeprefix("row-") for row in rows.all()][:2]
    for key in keys:
        page.get_by_label(f"Choose {key}").check()
    page.get_by_role("button", name="Plan 2 chosen").click()
    expect(page.locator("h1")).to_have_text("Plan 2 issues")
    page.get_by_label("Sprint", exact=True).select_option("Sprint 2 (future)")
    page.get_by_role("button", name="Move to sprint").click()
    page.wait_for_url("**/projects/SHOP/backlog")
    for key in keys:
        expect(page.locator(f"#section-2 #row-{key}")).to_be_visible()
    assert [c for c in calls(office) if c[0] == "moveIssuesToSprintAndRank"] == [("moveIssuesToSprintAndRank", "ok")]


def test_a_plan_without_issues_says_where_to_choose_them(office: Office) -> None:
    page = office.open("ada", "/jira/projects/SHOP/backlog")
    page.get_by_role("button", name="Plan 0 chosen").click()
    expect(page.locator("main")).to_contain_text("Tick issues in a project's backlog")


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


def test_a_card_shows_what_it_is_and_columns_their_counts_and_limits(office: Office) -> None:
    office.act(
        "ada", "editIssue", issueIdOrKey="SHOP-2", fields={"customfield_10020": 1, "assignee": {"accountId": "5fBO"}}
    )
    for key in ("SHOP-1", "SHOP-2"):
        office.act("ada", "doTransition", issueIdOrKey=key, transition={"id": "21"})
    page = office.open("ada", BOARD)
    card = page.locator("#card-SHOP-1")
    for name in ("Task", "Medium priority", "Bo Lindqvist"):
        expect(card.get_by_role("img", name=name)).to_be_visible()
    expect(card.locator(".points")).to_have_text("3")
    expect(card.locator(".issue-key")).to_have_text("SHOP-1")
    expect(card.locator(".card-summary")).to_have_text("Login fails")
    heads = page.locator(".column-count")
    expect(heads).to_have_text(["0", "2", "0"])
    expect(page.locator("#column-1 .limit")).to_have_text("Max 1")
    expect(page.locator("#column-1")).to_have_class(re.compile("over"))


def test_j_and_k_go_through_a_list_and_enter_opens(office: Office) -> None:
    page = office.open("ada", "/jira/issues?jql=project%20%3D%20SHOP%20ORDER%20BY%20key%20ASC")
    for key in "jjjk":
        page.keyboard.press(key)
    expect(page.locator("#issue-SHOP-2 td.grow a")).to_be_focused()
    page.get_by_label("Contains text").fill("jk")
    expect(page.get_by_label("Contains text")).to_have_value("jk")
    page.locator("#issue-SHOP-2 td.grow a").focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**/browse/SHOP-2")


def test_a_move_can_be_taken_back_from_its_toast(office: Office) -> None:
    page = office.open("ada", "/jira/projects/SHOP/backlog?menu=SHOP-1")
    page.get_by_role("dialog").get_by_role("button", name="Sprint 2").click()
    expect(page.locator("#section-2 #row-SHOP-1")).to_be_visible()
    page.get_by_role("status").get_by_role("button", name="Undo").click()
    expect(page.locator("#section-1 #row-SHOP-1")).to_be_visible()
    page.goto(f"{office.base}/jira/browse/SHOP-1")
    page.keyboard.press("i")
    expect(page.locator("#detail-assignee")).to_contain_text("Ada Novak")
    page.get_by_role("status").get_by_role("button", name="Undo").click()
    expect(page.locator("#detail-assignee")).to_contain_text("Bo Lindqvist")
