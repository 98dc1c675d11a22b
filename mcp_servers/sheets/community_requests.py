"""Requests of the community server's tools: batches, ranges with a sheet's title, searches of the drive."""

from collections.abc import Callable, Mapping
from typing import Any

from apps.drive.access import FOLDER, SPREADSHEET
from mcp_servers.sheets import argument_schemas, range_resolution
from mcp_servers.tools import CallArguments, Given, Look
from world.core.errors import OperationError

CHARTS = ("COLUMN", "BAR", "LINE", "AREA", "PIE", "SCATTER", "COMBO", "STEPPED_AREA")
ROLES = ("reader", "commenter", "writer")
MOST_FOUND = 1000


def qualify_range(arguments: CallArguments, given: Given, look: Look) -> CallArguments:
    """Put the sheet's title before the range."""
    return {**arguments, "range": range_resolution.within(given["sheet"], given.get("range"))}


def choose_range_argument(arguments: CallArguments, given: Given, look: Look) -> CallArguments:
    """Ask for values of the range, or for the spreadsheet with its cells."""
    wanted = range_resolution.within(given["sheet"], given.get("range"))
    if given.get("include_grid_data"):
        return {**arguments, "ranges": [wanted], "includeGridData": True}
    return {**arguments, "range": wanted}


def update_cells(arguments: CallArguments, given: Given, look: Look) -> CallArguments:
    """Write values, as if typed."""
    return {**qualify_range(arguments, given, look), "valueInputOption": "USER_ENTERED"}


def update_ranges(arguments: CallArguments, given: Given, look: Look) -> CallArguments:
    """Write values into several ranges of a sheet, as if typed."""
    data = [
        {"range": range_resolution.within(given["sheet"], range), "values": argument_schemas.rows(values, "ranges")}
        for range, values in given["ranges"].items()
    ]
    return {**arguments, "valueInputOption": "USER_ENTERED", "data": data}


def insert_lines(dimension: str, start: str) -> Callable[[CallArguments, Given, Look], CallArguments]:
    """Insert empty rows or columns at a place of a sheet; at its beginning unless said."""

    def prepare(arguments: CallArguments, given: Given, look: Look) -> CallArguments:
        number = range_resolution.sheet(look, given["spreadsheet_id"], given["sheet"])
        first, count = (
            argument_schemas.whole(given, start, 0) or 0,
            argument_schemas.whole(given, "count", 1, least=1) or 1,
        )
        range = {"sheetId": number, "dimension": dimension, "startIndex": first, "endIndex": first + count}
        return {**arguments, "requests": [{"insertDimension": {"range": range, "inheritFromBefore": first > 0}}]}

    return prepare


def rename_sheet(arguments: CallArguments, given: Given, look: Look) -> CallArguments:
    """Give a sheet another title."""
    number = range_resolution.sheet(look, given["spreadsheet"], given["sheet"])
    wanted = {"properties": {"sheetId": number, "title": given["new_name"]}, "fields": "title"}
    return {**arguments, "requests": [{"updateSheetProperties": wanted}]}


def copy_sheet(arguments: CallArguments, given: Given, look: Look) -> CallArguments:
    """Name the sheet to copy by its number."""
    return {
        **arguments,
        "sheetId": range_resolution.sheet(look, given["src_spreadsheet"], given["src_sheet"], "src_sheet"),
    }


def add_sheet(arguments: CallArguments, given: Given, look: Look) -> CallArguments:
    """Add a sheet of a title."""
    return {**arguments, "requests": [{"addSheet": {"properties": {"title": given["title"]}}}]}


def in_folder(arguments: CallArguments, given: Given, look: Look) -> CallArguments:
    """A spreadsheet, in a folder if one is named."""
    folder = given.get("folder_id")
    return {**arguments, **({"parents": [folder]} if folder else {})}


def share_spreadsheet(arguments: CallArguments, given: Given, look: Look) -> CallArguments:
    """Share with recipients, given as `email_address` and `role`."""
    wanted = []
    for one in argument_schemas.objects(given, "recipients"):
        role = argument_schemas.word(one.get("role", "writer"), "recipients")
        if role not in ROLES:
            raise argument_schemas.wrong("recipients", f"role should be one of: {', '.join(ROLES)}")
        wanted.append({"emailAddress": argument_schemas.word(one.get("email_address"), "recipients"), "role": role})
    return {**arguments, "recipients": wanted, "sendNotificationEmail": bool(given.get("send_notification", True))}


def quote_search_text(text: str) -> str:
    """Quote a text in a search of the drive."""
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def list_files(kind: str, folder: str) -> Callable[[CallArguments, Given, Look], CallArguments]:
    """Files of a kind, in a folder if one is named."""

    def prepare(arguments: CallArguments, given: Given, look: Look) -> CallArguments:
        place = given.get(folder)
        return {
            **arguments,
            "q": _query(kind, f" and {quote_search_text(place)} in parents" if place else ""),
            "orderBy": "modifiedTime desc",
            "pageSize": 100,
        }

    return prepare


sheets_in = list_files(SPREADSHEET, "folder_id")
folders_in = list_files(FOLDER, "parent_folder_id")


def _query(kind: str, more: str = "") -> str:
    return f"mimeType = '{kind}' and trashed = false{more}"


