"""Prose about spreadsheets, as the workspace server words its answers."""

from mcp_servers.sheets import range_resolution, row_truncation
from mcp_servers.tools import ToolAnswer
from world.core.errors import OperationError
from world.core.json_types import JsonMapping


def render_created_spreadsheet(answer: ToolAnswer) -> str:
    """Render a new spreadsheet."""
    made = answer.result
    told = made["properties"]
    return (
        f"Successfully created spreadsheet '{told['title']}'. ID: {made['spreadsheetId']} | URL:"
        f" {made['spreadsheetUrl']} | Locale: {told['locale']}"
    )


def render_rows(answer: ToolAnswer) -> str:
    """Render the rows of a range, and the other parts of its cells that were asked for."""
    found, id = answer.result, answer.arguments["spreadsheet_id"]
    rows, range = found.get("values", []), found["range"]
    if not rows:
        return f"No data found in range '{range}' of spreadsheet {id}."
    width = max(map(len, rows))
    _, top, _ = range_resolution.start(range)
    lines = [f"Row {top + at:2d}: {[*row, *[''] * (width - len(row))]}" for at, row in enumerate(rows, 1)]
    head = f"Successfully read {len(rows)} rows from range '{range}' in spreadsheet {id}:"
    shown = row_truncation.lines(lines, lambda kept: range_resolution.after(range, kept), row_truncation.ROOM // 2)
    return "\n".join([head, *shown, *_more(answer, range)])


def _more(answer: ToolAnswer, range: str) -> list[str]:
    """Formulas, notes and links, one line for each cell that has one."""
    given = answer.arguments
    wanted = {name for name in ("formulas", "notes", "hyperlinks") if given.get(f"include_{name}")}
    if not wanted:
        return []
    found = answer.look("spreadsheets.get", spreadsheetId=given["spreadsheet_id"], ranges=[range], includeGridData=True)
    told: dict[str, list[str]] = {"formulas": [], "notes": [], "hyperlinks": []}
    for row, column, cell in _cells(found):
        at = range_resolution.address(row, column)
        formula = cell.get("userEnteredValue", {}).get("formulaValue")
        for kind, text in (("formulas", formula), ("notes", cell.get("note")), ("hyperlinks", cell.get("hyperlink"))):
            told[kind] += [f"- {at}: {text}"] if text and kind in wanted else []
    parts = [[f"{kind.capitalize()} in range '{range}':", *lines] for kind, lines in told.items() if lines]
    return [line for part in parts for line in ("", *part)]


def _cells(book: JsonMapping) -> list[tuple[int, int, JsonMapping]]:
    return [
        (grid.get("startRow", 0) + row, grid.get("startColumn", 0) + column, cell)
        for sheet in book["sheets"]
        for grid in sheet.get("data", ())
        for row, line in enumerate(grid.get("rowData", ()))
        for column, cell in enumerate(line.get("values", ()))
    ]


def render_written(answer: ToolAnswer) -> str:
    """Render a range that was written or cleared."""
    told, id = answer.result, answer.arguments["spreadsheet_id"]
    if "clearedRange" in told:
        return f"Successfully cleared range '{told['clearedRange']}' in spreadsheet {id}."
    counts = ", ".join(f"{told.get(f'updated{name}', 0)} {name.lower()}" for name in ("Cells", "Rows", "Columns"))
    head = f"Successfully updated range '{told['updatedRange']}' in spreadsheet {id}. Updated: {counts}."
    return "\n".join([head, *_faulty(answer, told["updatedRange"])])


def _faulty(answer: ToolAnswer, range: str) -> list[str]:
    """Cells that show an error now."""
    try:
        found = answer.look("spreadsheets.values.get", spreadsheetId=answer.arguments["spreadsheet_id"], range=range)
    except OperationError:
        return []
    _, top, left = range_resolution.start(found["range"])
    bad = [
        f"{range_resolution.address(top + row, left + column)}: {value}"
        for row, line in enumerate(found.get("values", ()))
        for column, value in enumerate(line)
        if isinstance(value, str) and value.startswith("#") and value.rstrip("!?").isupper()
    ]
    return [f"Cells with errors: {', '.join(bad[:20])}{' ...' if len(bad) > 20 else ''}"] if bad else []


def info(answer: ToolAnswer) -> str:
    """Render title, sheets and their sizes."""
    book = answer.result
    told = book["properties"]
    lines = [
        f'Spreadsheet: "{told["title"]}" (ID: {book["spreadsheetId"]}) | Locale: {told["locale"]}',
        f"Sheets ({len(book['sheets'])}):",
    ]
    for sheet in book["sheets"]:
        lines += [_sheet(sheet["properties"], sheet), *_rules(book, sheet)]
    named = [
        f'  - "{one["name"]}": {range_resolution.format_range(book, one["range"])} (ID: {one["namedRangeId"]})'
        for one in book.get("namedRanges", ())
    ]
    return "\n".join([*lines, *([f"Named ranges ({len(named)}):", *named] if named else [])])


def _sheet(told: JsonMapping, sheet: JsonMapping) -> str:
    size = told.get("gridProperties", {})
    frozen = [
        f"{size[key]} {word}"
        for key, word in (("frozenRowCount", "rows"), ("frozenColumnCount", "columns"))
        if size.get(key)
    ]
    parts = [
        f'  - "{told["title"]}" (ID: {told["sheetId"]})',
        f"Size: {size.get('rowCount', 0)}x{size.get('columnCount', 0)}",
    ]
    parts += ["Hidden"] if told.get("hidden") else []
    parts += [f"Frozen: {', '.join(frozen)}"] if frozen else []
    parts += [
        f"{word}: {len(sheet[key])}" for key, word in (("charts", "Charts"), ("tables", "Tables")) if sheet.get(key)
    ]
    return " | ".join([*parts, f"Conditional formats: {len(sheet.get('conditionalFormats', ()))}"])


def _rules(book: JsonMapping, sheet: JsonMapping) -> list[str]:
    """The conditional formats of a sheet."""
    told = []
    for index, rule in enumerate(sheet.get("conditionalFormats", ())):
        ranges = ", ".join(range_resolution.format_range(book, range) for range in rule["ranges"])
        condition = rule.get("booleanRule", {}).get("condition", {})
        values = [str(one.get("userEnteredValue", one.get("relativeDate", ""))) for one in condition.get("values", ())]
        what = f"{condition.get('type', 'gradient')}{' ' + str(values) if values else ''}"
        told.append(f"    [{index}] {ranges} | {what}")
    return told


def render_spreadsheet_list(answer: ToolAnswer) -> str:
    """Render a page of spreadsheets."""
    files = answer.result["files"]
    if not files:
        return "No spreadsheets found."
    lines = [
        f'- "{one["name"]}" (ID: {one["id"]}) | Modified: {one["modifiedTime"]} | Link: {one["webViewLink"]}'
        for one in files
    ]
    token = answer.result.get("nextPageToken")
    return "\n".join(
        [f"Successfully listed {len(files)} spreadsheets:", *lines, *([f"Next page token: {token}"] if token else [])]
    )


def sheet_created(answer: ToolAnswer) -> str:
    """A new sheet."""
    (told,) = answer.result["replies"][0].values()
    made = told["properties"]
    return (
        f"Successfully created sheet '{made['title']}' (ID: {made['sheetId']}) in spreadsheet"
        f" {answer.result['spreadsheetId']}."
    )


def report_formatting(answer: ToolAnswer) -> str:
    """Render the formatting that was applied to a range."""
    skipped = ("spreadsheet_id", "range_name", "user_google_email")
    said = ", ".join(
        f"{name.replace('_', ' ')}: {value}"
        for name, value in answer.arguments.items()
        if name not in skipped and value is not None
    )
    return (
        f"Applied formatting to range '{answer.arguments['range_name']}' in spreadsheet"
        f" {answer.result['spreadsheetId']}: {said}."
    )


def report_rule_change(answer: ToolAnswer) -> str:
    """Report a change of conditional formats, and those there are now."""
    action, id = answer.arguments["action"], answer.result["spreadsheetId"]
    done = {"add": "Added", "update": "Updated", "delete": "Deleted"}[action]
    book = range_resolution.get_spreadsheet(answer.look, id)
    lines = [
        line
        for sheet in book["sheets"]
        if (rules := _rules(book, sheet))
        for line in (f'Sheet "{sheet["properties"]["title"]}":', *rules)
    ]
    return "\n".join(
        [f"{done} a conditional format in spreadsheet {id}. Conditional formats now:", *(lines or ["  none"])]
    )


def report_resize(answer: ToolAnswer) -> str:
    """Report a change of rows and columns."""
    skipped = ("spreadsheet_id", "sheet_name", "user_google_email")
    said = ", ".join(
        f"{name.replace('_', ' ')}: {value}"
        for name, value in answer.arguments.items()
        if name not in skipped and value is not None
    )
    return (
        f"Changed rows and columns of '{answer.arguments.get('sheet_name') or 'the first sheet'}' in"
        f" {answer.result['spreadsheetId']}: {said}."
    )


def report_named_range(answer: ToolAnswer) -> str:
    """Report a named range that was added, changed or deleted."""
    action, given = answer.arguments["action"], answer.arguments
    reply = answer.result["replies"][0].get("addNamedRange", {}).get("namedRange")
    if reply is not None:
        return f"Added named range '{reply['name']}' (ID: {reply['namedRangeId']})."
    done = {"update": "Updated", "delete": "Deleted"}[action]
    return f"{done} named range '{given.get('name') or given.get('named_range_id')}'."


def report_sheet_change(answer: ToolAnswer) -> str:
    """Report a change of a sheet."""
    given = answer.arguments
    made = answer.result["replies"][0].get("duplicateSheet", {}).get("properties")
    if made is not None:
        return f"Duplicated sheet '{given['sheet_name']}' as '{made['title']}' (ID: {made['sheetId']})."
    return (
        f"Sheet '{given['sheet_name']}': {given['action'].replace('_', ' ')} done in spreadsheet"
        f" {answer.result['spreadsheetId']}."
    )


def tables(answer: ToolAnswer) -> str:
    """The tables of all sheets."""
    book = answer.result
    found = [(one, sheet["properties"]["title"]) for sheet in book["sheets"] for one in sheet.get("tables", ())]
    if not found:
        return f"No tables found in spreadsheet {book['spreadsheetId']}."
    lines = []
    for one, title in found:
        lines.append(
            f'- "{one["name"]}" (ID: {one["tableId"]}) | Sheet: {title} | Range: {range_resolution.format_range(book, one["range"])}'
        )
        lines += [
            f"    {column.get('columnName', '')} ({column.get('columnType', 'TEXT')})"
            for column in one.get("columnProperties", ())
        ]
    return "\n".join([f"Found {len(found)} tables in spreadsheet {book['spreadsheetId']}:", *lines])


def report_appended_rows(answer: ToolAnswer) -> str:
    """Report rows that were appended to a table."""
    return (
        f"Successfully appended rows to table {answer.arguments['table_id']} in spreadsheet"
        f" {answer.result['spreadsheetId']}."
    )


def report_moved_rows(answer: ToolAnswer) -> str:
    """Report rows that were moved to another sheet."""
    given = answer.arguments
    return (
        f"Moved rows {given['start_row']} to {given['end_row']} of '{given['source_sheet']}' to the end of"
        f" '{given['destination_sheet']}'."
    )


def comments(answer: ToolAnswer) -> str:
    """Comments with their replies."""
    found = answer.result["comments"]
    id = answer.arguments["spreadsheet_id"]
    if not found:
        return f"No comments found in spreadsheet {id}"
    blocks = [_comment(one) for one in found]
    return "\n".join([f"Found {len(found)} comments in spreadsheet {id}:", "", *blocks])


def _comment(one: JsonMapping) -> str:
    lines = [f"Comment ID: {one['id']}", f"Author: {one['author']['displayName']}", f"Created: {one['createdTime']}"]
    lines += [f"Cell: {one['anchor']}"] if one.get("anchor") else []
    lines += [f"Content: {one.get('content', '')}{' [RESOLVED]' if one.get('resolved') else ''}"]
    replies = one.get("replies", ())
    lines += [f"Replies ({len(replies)}):"] if replies else []
    lines += [
        f"  - {reply['author']['displayName']} ({reply['createdTime']}):"
        f" {reply.get('content') or reply.get('action', '')}"
        for reply in replies
    ]
    return "\n".join([*lines, ""])


def report_comment_change(answer: ToolAnswer) -> str:
    """Report a comment that was written, answered, resolved or deleted."""
    given, told = answer.arguments, answer.result or {}
    if given["action"] == "create":
        return (
            f"Comment created successfully!\nComment ID: {told['id']}\nAuthor:"
            f" {told['author']['displayName']}\nContent: {told['content']}"
        )
    done = {"reply": "Reply posted", "resolve": "Comment resolved", "delete": "Comment deleted"}[given["action"]]
    more = [f"Reply ID: {told['id']}"] if told.get("id") else []
    return "\n".join([f"{done} successfully!", f"Comment ID: {given['comment_id']}", *more])
