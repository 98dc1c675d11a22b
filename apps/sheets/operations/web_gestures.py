"""Gestures on a spreadsheet's page: each is one operation that returns the cells in view."""

from pydantic import Field

from apps.sheets.app import app
from apps.sheets.cells import Area
from apps.sheets.grid import validation
from apps.sheets.history import undo_history
from apps.sheets.operations.params import EXAMPLE, Given
from apps.sheets.operations.requests import append
from apps.sheets.operations.spreadsheets import perform
from apps.sheets.operations.value_input import put_values
from apps.sheets.operations.web_grid import OFTEN, SOURCE, WRITE, GridWindow, ViewParams, window_view
from apps.sheets.spreadsheet import Spreadsheet
from apps.sheets.views import grid_view
from world.core.call import Call
from world.core.errors import OperationError
from world.core.params import Int64, Text

MOST_TYPED = 100_000
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


class TypeCellsParams(ViewParams):
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
def enter(call: Call, params: TypeCellsParams) -> GridWindow:
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
        return window_view(book, params)


def _lines(cells: list[tuple[int, int, str]]) -> list[tuple[int, int, list[list[object]]]]:
    """Typed cells as one block with holes; far from each other, one by one."""
    if any(row < 0 or column < 0 for row, column, _ in cells):
        raise OperationError("no_such_cell")
    top, left, bottom, right = grid_view.around((row, column) for row, column, _ in cells)
    if (bottom - top) * (right - left) > MOST_TYPED:
        return [(row, column, [[text]]) for row, column, text in cells]
    lines: list[list[object]] = [[None] * (right - left) for _ in range(top, bottom)]
    for row, column, text in cells:
        lines[row - top][column - left] = text
    return [(top, left, lines)]


class GestureParams(ViewParams):
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


def change(call: Call, params: GestureParams, kinds: tuple[str, ...] = ()) -> GridWindow:
    """Make the changes of a gesture. Raises no_requests, unsupported_request, bad_request."""
    if not params.requests:
        raise OperationError("no_requests")
    with undo_history.gesture(call, params.spreadsheetId) as book:
        if kinds and any(set(given) - set(kinds) for given in params.requests):
            raise OperationError("unsupported_request", place=0, kind=", ".join(params.requests[0])[:100])
        replies = [perform(book, given, place) for place, given in enumerate(params.requests)]
    with Spreadsheet(call, params.spreadsheetId) as book:
        return {**window_view(book, params, whole=True), "replies": replies}  # type: ignore[return-value]


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
def change_sheet(call: Call, params: GestureParams) -> GridWindow:
    """Apply a menu or tool action (format, insert, delete, sort, filter, freeze, sheets …): all of it, or nothing."""
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
def paste(call: Call, params: GestureParams) -> GridWindow:
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
def fill(call: Call, params: GestureParams) -> GridWindow:
    """Carry cells on as the fill handle does, or copy them down or to the right."""
    return change(call, params, ("autoFill", "copyPaste"))


def _step_history(call: Call, params: ViewParams, *, back: bool) -> GridWindow:
    with Spreadsheet(call, params.spreadsheetId, "file.write") as book:
        touched = undo_history.step(book, back=back)
    with Spreadsheet(call, params.spreadsheetId) as book:
        told = window_view(book, _towards(book, params, touched), whole=True)
        here = next((tab for tab in book.tabs if tab.gid == told["window"]["gid"]), None)
        places = undo_history.list_places(here, touched) if here else []
        return {**told, "touched": grid_view.around(places)} if places else told


def _towards(book: Spreadsheet, params: ViewParams, touched: undo_history.TouchedCells) -> ViewParams:
    """Return the sheet on which something was undone, if it is not the one in view."""
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
def undo(call: Call, params: ViewParams) -> GridWindow:
    """Undo your last gesture on a spreadsheet's page; later changes by others stay."""
    return _step_history(call, params, back=True)


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
def redo(call: Call, params: ViewParams) -> GridWindow:
    """Redo the gesture you undid last."""
    return _step_history(call, params, back=False)
