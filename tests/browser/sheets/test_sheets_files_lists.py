"""Lists of files in the browser: the home page, the drive and its folders, search, uploads, what a file's menu does,
the trash.
"""

import base64
import re
from collections.abc import Callable

from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import Office, Site, settled
from tests.browser.sheets import drive_rows
from tests.browser.sheets.drive_rows import BUDGET, CSV, DESKS, GONE, OLD, PLANS, README, TEAM, TRIPS, dialog
from tests.company import START
from world.core.settings import Settings
from world.script.faults import Fault
from world.script.scenario import Script, compile_script

HOME, MINE = "/sheets/", "/sheets/my-drive"


site, office = drive_rows.site, drive_rows.office


def names(page: Page) -> Locator:
    """The files listed, from the top."""
    return page.locator("#list .file-name, #list .card-name > span:last-child")


def named(page: Page, name: str) -> Locator:
    """The file of that name in the list."""
    return names(page).filter(has_text=re.compile(f"^{re.escape(name)}$"))


def row(page: Page, key: str) -> Locator:
    """The row of a file."""
    return page.locator(f'#list .file[data-key="{key}"]')


def menu(page: Page, key: str, item: str) -> None:
    """Choose from a file's menu."""
    row(page, key).get_by_role("link", name="More actions").click()
    page.locator("#overlay").get_by_role("menuitem", name=item, exact=True).click()
    settled(page)


def toast(page: Page) -> Locator:
    """What the page says was done."""
    return page.locator("#toasts .toast")


def file(office: Office, key: str, who: str = "ada") -> dict[str, object]:
    """A file as the drive tells it."""
    return office.see(who, "drive.files.get", fileId=key)


def test_the_home_page_lists_spreadsheets_by_when_they_were_opened(office: Office) -> None:
    page = office.open("ada", HOME)
    expect(page).to_have_title("Sheets")
    expect(names(page)).to_have_text(["Budget", "Desk plan", "Secret", "Trips of the support team", "Lunch menu"])
    expect(page.locator(".file-group")).to_have_text(
        ["Today", "Yesterday", "Previous 7 days", "Previous 30 days", "Earlier"]
    )
    expect(row(page, BUDGET).locator("time")).to_have_text("8:00 AM")
    expect(row(page, BUDGET).get_by_role("img", name="Shared")).to_be_visible()
    page.locator("#owner-menu > summary").click()
    page.get_by_role("link", name="Not owned by me").click()
    page.wait_for_url("**/?owner=others")
    expect(names(page)).to_have_text(["Trips of the support team", "Lunch menu"])
    expect(row(page, TRIPS).locator(".file-owner")).to_have_text("Dee Okafor")
    page.locator("#sort-menu > summary").click()
    page.get_by_role("link", name="Title", exact=True).click()
    page.wait_for_url("**sort=title**")
    expect(names(page)).to_have_text(["Lunch menu", "Trips of the support team"])
    page.get_by_role("link", name="Grid view").click()
    page.wait_for_url("**view=grid**")
    expect(page.locator(".cards > .card")).to_have_count(2)
    page.go_back()
    page.go_back()
    page.wait_for_url("**/?owner=others")
    expect(page.locator("#list .file-name").first).to_have_text("Trips of the support team")
    row(page, TRIPS).locator(".file-time").click()
    page.wait_for_url(f"**/d/{TRIPS}/edit")


def test_the_rail_leads_to_every_place_and_folders_into_folders(office: Office) -> None:
    page = office.open("ada", HOME)
    rail = page.get_by_role("navigation", name="Places")
    places = {
        "My Drive": ["Plans", "Budget", "Desk plan", "floor.png", "Secret"],
        "Shared with me": ["Team files", "Trips of the support team"],
        "Starred": ["Plans", "Budget"],
        "Trash": ["Old budget"],
    }
    for place, listed in places.items():
        rail.get_by_role("link", name=place).click()
        expect(page.get_by_role("heading", level=1)).to_have_text(place)
        expect(names(page), place).to_have_text(listed)
        expect(rail.get_by_role("link", name=place)).to_have_attribute("aria-current", "page")
    rail.get_by_role("link", name="Recent").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Recent")
    expect(names(page)).to_have_count(8)
    expect(named(page, "Plans")).to_have_count(0)
    page.goto(f"{office.base}{MINE}")
    row(page, PLANS).locator(".file-link").click()
    row(page, OLD).locator(".file-link").click()
    page.wait_for_url(f"**/folders/{OLD}")
    expect(page.get_by_text("This folder is empty")).to_be_visible()
    page.get_by_role("link", name="Plans", exact=True).click()
    expect(names(page)).to_have_text(["Archive", "offices.csv"])


