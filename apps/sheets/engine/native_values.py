"""Conversion of values and areas for the native engine."""

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from operator import itemgetter
from typing import TypeVar

import formualizer

from apps.sheets.cells import Area, Entry, Fault, Value
from apps.sheets.engine.tokens import column_letters
from apps.sheets.engine.tree import Place

T = TypeVar("T")
_ROW, _COLUMN = itemgetter(0), itemgetter(1)
MAX_WIDTH = 100  # columns of a range that is handed over whole
MAX_PADDED = 50_000  # cells of a range that is handed over with the blank ones after the data
MAX_CLOSED = 20_000  # cells of a range that is handed over whole; a larger one ends where the data end
NATIVE_ROWS, NATIVE_COLUMNS = 1_048_576, 16_384
CLOCK = "S_c"
NOTHING = f"'{CLOCK}'!$Z$9"
CODES = {
    "Ref": "#REF!",
    "Na": "#N/A",
    "Div": "#DIV/0!",
    "Name": "#NAME?",
    "Value": "#VALUE!",
    "Num": "#NUM!",
    "Null": "#NULL!",
}
KINDS = {code: kind for kind, code in CODES.items()} | {"#ERROR!": "Error", "Loading...": "Error"}


def new_workbook() -> formualizer.Workbook:
    """Create an empty workbook: one thread, no history, dates as numbers."""
    settings = formualizer.EvaluationConfig()
    settings.enable_parallel = False
    workbook = formualizer.Workbook(config=formualizer.WorkbookConfig(eval_config=settings, enable_changelog=False))
    workbook.set_changelog_enabled(False)
    workbook.set_temporal_egress("serial")
    return workbook


def native_value(value: Value) -> object:
    """Convert a value for the native engine."""
    if isinstance(value, Fault):
        return formualizer.LiteralValue.error(KINDS.get(value.code, "Error"), None)
    return value


def address(place: Place | None, sheets: Container[int]) -> str:
    """Render a place for the native engine."""
    if place is None or place.sheet not in sheets:
        return NOTHING
    top, left, bottom, right = place.area
    if top >= NATIVE_ROWS or left >= NATIVE_COLUMNS:
        return NOTHING
    bottom, right = min(bottom or NATIVE_ROWS, NATIVE_ROWS), min(right or NATIVE_COLUMNS, NATIVE_COLUMNS)
    start = f"'S_{place.sheet}'!{column_letters(left)}{top + 1}"
    if bottom == top + 1 and right == left + 1:
        return start
    if place.area.bottom is None:
        return (
            f"'S_{place.sheet}'!{column_letters(left)}:{column_letters(right - 1)}"
            if top == 0
            else f"{start}:{column_letters(right - 1)}"
        )
    return f"{start}:{column_letters(right - 1)}{bottom}"


def literal(kind: str, text: str) -> Value:
    """Return the value of a cell without a formula."""
    if kind == "number":
        return float(text)
    return text == "TRUE" if kind == "boolean" else clean(text)


def clean(text: str) -> str:
    """Return a text without surrogate halves, which the native engine cannot take."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")


def room_for(size: int, least: int) -> int:
    """Return the next size by doubling, so that growth is rare."""
    room = least
    while room < size:
        room *= 2
    return room


def split_values_and_formulas(
    cells: Iterable[tuple[int, int, Entry]],
) -> tuple[list[tuple[int, int, object]], list[tuple[int, int, str]]]:
    """Split a sheet's cells into native values and formulas."""
    values: list[tuple[int, int, object]] = []
    formulas: list[tuple[int, int, str]] = []
    for row, column, (kind, text) in cells:
        if kind == "number":
            values.append((row, column, float(text)))
        elif kind == "formula":
            formulas.append((row, column, text))
        elif kind:
            values.append((row, column, literal(kind, text)))
    return values, formulas


