"""Pivot tables: kept on their cell, computed from their source, shown as values of cells."""

from typing import Any

import pytest

from apps.sheets.engine.pivots.layout import Table
from tests.apps.sheets.conftest import BUDGET, NOTES, Say
from tests.apps.sheets.requests.change_requests import Asking, grid, place
from tests.conformance.sheets_client import SheetsClient

# developers.google.com/workspace/sheets/api/guides/pivot-tables, its first rows
SALES = [
    ["Item Category", "Model Number", "Cost", "Quantity", "Region", "Salesperson", "Ship Date"],
    ["Wheel", "W-24", "$20.50", 4, "West", "Beth", "3/1/2016"],
    ["Door", "D-01X", "$15.00", 2, "South", "Amir", "3/15/2016"],
    ["Engine", "ENG-0134", "$100.00", 1, "North", "Carmen", "3/20/2016"],
    ["Frame", "FR-0B1", "$34.00", 8, "East", "Hannah", "3/12/2016"],
    ["Panel", "P-034", "$6.00", 4, "North", "Devyn", "4/2/2016"],
    ["Panel", "P-052", "$11.50", 7, "East", "Erik", "5/16/2016"],
    ["Wheel", "W-24", "$20.50", 11, "South", "Sheldon", "4/30/2016"],
    ["Engine", "ENG-0161", "$330.00", 2, "North", "Jessie", "7/2/2016"],
]
SOURCE = grid(0, 0, 9, 7)
ITEM, MODEL, COST, QUANTITY, REGION, SHIPPED = 0, 1, 2, 3, 4, 6


@pytest.fixture
def sales(say: Say) -> Asking:
    """Bo's notes with the sales of the vendor's guide."""
    asking = Asking(say, NOTES)
    say(
        "spreadsheets.values.update",
        "bo",
        spreadsheetId=NOTES,
        range="A1",
        valueInputOption="USER_ENTERED",
        values=SALES,
    )
    say("drive.permissions.create", "bo", fileId=NOTES, role="writer", type="user", emailAddress="ada@tiny.example")
    return asking


def group(column: int, **more: Any) -> dict[str, Any]:
    """A PivotGroup."""
    return {"sourceColumnOffset": column, "sortOrder": "ASCENDING", **more}


def value(function: str, column: int, **more: Any) -> dict[str, Any]:
    """A PivotValue."""
    return {"summarizeFunction": function, "sourceColumnOffset": column, **more}


def put(asking: Asking, at: tuple[int, int] = (19, 0), **spec: Any) -> None:
    """Put a pivot table on a cell."""
    asking.one(
        "updateCells",
        rows=[{"values": [{"pivotTable": {"source": SOURCE, **spec}}]}],
        start=place(*at),
        fields="pivotTable",
    )


def pivoted(source: list[list[Any]], /, **spec: Any) -> list[list[Any]]:
    """The cells of a pivot table of values."""
    return [[cell for cell, _ in line] for line in Table(spec, source, "en_US", {}).cells()]


def test_rows_and_columns_cross_as_in_the_vendors_guide(sales: Asking) -> None:
    put(
        sales,
        rows=[group(REGION, showTotals=True)],
        columns=[group(ITEM, showTotals=True)],
        values=[value("SUM", QUANTITY)],
    )
    assert sales.values("A20:G26") == [
        ["SUM of Quantity", "Item Category"],
        ["Region", "Door", "Engine", "Frame", "Panel", "Wheel", "Grand Total"],
        ["East", "", "", "8", "7", "", "15"],
        ["North", "", "3", "", "4", "", "7"],
        ["South", "2", "", "", "", "11", "13"],
        ["West", "", "", "", "", "4", "4"],
        ["Grand Total", "2", "3", "8", "11", "15", "39"],
    ]
    assert sales.typed("A20:G26") == [] and sales.values("G26", valueRenderOption="UNFORMATTED_VALUE") == [[39]]