def test_a_search_looks_at_names_contents_kinds_and_owners(office: Office) -> None:
    page = office.open("ada", HOME)
    page.keyboard.press("/")
    page.keyboard.type("budget")
    page.keyboard.press("Enter")
    page.wait_for_url("**/search?q=budget")
    expect(names(page)).to_have_text(["Budget", "readme.txt"])
    page.get_by_role("link", name="Spreadsheets").click()
    page.wait_for_url("**type=spreadsheets**")
    expect(names(page)).to_have_text(["Budget"])
    page.goto(f"{office.base}/sheets/search?q=Berlin")
    expect(named(page, "Desk plan")).to_be_visible()
    page.goto(f"{office.base}/sheets/search?q=type:folder owner:me")
    expect(names(page)).to_have_text(["Plans", "Archive"])
    page.goto(f"{office.base}/sheets/search?q=o'clock \\")
    expect(page.get_by_text("No matching results")).to_be_visible()


def test_a_long_list_is_turned_page_by_page(office: Office) -> None:
    for number in range(53):
        office.act(
            "ada", "drive.files.create", name=f"Note {number}", parents=[OLD], mimeType="text/plain", content="eA=="
        )
    page = office.open("ada", f"/sheets/folders/{OLD}")
    expect(names(page)).to_have_text([f"Note {number}" for number in range(50)])
    page.get_by_role("link", name="Next page").click()
    page.wait_for_url("**page=**")
    expect(names(page)).to_have_text(["Note 50", "Note 51", "Note 52"])
    page.get_by_role("link", name="First page").click()
    expect(page.locator("#list .file-name").first).to_have_text("Note 0")
    page.get_by_role("link", name="Name").click()
    page.wait_for_url("**sort=name-desc**")
    expect(names(page).first).to_have_text("Note 52")


def test_new_makes_a_folder_and_a_spreadsheet_in_it(office: Office) -> None:
    page = office.open("ada", MINE)
    page.keyboard.press("n")
    page.get_by_role("menuitem", name="New folder").click()
    dialog(page).get_by_label("Folder name").fill("Offsite")
    dialog(page).get_by_role("button", name="Create").click()
    expect(toast(page)).to_contain_text("Folder “Offsite” created.")
    expect(page.locator("#list .file-name", has_text="Offsite")).to_be_visible()
    toast(page).get_by_role("link", name="Open").click()
    page.wait_for_url("**/folders/*")
    folder = page.url.rpartition("/")[2]
    page.get_by_role("link", name="New", exact=True).click()
    page.get_by_role("menuitem", name="Blank spreadsheet").click()
    page.wait_for_url("**/d/*/edit")
    made = file(office, page.url.split("/")[-2])
    assert (made["name"], made["parents"]) == ("Untitled spreadsheet", [folder])
    page.goto(f"{office.base}{HOME}")
    page.get_by_role("button", name="Blank spreadsheet").click()
    page.wait_for_url("**/d/*/edit")


