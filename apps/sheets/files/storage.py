"""Storage of imported content: cells straight into their rows, everything else as objects on ranges."""

import hashlib
from collections.abc import Iterator
from zoneinfo import available_timezones

from apps.sheets.cells import Area, Entry
from apps.sheets.files.content import Content, RangeObject, Sheet
from apps.sheets.formats.locales import LOCALES
from apps.sheets.grid.stored_cells import BLANK, Cell
from apps.sheets.spreadsheet import Spreadsheet
from apps.sheets.structure import grid_ranges, sheets
from apps.sheets.structure.tabs import Tab
from world.core.errors import OperationError

_PUT = (
    "INSERT OR REPLACE INTO sheets_cell(sheet_id, row, col, file_id, kind, input, format, note, validation, runs)"
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)
_AT_ONCE = 100  # rows a statement: fewer cost more time
_SIZE = "INSERT INTO sheets_dimension(sheet_id, axis, at, size, hidden, filtered) VALUES (?, ?, ?, ?, ?, ?)"


def settle(book: Spreadsheet, content: Content) -> None:
    """Set locale and time zone of a new spreadsheet from its content, if it has any."""
    locale, zone, _, _ = book.own
    wanted = (
        content.locale if content.locale in LOCALES else locale,
        content.zone if content.zone in available_timezones() else zone,
    )
    if wanted != (locale, zone):
        book.call.execute(
            "UPDATE sheets_spreadsheet SET locale = :locale, time_zone = :zone WHERE file_id = :file",
            {"locale": wanted[0], "zone": wanted[1], "file": book.file.id},
        )
        book.note("settled", *wanted)
        book.reshape()


def add_sheets(book: Spreadsheet, content: Content, source: bytes) -> list[Tab]:
    """Append every sheet of a content. Raises too_many_cells, too_many_sheets."""
    made = [_add(book, sheet, place) for place, sheet in enumerate(content.sheets)]
    for tab, sheet in zip(made, content.sheets, strict=True):
        fill(book, tab, content, sheet, source)
    for name, place, area in content.names:
        if name.lower() not in book.names:
            book.add_object("named_range", made[place], _on_sheet(area, made[place]), {}, name=name)
    book.reshape()
    return [book.tab(tab.gid) for tab in made]


def _add(book: Spreadsheet, sheet: Sheet, place: int) -> Tab:
    grid = {
        "rowCount": sheet.rows,
        "columnCount": sheet.columns,
        "frozenRowCount": sheet.frozen_rows,
        "frozenColumnCount": sheet.frozen_columns,
    }
    told: dict[str, object] = {**sheet.properties, "title": free_title(book, sheet.title), "hidden": sheet.hidden}
    told["gridProperties"] = grid | {
        name: sheet.properties[name] for name in sheets.GRID_FIELDS if name in sheet.properties
    }
    if not book.tabs:
        told["sheetId"] = 0
    return sheets.add_tab(book, told, _wrong)


def _wrong(problem: str) -> OperationError:
    return OperationError("bad_request", problem=problem)


def free_title(book: Spreadsheet, title: str) -> str:
    """Return a title that no sheet has yet."""
    made, number = title, 0
    while book.find_tab(made) is not None:
        number += 1
        made = f"{title[:90]} ({number})"
    return made


def fill(book: Spreadsheet, tab: Tab, content: Content, sheet: Sheet, source: bytes) -> None:
    """Write a sheet's content to an empty tab."""
    call = book.call
    call.flush()
    _write(book, tab, content, sheet)
    sizes = [(tab.id, size.axis, size.at, size.size, size.hidden, size.filtered) for size in sheet.sizes]
    if sizes:
        call.bound.raw.executemany(_SIZE, sizes)
    ranks: dict[str, int] = {}
    for thing in sheet.things:
        rank = ranks[thing.kind] = ranks.get(thing.kind, -1) + 1
        _lay(book, tab, thing, rank)
    book.note("filled", tab.id, hashlib.sha256(source).hexdigest())
    book.reshape()


def _write(book: Spreadsheet, tab: Tab, content: Content, sheet: Sheet) -> None:
    """Write the rows of a sheet's cells; cells with only an entry and a format in batches."""
    raw, formats, extras = book.call.bound.raw, content.formats, sheet.extras
    known, most = dict(enumerate(formats)), len(formats)
    plain = [
        cell
        for cell in sheet.cells
        if (cell[2] or (cell[4] < most and formats[cell[4]])) and (not extras or cell[:2] not in extras)
    ]
    one = f"({tab.id}, ?, ?, {book.file.id}, ?, ?, ?)"
    put = "INSERT OR REPLACE INTO sheets_cell(sheet_id, row, col, file_id, kind, input, format) VALUES "
    whole = len(plain) - len(plain) % _AT_ONCE
    many = (plain[at : at + _AT_ONCE] for at in range(0, whole, _AT_ONCE))
    laid = (
        [item for row, col, kind, text, style in cells for item in (row, col, kind, text, known.get(style))]
        for cells in many
    )
    raw.executemany(put + ", ".join([one] * _AT_ONCE), laid)
    raw.executemany(put + one, ((*cell[:4], known.get(cell[4])) for cell in plain[whole:]))
    if extras:
        raw.executemany(_PUT, _rows(book, tab, content, sheet))


def _rows(book: Spreadsheet, tab: Tab, content: Content, sheet: Sheet) -> Iterator[tuple[object, ...]]:
    """Write cells that have a note, a validation or runs."""
    formats, number, file = content.formats, tab.id, book.file.id
    held = {cell[:2]: cell for cell in sheet.cells if cell[:2] in sheet.extras}
    for at, extra in sheet.extras.items():
        _, _, kind, text, style = held.get(at, (*at, "", "", 0))
        format = formats[style] if style < len(formats) else None
        if kind or format or extra.note or extra.validation:
            yield (
                number,
                *at,
                file,
                kind,
                text,
                format,
                extra.note,
                extra.validation,
                extra.runs if kind == "text" else None,
            )


def _lay(book: Spreadsheet, tab: Tab, thing: RangeObject, rank: int) -> None:
    spec = thing.spec
    if thing.kind == "conditional_format":
        spec = {**spec, "ranges": [grid_ranges.grid_range(tab, Area(*bounds)) for bounds in spec["ranges"]]}
    if thing.kind == "protected_range":
        spec = {**spec, "editors": {"users": [book.call.me.email]}}
    ranked = rank if thing.kind == "conditional_format" else 0
    book.add_object(thing.kind, tab, _on_sheet(thing.area, tab), spec, position=ranked)


def _on_sheet(area: Area, tab: Tab) -> Area:
    bottom = None if area.bottom is None else min(area.bottom, tab.rows)
    return Area(area.top, area.left, bottom, None if area.right is None else min(area.right, tab.columns))


def cells(content: Content, sheet: Sheet, down: int, across: int) -> list[tuple[int, int, Cell]]:
    """Return a sheet's cells moved to another position, ready to be written."""
    made: list[tuple[int, int, Cell]] = []
    for row, column, kind, text, style in sheet.cells:
        format = content.formats[style] if style < len(content.formats) else None
        made.append((row + down, column + across, BLANK._replace(entry=Entry(kind, text), format=format)))  # type: ignore[arg-type]
    return made
