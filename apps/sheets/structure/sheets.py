"""The sheets of a spreadsheet: made, sized, put in order, their rows written."""

from collections.abc import Callable

from apps.sheets.json_columns import encode_object
from apps.sheets.spreadsheet import MOST_CELLS, Spreadsheet
from apps.sheets.structure.row_updates import truncate
from apps.sheets.structure.tabs import Tab
from apps.sheets.vendor_types import CheckedObject
from world.core.errors import OperationError

MOST_SHEETS, MOST_LETTERS, MOST_OF_A_NAME = 200, 100, 10_000
BAD_TITLE = f"Sheet names must have between 1 and {MOST_LETTERS} characters."
SHEET_FIELDS = ("tabColor", "tabColorStyle", "rightToLeft")
GRID_COLUMNS = {
    "rowCount": "rows",
    "columnCount": "columns",
    "frozenRowCount": "frozen_rows",
    "frozenColumnCount": "frozen_columns",
}
GRID_FIELDS = ("hideGridlines", "rowGroupControlAfter", "columnGroupControlAfter")
_ADD = (
    "INSERT INTO sheets_sheet(id, file_id, gid, title, position, rows, columns, frozen_rows, frozen_columns, hidden,"
    " properties) VALUES (:id, :file, :gid, :title, :position, :rows, :columns, :frozen_rows, :frozen_columns, :hidden,"
    " :properties)"
)
_SET = (
    "UPDATE sheets_sheet SET title = :title, position = :position, rows = :rows, columns = :columns, frozen_rows ="
    " :frozen_rows, frozen_columns = :frozen_columns, hidden = :hidden, properties = :properties WHERE id = :id"
)


Wrong = Callable[[str], OperationError]  # what refuses a request, by the sentence that says why


def sheet_properties(tab: Tab) -> CheckedObject:
    """A sheet's SheetProperties."""
    grid = {"rowCount": tab.rows, "columnCount": tab.columns}
    frozen = {"frozenRowCount": tab.frozen_rows, "frozenColumnCount": tab.frozen_columns}
    grid |= {name: number for name, number in frozen.items() if number}
    grid |= {name: tab.properties[name] for name in GRID_FIELDS if tab.properties.get(name)}
    told: CheckedObject = {
        "sheetId": tab.gid,
        "title": tab.title,
        "index": tab.position,
        "sheetType": tab.properties.get("sheetType", "GRID"),
    }
    told |= {"gridProperties": grid} if tab.is_grid else {}
    if tab.hidden:
        told["hidden"] = True
    return {**told, **{name: tab.properties[name] for name in SHEET_FIELDS if tab.properties.get(name)}}


def save_tab(book: Spreadsheet, tab: Tab) -> None:
    """Write a sheet's row."""
    book.call.execute(_SET, _row(tab))
    book.note("tab", tab.id, tab.title, tab.position, tab.rows, tab.columns)


def _row(tab: Tab) -> CheckedObject:
    return {
        "id": tab.id,
        "gid": tab.gid,
        "title": tab.title,
        "position": tab.position,
        "rows": tab.rows,
        "columns": tab.columns,
        "frozen_rows": tab.frozen_rows,
        "frozen_columns": tab.frozen_columns,
        "hidden": tab.hidden,
        "properties": encode_object(tab.to_stored_properties()),
    }


def add_tab(book: Spreadsheet, given: CheckedObject, wrong: Wrong) -> Tab:
    """A new sheet by its SheetProperties."""
    title, gid = given.get("title") or _free_title(book), given.get("sheetId")
    if len(book.tabs) >= MOST_SHEETS:
        raise wrong(f"You cannot have more than {MOST_SHEETS} sheets.")
    if len(title) > MOST_LETTERS:
        raise wrong(BAD_TITLE)
    if any(tab.title.casefold() == title.casefold() for tab in book.tabs):
        raise wrong(f'A sheet with the name "{title}" already exists. Please enter another name.')
    if gid is not None and any(tab.gid == gid for tab in book.tabs):
        raise wrong(f"A sheet with id {gid} already exists." if gid >= 0 else "Sheet ids may not be negative.")
    number = (book.call.scalar("SELECT max(id) FROM sheets_sheet") or 0) + 1
    tab = Tab(
        number, int(book.call.ids.digits(9)) if gid is None else gid, title, len(book.tabs), 1000, 26, 0, 0, False
    )
    set_properties(tab, given, wrong)
    check_size(book, tab, wrong)
    book.call.execute(_ADD, {**_row(tab), "file": book.file.id})
    book.note("add", tab.id, tab.title)
    index = given.get("index")
    book.tabs.append(tab)
    if index is not None:
        move_tab(book, tab, index)
    book.reshape()
    return book.tab(tab.gid)


