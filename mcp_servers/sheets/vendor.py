"""Six tools under the names of Google's remote server (Developer Preview); answers are the API's JSON.

Names are confirmed, as are the parameters of get_values, update_formulas and insert_dimension; those of get_spreadsheet
are inferred, those of update_spreadsheet and update_values are the API's, which is our choice.
"""

from mcp_servers.sheets import api
from mcp_servers.sheets.argument_schemas import ROWS, flag, number, text
from mcp_servers.tools import ArgumentForm, Surface

ID = ["spreadsheetId"]

surface = Surface("vendor", app="sheets")
surface.tool(
    "get_values",
    "spreadsheets.values.get",
    description="Read the displayed values of a range.",
    only=["spreadsheetId", "range"],
    result=api.values,
)
surface.tool(
    "get_spreadsheet",
    "spreadsheets.get",
    description=(
        "Describe a spreadsheet: sheets, named ranges, charts; with includeGridData its cells, with commentsIncluded"
        " its comments."
    ),
    only=["spreadsheetId", "includeGridData", "fields", "commentsIncluded", "ranges"],
    required=ID,
    ignored={
        "fields": text("Which fields of the answer, such as sheets.properties,namedRanges; all unless given."),
        "commentsIncluded": flag("Tell the comments too.", False),
    },
    prepare=api.check_fields,
    result=api.spreadsheet,
)
surface.tool(
    "update_spreadsheet",
    "spreadsheets.batchUpdate",
    description=(
        "Change a spreadsheet by requests of the Sheets API, all or none: sheets, rows, formats, filters, charts."
    ),
    only=["spreadsheetId", "requests"],
    required=["spreadsheetId", "requests"],
)
surface.tool(
    "update_values",
    "spreadsheets.values.update",
    description="Write values into a range, as if typed unless valueInputOption is RAW.",
    only=["spreadsheetId", "range", "values", "valueInputOption", "majorDimension"],
    required=["spreadsheetId", "range", "values"],
    defaults={"valueInputOption": "USER_ENTERED"},
)
surface.tool(
    "update_formulas",
    "spreadsheets.values.update",
    description="Write formulas into a range; each begins with =.",
    rename={"formulas": "values"},
    fixed={"valueInputOption": "USER_ENTERED"},
    only=["spreadsheetId", "range", "formulas"],
    required=["spreadsheetId", "range", "formulas"],
    forms={"formulas": ArgumentForm({**ROWS, "description": "Rows of formulas."}, api.formulas, list)},
)
surface.tool(
    "insert_dimension",
    "spreadsheets.batchUpdate",
    description="Insert empty rows or columns into a sheet.",
    only=["spreadsheetId", "sheetId", "dimension", "startIndex", "endIndex", "inheritFromBefore"],
    required=["spreadsheetId", "sheetId", "dimension", "startIndex", "endIndex"],
    ignored={
        "sheetId": number("Number of the sheet."),
        "dimension": text("ROWS or COLUMNS.", enum=["ROWS", "COLUMNS"]),
        "startIndex": number("The first that is new, from 0."),
        "endIndex": number("The first after the new ones."),
        "inheritFromBefore": flag("Whether they look like the row or column before, rather than after.", False),
    },
    prepare=api.insert_dimension,
)
