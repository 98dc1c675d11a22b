"""What is written to a spreadsheet: by every operation, and into its protected cells by every kind of request."""

from typing import Any

from tests.security.sheet_vault import EMAIL, Drive, b64


def writes(vault: Drive, key: str, **ids: str) -> dict[str, list[dict[str, Any]]]:
    """Every operation that changes a spreadsheet, with arguments by which its writer would change it."""
    value = {"range": "A1", "valueInputOption": "RAW", "values": [["y"]]}
    area = {"sheetId": 0, "endRowIndex": 1, "endColumnIndex": 1}
    change = {"requests": [{"updateSpreadsheetProperties": {"properties": {"title": "y"}, "fields": "title"}}]}
    paste = {
        "requests": [
            {"pasteData": {"coordinate": {"sheetId": 0}, "data": "y", "delimiter": ",", "type": "PASTE_NORMAL"}}
        ]
    }
    book: dict[str, list[dict[str, Any]]] = {
        "spreadsheets.values.update": [value],
        "spreadsheets.values.append": [value],
        "spreadsheets.values.clear": [{"range": "A1"}],
        "spreadsheets.values.batchUpdate": [{"valueInputOption": "RAW", "data": [{"range": "A1", "values": [["y"]]}]}],
        "spreadsheets.values.batchClear": [{"ranges": ["A1"]}],
        "spreadsheets.values.batchUpdateByDataFilter": [
            {"valueInputOption": "RAW", "data": [{"dataFilter": {"a1Range": "A1"}, "values": [["y"]]}]}
        ],
        "spreadsheets.values.batchClearByDataFilter": [{"dataFilters": [{"a1Range": "A1"}]}],
        "spreadsheets.batchUpdate": [change],
        "web.change": [change],
        "web.paste": [paste],
        "web.fill": [{"requests": [{"autoFill": {"range": {**area, "endRowIndex": 3}}}]}],
        "web.enter": [{"cells": [[0, 0, "y"]]}],
        "web.undo": [{}],
        "web.redo": [{}],
        "web.import": [
            {"name": "a.csv", "content": b64(b"y"), "where": where}
            for where in ("new_sheets", "replace_spreadsheet", "replace_sheet", "append", "replace_at")
        ],
        "spreadsheets.sheets.copyTo": [{"sheetId": 0, "destinationSpreadsheetId": key, "spreadsheetId": ids["mine"]}],
        "web.nameVersion": [{"name": "y"}],
        "web.restoreVersion": [{}],
        "web.copySheet": [{"sheetId": 0, "destinationSpreadsheetId": key, "spreadsheetId": ids["mine"], "title": "y"}],
    }
    of_comment = {"commentId": ids["comment"]}
    file: dict[str, list[dict[str, Any]]] = {
        "drive.files.update": [
            {"name": "y"},
            {"description": "y"},
            {"trashed": True},
            {"content": b64(b"y"), "contentType": "text/csv"},
            {"writersCanShare": False},
            {"properties": {"a": "b"}},
            {"copyRequiresWriterPermission": True},
            {"addParents": ids["folder"]},
            {"addParents": "root"},
            {"modifiedTime": "2026-03-01T00:00:00Z"},
            {"appProperties": {"a": "b"}},
        ],
        "drive.files.delete": [{}],
        "drive.permissions.create": [
            {"type": "anyone", "role": "reader"},
            {"type": "user", "role": "writer", "emailAddress": EMAIL("eve")},
            {"type": "user", "role": "owner", "emailAddress": EMAIL("dee"), "transferOwnership": True},
        ],
        "drive.permissions.update": [
            {"permissionId": ids["permission"], "role": "writer"},
            {"permissionId": ids["permission"], "role": "owner", "transferOwnership": True},
        ],
        "drive.permissions.delete": [{"permissionId": ids["bo"]}],
        "web.share": [{"recipients": [{"type": "anyone"}]}],
        "web.setAccess": [
            {"link": "writer"},
            {"link": "off"},
            {"copyRequiresWriterPermission": True},
            {"writersCanShare": False},
        ],
        "drive.revisions.update": [{"revisionId": "head", "keepForever": True}],
        "drive.revisions.delete": [{"revisionId": "head"}],
        "drive.comments.create": [{"content": "y"}],
        "drive.replies.create": [{**of_comment, "content": "y"}, {**of_comment, "action": "resolve"}],
        "drive.comments.update": [{**of_comment, "content": "y"}],
        "drive.comments.delete": [of_comment],
        "drive.replies.update": [{**of_comment, "replyId": ids["reply"], "content": "y"}],
        "drive.replies.delete": [{**of_comment, "replyId": ids["reply"]}],
    }
    return {
        **{name: [{"spreadsheetId": key, **one} for one in given] for name, given in book.items()},
        **{name: [{"fileId": key, **one} for one in given] for name, given in file.items()},
    }


