"""Tables: what formulas say of them, how they grow, what cells hold beside values."""

from typing import Any

import pytest

from apps.sheets.cells import Area
from apps.sheets.structure.table_references import Table, column_renamed, expand_table_references, table_renamed
from tests.apps.sheets.conftest import BUDGET, Say
from tests.apps.sheets.requests.change_requests import Asking, grid, lines, place
from tests.apps.sheets.requests.test_requests_formats import RED, rule
from tests.conformance.sheets_client import SheetsClient

SALES = Table("1", "Sales", 1, "My Sheet", Area(1, 1, 6, 4), ("Region", "Q1", "Unit Cost"), True)
GREY = {"rgbColor": {"red": 0.5, "green": 0.5, "blue": 0.5}}


@pytest.fixture
def teams(budget: Asking) -> Asking:
    """Ada's budget with a table Teams over its first three rows, and formulas about it."""
    budget.one("addTable", table={"tableId": "t1", "name": "Teams", "range": grid(0, 0, 3, 4)})
    budget.put(
        "F1",
        [
            ["=SUM(Teams[Q1])"],
            ["=COUNTA(Teams[#ALL])"],
            ["=Teams[[#HEADERS],[Q2]]"],
            ["=SUM(Teams[[Q1]:[Q2]])"],
            ["=ROWS(Teams)"],
        ],
    )
    return budget


def answers(asking: Asking) -> list[str]:
    """What the formulas about the table compute to."""
    return [line[0] for line in asking.values("F1:F5")]


def table(asking: Asking) -> Any:
    """The table as described."""
    return asking.sheet()["tables"][0]


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("=SUM(Sales[Q1])", "=SUM('My Sheet'!$C$3:$C$5)"),
        ("=sales[ unit cost ]", "='My Sheet'!$D$3:$D$5"),
        ("=Sales[#ALL]", "='My Sheet'!$B$2:$D$6"),
        ("=Sales", "='My Sheet'!$B$3:$D$5"),
        ("=Sales[]", "='My Sheet'!$B$3:$D$5"),
        ("=Sales[[#TOTALS],[Q1]]", "='My Sheet'!$C$6:$C$6"),
        ("=Sales[[#HEADERS], [#DATA], [Q1]:[Unit Cost]]", "='My Sheet'!$C$2:$D$5"),
        ("=Sales[[#HEADERS],[#TOTALS]]", "=#REF!"),
        ("=Sales[Cost]+1", "=#REF!+1"),
        ("=Sales[@Q1]", "=#REF!"),
        ('="Sales[Q1]"&Sale[Q1]', None),
        ("='Sales'!A1+Sales!A1+Sales(1)+Sales.x", None),
        ("=Sales[#NOW]", None),
    ],
)
def test_a_reference_to_a_table_means_its_cells(written: str, meant: str | None) -> None:
    """support.google.com/docs/answer/15637644"""
    assert expand_table_references(written, {"sales": SALES}) == (meant or written)


@pytest.mark.parametrize(
    ("formula", "after"),
    [
        ("=SUM(Sales[Q1])+Q1+Other[Q1]", "=SUM(Sales[First])+Q1+Other[Q1]"),
        ("=Sales[[#ALL],[q1]:[Unit Cost]]", "=Sales[[#ALL],[First]:[Unit Cost]]"),
        ('=Sales&"Sales[Q1]"', '=Sales&"Sales[Q1]"'),
    ],
)
def test_formulas_follow_a_columns_new_name(formula: str, after: str) -> None:
    assert column_renamed(formula, "Sales", "Q1", "First") == after
    assert table_renamed(formula, "Other", "More") == formula.replace("Other", "More")


