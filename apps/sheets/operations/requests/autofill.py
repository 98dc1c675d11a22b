"""Autofill: series, formulas and formats carried on from a few cells."""

from apps.sheets.cells import Area
from apps.sheets.grid import autofill, protection
from apps.sheets.grid.stored_cells import BLANK, Cell
from apps.sheets.json_columns import decode_object
from apps.sheets.operations.requests.dimensions import axis_of
from apps.sheets.operations.requests.moves import area_sides
from apps.sheets.operations.requests.registry import RequestArguments, beyond, request
from apps.sheets.spreadsheet import Spreadsheet
from apps.sheets.structure.formula_references import Axis
from apps.sheets.structure.tabs import Tab


@request("autoFill")
def auto_fill(book: Spreadsheet, asked: RequestArguments) -> None:
    """Carry on the series that cells begin."""
    spread = asked.get("sourceAndDestination")
    if (spread is None) == (asked.get("range") is None):
        raise asked.wrong("Exactly one of range and sourceAndDestination must be set.")
    if spread is None:
        tab, whole = asked.grid(book)
        found = _detect_source(book, tab, Area(*area_sides(tab, whole)))
        if found is None:
            return
        source, axis, count = found
    else:
        tab, whole = asked.range_of(book, spread.get("source") or {})
        source, axis, count = Area(*area_sides(tab, whole)), axis_of(asked, spread), spread.get("fillLength") or 0
        if not count:
            raise asked.wrong("fillLength must not be 0.")
    _fill(book, asked, tab, source, axis, count)


def _detect_source(book: Spreadsheet, tab: Tab, area: Area) -> tuple[Area, Axis, int] | None:
    """Detect the data in a range, and the direction and length of the empty rest."""
    held = [at for at, cell in book.cells(tab, area).items() if cell.entry.kind]
    if not held:
        return None
    rows, columns = [at[0] for at in held], [at[1] for at in held]
    data = Area(min(rows), min(columns), max(rows) + 1, max(columns) + 1)
    below, right = (area.bottom or 0) - (data.bottom or 0), (area.right or 0) - (data.right or 0)
    above, left = data.top - area.top, data.left - area.left
    if below or above:
        source = Area(data.top, area.left, data.bottom, area.right)
        return (source, "ROWS", below) if below else (source, "ROWS", -above)
    if right or left:
        source = Area(area.top, data.left, area.bottom, data.right)
        return (source, "COLUMNS", right) if right else (source, "COLUMNS", -left)
    return None


def _fill(book: Spreadsheet, asked: RequestArguments, tab: Tab, source: Area, axis: Axis, count: int) -> None:
    """Continue each line of the source separately."""
    goal = _goal(source, axis, count)
    if goal.top < 0 or goal.left < 0 or (goal.bottom or 0) > tab.rows or (goal.right or 0) > tab.columns:
        raise beyond(tab, goal._replace(top=max(goal.top, 0), left=max(goal.left, 0)))
    asked.claim(book, goal)
    protection.check_area(book, tab, goal)
    held = book.cells(tab, source)
    new: list[tuple[int, int, Cell]] = []
    is_rows, alternate = axis == "ROWS", bool(asked.get("useAlternateSeries"))
    lines = range(source.left, source.right or 0) if is_rows else range(source.top, source.bottom or 0)
    along = range(source.top, source.bottom or 0) if is_rows else range(source.left, source.right or 0)
    for line in lines:
        cells = [held.get((at, line) if is_rows else (line, at), BLANK) for at in along]
        for at, cell in _continue_line(book, cells, along, count, axis, alternate):
            new.append((at, line, cell) if is_rows else (line, at, cell))
    book.put(tab, new)


def _goal(source: Area, axis: Axis, count: int) -> Area:
    """The cells that are filled."""
    low, high = (source.top, source.bottom or 0) if axis == "ROWS" else (source.left, source.right or 0)
    start, end = (high, high + count) if count > 0 else (low + count, low)
    return (
        Area(start, source.left, end, source.right) if axis == "ROWS" else Area(source.top, start, source.bottom, end)
    )


def _continue_line(
    book: Spreadsheet, cells: list[Cell], along: range, count: int, axis: Axis, alternate: bool
) -> list[tuple[int, Cell]]:
    """The next cells of one line, with their places; formats and validation go round."""
    back = count < 0
    styles = [decode_object(cell.format).get("numberFormat") for cell in cells]
    entries = autofill.series(
        [cell.entry for cell in cells], styles, abs(count), back, axis=axis, alternate=alternate, locale=book.locale
    )
    places = range(along.start - 1, along.start - 1 + count, -1) if back else range(along.stop, along.stop + count)
    found: list[tuple[int, Cell]] = []
    for place, entry in zip(places, entries, strict=True):
        like = cells[(place - along.start) % len(cells)]
        found.append((place, like._replace(entry=entry, note=None, runs=None)))
    return found
