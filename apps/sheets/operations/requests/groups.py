"""Requests about groups of rows and columns, which fold together: add, delete, update."""

from typing import Any

from apps.sheets.grid import protection
from apps.sheets.operations.requests.dimensions import Lines, existing, lines, set_sizes, sizes
from apps.sheets.operations.requests.registry import Asked, request
from apps.sheets.spreadsheet import Spreadsheet
from apps.sheets.structure.tabs import Tab

MOST_DEPTH = 8  # support.google.com/docs/answer/9060449
Group = tuple[int, int, int, bool]  # start, end, depth, collapsed
_HELD = (
    "SELECT top, left, bottom, right, spec FROM sheets_object WHERE file_id = :file AND kind = 'group' AND name = :axis"
    " AND sheet_id = :sheet"
)
_DROP = "DELETE FROM sheets_object WHERE file_id = :file AND kind = 'group' AND name = :axis AND sheet_id = :sheet"


def groups(book: Spreadsheet, tab: Tab, axis: Any) -> list[Group]:
    """The groups of a sheet's rows or columns by start, then depth."""
    rows = book.call.all(_HELD, {"file": book.file.id, "axis": axis, "sheet": tab.id})
    held = [(row[0], row[2]) if axis == "ROWS" else (row[1], row[3]) for row in rows]
    collapsed = {span for span, row in zip(held, rows, strict=True) if '"collapsed":true' in row[4]}
    return _runs(_depths(held), collapsed)


def _depths(spans: list[tuple[int, int]]) -> dict[int, int]:
    """How many groups hold each row or column."""
    depths: dict[int, int] = {}
    for start, end in spans:
        for at in range(start, end):
            depths[at] = depths.get(at, 0) + 1
    return depths


def _runs(depths: dict[int, int], collapsed: set[tuple[int, int]]) -> list[Group]:
    """Groups by depth: each a run of rows or columns at least so deep."""
    found: list[Group] = []
    for depth in range(1, max(depths.values(), default=0) + 1):
        places = sorted(at for at, deep in depths.items() if deep >= depth)
        starts = [at for at in places if depths.get(at - 1, 0) < depth]
        ends = [at + 1 for at in places if depths.get(at + 1, 0) < depth]
        found += [(start, end, depth, (start, end) in collapsed) for start, end in zip(starts, ends, strict=True)]
    return sorted(found)


def told(tab: Tab, axis: str, group: Group) -> dict[str, Any]:
    """A DimensionGroup."""
    start, end, depth, collapsed = group
    range_ = {"sheetId": tab.gid, "dimension": axis, "startIndex": start, "endIndex": end}
    return {"range": range_, "depth": depth, **({"collapsed": True} if collapsed else {})}


def described(book: Spreadsheet, tab: Tab, axis: str) -> list[dict[str, Any]]:
    """The DimensionGroups of a sheet."""
    return [told(tab, axis, group) for group in groups(book, tab, axis)]


def _keep(book: Spreadsheet, found: Lines, wanted: list[Group]) -> dict[str, Any]:
    book.call.execute(_DROP, {"file": book.file.id, "axis": found.axis, "sheet": found.tab.id})
    for position, (start, end, depth, collapsed) in enumerate(wanted):
        area = Lines(found.tab, found.axis, start, end).area
        book.add_object(
            "group", found.tab, area, {"depth": depth, "collapsed": collapsed}, name=found.axis, position=position
        )
    book.note("groups", found.tab.id, found.axis, wanted)
    return {"dimensionGroups": [told(found.tab, found.axis, group) for group in wanted]} if wanted else {}


@request("addDimensionGroup")
def add_dimension_group(book: Spreadsheet, asked: Asked) -> dict[str, Any]:
    """Group rows or columns, within or around other groups."""
    found = existing(book, asked, asked.need("range"), "group")
    protection.check_sheet(book, found.tab)
    old = groups(book, found.tab, found.axis)
    depths = _depths([(start, end) for start, end, *_ in [*old, (found.start, found.end)]])
    if max(depths.values()) > MOST_DEPTH:
        raise asked.wrong(f"You can't have more than {MOST_DEPTH} levels of groups.")
    return _keep(book, found, _runs(depths, {(start, end) for start, end, _, collapsed in old if collapsed}))


@request("deleteDimensionGroup")
def delete_dimension_group(book: Spreadsheet, asked: Asked) -> dict[str, Any]:
    """Take rows or columns out of their deepest group."""
    found = existing(book, asked, asked.need("range"), "ungroup")
    protection.check_sheet(book, found.tab)
    old = groups(book, found.tab, found.axis)
    depths = _depths([(start, end) for start, end, *_ in old])
    if not any(depths.get(at) for at in range(found.start, found.end)):
        raise asked.wrong("No group exists over the specified range.")
    for at in range(found.start, found.end):
        depths[at] = max(0, depths.get(at, 0) - 1)
    left = {at: depth for at, depth in depths.items() if depth}
    return _keep(book, found, _runs(left, {(start, end) for start, end, _, collapsed in old if collapsed}))


@request("updateDimensionGroup")
def update_dimension_group(book: Spreadsheet, asked: Asked) -> None:
    """Fold a group or unfold it: its rows or columns are hidden or shown."""
    fields, given = asked.fields(), asked.need("dimensionGroup")
    found = lines(book, asked, given.get("range") or {})
    protection.check_sheet(book, found.tab)
    old = groups(book, found.tab, found.axis)
    place = next((at for at, one in enumerate(old) if one[:3] == (found.start, found.end, given.get("depth", 0))), None)
    if place is None:
        raise asked.wrong("No group exists over the specified range at the specified depth.")
    if fields.has("collapsed"):
        collapsed = bool(given.get("collapsed"))
        old[place] = (*old[place][:3], collapsed)
        _keep(book, found, old)
        known = sizes(book, found)
        usual = (None, False, False)
        set_sizes(
            book,
            found.tab,
            found.axis,
            {at: (known.get(at, usual)[0], collapsed, known.get(at, usual)[2]) for at in range(found.start, found.end)},
        )
