"""Requests about whole sheets: addSheet, deleteSheet, duplicateSheet, updateSheetProperties,
updateSpreadsheetProperties.
"""

from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from apps.sheets.cells import Area, Entry
from apps.sheets.engine.locale_rewrite import relocated
from apps.sheets.grid import protection
from apps.sheets.grid.stored_cells import Cell
from apps.sheets.json_columns import decoded, encoded
from apps.sheets.operations.requests.registry import Asked, request
from apps.sheets.spreadsheet import MOST_CELLS, Spreadsheet
from apps.sheets.structure import formula_references
from apps.sheets.structure.range_shifts import Copied, Gone, described
from apps.sheets.structure.row_updates import follow, truncate
from apps.sheets.structure.tabs import Tab
from world.core.errors import OperationError

MOST_SHEETS, MOST_LETTERS, MOST_OF_A_NAME = 200, 100, 10_000
BAD_TITLE = f"Sheet names must have between 1 and {MOST_LETTERS} characters."
KEPT = ("tabColor", "tabColorStyle", "rightToLeft")
GRID = {
    "rowCount": "rows",
    "columnCount": "columns",
    "frozenRowCount": "frozen_rows",
    "frozenColumnCount": "frozen_columns",
}
GRID_KEPT = ("hideGridlines", "rowGroupControlAfter", "columnGroupControlAfter")
_ADD = (
    "INSERT INTO sheets_sheet(id, file_id, gid, title, position, rows, columns, frozen_rows, frozen_columns, hidden,"
    " properties) VALUES (:id, :file, :gid, :title, :position, :rows, :columns, :frozen_rows, :frozen_columns, :hidden,"
    " :properties)"
)
_SET = (
    "UPDATE sheets_sheet SET title = :title, position = :position, rows = :rows, columns = :columns, frozen_rows ="
    " :frozen_rows, frozen_columns = :frozen_columns, hidden = :hidden, properties = :properties WHERE id = :id"
)


def properties(tab: Tab) -> dict[str, Any]:
    """A sheet's SheetProperties."""
    grid = {"rowCount": tab.rows, "columnCount": tab.columns}
    frozen = {"frozenRowCount": tab.frozen_rows, "frozenColumnCount": tab.frozen_columns}
    grid |= {name: number for name, number in frozen.items() if number}
    grid |= {name: tab.properties[name] for name in GRID_KEPT if tab.properties.get(name)}
    told: dict[str, Any] = {
        "sheetId": tab.gid,
        "title": tab.title,
        "index": tab.position,
        "sheetType": tab.properties.get("sheetType", "GRID"),
    }
    told |= {"gridProperties": grid} if tab.is_grid else {}
    if tab.hidden:
        told["hidden"] = True
    return {**told, **{name: tab.properties[name] for name in KEPT if tab.properties.get(name)}}


def save(book: Spreadsheet, tab: Tab) -> None:
    """Write a sheet's row."""
    book.call.execute(_SET, _row(tab))
    book.note("tab", tab.id, tab.title, tab.position, tab.rows, tab.columns)


def _row(tab: Tab) -> dict[str, Any]:
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
        "properties": encoded(tab.stored()),
    }


def add(book: Spreadsheet, given: dict[str, Any], wrong: Any) -> Tab:
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
    _apply(tab, given, wrong)
    check_size(book, tab, wrong)
    book.call.execute(_ADD, {**_row(tab), "file": book.file.id})
    book.note("add", tab.id, tab.title)
    index = given.get("index")
    book.tabs.append(tab)
    if index is not None:
        move(book, tab, index)
    book.reshape()
    return book.tab(tab.gid)


def _free_title(book: Spreadsheet, word: str = "Sheet", first: int | None = None) -> str:
    taken = {tab.title for tab in book.tabs}
    number = len(taken) + 1 if first is None else first
    while f"{word}{number}" in taken:
        number += 1
    return f"{word}{number}"


def add_object_sheet(book: Spreadsheet, wrong: Any) -> Tab:
    """A new sheet that holds a chart and no grid."""
    tab = add(
        book, {"title": _free_title(book, "Chart", 1), "gridProperties": {"rowCount": 1, "columnCount": 1}}, wrong
    )
    tab.properties = {"sheetType": "OBJECT"}
    save(book, tab)
    book.reshape()
    return book.tab(tab.gid)


