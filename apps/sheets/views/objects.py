"""Objects on ranges in the vendor's shape."""

from typing import Any

from apps.drive.public import may_write
from apps.sheets.grid import effective_formats, filter_effects, protection
from apps.sheets.spreadsheet import Spreadsheet
from apps.sheets.structure.groups import Group, list_groups
from apps.sheets.structure.objects import StoredObject
from apps.sheets.structure.tabs import Tab
from apps.sheets.vendor_types import Color, ColorStyle


def render_dimension_group(tab: Tab, axis: str, group: Group) -> dict[str, object]:
    """A DimensionGroup."""
    start, end, depth, collapsed = group
    range_ = {"sheetId": tab.gid, "dimension": axis, "startIndex": start, "endIndex": end}
    return {"range": range_, "depth": depth, **({"collapsed": True} if collapsed else {})}


def render_dimension_groups(book: Spreadsheet, tab: Tab, axis: str) -> list[dict[str, Any]]:
    """The DimensionGroups of a sheet."""
    return [render_dimension_group(tab, axis, group) for group in list_groups(book, tab, axis)]


def render_banded_range(book: Spreadsheet, thing: StoredObject) -> dict[str, Any]:
    """A BandedRange."""
    return {"bandedRangeId": thing.number, "range": thing.range(book), **thing.spec}


def render_embedded_chart(book: Spreadsheet, thing: StoredObject) -> dict[str, Any]:
    """An EmbeddedChart."""
    place = _position(book, thing)
    return {"chartId": thing.number, **thing.spec, **({"position": place} if place else {})}


def _position(book: Spreadsheet, thing: StoredObject) -> dict[str, Any]:
    """An EmbeddedObjectPosition: over cells, or the sheet that is the chart's own."""
    tab = thing.tab(book)
    return thing.spec.get("position") or {} if tab.is_grid else {"sheetId": tab.gid}


def render_filter(book: Spreadsheet, thing: StoredObject) -> dict[str, Any]:
    """A BasicFilter or FilterView, its criteria in both of the vendor's forms."""
    spec = thing.spec
    told: dict[str, Any] = {"range": thing.range(book)}
    if thing.kind == "filter_view":
        told |= {"filterViewId": thing.number, "title": thing.name}
    told |= {name: spec[name] for name in ("namedRangeId", "tableId", "sortSpecs") if spec.get(name)}
    wanted = filter_effects.criteria(spec)
    if wanted:
        told["criteria"] = {str(column): one for column, one in sorted(wanted.items())}
        told["filterSpecs"] = [{"columnIndex": column, "filterCriteria": one} for column, one in sorted(wanted.items())]
    return told


def render_slicer(thing: StoredObject) -> dict[str, Any]:
    """A Slicer."""
    return {"slicerId": thing.number, **thing.spec}


METADATA_FIELDS = ("metadataKey", "metadataValue", "visibility")


def render_metadata(book: Spreadsheet, thing: StoredObject) -> dict[str, Any]:
    """A DeveloperMetadata."""
    return {
        "metadataId": thing.number,
        **{name: thing.spec[name] for name in METADATA_FIELDS if name in thing.spec},
        "location": render_metadata_location(book, thing),
    }


def render_metadata_location(book: Spreadsheet, thing: StoredObject) -> dict[str, Any]:
    """Render the location of a piece of metadata."""
    if thing.sheet is None:
        return {"locationType": "SPREADSHEET", "spreadsheet": True}
    gid, (top, left, bottom, right) = thing.tab(book).gid, thing.sides
    if thing.sides == (None, None, None, None):
        return {"locationType": "SHEET", "sheetId": gid}
    is_row = left is None and right is None
    start, end = (top, bottom) if is_row else (left, right)
    lines = {"sheetId": gid, "dimension": "ROWS" if is_row else "COLUMNS", "startIndex": start or 0, "endIndex": end}
    return {"locationType": "ROW" if is_row else "COLUMN", "dimensionRange": lines}


PROTECTION_FIELDS = ("description", "warningOnly", "namedRangeId", "tableId", "unprotectedRanges")


def render_protected_range(book: Spreadsheet, thing: StoredObject) -> dict[str, Any]:
    """Render a ProtectedRange for the caller: only editors with write access see the editors."""
    may = protection.sees_editors(book.call, book.file, thing.spec)
    shown: dict[str, Any] = {"protectedRangeId": thing.number, "range": thing.range(book)}
    shown |= {name: thing.spec[name] for name in PROTECTION_FIELDS if thing.spec.get(name)}
    if may or (thing.spec.get("warningOnly") and may_write(book.call, book.file) is None):
        shown["requestingUserCanEdit"] = True
    if may and not thing.spec.get("warningOnly"):
        shown["editors"] = thing.spec.get("editors") or {}
    return shown


def render_table(book: Spreadsheet, thing: StoredObject) -> dict[str, Any]:
    """A Table."""
    columns = [
        {**({"columnIndex": place} if place else {}), **column}
        for place, column in enumerate(thing.spec.get("columnProperties") or [])
    ]
    rows = {"rowsProperties": thing.spec["rowsProperties"]} if thing.spec.get("rowsProperties") else {}
    return {"tableId": thing.key, "name": thing.name, "range": thing.range(book), **rows, "columnProperties": columns}


def render_table_banding(book: Spreadsheet, thing: StoredObject) -> dict[str, Any]:
    """A table's colours among the BandedRanges of a sheet."""
    colours = {
        name: colour
        for style, rgb in effective_formats.table_colours(thing.spec).items()
        for name, colour in _both(style, rgb)
    }
    return {"bandedRangeReference": thing.key, "range": thing.range(book), "rowProperties": colours}


def _both(name: str, style: ColorStyle) -> list[tuple[str, ColorStyle | Color]]:
    return [(name.removesuffix("Style"), effective_formats.rgb_of(style)), (name, style)]
