"""Values read and written by A1 range."""

from typing import Any, NotRequired, TypedDict

from pydantic import Field

from apps.sheets import a1
from apps.sheets.app import app
from apps.sheets.cells import EMPTY, Area
from apps.sheets.grid import protection
from apps.sheets.operations.params import (
    EXAMPLE,
    DateTimeRender,
    Grid,
    MajorDimension,
    Range,
    Ranges,
    SpreadsheetParams,
    ValueInput,
    ValueRender,
)
from apps.sheets.operations.requests import pivots
from apps.sheets.operations.value_input import WrittenValues, put_values
from apps.sheets.refusals import DATA
from apps.sheets.spreadsheet import Spreadsheet
from apps.sheets.structure.tabs import Tab
from apps.sheets.views.value_views import ValueOptions, value_range
from world.core.call import Call
from world.core.errors import OperationError
from world.core.params import Params

DOCS = "developers.google.com/workspace/sheets/api/reference/rest/v4/spreadsheets.values/"
READ, WRITE = "spreadsheets.readonly", "spreadsheets"
WRITE_CODES = (  # what writing values into a range raises
    "not_found",
    "forbidden",
    "not_a_spreadsheet",
    "bad_range",
    "beyond_grid",
    "beyond_range",
    "outside_grid",
    "input_option_missing",
    "protected",
    "bad_value",
    "too_long",
    "bad_request",
)


class ValueRange(TypedDict):
    """Values of a range, without trailing empty rows and columns."""

    range: str
    majorDimension: str
    values: NotRequired[list[list[Any]]]


class UpdateAnswer(TypedDict):
    """Response of a write."""

    spreadsheetId: str
    updatedRange: str
    updatedRows: NotRequired[int]
    updatedColumns: NotRequired[int]
    updatedCells: NotRequired[int]
    updatedData: NotRequired[ValueRange]


class BatchGetAnswer(TypedDict):
    """Several ranges."""

    spreadsheetId: str
    valueRanges: NotRequired[list[ValueRange]]


class ReadOptions(SpreadsheetParams):
    """Request fields for the form of values."""

    majorDimension: MajorDimension = Field(default="ROWS", description="Lines of the answer: ROWS or COLUMNS.")
    valueRenderOption: ValueRender = Field(
        default="FORMATTED_VALUE", description="As displayed, plain, or the formula."
    )
    dateTimeRenderOption: DateTimeRender = Field(
        default="SERIAL_NUMBER", description="Dates among plain values: number or text."
    )

    def to_wanted(self) -> ValueOptions:
        """The same, for reading."""
        return ValueOptions(self.valueRenderOption, self.dateTimeRenderOption, self.majorDimension)


class GetValuesParams(ReadOptions):
    """One range."""

    range: Range = Field(
        description="A1 range: `Sheet1!A1:B2`, `A:A`, a sheet's title, a named range.", examples=["A1:C5"]
    )


class BatchGetParams(ReadOptions):
    """Several ranges."""

    ranges: Ranges = Field(default_factory=list, description="A1 ranges.", examples=[["A1:B2"]])


@app.operation(
    "spreadsheets.values.get",
    source=DOCS + "get",
    scope=READ,
    examples=[{"spreadsheetId": EXAMPLE, "range": "A1:B2"}],
    raises=("not_found", "forbidden", "not_a_spreadsheet", "bad_range", "beyond_grid"),
)
def get_values(call: Call, params: GetValuesParams) -> ValueRange:
    """Read the values of one range of a spreadsheet, as displayed or plain or as formulas."""
    with Spreadsheet(call, params.spreadsheetId) as book:
        return value_range(book, *book.locate(params.range), params.to_wanted())  # type: ignore[return-value]


@app.operation(
    "spreadsheets.values.batchGet",
    source=DOCS + "batchGet",
    scope=READ,
    examples=[{"spreadsheetId": EXAMPLE, "ranges": ["A1:B2"]}],
    raises=("not_found", "forbidden", "not_a_spreadsheet", "bad_range", "beyond_grid"),
)
def batch_get_values(call: Call, params: BatchGetParams) -> BatchGetAnswer:
    """Read the values of several ranges of a spreadsheet at once."""
    with Spreadsheet(call, params.spreadsheetId) as book:
        found: Any = [value_range(book, *book.locate(text), params.to_wanted()) for text in params.ranges]
        told: BatchGetAnswer = {"spreadsheetId": params.spreadsheetId}
        return {**told, "valueRanges": found} if found else told


