"""The grid of a spreadsheet: clipboard, undo, fill, looks, rows and columns, sheets and data, by menu, key and mouse."""

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.apps.sheets.conftest import BUDGET
from tests.browser.conftest import Office, settled
from tests.browser.sheets import sheet_rows
from tests.browser.sheets.sheet_rows import address, cell, context, go, menu, place, shows

site, office, clipboard = sheet_rows.site, sheet_rows.office, sheet_rows.clipboard
pytestmark = pytest.mark.usefixtures("clipboard")


@pytest.fixture
def page(office: Office) -> Page:
    """Ada at her budget."""
    return office.open("ada", address(BUDGET))


def holds(office: Office, where: str, values: list[list[Any]] | None, how: str = "FORMATTED_VALUE") -> None:
    """The API comes to say this of a range."""
    asked = {"spreadsheetId": BUDGET, "range": where, "valueRenderOption": how}
    office.until(lambda: office.see("ada", "spreadsheets.values.get", **asked).get("values"), values)


def sheets(office: Office) -> list[dict[str, Any]]:
    """The sheets' properties."""
    return [one["properties"] for one in office.see("ada", "spreadsheets.get", spreadsheetId=BUDGET)["sheets"]]


def titles(office: Office, *wanted: str) -> None:
    """The sheets come to be these, in this order."""
    office.until(lambda: [one["title"] for one in sheets(office)], list(wanted))


def style(office: Office, where: str) -> dict[str, Any]:
    """The format of one cell."""
    return first(office, where)["rowData"][0]["values"][0].get("userEnteredFormat", {})


def first(office: Office, where: str) -> dict[str, Any]:
    """The grid data of a range."""
    return office.see("ada", "spreadsheets.get", spreadsheetId=BUDGET, ranges=[where], includeGridData=True)["sheets"][
        0
    ]["data"][0]


def press(page: Page, *keys: str) -> None:
    """Keys, and what comes of them."""
    for key in keys:
        page.keyboard.press(key)
    settled(page)


def test_copying_shifts_references_and_undo_takes_it_back(office: Office, page: Page) -> None:
    go(page, "D2:D3")
    press(page, "Control+c")
    expect(page.locator(".ants")).to_be_visible()
    go(page, "F7")
    press(page, "Control+v")
    holds(office, "F7:F8", [["=D7+E7"], ["=D8+E8"]], "FORMULA")
    expect(page.get_by_label("Name box")).to_have_value("F7:F8")
    press(page, "Control+z")
    holds(office, "F7:F8", None)
    press(page, "Control+y")
    holds(office, "F7:F8", [["0"], ["0"]])
    press(page, "Escape")
    expect(page.locator(".ants")).to_be_hidden()


def test_cutting_moves_and_formulas_follow(office: Office, page: Page) -> None:
    go(page, "B2:B3")
    press(page, "Control+x")
    go(page, "H2")
    press(page, "Control+v")
    shows(page, B2="", H2="1200", D2="2550.5")
    holds(office, "D2", [["=H2+C2"]], "FORMULA")


def test_text_from_elsewhere_is_pasted_as_cells(office: Office, page: Page) -> None:
    page.evaluate("navigator.clipboard.writeText('Name\\tCost\\nPens\\t$4.50\\nPaper\\t12%')")
    go(page, "F1")
    press(page, "Control+v")
    holds(office, "F1:G3", [["Name", "Cost"], ["Pens", "$4.50"], ["Paper", "12%"]])
    go(page, "A1:B2")
    press(page, "Control+c")
    page.wait_for_function("async () => await navigator.clipboard.readText() === 'Team\\tQ1\\nCore\\t1200'")


def test_pasting_values_only(office: Office, page: Page) -> None:
    go(page, "D2")
    press(page, "Control+c")
    go(page, "F2")
    press(page, "Control+Shift+v")
    holds(office, "F2", [[2550.5]], "FORMULA")


def test_undo_leaves_what_others_changed(office: Office, page: Page) -> None:
    go(page, "F1:F2")
    for text in ("one", "two"):
        page.keyboard.type(text)
        press(page, "Enter")
    office.act(
        "bo", "spreadsheets.values.update", spreadsheetId=BUDGET, range="F2", valueInputOption="RAW", values=[["Bo's"]]
    )
    press(page, "Control+z")
    holds(office, "F1:F2", [["one"], ["Bo's"]])
    page.get_by_role("button", name="Undo", exact=True).click()
    settled(page)
    holds(office, "F1:F2", [[], ["Bo's"]])


