"""Requests of a batch for the workspace server's tools: formats, rules, sizes, names, tabs, tables, rows."""

import re
from collections.abc import Mapping
from typing import Any

from apps.sheets.drive.media_types import SPREADSHEET
from mcp_servers.sheets import argument_schemas, range_resolution
from mcp_servers.sheets.argument_schemas import wrong
from mcp_servers.tools import Look
from world.core.errors import InvalidArguments

Arguments = dict[str, Any]
Given = Mapping[str, Any]
Request = dict[str, Any]
_COLOR = re.compile(r"#?([0-9a-fA-F]{2})([0-9a-fA-F]{2})([0-9a-fA-F]{2})")
_SPAN = re.compile(r"(\w+)(?:[:-](\w+))?")
SIDES = ("top", "bottom", "left", "right", "innerHorizontal", "innerVertical")
EDGES = {"all": SIDES, "outer": SIDES[:4], "inner": SIDES[4:], **{side: (side,) for side in SIDES[:4]}, "none": SIDES}
MOST_SIZES = 1000
BLACK = {"red": 0.0, "green": 0.0, "blue": 0.0}


def color(given: Given, name: str) -> dict[str, Any] | None:
    """A colour written #RRGGBB. Raises InvalidArguments."""
    value = given.get(name)
    return None if value is None else _color(value, name)


def _color(value: Any, name: str) -> dict[str, float]:
    found = _COLOR.fullmatch(value) if isinstance(value, str) else None
    if found is None:
        raise wrong(name, "Input should be a colour like #FF8800")
    parts = zip(("red", "green", "blue"), (int(part, 16) / 255 for part in found.groups()), strict=True)
    return {name: part for name, part in parts if part} or dict(BLACK)


def batch(arguments: Arguments, requests: list[Request]) -> Arguments:
    """The requests. Raises InvalidArguments when there are none."""
    if not requests:
        raise InvalidArguments([("arguments", "Nothing is to be changed: give at least one of the optional arguments")])
    return {**arguments, "requests": requests}


# looks of cells


def formatted(arguments: Arguments, given: Given, look: Look) -> Arguments:
    """Looks, merges, borders and choices of a range."""
    range = range_resolution.grid(
        range_resolution.described(look, given["spreadsheet_id"]), given["range_name"], "range_name"
    )
    looks = [*_looks(range, given), *_merged(range, given), *_borders(range, given), *_choices(range, given)]
    return batch(arguments, looks)


def _looks(range: dict[str, Any], given: Given) -> list[Request]:
    style: dict[str, Any] = {}
    for name, key in (
        ("wrap_strategy", "wrapStrategy"),
        ("horizontal_alignment", "horizontalAlignment"),
        ("vertical_alignment", "verticalAlignment"),
    ):
        if given.get(name):
            style[key] = given[name].upper()
    if (fill := color(given, "background_color")) is not None:
        style["backgroundColor"] = fill
    if (letters := _letters(given)) != {}:
        style["textFormat"] = letters
    if given.get("number_format_type") or given.get("number_format_pattern"):
        style["numberFormat"] = _number_format(given)
    if not style:
        return []
    fields = [f"textFormat.{name}" for name in style.get("textFormat", ())] + [
        name for name in style if name != "textFormat"
    ]
    cell = {"userEnteredFormat": style}
    return [
        {
            "repeatCell": {
                "range": range,
                "cell": cell,
                "fields": ",".join(f"userEnteredFormat.{name}" for name in fields),
            }
        }
    ]


def _letters(given: Given) -> dict[str, Any]:
    made: dict[str, Any] = {name: given[name] for name in ("bold", "italic") if given.get(name) is not None}
    if (size := argument_schemas.whole(given, "font_size", least=1)) is not None:
        made["fontSize"] = size
    if (shade := color(given, "text_color")) is not None:
        made["foregroundColor"] = shade
    return made


def _number_format(given: Given) -> dict[str, str]:
    kind, pattern = given.get("number_format_type"), given.get("number_format_pattern")
    return {"type": (kind or "NUMBER").upper(), **({"pattern": pattern} if pattern else {})}


def _merged(range: dict[str, Any], given: Given) -> list[Request]:
    if given.get("merge_cells") is None:
        return []
    if not given["merge_cells"]:
        return [{"unmergeCells": {"range": range}}]
    kind = (given.get("merge_type") or "MERGE_ALL").upper()
    return [{"mergeCells": {"range": range, "mergeType": kind}}]


def _borders(range: dict[str, Any], given: Given) -> list[Request]:
    wanted = given.get("borders")
    if not wanted:
        return []
    style = "NONE" if wanted == "none" else (given.get("border_style") or "SOLID").upper()
    line = {"style": style, "color": color(given, "border_color") or {}}
    return [{"updateBorders": {"range": range, **dict.fromkeys(EDGES[wanted], line)}}]