OWN = {
    "drive.files.copy",
    "drive.files.create",
    "drive.files.emptyTrash",
    "spreadsheets.create",
    "web.create",
    "web.requestAccess",
}  # they change nothing that is another's


def closed(drive: Drive, *, sheet: bool = False) -> str:
    """A book in which A1:B2, or the whole sheet, is Ada's to change."""
    key = drive.book("Closed", bo="writer")
    drive.put(key, "A1", ["b z", "keep"], ["a", "keep"], ["b", "c"])
    drive.batch(key, {"addSheet": {"properties": {"sheetId": 7, "title": "Second"}}})
    range = (
        {"sheetId": 0}
        if sheet
        else {"sheetId": 0, "startRowIndex": 0, "endRowIndex": 2, "startColumnIndex": 0, "endColumnIndex": 2}
    )
    drive.batch(
        key,
        {"addProtectedRange": {"protectedRange": {"protectedRangeId": 5, "range": range}}},
        {"addNamedRange": {"namedRange": {"name": "kept", "range": range}}},
    )
    return key


def area(top: int = 0, left: int = 0, bottom: int = 2, right: int = 2, sheet: int = 0) -> dict[str, int]:
    """A GridRange."""
    return {
        "sheetId": sheet,
        "startRowIndex": top,
        "endRowIndex": bottom,
        "startColumnIndex": left,
        "endColumnIndex": right,
    }


def lines(axis: str, start: int, end: int) -> dict[str, Any]:
    """A DimensionRange."""
    return {"sheetId": 0, "dimension": axis, "startIndex": start, "endIndex": end}