def _apply(tab: Tab, given: dict[str, Any], wrong: Any) -> None:
    """Set what is given of a SheetProperties, apart from title and index."""
    grid = given.get("gridProperties") or {}
    if given.get("sheetType", "GRID") not in ("GRID", tab.properties.get("sheetType")):
        raise wrong("Only sheets of type GRID can be made.")
    for name, column in GRID.items():
        if name in grid:
            setattr(tab, column, int(grid[name]))
    if "hidden" in given:
        tab.hidden = bool(given["hidden"])
    tab.properties |= {name: given[name] for name in KEPT if name in given} | {
        name: grid[name] for name in GRID_KEPT if name in grid
    }
    if tab.rows < 1 or tab.columns < 1:
        raise wrong("Sheets must have at least one row and one column.")
    if tab.frozen_rows < 0 or tab.frozen_columns < 0:
        raise wrong("Frozen rows and columns may not be negative.")
    if tab.frozen_rows >= tab.rows or tab.frozen_columns >= tab.columns:
        raise wrong("You can't freeze all visible rows or columns on the sheet.")


def check_size(book: Spreadsheet, tab: Tab, wrong: Any) -> None:
    """Refuse a size beyond the vendor's limits. Raises bad_request."""
    others = sum(one.rows * one.columns for one in book.tabs if one.id != tab.id)
    if tab.columns > 18_278:
        raise wrong("This action would increase the number of columns in the sheet above the limit of 18278 columns.")
    if others + tab.rows * tab.columns > MOST_CELLS:
        raise wrong(
            f"This action would increase the number of cells in the workbook above the limit of {MOST_CELLS} cells."
        )


def move(book: Spreadsheet, tab: Tab, index: int) -> None:
    """Put a sheet at a place among the others; counted as before the move, as the vendor does."""
    order = [one for one in book.tabs if one.id != tab.id]
    old = tab.position
    place = index - 1 if index > old and tab in book.tabs and index <= len(order) and old < len(order) else index
    order.insert(max(0, min(place, len(order))), tab)
    for position, one in enumerate(order):
        if one.position != position:
            one.position = position
            save(book, one)


def resize(book: Spreadsheet, asked: Asked, tab: Tab, rows: int, columns: int, *, smaller: bool = False) -> None:
    """Give a sheet so many rows and columns; when it gets smaller, what lies beyond is deleted as rows and columns are."""
    tab.rows, tab.columns = rows, columns
    check_size(book, tab, asked.wrong)
    save(book, tab)
    if smaller:
        truncate(book, tab, rows, columns)
    book.reshape()


@request("addSheet")
def add_sheet(book: Spreadsheet, asked: Asked) -> dict[str, Any]:
    """Add a sheet."""
    return {"properties": properties(add(book, asked.get("properties", {}), asked.wrong))}


@request("deleteSheet")
def delete_sheet(book: Spreadsheet, asked: Asked) -> None:
    """Delete a sheet; formulas that read it show #REF!."""
    delete(book, asked, book.tab(asked.need("sheetId")))


def delete(book: Spreadsheet, asked: Asked, tab: Tab) -> None:
    """Delete it. Raises bad_request, protected."""
    visible = [one for one in book.tabs if not one.hidden and one.id != tab.id]
    if not visible:
        raise asked.wrong("You can't remove all the visible sheets in a document.")
    protection.check_area(book, tab, Area(0, 0, None, None))
    for table in ("sheets_cell", "sheets_dimension", "sheets_object"):
        book.call.execute(f"DELETE FROM {table} WHERE sheet_id = :sheet", {"sheet": tab.id})
    book.call.execute("DELETE FROM sheets_sheet WHERE id = :sheet", {"sheet": tab.id})
    book.note("delete", tab.id)
    book.tabs.remove(tab)
    follow(book, Gone(tab.gid, tab.title))
    for position, one in enumerate(book.tabs):
        if one.position != position:
            one.position = position
            save(book, one)
    book.reshape()


