"""Requests that move cells about: insertRange, deleteRange, cutPaste, copyPaste, pasteData."""

import csv
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from io import StringIO
from typing import Any

import orjson

from apps.sheets.cells import EMPTY, Area, Entry, Fault, Value
from apps.sheets.formats.entry import shortest_number
from apps.sheets.grid import protection
from apps.sheets.grid.stored_cells import BLANK, Cell
from apps.sheets.json_columns import decode_object, encode_object
from apps.sheets.operations.requests.dimensions import axis_of, merges
from apps.sheets.operations.requests.registry import RequestArguments, request
from apps.sheets.operations.value_input import MOST_LETTERS, parse_value
from apps.sheets.spreadsheet import Spreadsheet
from apps.sheets.structure import formula_references
from apps.sheets.structure.grid_ranges import bounds, grid_range
from apps.sheets.structure.range_shifts import Cut, Shift
from apps.sheets.structure.row_updates import drop, ends, follow, shift
from apps.sheets.structure.sheets import grow_tab
from apps.sheets.structure.tabs import Tab
from world.core.errors import OperationError

Cells = dict[tuple[int, int], Cell]
PASTES = ("NORMAL", "VALUES", "FORMAT", "NO_BORDERS", "FORMULA", "DATA_VALIDATION", "CONDITIONAL_FORMATTING")


def area_sides(tab: Tab, area: Area) -> tuple[int, int, int, int]:
    """An area's sides on its sheet."""
    inner = area.within(tab.rows, tab.columns)
    return inner.top, inner.left, inner.bottom or 0, inner.right or 0


def check_merges(book: Spreadsheet, asked: RequestArguments, tab: Tab, area: Area, problem: str) -> None:
    """No merge may lie across the edge of an area. Raises bad_request."""
    if any(merge.meets(area) and not area.covers(merge) for merge in merges(book, tab)):
        raise asked.wrong(problem)


def extend_to_edge(area: Area, axis: str, tab: Tab) -> Area:
    """Extend an area by everything that is shifted with it."""
    return (
        Area(area.top, area.left, tab.rows, area.right)
        if axis == "ROWS"
        else Area(area.top, area.left, area.bottom, tab.columns)
    )


def build_band_shift(tab: Tab, area: Area, axis: Any, kind: Any) -> Shift:
    """Build the change that inserts or deletes an area's cells."""
    top, left, bottom, right = area_sides(tab, area)
    if axis == "ROWS":
        return Shift(
            tab.gid,
            tab.title,
            kind,
            axis,
            top,
            bottom - top,
            band=None if (left, right) == (0, tab.columns) else (left, right),
        )
    return Shift(
        tab.gid,
        tab.title,
        kind,
        axis,
        left,
        right - left,
        band=None if (top, bottom) == (0, tab.rows) else (top, bottom),
    )


@request("insertRange")
def insert_range(book: Spreadsheet, asked: RequestArguments) -> None:
    """Insert empty cells; those that stood there go down or to the right."""
    tab, whole = asked.grid(book)
    axis, area = axis_of(asked, asked.given, "shiftDimension"), whole.within(tab.rows, tab.columns)
    moved = extend_to_edge(area, axis, tab)
    protection.check_area(book, tab, moved)
    check_merges(book, asked, tab, moved, "You cannot insert or delete cells over a merged range.")
    change = build_band_shift(tab, area, axis, "insert")
    _make_room(book, asked, tab, moved, change)
    shift(book, book.tab(tab.gid), change)
    _drop_pushed_off(book, book.tab(tab.gid))


def _make_room(book: Spreadsheet, asked: RequestArguments, tab: Tab, moved: Area, change: Shift) -> None:
    """Let the sheet grow when cells with something in them would fall off its end."""
    places = [at[0 if change.axis == "ROWS" else 1] for at, cell in book.cells(tab, moved).items() if cell.entry.kind]
    needed = max(places, default=-1) + 1 + change.count
    rows, columns = (needed, 0) if change.axis == "ROWS" else (0, needed)
    grow_tab(book, asked.wrong, tab, max(tab.rows, rows), max(tab.columns, columns))


