"""What lies on ranges: filters, named and protected ranges, charts, tables, slicers, metadata, comments."""

import tomllib
from typing import Any

import pytest

from apps.sheets.grid import filter_effects
from apps.sheets.operations.requests import KINDS
from tests.apps.sheets.conftest import BUDGET, EMAIL, Say
from tests.apps.sheets.requests.change_requests import Asking, grid, lines, place
from tests.apps.sheets.requests.test_requests_formats import RED, rule
from tests.conformance.sheets_client import SheetsClient
from tests.conformance.sheets_coverage import file
from tests.conformance.specs import document
from world.core.errors import OperationError

TABLE = grid(0, 0, 5, 4)
LINKS = ("addDataSource", "cancelDataSourceRefresh", "deleteDataSource", "refreshDataSource", "updateDataSource")


def hidden(budget: Asking) -> list[int]:
    """The rows a filter hides, as people count them."""
    rows = budget.sheet(includeGridData=True, ranges=["A1:A10"])["data"][0]["rowMetadata"]
    return [number for number, row in enumerate(rows, 1) if row.get("hiddenByFilter")]


def listed_kinds() -> Any:
    """The kinds of request that coverage.toml tells."""
    return tomllib.loads(file("sheets").read_text(encoding="utf-8"))["kinds"]


def spec(column: int, **criterion: Any) -> dict[str, Any]:
    """A FilterSpec."""
    return {"columnIndex": column, "filterCriteria": criterion}


def test_every_kind_of_request_is_there_but_those_of_data_sources(budget: Asking) -> None:
    published = set(document("sheets")["schemas"]["Request"]["properties"])
    assert published - set(KINDS) == set(LINKS) and set(KINDS) <= published
    assert listed_kinds() == {"done": sorted(KINDS), "refused": sorted(LINKS)}
    assert budget.refused("refreshDataSource", isAll=True)[0] == "unsupported_request"


# filters


@pytest.mark.parametrize(
    ("criterion", "gone"),
    [
        (spec(0, hiddenValues=["Core", ""]), [2, 4]),
        (spec(1, condition=rule("NUMBER_GREATER", "500")), [3, 4]),
        (spec(1, condition=rule("CUSTOM_FORMULA", "=C2>B2")), [3, 4]),
        (spec(0, condition=rule("TEXT_NOT_CONTAINS", "or")), [2, 3]),
        (spec(1, hiddenValues=["1500"]), [5]),
        (spec(0, condition=rule("NOT_BLANK")), [4]),
        (spec(0, visibleBackgroundColor=RED), [2, 4, 5]),
        (spec(0, visibleForegroundColorStyle={"rgbColor": {}}), []),
    ],
)
def test_a_filter_hides_rows(budget: Asking, criterion: Any, gone: list[int]) -> None:
    budget.one(
        "repeatCell",
        range=grid(2, 0, 3, 1),
        cell={"userEnteredFormat": {"backgroundColor": RED}},
        fields="userEnteredFormat",
    )
    assert budget.one("setBasicFilter", filter={"range": TABLE, "filterSpecs": [criterion]}) is None
    assert hidden(budget) == gone
    told = budget.sheet()["basicFilter"]
    assert told["range"] == TABLE and told["filterSpecs"] == [criterion]
    assert told["criteria"] == {str(criterion["columnIndex"]): criterion["filterCriteria"]}
    budget.one("clearBasicFilter", sheetId=0)
    assert hidden(budget) == [] and "basicFilter" not in budget.sheet()


def test_a_filter_sorts_and_is_reapplied_when_asked(budget: Asking) -> None:
    budget.one(
        "setBasicFilter",
        filter={
            "range": grid(0, 0, 3, 4),
            "criteria": {"1": {"condition": rule("NUMBER_LESS", "1000")}},
            "sortSpecs": [{"dimensionIndex": 1, "sortOrder": "ASCENDING"}],
        },
    )
    assert (budget.values("A1:B3"), hidden(budget)) == ([["Team", "Q1"], ["Support", "300"], ["Core", "1200"]], [3])
    budget.put("B3", [[5]])
    assert hidden(budget) == [3]
    budget.within(lambda book: filter_effects.apply(book, book.tabs[0]))
    assert hidden(budget) == []


