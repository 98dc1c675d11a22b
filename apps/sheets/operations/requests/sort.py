"""Requests that put the rows of a range into another order or take some out: sortRange, randomizeRange,
deleteDuplicates.
"""

from collections.abc import Sequence

from apps.sheets.cells import Area, Entry, Fault, Value
from apps.sheets.grid import protection
from apps.sheets.grid.stored_cells import BLANK, Cell
from apps.sheets.json_columns import decode_object
from apps.sheets.operations.requests.dimensions import merges
from apps.sheets.operations.requests.registry import RequestArguments, request
from apps.sheets.spreadsheet import Spreadsheet
from apps.sheets.structure import formula_references
from apps.sheets.structure.tabs import Tab
from apps.sheets.vendor_types import CheckedObject
from world.core.json_types import JsonObject

COLOURS = {"backgroundColor": "backgroundColorStyle", "foregroundColor": "foregroundColorStyle"}
MOST_CLAIMED = 25_000  # cells: a large table may be sorted, but only once in a batch


class Table:
    """The rows of a range, with what they hold and what they show."""

    def __init__(self, book: Spreadsheet, asked: RequestArguments, tab: Tab, area: Area) -> None:
        self.book, self.tab, self.area = book, tab, area.within(tab.rows, tab.columns)
        self.left, self.right = self.area.left, self.area.right or 0
        protection.check_area(book, tab, self.area)
        if any(merge.meets(self.area) for merge in merges(book, tab)):
            raise asked.wrong(
                "You can't sort a range with vertical merges."
                if asked.kind == "sortRange"
                else "The range has merged cells."
            )
        self.cells = book.cells(tab, self.area)
        self.rows = range(self.area.top, max((row for row, _ in self.cells), default=self.area.top - 1) + 1)
        book.claim(min(len(self.rows) * (self.right - self.left), MOST_CLAIMED))
        self.values = book.values(tab, Area(self.area.top, self.left, self.rows.stop, self.right)) if self.rows else []

    def value(self, row: int, column: int) -> Value:
        """Return the displayed value of a cell."""
        return self.values[row - self.area.top][column - self.left]

    def line(self, row: int) -> list[Cell]:
        """The cells of a row."""
        return [self.cells.get((row, column), BLANK) for column in range(self.left, self.right)]

    def arrange(self, order: Sequence[int]) -> None:
        """Write rows in an order; those that are left out are gone, and what follows the last is blank."""
        new: list[tuple[int, int, Cell]] = []
        for place, row in enumerate(order, self.area.top):
            if place != row:
                new += [
                    (place, column, _move_cell(cell, place - row))
                    for column, cell in enumerate(self.line(row), self.left)
                ]
        for row in range(self.area.top + len(order), self.rows.stop):
            new += [(row, column, BLANK) for column in range(self.left, self.right)]
        changed = [one for one in new if self.cells.get(one[:2], BLANK) != one[2]]
        if changed:
            self.book.put(self.tab, changed)


def _move_cell(cell: Cell, rows: int) -> Cell:
    """A cell in another row; its formula's relative references move along."""
    return (
        cell._replace(entry=Entry("formula", formula_references.shift_formula(cell.entry.input, rows, 0)))
        if cell.entry.kind == "formula"
        else cell
    )


def rank(value: Value) -> tuple[int, float, str, str]:
    """A value's place in ascending order: numbers, texts, booleans, errors."""
    if isinstance(value, bool):
        return 2, float(value), "", ""
    if isinstance(value, (int, float)):
        return 0, value, "", ""
    if isinstance(value, Fault):
        return 3, 0.0, value.code, ""
    return 1, 0.0, (value or "").casefold(), value or ""


def is_empty(value: Value) -> bool:
    """Whether a value sorts behind everything."""
    return value is None or value == ""


