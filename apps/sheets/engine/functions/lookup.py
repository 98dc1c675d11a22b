"""Lookups of values, and references computed by formulas."""

from bisect import bisect_right
from collections.abc import Callable, Sequence

from apps.sheets.cells import Area, Fault, Value
from apps.sheets.engine.evaluate import MAX_CELLS, Run, Scope, limit_array
from apps.sheets.engine.functions.texts import wild
from apps.sheets.engine.registry import function
from apps.sheets.engine.tokens import column_letters
from apps.sheets.engine.tree import Node, Place
from apps.sheets.engine.values import (
    Broken,
    Grid,
    Result,
    format_plain_number,
    formula_error,
    number,
    rank,
    sort_key,
    text,
)


def not_found_fault(name: str, key: Value) -> Fault:
    """The fault of a lookup that finds nothing."""
    return Fault("#N/A", f"Did not find value '{text(key)}' in {name} evaluation.")


def same(key: Value) -> Callable[[Value], bool]:
    """Whether a value equals the key; texts ignore case and may hold wildcards."""
    if isinstance(key, str):
        if any(mark in key for mark in "*?~"):
            whole = wild(key).fullmatch
            return lambda other: isinstance(other, str) and whole(other) is not None
        folded = key.casefold()
        return lambda other: isinstance(other, str) and other.casefold() == folded
    wanted = 0.0 if key is None else key
    return lambda other: type(other) is type(wanted) and other == wanted


def wild_key(key: Value) -> bool:
    """Whether a key has wildcards."""
    return isinstance(key, str) and any(mark in key for mark in "*?~")


def exactly(run: Run, key: Value, array: Grid) -> int:
    """Return the first position of a key; -1 for none."""
    if not wild_key(key):
        return array.first(key)
    values = array.line()
    run.spend(60 + 3 * len(values))
    fits = same(key)
    return next((index for index, value in enumerate(values) if fits(value)), -1)


def find_sorted_place(run: Run, key: Value, array: Grid) -> int:
    """Return the last position not above the key in an ascending line; -1 when all are above."""
    kind = rank(key)
    run.spend(2 if kind in array.ascents else 20 + max(array.height, array.width if array.height == 1 else 0))
    own, keys = array.ascent(kind)
    place = bisect_right(keys, sort_key(0.0 if key is None else key))
    return own[place - 1] if place else -1


def get_indexed_value(run: Run, name: str, key: Value, array: Grid, index: float, ordered: bool) -> Value:
    """The value at `index` of the line whose first value is the key."""
    if index < 1:
        raise formula_error(
            "#VALUE!",
            f"Function {name} parameter 3 value is {format_plain_number(index)}. It should be greater than or equal to 1.",
        )
    if index >= array.width + 1:
        raise formula_error("#REF!", f"{name} evaluates to an out of bounds range.")
    if ordered or array.height == 1:
        first = array if array.height > 1 else Grid([array.rows[0][:1]])
        place = find_sorted_place(run, key, first) if ordered else 0 if same(key)(array.rows[0][0]) else -1
    else:
        place = exactly(run, key, array)
    if place < 0:
        raise formula_error("#N/A", not_found_fault(name, key).message)
    return array.rows[place][int(index) - 1]


@function("VLOOKUP", "v g n b?", run=True)
def vlookup(run: Run, key: Value, array: Grid, index: float, ordered: bool = True) -> Value:
    """Find in the first column."""
    return get_indexed_value(run, "VLOOKUP", key, array, index, ordered)


@function("HLOOKUP", "v g n b?", run=True)
def hlookup(run: Run, key: Value, array: Grid, index: float, ordered: bool = True) -> Value:
    """Find in the first row."""
    return get_indexed_value(run, "HLOOKUP", key, Grid(array.columns()), index, ordered)


def line(array: Grid) -> list[Value]:
    """One row or column as a list."""
    return list(array.flat())


@function("LOOKUP", "v g g?", run=True)
def lookup(run: Run, key: Value, array: Grid, results: Grid | None = None) -> Value:
    """Find in sorted values."""
    if array.height > 1 and array.width > 1:
        tall = array.height >= array.width
        keys, last = (array, [row[-1] for row in array.rows]) if tall else (Grid([array.rows[0]]), array.rows[-1])
    else:
        keys, last = array, line(results or array)
    place = find_sorted_place(run, key, keys)
    if place < 0:
        raise formula_error("#N/A", not_found_fault("LOOKUP", key).message)
    if place >= len(last):
        raise formula_error("#REF!", "LOOKUP evaluates to an out of bounds range.")
    return last[place]


