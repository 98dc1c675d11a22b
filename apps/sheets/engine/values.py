"""Values during evaluation: arrays, and the vendor's conversions between kinds."""

import datetime
import math
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextvars import ContextVar
from functools import lru_cache
from typing import NamedTuple

from apps.sheets.cells import DAY_ZERO, Fault, Value
from apps.sheets.engine.tree import Place

MAX_TEXT = 50_000  # characters in one cell; support.google.com/drive/answer/37603
MAX_NUMBER = 60  # characters of a text that may stand for a number
CIRCULAR = Fault("#REF!", "Circular dependency detected. To resolve with iterative calculation, see File > Settings.")
FAULTS = {
    "#REF!": "Reference does not exist.",
    "#N/A": "Value not available.",
    "#DIV/0!": "Division by zero.",
    "#NAME?": "Unknown name.",
    "#VALUE!": "Value is of the wrong kind.",
    "#NUM!": "Number is out of range.",
    "#NULL!": "Ranges do not meet.",
    "#ERROR!": "Formula parse error.",
}


class Words(NamedTuple):
    """Number formats of a locale other than American English: parsing and rendering of numbers."""

    number_of: Callable[[str], float | None]
    date_of: Callable[[str], float | None]
    decimal: str


WORDS: ContextVar[Words | None] = ContextVar("words", default=None)  # of the formula that is being computed


class Broken(Exception):
    """Exception for a computation that ends in an error value."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.code)
        self.fault = fault


class BudgetExhausted(Exception):
    """Exception for a stopped computation; no formula can catch it."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.fault = Fault("#ERROR!", message)


def formula_error(code: str, message: str = "") -> Broken:
    """Return the exception for an error code."""
    return Broken(Fault(code, message or FAULTS.get(code, "")))


class Grid:
    """A rectangle of values; one that was read from a sheet has its place."""

    __slots__ = ("ascents", "counted", "found", "kinds", "place", "rows", "sorted")

    def __init__(self, rows: list[list[Value]], place: Place | None = None) -> None:
        self.rows = rows
        self.place = place
        self.found: dict[tuple[int, float, str], int] | None = None
        self.counted: Counter[str | float] | None = None
        self.sorted: list[float] | None = None  # its numbers, once somebody ranks by them
        self.ascents: dict[int, tuple[list[int], list[tuple[int, float, str]]]] = {}
        self.kinds: list[list[str]] | None = None  # as what its numbers are shown, where it is said one by one

    @property
    def height(self) -> int:
        """Number of rows."""
        return len(self.rows)

    @property
    def width(self) -> int:
        """Number of columns."""
        return len(self.rows[0]) if self.rows else 0

    def flat(self) -> Iterator[Value]:
        """Yield all values, row by row."""
        for row in self.rows:
            yield from row

    def first(self, key: Value) -> int:
        """Return the position of a value in the first column, or in a single row; case-insensitive; -1 for none.

        Repeated lookups use an index.
        """
        if self.found is None:
            self.found = {}
            return _first(self.line(), 0.0 if key is None else key)
        if not self.found:
            for index, value in enumerate(self.line()):
                if value is not None and not isinstance(value, Fault):
                    self.found.setdefault(sort_key(value), index)
        return self.found.get(sort_key(0.0 if key is None else key), -1)

    def line(self) -> list[Value]:
        """Return the values of the first column, or of the only row."""
        return self.rows[0] if self.height == 1 else [row[0] for row in self.rows]

    def ascent(self, kind: int) -> tuple[list[int], list[tuple[int, float, str]]]:
        """Return positions and sort keys of the line's values of one kind, see `rank`; cached."""
        if kind not in self.ascents:
            fitting = (
                (at, value)
                for at, value in enumerate(self.line())
                if value is not None and not isinstance(value, Fault)
            )
            own = [(at, sort_key(value)) for at, value in fitting if rank(value) == kind]
            self.ascents[kind] = [at for at, _ in own], [key for _, key in own]
        return self.ascents[kind]

    def counts(self) -> Counter[str | float]:
        """Count each text, ignoring case, and each number, including texts that convert to one."""
        if self.counted is None:
            self.counted = Counter()
            for value in self.flat():
                if isinstance(value, str):
                    self.counted.update(
                        (value.casefold(),) if (found := text_number(value)) is None else (value.casefold(), found)
                    )
                elif type(value) is float:
                    self.counted[value] += 1
        return self.counted

    def columns(self) -> list[list[Value]]:
        """Return the values by columns."""
        return [list(column) for column in zip(*self.rows, strict=True)]


def _first(values: list[Value], key: Value) -> int:
    if isinstance(key, str):
        folded = key.casefold()
        return next(
            (index for index, value in enumerate(values) if isinstance(value, str) and value.casefold() == folded), -1
        )
    return next((index for index, value in enumerate(values) if value == key and type(value) is type(key)), -1)


