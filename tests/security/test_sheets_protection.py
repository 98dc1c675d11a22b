"""T3 within a spreadsheet: protected ranges and sheets hold at every door, with all that lies on them, and are no more than Google's."""

from collections.abc import Iterator
from typing import Any

import pytest

from apps.sheets.history import undo_history
from tests.security.sheet_doors import DOORS, Asking
from tests.security.sheet_vault import EMAIL, Drive, b64, chart
from tests.security.sheet_writes import AT, BESIDE, BREAKING, CELL, area, closed, lines

PROTECTED = "You are trying to edit a protected cell or object."
SHEET = "updateSheetProperties"
BANDS = {"rowProperties": {"firstBandColor": {"red": 1}, "secondBandColor": {"red": 0.5}}}
RULE = {"booleanRule": {"condition": {"type": "NOT_BLANK"}, "format": {"backgroundColor": {"red": 1}}}}
PLACE = {"overlayPosition": {"anchorCell": {"sheetId": 0}}}
ELSEWHERE = {"overlayPosition": {"anchorCell": {"sheetId": 7}}}
# what is on the sheet before it is protected
LAID: list[dict[str, Any]] = [
    {"addChart": {"chart": {"chartId": 21, "spec": chart(0, "c"), "position": PLACE}}},
    {"addChart": {"chart": {"chartId": 23, "spec": chart(7, "d"), "position": ELSEWHERE}}},
    {
        "addSlicer": {
            "slicer": {"slicerId": 22, "spec": {"dataRange": area(5, 5, 9, 7), "title": "s"}, "position": PLACE}
        }
    },
    {"addDimensionGroup": {"range": lines("ROWS", 6, 8)}},
]
# refused on a sheet that is protected as a whole, free parts or not; a protected range leaves them to every writer
OF_THE_SHEET: list[dict[str, Any]] = [
    *(
        {SHEET: {"properties": {"sheetId": 0, **properties}, "fields": fields}}
        for fields, properties in (
            ("title", {"title": "y"}),
            ("hidden", {"hidden": True}),
            ("tabColorStyle", {"tabColorStyle": {"rgbColor": {"red": 1}}}),
            ("tabColor", {"tabColor": {"red": 1}}),
            ("rightToLeft", {"rightToLeft": True}),
            ("gridProperties.frozenRowCount", {"gridProperties": {"frozenRowCount": 1}}),
            ("gridProperties.hideGridlines", {"gridProperties": {"hideGridlines": True}}),
            ("gridProperties", {"gridProperties": {"rowCount": 2000, "columnCount": 26}}),
            ("title,index", {"title": "y", "index": 1}),
            ("*", {"title": "y", "gridProperties": {"rowCount": 1000, "columnCount": 26}}),
        )
    ),
    {
        "updateDimensionProperties": {
            "range": lines("ROWS", 5, 6),
            "properties": {"hiddenByUser": True},
            "fields": "hiddenByUser",
        }
    },
    {
        "updateDimensionProperties": {
            "range": lines("COLUMNS", 5, 6),
            "properties": {"pixelSize": 7},
            "fields": "pixelSize",
        }
    },
    {"autoResizeDimensions": {"dimensions": lines("COLUMNS", 0, 1)}},
    {"appendDimension": {"sheetId": 0, "dimension": "ROWS", "length": 1}},
    {"addDimensionGroup": {"range": lines("ROWS", 3, 5)}},
    {
        "updateDimensionGroup": {
            "dimensionGroup": {"range": lines("ROWS", 6, 8), "depth": 1, "collapsed": True},
            "fields": "collapsed",
        }
    },
    {"deleteDimensionGroup": {"range": lines("ROWS", 6, 8)}},
    {"addChart": {"chart": {"spec": chart(0, "y"), "position": PLACE}}},
    {"updateChartSpec": {"chartId": 21, "spec": chart(0, "y")}},
    {"updateEmbeddedObjectBorder": {"objectId": 21, "border": {"color": {"red": 1}}, "fields": "*"}},
    {"updateEmbeddedObjectPosition": {"objectId": 21, "newPosition": ELSEWHERE, "fields": "*"}},
    {"updateEmbeddedObjectPosition": {"objectId": 23, "newPosition": PLACE, "fields": "*"}},
    {"addSlicer": {"slicer": {"spec": {"dataRange": area(5, 5, 9, 7), "title": "y"}, "position": PLACE}}},
    {"updateSlicerSpec": {"slicerId": 22, "spec": {"title": "y"}, "fields": "title"}},
    {"deleteEmbeddedObject": {"objectId": 21}},
    {"deleteEmbeddedObject": {"objectId": 22}},
]
# what Google lets every writer do about a protected sheet: another place among the tabs, a copy, a filter of one's own, a comment, a name
FREE: list[dict[str, Any]] = [
    {SHEET: {"properties": {"sheetId": 0, "index": 2}, "fields": "index"}},
    {"duplicateSheet": {"sourceSheetId": 0, "newSheetName": "A copy"}},
    {"addFilterView": {"filter": {"title": "mine", "range": area()}}},
    {"insertComment": {"coordinate": AT, "content": "Why?"}},
    {"addNamedRange": {"namedRange": {"name": "mine", "range": area()}}},
    {"addSheet": {"properties": {"title": "Third"}}},
]


