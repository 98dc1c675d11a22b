"""Version history and activity in the browser: older versions looked at, named, restored; versions of uploads; who did
what; shortcuts, colours.
"""

from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import Office
from tests.browser.sheets import drive_rows
from tests.browser.sheets.drive_rows import BUDGET, PLANS, TABLE, TRIPS, dialog

MINE = "/sheets/my-drive"


site, office = drive_rows.site, drive_rows.office


def put(office: Office, who: str, cell: str, text: str) -> None:
    """Type into a cell of the budget, half an hour after what was before."""
    office.act("ada", "world.wait", seconds=1800)
    office.act(
        who,
        "spreadsheets.values.update",
        spreadsheetId=BUDGET,
        range=cell,
        values=[[text]],
        valueInputOption="USER_ENTERED",
    )


def cell(page: Page, row: int, column: int) -> Locator:
    """A cell of the older version."""
    return page.locator(".old-sheet tbody tr").nth(row).locator("td").nth(column)


def test_an_older_version_is_looked_at_named_and_restored(office: Office) -> None:
    put(office, "bo", "B2", "7")
    put(office, "ada", "B3", "8")
    page = office.open("ada", f"/sheets/d/{BUDGET}/edit")
    page.get_by_role("link", name="Version history").click()
    page.wait_for_url("**/history")
    versions = page.locator(".version")
    expect(versions).to_have_count(3)
    expect(versions.nth(0)).to_contain_text("Current version")
    expect(page.get_by_role("button", name="Restore this version")).to_have_count(0)
    expect(cell(page, 2, 1)).to_have_class("end changed")
    versions.nth(1).get_by_role("link").click()
    page.wait_for_url("**version=2")
    expect(cell(page, 1, 1)).to_have_text("7")
    expect(cell(page, 2, 1)).to_have_text("300")
    expect(page.locator(".old-sheet .changed")).to_have_count(1)
    expect(versions.nth(1)).to_contain_text("Bo Lindqvist")
    page.get_by_label("Name of this version").fill("With Bo's number")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("With Bo's number")
    page.get_by_role("checkbox", name="Highlight changes").click()
    expect(page.locator(".old-sheet.marked")).to_have_count(0)
    page.get_by_role("link", name="Named versions").click()
    expect(versions).to_have_count(1)
    page.get_by_role("button", name="Restore this version").click()
    page.wait_for_url("**/edit")
    assert office.see("ada", "spreadsheets.values.get", spreadsheetId=BUDGET, range="B2:B3")["values"] == [
        ["7"],
        ["300"],
    ]
    assert len(office.see("ada", "web.versions", spreadsheetId=BUDGET)["versions"]) == 4


def test_an_upload_has_versions_that_are_kept_and_deleted(office: Office) -> None:
    page = office.open("ada", f"/sheets/folders/{PLANS}?dialog=history&file={TABLE}")
    expect(dialog(page).locator(".versions li")).to_have_count(1)
    dialog(page).get_by_label("New version").set_input_files(
        {"name": "offices.csv", "mimeType": "text/csv", "buffer": b"City\n"}
    )
    dialog(page).get_by_role("button", name="Upload new version").click()
    expect(dialog(page).locator(".versions li")).to_have_count(2)
    dialog(page).get_by_role("button", name="Keep forever").last.click()
    expect(dialog(page)).to_contain_text("kept forever")
    with page.expect_download() as download:
        dialog(page).get_by_role("link", name="Download version").last.click()
    assert download.value.path().read_bytes().startswith(b"City,Desks")
    dialog(page).get_by_role("button", name="Delete version").first.click()
    expect(dialog(page).locator(".versions li")).to_have_count(1)
    office.until(lambda: office.see("ada", "drive.files.get", fileId=TABLE)["size"], "30")


def test_activity_a_shortcut_and_the_colour_of_a_folder(office: Office) -> None:
    put(office, "bo", "B2", "7")
    office.act(
        "ada",
        "drive.permissions.create",
        fileId=BUDGET,
        type="group",
        role="commenter",
        emailAddress="core@tiny.example",
    )
    page = office.open("ada", f"{MINE}?dialog=details&file={BUDGET}")
    dialog(page).get_by_role("link", name="Activity").click()
    deeds = dialog(page).locator(".deeds li")
    expect(deeds).to_have_count(3)
    expect(deeds.nth(0)).to_contain_text("You shared an item")
    expect(deeds.nth(0)).to_contain_text("Core · commenter")
    expect(deeds.nth(1)).to_contain_text("Bo Lindqvist edited an item")
    page.goto(f"{office.base}{MINE}?dialog=menu&file={TRIPS}")
    dialog(page).get_by_role("menuitem", name="Add shortcut to Drive").click()
    shortcut = page.locator("#list .file", has_text="Trips of the support team")
    expect(shortcut.get_by_title("Shortcut to a spreadsheet")).to_be_visible()
    shortcut.locator(".file-link").click()
    page.wait_for_url(f"**/d/{TRIPS}/edit")
    page.goto(f"{office.base}{MINE}?dialog=menu&file={PLANS}")
    dialog(page).get_by_role("menuitem", name="Color 3", exact=True).click()
    expect(page.locator(f'#list .file[data-key="{PLANS}"] .kind-f2')).to_be_visible()


def group_of(office: Office) -> dict[str, str]:
    """The one group that has the budget."""
    return next(
        one
        for one in office.see("ada", "drive.permissions.list", fileId=BUDGET)["permissions"]
        if one["type"] == "group"
    )


def test_a_group_gets_a_file_that_ends_by_itself(office: Office) -> None:
    page = office.open("ada", f"{MINE}?dialog=share&file={BUDGET}")
    dialog(page).get_by_label("Add people and groups").press_sequentially("core")
    page.locator("#share-people-suggestions [role=option]").first.click()
    dialog(page).get_by_role("button", name="Send").click()
    expect(dialog(page).get_by_label("Role of Core")).to_be_visible()
    expect(page.locator(f"#person-{group_of(office)['id']}")).to_contain_text("Core")
    dialog(page).get_by_label("Role of Core").select_option("Add expiration")
    until = dialog(page).get_by_label("Access expires")
    expect(until).to_have_value("2026-04-01")
    until.fill("2026-05-04")
    office.until(lambda: group_of(office).get("expirationTime", "")[:10], "2026-05-04")
    dialog(page).get_by_role("button", name="Remove expiration of Core").click()
    expect(until).to_have_count(0)


def test_who_may_only_read_has_no_history(office: Office) -> None:
    page = office.open("cyrus", f"/sheets/d/{BUDGET}/edit")
    page.goto(f"{office.base}/sheets/d/{BUDGET}/history")
    expect(page.get_by_role("heading", name="You need access")).to_be_visible()
    office.expect_complaint("403")
