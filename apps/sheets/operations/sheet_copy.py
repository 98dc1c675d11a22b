"""A sheet copied to another spreadsheet."""

from typing import NotRequired, TypedDict

from pydantic import Field

from apps.sheets.app import app
from apps.sheets.operations.params import EXAMPLE, Id, SpreadsheetParams
from apps.sheets.operations.requests import tabs
from apps.sheets.operations.requests.registry import SingleRequest
from apps.sheets.operations.spreadsheets import WRITE
from apps.sheets.spreadsheet import Spreadsheet
from apps.sheets.structure import sheets
from apps.sheets.structure.tabs import Tab
from world.core.call import Call
from world.core.json_types import JsonObject
from world.core.params import Int64

DOCS = "developers.google.com/workspace/sheets/api/reference/rest/v4/spreadsheets.sheets/"


class CopySheetParams(SpreadsheetParams):
    """A sheet and the spreadsheet it goes to."""

    sheetId: Int64 = Field(description="Number of the sheet.", examples=[0])
    destinationSpreadsheetId: Id = Field(
        description="Id of the spreadsheet the copy goes to.", examples=["$spreadsheets.create:spreadsheetId"]
    )


class Properties(TypedDict):
    """The new sheet's properties."""

    sheetId: int
    title: str
    index: int
    sheetType: str
    gridProperties: JsonObject
    hidden: NotRequired[bool]


@app.operation(
    "spreadsheets.sheets.copyTo",
    source=DOCS + "copyTo",
    scope=WRITE,
    writes=True,
    examples=[{"spreadsheetId": EXAMPLE, "sheetId": 0, "destinationSpreadsheetId": EXAMPLE}],
    raises=("not_found", "forbidden", "not_a_spreadsheet", "no_sheet", "bad_request"),
)
def copy_sheet(call: Call, params: CopySheetParams) -> Properties:
    """Copy a sheet into another spreadsheet, as its last sheet."""
    return sheets.sheet_properties(duplicate_sheet(call, params))  # type: ignore[return-value]


def duplicate_sheet(call: Call, params: CopySheetParams, title: str = "") -> Tab:
    """Copy a sheet, called `Copy of …` unless said. Raises not_found, forbidden, not_a_spreadsheet, no_sheet,
    bad_request.
    """
    with Spreadsheet(call, params.spreadsheetId) as book:
        call.authorise("file.export", book.file)
        source = book.tab(params.sheetId)
        if params.destinationSpreadsheetId == params.spreadsheetId:
            call.authorise("file.write", book.file)
        with Spreadsheet(call, params.destinationSpreadsheetId, "file.write") as target:
            wanted = {"title": title or tabs.free_copy_title(target, source.title)}
            return tabs.duplicate(book, source, target, wanted, SingleRequest({}, "copyTo", 0))
