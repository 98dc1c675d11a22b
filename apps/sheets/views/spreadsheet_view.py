"""A spreadsheet in the shape of spreadsheets.get."""

from collections.abc import Callable
from typing import Any

from apps.sheets.cells import Area
from apps.sheets.spreadsheet import Spreadsheet
from apps.sheets.structure.grid_ranges import grid_range
from apps.sheets.structure.objects import NOWHERE, StoredObject, list_objects
from apps.sheets.structure.sheets import sheet_properties
from apps.sheets.structure.tabs import Tab
from apps.sheets.views.cell_data import DEFAULT_FORMAT, grid_rows
from apps.sheets.views.objects import (
    render_banded_range,
    render_dimension_groups,
    render_embedded_chart,
    render_filter,
    render_metadata,
    render_protected_range,
    render_slicer,
    render_table,
    render_table_banding,
)
from world.core.json_types import JsonObject

GROUPS = (("ROWS", "rowGroups"), ("COLUMNS", "columnGroups"))
ROW_HEIGHT, COLUMN_WIDTH = 21, 100  # pixels of what nobody resized
THEME = {"primaryFontFamily": "Arial"}
# kind of object -> where it stands in a Sheet
LISTED = {
    "merge": "merges",
    "protected_range": "protectedRanges",
    "conditional_format": "conditionalFormats",
    "filter_view": "filterViews",
    "banding": "bandedRanges",
    "chart": "charts",
    "table": "tables",
    "slicer": "slicers",
    "metadata": "developerMetadata",
}


def url(book: Spreadsheet) -> str:
    """The public address of a spreadsheet's page."""
    return book.call.public_link(f"/spreadsheets/d/{book.file.key}/edit", "sheets")


def parse_places(book: Spreadsheet, ranges: list[str]) -> list[tuple[Tab, Area]] | None:
    """The places of A1 ranges; None where none are given. Raises bad_range, beyond_grid."""
    return [book.locate(text) for text in ranges] or None


def spreadsheet(
    book: Spreadsheet, places: list[tuple[Tab, Area]] | None, *, cells: bool, bands: bool = True
) -> dict[str, object]:
    """A Spreadsheet; with places only their sheets, with `cells` their cells too, with `bands` tables among the banded
    ranges.
    """
    wanted = [(tab, Area(0, 0, tab.rows, tab.columns)) for tab in book.tabs] if places is None else places
    ids = {tab.id for tab, _ in wanted}
    sheets = [
        sheet(book, tab, [area for one, area in wanted if one.id == tab.id], cells=cells, bands=bands)
        for tab in book.tabs
        if tab.id in ids
    ]
    told: dict[str, object] = {"spreadsheetId": book.file.key, "properties": properties(book), "sheets": sheets}
    names = list_named_ranges(book)
    if names:
        told["namedRanges"] = names
    own = [render_metadata(book, thing) for thing in list_objects(book, "metadata") if thing.sheet is None]
    if own:
        told["developerMetadata"] = own
    told["spreadsheetUrl"] = url(book)
    return told


def properties(book: Spreadsheet) -> dict[str, Any]:
    """SpreadsheetProperties."""
    locale, zone, own, _ = book.own
    title = book.call.scalar("SELECT name FROM drive_file WHERE id = :file", {"file": book.file.id})
    usual = {"autoRecalc": "ON_CHANGE", "defaultFormat": DEFAULT_FORMAT, "spreadsheetTheme": THEME}
    return {"title": title, "locale": locale, "timeZone": zone, **usual, **own}


def list_named_ranges(book: Spreadsheet) -> list[JsonObject]:
    """The NamedRange objects."""
    return [
        {"namedRangeId": one.key, "name": one.name, "range": grid_range(tab, one.area)}
        for one in list_objects(book, "named_range")
        if (tab := one.find_tab(book))
    ]


def sheet(book: Spreadsheet, tab: Tab, areas: list[Area], *, cells: bool, bands: bool = True) -> dict[str, Any]:
    """A Sheet, with the cells of areas if wanted."""
    told: dict[str, object] = {"properties": sheet_properties(tab)}
    if cells and tab.is_grid:
        told["data"] = [grid(book, tab, area) for area in areas]
    for kind, field in LISTED.items():
        found = [
            DESCRIBE[kind](book, thing)
            for thing in list_objects(book, kind, tab)
            if kind != "metadata" or thing.sides == NOWHERE
        ]
        if kind == "banding" and bands:
            found += [render_table_banding(book, thing) for thing in list_objects(book, "table", tab)]
        if found:
            told[field] = found
    for axis, field in GROUPS:
        found = render_dimension_groups(book, tab, axis)
        if found:
            told[field] = found
    for thing in list_objects(book, "basic_filter", tab)[:1]:
        told["basicFilter"] = render_filter(book, thing)
    return told


# kind of object -> its description in the vendor's shape
DESCRIBE: dict[str, Callable[[Spreadsheet, StoredObject], dict[str, Any]]] = {
    "merge": lambda book, thing: thing.range(book),
    "protected_range": render_protected_range,
    "conditional_format": lambda _, thing: thing.spec,
    "filter_view": render_filter,
    "banding": render_banded_range,
    "chart": render_embedded_chart,
    "table": render_table,
    "slicer": lambda _, thing: render_slicer(thing),
    "metadata": render_metadata,
}


def grid(book: Spreadsheet, tab: Tab, area: Area) -> dict[str, Any]:
    """GridData: where it begins, its rows, and the sizes of rows and columns."""
    told: dict[str, object] = {
        name: start for name, start in (("startRow", area.top), ("startColumn", area.left)) if start
    }
    rows = grid_rows(book, tab, area)
    if rows:
        told["rowData"] = rows
    told["rowMetadata"] = sizes(book, tab, "ROWS", area.top, area.bottom or 0, ROW_HEIGHT)
    told["columnMetadata"] = sizes(book, tab, "COLUMNS", area.left, area.right or 0, COLUMN_WIDTH)
    return told


def sizes(book: Spreadsheet, tab: Tab, axis: str, start: int, end: int, usual: int) -> list[dict[str, Any]]:
    """DimensionProperties of rows or columns."""
    sql = (
        "SELECT at, size, hidden, filtered FROM sheets_dimension WHERE sheet_id = :sheet AND axis = :axis AND at >="
        " :start AND at < :end"
    )
    odd = {row[0]: row for row in book.call.all(sql, {"sheet": tab.id, "axis": axis, "start": start, "end": end})}
    return [_size(odd.get(at), usual) for at in range(start, end)]


def _size(row: Any, usual: int) -> dict[str, Any]:
    if row is None:
        return {"pixelSize": usual}
    told = {"pixelSize": row[1] or usual, "hiddenByUser": bool(row[2]), "hiddenByFilter": bool(row[3])}
    return {name: value for name, value in told.items() if value}
