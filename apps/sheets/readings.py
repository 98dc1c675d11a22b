"""Texts that people read in the rows of spreadsheets: cells as the page draws them, and objects on ranges."""

from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from html import escape
from itertools import pairwise
from typing import NamedTuple

from apps.sheets import formats
from apps.sheets.app import app
from apps.sheets.book_copy import open_copy
from apps.sheets.cells import Area, Entry, Fault, Value
from apps.sheets.engine import literal
from apps.sheets.formats.faithfulness import find_other_value
from apps.sheets.grid import rich_text
from apps.sheets.grid.stored_cells import Cell
from apps.sheets.json_columns import read_format, read_rule
from apps.sheets.spreadsheet import Spreadsheet
from apps.sheets.structure.grid_ranges import bounds
from apps.sheets.structure.objects import list_objects
from apps.sheets.structure.tabs import Tab
from apps.sheets.vendor_types import NumberFormat, TextFormat
from apps.sheets.views.grid_view import SheetDrawing, Style, colour, limit_area, look
from world.core.reading.html import from_html
from world.core.reading.part import Lookup, Part, Row
from world.core.reading.passage import Mark, Passage
from world.core.reading.plain import from_plain

COLUMNS = ("kind", "input", "format", "runs")
SEEN_PX = 4  # of a row or a column; in smaller ones nobody reads anything
MOST_CELLS = 2_000  # of a rule's ranges that are looked at
_TITLES = frozenset(("title", "subtitle", "altText", "text", "name", "columnName", "description"))


class DrawnCell(NamedTuple):
    """A cell as the page draws it."""

    value: Value
    text: str
    style: Style
    number: NumberFormat | None
    hint: str
    link: str
    runs: str | None
    locale: str


@app.reads("sheets_cell")
def read_cell(row: Row, lookup: Lookup) -> Iterable[Part]:
    """Read a cell: its displayed text, its note, and the message and options of its rule."""
    if row["kind"]:
        yield _read_cell(row, lookup)
    if row["note"]:
        yield Part("aside", from_plain(row["note"]), ("note",), "supplement")
    if row["validation"]:
        rule = read_rule(row["validation"])
        values = (rule.get("condition") or {}).get("values") or []
        said = [rule.get("inputMessage") or "", *(str(one.get("userEnteredValue") or "") for one in values)]
        yield Part("aside", from_plain("\n".join(filter(None, said))), ("validation",), "supplement")


def _read_cell(row: Row, lookup: Lookup) -> Part:
    """Read the displayed text of a cell; a cell out of sight is an aside."""
    book = open_copy(lookup, row["file_id"])
    place = None if book is None else _find_place(book, row)
    shown = _draw_alone(row, "en_US" if book is None else book.locale)
    if book is not None and place is not None and lookup.row("sheets_cell", *_key(row)) == row:
        shown = _draw(book, *place) or shown
    kind = "aside" if book and (place is None or _is_out_of_sight(book, *place, lookup)) else "shown"
    return Part(kind, partial(_passage, shown), COLUMNS, tricks=partial(_other_values, shown))


def _key(row: Row) -> tuple[object, ...]:
    return row["sheet_id"], row["row"], row["col"]


def _other_values(shown: DrawnCell) -> Iterator[str]:
    why = find_other_value(shown.value, shown.text, shown.number, shown.locale, shown.hint)
    if why and shown.text.strip():
        yield why
    if shown.style.get("s") and shown.text.strip():
        yield "it is struck through"


# how it is drawn


def _find_place(book: Spreadsheet, row: Row) -> tuple[Tab, int, int] | None:
    """Return the sheet and present place of a cell; None once its line is deleted."""
    tab = next((tab for tab in book.tabs if tab.id == row["sheet_id"]), None)
    down = None if tab is None else tab.down.place(row["row"])
    across = None if tab is None else tab.across.place(row["col"])
    return None if tab is None or down is None or across is None else (tab, down, across)


def _draw(book: Spreadsheet, tab: Tab, row: int, column: int) -> DrawnCell | None:
    """Draw a cell with the page's own code: formulas computed, conditional formats applied; None for an empty one."""
    area = Area(row, column, row + 1, column + 1)
    drawing = SheetDrawing(book, tab)
    cell = book.cells(tab, area).get((row, column))
    if cell is None:
        return None
    (value,) = book.read_values(tab, area)[0]
    drawn = next(drawing.cells(area))
    style, more = drawing.looks.listed[drawn[4]], drawn[5] if len(drawn) > 5 else {}
    number, hint = _number_format(style), ""
    if number is None and cell.entry.kind == "formula" and isinstance(value, float):
        hint = book.engine.hint(tab.id, row, column)
    runs = None if "k" in more else cell.runs
    link = str(more.get("l") or style.get("l") or "")
    return DrawnCell(value, str(drawn[2]), style, number, hint, link, runs, book.locale)


def _number_format(style: Style) -> NumberFormat | None:
    kind, pattern = style.get("nf") or ("", "")
    return {"type": kind, "pattern": pattern} if kind or pattern else None


def _draw_alone(row: Row, locale: str) -> DrawnCell:
    """Draw a cell from its row alone, for one that was overwritten since."""
    entry, given = Entry(row["kind"], row["input"]), read_format(row["format"])
    value = row["input"] if entry.kind == "formula" else literal(*entry)
    number = None if entry.kind == "formula" else given.get("numberFormat")
    text = formats.format_value(value, number, locale)
    style = look(given)
    return DrawnCell(
        value, text, style, number, "", str(style.get("l") or ""), Cell(entry, runs=row["runs"]).runs, locale
    )