@pytest.fixture(scope="module")
def ask(drive: Drive) -> Iterator[Asking]:
    made = Asking(drive)
    yield made
    made.close()


def whole(drive: Drive, key: str) -> Any:
    """Everything in a spreadsheet."""
    return drive.say("spreadsheets.get", spreadsheetId=key, includeGridData=True)


def held(drive: Drive, ask: Asking, key: str, requests: list[dict[str, Any]]) -> None:
    """Bo's requests are refused in the vendor's words at every door, alone and as the last of several, and nothing comes of them."""
    before = whole(drive, key)
    for request in requests:
        for door in DOORS:
            refused, said = ask.at(door, "bo", key, request)
            assert refused and PROTECTED in said, (door, request, said[:300])
        assert ask.at("rest", "bo", key, {"addSheet": {"properties": {"title": "y"}}}, request)[0], request
    assert whole(drive, key) == before


def test_protected_cells_hold_at_every_door(drive: Drive, ask: Asking) -> None:
    held(drive, ask, closed(drive), BREAKING)


@pytest.mark.parametrize("free", [[], [area(4, 4, 9, 9)]])
def test_a_protected_sheet_keeps_its_name_its_looks_and_its_lines(
    drive: Drive, ask: Asking, free: list[dict[str, int]]
) -> None:
    key = drive.book("Whole", bo="writer")
    drive.put(key, "A1", ["x"])
    drive.batch(key, {"addSheet": {"properties": {"sheetId": 7, "title": "Second"}}}, *LAID)
    drive.batch(
        key,
        {
            "addProtectedRange": {
                "protectedRange": {"protectedRangeId": 5, "range": {"sheetId": 0}, "unprotectedRanges": free}
            }
        },
    )
    held(drive, ask, key, OF_THE_SHEET)
    tried = ask.at(
        "page",
        "bo",
        key,
        {
            "updateCells": {
                "rows": [{"values": [CELL]}],
                "fields": "userEnteredValue",
                "start": {"sheetId": 0, "rowIndex": 5, "columnIndex": 5},
            }
        },
    )
    assert tried[0] == (not free)
    for request in FREE:
        said = ask.at("rest", "bo", key, request)
        assert not said[0], (request, said[1])
    drive.batch(key, {"deleteProtectedRange": {"protectedRangeId": 5}})
    drive.batch(key, {"addProtectedRange": {"protectedRange": {"range": area()}}})
    for request in OF_THE_SHEET:
        said = ask.at("rest", "bo", key, request)
        assert not said[0], (request, said[1])


