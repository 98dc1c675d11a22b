"""What people do all day in the tracker, by mouse and keyboard."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect
from sqlmodel import SQLModel

import apps.jira
from apps.jira.models_boards import BoardColumn
from tests.apps.jira import tracker
from tests.browser.conftest import Office, Site, settled
from tests.browser.slack.test_slack_live import DOUBLED
from tests.company import START
from tests.company import host as make_host
from world.core.settings import Settings
from world.script.faults import Fault
from world.script.scenario import Script, Timeline, compile_script

BOARD = "/jira/projects/SHOP/board"


def rows() -> list[SQLModel]:
    """The tracker with a limit on the second column of its board."""
    made = tracker.rows()
    next(row for row in made if isinstance(row, BoardColumn) and row.position == 1).maximum = 1
    return made


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A server over the tracker."""
    folder = tmp_path_factory.mktemp("tracker")
    made = Site(lambda: make_host(folder, [apps.jira.app], rows), [apps.jira])
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
    return office.rows(
        "SELECT operation, status FROM _call WHERE operation NOT LIKE 'get%' AND operation NOT LIKE 'search%' ORDER"
        " BY seq"
    )


def journal(office: Office) -> list[tuple[Any, ...]]:
    """What changed in the world: table and kind of change."""
    return office.rows("SELECT table_name, op FROM _journal ORDER BY id")


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


def outage(*faults: Fault) -> Timeline:
    """A timeline in which something is down for the first second."""
    script = Script("outage", START)
    for fault in faults:
        script.fault(fault, start=START, end="+1s")
    return compile_script(script, horizon="+1d")


def test_the_top_bar_and_the_side_bar_lead_everywhere(office: Office) -> None:
    page = office.open("ada", "/jira/")
    top, side = page.get_by_role("navigation", name="Main"), page.get_by_role("navigation", name="Engineering")
    for name, path, heading in (
        ("Projects", "/projects", "Projects"),
        ("Filters", "/filters", "Filters"),
        ("Your work", "/", "Your work"),
    ):
        top.get_by_role("link", name=name).click()
        expect(page.locator("h1")).to_have_text(heading)
        expect(page).to_have_url(f"{office.base}/jira{path}")
    page.locator("#main").get_by_role("link", name="Engineering").click()
    for name, heading in (("Backlog", "Backlog"), ("List", "List"), ("Reports", "Reports"), ("Board", "Sprint 1")):
        side.get_by_role("link", name=name, exact=True).click()
        expect(page.locator("h1")).to_have_text(heading)
        expect(side.locator("[aria-current=page]")).to_have_text(name)
        expect(page).to_have_title(re.compile(r" - Jira$"))
    page.get_by_label("Apps", exact=True).first.click()
    expect(page.get_by_role("navigation", name="Apps").get_by_role("link", name="Jira")).to_be_visible()
    icon = str(page.locator("link[rel=icon]").get_attribute("href"))
    assert page.request.get(f"{office.base}{icon}").headers["content-type"].startswith("image/svg+xml")


def test_back_and_reload_give_the_same_page(office: Office) -> None:
    page = office.open("ada", BOARD)
    page.get_by_role("button", name="Filter by Bo Lindqvist").click()
    settled(page)
    page.locator("#card-SHOP-1").get_by_role("link", name="Login fails").click()
    expect(page).to_have_title("[SHOP-1] Login fails - Jira")
    page.get_by_role("link", name="History").click()
    expect(page.locator("#activity .entry-change").first).to_be_visible()
    page.reload()
    expect(page.locator("#activity .entry-change").first).to_be_visible()
    page.go_back()
    expect(page.locator("#activity .entry-change")).to_have_count(0)
    page.go_back()
    expect(page.get_by_role("button", name="Filter by Bo Lindqvist")).to_have_attribute("aria-pressed", "true")


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


def test_the_keyboard_help_names_the_trackers_keys(office: Office) -> None:
    page = office.open("ada", "/jira/browse/SHOP-1")
    page.keyboard.press("?")
    help = page.get_by_role("dialog", name="Keyboard shortcuts")
    for line in ("Create an issue", "Next issue in a list", "Assign the issue to me"):
        expect(help).to_contain_text(line)
    page.keyboard.press("Escape")
    page.keyboard.press("m")
    expect(page.get_by_label("Add a comment")).to_be_focused()
    page.keyboard.type("First line")
    page.keyboard.press("Control+Enter")
    expect(page.locator("#activity article").first).to_contain_text("First line")
    page.locator("#main").focus()
    page.keyboard.press("g")
    page.keyboard.press("p")
    expect(page.locator("h1")).to_have_text("Projects")


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


def test_the_account_menu_skips_time(office: Office) -> None:
    page = office.open("ada", "/jira/")
    page.get_by_label("Account: Ada Novak").click()
    page.get_by_label("Skip ahead by", exact=True).select_option("3600")
    page.get_by_role("button", name="Skip", exact=True).click()
    expect(page.locator("#clock")).to_have_text("Mon, Mar 2, 10:00 AM")
    page.get_by_label("Account: Ada Novak").click()
    page.get_by_role("link", name="Profile").click()
    expect(page.locator("h1")).to_have_text("Ada Novak")