def test_the_fill_handle_and_its_keys(office: Office, page: Page) -> None:
    go(page, "F1")
    for text in ("1", "3"):
        page.keyboard.type(text)
        press(page, "Enter")
    go(page, "F1:F2")
    page.locator(".fill-handle").hover()
    page.mouse.down()
    cell(page, "F5").hover()
    page.mouse.up()
    settled(page)
    holds(office, "F1:F5", [["1"], ["3"], ["5"], ["7"], ["9"]])
    expect(page.get_by_label("Name box")).to_have_value("F1:F5")
    go(page, "D2:D4")
    press(page, "Control+d")
    holds(office, "D4", [["=B4+C4"]], "FORMULA")
    go(page, "A1:C1")
    press(page, "Control+r")
    holds(office, "A1:C1", [["Team", "Team", "Team"]])


def test_looks_from_the_toolbar(office: Office, page: Page) -> None:
    go(page, "B2:C3")
    bar = page.get_by_role("toolbar", name="Main toolbar")
    for name in ("Bold", "Italic", "Strikethrough", "Format as currency"):
        bar.get_by_role("button", name=name).click()
        settled(page)
    expect(bar.get_by_role("button", name="Bold")).to_have_attribute("aria-pressed", "true")
    for tool, choice in (
        ("Font", "Georgia"),
        ("Horizontal align", "Center"),
        ("Vertical align", "Top"),
        ("Text wrapping", "Wrap"),
        ("Fill color", "#ffff00"),
        ("Text color", "#ff0000"),
    ):
        bar.get_by_role("button", name=tool, exact=True).click()
        page.locator(".popup").get_by_label(choice, exact=True).click()
        settled(page)
    bar.get_by_label("Font size", exact=True).fill("14")
    press(page, "Enter")
    office.until(lambda: style(office, "C3")["textFormat"].get("fontSize"), 14)
    found = style(office, "C3")
    assert found["textFormat"] | {"foregroundColorStyle": 0, "foregroundColor": 0} == {
        "bold": True,
        "italic": True,
        "strikethrough": True,
        "fontFamily": "Georgia",
        "fontSize": 14,
        "foregroundColorStyle": 0,
        "foregroundColor": 0,
    }
    assert (found["horizontalAlignment"], found["verticalAlignment"], found["wrapStrategy"]) == (
        "CENTER",
        "TOP",
        "WRAP",
    )
    assert found["backgroundColor"] == {"red": 1, "green": 1, "blue": 0}
    shows(page, B2="$1,200.00")
    expect(cell(page, "B2")).to_have_css("background-color", "rgb(255, 255, 0)")
    expect(cell(page, "B2")).to_have_css("font-weight", "700")
    press(page, "Control+b", "Control+\\")
    office.until(lambda: style(office, "C3"), {})


def test_number_formats(page: Page) -> None:
    go(page, "C2")
    menu(page, "Format", "Number", "Percent")
    shows(page, C2="135050.00%")
    menu(page, "Format", "Number", "Scientific")
    shows(page, C2="1.35E+03")
    menu(page, "Format", "Number", "Date")
    shows(page, C2="9/11/1903")
    menu(page, "Format", "Number", "Currency rounded")
    shows(page, C2="$1,351")
    for name, expected in (("Increase", "$1,350.5"), ("Increase", "$1,350.50"), ("Decrease", "$1,350.5")):
        page.get_by_role("button", name=f"{name} decimal places").click()
        settled(page)
        shows(page, C2=expected)
    menu(page, "Format", "Number", "Automatic")
    shows(page, C2="1350.5")