def test_an_upload_becomes_a_spreadsheet_or_stays_a_file(office: Office) -> None:
    page = office.open("ada", f"{MINE}?dialog=upload")
    page.locator("#upload-files").set_input_files({"name": "cities.csv", "mimeType": "text/csv", "buffer": CSV})
    dialog(page).get_by_role("button", name="Upload").click()
    expect(toast(page)).to_contain_text("“cities” uploaded.")
    made = next(one for one in office.see("ada", "drive.files.list", q="name = 'cities'")["files"])
    told = office.see("ada", "spreadsheets.values.get", spreadsheetId=made["id"], range="A1:B2")
    assert told["values"] == [["City", "Desks"], ["Berlin", "12"]]
    page.goto(f"{office.base}{MINE}?dialog=upload")
    page.locator("#upload-files").set_input_files({"name": "raw.csv", "mimeType": "text/csv", "buffer": CSV})
    dialog(page).get_by_label(re.compile("Open tables")).uncheck()
    dialog(page).get_by_role("button", name="Upload").click()
    toast(page).get_by_role("link", name="Open").click()
    expect(page.get_by_label("Content")).to_contain_text("Berlin,12")
    with page.expect_download() as download:
        page.get_by_role("link", name="Download").click()
    assert download.value.suggested_filename == "raw.csv" and download.value.path().read_bytes() == CSV
    page.get_by_role("button", name="Open with Sheets").click()
    page.wait_for_url("**/d/*/edit")
    assert file(office, page.url.split("/")[-2])["name"] == "raw"


def test_the_menu_of_a_file_renames_stars_and_copies_it(office: Office) -> None:
    page = office.open("ada", MINE)
    row(page, DESKS).click(button="right")
    page.get_by_role("menuitem", name="Rename").click()
    expect(dialog(page).get_by_label("Name")).to_be_focused()
    page.keyboard.type("Desks")
    page.keyboard.press("Enter")
    expect(row(page, DESKS)).to_contain_text("Desks")
    row(page, DESKS).hover()
    row(page, DESKS).get_by_role("button", name="Add to starred").click()
    expect(row(page, DESKS).get_by_role("button", name="Remove from starred")).to_have_attribute("aria-pressed", "true")
    assert file(office, DESKS)["starred"] is True
    menu(page, DESKS, "Make a copy")
    expect(dialog(page).get_by_label("Name")).to_have_value("Copy of Desks")
    dialog(page).get_by_label("Folder").select_option("Plans")
    dialog(page).get_by_role("button", name="Make a copy").click()
    expect(toast(page)).to_contain_text("Copy “Copy of Desks” made.")
    made = next(one for one in office.see("ada", "drive.files.list", q="name = 'Copy of Desks'")["files"])
    assert made["parents"] == [PLANS]


def test_a_key_typed_as_soon_as_the_name_has_the_focus_counts(office: Office) -> None:
    page = office.open("ada", MINE)
    typed = "if (event.target.id === 'rename-name') document.execCommand('insertText', false, 'D');"
    page.evaluate(f"() => addEventListener('focusin', (event) => {{ {typed} }})")
    menu(page, DESKS, "Rename")
    page.keyboard.type("esks")
    expect(dialog(page).get_by_label("Name")).to_have_value("Desks")


def test_a_copy_is_shared_with_the_same_people_when_asked(office: Office) -> None:
    page = office.open("ada", f"{MINE}?dialog=copy&file={BUDGET}")
    dialog(page).get_by_label("Share it with the same people").check()
    dialog(page).get_by_role("button", name="Make a copy").click()
    expect(toast(page)).to_contain_text("made")
    made = next(one for one in office.see("ada", "drive.files.list", q="name = 'Copy of Budget'")["files"])
    assert sorted((one["emailAddress"], one["role"]) for one in made["permissions"]) == [
        ("ada@tiny.example", "owner"),
        ("bo@tiny.example", "writer"),
        ("cyrus@tiny.example", "reader"),
    ]


def test_a_file_is_moved_into_a_folder_and_back(office: Office) -> None:
    page = office.open("ada", MINE)
    menu(page, DESKS, "Move")
    expect(dialog(page).get_by_role("button", name="Move")).to_be_disabled()
    dialog(page).get_by_role("link", name="Plans").click()
    dialog(page).get_by_role("link", name="Archive").click()
    expect(dialog(page).locator(".move-trail b")).to_have_text("Archive")
    dialog(page).get_by_role("button", name="Move").click()
    expect(toast(page)).to_contain_text("Moved to “Archive”.")
    expect(row(page, DESKS)).to_have_count(0)
    assert file(office, DESKS)["parents"] == [OLD]
    toast(page).get_by_role("button", name="Undo").click()
    expect(row(page, DESKS)).to_be_visible()


