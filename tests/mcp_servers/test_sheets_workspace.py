"""The workspace server's tools for spreadsheets and the drive: each called rightly and wrongly; answers are prose."""

from base64 import b64encode
from hashlib import sha256
from typing import Any

import orjson
import pytest

from tests.apps.sheets.conftest import BUDGET, NOTES, SECRET
from tests.mcp_servers.calls import Desk, do
from tests.mcp_servers.test_sheets import firm, sealed, told, values, workspace, wrong
from world.run.host import Host

__all__ = ["firm", "sealed", "workspace"]
ID = {"spreadsheet_id": BUDGET}


def book(host: Host, id: str = BUDGET) -> Any:
    return do(host, "spreadsheets.get", spreadsheetId=id)


def file(host: Host, id: str) -> Any:
    return do(host, "drive.files.get", fileId=id)


def between(text: str, start: str, end: str) -> str:
    return text.split(start, 1)[1].split(end, 1)[0]


def test_spreadsheets_are_made_read_and_written(firm: Host, workspace: Desk) -> None:
    folder = between(workspace.say("create_drive_folder", folder_name="Money"), "(ID: ", ",")
    said = workspace.say("create_spreadsheet", title="Forecast", sheet_names=["Plan", "Actual"], folder_id=folder)
    id = between(said, "ID: ", " |")
    assert file(firm, id)["parents"] == [folder] and [
        one["properties"]["title"] for one in book(firm, id)["sheets"]
    ] == ["Plan", "Actual"]
    said = workspace.say(
        "modify_sheet_values", spreadsheet_id=id, range_name="Plan!A1", values='[["Team", "Cost"], ["Core", "=1/0"]]'
    )
    assert "Updated: 4 cells, 2 rows, 2 columns." in said and "Cells with errors: B2: #DIV/0!" in said
    workspace.say(
        "modify_sheet_values", spreadsheet_id=id, range_name="Plan!B3", values=[["=1+1"]], value_input_option="RAW"
    )
    said = workspace.say("read_sheet_values", spreadsheet_id=id, include_formulas=True)
    assert "Row  2: ['Core', '#DIV/0!']" in said and "- B2: =1/0" in said and "Row  3: ['', '=1+1']" in said
    assert "Successfully cleared" in workspace.say(
        "modify_sheet_values", spreadsheet_id=id, range_name="Plan!A1:B3", clear_values=True
    )
    assert workspace.say("read_sheet_values", spreadsheet_id=id, range_name="Plan!A1:B3").startswith("No data found")
    assert "Successfully listed 3 spreadsheets" in workspace.say("list_spreadsheets")
    said = workspace.say("get_spreadsheet_info", spreadsheet_id=id)
    assert '"Forecast"' in said and "Sheets (2):" in said and "Size: 1000x26" in said


def test_what_cannot_be_written_or_read(workspace: Desk) -> None:
    at = {**ID, "range_name": "Sheet1!F1"}
    wrong(workspace, "create_spreadsheet", "NOT_FOUND", title="x", folder_id="none")
    wrong(workspace, "read_sheet_values", "NOT_FOUND", spreadsheet_id="none")
    wrong(workspace, "read_sheet_values", "Unable to parse range", **ID, range_name="No!A1")
    wrong(workspace, "modify_sheet_values", "values: is required", **at)
    wrong(workspace, "modify_sheet_values", "values: is no JSON", **at, values="x")
    wrong(workspace, "modify_sheet_values", "chips: Smart chips", **at, values=[["x"]], chips=[{}])
    wrong(workspace, "get_spreadsheet_info", "PERMISSION_DENIED", who="bo", spreadsheet_id=SECRET)
    wrong(workspace, "list_spreadsheets", "notFound", drive_id="none")
    wrong(workspace, "list_sheet_tables", "NOT_FOUND", spreadsheet_id="none")


