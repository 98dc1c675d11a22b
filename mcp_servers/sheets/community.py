"""Twenty tools under the names of a widely used community server (MIT); answers are JSON.

Names, parameters and required flags are confirmed, the fields of answers are our choice. What is written counts as
typed.
"""

from apps.drive.access import SPREADSHEET
from mcp_servers.sheets import community_requests, community_responses
from mcp_servers.sheets.argument_schemas import OBJECT, ROWS, flag, list_schema, number, object_schema, text
from mcp_servers.tools import ArgumentForm, Surface

BOOK = {"spreadsheet_id": "spreadsheetId"}
ID = {"spreadsheet_id": "Id of the spreadsheet: the long part of its address."}
SHEET = {"sheet": text("Title of the sheet.")}
RANGE = {"range": text("Range in A1 notation, such as A1:C10; the whole sheet unless given.")}
CELLS = {"type": "array", "items": ROWS["items"]}
PLACE = ["spreadsheet_id", "sheet"]

surface = Surface("community", app="sheets", default=True)
surface.tool(
    "get_sheet_data",
    {"values": "spreadsheets.values.get", "grid": "spreadsheets.get"},
    description=(
        "Read the displayed values of a sheet or a range of it; with include_grid_data its formats and notes too."
    ),
    pick=lambda given: "grid" if given.get("include_grid_data") else "values",
    rename=BOOK,
    only=[*PLACE, "range", "include_grid_data"],
    required=PLACE,
    describe=ID,
    ignored={**SHEET, **RANGE, "include_grid_data": flag("Tell formats, formulas and notes too; much longer.", False)},
    prepare=community_requests.choose_range_argument,
    result=community_responses.data,
)
surface.tool(
    "get_sheet_formulas",
    "spreadsheets.values.get",
    description="Read what was typed into the cells of a sheet or a range of it: formulas instead of their results.",
    rename=BOOK,
    fixed={"valueRenderOption": "FORMULA"},
    only=[*PLACE, "range"],
    required=PLACE,
    describe=ID,
    ignored={**SHEET, **RANGE},
    prepare=community_requests.qualify_range,
    result=community_responses.formulas,
)
surface.tool(
    "update_cells",
    "spreadsheets.values.update",
    description=(
        "Write values into a range, as if typed: = begins a formula, and texts of dates and amounts become these."
    ),
    rename={**BOOK, "data": "values"},
    only=[*PLACE, "range", "data"],
    required=[*PLACE, "range", "data"],
    describe=ID,
    forms={
        "data": ArgumentForm(
            {**CELLS, "description": "Rows of values; null leaves a cell as it is."},
            lambda value: value,
            lambda value: value,
        )
    },
    fixed={"includeValuesInResponse": True},
    ignored={**SHEET, "range": text("Range in A1 notation, or its first cell.")},
    prepare=community_requests.update_cells,
)
surface.tool(
    "batch_update_cells",
    "spreadsheets.values.batchUpdate",
    description="Write values into several ranges of a sheet at once, as if typed.",
    rename=BOOK,
    only=[*PLACE, "ranges"],
    required=[*PLACE, "ranges"],
    fixed={"includeValuesInResponse": True},
    describe=ID,
    ignored={
        **SHEET,
        "ranges": object_schema(
            'Rows of values for each range: {"A1:B2": [[1, 2], [3, 4]]}.', additionalProperties=CELLS
        ),
    },
    prepare=community_requests.update_ranges,
)
surface.tool(
    "add_rows",
    "spreadsheets.batchUpdate",
    description="Insert empty rows into a sheet.",
    rename=BOOK,
    only=[*PLACE, "count", "start_row"],
    required=[*PLACE, "count"],
    describe=ID,
    ignored={
        **SHEET,
        "count": number("How many.", minimum=1),
        "start_row": number("Row to insert before, from 0; the first unless given.", minimum=0),
    },
    prepare=community_requests.insert_lines("ROWS", "start_row"),
)
surface.tool(
    "add_columns",
    "spreadsheets.batchUpdate",
    description="Insert empty columns into a sheet.",
    rename=BOOK,
    only=[*PLACE, "count", "start_column"],
    required=[*PLACE, "count"],
    describe=ID,
    ignored={
        **SHEET,
        "count": number("How many.", minimum=1),
        "start_column": number("Column to insert before, from 0; the first unless given.", minimum=0),
    },
    prepare=community_requests.insert_lines("COLUMNS", "start_column"),
)
surface.tool(
    "list_sheets",
    "spreadsheets.get",
    description="List the titles of a spreadsheet's sheets.",
    rename=BOOK,
    only=["spreadsheet_id"],
    describe=ID,
    result=community_responses.titles,
)
surface.tool(
    "copy_sheet",
    "web.copySheet",
    description="Copy a sheet into another spreadsheet, or the same, under a new title.",
    rename={"src_spreadsheet": "spreadsheetId", "dst_spreadsheet": "destinationSpreadsheetId", "dst_sheet": "title"},
    only=["src_spreadsheet", "src_sheet", "dst_spreadsheet", "dst_sheet"],
    required=["src_spreadsheet", "src_sheet", "dst_spreadsheet", "dst_sheet"],
    describe={
        "src_spreadsheet": "Id of the spreadsheet to copy from.",
        "dst_spreadsheet": "Id of the spreadsheet to copy to.",
    },
    ignored={"src_sheet": text("Title of the sheet to copy.")},
    prepare=community_requests.copy_sheet,
    result=community_responses.render_copied_sheet,
)
surface.tool(
    "rename_sheet",
    "spreadsheets.batchUpdate",
    description="Give a sheet another title.",
    rename={"spreadsheet": "spreadsheetId"},
    only=["spreadsheet", "sheet", "new_name"],
    required=["spreadsheet", "sheet", "new_name"],
    describe={"spreadsheet": ID["spreadsheet_id"]},
    ignored={**SHEET, "new_name": text("The new title.")},
    prepare=community_requests.rename_sheet,
)
surface.tool(
    "get_multiple_sheet_data",
    "spreadsheets.values.get",
    description="Read several ranges, of several spreadsheets if need be.",
    only=["queries"],
    required=["queries"],
    ignored={
        "queries": list_schema(
            "Each with spreadsheet_id, sheet and range.",
            {
                **OBJECT,
                "properties": {
                    "spreadsheet_id": {"type": "string", "description": "Id of the spreadsheet."},
                    "sheet": {"type": "string", "description": "Title of the sheet."},
                    "range": {"type": "string", "description": "Range in A1 notation."},
                },
            },
        )
    },
    prepare=community_requests.first_that_reads,
    result=community_responses.several,
)
surface.tool(
    "get_multiple_spreadsheet_summary",
    "spreadsheets.get",
    description="Describe several spreadsheets: titles, sheets, headers and first rows.",
    only=["spreadsheet_ids", "rows_to_fetch"],
    required=["spreadsheet_ids"],
    ignored={
        "spreadsheet_ids": list_schema("Ids of the spreadsheets."),
        "rows_to_fetch": number("How many rows of each sheet, the header among them.", default=5, minimum=1),
    },
    prepare=community_requests.first_that_opens,
    result=community_responses.summaries,
)
surface.tool(
    "create_spreadsheet",
    "drive.files.create",
    description="Create a spreadsheet.",
    rename={"title": "name"},
    fixed={"mimeType": SPREADSHEET},
    only=["title", "folder_id"],
    required=["title"],
    describe={"title": "Its title."},
    ignored={"folder_id": text("Id of the folder for it; My Drive unless given.")},
    prepare=community_requests.in_folder,
    result=community_responses.render_created_spreadsheet,
)
surface.tool(
    "create_sheet",
    "spreadsheets.batchUpdate",
    description="Add a sheet to a spreadsheet.",
    rename=BOOK,
    only=["spreadsheet_id", "title"],
    required=["spreadsheet_id", "title"],
    describe=ID,
    ignored={"title": text("Its title.")},
    prepare=community_requests.add_sheet,
    result=community_responses.sheet_created,
)
surface.tool(
    "list_spreadsheets",
    "drive.files.list",
    description="List spreadsheets, the latest changed first: yours and those shared with you, or those of a folder.",
    only=["folder_id"],
    required=[],
    ignored={"folder_id": text("Id of a folder.")},
    prepare=community_requests.sheets_in,
    result=community_responses.spreadsheets,
)
surface.tool(
    "share_spreadsheet",
    "web.share",
    description="Share a spreadsheet with people by their addresses.",
    rename={"spreadsheet_id": "fileId"},
    only=["spreadsheet_id", "recipients", "send_notification"],
    required=["spreadsheet_id", "recipients"],
    describe=ID,
    ignored={
        "recipients": list_schema(
            "Each with email_address and role (reader, commenter or writer).",
            {
                **OBJECT,
                "properties": {
                    "email_address": {"type": "string", "description": "Their address."},
                    "role": {"type": "string", "enum": list(community_requests.ROLES)},
                },
            },
        ),
        "send_notification": flag("Whether they are mailed.", True),
    },
    prepare=community_requests.share_spreadsheet,
    result=community_responses.render_sharing,
)
surface.tool(
    "list_folders",
    "drive.files.list",
    description="List folders of the drive, or those inside a folder.",
    only=["parent_folder_id"],
    required=[],
    ignored={"parent_folder_id": text("Id of a folder.")},
    prepare=community_requests.folders_in,
    result=community_responses.folders,
)
surface.tool(
    "search_spreadsheets",
    "drive.files.list",
    description="Search spreadsheets by words of their title or content.",
    only=["query", "max_results"],
    required=["query"],
    ignored={
        "query": text("Words to look for."),
        "max_results": number("Most to tell, up to 100.", default=20, minimum=1),
    },
    prepare=community_requests.search_spreadsheets,
    result=community_responses.list_found,
)
surface.tool(
    "find_in_spreadsheet",
    "spreadsheets.values.batchGet",
    description="Find the cells of a spreadsheet whose displayed value holds a text.",
    rename=BOOK,
    only=["spreadsheet_id", "query", "sheet", "case_sensitive", "max_results"],
    required=["spreadsheet_id", "query"],
    describe=ID,
    ignored={
        "query": text("The text."),
        "sheet": text("Title of the only sheet to look through."),
        "case_sensitive": flag("Whether upper and lower case differ.", False),
        "max_results": number("Most to tell.", default=50, minimum=1),
    },
    prepare=community_requests.find_in_sheets,
    result=community_responses.matches,
)
surface.tool(
    "batch_update",
    "spreadsheets.batchUpdate",
    description=(
        "Change a spreadsheet by requests of the Sheets API, all or none: formats, borders, sorting, merging, filters,"
        " validation."
    ),
    rename=BOOK,
    only=["spreadsheet_id", "requests"],
    required=["spreadsheet_id", "requests"],
    describe=ID,
)
surface.tool(
    "add_chart",
    "spreadsheets.batchUpdate",
    description=(
        "Put a chart on a sheet; the first column of its range names, each further one is a series, the first row"
        " titles them."
    ),
    rename=BOOK,
    only=[
        *PLACE,
        "chart_type",
        "data_range",
        "title",
        "x_axis_label",
        "y_axis_label",
        "position_x",
        "position_y",
        "width",
        "height",
    ],
    required=[*PLACE, "chart_type", "data_range"],
    describe=ID,
    ignored={
        **SHEET,
        "chart_type": text("Kind of chart.", enum=list(community_requests.CHARTS)),
        "data_range": text("Range in A1 notation, such as A1:C10."),
        "title": text("Its title."),
        "x_axis_label": text("Title of the horizontal axis."),
        "y_axis_label": text("Title of the vertical axis."),
        "position_x": number("Pixels from the left.", default=0, minimum=0),
        "position_y": number("Pixels from the top.", default=0, minimum=0),
        "width": number("Width in pixels.", default=600, minimum=1),
        "height": number("Height in pixels.", default=400, minimum=1),
    },
    prepare=community_requests.add_chart,
)
