"""References inside formula text, changed where rows, columns, cells, sheets and names move; all else stays as written.

Source: support.google.com/docs/answer/54813 (rows, columns and cells), support.google.com/docs/answer/75943 (references
to sheets).
"""

import re
from collections.abc import Callable
from functools import lru_cache
from typing import Literal, NamedTuple

from apps.sheets.a1 import MOST_COLUMNS, MOST_ROWS, column, letters, quote_sheet_name
from apps.sheets.cells import Area

Axis = Literal["ROWS", "COLUMNS"]
Span = tuple[int, int | None]
LOST = "#REF!"

_SHEET = r"(?:'(?:[^']++|'')*+'|[\w.]++)!"
_COLUMN, _ROW = r"\$?[A-Za-z]{1,3}", r"\$?[0-9]{1,8}"
_CELL = rf"{_COLUMN}{_ROW}"
_AREA = rf"{_CELL}(?::(?:{_CELL}|{_COLUMN}|{_ROW}))?|{_COLUMN}:(?:{_CELL}|{_COLUMN})|{_ROW}:(?:{_CELL}|{_ROW})"
_TOKEN = re.compile(
    r'(?P<sign>[^\w"\'\[\#$]++)|(?P<call>[^\W\d][\w.]*+\s*+\()|(?P<string>"(?:[^"]++|"")*+"?)|(?P<bracket>\[[^\[\]]*+\])'
    rf"|(?P<error>\#REF![\w$:]*+|\#[A-Za-z]++(?:/[A0])?[!?]?)|(?P<sheet>{_SHEET})?(?P<area>{_AREA})(?![\w.!$]|\s*+\()"
    rf"|(?P<alone>{_SHEET})|(?P<quoted>'(?:[^']++|'')*+'?)|(?P<number>[0-9][\w.]*+)|(?P<word>[^\W\d][\w.]*+)"
)
_CORNER = re.compile(r"(\$?)([A-Za-z]{1,3})?(\$?)([0-9]{1,8})?")


class Corner(NamedTuple):
    """One end of a reference; None for the half that is not written."""

    column: int | None
    row: int | None
    fixed_column: bool
    fixed_row: bool

    def text(self) -> str:
        """Render the corner for a formula."""
        written = "" if self.column is None else ("$" if self.fixed_column else "") + letters(self.column)
        return written if self.row is None else f"{written}{'$' if self.fixed_row else ''}{self.row + 1}"


class FormulaReference(NamedTuple):
    """A reference in a formula: where it stands, its sheet as written, and its ends."""

    start: int
    end: int
    prefix: str
    first: Corner
    last: Corner | None

    @property
    def sheet(self) -> str | None:
        """The title of the sheet that is written before it."""
        return title_of(self.prefix) if self.prefix else None

    def with_ends(self, first: Corner, last: Corner | None) -> str:
        """The reference with other ends."""
        return self.prefix + first.text() + (f":{last.text()}" if last else "")

    def span(self, axis: Axis) -> Span | None:
        """First and last index on an axis, None for an open end; None where the axis is not written."""
        one, other = _index(self.first, axis), _index(self.last or self.first, axis)
        if one is None or other is None:
            return None if one is other else (one if one is not None else other or 0, None)
        return min(one, other), max(one, other)

    def with_span(self, axis: Axis, span: Span) -> str:
        """The reference with other indices on an axis, each `$` kept."""
        low, high = span
        one, other = _index(self.first, axis), _index(self.last or self.first, axis)
        swapped = one is not None and other is not None and other < one
        first = _put_index(self.first, axis, high if swapped else low)
        last = _put_index(self.last, axis, low if swapped or high is None else high) if self.last else None
        return self.with_ends(first, last)


def _index(corner: Corner, axis: Axis) -> int | None:
    return corner.row if axis == "ROWS" else corner.column


def _put_index(corner: Corner, axis: Axis, index: int | None) -> Corner:
    """The corner with another index, where it has one on that axis."""
    if _index(corner, axis) is None or index is None:
        return corner
    place, row, fixed_column, fixed_row = corner
    return (
        Corner(place, index, fixed_column, fixed_row) if axis == "ROWS" else Corner(index, row, fixed_column, fixed_row)
    )