def test_hidden_rows_keep_their_validation_unless_asked(budget: Asking) -> None:
    budget.one("setBasicFilter", filter={"range": TABLE, "filterSpecs": [spec(0, hiddenValues=["Core"])]})
    for asked, rows in ((False, 4), (True, 5)):
        budget.one(
            "setDataValidation",
            range=grid(0, 0, 5, 1),
            rule={"condition": rule("TEXT_CONTAINS", "x")},
            filteredRowsIncluded=asked,
        )
        data = budget.sheet(includeGridData=True, ranges=["A1:A5"])["data"][0]["rowData"]
        assert sum("dataValidation" in row["values"][0] for row in data if row) == rows


def test_filter_views_change_nothing_for_others(budget: Asking) -> None:
    made = budget.one(
        "addFilterView",
        filter={"range": TABLE, "filterSpecs": [spec(0, hiddenValues=["All"])], "sortSpecs": [{"dimensionIndex": 1}]},
    )
    view = made["filter"]
    assert view["title"] == "Filter 1" and hidden(budget) == []
    copy = budget.one("duplicateFilterView", filterId=view["filterViewId"])["filter"]
    assert copy["title"] == "Copy of Filter 1" and copy["filterSpecs"] == view["filterSpecs"]
    budget.one(
        "updateFilterView",
        filter={"filterViewId": copy["filterViewId"], "title": "Mine", "criteria": {"2": {"hiddenValues": ["280"]}}},
        fields="title,criteria",
    )
    told = budget.sheet()["filterViews"]
    assert [(one["title"], list(one["criteria"])) for one in told] == [("Filter 1", ["0"]), ("Mine", ["2"])]
    budget.one("deleteFilterView", filterId=view["filterViewId"])
    assert len(budget.sheet()["filterViews"]) == 1
    assert budget.refused("deleteFilterView", filterId=view["filterViewId"])[0] == "no_object"


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ({}, "Exactly one of range, namedRangeId and tableId must be set."),
        ({"range": TABLE, "namedRangeId": "5"}, "Exactly one of range, named"),
        (
            {"range": TABLE, "filterSpecs": [spec(4, hiddenValues=["x"])]},
            "Filter criteria column 4 is not in the range.",
        ),
        ({"range": TABLE, "sortSpecs": [{"dimensionIndex": 9}]}, "dimensionIndex 9 is not in the range."),
        ({"range": TABLE, "criteria": {"x": {"hiddenValues": []}}}, "The keys of criteria must be column indexes."),
        (
            {"range": TABLE, "filterSpecs": [spec(0, condition=rule("ONE_OF_LIST", "x"))]},
            "ConditionType 'ONE_OF_LIST' is not supported by filters.",
        ),
        (
            {"range": TABLE, "filterSpecs": [spec(0, hiddenValues=[5])]},
            "Invalid value at 'requests[0].set_basic_filter.filter.filter_specs[0]",
        ),
    ],
)
def test_filters_that_mean_nothing(budget: Asking, given: Any, problem: str) -> None:
    code, said = budget.refused("setBasicFilter", filter=given)
    assert code == "bad_request" and said.startswith(problem)


def test_a_slicer_hides_rows_and_goes(budget: Asking) -> None:
    position = {"overlayPosition": {"anchorCell": place(6, 6)}}
    made = budget.one(
        "addSlicer",
        slicer={
            "position": position,
            "spec": {"dataRange": TABLE, "columnIndex": 1, "title": "Q1", "filterCriteria": {"hiddenValues": ["300"]}},
        },
    )["slicer"]
    assert hidden(budget) == [3] and budget.sheet()["slicers"] == [made]
    budget.one(
        "updateSlicerSpec",
        slicerId=made["slicerId"],
        spec={"filterCriteria": {"hiddenValues": ["1200"]}},
        fields="filterCriteria",
    )
    assert hidden(budget) == [2]
    budget.one("deleteEmbeddedObject", objectId=made["slicerId"])
    assert hidden(budget) == [] and "slicers" not in budget.sheet()


# names


