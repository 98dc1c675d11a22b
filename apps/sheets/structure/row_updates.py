"""Structural changes applied to a spreadsheet's rows: cells, sizes, and objects on ranges."""

from typing import Any

import orjson

from apps.sheets.cells import Area, Entry
from apps.sheets.grid.stored_cells import BLANK, Cell
from apps.sheets.json_columns import encode_object
from apps.sheets.spreadsheet import MOST_CELLS, Spreadsheet
from apps.sheets.structure.line_order import LineOrder
from apps.sheets.structure.range_shifts import GONE, Change, Shift, update_references, update_table_columns
from apps.sheets.structure.tabs import Tab
from world.core.errors import OperationError

_OBJECTS = (
    "SELECT id, kind, sheet_id, top, left, bottom, right, spec FROM sheets_object WHERE file_id = :file ORDER BY id"
)
_SET_OBJECT = (
    "UPDATE sheets_object SET sheet_id = :sheet, top = :top, left = :left, bottom = :bottom, right = :right, spec ="
    " :spec WHERE id = :id"
)
MOST_MOVED = 50_000  # cells; every one is on record, and a world's record has an end
_SIZES = "SELECT at, size, hidden, filtered FROM sheets_dimension WHERE sheet_id = :sheet AND axis = :axis ORDER BY at"
_SET_SIZE = (
    "INSERT INTO sheets_dimension(sheet_id, axis, at, size, hidden, filtered) VALUES (?, ?, ?, ?, ?, ?) ON"
    " CONFLICT(sheet_id, axis, at) DO UPDATE SET size = excluded.size, hidden = excluded.hidden, filtered ="
    " excluded.filtered"
)
_DROP_SIZE = "DELETE FROM sheets_dimension WHERE sheet_id = ? AND axis = ? AND at = ?"
_RULES = "SELECT sheet_id, row, col, validation FROM sheets_cell WHERE sheet_id = :sheet AND validation LIKE '%\"=%'"


def shift(book: Spreadsheet, tab: Tab, change: Shift) -> None:
    """Insert, delete or move rows, columns or cells of a sheet; its size is the caller's to change.

    Whole lines only get another order; cells of a band are written anew.
    """
    follow(book, change)
    if change.band is None:
        _sizes(book, tab, change)
        if change.kind == "delete":
            drop(book, tab, change)
        order = _change_order(tab.down if change.axis == "ROWS" else tab.across, change)
        tab.down, tab.across = (order, tab.across) if change.axis == "ROWS" else (tab.down, order)
        book.call.execute(
            "UPDATE sheets_sheet SET properties = :kept WHERE id = :id",
            {"kept": encode_object(tab.to_stored_properties()), "id": tab.id},
        )
    else:
        _move_band_cells(book, tab, change)
    book.note("shift", tab.id, change.kind, change.axis, change.start, change.count, change.to, change.band)
    book.reshape()


def name_headers(book: Spreadsheet, tab: Tab) -> None:
    """Write the names of columns that were put into tables."""
    new: list[tuple[int, int, Cell]] = []
    for table in book.prepared.tables.values():
        if table.sheet == tab.id:
            held = book.cells(tab, table.area._replace(bottom=table.area.top + 1))
            for column, name in enumerate(table.columns, table.area.left):
                at = (table.area.top, column)
                cell = held.get(at, BLANK)
                new += [] if cell.entry.kind else [(*at, cell._replace(entry=Entry("text", name)))]
    if new:
        book.put(tab, new)


def ends(tab: Tab, rows: int, columns: int) -> tuple[Shift, Shift]:
    """The deletion of all that lies beyond the first rows and columns."""
    down = Shift(tab.gid, tab.title, "delete", "ROWS", rows, MOST_CELLS)
    return down, Shift(tab.gid, tab.title, "delete", "COLUMNS", columns, MOST_CELLS)


def truncate(book: Spreadsheet, tab: Tab, rows: int, columns: int) -> None:
    """Delete what lies beyond the first rows and columns."""
    for change in ends(tab, rows, columns):
        follow(book, change)
        _sizes(book, tab, change)
        drop(book, tab, change)
    book.note("truncate", tab.id, rows, columns)


def _change_order(order: LineOrder, change: Shift) -> LineOrder:
    if change.kind == "insert":
        return order.insert_lines(change.start, change.count)
    return (
        order.delete_lines(change.start, change.end)
        if change.kind == "delete"
        else order.move_lines(change.start, change.end, change.to)
    )


def drop(book: Spreadsheet, tab: Tab, change: Shift) -> None:
    """Delete the cells of whole lines."""
    index, order = ("row", tab.down) if change.axis == "ROWS" else ("col", tab.across)
    for first, end, _ in order.spans(change.start, change.end):
        sql = f"DELETE FROM sheets_cell WHERE sheet_id = :sheet AND {index} >= :first AND {index} < :end"
        book.call.execute(sql, {"sheet": tab.id, "first": first, "end": end})


