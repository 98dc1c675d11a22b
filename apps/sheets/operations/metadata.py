"""Developer metadata: notes of programs on a spreadsheet, its sheets, rows and columns; found by id or by data filters."""

from typing import NotRequired, TypedDict

from pydantic import Field

from apps.sheets.app import app
from apps.sheets.operations.params import EXAMPLE, Given, SpreadsheetParams
from apps.sheets.operations.requests.metadata import KIND, list_selected_metadata
from apps.sheets.operations.spreadsheets import WRITE
from apps.sheets.spreadsheet import Spreadsheet
from apps.sheets.structure.objects import StoredObject, list_objects
from apps.sheets.vendor_types import CheckedObject
from apps.sheets.views.objects import render_metadata
from world.core.call import Call
from world.core.errors import OperationError
from world.core.json_types import JsonObject
from world.core.params import Int64

DOCS = "developers.google.com/workspace/sheets/api/reference/rest/v4/spreadsheets.developerMetadata/"


class Location(TypedDict):
    """Location of metadata."""

    locationType: str
    spreadsheet: NotRequired[bool]
    sheetId: NotRequired[int]
    dimensionRange: NotRequired[CheckedObject]


class DeveloperMetadata(TypedDict):
    """A piece of metadata."""

    metadataId: int
    metadataKey: NotRequired[str]
    metadataValue: NotRequired[str]
    visibility: NotRequired[str]
    location: Location


MADE = "$spreadsheets.batchUpdate:replies.1.createDeveloperMetadata.developerMetadata.metadataId"


class GetMetadataParams(SpreadsheetParams):
    """One piece of metadata."""

    metadataId: Int64 = Field(description="Its number.", examples=[MADE])


@app.operation(
    "spreadsheets.developerMetadata.get",
    source=DOCS + "get",
    scope=WRITE,
    examples=[{"spreadsheetId": "$spreadsheets.batchUpdate:spreadsheetId", "metadataId": MADE}],
    raises=("not_found", "forbidden", "not_a_spreadsheet", "no_metadata"),
)
def get_metadata(call: Call, params: GetMetadataParams) -> DeveloperMetadata:
    """Read a piece of developer metadata: its key, its value, its location."""
    with Spreadsheet(call, params.spreadsheetId) as book:
        found = next((thing for thing in list_objects(book, KIND) if thing.key == str(params.metadataId)), None)
        if found is None:
            raise OperationError("no_metadata", id=params.metadataId)
        return render_metadata(book, found)  # type: ignore[return-value]


class SearchMetadataParams(SpreadsheetParams):
    """Request fields for a search of metadata."""

    dataFilters: list[Given] = Field(
        default_factory=list,
        max_length=1000,
        description="Filters: a1Range, gridRange or developerMetadataLookup.",
        examples=[[{"developerMetadataLookup": {"metadataKey": "owner"}}]],
    )


class FoundMetadata(TypedDict):
    """Matching metadata, each with the filters that select it."""

    matchedDeveloperMetadata: NotRequired[list[JsonObject]]


@app.operation(
    "spreadsheets.developerMetadata.search",
    source=DOCS + "search",
    scope=WRITE,
    examples=[{"spreadsheetId": EXAMPLE, "dataFilters": [{"developerMetadataLookup": {"metadataKey": "reviewed"}}]}],
    raises=(
        "not_found",
        "forbidden",
        "not_a_spreadsheet",
        "bad_request",
        "bad_range",
        "beyond_grid",
        "no_sheet",
        "range_beyond_sheet",
    ),
)
def search_metadata(call: Call, params: SearchMetadataParams) -> FoundMetadata:
    """Find developer metadata by data filters."""
    with Spreadsheet(call, params.spreadsheetId) as book:
        matched: dict[str, tuple[StoredObject, list[JsonObject]]] = {}
        for given in params.dataFilters:
            for thing in list_selected_metadata(book, given):
                matched.setdefault(thing.key, (thing, []))[1].append(given)
        found = [
            {"developerMetadata": render_metadata(book, thing), "dataFilters": filters}
            for thing, filters in matched.values()
        ]
    return {"matchedDeveloperMetadata": found} if found else {}
