"""Rows and columns: inserted, deleted, appended, moved, resized, grouped; everything on the sheet follows."""

from typing import Any

import pytest

from tests.apps.sheets.conftest import BUDGET, Say
from tests.apps.sheets.requests.change_requests import Asking, grid, lines

HEAD = ["Team", "Q1", "Q2", "Total"]


def test_rows_put_in_move_what_is_below_and_formulas_know(budget: Asking) -> None:
    assert budget.batch({"insertDimension": {"range": lines("ROWS", 1, 3)}}) == [{}]
    assert budget.typed() == [
        HEAD,
        [],
        [],
        ["Core", 1200, 1350.5, "=B4+C4"],
        ["Support", 300, 280, "=B5+C5"],
        [],
        ["All", "=SUM(B4:B5)", "=SUM(C4:C5)", "=SUM(D4:D5)"],
    ]
    assert budget.values("D7") == [["3130.5"]]
    assert budget.sheet()["properties"]["gridProperties"]["rowCount"] == 1002


def test_a_row_put_into_a_range_makes_it_longer(budget: Asking) -> None:
    budget.one("insertDimension", range=lines("ROWS", 2, 3))
    assert budget.typed("B6") == [["=SUM(B2:B4)"]]


def test_columns_deleted_leave_errors_where_they_were_read(budget: Asking) -> None:
    budget.one("deleteDimension", range=lines("COLUMNS", 1, 2))
    assert budget.typed("A1:C2") == [["Team", "Q2", "Total"], ["Core", 1350.5, "=#REF!+B2"]]
    assert budget.values("C2") == [["#REF!"]]
    assert budget.sheet()["properties"]["gridProperties"]["columnCount"] == 25


def test_what_is_deleted_does_not_come_back_with_new_rows(budget: Asking) -> None:
    budget.batch(
        {"deleteDimension": {"range": lines("ROWS", 1, 3)}}, {"insertDimension": {"range": lines("ROWS", 1, 3)}}
    )
    assert budget.typed("A1:A5") == [["Team"], [], [], [], ["All"]]
    budget.batch(
        {"deleteDimension": {"range": lines("ROWS", 4, 1000)}},
        {"appendDimension": {"sheetId": 0, "dimension": "ROWS", "length": 9}},
    )
    assert budget.typed("A1:A13") == [["Team"]]


def test_formulas_of_other_sheets_follow(budget: Asking) -> None:
    budget.one("addSheet", properties={"title": "Other one", "sheetId": 7})
    budget.put("'Other one'!A1", [["=Sheet1!B2", "=SUM(Sheet1!B:B)", "=B2"]])
    budget.batch(
        {"insertDimension": {"range": lines("ROWS", 0, 1)}}, {"insertDimension": {"range": lines("COLUMNS", 0, 1)}}
    )
    assert budget.typed("'Other one'!A1:C1") == [["=Sheet1!C3", "=SUM(Sheet1!C:C)", "=B2"]]
    assert budget.values("'Other one'!A1") == [["1200"]]


def test_new_rows_look_like_their_neighbours(budget: Asking) -> None:
    red = {"userEnteredFormat": {"backgroundColor": {"red": 1}}}
    budget.one("repeatCell", range=grid(1, 0, 2, 2), cell=red, fields="userEnteredFormat.backgroundColor")
    budget.one("updateDimensionProperties", range=lines("ROWS", 1, 2), properties={"pixelSize": 40}, fields="pixelSize")
    budget.batch(
        {"insertDimension": {"range": lines("ROWS", 2, 3), "inheritFromBefore": True}},
        {"insertDimension": {"range": lines("ROWS", 1, 2)}},
        {"insertDimension": {"range": lines("ROWS", 1, 2), "inheritFromBefore": True}},
    )
    data = budget.sheet(includeGridData=True, ranges=["A1:B6"])["data"][0]
    told = [row.get("values", [{}])[0].get("userEnteredFormat", {}).get("backgroundColor") for row in data["rowData"]]
    assert told == [None, None, {"red": 1}, {"red": 1}, {"red": 1}, None]
    assert [row["pixelSize"] for row in data["rowMetadata"]] == [21, 21, 40, 40, 40, 21]