@request("duplicateSheet")
def duplicate_sheet(book: Spreadsheet, asked: Asked) -> dict[str, Any]:
    """Copy a sheet within the spreadsheet."""
    source = book.tab(asked.need("sourceSheetId"))
    given = {
        "title": asked.get("newSheetName") or free_copy_title(book, source.title),
        "sheetId": asked.get("newSheetId"),
        "index": asked.get("insertSheetIndex", 0),
    }
    return {"properties": properties(duplicate(book, source, book, given, asked))}


def duplicate(source_book: Spreadsheet, source: Tab, book: Spreadsheet, given: dict[str, Any], asked: Asked) -> Tab:
    """A copy of a sheet, in its own spreadsheet or another one."""
    made = add(
        book, {**given, "gridProperties": {name: getattr(source, column) for name, column in GRID.items()}}, asked.wrong
    )
    made.properties = dict(source.properties)
    save(book, made)
    copy_content(source_book, source, book, made)
    return book.tab(made.gid)


def free_copy_title(book: Spreadsheet, title: str) -> str:
    """`Copy of X`, with a number when that is taken."""
    first, number = f"Copy of {title[: MOST_LETTERS - 20]}", 1
    wanted = first
    while book.titled(wanted) is not None:
        number += 1
        wanted = f"{first} {number}"
    return wanted


def copy_content(source_book: Spreadsheet, source: Tab, book: Spreadsheet, made: Tab) -> None:
    """Cells, sizes and objects of a sheet onto another, of this spreadsheet or another one."""
    cells = source_book.cells(source, Area(0, 0, source.rows, source.columns))
    book.put(made, [(*at, _renamed(cell, source.title, made.title)) for at, cell in cells.items()])
    book.call.execute(
        "INSERT INTO sheets_dimension(sheet_id, axis, at, size, hidden, filtered)"
        " SELECT :made, axis, at, size, hidden, filtered FROM sheets_dimension WHERE sheet_id = :source",
        {"made": made.id, "source": source.id},
    )
    rows = book.call.all(
        "SELECT kind, name, position, top, left, bottom, right, spec FROM sheets_object WHERE sheet_id = :source"
        " AND kind NOT IN ('named_range', 'metadata') ORDER BY id",
        {"source": source.id},
    )
    for kind, name, position, *bounds, spec in rows:
        new = described(decoded(spec), Copied(source.gid, source.title, made.gid, made.title), source.title, source.gid)
        kept = new if source_book is book else _taken_along(new, made)
        kept = kept if source_book is book else protection.copied(book.call, source_book.file, kept)
        book.add_object(
            kind, made, Area(*bounds), kept, name=_free_name(book, name) if kind == "table" else name, position=position
        )
    book.reshape()


def _taken_along(spec: dict[str, Any], made: Tab) -> dict[str, Any]:
    """What lies on a sheet of another spreadsheet, without what it stands on or reads there."""
    lost = {"namedRangeId", "tableId"}
    if isinstance(spec.get("source"), dict) and spec["source"].get("sheetId") != made.gid:
        lost.add("source")
    return {field: item for field, item in spec.items() if field not in lost}


def _free_name(book: Spreadsheet, name: str) -> str:
    """A table's name, with a number behind it when it is taken."""
    sql = "SELECT name FROM sheets_object WHERE file_id = :file AND kind = 'table'"
    taken = {held.casefold() for (held,) in book.call.all(sql, {"file": book.file.id})}
    number = 1
    while (wanted := name if number == 1 else f"{name}_{number}").casefold() in taken:
        number += 1
    return wanted


def _renamed(cell: Cell, old: str, new: str) -> Cell:
    """A formula that names its own sheet names the copy instead."""
    if cell.entry.kind != "formula":
        return cell
    return cell._replace(entry=Entry("formula", formula_references.renamed(cell.entry.input, old, new)))


