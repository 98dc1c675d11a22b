"""Thirty-two tools under the names of a community server for Google Workspace, spreadsheets here and the drive's
beside; answers are prose.

Names, parameters and required flags are confirmed, the wording of answers is our choice. `user_google_email` is
accepted everywhere; the token decides whose files they are. Files of the caller's machine and addresses elsewhere
cannot be read here; chips cannot be written.
"""

from mcp_servers.sheets import (
    cell_formats,
    conditional_formats,
    dimensions,
    files,
    row_requests,
    spreadsheet_prose,
    tabs,
    workspace_drive,
)
from mcp_servers.sheets.argument_schemas import ROW, ROWS, flag, list_schema, number, object_schema, text
from mcp_servers.sheets.workspace_drive import ME, USER
from mcp_servers.tools import ArgumentForm, Surface

BOOK = {"spreadsheet_id": "spreadsheetId"}
ID = {"spreadsheet_id": "Id of the spreadsheet: the long part of its address."}
RANGE = text("Range in A1 notation with the sheet's title, such as Sheet1!A1:C10.")
COLOR = {"background_color": text("Colour of the cells, #RRGGBB."), "text_color": text("Colour of the text, #RRGGBB.")}
NUMBERS = ["NUMBER", "CURRENCY", "PERCENT", "DATE", "TIME", "DATE_TIME", "SCIENTIFIC", "TEXT"]
LINES = ["SOLID", "SOLID_MEDIUM", "SOLID_THICK", "DASHED", "DOTTED", "DOUBLE", "NONE"]
VALUES = ArgumentForm({**ROWS, "description": "Rows of values; also taken as a JSON text."})
ACTION = {"add": "spreadsheets.batchUpdate", "update": "spreadsheets.batchUpdate", "delete": "spreadsheets.batchUpdate"}
BATCH = "spreadsheets.batchUpdate"


def action(*names: str) -> ArgumentForm:
    """Build the argument that chooses one of several actions."""
    return text(f"{', '.join(names[:-1])} or {names[-1]}.", enum=list(names))


