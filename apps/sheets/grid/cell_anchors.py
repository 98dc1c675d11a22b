"""Anchors of comments on cells: an anchor names a place, a comment keeps the lines, wherever these are moved."""

import orjson

from apps.drive.public import Cell, FileRow
from apps.sheets.a1 import MOST_COLUMNS, MOST_ROWS
from apps.sheets.json_columns import decode_object
from apps.sheets.structure.line_order import LineOrder
from apps.sheets.structure.tabs import ORDER
from world.core.call import Call

NOWHERE: Cell = (None, None, None)
_BY_GID = "SELECT id, properties FROM sheets_sheet WHERE file_id = :file AND gid = :gid"
_BY_ID = "SELECT gid, properties FROM sheets_sheet WHERE id = :id AND file_id = :file"


def find_anchor(call: Call, file: FileRow, anchor: str) -> Cell:
    """Parse an anchor given as a GridCoordinate to its sheet and lines; NOWHERE if it names no cell."""
    try:
        told: object = orjson.loads(anchor) if anchor else {}
    except orjson.JSONDecodeError:
        told = {}
    if not isinstance(told, dict) or not isinstance(told.get("sheetId", 0), int):
        return NOWHERE
    row, col = told.get("rowIndex"), told.get("columnIndex")
    if not isinstance(row, int) or not isinstance(col, int) or row < 0 or col < 0:
        return NOWHERE
    found = call.first(_BY_GID, {"file": file.id, "gid": told.get("sheetId", 0)})
    if found is None or row >= MOST_ROWS or col >= MOST_COLUMNS:
        return NOWHERE
    down, across = _orders(found[1])
    return found[0], down.line(row), across.line(col)


def render_anchor(call: Call, file: int, cell: Cell) -> str:
    """Render a cell's present place as a GridCoordinate; empty once it is deleted."""
    sheet, line, column_line = cell
    found = call.first(_BY_ID, {"id": sheet, "file": file})
    if found is None or line is None or column_line is None:
        return ""
    down, across = _orders(found[1])
    row, column = down.place(line), across.place(column_line)
    if row is None or column is None:
        return ""
    return orjson.dumps({"sheetId": found[0], "rowIndex": row, "columnIndex": column}).decode()


def _orders(properties: str | None) -> tuple[LineOrder, LineOrder]:
    """Return the order of a sheet's lines."""
    told = decode_object(properties).get(ORDER, {})
    return LineOrder.read(told.get("down")), LineOrder.read(told.get("across"))