def test_rules_follow_the_title_of_a_sheet(budget: Asking) -> None:
    budget.one(
        "addConditionalFormatRule",
        rule={"ranges": [TABLE], "booleanRule": {"condition": rule("CUSTOM_FORMULA", "=A1>Sheet1!B2")}},
    )
    budget.one("setDataValidation", range=grid(0, 7, 1, 8), rule={"condition": rule("ONE_OF_RANGE", "=Sheet1!A1:A3")})
    budget.one("updateSheetProperties", properties={"title": "New one"}, fields="title")
    told = budget.sheet(includeGridData=True, ranges=["H1"])
    assert told["conditionalFormats"][0]["booleanRule"]["condition"]["values"] == [
        {"userEnteredValue": "=A1>'New one'!B2"}
    ]
    assert told["data"][0]["rowData"][0]["values"][0]["dataValidation"]["condition"]["values"] == [
        {"userEnteredValue": "='New one'!A1:A3"}
    ]


def test_formulas_follow_the_name_of_a_range(budget: Asking) -> None:
    made = budget.one("addNamedRange", namedRange={"name": "Costs", "range": grid(1, 1, 3, 2)})["namedRange"]
    budget.put("F1", [["=SUM(costs)"]])
    budget.one(
        "addConditionalFormatRule",
        rule={"ranges": [TABLE], "booleanRule": {"condition": rule("CUSTOM_FORMULA", "=A1>SUM(Costs)")}},
    )
    assert budget.values("F1") == [["1500"]]
    budget.one("updateNamedRange", namedRange={**made, "name": "Spend", "range": grid(1, 2, 3, 3)}, fields="name,range")
    assert (budget.typed("F1"), budget.values("F1"), budget.values("Spend")) == (
        [["=SUM(Spend)"]],
        [["1630.5"]],
        [["1350.5"], ["280"]],
    )
    condition = budget.sheet()["conditionalFormats"][0]["booleanRule"]["condition"]
    assert condition["values"] == [{"userEnteredValue": "=A1>SUM(Spend)"}]
    budget.one("deleteNamedRange", namedRangeId=made["namedRangeId"])
    assert budget.values("F1") == [["#NAME?"]]


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("A1", "Invalid name: A1"),
        ("R1C1", "Invalid name: R1C1"),
        ("two words", "Invalid name: two words"),
        ("1st", "Invalid name: 1st"),
        ("true", "Invalid name: true"),
        ("", "Must specify a name."),
        ("x" * 251, "Invalid name: x"),
        ("TAKEN", "Cannot add named range with name: TAKEN because a range with this name already exists."),
    ],
)
def test_names_that_cannot_be_given(budget: Asking, name: str, problem: str) -> None:
    budget.one("addNamedRange", namedRange={"name": "Taken", "range": grid(0, 0, 1, 1)})
    code, said = budget.refused("addNamedRange", namedRange={"name": name, "range": grid(0, 0, 1, 1)})
    assert code == "bad_request" and said.startswith(problem)


# protection


def test_a_protected_range_is_its_editors(budget: Asking) -> None:
    made = budget.one("addProtectedRange", protectedRange={"range": grid(0, 0, 1, 4), "description": "Header"})[
        "protectedRange"
    ]
    assert made["editors"] == {"users": [EMAIL["p_ada"]]} and made["requestingUserCanEdit"] is True
    number = made["protectedRangeId"]
    cell = {"cell": {"note": "x"}, "fields": "note"}
    assert budget.refused("repeatCell", "bo", range=grid(0, 0, 1, 1), **cell)[0] == "protected"
    assert budget.refused("mergeCells", "bo", range=grid(0, 0, 2, 2))[0] == "protected"
    assert budget.refused("deleteProtectedRange", "bo", protectedRangeId=number)[0] == "protected"
    seen = budget.say("spreadsheets.get", "bo", spreadsheetId=budget.key)["sheets"][0]["protectedRanges"]
    assert seen == [{"protectedRangeId": number, "range": grid(0, 0, 1, 4), "description": "Header"}]
    budget.one(
        "updateProtectedRange",
        protectedRange={"protectedRangeId": number, "editors": {"users": [EMAIL["p_bo"]]}},
        fields="editors",
    )
    budget.one("repeatCell", "bo", range=grid(0, 0, 1, 1), **cell)
    budget.one("deleteProtectedRange", "bo", protectedRangeId=number)
    assert "protectedRanges" not in budget.sheet()


