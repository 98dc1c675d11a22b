"""Cells of a sheet for other programs: displayed text, value, formula, style."""

from typing import NamedTuple

from apps.sheets.cells import Area, Value
from apps.sheets.files import delimited_text
from apps.sheets.grid.stored_cells import BLANK, Cell
from apps.sheets.spreadsheet import Spreadsheet
from apps.sheets.structure.tabs import Tab
from apps.sheets.views import grid_view
from apps.sheets.views.grid_view import Style


class DisplayedCell(NamedTuple):
    """A cell; its formula is empty if it has none."""

    text: str
    value: Value
    formula: str
    look: Style


def lines(book: Spreadsheet, tab: Tab) -> list[list[DisplayedCell]]:
    """Return the cells of a sheet up to the last non-empty one, line by line."""
    texts = delimited_text.list_displayed_rows(book, tab)
    if not texts:
        return []
    area, looks = Area(0, 0, len(texts), len(texts[0])), grid_view.StyleTable()
    held, values = book.cells(tab, area), book.values(tab, area)
    return [
        [
            _draw_cell(text, value, held.get((row, column), BLANK), looks)
            for column, (text, value) in enumerate(zip(line, found, strict=True))
        ]
        for row, (line, found) in enumerate(zip(texts, values, strict=True))
    ]


def _draw_cell(text: str, value: Value, cell: Cell, looks: grid_view.StyleTable) -> DisplayedCell:
    return DisplayedCell(text, value, cell.entry.input if cell.entry.kind == "formula" else "", looks.of(cell.format))
