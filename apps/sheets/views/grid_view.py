"""Cells and sheets for the page's grid: displayed texts, formula bar texts, and formats, each format once."""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from types import NoneType
from typing import Any, NamedTuple

import orjson

from apps.sheets import formats
from apps.sheets.cells import Area, Entry, Fault, Value
from apps.sheets.formats import entry
from apps.sheets.grid import protection, smart_chips
from apps.sheets.grid.conditions import Conditions
from apps.sheets.grid.effective_formats import effective_formats
from apps.sheets.grid.stored_cells import BLANK, Cell
from apps.sheets.json_columns import read_format, read_rule
from apps.sheets.spreadsheet import Spreadsheet
from apps.sheets.structure.grid_ranges import bounds
from apps.sheets.structure.objects import list_objects
from apps.sheets.structure.sheets import sheet_properties
from apps.sheets.structure.tabs import Tab
from apps.sheets.vendor_types import Border, CellFormat, Color, ColorStyle, ValidationRule
from world.core.json_types import JsonObject

Style = dict[str, Any]
PLAIN = BLANK[1:]
MOST_CELLS, MOST_POINTS = 20_000, 1_000  # of one window, of one line of a chart
_LINK = re.compile(r'=HYPERLINK\(\s*"([^"]*)"', re.IGNORECASE)
LEADS = re.compile(r"https?:|mailto:", re.IGNORECASE)  # other addresses are shown as text
BORDERS = ("top", "right", "bottom", "left")
TEXT = {"bold": "b", "italic": "i", "underline": "u", "strikethrough": "s", "fontFamily": "ff", "fontSize": "fs"}
PLACED = {"horizontalAlignment": "h", "verticalAlignment": "v", "wrapStrategy": "w"}
_COMMENTS = (
    "SELECT row, col, count(*) FROM drive_comment WHERE file_id = :file AND sheet_id = :sheet AND row IS NOT NULL AND"
    " parent_id IS NULL AND deleted_at IS NULL AND NOT resolved GROUP BY row, col"
)
_SIZES = "SELECT axis, at, size, hidden, filtered FROM sheets_dimension WHERE sheet_id = :sheet ORDER BY axis, at"


def colour(given: Color | None, style: ColorStyle | None = None) -> str | None:
    """A vendor's colour as `#rrggbb`."""
    rgb = (style or {}).get("rgbColor") or given
    if rgb is None:
        return None
    return "#" + "".join(
        f"{min(255, max(0, round(float(rgb.get(part) or 0) * 255))):02x}" for part in ("red", "green", "blue")
    )


def look(style: CellFormat) -> Style:
    """A CellFormat in the page's short words."""
    text = style.get("textFormat") or {}
    told: Style = {short: text[name] for name, short in TEXT.items() if text.get(name)}
    told |= {short: style[name] for name, short in PLACED.items() if style.get(name)}
    ink, paper = colour(text.get("foregroundColor"), text.get("foregroundColorStyle")), _paper(style)
    told |= {name: value for name, value in (("fg", ink), ("bg", paper)) if value}
    if LEADS.match(uri := (text.get("link") or {}).get("uri") or ""):
        told["l"] = uri
    borders = style.get("borders") or {}
    lines = [_line(borders.get(side)) for side in BORDERS]
    if any(lines):
        told["bd"] = lines
    number = style.get("numberFormat") or {}
    if number:
        told["nf"] = [number.get("type", ""), number.get("pattern", "")]
    return told


def _paper(style: CellFormat) -> str | None:
    paper = colour(style.get("backgroundColor"), style.get("backgroundColorStyle"))
    return None if paper == "#ffffff" else paper


def _line(border: Border | None) -> list[str] | int:
    kind = (border or {}).get("style", "NONE")
    if kind in ("NONE", "STYLE_UNSPECIFIED"):
        return 0
    return [kind, colour((border or {}).get("color"), (border or {}).get("colorStyle")) or "#000000"]


class StyleTable:
    """The looks of a window, each under a number; 0 is the plain one."""

    def __init__(self) -> None:
        self.listed: list[Style] = [{}]
        self._numbers: dict[bytes, int] = {b"{}": 0}
        self._read: dict[str | None, Style] = {None: {}}

    def of(self, text: str | None) -> Style:
        """The look of a kept format."""
        if text not in self._read:
            self._read[text] = look(read_format(text))
        return self._read[text]

    def number(self, style: Style) -> int:
        """Its number."""
        key = orjson.dumps(style, option=orjson.OPT_SORT_KEYS)
        if key not in self._numbers:
            self._numbers[key] = len(self.listed)
            self.listed.append(style)
        return self._numbers[key]


