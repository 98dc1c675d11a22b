"""Where typing goes after a name, a dialog or a panel: into the cell one stands on, and never as a stray line break."""

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


def test_naming_a_sheet_writes_nothing_into_the_cell(office: Office, page: Page) -> None:
    cell(page, "A2").click()
    before = office.see("ada", "spreadsheets.values.get", spreadsheetId=BUDGET, range="A1:D6")
    tab = page.locator("#tabs .tab").first
    tab.dblclick()
    page.keyboard.type("Plan")
    page.keyboard.press("Enter")
    expect(tab).to_contain_text("Plan")
    settled(page)
    page.keyboard.press("ArrowRight")
    settled(page)
    after = office.see("ada", "spreadsheets.values.get", spreadsheetId=BUDGET, range="A1:D6")
    assert after["values"] == before["values"]
    page.keyboard.type("7")
    page.keyboard.press("Enter")
    settled(page)
    shows(page, B2="7")


def test_what_is_typed_after_a_dialog_goes_into_the_cell(page: Page) -> None:
    cell(page, "G2").click()
    page.keyboard.press("Control+/")
    expect(page.get_by_role("dialog", name="Keyboard shortcuts")).to_be_visible()
    page.keyboard.press("Escape")
    page.keyboard.type("help")
    page.keyboard.press("Enter")
    settled(page)
    shows(page, G2="help")
    page.get_by_label("Keyboard shortcuts", exact=True).first.click()
    page.get_by_role("button", name="Close keyboard shortcuts").click()
    page.keyboard.type("again")
    page.keyboard.press("Enter")
    settled(page)
    shows(page, G3="again")


def test_what_is_typed_after_a_tool_was_pressed_goes_into_the_cell(page: Page) -> None:
    cell(page, "G4").click()
    page.locator("#toolbar button").first.focus()
    page.keyboard.type("x1")
    page.keyboard.press("Enter")
    settled(page)
    shows(page, G4="x1")