def test_groups_within_groups_have_totals_and_several_values(sales: Asking) -> None:
    rows = [group(REGION, showTotals=True, label="Where"), group(ITEM, showTotals=True)]
    put(sales, rows=rows, values=[value("COUNTA", MODEL, name="Sold"), value("AVERAGE", COST), value("MAX", SHIPPED)])
    assert sales.values("A20:E30")[:6] == [
        ["Where", "Item Category", "Sold", "AVERAGE of Cost", "MAX of Ship Date"],
        ["East", "Frame", "1", "$34.00", "3/12/2016"],
        ["", "Panel", "1", "$11.50", "5/16/2016"],
        ["East Total", "", "2", "$22.75", "5/16/2016"],
        ["North", "Engine", "2", "$215.00", "7/2/2016"],
        ["", "Panel", "1", "$6.00", "4/2/2016"],
    ]
    assert sales.values("A32:E33") == [["Grand Total", "", "8", "$67.19", "7/2/2016"]]


def test_a_pivot_table_follows_its_source_and_feeds_formulas(sales: Asking) -> None:
    put(sales, rows=[group(REGION, showTotals=True)], values=[value("SUM", QUANTITY)])
    sales.put("J1", [["=B21*10"]])
    assert sales.values("J1") == [["150"]]
    sales.put("D5", [[100]])
    assert sales.values("A21:B21") == [["East", "107"]] and sales.values("J1") == [["1070"]]
    sales.put("E1:E2", [["Area"], ["Centre"]])
    assert sales.values("A20:B21") == [["Area", "SUM of Quantity"], ["Centre", "4"]]


def test_a_pivot_table_is_read_back_changed_and_taken_away(sales: Asking) -> None:
    spec = {
        "rows": [group(REGION)],
        "values": [value("SUM", QUANTITY)],
        "filterSpecs": [{"columnOffsetIndex": ITEM, "filterCriteria": {"visibleValues": ["Panel"]}}],
    }
    put(sales, **spec)
    told = sales.sheet(includeGridData=True, ranges=["A20:B23"])["data"][0]["rowData"]
    assert told[0]["values"][0]["pivotTable"] == {
        "source": SOURCE,
        **spec,
        "criteria": {"0": {"visibleValues": ["Panel"]}},
        "valueLayout": "HORIZONTAL",
    }
    assert (
        told[1]["values"][1]["effectiveValue"] == {"numberValue": 7} and "userEnteredValue" not in told[0]["values"][0]
    )
    assert sales.values("A20:B23") == [["Region", "SUM of Quantity"], ["East", "7"], ["North", "4"]]
    put(sales, rows=[group(ITEM)], values=[value("COUNT", QUANTITY)])
    assert sales.values("A20:B22") == [["Item Category", "COUNT of Quantity"], ["Door", "1"], ["Engine", "2"]]
    sales.one("updateCells", rows=[{"values": [{}]}], start=place(19, 0), fields="pivotTable")
    assert sales.values("A20:B22") == []


@pytest.mark.parametrize("gone", ["A20", "A20:C40"])
def test_emptying_or_typing_over_its_cell_takes_it_away(sales: Asking, gone: str) -> None:
    put(sales, rows=[group(REGION)], values=[value("SUM", QUANTITY)])
    sales.say("spreadsheets.values.clear", spreadsheetId=NOTES, range=gone)
    assert sales.values("A20:B40") == [] and sales.laid("pivot_table") is None
    put(sales, rows=[group(REGION)], values=[value("SUM", QUANTITY)])
    sales.put("A20", [["mine"]])
    assert sales.values("A20:B40") == [["mine"]] and sales.laid("pivot_table") is None


def test_it_does_not_write_over_what_is_in_its_way(sales: Asking) -> None:
    put(sales, rows=[group(REGION)], values=[value("SUM", QUANTITY)])
    sales.put("B22", [["mine"]])
    assert sales.values("A20:B22") == [["#REF!"], [], ["", "mine"]]
    sales.put("B22", [[""]])
    assert sales.values("A22:B22") == [["North", "7"]]


