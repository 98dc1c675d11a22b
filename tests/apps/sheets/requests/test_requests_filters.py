"""Filters, filter views and slicers."""

from typing import Any

import pytest

from apps.sheets.grid import filter_effects
from tests.apps.sheets.requests.change_requests import TABLE, Asking, grid, place, spec
from tests.apps.sheets.requests.test_requests_formats import RED, rule


def hidden(budget: Asking) -> list[int]:
    """The rows a filter hides, as people count them."""
    rows = budget.sheet(includeGridData=True, ranges=["A1:A10"])["data"][0]["rowMetadata"]
    return [number for number, row in enumerate(rows, 1) if row.get("hiddenByFilter")]


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
