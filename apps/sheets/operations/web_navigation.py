"""Navigation on a spreadsheet's page: the end of the data, the next cell with a text."""

from typing import Literal, TypedDict

from pydantic import Field

from apps.sheets.app import app
from apps.sheets.cells import Area
from apps.sheets.operations.params import EXAMPLE, SpreadsheetParams
from apps.sheets.operations.web_grid import OFTEN, READ, SOURCE
from apps.sheets.spreadsheet import Spreadsheet
from apps.sheets.structure.tabs import Tab
from apps.sheets.views import grid_view
from world.core.call import Call
from world.core.params import Int64, Text


class LeaveCellParams(SpreadsheetParams):
    """Request fields of a jump: a cell and a direction."""

    gid: Int64 = Field(description="The sheet.", examples=[0])
    row: Int64 = Field(ge=0, description="Row, from 0.", examples=[0])
    column: Int64 = Field(ge=0, description="Column, from 0.", examples=[0])
    towards: Literal["up", "down", "left", "right", "end"] = Field(
        description="A direction, or the last cell of all.", examples=["down"]
    )


class CellPosition(TypedDict):
    """A cell."""

    row: int
    column: int


@app.operation(
    "web.edge",
    source=SOURCE,
    scope=READ,
    limit=OFTEN,
    examples=[{"spreadsheetId": EXAMPLE, "gid": 0, "row": 0, "column": 0, "towards": "down"}],
    raises=("not_found", "forbidden", "not_a_spreadsheet", "no_sheet"),
)
def edge(call: Call, params: LeaveCellParams) -> CellPosition:
    """Find the cell that Ctrl and an arrow lead to: the end of the data in a direction."""
    with Spreadsheet(call, params.spreadsheetId) as book:
        tab = book.tab(params.gid)
        row, column = min(params.row, tab.rows - 1), min(params.column, tab.columns - 1)
        if params.towards == "end":
            last = book.last(tab)
            return {"row": max(last[0], 0), "column": max(last[1], 0)}
        if params.towards in ("up", "down"):
            line = Area(0, column, tab.rows, column + 1)
            return {
                "row": _edge(
                    [at[0] for at in _list_filled_cells(book, tab, line)], row, tab.rows, back=params.towards == "up"
                ),
                "column": column,
            }
        line = Area(row, 0, row + 1, tab.columns)
        return {
            "row": row,
            "column": _edge(
                [at[1] for at in _list_filled_cells(book, tab, line)],
                column,
                tab.columns,
                back=params.towards == "left",
            ),
        }


def _list_filled_cells(book: Spreadsheet, tab: Tab, area: Area) -> list[tuple[int, int]]:
    return [at for at, cell in book.cells(tab, area).items() if cell.entry.kind]


def _edge(places: list[int], start: int, count: int, *, back: bool) -> int:
    """The last of a run of full places, else the next full one, else the end."""
    held, by = set(places), -1 if back else 1
    at, end = start + by, 0 if back else count - 1
    if not 0 <= at < count:
        return start
    if start in held and at in held:
        while at + by in held:
            at += by
        return at
    ahead = [place for place in places if (place <= at if back else place >= at)]
    return (max(ahead) if back else min(ahead)) if ahead else end


class FindTextParams(SpreadsheetParams):
    """A text, and the cell behind which to look for it."""

    gid: Int64 = Field(description="The sheet.", examples=[0])
    text: Text = Field(
        min_length=1, max_length=1000, description="What to find in what cells display.", examples=["total"]
    )
    row: Int64 = Field(default=0, ge=0, description="Row of the cell to go on from.")
    column: Int64 = Field(default=-1, ge=-1, description="Column of that cell.")
    matchCase: bool = Field(default=False, description="Letter case counts.")
    matchEntireCell: bool = Field(default=False, description="The whole text must be it.")


class FindAnswer(TypedDict):
    """Whether a text was found, and where."""

    found: bool
    row: int
    column: int


@app.operation(
    "web.find",
    source=SOURCE,
    scope=READ,
    limit=OFTEN,
    examples=[{"spreadsheetId": EXAMPLE, "gid": 0, "text": "total"}],
    raises=("not_found", "forbidden", "not_a_spreadsheet", "no_sheet"),
)
def find_cell(call: Call, params: FindTextParams) -> FindAnswer:
    """Find the next cell of a sheet that displays a text; after the last one, the first."""
    with Spreadsheet(call, params.spreadsheetId) as book:
        tab = book.tab(params.gid)
        last = book.last(tab)
        texts = (
            grid_view.texts(book, tab, grid_view.limit_area(Area(0, 0, last[0] + 1, last[1] + 1), 2_000_000))
            if last[0] >= 0
            else []
        )
        wanted = params.text if params.matchCase else params.text.casefold()
        hits = [
            (row, column)
            for row, line in enumerate(texts)
            for column, text in enumerate(line)
            if _matches(params, text, wanted)
        ]
        at = next((hit for hit in hits if hit > (params.row, params.column)), hits[0] if hits else None)
        return {"found": at is not None, "row": at[0] if at else 0, "column": at[1] if at else 0}


def _matches(params: FindTextParams, text: str, wanted: str) -> bool:
    shown = text if params.matchCase else text.casefold()
    return shown == wanted if params.matchEntireCell else wanted in shown