class Lambda:
    """A function made by LAMBDA."""

    __slots__ = ("call", "size")

    def __init__(self, size: int, call: Callable[..., "Result"]) -> None:
        self.size = size
        self.call = call


Result = Value | Grid | Lambda


def grid(value: Result) -> Grid:
    """Return any value as a rectangle."""
    if isinstance(value, Grid):
        return value
    if isinstance(value, Lambda):
        raise formula_error("#N/A", "A LAMBDA must be called.")
    return Grid([[value]])


def single(value: Result) -> Value:
    """Return the single value, or the upper left one of an array."""
    if isinstance(value, Grid):
        return value.rows[0][0] if value.rows and value.rows[0] else None
    if isinstance(value, Lambda):
        raise formula_error("#N/A", "A LAMBDA must be called.")
    return value


def sound(value: Value) -> float | str | bool | None:
    """Return the value, unless it is an error."""
    if isinstance(value, Fault):
        raise Broken(value)
    return value


_NUMBER = re.compile(
    r"\s*([-+]?)\s*(\$?)\s*([-+]?)((?:[0-9]{1,3}(?:,[0-9]{3})+|[0-9]+)(?:\.[0-9]*)?|\.[0-9]+)((?:[eE][-+]?[0-9]+)?)\s*(%?)\s*"
)
_ISO = re.compile(r"\s*([0-9]{4})[-/.]([0-9]{1,2})[-/.]([0-9]{1,2})(?:[T ]+(.*))?\s*")
_US = re.compile(r"\s*([0-9]{1,2})[-/]([0-9]{1,2})[-/]([0-9]{4}|[0-9]{2})(?: +(.*))?\s*")
_CLOCK = re.compile(r"\s*([0-9]{1,4}):([0-9]{2})(?::([0-9]{2}(?:\.[0-9]+)?))?\s*([AaPp][Mm])?\s*")
_MONTHS = {name: number for number, name in enumerate("jan feb mar apr may jun jul aug sep oct nov dec".split(), 1)}
_WORDED = re.compile(
    r"\s*(?:([0-9]{1,2})[- ]([A-Za-z]{3,9})|([A-Za-z]{3,9})\.? +([0-9]{1,2}))[-, ]+([0-9]{4})(?: +(.*))?\s*"
)


def text_number(text: str) -> float | None:
    """Return the number of a text: `$1,200.50`, `45%`, `2024-03-01`, `12:30`; None for none."""
    if len(text) > MAX_NUMBER:
        return None
    if words := WORDS.get():
        return words.number_of(text)
    return _number(text)


@lru_cache(4096)
def _number(text: str) -> float | None:
    """Return the number of a text in the company's own locale; cached, as columns are compared with many criteria."""
    if match := _NUMBER.fullmatch(text):
        sign, dollar, inner, digits, power, percent = match.groups()
        if (sign and inner) or (inner and not dollar):
            return None
        number = float(digits.replace(",", "") + power)
        number = -number if "-" in (sign, inner) else number
        return number / 100 if percent else number
    return text_date(text)


def text_date(text: str) -> float | None:
    """Return the serial number of a date, time or both; None for any other text."""
    if len(text) > MAX_NUMBER:
        return None
    if words := WORDS.get():
        return words.date_of(text)
    for pattern, order in ((_ISO, (0, 1, 2)), (_US, (2, 0, 1))):
        if match := pattern.fullmatch(text):
            year, month, day = (int(match.group(index + 1)) for index in order)
            return to_date_serial(year, month, day, match.group(4))
    if match := _WORDED.fullmatch(text):
        day, month, other_month, other_day, year, clock = match.groups()
        number = _MONTHS.get((month or other_month)[:3].lower())
        return None if number is None else to_date_serial(int(year), number, int(day or other_day), clock)
    return text_time(text)


def to_date_serial(year: int, month: int, day: int, clock: str | None) -> float | None:
    """Return the serial number of a date with the time written after it."""
    year += 0 if year > 99 else 2000 if year < 30 else 1900
    time = text_time(clock) if clock and clock.strip() else 0.0
    if time is None or not (1 <= month <= 12 and 1 <= day <= 31):
        return None
    try:
        return datetime.date(year, month, day).toordinal() - DAY_ZERO + time
    except ValueError:
        return None


def text_time(text: str) -> float | None:
    """Return the fraction of a day of a clock time."""
    match = _CLOCK.fullmatch(text)
    if match is None:
        return None
    hours, minutes, seconds, half = match.groups()
    hour = int(hours)
    if half:
        if not 1 <= hour <= 12:
            return None
        hour = hour % 12 + (12 if half.lower() == "pm" else 0)
    return (hour * 3600 + int(minutes) * 60 + float(seconds or 0)) / 86_400