CELL = {"userEnteredValue": {"stringValue": "y"}}
AT = {"sheetId": 0, "rowIndex": 0, "columnIndex": 0}
BESIDE = {"sheetId": 0, "rowIndex": 0, "columnIndex": 4}
BREAKING: list[dict[str, Any]] = [
    {"updateCells": {"rows": [{"values": [CELL]}], "fields": "userEnteredValue", "start": AT}},
    {"updateCells": {"range": area(), "fields": "*"}},
    {"updateCells": {"rows": [{"values": [{"note": "y"}]}], "fields": "note", "start": AT}},
    {"repeatCell": {"range": area(0, 0, 9, 9), "cell": CELL, "fields": "userEnteredValue"}},
    {
        "repeatCell": {
            "range": area(1, 1, 2, 2),
            "cell": {"userEnteredFormat": {"textFormat": {"bold": True}}},
            "fields": "userEnteredFormat",
        }
    },
    {"findReplace": {"find": "keep", "replacement": "y", "allSheets": True}},
    {"findReplace": {"find": "keep", "replacement": "y", "sheetId": 0}},
    {"findReplace": {"find": "e", "replacement": "", "range": area()}},
    {"sortRange": {"range": area(0, 0, 3, 2), "sortSpecs": [{"dimensionIndex": 0, "sortOrder": "ASCENDING"}]}},
    {"randomizeRange": {"range": area(0, 0, 3, 2)}},
    {
        "setBasicFilter": {
            "filter": {"range": area(0, 0, 3, 2), "sortSpecs": [{"dimensionIndex": 0, "sortOrder": "ASCENDING"}]}
        }
    },
    {"deleteDuplicates": {"range": area(0, 0, 3, 1)}},
    {"trimWhitespace": {"range": area()}},
    {"textToColumns": {"source": area(0, 0, 3, 1), "delimiterType": "SPACE"}},
    {"cutPaste": {"source": area(), "destination": BESIDE, "pasteType": "PASTE_NORMAL"}},
    {"cutPaste": {"source": area(2, 0, 3, 2), "destination": AT, "pasteType": "PASTE_NORMAL"}},
    {"copyPaste": {"source": area(2, 0, 3, 2), "destination": area(0, 0, 1, 2), "pasteType": "PASTE_NORMAL"}},
    {"copyPaste": {"source": area(2, 0, 3, 1), "destination": area(0, 1, 9, 2), "pasteType": "PASTE_FORMAT"}},
    {"pasteData": {"coordinate": AT, "data": "y", "delimiter": ",", "type": "PASTE_NORMAL"}},
    {
        "pasteData": {
            "coordinate": AT,
            "data": "<table><tr><td>y</td></tr></table>",
            "html": True,
            "type": "PASTE_VALUES",
        }
    },
    {"autoFill": {"sourceAndDestination": {"source": area(2, 0, 3, 1), "dimension": "ROWS", "fillLength": -2}}},
    {"insertRange": {"range": area(0, 0, 1, 1), "shiftDimension": "ROWS"}},
    {"deleteRange": {"range": area(0, 0, 1, 1), "shiftDimension": "ROWS"}},
    {"deleteRange": {"range": area(1, 0, 2, 1), "shiftDimension": "COLUMNS"}},
    {"deleteDimension": {"range": lines("ROWS", 1, 2)}},
    {"deleteDimension": {"range": lines("COLUMNS", 0, 1)}},
    {"insertDimension": {"range": lines("ROWS", 1, 2)}},
    {"moveDimension": {"source": lines("ROWS", 0, 1), "destinationIndex": 5}},
    {"moveDimension": {"source": lines("ROWS", 4, 5), "destinationIndex": 1}},
    {"mergeCells": {"range": area(), "mergeType": "MERGE_ALL"}},
    {"mergeCells": {"range": area(1, 1, 4, 4), "mergeType": "MERGE_ROWS"}},
    {"unmergeCells": {"range": area()}},
    {"updateBorders": {"range": area(), "top": {"style": "SOLID"}}},
    {
        "addBanding": {
            "bandedRange": {
                "range": area(),
                "rowProperties": {"firstBandColor": {"red": 1}, "secondBandColor": {"red": 0.5}},
            }
        }
    },
    {"setDataValidation": {"range": area(), "rule": {"condition": {"type": "BOOLEAN"}}}},
    {"addTable": {"table": {"name": "T", "range": area(0, 0, 3, 2)}}},
    {
        "addConditionalFormatRule": {
            "rule": {
                "ranges": [area()],
                "booleanRule": {"condition": {"type": "NOT_BLANK"}, "format": {"backgroundColor": {"red": 1}}},
            },
            "index": 0,
        }
    },
    {"deleteSheet": {"sheetId": 0}},
    {
        "updateProtectedRange": {
            "protectedRange": {"protectedRangeId": 5, "editors": {"users": [EMAIL("bo")]}},
            "fields": "editors",
        }
    },
    {"updateProtectedRange": {"protectedRange": {"protectedRangeId": 5, "warningOnly": True}, "fields": "warningOnly"}},
    {"deleteProtectedRange": {"protectedRangeId": 5}},
    {
        "updateProtectedRange": {
            "protectedRange": {"protectedRangeId": 5, "range": area(9, 9, 10, 10)},
            "fields": "range",
        }
    },
    {
        "updateSheetProperties": {
            "properties": {"sheetId": 0, "gridProperties": {"rowCount": 1}},
            "fields": "gridProperties.rowCount",
        }
    },
    {
        "updateSheetProperties": {
            "properties": {"sheetId": 0, "gridProperties": {"columnCount": 1}},
            "fields": "gridProperties.columnCount",
        }
    },
    {"addProtectedRange": {"protectedRange": {"range": area(0, 0, 1, 1), "editors": {"users": [EMAIL("bo")]}}}},
]