def title_of(prefix: str) -> str:
    """The title that `'It''s'!` or `Sheet1!` names."""
    title = prefix[:-1]
    return title[1:-1].replace("''", "'") if title.startswith("'") else title


@lru_cache(maxsize=4096)
def find_references(formula: str) -> tuple[FormulaReference, ...]:
    """The references of a formula, in order."""
    every = (_reference(token) for token in _TOKEN.finditer(formula) if token["area"])
    return tuple(each for each in every if each)


def _reference(token: re.Match[str]) -> FormulaReference | None:
    first, _, last = token["area"].partition(":")
    start, stop = _corner(first), _corner(last) if last else None
    if start is None or (last and stop is None):
        return None
    return FormulaReference(token.start(), token.end("area"), token["sheet"] or "", start, stop)


@lru_cache(maxsize=65_536)
def _corner(text: str) -> Corner | None:
    """The corner of `$B$2`, `B` or `$2`; None beyond the last row a sheet can have."""
    parts = _CORNER.fullmatch(text)
    if not parts:
        return None
    row = int(parts[4]) - 1 if parts[4] else None
    if row is not None and not 0 <= row < MOST_ROWS:
        return None
    if parts[2] is None:
        return Corner(None, row, False, bool(parts[1] or parts[3]))
    return Corner(column(parts[2]), row, bool(parts[1]), bool(parts[3]))


def _rewrite_references(formula: str, change: Callable[[FormulaReference], str | None]) -> str:
    """Rewrite each reference of a formula; None leaves one as written."""
    pieces: list[str] = []
    at = 0
    for each in find_references(formula):
        text = change(each)
        if text is not None:
            pieces += (formula[at : each.start], text)
            at = each.end
    return "".join((*pieces, formula[at:])) if pieces else formula


def shift_formula(formula: str, rows: int, columns: int) -> str:
    """Copy a formula a number of cells down and to the right: `$` stays, references off the sheet become `#REF!`."""

    def change(each: FormulaReference) -> str | None:
        first, last = (
            _move_corner(each.first, rows, columns),
            _move_corner(each.last, rows, columns) if each.last else None,
        )
        if first is None or (each.last and last is None):
            return LOST
        return None if (first, last) == (each.first, each.last) else each.with_ends(first, last)

    return _rewrite_references(formula, change) if rows or columns else formula


def _move_corner(corner: Corner, rows: int, columns: int) -> Corner | None:
    place, row, fixed_column, fixed_row = corner
    if row is not None and not fixed_row:
        row += rows
    if place is not None and not fixed_column:
        place += columns
    inside = (row is None or 0 <= row < MOST_ROWS) and (place is None or 0 <= place < MOST_COLUMNS)
    return Corner(place, row, fixed_column, fixed_row) if inside else None


def insert_lines(
    formula: str, own_sheet: str, sheet: str, axis: Axis, start: int, count: int, band: Span | None = None
) -> str:
    """After `count` rows or columns were inserted before `start`; `band` limits it to cells shifted within these (last
    open or exclusive).
    """
    most = MOST_ROWS if axis == "ROWS" else MOST_COLUMNS

    def grow(span: Span) -> Span | None:
        low, high = (None if index is None else index + count if index >= start else index for index in span)
        if low is None or low >= most:
            return None
        return low, None if high is None else min(high, most - 1)

    return _on_axis(formula, own_sheet, sheet, axis, grow, band)


def delete_lines(
    formula: str, own_sheet: str, sheet: str, axis: Axis, start: int, count: int, band: Span | None = None
) -> str:
    """After `count` rows or columns from `start` were deleted: ranges shrink, what is wholly gone is `#REF!`."""
    end = start + count

    def shrink(span: Span) -> Span | None:
        low, high = span
        if start <= low and high is not None and high < end:
            return None
        low = low - count if low >= end else min(low, start)
        return low, None if high is None else high - count if high >= end else min(high, start - 1)

    return _on_axis(formula, own_sheet, sheet, axis, shrink, band)


