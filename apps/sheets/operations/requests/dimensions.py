"""Requests about rows and columns: insert, delete, append, move, resize, hide."""

from apps.sheets import formats
from apps.sheets.cells import Area
from apps.sheets.grid import protection
from apps.sheets.grid.stored_cells import BLANK
from apps.sheets.operations.requests.registry import RequestArguments, request
from apps.sheets.spreadsheet import Spreadsheet
from apps.sheets.structure.dimensions import _SIZES, Lines, set_sizes, sizes
from apps.sheets.structure.formula_references import Axis
from apps.sheets.structure.row_updates import name_headers, shift
from apps.sheets.structure.sheets import check_size, resize_tab, save_tab
from apps.sheets.structure.tabs import Tab
from apps.sheets.vendor_types import CheckedObject
from world.core.errors import OperationError

MOST_AT_ONCE = 100_000  # rows or columns whose size one request sets
LETTER, LINE, AROUND = 7, 21, 10  # pixels of the default font


def axis_of(asked: RequestArguments, given: CheckedObject, name: str = "dimension") -> Axis:
    """ROWS or COLUMNS. Raises bad_request."""
    if given.get(name) not in ("ROWS", "COLUMNS"):
        raise asked.wrong(
            "A dimension must be specified." if name == "dimension" else "A shift dimension must be specified."
        )
    return "ROWS" if given[name] == "ROWS" else "COLUMNS"


def lines(book: Spreadsheet, asked: RequestArguments, given: CheckedObject) -> Lines:
    """The rows or columns of a DimensionRange. Raises no_sheet, bad_request."""
    found = Lines(
        book.tab(given.get("sheetId") or 0), axis_of(asked, given), given.get("startIndex") or 0, given.get("endIndex")
    )
    if found.start < 0 or found.end < 0:
        raise asked.wrong("DimensionRange indexes must be >= 0")
    if found.end <= found.start and given.get("endIndex") is not None:
        raise asked.wrong(f"endIndex[{found.end}] must be greater than startIndex[{found.start}].")
    return found


def get_existing_lines(book: Spreadsheet, asked: RequestArguments, given: CheckedObject, deed: str) -> Lines:
    """The rows or columns of a request, which must be there already."""
    found = lines(book, asked, given)
    if found.start >= found.size or found.end > found.size:
        beyond = found.start if found.start >= found.size else found.size
        known = f"there are only {found.size} {found.word}s."
        raise asked.wrong(
            f"Cannot {deed} a {found.word} that doesn't exist. Tried to {deed} {found.word} index {beyond} but {known}"
        )
    return found


def resize_grid(book: Spreadsheet, asked: RequestArguments, found: Lines, count: int) -> None:
    """Make the sheet larger or smaller by some rows or columns; nothing is shifted."""
    tab = found.tab
    if found.axis == "ROWS":
        tab.rows += count
    else:
        tab.columns += count
    if count > 0:
        check_size(book, tab, asked.wrong)
    save_tab(book, tab)


@request("insertDimension")
def insert_dimension(book: Spreadsheet, asked: RequestArguments) -> None:
    """Insert rows or columns that look like the ones before or after them."""
    given, before = asked.need("range"), bool(asked.get("inheritFromBefore", False))
    if given.get("startIndex") is None or given.get("endIndex") is None:
        raise asked.wrong("Both startIndex and endIndex must be specified.")
    found = lines(book, asked, given)
    if before and found.start == 0:
        raise asked.wrong("range.startIndex must be greater than 0 if inheritFromBefore is true.")
    if found.start > found.size or (found.start == found.size and not before):
        limit = "less than" if not before else "less than or equal to"
        raise asked.wrong(
            f"range.startIndex must be {limit} the grid size ({found.size}) if inheritFromBefore is"
            f" {str(before).lower()}."
        )
    insert(book, asked, found, before)