def reach(cells: Sequence[tuple[int, int, object]]) -> tuple[int, int]:
    """Return the numbers of rows and columns that cells need."""
    return max(map(_ROW, cells), default=-1) + 1, max(map(_COLUMN, cells), default=-1) + 1


def runs(cells: Mapping[int, T]) -> Iterator[tuple[int, list[T]]]:
    """Group neighbours: each group is the first position and the values that follow without a gap."""
    first, gathered = -1, []
    for position in sorted(cells):
        if gathered and position != first + len(gathered):
            yield first, gathered
            gathered = []
        if not gathered:
            first = position
        gathered.append(cells[position])
    if gathered:
        yield first, gathered


def write_values(workbook: formualizer.Workbook, sheet: int, values: list[tuple[int, int, object]]) -> None:
    """Write values, as one block where most of it is filled."""
    if not values:
        return
    height, width = reach(values)
    if height * width <= 2 * len(values):
        block: list[list[object]] = [[None] * width for _ in range(height)]
        for row, column, value in values:
            block[row][column] = value
        workbook.set_values_batch(f"S_{sheet}", 1, 1, block)
        return
    columns: dict[int, dict[int, object]] = {}
    for row, column, value in values:
        columns.setdefault(column, {})[row] = value
    write_columns(workbook, sheet, columns)


def write_columns(workbook: formualizer.Workbook, sheet: int, columns: Mapping[int, Mapping[int, object]]) -> None:
    """Write values by column, neighbours together."""
    for column, values in columns.items():
        for first, run in runs(values):
            workbook.set_values_batch(f"S_{sheet}", first + 1, column + 1, [[value] for value in run])


def positions(area: Area) -> Iterator[tuple[int, int]]:
    """Return all cells of a closed area."""
    assert area.bottom is not None and area.right is not None
    return ((row, column) for row in range(area.top, area.bottom) for column in range(area.left, area.right))


def overlap(one: Area, two: Area) -> bool:
    """Whether two areas share a cell."""
    return (
        (two.bottom is None or one.top < two.bottom)
        and (one.bottom is None or two.top < one.bottom)
        and (two.right is None or one.left < two.right)
        and (one.right is None or two.left < one.right)
    )


def endless(area: Area) -> bool:
    """Whether only the filled part of an area is passed: an open or very large area."""
    return area.bottom is None or area.right is None or (area.bottom - area.top) * (area.right - area.left) > MAX_CLOSED


def wide(area: Area) -> bool:
    """Whether an area's width ends with the data too."""
    return area.right is None or area.right - area.left > MAX_WIDTH


def trim_blanks(rows: list[list[Value]], area: Area) -> list[list[Value]]:
    """Remove trailing blank rows, and trailing blank columns of an area without a right side."""
    kept = rows[
        : next(
            (index + 1 for index in range(len(rows) - 1, -1, -1) if any(value is not None for value in rows[index])), 1
        )
    ]
    if not wide(area):
        return kept or [[None]]
    width = max((index + 1 for row in kept for index, value in enumerate(row) if value is not None), default=1)
    return [row[:width] for row in kept] or [[None]]


def pad_rows(rows: list[list[Value]], area: Area) -> list[list[Value]]:
    """Pad an area with blank cells, unless these are very many."""
    height, width = (area.bottom or 0) - area.top, (area.right or 0) - area.left
    if area.bottom is None or area.right is None or height * width > MAX_PADDED:
        return rows
    if rows and len(rows[0]) < width:
        rows = [row + [None] * (width - len(row)) for row in rows]
    blank: list[Value] = [None] * width
    return rows + [blank] * (height - len(rows))


def cut_to_sheet(rows: list[list[Value]], height: int, width: int) -> list[list[Value]]:
    """Cut an array to the rows and columns of its sheet; one cell at least."""
    if len(rows) <= height and len(rows[0]) <= width:
        return rows
    return [row[: max(width, 1)] for row in rows[: max(height, 1)]]
