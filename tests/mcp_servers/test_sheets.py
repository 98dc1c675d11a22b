"""The spreadsheet surfaces against the small company: every tool called, rightly and wrongly, and what is written is
what REST would write.
"""

from pathlib import Path
from typing import Any

import orjson
import pytest

import apps.drive
import apps.sheets
from mcp_servers.truncation import CAP
from tests.apps.sheets.conftest import BUDGET, NOTES, SECRET, sheet_rows
from tests.company import image, unmetered
from tests.mcp_servers.calls import Desk, do, same_as_rest
from world.run.host import Host


@pytest.fixture(scope="module")
def sealed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return image(tmp_path_factory.mktemp("sheets"), [apps.drive.app, apps.sheets.app], sheet_rows)


@pytest.fixture
def firm(sealed: Path, tmp_path: Path) -> Host:
    return unmetered(sealed, tmp_path, apps.drive.app, apps.sheets.app, worlds=("w", "rest"))


@pytest.fixture
def community(firm: Host) -> Desk:
    return Desk(firm, "sheets")


@pytest.fixture
def vendor(firm: Host) -> Desk:
    return Desk(firm, "sheets", "vendor")


@pytest.fixture
def workspace(firm: Host) -> Desk:
    return Desk(firm, "sheets", "workspace")


def values(firm: Host, range: str, id: str = BUDGET, **more: Any) -> Any:
    return do(firm, "spreadsheets.values.get", spreadsheetId=id, range=range, **more).get("values", [])


def json(desk: Desk, tool: str, /, **given: Any) -> Any:
    return orjson.loads(desk.say(tool, **given))


def wrong(desk: Desk, tool: str, says: str, /, who: str = "ada", **given: Any) -> None:
    refused, text = desk.ask(tool, who, **given)
    assert refused and says in text, text


def texts_of(answer: Any) -> list[str]:
    return [part.text for part in answer.content]


def told(book: Any, title: str) -> Any:
    return next(one for one in book["sheets"] if one["properties"]["title"] == title)


# community


def test_what_a_tool_writes_is_what_the_client_writes(firm: Host, community: Desk) -> None:
    data = [["Team", "=1+1"], ["3%", True]]
    assert (
        json(community, "update_cells", spreadsheet_id=BUDGET, sheet="Sheet1", range="F1:G2", data=data)["updatedCells"]
        == 4
    )
    same_as_rest(
        firm,
        "spreadsheets.values.update",
        spreadsheetId=BUDGET,
        range="Sheet1!F1:G2",
        values=data,
        valueInputOption="USER_ENTERED",
    )
    assert values(firm, "F1:G2") == [["Team", "2"], ["3%", "TRUE"]]


def test_a_sheet_is_read_as_shown_and_as_typed(community: Desk) -> None:
    found = json(community, "get_sheet_data", spreadsheet_id=BUDGET, sheet="Sheet1", range="A1:D2")
    assert found == {
        "spreadsheetId": BUDGET,
        "valueRanges": [
            {
                "range": "Sheet1!A1:D2",
                "majorDimension": "ROWS",
                "values": [["Team", "Q1", "Q2", "Total"], ["Core", "1200", "1350.5", "2550.5"]],
            }
        ],
    }
    assert json(community, "get_sheet_formulas", spreadsheet_id=BUDGET, sheet="Sheet1")[1] == [
        "Core",
        1200,
        1350.5,
        "=B2+C2",
    ]
    grid = json(community, "get_sheet_data", spreadsheet_id=BUDGET, sheet="Sheet1", range="D2", include_grid_data=True)
    assert grid["sheets"][0]["data"][0]["rowData"][0]["values"][0]["userEnteredValue"] == {"formulaValue": "=B2+C2"}
    assert json(community, "list_sheets", spreadsheet_id=BUDGET) == ["Sheet1"]
    wrong(community, "get_sheet_data", "Unable to parse range: Nowhere", spreadsheet_id=BUDGET, sheet="Nowhere")
    wrong(community, "get_sheet_data", "NOT_FOUND", spreadsheet_id="none", sheet="Sheet1")
    wrong(community, "get_sheet_formulas", "PERMISSION_DENIED", who="dee", spreadsheet_id=SECRET, sheet="Sheet1")
    wrong(community, "list_sheets", "spreadsheet_id: is required")


