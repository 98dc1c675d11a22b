"""Spreadsheets whole: made, described, changed in batches, sheets copied."""

from typing import Any

import pytest

from tests.apps.sheets.conftest import BUDGET, NOTES, SECRET, Say
from tests.apps.sheets.requests.change_requests import Asking, grid, lines


def test_a_spreadsheet_described(say: Say) -> None:
    told = say("spreadsheets.get", spreadsheetId=BUDGET)
    assert told["spreadsheetId"] == BUDGET and told["spreadsheetUrl"].endswith(f"/d/{BUDGET}/edit")
    assert told["properties"]["title"] == "Budget" and told["properties"]["autoRecalc"] == "ON_CHANGE"
    assert told["sheets"] == [
        {
            "properties": {
                "sheetId": 0,
                "title": "Sheet1",
                "index": 0,
                "sheetType": "GRID",
                "gridProperties": {"rowCount": 1000, "columnCount": 26},
            }
        }
    ]


def test_cells_described(say: Say) -> None:
    told = say("spreadsheets.get", spreadsheetId=BUDGET, includeGridData=True, ranges=["C2:D3", "B9"])
    first, second = told["sheets"][0]["data"]
    assert (first["startRow"], first["startColumn"], len(first["rowData"]), len(first["columnMetadata"])) == (
        1,
        2,
        2,
        2,
    )
    typed, computed = first["rowData"][0]["values"]
    assert (
        typed["userEnteredValue"] == typed["effectiveValue"] == {"numberValue": 1350.5}
        and typed["formattedValue"] == "1350.5"
    )
    assert computed["userEnteredValue"] == {"formulaValue": "=B2+C2"} and computed["effectiveValue"] == {
        "numberValue": 2550.5
    }
    assert "userEnteredFormat" not in typed and typed["effectiveFormat"]["textFormat"]["fontSize"] == 10
    assert "rowData" not in second and second["rowMetadata"] == [{"pixelSize": 21}]


def test_only_the_sheets_asked_for_are_told(budget: Asking) -> None:
    budget.one("addSheet", properties={"title": "Two"})
    told = budget.say("spreadsheets.get", spreadsheetId=BUDGET, ranges=["Two!A1"])
    assert [one["properties"]["title"] for one in told["sheets"]] == ["Two"] and "data" not in told["sheets"][0]
    told = budget.say(
        "spreadsheets.getByDataFilter",
        spreadsheetId=BUDGET,
        dataFilters=[{"a1Range": "Sheet1!A1:B2"}],
        includeGridData=True,
    )
    assert [one["properties"]["title"] for one in told["sheets"]] == ["Sheet1"] and len(
        told["sheets"][0]["data"][0]["rowData"]
    ) == 2
    assert len(budget.say("spreadsheets.getByDataFilter", spreadsheetId=BUDGET)["sheets"]) == 2


def test_an_error_is_described_by_its_kind(budget: Asking) -> None:
    budget.put("F1:G1", [["=1/0", "=NOSUCH()"]])
    cells = budget.sheet(includeGridData=True, ranges=["F1:G1"])["data"][0]["rowData"][0]["values"]
    assert [cell["effectiveValue"]["errorValue"]["type"] for cell in cells] == ["DIVIDE_BY_ZERO", "NAME"]


def test_a_new_spreadsheet_is_its_makers_own(say: Say, refused: Say) -> None:
    told = say(
        "spreadsheets.create", "bo", properties={"title": "Plan", "locale": "de_DE", "timeZone": "Europe/Berlin"}
    )
    assert (
        told["properties"]["title"] == "Plan"
        and told["properties"]["locale"] == "de_DE"
        and told["sheets"][0]["properties"]["sheetId"] == 0
    )
    assert refused("spreadsheets.get", spreadsheetId=told["spreadsheetId"]) == "forbidden"
    assert say("spreadsheets.create")["properties"]["title"] == "Untitled spreadsheet"


def test_a_new_spreadsheet_with_sheets_and_data(say: Say) -> None:
    row = {"values": [{"userEnteredValue": {"stringValue": "a"}}, {"userEnteredValue": {"formulaValue": "=LEN(A1)"}}]}
    sheets = [
        {
            "properties": {"title": "First", "gridProperties": {"rowCount": 5, "columnCount": 3}},
            "data": [{"rowData": [row]}],
        },
        {"properties": {"title": "Second"}, "data": [{"startRow": 2, "startColumn": 1, "rowData": [row]}]},
    ]
    made = Asking(say, say("spreadsheets.create", sheets=sheets)["spreadsheetId"])
    assert made.values("First") == [["a", "1"]] and made.values("Second!B3:C3") == [["a", "0"]]
    assert made.sheet()["properties"]["gridProperties"] == {"rowCount": 5, "columnCount": 3}


@pytest.mark.parametrize(
    "given",
    [
        {"properties": {"timeZone": "Mars/Base"}},
        {"properties": {"title": 3}},
        {"sheets": [{"properties": {"title": "a"}}, {"properties": {"title": "A"}}]},
        {"sheets": [{"properties": "x"}]},
        {"sheets": [{"data": 3}]},
        {"sheets": [{"data": [{"rowData": [[1]]}]}]},
        {"namedRanges": [{"name": 3}]},
        {"sheets": [{"properties": {"gridProperties": {"rowCount": 0}}}]},
        {"sheets": [{"data": [{"startRow": -5, "rowData": [{"values": [{}]}]}]}]},
    ],
)
def test_what_cannot_be_made(refused: Say, given: dict[str, Any]) -> None:
    assert refused("spreadsheets.create", **given) in ("bad_request", "bad_zone", "invalid_arguments")


