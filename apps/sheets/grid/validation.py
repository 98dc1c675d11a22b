"""Data validation: checks of the page, and the options of a dropdown."""

from collections.abc import Sequence

from apps.sheets import a1
from apps.sheets.cells import Area
from apps.sheets.grid.conditions import AreaValues, Cells, Conditions, rule_of
from apps.sheets.spreadsheet import Spreadsheet
from apps.sheets.structure.tabs import Tab
from apps.sheets.vendor_types import ValidationRule
from world.core.errors import OperationError

VIOLATED = "The data you entered in cell {cell} violates the data validation rules set on this cell."


def violations(
    book: Spreadsheet, tab: Tab, places: Sequence[Cells], *, strict: bool = False
) -> list[tuple[Cells, ValidationRule]]:
    """Return the present cells that break their rules, each with its rule; empty cells are always allowed."""
    if not places:
        return []
    rows, columns = [row for row, _ in places], [column for _, column in places]
    area = Area(min(rows), min(columns), max(rows) + 1, max(columns) + 1)
    wanted = set(places)
    ruled = [
        (at, cell) for at, cell in book.cells(tab, area).items() if at in wanted and cell.validation and cell.entry.kind
    ]
    if not ruled:
        return []
    conditions, seen = Conditions(book), AreaValues(book, tab, area)
    found: list[tuple[Cells, ValidationRule]] = []
    for at, cell in ruled:
        rule = rule_of(cell.validation) or {}
        if (rule.get("strict") or not strict) and not conditions.test(seen, rule.get("condition") or {}, at)(*at):
            found.append((at, rule))
    return found


def check(book: Spreadsheet, tab: Tab, places: Sequence[Cells]) -> None:
    """Refuse new content that breaks a cell's strict rule. Raises violates_rule; the call then changes nothing."""
    for (row, column), rule in violations(book, tab, places, strict=True)[:1]:
        cell = a1.text(tab.title, Area(row, column, row + 1, column + 1), tab.rows, tab.columns).rpartition("!")[2]
        raise OperationError("violates_rule", cell=cell, problem=rule.get("inputMessage") or VIOLATED.format(cell=cell))