def test_lists_with_nothing_in_them_say_what_to_do(office: Office) -> None:
    page = office.open("ada", "/jira/")
    for path, words in (
        ("/", "No open issue is assigned to you."),
        ("/?show=done", "You have not finished an issue yet."),
        ("/projects?find=zzz", "No projects match"),
        ("/issues?q=zzz", "No issues were found"),
        ("/people?find=zzz", "Nobody found"),
        ("/projects/OPS/releases", "No versions yet"),
        ("/projects/OPS/components", "No components yet"),
        ("/dashboards/10000", "No gadgets"),
    ):
        page.goto(f"{office.base}/jira{path}")
        expect(page.locator("#main .empty")).to_contain_text(words)
    page.goto(f"{office.base}/jira/browse/NOPE-1")
    expect(page.locator("h1")).to_have_text("We couldn't find that")
    office.expect_complaint("404")
    page.get_by_role("link", name="Go to your work").click()
    expect(page.locator("h1")).to_have_text("Your work")


def test_what_somebody_may_not_change_is_shown_and_refused_in_words(office: Office) -> None:
    page = office.open("bo", "/jira/projects/SHOP/settings")
    expect(page.get_by_text("Only administrators of this project may change these settings.")).to_be_visible()
    expect(page.get_by_label("Name", exact=True)).to_be_disabled()
    expect(page.locator("#main").get_by_role("button")).to_have_count(0)
    page.goto(f"{office.base}/jira/filters/10000")
    expect(page.get_by_label("JQL")).to_be_disabled()
    page.goto(f"{office.base}/jira/projects/SHOP/components")
    page.get_by_text("Create component").click()
    page.locator("#create-component").get_by_label("Name").fill("Shadow")
    page.locator("#create-component").get_by_role("button", name="Create").click()
    expect(page.locator("#create-component").get_by_role("alert")).not_to_be_empty()
    expect(page.locator("#create-component").get_by_label("Name")).to_have_value("Shadow")
    office.expect_complaint("403")


def test_an_outage_is_a_banner_over_a_skeleton_and_passes(site: Site, office_of: Callable[..., Office]) -> None:
    office = office_of(site, Settings(seed=1), outage(Fault("all", "jira", "error", operations=("getIssue",))))
    page = office.open("ada", "/jira/browse/SHOP-1")
    expect(page.get_by_role("alert")).to_contain_text("Jira is having trouble connecting")
    expect(page.locator(".skeleton")).to_be_visible()
    office.expect_complaint("500")
    page.get_by_role("link", name="Try again").click()
    expect(page.locator("h1")).to_have_text("Login fails")


def test_every_control_has_a_name_of_its_own(office: Office) -> None:
    page = office.open("ada", "/jira/")
    for path in (
        "/",
        "/browse/SHOP-1",
        "/projects/SHOP/board",
        "/projects/SHOP/backlog",
        "/issues?bulk=1",
        "/projects/SHOP/settings?show=people",
    ):
        page.goto(f"{office.base}/jira{path}")
        assert page.evaluate(DOUBLED.replace("main, body", "main, td, body")) == [], path


def test_without_the_vendored_script_links_and_forms_still_work(office: Office) -> None:
    page = office.open("ada", "/jira/")
    page.route("**/vendor/htmx.min.js", lambda route: route.fulfill(body="", content_type="text/javascript"))
    page.goto(f"{office.base}/jira/browse/SHOP-1")
    page.get_by_label("Add a comment").fill("without it")
    page.locator("#add-comment").get_by_role("button", name="Save").click()
    expect(page.locator("#activity article").first).to_contain_text("without it")
    page.locator("#detail-priority .detail-edit").click()
    page.locator("#detail-priority select").select_option("High")
    page.locator("#detail-priority").get_by_role("button", name="Save").click()
    expect(page.locator("#detail-priority")).to_contain_text("High")
    assert fields(office, "SHOP-1")["priority"]["name"] == "High"


def test_all_text_stands_out_from_its_ground(office: Office) -> None:
    page = office.open("ada", "/jira/")
    for path in (
        "/",
        "/browse/SHOP-1?show=all",
        "/projects/SHOP/board",
        "/projects/SHOP/backlog",
        "/issues?bulk=1",
        "/browse/SHOP-1?dialog=edit",
    ):
        page.goto(f"{office.base}/jira{path}")
        assert page.evaluate(FAINT) == [], path


FAINT = """() => {
  const parts = (text) => text.match(/[\\d.]+/g).map(Number);
  const light = (c) => c.slice(0, 3).map((v) => v / 255).map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4))
    .reduce((sum, v, n) => sum + v * [0.2126, 0.7152, 0.0722][n], 0);
  const ground = (e) => {
    for (; e; e = e.parentElement) {
      const colour = parts(getComputedStyle(e).backgroundColor);
      if (colour.length === 3 || colour[3] === 1) return colour;
    }
    return [255, 255, 255];
  };
  const faint = new Set();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const e = walker.currentNode.parentElement;
    if (!walker.currentNode.data.trim() || !e.checkVisibility() || e.closest('svg, script, .visually-hidden, :disabled, .overlay-shade')) continue;
    const style = getComputedStyle(e);
    const [a, b] = [light(parts(style.color)), light(ground(e))].sort((x, y) => y - x);
    const large = parseFloat(style.fontSize) >= 24 || (parseFloat(style.fontSize) >= 18.6 && Number(style.fontWeight) >= 700);
    const ratio = (a + 0.05) / (b + 0.05);
    if (ratio < (large ? 3 : 4.5)) faint.add(`${walker.currentNode.data.trim().slice(0, 40)}: ${ratio.toFixed(2)} ${e.className}`);
  }
  return [...faint];
}"""