@function("MATCH", "v g n?", run=True)
def match(run: Run, key: Value, array: Grid, kind: float = 1.0) -> float:
    """The place of a value in a row or column."""
    if array.height > 1 and array.width > 1:
        raise formula_error("#N/A", "MATCH range must be a single row or a single column.")
    if kind == 0:
        place = exactly(run, key, array)
    elif kind > 0:
        place = find_sorted_place(run, key, array)
    else:
        run.spend(array.height * array.width // 2)
        place = _find_descending_place(key, line(array))
    if place < 0:
        raise formula_error("#N/A", not_found_fault("MATCH", key).message)
    return float(place + 1)


def _find_descending_place(key: Value, values: Sequence[Value]) -> int:
    wanted, place = sort_key(0.0 if key is None else key), -1
    for index, value in enumerate(values):
        if value is None or rank(value) != rank(key):
            continue
        if sort_key(value) < wanted:
            break
        place = index
    return place


def nearest(run: Run, key: Value, array: Grid, mode: int, backwards: bool) -> int:
    """Return the position of a key for XLOOKUP and XMATCH: exact (0), next smaller (-1), larger (1), wildcards (2)."""
    if mode == 0 and not backwards:
        return array.first(key)
    if mode == 2 and wild_key(key):
        values, fits = line(array), same(key)
        run.spend(20 + 3 * len(values))
        return next((index for index in _through(len(values), backwards) if fits(values[index])), -1)
    own, keys = array.ascent(rank(key))
    run.spend(20 + array.height * array.width)
    wanted = sort_key(0.0 if key is None else key)
    if mode in (-1, 1) and wanted not in keys:
        fitting = [found for found in keys if (found < wanted if mode == -1 else found > wanted)]
        wanted = (max if mode == -1 else min)(fitting, default=wanted)
    return next((own[index] for index in _through(len(keys), backwards) if keys[index] == wanted), -1)


def _through(count: int, backwards: bool) -> range:
    return range(count - 1, -1, -1) if backwards else range(count)


@function("XLOOKUP", "v g g x? n? n?", run=True)
def xlookup(
    run: Run, key: Value, keys: Grid, results: Grid, instead: Result = None, mode: float = 0.0, search: float = 1.0
) -> Result:
    """Look up a key in one row or column and return the value from another."""
    run.spend(3)
    size = keys.height * keys.width
    tall = keys.width == 1
    if (results.height if tall else results.width) != size and not (keys.place and keys.place.area.bottom is None):
        raise formula_error("#VALUE!", "Array arguments to XLOOKUP are of different size.")
    place = nearest(run, key, keys, int(mode), search in (-1, -2))
    if place < 0:
        if instead is None:
            raise formula_error("#N/A", not_found_fault("XLOOKUP", key).message)
        return instead
    if place >= (results.height if tall else results.width):
        return None
    if tall:
        return Grid([list(results.rows[place])]) if results.width > 1 else results.rows[place][0]
    run.spend(results.height // 4)
    return Grid([[row[place]] for row in results.rows]) if results.height > 1 else results.rows[0][place]


@function("XMATCH", "v g n? n?", run=True)
def xmatch(run: Run, key: Value, keys: Grid, mode: float = 0.0, search: float = 1.0) -> float:
    """Return the position of a value in a row or column, exact by default."""
    place = nearest(run, key, keys, int(mode), search in (-1, -2))
    if place < 0:
        raise formula_error("#N/A", not_found_fault("XMATCH", key).message)
    return float(place + 1)


@function("INDEX", "g n? n?", array=True, run=True)
def index(run: Run, array: Grid, row: float = 0.0, column: float = 0.0) -> Result:
    """Return the value at a position; 0 stands for a whole row or column."""
    down, across = int(row or 0), int(column or 0)
    if array.height == 1 and array.width > 1 and across == 0 and down > 1:
        down, across = 0, down
    if not 0 <= down <= array.height or not 0 <= across <= array.width:
        if array.place is not None and _inside(run.around.clip_to_sheet(array.place).area, down, across):
            return None
        place, value, most = (3, across, array.width) if 0 <= down <= array.height else (2, down, array.height)
        raise formula_error(
            "#NUM!",
            f"Function INDEX parameter {place} value is {value}. Valid values are between 0 and {most} inclusive.",
        )
    rows = array.rows if down == 0 else [array.rows[down - 1]]
    rows = rows if across == 0 else [[values[across - 1]] for values in rows]
    place = _sub_place(array, down, across)
    return Grid([list(values) for values in rows], place)


def _inside(area: Area, down: int, across: int) -> bool:
    return (
        0 <= down
        and 0 <= across
        and (area.bottom is None or down <= area.bottom - area.top)
        and (area.right is None or across <= area.right - area.left)
    )


def _sub_place(array: Grid, down: int, across: int) -> Place | None:
    if array.place is None:
        return None
    area = array.place.area
    top, bottom = (area.top, area.bottom) if down == 0 else (area.top + down - 1, area.top + down)
    left, right = (area.left, area.right) if across == 0 else (area.left + across - 1, area.left + across)
    return Place(array.place.sheet, Area(top, left, bottom, right))


@function("OFFSET", "x n n n? n?", lazy=True)
def offset(run: Run, nodes: Sequence[Node], scope: Scope, array: bool) -> Result:
    """Return a range shifted by rows and columns."""
    sheet, area = run.place(nodes[0], scope)
    down, across, *size = [
        number(run.scalar(node, scope), f"Function OFFSET parameter {place}") for place, node in enumerate(nodes[1:], 2)
    ]
    height = int(size[0]) if size and size[0] else (None if area.bottom is None else area.bottom - area.top)
    width = int(size[1]) if len(size) > 1 and size[1] else (None if area.right is None else area.right - area.left)
    top, left = area.top + int(down), area.left + int(across)
    if top < 0 or left < 0 or (height or 1) < 1 or (width or 1) < 1:
        raise formula_error("#REF!", "Function OFFSET evaluates to an out of bounds range.")
    return run.read(
        Place(sheet, Area(top, left, None if height is None else top + height, None if width is None else left + width))
    )


@function("INDIRECT", "t b?", run=True)
def indirect(run: Run, reference: str, a1: bool = True) -> Result:
    """The range that a text names."""
    return run.read(run.around.resolve(reference, run.sheet))


@function("ADDRESS", "n n n? b? t?")
def address(row: float, column: float, kind: float = 1.0, a1: bool = True, sheet: str | None = None) -> str:
    """A reference as text."""
    if row < 1 or column < 1:
        raise formula_error("#VALUE!", "Function ADDRESS parameter 1 value should be greater than or equal to 1.")
    row_mark, column_mark = ("$" if int(kind) in (1, 2) else ""), ("$" if int(kind) in (1, 3) else "")
    if a1:
        reference = f"{column_mark}{column_letters(int(column) - 1)}{row_mark}{int(row)}"
    else:
        reference = f"R{int(row) if row_mark else f'[{int(row)}]'}C{int(column) if column_mark else f'[{int(column)}]'}"
    if not sheet:
        return reference
    quoted = sheet if sheet.isidentifier() else "'" + sheet.replace("'", "''") + "'"
    return f"{quoted}!{reference}"


def _extent(name: str, first: Callable[[Area], int], length: Callable[[Area], int | None], across: bool) -> None:
    def own(run: Run, nodes: Sequence[Node], scope: Scope, array: bool) -> Result:
        if not nodes:
            return float((run.column if across else run.row) + 1)
        area = run.around.clip_to_sheet(run.place(nodes[0], scope)).area
        size = length(area)
        if not array or size is None or size == 1:
            return float(first(area) + 1)
        limit_array(run, size, 1, MAX_CELLS)
        numbers = [float(first(area) + step + 1) for step in range(size)]
        return Grid([numbers] if across else [[value] for value in numbers])  # type: ignore[list-item]

    function(name, "x?", lazy=True)(own)


_extent(
    "ROW", lambda area: area.top, lambda area: None if area.bottom is None else area.bottom - area.top, across=False
)
_extent(
    "COLUMN", lambda area: area.left, lambda area: None if area.right is None else area.right - area.left, across=True
)


def _size(name: str, of_area: Callable[[Area], int | None], of_grid: Callable[[Grid], int]) -> None:
    def size(run: Run, nodes: Sequence[Node], scope: Scope, array: bool) -> Result:
        try:
            found = of_area(run.around.clip_to_sheet(run.place(nodes[0], scope)).area)
        except Broken:
            found = None
        if found is not None:
            return float(found)
        value = run.value(nodes[0], scope, array)
        return float(of_grid(value)) if isinstance(value, Grid) else 1.0

    function(name, "x", lazy=True)(size)


_size("ROWS", lambda area: None if area.bottom is None else area.bottom - area.top, lambda value: value.height)
_size("COLUMNS", lambda area: None if area.right is None else area.right - area.left, lambda value: value.width)
