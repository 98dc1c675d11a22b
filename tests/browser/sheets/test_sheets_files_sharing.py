"""Sharing, comments, imports and downloads in the browser: dialogs and the pane over the page of a spreadsheet, asking
for access.
"""

import re
from io import BytesIO
from zipfile import ZipFile

from playwright.sync_api import Locator, Page, Route, expect

from tests.browser.conftest import Office, settled
from tests.browser.sheets import drive_rows
from tests.browser.sheets.drive_rows import BUDGET, NOTES, OPEN, SECRET, TRIPS, dialog

SHEET = f"/sheets/d/{BUDGET}/edit"
PANE = f"{SHEET}?pane=comments"


site, office = drive_rows.site, drive_rows.office


def roles(office: Office, key: str) -> dict[str, str]:
    """Who has a file of Ada's, in which role."""
    listed = office.see("ada", "drive.permissions.list", fileId=key)["permissions"]
    return {one.get("emailAddress") or one["type"]: one["role"] for one in listed}


def thread(page: Page, text: str) -> Locator:
    """A comment of the pane."""
    return page.locator("article.comment", has_text=text)


def test_people_are_completed_and_get_a_file_with_a_message(office: Office) -> None:
    page = office.open("ada", SHEET)
    page.get_by_role("link", name="Share").click()
    page.wait_for_url("**dialog=share**")
    who = dialog(page).get_by_label("Add people and groups")
    expect(who).to_be_focused()
    who.press_sequentially("de")
    expect(page.locator("#share-people-suggestions [role=option]")).to_have_count(1)
    page.keyboard.press("Enter")
    expect(dialog(page).locator(".chip")).to_contain_text("Dee Okafor")
    who.fill("eve@tiny.example, zoe@acme.example")
    dialog(page).get_by_label("Role of the people added").select_option("Commenter")
    dialog(page).get_by_text("Add a message").click()
    dialog(page).get_by_label("Message").fill("Please look")
    dialog(page).get_by_role("button", name="Send").click()
    expect(page.locator("#toasts .toast")).to_contain_text("3 people added.")
    expect(dialog(page).locator(".who li")).to_have_count(6)
    assert roles(office, BUDGET) == {
        "ada@tiny.example": "owner",
        "bo@tiny.example": "writer",
        "cyrus@tiny.example": "reader",
        "dee@tiny.example": "commenter",
        "eve@tiny.example": "commenter",
        "zoe@acme.example": "commenter",
    }


def test_a_form_waits_for_everybody_who_is_still_looked_up(office: Office) -> None:
    page = office.open("ada", f"{SHEET}?dialog=share")
    held: list[Route] = []
    page.route("**/people?q=zoe*", lambda route: held.append(route))
    who = dialog(page).get_by_label("Add people and groups")
    with page.expect_request("**/people?q=zoe*"):
        who.fill("eve@tiny.example, zoe@acme.example")
        who.blur()
    expect(dialog(page).locator(".chip")).to_have_text("Eve Martin×")
    dialog(page).get_by_role("button", name="Send").click()
    held[0].continue_()
    expect(page.locator("#toasts .toast")).to_contain_text("2 people added.")


def test_roles_are_changed_taken_back_and_handed_over(office: Office) -> None:
    page = office.open("ada", f"{SHEET}?dialog=share")
    dialog(page).get_by_label("Role of Cyrus Patel").select_option("Commenter")
    expect(page.locator("#toasts .toast")).to_contain_text("Access updated.")
    settled(page)
    dialog(page).get_by_label("Role of Cyrus Patel").select_option("Remove access")
    expect(dialog(page).locator(".who li")).to_have_count(2)
    assert roles(office, BUDGET) == {"ada@tiny.example": "owner", "bo@tiny.example": "writer"}
    dialog(page).get_by_label("Role of Bo Lindqvist").select_option("Transfer ownership")
    expect(dialog(page).locator(".who li").first).to_contain_text("Bo Lindqvist")
    assert roles(office, BUDGET) == {"bo@tiny.example": "owner", "ada@tiny.example": "writer"}


def test_the_link_is_opened_to_the_company_and_to_everybody(office: Office) -> None:
    page = office.open("ada", f"/sheets/?dialog=share&file={SECRET}")
    general = dialog(page).get_by_label("General access", exact=True)
    expect(general).to_have_value("restricted")
    general.select_option("Tiny")
    expect(dialog(page).get_by_text("Anyone at Tiny with the link can view")).to_be_visible()
    dialog(page).get_by_label("Role of general access").select_option("Editor")
    expect(dialog(page).get_by_text("Anyone at Tiny with the link can edit")).to_be_visible()
    assert roles(office, SECRET) == {"ada@tiny.example": "owner", "domain": "writer"}
    general.select_option("Anyone with the link")
    expect(dialog(page).get_by_text("Anyone on the internet with the link can")).to_be_visible()
    assert set(roles(office, SECRET)) == {"ada@tiny.example", "anyone"}
    general.select_option("Restricted")
    expect(dialog(page).get_by_text("Only people with access")).to_be_visible()
    assert roles(office, SECRET) == {"ada@tiny.example": "owner"}
    dialog(page).get_by_role("button", name="Copy link").click()
    expect(page.locator("#toasts .toast")).to_contain_text("Link copied")
    dialog(page).get_by_role("link", name="Done").click()
    expect(dialog(page)).to_have_count(0)


