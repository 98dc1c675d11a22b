"""Arithmetic, rounding, trigonometry, sums and products."""

import math
import sys
from collections.abc import Callable, Iterator

from apps.sheets.cells import Fault, Value
from apps.sheets.engine.registry import function, plain
from apps.sheets.engine.values import Broken, Grid, finite, formula_error, number

MAX_FLOAT = int(sys.float_info.max)


def numbers(name: str, arrays: tuple[Grid, ...]) -> Iterator[float]:
    """Yield the numbers among arguments: in ranges only numbers count, elsewhere everything that converts to one."""
    for index, array in enumerate(arrays):
        loose = array.place is None and array.height * array.width == 1
        for value in array.flat():
            if type(value) is float:
                yield value
            elif isinstance(value, Fault):
                raise Broken(value)
            elif loose and value is not None:
                yield number(value, f"Function {name} parameter {index + 1}")


def away(value: float, digits: float, rounding: Callable[[float], float]) -> float:
    """Round a number at a decimal place, after removing the noise of binary fractions."""
    places = int(digits)
    if places > 300 or value == 0:
        return value
    if places < -300:
        return 0.0
    scaled = float(f"{value * 10.0**places:.15g}") if places >= 0 else value / 10.0**-places
    if not math.isfinite(scaled):
        return value
    whole = rounding(scaled)
    return whole / 10.0**places if places >= 0 else whole * 10.0**-places


def half_up(value: float) -> float:
    """To the nearest whole number, halves away from zero."""
    return math.copysign(math.floor(abs(value) + 0.5), value)


def outward(value: float) -> float:
    """To the next whole number away from zero."""
    return math.copysign(math.ceil(abs(value)), value)


@function("ROUND", "n n?")
def round_(value: float, digits: float = 0.0) -> float:
    """To decimal places, halves away from zero."""
    return away(value, digits, half_up)


@function("ROUNDUP", "n n?")
def round_up(value: float, digits: float = 0.0) -> float:
    """To decimal places, away from zero."""
    return away(value, digits, outward)


@function("ROUNDDOWN", "n n?")
def round_down(value: float, digits: float = 0.0) -> float:
    """To decimal places, towards zero."""
    return away(value, digits, lambda scaled: float(math.trunc(scaled)))


function("TRUNC", "n n?")(round_down)


def domain(name: str, value: float, fits: bool, limits: str) -> None:
    """Refuse a parameter outside its limits."""
    if not fits:
        raise formula_error("#NUM!", f"Function {name} parameter 1 value is {_short(value)}. {limits}")


def _short(value: float) -> str:
    return str(int(value)) if value == int(value) and abs(value) < 1e15 else repr(value)


@function("SQRT", "n")
def sqrt(value: float) -> float:
    """The square root."""
    domain("SQRT", value, value >= 0, "It should be greater than or equal to 0.")
    return math.sqrt(value)


@function("SQRTPI", "n")
def sqrt_pi(value: float) -> float:
    """The square root of a multiple of pi."""
    domain("SQRTPI", value, value >= 0, "It should be greater than or equal to 0.")
    return math.sqrt(value * math.pi)


@function("LN", "n")
def ln(value: float) -> float:
    """The natural logarithm."""
    domain("LN", value, value > 0, "It should be greater than 0.")
    return math.log(value)


@function("LOG", "n n?")
def log(value: float, base: float = 10.0) -> float:
    """The logarithm to a base."""
    domain("LOG", value, value > 0, "It should be greater than 0.")
    if base <= 0:
        raise formula_error("#NUM!", f"Function LOG parameter 2 value is {_short(base)}. It should be greater than 0.")
    if base == 1:
        raise formula_error("#DIV/0!", "Evaluation of function LOG caused a divide by zero error.")
    return math.log10(value) if base == 10 else math.log(value, base)


@function("LOG10", "n")
def log10(value: float) -> float:
    """The logarithm to base 10."""
    domain("LOG10", value, value > 0, "It should be greater than 0.")
    return math.log10(value)


@function("EXP", "n")
def exp(value: float) -> float:
    """e raised to a power."""
    return finite(math.exp(value) if value < 710 else math.inf)


@function("MOD", "n n")
def mod(dividend: float, divisor: float) -> float:
    """Return the remainder of a division, with the divisor's sign."""
    if divisor == 0:
        raise formula_error("#DIV/0!", "Function MOD parameter 2 cannot be zero.")
    return (
        dividend - divisor * math.floor(dividend / divisor)
        if abs(dividend / divisor) > 1e15
        else math.fmod(math.fmod(dividend, divisor) + divisor, divisor)
    )


@function("QUOTIENT", "n n")
def quotient(dividend: float, divisor: float) -> float:
    """Return a quotient without its remainder."""
    if divisor == 0:
        raise formula_error("#DIV/0!", "Function QUOTIENT parameter 2 cannot be zero.")
    return float(math.trunc(dividend / divisor))


def multiple(value: float, factor: float, rounding: Callable[[float], float]) -> float:
    """A number rounded to a multiple."""
    return 0.0 if factor == 0 else float(f"{rounding(float(f'{value / factor:.14g}')) * factor:.15g}")


