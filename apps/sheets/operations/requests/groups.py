"""Requests about groups of rows and columns, which fold together: add, delete, update."""

from apps.sheets.grid import protection
from apps.sheets.operations.requests.dimensions import get_existing_lines, lines
from apps.sheets.operations.requests.registry import RequestArguments, request
from apps.sheets.spreadsheet import Spreadsheet
from apps.sheets.structure.dimensions import Lines, set_sizes, sizes
from apps.sheets.structure.groups import Group, count_depths, groups_by_depth, list_groups
from apps.sheets.vendor_types import CheckedObject
from apps.sheets.views.objects import render_dimension_group
from world.core.json_types import JsonObject

MOST_DEPTH = 8  # support.google.com/docs/answer/9060449
_DROP = "DELETE FROM sheets_object WHERE file_id = :file AND kind = 'group' AND name = :axis AND sheet_id = :sheet"


def _keep(book: Spreadsheet, found: Lines, wanted: list[Group]) -> CheckedObject:
    book.call.execute(_DROP, {"file": book.file.id, "axis": found.axis, "sheet": found.tab.id})
    for position, (start, end, depth, collapsed) in enumerate(wanted):
        area = Lines(found.tab, found.axis, start, end).area
        book.add_object(
            "group", found.tab, area, {"depth": depth, "collapsed": collapsed}, name=found.axis, position=position
        )
    book.note("groups", found.tab.id, found.axis, wanted)
    return (
        {"dimensionGroups": [render_dimension_group(found.tab, found.axis, group) for group in wanted]}
        if wanted
        else {}
    )


@request("addDimensionGroup")
def add_dimension_group(book: Spreadsheet, asked: RequestArguments) -> JsonObject:
    """Group rows or columns, within or around other groups."""
    found = get_existing_lines(book, asked, asked.need("range"), "group")
    protection.check_sheet(book, found.tab)
    old = list_groups(book, found.tab, found.axis)
    depths = count_depths([(start, end) for start, end, *_ in [*old, (found.start, found.end)]])
    if max(depths.values()) > MOST_DEPTH:
        raise asked.wrong(f"You can't have more than {MOST_DEPTH} levels of groups.")
    return _keep(book, found, groups_by_depth(depths, {(start, end) for start, end, _, collapsed in old if collapsed}))


@request("deleteDimensionGroup")
def delete_dimension_group(book: Spreadsheet, asked: RequestArguments) -> CheckedObject:
    """Take rows or columns out of their deepest group."""
    found = get_existing_lines(book, asked, asked.need("range"), "ungroup")
    protection.check_sheet(book, found.tab)
    old = list_groups(book, found.tab, found.axis)
    depths = count_depths([(start, end) for start, end, *_ in old])
    if not any(depths.get(at) for at in range(found.start, found.end)):
        raise asked.wrong("No group exists over the specified range.")
    for at in range(found.start, found.end):
        depths[at] = max(0, depths.get(at, 0) - 1)
    left = {at: depth for at, depth in depths.items() if depth}
    return _keep(book, found, groups_by_depth(left, {(start, end) for start, end, _, collapsed in old if collapsed}))


@request("updateDimensionGroup")
def update_dimension_group(book: Spreadsheet, asked: RequestArguments) -> None:
    """Fold a group or unfold it: its rows or columns are hidden or shown."""
    fields, given = asked.fields(), asked.need("dimensionGroup")
    found = lines(book, asked, given.get("range") or {})
    protection.check_sheet(book, found.tab)
    old = list_groups(book, found.tab, found.axis)
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
