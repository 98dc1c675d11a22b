"""The grid of a spreadsheet: typing, moving, selecting and pointing, by keys and by mouse, in a real browser."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.apps.sheets.conftest import BUDGET
from tests.browser.conftest import Office, Site, settled
from tests.browser.sheets import sheet_rows
from tests.browser.sheets.sheet_rows import address, cell, editor, go, shows
from tests.company import START
from world.core.settings import Settings
from world.script.faults import Fault
from world.script.scenario import Script, compile_script

site, office = sheet_rows.site, sheet_rows.office


@pytest.fixture
def page(office: Office) -> Page:
    """Ada at her budget."""
    return office.open("ada", address(BUDGET))


def box(page: Page) -> Locator:
    """The name box."""
    return page.get_by_label("Name box")


def test_a_formula_typed_shows_its_value_and_what_depends_on_it(office: Office, page: Page) -> None:
    cell(page, "B2").click()
    page.keyboard.type("2000")
    page.keyboard.press("Enter")
    settled(page)
    expect(page.get_by_role("gridcell", name="B2 2000", exact=True)).to_be_visible()
    shows(page, D2="3350.5", B5="2300", D5="3930.5")
    go(page, "F1")
    page.keyboard.type("=SUM(B2:B3)")
    page.keyboard.press("Tab")
    settled(page)
    shows(page, F1="2300")
    expect(box(page)).to_have_value("G1")
    cell(page, "F1").click()
    expect(page.get_by_label("Formula bar")).to_have_value("=SUM(B2:B3)")
    expect(page.get_by_text("Saved to Drive")).to_be_visible()
    read = office.see("ada", "spreadsheets.values.get", spreadsheetId=BUDGET, range="F1", valueRenderOption="FORMULA")
    assert read["values"] == [["=SUM(B2:B3)"]]


def test_enter_tab_f2_escape_delete(page: Page) -> None:
    cell(page, "G2").click()
    for text, key in (("a", "Tab"), ("b", "Tab"), ("c", "Enter")):
        page.keyboard.type(text)
        page.keyboard.press(key)
    expect(box(page)).to_have_value("G3")
    settled(page)
    shows(page, G2="a", H2="b", I2="c")
    cell(page, "A2").click()
    page.keyboard.press("F2")
    page.keyboard.type("!")
    page.keyboard.press("Home")
    page.keyboard.type(">")
    expect(editor(page)).to_have_value(">Core!")
    page.keyboard.press("Escape")
    shows(page, A2="Core")
    page.keyboard.press("Delete")
    settled(page)
    shows(page, A2="")
    cell(page, "A3").dblclick()
    page.keyboard.type("s")
    page.keyboard.press("Shift+Enter")
    settled(page)
    shows(page, A3="Supports")
    expect(box(page)).to_have_value("A2")


def test_keys_move_and_extend(page: Page) -> None:
    cell(page, "B2").click()
    for keys, expected in (
        ("ArrowRight", "C2"),
        ("ArrowDown", "C3"),
        ("Home", "A3"),
        ("Control+End", "D5"),
        ("Control+Home", "A1"),
        ("Control+ArrowDown", "A3"),
        ("Control+ArrowDown", "A5"),
        ("Control+ArrowDown", "A1000"),
        ("Control+Home", "A1"),
        ("Control+ArrowRight", "D1"),
        ("End", "Z1"),
    ):
        page.keyboard.press(keys)
        settled(page)
        expect(box(page)).to_have_value(expected)
    page.keyboard.press("Control+Home")
    page.keyboard.press("PageDown")
    expect(box(page)).to_have_value(re.compile(r"^A(1[6-9]|[2-9]\d|\d{3,})$"))
    page.keyboard.press("PageUp")
    page.keyboard.press("Shift+ArrowDown")
    page.keyboard.press("Shift+ArrowRight")
    expect(box(page)).to_have_value("A1:B2")
    page.keyboard.press("Control+Shift+ArrowRight")
    settled(page)
    expect(box(page)).to_have_value("A1:D2")
    page.keyboard.press("Control+a")
    expect(box(page)).to_have_value("A1:D3")
    page.keyboard.press("Control+a")
    expect(page.locator('[role="gridcell"]:not([aria-selected="true"])')).to_have_count(0)
    expect(cell(page, "A1")).to_have_attribute("aria-selected", "true")


def test_the_mouse_selects_cells_rows_columns_and_all(page: Page) -> None:
    cell(page, "B2").hover()
    page.mouse.down()
    cell(page, "D5").hover()
    page.mouse.up()
    expect(box(page)).to_have_value("B2:D5")
    cell(page, "C3").click()
    cell(page, "E4").click(modifiers=["Shift"])
    expect(box(page)).to_have_value("C3:E4")
    page.get_by_role("columnheader", name="B", exact=True).click()
    expect(box(page)).to_have_value("B:B")
    page.get_by_role("columnheader", name="D", exact=True).click(modifiers=["Shift"])
    expect(box(page)).to_have_value("B:D")
    page.get_by_role("rowheader", name="3", exact=True).click()
    expect(box(page)).to_have_value("3:3")
    page.get_by_role("columnheader", name="Select all").click()
    expect(box(page)).to_have_value("A:Z")
    cell(page, "B2").click()
    cell(page, "C3").click(modifiers=["Control"])
    expect(page.locator('[role="gridcell"][aria-selected="true"]')).to_have_count(2)


def test_the_status_bar_sums_up(page: Page) -> None:
    cell(page, "B2").click()
    cell(page, "C3").click(modifiers=["Shift"])
    summary = page.get_by_role("status", name="Summary of the selection")
    expect(summary).to_have_text("Sum: 3,130.5")
    summary.get_by_role("button").click()
    listed = page.get_by_role("menu", name="Summary").locator(".popup-label")
    expect(listed).to_have_text(
        ["Sum: 3,130.5", "Avg: 782.625", "Min: 280", "Max: 1,350.5", "Count: 4", "Count Numbers: 4"]
    )
    page.get_by_role("menuitemcheckbox", name="Avg").click()
    expect(summary).to_have_text("Avg: 782.625")
    summary.get_by_role("button").click()
    page.get_by_role("menuitemcheckbox", name="Sum").click()
    page.get_by_role("columnheader", name="B", exact=True).click()
    settled(page)
    expect(page.get_by_role("status", name="Summary of the selection")).to_contain_text("Sum: 3,000")


def test_the_name_box_leads_anywhere(page: Page) -> None:
    go(page, "D900")
    expect(cell(page, "D900")).to_be_visible()
    page.keyboard.type("far")
    page.keyboard.press("Enter")
    settled(page)
    shows(page, D900="far")
    go(page, "B2:C3")
    expect(page.locator('[role="gridcell"][aria-selected="true"]')).to_have_count(4)
    box(page).fill("nowhere at all")
    box(page).press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("is not a range")


def test_functions_are_completed_and_explained(page: Page) -> None:
    go(page, "F2")
    page.keyboard.type("=SU")
    listed = page.get_by_role("listbox", name="Functions")
    expect(listed.locator("b").filter(has_text=re.compile(r"^SUM\b")).first).to_be_visible()
    page.keyboard.type("M")
    page.keyboard.type("(")
    expect(page.get_by_role("status", name="Signature")).to_contain_text("SUM(")
    page.keyboard.type("B2:B3)")
    page.keyboard.press("Enter")
    settled(page)
    shows(page, F2="1500")
    page.keyboard.type("=AVERAG")
    page.keyboard.press("Tab")
    expect(editor(page)).to_have_value("=AVERAGE(")
    page.keyboard.press("Escape")


def test_references_are_coloured_and_pointed_at(page: Page) -> None:
    go(page, "F3")
    page.keyboard.type("=")
    cell(page, "B2").click()
    page.keyboard.type("+")
    cell(page, "C2").hover()
    page.mouse.down()
    cell(page, "C3").hover()
    page.mouse.up()
    expect(editor(page)).to_have_value("=B2+C2:C3")
    expect(page.locator(".ref-box")).to_have_count(2)
    expect(page.locator(".cell-mirror .ink-0")).to_have_text("B2")
    page.keyboard.press("Escape")
    page.keyboard.type("=")
    page.keyboard.press("ArrowLeft")
    page.keyboard.type("*")
    page.keyboard.press("ArrowUp")
    expect(editor(page)).to_have_value("=E3*F2")
    page.keyboard.press("F4")
    expect(editor(page)).to_have_value("=E3*$F$2")
    page.keyboard.press("Escape")
    expect(page.locator(".ref-box")).to_have_count(0)


def test_errors_say_why(page: Page) -> None:
    go(page, "G1")
    for formula in ("=1/0", "=NOPE(1)", "=VLOOKUP(9,A1:B2,2,FALSE)", '="a"*2', "=#REF!"):
        page.keyboard.type(formula)
        page.keyboard.press("Enter")
    settled(page)
    shows(page, G1="#DIV/0!", G2="#NAME?", G3="#N/A", G4="#VALUE!", G5="#REF!")
    for row in range(1, 6):
        expect(cell(page, f"G{row}")).to_have_attribute("data-fault", re.compile("."))
    cell(page, "G1").hover()
    expect(page.get_by_role("tooltip")).to_have_text("ErrorFunction DIVIDE parameter 2 cannot be zero.")


def test_the_formula_bar_edits(page: Page) -> None:
    go(page, "B2")
    bar = page.get_by_label("Formula bar")
    bar.fill("=100+5")
    bar.press("Enter")
    settled(page)
    shows(page, B2="105")
    expect(page.get_by_role("gridcell", name="B2 105", exact=True)).to_be_visible()


def test_a_colleagues_change_arrives(office: Office, page: Page) -> None:
    page.wait_for_selector('html[data-live="open"]')
    office.act(
        "bo", "spreadsheets.values.update", spreadsheetId=BUDGET, range="B2", valueInputOption="RAW", values=[[7]]
    )
    expect(cell(page, "B2")).to_have_text("7")
    shows(page, D2="1357.5")


def test_a_reader_sees_and_changes_nothing(office: Office) -> None:
    page = office.open("cyrus", address(BUDGET))
    expect(page.get_by_text("View only").first).to_be_visible()
    cell(page, "B2").click()
    page.keyboard.type("9")
    page.keyboard.press("Enter")
    settled(page)
    shows(page, B2="1200")
    expect(page.get_by_role("button", name="Bold")).to_have_count(0)
    expect(page.get_by_role("menuitem", name="Insert")).to_have_count(0)
    expect(page.get_by_role("button", name="Add sheet")).to_have_count(0)


def test_an_outage_keeps_what_was_typed(site: Site, office_of: Callable[..., Office]) -> None:
    script = Script("down", START)
    script.fault(Fault("down", "sheets", "readonly", operations=("web.enter",)), start="+10s", end="+40s")
    office = office_of(site, Settings(limits="off"), compile_script(script, horizon="+1d"))
    page = office.open("ada", address(BUDGET))
    office.act("bo", "world.wait", seconds=20)
    cell(page, "F9").click()
    page.keyboard.type("kept")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("Trying to reconnect")
    expect(cell(page, "F9")).to_have_class("cell full to-start unsaved")
    office.expect_complaint("503")
    expect(page.get_by_role("button", name="Bold")).to_be_disabled()
    page.keyboard.type("not taken")
    page.keyboard.press("Enter")
    shows(page, F10="", F9="kept")
    office.act("bo", "world.wait", seconds=60)
    page.get_by_role("button", name="Retry now").click()
    settled(page)
    expect(page.get_by_text("Saved to Drive")).to_be_visible()
    expect(cell(page, "F9")).not_to_have_class(re.compile("unsaved"))
    expect(page.get_by_role("button", name="Bold")).to_be_enabled()
    assert office.see("ada", "spreadsheets.values.get", spreadsheetId=BUDGET, range="F9")["values"] == [["kept"]]


def test_a_page_opened_while_nothing_can_be_changed_is_there_to_look_at(
    site: Site, office_of: Callable[..., Office]
) -> None:
    script = Script("down", START)
    script.fault(Fault("down", "sheets", "readonly"), start=START, end="+30s")
    office = office_of(site, Settings(limits="off"), compile_script(script, horizon="+1d"))
    page = office.open("ada", address(BUDGET))
    expect(page.get_by_role("alert")).to_contain_text("Trying to reconnect")
    expect(page.get_by_role("menuitem", name="Insert")).to_be_disabled()
    cell(page, "B2").click()
    page.keyboard.type("9")
    page.keyboard.press("Enter")
    settled(page)
    shows(page, B2="1200")
    office.act("bo", "world.wait", seconds=60)
    page.get_by_role("link", name="Try again").click()
    page.wait_for_selector('html[data-grid="ready"]')
    cell(page, "B2").click()
    page.keyboard.type("9")
    page.keyboard.press("Enter")
    expect(cell(page, "B2")).to_have_text("9")


def test_without_scripts_a_table_and_a_form(office: Office) -> None:
    page = office.open("ada", address(BUDGET), scripts=False)
    expect(page.get_by_role("cell", name="1350.5")).to_be_visible()
    page.get_by_label("Cell", exact=True).fill("b2")
    page.get_by_label("Content").fill("=40+2")
    page.get_by_role("button", name="Enter").click()
    expect(page.get_by_role("cell", name="42", exact=True)).to_be_visible()
    assert office.see("ada", "spreadsheets.values.get", spreadsheetId=BUDGET, range="B2")["values"] == [["42"]]


def test_the_formula_bar_points_and_selections_are_filled(page: Page) -> None:
    go(page, "F1")
    page.get_by_label("Formula bar").click()
    page.keyboard.type("=SUM(")
    cell(page, "B2").hover()
    page.mouse.down()
    cell(page, "B3").hover()
    page.mouse.up()
    page.keyboard.press("Enter")
    settled(page)
    shows(page, F1="1500")
    go(page, "H1:H3")
    page.keyboard.type("x")
    page.keyboard.press("Control+Enter")
    settled(page)
    shows(page, H1="x", H2="x", H3="x")
    go(page, "G1")
    page.keyboard.insert_text("https://example.com/a")
    page.keyboard.press("Enter")
    settled(page)
    expect(page.get_by_role("link", name="https://example.com/a")).to_have_attribute("rel", "noopener noreferrer")
    go(page, "G2")
    page.keyboard.type('=HYPERLINK("javascript:alert(1)","no")')
    page.keyboard.press("Enter")
    settled(page)
    shows(page, G2="no")
    expect(cell(page, "G2").locator("a")).to_have_count(0)


def test_the_fill_handle_goes_down_as_far_as_its_neighbours(page: Page) -> None:
    go(page, "E1")
    page.keyboard.type("=B1")
    page.keyboard.press("Enter")
    go(page, "E1")
    page.locator(".fill-handle").dblclick()
    settled(page)
    shows(page, E1="Q1", E2="1200", E3="300", E4="")
    expect(box(page)).to_have_value("E1:E3")


def test_dates_and_lines_by_keys(page: Page) -> None:
    go(page, "G1")
    for keys in ("Control+;", "Control+Shift+:"):
        page.keyboard.press(keys)
        page.keyboard.press("Enter")
    settled(page)
    shows(page, G1="3/2/2026")
    expect(cell(page, "G2")).to_have_text(re.compile("^8:00:"))
    go(page, "2:2")
    page.keyboard.press("Control+Alt+=")
    settled(page)
    shows(page, A2="", A3="Core")
    page.keyboard.press("Control+Alt+-")
    settled(page)
    shows(page, A2="Core")


def test_a_table_without_plain_text_is_pasted_as_cells(page: Page) -> None:
    go(page, "F1")
    page.evaluate("""() => {
            const clipboardData = new DataTransfer();
            clipboardData.setData("text/html", "<table><tr><td><b>Pens</b></td><td>2</td></tr><tr><td>Ink</td><td>4</td></tr></table>");
            document.activeElement.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
        }""")
    settled(page)
    shows(page, F1="Pens", G1="2", F2="Ink", G2="4")


def test_undo_goes_to_the_sheet_it_is_about(office: Office, page: Page) -> None:
    go(page, "B2")
    page.keyboard.type("7")
    page.keyboard.press("Enter")
    settled(page)
    office.act(
        "ada",
        "spreadsheets.batchUpdate",
        spreadsheetId=BUDGET,
        requests=[{"addSheet": {"properties": {"title": "Plan"}}}],
    )
    page.reload()
    tabs = page.get_by_role("navigation", name="Sheets")
    tabs.get_by_text("Plan").click()
    expect(tabs.locator("[aria-current]")).to_contain_text("Plan")
    page.wait_for_selector('html[data-grid="ready"]')
    page.keyboard.press("Control+z")
    expect(tabs.locator("[aria-current]")).to_contain_text("Sheet1")
    expect(page.get_by_role("gridcell", name="B2 1200", exact=True)).to_be_visible()
    expect(box(page)).to_have_value("B2")