def test_several_ranges_and_spreadsheets_are_read_at_once(community: Desk) -> None:
    ask = {"spreadsheet_id": BUDGET, "sheet": "Sheet1", "range": "A2:B2"}
    found = json(community, "get_multiple_sheet_data", queries=[{**ask, "spreadsheet_id": "none"}, ask])
    assert [one.get("data", one.get("error")) for one in found] == [
        "Not found, or you do not have permission",
        [["Core", "1200"]],
    ]
    one, other = json(community, "get_multiple_spreadsheet_summary", spreadsheet_ids=["none", BUDGET], rows_to_fetch=2)
    assert one["error"] and other["sheets"][0]["headers"][0] == "Team" and len(other["sheets"][0]["first_rows"]) == 1
    wrong(community, "get_multiple_sheet_data", "NOT_FOUND", queries=[{**ask, "spreadsheet_id": "none"}])
    wrong(community, "get_multiple_sheet_data", "queries: must be a text", queries=[{"sheet": 1}])
    wrong(community, "get_multiple_spreadsheet_summary", "spreadsheet_ids", spreadsheet_ids=[])


def test_a_day_with_the_community_server(firm: Host, community: Desk) -> None:
    id = json(community, "create_spreadsheet", title="Forecast")["spreadsheetId"]
    assert json(community, "create_sheet", spreadsheet_id=id, title="Q3 plan")["title"] == "Q3 plan"
    done = json(
        community,
        "batch_update_cells",
        spreadsheet_id=id,
        sheet="Q3 plan",
        ranges={"A1:B3": [["Team", "Cost"], ["Core", "$1,200"], ["Support", "$300"]], "B4": [["=SUM(B2:B3)"]]},
    )
    assert done["totalUpdatedCells"] == 7
    assert values(firm, "'Q3 plan'!B4", id, valueRenderOption="UNFORMATTED_VALUE") == [[1500]]
    community.say("add_rows", spreadsheet_id=id, sheet="Q3 plan", count=2, start_row=1)
    community.say("add_columns", spreadsheet_id=id, sheet="q3 plan", count=1)
    assert values(firm, "'Q3 plan'!C6", id, valueRenderOption="FORMULA") == [["=SUM(C4:C5)"]]
    community.say("rename_sheet", spreadsheet=id, sheet="Q3 plan", new_name="Q3")
    copied = json(
        community, "copy_sheet", src_spreadsheet=id, src_sheet="Q3", dst_spreadsheet=BUDGET, dst_sheet="From plan"
    )
    assert copied["copy"]["title"] == "From plan" and values(
        firm, "'From plan'!C6", valueRenderOption="UNFORMATTED_VALUE"
    ) == [[1500]]
    bold = {
        "repeatCell": {
            "range": {"sheetId": copied["copy"]["sheetId"], "endRowIndex": 1},
            "cell": {"userEnteredFormat": {"textFormat": {"bold": True}}},
            "fields": "userEnteredFormat.textFormat.bold",
        }
    }
    community.say("batch_update", spreadsheet_id=BUDGET, requests=[bold])
    chart = {
        "spreadsheet_id": id,
        "sheet": "Q3",
        "chart_type": "COLUMN",
        "data_range": "B1:C6",
        "title": "Cost",
        "x_axis_label": "Team",
    }
    assert json(community, "add_chart", **chart)["replies"][0]["addChart"]["chart"]["spec"]["title"] == "Cost"
    community.say("add_chart", **{**chart, "chart_type": "PIE"})
    found = json(community, "find_in_spreadsheet", spreadsheet_id=id, query="supp")
    assert found == [{"sheet": "Q3", "cell": "B5", "value": "Support"}]
    assert (
        json(community, "find_in_spreadsheet", spreadsheet_id=id, query="supp", sheet="Q3", case_sensitive=True) == []
    )
    shared = json(
        community,
        "share_spreadsheet",
        spreadsheet_id=id,
        send_notification=False,
        recipients=[
            {"email_address": "bo@tiny.example", "role": "writer"},
            {"email_address": "nobody@tiny.example", "role": "reader"},
        ],
    )
    assert [one["email_address"] for one in shared["successes"]] == ["bo@tiny.example"] and shared["failures"][0][
        "error"
    ]
    assert orjson.loads(community.say("get_sheet_formulas", "bo", spreadsheet_id=id, sheet="Q3", range="C6")) == [
        ["=SUM(C4:C5)"]
    ]