def test_it_moves_with_its_cell_and_its_source(sales: Asking) -> None:
    put(
        sales,
        rows=[group(REGION)],
        values=[value("SUM", QUANTITY)],
        filterSpecs=[
            {
                "columnOffsetIndex": ITEM,
                "filterCriteria": {"condition": {"type": "TEXT_EQ", "values": [{"userEnteredValue": "panel"}]}},
            }
        ],
    )
    before = sales.values("A20:B23")
    sales.batch(
        {
            "insertDimension": {
                "range": {"sheetId": 0, "dimension": "COLUMNS", "startIndex": 1, "endIndex": 2},
                "inheritFromBefore": True,
            }
        },
        {
            "insertDimension": {
                "range": {"sheetId": 0, "dimension": "ROWS", "startIndex": 12, "endIndex": 15},
                "inheritFromBefore": True,
            }
        },
        {"deleteDimension": {"range": {"sheetId": 0, "dimension": "COLUMNS", "startIndex": 6, "endIndex": 7}}},
    )
    told = sales.laid("pivot_table")
    assert told["source"] == SOURCE and [
        told["rows"][0]["sourceColumnOffset"],
        told["values"][0]["sourceColumnOffset"],
    ] == [5, 4]
    assert sales.values("A23:B26") == before
    sales.one("deleteDimension", range={"sheetId": 0, "dimension": "COLUMNS", "startIndex": 4, "endIndex": 5})
    assert sales.values("A23:C26") == [["Region"], ["East"], ["North"]] and sales.laid("pivot_table")["values"] == []


def test_a_copied_sheet_has_its_own(sales: Asking) -> None:
    put(sales, rows=[group(REGION)], values=[value("SUM", QUANTITY)])
    sales.one("duplicateSheet", sourceSheetId=0, newSheetId=7, newSheetName="Two")
    sales.put("Two!D5", [[100]])
    assert sales.values("Two!A21:B21") == [["East", "107"]] and sales.values("Sheet1!A21:B21") == [["East", "15"]]
    sales.batch({"deleteSheet": {"sheetId": 7}}, {"addSheet": {"properties": {"sheetId": 8, "title": "Far"}}})
    spec = {"source": SOURCE, "rows": [group(REGION)], "values": [value("SUM", QUANTITY)]}
    sales.one("updateCells", rows=[{"values": [{"pivotTable": spec}]}], start=place(0, 0, 8), fields="*")
    assert sales.values("Far!A1:B2") == [["Region", "SUM of Quantity"], ["East", "15"]]
    sales.one("deleteSheet", sheetId=0)
    assert sales.values("Far!A1:B2") == [["#REF!"]]


def test_a_copy_in_another_spreadsheet_reads_what_came_along(sales: Asking) -> None:
    put(sales, rows=[group(REGION)], values=[value("SUM", QUANTITY)])
    sales.one("addSheet", properties={"sheetId": 8, "title": "Far"})
    spec = {"source": SOURCE, "rows": [group(REGION)], "values": [value("SUM", QUANTITY)]}
    sales.one("updateCells", rows=[{"values": [{"pivotTable": spec}]}], start=place(0, 0, 8), fields="*")
    titles = [
        sales.say("spreadsheets.sheets.copyTo", spreadsheetId=NOTES, sheetId=gid, destinationSpreadsheetId=BUDGET)[
            "title"
        ]
        for gid in (0, 8)
    ]
    there = Asking(sales.say, BUDGET)
    assert there.values(f"'{titles[0]}'!A21:B21") == [["East", "15"]] and there.values(f"'{titles[1]}'!A1") == [
        ["#REF!"]
    ]


ROWS: list[list[Any]] = [
    ["Who", "When", "Age", "Paid"],
    ["a", 42736.5, 16.0, 10.0],
    ["b", 42769.75, 30.0, 20.0],
    ["c", 43100.25, 70.0, None],
    ["A", 42737.0, 45.0, 40.0],
]