def _drop_pushed_off(book: Spreadsheet, tab: Tab) -> None:
    """Drop what was pushed off the sheet."""
    for change in ends(tab, tab.rows, tab.columns):
        drop(book, tab, change)
    clip = "UPDATE sheets_object SET {0} = :most WHERE sheet_id = :sheet AND {0} > :most"
    book.call.execute(clip.format("bottom"), {"sheet": tab.id, "most": tab.rows})
    book.call.execute(clip.format("right"), {"sheet": tab.id, "most": tab.columns})
    book.call.execute(
        "DELETE FROM sheets_object WHERE sheet_id = :sheet AND (top >= :rows OR left >= :columns)",
        {"sheet": tab.id, "rows": tab.rows, "columns": tab.columns},
    )


@request("deleteRange")
def delete_range(book: Spreadsheet, asked: RequestArguments) -> None:
    """Delete cells; those below or to the right take their place."""
    tab, whole = asked.grid(book)
    axis, area = axis_of(asked, asked.given, "shiftDimension"), whole.within(tab.rows, tab.columns)
    moved = extend_to_edge(area, axis, tab)
    protection.check_area(book, tab, moved)
    inside = [merge for merge in merges(book, tab) if area.covers(merge)]
    if any(merge.meets(moved) and not moved.covers(merge) for merge in merges(book, tab)) or any(
        merge.meets(area) and merge not in inside for merge in merges(book, tab)
    ):
        raise asked.wrong("You cannot insert or delete cells over a merged range.")
    shift(book, tab, build_band_shift(tab, area, axis, "delete"))


# pasting


def paste_type(asked: RequestArguments, name: str = "pasteType") -> str:
    """Return the paste type without its prefix. Raises bad_request."""
    kind = asked.get(name, "PASTE_NORMAL").removeprefix("PASTE_")
    if kind not in PASTES:
        raise asked.wrong(f"Invalid value at '{name}', \"{asked.get(name)}\"")
    return kind


def paste_cell(kind: str, new: Cell, old: Cell, value: Value) -> Cell:
    """Paste one cell over another; the cell that results."""
    if kind == "NORMAL":
        return new
    if kind == "NO_BORDERS":
        return new._replace(format=_with_borders(new.format, old.format))
    if kind == "VALUES":
        return old._replace(entry=_still(new.entry, value), runs=None)
    if kind == "FORMAT":
        return old._replace(format=new.format, validation=new.validation)
    if kind == "FORMULA":
        return old._replace(entry=new.entry, runs=new.runs)
    return old._replace(validation=new.validation) if kind == "DATA_VALIDATION" else old


def _with_borders(new: str | None, old: str | None) -> str | None:
    """A format with the borders of another one."""
    wanted = {name: item for name, item in decode_object(new).items() if name != "borders"}
    borders = decode_object(old).get("borders")
    return encode_object({**wanted, "borders": borders} if borders else wanted)


def _still(entry: Entry, value: Value) -> Entry:
    """Return a formula's value as a typed entry."""
    if entry.kind != "formula":
        return entry
    if isinstance(value, bool):
        return Entry("boolean", str(value).upper())
    if isinstance(value, (int, float)):
        return Entry("number", shortest_number(value))
    if isinstance(value, Fault):
        return Entry("formula", f"={value.code}") if value.code.startswith("#") else EMPTY
    return Entry("text", value) if value else EMPTY


def write_over(
    book: Spreadsheet, asked: RequestArguments, tab: Tab, cells: dict[tuple[int, int], tuple[Cell, Value]], kind: str
) -> None:
    """Paste cells at places; the sheet grows if it must. Raises protected."""
    if not cells:
        return
    rows, columns = [at[0] for at in cells], [at[1] for at in cells]
    area = Area(min(rows), min(columns), max(rows) + 1, max(columns) + 1)
    grow_tab(book, asked.wrong, tab, max(tab.rows, area.bottom or 0), max(tab.columns, area.right or 0))
    tab = book.tab(tab.gid)
    protection.check(book, tab, list(cells))
    old = book.cells(tab, area)
    book.put(tab, [(*at, paste_cell(kind, cell, old.get(at, BLANK), value)) for at, (cell, value) in cells.items()])


