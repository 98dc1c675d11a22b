"""Functions of complex numbers that the native engine lacks; it parses and formats the numbers."""

import cmath
import math
from collections.abc import Callable

from apps.sheets.cells import Value
from apps.sheets.engine.evaluate import Run
from apps.sheets.engine.registry import function
from apps.sheets.engine.values import format_plain_number, formula_error, number, single


def parse_complex(run: Run, value: Value) -> complex:
    """Parse a complex number: a number, or a text such as `3+4i`."""
    run.spend(800)
    parts = (number(single(run.around.delegate(name, (value,)))) for name in ("IMREAL", "IMAGINARY"))
    return complex(*parts)


def format_complex(run: Run, value: complex, like: Value) -> Value:
    """Format a complex number, with the suffix of its input."""
    run.spend(400)
    suffix = "j" if isinstance(like, str) and like.endswith("j") else "i"
    return single(run.around.delegate("COMPLEX", (tidy(value.real), tidy(value.imag), suffix)))


def tidy(part: float) -> float:
    """Round a part to fifteen digits for display."""
    return float(f"{part:.15g}")


def _declare_transform(name: str, code: Callable[[complex], complex]) -> None:
    def transform(run: Run, value: Value) -> Value:
        try:
            return format_complex(run, code(parse_complex(run, value)), value)
        except ZeroDivisionError:
            raise formula_error("#DIV/0!", f"Evaluation of function {name} caused a divide by zero error.") from None

    function(name, "v", run=True)(transform)


def _coth(value: complex) -> complex:
    if abs(value.real) > 300:
        return complex(math.copysign(1, value.real))
    width, angle = 2 * value.real, 2 * value.imag
    under = math.cosh(width) - math.cos(angle)
    return complex(math.sinh(width) / under, -math.sin(angle) / under)


_declare_transform("IMTANH", cmath.tanh)
_declare_transform("IMCOTH", _coth)


@function("IMLOG", "v n", run=True)
def logarithm(run: Run, value: Value, base: float) -> Value:
    """The logarithm of a complex number to a base."""
    if base <= 0 or base == 1:
        raise formula_error(
            "#NUM!",
            f"Function IMLOG parameter 2 value is {format_plain_number(base)}. It should be greater than 0 and not equal to 1.",
        )
    found = parse_complex(run, value)
    if not found:
        raise formula_error("#NUM!", "Function IMLOG parameter 1 value is 0. It should be other than 0.")
    return format_complex(run, cmath.log(found) / cmath.log(base).real, value)