def test_formulas_follow_a_table(teams: Asking) -> None:
    assert answers(teams) == ["1500", "12", "Q2", "3130.5", "2"]
    teams.one(
        "updateTable",
        table={
            "tableId": "t1",
            "name": "Groups",
            "columnProperties": [
                {"columnName": "Team"},
                {"columnIndex": 1, "columnName": "First"},
                {"columnIndex": 2, "columnName": "Q2"},
                {"columnIndex": 3, "columnName": "Total"},
            ],
        },
        fields="name,columnProperties",
    )
    assert [line[0] for line in teams.typed("F1:F5")][::3] == ["=SUM(Groups[First])", "=SUM(Groups[[First]:[Q2]])"]
    assert answers(teams) == ["1500", "12", "Q2", "3130.5", "2"] and teams.values("B1") == [["First"]]
    teams.put("B1", [["Early"]])
    assert (
        teams.typed("F1") == [["=SUM(Groups[Early])"]] and table(teams)["columnProperties"][1]["columnName"] == "Early"
    )
    teams.put("C1", [["early"]])
    assert table(teams)["columnProperties"][2]["columnName"] == "early 2" and teams.values("F1") == [["1500"]]
    teams.one("deleteTable", tableId="t1")
    assert teams.typed("F1") == [["=SUM(#REF!)"]] and answers(teams)[0] == "#REF!"


def test_columns_put_into_a_table_or_taken_out_are_its_columns(teams: Asking) -> None:
    teams.one("insertDimension", range=lines("COLUMNS", 1, 2), inheritFromBefore=True)
    assert [one["columnName"] for one in table(teams)["columnProperties"]] == ["Team", "Column 2", "Q1", "Q2", "Total"]
    assert teams.values("A1:C1") == [["Team", "Column 2", "Q1"]] and teams.values("G1") == [["1500"]]
    teams.one("moveDimension", source=lines("COLUMNS", 2, 3), destinationIndex=1)
    assert [one["columnName"] for one in table(teams)["columnProperties"]] == ["Team", "Q1", "Column 2", "Q2", "Total"]
    teams.one("deleteDimension", range=lines("COLUMNS", 1, 2))
    assert [one["columnName"] for one in table(teams)["columnProperties"]] == ["Team", "Column 2", "Q2", "Total"]
    assert teams.values("F1:F4") == [["#REF!"], ["10"], ["Q2"], ["#REF!"]]


def test_appended_rows_join_a_table(teams: Asking) -> None:
    rule = {"condition": {"type": "ONE_OF_LIST", "values": [{"userEnteredValue": "Core"}, {"userEnteredValue": "New"}]}}
    columns = [
        {"columnName": "Team", "columnType": "DROPDOWN", "dataValidationRule": rule},
        {"columnIndex": 1, "columnName": "Q1"},
    ]
    teams.one("updateTable", table={"tableId": "t1", "columnProperties": columns}, fields="columnProperties")
    teams.say(
        "spreadsheets.values.append", spreadsheetId=BUDGET, range="A1", valueInputOption="RAW", values=[["New", 5]]
    )
    assert table(teams)["range"] == grid(0, 0, 4, 4) and answers(teams)[:2] == ["1505", "14"]
    row = teams.sheet(includeGridData=True, ranges=["A4:B4"])["data"][0]["rowData"][0]["values"]
    assert row[0]["dataValidation"]["condition"] == rule["condition"]


def test_cells_are_appended_to_the_body_of_a_table(teams: Asking) -> None:
    teams.one(
        "updateTable", table={"tableId": "t1", "rowsProperties": {"footerColorStyle": GREY}}, fields="rowsProperties"
    )
    assert table(teams)["range"] == grid(0, 0, 4, 4)
    teams.put("B4", [["=SUM(Teams[Q1])"]])
    row = {"values": [{"userEnteredValue": {"stringValue": "New"}}, {"userEnteredValue": {"numberValue": 5}}]}
    teams.one("appendCells", tableId="t1", rows=[row, row], fields="userEnteredValue")
    assert teams.values("A3:B7") == [["Support", "300"], ["New", "5"], ["New", "5"], ["", "1510"], ["All", "1500"]]
    assert (
        table(teams)["range"] == grid(0, 0, 6, 4) and teams.values("F1") == [["1510"]] and teams.values("F5") == [["4"]]
    )
    assert teams.refused("appendCells", tableId="t9", rows=[row], fields="*")[0] == "no_object"
    teams.one("updateTable", table={"tableId": "t1", "rowsProperties": {}}, fields="rowsProperties")
    assert table(teams)["range"] == grid(0, 0, 5, 4)
    teams.one("appendCells", tableId="t1", rows=[row], fields="userEnteredValue")
    assert table(teams)["range"] == grid(0, 0, 6, 4) and teams.values("A6:B7") == [["New", "5"], ["", "1515"]]