def test_looks_of_a_range(firm: Host, workspace: Desk) -> None:
    workspace.say(
        "format_sheet_range",
        **ID,
        range_name="B2:C3",
        background_color="#FF0000",
        bold=True,
        number_format_type="CURRENCY",
        number_format_pattern="$#,##0.00",
        borders="outer",
        horizontal_alignment="RIGHT",
        font_size=12,
    )
    workspace.say("format_sheet_range", **ID, range_name="F1:G1", merge_cells=True, dropdown_values=["yes", "no"])
    found = do(firm, "spreadsheets.get", spreadsheetId=BUDGET, ranges=["B2", "F1"], includeGridData=True)["sheets"][0]
    cell, choice = (grid["rowData"][0]["values"][0] for grid in found["data"])
    assert cell["formattedValue"] == "$1,200.00" and cell["userEnteredFormat"]["backgroundColor"] == {"red": 1}
    assert (
        cell["userEnteredFormat"]["textFormat"] == {"bold": True, "fontSize": 12}
        and cell["userEnteredFormat"]["borders"]["top"]["style"] == "SOLID"
    )
    assert choice["dataValidation"]["condition"]["type"] == "ONE_OF_LIST" and found["merges"][0]["endColumnIndex"] == 7
    workspace.say("format_sheet_range", **ID, range_name="F1:G1", merge_cells=False, clear_dropdown=True)
    assert "merges" not in book(firm)["sheets"][0]
    wrong(workspace, "format_sheet_range", "Nothing is to be changed", **ID, range_name="A1")
    wrong(
        workspace,
        "format_sheet_range",
        "background_color: must be a colour",
        **ID,
        range_name="A1",
        background_color="red",
    )
    wrong(workspace, "format_sheet_range", "range_name: No sheet", **ID, range_name="No!A1", bold=True)


def test_rules_and_names(firm: Host, workspace: Desk) -> None:
    rule = {
        **ID,
        "range_name": "Sheet1!B2:B3",
        "condition_type": "NUMBER_GREATER",
        "condition_values": [500],
        "background_color": "#00FF00",
    }
    assert "[0] Sheet1!B2:B3 | NUMBER_GREATER ['500']" in workspace.say(
        "manage_conditional_formatting", action="add", **rule
    )
    workspace.say(
        "manage_conditional_formatting",
        action="update",
        **ID,
        rule_index=0,
        condition_type="NUMBER_LESS",
        condition_values=["9"],
    )
    points = [{"type": "MIN", "color": "#FFFFFF"}, {"type": "MAX", "color": "#FF0000"}]
    workspace.say(
        "manage_conditional_formatting", action="add", **ID, range_name="C2:C3", gradient_points=points, rule_index=1
    )
    one, other = book(firm)["sheets"][0]["conditionalFormats"]
    assert one["booleanRule"]["condition"]["type"] == "NUMBER_LESS" and one["booleanRule"]["format"][
        "backgroundColor"
    ] == {"green": 1}
    assert other["gradientRule"]["maxpoint"]["type"] == "MAX"
    workspace.say("manage_conditional_formatting", action="delete", **ID, rule_index=0, sheet_name="Sheet1")
    assert len(book(firm)["sheets"][0]["conditionalFormats"]) == 1
    wrong(workspace, "manage_conditional_formatting", "rule_index: is required", action="delete", **ID)
    wrong(workspace, "manage_conditional_formatting", "No conditional format", action="delete", **ID, rule_index=5)
    wrong(
        workspace,
        "manage_conditional_formatting",
        "condition_type: is required",
        action="add",
        **ID,
        range_name="A1",
    )
    named = between(
        workspace.say("manage_named_range", action="add", **ID, name="costs", range_name="Sheet1!B2:C3"), "(ID: ", ")"
    )
    workspace.say(
        "manage_named_range", action="update", **ID, name="costs", new_name="all_costs", new_range="Sheet1!B2:C5"
    )
    assert "Sheet1!B2:C5" in workspace.say("get_spreadsheet_info", **ID)
    assert "Row  2: ['1200', '1350.5']" in workspace.say("read_sheet_values", **ID, range_name="all_costs")
    workspace.say("manage_named_range", action="delete", **ID, named_range_id=named)
    wrong(workspace, "manage_named_range", "name: No named range", action="delete", **ID, name="costs")
    wrong(workspace, "manage_named_range", "name: must be a text", action="add", **ID)


