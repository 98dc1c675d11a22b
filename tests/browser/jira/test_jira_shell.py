"""What holds for all of the tracker's pages: ways through them, keys, what may not be, outages, contrast, no scripts."""

import re
from collections.abc import Callable

from playwright.sync_api import expect

from tests.browser.conftest import Office, Site, settled
from tests.browser.jira.tracker_world import BOARD, fields
from tests.browser.slack.test_slack_live import DOUBLED
from tests.company import START
from world.core.settings import Settings
from world.script.faults import Fault
from world.script.scenario import Script, Timeline, compile_script


def test_the_search_box_opens_a_key(office: Office) -> None:
    page = office.open("ada", "/jira/")
    page.keyboard.press("/")
    page.keyboard.type("shop-1")
    page.keyboard.press("Enter")
    page.wait_for_url("**/browse/SHOP-1")


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