def test_moved_rows_take_their_readers_along(budget: Asking) -> None:
    budget.one("moveDimension", source=lines("ROWS", 1, 2), destinationIndex=4)
    assert budget.typed("A1:D5")[:4] == [HEAD, ["Support", 300, 280, "=B2+C2"], [], ["Core", 1200, 1350.5, "=B4+C4"]]
    budget.one("moveDimension", source=lines("COLUMNS", 3, 4), destinationIndex=0)
    assert budget.typed("A1:D2") == [["Total", "Team", "Q1", "Q2"], ["=C2+D2", "Support", 300, 280]]


def test_the_vendors_own_example_of_a_move(budget: Asking) -> None:
    budget.put("F1:F5", [[0], [1], [2], [3], [4]])
    budget.one("moveDimension", source=lines("ROWS", 1, 3), destinationIndex=4)
    assert budget.values("F1:F5") == [["0"], ["3"], ["1"], ["2"], ["4"]]


def test_frozen_rows_grow_and_shrink(budget: Asking) -> None:
    frozen = {"sheetId": 0, "gridProperties": {"frozenRowCount": 2}}
    budget.one("updateSheetProperties", properties=frozen, fields="gridProperties.frozenRowCount")
    budget.one("insertDimension", range=lines("ROWS", 1, 2))
    assert budget.sheet()["properties"]["gridProperties"]["frozenRowCount"] == 3
    budget.one("deleteDimension", range=lines("ROWS", 0, 2))
    assert budget.sheet()["properties"]["gridProperties"]["frozenRowCount"] == 1
    assert budget.refused("deleteDimension", range=lines("ROWS", 1, 999)) == (
        "bad_request",
        "Sorry, it is not possible to delete all non-frozen rows.",
    )


def test_sizes_go_with_their_rows_and_can_be_hidden(budget: Asking) -> None:
    budget.one(
        "updateDimensionProperties",
        range=lines("ROWS", 3, 4),
        properties={"pixelSize": 50, "hiddenByUser": True},
        fields="*",
    )
    budget.one("insertDimension", range=lines("ROWS", 1, 2))
    rows = budget.sheet(includeGridData=True, ranges=["A1:A6"])["data"][0]["rowMetadata"]
    assert rows[4] == {"pixelSize": 50, "hiddenByUser": True} and rows[3] == {"pixelSize": 21}
    budget.one("updateDimensionProperties", range=lines("ROWS", 4, 5), properties={}, fields="hiddenByUser")
    assert budget.sheet(includeGridData=True, ranges=["A5"])["data"][0]["rowMetadata"] == [{"pixelSize": 50}]


def test_columns_are_made_to_fit(budget: Asking) -> None:
    budget.put("A2", [["A team with a very long name"]])
    budget.one("autoResizeDimensions", dimensions=lines("COLUMNS", 0, 6))
    widths = [
        one["pixelSize"] for one in budget.sheet(includeGridData=True, ranges=["A1:F1"])["data"][0]["columnMetadata"]
    ]
    assert widths[0] > 150 and widths[1] < 100 and widths[4:] == [100, 100]


def test_rows_and_columns_are_appended(budget: Asking) -> None:
    budget.batch(
        {"appendDimension": {"sheetId": 0, "dimension": "ROWS", "length": 5}},
        {"appendDimension": {"dimension": "COLUMNS", "length": 1}},
    )
    assert budget.sheet()["properties"]["gridProperties"] == {"rowCount": 1005, "columnCount": 27}
    assert budget.typed("A1:D1") == [HEAD]


