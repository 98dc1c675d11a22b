"""Typed values as people write them: numbers with units, money, durations; strict for answers, found for texts."""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import accumulate
from typing import Any

from world.core.clock import SECOND
from world.core.reading.passage import Passage
from world.grading.facts import extract
from world.grading.facts.units import CURRENCY_AFTER, currency_of
from world.grading.folding import fold

_TIME_UNITS = {
    "us": "0.000001",
    "ms": "0.001",
    "s": "1",
    "sec": "1",
    "secs": "1",
    "second": "1",
    "seconds": "1",
    "m": "60",
    "min": "60",
    "mins": "60",
    "minute": "60",
    "minutes": "60",
    "h": "3600",
    "hr": "3600",
    "hrs": "3600",
    "hour": "3600",
    "hours": "3600",
    "d": "86400",
    "day": "86400",
    "days": "86400",
    "w": "604800",
    "week": "604800",
    "weeks": "604800",
}
_BYTE_UNITS = {
    "b": "1",
    "byte": "1",
    "bytes": "1",
    "kb": "1000",
    "mb": "1000000",
    "gb": "1000000000",
    "tb": "1000000000000",
    "kib": "1024",
    "mib": "1048576",
    "gib": "1073741824",
}
UNITS: dict[str, tuple[str, Decimal]] = {
    **{name: ("time", Decimal(size)) for name, size in _TIME_UNITS.items()},
    **{name: ("bytes", Decimal(size)) for name, size in _BYTE_UNITS.items()},
    **{name: ("share", Decimal(1)) for name in ("%", "percent", "pct")},
}
_SYMBOL = r"us\$|[$€£¥₹]|zł"
_NUMBER = r"[-+]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?"
_MONEY = re.compile(
    rf"(?<![\w.])(?:(?P<before>{_SYMBOL}|\b[A-Za-z]{{3}}(?=\s?[-+\d]))\s?)?(?P<number>{_NUMBER})(?P<scale>[kKmM](?![\w]))?"
    rf"(?:\s?(?P<after>{_SYMBOL}|(?:euro|dollar)s?\b|[A-Za-z]{{3}}\b))?",
    re.I,
)
_FOUND = re.compile(rf"(?<![\w.,:/#@$€£¥₹-])(?P<number>{_NUMBER})(?![\d:/@]|,\d)(?:\s?-?(?P<unit>%|[A-Za-z]+))?")
_PART = re.compile(rf"\s*(?P<number>{_NUMBER})\s*(?P<unit>[A-Za-z%]*)\s*(?:,|and\b)?", re.I)
_ISO_DURATION = re.compile(r"P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?", re.I)


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number with its unit, where it stood in the text."""

    value: Decimal
    unit: str = ""
    start: int = 0
    end: int = 0

    def within(self, wanted: Decimal, unit: str, tol: Decimal) -> bool:
        """Whether it is the wanted number in the wanted unit; a bare number counts as in that unit."""
        if not unit:
            return not self.unit and abs(self.value - wanted) <= tol
        own = convert(self.value, self.unit or unit, unit)
        return own is not None and abs(own - wanted) <= tol


@dataclass(frozen=True, slots=True)
class Money:
    """An amount with its currency."""

    value: Decimal
    currency: str
    start: int = 0
    end: int = 0


def convert(value: Decimal, unit: str, to: str) -> Decimal | None:
    """A quantity in another unit of the same dimension; None where there is no way."""
    if unit.lower() == to.lower():
        return value
    one, other = UNITS.get(unit.lower()), UNITS.get(to.lower())
    if one is None or other is None or one[0] != other[0]:
        return None
    return value * one[1] / other[1]


def decimal(value: Any) -> Decimal | None:
    """An exact number of a JSON or SQL number or of a string that is one; booleans are none."""
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, (int, float, Decimal)):
        found = Decimal(str(value))
        return found if found.is_finite() else None
    if isinstance(value, str) and re.fullmatch(_NUMBER, value.strip()):
        return _plain(value.strip())
    return None


def _plain(text: str) -> Decimal:
    return Decimal(text.replace(",", ""))


def quantity(value: Any) -> Quantity | None:
    """One number, optionally with a unit, and nothing else."""
    number = decimal(value)
    if number is not None:
        return Quantity(number)
    if not isinstance(value, str):
        return None
    match = re.fullmatch(rf"\s*(?:about\s+|approx\.?\s+|~\s*)?({_NUMBER})\s*-?\s*(%|[A-Za-z]+)?\.?\s*", value, re.I)
    if not match:
        return None
    number, unit = _plain(match[1]), (match[2] or "").lower()
    return Quantity(number, unit) if not unit or unit in UNITS else None


def money(value: Any, currency: str) -> Money | None:
    """One amount and nothing else; a bare number is in the given currency."""
    number = decimal(value)
    if number is not None:
        return Money(number, currency)
    if not isinstance(value, str):
        return None
    match = _MONEY.fullmatch(value.strip())
    return _money(match) if match else None


def moneys(text: str) -> Iterator[Money]:
    """Every amount with a currency in a text, in its likeliest reading."""
    for fact in extract(Passage(text)):
        if fact.kind == "amount":
            yield Money(Decimal(fact.value), fact.unit, fact.start, fact.end)


def _money(match: re.Match[str]) -> Money | None:
    codes = [_currency(match[name]) for name in ("before", "after") if match[name]]
    known = [code for code in codes if code]
    number = _plain(match["number"])
    if not known:
        return None
    scale = {"k": 1_000, "m": 1_000_000}.get((match["scale"] or "").lower(), 1)
    return Money(number * scale, known[0], match.start(), match.end())


def _currency(text: str) -> str | None:
    return currency_of(fold(text).low, CURRENCY_AFTER)


def quantities(text: str, taken: Sequence[tuple[int, int]] = ()) -> Iterator[Quantity]:
    """Every free-standing number of a text with its unit; spans in `taken` (dates, times) are passed over."""
    spans = sorted(taken)
    reach = [0, *accumulate((end for _, end in spans), max)]
    for match in _FOUND.finditer(text):
        start, end = match.span("number")
        number = _plain(match["number"])
        if reach[bisect_left(spans, (end, -1))] > start or _is_part_of_word(text, end, match["unit"]):
            continue
        unit = (match["unit"] or "").lower()
        yield Quantity(number, unit if unit in UNITS else "", start, end)


def _is_part_of_word(text: str, end: int, unit: str | None) -> bool:
    """Whether letters stick to the number that make it an id or an ordinal rather than a quantity."""
    return bool(unit) and text[end : end + 1].isalpha() and str(unit).lower() not in UNITS


def duration_us(value: Any) -> int | None:
    """Microseconds of one duration: `2h 52m`, `172 min`, `1 hour and 5 minutes`, `PT2H`, `02:52:00`; numbers are
    seconds.
    """
    number = decimal(value)
    if number is not None:
        return int(number * SECOND)
    if not isinstance(value, str):
        return None
    text = value.strip()
    return (
        _iso_duration(text)
        if text[:1] in "Pp"
        else _clock_duration(text)
        if ":" in text
        else _parse_unit_duration(text)
    )


def _iso_duration(text: str) -> int | None:
    match = _ISO_DURATION.fullmatch(text)
    if not match or not any(match.groups()):
        return None
    days, hours, minutes, seconds = (Decimal(part or 0) for part in match.groups())
    return int((((days * 24 + hours) * 60 + minutes) * 60 + seconds) * SECOND)


def _clock_duration(text: str) -> int | None:
    parts = text.split(":")
    if len(parts) not in (2, 3) or not all(part.isdecimal() for part in parts):
        return None
    hours, minutes, seconds = (int(part) for part in (*parts, "0")[:3])
    return ((hours * 60 + minutes) * 60 + seconds) * SECOND


def _parse_unit_duration(text: str) -> int | None:
    total, at = Decimal(0), 0
    while at < len(text):
        match = _PART.match(text, at)
        unit = UNITS.get(match["unit"].lower()) if match else None
        if match is None or unit is None or unit[0] != "time":
            return None
        total, at = total + _plain(match["number"]) * unit[1], match.end()
    return int(total * SECOND) if at else None