def test_a_table_is_among_the_banded_ranges_unless_asked(client: SheetsClient) -> None:
    asked = {
        "requests": [
            {
                "addTable": {
                    "table": {"tableId": "t1", "range": grid(0, 0, 3, 4), "rowsProperties": {"headerColorStyle": GREY}}
                }
            }
        ]
    }
    client.post(f"/v4/spreadsheets/{BUDGET}:batchUpdate", json=asked)
    (band,) = client.get(f"/v4/spreadsheets/{BUDGET}").json()["sheets"][0]["bandedRanges"]
    assert band["bandedRangeReference"] == "t1" and band["range"] == grid(0, 0, 3, 4) and "bandedRangeId" not in band
    assert band["rowProperties"]["headerColor"] == GREY["rgbColor"] and band["rowProperties"]["secondBandColorStyle"]
    without = client.get(f"/v4/spreadsheets/{BUDGET}?excludeTablesInBandedRanges=true").json()["sheets"][0]
    assert "bandedRanges" not in without
    sheet = client.get(f"/v4/spreadsheets/{BUDGET}").json()["sheets"][0]
    made = client.post(
        "/v4/spreadsheets", json={"sheets": [{name: sheet[name] for name in ("tables", "bandedRanges")}]}
    ).json()
    assert made["sheets"][0]["tables"][0]["name"] == sheet["tables"][0]["name"]


# what cells hold


def write(asking: Asking, cell: dict[str, Any], fields: str = "*") -> dict[str, Any]:
    """Write H1 and read it back."""
    asking.one("updateCells", rows=[{"values": [cell]}], start=place(0, 7), fields=fields)
    return asking.sheet(includeGridData=True, ranges=["H1"])["data"][0]["rowData"][0]["values"][0]


def test_chips_are_kept_with_the_text_between_them(budget: Asking) -> None:
    person = {"chip": {"personProperties": {"email": "bo@tiny.example", "displayFormat": "EMAIL"}}}
    file = {"startIndex": 8, "chip": {"richLinkProperties": {"uri": "https://docs.google.com/document/d/x"}}}
    bold = [{"startIndex": 2, "format": {"bold": True}}]
    told = write(
        budget, {"userEnteredValue": {"stringValue": "@ reads @"}, "chipRuns": [person, file], "textFormatRuns": bold}
    )
    assert told["chipRuns"] == [person, {"startIndex": 1, "chip": {}}, file] and told["textFormatRuns"] == bold
    told = write(budget, {"textFormatRuns": []}, "textFormatRuns")
    assert told["chipRuns"][2] == file and "textFormatRuns" not in told
    told = write(budget, {"userEnteredValue": {"stringValue": "plain"}}, "userEnteredValue")
    assert "chipRuns" not in told


@pytest.mark.parametrize(
    ("chip", "said"),
    [
        ({"personProperties": {"email": "nobody"}}, "PersonProperties.email must be"),
        ({"richLinkProperties": {"uri": "https://example.com"}}, "Only Drive files can be written as chips."),
        ({"richLinkProperties": {"uri": "https://docs.google.com/" + "x" * 2000}}, "URIs cannot exceed 2000 bytes."),
        (
            {"personProperties": {"email": "a@b.c"}, "richLinkProperties": {"uri": "x"}},
            "Exactly one of personProperties",
        ),
    ],
)
def test_chips_that_are_none_are_refused(budget: Asking, chip: dict[str, Any], said: str) -> None:
    cell = {"userEnteredValue": {"stringValue": "a@"}, "chipRuns": [{"startIndex": 1, "chip": chip}]}
    assert budget.refused("updateCells", rows=[{"values": [cell]}], start=place(0, 7), fields="*")[1].startswith(said)
    cell["chipRuns"] = [{"chip": {"personProperties": {"email": "a@b.c"}}}]
    assert budget.refused("updateCells", rows=[{"values": [cell]}], start=place(0, 7), fields="*")[1].startswith(
        "Runs containing chips must be"
    )


