"""A1 notation: parsing and rendering of ranges (developers.google.com/workspace/sheets/api/guides/concepts#cell)."""

import re
from functools import lru_cache
from typing import NamedTuple

from apps.sheets.cells import Area

MOST_COLUMNS = 18_278  # ZZZ; support.google.com/drive/answer/37603
MOST_ROWS = 10_000_000  # the vendor's limit is 10 million cells; developers.google.com/workspace/sheets/api/limits

_QUOTED = re.compile(r"'((?:[^']|'')*)'(?:!(.*))?", re.DOTALL)
_END = re.compile(r"\$?([A-Za-z]{1,3})?\$?([0-9]{1,8})?", re.ASCII)
_R1C1 = re.compile(r"[Rr]([0-9]{1,8})[Cc]([0-9]{1,5})", re.ASCII)
_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_]*", re.ASCII)
_LIKE_A_REFERENCE = re.compile(
    r"[A-Za-z]{1,3}[0-9]+|[Rr][0-9]*[Cc][0-9]*|[Rr][0-9]*|[Cc][0-9]*|TRUE|FALSE", re.ASCII | re.IGNORECASE
)


class BadRange(ValueError):
    """Error for text that is no range."""

    def __init__(self, text: str) -> None:
        super().__init__(f"Unable to parse range: {text}")
        self.text = text


class Reference(NamedTuple):
    """Parsed text of a range.

    A quoted title alone is a sheet; a bare word is a `name` and may also be a sheet's title.
    """

    sheet: str | None
    area: Area | None
    name: str | None


class _End(NamedTuple):
    """One side of the colon; None for a missing half."""

    row: int | None
    column: int | None


@lru_cache(maxsize=4096)
def parse(text: str) -> Reference:
    """Parse the sheet, area or name of a range's text; raises BadRange."""
    sheet, rest = _split(text)
    if rest is None:
        return Reference(sheet, None, None)
    area = _area(rest, text)
    if area is not None:
        return Reference(sheet, area, None)
    if not rest.strip() or (sheet is not None and not _is_name(rest)) or len(rest) > 250:
        raise BadRange(text)
    return Reference(sheet, None, rest)


def _split(text: str) -> tuple[str | None, str | None]:
    """Split the text at its `!` into the sheet's title and the rest."""
    if text.startswith("'"):
        return _split_quoted(text)
    title, mark, rest = text.rpartition("!")
    if not mark:
        return None, text
    if not title or not rest:
        raise BadRange(text)
    return title, rest


def _split_quoted(text: str) -> tuple[str, str | None]:
    found = _QUOTED.fullmatch(text)
    if found:
        title, rest = found[1].replace("''", "'"), found[2]
    else:  # the vendor's guide itself writes 'Jon's_Data'!A1:D5
        title, mark, rest = text[1:].rpartition("'!")
        if not mark:
            raise BadRange(text)
    if not title or rest == "":
        raise BadRange(text)
    return title, rest


def _is_name(word: str) -> bool:
    return bool(re.fullmatch(r"[^\W\d][\w.]*", word))


def _area(written: str, text: str) -> Area | None:
    """Parse the area of `B2`, `A:A` or `R1C1:R2C2`; None for any other word."""
    first, colon, last = written.partition(":")
    start = _end(first)
    if not colon:
        return None if start is None or None in start else _between(start, start)
    stop = _end(last)
    if start is None or stop is None:
        raise BadRange(text)
    area = _between(start, stop)
    if area is None:
        raise BadRange(text)
    return area


def _end(written: str) -> _End | None:
    found = _END.fullmatch(written)
    if found and written.strip("$"):
        return _check_end(int(found[2]) - 1 if found[2] else None, column(found[1]) if found[1] else None)
    found = _R1C1.fullmatch(written)
    return _check_end(int(found[1]) - 1, int(found[2]) - 1) if found else None


def _check_end(row: int | None, column: int | None) -> _End | None:
    inside = (row is None or 0 <= row < MOST_ROWS) and (column is None or 0 <= column < MOST_COLUMNS)
    return _End(row, column) if inside else None


def _between(start: _End, stop: _End) -> Area | None:
    """Return the rectangle of two ends; a half that only one end has is open, as in `A5:A` and `A2:2`."""
    top, bottom = _span(start.row, stop.row)
    left, right = _span(start.column, stop.column)
    if (start.row is None) != (stop.row is None) and (start.column is None) != (stop.column is None):
        return None
    return Area(top, left, bottom, right)


def _span(one: int | None, other: int | None) -> tuple[int, int | None]:
    if one is not None and other is not None:
        return min(one, other), max(one, other) + 1
    return (one if one is not None else other or 0), None


def text(title: str, area: Area, rows: int, columns: int) -> str:
    """Render a range as the vendor does: closed, the title quoted where needed."""
    bottom = rows if area.bottom is None else area.bottom
    right = columns if area.right is None else area.right
    first = cell(area.top, area.left)
    last = cell(max(bottom, 1) - 1, max(right, 1) - 1)
    return f"{quote_sheet_name(title)}!{first}" if first == last else f"{quote_sheet_name(title)}!{first}:{last}"


@lru_cache(maxsize=1024)
def quote_sheet_name(title: str) -> str:
    """Quote a sheet's title for use before the `!`, if it needs quotes."""
    if _PLAIN.fullmatch(title) and not _LIKE_A_REFERENCE.fullmatch(title):
        return title
    return "'" + title.replace("'", "''") + "'"


def cell(row: int, column: int) -> str:
    """Return the A1 text of a cell: `B3` for row 2, column 1."""
    return f"{letters(column)}{row + 1}"


@lru_cache(maxsize=2048)
def letters(column: int) -> str:
    """Return the letters of a column: `A` for 0, `AA` for 26."""
    written, rest = "", column + 1
    while rest:
        rest, digit = divmod(rest - 1, 26)
        written = chr(65 + digit) + written
    return written


@lru_cache(maxsize=2048)
def column(letters: str) -> int:
    """Return the number of a column: 0 for `A`, 26 for `aa`."""
    number = 0
    for letter in letters.upper():
        number = number * 26 + ord(letter) - 64
    return number - 1