@request("cutPaste")
def cut_paste(book: Spreadsheet, asked: RequestArguments) -> None:
    """Move cells to another place; formulas that read them follow."""
    tab, whole = asked.grid(book, "source")
    kind = paste_type(asked)
    target, row, column = asked.cell(book, "destination")
    top, left, bottom, right = area_sides(tab, whole)
    source = Area(top, left, bottom, right)
    goal = Area(row, column, row + bottom - top, column + right - left)
    protection.check_area(book, tab, source)
    check_merges(book, asked, tab, source, "You can't perform a cut that partially intersects a merge.")
    grow_tab(book, asked.wrong, target, max(target.rows, goal.bottom or 0), max(target.columns, goal.right or 0))
    tab, target = book.tab(tab.gid), book.tab(target.gid)
    check_merges(book, asked, target, goal, "You can't perform a paste that partially intersects a merge.")
    protection.check_area(book, target, goal)
    change = Cut(tab.gid, tab.title, source, target.gid, target.title, row, column)
    held = book.cells(tab, source)
    values = {at: book.engine.value(tab.id, *at) for at in held} if kind == "VALUES" else {}
    _unmerge(book, target, goal, unless=source if tab.gid == target.gid else None)
    book.put(tab, [(*at, BLANK) for at in held])
    follow(book, change)
    carried = {
        (at[0] - top + row, at[1] - left + column): (_along(cell, change), values.get(at)) for at, cell in held.items()
    }
    _lay_down(book, target, goal, carried, kind)
    book.reshape()


def _along(cell: Cell, change: Cut) -> Cell:
    """A cell that is moved, with its formula."""
    return (
        cell._replace(entry=Entry("formula", change.along(cell.entry.input))) if cell.entry.kind == "formula" else cell
    )


def _lay_down(
    book: Spreadsheet, tab: Tab, goal: Area, cells: dict[tuple[int, int], tuple[Cell, Value]], kind: str
) -> None:
    """Paste over an area; what has no counterpart is blank."""
    old = book.cells(tab, goal)
    places = {**dict.fromkeys(old, (BLANK, None)), **cells}
    book.put(tab, [(*at, paste_cell(kind, cell, old.get(at, BLANK), value)) for at, (cell, value) in places.items()])


def _unmerge(book: Spreadsheet, tab: Tab, area: Area, *, unless: Area | None = None) -> None:
    """Take away the merges within an area, apart from those that are on the way themselves."""
    sql = "DELETE FROM sheets_object WHERE kind = 'merge' AND sheet_id = :sheet AND top = :top AND left = :left"
    for merge in merges(book, tab):
        if area.covers(merge) and not (unless and unless.covers(merge)):
            book.call.execute(sql, {"sheet": tab.id, "top": merge.top, "left": merge.left})
            book.note("unmerge", tab.id, list(merge))


@request("copyPaste")
def copy_paste(book: Spreadsheet, asked: RequestArguments) -> None:
    """Copy cells, over and over where the destination is larger; formulas keep their relative references."""
    (tab, whole), kind = asked.grid(book, "source"), paste_type(asked)
    turned = asked.get("pasteOrientation", "NORMAL") == "TRANSPOSE"
    source = whole.within(tab.rows, tab.columns)
    top, left, bottom, right = area_sides(tab, whole)
    target, wanted = asked.grid(book, "destination")
    height, width = (right - left, bottom - top) if turned else (bottom - top, right - left)
    goal = _get_paste_area(target, wanted, height, width)
    asked.claim(book, goal)
    check_merges(book, asked, tab, source, "You can't perform a paste that partially intersects a merge.")
    check_merges(book, asked, target, goal, "You can't perform a paste that partially intersects a merge.")
    held = book.cells(tab, source)
    values = {at: book.engine.value(tab.id, *at) for at in held} if kind == "VALUES" else {}
    copied: dict[tuple[int, int], tuple[Cell, Value]] = {}
    for at, (line, place) in _places(source, goal, height, width, turned):
        cell = held.get((line, place), BLANK)
        copied[at] = (
            _shift_formula(cell, at[0] - line, at[1] - place) if kind != "VALUES" else cell,
            values.get((line, place)),
        )
    write_over(book, asked, target, copied, kind)
    target = book.tab(target.gid)
    if kind in ("NORMAL", "NO_BORDERS", "FORMAT"):
        _copy_merges(book, book.tab(tab.gid), source, target, goal, turned)
    if kind in ("NORMAL", "NO_BORDERS", "FORMAT", "CONDITIONAL_FORMATTING"):
        _copy_rules(book, book.tab(tab.gid), source, target, goal)


