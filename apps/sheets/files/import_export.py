"""Import and export of spreadsheets as files: xlsx, csv and tsv both ways; ods, pdf and web pages out only."""

from dataclasses import dataclass
from typing import Literal

from apps.sheets.cells import Area, Entry
from apps.sheets.files import delimited_text, opendocument, printout, storage, webpage, workbook_in, workbook_out
from apps.sheets.files.content import Content
from apps.sheets.grid import protection
from apps.sheets.grid.stored_cells import Cell
from apps.sheets.spreadsheet import Spreadsheet
from apps.sheets.structure import formula_references, sheets
from apps.sheets.structure.spreadsheet_files import new_spreadsheet
from apps.sheets.structure.tabs import Tab
from world.core.call import Call
from world.core.errors import OperationError

Where = Literal["new_sheets", "replace_spreadsheet", "replace_sheet", "append", "replace_at"]
WHOLE = {"xlsx": workbook_out.export_workbook, "ods": opendocument.export_opendocument, "html": webpage.export_webpage}
KINDS = {"xlsx": "", "csv": ",", "tsv": "\t"}
_TABLES = ("sheets_cell", "sheets_dimension", "sheets_object")


@dataclass(frozen=True, slots=True)
class How:
    """Options of an import: target, and parsing of texts (`typed`: as if typed).

    An empty `delimiter` is guessed; `title` is that of a new sheet.
    """

    where: Where = "new_sheets"
    gid: int = 0
    row: int = 0
    column: int = 0
    typed: bool = True
    delimiter: str = ""
    title: str = "Sheet1"


def import_spreadsheet(call: Call, name: str, data: bytes, kind: str, parent: int | None) -> str:
    """Create a spreadsheet of the caller's from a file; return its key.

    Raises: bad_file, encrypted_file, file_too_large, too_many_cells, too_many_sheets, too_long, bad_request.
    """
    key = new_spreadsheet(call, name, parent=parent, first_sheet=False)
    with Spreadsheet(call, key, "file.write") as book:
        content = _content(book, data, kind, How(title=_title(name)))
        storage.settle(book, content)
        storage.add_sheets(book, content, data)
    return key


def into(call: Call, book: Spreadsheet, data: bytes, kind: str, how: How) -> list[Tab]:
    """Import a file into a spreadsheet; return the changed sheets.

    If one sheet is replaced, the file's first one is used.

    Raises: bad_file, encrypted_file, file_too_large, too_many_cells, too_many_sheets, too_long, bad_request, no_sheet,
    protected.
    """
    content = _content(book, data, kind, how)
    if how.where == "new_sheets":
        return storage.add_sheets(book, content, data)
    if how.where == "replace_spreadsheet":
        return _replace_all(book, content, data)
    tab = book.tab(how.gid)
    if how.where == "replace_sheet":
        return [_replace(book, tab, content, data)]
    down = sheets.last_row(book, tab) + 1 if how.where == "append" else how.row
    return [_put_content(book, tab, content, down, 0 if how.where == "append" else how.column)]


def export_spreadsheet(call: Call, book: Spreadsheet, kind: str, gid: int | None) -> bytes:
    """Export a spreadsheet as xlsx, ods or html, it or one sheet as pdf, one sheet (or the first visible) as csv or tsv.

    Raises no_sheet, bad_request.
    """
    if kind in WHOLE:
        return WHOLE[kind](book)
    if kind == "pdf":
        return printout.export_printout(book, gid)
    tab = book.tab(gid) if gid is not None else next((tab for tab in book.tabs if not tab.hidden), book.tabs[0])
    return delimited_text.export_sheet(book, tab, _delimiter(kind))


def _delimiter(kind: str) -> str:
    if kind not in KINDS:
        raise OperationError("bad_request", problem=f"Files of the kind {kind} are not supported.")
    return KINDS[kind]


def _content(book: Spreadsheet, data: bytes, kind: str, how: How) -> Content:
    mark = _delimiter(kind)
    if kind == "xlsx":
        return workbook_in.read_workbook(data)
    return delimited_text.content(
        book, how.title, data, how.delimiter or ("\t" if mark == "\t" else ""), typed=how.typed
    )


def _title(name: str) -> str:
    """Return a sheet's title from a file's name."""
    stem = name.rpartition(".")[0] if name.lower().endswith((".csv", ".tsv", ".txt")) else name
    return stem.strip()[:100] or "Sheet1"


def _replace_all(book: Spreadsheet, content: Content, data: bytes) -> list[Tab]:
    """Replace all sheets by those of a file."""
    old = list(book.tabs)
    for tab in old:
        protection.check_area(book, tab, Area(0, 0, None, None))
        for table in (*_TABLES, "sheets_sheet"):
            column = "id" if table == "sheets_sheet" else "sheet_id"
            book.call.execute(f"DELETE FROM {table} WHERE {column} = :sheet", {"sheet": tab.id})
    book.note("replaced", [tab.id for tab in old])
    book.reshape()
    return storage.add_sheets(book, content, data)


def _replace(book: Spreadsheet, tab: Tab, content: Content, data: bytes) -> Tab:
    """Replace a sheet by the first sheet of a file; it keeps its title and its number."""
    protection.check_area(book, tab, Area(0, 0, None, None))
    sheet = content.sheets[0]
    for table in _TABLES:
        book.call.execute(f"DELETE FROM {table} WHERE sheet_id = :sheet", {"sheet": tab.id})
    sheets.resize_tab(book, _wrong, tab, sheet.rows, sheet.columns)
    tab = book.tab(tab.gid)
    tab.frozen_rows, tab.frozen_columns = sheet.frozen_rows, sheet.frozen_columns
    sheets.save_tab(book, tab)
    for at, (row, column, kind, text, style) in enumerate(sheet.cells):
        if kind == "formula":
            sheet.cells[at] = row, column, kind, formula_references.rename_sheet(text, sheet.title, tab.title), style
    storage.fill(book, tab, content, sheet, data)
    return book.tab(tab.gid)


def _put_content(book: Spreadsheet, tab: Tab, content: Content, down: int, across: int) -> Tab:
    """Write the cells of a file's first sheet, from a cell on; the sheet grows if needed."""
    sheet = content.sheets[0]
    found = [_move_cell(one, down, across) for one in storage.cells(content, sheet, down, across)]
    if not found:
        return tab
    bottom, right = max(row for row, _, _ in found) + 1, max(column for _, column, _ in found) + 1
    sheets.grow_tab(book, _wrong, tab, max(tab.rows, bottom), max(tab.columns, right))
    tab = book.tab(tab.gid)
    protection.check_area(book, tab, Area(down, across, bottom, right))
    book.put(tab, found)
    return book.tab(tab.gid)


def _wrong(problem: str) -> OperationError:
    return OperationError("bad_request", place=0, kind="import", problem=problem)


def _move_cell(one: tuple[int, int, Cell], down: int, across: int) -> tuple[int, int, Cell]:
    """Return a cell's entry at its new position; relative references move along."""
    row, column, cell = one
    if cell.entry.kind != "formula" or not (down or across):
        return one
    return (
        row,
        column,
        cell._replace(entry=Entry("formula", formula_references.shift_formula(cell.entry.input, down, across))),
    )


__all__ = ["How", "Where", "export_spreadsheet", "import_spreadsheet", "into"]
