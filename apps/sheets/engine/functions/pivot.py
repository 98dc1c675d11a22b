"""Internal function that computes a pivot table; no formula of a person may call it.

See apps/sheets/structure/pivots.py.
"""

from collections.abc import Callable

import orjson

from apps.sheets.cells import Value
from apps.sheets.engine.evaluate import Run, invoke
from apps.sheets.engine.pivots.layout import Table
from apps.sheets.engine.registry import OURS, PIVOT, internal_function
from apps.sheets.engine.values import Grid, Lambda, formula_error, grid
from world.core.json_types import JsonObject

Record = list[Value]


@internal_function(PIVOT, "g? t? x*", run=True)
def pivot(run: Run, source: Grid, text: str = "", *formulas: object) -> Grid:
    """Return the pivot table of a source and a definition as JSON; `formulas` are those of its calculated values."""
    if not text.startswith(OURS):
        raise formula_error("#NAME?", f"Unknown function: '{PIVOT}'.")
    spec = orjson.loads(text.removeprefix(OURS))
    groups = len(spec.get("rows") or []) + len(spec.get("columns") or []) + len(spec.get("values") or []) + 1
    run.spend(source.height * groups // 8 + len(text) // 8)
    calculated = [number for number, value in enumerate(spec.get("values") or []) if "formula" in value]
    known = {
        number: _formula(run, function, spec["values"][number])
        for number, function in zip(calculated, formulas, strict=True)
        if isinstance(function, Lambda)
    }
    cells = Table(spec, source.rows, run.around.moment.locale, known).cells()
    run.spend(len(cells) * len(cells[0]) // 8)
    made = Grid([[value for value, _ in line] for line in cells])
    made.kinds = [[kind for _, kind in line] for line in cells]
    return made


def _formula(run: Run, function: Lambda, value: JsonObject) -> Callable[[list[Record]], Value]:
    """Return a calculated value: of whole columns (CUSTOM), or of their sums."""

    def summarize_records(records: list[Record]) -> Value:
        columns: list[list[Value]] = [list(column) for column in zip(*records, strict=True)]
        given = [
            Grid([[one] for one in column]) if value.get("summarizeFunction") == "CUSTOM" else _sum(column)
            for column in columns
        ]
        found = grid(invoke(run, function, given))
        return found.rows[0][0] if found.rows and found.rows[0] else formula_error("#VALUE!").fault

    return summarize_records


def _sum(column: list[Value]) -> Value:
    return sum((one for one in column if isinstance(one, float)), 0.0)
