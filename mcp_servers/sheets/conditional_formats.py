"""Conditional formats, as requests of a batch."""

from mcp_servers.sheets import argument_schemas, range_resolution
from mcp_servers.sheets.argument_schemas import wrong
from mcp_servers.sheets.batch_requests import Request, batch, find_color, parse_color
from mcp_servers.tools import CallArguments, Given, Look


def change_rule(arguments: CallArguments, given: Given, look: Look) -> CallArguments:
    """A conditional format added, replaced or taken away."""
    book = range_resolution.get_spreadsheet(look, given["spreadsheet_id"])
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
        raise wrong("rule_index", "is required for this action")
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


def _rules_sheet(book: Given, given: Given) -> int:
    if given.get("sheet_name"):
        return range_resolution.get_sheet_properties(book, given["sheet_name"], "sheet_name")["sheetId"]
    if given.get("range_name"):
        return range_resolution.grid(book, given["range_name"], "range_name")["sheetId"]
    return range_resolution.properties(book)[0]["sheetId"]


def _rule(book: Given, given: Given, known: Given) -> Request:
    """Build a rule; parts that are not given stay as they were."""
    if not given.get("range_name") and not known:
        raise wrong("range_name", "is required for this action")
    ranges = (
        [range_resolution.grid(book, given["range_name"], "range_name")] if given.get("range_name") else known["ranges"]
    )
    points = argument_schemas.objects(given, "gradient_points")
    if points:
        return {"ranges": ranges, "gradientRule": _gradient(points)}
    was = known.get("booleanRule", {})
    if not given.get("condition_type") and not was:
        raise wrong("condition_type", "is required for this action")
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
        raise wrong("condition_values", "must be a list of texts or numbers")
    return [{"userEnteredValue": str(one)} for one in listed]


def _rule_look(given: Given) -> Request:
    made: Request = {}
    if (fill := find_color(given, "background_color")) is not None:
        made["backgroundColor"] = fill
    if (shade := find_color(given, "text_color")) is not None:
        made["textFormat"] = {"foregroundColor": shade}
    return made


def _gradient(points: list[Request]) -> Request:
    if not 2 <= len(points) <= 3:
        raise wrong("gradient_points", "A gradient has two or three points")
    names = ("minpoint", "maxpoint") if len(points) == 2 else ("minpoint", "midpoint", "maxpoint")
    return {name: _point(point) for name, point in zip(names, points, strict=True)}


def _point(point: Given) -> Request:
    value = point.get("value")
    told = {"type": str(point.get("type") or "").upper(), "color": parse_color(point.get("color"), "gradient_points")}
    return {**told, **({} if value is None else {"value": str(value)})}
