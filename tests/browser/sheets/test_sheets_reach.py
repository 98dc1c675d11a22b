"""Every control of the spreadsheet's pages can be pressed where it is seen."""

from tests.apps.sheets.conftest import BUDGET
from tests.browser.conftest import Office, settled
from tests.browser.reach import list_covered
from tests.browser.sheets import sheet_rows
from tests.browser.sheets.sheet_rows import address

site, office = sheet_rows.site, sheet_rows.office
PAGES = (
    address(BUDGET),
    f"{address(BUDGET)}?dialog=share",
    "/drive/",
    "/drive/shared",
    "/drive/recent",
    "/drive/trash",
)


def test_every_control_can_be_pressed_at_its_middle(office: Office) -> None:
    page = office.open("ada", "/sheets/")
    found = dict[str, list[str]]()
    for path in PAGES:
        page.goto(office.base + path)
        settled(page)
        found[path] = list_covered(page)
    assert {path: covered for path, covered in found.items() if covered} == {}