def test_rows_columns_and_sheets(firm: Host, workspace: Desk) -> None:
    workspace.say(
        "resize_sheet_dimensions",
        **ID,
        column_sizes={"A": 200, "C:D": 50},
        row_sizes={"1": 40},
        frozen_row_count=1,
        hide_rows=["3"],
        auto_resize_columns=["B"],
    )
    grid = do(firm, "spreadsheets.get", spreadsheetId=BUDGET, ranges=["A1:D3"], includeGridData=True)["sheets"][0]
    data = grid["data"][0]
    assert [data["columnMetadata"][at]["pixelSize"] for at in (0, 2, 3)] == [200, 50, 50] and data["rowMetadata"][0][
        "pixelSize"
    ] == 40
    assert data["rowMetadata"][2]["hiddenByUser"] and grid["properties"]["gridProperties"]["frozenRowCount"] == 1
    workspace.say(
        "resize_sheet_dimensions",
        **ID,
        unhide_rows=["3"],
        insert_rows=2,
        insert_rows_at=2,
        insert_columns=1,
        delete_columns=["C"],
    )
    assert values(firm, "A4:C4", valueRenderOption="FORMULA") == [["Core", 1200, "=B4+#REF!"]]
    workspace.say("resize_sheet_dimensions", **ID, delete_row_range="2:3", insert_columns=1, insert_columns_at="A")
    assert values(firm, "B2:C2") == [["Core", "1200"]]
    wrong(workspace, "resize_sheet_dimensions", "Nothing is to be changed", **ID)
    wrong(workspace, "resize_sheet_dimensions", "hide_rows: Rows are numbered from 1", **ID, hide_rows=["A"])
    wrong(workspace, "resize_sheet_dimensions", "column_sizes: must", **ID, column_sizes={"A": "wide"})
    workspace.say("create_sheet", **ID, sheet_name="Plan")
    workspace.say("create_sheet", **ID, sheet_name="Copy", source_sheet_name="Sheet1", insert_sheet_index=0)
    assert values(firm, "Copy!B2") == [["Core"]]
    for action, more in (
        ("rename", {"new_name": "Plans"}),
        ("hide", {}),
        ("show", {}),
        ("set_color", {"tab_color": "#0000FF"}),
        ("set_gridlines", {"show_gridlines": False}),
        ("reorder", {"new_index": 0}),
        ("duplicate", {"new_name": "Plans 2"}),
    ):
        workspace.say(
            "manage_sheet_tab", **ID, sheet_name="Plan" if action == "rename" else "Plans", action=action, **more
        )
    workspace.say("manage_sheet_tab", **ID, sheet_name="Plans 2", action="delete")
    plans = book(firm)["sheets"][0]["properties"]
    assert plans["title"] == "Plans" and plans["tabColor"] == {"blue": 1} and plans["gridProperties"]["hideGridlines"]
    workspace.say("move_sheet_rows", **ID, source_sheet="Sheet1", start_row=2, end_row=3, destination_sheet="Plans")
    assert values(firm, "Plans!B1:B2") == [["Core"], ["Support"]] and values(firm, "Sheet1!B3") == [["All"]]
    wrong(workspace, "create_sheet", "already exists", **ID, sheet_name="Copy")
    wrong(workspace, "manage_sheet_tab", "sheet_name: No sheet", **ID, sheet_name="No", action="hide")
    wrong(workspace, "manage_sheet_tab", "action: must be one of", **ID, sheet_name="Copy", action="burn")
    wrong(
        workspace,
        "move_sheet_rows",
        "end_row",
        **ID,
        source_sheet="Sheet1",
        start_row=5,
        end_row=3,
        destination_sheet="Plans",
    )


def test_rows_go_into_a_table_and_what_is_below_moves_down(firm: Host, workspace: Desk) -> None:
    assert workspace.say("list_sheet_tables", **ID).startswith("No tables found")
    area = {"sheetId": 0, "startRowIndex": 0, "endRowIndex": 3, "startColumnIndex": 0, "endColumnIndex": 4}
    do(
        firm,
        "spreadsheets.batchUpdate",
        spreadsheetId=BUDGET,
        requests=[{"addTable": {"table": {"name": "Teams", "range": area}}}],
    )
    id = between(workspace.say("list_sheet_tables", **ID), "(ID: ", ")")
    workspace.say("append_table_rows", **ID, table_id=id, values=[["Sales", 7, 8, "=B4+C4"], ["Legal", 1]])
    assert values(firm, "A4:D4") == [["Sales", "7", "8", "15"]] and values(firm, "A7") == [["All"]]
    assert told(book(firm), "Sheet1")["tables"][0]["range"]["endRowIndex"] == 5
    wrong(workspace, "append_table_rows", "table_id: No table", **ID, table_id="none", values=[["x"]])
    wrong(workspace, "append_table_rows", "values: A row has more", **ID, table_id=id, values=[[1, 2, 3, 4, 5]])