def test_an_address_that_nobody_has_stays_in_its_field(office: Office) -> None:
    page = office.open("ada", f"/sheets/?dialog=share&file={SECRET}")
    dialog(page).get_by_label("Add people and groups").fill("nobody@tiny.example")
    dialog(page).get_by_role("button", name="Send").click()
    expect(page.locator("#share-error")).to_contain_text("nobody@tiny.example was not found")
    office.expect_complaint("422")
    assert roles(office, SECRET) == {"ada@tiny.example": "owner"}


def test_who_may_only_read_sees_who_owns_a_file_and_cannot_share_it(office: Office) -> None:
    page = office.open("ada", f"/sheets/?dialog=share&file={OPEN}")
    expect(dialog(page)).to_contain_text("You can see this file but not share it")
    expect(dialog(page).locator(".who li")).to_have_text(re.compile("Eve Martin.*Owner", re.DOTALL))
    expect(dialog(page).locator("select")).to_have_count(0)
    page.goto(f"{office.base}/sheets/?dialog=menu&file={OPEN}")
    expect(dialog(page).get_by_role("menuitem").first).to_be_visible()
    expect(dialog(page).get_by_role("menuitem", name=re.compile("Rename|Move"))).to_have_count(0)


def test_access_is_asked_for_and_given(office: Office) -> None:
    page = office.open("ada", f"/sheets/d/{NOTES}/edit")
    expect(page.get_by_role("heading", level=1)).to_have_text("You need access")
    office.expect_complaint("403")
    page.get_by_label("Role").select_option("Commenter")
    page.get_by_label("Message (optional)").fill("For the report")
    page.get_by_role("button", name="Request access").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Request sent")
    office.act(
        "bo", "drive.permissions.create", fileId=NOTES, type="user", role="commenter", emailAddress="ada@tiny.example"
    )
    page.goto(f"{office.base}/sheets/d/{NOTES}/edit")
    expect(page).to_have_title("Notes - Sheets")


def test_a_comment_is_made_on_the_selected_cell_answered_resolved_and_opened_again(office: Office) -> None:
    page = office.open("ada", SHEET)
    page.get_by_label("Name box").fill("B2")
    page.keyboard.press("Enter")
    page.get_by_role("link", name="Comments", exact=True).click()
    text = page.get_by_label("Comment", exact=True)
    expect(text).to_be_focused()
    expect(page.get_by_label("Cell", exact=True)).to_have_value("B2")
    page.keyboard.type("Is this right, @bo")
    page.get_by_role("option", name="Bo Lindqvist").click()
    page.get_by_role("button", name="Comment", exact=True).click()
    expect(thread(page, "Is this right").locator(".mention")).to_have_text("@Bo Lindqvist")
    expect(thread(page, "Is this right").get_by_role("link", name="B2")).to_be_visible()
    told = office.see("bo", "drive.comments.list", fileId=BUDGET)["comments"][0]
    assert told["anchor"] == '{"sheetId":0,"rowIndex":1,"columnIndex":1}'
    office.act("bo", "drive.replies.create", fileId=BUDGET, commentId=told["id"], content="It is.")
    expect(thread(page, "It is.")).to_be_visible()
    thread(page, "It is.").get_by_label("Reply to Ada Novak").fill("Thanks")
    thread(page, "It is.").get_by_role("button", name="Reply").click()
    expect(thread(page, "Thanks")).to_be_visible()
    thread(page, "Thanks").get_by_role("button", name="Mark as resolved").click()
    expect(page.locator("article.comment")).to_have_count(0)
    page.get_by_role("navigation", name="Filter comments").get_by_role("link", name="Resolved").click()
    thread(page, "Thanks").get_by_role("button", name="Re-open").click()
    expect(page.locator("article.comment")).to_have_count(0)
    page.get_by_role("navigation", name="Filter comments").get_by_role("link", name="Open").click()
    expect(thread(page, "Re-opened")).to_be_visible()
    page.get_by_role("link", name="Close comments").click()
    expect(page.locator("#comments")).to_be_hidden()