def test_what_somebody_protects_the_owner_may_always_change(budget: Asking) -> None:
    made = budget.one(
        "addProtectedRange", "bo", protectedRange={"range": {"sheetId": 0}, "unprotectedRanges": [grid(7, 0, 9, 2)]}
    )["protectedRange"]
    assert made["range"] == {"sheetId": 0} and made["editors"]["users"] == [EMAIL["p_ada"], EMAIL["p_bo"]]
    budget.put("A1", [["Ada"]])
    cell = {"cell": {"note": "x"}, "fields": "note"}
    budget.one(
        "addProtectedRange",
        protectedRange={"range": {"sheetId": 0}, "unprotectedRanges": [grid(7, 0, 9, 2)], "protectedRangeId": 3},
    )
    budget.one("repeatCell", "bo", range=grid(7, 0, 9, 2), **cell)
    assert budget.refused("repeatCell", "bo", range=grid(7, 0, 9, 3), **cell)[0] == "protected"
    for kind, given in (
        (
            "addBanding",
            {"bandedRange": {"range": TABLE, "rowProperties": {"firstBandColor": RED, "secondBandColor": RED}}},
        ),
        ("setBasicFilter", {"filter": {"range": TABLE}}),
        ("addConditionalFormatRule", {"rule": {"ranges": [TABLE]}}),
    ):
        assert budget.refused(kind, "bo", **given)[0] == "protected"
    budget.one("deleteProtectedRange", protectedRangeId=3)
    budget.one(
        "updateProtectedRange",
        protectedRange={"protectedRangeId": made["protectedRangeId"], "warningOnly": True},
        fields="warningOnly",
    )
    assert "editors" not in budget.sheet()["protectedRanges"][0]


def test_a_protection_follows_its_named_range(budget: Asking) -> None:
    named = budget.one("addNamedRange", namedRange={"name": "Head", "range": grid(0, 0, 1, 4)})["namedRange"]
    budget.one("addProtectedRange", protectedRange={"namedRangeId": named["namedRangeId"]})
    budget.one("updateNamedRange", namedRange={**named, "range": grid(0, 0, 2, 4)}, fields="*")
    assert budget.sheet()["protectedRanges"][0]["range"] == grid(0, 0, 2, 4)
    assert (
        budget.refused("repeatCell", "bo", range=grid(1, 0, 2, 1), cell={"note": "x"}, fields="note")[0] == "protected"
    )
    budget.one("deleteNamedRange", namedRangeId=named["namedRangeId"])
    assert "namedRangeId" not in budget.sheet()["protectedRanges"][0]


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ({"range": TABLE, "namedRangeId": "1"}, "Exactly one of range, namedRangeId and tableId must be set."),
        ({"range": TABLE, "unprotectedRanges": [TABLE]}, "Unprotected ranges are only supported on protected sheets."),
        ({"range": TABLE, "editors": {"users": ["nobody"]}}, "Invalid editors.users."),
        ({"range": TABLE, "protectedRangeId": 7}, "A protected range with id 7 already exists."),
    ],
)
def test_protections_that_mean_nothing(budget: Asking, given: Any, problem: str) -> None:
    budget.one("addProtectedRange", protectedRange={"range": grid(9, 9, 10, 10), "protectedRangeId": 7})
    assert budget.refused("addProtectedRange", protectedRange=given)[1].startswith(problem)


# charts


def data(*area: int) -> dict[str, Any]:
    """A ChartData."""
    return {"sourceRange": {"sources": [grid(*area)]}}


BARS = {
    "title": "Spend",
    "basicChart": {
        "chartType": "COLUMN",
        "domains": [{"domain": data(0, 0, 3, 1)}],
        "series": [{"series": data(0, 1, 3, 2)}],
    },
}
SPOT = {"overlayPosition": {"anchorCell": place(6, 1), "offsetXPixels": 4}}