def test_comments(firm: Host, workspace: Desk) -> None:
    assert workspace.say("list_spreadsheet_comments", **ID).startswith("No comments")
    said = workspace.say(
        "manage_spreadsheet_comment", **ID, action="create", comment_content="Is it final?", cell="Sheet1!B2"
    )
    id = between(said, "Comment ID: ", "\n")
    assert orjson.loads(do(firm, "drive.comments.get", fileId=BUDGET, commentId=id)["anchor"]) == {
        "sheetId": 0,
        "rowIndex": 1,
        "columnIndex": 1,
    }
    workspace.say("manage_spreadsheet_comment", "bo", **ID, action="reply", comment_id=id, comment_content="Yes.")
    workspace.say("manage_spreadsheet_comment", **ID, action="resolve", comment_id=id)
    said = workspace.say("list_spreadsheet_comments", **ID)
    assert "Is it final? [RESOLVED]" in said and "Bo Lindqvist" in said and "Yes." in said
    wrong(workspace, "manage_spreadsheet_comment", "comment_content: must be a text", **ID, action="create")
    wrong(
        workspace,
        "manage_spreadsheet_comment",
        "notFound",
        **ID,
        action="reply",
        comment_id="none",
        comment_content="x",
    )
    wrong(workspace, "list_spreadsheet_comments", "notFound", spreadsheet_id="none")
    workspace.say("manage_spreadsheet_comment", **ID, action="delete", comment_id=id)
    assert workspace.say("list_spreadsheet_comments", **ID).startswith("No comments")


def test_files_are_made_found_changed_and_copied(firm: Host, workspace: Desk) -> None:
    folder = between(workspace.say("create_drive_folder", folder_name="Reports"), "(ID: ", ",")
    note = between(
        workspace.say("create_drive_file", file_name="note.txt", content="one\n", folder_id=folder), "(ID: ", ","
    )
    data = b64encode(b"a,b\n1,2\n").decode()
    sheet = between(
        workspace.say(
            "import_to_google_sheets",
            file_name="figures.csv",
            base64_content=data,
            folder_id=folder,
            base64_sha256=sha256(b"a,b\n1,2\n").hexdigest(),
        ),
        "(ID: ",
        ",",
    )
    assert values(firm, "A2:B2", sheet) == [["1", "2"]] and file(firm, sheet)["name"] == "figures"
    said = workspace.say("list_drive_items", folder_id=folder)
    assert said.startswith("Found 2 items") and "note.txt" in said
    assert "figures" not in workspace.say("list_drive_items", folder_id=folder, query="note", detailed=False)
    assert "Reports" in workspace.say("list_drive_items", resource_type="folders")
    assert note in workspace.say("search_drive_files", query="note")
    assert sheet in workspace.say(
        "search_drive_files",
        query="name contains 'figures' and mimeType contains 'spreadsheet'",
        file_type="spreadsheet",
    )
    workspace.say(
        "update_drive_file",
        file_id=note,
        name="notes.txt",
        content="two\n",
        mode="append",
        starred=True,
        properties={"team": "core"},
    )
    assert "one\ntwo\n" in workspace.say("get_drive_file_content", file_id=note) and file(firm, note)["properties"] == {
        "team": "core"
    }
    assert "a,b" in workspace.say("get_drive_file_content", file_id=sheet)
    assert "export?" in workspace.say("get_drive_file_download_url", file_id=sheet, export_format="csv")
    assert "export=download" in workspace.say("get_drive_file_download_url", file_id=note)
    copy = between(
        workspace.say("copy_drive_file", file_id=note, new_name="copy.txt", parent_folder_id="root"),
        "New file ID: ",
        "\n",
    )
    assert file(firm, copy)["parents"] != [folder]
    workspace.say("update_drive_file", file_id=copy, add_parents=folder, remove_parents="root", trashed=True)
    assert "No files found" in workspace.say("search_drive_files", query="copy.txt")
    assert copy in workspace.say("search_drive_files", query="copy.txt", include_trashed=True)