@pytest.mark.parametrize(
    ("rule", "labels"),
    [
        ({"histogramRule": {"start": 25, "interval": 20, "end": 65}}, ["< 25", "25 - 45", "45 - 65", "> 65"]),
        ({"dateTimeRule": {"type": "YEAR_MONTH"}}, ["2017-Jan", "2017-Feb", "2017-Dec"]),
        ({"dateTimeRule": {"type": "QUARTER"}}, ["Q1", "Q4"]),
        ({"dateTimeRule": {"type": "YEAR"}}, [2017.0]),
        ({"dateTimeRule": {"type": "DAY_OF_WEEK"}}, ["Sunday", "Monday", "Friday"]),
        ({"dateTimeRule": {"type": "HOUR_MINUTE_AMPM"}}, ["12:00 AM", "6:00 AM", "12:00 PM", "6:00 PM"]),
        ({"dateTimeRule": {"type": "YEAR_MONTH_DAY"}}, ["2017-01-01", "2017-01-02", "2017-02-03", "2017-12-31"]),
        (
            {
                "manualRule": {
                    "groups": [
                        {"groupName": {"stringValue": "vowels"}, "items": [{"stringValue": "a"}, {"stringValue": "A"}]}
                    ]
                }
            },
            ["b", "c", "vowels"],
        ),
    ],
)
def test_values_are_put_into_buckets(rule: dict[str, Any], labels: list[Any]) -> None:
    column = {"histogramRule": 2, "dateTimeRule": 1, "manualRule": 0}[next(iter(rule))]
    found = pivoted(ROWS, rows=[group(column, groupRule=rule)], values=[value("SUM", 3)])
    assert [line[0] for line in found[1:]] == labels


@pytest.mark.parametrize(
    ("function", "column", "told"),
    [
        ("SUM", 3, 70.0),
        ("COUNTA", 0, 4.0),
        ("COUNT", 3, 3.0),
        ("COUNTUNIQUE", 2, 4.0),
        ("AVERAGE", 2, 40.25),
        ("MAX", 2, 70.0),
        ("MIN", 3, 10.0),
        ("MEDIAN", 3, 20.0),
        ("PRODUCT", 3, 8000.0),
        ("VARP", 3, 1400 / 9),
        ("VAR", 3, 700 / 3),
        ("STDEV", 3, (700 / 3) ** 0.5),
        ("STDEVP", 3, (1400 / 9) ** 0.5),
    ],
)
def test_values_are_summarized(function: str, column: int, told: float) -> None:
    assert pivoted(ROWS, values=[value(function, column)])[1] == [pytest.approx(told)]


def test_groups_are_sorted_by_a_bucket_limited_folded_and_repeated() -> None:
    rows = [["R", "C", "V"], ["x", "p", 1.0], ["x", "q", 9.0], ["y", "p", 5.0], ["y", "q", 2.0], ["z", "p", 3.0]]
    down = {
        "rows": [group(0, valueBucket={"buckets": [{"stringValue": "p"}]}, sortOrder="DESCENDING")],
        "columns": [group(1)],
    }
    assert [line[0] for line in pivoted(rows, **down, values=[value("SUM", 2)])[2:]] == ["y", "z", "x"]
    down["rows"] = [group(0, valueBucket={}, groupLimit={"countLimit": 2})]
    assert pivoted(rows, **down, values=[value("SUM", 2)])[2:] == [["z", 3.0, None], ["y", 5.0, 2.0]]
    nested = [
        group(0, repeatHeadings=True, valueMetadata=[{"value": {"stringValue": "x"}, "collapsed": True}]),
        group(1),
    ]
    assert pivoted(rows, rows=nested, values=[value("SUM", 2)])[1:] == [
        ["x Total", None, 10.0],
        ["y", "p", 5.0],
        ["y", "q", 2.0],
        ["z", "p", 3.0],
    ]