def test_community_tools_refuse_what_cannot_be(firm: Host, community: Desk) -> None:
    do(firm, "drive.permissions.create", fileId=BUDGET, type="user", role="reader", emailAddress="dee@tiny.example")
    at = {"spreadsheet_id": BUDGET, "sheet": "Sheet1"}
    wrong(community, "update_cells", "PERMISSION_DENIED", who="dee", **at, range="A1", data=[["x"]])
    wrong(community, "update_cells", "data", **at, range="A1", data="x")
    wrong(community, "batch_update_cells", "ranges: must be a list of rows", **at, ranges={"A1": ["x"]})
    wrong(community, "add_rows", "count: ", **at, count=0)
    wrong(
        community,
        "add_columns",
        "sheet: No sheet of this title; there are 'Sheet1'",
        spreadsheet_id=BUDGET,
        sheet="Sheet2",
        count=1,
    )
    wrong(
        community,
        "copy_sheet",
        "src_sheet: No sheet",
        src_spreadsheet=BUDGET,
        src_sheet="x",
        dst_spreadsheet=BUDGET,
        dst_sheet="y",
    )
    wrong(community, "rename_sheet", "sheet: No sheet", spreadsheet=BUDGET, sheet="x", new_name="y")
    wrong(community, "create_sheet", "already exists", spreadsheet_id=BUDGET, title="Sheet1")
    wrong(community, "create_spreadsheet", "File not found: none.", title="x", folder_id="none")
    wrong(
        community,
        "share_spreadsheet",
        "recipients: role should be",
        spreadsheet_id=BUDGET,
        recipients=[{"email_address": "a@b.c", "role": "owner"}],
    )
    wrong(community, "find_in_spreadsheet", "max_results", spreadsheet_id=BUDGET, query="x", max_results=0)
    wrong(
        community,
        "batch_update",
        "Invalid requests[0]",
        spreadsheet_id=BUDGET,
        requests=[{"deleteSheet": {"sheetId": 77}}],
    )
    wrong(community, "add_chart", "chart_type: must be one of", **at, chart_type="CIRCLE", data_range="A1:B2")
    wrong(community, "add_chart", "data_range: A chart takes", **at, chart_type="BAR", data_range="A1:A2")
    wrong(community, "list_spreadsheets", "notFound", folder_id="none")
    wrong(community, "list_folders", "notFound", parent_folder_id="none")
    wrong(community, "search_spreadsheets", "query: is required")


def test_spreadsheets_and_folders_are_found(firm: Host, community: Desk) -> None:
    folder = do(firm, "drive.files.create", name="Money", mimeType="application/vnd.google-apps.folder")["id"]
    made = json(community, "create_spreadsheet", title="It's Q3", folder_id=folder)
    assert made["folder"] == folder
    assert [one["id"] for one in json(community, "list_spreadsheets", folder_id=folder)] == [made["spreadsheetId"]]
    assert {one["title"] for one in json(community, "list_spreadsheets")} == {"It's Q3", "Budget", "Secret"}
    assert [one["name"] for one in json(community, "list_folders")] == ["Money"]
    assert json(community, "list_folders", parent_folder_id=folder) == []
    assert [one["name"] for one in json(community, "search_spreadsheets", query="it's")] == ["It's Q3"]
    assert [one["name"] for one in json(community, "search_spreadsheets", query="Support")] == ["Budget"]