def test_files_that_cannot_be(workspace: Desk) -> None:
    wrong(
        workspace,
        "create_drive_file",
        "fileUrl: Cannot be read from here",
        file_name="x",
        fileUrl="https://files.example/x",
    )
    wrong(workspace, "create_drive_file", "base64_content: is no base64", file_name="x", base64_content="?")
    wrong(workspace, "create_drive_file", "base64_sha256", file_name="x", base64_content="eA==", base64_sha256="0")
    wrong(workspace, "create_drive_folder", "notFound", folder_name="x", parent_folder_id="none")
    wrong(workspace, "import_to_google_sheets", "content: is required", file_name="x")
    for kind in ("doc", "slides"):
        wrong(workspace, f"import_to_google_{kind}", '"code":400', file_name="x", base64_content="eA==")
    wrong(workspace, "list_drive_items", "notFound", folder_id="none")
    wrong(workspace, "search_drive_files", "invalid", query="name = ")
    for tool in (
        "get_drive_file_content",
        "get_drive_file_download_url",
        "get_drive_file_permissions",
        "get_drive_shareable_link",
        "copy_drive_file",
        "update_drive_file",
        "set_drive_file_permissions",
    ):
        wrong(workspace, tool, "notFound", file_id="none")
    wrong(workspace, "update_drive_file", "mode: must be one of", file_id=BUDGET, content="x", mode="shred")
    wrong(workspace, "check_drive_file_public_access", "file_name: is required")


def test_access(firm: Host, workspace: Desk) -> None:
    at = {"file_id": BUDGET}
    assert "NOT PUBLIC" in workspace.say("check_drive_file_public_access", file_name="Budget")
    said = workspace.say(
        "manage_drive_access",
        **at,
        action="grant",
        share_with="dee@tiny.example",
        role="commenter",
        send_notification=False,
    )
    id = between(said, "[id: ", "]")
    workspace.say("manage_drive_access", **at, action="update", permission_id=id, role="writer")
    said = workspace.say("get_drive_file_permissions", **at)
    assert "User: dee@tiny.example (writer)" in said and "Link access: Only people" in said
    workspace.say("manage_drive_access", **at, action="revoke", permission_id=id)
    said = workspace.say(
        "manage_drive_access",
        **at,
        action="grant_batch",
        recipients=[{"email": "eve@tiny.example", "role": "reader"}, {"email": "nobody@tiny.example"}],
    )
    assert "with 1 of 2 recipients" in said and "nobody@tiny.example: failed" in said
    said = workspace.say("set_drive_file_permissions", **at, link_sharing="reader", writers_can_share=False)
    assert "Anyone with the link (reader)" in said and "Writers may share: no" in said
    assert "PUBLIC: anyone" in workspace.say("check_drive_file_public_access", file_name="Budget")
    assert "Access: Anyone with the link (reader)" in workspace.say("get_drive_shareable_link", **at)
    assert "Link access: Only people" in workspace.say("set_drive_file_permissions", **at, link_sharing="off")
    workspace.say("manage_drive_access", **at, action="transfer_owner", new_owner_email="bo@tiny.example")
    assert file(firm, BUDGET)["owners"][0]["emailAddress"] == "bo@tiny.example"
    wrong(workspace, "manage_drive_access", "share_with: must be a text", **at, action="grant")
    wrong(workspace, "manage_drive_access", "recipients: must", **at, action="grant_batch")
    wrong(workspace, "manage_drive_access", "permission_id: must", **at, action="revoke")
    wrong(workspace, "manage_drive_access", "notFound", action="grant", file_id="none", share_with="bo@tiny.example")
    wrong(workspace, "set_drive_file_permissions", "link_sharing", **at, link_sharing="all")


@pytest.mark.parametrize("tool", ["read_sheet_values", "get_spreadsheet_info"])
def test_spreadsheets_of_others_stay_theirs(workspace: Desk, tool: str) -> None:
    wrong(workspace, tool, "PERMISSION_DENIED", spreadsheet_id=NOTES)