@pytest.mark.parametrize(
    ("kind", "told"),
    [
        ("PERCENT_OF_ROW_TOTAL", [0.25, 0.75, 1.0]),
        ("PERCENT_OF_COLUMN_TOTAL", [0.2, 0.6, 0.4]),
        ("PERCENT_OF_GRAND_TOTAL", [0.1, 0.3, 0.4]),
    ],
)
def test_values_are_shown_as_shares_of_totals(kind: str, told: list[float]) -> None:
    rows = [["R", "C", "V"], ["x", "p", 1.0], ["x", "q", 3.0], ["y", "p", 4.0], ["y", "q", 2.0]]
    found = pivoted(
        rows, rows=[group(0)], columns=[group(1, showTotals=True)], values=[value("SUM", 2, calculatedDisplayType=kind)]
    )
    assert found[2] == ["x", *map(pytest.approx, told)]


def test_values_stand_side_by_side_or_one_below_the_other() -> None:
    rows = [["R", "C", "V"], ["x", "p", 1.0], ["y", "q", 3.0]]
    spec = {
        "columns": [group(1, showTotals=True)],
        "rows": [group(0, showTotals=True)],
        "values": [value("SUM", 2), value("COUNTA", 0)],
    }
    assert pivoted(rows, **spec) == [
        [None, "C", None, None, None, None, None],
        [None, "p", None, "q", None, "Total SUM of V", "Total COUNTA of R"],
        ["R", "SUM of V", "COUNTA of R", "SUM of V", "COUNTA of R", None, None],
        ["x", 1.0, 1.0, None, None, 1.0, 1.0],
        ["y", None, None, 3.0, 1.0, 3.0, 1.0],
        ["Grand Total", 1.0, 1.0, 3.0, 1.0, 4.0, 2.0],
    ]
    assert pivoted(rows, **spec, valueLayout="VERTICAL")[1:] == [
        ["R", "Values", "p", "q", "Grand Total"],
        ["x", "SUM of V", 1.0, None, 1.0],
        [None, "COUNTA of R", 1.0, None, 1.0],
        ["y", "SUM of V", None, 3.0, 3.0],
        [None, "COUNTA of R", None, 1.0, 1.0],
        ["Total SUM of V", None, 1.0, 3.0, 4.0],
        ["Total COUNTA of R", None, 1.0, 1.0, 2.0],
    ]


def test_calculated_values_take_sums_or_whole_columns_by_their_names(sales: Asking) -> None:
    mean = "=SUMPRODUCT(Cost,Quantity)/SUM('Quantity')"
    put(
        sales,
        rows=[group(REGION)],
        values=[
            {"formula": "=Cost*Quantity", "summarizeFunction": "SUM"},
            {"formula": mean, "summarizeFunction": "CUSTOM", "name": "Mean"},
        ],
    )
    assert sales.values("A20:C21") == [["Region", "Calculated Field 1", "Mean"], ["East", "682.5", "23.5"]]
    assert sales.put("J1", [['=PIVOT.TABLE(A1:B9,"{}")']]) is None and sales.values("J1") == [["#NAME?"]]


