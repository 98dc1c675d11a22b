"""Every tool of the spreadsheet surfaces over HTTP through the official client: once rightly, once so that it must be
refused.
"""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

import apps.drive
import apps.sheets
from mcp_servers.catalogue import catalogue
from tests.apps.sheets.conftest import BUDGET, SECRET, sheet_rows
from tests.company import host, saying
from tests.mcp_servers.loopback import listening
from tests.mcp_servers.memo import token
from world.core.journal import changes

pytestmark = pytest.mark.anyio
Line = tuple[
    str, dict[str, Any], str, dict[str, Any], str
]  # tool, arguments, what is answered, other arguments, what is refused with
ID, AT, FILE = {"spreadsheet_id": BUDGET}, {"spreadsheet_id": BUDGET, "sheet": "Sheet1"}, {"file_id": BUDGET}
BOOK, NONE = {"spreadsheetId": BUDGET}, {"spreadsheet_id": "none"}
AREA = {"sheetId": 0, "startRowIndex": 0, "endRowIndex": 3, "startColumnIndex": 0, "endColumnIndex": 4}
TABLE = {"addTable": {"table": {"name": "Teams", "tableId": "teams", "range": AREA}}}
CSV = {"file_name": "figures.csv", "content": "a,b\n1,2\n"}
COMMUNITY: list[Line] = [
    ("list_sheets", ID, '["Sheet1"]', NONE, "NOT_FOUND"),
    ("get_sheet_data", {**AT, "range": "A2:B2"}, "1200", {**AT, "sheet": "No"}, "Unable to parse range: No"),
    ("get_sheet_formulas", AT, "=B2+C2", {**AT, "spreadsheet_id": SECRET}, "PERMISSION_DENIED"),
    (
        "update_cells",
        {**AT, "range": "F1", "data": [["=1+1"]]},
        '"updatedCells":1',
        {**AT, "range": "F1", "data": "x"},
        "data",
    ),
    (
        "batch_update_cells",
        {**AT, "ranges": {"F2": [["x"]], "F3": [[1]]}},
        '"totalUpdatedCells":2',
        {**AT, "ranges": {"F2": ["x"]}},
        "list of rows",
    ),
    ("add_rows", {**AT, "count": 2, "start_row": 10}, "replies", {**AT, "count": 0}, "count: "),
    ("add_columns", {**AT, "count": 1}, "replies", {**AT, "sheet": "No", "count": 1}, "sheet: No sheet of this title"),
    ("create_sheet", {**ID, "title": "Plan"}, '"title":"Plan"', {**ID, "title": "sheet1"}, "already exists"),
    (
        "copy_sheet",
        {"src_spreadsheet": BUDGET, "src_sheet": "Sheet1", "dst_spreadsheet": BUDGET, "dst_sheet": "Twin"},
        '"title":"Twin"',
        {"src_spreadsheet": BUDGET, "src_sheet": "No", "dst_spreadsheet": BUDGET, "dst_sheet": "Twin"},
        "src_sheet: No sheet",
    ),
    (
        "rename_sheet",
        {"spreadsheet": BUDGET, "sheet": "Plan", "new_name": "Plans"},
        "replies",
        {"spreadsheet": BUDGET, "sheet": "Plan", "new_name": "Plans"},
        "sheet: No sheet",
    ),
    (
        "get_multiple_sheet_data",
        {"queries": [{**AT, "range": "B2"}]},
        "Core",
        {"queries": [{"sheet": 1}]},
        "queries: must be",
    ),
    (
        "get_multiple_spreadsheet_summary",
        {"spreadsheet_ids": [BUDGET]},
        '"title":"Budget"',
        {"spreadsheet_ids": []},
        "spreadsheet_ids",
    ),
    (
        "create_spreadsheet",
        {"title": "Made"},
        '"title":"Made"',
        {"title": "x", "folder_id": "none"},
        "File not found: none.",
    ),
    ("list_spreadsheets", {}, "Budget", {"folder_id": "none"}, "notFound"),
    ("list_folders", {}, "[]", {"parent_folder_id": "none"}, "notFound"),
    ("search_spreadsheets", {"query": "support"}, "Budget", {}, "query: is required"),
    (
        "find_in_spreadsheet",
        {**ID, "query": "supp"},
        '"cell":"B3"',
        {**ID, "query": "x", "max_results": 0},
        "max_results",
    ),
    (
        "batch_update",
        {**ID, "requests": [TABLE]},
        '"tableId":"teams"',
        {**ID, "requests": [{"deleteSheet": {"sheetId": 77}}]},
        "Invalid requests[0]",
    ),
    (
        "add_chart",
        {**AT, "chart_type": "LINE", "data_range": "A1:C3"},
        "chartId",
        {**AT, "chart_type": "CIRCLE", "data_range": "A1:C3"},
        "chart_type: must be one of",
    ),
    (
        "share_spreadsheet",
        {**ID, "recipients": [{"email_address": "bo@tiny.example", "role": "writer"}]},
        "bo@tiny.example",
        {**ID, "recipients": [{"email_address": "bo@tiny.example", "role": "owner"}]},
        "recipients: role should be",
    ),
]
VENDOR: list[Line] = [
    ("get_values", {**BOOK, "range": "B2"}, '"1200"', {"spreadsheetId": SECRET, "range": "A1"}, "PERMISSION_DENIED"),
    (
        "get_spreadsheet",
        {**BOOK, "fields": "properties.title"},
        '"title":"Budget"',
        {**BOOK, "fields": "nothing"},
        "fields: must be",
    ),
    (
        "update_spreadsheet",
        {**BOOK, "requests": [TABLE]},
        '"tableId":"teams"',
        {**BOOK, "requests": []},
        "INVALID_ARGUMENT",
    ),
    (
        "update_values",
        {**BOOK, "range": "F1", "values": [["x"]]},
        '"updatedCells":1',
        {**BOOK, "range": "No!A1", "values": [["x"]]},
        "Unable to parse",
    ),
    (
        "update_formulas",
        {**BOOK, "range": "F2", "formulas": [["=1+1"]]},
        '"updatedCells":1',
        {**BOOK, "range": "F2", "formulas": [["1"]]},
        "begins with =",
    ),
    (
        "insert_dimension",
        {**BOOK, "sheetId": 0, "dimension": "ROWS", "startIndex": 9, "endIndex": 10},
        "replies",
        {**BOOK, "sheetId": 0, "dimension": "ROWS", "startIndex": 5, "endIndex": 2},
        "INVALID_ARGUMENT",
    ),
]
WORKSPACE: list[Line] = [
    (
        "create_spreadsheet",
        {"title": "Made", "sheet_names": ["Plan"]},
        "Made",
        {"title": "x", "folder_id": "none"},
        "NOT_FOUND",
    ),
    (
        "read_sheet_values",
        {**ID, "range_name": "A2:B2"},
        "['Core', '1200']",
        {**ID, "range_name": "No!A1"},
        "Unable to parse range",
    ),
    (
        "modify_sheet_values",
        {**ID, "range_name": "F1", "values": [["=1+1"]]},
        "Updated: 1 cells",
        {**ID, "range_name": "F1"},
        "values: is required",
    ),
    ("get_spreadsheet_info", ID, '"Budget"', {"spreadsheet_id": SECRET}, "PERMISSION_DENIED"),
    ("list_spreadsheets", {}, "Budget", {"drive_id": "none"}, "notFound"),
    ("create_sheet", {**ID, "sheet_name": "Plan"}, "Plan", {**ID, "sheet_name": "Plan"}, "already exists"),
    (
        "format_sheet_range",
        {**ID, "range_name": "A1:D1", "bold": True},
        "A1:D1",
        {**ID, "range_name": "A1"},
        "Nothing is to be changed",
    ),
    (
        "manage_conditional_formatting",
        {
            **ID,
            "action": "add",
            "range_name": "B2:B3",
            "condition_type": "NUMBER_GREATER",
            "condition_values": [500],
            "background_color": "#00FF00",
        },
        "NUMBER_GREATER",
        {**ID, "action": "delete", "rule_index": 5},
        "No conditional format",
    ),
    ("resize_sheet_dimensions", {**ID, "column_sizes": {"A": 200}}, "Budget", ID, "Nothing is to be changed"),
    (
        "manage_named_range",
        {**ID, "action": "add", "name": "costs", "range_name": "Sheet1!B2:C3"},
        "costs",
        {**ID, "action": "delete", "name": "gone"},
        "name: No named range",
    ),
    ("list_sheet_tables", ID, "Teams", NONE, "NOT_FOUND"),
    (
        "append_table_rows",
        {**ID, "table_id": "teams", "values": [["Sales", 7]]},
        "teams",
        {**ID, "table_id": "none", "values": [["x"]]},
        "table_id: No",
    ),
    (
        "manage_sheet_tab",
        {**ID, "sheet_name": "Plan", "action": "hide"},
        "Plan",
        {**ID, "sheet_name": "No", "action": "hide"},
        "sheet_name: No sheet",
    ),
    (
        "move_sheet_rows",
        {**ID, "source_sheet": "Sheet1", "start_row": 6, "end_row": 6, "destination_sheet": "Plan"},
        "Plan",
        {**ID, "source_sheet": "Sheet1", "start_row": 5, "end_row": 3, "destination_sheet": "Plan"},
        "end_row",
    ),
    (
        "manage_spreadsheet_comment",
        {**ID, "action": "create", "comment_content": "Is it final?"},
        "Comment ID: ",
        {**ID, "action": "resolve", "comment_id": "none"},
        "notFound",
    ),
    ("list_spreadsheet_comments", ID, "Is it final?", NONE, "notFound"),
    ("search_drive_files", {"query": "budget"}, "Budget", {"query": "name = "}, "invalid"),
    ("list_drive_items", {}, "Budget", {"folder_id": "none"}, "notFound"),
    ("get_drive_file_content", FILE, "Core", {"file_id": SECRET}, "notFound"),
    ("get_drive_file_download_url", {**FILE, "export_format": "csv"}, "export?", {"file_id": "none"}, "notFound"),
    ("get_drive_file_permissions", FILE, "ada@tiny.example", {"file_id": "none"}, "notFound"),
    ("get_drive_shareable_link", FILE, BUDGET, {"file_id": "none"}, "notFound"),
    ("check_drive_file_public_access", {"file_name": "Budget"}, "NOT PUBLIC", {}, "file_name: is required"),
    (
        "create_drive_file",
        {"file_name": "note.txt", "content": "one"},
        "note.txt",
        {"file_name": "x", "base64_content": "?"},
        "base64_content",
    ),
    (
        "create_drive_folder",
        {"folder_name": "Reports"},
        "Reports",
        {"folder_name": "x", "parent_folder_id": "none"},
        "notFound",
    ),
    ("copy_drive_file", {**FILE, "new_name": "Twin"}, "Twin", {"file_id": "none"}, "notFound"),
    (
        "update_drive_file",
        {**FILE, "description": "Of the year"},
        "Budget",
        {**FILE, "content": "x", "mode": "shred"},
        "mode: must be one of",
    ),
    ("import_to_google_doc", {}, "", {"file_name": "x", "content": "x"}, '"code":400'),
    ("import_to_google_sheets", CSV, "figures", {"file_name": "x"}, "content: is required"),
    ("import_to_google_slides", {}, "", {"file_name": "x", "base64_content": "eA=="}, '"code":400'),
    (
        "manage_drive_access",
        {**FILE, "action": "grant", "share_with": "dee@tiny.example", "role": "reader"},
        "dee@tiny.example",
        {**FILE, "action": "grant"},
        "share_with: must be",
    ),
    (
        "set_drive_file_permissions",
        {**FILE, "link_sharing": "reader"},
        "Anyone with the link",
        {**FILE, "link_sharing": "all"},
        "link_sharing",
    ),
]
SURFACES = {"community": COMMUNITY, "vendor": VENDOR, "workspace": WORKSPACE}
NOWHERE = {"import_to_google_doc", "import_to_google_slides"}  # there are no documents and no slides to import into


