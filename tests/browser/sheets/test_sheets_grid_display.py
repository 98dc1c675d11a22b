"""How the grid shows what its cells hold: formulas instead of values, texts over empty neighbours, sums of a selection."""

import pytest
from playwright.sync_api import Page, expect

from tests.apps.sheets.conftest import BUDGET
from tests.browser.conftest import Office, settled
from tests.browser.sheets import sheet_rows
from tests.browser.sheets.sheet_rows import address, cell, shows

site, office = sheet_rows.site, sheet_rows.office


@pytest.fixture
def page(office: Office) -> Page:
    """Ada at her budget."""
    return office.open("ada", address(BUDGET))


def test_all_formulas_are_shown_by_key_and_by_menu(page: Page) -> None:
    cell(page, "D2").click()
    value = cell(page, "D2").inner_text()
    page.keyboard.press("Control+`")
    expect(cell(page, "D2").locator(".text")).to_have_text(page.get_by_label("Formula bar").input_value())
    expect(cell(page, "D2")).to_contain_text("=")
    page.get_by_role("menuitem", name="View").click()
    page.get_by_role("menuitem", name="Show").hover()
    page.get_by_role("menuitemcheckbox", name="Formulas").click()
    expect(cell(page, "D2")).to_have_text(value)


def test_no_grid_line_goes_through_a_text(page: Page) -> None:
    cell(page, "F2").click()
    page.keyboard.type("a text that is far too long for one column, so that it reaches into others")
    page.keyboard.press("Enter")
    settled(page)
    colour = "e => getComputedStyle(e).borderRightColor"
    assert cell(page, "F2").evaluate(colour) == cell(page, "G2").evaluate(colour) == "rgba(0, 0, 0, 0)"
    assert cell(page, "F3").evaluate(colour) != "rgba(0, 0, 0, 0)" != cell(page, "M2").evaluate(colour)
    cell(page, "G2").click()
    page.keyboard.type("in its way")
    page.keyboard.press("Enter")
    settled(page)
    assert cell(page, "F2").evaluate(colour) != "rgba(0, 0, 0, 0)"
    shows(page, G2="in its way")


def test_a_selection_of_numbers_tells_its_sum_and_the_rest_in_a_menu(page: Page) -> None:
    cell(page, "B2").click()
    cell(page, "B3").click(modifiers=["Shift"])
    sums = page.locator("#sums")
    expect(sums).to_contain_text("Sum: ")
    sums.get_by_role("button").click()
    expect(page.locator(".popup")).to_contain_text("Avg: ")
    expect(page.locator(".popup")).to_contain_text("Count: 2")