def window(book: Spreadsheet, tab: Tab, wanted: Area) -> dict[str, object]:
    """The cells of an area that show anything: row, column, text, kind, look, and what else there is to say of them;
    frozen ones too.
    """
    area = limit_area(wanted.within(tab.rows, tab.columns))
    drawing = SheetDrawing(book, tab)
    cells = [cell for one in (area, *list_frozen_areas(tab, area)) for cell in drawing.cells(one)]
    return {"gid": tab.gid, "area": list(area), "looks": drawing.looks.listed, "cells": cells}


def list_frozen_areas(tab: Tab, area: Area) -> list[Area]:
    """Return the parts of frozen rows and columns beside an area, without the part inside it."""
    rows, columns = min(tab.frozen_rows, area.top), min(tab.frozen_columns, area.left)
    sides = [Area(0, area.left, rows, area.right), Area(area.top, 0, area.bottom, columns), Area(0, 0, rows, columns)]
    return [one for one in sides if (one.bottom or 0) > one.top and (one.right or 0) > one.left]


class SheetDrawing:
    """Draws the cells of a sheet, and collects their formats."""

    def __init__(self, book: Spreadsheet, tab: Tab) -> None:
        self.book, self.tab, self.looks = book, tab, StyleTable()
        self.notes, self.conditions = comments(book, tab), Conditions(book)

    def cells(self, area: Area) -> Iterator[list[Any]]:
        """The cells of an area that show anything."""
        held, drawn, notes = self.book.cells(self.tab, area), effective_formats(self.book, self.tab, area), self.notes
        for row, line in enumerate(self.book.read_values(self.tab, area), area.top):
            for column, value in enumerate(line, area.left):
                at = (row, column)
                cell = held.get(at, BLANK)
                if at in drawn or at in notes or cell[1:] != PLAIN:
                    yield [*at, *self._render_cell(at, cell, value, drawn.get(at))]
                elif value is not None or cell is not BLANK:
                    yield self._plain(row, column, cell, value)

    def _plain(self, row: int, column: int, cell: Cell, value: Value) -> list[object]:
        """A cell with nothing but its content."""
        kind, typed = cell.entry
        if isinstance(value, float) and kind == "number":
            text = formats.format_value(value, None, self.book.locale)
            return (
                [row, column, text, "n", 0]
                if text == typed
                else [row, column, *self._render_cell((row, column), cell, value, None)]
            )
        if isinstance(value, str) and kind == "text":
            bar = _to_typed_text(typed, self.book.locale)
            return [row, column, value, "t" if value else "", 0, *([{"e": bar}] if bar != value else [])]
        return [row, column, *self._render_cell((row, column), cell, value, None)]

    def _render_cell(self, at: tuple[int, int], cell: Cell, value: Value, drawn: CellFormat | None) -> list[object]:
        """Text, kind, the number of the look, and more if there is any."""
        told = _cell_view(self.book, self.tab, at, cell, value, drawn)
        style = self.looks.of(cell.format) if drawn is None else look(drawn)
        number = self.looks.number({**style, "fg": told.ink} if told.ink else style)
        more = _more(told, cell, self.notes.get(at, 0), self.conditions, self.tab)
        if cell.runs and (found := smart_chips.pieces(self.book.call, cell)):
            return [smart_chips.label(found), "t", number, {**(more[0] if more else {}), "e": told.typed, "k": found}]
        return [told.text, kind_of(value), number, *more]


@lru_cache(maxsize=8192)
def _to_typed_text(text: str, locale: str) -> str:
    return entry.render_entry(Entry("text", text), None, locale)