@pytest.mark.parametrize(
    ("kind", "given", "said"),
    [
        (
            "insertDimension",
            {"range": lines("ROWS", 1000, 1001)},
            "range.startIndex must be less than the grid size (1000) if inheritFromBefore is false.",
        ),
        (
            "insertDimension",
            {"range": lines("ROWS", 0, 1), "inheritFromBefore": True},
            "range.startIndex must be greater than 0 if inheritFromBefore is true.",
        ),
        ("insertDimension", {"range": lines("ROWS", -1, 1)}, "DimensionRange indexes must be >= 0"),
        ("insertDimension", {"range": lines("ROWS", 3, 2)}, "endIndex[2] must be greater than startIndex[3]."),
        (
            "insertDimension",
            {"range": {"dimension": "ROWS", "startIndex": 2}},
            "Both startIndex and endIndex must be specified.",
        ),
        ("insertDimension", {"range": {"startIndex": 2, "endIndex": 3}}, "A dimension must be specified."),
        (
            "insertDimension",
            {"range": lines("COLUMNS", 1, 20_000)},
            "This action would increase the number of columns in the sheet above the limit of 18278 columns.",
        ),
        (
            "insertDimension",
            {"range": lines("ROWS", 1, 500_000)},
            "This action would increase the number of cells in the workbook above the limit of 10000000 cells.",
        ),
        ("insertDimension", {}, "range is required."),
        ("deleteDimension", {"range": lines("ROWS", 0, 1000)}, "You can't delete all the rows on the sheet."),
        ("deleteDimension", {"range": {"dimension": "COLUMNS"}}, "You can't delete all the columns on the sheet."),
        (
            "deleteDimension",
            {"range": lines("ROWS", 1000, 1001)},
            "Cannot delete a row that doesn't exist. Tried to delete row index 1000 but there are only 1000 rows.",
        ),
        ("appendDimension", {"dimension": "ROWS", "length": 0}, "length must be greater than 0."),
        (
            "appendDimension",
            {"dimension": "ROWS", "length": 999_000},
            "This action would increase the number of cells in the workbook above the limit of 10000000 cells.",
        ),
        (
            "moveDimension",
            {"source": lines("ROWS", 1, 2), "destinationIndex": 1001},
            "destinationIndex[1001] is after last row in grid[1000].",
        ),
        (
            "updateDimensionProperties",
            {"range": lines("ROWS", 0, 1), "properties": {}, "fields": "pixelSize"},
            "pixelSize must be greater than 0.",
        ),
        ("deleteDimensionGroup", {"range": lines("ROWS", 0, 1)}, "No group exists over the specified range."),
        ("insertDimension", {"range": "rows"}, "Invalid value at 'insertDimension.range', \"rows\""),
        (
            "insertDimension",
            {"range": {**lines("ROWS", 0, 1), "startIndex": "x"}},
            "Invalid value at 'insertDimension.range.startIndex', \"x\"",
        ),
        (
            "insertDimension",
            {"range": {**lines("ROWS", 0, 1), "startIndex": 1e300}},
            "Invalid value at 'insertDimension.range.startIndex', \"1e+300\"",
        ),
        (
            "insertDimension",
            {"ranges": [3], "rang": {}},
            "Unknown name \"rang\" at 'insertDimension': Cannot find field.",
        ),
    ],
)
def test_what_cannot_be_done_is_said(budget: Asking, kind: str, given: dict[str, Any], said: str) -> None:
    assert budget.refused(kind, **given) == ("bad_request", said)


def test_a_sheet_that_is_not_there(budget: Asking) -> None:
    assert budget.refused("deleteDimension", range=lines("ROWS", 0, 1, sheet=9))[0] == "no_sheet"


def test_readers_and_strangers_may_not(budget: Asking) -> None:
    assert budget.refused("insertDimension", "cyrus", range=lines("ROWS", 0, 1))[0] == "forbidden"


def test_merges_grow_shrink_and_vanish(budget: Asking) -> None:
    budget.lay("merge", grid(1, 1, 4, 3))
    budget.one("insertDimension", range=lines("ROWS", 2, 4))
    assert budget.sheet()["merges"] == [grid(1, 1, 6, 3)]
    budget.batch(
        {"insertDimension": {"range": lines("ROWS", 6, 7)}}, {"insertDimension": {"range": lines("COLUMNS", 3, 4)}}
    )
    assert budget.sheet()["merges"] == [grid(1, 1, 6, 3)]
    budget.batch(
        {"deleteDimension": {"range": lines("ROWS", 2, 6)}}, {"deleteDimension": {"range": lines("COLUMNS", 2, 3)}}
    )
    assert "merges" not in budget.sheet()


def test_rows_are_not_torn_out_of_merges(budget: Asking) -> None:
    budget.lay("merge", grid(1, 1, 4, 3))
    for given in (
        {"source": lines("ROWS", 1, 2), "destinationIndex": 6},
        {"source": lines("ROWS", 8, 9), "destinationIndex": 2},
    ):
        assert "merged" in budget.refused("moveDimension", **given)[1]
    budget.one("moveDimension", source=lines("ROWS", 1, 4), destinationIndex=6)
    assert budget.sheet()["merges"] == [grid(3, 1, 6, 3)]


