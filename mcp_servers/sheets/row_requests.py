"""Rows of values as requests: read, written, appended and moved."""

from apps.drive.media_types import SPREADSHEET
from mcp_servers.sheets import argument_schemas, range_resolution
from mcp_servers.sheets.argument_schemas import wrong
from mcp_servers.sheets.batch_requests import Request, batch
from mcp_servers.tools import CallArguments, Given, Look
from world.core.errors import InvalidArguments


def append_rows(arguments: CallArguments, given: Given, look: Look) -> CallArguments:
    """Rows at the end of a table; what lies below moves down."""
    book, values = (
        range_resolution.get_spreadsheet(look, given["spreadsheet_id"]),
        argument_schemas.rows(given["values"]),
    )
    if not values:
        raise wrong("values", "must be a list of at least one row")
    tables = [(one, sheet["properties"]) for sheet in book["sheets"] for one in sheet.get("tables", ())]
    found = next((pair for pair in tables if given["table_id"] in (pair[0]["tableId"], pair[0]["name"])), None)
    if found is None:
        raise wrong("table_id", "No table of this id; list_sheet_tables tells them")
    table, place = found
    range, count = table["range"], len(values)
    if any(len(row) > range["endColumnIndex"] - range["startColumnIndex"] for row in values):
        raise wrong("values", "A row has more values than the table has columns")
    below = {**range, "startRowIndex": range["endRowIndex"], "endRowIndex": range["endRowIndex"] + count}
    grown = {**range, "endRowIndex": below["endRowIndex"]}
    rows = [{"values": [cell(value) for value in row]} for row in values]
    start = {
        "sheetId": range.get("sheetId", 0),
        "rowIndex": below["startRowIndex"],
        "columnIndex": range["startColumnIndex"],
    }
    at_end = range["endRowIndex"] >= place["gridProperties"]["rowCount"]
    room: Request = {"appendDimension": {"sheetId": start["sheetId"], "dimension": "ROWS", "length": count}}
    return batch(
        arguments,
        [
            *([room] if at_end else [room, {"insertRange": {"range": below, "shiftDimension": "ROWS"}}]),
            {"updateCells": {"start": start, "rows": rows, "fields": "userEnteredValue"}},
            {"updateTable": {"table": {"tableId": table["tableId"], "range": grown}, "fields": "range"}},
        ],
    )


def cell(value: object) -> Request:
    """A value as CellData."""
    if value is None or value == "":
        return {}
    kind = (
        "boolValue" if isinstance(value, bool) else "numberValue" if isinstance(value, int | float) else "stringValue"
    )
    if isinstance(value, str) and value.startswith("="):
        kind = "formulaValue"
    return {"userEnteredValue": {kind: value if kind in ("boolValue", "numberValue") else str(value)}}


def move_rows(arguments: CallArguments, given: Given, look: Look) -> CallArguments:
    """Rows of a sheet carried below the last ones of another."""
    id, book = given["spreadsheet_id"], range_resolution.get_spreadsheet(look, given["spreadsheet_id"])
    source = range_resolution.get_sheet_properties(book, given["source_sheet"], "source_sheet")
    target = range_resolution.get_sheet_properties(book, given["destination_sheet"], "destination_sheet")
    first, last = (
        argument_schemas.whole(given, "start_row", 1, least=1) or 1,
        argument_schemas.whole(given, "end_row", 1, least=1) or 1,
    )
    if last < first:
        raise wrong("end_row", "must not be less than start_row")
    if source["sheetId"] == target["sheetId"]:
        raise wrong("destination_sheet", "must be another sheet")
    filled = len(
        look("spreadsheets.values.get", spreadsheetId=id, range=range_resolution.within(target["title"], None)).get(
            "values", ()
        )
    )
    rows = {"sheetId": source["sheetId"], "startRowIndex": first - 1, "endRowIndex": last}
    room = filled + last - first + 1 - target["gridProperties"]["rowCount"]
    grown: Request = {"appendDimension": {"sheetId": target["sheetId"], "dimension": "ROWS", "length": room}}
    gone = {"sheetId": source["sheetId"], "dimension": "ROWS", "startIndex": first - 1, "endIndex": last}
    goal = {"sheetId": target["sheetId"], "rowIndex": filled, "columnIndex": 0}
    return batch(
        arguments,
        [
            *([grown] if room > 0 else []),
            {"cutPaste": {"source": rows, "destination": goal, "pasteType": "PASTE_NORMAL"}},
            {"deleteDimension": {"range": gone}},
        ],
    )


def list_spreadsheets(arguments: CallArguments, given: Given, look: Look) -> CallArguments:
    """A page of spreadsheets."""
    return {**arguments, "q": f"mimeType = '{SPREADSHEET}' and trashed = false", "orderBy": "modifiedTime desc"}


def choose_range(arguments: CallArguments, given: Given, look: Look) -> CallArguments:
    """The range to read; the first sheet unless given."""
    if given.get("range_name"):
        return {**arguments, "range": given["range_name"]}
    first = range_resolution.properties(range_resolution.get_spreadsheet(look, given["spreadsheet_id"]))[0]["title"]
    return {**arguments, "range": range_resolution.within(first, None)}


def parse_rows(value: object) -> list[list[object]]:
    """Rows of values. Raises ValueError."""
    try:
        return argument_schemas.rows(value)
    except InvalidArguments as error:
        raise ValueError(error.problems[0][1]) from None


def check_values(arguments: CallArguments, given: Given, look: Look) -> CallArguments:
    """Values to write. Chips cannot be. Raises InvalidArguments."""
    if given.get("chips"):
        raise wrong("chips", "Smart chips cannot be written here")
    if given.get("clear_values"):
        return arguments
    if given.get("values") is None:
        raise wrong("values", "is required unless clear_values is true")
    return {**arguments, "valueInputOption": given.get("value_input_option") or "USER_ENTERED"}