surface = Surface("workspace", app="sheets")
surface.tool(
    "create_spreadsheet",
    "web.create",
    description="Create a spreadsheet, with sheets of given titles and in a folder if wanted.",
    rename={"sheet_names": "sheetNames", "folder_id": "folderId"},
    only=[ME, "title", "sheet_names", "folder_id"],
    required=["title"],
    ignored=USER,
    result=spreadsheet_prose.render_created_spreadsheet,
)
surface.tool(
    "read_sheet_values",
    "spreadsheets.values.get",
    description="Read the displayed values of a range; formulas, notes and links of its cells if wanted.",
    rename=BOOK,
    only=[
        ME,
        "spreadsheet_id",
        "range_name",
        "include_hyperlinks",
        "include_notes",
        "include_formulas",
        "include_smart_chips",
    ],
    required=["spreadsheet_id"],
    describe=ID,
    ignored={
        **USER,
        "range_name": text("Range in A1 notation; the first sheet unless given."),
        "include_hyperlinks": flag("Tell links too.", False),
        "include_notes": flag("Tell notes too.", False),
        "include_formulas": flag("Tell formulas too.", False),
        "include_smart_chips": flag("Accepted; cells hold no chips here.", False),
    },
    prepare=row_requests.choose_range,
    result=spreadsheet_prose.render_rows,
)
surface.tool(
    "modify_sheet_values",
    {"write": "spreadsheets.values.update", "clear": "spreadsheets.values.clear"},
    description="Write values into a range, or clear it; values count as typed unless RAW is asked for.",
    pick=lambda given: "clear" if given.get("clear_values") else "write",
    rename={**BOOK, "range_name": "range"},
    only=[ME, "spreadsheet_id", "range_name", "values", "value_input_option", "clear_values", "chips", "chip_type"],
    required=["spreadsheet_id", "range_name"],
    describe={**ID, "range_name": "Range in A1 notation with the sheet's title."},
    forms={"values": ArgumentForm(VALUES.schema, row_requests.parse_rows)},
    ignored={
        **USER,
        "value_input_option": text(
            "USER_ENTERED, as typed, or RAW.", enum=["USER_ENTERED", "RAW"], default="USER_ENTERED"
        ),
        "clear_values": flag("Clear the range instead of writing.", False),
        "chips": list_schema("Not possible: smart chips cannot be written here.", {}),
        "chip_type": text("Accepted; belongs to chips."),
    },
    prepare=row_requests.check_values,
    result=spreadsheet_prose.render_written,
)
surface.tool(
    "get_spreadsheet_info",
    "spreadsheets.get",
    description="Describe a spreadsheet: title, sheets with sizes, conditional formats, named ranges.",
    rename=BOOK,
    only=[ME, "spreadsheet_id"],
    required=["spreadsheet_id"],
    describe=ID,
    ignored=USER,
    result=spreadsheet_prose.info,
)
surface.tool(
    "list_spreadsheets",
    "drive.files.list",
    description="List spreadsheets you can open, the latest changed first.",
    rename={"max_results": "pageSize", "page_token": "pageToken", "drive_id": "driveId"},
    only=[ME, "max_results", "page_token", "corpora", "drive_id"],
    required=[],
    defaults={"max_results": 25},
    ignored=USER,
    prepare=row_requests.list_spreadsheets,
    result=spreadsheet_prose.render_spreadsheet_list,
)
surface.tool(
    "create_sheet",
    BATCH,
    description="Add a sheet to a spreadsheet, empty or as a copy of another.",
    rename=BOOK,
    only=[ME, "spreadsheet_id", "sheet_name", "source_sheet_name", "insert_sheet_index"],
    required=["spreadsheet_id"],
    describe=ID,
    ignored={
        **USER,
        "sheet_name": text("Its title."),
        "source_sheet_name": text("Title of the sheet to copy."),
        "insert_sheet_index": number("Where it goes among the sheets, from 0."),
    },
    prepare=tabs.add_sheet,
    result=spreadsheet_prose.sheet_created,
)
surface.tool(
    "format_sheet_range",
    BATCH,
    description="Change how a range looks: colours, numbers, alignment, text, merging, borders, a choice of values.",
    rename=BOOK,
    only=[
        ME,
        "spreadsheet_id",
        "range_name",
        "background_color",
        "text_color",
        "number_format_type",
        "number_format_pattern",
        "wrap_strategy",
        "horizontal_alignment",
        "vertical_alignment",
        "bold",
        "italic",
        "font_size",
        "merge_cells",
        "merge_type",
        "borders",
        "border_style",
        "border_color",
        "dropdown_values",
        "dropdown_strict",
        "clear_dropdown",
    ],
    required=["spreadsheet_id", "range_name"],
    describe=ID,
    ignored={
        **USER,
        "range_name": RANGE,
        **COLOR,
        "number_format_type": text("Kind of number.", enum=NUMBERS),
        "number_format_pattern": text("Pattern of numbers, such as #,##0.00 or yyyy-mm-dd."),
        "wrap_strategy": text("What long text does.", enum=["WRAP", "CLIP", "OVERFLOW_CELL"]),
        "horizontal_alignment": text("Where text stands.", enum=["LEFT", "CENTER", "RIGHT"]),
        "vertical_alignment": text("Where text stands in height.", enum=["TOP", "MIDDLE", "BOTTOM"]),
        "bold": flag("Bold or not."),
        "italic": flag("Italic or not."),
        "font_size": number("Size of the text in points.", minimum=1),
        "merge_cells": flag("True merges the cells, false takes merges away."),
        "merge_type": text(
            "How cells are merged.", enum=["MERGE_ALL", "MERGE_COLUMNS", "MERGE_ROWS"], default="MERGE_ALL"
        ),
        "borders": text("Which borders are drawn; none takes them away.", enum=list(cell_formats.EDGES)),
        "border_style": text("How borders look.", enum=LINES, default="SOLID"),
        "border_color": text("Colour of borders, #RRGGBB."),
        "dropdown_values": list_schema("Values the cells offer to choose from."),
        "dropdown_strict": flag("Whether other values are refused.", True),
        "clear_dropdown": flag("Take the choice away.", False),
    },
    prepare=cell_formats.format_range,
    result=spreadsheet_prose.report_formatting,
)
surface.tool(
    "manage_conditional_formatting",
    BATCH,
    description="Add, update or delete a rule that formats cells by what they show.",
    rename=BOOK,
    only=[
        ME,
        "spreadsheet_id",
        "action",
        "range_name",
        "condition_type",
        "condition_values",
        "background_color",
        "text_color",
        "rule_index",
        "gradient_points",
        "sheet_name",
    ],
    required=["spreadsheet_id", "action"],
    describe=ID,
    ignored={
        **USER,
        "action": action(*ACTION),
        "range_name": RANGE,
        **COLOR,
        "condition_type": text("NUMBER_GREATER, TEXT_CONTAINS, CUSTOM_FORMULA …"),
        "condition_values": list_schema("What the condition compares with.", {}),
        "rule_index": number("Number of the rule on its sheet, from 0.", minimum=0),
        "gradient_points": list_schema(
            "Two or three of {type: MIN, MAX, NUMBER, PERCENT or PERCENTILE, value, color: #RRGGBB}.",
            {"type": "object"},
        ),
        "sheet_name": text("The sheet whose rule is meant."),
    },
    prepare=conditional_formats.change_rule,
    result=spreadsheet_prose.report_rule_change,
)
surface.tool(
    "resize_sheet_dimensions",
    BATCH,
    description=(
        "Size, hide, freeze, insert and delete rows and columns. Rows are numbered from 1, columns are letters; 2:4 and"
        " B:D are spans."
    ),
    rename=BOOK,
    only=[
        ME,
        "spreadsheet_id",
        "sheet_name",
        "column_sizes",
        "row_sizes",
        "auto_resize_columns",
        "auto_resize_rows",
        "frozen_row_count",
        "frozen_column_count",
        "hide_columns",
        "unhide_columns",
        "hide_rows",
        "unhide_rows",
        "insert_rows",
        "insert_rows_at",
        "insert_columns",
        "insert_columns_at",
        "delete_rows",
        "delete_row_range",
        "delete_columns",
    ],
    required=["spreadsheet_id"],
    describe=ID,
    ignored={
        **USER,
        "sheet_name": text("Title of the sheet; the first unless given."),
        "column_sizes": object_schema('Pixels of columns: {"A": 120, "C:E": 80}.'),
        "row_sizes": object_schema('Pixels of rows: {"1": 40}.'),
        "auto_resize_columns": list_schema("Columns to make as wide as their content."),
        "auto_resize_rows": list_schema("Rows to make as high as their content."),
        "frozen_row_count": number("How many rows stay in view.", minimum=0),
        "frozen_column_count": number("How many columns stay in view.", minimum=0),
        "hide_columns": list_schema("Columns to hide."),
        "unhide_columns": list_schema("Columns to show."),
        "hide_rows": list_schema("Rows to hide."),
        "unhide_rows": list_schema("Rows to show."),
        "insert_rows": number("How many rows to insert.", minimum=1),
        "insert_rows_at": number("Row to insert before; at the end unless given.", minimum=1),
        "insert_columns": number("How many columns to insert.", minimum=1),
        "insert_columns_at": text("Column to insert before; at the end unless given."),
        "delete_rows": list_schema("Rows to delete."),
        "delete_row_range": text("Span of rows to delete, such as 5:9."),
        "delete_columns": list_schema("Columns to delete."),
    },
    prepare=dimensions.resize_sheet,
    result=spreadsheet_prose.report_resize,
)
surface.tool(
    "manage_named_range",
    BATCH,
    description="Add, update or delete a named range.",
    rename=BOOK,
    only=[ME, "spreadsheet_id", "action", "name", "range_name", "named_range_id", "new_name", "new_range"],
    required=["spreadsheet_id", "action"],
    describe=ID,
    ignored={
        **USER,
        "action": action(*ACTION),
        "name": text("Its name."),
        "range_name": RANGE,
        "named_range_id": text("Its id."),
        "new_name": text("Another name."),
        "new_range": text("Another range in A1 notation."),
    },
    prepare=tabs.change_named_range,
    result=spreadsheet_prose.report_named_range,
)
surface.tool(
    "list_sheet_tables",
    "spreadsheets.get",
    description="List the tables of a spreadsheet with ids, ranges and columns.",
    rename=BOOK,
    only=[ME, "spreadsheet_id"],
    required=["spreadsheet_id"],
    describe=ID,
    ignored=USER,
    result=spreadsheet_prose.tables,
)
surface.tool(
    "append_table_rows",
    BATCH,
    description="Add rows at the end of a table.",
    rename=BOOK,
    only=[ME, "spreadsheet_id", "table_id", "values"],
    required=["spreadsheet_id", "table_id", "values"],
    describe=ID,
    ignored={**USER, "table_id": text("Id or name of the table."), "values": list_schema("Rows of values.", ROW)},
    prepare=row_requests.append_rows,
    result=spreadsheet_prose.report_appended_rows,
)
surface.tool(
    "manage_sheet_tab",
    BATCH,
    description="Rename, move, hide, show, colour, copy or delete a sheet.",
    rename=BOOK,
    only=[ME, "spreadsheet_id", "sheet_name", "action", "new_name", "new_index", "tab_color", "show_gridlines"],
    required=["spreadsheet_id", "sheet_name", "action"],
    describe=ID,
    ignored={
        **USER,
        "sheet_name": text("Title of the sheet."),
        "action": action("rename", "reorder", "hide", "show", "set_color", "set_gridlines", "duplicate", "delete"),
        "new_name": text("The new title."),
        "new_index": number("Where it goes among the sheets, from 0.", minimum=0),
        "tab_color": text("Colour of the tab, #RRGGBB."),
        "show_gridlines": flag("Whether the grid is drawn.", True),
    },
    prepare=tabs.change_sheet,
    result=spreadsheet_prose.report_sheet_change,
)
surface.tool(
    "move_sheet_rows",
    BATCH,
    description="Move rows of a sheet below the last rows of another sheet.",
    rename=BOOK,
    only=[ME, "spreadsheet_id", "source_sheet", "start_row", "end_row", "destination_sheet"],
    required=["spreadsheet_id", "source_sheet", "start_row", "end_row", "destination_sheet"],
    describe=ID,
    ignored={
        **USER,
        "source_sheet": text("Title of the sheet they are on."),
        "start_row": number("The first row, from 1.", minimum=1),
        "end_row": number("The last row.", minimum=1),
        "destination_sheet": text("Title of the sheet they go to."),
    },
    prepare=row_requests.move_rows,
    result=spreadsheet_prose.report_moved_rows,
)
surface.tool(
    "list_spreadsheet_comments",
    "drive.comments.list",
    description="List the comments on a spreadsheet with their replies.",
    rename={"spreadsheet_id": "fileId", "max_comments": "pageSize"},
    only=[ME, "spreadsheet_id", "max_comments"],
    required=["spreadsheet_id"],
    describe=ID,
    defaults={"max_comments": 50},
    ignored=USER,
    result=spreadsheet_prose.comments,
)
surface.tool(
    "manage_spreadsheet_comment",
    {
        "create": "drive.comments.create",
        "reply": "drive.replies.create",
        "resolve": "drive.replies.create",
        "delete": "drive.comments.delete",
    },
    by="action",
    description="Comment on a spreadsheet or a cell, reply to a comment, resolve or delete one.",
    rename={"spreadsheet_id": "fileId", "comment_id": "commentId", "comment_content": "content"},
    only=[ME, "spreadsheet_id", "action", "comment_content", "comment_id", "cell"],
    required=["spreadsheet_id", "action"],
    describe={**ID, "action": "create, reply, resolve or delete.", "comment_content": "What it says."},
    ignored={**USER, "cell": text("The cell it is about, such as Sheet1!B3.")},
    prepare=files.change_comment,
    result=spreadsheet_prose.report_comment_change,
)
workspace_drive.declare(surface)