def test_the_largest_sheet_is_cut_between_rows_and_says_how_to_go_on(
    firm: Host, community: Desk, vendor: Desk, workspace: Desk
) -> None:
    rows = [[f"row {number}", "x" * 90, number] for number in range(1, 1001)]
    do(firm, "spreadsheets.values.update", "bo", spreadsheetId=NOTES, range="A1", values=rows, valueInputOption="RAW")
    at = {"spreadsheet_id": NOTES, "sheet": "Sheet1"}
    asked: list[tuple[Desk, str, dict[str, Any]]] = [
        (community, "get_sheet_data", at),
        (community, "get_sheet_formulas", at),
        (community, "get_sheet_data", {**at, "include_grid_data": True}),
        (community, "get_multiple_sheet_data", {"queries": [{**at, "range": "A1:C1000"}] * 2}),
        (vendor, "get_values", {"spreadsheetId": NOTES, "range": "Sheet1"}),
        (vendor, "get_spreadsheet", {"spreadsheetId": NOTES, "includeGridData": True}),
        (workspace, "read_sheet_values", {"spreadsheet_id": NOTES}),
        (workspace, "get_drive_file_content", {"file_id": NOTES}),
    ]
    for desk, tool, given in asked:
        answer = desk.answer(tool, "bo", **given)
        texts = texts_of(answer)
        assert not answer.is_error and "row 1" in texts[0] and sum(len(text.encode()) for text in texts) < CAP + 500, (
            tool
        )
        assert "were left out" in texts[-1], tool
    first, note = texts_of(community.answer("get_sheet_data", "bo", **at))
    kept = len(orjson.loads(first)["valueRanges"][0]["values"])
    assert note == f"[{1000 - kept} of 1000 rows were left out; go on with the range Sheet1!A{kept + 1}:Z1000]"
    rest = orjson.loads(community.say("get_sheet_data", "bo", **at, range=f"A{kept + 1}:Z1000"))
    assert rest["valueRanges"][0]["values"][0][0] == f"row {kept + 1}"


# vendor


def test_a_day_with_the_vendors_server(firm: Host, vendor: Desk) -> None:
    assert json(vendor, "get_values", spreadsheetId=BUDGET, range="D2")["values"] == [["2550.5"]]
    vendor.say(
        "update_spreadsheet",
        spreadsheetId=BUDGET,
        requests=[{"addSheet": {"properties": {"title": "Plan", "sheetId": 7}}}],
    )
    vendor.say("update_values", spreadsheetId=BUDGET, range="Plan!A1", values=[["1/2/2026", "5"]])
    vendor.say("update_formulas", spreadsheetId=BUDGET, range="Plan!C1", formulas=[["=B1*2"]])
    vendor.say("insert_dimension", spreadsheetId=BUDGET, sheetId=7, dimension="ROWS", startIndex=0, endIndex=2)
    assert values(firm, "Plan!B3:C3", valueRenderOption="UNFORMATTED_VALUE") == [[5, 10]]
    do(firm, "drive.comments.create", fileId=BUDGET, content="Is it final?")
    kept = json(
        vendor,
        "get_spreadsheet",
        spreadsheetId=BUDGET,
        fields="sheets.properties.title,properties.title",
        commentsIncluded=True,
    )
    assert [one["content"] for one in kept.pop("comments")] == ["Is it final?"]
    assert kept == {
        "properties": {"title": "Budget"},
        "sheets": [{"properties": {"title": title}} for title in ("Sheet1", "Plan")],
    }
    cells = json(vendor, "get_spreadsheet", spreadsheetId=BUDGET, ranges=["Plan!C3"], includeGridData=True)
    assert cells["sheets"][0]["data"][0]["rowData"][0]["values"][0]["effectiveValue"] == {"numberValue": 10}


def test_the_vendors_tools_refuse_what_cannot_be(vendor: Desk) -> None:
    wrong(vendor, "get_values", "NOT_FOUND", spreadsheetId="none", range="A1")
    wrong(vendor, "get_spreadsheet", "fields: must be", spreadsheetId=BUDGET, fields="nothing")
    wrong(vendor, "get_spreadsheet", "PERMISSION_DENIED", who="bo", spreadsheetId=SECRET)
    wrong(vendor, "update_spreadsheet", "INVALID_ARGUMENT", spreadsheetId=BUDGET, requests=[])
    wrong(vendor, "update_values", "Unable to parse range", spreadsheetId=BUDGET, range="No!A1", values=[["x"]])
    wrong(
        vendor,
        "update_formulas",
        "formulas: Each formula begins with =",
        spreadsheetId=BUDGET,
        range="A1",
        formulas=[["x"]],
    )
    wrong(
        vendor,
        "insert_dimension",
        "INVALID_ARGUMENT",
        spreadsheetId=BUDGET,
        sheetId=0,
        dimension="ROWS",
        startIndex=5,
        endIndex=2,
    )
