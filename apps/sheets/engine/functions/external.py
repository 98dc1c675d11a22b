"""Functions of external data: IMPORTRANGE stays within the world, the others find no network."""

from apps.sheets.cells import Fault, Value
from apps.sheets.engine.evaluate import Run
from apps.sheets.engine.registry import function
from apps.sheets.engine.values import Broken, Grid, formula_error


@function("IMPORTRANGE", "t t", run=True)
def import_range(run: Run, spreadsheet: str, reference: str) -> Grid:
    """A range of another spreadsheet."""
    found = run.around.outside(spreadsheet, reference)
    if isinstance(found, Fault):
        raise Broken(found)
    return Grid(found or [[None]])


def _declare_fetch(name: str, kinds: str) -> None:
    def refuse(url: str, *rest: Value) -> Value:
        raise formula_error("#N/A", f"Could not fetch url: {url[:200]}")

    function(name, kinds)(refuse)


for _name, _kinds in {
    "IMPORTXML": "t t t?",
    "IMPORTHTML": "t t n t?",
    "IMPORTDATA": "t t? t?",
    "IMPORTFEED": "t t? b? n?",
}.items():
    _declare_fetch(_name, _kinds)


@function("GOOGLEFINANCE", "t t? v? v? v?")
def google_finance(ticker: str, *rest: Value) -> Value:
    """Return the error for quotes, which the world does not have."""
    raise formula_error(
        "#N/A", f"When evaluating GOOGLEFINANCE, the query for the symbol: '{ticker[:200]}' returned no data."
    )


@function("GOOGLETRANSLATE", "t t? t?")
def google_translate(value: str, *rest: str) -> Value:
    """Return the error for translations, which the world does not have."""
    raise formula_error("#VALUE!", "Translation service is not available.")


@function("DETECTLANGUAGE", "g")
def detect_language(value: Grid) -> Value:
    """Return the error for language detection, which the world does not have."""
    raise formula_error("#VALUE!", "Translation service is not available.")


@function("GETPIVOTDATA", "v x v* v*")
def get_pivot_data(value_name: Value, cell: object, *filters: Value) -> Value:
    """Return the error for GETPIVOTDATA, which finds no pivot table."""
    raise formula_error("#REF!", "Function GETPIVOTDATA parameter 2 is not in a pivot table.")


@function("IMAGE", "t n? n? n?")
def image(url: str, *rest: float) -> Value:
    """A picture in a cell, which has no value."""
    return None


@function("SPARKLINE", "g g?")
def sparkline(data: Grid, options: Grid | None = None) -> Value:
    """A small chart in a cell, which has no value."""
    return None