def format_plain_number(number: float) -> str:
    """Format a number as text: up to 15 significant digits, no trailing zeros."""
    if number == int(number) and abs(number) < 1e15:
        return str(int(number))
    text = repr(float(f"{number:.15g}"))
    mantissa, e, power = text.partition("e")
    mantissa = mantissa[:-2] if mantissa.endswith(".0") else mantissa
    if not e:
        return mantissa
    exponent = int(power)
    if -10 < exponent < 0:
        return f"{number:.{min(20, 14 - exponent)}f}".rstrip("0")
    return (
        f"{mantissa}E{'+' if exponent > 0 else '-'}{abs(exponent):02d}"
        if exponent < -4 or exponent > 20
        else str(int(number))
    )


def text(value: Value) -> str:
    """Convert a value to text."""
    if isinstance(value, str):
        return value
    if value is None:
        return ""
    if value is True or value is False:
        return "TRUE" if value else "FALSE"
    if isinstance(value, Fault):
        raise Broken(value)
    words = WORDS.get()
    return format_plain_number(value).replace(".", words.decimal) if words else format_plain_number(value)


def expects(kind: str, value: Value) -> str:
    """Return the part of the vendor's sentence about the value found instead."""
    found = (
        "boolean"
        if isinstance(value, bool)
        else "text"
        if isinstance(value, str)
        else "empty"
        if value is None
        else "number"
    )
    shown_value = text(value)
    if len(shown_value) > 200:
        shown_value = shown_value[:200] + "..."
    return f"expects {kind} values. But '{shown_value}' is a {found} and cannot be coerced to a {kind}."


def number(value: Value, where: str = "") -> float:
    """Convert a value to a number; `where` begins the error's sentence ("Function ADD parameter 1")."""
    if type(value) is float:
        return value
    if value is None:
        return 0.0
    if isinstance(value, str):
        found = text_number(value) if value else None
        if found is None:
            raise formula_error("#VALUE!", f"{where} {expects('number', value)}")
        return found
    if isinstance(value, Fault):
        raise Broken(value)
    return float(value)


def boolean(value: Value, where: str = "") -> bool:
    """Convert a value to TRUE or FALSE."""
    if isinstance(value, bool):
        return value
    if isinstance(value, str):
        upper = value.strip().upper()
        if upper not in ("TRUE", "FALSE"):
            raise formula_error("#VALUE!", f"{where} {expects('boolean', value)}")
        return upper == "TRUE"
    if isinstance(value, Fault):
        raise Broken(value)
    return bool(value)


def finite(result: float, where: str = "") -> float:
    """Return a result, unless it is infinite or not a number."""
    if not math.isfinite(result):
        raise formula_error("#NUM!", "Numeric value is greater than 1.79769e+308 and cannot be displayed properly.")
    return result


def rank(value: Value) -> int:
    """Return the rank of a kind in the vendor's order: numbers, texts, FALSE and TRUE."""
    return 2 if isinstance(value, bool) else 1 if isinstance(value, str) else 0


def order(one: Value, two: Value) -> int:
    """Compare two values: numbers before texts before booleans; texts ignore case; blanks as the other's empty value.

    Returns -1, 0 or 1.
    """
    for value in (one, two):
        sound(value)
    if one is None:
        one = _blank_like(two)
    if two is None:
        two = _blank_like(one)
    first, second = rank(one), rank(two)
    if first != second:
        return -1 if first < second else 1
    if isinstance(one, str) and isinstance(two, str):
        one, two = fold_case(one), fold_case(two)
    return (one > two) - (one < two)  # type: ignore[operator]


def fold_case(text: str) -> str:
    """Fold the case of a text."""
    return text.casefold() if len(text) < 500 else _long_folded(text)


_long_folded = lru_cache(16)(str.casefold)


def _blank_like(other: Value) -> Value:
    return "" if isinstance(other, str) else False if isinstance(other, bool) else 0.0


def sort_key(value: Value) -> tuple[int, float, str]:
    """Return the ascending sort key of a value: numbers, texts, booleans, errors, blanks."""
    if value is None:
        return (4, 0.0, "")
    if isinstance(value, Fault):
        return (3, 0.0, value.code)
    if isinstance(value, str):
        return (1, 0.0, value.casefold())
    return (2 if isinstance(value, bool) else 0, float(value), "")


def same_key(value: Value) -> tuple[int, float, str]:
    """Return the identity key of a value for UNIQUE and its like: kind and content, case-sensitive."""
    if isinstance(value, str):
        return (1, 0.0, value)
    return sort_key(value)


def square(rows: Sequence[Sequence[Value]], fill: Value) -> list[list[Value]]:
    """Pad rows to equal length."""
    width = max((len(row) for row in rows), default=0)
    return [[*row, *[fill] * (width - len(row))] for row in rows]
