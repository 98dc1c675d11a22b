"""Every control of the drive's and the spreadsheet's pages can be pressed where it is seen."""

import pytest

from tests.browser.conftest import Office, settled
from tests.browser.reach import list_covered
from tests.browser.sheets import drive_rows
from tests.browser.sheets.drive_rows import BUDGET

SHEET = f"/sheets/d/{BUDGET}/edit"
PAGES = (
    SHEET,
    f"{SHEET}?dialog=share",
    f"{SHEET}?pane=comments",
    "/drive/my-drive",
    "/drive/shared-with-me",
    "/sheets/",
)


site, office = drive_rows.site, drive_rows.office


@pytest.mark.full
def test_every_control_can_be_pressed_at_its_middle(office: Office) -> None:
    page = office.open("ada", "/drive/recent")
    found = dict[str, list[str]]()
    for path in PAGES:
        page.goto(office.base + path)
        settled(page)
        found[path] = list_covered(page)
    assert {path: covered for path, covered in found.items() if covered} == {}