def _choices(range: dict[str, Any], given: Given) -> list[Request]:
    values = argument_schemas.texts(given, "dropdown_values")
    if given.get("clear_dropdown"):
        return [{"setDataValidation": {"range": range}}]
    if not values:
        return []
    condition = {"type": "ONE_OF_LIST", "values": [{"userEnteredValue": value} for value in values]}
    rule = {"condition": condition, "strict": bool(given.get("dropdown_strict", True)), "showCustomUi": True}
    return [{"setDataValidation": {"range": range, "rule": rule}}]


# rules


def ruled(arguments: Arguments, given: Given, look: Look) -> Arguments:
    """A conditional format added, replaced or taken away."""
    book = range_resolution.described(look, given["spreadsheet_id"])
    if given["action"] == "add":
        return batch(
            arguments,
            [
                {
                    "addConditionalFormatRule": {
                        "rule": _rule(book, given, {}),
                        "index": argument_schemas.whole(given, "rule_index", 0),
                    }
                }
            ],
        )
    index = argument_schemas.whole(given, "rule_index")
    if index is None:
        raise wrong("rule_index", "Field required for this action")
    number = _rules_sheet(book, given)
    if given["action"] == "delete":
        return batch(arguments, [{"deleteConditionalFormatRule": {"sheetId": number, "index": index}}])
    listed = next(
        (one.get("conditionalFormats", []) for one in book["sheets"] if one["properties"]["sheetId"] == number), []
    )
    known = listed[index] if index < len(listed) else {}
    return batch(
        arguments,
        [{"updateConditionalFormatRule": {"sheetId": number, "index": index, "rule": _rule(book, given, known)}}],
    )


def _rules_sheet(book: Mapping[str, Any], given: Given) -> int:
    if given.get("sheet_name"):
        return range_resolution.titled(book, given["sheet_name"], "sheet_name")["sheetId"]
    if given.get("range_name"):
        return range_resolution.grid(book, given["range_name"], "range_name")["sheetId"]
    return range_resolution.properties(book)[0]["sheetId"]


def _rule(book: Mapping[str, Any], given: Given, known: Mapping[str, Any]) -> dict[str, Any]:
    """A rule; what is not given is as it was."""
    if not given.get("range_name") and not known:
        raise wrong("range_name", "Field required for this action")
    ranges = (
        [range_resolution.grid(book, given["range_name"], "range_name")] if given.get("range_name") else known["ranges"]
    )
    points = argument_schemas.objects(given, "gradient_points")
    if points:
        return {"ranges": ranges, "gradientRule": _gradient(points)}
    was = known.get("booleanRule", {})
    if not given.get("condition_type") and not was:
        raise wrong("condition_type", "Field required for this action")
    condition = was.get("condition", {})
    if given.get("condition_type"):
        condition = {"type": given["condition_type"].upper(), "values": _values(given)}
    return {
        "ranges": ranges,
        "booleanRule": {"condition": condition, "format": {**was.get("format", {}), **_rule_look(given)}},
    }


def _values(given: Given) -> list[dict[str, str]]:
    value = given.get("condition_values") or []
    listed = value if isinstance(value, list) else [value]
    if not all(isinstance(one, str | int | float) and not isinstance(one, bool) for one in listed):
        raise wrong("condition_values", "Input should be a list of texts or numbers")
    return [{"userEnteredValue": str(one)} for one in listed]


def _rule_look(given: Given) -> dict[str, Any]:
    made: dict[str, Any] = {}
    if (fill := color(given, "background_color")) is not None:
        made["backgroundColor"] = fill
    if (shade := color(given, "text_color")) is not None:
        made["textFormat"] = {"foregroundColor": shade}
    return made


def _gradient(points: list[dict[str, Any]]) -> dict[str, Any]:
    if not 2 <= len(points) <= 3:
        raise wrong("gradient_points", "A gradient has two or three points")
    names = ("minpoint", "maxpoint") if len(points) == 2 else ("minpoint", "midpoint", "maxpoint")
    return {name: _point(point) for name, point in zip(names, points, strict=True)}


def _point(point: Mapping[str, Any]) -> dict[str, Any]:
    value = point.get("value")
    told = {"type": str(point.get("type") or "").upper(), "color": _color(point.get("color"), "gradient_points")}
    return {**told, **({} if value is None else {"value": str(value)})}


# rows and columns