class AnswerOptions(SpreadsheetParams):
    """Request fields for the response's new values."""

    includeValuesInResponse: bool = Field(default=False, description="Answer with the new values.")
    responseValueRenderOption: ValueRender = Field(default="FORMATTED_VALUE", description="How they are written.")
    responseDateTimeRenderOption: DateTimeRender = Field(
        default="SERIAL_NUMBER", description="How dates among them are written."
    )

    def to_json(self, done: WrittenValues, dimension: str) -> Any:
        """An UpdateValuesResponse."""
        if not self.includeValuesInResponse:
            return done.to_json(self.spreadsheetId)
        return done.with_values(
            self.spreadsheetId,
            ValueOptions(self.responseValueRenderOption, self.responseDateTimeRenderOption, dimension),
        )


class UpdateValuesParams(AnswerOptions):
    """Values for one range."""

    range: Range = Field(
        description="A1 range where the values go; values may not reach beyond it.", examples=["A1:B2"]
    )
    valueInputOption: ValueInput | None = Field(
        default=None,
        description="RAW: as given. USER_ENTERED: as if typed, formulas and dates understood.",
        examples=["USER_ENTERED"],
    )
    majorDimension: MajorDimension = Field(default="ROWS", description="Lines of `values`: ROWS or COLUMNS.")
    values: Grid = Field(
        default_factory=list,
        description="Lines of values; null leaves a cell as it is, an empty text empties it.",
        examples=[[["Item", 3], ["=1+1", "2026-03-02"]]],
    )


def option(value: str | None) -> str:
    """Return the required input option. Raises input_option_missing."""
    if value is None or value.endswith("UNSPECIFIED"):
        raise OperationError("input_option_missing", value=value or "INPUT_VALUE_OPTION_UNSPECIFIED")
    return value


def by_rows(lines: list[list[object]], dimension: str) -> list[list[object]]:
    """Lines as rows; columns of different length are filled up with nothing to write."""
    if dimension == "ROWS":
        return lines
    height = max((len(line) for line in lines), default=0)
    return [[line[row] if row < len(line) else None for line in lines] for row in range(height)]


def write(book: Spreadsheet, text: str, lines: list[list[Any]], dimension: str, how: str) -> WrittenValues:
    """Values into a range, which they may not leave. Raises bad_range, beyond_range, beyond_grid."""
    tab, area = book.locate(text)
    rows = by_rows(lines, dimension)
    if area_of_one(area) and ":" not in text.rpartition("!")[2]:
        return put_values(book, tab, area.top, area.left, rows, how)
    check_size(tab, area, rows)
    return put_values(book, tab, area.top, area.left, rows, how)


def area_of_one(area: Area) -> bool:
    """Whether a range is a single cell, at which the values begin."""
    return (area.bottom, area.right) == (area.top + 1, area.left + 1)


def check_size(tab: Tab, area: Area, rows: list[list[object]]) -> None:
    """Values may not be more than their range. Raises beyond_range."""
    height, width = (area.bottom or 0) - area.top, (area.right or 0) - area.left
    wide = max((len(row) for row in rows), default=0)
    if len(rows) > height:
        raise OperationError(
            "beyond_range", range=a1.text(tab.title, area, tab.rows, tab.columns), what=f"row [{area.top + height + 1}]"
        )
    if wide > width:
        beyond = f"column [{a1.letters(area.left + width)}]"
        raise OperationError("beyond_range", range=a1.text(tab.title, area, tab.rows, tab.columns), what=beyond)


@app.operation(
    "spreadsheets.values.update",
    source=DOCS + "update",
    scope=WRITE,
    writes=True,
    examples=[
        {"spreadsheetId": EXAMPLE, "range": "A1:B2", "valueInputOption": "USER_ENTERED", "values": [["Core", "1200"]]}
    ],
    raises=WRITE_CODES,
)
def update_values(call: Call, params: UpdateValuesParams) -> UpdateAnswer:
    """Write values into a range of a spreadsheet, raw or as if typed."""
    how = option(params.valueInputOption)
    with Spreadsheet(call, params.spreadsheetId, "file.write") as book:
        return params.to_json(
            write(book, params.range, params.values, params.majorDimension, how), params.majorDimension
        )


class RangeOfValues(Params):
    """Values for one of several ranges."""

    range: Range = ""
    majorDimension: MajorDimension = "ROWS"
    values: Grid = Field(default_factory=list)


class BatchUpdateParams(AnswerOptions):
    """Values for several ranges."""

    valueInputOption: ValueInput | None = Field(
        default=None, description="RAW or USER_ENTERED.", examples=["USER_ENTERED"]
    )
    data: list[RangeOfValues] = Field(
        default_factory=list,
        description="Ranges with their values.",
        max_length=1000,
        examples=[[{"range": "A1", "values": [["x"]]}]],
    )


class BatchUpdateAnswer(TypedDict):
    """Response of a write to several ranges."""

    spreadsheetId: str
    totalUpdatedRows: NotRequired[int]
    totalUpdatedColumns: NotRequired[int]
    totalUpdatedCells: NotRequired[int]
    totalUpdatedSheets: NotRequired[int]
    responses: NotRequired[list[UpdateAnswer]]


