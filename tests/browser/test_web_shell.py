"""The shared shell in a browser: login, menus, keys, toasts, dragging."""

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Office, Site, settled
from tests.company import host as make_host
from tests.world.web import jot
from tests.world.web.jot import pages as jot_pages  # noqa: F401 - found by the server as a part of the package


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A server over the test app."""
    folder = tmp_path_factory.mktemp("jot")
    made = Site(lambda: make_host(folder, [jot.app]), [jot])
    yield made
    made.stop()


@pytest.fixture
def office(site: Site, office_of: Callable[..., Office]) -> Office:
    """A fresh world."""
    return office_of(site)


def notes(office: Office) -> list[str]:
    """What was written."""
    return [row[0] for row in office.rows("SELECT text FROM jot_note ORDER BY text")]


def centre(page: Page, selector: str) -> tuple[float, float]:
    """The middle of an element."""
    box = page.locator(selector).bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def by_locator(page: Page) -> None:
    page.locator("#card-one").drag_to(page.locator("#column-done"))


def by_mouse(moves: int) -> Callable[[Page], None]:
    def drag(page: Page) -> None:
        (x, y), (to_x, to_y) = centre(page, "#card-one"), centre(page, "#column-done")
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(to_x, to_y, steps=moves)
        page.mouse.up()

    return drag


@pytest.mark.parametrize("drag", [by_locator, by_mouse(1), by_mouse(2), by_mouse(10)], ids=["drag_to", "1", "2", "10"])
def test_every_way_of_dragging_posts_the_cards_form(office: Office, drag: Callable[[Page], None]) -> None:
    page = office.open("ada", "/jot/board")
    drag(page)
    page.wait_for_selector('html[data-world-version="2"]')
    assert notes(office) == ["done,one"]
    expect(page).to_have_url(re.compile("/jot/board$"))


def test_a_click_is_no_drag_and_a_drop_at_home_is_nothing(office: Office) -> None:
    page = office.open("ada", "/jot/board")
    x, y = centre(page, "#card-one")
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 40, y + 40, steps=3)
    page.mouse.up()
    settled(page)
    page.locator("#card-two a").click()
    page.wait_for_url("**/jot/side")
    assert notes(office) == []


def test_signing_in_and_out_by_hand(office: Office) -> None:
    page = office.open("ada", "/jot/")
    page.get_by_label(re.compile("^Account:")).click()
    page.get_by_role("button", name="Sign out").click()
    page.wait_for_url("**/login")
    page.goto(f"{office.base}/jot/board")
    page.get_by_label("Work email").fill("bo@tiny.example")
    page.get_by_label("Password").fill("wrong")
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("alert")).to_contain_text("don't match")
    expect(page.get_by_label("Work email")).to_have_value("bo@tiny.example")
    office.expect_complaint("422")
    page.get_by_label("Password").fill(office.key("bo"))
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_url("**/jot/board")
    expect(page.get_by_label("Account: Bo Lindqvist")).to_be_visible()


def test_menus_and_help_open_by_key_and_close_by_escape(office: Office) -> None:
    page = office.open("ada", "/jot/")
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keyboard shortcuts")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.get_by_label("Apps", exact=True).first.click()
    expect(page.get_by_role("navigation", name="Apps")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("navigation", name="Apps")).to_be_hidden()
    page.keyboard.press("/")
    expect(page.get_by_label("Search", exact=True)).to_be_focused()
    page.keyboard.type("? g i")
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_a_toast_offers_undo_and_can_be_dismissed(office: Office) -> None:
    page = office.open("ada", "/jot/")
    for text in ("first", "second"):
        page.fill("#text", text)
        page.locator("#new-note button").first.click()
        expect(page.locator(".toast")).to_contain_text(f"Wrote {text}")
        expect(page.locator("#text")).to_have_value("")
    page.get_by_role("button", name="Undo").click()
    expect(page.locator("#list li")).to_have_count(1)
    assert notes(office) == ["first"]
    page.fill("#text", "third")
    page.locator("#new-note button").first.click()
    expect(page.locator(".toast")).to_contain_text("Wrote third")
    page.get_by_label("Dismiss").click()
    expect(page.locator(".toast")).to_have_count(0)


def test_a_toast_that_offers_nothing_goes_with_the_next_press_elsewhere(office: Office) -> None:
    page = office.open("ada", "/jot/")
    page.fill("#text", "first")
    page.locator("#new-note button").first.click()
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(".toast")).to_have_text("Action undone.")
    box = page.locator(".toast").bounding_box()
    assert box is not None
    under = "([x, y]) => document.elementFromPoint(x, y).closest('.toast') === null"
    assert page.evaluate(under, [box["x"] + 20, box["y"] + box["height"] / 2])
    page.locator("h1").first.click()
    expect(page.locator(".toast")).to_have_count(0)


def test_sending_twice_at_once_is_sending_once(office: Office) -> None:
    page = office.open("ada", "/jot/", scripts=False)
    page.fill("#text", "twice")
    # the second click aborts the navigation of the first, so there is no one navigation to wait for
    page.locator("#new-note button").first.dblclick()
    expect(page.locator("#list")).to_contain_text("twice")
    assert notes(office) == ["twice"]


def test_the_settle_signal_covers_a_request_in_flight(office: Office) -> None:
    page = office.open("ada", "/jot/")
    page.route("**/do/jot.write", lambda route: (page.wait_for_selector('html[data-busy="1"]'), route.continue_()))
    page.fill("#text", "slow")
    page.locator("#new-note button").first.click()
    expect(page.locator("#list")).to_contain_text("slow")
    settled(page)
    expect(page.locator("html")).to_have_attribute("data-world-version", "2")


@pytest.mark.parametrize("path", ["/mail/", "/jot/nowhere/at/all", "/jot/do/jot.add"])
def test_an_address_that_leads_nowhere_is_a_page_with_a_way_back(office: Office, path: str) -> None:
    page = office.open("ada", path)
    settled(page)
    expect(page.get_by_role("heading", name="We couldn't find that page")).to_be_visible()
    page.get_by_role("link", name=re.compile("^Go to")).click()
    expect(page).to_have_url(re.compile(r"/(jot/)?$"))
    office.expect_complaint("status of 40")


def test_a_client_that_is_no_browser_gets_a_line_of_text(office: Office) -> None:
    page = office.open("ada", "/")
    answer = page.request.get(f"{office.base}/mail/", headers={"Accept": "*/*"})
    assert (answer.status, answer.text()) == (404, "Not Found")


def test_the_clock_goes_on_with_every_part_that_is_fetched(office: Office) -> None:
    page = office.open("ada", "/jot/", live=False)
    before = page.locator("#clock").inner_text()
    office.act("ada", "world.wait", seconds=7200)
    page.fill("#text", "later")
    page.locator("#new-note button").first.click()
    expect(page.locator("#list li")).to_have_count(1)
    expect(page.locator("#clock")).not_to_have_text(before)
    page.get_by_label("Account: Ada Novak").click()
    expect(page.locator(".account-wait .hint")).to_have_text(
        re.compile(r"^It is \d+:\d\d [AP]M on \w+day, \w+ \d+(st|nd|rd|th)\.$")
    )


def test_what_a_menu_holds_has_a_name(office: Office) -> None:
    page = office.open("ada", "/jot/")
    page.get_by_label("Account: Ada Novak").click()
    expect(page.get_by_role("group", name="Menu", exact=True)).to_be_visible()


def test_a_refusal_goes_with_the_next_press_elsewhere(office: Office) -> None:
    page = office.open("ada", "/jot/")
    page.get_by_label("Bare text").fill("forbidden")
    page.get_by_role("button", name="Bare").click()
    expect(page.locator(".toast-error")).to_be_visible()
    office.expect_complaint("422")
    page.locator("h1").first.click()
    expect(page.locator(".toast-error")).to_have_count(0)
