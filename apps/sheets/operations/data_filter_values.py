"""Values read and written by data filters."""

from typing import Any, NotRequired, TypedDict

from pydantic import Field

from apps.sheets.app import app
from apps.sheets.operations.data_filters import match_filters, places
from apps.sheets.operations.params import EXAMPLE, Given, Grid, MajorDimension, SpreadsheetParams, ValueInput
from apps.sheets.operations.value_input import WrittenValues, put_values
from apps.sheets.operations.values import (
    DOCS,
    WRITE,
    WRITE_CODES,
    AnswerOptions,
    ReadOptions,
    ValueRange,
    by_rows,
    check_size,
    clear_area,
    option,
    totals,
)
from apps.sheets.spreadsheet import Spreadsheet
from apps.sheets.vendor_types import CheckedObject
from apps.sheets.views.value_views import value_range
from world.core.call import Call
from world.core.json_types import JsonObject
from world.core.params import Params

FILTERS: Any = Field(
    default_factory=list,
    max_length=1000,
    description="Filters: objects with one of a1Range, gridRange, developerMetadataLookup.",
    examples=[[{"a1Range": "A1:B2"}]],
)


class MatchedValues(TypedDict):
    """Values of a range and the filters that selected it."""

    valueRange: ValueRange
    dataFilters: list[CheckedObject]


class DataFilterAnswer(TypedDict):
    """Several ranges."""

    spreadsheetId: str
    valueRanges: NotRequired[list[MatchedValues]]


class GetByDataFilterParams(ReadOptions):
    """Request fields for reading values by data filters."""

    dataFilters: list[Given] = FILTERS


@app.operation(
    "spreadsheets.values.batchGetByDataFilter",
    source=DOCS + "batchGetByDataFilter",
    scope=WRITE,
    examples=[{"spreadsheetId": EXAMPLE, "dataFilters": [{"a1Range": "A1:B2"}]}],
    raises=(
        "not_found",
        "forbidden",
        "not_a_spreadsheet",
        "bad_range",
        "beyond_grid",
        "bad_request",
        "no_sheet",
        "range_beyond_sheet",
    ),
)
def get_values_by_filter(call: Call, params: GetByDataFilterParams) -> DataFilterAnswer:
    """Read the values of ranges that data filters select."""
    with Spreadsheet(call, params.spreadsheetId) as book:
        found = match_filters(book, params.dataFilters)
        told: Any = [
            {"valueRange": value_range(book, *place, params.to_wanted()), "dataFilters": filters}
            for place, filters in found
        ]
        answer: DataFilterAnswer = {"spreadsheetId": params.spreadsheetId}
        return {**answer, "valueRanges": told} if told else answer


class FilteredRange(Params):
    """Values for the ranges a filter selects."""

    dataFilter: Given = Field(default_factory=dict)
    majorDimension: MajorDimension = "ROWS"
    values: Grid = Field(default_factory=list)


class UpdateByDataFilterParams(AnswerOptions):
    """Values for ranges by data filters."""

    valueInputOption: ValueInput | None = Field(
        default=None, description="RAW or USER_ENTERED.", examples=["USER_ENTERED"]
    )
    data: list[FilteredRange] = Field(
        default_factory=list,
        description="Filters with their values.",
        max_length=1000,
        examples=[[{"dataFilter": {"a1Range": "A1"}, "values": [["x"]]}]],
    )


class UpdateByDataFilterAnswer(TypedDict):
    """Response of a write by data filters."""

    spreadsheetId: str
    totalUpdatedRows: NotRequired[int]
    totalUpdatedColumns: NotRequired[int]
    totalUpdatedCells: NotRequired[int]
    totalUpdatedSheets: NotRequired[int]
    responses: NotRequired[list[JsonObject]]


@app.operation(
    "spreadsheets.values.batchUpdateByDataFilter",
    source=DOCS + "batchUpdateByDataFilter",
    scope=WRITE,
    writes=True,
    examples=[
        {
            "spreadsheetId": EXAMPLE,
            "valueInputOption": "RAW",
            "data": [{"dataFilter": {"a1Range": "A1"}, "values": [["Core"]]}],
        }
    ],
    raises=(
        *WRITE_CODES,
        "no_sheet",
        "range_beyond_sheet",
    ),
)
def update_values_by_filter(call: Call, params: UpdateByDataFilterParams) -> UpdateByDataFilterAnswer:
    """Write values into ranges that data filters select: all of them, or none."""
    how = option(params.valueInputOption)
    done: list[WrittenValues] = []
    told: list[CheckedObject] = []
    with Spreadsheet(call, params.spreadsheetId, "file.write") as book:
        for one in params.data:
            rows = by_rows(one.values, one.majorDimension)
            for tab, area in places(book, one.dataFilter):
                check_size(tab, area, rows)
                done.append(put_values(book, tab, area.top, area.left, rows, how))
                answer = {
                    name: item
                    for name, item in params.to_json(done[-1], one.majorDimension).items()
                    if name != "spreadsheetId"
                }
                told.append({**answer, "dataFilter": one.dataFilter})
        return totals(params.spreadsheetId, done, told)


class ClearByDataFilterParams(SpreadsheetParams):
    """Ranges to empty, by data filters."""

    dataFilters: list[Given] = FILTERS


class ClearByDataFilterAnswer(TypedDict):
    """Response of a clear by data filters."""

    spreadsheetId: str
    clearedRanges: NotRequired[list[str]]


@app.operation(
    "spreadsheets.values.batchClearByDataFilter",
    source=DOCS + "batchClearByDataFilter",
    scope=WRITE,
    writes=True,
    examples=[{"spreadsheetId": EXAMPLE, "dataFilters": [{"a1Range": "A1:B2"}]}],
    raises=(
        "not_found",
        "forbidden",
        "not_a_spreadsheet",
        "bad_range",
        "beyond_grid",
        "protected",
        "bad_request",
        "no_sheet",
        "range_beyond_sheet",
    ),
)
def clear_values_by_filter(call: Call, params: ClearByDataFilterParams) -> ClearByDataFilterAnswer:
    """Empty the values of ranges that data filters select."""
    with Spreadsheet(call, params.spreadsheetId, "file.write") as book:
        done = [clear_area(book, *place) for place, _ in match_filters(book, params.dataFilters)]
        told: ClearByDataFilterAnswer = {"spreadsheetId": params.spreadsheetId}
        return {**told, "clearedRanges": done} if done else told