def move_lines(formula: str, own: str, sheet: str, axis: Axis, start: int, end: int, destination: int) -> str:
    """After rows or columns [start, end) were moved before `destination`, counted as before the move (moveDimension)."""
    count = end - start
    target = destination - count if destination > start else destination

    def move(span: Span) -> Span | None:
        low, high = span
        if start <= low and high is not None and high < end:
            return low - start + target, high - start + target
        low = low - count if low >= end else min(low, start)
        high = None if high is None else high - count if high >= end else min(high, start - 1)
        low = low + count if low >= target else low
        return low, None if high is None else high + count if high >= target else high

    return formula if start <= destination <= end else _on_axis(formula, own, sheet, axis, move, None)


def _on_axis(
    formula: str, own: str, sheet: str, axis: Axis, change: Callable[[Span], Span | None], band: Span | None
) -> str:
    across: Axis = "COLUMNS" if axis == "ROWS" else "ROWS"

    def each_changed(each: FormulaReference) -> str | None:
        span = each.span(axis)
        if span is None or not _same(each.sheet or own, sheet) or not _inside(each.span(across), band):
            return None
        after = change(span)
        if after is None:
            return LOST
        return None if after == span else each.with_span(axis, after)

    return _rewrite_references(formula, each_changed)


def _same(one: str, other: str) -> bool:
    return one.casefold() == other.casefold()


def _inside(span: Span | None, band: Span | None) -> bool:
    """Whether a span lies within a half-open band; everything lies within none."""
    if band is None:
        return True
    low, high = span or (0, None)
    return low >= band[0] and (band[1] is None or (high is not None and high < band[1]))


def move_references(
    formula: str,
    own: str,
    sheet: str,
    source: Area,
    target_sheet: str,
    row: int,
    col: int,
    *,
    own_after: str | None = None,
) -> str:
    """After `source` was cut and pasted at `row`, `col`: what lay wholly inside is followed; `own_after` is where the
    formula then stands.
    """
    after = own if own_after is None else own_after
    rows, columns = row - source.top, col - source.left

    def change(each: FormulaReference) -> str | None:
        at = each.sheet or own
        if not (_same(at, sheet) and _holds(source, each)):
            return (
                None
                if each.prefix or _same(own, after)
                else f"{quote_sheet_name(own)}!{each.with_ends(each.first, each.last)}"
            )
        first, last = (
            _move_with_cell(each.first, rows, columns),
            _move_with_cell(each.last, rows, columns) if each.last else None,
        )
        if first is None or (each.last and last is None):
            return LOST
        bare = each._replace(prefix="").with_ends(first, last)
        return bare if _same(target_sheet, after) and not each.prefix else f"{_prefix(each, target_sheet)}{bare}"

    return _rewrite_references(formula, change)


def _prefix(each: FormulaReference, title: str) -> str:
    return each.prefix if each.sheet is not None and _same(each.sheet, title) else f"{quote_sheet_name(title)}!"


def _holds(source: Area, each: FormulaReference) -> bool:
    return _inside(each.span("ROWS"), (source.top, source.bottom)) and _inside(
        each.span("COLUMNS"), (source.left, source.right)
    )


def _move_with_cell(corner: Corner, rows: int, columns: int) -> Corner | None:
    """Move a corner along with its cell, `$` or not."""
    free = _move_corner(corner._replace(fixed_row=False, fixed_column=False), rows, columns)
    return free and free._replace(fixed_row=corner.fixed_row, fixed_column=corner.fixed_column)


def drop_sheet(formula: str, sheet: str) -> str:
    """Write `#REF!` for references to a sheet that was deleted."""
    return _rewrite_references(
        formula, lambda each: LOST if each.sheet is not None and _same(each.sheet, sheet) else None
    )


def rename_sheet(formula: str, old: str, new: str) -> str:
    """Rename a sheet in a formula."""

    def change(token: re.Match[str]) -> str:
        prefix = token["sheet"] or token["alone"]
        if not prefix or not _same(title_of(prefix), old):
            return token[0]
        return f"{quote_sheet_name(new)}!{token[0][len(prefix) :]}"

    return _TOKEN.sub(change, formula)


def rename_range(formula: str, old: str, new: str) -> str:
    """After a named range got another name."""

    def change(token: re.Match[str]) -> str:
        return new if token["word"] and _same(token["word"], old) else token[0]

    return _TOKEN.sub(change, formula)
