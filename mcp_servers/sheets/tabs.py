"""Named ranges and sheets, as requests of a batch."""

from mcp_servers.sheets import argument_schemas, range_resolution
from mcp_servers.sheets.argument_schemas import wrong
from mcp_servers.sheets.batch_requests import Request, batch, find_color, index_of
from mcp_servers.tools import CallArguments, Given, Look


def change_named_range(arguments: CallArguments, given: Given, look: Look) -> CallArguments:
    """A named range added, changed or deleted."""
    book = range_resolution.get_spreadsheet(look, given["spreadsheet_id"])
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
    id = _get_named_range_id(book, given)
    if given["action"] == "delete":
        return batch(arguments, [{"deleteNamedRange": {"namedRangeId": id}}])
    changed: Request = {}
    if given.get("new_name"):
        changed["name"] = given["new_name"]
    if range := given.get("new_range") or given.get("range_name"):
        changed["range"] = range_resolution.grid(book, range, "new_range")
    if not changed:
        raise wrong("new_name", "Give new_name or new_range")
    return batch(
        arguments, [{"updateNamedRange": {"namedRange": {"namedRangeId": id, **changed}, "fields": ",".join(changed)}}]
    )


def _get_named_range_id(book: Given, given: Given) -> str:
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


def change_sheet(arguments: CallArguments, given: Given, look: Look) -> CallArguments:
    """A sheet renamed, moved, hidden, shown, coloured, copied or deleted."""
    book = range_resolution.get_spreadsheet(look, given["spreadsheet_id"])
    number = range_resolution.get_sheet_properties(book, given["sheet_name"], "sheet_name")["sheetId"]
    action = given["action"]
    if action == "delete":
        return batch(arguments, [{"deleteSheet": {"sheetId": number}}])
    if action == "duplicate":
        more = {"newSheetName": given["new_name"]} if given.get("new_name") else {}
        return batch(
            arguments,
            [{"duplicateSheet": {"sourceSheetId": number, **index_of(given, "new_index", "insertSheetIndex"), **more}}],
        )
    changed = _sheet_properties(action, given)
    return batch(
        arguments, [{"updateSheetProperties": {"properties": {"sheetId": number, **changed[0]}, "fields": changed[1]}}]
    )


def _sheet_properties(action: str, given: Given) -> tuple[Request, str]:
    if action == "rename":
        return {"title": argument_schemas.word(given.get("new_name"), "new_name")}, "title"
    if action in ("hide", "show"):
        return {"hidden": action == "hide"}, "hidden"
    if action == "set_gridlines":
        return {
            "gridProperties": {"hideGridlines": not given.get("show_gridlines", True)}
        }, "gridProperties.hideGridlines"
    if action == "set_color":
        shade = find_color(given, "tab_color")
        return ({"tabColor": shade} if shade is not None else {}), "tabColor"
    index = index_of(given, "new_index", "index")
    if not index:
        raise wrong("new_index", "is required for this action")
    return index, "index"


def add_sheet(arguments: CallArguments, given: Given, look: Look) -> CallArguments:
    """A sheet of a title, or a copy of another."""
    title = given.get("sheet_name")
    index = index_of(given, "insert_sheet_index", "index")
    if not given.get("source_sheet_name"):
        return batch(arguments, [{"addSheet": {"properties": {**({"title": title} if title else {}), **index}}}])
    number = range_resolution.sheet(look, given["spreadsheet_id"], given["source_sheet_name"], "source_sheet_name")
    place = {"insertSheetIndex": index["index"]} if index else {}
    return batch(
        arguments,
        [{"duplicateSheet": {"sourceSheetId": number, **place, **({"newSheetName": title} if title else {})}}],
    )