@request("updateSheetProperties")
def update_sheet_properties(book: Spreadsheet, asked: Asked) -> None:
    """Change a sheet's title, place, size, frozen rows, colour."""
    fields, given = asked.fields(), asked.need("properties")
    tab = book.tab(given.get("sheetId") or 0)
    if fields.is_all or any(name not in ("index", "sheetId") for name in fields.names()):
        protection.check_sheet(book, tab)  # the order of the sheets is everybody's
    wanted = fields.merge(properties(tab), given)
    title = wanted.get("title") or ""
    if fields.has("title") and title != tab.title:
        _retitle(book, asked, tab, title)
    grid = wanted.get("gridProperties") or {}
    if fields.has("gridProperties") and given.get("gridProperties") and not tab.is_grid:
        raise asked.wrong("Grid properties may not be set on a sheet that is not a grid.")
    size = int(grid.get("rowCount") or tab.rows), int(grid.get("columnCount") or tab.columns)
    tab.properties = {} if tab.is_grid else {"sheetType": "OBJECT"}
    settled = {
        **grid,
        "rowCount": size[0],
        "columnCount": size[1],
        "frozenRowCount": grid.get("frozenRowCount") or 0,
        "frozenColumnCount": grid.get("frozenColumnCount") or 0,
    }
    before = tab.rows, tab.columns
    if size[0] < before[0]:
        protection.check_area(book, tab, Area(size[0], 0, None, None))
    if size[1] < before[1]:
        protection.check_area(book, tab, Area(0, size[1], None, None))
    _apply(tab, {**wanted, "hidden": bool(wanted.get("hidden")), "gridProperties": settled}, asked.wrong)
    if tab.hidden and not [one for one in book.tabs if not one.hidden]:
        raise asked.wrong("You can't hide all the sheets in a document.")
    save(book, tab)
    if before != size:
        resize(book, asked, tab, *size, smaller=size[0] < before[0] or size[1] < before[1])
        tab = book.tab(tab.gid)
    if fields.has("index") and given.get("index") is not None:
        move(book, tab, int(given["index"]))
    book.reshape()


def _retitle(book: Spreadsheet, asked: Asked, tab: Tab, title: str) -> None:
    """A new title, in every formula that names the sheet too."""
    if not title.strip() or len(title) > MOST_LETTERS:
        raise asked.wrong(BAD_TITLE)
    if any(one.title.casefold() == title.casefold() and one.id != tab.id for one in book.tabs):
        raise asked.wrong(f'A sheet with the name "{title}" already exists. Please enter another name.')
    follow(book, Copied(tab.gid, tab.title, tab.gid, title))
    tab.title = title


SPREADSHEET_FIELDS = (
    "title",
    "locale",
    "timeZone",
    "autoRecalc",
    "defaultFormat",
    "iterativeCalculationSettings",
    "spreadsheetTheme",
    "importFunctionsExternalUrlAccessAllowed",
)


@request("updateSpreadsheetProperties")
def update_spreadsheet_properties(book: Spreadsheet, asked: Asked) -> None:
    """Change the spreadsheet's title, locale or time zone."""
    fields, given = asked.fields(), asked.need("properties")
    locale, zone, own, _ = book.own
    if fields.has("title"):
        title = given.get("title") or ""
        if not title:
            raise asked.wrong("Spreadsheet titles may not be empty.")
        if len(title) > MOST_OF_A_NAME:
            raise asked.wrong(f"Spreadsheet titles may have at most {MOST_OF_A_NAME} characters.")
        book.call.execute("UPDATE drive_file SET name = :name WHERE id = :file", {"name": title, "file": book.file.id})
    wanted = fields.merge({"locale": locale, "timeZone": zone, **own}, given)
    check_zone(wanted.get("timeZone") or zone)
    rest = {name: wanted[name] for name in SPREADSHEET_FIELDS[3:] if name in wanted}
    book.call.execute(
        "UPDATE sheets_spreadsheet SET locale = :locale, time_zone = :zone, properties = :rest WHERE file_id = :file",
        {
            "locale": wanted.get("locale") or locale,
            "zone": wanted.get("timeZone") or zone,
            "rest": encoded(rest),
            "file": book.file.id,
        },
    )
    book.note("spreadsheet", wanted.get("locale"), wanted.get("timeZone"))
    if (chosen := wanted.get("locale") or locale) != locale:
        book.rewrite(lambda formula, _: relocated(formula, locale, chosen))
    book.reshape()


def check_zone(name: str) -> None:
    """Raise bad_zone for a zone nobody knows."""
    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError):
        raise OperationError("bad_zone", zone=name) from None