def _get_paste_area(tab: Tab, wanted: Area, height: int, width: int) -> Area:
    """Return the paste area: the destination if it is a multiple of the source, else the source's size there."""
    row, column, bottom, right = area_sides(tab, wanted)
    high, wide = bottom - row, right - column
    high = high if high % height == 0 and high else height
    wide = wide if wide % width == 0 and wide else width
    return Area(row, column, row + high, column + wide)


def _places(
    source: Area, goal: Area, height: int, width: int, turned: bool
) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
    """Each cell of the destination with the cell it comes from."""
    for row in range(goal.top, goal.bottom or 0):
        for column in range(goal.left, goal.right or 0):
            down, along = (row - goal.top) % height, (column - goal.left) % width
            yield (row, column), (source.top + (along if turned else down), source.left + (down if turned else along))


def _shift_formula(cell: Cell, rows: int, columns: int) -> Cell:
    """Copy a cell, its formula's relative references moved along."""
    return (
        cell._replace(entry=Entry("formula", formula_references.shift_formula(cell.entry.input, rows, columns)))
        if cell.entry.kind == "formula"
        else cell
    )


def _images(source: Area, goal: Area, inner: Area, turned: bool = False) -> Iterator[Area]:
    """Yield the areas in the destination that correspond to an area within the source."""
    height, width = (source.bottom or 0) - source.top, (source.right or 0) - source.left
    down, along = inner.top - source.top, inner.left - source.left
    high, wide = (inner.bottom or 0) - inner.top, (inner.right or 0) - inner.left
    if turned:
        height, width, down, along, high, wide = width, height, along, down, wide, high
    for row in range(goal.top, goal.bottom or 0, height):
        for column in range(goal.left, goal.right or 0, width):
            yield Area(row + down, column + along, row + down + high, column + along + wide)


def _copy_merges(book: Spreadsheet, tab: Tab, source: Area, target: Tab, goal: Area, turned: bool) -> None:
    """Merges of the source in the destination, in place of its own."""
    copied = [merge for merge in merges(book, tab) if source.covers(merge)]
    images = [image for merge in copied for image in _images(source, goal, merge, turned)]
    _unmerge(book, target, goal)
    for image in images:
        if not any(image.meets(other) for other in merges(book, target)):
            book.add_object("merge", target, image, {})


def _copy_rules(book: Spreadsheet, tab: Tab, source: Area, target: Tab, goal: Area) -> None:
    """Conditional formats of the source's cells reach to their copies too."""
    sql = (
        "SELECT id, spec FROM sheets_object WHERE file_id = :file AND kind = 'conditional_format' AND sheet_id = :sheet"
        " ORDER BY id"
    )
    if tab.gid != target.gid:
        return
    for id, text in book.call.all(sql, {"file": book.file.id, "sheet": tab.id}):
        spec = orjson.loads(text)
        parts = [_common(bounds(one).within(tab.rows, tab.columns), source) for one in spec.get("ranges", [])]
        images = [grid_range(target, image) for part in parts if part for image in _images(source, goal, part)]
        new = [one for one in images if one not in spec["ranges"]]
        if new:
            spec["ranges"] += new
            book.call.execute(
                "UPDATE sheets_object SET spec = :spec WHERE id = :id", {"id": id, "spec": encode_object(spec)}
            )
            book.note("rule", id, new)


