"""Arrays: filtering, sorting, reshaping, matrices."""

import math
from bisect import bisect_right
from collections.abc import Sequence
from typing import TYPE_CHECKING

from apps.sheets.cells import Fault, Value
from apps.sheets.engine.evaluate import MAX_CELLS, Run, limit_array
from apps.sheets.engine.random_numbers import draw
from apps.sheets.engine.registry import function
from apps.sheets.engine.values import (
    Broken,
    Grid,
    boolean,
    finite,
    format_plain_number,
    formula_error,
    number,
    same_key,
    sort_key,
    square,
)
from world.core.lazy import Lazy

if TYPE_CHECKING:
    import numpy as np
else:
    np = Lazy("numpy")  # a tenth of a second, for three functions

EMPTY_FILTER = "No matches are found in FILTER evaluation."


@function("FILTER", "g g g*", array=True, run=True)
def filter_(run: Run, array: Grid, *conditions: Grid) -> Grid:
    """Return the rows (or columns) for which all conditions hold."""
    wide = all(condition.height == 1 and condition.width == array.width for condition in conditions) and not all(
        condition.height == array.height and condition.width == 1 for condition in conditions
    )
    size = array.width if wide else array.height
    kept = [index for index in range(size) if all(_holds(condition, index, wide, size) for condition in conditions)]
    run.spend(size // 4)
    if not kept:
        raise formula_error("#N/A", EMPTY_FILTER)
    return Grid(
        [[row[index] for index in kept] for row in array.rows] if wide else [list(array.rows[index]) for index in kept]
    )


def _holds(condition: Grid, index: int, wide: bool, size: int) -> bool:
    length = condition.width if wide else condition.height
    if (condition.height if wide else condition.width) != 1 or (length != size and not _open(condition)):
        place = "width" if wide else "height"
        raise formula_error(
            "#N/A",
            f"FILTER has mismatched range sizes. Expected row count: {size}. column count: 1. Actual {place}:"
            f" {length}.",
        )
    value = (condition.rows[0][index] if wide else condition.rows[index][0]) if index < length else None
    if isinstance(value, Fault | str):
        return False
    return boolean(value)


def _open(array: Grid) -> bool:
    return array.place is None or array.place.area.bottom is None


@function("SORT", "g x* b*", array=True, run=True)
def sort(run: Run, array: Grid, *keys: object) -> Grid:
    """Sort rows by columns."""
    run.spend(array.height * (1 + len(keys) // 2) * 2)
    return Grid(sort_rows(array, _orders("SORT", array, keys or (1.0, True))))


def _orders(name: str, array: Grid, keys: Sequence[object]) -> list[tuple[list[Value], bool]]:
    """Return the columns to sort by, each with its direction."""
    found: list[tuple[list[Value], bool]] = []
    for index in range(0, len(keys), 2):
        upwards = bool(keys[index + 1]) if index + 1 < len(keys) else True
        key = keys[index]
        if isinstance(key, Grid) and key.height * key.width > 1:
            if key.height != array.height:
                raise formula_error("#VALUE!", f"{name} has mismatched range sizes.")
            found.append(([row[0] for row in key.rows], upwards))
            continue
        column = int(number(key.rows[0][0] if isinstance(key, Grid) else key, f"Function {name} parameter {index + 2}"))  # type: ignore[arg-type]
        if not 1 <= column <= array.width:
            raise formula_error(
                "#VALUE!",
                f"Function {name} parameter {index + 2} value is {column}. Valid values are between 1 and {array.width}"
                " inclusive.",
            )
        found.append(([row[column - 1] for row in array.rows], upwards))
    return found


def sort_rows(array: Grid, orders: Sequence[tuple[list[Value], bool]]) -> list[list[Value]]:
    """Sort the rows; blanks come last either way."""
    rows = list(range(array.height))
    for values, upwards in reversed(orders):
        full = [index for index in rows if values[index] is not None]
        full.sort(key=lambda index, values=values: sort_key(values[index]), reverse=not upwards)
        rows = full + [index for index in rows if values[index] is None]
    return [list(array.rows[index]) for index in rows]


@function("SORTN", "g n? n? x* b*", array=True, run=True)
def sortn(run: Run, array: Grid, count: float = 1.0, ties: float = 0.0, *keys: object) -> Grid:
    """Return the first rows in order, with a choice of how ties count."""
    run.spend(array.height * (1 + len(keys) // 2) * 4)
    orders = _orders("SORTN", array, keys or (1.0, True))
    order = _sort_row_numbers(array, orders)
    marks = [tuple(sort_key(values[index]) for values, _ in orders) for index in order]
    size, mode = int(count or 1), int(ties or 0)
    if mode == 1:
        last = marks[min(size, len(order)) - 1] if order else None
        kept = [index for place, index in enumerate(order) if place < size or marks[place] == last]
    elif mode in (2, 3):
        firsts: dict[tuple[object, ...], int] = {}
        for place, mark in enumerate(marks):
            firsts.setdefault(mark, place)
        chosen = set(list(firsts)[:size])
        kept = [
            index
            for place, index in enumerate(order)
            if marks[place] in chosen and (mode == 3 or firsts[marks[place]] == place)
        ]
    else:
        kept = order[:size]
    return Grid([list(array.rows[index]) for index in kept])


def _sort_row_numbers(array: Grid, orders: Sequence[tuple[list[Value], bool]]) -> list[int]:
    numbered = Grid([[float(index)] for index in range(array.height)])
    return [int(row[0]) for row in sort_rows(numbered, orders)]  # type: ignore[arg-type]


def _by_column(array: Grid, by_column: bool) -> list[list[Value]]:
    return array.columns() if by_column else array.rows


def _back(rows: list[list[Value]], by_column: bool) -> Grid:
    return Grid([list(row) for row in zip(*rows, strict=True)] if by_column else [list(row) for row in rows])


@function("UNIQUE", "g b? b?", run=True)
def unique(run: Run, array: Grid, by_column: bool = False, once: bool = False) -> Grid:
    """Return the distinct rows (or columns)."""
    lines = _by_column(array, by_column)
    run.spend(array.height * array.width * 2)
    counts: dict[tuple[object, ...], int] = {}
    firsts: dict[tuple[object, ...], list[Value]] = {}
    for row in lines:
        key = tuple(same_key(value) for value in row)
        counts[key] = counts.get(key, 0) + 1
        firsts.setdefault(key, row)
    kept = [row for key, row in firsts.items() if not once or counts[key] == 1]
    if not kept:
        raise formula_error("#N/A", "No unique values are found in UNIQUE evaluation.")
    return _back(kept, by_column)


@function("COUNTUNIQUE", "g g*")
def count_unique(*arrays: Grid) -> float:
    """Count the distinct values."""
    return float(len({same_key(value) for array in arrays for value in array.flat() if value is not None}))


@function("FLATTEN", "g g*", run=True)
def flatten(run: Run, *arrays: Grid) -> Grid:
    """All values in one column."""
    values = [value for array in arrays for value in array.flat()]
    limit_array(run, len(values), 1, MAX_CELLS)
    return Grid([[value] for value in values])


@function("TRANSPOSE", "g")
def transpose(array: Grid) -> Grid:
    """Rows as columns."""
    return Grid(array.columns())


@function("TOCOL", "g n? b?")
def to_column(array: Grid, ignore: float = 0.0, by_column: bool = False) -> Grid:
    """All values in one column, some left out."""
    return Grid([[value] for value in _keep_unique("TOCOL", array, ignore, by_column)])


@function("TOROW", "g n? b?")
def to_row(array: Grid, ignore: float = 0.0, by_column: bool = False) -> Grid:
    """All values in one row, some left out."""
    return Grid([_keep_unique("TOROW", array, ignore, by_column)])


def _keep_unique(name: str, array: Grid, ignore: float, by_column: bool) -> list[Value]:
    mode = int(ignore)
    values = [value for line in _by_column(array, by_column) for value in line]
    kept = [
        value
        for value in values
        if not (mode in (1, 3) and value is None) and not (mode in (2, 3) and isinstance(value, Fault))
    ]
    if not kept:
        raise formula_error("#N/A", f"{name} evaluates to an empty array.")
    return kept


def _declare_stack(name: str, upright: bool) -> None:
    def stack(run: Run, *arrays: Grid) -> Grid:
        lines = [line for array in arrays for line in (array.rows if upright else array.columns())]
        limit_array(run, len(lines), max(len(line) for line in lines), MAX_CELLS)
        run.spend(len(lines) * 2 + 6)
        rows = square(lines, Fault("#N/A", f"{name} has mismatched range sizes."))
        return _back(rows, not upright)

    function(name, "g g*", run=True)(stack)


_declare_stack("VSTACK", True)
_declare_stack("HSTACK", False)


def _declare_wrap(name: str, across: bool) -> None:
    def wrap(array: Grid, count: float, pad: object = None) -> Grid:
        if array.height > 1 and array.width > 1:
            raise formula_error("#VALUE!", f"Function {name} parameter 1 must be a single row or a single column.")
        if count < 1:
            raise formula_error(
                "#NUM!",
                f"Function {name} parameter 2 value is {format_plain_number(count)}. It should be greater than or equal to 1.",
            )
        values, size = list(array.flat()), int(count)
        spare: Value = (
            Fault("#N/A", f"{name} pads with this error.")
            if pad is None
            else pad.rows[0][0]
            if isinstance(pad, Grid)
            else pad
        )  # type: ignore[assignment]
        lines = [values[start : start + size] for start in range(0, len(values), size)]
        lines[-1] = (
            [*lines[-1], *[spare] * (min(size, MAX_CELLS) - len(lines[-1]))]
            if len(lines) > 1 or pad is not None
            else lines[-1]
        )
        return _back(lines, not across)

    function(name, "g n x?")(wrap)


_declare_wrap("WRAPROWS", True)
_declare_wrap("WRAPCOLS", False)


def _declare_choose(name: str, by_column: bool) -> None:
    def choose(array: Grid, *places: Grid) -> Grid:
        lines = _by_column(array, by_column)
        found = []
        for place in (number(value) for one in places for value in one.flat()):
            index = int(place) - 1 if place > 0 else len(lines) + int(place)
            if place == 0 or not 0 <= index < len(lines):
                raise formula_error(
                    "#VALUE!",
                    f"Function {name} parameter 2 value is {format_plain_number(place)}. It is out of bounds.",
                )
            found.append(lines[index])
        return _back(found, by_column)

    function(name, "g g g*")(choose)


_declare_choose("CHOOSEROWS", False)
_declare_choose("CHOOSECOLS", True)


def _declare_cut(name: str, take: bool) -> None:
    def cut(array: Grid, rows: float | None = None, columns: float | None = None) -> Grid:
        kept = [list(row) for row in _slice(array.rows, rows, take)]
        found = [list(_slice(row, columns, take)) for row in kept]
        if not found or not found[0]:
            raise formula_error("#VALUE!", f"{name} evaluates to an empty array.")
        return Grid(found)

    function(name, "g n? n?")(cut)


def _slice(line: list, count: float | None, take: bool) -> list:  # type: ignore[type-arg]
    if count is None or (take and count == 0):
        return line
    size = int(count)
    if take:
        return line[:size] if size > 0 else line[size:]
    return line[size:] if size > 0 else line[: len(line) + size]


_declare_cut("TAKE", True)
_declare_cut("DROP", False)


@function("EXPAND", "g n n? v?", run=True)
def expand(run: Run, array: Grid, rows: float, columns: float = 0.0, pad: Value = None) -> Grid:
    """An array made larger."""
    height, width = max(int(rows), array.height), max(int(columns), array.width)
    limit_array(run, height, width)
    spare = Fault("#N/A", "EXPAND pads with this error.") if pad is None else pad
    return Grid(
        [
            [
                array.rows[row][column] if row < array.height and column < array.width else spare
                for column in range(width)
            ]
            for row in range(height)
        ]
    )


@function("SEQUENCE", "n n? n? n?", run=True)
def sequence(run: Run, rows: float, columns: float = 1.0, start: float = 1.0, step: float = 1.0) -> Grid:
    """Numbers one after another."""
    height, width = _sides("SEQUENCE", run, rows, columns)
    return Grid([[start + (row * width + column) * step for column in range(width)] for row in range(height)])


def _sides(name: str, run: Run, rows: float, columns: float) -> tuple[int, int]:
    for place, value in ((1, rows), (2, columns)):
        if value < 1:
            raise formula_error(
                "#NUM!",
                f"Function {name} parameter {place} value is {format_plain_number(value)}. It should be greater than or equal to 1.",
            )
    limit_array(run, int(min(rows, 1e9)), int(min(columns, 1e9)))
    run.spend(int(rows * columns) // 2)
    return int(rows), int(columns)


@function("RANDARRAY", "n? n?", run=True)
def rand_array(run: Run, rows: float = 1.0, columns: float = 1.0) -> Grid:
    """Return an array of random numbers."""
    height, width = _sides("RANDARRAY", run, rows or 1.0, columns or 1.0)
    run.spend(height * width * 3)
    return Grid([[draw(run) for _ in range(width)] for _ in range(height)])


@function("RAND", "", run=True)
def rand(run: Run) -> float:
    """Return a random number below 1."""
    return draw(run)


@function("RANDBETWEEN", "n n", run=True)
def rand_between(run: Run, low: float, high: float) -> float:
    """Return a random integer."""
    least, most = math.ceil(low), math.floor(high)
    if most < least:
        raise formula_error(
            "#NUM!",
            f"Function RANDBETWEEN parameter 2 value is {format_plain_number(high)}. It should be greater than or equal to"
            f" {format_plain_number(low)}.",
        )
    return float(least + math.floor(draw(run) * (most - least + 1)))


def matrix(name: str, array: Grid) -> "np.ndarray":  # type: ignore[type-arg]
    """An array of numbers only."""
    for value in array.flat():
        if isinstance(value, Fault):
            raise Broken(value)
        if type(value) is not float:
            raise formula_error("#VALUE!", f"Function {name} parameter 1 expects number values.")
    return np.array(array.rows, dtype=float)


def _to_square_matrix(name: str, array: Grid) -> "np.ndarray":  # type: ignore[type-arg]
    found = matrix(name, array)
    if array.height != array.width:
        raise formula_error("#VALUE!", f"Function {name} parameter 1 has mismatched row and column sizes.")
    if array.height > 60:
        raise formula_error("#NUM!", f"Function {name} parameter 1 is too large.")
    return found


@function("MMULT", "g g", array=True, run=True)
def mmult(run: Run, one: Grid, two: Grid) -> Grid:
    """The product of two matrices."""
    if one.width != two.height:
        message = (
            f"Function MMULT has incompatible matrix sizes: {one.height} x {one.width} and {two.height} x {two.width}."
        )
        raise formula_error("#VALUE!", message)
    limit_array(run, one.height, two.width)
    run.spend(one.height * one.width * two.width // 500 + (one.height + two.width) * one.width)
    return Grid([[finite(float(value)) for value in row] for row in matrix("MMULT", one) @ matrix("MMULT", two)])


@function("MDETERM", "g", array=True)
def mdeterm(array: Grid) -> float:
    """The determinant."""
    return finite(float(np.linalg.det(_to_square_matrix("MDETERM", array))))


@function("MINVERSE", "g", array=True)
def minverse(array: Grid) -> Grid:
    """The inverse matrix."""
    found = _to_square_matrix("MINVERSE", array)
    if abs(float(np.linalg.det(found))) < 1e-14:
        raise formula_error("#NUM!", "Function MINVERSE parameter 1 value is a singular matrix.")
    return Grid([[finite(float(value)) for value in row] for row in np.linalg.inv(found)])


@function("MUNIT", "n")
def munit(size: float) -> Grid:
    """The unit matrix."""
    if not 1 <= size <= 400:
        raise formula_error(
            "#NUM!",
            f"Function MUNIT parameter 1 value is {format_plain_number(size)}. Valid values are between 1 and 400 inclusive.",
        )
    return Grid([[1.0 if row == column else 0.0 for column in range(int(size))] for row in range(int(size))])


@function("FREQUENCY", "g g", array=True)
def frequency(data: Grid, classes: Grid) -> Grid:
    """Count the values in each class."""
    limits = sorted(value for value in classes.flat() if type(value) is float)
    values = sorted(value for value in data.flat() if type(value) is float)
    counts = [bisect_right(values, limit) for limit in limits]
    steps = [count - before for before, count in zip([0, *counts], counts, strict=False)]
    return Grid([[float(step)] for step in (*steps, len(values) - (counts[-1] if counts else 0))])
