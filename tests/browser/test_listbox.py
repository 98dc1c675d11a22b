"""The list of a choice, drawn in the page: by coordinates, by keys, with a field where it is long, without scripts."""

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


def press(page: Page, selector: str) -> None:
    """Press the middle of what is found, wherever it lies, as a hand does that sees a picture."""
    box = page.locator(selector).bounding_box()
    assert box
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


def test_a_choice_is_made_by_two_presses_and_sent_with_its_form(office: Office) -> None:
    page = office.open("ada", "/jot/choices")
    press(page, "#tag")
    expect(page.get_by_role("listbox", name="Size")).to_be_focused()
    press(page, '.listbox [role="option"]:has-text("large")')
    expect(page.get_by_role("listbox", name="Size")).to_have_count(0)
    expect(page.locator("#tag")).to_be_focused()
    press(page, "#text")
    press(page, '.listbox [role="option"]:has-text("Cork")')
    page.get_by_role("button", name="Write").click()
    settled(page)
    assert office.rows("SELECT text FROM jot_note") == [("cork,large",)]


def test_a_long_list_is_narrowed_by_typing_and_a_short_one_leapt_through(office: Office) -> None:
    page = office.open("ada", "/jot/choices")
    page.locator("#text").focus()
    page.keyboard.press("ArrowDown")
    expect(page.get_by_role("combobox", name="Filter Town")).to_be_focused()
    page.keyboard.type("br")
    expect(page.locator('.listbox [role="option"]:visible')).to_have_text(["Bremen", "Brno"])
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.locator("#text")).to_have_value("brno")
    expect(page.locator("#text")).to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.press("Space")
    page.keyboard.type("la")
    page.keyboard.press("Enter")
    expect(page.locator("#tag")).to_have_value("large")
    assert office.rows("SELECT count(*) FROM jot_note") == [(0,)]


def test_escape_and_a_press_elsewhere_choose_nothing(office: Office) -> None:
    page = office.open("ada", "/jot/choices")
    press(page, "#tag")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Escape")
    expect(page.locator("#tag")).to_have_value("small")
    expect(page.locator("#tag")).to_be_focused()
    press(page, "#tag")
    press(page, "#tag")
    expect(page.get_by_role("listbox", name="Size")).to_have_count(0)
    press(page, "#tag")
    page.mouse.click(900, 700)
    expect(page.get_by_role("listbox", name="Size")).to_have_count(0)
    press(page, "#tag")
    press(page, '.listbox [role="option"]:has-text("huge")')
    expect(page.locator("#tag")).to_have_value("small")


def test_the_list_in_a_menu_leaves_the_menu_open(office: Office) -> None:
    page = office.open("ada", "/jot/")
    page.get_by_label("Account: Ada Novak").click()
    press(page, '[aria-label="Skip ahead by"]')
    page.get_by_role("listbox").get_by_role("option", name="4 hours").click()
    expect(page.get_by_label("Skip ahead by", exact=True)).to_have_value("14400")
    expect(page.locator("#account-menu")).to_have_attribute("open", "")


def test_of_several_each_press_takes_one_more_or_one_less(office: Office) -> None:
    page = office.open("ada", "/jot/choices")
    for colour in ("red", "blue", "green", "red"):
        press(page, f'#many option:has-text("{colour}")')
    chosen = page.locator("#many").evaluate("list => [...list.selectedOptions].map(one => one.text)")
    assert chosen == ["green", "blue"]


def test_without_scripts_it_is_a_plain_select(office: Office) -> None:
    page = office.open("ada", "/jot/choices", scripts=False)
    page.locator("#text").select_option("Delft")
    page.get_by_role("button", name="Write").click()
    assert office.rows("SELECT text FROM jot_note") == [("delft,small",)]