def test_what_lies_on_protected_cells_stays_there(drive: Drive, ask: Asking) -> None:
    key = closed(drive)
    name = next(one["namedRangeId"] for one in whole(drive, key)["namedRanges"])
    drive.batch(
        key,
        {"addBanding": {"bandedRange": {"bandedRangeId": 31, "range": area(), **BANDS}}},
        {"addConditionalFormatRule": {"rule": {"ranges": [area()], **RULE}, "index": 0}},
        {"addConditionalFormatRule": {"rule": {"ranges": [area(9, 9, 10, 10)], **RULE}, "index": 1}},
        {"setBasicFilter": {"filter": {"range": area(0, 0, 3, 2)}}},
        {"addTable": {"table": {"tableId": "t", "name": "T", "range": area(20, 0, 23, 2)}}},
        {"addProtectedRange": {"protectedRange": {"tableId": "t"}}},
        {"mergeCells": {"range": area(30, 0, 32, 2), "mergeType": "MERGE_ALL"}},
        {"addProtectedRange": {"protectedRange": {"range": area(30, 0, 32, 2)}}},
        {"addProtectedRange": {"protectedRange": {"protectedRangeId": 6, "namedRangeId": name}}},
    )
    held(
        drive,
        ask,
        key,
        [
            {"deleteBanding": {"bandedRangeId": 31}},
            {"updateBanding": {"bandedRange": {"bandedRangeId": 31, "range": area(50, 0, 51, 1)}, "fields": "range"}},
            {"clearBasicFilter": {"sheetId": 0}},
            {"setBasicFilter": {"filter": {"range": area(50, 0, 52, 1)}}},
            {"deleteConditionalFormatRule": {"sheetId": 0, "index": 0}},
            {"updateConditionalFormatRule": {"sheetId": 0, "index": 0, "newIndex": 1}},
            {"updateConditionalFormatRule": {"index": 0, "rule": {"ranges": [area(50, 0, 51, 1)], **RULE}}},
            {"deleteTable": {"tableId": "t"}},
            {"updateTable": {"table": {"tableId": "t", "range": area(50, 0, 53, 2)}, "fields": "range"}},
            {"updateTable": {"table": {"tableId": "t", "name": "Mine"}, "fields": "name"}},
            {"unmergeCells": {"range": area(30, 0, 32, 2)}},
            {
                "updateNamedRange": {
                    "namedRange": {"namedRangeId": name, "range": area(50, 0, 51, 1)},
                    "fields": "range",
                }
            },
            {"updateNamedRange": {"namedRange": {"namedRangeId": name, "name": "mine"}, "fields": "name"}},
            {"deleteNamedRange": {"namedRangeId": name}},
        ],
    )
    drive.batch(key, {"deleteProtectedRange": {"protectedRangeId": 6}})
    assert not ask.at(
        "rest",
        "bo",
        key,
        {"updateNamedRange": {"namedRange": {"namedRangeId": name, "range": area(50, 0, 51, 1)}, "fields": "range"}},
    )[0]


def test_an_older_version_is_not_brought_back_over_protected_cells(drive: Drive) -> None:
    key = drive.book("Versions", bo="writer")
    drive.put(key, "A1", ["old"])
    drive.say("web.nameVersion", spreadsheetId=key, name="old")
    drive.say("world.wait", seconds=3 * 3600)
    drive.put(key, "A1", ["new"])
    old = drive.say("web.versions", "bo", spreadsheetId=key)["versions"][-1]["id"]
    drive.batch(key, {"addProtectedRange": {"protectedRange": {"range": area()}}})
    before = whole(drive, key)
    assert drive.code("bo", "web.restoreVersion", spreadsheetId=key, revisionId=old) == "protected"
    assert (
        whole(drive, key) == before and drive.code("ada", "web.restoreVersion", spreadsheetId=key, revisionId=old) == ""
    )


