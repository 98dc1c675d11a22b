"""A batch is all or nothing: whatever is in it, one reply for each request, or rows as they were."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.apps.sheets.conftest import BUDGET
from tests.apps.sheets.requests.change_requests import Asking, grid, place
from tests.apps.sheets.requests.test_requests_laws import KNOWN, REQUESTS, SMALL, SPOTS, TYPED, check, one
from tests.company import as_person
from tests.examples import examples
from world.core.errors import OperationError
from world.run.host import Host

TABLES = [
    *(f"drive_{name}" for name in ("file", "permission", "comment")),
    *(f"sheets_{name}" for name in ("spreadsheet", "sheet", "cell", "dimension", "object")),
]
NUMBER = st.integers(1, 3)  # ids that are often taken, and often not there
PIVOT = {
    "source": grid(0, 0, 5, 4),
    "rows": [{"sourceColumnOffset": 0}],
    "values": [{"sourceColumnOffset": 1, "summarizeFunction": "SUM"}],
}
CELL = st.sampled_from(
    [
        {"userEnteredValue": {"formulaValue": "=SUM(T1[Q1])"}},
        {"userEnteredValue": {"numberValue": 7}, "note": "n"},
        {"pivotTable": PIVOT},
        {},
        {"userEnteredFormat": {"numberFormat": {"type": "PERCENT"}}},
        {
            "userEnteredValue": {"stringValue": "@"},
            "chipRuns": [{"chip": {"personProperties": {"email": "bo@tiny.example"}}}],
        },
    ]
)
CHART = {"basicChart": {"chartType": "BAR", "series": [{"series": {"sourceRange": {"sources": [grid(0, 1, 3, 2)]}}}]}}
POSITION = st.sampled_from([{"newSheet": True}, {"overlayPosition": {"anchorCell": place(1, 1)}}])
MORE = st.one_of(
    one("updateCells", rows=CELL.map(lambda cell: [{"values": [cell]}]), start=SPOTS, fields=st.just("*")),
    one(
        "appendCells",
        fields=st.just("*"),
        rows=CELL.map(lambda cell: [{"values": [cell]}]),
        tableId=st.sampled_from(["", "1"]),
    ),
    one("addTable", table=st.fixed_dictionaries({"tableId": NUMBER.map(str), "name": st.just("T1"), "range": SMALL})),
    one(
        "updateTable",
        table=st.fixed_dictionaries({"tableId": NUMBER.map(str), "name": st.sampled_from(["T1", "T2"])}),
        fields=st.just("name"),
    ),
    one("deleteTable", tableId=NUMBER.map(str)),
    one("addSheet", properties=st.fixed_dictionaries({"sheetId": NUMBER})),
    one("deleteSheet", sheetId=NUMBER),
    one("addChart", chart=st.fixed_dictionaries({"chartId": NUMBER, "spec": st.just(CHART), "position": POSITION})),
    one("updateEmbeddedObjectPosition", objectId=NUMBER, newPosition=POSITION, fields=st.just("*")),
    one("deleteEmbeddedObject", objectId=NUMBER),
    one("duplicateSheet", sourceSheetId=st.just(0), newSheetId=NUMBER),
    one("mergeCells", range=SMALL, mergeType=st.just("MERGE_ALL")),
    one(
        "addNamedRange",
        namedRange=st.fixed_dictionaries({"name": st.just("N1"), "namedRangeId": NUMBER.map(str), "range": SMALL}),
    ),
    one(
        "repeatCell",
        range=SMALL,
        cell=st.fixed_dictionaries({"userEnteredValue": TYPED.map(lambda typed: {"stringValue": str(typed)})}),
        fields=st.just("userEnteredValue"),
    ),
)
WRONG = st.sampled_from(
    [
        {"deleteSheet": {"sheetId": 77}},
        {"repeatCell": {"range": grid(5000, 0, 5001, 1), "fields": "*"}},
        {"addSheet": 5},
        {},
    ]
)
BATCHES = st.lists(st.one_of(REQUESTS, MORE), min_size=1, max_size=4)


def rows(budget: Asking) -> list[Any]:
    """Everything that is kept."""
    found: list[Any] = []
    every = "SELECT * FROM {} ORDER BY 1, 2, 3"
    budget.within(
        lambda book: found.extend([table, *map(tuple, book.call.all(every.format(table), {}))] for table in TABLES)
    )
    return found


def performed(budget: Asking, batch: list[Any]) -> bool:
    """Whether a batch was carried out; a refused one left everything as it was, a performed one is told as it is."""
    before = rows(budget)
    try:
        told = budget.say(
            "spreadsheets.batchUpdate",
            spreadsheetId=BUDGET,
            requests=batch,
            includeSpreadsheetInResponse=True,
            responseRanges=["A1:F8", "H3"],
            responseIncludeGridData=True,
        )
    except OperationError as error:
        assert {"place", "kind"} & set(error.detail) or error.code in ("bad_request", "invalid_arguments"), error.detail
        assert rows(budget) == before
        return False
    assert len(told["replies"]) == len(batch)
    assert all(set(reply) <= set(request) for reply, request in zip(told["replies"], batch, strict=True))
    assert told["updatedSpreadsheet"] == budget.say(
        "spreadsheets.get", spreadsheetId=BUDGET, ranges=["A1:F8", "H3"], includeGridData=True
    )
    assert [len(sheet["data"]) for sheet in told["updatedSpreadsheet"]["sheets"]] == [2]
    return True


@settings(max_examples=examples(20), deadline=None, suppress_health_check=KNOWN)
@given(st.lists(BATCHES, min_size=1, max_size=4), WRONG, st.integers(0, 4), st.randoms(use_true_random=False))
def test_batches_are_whole_or_nothing(host: Host, batches: list[Any], wrong: Any, at: int, random: Any) -> None:
    name = f"batch{random.getrandbits(60)}"
    actor = host.fork(host.actor("w"), name)

    def say(operation: str, who: str = "ada", **arguments: Any) -> Any:
        return actor.call(as_person(host, who, name), "rest", host.operation(operation), arguments, "")

    try:
        budget = Asking(say)
        for batch in batches:
            if performed(budget, batch):
                budget.within(check)
                assert not performed(budget, [*batch[:at], wrong, *batch[at:]])
    finally:
        host.drop(name)


@pytest.mark.parametrize(
    ("ranges", "cells", "told"), [([], False, [0, 1]), (["Two"], True, [1]), (["A1", "Two!B2"], True, [0, 1])]
)
def test_the_answer_holds_the_sheets_that_were_asked_for(
    budget: Asking, ranges: list[str], cells: bool, told: list[int]
) -> None:
    found = budget.say(
        "spreadsheets.batchUpdate",
        spreadsheetId=BUDGET,
        requests=[{"addSheet": {"properties": {"title": "Two", "sheetId": 1}}}],
        includeSpreadsheetInResponse=True,
        responseRanges=ranges,
        responseIncludeGridData=cells,
    )["updatedSpreadsheet"]
    assert [sheet["properties"]["sheetId"] for sheet in found["sheets"]] == told
    assert all(("data" in sheet) is cells for sheet in found["sheets"])
