"""Summary functions of a pivot table's values.

developers.google.com/workspace/sheets/api/reference/rest/v4/spreadsheets/pivot-tables#PivotStandardValueFunction
"""

import math
from collections.abc import Callable, Sequence
from statistics import median, pvariance, variance

from apps.sheets.cells import Fault, Value
from apps.sheets.engine.values import formula_error, same_key


def summarize_values(name: str, values: Sequence[Value]) -> Value:
    """Summarize values; an error among them is the result."""
    fault = next((value for value in values if isinstance(value, Fault)), None)
    if name in COUNTS:
        return COUNTS[name](values)
    if fault is not None:
        return fault
    return NUMBERS[name]([float(value) for value in values if isinstance(value, float) or type(value) is int])


def _distinct(values: Sequence[Value]) -> float:
    return float(len({same_key(value) for value in values if value not in (None, "")}))


def _require_numbers(
    least: int, told: Callable[[list[float]], float], code: str = "#DIV/0!"
) -> Callable[[list[float]], Value]:
    """Wrap a function that needs a number of values; with fewer, the result is an error."""
    return lambda numbers: told(numbers) if len(numbers) >= least else formula_error(code).fault


COUNTS: dict[str, Callable[[Sequence[Value]], Value]] = {
    "COUNTA": lambda values: float(sum(value not in (None, "") for value in values)),
    "COUNT": lambda values: float(sum(isinstance(value, float) for value in values)),
    "COUNTUNIQUE": _distinct,
}
NUMBERS: dict[str, Callable[[list[float]], Value]] = {
    "SUM": math.fsum,
    "MAX": lambda numbers: max(numbers, default=0.0),
    "MIN": lambda numbers: min(numbers, default=0.0),
    "PRODUCT": lambda numbers: math.prod(numbers) if numbers else 0.0,
    "AVERAGE": _require_numbers(1, lambda numbers: math.fsum(numbers) / len(numbers)),
    "MEDIAN": _require_numbers(1, median, "#NUM!"),
    "VAR": _require_numbers(2, variance),
    "VARP": _require_numbers(1, pvariance),
    "STDEV": _require_numbers(2, lambda numbers: math.sqrt(variance(numbers))),
    "STDEVP": _require_numbers(1, lambda numbers: math.sqrt(pvariance(numbers))),
}
FUNCTIONS = frozenset((*COUNTS, *NUMBERS))
