"""Requests about whole sheets: addSheet, deleteSheet, duplicateSheet, updateSheetProperties,
updateSpreadsheetProperties.
"""

from collections.abc import Mapping
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from apps.sheets.cells import Area, Entry
from apps.sheets.engine.locale_rewrite import rewrite_for_locale
from apps.sheets.grid import protection
from apps.sheets.grid.stored_cells import Cell
from apps.sheets.json_columns import decode_object, encode_object
from apps.sheets.operations.requests.registry import RequestArguments, request
from apps.sheets.spreadsheet import Spreadsheet
from apps.sheets.structure import formula_references
from apps.sheets.structure.range_shifts import SheetCopied, SheetDeleted, update_references
from apps.sheets.structure.row_updates import follow
from apps.sheets.structure.sheets import (
    BAD_TITLE,
    GRID_COLUMNS,
    MOST_LETTERS,
    MOST_OF_A_NAME,
    add_tab,
    move_tab,
    resize_tab,
    save_tab,
    set_properties,
    sheet_properties,
)
from apps.sheets.structure.tabs import Tab
from apps.sheets.vendor_types import CheckedObject
from world.core.errors import OperationError


@request("addSheet")
def add_sheet(book: Spreadsheet, asked: RequestArguments) -> CheckedObject:
    """Add a sheet."""
    return {"properties": sheet_properties(add_tab(book, asked.get("properties", {}), asked.wrong))}


@request("deleteSheet")
def delete_sheet(book: Spreadsheet, asked: RequestArguments) -> None:
    """Delete a sheet; formulas that read it show #REF!."""
    delete(book, asked, book.tab(asked.need("sheetId")))


def delete(book: Spreadsheet, asked: RequestArguments, tab: Tab) -> None:
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
    follow(book, SheetDeleted(tab.gid, tab.title))
    for position, one in enumerate(book.tabs):
        if one.position != position:
            one.position = position
            save_tab(book, one)
    book.reshape()


@request("duplicateSheet")
def duplicate_sheet(book: Spreadsheet, asked: RequestArguments) -> CheckedObject:
    """Copy a sheet within the spreadsheet."""
    source = book.tab(asked.need("sourceSheetId"))
    given = {
        "title": asked.get("newSheetName") or free_copy_title(book, source.title),
        "sheetId": asked.get("newSheetId"),
        "index": asked.get("insertSheetIndex", 0),
    }
    return {"properties": sheet_properties(duplicate(book, source, book, given, asked))}


def duplicate(
    source_book: Spreadsheet, source: Tab, book: Spreadsheet, given: CheckedObject, asked: RequestArguments
) -> Tab:
    """A copy of a sheet, in its own spreadsheet or another one."""
    made = add_tab(
        book,
        {**given, "gridProperties": {name: getattr(source, column) for name, column in GRID_COLUMNS.items()}},
        asked.wrong,
    )
    made.properties = dict(source.properties)
    save_tab(book, made)
    copy_content(source_book, source, book, made)
    return book.tab(made.gid)


def free_copy_title(book: Spreadsheet, title: str) -> str:
    """`Copy of X`, with a number when that is taken."""
    first, number = f"Copy of {title[: MOST_LETTERS - 20]}", 1
    wanted = first
    while book.find_tab(wanted) is not None:
        number += 1
        wanted = f"{first} {number}"
    return wanted


def copy_content(source_book: Spreadsheet, source: Tab, book: Spreadsheet, made: Tab) -> None:
    """Cells, sizes and objects of a sheet onto another, of this spreadsheet or another one."""
    cells = source_book.cells(source, Area(0, 0, source.rows, source.columns))
    book.put(made, [(*at, _rename_sheet(cell, source.title, made.title)) for at, cell in cells.items()])
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
        new = update_references(
            decode_object(spec), SheetCopied(source.gid, source.title, made.gid, made.title), source.title, source.gid
        )
        kept: Any = new
        if source_book is not book:
            kept = protection.copy_protection(book.call, source_book.file, _copy_overlay(new, made))
        book.add_object(
            kind, made, Area(*bounds), kept, name=_free_name(book, name) if kind == "table" else name, position=position
        )
    book.reshape()


def _copy_overlay(spec: Mapping[str, Any], made: Tab) -> Any:
    """Return an object of another spreadsheet's sheet, without its references there."""
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


def _rename_sheet(cell: Cell, old: str, new: str) -> Cell:
    """Let a formula that names its own sheet name the copy instead."""
    if cell.entry.kind != "formula":
        return cell
    return cell._replace(entry=Entry("formula", formula_references.rename_sheet(cell.entry.input, old, new)))


@request("updateSheetProperties")
def update_sheet_properties(book: Spreadsheet, asked: RequestArguments) -> None:
    """Change a sheet's title, place, size, frozen rows, colour."""
    fields, given = asked.fields(), asked.need("properties")
    tab = book.tab(given.get("sheetId") or 0)
    if fields.is_all or any(name not in ("index", "sheetId") for name in fields.names()):
        protection.check_sheet(book, tab)  # the order of the sheets is everybody's
    wanted = fields.merge(sheet_properties(tab), given)
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
    set_properties(tab, {**wanted, "hidden": bool(wanted.get("hidden")), "gridProperties": settled}, asked.wrong)
    if tab.hidden and not [one for one in book.tabs if not one.hidden]:
        raise asked.wrong("You can't hide all the sheets in a document.")
    save_tab(book, tab)
    if before != size:
        resize_tab(book, asked.wrong, tab, *size, smaller=size[0] < before[0] or size[1] < before[1])
        tab = book.tab(tab.gid)
    if fields.has("index") and given.get("index") is not None:
        move_tab(book, tab, int(given["index"]))
    book.reshape()


def _retitle(book: Spreadsheet, asked: RequestArguments, tab: Tab, title: str) -> None:
    """A new title, in every formula that names the sheet too."""
    if not title.strip() or len(title) > MOST_LETTERS:
        raise asked.wrong(BAD_TITLE)
    if any(one.title.casefold() == title.casefold() and one.id != tab.id for one in book.tabs):
        raise asked.wrong(f'A sheet with the name "{title}" already exists. Please enter another name.')
    follow(book, SheetCopied(tab.gid, tab.title, tab.gid, title))
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
def update_spreadsheet_properties(book: Spreadsheet, asked: RequestArguments) -> None:
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
            "rest": encode_object(rest),
            "file": book.file.id,
        },
    )
    book.note("spreadsheet", wanted.get("locale"), wanted.get("timeZone"))
    if (chosen := wanted.get("locale") or locale) != locale:
        book.rewrite(lambda formula, _: rewrite_for_locale(formula, locale, chosen))
    book.reshape()


def check_zone(name: str) -> None:
    """Raise bad_zone for an unknown zone."""
    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError):
        raise OperationError("bad_zone", zone=name) from None