def insert(book: Spreadsheet, asked: RequestArguments, found: Lines, before: bool) -> None:
    """Insert them, frozen ones among frozen ones. Raises protected, bad_request."""
    check_open(book, found, found.start)
    tab = found.tab
    if found.axis == "ROWS" and found.start < tab.frozen_rows:
        tab.frozen_rows += found.count
    if found.axis == "COLUMNS" and found.start < tab.frozen_columns:
        tab.frozen_columns += found.count
    resize_grid(book, asked, found, found.count)
    shift(book, tab, found.shift("insert"))
    _inherit(book, found, found.start - 1 if before else found.end)
    if found.axis == "COLUMNS":
        name_headers(book, book.tab(tab.gid))


def _inherit(book: Spreadsheet, found: Lines, source: int) -> None:
    """Formats, validation and size of a neighbour, for the new ones."""
    tab = book.tab(found.tab.gid)
    is_rows = found.axis == "ROWS"
    area = Area(source, 0, source + 1, tab.columns) if is_rows else Area(0, source, tab.rows, source + 1)
    looks = {
        at: BLANK._replace(format=cell.format, validation=cell.validation) for at, cell in book.cells(tab, area).items()
    }
    places = range(found.start, found.end)
    new = [
        (at, column, cell) if is_rows else (row, at, cell)
        for (row, column), cell in looks.items()
        if not cell.is_blank
        for at in places
    ]
    if new:
        book.put(tab, new)
    for _, size, *_ in book.call.all(_SIZES, {"sheet": tab.id, "axis": found.axis, "start": source, "end": source + 1}):
        if size is not None:
            set_sizes(book, tab, found.axis, {at: (size, False, False) for at in places})


def check_open(book: Spreadsheet, found: Lines, at: int) -> None:
    """Whether there may be new ones: not inside what is protected. Raises protected."""
    for area, _ in protection.list_closed(book, found.tab):
        low, high = (area.top, area.bottom) if found.axis == "ROWS" else (area.left, area.right)
        if (low < at or (low == 0 and high is None)) and (high is None or at < high):
            raise OperationError("protected")


@request("deleteDimension")
def delete_dimension(book: Spreadsheet, asked: RequestArguments) -> None:
    """Delete rows or columns; what refers only to them becomes #REF!."""
    found = get_existing_lines(book, asked, asked.need("range"), "delete")
    delete(book, asked, found)


def delete(book: Spreadsheet, asked: RequestArguments, found: Lines) -> None:
    """Delete them. Raises protected, bad_request."""
    tab, words = found.tab, f"{found.word}s"
    frozen = tab.frozen_rows if found.axis == "ROWS" else tab.frozen_columns
    if found.count >= found.size:
        raise asked.wrong(f"You can't delete all the {words} on the sheet.")
    if frozen and found.start <= frozen and found.end >= found.size:
        raise asked.wrong(f"Sorry, it is not possible to delete all non-frozen {words}.")
    protection.check_area(book, tab, found.area)
    lost = max(0, min(found.end, frozen) - found.start)
    if found.axis == "ROWS":
        tab.frozen_rows -= lost
    else:
        tab.frozen_columns -= lost
    resize_grid(book, asked, found, -found.count)
    shift(book, tab, found.shift("delete"))


@request("appendDimension")
def append_dimension(book: Spreadsheet, asked: RequestArguments) -> None:
    """Add rows or columns at the end of a sheet."""
    tab, axis, length = book.tab(asked.get("sheetId", 0)), axis_of(asked, asked.given), asked.get("length", 0)
    if length < 1:
        raise asked.wrong("length must be greater than 0.")
    rows, columns = (length, 0) if axis == "ROWS" else (0, length)
    protection.check_sheet(book, tab)
    resize_tab(book, asked.wrong, tab, tab.rows + rows, tab.columns + columns)


@request("moveDimension")
def move_dimension(book: Spreadsheet, asked: RequestArguments) -> None:
    """Move rows or columns; formulas follow them."""
    found, to = get_existing_lines(book, asked, asked.need("source"), "move"), asked.need("destinationIndex")
    if not 0 <= to <= found.size:
        raise asked.wrong(f"destinationIndex[{to}] is after last {found.word} in grid[{found.size}].")
    if found.start <= to <= found.end:
        return
    protection.check_area(book, found.tab, found.area)
    check_open(book, found, to)
    _check_merges(book, asked, found, to)
    shift(book, found.tab, found.shift("move", to))