@function("CEILING", "n n?")
def ceiling(value: float, factor: float = 1.0) -> float:
    """Up to a multiple."""
    if value > 0 > factor:
        raise formula_error("#NUM!", "Function CEILING parameter 2 should be positive when parameter 1 is positive.")
    return multiple(value, factor, lambda scaled: float(math.ceil(scaled)))


@function("FLOOR", "n n?")
def floor(value: float, factor: float = 1.0) -> float:
    """Down to a multiple."""
    if value > 0 > factor:
        raise formula_error("#NUM!", "Function FLOOR parameter 2 should be positive when parameter 1 is positive.")
    if factor == 0 and value != 0:
        raise formula_error("#DIV/0!", "Function FLOOR parameter 2 cannot be zero.")
    return multiple(value, factor, lambda scaled: float(math.floor(scaled)))


@function("CEILING.MATH", "n n? n?")
def ceiling_math(value: float, factor: float = 1.0, mode: float = 0.0) -> float:
    """Up to a multiple; `mode` turns negative numbers away from zero."""
    return multiple(
        value, abs(factor), lambda scaled: float(math.floor(scaled) if mode and value < 0 else math.ceil(scaled))
    )


@function("FLOOR.MATH", "n n? n?")
def floor_math(value: float, factor: float = 1.0, mode: float = 0.0) -> float:
    """Down to a multiple; `mode` turns negative numbers towards zero."""
    return multiple(
        value, abs(factor), lambda scaled: float(math.ceil(scaled) if mode and value < 0 else math.floor(scaled))
    )


plain("n n?", {"CEILING.PRECISE": ceiling_math, "ISO.CEILING": ceiling_math, "FLOOR.PRECISE": floor_math})


@function("MROUND", "n n")
def mround(value: float, factor: float) -> float:
    """To the nearest multiple."""
    if value * factor < 0:
        raise formula_error("#NUM!", "Parameters of MROUND must have same sign.")
    return multiple(value, factor, half_up)


@function("EVEN", "n")
def even(value: float) -> float:
    """To the next even number away from zero."""
    return outward(value / 2) * 2


@function("ODD", "n")
def odd(value: float) -> float:
    """To the next odd number away from zero."""
    return (
        math.copysign(2 * math.ceil((abs(value) - 1) / 2) + 1, value) if abs(value) > 1 else math.copysign(1.0, value)
    )


def whole(name: str, value: float, least: float = 0) -> int:
    """Return an integer not below a limit."""
    if value < least:
        domain(name, value, False, f"It should be greater than or equal to {_short(least)}.")
    return int(value)


FACTORIALS = tuple(float(math.factorial(number)) for number in range(171))


@function("FACT", "n")
def fact(value: float) -> float:
    """n!"""
    size = whole("FACT", value)
    domain("FACT", value, size <= 170, "It should be less than or equal to 170.")
    return FACTORIALS[size]


@function("FACTDOUBLE", "n")
def fact_double(value: float) -> float:
    """n!!"""
    size = whole("FACTDOUBLE", value)
    domain("FACTDOUBLE", value, size <= 300, "It should be less than or equal to 300.")
    return float(math.prod(range(size, 0, -2)))


@function("COMBIN", "n n")
def combin(total: float, chosen: float) -> float:
    """Ways to choose."""
    if not 0 <= chosen <= total or total > 1e6:
        raise formula_error("#NUM!", "Function COMBIN parameter 2 value is out of range.")
    return _float(math.comb(int(total), min(int(chosen), int(total) - int(chosen), 2000)))


def _float(value: int) -> float:
    try:
        return float(value)
    except OverflowError:
        return finite(math.inf)


@function("PERMUT", "n n")
def permut(total: float, chosen: float) -> float:
    """Ways to arrange."""
    if not 0 <= chosen <= total or chosen > 400:
        raise formula_error("#NUM!", "Function PERMUT parameter 2 value is out of range.")
    return _float(math.perm(int(total), int(chosen)))


@function("GCD", "g g*")
def gcd(*arrays: Grid) -> float:
    """The greatest common divisor."""
    return float(math.gcd(*[int(value) for value in numbers("GCD", arrays)]))


@function("LCM", "g g*")
def lcm(*arrays: Grid) -> float:
    """The least common multiple."""
    found = 1
    for value in numbers("LCM", arrays):
        found = math.lcm(found, int(value))
        if found > MAX_FLOAT:
            raise formula_error("#NUM!", "Numeric value is greater than 1.79769e+308 and cannot be displayed properly.")
    return float(found)


