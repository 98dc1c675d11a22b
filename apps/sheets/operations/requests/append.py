"""Rows added at the end: appendCells, and tables that reach further down."""

from apps.sheets.cells import Area
from apps.sheets.grid import protection
from apps.sheets.operations.requests.cells import write_rows
from apps.sheets.operations.requests.objects import one
from apps.sheets.operations.requests.registry import RequestArguments, request
from apps.sheets.operations.requests.tables import KIND, dress
from apps.sheets.spreadsheet import Spreadsheet
from apps.sheets.structure.objects import StoredObject, carry, list_objects, list_overlapping, save_object
from apps.sheets.structure.range_shifts import Shift
from apps.sheets.structure.row_updates import shift
from apps.sheets.structure.sheets import grow_tab, last_row
from apps.sheets.structure.tabs import Tab


def body_end(thing: StoredObject) -> int:
    """Return the end of a table's body: before the footer."""
    return (thing.area.bottom or 0) - ("footerColorStyle" in (thing.spec.get("rowsProperties") or {}))


def extend(book: Spreadsheet, thing: StoredObject, bottom: int) -> None:
    """Let a table reach further down; its columns' rules hold in the new rows too."""
    thing.sides = (thing.sides[0], thing.sides[1], bottom, thing.sides[3])
    save_object(book, thing)
    carry(book, "tableId", thing)
    dress(book, thing.tab(book), thing.area, thing.spec.get("columnProperties") or [])


def join(book: Spreadsheet, tab: Tab, written: Area) -> None:
    """Let rows that were typed right below a table without a footer belong to it;
    support.google.com/docs/answer/14239833.
    """
    for thing in list_objects(book, KIND, tab):
        bottom, right = thing.area.bottom or 0, thing.area.right or 0
        if (
            written.top != bottom
            or body_end(thing) != bottom
            or written.left < thing.area.left
            or (written.right or 0) > right
        ):
            continue
        more = Area(bottom, thing.area.left, written.bottom, right)
        if not any(
            list_overlapping(list_objects(book, kind, tab), tab, more, but=thing)
            for kind in ("table", "merge", "banding")
        ):
            extend(book, thing, written.bottom or 0)


def room(book: Spreadsheet, asked: RequestArguments, key: str, count: int) -> tuple[Tab, int, int]:
    """Make room for rows at the end of a table's body: sheet, first row, first column. Raises no_object, protected,
    bad_request.
    """
    thing = one(book, asked, KIND, key, "table")
    tab, end, area = thing.tab(book), body_end(thing), thing.area
    filled = [at[0] for at, cell in book.cells(tab, area._replace(bottom=end)).items() if cell.entry.kind]
    top = max(filled, default=area.top) + 1
    more = top + count - end
    if more > 0:
        last = book.last(tab)[0]
        grow_tab(book, asked.wrong, tab, max(tab.rows, max(last + 1, end) + more), tab.columns)
        tab = book.tab(tab.gid)
        protection.check_area(book, tab, Area(end, area.left, tab.rows, area.right))
        shift(book, tab, Shift(tab.gid, tab.title, "insert", "ROWS", end, more, band=(area.left, area.right)))
        thing = one(book, asked, KIND, key, "table")
        extend(book, thing, (area.bottom or 0) + more)
    return book.tab(tab.gid), top, area.left


@request("appendCells")
def append_cells(book: Spreadsheet, asked: RequestArguments) -> None:
    """Write rows of CellData below the last row that holds anything; the sheet grows if it must."""
    fields, rows = asked.fields(), asked.get("rows", [])
    if asked.get("tableId"):
        tab, top, left = room(book, asked, asked.get("tableId"), len(rows))
        write_rows(book, asked, tab, top, left, rows, fields)
        return
    tab = book.tab(asked.get("sheetId", 0))
    top = last_row(book, tab) + 1
    grow_tab(book, asked.wrong, tab, max(tab.rows, top + len(rows)), tab.columns)
    tab = book.tab(tab.gid)
    write_rows(book, asked, tab, top, 0, rows, fields)