@pytest.mark.parametrize(
    ("filters", "left"),
    [
        (
            {
                "filterCriteria": {"condition": {"type": "NUMBER_GREATER", "values": [{"userEnteredValue": "5"}]}},
                "columnOffsetIndex": QUANTITY,
            },
            ["East", "South"],
        ),
        (
            {
                "filterCriteria": {"condition": {"type": "DATE_AFTER", "values": [{"userEnteredValue": "5/1/2016"}]}},
                "columnOffsetIndex": SHIPPED,
            },
            ["East", "North"],
        ),
        (
            {"filterCriteria": {"visibleValues": ["7/2/2016", "3/1/2016"]}, "columnOffsetIndex": SHIPPED},
            ["North", "West"],
        ),
        (
            {"filterCriteria": {"visibleByDefault": True, "visibleValues": []}, "columnOffsetIndex": SHIPPED},
            ["East", "North", "South", "West"],
        ),
    ],
)
def test_filters_leave_rows_out(sales: Asking, filters: dict[str, Any], left: list[str]) -> None:
    put(sales, rows=[group(REGION)], values=[value("SUM", QUANTITY)], filterSpecs=[filters])
    assert [line[0] for line in sales.values("A21:A30")] == left


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ({"rows": [group(7)]}, "Source column offset 7 is not in the source range of the pivot table."),
        ({"source": None}, "source is required."),
        ({"values": [{"sourceColumnOffset": 1}]}, "summarizeFunction is required."),
        ({"values": [value("NONE", 1)]}, "summarizeFunction NONE is not"),
        ({"values": [value("SUM", 1, formula="=1")]}, "Exactly one of formula and sourceColumnOffset"),
        (
            {"rows": [group(2, groupRule={"histogramRule": {"interval": 0}})]},
            "HistogramRule.interval must be positive.",
        ),
        ({"rows": [group(2, groupRule={})]}, "Exactly one of manualRule, histogramRule and dateTimeRule"),
        ({"rows": [group(0, valueBucket={"valuesIndex": 2})]}, "valuesIndex 2 is not"),
        (
            {"values": [value("TWICE", 1)]},
            "Invalid value at 'requests[0].update_cells.rows[0].values[0].pivot_table.values[0].summarize_function'",
        ),
        (
            {
                "filterSpecs": [
                    {
                        "filterCriteria": {
                            "condition": {"type": "CUSTOM_FORMULA", "values": [{"userEnteredValue": "=A1"}]}
                        }
                    }
                ]
            },
            "Formulas and relat",
        ),
        ({"dataSourceId": "x"}, ""),
    ],
)
def test_definitions_that_mean_nothing_are_refused(sales: Asking, spec: dict[str, Any], said: str) -> None:
    cell = {"pivotTable": {"source": SOURCE, **spec}}
    code, problem = sales.refused("updateCells", rows=[{"values": [cell]}], start=place(19, 0), fields="pivotTable")
    assert code == ("bad_request" if said else "unsupported_request") and problem.startswith(said)


def test_a_pivot_table_at_the_door(client: SheetsClient) -> None:
    """Validated against the published description."""
    key = client.post("/v4/spreadsheets", json={}).json()["spreadsheetId"]
    client.put(f"/v4/spreadsheets/{key}/values/A1?valueInputOption=USER_ENTERED", json={"values": SALES})
    spec = {"source": SOURCE, "rows": [group(REGION)], "values": [value("SUM", QUANTITY)]}
    update = {
        "updateCells": {"rows": [{"values": [{"pivotTable": spec}]}], "start": place(19, 0), "fields": "pivotTable"}
    }
    asked = {
        "requests": [update],
        "includeSpreadsheetInResponse": True,
        "responseIncludeGridData": True,
        "responseRanges": ["A20:B21"],
    }
    told = client.post(f"/v4/spreadsheets/{key}:batchUpdate", json=asked).json()
    rows = told["updatedSpreadsheet"]["sheets"][0]["data"][0]["rowData"]
    assert (
        rows[0]["values"][0]["pivotTable"]["rows"] == [group(REGION)] and rows[1]["values"][1]["formattedValue"] == "15"
    )


def test_the_page_shows_it_as_its_source_is_shown(sales: Asking) -> None:
    put(sales, rows=[group(SHIPPED)], values=[value("SUM", COST)])
    cells = sales.say("web.cells", "ada", spreadsheetId=NOTES, gid=0, view=[19, 0, 22, 2])["window"]["cells"]
    assert [cell[2] for cell in cells if cell[0] >= 19] == [
        "Ship Date",
        "SUM of Cost",
        "3/1/2016",
        "$20.50",
        "3/12/2016",
        "$34.00",
    ]