def _free_title(book: Spreadsheet, word: str = "Sheet", first: int | None = None) -> str:
    taken = {tab.title for tab in book.tabs}
    number = len(taken) + 1 if first is None else first
    while f"{word}{number}" in taken:
        number += 1
    return f"{word}{number}"


def add_object_sheet(book: Spreadsheet, wrong: Wrong) -> Tab:
    """A new sheet that holds a chart and no grid."""
    tab = add_tab(
        book, {"title": _free_title(book, "Chart", 1), "gridProperties": {"rowCount": 1, "columnCount": 1}}, wrong
    )
    tab.properties = {"sheetType": "OBJECT"}
    save_tab(book, tab)
    book.reshape()
    return book.tab(tab.gid)


def set_properties(tab: Tab, given: CheckedObject, wrong: Wrong) -> None:
    """Set what is given of a SheetProperties, apart from title and index."""
    grid = given.get("gridProperties") or {}
    if given.get("sheetType", "GRID") not in ("GRID", tab.properties.get("sheetType")):
        raise wrong("Only sheets of type GRID can be made.")
    for name, column in GRID_COLUMNS.items():
        if name in grid:
            setattr(tab, column, int(grid[name]))
    if "hidden" in given:
        tab.hidden = bool(given["hidden"])
    tab.properties |= {name: given[name] for name in SHEET_FIELDS if name in given} | {
        name: grid[name] for name in GRID_FIELDS if name in grid
    }
    if tab.rows < 1 or tab.columns < 1:
        raise wrong("Sheets must have at least one row and one column.")
    if tab.frozen_rows < 0 or tab.frozen_columns < 0:
        raise wrong("Frozen rows and columns may not be negative.")
    if tab.frozen_rows >= tab.rows or tab.frozen_columns >= tab.columns:
        raise wrong("You can't freeze all visible rows or columns on the sheet.")


def check_size(book: Spreadsheet, tab: Tab, wrong: Wrong) -> None:
    """Refuse a size beyond the vendor's limits. Raises bad_request."""
    others = sum(one.rows * one.columns for one in book.tabs if one.id != tab.id)
    if tab.columns > 18_278:
        raise wrong("This action would increase the number of columns in the sheet above the limit of 18278 columns.")
    if others + tab.rows * tab.columns > MOST_CELLS:
        raise wrong(
            f"This action would increase the number of cells in the workbook above the limit of {MOST_CELLS} cells."
        )


def move_tab(book: Spreadsheet, tab: Tab, index: int) -> None:
    """Put a sheet at a place among the others; counted as before the move, as the vendor does."""
    order = [one for one in book.tabs if one.id != tab.id]
    old = tab.position
    place = index - 1 if index > old and tab in book.tabs and index <= len(order) and old < len(order) else index
    order.insert(max(0, min(place, len(order))), tab)
    for position, one in enumerate(order):
        if one.position != position:
            one.position = position
            save_tab(book, one)


def resize_tab(book: Spreadsheet, wrong: Wrong, tab: Tab, rows: int, columns: int, *, smaller: bool = False) -> None:
    """Resize a sheet; rows and columns beyond a smaller size are deleted."""
    tab.rows, tab.columns = rows, columns
    check_size(book, tab, wrong)
    save_tab(book, tab)
    if smaller:
        truncate(book, tab, rows, columns)
    book.reshape()


def last_row(book: Spreadsheet, tab: Tab) -> int:
    """The last row with a value, -1 on an empty sheet."""
    return book.last(tab)[0]


def grow_tab(book: Spreadsheet, wrong: Wrong, tab: Tab, rows: int, columns: int) -> None:
    """Grow a sheet to a number of rows and columns. Raises bad_request beyond ten million cells."""
    if (rows, columns) != (tab.rows, tab.columns):
        resize_tab(book, wrong, tab, rows, columns)
