"""Data of a spreadsheet's page: a sheet with the cells in view, and the summary of selected cells."""

from typing import Any, NotRequired, TypedDict

from pydantic import Field

from apps.drive.public import access, visit
from apps.sheets.app import app
from apps.sheets.cells import Area
from apps.sheets.history import undo_history
from apps.sheets.operations.params import EXAMPLE, SpreadsheetParams
from apps.sheets.operations.requests import KINDS
from apps.sheets.spreadsheet import Spreadsheet
from apps.sheets.structure.tabs import Tab
from apps.sheets.vendor_types import CheckedObject
from apps.sheets.views import grid_view, overlays
from world.core.call import Call
from world.core.clock import to_datetime
from world.core.json_types import JsonObject
from world.core.params import Int64

SOURCE = "support.google.com/docs/topic/9054603"
READ, WRITE = "spreadsheets.readonly", "spreadsheets"
OFTEN = 600  # gestures a minute; a page is not held to the API's quota
FIRST = [0, 0, 60, 20]  # the window of a page that says nothing else


class GridWindow(TypedDict):
    """A window of cells, with other effects of a gesture."""

    window: JsonObject
    state: str
    title: str
    undo: bool
    redo: bool
    now: str
    sheet: NotRequired[CheckedObject]
    charts: NotRequired[list[CheckedObject]]
    tabs: NotRequired[list[CheckedObject]]
    names: NotRequired[list[CheckedObject]]
    replies: NotRequired[list[JsonObject]]
    touched: NotRequired[list[int]]


class OpenedSpreadsheet(GridWindow):
    """A spreadsheet as its page opens."""

    key: str
    role: str
    starred: bool
    locale: str
    kinds: list[str]


class ViewParams(SpreadsheetParams):
    """A sheet, and the part of it that is in view."""

    gid: Int64 | None = Field(default=None, description="The sheet; the first visible one unless given.", examples=[0])
    view: list[Int64] = Field(
        default_factory=lambda: [*FIRST],
        min_length=4,
        max_length=4,
        description="Rows and columns in view: top, left, bottom, right.",
        examples=[[0, 0, 60, 20]],
    )
    filterView: Int64 | None = Field(default=None, description="The filter view to look through: its filterViewId.")

    def tab(self, book: Spreadsheet) -> Tab:
        """The sheet. Raises no_sheet."""
        if self.gid is not None:
            return book.tab(self.gid)
        return next((tab for tab in book.tabs if not tab.hidden), book.tabs[0])

    def area(self) -> Area:
        """The part in view."""
        top, left, bottom, right = (max(0, one) for one in self.view)
        return Area(top, left, max(top, bottom), max(left, right))


def window_view(book: Spreadsheet, params: ViewParams, *, whole: bool = False) -> GridWindow:
    """The window of an answer, with the sheet's shape if it may have changed."""
    gids = {tab.gid for tab in book.tabs}
    tab = (
        params.tab(book)
        if params.gid is None or params.gid in gids
        else next(one for one in book.tabs if not one.hidden)
    )
    window = grid_view.window(book, tab, params.area())
    told: Any = {
        "window": window,
        "state": book.own[3],
        "title": book.file.name,
        **undo_history.state(book),
        "now": _now(book),
    }
    if not whole and (charts := grid_view.charts(book, tab)):
        told["charts"] = charts
    if whole:
        shape = grid_view.sheet(book, tab)
        shape |= overlays.sheet_overlays(book, tab, params.filterView, shape["hiddenRows"])
        told |= {"sheet": shape, "tabs": grid_view.tabs(book), "names": grid_view.names(book)}
    return told


def _now(book: Spreadsheet) -> str:
    """The time where the spreadsheet is, to the second, as ISO 8601 has it without a zone."""
    return to_datetime(book.call.now, book.zone).strftime("%Y-%m-%dT%H:%M:%S")


@app.operation(
    "web.open",
    source=SOURCE,
    scope=READ,
    limit=OFTEN,
    examples=[{"spreadsheetId": EXAMPLE}],
    raises=("not_found", "forbidden", "not_a_spreadsheet", "no_sheet"),
)
def open_page(call: Call, params: ViewParams) -> OpenedSpreadsheet:
    """Open a spreadsheet in the browser: title, your role, its sheets, one sheet's shape and the cells in view."""
    with Spreadsheet(call, params.spreadsheetId) as book:
        params.tab(book)
        visit(call, book.file)
        starred = call.first(
            "SELECT 1 FROM drive_star WHERE person_id = :me AND file_id = :file",
            {"me": call.person, "file": book.file.id},
        )
        return {
            **window_view(book, params, whole=True),
            "key": book.file.key,
            "role": access.role(call, book.file),
            "starred": starred is not None,
            "locale": book.locale,
            "kinds": sorted(KINDS),
        }


@app.operation(
    "web.cells",
    source=SOURCE,
    scope=READ,
    limit=OFTEN,
    examples=[{"spreadsheetId": EXAMPLE}],
    raises=("not_found", "forbidden", "not_a_spreadsheet", "no_sheet"),
)
def cells(call: Call, params: ViewParams) -> GridWindow:
    """Show the cells of a part of a sheet: displayed text, formula bar text, looks, notes."""
    with Spreadsheet(call, params.spreadsheetId) as book:
        params.tab(book)
        return window_view(book, params, whole=True)


class ColumnValuesParams(SpreadsheetParams):
    """A column of a sheet's part."""

    gid: Int64 = Field(description="The sheet.", examples=[0])
    area: list[Int64] = Field(
        min_length=4, max_length=4, description="Top, left, bottom, right.", examples=[[0, 0, 5, 1]]
    )


class SelectionSummary(TypedDict):
    """Summary of an area's cells, and their distinct texts."""

    sum: float
    count: int
    numbers: int
    least: NotRequired[float]
    most: NotRequired[float]
    texts: list[str]


@app.operation(
    "web.summary",
    source=SOURCE,
    scope=READ,
    limit=OFTEN,
    examples=[{"spreadsheetId": EXAMPLE, "gid": 0, "area": [0, 0, 5, 1]}],
    raises=("not_found", "forbidden", "not_a_spreadsheet", "no_sheet"),
)
def summary(call: Call, params: ColumnValuesParams) -> SelectionSummary:
    """Summarise the cells of an area as the status bar does, and list their distinct texts as a filter does."""
    with Spreadsheet(call, params.spreadsheetId) as book:
        tab, (top, left, bottom, right) = book.tab(params.gid), params.area
        area = Area(max(top, 0), max(left, 0), max(top, bottom, 0), max(left, right, 0)).within(tab.rows, tab.columns)
        values = [value for line in book.read_values(tab, area) for value in line if value is not None and value != ""]
        numbers = [value for value in values if isinstance(value, float) and not isinstance(value, bool)]
        texts = list(
            dict.fromkeys(text for line in grid_view.texts(book, tab, grid_view.limit_area(area)) for text in line)
        )[:1000]
        told: SelectionSummary = {"sum": sum(numbers), "count": len(values), "numbers": len(numbers), "texts": texts}
        return {**told, "least": min(numbers), "most": max(numbers)} if numbers else told
