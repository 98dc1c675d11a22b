"""The operators of formulas on single values."""

import operator
from collections.abc import Callable

from apps.sheets.cells import Value
from apps.sheets.engine.values import MAX_TEXT, Broken, finite, formula_error, number, order, text


def add(one: Value, two: Value) -> float:
    """`+`"""
    if type(one) is float and type(two) is float:
        return finite(one + two)
    return finite(number(one, "Function ADD parameter 1") + number(two, "Function ADD parameter 2"))


def minus(one: Value, two: Value) -> float:
    """`-`"""
    if type(one) is float and type(two) is float:
        return finite(one - two)
    return finite(number(one, "Function MINUS parameter 1") - number(two, "Function MINUS parameter 2"))


def multiply(one: Value, two: Value) -> float:
    """`*`"""
    if type(one) is float and type(two) is float:
        return finite(one * two)
    return finite(number(one, "Function MULTIPLY parameter 1") * number(two, "Function MULTIPLY parameter 2"))


def divide(one: Value, two: Value) -> float:
    """`/`"""
    dividend, divisor = number(one, "Function DIVIDE parameter 1"), number(two, "Function DIVIDE parameter 2")
    if divisor == 0:
        raise formula_error("#DIV/0!", "Function DIVIDE parameter 2 cannot be zero.")
    return finite(dividend / divisor)


def power(one: Value, two: Value, name: str = "POW") -> float:
    """`^`"""
    base, exponent = number(one, f"Function {name} parameter 1"), number(two, f"Function {name} parameter 2")
    if base == 0 and exponent < 0:
        raise formula_error("#DIV/0!", f"Evaluation of function {name} caused a divide by zero error.")
    if base == 0 and exponent == 0:
        return 1.0
    try:
        result = base**exponent
    except OverflowError:
        raise formula_error(
            "#NUM!", "Numeric value is greater than 1.79769e+308 and cannot be displayed properly."
        ) from None
    if isinstance(result, complex):
        raise formula_error("#NUM!", f"{name} evaluates to an imaginary number.")
    return finite(result)


def join_texts(one: Value, two: Value) -> str:
    """`&`"""
    result = text(one) + text(two)
    if len(result) > MAX_TEXT:
        raise too_long()
    return result


def too_long() -> Broken:
    """Return the error for a text too long for a cell."""
    return formula_error("#VALUE!", "Text result is longer than the limit of 50000 characters.")


def _compare(check: Callable[[float, float], bool]) -> Callable[[Value, Value], bool]:
    return lambda one, two: check(one, two) if type(one) is float and type(two) is float else check(order(one, two), 0)


OPERATORS: dict[str, Callable[[Value, Value], Value]] = {
    "+": add,
    "-": minus,
    "*": multiply,
    "/": divide,
    "^": power,
    "&": join_texts,
    "=": _compare(operator.eq),
    "<>": _compare(operator.ne),
    "<": _compare(operator.lt),
    "<=": _compare(operator.le),
    ">": _compare(operator.gt),
    ">=": _compare(operator.ge),
}