def resized(arguments: Arguments, given: Given, look: Look) -> Arguments:
    """Sizes, hidden lines, frozen lines, lines inserted and deleted."""
    book = range_resolution.described(look, given["spreadsheet_id"])
    place = (
        range_resolution.titled(book, given["sheet_name"], "sheet_name")
        if given.get("sheet_name")
        else range_resolution.properties(book)[0]
    )
    number = place["sheetId"]
    sized = [*_sizes(number, given, "COLUMNS", "column_sizes"), *_sizes(number, given, "ROWS", "row_sizes")]
    fitted = [
        {"autoResizeDimensions": {"dimensions": one}}
        for name, axis in (("auto_resize_columns", "COLUMNS"), ("auto_resize_rows", "ROWS"))
        for one in _spans(number, given, name, axis)
    ]
    return batch(
        arguments,
        [
            *_inserted(place, given),
            *sized,
            *fitted,
            *_hidden(number, given),
            *_frozen(number, given),
            *_deleted(number, given),
        ],
    )


def _line(value: Any, axis: str, name: str) -> int:
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
        raise wrong(name, "Input should be like A, B:D, 1 or 2:5")
    first = _line(found[1], axis, name)
    last = _line(found[2], axis, name) if found[2] else first
    return {"sheetId": number, "dimension": axis, "startIndex": min(first, last), "endIndex": max(first, last) + 1}


def _spans(number: int, given: Given, name: str, axis: str) -> list[Request]:
    return [_span(number, text.strip(), axis, name) for text in argument_schemas.texts(given, name)]


def _sizes(number: int, given: Given, axis: str, name: str) -> list[Request]:
    wanted = given.get(name) or {}
    if (
        not isinstance(wanted, dict)
        or len(wanted) > MOST_SIZES
        or not all(isinstance(size, int) for size in wanted.values())
    ):
        raise wrong(name, "Input should be an object of sizes in pixels")
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


def _hidden(number: int, given: Given) -> list[Request]:
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


def _frozen(number: int, given: Given) -> list[Request]:
    asked = (("frozenRowCount", "frozen_row_count"), ("frozenColumnCount", "frozen_column_count"))
    wanted = {key: count for key, name in asked if (count := argument_schemas.whole(given, name)) is not None}
    fields = ",".join(f"gridProperties.{key}" for key in wanted)
    return (
        [{"updateSheetProperties": {"properties": {"sheetId": number, "gridProperties": wanted}, "fields": fields}}]
        if wanted
        else []
    )


def _inserted(place: Mapping[str, Any], given: Given) -> list[Request]:
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


def _deleted(number: int, given: Given) -> list[Request]:
    """The last ones first: the numbers of the others stay as they are."""
    rows = [*_spans(number, given, "delete_rows", "ROWS"), *_spans(number, given, "delete_row_range", "ROWS")]
    groups = (rows, _spans(number, given, "delete_columns", "COLUMNS"))
    return [
        {"deleteDimension": {"range": one}}
        for group in groups
        for one in sorted(group, key=lambda one: -one["startIndex"])
    ]


# names, sheets, tables, rows


def named(arguments: Arguments, given: Given, look: Look) -> Arguments:
    """A named range added, changed or deleted."""
    book = range_resolution.described(look, given["spreadsheet_id"])
    if given["action"] == "add":
        name, range = (argument_schemas.word(given.get(key), key) for key in ("name", "range_name"))
        return batch(
            arguments,
            [
                {
                    "addNamedRange": {
                        "namedRange": {"name": name, "range": range_resolution.grid(book, range, "range_name")}
                    }
                }
            ],
        )
    id = _named_id(book, given)
    if given["action"] == "delete":
        return batch(arguments, [{"deleteNamedRange": {"namedRangeId": id}}])
    changed: dict[str, Any] = {}
    if given.get("new_name"):
        changed["name"] = given["new_name"]
    if range := given.get("new_range") or given.get("range_name"):
        changed["range"] = range_resolution.grid(book, range, "new_range")
    if not changed:
        raise wrong("new_name", "Give new_name or new_range")
    return batch(
        arguments, [{"updateNamedRange": {"namedRange": {"namedRangeId": id, **changed}, "fields": ",".join(changed)}}]
    )


def _named_id(book: Mapping[str, Any], given: Given) -> str:
    if given.get("named_range_id"):
        return given["named_range_id"]
    wanted = argument_schemas.word(given.get("name"), "name")
    found = next(
        (one["namedRangeId"] for one in book.get("namedRanges", ()) if one["name"].casefold() == wanted.casefold()),
        None,
    )
    if found is None:
        raise wrong("name", "No named range of this name")
    return found


def tabbed(arguments: Arguments, given: Given, look: Look) -> Arguments:
    """A sheet renamed, moved, hidden, shown, coloured, copied or deleted."""
    book = range_resolution.described(look, given["spreadsheet_id"])
    number = range_resolution.titled(book, given["sheet_name"], "sheet_name")["sheetId"]
    action = given["action"]
    if action == "delete":
        return batch(arguments, [{"deleteSheet": {"sheetId": number}}])
    if action == "duplicate":
        more = {"newSheetName": given["new_name"]} if given.get("new_name") else {}
        return batch(
            arguments,
            [{"duplicateSheet": {"sourceSheetId": number, **_index(given, "new_index", "insertSheetIndex"), **more}}],
        )
    changed = _changed_tab(action, given)
    return batch(
        arguments, [{"updateSheetProperties": {"properties": {"sheetId": number, **changed[0]}, "fields": changed[1]}}]
    )


