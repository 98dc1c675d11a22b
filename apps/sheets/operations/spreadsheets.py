"""Spreadsheets whole: made, described, and changed by batches of requests."""

from typing import NotRequired, TypedDict

from pydantic import Field

from apps.sheets.app import app
from apps.sheets.operations.data_filters import match_filters
from apps.sheets.operations.field_mask import FieldMask
from apps.sheets.operations.params import EXAMPLE, Given, Ranges, SpreadsheetParams
from apps.sheets.operations.requests import KINDS, RequestArguments, enumerations
from apps.sheets.operations.requests.cells import write_rows
from apps.sheets.operations.requests.shapes import check_object
from apps.sheets.spreadsheet import Spreadsheet
from apps.sheets.structure import sheets
from apps.sheets.structure.spreadsheet_files import new_spreadsheet
from apps.sheets.structure.tabs import Tab
from apps.sheets.vendor_types import CheckedObject
from apps.sheets.views import spreadsheet_view
from world.core.call import Call
from world.core.errors import OperationError
from world.core.json_types import JsonObject
from world.core.params import Params

DOCS = "developers.google.com/workspace/sheets/api/reference/rest/v4/spreadsheets/"
READ, WRITE = "spreadsheets.readonly", "spreadsheets"
# what a Sheet holds, and the request that puts it there
LAID = {
    "tables": ("addTable", "table"),
    "bandedRanges": ("addBanding", "bandedRange"),
    "conditionalFormats": ("addConditionalFormatRule", "rule"),
    "filterViews": ("addFilterView", "filter"),
    "charts": ("addChart", "chart"),
    "slicers": ("addSlicer", "slicer"),
    "developerMetadata": ("createDeveloperMetadata", "developerMetadata"),
    "protectedRanges": ("addProtectedRange", "protectedRange"),
}

LEAST_COST, COST_OF_LINES, COST_OF_A_RULE = 20, 500, 1_000  # in cells: of any request, and what some cost besides
COSTS = {
    **dict.fromkeys(
        "insertDimension deleteDimension moveDimension appendDimension insertRange deleteRange cutPaste duplicateSheet"
        " findReplace trimWhitespace textToColumns deleteDuplicates randomizeRange autoResizeDimensions".split(),
        COST_OF_LINES,
    ),
    **dict.fromkeys(
        "addConditionalFormatRule updateConditionalFormatRule deleteConditionalFormatRule".split(), COST_OF_A_RULE
    ),
}


class SpreadsheetShape(TypedDict):
    """A spreadsheet: its properties, its sheets and, if asked for, their cells."""

    spreadsheetId: str
    properties: NotRequired[CheckedObject]
    sheets: NotRequired[list[CheckedObject]]
    namedRanges: NotRequired[list[JsonObject]]
    spreadsheetUrl: NotRequired[str]
    developerMetadata: NotRequired[list[JsonObject]]


class GetSpreadsheetParams(SpreadsheetParams):
    """A spreadsheet and how much of it is wanted."""

    ranges: Ranges = Field(default_factory=list, description="A1 ranges to tell about; none for all sheets.")
    includeGridData: bool = Field(default=False, description="Tell the cells too.")
    excludeTablesInBandedRanges: bool = Field(default=False, description="Leave tables out of the banded ranges.")


@app.operation(
    "spreadsheets.get",
    source=DOCS + "get",
    scope=READ,
    examples=[{"spreadsheetId": EXAMPLE}],
    raises=("not_found", "forbidden", "not_a_spreadsheet", "bad_range", "beyond_grid"),
)
def get_spreadsheet(call: Call, params: GetSpreadsheetParams) -> SpreadsheetShape:
    """Describe a spreadsheet: title, sheets, named ranges; with includeGridData its cells too."""
    with Spreadsheet(call, params.spreadsheetId) as book:
        return spreadsheet_view.spreadsheet(
            book,
            spreadsheet_view.parse_places(book, params.ranges),
            cells=params.includeGridData,
            bands=not params.excludeTablesInBandedRanges,
        )  # type: ignore[return-value]