def totals(key: str, done: list[WrittenValues], responses: list[Any]) -> Any:
    """A BatchUpdateValuesResponse."""
    rows = {(one.tab.id, row) for one in done if one.cells for row in range(one.area.top, one.area.bottom or 0)}
    columns = {
        (one.tab.id, column) for one in done if one.cells for column in range(one.area.left, one.area.right or 0)
    }
    told = {
        "totalUpdatedRows": len(rows),
        "totalUpdatedColumns": len(columns),
        "totalUpdatedCells": sum(one.cells for one in done),
        "totalUpdatedSheets": len({one.tab.id for one in done if one.cells}),
    }
    return {
        "spreadsheetId": key,
        **{name: number for name, number in told.items() if number},
        **({"responses": responses} if responses else {}),
    }


@app.operation(
    "spreadsheets.values.batchUpdate",
    source=DOCS + "batchUpdate",
    scope=WRITE,
    writes=True,
    examples=[{"spreadsheetId": EXAMPLE, "valueInputOption": "RAW", "data": [{"range": "A1", "values": [["Core"]]}]}],
    raises=WRITE_CODES,
)
def batch_update_values(call: Call, params: BatchUpdateParams) -> BatchUpdateAnswer:
    """Write values into several ranges of a spreadsheet at once: all of them, or none."""
    how = option(params.valueInputOption)
    with Spreadsheet(call, params.spreadsheetId, "file.write") as book:
        done = [(_write_one(book, place, one, how), one.majorDimension) for place, one in enumerate(params.data)]
        return totals(
            params.spreadsheetId, [one for one, _ in done], [params.to_json(one, dimension) for one, dimension in done]
        )


def _write_one(book: Spreadsheet, place: int, one: RangeOfValues, how: str) -> WrittenValues:
    """Values of one range; a refusal of a range or of what does not fit it says of which."""
    try:
        return write(book, one.range, one.values, one.majorDimension, how)
    except OperationError as error:
        if error.code not in ("protected", "too_long"):
            error.detail = {"place": place, "kind": DATA, **error.detail}
        raise


class ClearValuesParams(SpreadsheetParams):
    """A range to empty."""

    range: Range = Field(description="A1 range.", examples=["A1:B2"])


class ClearAnswer(TypedDict):
    """Response of a clear."""

    spreadsheetId: str
    clearedRange: str


def clear(book: Spreadsheet, text: str) -> str:
    """Clear a range, keeping formats; return its name in the vendor's words. Raises bad_range, protected."""
    return clear_area(book, *book.locate(text))


def clear_area(book: Spreadsheet, tab: Tab, area: Area) -> str:
    """Clear an area, keeping formats."""
    protection.check_area(book, tab, area)
    held = book.cells(tab, area)
    book.put(
        tab,
        [
            (row, column, cell._replace(entry=EMPTY, runs=None))
            for (row, column), cell in held.items()
            if cell.entry.kind
        ],
    )
    pivots.clear(book, tab, area)
    return a1.text(tab.title, area, tab.rows, tab.columns)


@app.operation(
    "spreadsheets.values.clear",
    source=DOCS + "clear",
    scope=WRITE,
    writes=True,
    examples=[{"spreadsheetId": EXAMPLE, "range": "A1:B2"}],
    raises=("not_found", "forbidden", "not_a_spreadsheet", "bad_range", "beyond_grid", "protected", "bad_request"),
)
def clear_values(call: Call, params: ClearValuesParams) -> ClearAnswer:
    """Empty the values of a range; formats, notes and validation stay."""
    with Spreadsheet(call, params.spreadsheetId, "file.write") as book:
        return {"spreadsheetId": params.spreadsheetId, "clearedRange": clear(book, params.range)}


class BatchClearParams(SpreadsheetParams):
    """Ranges to empty."""

    ranges: Ranges = Field(default_factory=list, description="A1 ranges.", examples=[["A1:B2"]])


class BatchClearAnswer(TypedDict):
    """Response of a clear of several ranges."""

    spreadsheetId: str
    clearedRanges: NotRequired[list[str]]


@app.operation(
    "spreadsheets.values.batchClear",
    source=DOCS + "batchClear",
    scope=WRITE,
    writes=True,
    examples=[{"spreadsheetId": EXAMPLE, "ranges": ["A1:B2"]}],
    raises=("not_found", "forbidden", "not_a_spreadsheet", "bad_range", "beyond_grid", "protected", "bad_request"),
)
def batch_clear_values(call: Call, params: BatchClearParams) -> BatchClearAnswer:
    """Empty the values of several ranges at once."""
    with Spreadsheet(call, params.spreadsheetId, "file.write") as book:
        done = [clear(book, text) for text in params.ranges]
        told: BatchClearAnswer = {"spreadsheetId": params.spreadsheetId}
        return {**told, "clearedRanges": done} if done else told
