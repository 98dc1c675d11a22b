"""Values in the API's forms: formatted, plain, or the formula."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from apps.sheets import a1, formats
from apps.sheets.cells import Area, Entry, Fault, Value
from apps.sheets.spreadsheet import Spreadsheet
from apps.sheets.structure.tabs import Tab
from apps.sheets.vendor_types import CellFormat

DATES = ("DATE", "TIME", "DATE_TIME")
NUMBERS = (float, int)


@dataclass(frozen=True, slots=True)
class ValueOptions:
    """Requested form of values."""

    render: str = "FORMATTED_VALUE"
    dates: str = "SERIAL_NUMBER"
    dimension: str = "ROWS"


def value_range(
    book: Spreadsheet, tab: Tab, area: Area, wanted: ValueOptions, *, named: Area | None = None
) -> dict[str, Any]:
    """A ValueRange: the range in the vendor's words and its values without trailing empty ones."""
    values = trim_lines(_orient_lines(rows(book, tab, area, wanted), wanted.dimension))
    shown = {"range": a1.text(tab.title, named or area, tab.rows, tab.columns), "majorDimension": wanted.dimension}
    return {**shown, "values": values} if values else shown


def rows(book: Spreadsheet, tab: Tab, area: Area, wanted: ValueOptions) -> list[list[Any]]:
    """The values of an area row by row; "" where a cell is empty."""
    values = book.read_values(tab, area)
    if wanted.render == "UNFORMATTED_VALUE" and wanted.dates == "SERIAL_NUMBER":
        return [[_plain(value) for value in row] for row in values]
    styles = book.formats(tab, area)
    if wanted.render == "FORMULA":
        return _formulas(book, tab, area, values, wanted)
    return _format_values(book, tab, area, values, styles, wanted)


def _format_values(
    book: Spreadsheet,
    tab: Tab,
    area: Area,
    values: list[list[Value]],
    styles: Mapping[tuple[int, int], CellFormat],
    wanted: ValueOptions,
) -> Any:
    """FORMATTED_VALUE, or dates as text among plain values."""
    plain = wanted.render == "UNFORMATTED_VALUE"
    numbers = {at: number for at, style in styles.items() if (number := style.get("numberFormat")) is not None}
    hint, locale, shown = book.hints(tab, area), book.locale, formats.format_value
    out: list[list[Any]] = []
    for row, line in enumerate(values, area.top):
        made: list[object] = []
        for column, value in enumerate(line, area.left):
            if value is None or type(value) is str:
                made.append(value or "")
                continue
            number = numbers.get((row, column))
            told = hint(row, column) if number is None and type(value) in NUMBERS else ""
            if plain and (number or {}).get("type", told.partition(":")[0]) not in DATES:
                made.append(_plain(value))
            else:
                made.append(shown(value, number, locale, told))
        out.append(made)
    return out


def _formulas(
    book: Spreadsheet, tab: Tab, area: Area, values: list[list[Value]], wanted: ValueOptions
) -> list[list[object]]:
    """FORMULA: what was typed where it is one, the plain value elsewhere."""
    typed = {at: cell.entry for at, cell in book.cells(tab, area).items()}
    own = [
        [_to_typed_value(typed.get((row, column)), value) for column, value in enumerate(line, area.left)]
        for row, line in enumerate(values, area.top)
    ]
    if wanted.dates == "SERIAL_NUMBER":
        return own
    dated = _format_values(
        book, tab, area, values, book.formats(tab, area), ValueOptions("UNFORMATTED_VALUE", wanted.dates)
    )
    return [
        [said if isinstance(said, str) else other for said, other in zip(*pair, strict=True)]
        for pair in zip(own, dated, strict=True)
    ]


def _to_typed_value(entry: Entry | None, value: Value) -> Any:
    return entry.input if entry is not None and entry.kind == "formula" else _plain(value) if entry is not None else ""


def _plain(value: Value) -> object:
    if isinstance(value, float):
        return int(value) if value.is_integer() and abs(value) < 1e15 else value
    return value.code if isinstance(value, Fault) else "" if value is None else value


def _orient_lines(lines: list[list[object]], dimension: str) -> list[list[object]]:
    return [list(line) for line in zip(*lines, strict=True)] if dimension == "COLUMNS" else lines


def trim_lines(lines: list[list[object]]) -> list[list[object]]:
    """Without empty cells at the end of a line and empty lines at the end."""
    out: list[list[Any]] = []
    for line in lines:
        end = len(line)
        while end and line[end - 1] == "":
            end -= 1
        out.append(line[:end])
    while out and not out[-1]:
        out.pop()
    return out
