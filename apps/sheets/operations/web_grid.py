"""What only the page of a spreadsheet asks for: a sheet with the cells in view, and each gesture as one operation that
answers with them.
"""

from typing import Any, Literal, NotRequired, TypedDict

from pydantic import Field

from apps.drive.public import access, visit
from apps.sheets.app import app
from apps.sheets.cells import Area
from apps.sheets.grid import validation
from apps.sheets.history import undo_history
from apps.sheets.operations.params import EXAMPLE, Given, OfSpreadsheet
from apps.sheets.operations.requests import KINDS, append
from apps.sheets.operations.spreadsheets import perform
from apps.sheets.operations.value_input import put_values
from apps.sheets.spreadsheet import Spreadsheet
from apps.sheets.structure.tabs import Tab
from apps.sheets.views import grid_view, overlays
from world.core.call import Call
from world.core.clock import to_datetime
from world.core.errors import OperationError
from world.core.params import Int64, Text

SOURCE = "support.google.com/docs/topic/9054603"
READ, WRITE = "spreadsheets.readonly", "spreadsheets"
OFTEN = 600  # gestures a minute; a page is not held to the API's quota
MOST_TYPED = 100_000
FIRST = [0, 0, 60, 20]  # the window of a page that says nothing else
_CHANGING = (  # refusals of every batch of requests
    "not_found",
    "forbidden",
    "not_a_spreadsheet",
    "no_sheet",
    "no_requests",
    "unsupported_request",
    "bad_request",
    "protected",
    "range_beyond_sheet",
)


class Shown(TypedDict):
    """A window of cells, with what else a gesture changed."""

    window: dict[str, Any]
    state: str
    title: str
    undo: bool
    redo: bool
    now: str
    sheet: NotRequired[dict[str, Any]]
    charts: NotRequired[list[dict[str, Any]]]
    tabs: NotRequired[list[dict[str, Any]]]
    names: NotRequired[list[dict[str, Any]]]
    replies: NotRequired[list[dict[str, Any]]]
    touched: NotRequired[list[int]]


class Opened(Shown):
    """A spreadsheet as its page opens."""

    key: str
    role: str
    starred: bool
    locale: str
    kinds: list[str]


class InView(OfSpreadsheet):
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


def shown(book: Spreadsheet, params: InView, *, whole: bool = False) -> Shown:
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
        shape |= overlays.told(book, tab, params.filterView, shape["hiddenRows"])
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
def open_page(call: Call, params: InView) -> Opened:
    """Open a spreadsheet in the browser: title, your role, its sheets, one sheet's shape and the cells in view."""
    with Spreadsheet(call, params.spreadsheetId) as book:
        params.tab(book)
        visit(call, book.file)
        starred = call.first(
            "SELECT 1 FROM drive_star WHERE person_id = :me AND file_id = :file",
            {"me": call.person, "file": book.file.id},
        )
        return {
            **shown(book, params, whole=True),
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
def cells(call: Call, params: InView) -> Shown:
    """Show the cells of a part of a sheet: displayed text, formula bar text, looks, notes."""
    with Spreadsheet(call, params.spreadsheetId) as book:
        params.tab(book)
        return shown(book, params, whole=True)


class Values(OfSpreadsheet):
    """A column of a sheet's part."""

    gid: Int64 = Field(description="The sheet.", examples=[0])
    area: list[Int64] = Field(
        min_length=4, max_length=4, description="Top, left, bottom, right.", examples=[[0, 0, 5, 1]]
    )


class Summed(TypedDict):
    """What the cells of an area come to, and their different texts."""

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
def summary(call: Call, params: Values) -> Summed:
    """Sum up the cells of an area as the status bar does, and list their different texts as a filter does."""
    with Spreadsheet(call, params.spreadsheetId) as book:
        tab, (top, left, bottom, right) = book.tab(params.gid), params.area
        area = Area(max(top, 0), max(left, 0), max(top, bottom, 0), max(left, right, 0)).within(tab.rows, tab.columns)
        values = [value for line in book.shown(tab, area) for value in line if value is not None and value != ""]
        numbers = [value for value in values if isinstance(value, float) and not isinstance(value, bool)]
        texts = list(
            dict.fromkeys(text for line in grid_view.texts(book, tab, grid_view.bounded(area)) for text in line)
        )[:1000]
        told: Summed = {"sum": sum(numbers), "count": len(values), "numbers": len(numbers), "texts": texts}
        return {**told, "least": min(numbers), "most": max(numbers)} if numbers else told


class Leaving(OfSpreadsheet):
    """A cell, and where to."""

    gid: Int64 = Field(description="The sheet.", examples=[0])
    row: Int64 = Field(ge=0, description="Row, from 0.", examples=[0])
    column: Int64 = Field(ge=0, description="Column, from 0.", examples=[0])
    towards: Literal["up", "down", "left", "right", "end"] = Field(
        description="A direction, or the last cell of all.", examples=["down"]
    )


class Spot(TypedDict):
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
def edge(call: Call, params: Leaving) -> Spot:
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
                "row": _edge([at[0] for at in _held(book, tab, line)], row, tab.rows, back=params.towards == "up"),
                "column": column,
            }
        line = Area(row, 0, row + 1, tab.columns)
        return {
            "row": row,
            "column": _edge(
                [at[1] for at in _held(book, tab, line)], column, tab.columns, back=params.towards == "left"
            ),
        }


