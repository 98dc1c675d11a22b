"""Operations that combine calls of other programs: a new spreadsheet in a folder, a sheet copied under a name."""

from typing import TypedDict

from pydantic import Field

from apps.drive.public import Key, locations
from apps.sheets.app import app
from apps.sheets.operations.params import EXAMPLE, Word
from apps.sheets.operations.requests import RequestArguments
from apps.sheets.operations.requests.registry import SingleRequest
from apps.sheets.operations.sheet_copy import CopySheetParams, duplicate_sheet
from apps.sheets.operations.spreadsheets import WRITE, SpreadsheetShape
from apps.sheets.spreadsheet import Spreadsheet
from apps.sheets.structure import sheets
from apps.sheets.structure.spreadsheet_files import new_spreadsheet
from apps.sheets.views import spreadsheet_view
from world.core.call import Call
from world.core.params import Params

SOURCE = "support.google.com/docs/topic/9046002"
MOST = 200


class CreateParams(Params):
    """A new spreadsheet."""

    title: Word = Field(default="", description="Its title.", examples=["Budget"])
    sheetNames: list[Word] = Field(
        default_factory=list, max_length=MOST, description="Titles of its sheets; one sheet unless said."
    )
    folderId: Key | None = Field(default=None, description="The folder it is to lie in; My Drive unless said.")


@app.operation(
    "web.create",
    source=SOURCE,
    scope=WRITE,
    writes=True,
    examples=[{"sheetNames": ["Plan", "Actual"]}],
    raises=("bad_request", "not_found", "forbidden", "parent_not_folder", "cannot_add_parent", "hierarchy_too_deep"),
)
def make(call: Call, params: CreateParams) -> SpreadsheetShape:
    """Make a spreadsheet with sheets of these names in a folder."""
    place = locations.first_place(call, [params.folderId]) if params.folderId else None
    key = new_spreadsheet(call, params.title or "Untitled spreadsheet", parent=place, first_sheet=not params.sheetNames)
    with Spreadsheet(call, key, "file.write") as book:
        for number, title in enumerate(params.sheetNames):
            _sheet(book, RequestArguments({}, "create", number), title)
    with Spreadsheet(call, key) as book:
        return spreadsheet_view.spreadsheet(book, None, cells=False)  # type: ignore[return-value]


def _sheet(book: Spreadsheet, asked: RequestArguments, title: str) -> None:
    """A sheet of a new spreadsheet; the first has the number 0."""
    sheets.add_tab(book, {"title": title, "sheetId": None if book.tabs else 0}, asked.wrong)


class CopyAndNameParams(CopySheetParams):
    """A sheet, where it goes, and what it is called there."""

    title: Word = Field(description="Title of the copy.", examples=["Copied"])


class CopiedSheet(TypedDict):
    """The copy's properties."""

    sheetId: int
    title: str
    index: int


@app.operation(
    "web.copySheet",
    source=SOURCE,
    scope=WRITE,
    writes=True,
    examples=[{"spreadsheetId": EXAMPLE, "sheetId": 0, "destinationSpreadsheetId": EXAMPLE, "title": "Copied"}],
    raises=("not_found", "forbidden", "not_a_spreadsheet", "no_sheet", "bad_request"),
)
def copy_named(call: Call, params: CopyAndNameParams) -> CopiedSheet:
    """Copy a sheet into another spreadsheet under a name."""
    if not params.title.strip():
        raise SingleRequest({}, "copyTo", 0).wrong(sheets.BAD_TITLE)
    made = duplicate_sheet(call, params, params.title)
    return {"sheetId": made.gid, "title": made.title, "index": made.position}