def test_borders_and_merges(office: Office, page: Page) -> None:
    go(page, "F1:G2")
    page.get_by_role("button", name="Borders").click()
    page.locator(".popup").get_by_label("All borders", exact=True).click()
    settled(page)
    office.until(lambda: set(style(office, "F1").get("borders", {})), {"top", "bottom", "left", "right"})
    page.get_by_role("button", name="Merge cells").click()
    settled(page)
    expect(cell(page, "F1")).to_have_attribute("aria-colspan", "2")
    expect(cell(page, "G2")).to_have_count(0)
    go(page, "F1")
    press(page, "ArrowRight")
    expect(page.get_by_label("Name box")).to_have_value("H1")
    go(page, "F1")
    menu(page, "Format", "Merge cells", "Unmerge")
    expect(cell(page, "G2")).to_have_count(1)


def test_rows_and_columns_come_and_go(office: Office, page: Page) -> None:
    context(page, page.get_by_role("rowheader", name="2", exact=True), "Insert 1 row above")
    holds(office, "B6", [["=SUM(B3:B4)"]], "FORMULA")
    press(page, "Control+z")
    holds(office, "B5", [["=SUM(B2:B3)"]], "FORMULA")
    context(page, page.get_by_role("columnheader", name="B", exact=True), "Delete column B")
    shows(page, C2="#REF!")
    page.get_by_role("button", name="Undo", exact=True).click()
    settled(page)
    shows(page, D2="2550.5")
    context(page, page.get_by_role("columnheader", name="C", exact=True), "Insert 1 column right")
    holds(office, "E2", [["=B2+C2"]], "FORMULA")
    go(page, "A2:B2")
    context(page, cell(page, "A2"), "Delete cells", "Delete cells and shift up")
    shows(page, A2="Support")


def test_sizes_by_drag_and_double_click_and_hiding(office: Office, page: Page) -> None:
    edge = page.locator('[data-edge="0"]')
    at = edge.bounding_box() or {"x": 0, "y": 0}
    page.mouse.move(at["x"] + 3, at["y"] + 8)
    page.mouse.down()
    page.mouse.move(at["x"] + 83, at["y"] + 8)
    page.mouse.up()
    settled(page)
    expect(cell(page, "A1")).to_have_css("width", "180px")
    page.locator('[data-edge="0"]').dblclick()
    settled(page)
    expect(cell(page, "A1")).to_have_css("width", re.compile(r"^\d\d(\.\d+)?px$"))
    context(page, page.get_by_role("columnheader", name="B", exact=True), "Hide column B")
    expect(cell(page, "B2")).to_have_count(0)
    page.get_by_role("button", name="Show hidden columns before C").click()
    settled(page)
    expect(cell(page, "B2")).to_be_visible()
    context(page, page.get_by_role("rowheader", name="3", exact=True), "Hide row 3")
    expect(cell(page, "A3")).to_have_count(0)
    office.until(lambda: first(office, "A3")["rowMetadata"][0].get("hiddenByUser"), True)


def test_freezing_keeps_rows_in_view(office: Office, page: Page) -> None:
    menu(page, "View", "Freeze", "1 row")
    menu(page, "View", "Freeze", "1 column")
    office.until(lambda: sheets(office)[0]["gridProperties"].get("frozenRowCount"), 1)
    go(page, "T500")
    expect(page.get_by_role("gridcell", name="A1 Team")).to_be_in_viewport()
    expect(cell(page, "T500")).to_be_in_viewport()
    expect(cell(page, "T1")).to_be_in_viewport()
    menu(page, "View", "Freeze", "No rows")
    office.until(lambda: "frozenRowCount" in sheets(office)[0]["gridProperties"], False)


def test_sorting(office: Office, page: Page) -> None:
    go(page, "A2:D3")
    page.keyboard.press("Tab")
    menu(page, "Data", "Sort range", "Sort range by column B (A to Z)")
    holds(office, "A2:B3", [["Support", "300"], ["Core", "1200"]])
    holds(office, "D3", [["=B3+C3"]], "FORMULA")
    press(page, "Control+z")
    holds(office, "A2:B2", [["Core", "1200"]])


def test_find_and_replace(office: Office, page: Page) -> None:
    press(page, "Control+h")
    dialog = page.get_by_role("dialog", name="Find and replace")
    dialog.get_by_label("Find", exact=True).fill("support")
    dialog.get_by_role("button", name="Find").click()
    expect(dialog.get_by_role("status")).to_have_text("Found in A3")
    expect(page.get_by_label("Name box")).to_have_value("A3")
    dialog.get_by_label("Replace with").fill("Help")
    dialog.get_by_role("button", name="Replace all").click()
    expect(dialog.get_by_role("status")).to_have_text("Replaced 1 instance of support with Help")
    dialog.get_by_role("button", name="Done").click()
    holds(office, "A3", [["Help"]])


