"""Looks, merges, borders and choices of a range, as requests of a batch."""

from mcp_servers.sheets import argument_schemas, range_resolution
from mcp_servers.sheets.batch_requests import Request, batch, find_color
from mcp_servers.tools import CallArguments, Given, Look

SIDES = ("top", "bottom", "left", "right", "innerHorizontal", "innerVertical")


EDGES = {"all": SIDES, "outer": SIDES[:4], "inner": SIDES[4:], **{side: (side,) for side in SIDES[:4]}, "none": SIDES}


def format_range(arguments: CallArguments, given: Given, look: Look) -> CallArguments:
    """Looks, merges, borders and choices of a range."""
    range = range_resolution.grid(
        range_resolution.get_spreadsheet(look, given["spreadsheet_id"]), given["range_name"], "range_name"
    )
    looks = [
        *_cell_format(range, given),
        *_merge(range, given),
        *_update_borders(range, given),
        *_set_validation(range, given),
    ]
    return batch(arguments, looks)


def _cell_format(range: Request, given: Given) -> list[Request]:
    style: Request = {}
    for name, key in (
        ("wrap_strategy", "wrapStrategy"),
        ("horizontal_alignment", "horizontalAlignment"),
        ("vertical_alignment", "verticalAlignment"),
    ):
        if given.get(name):
            style[key] = given[name].upper()
    if (fill := find_color(given, "background_color")) is not None:
        style["backgroundColor"] = fill
    if (letters := _text_format(given)) != {}:
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


def _text_format(given: Given) -> Request:
    made: Request = {name: given[name] for name in ("bold", "italic") if given.get(name) is not None}
    if (size := argument_schemas.whole(given, "font_size", least=1)) is not None:
        made["fontSize"] = size
    if (shade := find_color(given, "text_color")) is not None:
        made["foregroundColor"] = shade
    return made


def _number_format(given: Given) -> dict[str, str]:
    kind, pattern = given.get("number_format_type"), given.get("number_format_pattern")
    return {"type": (kind or "NUMBER").upper(), **({"pattern": pattern} if pattern else {})}


def _merge(range: Request, given: Given) -> list[Request]:
    if given.get("merge_cells") is None:
        return []
    if not given["merge_cells"]:
        return [{"unmergeCells": {"range": range}}]
    kind = (given.get("merge_type") or "MERGE_ALL").upper()
    return [{"mergeCells": {"range": range, "mergeType": kind}}]


def _update_borders(range: Request, given: Given) -> list[Request]:
    wanted = given.get("borders")
    if not wanted:
        return []
    style = "NONE" if wanted == "none" else (given.get("border_style") or "SOLID").upper()
    line = {"style": style, "color": find_color(given, "border_color") or {}}
    return [{"updateBorders": {"range": range, **dict.fromkeys(EDGES[wanted], line)}}]


def _set_validation(range: Request, given: Given) -> list[Request]:
    values = argument_schemas.texts(given, "dropdown_values")
    if given.get("clear_dropdown"):
        return [{"setDataValidation": {"range": range}}]
    if not values:
        return []
    condition = {"type": "ONE_OF_LIST", "values": [{"userEnteredValue": value} for value in values]}
    rule = {"condition": condition, "strict": bool(given.get("dropdown_strict", True)), "showCustomUi": True}
    return [{"setDataValidation": {"range": range, "rule": rule}}]
