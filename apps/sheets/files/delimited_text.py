"""Delimited text, read and written.

Like the vendor's, the export is as displayed: a cell that begins with `=`, `+`, `-` or `@` stays unchanged. An import
turns such text into a formula only if texts are parsed as if typed.
"""

import codecs
import csv
import io
import re
from collections.abc import Iterable, Iterator, Sequence

from apps.sheets import formats
from apps.sheets.a1 import MOST_COLUMNS
from apps.sheets.cells import Area
from apps.sheets.files.content import Content, Sheet, fit_sheet
from apps.sheets.files.package import MOST_PACKED, bad_file
from apps.sheets.formats.entry import MOST_CHARACTERS, parse_entry
from apps.sheets.json_columns import encode_object
from apps.sheets.spreadsheet import MOST_CELLS, Spreadsheet
from apps.sheets.structure.tabs import Tab
from apps.sheets.vendor_types import CellFormat
from world.core.errors import OperationError

DELIMITERS = ",;\t|"
SNIFFED = 100_000  # characters that tell the delimiter
MOST_FILLED, MOST_LINES, MOST_MARKS = 40_000, 30_000, 500_000  # cells, lines and separators of a file; ours
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_QUOTED = re.compile(r'"(?:[^"]|"")*+"?')
_NEEDS_QUOTES = re.compile('[,"\r\n]')
_BREAKS = re.compile("\r\n|[\r\n\t]")


def text_of(data: bytes) -> str:
    """Decode bytes: by their mark, as UTF-8, as UTF-16 where every other byte is zero, else as Windows-1252."""
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return _decode(data[len(mark) :], encoding)
    head = data[:2000]
    if head.count(0) * 4 > len(head) > 3:
        return _decode(data, "utf-16-le" if head[1::2].count(0) > head[::2].count(0) else "utf-16-be")
    if 0 in head:
        raise bad_file("it is not text")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")


def _decode(data: bytes, encoding: str) -> str:
    try:
        return data.decode(encoding)
    except UnicodeDecodeError:
        raise bad_file("its text is damaged") from None


def delimiter_of(text: str) -> str:
    """Guess the delimiter that occurs equally often in the most lines; a comma by default."""
    lines = [line for line in _QUOTED.sub("", text[:SNIFFED]).splitlines()[:50] if line]
    counts = {mark: [line.count(mark) for line in lines] for mark in DELIMITERS}
    scores = {
        mark: (sum(count == max(set(found), key=found.count) for count in found), sum(found))
        for mark, found in counts.items()
        if any(found)
    }
    steady = {
        mark: score for mark, score in scores.items() if max(set(counts[mark]), key=counts[mark].count) > 0
    } or scores
    return max(steady, key=lambda mark: (steady[mark], -DELIMITERS.index(mark)), default=",")


def lines_of(data: bytes, delimiter: str) -> Iterator[list[str]]:
    """Yield the rows of a file, ragged as they are. Raises file_too_large, bad_file, too_long."""
    if len(data) > MOST_PACKED:
        raise OperationError("file_too_large")
    text = text_of(data).replace("\0", "")
    mark = delimiter or delimiter_of(text)
    if text.count(mark) > MOST_MARKS:
        raise OperationError("file_too_large")
    if len(mark) != 1 or mark in '\r\n"':
        raise bad_file("its separator is not one character")
    limit = csv.field_size_limit()
    reader = csv.reader(_pieces(text), delimiter=mark, strict=False)
    try:
        yield from reader
    except csv.Error:
        raise (
            OperationError("too_long", most=MOST_CHARACTERS)
            if limit >= MOST_CHARACTERS
            else bad_file("its lines are damaged")
        ) from None


def _pieces(text: str) -> Iterator[str]:
    """Yield lines with their ends; only line feeds and carriage returns end one."""
    return iter(io.StringIO(text, newline=""))


def content(book: Spreadsheet, title: str, data: bytes, delimiter: str, *, typed: bool) -> Content:
    """Build a sheet from a file's lines, as if typed or as texts.

    Raises bad_file, file_too_large, too_long, too_many_cells.
    """
    sheet = Sheet(title)
    styles: dict[str | None, int] = {None: 0}
    known: dict[str, tuple[str, str, int]] = {}
    for row, line in enumerate(lines_of(data, delimiter)):
        if len(line) > MOST_COLUMNS:
            raise OperationError("too_many_cells", most=MOST_CELLS)
        if row >= MOST_LINES or len(sheet.cells) > MOST_FILLED:
            raise OperationError("file_too_large")
        for column, text in enumerate(line):
            if text:
                found = known.get(text)
                if found is None:
                    found = _entry(book, text, typed, styles)
                    if len(known) < 100_000:
                        known[text] = found
                sheet.cells.append((row, column, *found))
    fit_sheet(sheet)
    return Content([sheet], tuple(styles))


def _entry(book: Spreadsheet, text: str, typed: bool, styles: dict[str | None, int]) -> tuple[str, str, int]:
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if len(text) > MOST_CHARACTERS:
        raise OperationError("too_long", most=MOST_CHARACTERS)
    if not typed:
        return "text", text, 0
    found = parse_entry(text, book.locale, book.call.now, book.zone)
    format = encode_object({"numberFormat": found.number_format} if found.number_format else None)
    return found.entry.kind, found.entry.input, styles.setdefault(format, len(styles))


# out


def list_displayed_rows(book: Spreadsheet, tab: Tab) -> list[list[str]]:
    """Return the displayed rows of a sheet, up to its last non-empty cell."""
    bottom, right = (last + 1 for last in book.last(tab))
    whole = Area(0, 0, tab.rows, tab.columns)
    spilled = book.engine.list_spilled_cells(tab.id, whole) if bottom else {}
    bottom, right = (
        max([bottom, *(row + 1 for row, _ in spilled)]),
        max([right, *(column + 1 for _, column in spilled)]),
    )
    if not bottom:
        return []
    area = Area(0, 0, bottom, right)
    looks, values, hint, locale = book.formats(tab, area), book.read_values(tab, area), book.engine.hint, book.locale
    return [
        [
            _display(value, looks.get((row, column)), locale, hint, (tab.id, row, column))
            for column, value in enumerate(line)
        ]
        for row, line in enumerate(values)
    ]


def _display(value: object, look: CellFormat | None, locale: str, hint: object, at: tuple[int, int, int]) -> str:
    if value is None or value == "":
        return ""
    number = look.get("numberFormat") if look else None
    return formats.format_value(value, number, locale, "" if number or isinstance(value, str) else hint(*at))  # type: ignore[arg-type, operator]


def render_lines(lines: Sequence[Sequence[str]], delimiter: str) -> bytes:
    """Render rows of equal length, with the vendor's quotes and CRLF; a tsv has spaces for tabs and breaks in cells."""
    quote = _replace_line_breaks if delimiter == "\t" else _quote_field
    return "\r\n".join(delimiter.join(map(quote, line)) for line in lines).encode("utf-8", "replace")


def _quote_field(text: str) -> str:
    return '"' + text.replace('"', '""') + '"' if _NEEDS_QUOTES.search(text) else text


def _replace_line_breaks(text: str) -> str:
    return _BREAKS.sub(" ", text)


def export_sheet(book: Spreadsheet, tab: Tab, delimiter: str) -> bytes:
    """Export a sheet as separated values."""
    return render_lines(list_displayed_rows(book, tab), delimiter)


__all__ = ["Iterable", "content", "delimiter_of", "export_sheet", "lines_of", "text_of", "render_lines"]