def _common(one: Area, other: Area) -> Area | None:
    """Return the intersection of two closed areas; None for none."""
    if not one.meets(other):
        return None
    bottom, right = min(one.bottom or 0, other.bottom or 0), min(one.right or 0, other.right or 0)
    return Area(max(one.top, other.top), max(one.left, other.left), bottom, right)


class _Table(HTMLParser):
    """The cells of the tables in a piece of HTML; text outside of tables is lines of one cell."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: list[list[str]] = []
        self.skipped = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in ("tr", "p", "div", "li"):
            self.rows.append([])
        elif tag in ("td", "th"):
            self.rows = self.rows or [[]]
            self.rows[-1].append("")
        elif tag in ("script", "style"):
            self.skipped += 1

    def handle_endtag(self, tag: str) -> None:
        if tag in ("script", "style"):
            self.skipped = max(0, self.skipped - 1)

    def handle_data(self, data: str) -> None:
        text = " ".join(data.split())
        if not text or self.skipped:
            return
        self.rows = self.rows or [[]]
        self.rows[-1] = self.rows[-1] or [""]
        self.rows[-1][-1] = f"{self.rows[-1][-1]} {text}".strip()


def split_text(asked: RequestArguments, text: str, delimiter: str) -> list[list[str]]:
    """Lines of text as rows of cells; a cell in quotes may hold delimiters, lines and doubled quotes. Raises too_long."""
    if '"' not in text or len(delimiter) > 1 or delimiter in '"\r\n':
        return [line.split(delimiter) for line in re.split(r"\r\n|\r|\n", text.removesuffix("\n").removesuffix("\r"))]
    try:
        return list(csv.reader(StringIO(text, newline=""), delimiter=delimiter))
    except csv.Error:
        raise OperationError("too_long", place=asked.place, kind=asked.kind, most=MOST_LETTERS) from None


@request("pasteData")
def paste_data(book: Spreadsheet, asked: RequestArguments) -> None:
    """Paste delimited text or an HTML table, as if typed."""
    tab, row, column = asked.cell(book, "coordinate")
    kind, data = paste_type(asked, "type"), asked.get("data", "")
    if not isinstance(data, str):
        raise asked.wrong("data must be a text.")
    if bool(asked.get("html")) == bool(asked.get("delimiter")):
        raise asked.wrong("Exactly one of delimiter and html must be set.")
    rows = _html(data) if asked.get("html") else split_text(asked, data, asked.get("delimiter"))
    if kind not in ("FORMAT", "DATA_VALIDATION", "CONDITIONAL_FORMATTING"):
        type_in(
            book,
            asked,
            tab,
            {(line, place): text for line, texts in enumerate(rows, row) for place, text in enumerate(texts, column)},
        )


def _html(data: str) -> list[list[str]]:
    table = _Table()
    table.feed(data)
    table.close()
    return [row for row in table.rows if row]


def type_in(book: Spreadsheet, asked: RequestArguments, tab: Tab, texts: dict[tuple[int, int], str]) -> None:
    """Texts as a person would type them at places; the sheet grows if it must. Raises protected, too_long."""
    if not texts:
        return
    rows, columns = max(at[0] for at in texts) + 1, max(at[1] for at in texts) + 1
    grow_tab(book, asked.wrong, tab, max(tab.rows, rows), max(tab.columns, columns))
    tab = book.tab(tab.gid)
    protection.check(book, tab, list(texts))
    known = book.cells(tab, Area(min(at[0] for at in texts), min(at[1] for at in texts), rows, columns))
    book.put(tab, [(*at, type_text(book, known.get(at, BLANK), text)) for at, text in texts.items()])


def type_text(book: Spreadsheet, cell: Cell, text: str) -> Cell:
    """A cell with a text typed into it, and the number format that brings."""
    if len(text) > MOST_LETTERS:
        raise OperationError("too_long", most=MOST_LETTERS)
    entry, number = parse_value(book, text, "USER_ENTERED")
    style = decode_object(cell.format)
    if number is not None and "numberFormat" not in style:
        return cell._replace(entry=entry, runs=None, format=encode_object({**style, "numberFormat": number}))
    return cell._replace(entry=entry, runs=None)
