"""Values appended to the table that a range lies on."""

from collections.abc import Iterable
from typing import Annotated, Literal, NotRequired, TypedDict

from pydantic import Field

from apps.sheets import a1
from apps.sheets.app import app
from apps.sheets.cells import Area
from apps.sheets.operations.params import EXAMPLE, upper_or
from apps.sheets.operations.requests.append import join
from apps.sheets.operations.requests.dimensions import insert
from apps.sheets.operations.requests.registry import SingleRequest
from apps.sheets.operations.value_input import put_values
from apps.sheets.operations.values import DOCS, WRITE, UpdateAnswer, UpdateValuesParams, by_rows, option
from apps.sheets.spreadsheet import Spreadsheet
from apps.sheets.structure.dimensions import Lines
from apps.sheets.structure.sheets import grow_tab
from apps.sheets.structure.tabs import Tab
from apps.sheets.vendor_types import CheckedObject
from world.core.call import Call


class AppendParams(UpdateValuesParams):
    """Values for the end of a table."""

    insertDataOption: Annotated[Literal["OVERWRITE", "INSERT_ROWS"], upper_or("OVERWRITE")] = Field(
        default="OVERWRITE", description="Write over what lies below the table, or insert rows for the values."
    )


class AppendAnswer(TypedDict):
    """Response of an append: the table's range, and the written range."""

    spreadsheetId: str
    tableRange: NotRequired[str]
    updates: UpdateAnswer


@app.operation(
    "spreadsheets.values.append",
    source=DOCS + "append",
    scope=WRITE,
    writes=True,
    examples=[
        {"spreadsheetId": EXAMPLE, "range": "A1", "valueInputOption": "USER_ENTERED", "values": [["Core", "1200"]]}
    ],
    raises=(
        "not_found",
        "forbidden",
        "not_a_spreadsheet",
        "bad_range",
        "beyond_grid",
        "outside_grid",
        "input_option_missing",
        "protected",
        "bad_value",
        "too_long",
        "bad_request",
    ),
)
def append_values(call: Call, params: AppendParams) -> AppendAnswer:
    """Append rows of values below the last table in a range; the sheet grows as needed."""
    how = option(params.valueInputOption)
    with Spreadsheet(call, params.spreadsheetId, "file.write") as book:
        tab, area = book.locate(params.range)
        found, rows = table(book, tab, area), by_rows(params.values, params.majorDimension)
        told: CheckedObject = {"spreadsheetId": params.spreadsheetId}
        if found is not None:
            told["tableRange"] = a1.text(tab.title, found, tab.rows, tab.columns)
        top, left = (area.top, area.left) if found is None else (found.bottom or 0, found.left)
        tab = _room(book, tab, top, left, rows, inserted=found is not None and params.insertDataOption == "INSERT_ROWS")
        done = put_values(book, tab, top, left, rows, how)
        join(book, tab, done.area)
        return {**told, "updates": params.to_json(done, params.majorDimension)}  # type: ignore[typeddict-item]


def _room(book: Spreadsheet, tab: Tab, top: int, left: int, rows: list[list[object]], *, inserted: bool) -> Tab:
    """The sheet with room for rows at a place."""
    asked, height, width = SingleRequest({}, "append", 0), len(rows), max((len(row) for row in rows), default=0)
    if inserted and rows and top < tab.rows:
        insert(book, asked, Lines(tab, "ROWS", top, top + height), before=True)
        tab = book.tab(tab.gid)
    grow_tab(book, asked.wrong, tab, max(tab.rows, top + height), max(tab.columns, left + width))
    return book.tab(tab.gid)


def table(book: Spreadsheet, tab: Tab, area: Area) -> Area | None:
    """Return the last table in an area: cells with content, up to empty rows and columns around; None for none."""
    held = book.list_filled(tab)
    inside = [at for at in held if area.holds(*at)]
    if not inside:
        return None
    row = max(at[0] for at in inside)
    column = min(at[1] for at in inside if at[0] == row)
    rows = _lines(held)
    found, before = Area(row, column, row + 1, column + 1), None
    while found != before:
        before = found
        found = _widen_area(rows, found)
    return found


def _lines(held: Iterable[tuple[int, int]]) -> dict[int, list[int]]:
    """The columns that hold something, by row."""
    rows: dict[int, list[int]] = {}
    for row, column in held:
        rows.setdefault(row, []).append(column)
    return rows


def _widen_area(rows: dict[int, list[int]], area: Area) -> Area:
    """Widen an area by what is joined to it, corners too, in each direction."""
    top, left, bottom, right = area.top, area.left, area.bottom or 0, area.right or 0
    while any(left - 1 <= column <= right for column in rows.get(top - 1, ())):
        top -= 1
    while any(left - 1 <= column <= right for column in rows.get(bottom, ())):
        bottom += 1
    columns = {column for row in range(top - 1, bottom + 1) for column in rows.get(row, ())}
    while left - 1 in columns:
        left -= 1
    while right in columns:
        right += 1
    return Area(top, left, bottom, right)
