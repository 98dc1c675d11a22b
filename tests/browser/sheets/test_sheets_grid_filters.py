"""Filters on the grid: a filter waits until it is applied again, a filter view changes one person's view, a slicer lies
on the sheet.
"""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.apps.sheets.conftest import BUDGET
from tests.browser.conftest import Office, settled
from tests.browser.sheets import sheet_rows
from tests.browser.sheets.sheet_rows import address, cell, go, menu, place, shows

site, office = sheet_rows.site, sheet_rows.office


@pytest.fixture
def page(office: Office) -> Page:
    """Ada at the table of her budget."""
    found = office.open("ada", address(BUDGET))
    go(found, "A1:D3")
    return found


def hide(page: Page, column: str, *values: str) -> None:
    """Take values out of what a column's filter shows."""
    page.get_by_role("button", name=f"Filter {column}", exact=True).click()
    choose(page, f"Filter column {column}", *values)


def choose(page: Page, title: str, *values: str) -> None:
    """Take values out in an open panel."""
    panel = page.get_by_role("dialog", name=title)
    for value in values:
        panel.get_by_role("checkbox", name=value, exact=True).uncheck()
    panel.get_by_role("button", name="OK").click()
    settled(page)


def put(page: Page, where: str, text: str) -> None:
    """Type into a cell."""
    go(page, where)
    page.keyboard.type(text)
    page.keyboard.press("Enter")
    settled(page)


def sheet(office: Office) -> dict[str, Any]:
    """The sheet as the API tells it."""
    found: dict[str, Any] = office.see("ada", "spreadsheets.get", spreadsheetId=BUDGET)["sheets"][0]
    return found


def test_what_is_typed_counts_once_the_filter_is_applied_again(office: Office, page: Page) -> None:
    menu(page, "Data", "Create a filter")
    expect(page.get_by_role("columnheader", name="D", exact=True)).to_have_class("col-head filtered in")
    hide(page, "A", "Support")
    expect(cell(page, "A3")).to_have_count(0)
    put(page, "A2", "Support")
    expect(cell(page, "A2")).to_be_visible()
    hide(page, "B", "300")
    expect(cell(page, "A2")).to_have_count(0)
    office.until(lambda: sorted(sheet(office)["basicFilter"]["criteria"]), ["0", "1"])
    menu(page, "Data", "Remove filter")
    put(page, "A2", "Core")
    go(page, "A1:D3")
    menu(page, "Data", "Create a filter")
    hide(page, "A", "Support")
    put(page, "A2", "Support")
    menu(page, "Data", "Reapply filter")
    expect(cell(page, "A2")).to_have_count(0)


def test_a_filtered_column_is_sorted_from_its_panel_and_filtered_by_condition(page: Page) -> None:
    menu(page, "Data", "Create a filter")
    page.get_by_role("button", name="Filter B", exact=True).click()
    page.get_by_role("dialog", name="Filter column B").get_by_role("button", name="Sort A to Z").click()
    settled(page)
    shows(page, A2="Support", A3="Core")
    page.get_by_role("button", name="Filter B", exact=True).click()
    panel = page.get_by_role("dialog", name="Filter column B")
    panel.get_by_text("Filter by condition", exact=True).click()
    panel.get_by_label("Filter by condition").select_option(label="Greater than")
    panel.get_by_label("Value or formula").fill("1000")
    panel.get_by_label("Value or formula").press("Enter")
    settled(page)
    expect(cell(page, "A2")).to_have_count(0)
    shows(page, A3="Core")


def test_a_filter_view_changes_what_one_person_sees(office: Office, page: Page) -> None:
    other = office.open("bo", address(BUDGET))
    menu(page, "Data", "Filter views", "Create new filter view")
    bar = page.get_by_role("region", name="Filter view")
    expect(bar.get_by_label("Filter view range")).to_have_value("A1:D3")
    bar.get_by_label("Filter view name").fill("Without support")
    bar.get_by_label("Filter view name").press("Enter")
    settled(page)
    hide(page, "A", "Support")
    expect(cell(page, "A3")).to_have_count(0)
    expect(cell(other, "A3")).to_be_visible()
    office.until(
        lambda: [(one["title"], sorted(one["criteria"])) for one in sheet(office)["filterViews"]],
        [("Without support", ["0"])],
    )
    page.reload()
    expect(bar.get_by_label("Filter view name")).to_have_value("Without support")
    expect(cell(page, "A3")).to_have_count(0)
    put(page, "E2", "typed in the view")
    expect(cell(page, "A3")).to_have_count(0)
    bar.get_by_role("button", name="Close filter view").click()
    expect(cell(page, "A3")).to_be_visible()
    expect(bar).to_have_count(0)
    menu(other, "Data", "Filter views", "Without support")
    expect(cell(other, "A3")).to_have_count(0)
    other.get_by_role("button", name="Filter view options").click()
    other.locator(".popup").get_by_label("Delete", exact=True).click()
    settled(other)
    expect(cell(other, "A3")).to_be_visible()
    office.until(lambda: "filterViews" in sheet(office), False)


def test_a_slicer_filters_from_where_it_lies(office: Office, page: Page) -> None:
    menu(page, "Data", "Add a slicer")
    panel = page.get_by_role("dialog", name="Slicer")
    panel.locator("select").select_option(label="Team")
    panel.get_by_role("button", name="Done").click()
    settled(page)
    box = page.get_by_role("group", name="Slicer Team")
    box.get_by_role("button", name="Team", exact=False).first.click()
    choose(page, "Slicer Team", "Support")
    expect(cell(page, "A3")).to_have_count(0)
    expect(box).to_contain_text("All but 1")
    at = box.bounding_box() or {"x": 0, "y": 0}
    page.mouse.move(at["x"] + 60, at["y"] + 20)
    page.mouse.down()
    page.mouse.move(at["x"] + 160, at["y"] + 104, steps=3)
    page.mouse.up()
    settled(page)
    office.until(lambda: place(sheet(office)["slicers"][0]), (6, 5))
    page.get_by_role("button", name="Slicer options Team").click()
    page.locator(".popup").get_by_label("Delete slicer").click()
    settled(page)
    expect(box).to_have_count(0)
    expect(cell(page, "A3")).to_be_visible()