def test_a_chart_is_put_changed_moved_and_deleted(budget: Asking) -> None:
    made = budget.one("addChart", chart={"spec": BARS, "position": SPOT})["chart"]
    assert made["spec"] == BARS and made["position"]["overlayPosition"] == {
        "anchorCell": place(6, 1),
        "offsetXPixels": 4,
        "widthPixels": 600,
        "heightPixels": 371,
    }
    number = made["chartId"]
    pie = {"pieChart": {"domain": data(0, 0, 3, 1), "series": data(0, 1, 3, 2), "pieHole": 0.5}}
    budget.one("updateChartSpec", chartId=number, spec=pie)
    moved = budget.one(
        "updateEmbeddedObjectPosition",
        objectId=number,
        newPosition={"overlayPosition": {"widthPixels": 300}},
        fields="widthPixels",
    )
    assert moved["position"]["overlayPosition"]["widthPixels"] == 300 and moved["position"]["overlayPosition"][
        "anchorCell"
    ] == place(6, 1)
    budget.one("updateEmbeddedObjectBorder", objectId=number, border={"color": RED}, fields="color")
    budget.one("insertDimension", range=lines("ROWS", 0, 1))
    told = budget.sheet()["charts"][0]
    assert told["border"] == {"color": RED} and told["position"]["overlayPosition"]["anchorCell"]["rowIndex"] == 7
    assert told["spec"]["pieChart"]["series"] == data(1, 1, 4, 2)
    budget.one("deleteEmbeddedObject", objectId=number)
    assert "charts" not in budget.sheet() and budget.refused("deleteEmbeddedObject", objectId=number)[0] == "no_object"


def test_a_chart_may_have_a_sheet_of_its_own(budget: Asking) -> None:
    made = budget.one("addChart", chart={"spec": BARS, "position": {"newSheet": True}})["chart"]
    number = made["position"].pop("sheetId")
    told = budget.sheet(number)
    assert (
        told["properties"] == {"sheetId": number, "title": "Chart1", "index": 1, "sheetType": "OBJECT"}
        and made["position"] == {}
    )
    assert told["charts"] == [{**made, "position": {"sheetId": number}}]
    assert "data" not in budget.say("spreadsheets.get", spreadsheetId=BUDGET, includeGridData=True)["sheets"][1]
    assert (
        budget.refused("repeatCell", range={"sheetId": number}, cell={}, fields="*")[1]
        == f"Sheet {number} is not a grid."
    )
    size = {"sheetId": number, "title": "Bars", "gridProperties": {"rowCount": 5}}
    assert budget.refused("updateSheetProperties", properties=size, fields="gridProperties")[1].startswith(
        "Grid properties may not be set"
    )
    budget.one("updateSheetProperties", properties=size, fields="title")
    copied = budget.one("duplicateSheet", sourceSheetId=number, newSheetId=9)["properties"]
    assert copied["sheetType"] == "OBJECT" and budget.sheet(9)["charts"][0]["position"] == {"sheetId": 9}
    with pytest.raises(OperationError, match="bad_range"):
        budget.values("Bars!A1")
    moved = budget.one("updateEmbeddedObjectPosition", objectId=made["chartId"], newPosition=SPOT, fields="*")[
        "position"
    ]
    assert moved["overlayPosition"]["anchorCell"] == place(6, 1) and len(budget.sheet()["charts"]) == 1
    own = budget.one("updateEmbeddedObjectPosition", objectId=made["chartId"], newPosition={"newSheet": True})[
        "position"
    ]["sheetId"]
    budget.one("deleteEmbeddedObject", objectId=made["chartId"])
    left = [sheet["properties"]["sheetId"] for sheet in budget.say("spreadsheets.get", spreadsheetId=BUDGET)["sheets"]]
    assert number not in left and own not in left and sorted(left) == [0, 9]