def test_nothing_is_appended_onto_protected_cells(drive: Drive, ask: Asking) -> None:
    key = drive.book("Log", bo="writer")
    drive.put(key, "A1", ["when", "what"], ["1", "a"])
    drive.batch(key, {"addProtectedRange": {"protectedRange": {"range": area(2, 0, 9, 2)}}})
    before = whole(drive, key)
    value = {"range": "A1", "valueInputOption": "RAW", "values": [["y"]]}
    tries: list[tuple[str, dict[str, Any]]] = [
        ("spreadsheets.values.append", {**value, "insertDataOption": "OVERWRITE"}),
        ("spreadsheets.values.append", {**value, "range": "Sheet1!B2"}),
        ("web.import", {"name": "a.csv", "content": b64(b"y,y"), "where": "append"}),
        ("web.enter", {"cells": [[2, 0, "y"]]}),
    ]
    for operation, given in tries:
        assert drive.code("bo", operation, spreadsheetId=key, **given) == "protected", (operation, given)
    assert (
        ask.rest.post(
            f"/v4/spreadsheets/{key}/values/A1:append",
            params={"valueInputOption": "RAW"},
            json={"values": [["y"]]},
            who="bo",
        ).status_code
        == 400
    )
    for door in DOORS:
        refused, said = ask.at(
            door, "bo", key, {"appendCells": {"sheetId": 0, "rows": [{"values": [CELL]}], "fields": "userEnteredValue"}}
        )
        assert refused and PROTECTED in said, door
    assert whole(drive, key) == before


def test_the_form_of_a_page_without_scripts_types_into_no_protected_cell(drive: Drive, ask: Asking) -> None:
    key = closed(drive)
    for place, free in (("A1", False), ("b2", False), (" C1 ", True)):
        answer = ask.form("bo", key, "cell", {"key": key, "gid": "0", "cell": place, "text": "y"})
        assert (answer.status_code < 400) == free and (free or PROTECTED in answer.text), (place, answer.status_code)
    assert drive.read(key, "A1:C1") == [["b z", "keep", "y"]]


def test_what_only_warns_lets_every_change_through(drive: Drive, ask: Asking) -> None:
    key = drive.book("Warned", bo="writer", cyrus="reader")
    drive.put(key, "A1", ["x"])
    warning = {"protectedRange": {"protectedRangeId": 5, "range": {"sheetId": 0}, "warningOnly": True}}
    drive.batch(
        key, {"addSheet": {"properties": {"sheetId": 7, "title": "Second"}}}, *LAID, {"addProtectedRange": warning}
    )
    for request in OF_THE_SHEET:
        assert not ask.at("rest", "bo", key, request)[0], request
    cell = {"updateCells": {"rows": [{"values": [CELL]}], "fields": "userEnteredValue", "start": AT}}
    assert not [door for door in DOORS if ask.at(door, "bo", key, cell)[0]]
    assert all(ask.at(door, "cyrus", key, cell)[0] for door in DOORS)
    assert (
        drive.code(
            "bo",
            "spreadsheets.batchUpdate",
            spreadsheetId=key,
            requests=[{"deleteProtectedRange": {"protectedRangeId": 5}}],
        )
        == ""
    )


def told(drive: Drive, who: str, key: str) -> dict[str, Any]:
    """What somebody is told of a protection."""
    return drive.say("spreadsheets.get", who, spreadsheetId=key)["sheets"][0]["protectedRanges"][0]


def test_only_editors_who_may_write_are_told_who_the_editors_are(drive: Drive) -> None:
    key = drive.book("Editors", bo="writer", cyrus="reader", dee="writer")
    people = [EMAIL(one) for one in ("dee", "cyrus")]
    drive.batch(
        key,
        {
            "addProtectedRange": {
                "protectedRange": {"protectedRangeId": 5, "range": area(), "editors": {"users": people}}
            }
        },
    )
    for who, may in (("ada", True), ("dee", True), ("bo", False), ("cyrus", False)):
        one = told(drive, who, key)
        assert ("editors" in one, one.get("requestingUserCanEdit", False)) == (may, may), who
        page = drive.page(who, f"/sheets/d/{key}/edit").text
        assert may or EMAIL("dee") not in page or who == "dee", who
    drive.share(key, "cyrus", "writer")
    assert "editors" in told(drive, "cyrus", key)
    mine = drive.book("Mine", "bo")
    copy = drive.say("drive.files.copy", "bo", fileId=key)["id"]
    drive.say("spreadsheets.sheets.copyTo", "bo", spreadsheetId=key, sheetId=0, destinationSpreadsheetId=mine)
    second = drive.say("spreadsheets.get", "bo", spreadsheetId=mine)["sheets"][1]["protectedRanges"][0]
    for one in (told(drive, "bo", copy), second):
        assert one["editors"]["users"] == [EMAIL("bo")]
    assert told(drive, "dee", drive.say("drive.files.copy", "dee", fileId=key)["id"])["editors"]["users"] == [
        *people,
        EMAIL("ada"),
    ]


