"""Data filters: ranges of a spreadsheet by A1 text, by grid range, or by developer metadata on them."""

import orjson

from apps.sheets.cells import Area
from apps.sheets.operations.requests.registry import SingleRequest
from apps.sheets.operations.requests.shapes import check_object
from apps.sheets.spreadsheet import Spreadsheet
from apps.sheets.structure.tabs import Tab
from apps.sheets.vendor_types import CheckedObject
from world.core.errors import OperationError
from world.core.json_types import JsonObject

Place = tuple[Tab, Area]
_METADATA = (
    "SELECT sheet_id, top, left, bottom, right, key, spec FROM sheets_object WHERE file_id = :file AND kind ="
    " 'metadata' ORDER BY id"
)
KINDS = ("a1Range", "gridRange", "developerMetadataLookup")
SAME = ("metadataKey", "metadataValue", "visibility")


def match_filters(book: Spreadsheet, filters: list[CheckedObject]) -> list[tuple[Place, list[JsonObject]]]:
    """The ranges that filters select, each once with the filters that do. Raises bad_request, bad_range, beyond_grid,
    no_sheet.
    """
    found: dict[tuple[int, Area], tuple[Place, list[CheckedObject]]] = {}
    for given in filters:
        for tab, area in places(book, given):
            found.setdefault((tab.id, area), ((tab, area), []))[1].append(given)
    return list(found.values())


def places(book: Spreadsheet, given: CheckedObject) -> list[Place]:
    """The ranges one filter selects, closed at the sheet's edge."""
    told = check_object(given, "dataFilter")
    kinds = [kind for kind in KINDS if kind in told]
    if len(kinds) != 1 or len(told) != 1:
        raise OperationError(
            "bad_request",
            problem="Exactly one of a1Range, gridRange, developerMetadataLookup must be set in a dataFilter.",
        )
    if kinds == ["a1Range"]:
        return [book.locate(told["a1Range"])]
    if kinds == ["gridRange"]:
        tab, area = SingleRequest({}, "dataFilter", 0).range_of(book, told["gridRange"])
        return [(tab, area.within(tab.rows, tab.columns))]
    return _by_metadata(book, told["developerMetadataLookup"])


def _by_metadata(book: Spreadsheet, lookup: CheckedObject) -> list[Place]:
    """Return the places of the metadata that a lookup selects."""
    tabs = {tab.id: tab for tab in book.tabs}
    found: list[Place] = []
    for sheet, top, left, bottom, right, key, text in book.call.all(_METADATA, {"file": book.file.id}):
        tab = tabs.get(sheet)
        if tab is not None and matches_lookup(lookup, tab, (top, left, bottom, right), key, orjson.loads(text)):
            found.append((tab, Area(top or 0, left or 0, bottom, right).within(tab.rows, tab.columns)))
    return found


def matches_lookup(
    lookup: CheckedObject, tab: Tab, sides: tuple[int | None, ...], key: str, spec: CheckedObject
) -> bool:
    """Whether a lookup matches a piece of metadata on a sheet, a row or a column."""
    if "metadataId" in lookup and str(lookup["metadataId"]) != key:
        return False
    if any(name in lookup and lookup[name] != spec.get(name) for name in SAME):
        return False
    kind = "SHEET" if sides == (None,) * 4 else "ROW" if sides[1] is None and sides[3] is None else "COLUMN"
    if lookup.get("locationType", kind) not in (kind, "DEVELOPER_METADATA_LOCATION_TYPE_UNSPECIFIED"):
        return False
    location = lookup.get("metadataLocation")
    return location is None or _is_at_location(
        location, lookup.get("locationMatchingStrategy") == "EXACT_LOCATION", tab, sides
    )


def _is_at_location(location: CheckedObject, exact: bool, tab: Tab, sides: tuple[int | None, ...]) -> bool:
    """Whether metadata is on a location, or where it crosses it."""
    lines = location.get("dimensionRange")
    if lines is None:
        return location.get("sheetId") == tab.gid and (not exact or sides == (None,) * 4)
    if (lines.get("sheetId") or 0) != tab.gid:
        return False
    start, end = lines.get("startIndex") or 0, lines.get("endIndex")
    wanted = (start, None, end, None) if lines.get("dimension") == "ROWS" else (None, start, None, end)
    if exact:
        return sides == wanted
    mine, theirs = (
        Area(one[0] or 0, one[1] or 0, one[2], one[3]).within(tab.rows, tab.columns) for one in (sides, wanted)
    )
    return mine.meets(theirs)