@pytest.mark.parametrize(
    ("chart", "problem"),
    [
        ({"spec": {}, "position": SPOT}, "Exactly one chart specification must be set in ChartSpec."),
        ({"spec": BARS}, "position is required."),
        (
            {"spec": {**BARS, "orgChart": {"labels": data(0, 0, 3, 1)}}, "position": SPOT},
            "Exactly one chart specification must be set in ChartSpec.",
        ),
        ({"spec": {"basicChart": {"chartType": "BAR"}}, "position": SPOT}, "basicChart.series is required."),
        (
            {"spec": {"orgChart": {"labels": data(0, 0, 3, 2)}}, "position": SPOT},
            "Source ranges must have a width or height of 1.",
        ),
        (
            {"spec": {"basicChart": {"chartType": "BLOB"}}, "position": SPOT},
            "Invalid value at 'requests[0].add_chart.chart.spec.basic_chart.chart_type'",
        ),
        ({"spec": BARS, "position": {"sheetId": 0}}, "The sheetId of a position may not be set"),
        ({"spec": BARS, "position": {"newSheet": True, **SPOT}}, "Exactly one position must be set."),
        (
            {"spec": BARS, "position": {"overlayPosition": {"anchorCell": place(0, 0), "widthPixels": -5}}},
            "Position sizes and offsets must be positive.",
        ),
    ],
)
def test_charts_that_cannot_be_drawn(budget: Asking, chart: Any, problem: str) -> None:
    code, said = budget.refused("addChart", chart=chart)
    assert code == "bad_request" and said.startswith(problem)


# tables


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


# metadata


def metadata(where: dict[str, Any], key: str = "owner", **more: Any) -> dict[str, Any]:
    """A DeveloperMetadata to create."""
    return {"metadataKey": key, "metadataValue": "ada", "visibility": "DOCUMENT", "location": where, **more}


def test_metadata_stands_on_things_and_moves_along(budget: Asking, say: Say) -> None:
    for where in (
        {"spreadsheet": True},
        {"sheetId": 0},
        {"dimensionRange": lines("ROWS", 2, 3)},
        {"dimensionRange": lines("COLUMNS", 1, 2)},
    ):
        budget.one("createDeveloperMetadata", developerMetadata=metadata(where, metadataId=10 + len(str(where))))
    budget.one("insertDimension", range=lines("ROWS", 0, 1))

    def found(lookup: dict[str, Any]) -> list[str]:
        told = say(
            "spreadsheets.developerMetadata.search",
            spreadsheetId=BUDGET,
            dataFilters=[{"developerMetadataLookup": lookup}],
        )
        return [
            one["developerMetadata"]["location"]["locationType"] for one in told.get("matchedDeveloperMetadata", [])
        ]

    assert (
        found({"metadataKey": "owner"}) == ["SPREADSHEET", "SHEET", "ROW", "COLUMN"]
        and found({"metadataKey": "x"}) == []
    )
    assert found({"locationType": "ROW"}) == ["ROW"] and found(
        {"metadataValue": "ada", "locationType": "SPREADSHEET"}
    ) == ["SPREADSHEET"]
    assert found(
        {"metadataLocation": {"dimensionRange": lines("ROWS", 3, 4)}, "locationMatchingStrategy": "EXACT_LOCATION"}
    ) == ["ROW"]
    near = say("spreadsheets.developerMetadata.search", spreadsheetId=BUDGET, dataFilters=[{"a1Range": "B9:C9"}])[
        "matchedDeveloperMetadata"
    ]
    assert [one["developerMetadata"]["location"]["locationType"] for one in near] == ["COLUMN"]
    told = say("spreadsheets.get", spreadsheetId=BUDGET)
    assert len(told["developerMetadata"]) == len(told["sheets"][0]["developerMetadata"]) == 1
    number = told["developerMetadata"][0]["metadataId"]
    assert (
        say("spreadsheets.developerMetadata.get", spreadsheetId=BUDGET, metadataId=number)
        == told["developerMetadata"][0]
    )
    lookup = {"developerMetadataLookup": {"locationType": "ROW"}}
    changed = budget.one(
        "updateDeveloperMetadata",
        dataFilters=[lookup],
        developerMetadata={"metadataValue": "bo"},
        fields="metadataValue",
    )
    assert changed["developerMetadata"][0]["metadataValue"] == "bo"
    gone = budget.one("deleteDeveloperMetadata", dataFilter={"a1Range": "A4:C4"})["deletedDeveloperMetadata"]
    assert [one["location"]["locationType"] for one in gone] == ["ROW", "COLUMN"] and found(
        {"metadataKey": "owner"}
    ) == ["SPREADSHEET", "SHEET"]


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        (
            metadata({}),
            "Exactly one of spreadsheet, sheetId and dimensionRange must be set in developerMetadata.location.",
        ),
        (
            metadata({"dimensionRange": lines("ROWS", 0, 2)}),
            "developerMetadata.location.dimensionRange must represent a single row or column.",
        ),
        (metadata({"sheetId": 0}, key=""), "developerMetadata.metadataKey must be specified."),
        (
            metadata({"sheetId": 0}, visibility="DEVELOPER_METADATA_VISIBILITY_UNSPECIFIED"),
            "developerMetadata.visibility must be specified.",
        ),
        (metadata({"sheetId": 0}, metadataId=7), "A developer metadata with id 7 already exists."),
    ],
)
def test_metadata_that_means_nothing(budget: Asking, given: Any, problem: str) -> None:
    budget.one("createDeveloperMetadata", developerMetadata=metadata({"sheetId": 0}, metadataId=7))
    assert budget.refused("createDeveloperMetadata", developerMetadata=given) == ("bad_request", problem)


