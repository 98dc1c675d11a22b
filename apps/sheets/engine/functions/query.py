"""QUERY."""

from apps.sheets.cells import Value
from apps.sheets.engine.evaluate import Run
from apps.sheets.engine.query.execution import answer, header_rows, table
from apps.sheets.engine.query.language import BadQuery, parse_query
from apps.sheets.engine.registry import function
from apps.sheets.engine.tokens import column_letters
from apps.sheets.engine.values import Grid, formula_error


@function("QUERY", "g t? n?", run=True)
def query(run: Run, data: Grid, text: str = "", headers: float = -1.0) -> Grid:
    """Return the rows and columns that a query selects."""
    rows: list[list[Value]] = data.rows
    often = 4 if run.calls else 1  # within a LAMBDA it is asked again and again; one large table is nobody's attack
    run.spend(data.height * (data.width + 2 + len(text) // 8) * often // 4 + len(text))
    head = header_rows(rows) if headers < 0 else min(int(headers), data.height)
    left = None if data.place is None else data.place.area.left
    names = [f"Col{index + 1}" if left is None else column_letters(left + index) for index in range(data.width)]
    try:
        found = answer(parse_query(text), table(rows, head, names, run.around.moment.serial()))
    except BadQuery as refusal:
        raise formula_error(
            "#VALUE!", f"Unable to parse query string for Function QUERY parameter 2: {refusal}"
        ) from None
    if not found:
        raise formula_error("#N/A", "Query completed with an empty output.")
    run.spend(len(found) * len(found[0]) // 4)
    return Grid(found)