async def asked(
    url: str, bearer: str, calls: Iterable[tuple[str, dict[str, Any]]]
) -> tuple[set[str], list[tuple[bool, str]]]:
    """The tools an address lists, and (refused, text) of each call."""
    async with httpx2.AsyncClient(headers={"Authorization": f"Bearer {bearer}"}, timeout=60) as web:
        async with Client(streamable_http_client(url, http_client=web)) as tools:
            listed = {tool.name for tool in (await tools.list_tools()).tools}
            answers = [await tools.call_tool(tool, given) for tool, given in calls]
    return listed, [(bool(answer.is_error), "\n".join(part.text for part in answer.content)) for answer in answers]  # type: ignore[union-attr]


@pytest.mark.parametrize("surface", SURFACES)
async def test_every_tool_is_answered_and_refused_over_http(tmp_path: Path, surface: str) -> None:
    firm, lines = host(tmp_path, [apps.drive.app, apps.sheets.app], sheet_rows), SURFACES[surface]
    right = [(tool, given, says) for tool, given, says, _, _ in lines if tool not in NOWHERE]
    wrong = [(tool, given, says) for tool, _, _, given, says in lines]
    if surface == "workspace":
        saying(firm, apps.sheets.app)("spreadsheets.batchUpdate", **BOOK, requests=[TABLE])
    async with listening(firm) as url:
        path = f"{url}/mcp/sheets/{surface}"
        listed, accepted = await asked(path, token(firm, "ada"), [(tool, given) for tool, given, _ in right])
        written = changes(firm.actors["w"].bound)
        known, done = await asked(path, token(firm, "bo"), [(tool, given) for tool, given, _ in wrong])
    assert (
        listed
        == known
        == {line[0] for line in lines}
        == set(catalogue([apps.drive.app, apps.sheets.app]).find("sheets", surface).tools)
    )
    assert not [
        (tool, text)
        for (tool, _, says), (refused, text) in zip(right, accepted, strict=True)
        if refused or says not in text
    ]
    assert not [
        (tool, text)
        for (tool, _, says), (refused, text) in zip(wrong, done, strict=True)
        if not refused or says not in text
    ]
    assert written and changes(firm.actors["w"].bound) == written