def test_protected_rows_stay(budget: Asking) -> None:
    budget.lay("protected_range", grid(1, 0, 4, 5), {"editors": {"users": ["ada@tiny.example"]}})
    for kind, given in (
        ("deleteDimension", {"range": lines("ROWS", 3, 6)}),
        ("insertDimension", {"range": lines("ROWS", 2, 3)}),
        ("moveDimension", {"source": lines("ROWS", 2, 3), "destinationIndex": 8}),
        ("moveDimension", {"source": lines("ROWS", 8, 9), "destinationIndex": 2}),
    ):
        assert budget.refused(kind, "bo", **given)[0] == "protected"
    budget.batch(
        {"insertDimension": {"range": lines("ROWS", 0, 1)}},
        {"deleteDimension": {"range": lines("ROWS", 7, 8)}},
        who="bo",
    )
    budget.one("deleteDimension", range=lines("ROWS", 3, 4))


def test_descriptions_follow_with_their_ranges_and_formulas(budget: Asking) -> None:
    condition = {"type": "CUSTOM_FORMULA", "values": [{"userEnteredValue": "=$B2>3"}]}
    budget.lay(
        "conditional_format",
        None,
        {"ranges": [grid(1, 0, 3, 2), grid(8, 0, 9, 1)], "booleanRule": {"condition": condition}},
    )
    source = {"domains": [{"domain": {"sourceRange": {"sources": [grid(1, 0, 3, 1)]}}}]}
    anchor = {"overlayPosition": {"anchorCell": {"rowIndex": 8, "columnIndex": 2}}}
    budget.lay("chart", None, {"spec": {"title": "=B2", "basicChart": source}, "position": anchor})
    criteria = {"1": {"hiddenValues": ["x"]}, "3": {}}
    budget.lay("filter_view", grid(0, 0, 5, 4), {"criteria": criteria, "sortSpecs": [{"dimensionIndex": 3}]})
    budget.batch(
        {"insertDimension": {"range": lines("ROWS", 1, 2)}}, {"deleteDimension": {"range": lines("COLUMNS", 1, 2)}}
    )
    budget.one("deleteDimension", range=lines("ROWS", 9, 10))
    rule, chart, view = (budget.laid(kind) for kind in ("conditional_format", "chart", "filter_view"))
    assert rule["ranges"] == [grid(2, 0, 4, 1)]
    assert rule["booleanRule"]["condition"]["values"] == [{"userEnteredValue": "=#REF!>3"}]
    assert chart["spec"] == {
        "title": "=B2",
        "basicChart": {"domains": [{"domain": {"sourceRange": {"sources": [grid(2, 0, 4, 1)]}}}]},
    }
    assert chart["position"]["overlayPosition"]["anchorCell"] == {"rowIndex": 9, "columnIndex": 1}
    assert view == {"criteria": {"2": {}}, "sortSpecs": [{"dimensionIndex": 2}]}


def test_a_rule_without_cells_is_no_more(budget: Asking) -> None:
    budget.lay("conditional_format", None, {"ranges": [grid(1, 0, 3, 2)]})
    budget.lay("named_range", grid(2, 0, 3, 1), name="Here")
    budget.one("deleteDimension", range=lines("ROWS", 1, 3))
    assert budget.laid("conditional_format") is None
    assert budget.laid("named_range") is None


def test_validation_rules_follow(budget: Asking) -> None:
    rule = {"condition": {"type": "ONE_OF_RANGE", "values": [{"userEnteredValue": "=Sheet1!$A$2:$A$3"}]}}
    budget.one("repeatCell", range=grid(6, 0, 7, 1), cell={"dataValidation": rule}, fields="dataValidation")
    budget.one("insertDimension", range=lines("ROWS", 1, 2))
    cell = budget.sheet(includeGridData=True, ranges=["A8"])["data"][0]["rowData"][0]["values"][0]
    assert cell["dataValidation"]["condition"]["values"] == [{"userEnteredValue": "=Sheet1!$A$3:$A$4"}]


def test_named_ranges_follow_and_formulas_with_them(budget: Asking) -> None:
    budget.lay("named_range", grid(1, 1, 3, 2), name="Sales")
    budget.put("F1", [["=SUM(Sales)"]])
    budget.one("insertDimension", range=lines("ROWS", 0, 1))
    assert budget.values("F2") == [["1500"]]
    assert budget.say("spreadsheets.get", spreadsheetId=BUDGET)["namedRanges"][0]["range"] == grid(2, 1, 4, 2)


