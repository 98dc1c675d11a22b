"""Answers of the community server: JSON of its own shapes."""

from collections.abc import Mapping
from typing import Any

from mcp_servers.json_text import as_json
from mcp_servers.sheets import community_requests, range_resolution, row_truncation
from mcp_servers.tools import ToolAnswer
from world.core.errors import OperationError
from world.core.json_types import JsonObject

NO_ACCESS = "Not found, or you do not have permission"


def data(answer: ToolAnswer) -> list[str]:
    """The values of a range, or its cells."""
    found = answer.result
    if "sheets" in found:
        return row_truncation.render_truncated(found, list(row_truncation.of_book(found)))
    return row_truncation.render_truncated(
        {"spreadsheetId": answer.arguments["spreadsheet_id"], "valueRanges": [found]},
        list(row_truncation.of_values(found)),
    )


def formulas(answer: ToolAnswer) -> list[str]:
    """Rows as they were typed."""
    return row_truncation.render_truncated(
        answer.result.get("values", []), list(row_truncation.of_values(answer.result))
    )


def titles(answer: ToolAnswer) -> str:
    """The titles of all sheets."""
    return as_json([one["title"] for one in range_resolution.properties(answer.result)])


def several(answer: ToolAnswer) -> list[str]:
    """Render each query with its rows, or with its error."""
    told, rows = [], []
    for one in answer.arguments["queries"]:
        try:
            found = answer.look("spreadsheets.values.get", **community_requests.question(one))
        except OperationError as error:
            told.append({**one, "error": _why(error)})
            continue
        told.append({**one, "data": found.setdefault("values", [])})
        rows += row_truncation.of_values(found)
    return row_truncation.render_truncated(told, rows)


def _why(error: OperationError) -> str:
    return (
        NO_ACCESS if error.code in ("not_found", "forbidden") else f"Unable to read it: {error.code.replace('_', ' ')}"
    )


def summaries(answer: ToolAnswer) -> str:
    """Render each spreadsheet with its sheets and their first rows, or with its error."""
    return as_json([_summary(answer, id) for id in answer.arguments["spreadsheet_ids"]])


def _summary(answer: ToolAnswer, id: str) -> JsonObject:
    most = answer.arguments.get("rows_to_fetch") or 5
    try:
        book = range_resolution.get_spreadsheet(answer.look, id)
        ranges = [
            range_resolution.within(one["title"], f"1:{min(most, one['gridProperties']['rowCount'])}")
            for one in range_resolution.properties(book)
        ]
        found = answer.look("spreadsheets.values.batchGet", spreadsheetId=id, ranges=ranges)["valueRanges"]
    except OperationError as error:
        return {"spreadsheet_id": id, "title": None, "sheets": [], "error": _why(error)}
    sheets = [
        _sheet(one, part.get("values", [])) for one, part in zip(range_resolution.properties(book), found, strict=True)
    ]
    return {"spreadsheet_id": id, "title": book["properties"]["title"], "sheets": sheets, "error": None}


def _sheet(one: Mapping[str, object], rows: list[list[Any]]) -> dict[str, Any]:
    return {
        "title": one["title"],
        "sheet_id": one["sheetId"],
        "headers": rows[0] if rows else [],
        "first_rows": rows[1:],
        "error": None,
    }


def render_copied_sheet(answer: ToolAnswer) -> str:
    """Render the copied sheet, and the answer of renaming it."""
    return as_json(
        {"copy": answer.result, "rename": {"spreadsheetId": answer.arguments["dst_spreadsheet"], "replies": [{}]}}
    )


def render_created_spreadsheet(answer: ToolAnswer) -> str:
    """Render a new spreadsheet."""
    made = answer.result
    return as_json({"spreadsheetId": made["id"], "title": made["name"], "folder": (made.get("parents") or ["root"])[0]})


def sheet_created(answer: ToolAnswer) -> str:
    """A new sheet."""
    made = answer.result["replies"][0]["addSheet"]["properties"]
    return as_json(
        {
            "sheetId": made["sheetId"],
            "title": made["title"],
            "index": made["index"],
            "spreadsheetId": answer.result["spreadsheetId"],
        }
    )


def spreadsheets(answer: ToolAnswer) -> list[str]:
    """Spreadsheets, the latest changed first."""
    return _render_page(answer, [{"id": one["id"], "title": one["name"]} for one in answer.result["files"]])


def folders(answer: ToolAnswer) -> list[str]:
    """Folders."""
    return _render_page(
        answer,
        [
            {"id": one["id"], "name": one["name"], "parent": (one.get("parents") or ["root"])[0]}
            for one in answer.result["files"]
        ],
    )


def _render_page(answer: ToolAnswer, found: list[dict[str, Any]]) -> list[str]:
    more = "[There are more; name a folder, or search.]" if answer.result.get("nextPageToken") else ""
    return [as_json(found), more]


def list_found(answer: ToolAnswer) -> list[str]:
    """Spreadsheets a search found."""
    return _render_page(
        answer,
        [
            {
                "id": one["id"],
                "name": one["name"],
                "created_time": one["createdTime"],
                "modified_time": one["modifiedTime"],
                "owners": [who.get("emailAddress", who.get("displayName", "")) for who in one["owners"]],
                "web_link": one["webViewLink"],
            }
            for one in answer.result["files"]
        ],
    )


def render_sharing(answer: ToolAnswer) -> str:
    """Render the new permissions, and the recipients that could not be given one."""
    given = [
        {"email_address": one.get("emailAddress", ""), "role": one["role"], "permissionId": one["id"]}
        for one in answer.result["permissions"]
    ]
    failed = [
        {"email_address": one["emailAddress"], "role": one["role"], "error": one["error"]}
        for one in answer.result["failures"]
    ]
    return as_json({"successes": given, "failures": failed})


def matches(answer: ToolAnswer) -> list[str]:
    """Cells that hold the text."""
    exact, words = answer.arguments.get("case_sensitive"), answer.arguments["query"]
    most = min(answer.arguments.get("max_results") or 50, community_requests.MOST_FOUND)
    told = []
    for part in answer.result["valueRanges"]:
        title, top, left = range_resolution.start(part["range"])
        told += [
            {"sheet": title, "cell": range_resolution.address(top + row, left + column), "value": value}
            for row, line in enumerate(part.get("values", ()))
            for column, value in enumerate(line)
            if (words in str(value) if exact else words.casefold() in str(value).casefold())
        ]
    left_out = (
        f"[{len(told) - most} of {len(told)} cells were left out; ask with a larger max_results or one sheet.]"
        if len(told) > most
        else ""
    )
    return [as_json(told[:most]), left_out]