def _passage(shown: DrawnCell) -> Passage:
    """Return a cell's text with its formats; one without text hides its value."""
    if not shown.text.strip() and find_other_value(shown.value, shown.text, shown.number, shown.locale, shown.hint):
        hidden = f"{shown.value:.15g}" if isinstance(shown.value, (float, int)) else str(shown.value)
        return Passage(hidden, (Mark(0, len(hidden), "hidden"),))
    style = {} if shown.value in (None, 0) or isinstance(shown.value, Fault) else shown.style
    return from_html(f'<div style="white-space:pre;{_css(style)}">{"".join(_pieces(shown))}</div>')


def _css(style: Style) -> str:
    ink, paper, size = style.get("fg"), style.get("bg"), style.get("fs")
    found = {"color": ink, "background-color": paper, "font-size": f"{size}pt" if size else None}
    struck = "text-decoration:line-through;" if style.get("s") else ""
    return struck + "".join(f"{name}:{value};" for name, value in found.items() if value)


def _pieces(shown: DrawnCell) -> Iterator[str]:
    """The text in pieces that are dressed alike."""
    runs = rich_text.text_runs(shown.runs) if isinstance(shown.value, str) else []
    if not runs:
        yield _render_link(escape(shown.text), shown.link)
        return
    text = shown.text.encode("utf-16-le")
    starts = [int(run.get("startIndex") or 0) for run in runs]
    if starts[0]:
        yield escape(text[: 2 * starts[0]].decode("utf-16-le", "replace"))
    for (start, end), run in zip(pairwise([*starts, len(text) // 2]), runs, strict=True):
        piece = escape(text[2 * start : 2 * end].decode("utf-16-le", "replace"))
        given: TextFormat = run.get("format") or {}
        ink = colour(given.get("foregroundColor"), given.get("foregroundColorStyle"))
        style = {"fg": ink, "fs": given.get("fontSize"), "s": given.get("strikethrough")}
        yield f'<span style="{_css(style)}">{_render_link(piece, (given.get("link") or {}).get("uri") or "")}</span>'


def _render_link(piece: str, address: str) -> str:
    return f'<a href="{escape(address)}">{piece}</a>' if address else piece


# where it stands


def _is_out_of_sight(book: Spreadsheet, tab: Tab, row: int, column: int, lookup: Lookup) -> bool:
    """Whether a merge covers a cell, or somebody hid it after the run began."""
    merges = (merge.area for merge in list_objects(book, "merge", tab))
    if any(area.holds(row, column) and (area.top, area.left) != (row, column) for area in merges):
        return True
    before = lookup.before("sheets_sheet", tab.id)
    if tab.hidden and not (before and before["hidden"]):
        return True
    return any(_is_closed(lookup, tab, axis, at) for axis, at in (("ROWS", row), ("COLUMNS", column)))


def _is_closed(lookup: Lookup, tab: Tab, axis: str, at: int) -> bool:
    """Whether a line is hidden or unreadably small, and was not so before."""
    now, before = (read("sheets_dimension", tab.id, axis, at) for read in (lookup.row, lookup.before))
    return _closes(now) and not _closes(before)


def _closes(line: Row | None) -> bool:
    return line is not None and (bool(line["hidden"]) or (line["size"] is not None and line["size"] < SEEN_PX))


# what lies on ranges


@app.reads("sheets_sheet")
def read_sheet(row: Row, lookup: Lookup) -> Iterable[Part]:
    """A tab's title."""
    yield Part("heading", from_plain(row["title"]), ("title",))


@app.reads("sheets_object")
def read_object(row: Row, lookup: Lookup) -> Iterable[Part]:
    """Read an object on a range: its name, its titles, and the texts a conditional format hides."""
    if row["kind"] in ("merge", "group", "banding", "metadata", "basic_filter"):
        return
    if row["name"]:
        yield Part("heading", from_plain(row["name"]), ("name",))
    if row["kind"] == "conditional_format":
        yield Part("aside", Passage(""), ("spec",), "supplement", tricks=partial(_list_hidden_by_rule, row, lookup))
        return
    titles = "\n".join(_find_titles(row["spec"]))
    if titles:
        yield Part("aside", from_plain(titles), ("spec",), "supplement")


def _find_titles(value: object) -> Iterator[str]:
    """The texts of an object that people read."""
    if isinstance(value, list):
        for one in value:
            yield from _find_titles(one)
    if not isinstance(value, Mapping):
        return
    for name, one in value.items():
        if name in _TITLES and isinstance(one, str) and one.strip():
            yield one
        else:
            yield from _find_titles(one)


def _list_hidden_by_rule(row: Row, lookup: Lookup) -> Iterator[str]:
    """Yield the texts that a conditional format draws in the colour of the background."""
    book = open_copy(lookup, row["file_id"])
    tab = None if book is None else next((tab for tab in book.tabs if tab.id == row["sheet_id"]), None)
    if book is None or tab is None:
        return
    for one in row["spec"].get("ranges") or []:
        area = limit_area(bounds(one).within(tab.rows, tab.columns), MOST_CELLS)
        for at, cell in book.cells(tab, area).items():
            shown = _draw(book, tab, *at) if cell.entry.kind else None
            made = None if shown is None else _passage(shown)
            if made and shown and any(made.marked("hidden")) and not _is_hidden_alone(cell, shown):
                yield f"hides {shown.text!r} by a rule"
                return


def _is_hidden_alone(cell: Cell, shown: DrawnCell) -> bool:
    """Whether a cell's own format hides it, without any rule."""
    return any(_passage(shown._replace(style=look(read_format(cell.format)))).marked("hidden"))


app.declare_unread(
    {
        "sheets_dimension": "sizes; what they hide is read with the cells",
        "sheets_spreadsheet": "settings; its title is the file's name",
    }
)