class GetByDataFilterParams(SpreadsheetParams):
    """A spreadsheet and which ranges of it are wanted."""

    dataFilters: list[Given] = Field(
        default_factory=list,
        max_length=1000,
        description="Filters: a1Range, gridRange or developerMetadataLookup.",
        examples=[[{"a1Range": "A1:B2"}]],
    )
    includeGridData: bool = Field(default=False, description="Tell the cells too.")
    excludeTablesInBandedRanges: bool = Field(default=False, description="Leave tables out of the banded ranges.")


@app.operation(
    "spreadsheets.getByDataFilter",
    source=DOCS + "getByDataFilter",
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
def get_spreadsheet_by_filter(call: Call, params: GetByDataFilterParams) -> SpreadsheetShape:
    """Describe those sheets of a spreadsheet that data filters select, with includeGridData the selected cells too."""
    with Spreadsheet(call, params.spreadsheetId) as book:
        wanted = [place for place, _ in match_filters(book, params.dataFilters)] if params.dataFilters else None
        bands = not params.excludeTablesInBandedRanges
        return spreadsheet_view.spreadsheet(book, wanted, cells=params.includeGridData, bands=bands)  # type: ignore[return-value]


class CreateSpreadsheetParams(Params):
    """A new spreadsheet; what is left out is as usual."""

    properties: Given = Field(
        default_factory=dict, description="Its title, locale, timeZone.", examples=[{"title": "Budget"}]
    )
    sheets: list[Given] = Field(
        default_factory=list, description="Its sheets with properties and data; none for one empty sheet."
    )
    namedRanges: list[Given] = Field(default_factory=list, description="Its named ranges.")


@app.operation(
    "spreadsheets.create",
    source=DOCS + "create",
    scope=WRITE,
    writes=True,
    examples=[{}],
    raises=(
        "bad_request",
        "bad_zone",
        "no_sheet",
        "no_object",
        "range_beyond_sheet",
        "too_long",
        "unsupported_request",
    ),
)
def create_spreadsheet(call: Call, params: CreateSpreadsheetParams) -> SpreadsheetShape:
    """Make a new spreadsheet of your own, with sheets and data if given."""
    properties, sheets = (
        check_object(params.properties, "properties"),
        [check_object(sheet, "sheets") for sheet in params.sheets],
    )
    names = [check_object({"namedRange": named}, "namedRanges") for named in params.namedRanges]
    key = new_spreadsheet(call, str(properties.get("title") or "Untitled spreadsheet"), first_sheet=not sheets)
    with Spreadsheet(call, key, "file.write") as book:
        asked = RequestArguments(
            {"properties": {**properties, "title": book.file.name}, "fields": ",".join(["title", *properties])},
            "create",
            0,
        )
        KINDS["updateSpreadsheetProperties"](book, asked)
        for place, sheet in enumerate(sheets):
            _sheet(book, sheet, place)
        for place, named in enumerate(names):
            KINDS["addNamedRange"](book, RequestArguments(named, "addNamedRange", place))
        for place, sheet in enumerate(params.sheets):
            _lay_out(book, sheet, place)
    with Spreadsheet(call, key) as book:
        return spreadsheet_view.spreadsheet(book, None, cells=False)  # type: ignore[return-value]


def _sheet(book: Spreadsheet, given: CheckedObject, place: int) -> Tab:
    """A sheet of a new spreadsheet, with its data."""
    asked = RequestArguments(given, "create", place)
    wanted = dict(given.get("properties") or {})
    wanted.setdefault("sheetId", 0 if place == 0 else None)
    tab = sheets.add_tab(book, wanted, asked.wrong)
    data = given.get("data", [])
    if not isinstance(data, list) or not all(isinstance(grid, dict) for grid in data):
        raise asked.wrong("data must be a list of GridData.")
    for grid in data:
        top, left, rows = grid.get("startRow", 0), grid.get("startColumn", 0), grid.get("rowData") or []
        write_rows(book, asked, tab, top, left, rows, FieldMask({}))
    for merge in given.get("merges") or []:
        KINDS["mergeCells"](
            book,
            RequestArguments({"range": {**merge, "sheetId": tab.gid}, "mergeType": "MERGE_ALL"}, "mergeCells", place),
        )
    return tab


def _lay_out(book: Spreadsheet, given: CheckedObject, place: int) -> None:
    """Add the objects on the ranges of a new sheet. Raises bad_request."""
    filter = given.get("basicFilter")
    lists = {**{name: given.get(name) or [] for name in LAID}, "basicFilter": [filter] if filter else []}
    for name, things in lists.items():
        if not isinstance(things, list) or not all(isinstance(thing, dict) for thing in things):
            raise RequestArguments(given, "create", place).wrong(f"{name} must be a list of objects.")
        kind, field = {**LAID, "basicFilter": ("setBasicFilter", "filter")}[name]
        for at, thing in enumerate(
            thing for thing in things if "bandedRangeReference" not in thing
        ):  # those of tables are theirs
            perform(book, {kind: {field: thing, **({"index": at} if name == "conditionalFormats" else {})}}, place)


class BatchUpdateParams(SpreadsheetParams):
    """Changes, made in order: all of them, or none."""

    requests: list[Given] = Field(
        default_factory=list,
        max_length=100_000,
        description="Each an object with one key, the kind of change.",
        examples=[[{"addSheet": {"properties": {"title": "Totals"}}}]],
    )
    includeSpreadsheetInResponse: bool = Field(default=False, description="Answer with the spreadsheet too.")
    responseRanges: Ranges = Field(default_factory=list, description="Which ranges of it.")
    responseIncludeGridData: bool = Field(default=False, description="With its cells.")


class BatchUpdateAnswer(TypedDict):
    """One reply for each request, empty for those that answer nothing."""

    spreadsheetId: str
    replies: list[JsonObject]
    updatedSpreadsheet: NotRequired[SpreadsheetShape]


@app.operation(
    "spreadsheets.batchUpdate",
    source=DOCS + "batchUpdate",
    scope=WRITE,
    writes=True,
    examples=[
        {
            "spreadsheetId": EXAMPLE,
            "requests": [
                {"addSheet": {"properties": {"title": "Totals"}}},
                {
                    "createDeveloperMetadata": {
                        "developerMetadata": {
                            "metadataKey": "reviewed",
                            "location": {"spreadsheet": True},
                            "visibility": "DOCUMENT",
                        }
                    }
                },
            ],
        }
    ],
    raises=(
        "not_found",
        "forbidden",
        "not_a_spreadsheet",
        "no_requests",
        "bad_request",
        "no_sheet",
        "protected",
        "fields_missing",
        "bad_fields",
        "range_beyond_sheet",
        "bad_zone",
        "unsupported_request",
        "no_object",
        "one_kind_each",
        "too_long",
        "bad_range",
        "beyond_grid",
    ),
)
def batch_update(call: Call, params: BatchUpdateParams) -> BatchUpdateAnswer:
    """Change a spreadsheet by a batch of requests (sheets, cells, formats, rows, filters …): all of them, or none."""
    if not params.requests:
        raise OperationError("no_requests")
    with Spreadsheet(call, params.spreadsheetId, "file.write") as book:
        book.claim(len(params.requests) * LEAST_COST)
        replies = [perform(book, given, place) for place, given in enumerate(params.requests)]
    told: BatchUpdateAnswer = {"spreadsheetId": params.spreadsheetId, "replies": replies}
    if params.includeSpreadsheetInResponse:
        with Spreadsheet(call, params.spreadsheetId) as book:
            wanted = spreadsheet_view.parse_places(book, params.responseRanges)
            cells = params.responseIncludeGridData
            told["updatedSpreadsheet"] = spreadsheet_view.spreadsheet(book, wanted, cells=cells)  # type: ignore[typeddict-item]
    return told


def perform(book: Spreadsheet, given: CheckedObject, place: int) -> JsonObject:
    """One request and its reply."""
    named = [name for name, value in given.items() if value is not None]
    if len(named) != 1:
        raise OperationError("one_kind_each", place=place)
    kind = named[0]
    handler = KINDS.get(kind)
    if handler is None:
        raise OperationError("unsupported_request", place=place, kind=kind)
    if not isinstance(given[kind], dict):
        raise OperationError("bad_request", place=place, kind=kind, problem="Not an object.")
    try:
        book.claim(COSTS.get(kind, 0))
        told = check_object(given[kind], kind)
        enumerations.check(told, kind, place)
        reply = handler(book, RequestArguments(told, kind, place))
    except OperationError as error:
        error.detail = {"place": place, "kind": kind, **error.detail}
        raise
    return {} if reply is None else {kind: reply}
