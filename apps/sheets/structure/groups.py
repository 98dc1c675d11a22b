"""Groups of rows and columns, which fold together."""

from apps.sheets.spreadsheet import Spreadsheet
from apps.sheets.structure.tabs import Tab

Group = tuple[int, int, int, bool]  # start, end, depth, collapsed


_HELD = (
    "SELECT top, left, bottom, right, spec FROM sheets_object WHERE file_id = :file AND kind = 'group' AND name = :axis"
    " AND sheet_id = :sheet"
)


def list_groups(book: Spreadsheet, tab: Tab, axis: object) -> list[Group]:
    """The groups of a sheet's rows or columns by start, then depth."""
    rows = book.call.all(_HELD, {"file": book.file.id, "axis": axis, "sheet": tab.id})
    held = [(row[0], row[2]) if axis == "ROWS" else (row[1], row[3]) for row in rows]
    collapsed = {span for span, row in zip(held, rows, strict=True) if '"collapsed":true' in row[4]}
    return groups_by_depth(count_depths(held), collapsed)


def count_depths(spans: list[tuple[int, int]]) -> dict[int, int]:
    """Count the groups around each row or column."""
    depths: dict[int, int] = {}
    for start, end in spans:
        for at in range(start, end):
            depths[at] = depths.get(at, 0) + 1
    return depths


def groups_by_depth(depths: dict[int, int], collapsed: set[tuple[int, int]]) -> list[Group]:
    """Groups by depth: each a run of rows or columns at least so deep."""
    found: list[Group] = []
    for depth in range(1, max(depths.values(), default=0) + 1):
        places = sorted(at for at, deep in depths.items() if deep >= depth)
        starts = [at for at in places if depths.get(at - 1, 0) < depth]
        ends = [at + 1 for at in places if depths.get(at + 1, 0) < depth]
        found += [(start, end, depth, (start, end) in collapsed) for start, end in zip(starts, ends, strict=True)]
    return sorted(found)