# comments


def test_comments_are_made_answered_changed_and_deleted(budget: Asking, say: Say) -> None:
    made = budget.one(
        "insertComment", coordinate=place(1, 1), content="Is this right?", assigneeEmailAddress=EMAIL["p_bo"]
    )["commentThread"]
    assert (made["status"], made["plainTextQuote"], made["headPost"]["author"]["me"]) == ("OPEN", "1200", True)
    key = made["commentId"]
    reply = budget.one("addCommentReply", "bo", commentId=key, post={"content": "Yes", "commentAction": "RESOLVE"})[
        "post"
    ]
    budget.one("updateCommentPost", commentId=key, postId=key, content="Is it?")
    assert budget.refused("updateCommentPost", commentId=key, postId=reply["postId"], content="No")[0] == "bad_request"
    told = say("drive.comments.list", fileId=BUDGET)["comments"][0]
    assert (told["content"], told["resolved"], told["replies"][0]["content"]) == ("Is it?", True, "Yes")
    budget.one("deleteCommentReply", "bo", commentId=key, postId=reply["postId"])
    budget.one("deleteComment", commentId=key)
    assert (
        say("drive.comments.list", fileId=BUDGET)["comments"] == []
        and budget.refused("deleteComment", commentId=key)[0] == "no_object"
    )


def test_answers_are_as_published(client: SheetsClient) -> None:
    requests = [
        {"addNamedRange": {"namedRange": {"name": "Costs", "range": TABLE}}},
        {"addProtectedRange": {"protectedRange": {"range": TABLE}}},
        {"addFilterView": {"filter": {"range": TABLE, "criteria": {"0": {"hiddenValues": ["x"]}}}}},
        {"addChart": {"chart": {"spec": BARS, "position": SPOT}}},
        {"setBasicFilter": {"filter": {"range": TABLE, "criteria": {"0": {"hiddenValues": ["Core"]}}}}},
        {"addTable": {"table": {"range": grid(9, 9, 12, 12)}}},
        {"createDeveloperMetadata": {"developerMetadata": metadata({"spreadsheet": True})}},
        {"createDeveloperMetadata": {"developerMetadata": metadata({"dimensionRange": lines("ROWS", 1, 2)})}},
        {"addSlicer": {"slicer": {"spec": {"dataRange": TABLE}, "position": SPOT}}},
        {"insertComment": {"coordinate": place(0, 0), "content": "Hm"}},
    ]
    body = {
        "requests": requests,
        "includeSpreadsheetInResponse": True,
        "responseIncludeGridData": True,
        "responseRanges": ["A1:L12"],
    }
    answer = client.post(f"/v4/spreadsheets/{BUDGET}:batchUpdate", json=body).json()
    number = answer["replies"][6]["createDeveloperMetadata"]["developerMetadata"]["metadataId"]
    assert client.get(f"/v4/spreadsheets/{BUDGET}/developerMetadata/{number}").json()["metadataKey"] == "owner"
    lookup = {"dataFilters": [{"developerMetadataLookup": {"metadataKey": "owner"}}]}
    found = client.post(f"/v4/spreadsheets/{BUDGET}/developerMetadata:search", json=lookup).json()
    assert len(found["matchedDeveloperMetadata"]) == 2
    missing = client.get(f"/v4/spreadsheets/{BUDGET}/developerMetadata/5")
    assert (missing.status_code, missing.json()["error"]["status"]) == (404, "NOT_FOUND")