@request("sortRange")
def sort_range(book: Spreadsheet, asked: RequestArguments) -> None:
    """Sort the rows of a range by columns; empty cells come last."""
    tab, area = asked.grid(book)
    specs = asked.get("sortSpecs", [])
    if not specs:
        raise asked.wrong("At least one sortSpec must be specified.")
    table = Table(book, asked, tab, area)
    order = list(table.rows)
    for spec in reversed(specs):
        order = _sort_rows(asked, table, order, spec)
    table.arrange(order)


def _sort_rows(asked: RequestArguments, table: Table, order: list[int], spec: CheckedObject) -> list[int]:
    """Rows by one specification, otherwise as they were."""
    column, down = spec.get("dimensionIndex") or 0, spec.get("sortOrder") == "DESCENDING"
    if not table.left <= column < table.right:
        raise asked.wrong(f"dimensionIndex {column} is not in the range.")
    if spec.get("sortOrder", "ASCENDING") not in ("ASCENDING", "DESCENDING", "SORT_ORDER_UNSPECIFIED"):
        raise asked.wrong(f"Invalid value at 'sortSpecs.sortOrder', \"{spec['sortOrder']}\"")
    if any(name in spec for pair in COLOURS.items() for name in pair):
        return sorted(order, key=lambda row: not _has_colour(table.cells.get((row, column), BLANK), spec))
    full = [row for row in order if not is_empty(table.value(row, column))]
    empty = [row for row in order if is_empty(table.value(row, column))]
    return sorted(full, key=lambda row: rank(table.value(row, column)), reverse=down) + empty


def _has_colour(cell: Cell, spec: CheckedObject) -> bool:
    """Whether a cell has the colour that sorts to the top."""
    style = decode_object(cell.format)
    for name, newer in COLOURS.items():
        wanted = (spec.get(newer) or {}).get("rgbColor", spec.get(name))
        if wanted is not None:
            has = style if name == "backgroundColor" else style.get("textFormat") or {}
            own = (has.get(newer) or {}).get("rgbColor", has.get(name))
            return own is not None and _rgb(own) == _rgb(wanted)
    return False


def _rgb(colour: CheckedObject) -> tuple[int, ...]:
    return tuple(round(float(colour.get(name) or 0) * 255) for name in ("red", "green", "blue"))


@request("randomizeRange")
def randomize_range(book: Spreadsheet, asked: RequestArguments) -> None:
    """Put the rows of a range into a random order."""
    tab, area = asked.grid(book)
    table = Table(book, asked, tab, area)
    table.arrange(book.call.rng.stream("randomizeRange").shuffled(table.rows))


@request("deleteDuplicates")
def delete_duplicates(book: Spreadsheet, asked: RequestArguments) -> JsonObject:
    """Take out rows whose values another row above has too; the rows below them move up within the range."""
    tab, area = asked.grid(book)
    table = Table(book, asked, tab, area)
    columns = _list_compared_columns(asked, table)
    seen: set[tuple[object, ...]] = set()
    kept: list[int] = []
    for row in table.rows:
        told = tuple(_alike(table.value(row, column)) for column in columns)
        if told not in seen:
            kept.append(row)
        seen.add(told)
    table.arrange(kept)
    removed = len(table.rows) - len(kept)
    return {"duplicatesRemovedCount": removed} if removed else {}


def _list_compared_columns(asked: RequestArguments, table: Table) -> list[int]:
    """The columns that count; all of the range unless named."""
    named: list[int] = []
    for given in asked.get("comparisonColumns", []):
        if given.get("dimension", "COLUMNS") != "COLUMNS" or (given.get("sheetId") or 0) != table.tab.gid:
            raise asked.wrong("comparisonColumns must be columns of the range.")
        start, end = given.get("startIndex") or 0, given.get("endIndex", table.right)
        if not table.left <= start < end <= table.right:
            raise asked.wrong("comparisonColumns must be columns of the range.")
        named += range(start, end)
    return named or list(range(table.left, table.right))


def _alike(value: Value) -> object:
    """Equal for values that count as the same: letter case does not matter."""
    kind, number, folded, _ = rank(value)
    return None if is_empty(value) else (kind, number, folded)