def _move_band_cells(book: Spreadsheet, tab: Tab, change: Shift) -> None:
    """Move the cells of some columns (rows) down or up (right or left). Raises bad_request."""
    low, high = change.band or (0, None)
    rows = change.axis == "ROWS"
    moved = Area(change.start, low, tab.rows, high) if rows else Area(low, change.start, high, tab.columns)
    old = book.cells(tab, moved)
    new: dict[tuple[int, int], Cell] = {}
    for (row, column), cell in old.items():
        at = row if rows else column
        span = change.span(at, at + 1)
        if span is not None and span[0] < (tab.rows if rows else tab.columns):
            new[(span[0], column) if rows else (row, span[0])] = cell
    written = [
        (*at, new.get(at, BLANK)) for at in sorted(old.keys() | new.keys()) if old.get(at, BLANK) != new.get(at, BLANK)
    ]
    if len(written) > MOST_MOVED:
        raise OperationError("bad_request", problem=f"This action would move more than {MOST_MOVED} cells at once.")
    book.put(tab, written)


def follow(book: Spreadsheet, change: Change) -> None:
    """Update formulas, validation rules and all objects on ranges after a change."""
    book.rewrite(lambda text, own: change.formula(text, own.title))
    _validations(book, change)
    _objects(book, change)


def _sizes(book: Spreadsheet, tab: Tab, change: Shift) -> None:
    """Sizes of rows and columns at their new places."""
    where = {"sheet": tab.id, "axis": change.axis}
    old = {row[0]: tuple(row[1:]) for row in book.call.all(_SIZES, where)}
    moved = ((change.span(at, at + 1), size) for at, size in old.items())
    new = {span[0]: size for span, size in moved if span}
    raw = book.call.bound.raw
    raw.executemany(_DROP_SIZE, [(tab.id, change.axis, at) for at in old if at not in new])
    raw.executemany(_SET_SIZE, [(tab.id, change.axis, at, *size) for at, size in new.items() if old.get(at) != size])


def _validations(book: Spreadsheet, change: Change) -> None:
    """Rules of data validation that speak of cells."""
    for tab in book.tabs:
        for sheet, row, column, text in book.call.all(_RULES, {"sheet": tab.id}):
            new = encode_object(update_references(orjson.loads(text), change, tab.title, tab.gid))
            if new != text:
                sql = "UPDATE sheets_cell SET validation = ? WHERE sheet_id = ? AND row = ? AND col = ?"
                book.call.bound.raw.execute(sql, (new, sheet, row, column))


def _objects(book: Spreadsheet, change: Change) -> None:
    """Merges, filters, named ranges, charts and the like, of every sheet."""
    tabs = {tab.id: tab for tab in book.tabs}
    ids = {tab.gid: tab.id for tab in book.tabs}
    for id, kind, sheet, *sides, text in book.call.all(_OBJECTS, {"file": book.file.id}):
        tab = tabs.get(sheet)
        found = _object(change, tab, kind, sides, orjson.loads(text))
        if found is None:
            book.call.execute("DELETE FROM sheets_object WHERE id = :id", {"id": id})
            continue
        gid, new, spec = found
        said = orjson.dumps(spec, option=orjson.OPT_SORT_KEYS).decode()
        home = sheet if gid is None else ids.get(gid, sheet)
        if (home, *new, said) != (sheet, *sides, text):
            values = dict(zip(("top", "left", "bottom", "right"), new, strict=True))
            book.call.execute(_SET_OBJECT, {"id": id, "sheet": home, "spec": said, **values})


def _object(
    change: Change, tab: Tab | None, kind: str, sides: list[int | None], spec: Any
) -> tuple[int | None, list[int | None], Any] | None:
    """Sheet, bounds and description after a change; None for what is gone."""
    new = update_references(spec, change, tab.title if tab else "", tab.gid if tab else -1)
    if new is GONE or (spec.get("ranges") and not new.get("ranges")):
        return None
    if tab is None or sides == [None] * 4:
        return None if tab is None else tab.gid, sides, new
    found = change.area(tab.gid, Area(sides[0] or 0, sides[1] or 0, sides[2], sides[3]))
    if found is None or (kind == "merge" and is_single(found[1])):
        return None
    gid, area = found
    if kind == "table":
        new = update_table_columns(new, change, tab.gid, Area(sides[0] or 0, sides[1] or 0, sides[2], sides[3]), area)
    top, left = area.top or sides[0], area.left or sides[1]  # 0 and open are one
    return gid, [top, left, area.bottom, area.right], new


def is_single(area: Area) -> bool:
    """Whether an area is one cell."""
    return area.bottom == area.top + 1 and area.right == area.left + 1