def _check_merges(book: Spreadsheet, asked: RequestArguments, found: Lines, to: int) -> None:
    """No merge may be torn. Raises bad_request."""
    for area in merges(book, found.tab):
        low, high = (area.top, area.bottom or 0) if found.axis == "ROWS" else (area.left, area.right or 0)
        if low < to < high or any(low < edge < high for edge in (found.start, found.end)):
            raise asked.wrong(
                f"You can't move {found.word}s out of a merged range. Select all cells of the merged range and try"
                " again."
            )


def merges(book: Spreadsheet, tab: Tab) -> list[Area]:
    """The merged ranges of a sheet."""
    sql = (
        "SELECT top, left, bottom, right FROM sheets_object WHERE file_id = :file AND kind = 'merge' AND sheet_id ="
        " :sheet ORDER BY id"
    )
    return [Area(*row) for row in book.call.all(sql, {"file": book.file.id, "sheet": tab.id})]


@request("updateDimensionProperties")
def update_dimension_properties(book: Spreadsheet, asked: RequestArguments) -> None:
    """Set the size of rows or columns, or hide them."""
    fields, given = asked.fields(), asked.get("properties", {})
    found = get_existing_lines(book, asked, asked.need("range"), "update")
    protection.check_sheet(book, found.tab)
    if fields.has("pixelSize") and not 0 < given.get("pixelSize", 0) <= 5000:
        raise asked.wrong("pixelSize must be greater than 0.")
    if found.count > MOST_AT_ONCE:
        raise asked.wrong("The range is too large.")
    known = sizes(book, found)
    wanted: dict[int, tuple[int | None, bool, bool]] = {}
    for at in range(found.start, found.end):
        size, hidden, filtered = known.get(at, (None, False, False))
        size = given["pixelSize"] if fields.has("pixelSize") else size
        wanted[at] = size, bool(given.get("hiddenByUser")) if fields.has("hiddenByUser") else hidden, filtered
    set_sizes(book, found.tab, found.axis, wanted)


@request("autoResizeDimensions")
def auto_resize_dimensions(book: Spreadsheet, asked: RequestArguments) -> None:
    """Make rows or columns as large as what they show; empty ones stay as they are."""
    found = get_existing_lines(book, asked, asked.need("dimensions"), "resize")
    protection.check_sheet(book, found.tab)
    if found.count > MOST_AT_ONCE:
        raise asked.wrong("The range is too large.")
    known = sizes(book, found)
    wanted: dict[int, tuple[int | None, bool, bool]]
    if found.axis == "ROWS":
        tall = _heights(book, found)
        wanted = {at: (tall.get(at), *known.get(at, (None, False, False))[1:]) for at in range(found.start, found.end)}
    else:
        wanted = {at: (size, *known.get(at, (None, False, False))[1:]) for at, size in _widths(book, found).items()}
    set_sizes(book, found.tab, found.axis, wanted)


def _list_displayed_texts(book: Spreadsheet, found: Lines) -> dict[tuple[int, int], str]:
    """The displayed texts of the cells that hold something."""
    area = found.area.within(found.tab.rows, found.tab.columns)
    held = {at: cell for at, cell in book.cells(found.tab, area).items() if cell.entry.kind}
    styles = book.formats(found.tab, area)
    number = {at: style.get("numberFormat") for at, style in styles.items()}
    return {at: formats.format_value(book.engine.value(found.tab.id, *at), number.get(at), book.locale) for at in held}


def _widths(book: Spreadsheet, found: Lines) -> dict[int, int]:
    widest: dict[int, int] = {}
    for (_, column), text in _list_displayed_texts(book, found).items():
        longest = max((len(line) for line in text.splitlines()), default=0)
        widest[column] = max(widest.get(column, 0), longest * LETTER + AROUND)
    return widest


def _heights(book: Spreadsheet, found: Lines) -> dict[int, int]:
    """Rows of several lines; one line is the usual height."""
    tallest: dict[int, int] = {}
    for (row, _), text in _list_displayed_texts(book, found).items():
        tallest[row] = max(tallest.get(row, 1), len(text.splitlines()))
    return {row: count * LINE for row, count in tallest.items() if count > 1}