plain(
    "n",
    {
        "ABS": abs,
        "INT": lambda value: float(math.floor(value)),
        "SIGN": lambda value: float((value > 0) - (value < 0)),
        "SIN": math.sin,
        "COS": math.cos,
        "TAN": math.tan,
        "ATAN": math.atan,
        "SINH": lambda value: finite(_guard(math.sinh, value)),
        "COSH": lambda value: finite(_guard(math.cosh, value)),
        "TANH": math.tanh,
        "ASINH": math.asinh,
        "DEGREES": math.degrees,
        "RADIANS": math.radians,
        "ISEVEN": lambda value: int(value) % 2 == 0,
        "ISODD": lambda value: int(value) % 2 == 1,
        "SEC": lambda value: 1 / math.cos(value),
        "SECH": lambda value: 1 / finite(_guard(math.cosh, value)),
        "ACOT": lambda value: math.pi / 2 - math.atan(value),
    },
)
plain("", {"PI": lambda: math.pi})


def _guard(code: Callable[[float], float], value: float) -> float:
    try:
        return code(value)
    except OverflowError:
        return math.inf


def _within(name: str, code: Callable[[float], float], low: float, high: float) -> None:
    def check_and_compute(value: float) -> float:
        domain(
            name, value, low <= value <= high, f"Valid values are between {_short(low)} and {_short(high)} inclusive."
        )
        return code(value)

    function(name, "n")(check_and_compute)


_within("ASIN", math.asin, -1, 1)
_within("ACOS", math.acos, -1, 1)


@function("ACOSH", "n")
def acosh(value: float) -> float:
    """The inverse hyperbolic cosine."""
    domain("ACOSH", value, value >= 1, "It should be greater than or equal to 1.")
    return math.acosh(value)


@function("ATANH", "n")
def atanh(value: float) -> float:
    """The inverse hyperbolic tangent."""
    domain("ATANH", value, -1 < value < 1, "Valid values are between -1 and 1 exclusive.")
    return math.atanh(value)


@function("ATAN2", "n n")
def atan2(across: float, up: float) -> float:
    """The angle of a point."""
    if across == 0 and up == 0:
        raise formula_error("#DIV/0!", "Evaluation of function ATAN2 caused a divide by zero error.")
    return math.atan2(up, across)


def _inverse(name: str, code: Callable[[float], float]) -> None:
    def inverse(value: float) -> float:
        if value == 0:
            raise formula_error("#DIV/0!", f"Evaluation of function {name} caused a divide by zero error.")
        return 1 / finite(_guard(code, value))

    function(name, "n")(inverse)


_inverse("COT", math.tan)
_inverse("CSC", math.sin)
_inverse("CSCH", math.sinh)
_inverse("COTH", math.tanh)


@function("SUM", "g g*")
def sum_(*arrays: Grid) -> float:
    """The sum."""
    return finite(sum(numbers("SUM", arrays)))


@function("SUMSQ", "g g*")
def sum_squares(*arrays: Grid) -> float:
    """The sum of squares."""
    return finite(sum(value * value for value in numbers("SUMSQ", arrays)))


@function("PRODUCT", "g g*")
def product(*arrays: Grid) -> float:
    """The product; of nothing, 0."""
    found = list(numbers("PRODUCT", arrays))
    return finite(math.prod(found)) if found else 0.0


@function("SUMPRODUCT", "g g*", array=True)
def sum_product(*arrays: Grid) -> float:
    """Return the sum of elementwise products; non-numbers count as zero."""
    first = arrays[0]
    if any((array.height, array.width) != (first.height, first.width) for array in arrays):
        raise formula_error("#VALUE!", "Function SUMPRODUCT has mismatched range sizes.")
    return finite(
        sum(
            math.prod(_factor(value) for value in values)
            for values in zip(*[array.flat() for array in arrays], strict=True)
        )
    )


def _factor(value: Value) -> float:
    if isinstance(value, Fault):
        raise Broken(value)
    return float(value) if isinstance(value, float | bool) else 0.0


def _pairs(name: str, code: Callable[[float, float], float]) -> None:
    def sum_pairs(one: Grid, two: Grid) -> float:
        if one.height * one.width != two.height * two.width:
            raise formula_error("#N/A", f"Function {name} has mismatched range sizes.")
        pairs = zip(one.flat(), two.flat(), strict=True)
        return finite(
            sum(code(first, second) for first, second in pairs if type(first) is float and type(second) is float)
        )

    function(name, "g g", array=True)(sum_pairs)


_pairs("SUMX2MY2", lambda one, two: one * one - two * two)
_pairs("SUMX2PY2", lambda one, two: one * one + two * two)
_pairs("SUMXMY2", lambda one, two: (one - two) ** 2)


@function("SERIESSUM", "n n n g")
def series_sum(base: float, start: float, step: float, coefficients: Grid) -> float:
    """A power series."""
    return finite(
        sum(value * base ** (start + index * step) for index, value in enumerate(numbers("SERIESSUM", (coefficients,))))
    )


@function("MULTINOMIAL", "g g*")
def multinomial(*arrays: Grid) -> float:
    """The factorial of a sum over the product of factorials."""
    found = [int(value) for value in numbers("MULTINOMIAL", arrays)]
    if sum(found) > 1000 or any(value < 0 for value in found):
        raise formula_error("#NUM!", "Function MULTINOMIAL parameter value is out of range.")
    return _float(math.factorial(sum(found)) // math.prod(math.factorial(value) for value in found))