def search_spreadsheets(arguments: CallArguments, given: Given, look: Look) -> CallArguments:
    """Search spreadsheets whose name or text holds the words."""
    most = argument_schemas.whole(given, "max_results", 20, least=1) or 20
    words = quote_search_text(given["query"])
    q = _query(SPREADSHEET, f" and (name contains {words} or fullText contains {words})")
    return {**arguments, "q": q, "pageSize": min(most, 100)}


def find_in_sheets(arguments: CallArguments, given: Given, look: Look) -> CallArguments:
    """Look through all sheets, or one."""
    argument_schemas.whole(given, "max_results", 50, least=1)
    book = range_resolution.get_spreadsheet(look, given["spreadsheet_id"])
    titles = (
        [range_resolution.get_sheet_properties(book, given["sheet"])["title"]]
        if given.get("sheet")
        else [one["title"] for one in range_resolution.properties(book) if one.get("sheetType", "GRID") == "GRID"]
    )
    return {**arguments, "ranges": [range_resolution.within(title, None) for title in titles]}


def first_that_opens(arguments: CallArguments, given: Given, look: Look) -> CallArguments:
    """The first of several spreadsheets that may be read; the others are looked up for the answer."""
    wanted = argument_schemas.texts(given, "spreadsheet_ids")
    if not wanted:
        raise argument_schemas.wrong("spreadsheet_ids", "must be a list of at least one id")
    argument_schemas.whole(given, "rows_to_fetch", 5, least=1)
    return {
        **arguments,
        "spreadsheetId": next((id for id in wanted if _opens(look, "spreadsheets.get", spreadsheetId=id)), wanted[0]),
    }


def first_that_reads(arguments: CallArguments, given: Given, look: Look) -> CallArguments:
    """The first of several ranges that can be read; the others are looked up for the answer."""
    asked = [question(one) for one in argument_schemas.objects(given, "queries")]
    if not asked:
        raise argument_schemas.wrong("queries", "must be a list of at least one object")
    return {**arguments, **next((one for one in asked if _opens(look, "spreadsheets.values.get", **one)), asked[0])}


def question(one: Mapping[str, object]) -> dict[str, str]:
    """One of `queries` as the operation takes it. Raises InvalidArguments."""
    id, sheet, range = (
        argument_schemas.word(one.get(name), "queries") for name in ("spreadsheet_id", "sheet", "range")
    )
    return {"spreadsheetId": id, "range": range_resolution.within(sheet, range)}


def _opens(look: Look, operation: str, **arguments: object) -> bool:
    try:
        look(operation, **arguments)
    except OperationError:
        return False
    return True


def add_chart(arguments: CallArguments, given: Given, look: Look) -> CallArguments:
    """Add a chart over a range: its first column names, each further one is a series."""
    book = range_resolution.get_spreadsheet(look, given["spreadsheet_id"])
    kind = given["chart_type"]
    place = range_resolution.get_sheet_properties(book, given["sheet"])
    text = given["data_range"]
    range = range_resolution.grid(
        book, text if "!" in text else range_resolution.within(place["title"], text), "data_range"
    )
    size = {
        "endRowIndex": place["gridProperties"]["rowCount"],
        "endColumnIndex": place["gridProperties"]["columnCount"],
    }
    spec = {"title": given.get("title") or "", **_spec(kind, _columns({**size, **range}), given)}
    anchor = {"sheetId": place["sheetId"], "rowIndex": 0, "columnIndex": 0}
    overlay = {
        "anchorCell": anchor,
        "offsetXPixels": argument_schemas.whole(given, "position_x", 0),
        "offsetYPixels": argument_schemas.whole(given, "position_y", 0),
        "widthPixels": argument_schemas.whole(given, "width", 600, least=1),
        "heightPixels": argument_schemas.whole(given, "height", 400, least=1),
    }
    return {
        **arguments,
        "requests": [{"addChart": {"chart": {"spec": spec, "position": {"overlayPosition": overlay}}}}],
    }


def _columns(range: Mapping[str, int]) -> list[dict[str, Any]]:
    """Each column of a range as ChartData."""
    first, last = range.get("startColumnIndex", 0), range["endColumnIndex"]
    if last - first < 2 or last - first > 60:
        raise argument_schemas.wrong("data_range", "A chart takes a column of names and 1 to 59 columns of numbers")
    return [
        {"sourceRange": {"sources": [{**range, "startColumnIndex": at, "endColumnIndex": at + 1}]}}
        for at in _span(first, last)
    ]


def _span(first: int, last: int) -> list[int]:
    return list(range(first, last))


def _spec(kind: str, columns: list[dict[str, Any]], given: Given) -> dict[str, Any]:
    if kind == "PIE":
        return {"pieChart": {"legendPosition": "RIGHT_LEGEND", "domain": columns[0], "series": columns[1]}}
    left = {"BAR": ("LEFT_AXIS", "BOTTOM_AXIS")}.get(kind, ("BOTTOM_AXIS", "LEFT_AXIS"))
    titles = zip(left, (given.get("x_axis_label"), given.get("y_axis_label")), strict=True)
    return {
        "basicChart": {
            "chartType": kind,
            "legendPosition": "BOTTOM_LEGEND",
            "headerCount": 1,
            "axis": [{"position": place, **({"title": title} if title else {})} for place, title in titles],
            "domains": [{"domain": columns[0]}],
            "series": [{"series": one, "targetAxis": left[1]} for one in columns[1:]],
        }
    }