UNDONE: list[tuple[list[dict[str, Any]], dict[str, Any]]] = [
    ([{SHEET: {"properties": {"sheetId": 0, "title": "y"}, "fields": "title"}}], {"sheetId": 0}),
    ([{SHEET: {"properties": {"sheetId": 0, "hidden": True}, "fields": "hidden"}}], {"sheetId": 0}),
    (
        [
            {
                "repeatCell": {
                    "range": area(0, 0, 20, 6),
                    "cell": {"userEnteredFormat": {"textFormat": {"bold": True}}},
                    "fields": "userEnteredFormat",
                }
            }
        ],
        area(0, 0, 3, 3),
    ),
    (
        [
            {
                "updateDimensionProperties": {
                    "range": lines("ROWS", 5, 6),
                    "properties": {"hiddenByUser": True},
                    "fields": "hiddenByUser",
                }
            }
        ],
        {"sheetId": 0},
    ),
    ([{"addChart": {"chart": {"spec": chart(0, "y"), "position": PLACE}}}], {"sheetId": 0}),
    ([{"mergeCells": {"range": area(), "mergeType": "MERGE_ALL"}}], area()),
    ([{"addBanding": {"bandedRange": {"range": area(), **BANDS}}}], area(0, 0, 1, 1)),
    ([{"addConditionalFormatRule": {"rule": {"ranges": [area()], **RULE}}}], area()),
    ([{"setBasicFilter": {"filter": {"range": area(0, 0, 3, 2)}}}], area()),
    ([{"setDataValidation": {"range": area(), "rule": {"condition": {"type": "BOOLEAN"}}}}], area()),
    ([{"addDimensionGroup": {"range": lines("ROWS", 3, 5)}}], {"sheetId": 0}),
]


@pytest.mark.parametrize(
    ("gesture", "range"), UNDONE, ids=[next(iter(one[0][0])) + str(place) for place, one in enumerate(UNDONE)]
)
def test_undo_and_redo_change_nothing_that_is_protected_by_now(
    drive: Drive, gesture: list[dict[str, Any]], range: dict[str, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(undo_history, "MOST_SINGLE", 50)
    key = drive.book("Undo", bo="writer")
    drive.batch(key, {"addSheet": {"properties": {"sheetId": 7, "title": "Second"}}})
    protect = {"addProtectedRange": {"protectedRange": {"protectedRangeId": 5, "range": range}}}
    drive.say("web.change", "bo", spreadsheetId=key, gid=7, requests=gesture)
    drive.batch(key, LAID[1])
    for operation in ("web.undo", "web.redo"):
        drive.batch(key, protect)
        before = whole(drive, key)
        assert drive.code("bo", operation, spreadsheetId=key, gid=7) == "protected", operation
        assert whole(drive, key) == before
        drive.batch(key, {"deleteProtectedRange": {"protectedRangeId": 5}})
        if operation == "web.undo":
            drive.say(operation, "bo", spreadsheetId=key, gid=7)


def test_undo_beside_protected_cells_goes_on(drive: Drive) -> None:
    key = closed(drive)
    drive.batch(
        key,
        {"addBanding": {"bandedRange": {"range": area(), **BANDS}}},
        {"addConditionalFormatRule": {"rule": {"ranges": [area()], **RULE}}},
        {"setBasicFilter": {"filter": {"range": area(0, 0, 3, 2), "criteria": {"1": {"hiddenValues": ["z"]}}}}},
    )
    before = whole(drive, key)
    drive.say(
        "web.change",
        "bo",
        spreadsheetId=key,
        requests=[
            {"insertDimension": {"range": lines("ROWS", 0, 2)}},
            {"insertDimension": {"range": lines("COLUMNS", 0, 1)}},
        ],
    )
    drive.say("web.undo", "bo", spreadsheetId=key)
    assert whole(drive, key) == before
    drive.say("web.redo", "bo", spreadsheetId=key)
    assert BESIDE and drive.read(key, "B3:C3") == [["b z", "keep"]]