@pytest.mark.parametrize(
    ("cell", "uri"),
    [
        (
            {"userEnteredValue": {"formulaValue": '=HYPERLINK("https://a.example/?q=""x""","A")'}},
            'https://a.example/?q="x"',
        ),
        (
            {
                "userEnteredValue": {"stringValue": "A"},
                "userEnteredFormat": {"textFormat": {"link": {"uri": "https://b.example"}}},
            },
            "https://b.example",
        ),
        (
            {
                "userEnteredValue": {"stringValue": "A"},
                "textFormatRuns": [{"format": {"link": {"uri": "https://c.example"}}}],
            },
            "https://c.example",
        ),
        (
            {
                "userEnteredValue": {"stringValue": "AB"},
                "textFormatRuns": [
                    {"format": {"link": {"uri": "https://c.example"}}},
                    {"startIndex": 1, "format": {"link": {"uri": "https://d.example"}}},
                ],
            },
            None,
        ),
    ],
)
def test_a_cell_says_where_it_leads(budget: Asking, cell: dict[str, Any], uri: str | None) -> None:
    assert write(budget, cell).get("hyperlink") == uri


@pytest.mark.parametrize("field", ["dataSourceTable", "pivotTable"])
def test_data_sources_in_cells_are_refused(say: Say, field: str) -> None:
    code, _ = Asking(say).refused(
        "updateCells", rows=[{"values": [{field: {"dataSourceId": "1"}}]}], start=place(0, 7), fields=field
    )
    assert code == "unsupported_request"


# sentences as callers quote them in public trackers


def cells(*rows: int) -> list[dict[str, Any]]:
    """RowData of so many numbers each."""
    return [{"values": [{"userEnteredValue": {"numberValue": 1}}] * width} for width in rows]


@pytest.mark.parametrize(
    ("kind", "given", "said"),
    [
        # github.com/Thource/dude-wheres-my-stuff/issues/428
        (
            "updateCells",
            {"rows": cells(1, 1), "start": place(999, 0)},
            "Attempting to write row: 1000, beyond the last requested row of: 999",
        ),
        # github.com/AMWA-TV/nmos-testing/pull/578
        (
            "updateCells",
            {"rows": cells(2), "start": place(0, 25)},
            "Attempting to write column: 26, beyond the last requested column of: 25",
        ),
        (
            "updateCells",
            {"rows": cells(3), "range": grid(0, 0, 1, 2)},
            "Attempting to write column: 2, beyond the last requested column of: 1",
        ),
        # github.com/OpenRefine/OpenRefine/issues/2760
        ("appendCells", {"rows": cells(27)}, "Attempting to write column: 26, beyond the last requested column of: 25"),
        # github.com/socialpoint-labs/sheetfu/issues/53
        (
            "repeatCell",
            {"range": grid(1000, 0, 1001, 3)},
            "Range (Sheet1!A1001:C1001) exceeds grid limits. Max rows: 1000, max columns: 26",
        ),
        (
            "insertComment",
            {"coordinate": place(99998, 0), "content": "x"},
            "GridCoordinate.rowIndex[99998] is after last row in grid[999]",
        ),
        ("repeatCell", {"range": {"sheetId": 5}}, "No grid with id: 5"),
        ("deleteSheet", {"sheetId": 5}, "No sheet with id: 5"),
        # github.com/blinkk/rootjs/issues/554
        ("updateSheetProperties", {"properties": {"sheetId": 5, "title": "x"}}, "No sheet with id: 5"),
    ],
)
def test_a_refusal_is_in_the_words_that_callers_quote(
    client: SheetsClient, kind: str, given: dict[str, Any], said: str
) -> None:
    body = {
        "requests": [{kind: {**given, **({"fields": "*"} if kind.endswith(("Cells", "Cell", "Properties")) else {})}}]
    }
    answer = client.post(f"/v4/spreadsheets/{BUDGET}:batchUpdate", json=body)
    assert answer.status_code == 400 and answer.json()["error"]["message"] == f"Invalid requests[0].{kind}: {said}"


