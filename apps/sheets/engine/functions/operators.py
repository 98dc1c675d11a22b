"""Operators as functions: ADD, EQ, POW and their like."""

from apps.sheets.cells import Value
from apps.sheets.engine.arithmetic import OPERATORS, join_texts, power
from apps.sheets.engine.registry import function, plain

_NAMED = {
    "ADD": "+",
    "MINUS": "-",
    "MULTIPLY": "*",
    "DIVIDE": "/",
    "POW": "^",
    "EQ": "=",
    "NE": "<>",
    "GT": ">",
    "GTE": ">=",
    "LT": "<",
    "LTE": "<=",
}
plain("v v", {name: OPERATORS[sign] for name, sign in _NAMED.items()})
plain(
    "n",
    {"UMINUS": lambda value: -value or 0.0, "UPLUS": lambda value: value, "UNARY_PERCENT": lambda value: value / 100},
)
function("CONCAT", "v v")(join_texts)


@function("POWER", "v v")
def power_of(base: Value, exponent: Value) -> float:
    """A number raised to another."""
    return power(base, exponent, "POWER")


@function("ISBETWEEN", "v v v b? b?")
def is_between(value: Value, low: Value, high: Value, with_low: bool = True, with_high: bool = True) -> bool:
    """Whether a value lies between two others."""
    above = OPERATORS[">=" if with_low else ">"](value, low)
    below = OPERATORS["<=" if with_high else "<"](value, high)
    return bool(above and below)