def test_sheets_are_added_renamed_duplicated_moved_hidden_and_deleted(office: Office, page: Page) -> None:
    page.get_by_role("button", name="Add sheet").click()
    tabs = page.get_by_role("navigation", name="Sheets")
    expect(tabs.locator("[aria-current]")).to_contain_text("Sheet2")
    page.wait_for_selector('html[data-grid="ready"]')
    tabs.get_by_text("Sheet2").dblclick()
    page.get_by_label("Sheet name").fill("Plan")
    page.get_by_label("Sheet name").press("Enter")
    settled(page)
    expect(tabs.locator("[aria-current]")).to_contain_text("Plan")
    context(page, tabs.get_by_text("Plan"), "Move left")
    titles(office, "Plan", "Sheet1")
    tabs.get_by_text("Sheet1").click()
    expect(page.get_by_role("gridcell", name="A2 Core")).to_be_visible()
    page.wait_for_selector('html[data-grid="ready"]')
    tabs.get_by_text("Sheet1").click(button="right")
    page.locator(".popup").get_by_label("Duplicate", exact=True).click()
    expect(tabs.locator("[aria-current]")).to_contain_text("Copy of Sheet1")
    page.wait_for_selector('html[data-grid="ready"]')
    context(page, tabs.get_by_text("Plan"), "Hide sheet")
    office.until(lambda: [one["title"] for one in sheets(office) if one.get("hidden")], ["Plan"])
    expect(tabs.get_by_text("Plan")).to_have_count(0)
    context(page, tabs.get_by_text("Copy of Sheet1"), "Delete")
    expect(tabs.locator("[aria-current]")).to_contain_text("Sheet1")
    titles(office, "Plan", "Sheet1")


def test_the_title_is_renamed_in_place_and_starred(office: Office, page: Page) -> None:
    page.get_by_label("Rename").fill("Budget 2026")
    press(page, "Enter")
    expect(page).to_have_title("Budget 2026 - Sheets")
    page.get_by_role("button", name="Star").click()
    settled(page)
    expect(page.get_by_role("button", name="Star")).to_have_attribute("aria-pressed", "true")
    found = office.see("ada", "drive.files.get", fileId=BUDGET, fields="name,starred")
    assert (found["name"], found["starred"]) == ("Budget 2026", True)


def test_notes_dropdowns_and_checkboxes(office: Office, page: Page) -> None:
    go(page, "B2")
    press(page, "Shift+F2")
    page.get_by_role("dialog", name="Note").locator("textarea").fill("Ask Bo")
    page.get_by_role("button", name="Save").click()
    settled(page)
    cell(page, "B2").hover()
    expect(page.get_by_role("tooltip")).to_have_text("Ask Bo")
    go(page, "F2")
    menu(page, "Insert", "Dropdown")
    page.get_by_label("Items, separated by commas").fill("Open, Done")
    page.get_by_role("button", name="Done").click()
    settled(page)
    page.get_by_role("button", name="Choose for F2").click()
    page.locator(".popup").get_by_label("Done", exact=True).click()
    settled(page)
    holds(office, "F2", [["Done"]])
    go(page, "G2")
    menu(page, "Insert", "Checkbox")
    page.get_by_role("checkbox", name="G2").click()
    settled(page)
    holds(office, "G2", [["TRUE"]])
    expect(page.get_by_role("checkbox", name="G2 TRUE")).to_have_attribute("aria-checked", "true")


def test_a_filter_hides_rows(office: Office, page: Page) -> None:
    go(page, "A1:D3")
    menu(page, "Data", "Create a filter")
    page.get_by_role("button", name="Filter A").click()
    page.get_by_role("dialog").get_by_role("checkbox", name="Support").uncheck()
    page.get_by_role("button", name="OK").click()
    settled(page)
    expect(cell(page, "A3")).to_have_count(0)
    expect(cell(page, "A2")).to_be_visible()
    menu(page, "Data", "Remove filter")
    expect(cell(page, "A3")).to_be_visible()