def _index(given: Given, name: str, key: str) -> dict[str, int]:
    found = argument_schemas.whole(given, name)
    return {} if found is None else {key: found}


def _changed_tab(action: str, given: Given) -> tuple[dict[str, Any], str]:
    if action == "rename":
        return {"title": argument_schemas.word(given.get("new_name"), "new_name")}, "title"
    if action in ("hide", "show"):
        return {"hidden": action == "hide"}, "hidden"
    if action == "set_gridlines":
        return {
            "gridProperties": {"hideGridlines": not given.get("show_gridlines", True)}
        }, "gridProperties.hideGridlines"
    if action == "set_color":
        shade = color(given, "tab_color")
        return ({"tabColor": shade} if shade is not None else {}), "tabColor"
    index = _index(given, "new_index", "index")
    if not index:
        raise wrong("new_index", "Field required for this action")
    return index, "index"


def new_sheet(arguments: Arguments, given: Given, look: Look) -> Arguments:
    """A sheet of a title, or a copy of another."""
    title = given.get("sheet_name")
    index = _index(given, "insert_sheet_index", "index")
    if not given.get("source_sheet_name"):
        return batch(arguments, [{"addSheet": {"properties": {**({"title": title} if title else {}), **index}}}])
    number = range_resolution.sheet(look, given["spreadsheet_id"], given["source_sheet_name"], "source_sheet_name")
    place = {"insertSheetIndex": index["index"]} if index else {}
    return batch(
        arguments,
        [{"duplicateSheet": {"sourceSheetId": number, **place, **({"newSheetName": title} if title else {})}}],
    )


def appended(arguments: Arguments, given: Given, look: Look) -> Arguments:
    """Rows at the end of a table; what lies below moves down."""
    book, values = range_resolution.described(look, given["spreadsheet_id"]), argument_schemas.rows(given["values"])
    if not values:
        raise wrong("values", "Input should be a list of at least one row")
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


def cell(value: Any) -> dict[str, Any]:
    """A value as CellData."""
    if value is None or value == "":
        return {}
    kind = (
        "boolValue" if isinstance(value, bool) else "numberValue" if isinstance(value, int | float) else "stringValue"
    )
    if isinstance(value, str) and value.startswith("="):
        kind = "formulaValue"
    return {"userEnteredValue": {kind: value if kind in ("boolValue", "numberValue") else str(value)}}


def moved(arguments: Arguments, given: Given, look: Look) -> Arguments:
    """Rows of a sheet carried below the last ones of another."""
    id, book = given["spreadsheet_id"], range_resolution.described(look, given["spreadsheet_id"])
    source = range_resolution.titled(book, given["source_sheet"], "source_sheet")
    target = range_resolution.titled(book, given["destination_sheet"], "destination_sheet")
    first, last = (
        argument_schemas.whole(given, "start_row", 1, least=1) or 1,
        argument_schemas.whole(given, "end_row", 1, least=1) or 1,
    )
    if last < first:
        raise wrong("end_row", "Input should not be less than start_row")
    if source["sheetId"] == target["sheetId"]:
        raise wrong("destination_sheet", "Input should be another sheet")
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


def spreadsheets(arguments: Arguments, given: Given, look: Look) -> Arguments:
    """A page of spreadsheets."""
    return {**arguments, "q": f"mimeType = '{SPREADSHEET}' and trashed = false", "orderBy": "modifiedTime desc"}


def reading(arguments: Arguments, given: Given, look: Look) -> Arguments:
    """The range to read; the first sheet unless given."""
    if given.get("range_name"):
        return {**arguments, "range": given["range_name"]}
    first = range_resolution.properties(range_resolution.described(look, given["spreadsheet_id"]))[0]["title"]
    return {**arguments, "range": range_resolution.within(first, None)}


def rows_or_json(value: Any) -> list[list[Any]]:
    """Rows of values. Raises ValueError."""
    try:
        return argument_schemas.rows(value)
    except InvalidArguments as error:
        raise ValueError(error.problems[0][1]) from None


def values(arguments: Arguments, given: Given, look: Look) -> Arguments:
    """Values to write. Chips cannot be. Raises InvalidArguments."""
    if given.get("chips"):
        raise wrong("chips", "Smart chips cannot be written here")
    if given.get("clear_values"):
        return arguments
    if given.get("values") is None:
        raise wrong("values", "Field required unless clear_values is true")
    return {**arguments, "valueInputOption": given.get("value_input_option") or "USER_ENTERED"}
