"""The grid over protected cells: ranges that only warn are asked about first, free parts of a protected sheet are open,
the rest is not.
"""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.apps.sheets.conftest import BUDGET
from tests.browser.conftest import Office, settled
from tests.browser.sheets import sheet_rows
from tests.browser.sheets.sheet_rows import address, go, shows

HEADS_UP = "You’re trying to edit part of this sheet that shouldn’t be changed accidentally. Edit anyway?"
FIRST = {"sheetId": 0, "startRowIndex": 0, "endRowIndex": 2, "startColumnIndex": 0, "endColumnIndex": 2}


site, office, clipboard = sheet_rows.site, sheet_rows.office, sheet_rows.clipboard
pytestmark = pytest.mark.usefixtures("clipboard")


def protected(office: Office, **protection: Any) -> Page:
    """Bo at Ada's budget, after she has protected something."""
    office.act(
        "ada",
        "spreadsheets.batchUpdate",
        spreadsheetId=BUDGET,
        requests=[{"addProtectedRange": {"protectedRange": protection}}],
    )
    return office.open("bo", address(BUDGET))


def values(office: Office) -> list[list[str]]:
    """What the API says of the first cells."""
    told: list[list[str]] = office.see("ada", "spreadsheets.values.get", spreadsheetId=BUDGET, range="A1:C1")["values"]
    return told


def put(page: Page, where: str, text: str) -> None:
    """Type into a cell."""
    go(page, where)
    page.keyboard.type(text)
    page.keyboard.press("Enter")


def test_a_range_that_only_warns_is_changed_once_somebody_says_so(office: Office) -> None:
    page = protected(office, range=FIRST, warningOnly=True)
    box = page.get_by_role("dialog", name="Heads up!")
    put(page, "A1", "changed")
    expect(box).to_contain_text(HEADS_UP)
    box.get_by_role("button", name="Cancel").click()
    shows(page, A1="Team")
    put(page, "C1", "free")
    settled(page)
    shows(page, C1="free")
    expect(box).to_have_count(0)
    put(page, "A1", "changed")
    box.get_by_role("button", name="OK").click()
    office.until(lambda: values(office), [["changed", "Q1", "free"]])


def test_every_gesture_over_a_range_that_only_warns_is_asked_about(office: Office) -> None:
    page = protected(office, range=FIRST, warningOnly=True)
    box = page.get_by_role("dialog", name="Heads up!")
    before = office.see("ada", "spreadsheets.get", spreadsheetId=BUDGET, includeGridData=True)["sheets"]
    copied = ("A1", ("Control+c", "ArrowDown", "Control+v"))
    for where, keys in (
        ("B2", ("Delete",)),
        ("A1:B2", ("Control+b",)),
        ("B1:B2", ("Control+d",)),
        ("A2:B2", ("Control+r",)),
        copied,
    ):
        go(page, where)
        for key in keys:
            page.keyboard.press(key)
        expect(box, where).to_be_visible()
        box.get_by_role("button", name="Cancel").click()
        expect(box).to_be_hidden()
    assert office.see("ada", "spreadsheets.get", spreadsheetId=BUDGET, includeGridData=True)["sheets"] == before


def test_the_free_part_of_a_protected_sheet_is_typed_into_and_no_other(office: Office) -> None:
    page = protected(office, range={"sheetId": 0}, unprotectedRanges=[FIRST])
    put(page, "A1", "open")
    office.until(lambda: values(office), [["open", "Q1", "Q2"]])
    go(page, "C1")
    page.keyboard.type("x")
    expect(page.get_by_role("alert")).to_contain_text("You are trying to edit a protected cell or object.")
    assert values(office) == [["open", "Q1", "Q2"]]