def test_names_conditional_formats_charts_and_protection(office: Office, page: Page) -> None:
    go(page, "B2:C3")
    page.get_by_label("Name box").fill("numbers")
    press(page, "Enter")
    go(page, "A9")
    go(page, "numbers")
    expect(page.get_by_label("Name box")).to_have_value("numbers")
    menu(page, "Format", "Conditional formatting")
    page.get_by_label("Value or formula").fill("1000")
    page.get_by_role("button", name="Done").click()
    settled(page)
    expect(cell(page, "B2")).to_have_css("background-color", "rgb(183, 225, 205)")
    expect(cell(page, "B3")).not_to_have_css("background-color", "rgb(183, 225, 205)")
    go(page, "A1:C3")
    menu(page, "Insert", "Chart")
    page.get_by_label("Chart title").fill("By team")
    page.get_by_role("button", name="Insert", exact=True).click()
    settled(page)
    chart = page.get_by_role("figure", name="Chart By team")
    expect(chart.locator("rect").nth(3)).to_be_attached()
    at = chart.bounding_box() or {"x": 0, "y": 0}
    page.mouse.move(at["x"] + 100, at["y"] + 60)
    page.mouse.down()
    page.mouse.move(at["x"] + 200, at["y"] + 81)
    page.mouse.up()
    settled(page)
    office.until(
        lambda: place(office.see("ada", "spreadsheets.get", spreadsheetId=BUDGET)["sheets"][0]["charts"][0]), (5, 1)
    )
    page.get_by_role("button", name="Chart options By team").click()
    page.locator(".popup").get_by_label("Delete chart").click()
    settled(page)
    expect(chart).to_have_count(0)
    go(page, "A1")
    menu(page, "Data", "Protect sheets and ranges")
    page.get_by_role("button", name="Only you can edit this range").click()
    settled(page)
    bo = office.open("bo", address(BUDGET))
    cell(bo, "A1").click()
    bo.keyboard.type("x")
    expect(bo.get_by_role("alert")).to_contain_text("protected cell")
    shows(bo, A1="Team")
    menu(page, "Data", "Protect sheets and ranges")
    page.get_by_role("dialog", name="Protected range").get_by_role("button", name="Remove A1").click()
    settled(page)
    go(page, "A1")
    menu(page, "Format", "Conditional formatting")
    rules = page.get_by_role("dialog", name="Conditional format rules")
    rules.get_by_role("button", name="Remove Greater than 1000").click()
    settled(page)
    expect(cell(page, "B2")).not_to_have_css("background-color", "rgb(183, 225, 205)")
    ruled = {"protectedRanges", "conditionalFormats"}
    office.until(lambda: ruled & set(office.see("ada", "spreadsheets.get", spreadsheetId=BUDGET)["sheets"][0]), set())


@pytest.mark.full
@pytest.mark.parametrize("name", ["File", "Edit", "View", "Insert", "Format", "Data", "Tools", "Help"])
def test_every_menu_opens(page: Page, name: str) -> None:
    page.get_by_role("menubar").get_by_role("menuitem", name=name, exact=True).click()
    opened = page.get_by_role("menu", name=name)
    expect(opened.locator('[role^="menuitem"]').nth(1)).to_be_visible()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Escape")
    expect(opened).to_have_count(0)


def test_menus_and_dialogs_by_keys(office: Office, page: Page) -> None:
    go(page, "B2")
    press(page, "F6", "ArrowRight", "ArrowRight", "ArrowDown")
    expect(page.get_by_role("menu", name="View")).to_be_visible()
    press(page, "ArrowRight")
    expect(page.get_by_role("menu", name="Insert")).to_be_visible()
    press(page, "Escape", "Shift+F10")
    expect(page.get_by_role("menu", name="Actions")).to_be_visible()
    press(page, "ArrowUp", "ArrowUp", "ArrowUp", "Escape", "Alt+o", "ArrowDown", "ArrowDown", "ArrowRight", "Enter")
    office.until(lambda: style(office, "B2").get("textFormat"), {"bold": True})
    press(page, "Control+j")
    expect(page.get_by_label("Name box")).to_be_focused()
    press(page, "Escape", "Control+/")
    expect(page.get_by_role("dialog", name="Keyboard shortcuts")).to_contain_text("Paste values only")
