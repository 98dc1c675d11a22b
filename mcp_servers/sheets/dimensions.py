"""Rows and columns: sizes, hidden and frozen ones, insertions and deletions, as requests of a batch."""

import re

from mcp_servers.sheets import argument_schemas, range_resolution
from mcp_servers.sheets.argument_schemas import wrong
from mcp_servers.sheets.batch_requests import Request, batch
from mcp_servers.tools import CallArguments, Given, Look

_SPAN = re.compile(r"(\w+)(?:[:-](\w+))?")


MOST_SIZES = 1000


def resize_sheet(arguments: CallArguments, given: Given, look: Look) -> CallArguments:
    """Sizes, hidden lines, frozen lines, lines inserted and deleted."""
    book = range_resolution.get_spreadsheet(look, given["spreadsheet_id"])
    place = (
        range_resolution.get_sheet_properties(book, given["sheet_name"], "sheet_name")
        if given.get("sheet_name")
        else range_resolution.properties(book)[0]
    )
    number = place["sheetId"]
    sized = [*_set_sizes(number, given, "COLUMNS", "column_sizes"), *_set_sizes(number, given, "ROWS", "row_sizes")]
    fitted = [
        {"autoResizeDimensions": {"dimensions": one}}
        for name, axis in (("auto_resize_columns", "COLUMNS"), ("auto_resize_rows", "ROWS"))
        for one in _spans(number, given, name, axis)
    ]
    return batch(
        arguments,
        [
            *_insert(place, given),
            *sized,
            *fitted,
            *_hide(number, given),
            *_freeze(number, given),
            *_delete(number, given),
        ],
    )


def _line(value: object, axis: str, name: str) -> int:
    """A row or column from 0: rows are named from 1, columns by letters. Raises InvalidArguments."""
    text = str(value)
    if axis == "COLUMNS":
        return range_resolution.column(text, name)
    if not text.isascii() or not text.isdigit() or not 1 <= int(text) <= argument_schemas.BOUND:
        raise wrong(name, "Rows are numbered from 1")
    return int(text) - 1


def _span(number: int, text: str, axis: str, name: str) -> Request:
    """`B` or `B:D`, `2` or `2:4`, as a DimensionRange."""
    found = _SPAN.fullmatch(text)
    if found is None:
        raise wrong(name, "must be like A, B:D, 1 or 2:5")
    first = _line(found[1], axis, name)
    last = _line(found[2], axis, name) if found[2] else first
    return {"sheetId": number, "dimension": axis, "startIndex": min(first, last), "endIndex": max(first, last) + 1}


def _spans(number: int, given: Given, name: str, axis: str) -> list[Request]:
    return [_span(number, text.strip(), axis, name) for text in argument_schemas.texts(given, name)]


def _set_sizes(number: int, given: Given, axis: str, name: str) -> list[Request]:
    wanted = given.get(name) or {}
    if (
        not isinstance(wanted, dict)
        or len(wanted) > MOST_SIZES
        or not all(isinstance(size, int) for size in wanted.values())
    ):
        raise wrong(name, "must be an object of sizes in pixels")
    return [
        {
            "updateDimensionProperties": {
                "range": _span(number, key, axis, name),
                "properties": {"pixelSize": size},
                "fields": "pixelSize",
            }
        }
        for key, size in wanted.items()
    ]


def _hide(number: int, given: Given) -> list[Request]:
    wanted = (
        ("hide_columns", "COLUMNS", True),
        ("unhide_columns", "COLUMNS", False),
        ("hide_rows", "ROWS", True),
        ("unhide_rows", "ROWS", False),
    )
    return [
        {"updateDimensionProperties": {"range": one, "properties": {"hiddenByUser": hidden}, "fields": "hiddenByUser"}}
        for name, axis, hidden in wanted
        for one in _spans(number, given, name, axis)
    ]


def _freeze(number: int, given: Given) -> list[Request]:
    asked = (("frozenRowCount", "frozen_row_count"), ("frozenColumnCount", "frozen_column_count"))
    wanted = {key: count for key, name in asked if (count := argument_schemas.whole(given, name)) is not None}
    fields = ",".join(f"gridProperties.{key}" for key in wanted)
    return (
        [{"updateSheetProperties": {"properties": {"sheetId": number, "gridProperties": wanted}, "fields": fields}}]
        if wanted
        else []
    )


def _insert(place: Given, given: Given) -> list[Request]:
    made = []
    for name, at, axis, size in (
        ("insert_rows", "insert_rows_at", "ROWS", "rowCount"),
        ("insert_columns", "insert_columns_at", "COLUMNS", "columnCount"),
    ):
        count = argument_schemas.whole(given, name, least=1)
        if count is None:
            continue
        if given.get(at) is None:
            made.append({"appendDimension": {"sheetId": place["sheetId"], "dimension": axis, "length": count}})
            continue
        first = min(_line(given[at], axis, at), place["gridProperties"][size])
        range = {"sheetId": place["sheetId"], "dimension": axis, "startIndex": first, "endIndex": first + count}
        made.append({"insertDimension": {"range": range, "inheritFromBefore": first > 0}})
    return made


def _delete(number: int, given: Given) -> list[Request]:
    """The last ones first: the numbers of the others stay as they are."""
    rows = [*_spans(number, given, "delete_rows", "ROWS"), *_spans(number, given, "delete_row_range", "ROWS")]
    groups = (rows, _spans(number, given, "delete_columns", "COLUMNS"))
    return [
        {"deleteDimension": {"range": one}}
        for group in groups
        for one in sorted(group, key=lambda one: -one["startIndex"])
    ]