def test_a_copied_sheet_has_what_lay_on_it(budget: Asking) -> None:
    budget.batch(
        {"addTable": {"table": {"name": "Teams", "range": grid(0, 0, 3, 4)}}},
        {"addChart": {"chart": {"spec": BARS, "position": SPOT}}},
        {"duplicateSheet": {"sourceSheetId": 0, "newSheetId": 5}},
    )
    told = budget.sheet(5)
    assert told["tables"][0]["name"] == "Teams_2" and told["tables"][0]["range"] == grid(0, 0, 3, 4, sheet=5)
    assert (
        told["charts"][0]["position"]["overlayPosition"]["anchorCell"]["sheetId"] == 5
        and len(budget.sheet()["charts"]) == 1
    )


def test_a_new_spreadsheet_has_what_is_said_to_lie_on_it(say: Say) -> None:
    rules = [
        {"ranges": [TABLE], "booleanRule": {"condition": rule(kind), "format": {"backgroundColor": RED}}}
        for kind in ("BLANK", "NOT_BLANK")
    ]
    sheet = {
        "basicFilter": {"range": TABLE},
        "conditionalFormats": rules,
        "charts": [{"spec": BARS, "position": SPOT}],
        "merges": [grid(5, 0, 6, 2)],
    }
    told = say("spreadsheets.create", sheets=[sheet])["sheets"][0]
    assert told["basicFilter"] == {"range": TABLE} and told["conditionalFormats"] == rules
    assert told["charts"][0]["spec"] == BARS and told["merges"] == [grid(5, 0, 6, 2)]
    with pytest.raises(OperationError):
        say("spreadsheets.create", sheets=[{"charts": {"x": 5}}])


HOSTILE: list[Any] = [
    None,
    5,
    -1,
    "x",
    [],
    {},
    [[]],
    {"sheetId": 99},
    {"range": 5},
    {"range": {"startRowIndex": -5}},
    [5],
    True,
    2**40,
]
OWN = [
    "mergeCells",
    "unmergeCells",
    "updateBorders",
    "setDataValidation",
    "addConditionalFormatRule",
    "updateConditionalFormatRule",
    "deleteConditionalFormatRule",
    "setBasicFilter",
    "clearBasicFilter",
    "addFilterView",
    "updateFilterView",
    "duplicateFilterView",
    "deleteFilterView",
    "addNamedRange",
    "updateNamedRange",
    "deleteNamedRange",
    "addProtectedRange",
    "updateProtectedRange",
    "deleteProtectedRange",
    "addBanding",
    "updateBanding",
    "deleteBanding",
    "addChart",
    "updateChartSpec",
    "updateEmbeddedObjectPosition",
    "updateEmbeddedObjectBorder",
    "deleteEmbeddedObject",
    "addTable",
    "updateTable",
    "deleteTable",
    "addSlicer",
    "updateSlicerSpec",
    "createDeveloperMetadata",
    "updateDeveloperMetadata",
    "deleteDeveloperMetadata",
    "insertComment",
    "addCommentReply",
    "updateCommentPost",
    "deleteComment",
    "deleteCommentReply",
]


@pytest.mark.parametrize("kind", OWN)
def test_wrong_types_are_refused_in_words(budget: Asking, kind: str) -> None:
    schemas = document("sheets")["schemas"]
    named = schemas["Request"]["properties"][kind]["$ref"]
    for name, field in schemas[named]["properties"].items():
        inner = list(schemas.get(field.get("$ref", ""), {}).get("properties", {}))
        for bad in HOSTILE:
            refusals_only(budget, kind, {"fields": "*", name: bad})
            for part in inner:
                refusals_only(budget, kind, {"fields": "*", "range": TABLE, name: {"range": TABLE, part: bad}})


def refusals_only(budget: Asking, kind: str, given: dict[str, Any]) -> None:
    """A request that may be refused but never fails otherwise."""
    try:
        budget.one(kind, **given)
    except OperationError:
        return