def test_the_trash_takes_gives_back_and_forgets(office: Office) -> None:
    page = office.open("ada", MINE)
    menu(page, DESKS, "Move to trash")
    expect(row(page, DESKS)).to_have_count(0)
    toast(page).get_by_role("button", name="Undo").click()
    expect(row(page, DESKS)).to_be_visible()
    menu(page, DESKS, "Move to trash")
    expect(row(page, DESKS)).to_have_count(0)
    page.goto(f"{office.base}/sheets/trash")
    menu(page, DESKS, "Restore")
    expect(row(page, DESKS)).to_have_count(0)
    assert file(office, DESKS)["trashed"] is False
    menu(page, GONE, "Delete forever")
    dialog(page).get_by_role("button", name="Delete forever").click()
    expect(page.get_by_text("Nothing in trash")).to_be_visible()
    assert office.rows("SELECT count(*) FROM drive_file WHERE key = ?", GONE) == [(0,)]
    office.act("ada", "drive.files.update", fileId=DESKS, trashed=True)
    page.reload()
    page.get_by_role("link", name="Empty trash").click()
    dialog(page).get_by_role("button", name="Delete forever").click()
    expect(toast(page)).to_contain_text("Trash emptied.")
    assert office.rows("SELECT count(*) FROM drive_file WHERE key = ?", DESKS) == [(0,)]


def test_what_was_shared_can_be_removed_from_ones_own_list(office: Office) -> None:
    page = office.open("ada", "/sheets/shared-with-me")
    menu(page, TRIPS, "Remove")
    expect(toast(page)).to_contain_text("“Trips of the support team” removed.")
    expect(row(page, TRIPS)).to_have_count(0)
    assert [one["emailAddress"] for one in file(office, TRIPS, "dee")["permissions"]] == ["dee@tiny.example"]  # type: ignore[attr-defined]


def test_details_say_who_has_a_file_and_keep_a_description(office: Office) -> None:
    page = office.open("ada", MINE)
    menu(page, BUDGET, "Details")
    had = [
        re.compile(f"{name}.*{role}", re.DOTALL)
        for name, role in (("Ada", "Owner"), ("Bo", "Editor"), ("Cyrus", "Viewer"))
    ]
    expect(dialog(page).locator(".who li")).to_have_text(had)
    expect(dialog(page).locator(".facts")).to_contain_text("My Drive")
    dialog(page).get_by_label("Description").fill("The one that counts")
    dialog(page).get_by_role("button", name="Save").click()
    expect(toast(page)).to_contain_text("Description saved.")
    assert file(office, BUDGET)["description"] == "The one that counts"
    menu_of = page.goto(f"{office.base}{MINE}?dialog=history&file={BUDGET}")
    assert menu_of is not None and menu_of.ok
    expect(dialog(page).locator(".versions li")).to_contain_text("Current version")
    page.keyboard.press("Escape")
    expect(dialog(page)).to_have_count(0)


def test_a_text_and_a_picture_are_looked_at(office: Office) -> None:
    page = office.open("ada", f"/sheets/folders/{TEAM}")
    row(page, README).locator(".file-link").click()
    expect(page).to_have_title("readme.txt - Sheets")
    expect(page.get_by_label("Content")).to_contain_text("<b>Then</b> ask Ada.")
    page.goto(f"{office.base}{MINE}")
    page.locator("#list").get_by_role("link", name="floor.png", exact=True).click()
    expect(page.get_by_role("img", name="floor.png")).to_have_js_property("naturalWidth", 1)


def test_a_list_follows_what_others_do(office: Office) -> None:
    page = office.open("ada", "/sheets/shared-with-me")
    page.wait_for_selector('html[data-live="open"]')
    notes = office.act("bo", "spreadsheets.create", properties={"title": "Fresh from Bo"})["spreadsheetId"]
    office.act(
        "bo", "drive.permissions.create", fileId=notes, type="user", role="reader", emailAddress="ada@tiny.example"
    )
    expect(page.locator("#list .file-name").first).to_have_text("Fresh from Bo")


