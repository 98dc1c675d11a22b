"""Charts, on a sheet and on one of their own."""

from typing import Any

import pytest

from tests.apps.sheets.conftest import BUDGET
from tests.apps.sheets.requests.change_requests import BARS, SPOT, Asking, data, lines, place
from tests.apps.sheets.requests.test_requests_formats import RED
from world.core.errors import OperationError


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
