"""CellData, the vendor's whole description of a cell, made from a cell and read back into one."""

import re
from collections.abc import Iterator
from itertools import count

import orjson

from apps.sheets import formats
from apps.sheets.cells import Area, Entry, Fault, Value
from apps.sheets.grid import rich_text
from apps.sheets.grid.effective_formats import effective_formats, overlaid
from apps.sheets.grid.stored_cells import BLANK, Cell
from apps.sheets.json_columns import read_format
from apps.sheets.spreadsheet import Spreadsheet
from apps.sheets.structure import pivots
from apps.sheets.structure.tabs import Tab
from apps.sheets.vendor_types import CellFormat, Color
from world.core.json_types import JsonObject

ERRORS = {
    "#NULL!": "NULL_VALUE",
    "#DIV/0!": "DIVIDE_BY_ZERO",
    "#VALUE!": "VALUE",
    "#REF!": "REF",
    "#NAME?": "NAME",
    "#NUM!": "NUM",
    "#N/A": "N_A",
    "#ERROR!": "ERROR",
    "Loading...": "LOADING",
}
_HYPERLINK = re.compile(r'=HYPERLINK\(\s*"((?:[^"]|"")*)"', re.IGNORECASE)
WHITE: Color = {"red": 1, "green": 1, "blue": 1}
BLACK: Color = {}
# what a new spreadsheet's cells look like; observed in answers of spreadsheets.get
DEFAULT_FORMAT: CellFormat = {
    "backgroundColor": WHITE,
    "padding": {"top": 2, "right": 3, "bottom": 2, "left": 3},
    "verticalAlignment": "BOTTOM",
    "wrapStrategy": "OVERFLOW_CELL",
    "textFormat": {
        "foregroundColor": BLACK,
        "fontFamily": "arial,sans,sans-serif",
        "fontSize": 10,
        "bold": False,
        "italic": False,
        "strikethrough": False,
        "underline": False,
        "foregroundColorStyle": {"rgbColor": BLACK},
    },
    "backgroundColorStyle": {"rgbColor": WHITE},
}


def grid_rows(book: Spreadsheet, tab: Tab, area: Area) -> list[JsonObject]:
    """RowData of an area; a row without anything is an empty object, and none follow the last that has something."""
    held = book.cells(tab, area)
    values = book.read_values(tab, area)
    looks = effective_formats(book, tab, area)
    anchors: dict[int, list[int]] = {}
    for sheet, row, column in book.prepared.pivots:
        if sheet == tab.id and area.holds(row, column):
            anchors.setdefault(row, []).append(column)
    out: list[dict[str, object]] = []
    for row, line in enumerate(values, area.top):
        cells = [
            _cell_data(book, tab, at, held.get(at, BLANK), value, looks.get(at))
            for value, at in zip(line, _row(row, area.left), strict=False)
        ]
        for column in anchors.get(row, ()):
            cells[column - area.left]["pivotTable"] = pivots.to_pivot_table(
                book.prepared.pivots[tab.id, row, column].spec
            )
        while cells and not cells[-1]:
            cells.pop()
        out.append({"values": cells} if cells else {})
    while out and not out[-1]:
        out.pop()
    return out


def _row(row: int, left: int) -> Iterator[tuple[int, int]]:
    """The places of a row from a column on."""
    return ((row, column) for column in count(left))


def _cell_data(
    book: Spreadsheet, tab: Tab, at: tuple[int, int], cell: Cell, value: Value, look: CellFormat | None
) -> JsonObject:
    """One CellData; `look` is the cell's format where conditional formats and the like give it another than its own."""
    if look is None and cell[1:] == BLANK[1:]:
        return _bare(book, tab, at, cell.entry, value)
    style = read_format(cell.format)
    number = style.get("numberFormat")
    hint = "" if number or type(value) is not float or cell.entry.kind == "number" else book.engine.hint(tab.id, *at)
    told: dict[str, object] = {}
    if cell.entry.kind:
        told["userEnteredValue"] = render_entered_value(cell.entry)
    if value is not None and value != "":
        told |= {
            "effectiveValue": effective(value),
            "formattedValue": formats.format_value(value, number, book.locale, hint),
        }
    if style:
        told["userEnteredFormat"] = style
    if told or look:
        told["effectiveFormat"] = overlaid(DEFAULT_FORMAT, style if look is None else look)
    extra = {"note": cell.note, "dataValidation": cell.validation and orjson.loads(cell.validation)}
    told |= {name: item for name, item in extra.items() if item}
    return {**told, **_render_hyperlink(book, cell, style), **rich_text.to_cell_fields(cell.runs, cell.entry)}


def _render_hyperlink(book: Spreadsheet, cell: Cell, style: CellFormat) -> dict[str, object]:
    """Return the link of a cell: from its format, from one run over all of its text, or from a formula."""
    runs = rich_text.text_runs(cell.runs)
    links = [((run.get("format") or {}).get("link") or {}).get("uri") for run in runs]
    uri = links[0] if len(links) == 1 and not runs[0].get("startIndex") else None
    found = uri or ((style.get("textFormat") or {}).get("link") or {}).get("uri") if not any(links[1:]) else None
    link = _HYPERLINK.match(cell.entry.input) if cell.entry.kind == "formula" else None
    found = link[1].replace('""', '"') if link else found
    return {"hyperlink": found} if found else {}


def _bare(book: Spreadsheet, tab: Tab, at: tuple[int, int], entry: Entry, value: Value) -> JsonObject:
    """The CellData of a cell without looks or notes: most cells of large sheets."""
    if value is None or value == "":
        return (
            {"userEnteredValue": render_entered_value(entry), "effectiveFormat": DEFAULT_FORMAT} if entry.kind else {}
        )
    computed = effective(value)
    hint = book.engine.hint(tab.id, *at) if entry.kind in ("formula", "") else ""
    told = {
        "effectiveValue": computed,
        "formattedValue": formats.format_value(value, None, book.locale, hint),
        "effectiveFormat": DEFAULT_FORMAT,
    }
    if entry.kind == "formula":
        return {"userEnteredValue": render_entered_value(entry), **told, **_render_hyperlink(book, Cell(entry), {})}
    return {"userEnteredValue": computed, **told} if entry.kind else told


def render_entered_value(entry: Entry) -> JsonObject:
    """An ExtendedValue of what was typed."""
    if entry.kind == "number":
        return {"numberValue": _number(float(entry.input))}
    if entry.kind == "boolean":
        return {"boolValue": entry.input == "TRUE"}
    return {"formulaValue" if entry.kind == "formula" else "stringValue": entry.input}


def effective(value: Value) -> JsonObject:
    """An ExtendedValue of what a cell computes to."""
    if isinstance(value, Fault):
        return {
            "errorValue": {
                "type": ERRORS.get(value.code, "ERROR"),
                **({"message": value.message} if value.message else {}),
            }
        }
    if isinstance(value, bool):
        return {"boolValue": value}
    return {"numberValue": _number(value)} if isinstance(value, float) else {"stringValue": value}


def _number(value: float) -> float | int:
    return int(value) if value.is_integer() and abs(value) < 1e15 else value
