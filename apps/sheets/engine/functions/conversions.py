"""A value read as another kind: TO_DATE and its like, TEXT."""

import math

from apps.sheets import formats
from apps.sheets.cells import Value
from apps.sheets.engine.evaluate import Run
from apps.sheets.engine.registry import function, plain
from apps.sheets.engine.values import formula_error, number, text, text_number

plain(
    "v",
    {
        name: lambda value: value if not isinstance(value, bool) else float(value)
        for name in ("TO_DATE", "TO_PERCENT", "TO_DOLLARS")
    },
)


@function("TO_TEXT", "v")
def to_text(value: Value) -> str:
    """A value as text."""
    return text(value)


@function("TO_PURE_NUMBER", "v")
def to_pure_number(value: Value) -> Value:
    """A number without its format; a text that is no number stays."""
    if isinstance(value, str):
        found = text_number(value)
        return value if found is None else found
    return number(value)


@function("DOLLAR", "n n?")
def dollar(value: float, digits: float = 2.0) -> str:
    """A number as an amount of money."""
    return ("-" if value < 0 else "") + "$" + fixed(abs(value), digits, False)


@function("FIXED", "n n? b?")
def fixed(value: float, digits: float = 2.0, plain_: bool = False) -> str:
    """A number with so many decimal places."""
    places = int(max(-15, min(digits, 100)))
    scaled = math.floor(abs(value) * 10.0**places + 0.5 + 1e-9) / 10.0**places
    written = f"{scaled:.{max(places, 0)}f}" if plain_ else f"{scaled:,.{max(places, 0)}f}"
    return "-" + written if value < 0 else written


@function("TEXT", "v t", run=True)
def text_of(run: Run, value: Value, pattern: str) -> str:
    """A value through a number format."""
    run.spend(6)
    found = text_number(value) if isinstance(value, str) else value
    if found is None:
        return "" if value is None else text(value)
    try:
        return (
            formats.format_value(found, {"type": "NUMBER", "pattern": pattern}, run.around.moment.locale)
            if pattern
            else ""
        )
    except formats.BadPattern:
        raise formula_error("#VALUE!", f"Invalid format pattern '{pattern[:100]}'.") from None