def test_a_deleted_sheet_is_missed(budget: Asking) -> None:
    budget.one("addSheet", properties={"title": "Extra", "sheetId": 5})
    budget.put("F1", [["=Extra!A1"]])
    budget.batch({"deleteSheet": {"sheetId": 5}}, {"addSheet": {"properties": {"title": "Extra"}}})
    assert budget.typed("F1") == [["=#REF!"]]


def test_a_sheet_made_smaller_loses_what_lies_beyond(budget: Asking) -> None:
    smaller = {"sheetId": 0, "gridProperties": {"rowCount": 3, "columnCount": 3}}
    budget.one("updateSheetProperties", properties=smaller, fields="gridProperties(rowCount,columnCount)")
    assert budget.typed() == [["Team", "Q1", "Q2"], ["Core", 1200, 1350.5], ["Support", 300, 280]]
    budget.one("appendDimension", dimension="ROWS", length=5)
    assert len(budget.typed()) == 3


# groups


def spans(told: dict[str, Any]) -> list[tuple[int, int, int]]:
    return [
        (one["range"]["startIndex"], one["range"]["endIndex"], one["depth"]) for one in told.get("dimensionGroups", [])
    ]


def test_groups_as_the_vendor_counts_them(budget: Asking) -> None:
    def ask(kind: str, start: int, end: int) -> list[tuple[int, int, int]]:
        return spans(budget.one(kind, range=lines("COLUMNS", start, end)))

    ask("addDimensionGroup", 2, 4)
    assert ask("addDimensionGroup", 1, 5) == [(1, 5, 1), (2, 4, 2)]
    assert ask("deleteDimensionGroup", 3, 5) == [(1, 4, 1), (2, 3, 2)]
    ask("deleteDimensionGroup", 1, 4)
    ask("deleteDimensionGroup", 2, 3)
    ask("addDimensionGroup", 1, 4)
    assert ask("addDimensionGroup", 2, 5) == [(1, 5, 1), (2, 4, 2)]


def test_a_folded_group_hides_its_rows_and_stretches(budget: Asking) -> None:
    budget.one("addDimensionGroup", range=lines("ROWS", 1, 3))
    group = {"range": lines("ROWS", 1, 3), "depth": 1, "collapsed": True}
    budget.one("updateDimensionGroup", dimensionGroup=group, fields="collapsed")
    rows = budget.sheet(includeGridData=True, ranges=["A1:A4"])["data"][0]["rowMetadata"]
    assert [row.get("hiddenByUser", False) for row in rows] == [False, True, True, False]
    budget.one("insertDimension", range=lines("ROWS", 2, 3))
    assert budget.sheet()["rowGroups"] == [{"range": lines("ROWS", 1, 4), "depth": 1, "collapsed": True}]
    assert "depth" in budget.refused("updateDimensionGroup", dimensionGroup={**group, "depth": 4}, fields="*")[1]


def test_groups_within_groups_end_somewhere(budget: Asking) -> None:
    for _ in range(8):
        budget.one("addDimensionGroup", range=lines("ROWS", 1, 3))
    assert "levels" in budget.refused("addDimensionGroup", range=lines("ROWS", 1, 3))[1]


# all or nothing


def test_an_error_in_the_seventh_request_leaves_nothing_of_the_six(budget: Asking, refused: Say) -> None:
    before = budget.everything()
    six = [
        {"insertDimension": {"range": lines("ROWS", 1, 2)}},
        {"deleteDimension": {"range": lines("COLUMNS", 0, 1)}},
        {"updateCells": {"start": {}, "rows": [{"values": [{"userEnteredValue": {"numberValue": 5}}]}], "fields": "*"}},
        {"moveDimension": {"source": lines("ROWS", 0, 1), "destinationIndex": 5}},
        {"addSheet": {"properties": {"title": "New"}}},
        {"findReplace": {"find": "o", "replacement": "0", "allSheets": True}},
    ]
    bad = {"deleteDimension": {"range": lines("ROWS", 5000, 5001)}}
    assert refused("spreadsheets.batchUpdate", spreadsheetId=BUDGET, requests=[*six, bad]) == "bad_request"
    assert budget.everything() == before
    budget.put("F1", [["=B2*2"]])
    assert budget.values("F1") == [["2400"]]
