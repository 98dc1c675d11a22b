"""What lies on ranges: which requests there are, their answers as published, and what a copied or new sheet has."""

import tomllib
from typing import Any

import pytest

from apps.sheets.operations.requests import KINDS
from tests.apps.sheets.conftest import BUDGET, Say
from tests.apps.sheets.requests.change_requests import BARS, SPOT, TABLE, Asking, grid, lines, metadata, place
from tests.apps.sheets.requests.test_requests_formats import RED, rule
from tests.conformance.sheets_client import SheetsClient
from tests.conformance.sheets_coverage import file
from tests.conformance.specs import document
from world.core.errors import OperationError

LINKS = ("addDataSource", "cancelDataSourceRefresh", "deleteDataSource", "refreshDataSource", "updateDataSource")


def listed_kinds() -> Any:
    """The kinds of request that coverage.toml tells."""
    return tomllib.loads(file("sheets").read_text(encoding="utf-8"))["kinds"]


def test_every_kind_of_request_is_there_but_those_of_data_sources(budget: Asking) -> None:
    published = set(document("sheets")["schemas"]["Request"]["properties"])
    assert published - set(KINDS) == set(LINKS) and set(KINDS) <= published
    assert listed_kinds() == {"done": sorted(KINDS), "refused": sorted(LINKS)}
    assert budget.refused("refreshDataSource", isAll=True)[0] == "unsupported_request"


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