def test_batches_answer_each_request(budget: Asking) -> None:
    told = budget.say(
        "spreadsheets.batchUpdate",
        spreadsheetId=BUDGET,
        includeSpreadsheetInResponse=True,
        responseRanges=["A1"],
        responseIncludeGridData=True,
        requests=[{"addSheet": {"properties": {"title": "New"}}}, {"insertDimension": {"range": lines("ROWS", 0, 1)}}],
    )
    assert told["replies"][0]["addSheet"]["properties"]["index"] == 1 and told["replies"][1] == {}
    assert told["updatedSpreadsheet"]["sheets"][0]["data"][0]["rowMetadata"] == [{"pixelSize": 21}]


@pytest.mark.parametrize(
    ("requests", "code"),
    [
        ([], "no_requests"),
        ([{}], "one_kind_each"),
        ([{"addSheet": {}, "deleteSheet": {"sheetId": 0}}], "one_kind_each"),
        ([{"makeCoffee": {}}], "unsupported_request"),
        ([{"addSheet": "x"}], "bad_request"),
        ([{"addSheet": {"properties": []}}], "bad_request"),
        ([{"deleteSheet": {"sheetId": 0}}], "bad_request"),
        ([{"deleteSheet": {"sheetId": 77}}], "no_sheet"),
        ([{"deleteSheet": {"sheetId": 2**40}}], "bad_request"),
        ([3], "invalid_arguments"),
        ([{"updateCells": {"start": 3, "fields": "*"}}], "bad_request"),
        ([{"updateCells": {"start": {}}}], "fields_missing"),
        ([{"updateCells": {"start": {}, "rows": [{"values": 3}], "fields": "*"}}], "bad_request"),
        ([{"addSheet": {"properties": {"title": "a\x00"}}}], "bad_request"),
        ([{"updateCells": {"start": {}, "rows": [{"values": [3]}], "fields": "*"}}], "bad_request"),
        (
            [{"repeatCell": {"range": {}, "cell": {"userEnteredValue": {"numberValue": "x"}}, "fields": "*"}}],
            "bad_request",
        ),
        ([{"repeatCell": {"range": {}, "cell": {"userEnteredValue": "x"}, "fields": "*"}}], "bad_request"),
    ],
)
def test_batches_that_are_refused(budget: Asking, refused: Say, requests: list[Any], code: str) -> None:
    before = budget.everything()
    assert refused("spreadsheets.batchUpdate", spreadsheetId=BUDGET, requests=requests) == code
    assert budget.everything() == before


def test_a_file_that_is_no_spreadsheet(say: Say, refused: Say) -> None:
    folder = say("drive.files.create", name="F", mimeType="application/vnd.google-apps.folder")["id"]
    assert refused("spreadsheets.get", spreadsheetId=folder) == "not_a_spreadsheet"


# copies


def test_a_sheet_copied_to_another_spreadsheet(budget: Asking, refused: Say) -> None:
    budget.put("F1", [["=Sheet1!B2*2"]])
    budget.lay("merge", grid(6, 0, 8, 2))
    budget.lay("chart", None, {"spec": {"sources": [grid(0, 0, 3, 2)]}})
    budget.one("moveDimension", source=lines("ROWS", 1, 2), destinationIndex=5)
    told = budget.say("spreadsheets.sheets.copyTo", spreadsheetId=BUDGET, sheetId=0, destinationSpreadsheetId=SECRET)
    assert told["title"] == "Copy of Sheet1" and told["index"] == 1 and told["sheetId"] > 0
    copy = Asking(budget.say, SECRET)
    assert copy.typed("'Copy of Sheet1'") == [
        [*row[:5], *(["='Copy of Sheet1'!B5*2"] * (len(row) > 5))] for row in budget.typed()
    ]
    sheet = copy.sheet(told["sheetId"])
    assert sheet["merges"] == [grid(6, 0, 8, 2, told["sheetId"])]
    assert (
        budget.say("spreadsheets.sheets.copyTo", spreadsheetId=BUDGET, sheetId=0, destinationSpreadsheetId=SECRET)[
            "title"
        ]
        == "Copy of Sheet1 2"
    )
    given = {"spreadsheetId": BUDGET, "destinationSpreadsheetId": NOTES}
    assert refused("spreadsheets.sheets.copyTo", sheetId=0, **given) == "forbidden"
    assert (
        refused("spreadsheets.sheets.copyTo", sheetId=9, **{**given, "destinationSpreadsheetId": SECRET}) == "no_sheet"
    )


def test_a_sheet_copied_within_its_spreadsheet(budget: Asking) -> None:
    budget.lay("conditional_format", None, {"ranges": [grid(0, 0, 3, 2)]})
    told = budget.say("spreadsheets.sheets.copyTo", spreadsheetId=BUDGET, sheetId=0, destinationSpreadsheetId=BUDGET)
    made = budget.one("duplicateSheet", sourceSheetId=0, newSheetName="Twin", insertSheetIndex=0, newSheetId=5)[
        "properties"
    ]
    assert (made["title"], made["index"], made["sheetId"]) == ("Twin", 0, 5)
    assert budget.typed("Twin") == budget.typed("'Copy of Sheet1'") == budget.typed("Sheet1")
    sheets = budget.say("spreadsheets.get", spreadsheetId=BUDGET)["sheets"]
    assert [one["properties"]["title"] for one in sheets] == ["Twin", "Sheet1", "Copy of Sheet1"]
    assert told["index"] == 1