def limit_area(area: Area, most: int = MOST_CELLS) -> Area:
    """Limit an area to as many cells as a window may have."""
    width = max((area.right or 0) - area.left, 1)
    return area._replace(bottom=min(area.bottom or 0, area.top + max(most // width, 1)))


def comments(book: Spreadsheet, tab: Tab) -> dict[tuple[int, int], int]:
    """Count the open comments on each cell."""
    found: dict[tuple[int, int], int] = {}
    for line, across, count in book.call.all(_COMMENTS, {"file": book.file.id, "sheet": tab.id}):
        row, column = tab.down.place(line), tab.across.place(across)
        if row is not None and column is not None:
            found[row, column] = count
    return found


class CellView(NamedTuple):
    """Display of a cell: its value, text, number format, formula bar text, and the colour of its number format."""

    value: Value
    text: str
    typed: str
    ink: str | None


def _cell_view(
    book: Spreadsheet, tab: Tab, at: tuple[int, int], cell: Cell, value: Value, drawn: CellFormat | None
) -> CellView:
    number = read_format(cell.format).get("numberFormat") if cell.format else None
    if drawn and not number:
        number = drawn.get("numberFormat")
    computed = cell.entry.kind in ("formula", "") and not isinstance(
        value, (bool, str, Fault, NoneType)
    )  # by it, or by one that fills it
    hint = book.engine.hint(tab.id, *at) if number is None and computed else ""
    typed = entry.render_entry(cell.entry, number, book.locale) if cell.entry.kind else ""
    ink = formats.colour(value, number, book.locale) if number else None
    return CellView(value, formats.format_value(value, number, book.locale, hint), typed, ink)


def _more(told: CellView, cell: Cell, notes: int, conditions: Conditions, tab: Tab) -> list[JsonObject]:
    """Return further facts about a cell for the page; empty for most."""
    more: dict[str, object] = {}
    value = told.value
    if told.typed != told.text:
        more["e"] = told.typed
    if isinstance(value, float) and str(value) != told.text and f"{value:g}" != told.text:
        more["x"] = value
    if isinstance(value, Fault):
        more["m"] = value.message or "Error"
    more |= {name: said for name, said in (("n", cell.note), ("c", notes)) if said}
    if link := _LINK.match(cell.entry.input) if cell.entry.kind == "formula" else None:
        more |= {"l": link[1]} if LEADS.match(link[1]) else {}
    if cell.validation:
        more["v"] = choices(conditions, tab, read_rule(cell.validation))
    return [more] if more else []


def kind_of(value: Value) -> str:
    """n, t, b, e, or empty."""
    if isinstance(value, bool):
        return "b"
    return "n" if isinstance(value, (int, float)) else "e" if isinstance(value, Fault) else "t" if value else ""


def choices(conditions: Conditions, tab: Tab, rule: ValidationRule) -> JsonObject:
    """A validation rule for the page: a check box, or a list to choose from."""
    condition = rule.get("condition") or {}
    if condition.get("type") == "BOOLEAN":
        return {"box": [str(one.get("userEnteredValue", "")) for one in condition.get("values") or []][:2]}
    if condition.get("type") in ("ONE_OF_LIST", "ONE_OF_RANGE"):
        return {"list": (conditions.choices(tab, condition) or [])[:500]}
    return {"rule": condition.get("type", ""), "help": rule.get("inputMessage", "")}


def texts(book: Spreadsheet, tab: Tab, area: Area) -> list[list[str]]:
    """Return the displayed texts of an area's cells."""
    styles, out = book.formats(tab, area), list[list[str]]()
    for row, line in enumerate(book.read_values(tab, area), area.top):
        numbers = [styles.get((row, column), {}).get("numberFormat") for column in range(area.left, area.right or 0)]
        out.append(
            [formats.format_value(value, number, book.locale) for value, number in zip(line, numbers, strict=True)]
        )
    return out


def sheet(book: Spreadsheet, tab: Tab) -> dict[str, Any]:
    """The shape of a sheet and what lies on it."""
    told = sheet_properties(tab)
    grid = told["gridProperties"]
    filtered = list_objects(book, "basic_filter", tab)
    return {
        "gid": tab.gid,
        "title": tab.title,
        "rows": tab.rows,
        "columns": tab.columns,
        "frozen": [tab.frozen_rows, tab.frozen_columns],
        "lines": not grid.get("hideGridlines"),
        **dimensions(book, tab),
        "merges": [list(one.area.within(tab.rows, tab.columns)) for one in list_objects(book, "merge", tab)],
        **protection.protection_view(book, tab),
        "filter": [{"area": list(one.area.within(tab.rows, tab.columns)), "spec": one.spec} for one in filtered],
        "charts": charts(book, tab),
        "rules": [one.spec for one in list_objects(book, "conditional_format", tab)],
    }


def charts(book: Spreadsheet, tab: Tab) -> list[dict[str, object]]:
    """The charts that lie over a sheet, with what they show."""
    found = (
        (one.key, one.spec.get("spec") or one.spec, one.spec.get("position") or {})
        for one in list_objects(book, "chart", tab)
    )
    return [
        _chart(book, key, spec, place["overlayPosition"]) for key, spec, place in found if "overlayPosition" in place
    ]


def _chart(book: Spreadsheet, key: str, spec: dict[str, Any], place: dict[str, Any]) -> dict[str, Any]:
    basic, pie = spec.get("basicChart"), spec.get("pieChart")
    domain = (basic.get("domains") or [{}])[0].get("domain") if basic else (pie or {}).get("domain")
    sources = [one.get("series") for one in basic.get("series") or []] if basic else [(pie or {}).get("series")]
    names, *lists = [_source(book, source) for source in (domain, *sources)]
    heads = basic.get("headerCount") if basic else None
    if heads is None:
        heads = int(bool(lists) and bool(lists[0]) and not isinstance(lists[0][0][1], float))
    series = [
        {
            "name": line[0][0] if heads and line else f"Series {number}",
            "values": [value if isinstance(value, float) else 0 for _, value in line[heads:]],
        }
        for number, line in enumerate(lists, 1)
    ]
    kind = (basic.get("chartType") or "COLUMN") if basic else "PIE" if pie else ""
    return {
        "id": key,
        "title": spec.get("title", ""),
        "kind": kind,
        "place": place,
        "names": [text for text, _ in names[heads:]],
        "series": series,
    }


def _source(book: Spreadsheet, source: dict[str, Any] | None) -> list[tuple[str, Value]]:
    """Texts and values of the first range of a chart's source."""
    ranges = ((source or {}).get("sourceRange") or {}).get("sources") or []
    tab = next((tab for tab in book.tabs if ranges and tab.gid == (ranges[0].get("sheetId") or 0)), None)
    if tab is None:
        return []
    area = limit_area(bounds(ranges[0]).within(tab.rows, tab.columns), MOST_POINTS)
    lines = zip(texts(book, tab, area), book.read_values(tab, area), strict=True)
    return [(text, value) for shown, values in lines for text, value in zip(shown, values, strict=True)]


def dimensions(book: Spreadsheet, tab: Tab) -> dict[str, object]:
    """Rows and columns that are not as usual: sizes, and runs of hidden ones."""
    sizes: dict[str, list[list[int]]] = {"ROWS": [], "COLUMNS": []}
    hidden: dict[str, list[list[int]]] = {"ROWS": [], "COLUMNS": []}
    for axis, at, size, by_hand, by_filter in book.call.all(_SIZES, {"sheet": tab.id}):
        if size:
            sizes[axis].append([at, size])
        if by_hand or by_filter:
            runs = hidden[axis]
            if runs and runs[-1][1] == at and runs[-1][2] == int(by_filter and not by_hand):
                runs[-1][1] = at + 1
            else:
                runs.append([at, at + 1, int(by_filter and not by_hand)])
    return {
        "heights": sizes["ROWS"],
        "widths": sizes["COLUMNS"],
        "hiddenRows": hidden["ROWS"],
        "hiddenColumns": hidden["COLUMNS"],
    }


def tabs(book: Spreadsheet) -> list[dict[str, Any]]:
    """All sheets of the spreadsheet."""
    return [
        {
            "gid": tab.gid,
            "title": tab.title,
            "hidden": tab.hidden,
            "colour": colour(tab.properties.get("tabColor"), tab.properties.get("tabColorStyle")),
        }
        for tab in book.tabs
    ]


def names(book: Spreadsheet) -> list[dict[str, Any]]:
    """The named ranges."""
    return [
        {"id": one.key, "name": one.name, "gid": tab.gid, "area": list(one.area.within(tab.rows, tab.columns))}
        for one in list_objects(book, "named_range")
        if (tab := one.find_tab(book))
    ]


def around(cells: Iterable[tuple[int, int]]) -> list[int]:
    """The smallest area that holds cells."""
    places = list(cells)
    rows, columns = [at[0] for at in places], [at[1] for at in places]
    return [min(rows), min(columns), max(rows) + 1, max(columns) + 1]