def test_a_comment_is_given_to_somebody_and_deleted(office: Office) -> None:
    page = office.open("ada", PANE)
    page.get_by_label("Comment", exact=True).fill("Fill in Q3")
    page.locator("#new-comment").get_by_text("Assign", exact=True).click()
    page.locator("#new-comment").get_by_label("Assign to").press_sequentially("bo")
    page.get_by_role("option", name="Bo Lindqvist").click()
    page.get_by_role("button", name="Comment", exact=True).click()
    expect(thread(page, "Fill in Q3")).to_contain_text("Assigned to Bo Lindqvist")
    bo = office.open("bo", f"{PANE}&show=mine")
    expect(thread(bo, "Fill in Q3")).to_contain_text("Assigned to you")
    thread(page, "Fill in Q3").get_by_role("button", name="Delete comment").click()
    expect(thread(page, "Fill in Q3")).to_have_count(0)


def test_who_may_only_read_sees_comments_but_no_form(office: Office) -> None:
    office.act("ada", "drive.comments.create", fileId=BUDGET, content="Seen by all")
    page = office.open("cyrus", PANE)
    expect(thread(page, "Seen by all")).to_be_visible()
    expect(page.locator("#comments textarea")).to_have_count(0)
    page.goto(f"{office.base}/sheets/?dialog=menu&file={TRIPS}")
    expect(dialog(page)).to_have_count(0)


def test_a_table_is_imported_as_a_new_sheet_and_over_one(office: Office) -> None:
    page = office.open("ada", f"{SHEET}?dialog=import")
    page.locator("#import-file").set_input_files(
        {"name": "towns.csv", "mimeType": "text/csv", "buffer": b"Town;Size\nUlm;120000\n"}
    )
    dialog(page).get_by_role("button", name="Import data").click()
    page.wait_for_url(re.compile(r"/edit\?gid=\d{2,}"))
    assert office.see("ada", "spreadsheets.values.get", spreadsheetId=BUDGET, range="towns!A2:B2")["values"] == [
        ["Ulm", "120000"]
    ]
    page.goto(f"{office.base}{SHEET}?dialog=import&gid=0")
    page.locator("#import-file").set_input_files({"name": "more.csv", "mimeType": "text/csv", "buffer": b"Late,1,2\n"})
    dialog(page).get_by_label("Import location").select_option("Append to current sheet")
    dialog(page).get_by_role("button", name="Import data").click()
    expect(dialog(page)).to_have_count(0)
    assert office.see("ada", "spreadsheets.values.get", spreadsheetId=BUDGET, range="Sheet1!A6:C6")["values"] == [
        ["Late", "1", "2"]
    ]
    page.goto(f"{office.base}{SHEET}?dialog=import&gid=0")
    page.locator("#import-file").set_input_files({"name": "photo.xlsx", "mimeType": "image/png", "buffer": b"no table"})
    dialog(page).get_by_role("button", name="Import data").click()
    expect(page.locator("#import-error")).not_to_be_empty()
    office.expect_complaint("422")


def test_a_spreadsheet_is_downloaded_as_excel_and_a_sheet_as_csv(office: Office) -> None:
    page = office.open("ada", f"{SHEET}?dialog=download")
    with page.expect_download() as found:
        dialog(page).get_by_role("link", name="Microsoft Excel").click()
    assert found.value.suggested_filename == "Budget.xlsx"
    assert "xl/workbook.xml" in ZipFile(BytesIO(found.value.path().read_bytes())).namelist()
    with page.expect_download() as found:
        dialog(page).get_by_role("link", name="Comma-separated values").click()
    assert found.value.suggested_filename == "Budget - Sheet1.csv"
    assert found.value.path().read_bytes().splitlines()[1] == b"Core,1200,1350.5,2550.5"


def test_back_closes_a_dialog_over_a_spreadsheet(office: Office) -> None:
    page = office.open("ada", SHEET)
    page.locator("#open-share").click()
    expect(dialog(page)).to_contain_text("People with access")
    page.go_back()
    expect(dialog(page)).to_have_count(0)
    expect(page.get_by_role("gridcell", name="A1 Team")).to_be_visible()


def test_sharing_and_comments_work_without_scripts(office: Office) -> None:
    page = office.open("ada", f"{PANE}&cell=C3", scripts=False)
    page.get_by_label("Comment", exact=True).fill("By hand")
    page.get_by_role("button", name="Comment", exact=True).click()
    expect(thread(page, "By hand")).to_contain_text("C3")
    thread(page, "By hand").get_by_role("button", name="Mark as resolved").click()
    expect(thread(page, "By hand")).to_have_count(0)
    page.get_by_role("link", name="Share").click()
    page.get_by_label("Add people and groups").fill("dee@tiny.example eve@tiny.example")
    page.get_by_role("button", name="Send").click()
    expect(dialog(page).locator(".who li")).to_have_count(5)
    page.get_by_label("Role of Cyrus Patel").select_option("Remove access")
    page.locator("li", has_text="Cyrus Patel").get_by_role("button", name="Save").click()
    expect(dialog(page).locator(".who li")).to_have_count(4)
    writers = dict.fromkeys(("bo@tiny.example", "dee@tiny.example", "eve@tiny.example"), "writer")
    assert roles(office, BUDGET) == {"ada@tiny.example": "owner", **writers}