def _held(book: Spreadsheet, tab: Tab, area: Area) -> list[tuple[int, int]]:
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


class Finding(OfSpreadsheet):
    """A text, and the cell behind which to look for it."""

    gid: Int64 = Field(description="The sheet.", examples=[0])
    text: Text = Field(
        min_length=1, max_length=1000, description="What to find in what cells display.", examples=["total"]
    )
    row: Int64 = Field(default=0, ge=0, description="Row of the cell to go on from.")
    column: Int64 = Field(default=-1, ge=-1, description="Column of that cell.")
    matchCase: bool = Field(default=False, description="Letter case counts.")
    matchEntireCell: bool = Field(default=False, description="The whole text must be it.")


class Found(TypedDict):
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
def find(call: Call, params: Finding) -> Found:
    """Find the next cell of a sheet that displays a text; after the last one, the first."""
    with Spreadsheet(call, params.spreadsheetId) as book:
        tab = book.tab(params.gid)
        last = book.last(tab)
        texts = (
            grid_view.texts(book, tab, grid_view.bounded(Area(0, 0, last[0] + 1, last[1] + 1), 2_000_000))
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


def _matches(params: Finding, text: str, wanted: str) -> bool:
    shown = text if params.matchCase else text.casefold()
    return shown == wanted if params.matchEntireCell else wanted in shown


class Typing(InView):
    """Texts typed into cells."""

    cells: list[tuple[Int64, Int64, Text]] = Field(
        max_length=MOST_TYPED,
        description="Row, column and text of each; an empty text empties the cell.",
        examples=[[[0, 0, "=1+1"]]],
    )


@app.operation(
    "web.enter",
    source=SOURCE,
    scope=WRITE,
    writes=True,
    limit=OFTEN,
    examples=[{"spreadsheetId": EXAMPLE, "cells": [[0, 0, "=1+1"]]}],
    raises=(
        "not_found",
        "forbidden",
        "not_a_spreadsheet",
        "no_sheet",
        "outside_grid",
        "protected",
        "too_long",
        "nothing_typed",
        "no_such_cell",
        "violates_rule",
    ),
)
def enter(call: Call, params: Typing) -> Shown:
    """Type texts into cells as a person would, and see what the page then shows."""
    if not params.cells:
        raise OperationError("nothing_typed")
    with undo_history.gesture(call, params.spreadsheetId) as book:
        tab = params.tab(book)
        for top, left, lines in _lines(params.cells):
            put_values(book, tab, top, left, lines, "USER_ENTERED")
            if any(any(line) for line in lines):
                append.join(book, tab, Area(top, left, top + len(lines), left + len(lines[0])))
        validation.check(book, tab, [(row, column) for row, column, _ in params.cells])
    with Spreadsheet(call, params.spreadsheetId) as book:
        return shown(book, params)


def _lines(cells: list[tuple[int, int, str]]) -> list[tuple[int, int, list[list[Any]]]]:
    """Typed cells as one block with holes; far from each other, one by one."""
    if any(row < 0 or column < 0 for row, column, _ in cells):
        raise OperationError("no_such_cell")
    top, left, bottom, right = grid_view.around((row, column) for row, column, _ in cells)
    if (bottom - top) * (right - left) > MOST_TYPED:
        return [(row, column, [[text]]) for row, column, text in cells]
    lines: list[list[Any]] = [[None] * (right - left) for _ in range(top, bottom)]
    for row, column, text in cells:
        lines[row - top][column - left] = text
    return [(top, left, lines)]


class Changing(InView):
    """Changes of a gesture that is more than typing, as requests of a batchUpdate."""

    requests: list[Given] = Field(
        max_length=1000,
        description="Each an object with one key, the kind of change.",
        examples=[
            [
                {
                    "repeatCell": {
                        "range": {"sheetId": 0, "endRowIndex": 1, "endColumnIndex": 1},
                        "cell": {"userEnteredFormat": {"textFormat": {"bold": True}}},
                        "fields": "userEnteredFormat.textFormat.bold",
                    }
                }
            ]
        ],
    )


def change(call: Call, params: Changing, kinds: tuple[str, ...] = ()) -> Shown:
    """Make the changes of a gesture. Raises no_requests, unsupported_request, bad_request."""
    if not params.requests:
        raise OperationError("no_requests")
    with undo_history.gesture(call, params.spreadsheetId) as book:
        if kinds and any(set(given) - set(kinds) for given in params.requests):
            raise OperationError("unsupported_request", place=0, kind=", ".join(params.requests[0])[:100])
        replies = [perform(book, given, place) for place, given in enumerate(params.requests)]
    with Spreadsheet(call, params.spreadsheetId) as book:
        return {**shown(book, params, whole=True), "replies": replies}  # type: ignore[return-value]


@app.operation(
    "web.change",
    source=SOURCE,
    scope=WRITE,
    writes=True,
    limit=OFTEN,
    examples=[{"spreadsheetId": EXAMPLE, "requests": [{"addSheet": {"properties": {"title": "Notes"}}}]}],
    raises=(
        *_CHANGING,
        "no_object",
        "one_kind_each",
        "too_long",
        "bad_range",
        "beyond_grid",
        "bad_fields",
        "fields_missing",
        "bad_zone",
    ),
)
def change_sheet(call: Call, params: Changing) -> Shown:
    """Do what a menu or a tool of the page does (format, insert, delete, sort, filter, freeze, sheets …): all of it, or
    nothing.
    """
    return change(call, params)


@app.operation(
    "web.paste",
    source=SOURCE,
    scope=WRITE,
    writes=True,
    limit=OFTEN,
    examples=[
        {
            "spreadsheetId": EXAMPLE,
            "requests": [
                {"pasteData": {"coordinate": {"sheetId": 0}, "data": "a\tb", "delimiter": "\t", "type": "PASTE_NORMAL"}}
            ],
        }
    ],
    raises=(
        *_CHANGING,
        "one_kind_each",
        "too_long",
    ),
)
def paste(call: Call, params: Changing) -> Shown:
    """Paste copied or cut cells, or text from elsewhere."""
    return change(call, params, ("copyPaste", "cutPaste", "pasteData"))


@app.operation(
    "web.fill",
    source=SOURCE,
    scope=WRITE,
    writes=True,
    limit=OFTEN,
    examples=[
        {
            "spreadsheetId": EXAMPLE,
            "requests": [{"autoFill": {"range": {"sheetId": 0, "endRowIndex": 3, "endColumnIndex": 1}}}],
        }
    ],
    raises=(
        *_CHANGING,
        "one_kind_each",
        "too_long",
    ),
)
def fill(call: Call, params: Changing) -> Shown:
    """Carry cells on as the fill handle does, or copy them down or to the right."""
    return change(call, params, ("autoFill", "copyPaste"))


def _stepped(call: Call, params: InView, *, back: bool) -> Shown:
    with Spreadsheet(call, params.spreadsheetId, "file.write") as book:
        touched = undo_history.step(book, back=back)
    with Spreadsheet(call, params.spreadsheetId) as book:
        told = shown(book, _towards(book, params, touched), whole=True)
        here = next((tab for tab in book.tabs if tab.gid == told["window"]["gid"]), None)
        places = undo_history.placed(here, touched) if here else []
        return {**told, "touched": grid_view.around(places)} if places else told


def _towards(book: Spreadsheet, params: InView, touched: undo_history.Touched) -> InView:
    """The sheet on which something was undone, where that is another one than the page shows."""
    tabs = [tab for tab in book.tabs if tab.id in touched.cells and not tab.hidden]
    if not tabs or any(tab.gid == params.gid for tab in tabs):
        return params
    return params.model_copy(update={"gid": tabs[0].gid})


@app.operation(
    "web.undo",
    source=SOURCE,
    scope=WRITE,
    writes=True,
    limit=OFTEN,
    after=["web.enter"],
    examples=[{"spreadsheetId": EXAMPLE}],
    raises=("not_found", "forbidden", "not_a_spreadsheet", "no_sheet", "nothing_to_undo", "protected", "bad_request"),
)
def undo(call: Call, params: InView) -> Shown:
    """Take back your last gesture on a spreadsheet's page; what others changed since stays theirs."""
    return _stepped(call, params, back=True)


@app.operation(
    "web.redo",
    source=SOURCE,
    scope=WRITE,
    writes=True,
    limit=OFTEN,
    after=["web.enter", "web.undo"],
    examples=[{"spreadsheetId": EXAMPLE}],
    raises=("not_found", "forbidden", "not_a_spreadsheet", "no_sheet", "nothing_to_undo", "protected", "bad_request"),
)
def redo(call: Call, params: InView) -> Shown:
    """Do again what you took back last."""
    return _stepped(call, params, back=False)