def test_what_is_not_there_is_a_404_of_the_app(office: Office) -> None:
    page = office.open("ada", HOME)
    answer = page.goto(f"{office.base}/sheets/folders/1Nobody")
    assert answer is not None and answer.status == 404
    expect(page.get_by_role("heading", level=1)).to_have_text("We couldn't find that")
    expect(page.get_by_role("navigation", name="Places")).to_be_visible()
    office.expect_complaint("404")
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keyboard shortcuts")).to_be_visible()


def test_a_drive_that_is_down_says_so_and_takes_no_change(site: Site, office_of: Callable[..., Office]) -> None:
    script = Script("maintenance", START)
    script.fault(Fault("all", "drive", "readonly"), start=START, end="+1h")
    office = office_of(site, Settings(limits="off"), compile_script(script, horizon="+1d"))
    page = office.open("ada", f"{MINE}?dialog=rename&file={BUDGET}", live=False)
    dialog(page).get_by_label("Name").fill("Never")
    dialog(page).get_by_role("button", name="OK").click()
    expect(page.locator("#rename-error")).to_contain_text("read-only")
    expect(dialog(page).get_by_label("Name")).to_have_value("Never")
    office.expect_complaint("503")
    assert file(office, BUDGET)["name"] == "Budget"


def test_a_drive_that_fails_is_a_banner_over_the_rail(site: Site, office_of: Callable[..., Office]) -> None:
    script = Script("outage", START)
    script.fault(Fault("all", "drive", "error", operations=("drive.files.list",)), start=START, end="+1h")
    office = office_of(site, Settings(seed=1), compile_script(script, horizon="+1d"))
    page = office.open("ada", MINE, live=False)
    expect(page.get_by_role("alert")).to_contain_text("Sheets is having trouble connecting")
    expect(page.get_by_role("navigation", name="Places").get_by_role("link", name="Starred")).to_be_visible()
    office.expect_complaint("500")


def test_files_are_kept_in_order_without_scripts(office: Office) -> None:
    page = office.open("ada", MINE, scripts=False)
    row(page, BUDGET).get_by_role("link", name="More actions").click()
    page.get_by_role("menuitem", name="Rename").click()
    page.get_by_label("Name").last.fill("Budget 2026")
    page.get_by_role("button", name="OK").click()
    expect(named(page, "Budget 2026")).to_be_visible()
    expect(page.get_by_role("status", name="Notifications")).to_contain_text("Renamed")
    row(page, DESKS).get_by_role("link", name="More actions").click()
    page.get_by_role("button", name="Move to trash").or_(page.get_by_role("menuitem", name="Move to trash")).click()
    expect(row(page, DESKS)).to_have_count(0)
    page.get_by_role("button", name="Undo").click()
    expect(row(page, DESKS)).to_be_visible()
    page.goto(f"{office.base}{MINE}?dialog=upload")
    page.locator("#upload-files").set_input_files({"name": "cities.csv", "mimeType": "text/csv", "buffer": CSV})
    page.get_by_role("button", name="Upload").click()
    expect(named(page, "cities")).to_be_visible()
    assert base64.urlsafe_b64decode(
        office.see("ada", "drive.files.get", fileId=README, alt="media")["content"]
    ).startswith(b"Read")


def test_what_was_opened_last_comes_first(office: Office) -> None:
    page = office.open("ada", HOME)
    page.locator("#list").get_by_role("link", name="Secret", exact=True).click()
    page.wait_for_url("**/edit")
    page.get_by_role("link", name="Sheets", exact=True).click()
    page.wait_for_url("**/sheets/")
    expect(names(page).nth(0)).to_have_text("Secret")
    expect(names(page).nth(1)).to_have_text("Budget")


def test_the_drive_app_shows_the_places_beside_the_list(office: Office) -> None:
    for path in ("/drive/my-drive", "/drive/shared-with-me", "/drive/recent", "/sheets/my-drive"):
        page = office.open("ada", path)
        rail, listed = page.locator(".rail").bounding_box(), page.locator("#list").bounding_box()
        assert rail and listed
        assert rail["width"] < 300 and listed["x"] >= rail["x"] + rail["width"] and abs(listed["y"] - rail["y"]) < 20