def test_a_title_that_is_a_reference_is_read_as_one(client: SheetsClient) -> None:
    """github.com/robin900/gspread-dataframe/issues/54, github.com/burnash/gspread/issues/554; of visible sheets, the
    first.
    """
    add = [{"addSheet": {"properties": {"title": title, "sheetId": gid}}} for gid, title in ((3, "CRM26"), (4, "B2"))]
    client.post(f"/v4/spreadsheets/{BUDGET}:batchUpdate", json={"requests": add})
    answer = client.get(f"/v4/spreadsheets/{BUDGET}/values/CRM26").json()["error"]["message"]
    assert answer == "Range (Sheet1!CRM26) exceeds grid limits. Max rows: 1000, max columns: 26"
    assert client.get(f"/v4/spreadsheets/{BUDGET}/values/B2").json()["values"] == [["1200"]]
    assert client.get(f"/v4/spreadsheets/{BUDGET}/values/'B2'").json()["range"] == "'B2'!A1:Z1000"
    hide = {"updateSheetProperties": {"properties": {"sheetId": 0, "hidden": True}, "fields": "hidden"}}
    client.post(f"/v4/spreadsheets/{BUDGET}:batchUpdate", json={"requests": [hide]})
    assert client.get(f"/v4/spreadsheets/{BUDGET}/values/A1").json()["range"] == "'CRM26'!A1"


def test_a_table_names_its_columns_and_colours_its_rows(budget: Asking) -> None:
    columns = [
        {"columnIndex": 3, "columnName": "Sum", "columnType": "DOUBLE"},
        {
            "columnIndex": 4,
            "columnType": "DROPDOWN",
            "dataValidationRule": {"condition": rule("ONE_OF_LIST", "Yes", "No")},
        },
    ]
    made = budget.one("addTable", table={"name": "Teams", "range": grid(0, 0, 3, 5), "columnProperties": columns})[
        "table"
    ]
    assert [one["columnName"] for one in made["columnProperties"]] == ["Team", "Q1", "Q2", "Sum", "Column 5"]
    assert budget.values("A1:E1") == [["Team", "Q1", "Q2", "Sum", "Column 5"]]
    rows = budget.sheet(includeGridData=True, ranges=["A1:E3"])["data"][0]["rowData"]
    assert rows[1]["values"][4]["dataValidation"]["condition"]["type"] == "ONE_OF_LIST"
    assert [round(row["values"][0]["effectiveFormat"]["backgroundColor"]["green"], 2) for row in rows] == [
        0.41,
        1,
        0.97,
    ]
    assert (
        budget.refused("addTable", table={"range": grid(2, 2, 4, 4)})[1]
        == "You can't create a table over another table."
    )
    bands = {"firstBandColor": RED, "secondBandColor": RED}
    assert (
        budget.refused("addBanding", bandedRange={"range": grid(2, 2, 4, 4), "rowProperties": bands})[0]
        == "bad_request"
    )
    budget.one(
        "updateTable",
        table={"tableId": made["tableId"], "name": "Groups", "range": grid(0, 0, 3, 2)},
        fields="name,range",
    )
    told = budget.sheet()["tables"][0]
    assert told["name"] == "Groups" and [one["columnName"] for one in told["columnProperties"]] == ["Team", "Q1"]
    budget.one("deleteTable", tableId=made["tableId"])
    assert "tables" not in budget.sheet() and budget.values("A1:C2") == [["", "", "Q2"], ["", "", "1350.5"]]
