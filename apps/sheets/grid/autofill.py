"""Autofill: the series that a few cells begin (support.google.com/docs/answer/75509, AutoFillRequest of the Sheets
API).
"""

import re
from collections.abc import Callable, Sequence
from datetime import date
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from itertools import groupby, pairwise
from math import isfinite
from typing import NamedTuple

from apps.sheets.cells import Entry
from apps.sheets.formats.entry import number_text
from apps.sheets.formats.locales import LOCALES, locale_of
from apps.sheets.formats.serial import DAY_US, FIRST, LAST, serial_of
from apps.sheets.structure.formula_references import Axis, shift_formula
from apps.sheets.vendor_types import NumberFormat

_COUNTED = re.compile(r"(.*?)([0-9]{1,15})(\D{0,40})", re.DOTALL | re.ASCII)
_QUARTERS = ("Q1", "Q2", "Q3", "Q4")
_HOUR_US = DAY_US // 24
At = Callable[[int], Entry]


class _Run(NamedTuple):
    """Cells beside each other that are continued together; `at` gives the one at any place, counted from its first."""

    start: int
    size: int
    at: At


def series(
    entries: Sequence[Entry],
    formats: Sequence[NumberFormat | None],
    count: int,
    backwards: bool,
    *,
    axis: Axis = "ROWS",
    alternate: bool = False,
    locale: str = "en_US",
) -> list[Entry]:
    """The next `count` entries, the one beside the source first; `alternate` counts a single number up and copies dates
    and words.
    """
    if not entries:
        return []
    size = len(entries)
    kinds = [_kind(entry, number_format, locale) for entry, number_format in zip(entries, formats, strict=True)]
    runs = _runs(entries, kinds, axis, alternate, locale)
    places = range(-1, -count - 1, -1) if backwards else range(size, size + count)
    return [_at(runs, *divmod(place, size)) for place in places]


def _at(runs: list[_Run], cycle: int, place: int) -> Entry:
    run = next(run for run in runs if run.start <= place < run.start + run.size)
    return run.at(cycle * run.size + place - run.start)


def _kind(entry: Entry, number_format: NumberFormat | None, locale: str) -> str:
    if entry.kind == "number":
        kind = (number_format or {}).get("type", "")
        return kind if kind in ("DATE", "TIME", "DATE_TIME") else "number"
    if entry.kind != "text":
        return entry.kind
    if _list_of(entry.input, locale):
        return "word"
    return "counted" if _COUNTED.fullmatch(entry.input) else "text"


def _runs(entries: Sequence[Entry], kinds: list[str], axis: Axis, alternate: bool, locale: str) -> list[_Run]:
    runs: list[_Run] = []
    for kind, places in groupby(range(len(entries)), kinds.__getitem__):
        held = list(places)
        part = [entries[place] for place in held]
        at = _formulas(part, len(entries), axis) if kind == "formula" else _continue_run(part, kind, alternate, locale)
        runs.append(_Run(held[0], len(held), at))
    return runs


def _continue_run(part: list[Entry], kind: str, alternate: bool, locale: str) -> At:
    """Continue a run; what has no order is repeated."""
    single = len(part) == 1
    if alternate and single and kind != "number":
        return _repeat_run(part)
    if kind == "number":
        return _repeat_run(part) if single and not alternate else _linear(part, Fraction(1))
    if kind in ("DATE", "TIME", "DATE_TIME"):
        return _moments(part, kind)
    if kind == "word":
        return _words(part, locale)
    return _count_on(part) if kind == "counted" else _repeat_run(part)


def _repeat_run(part: list[Entry]) -> At:
    return lambda index: part[index % len(part)]


def _formulas(part: list[Entry], size: int, axis: Axis) -> At:
    """Formulas are copied, their references shifted by how far each copy is from its source."""

    def at(index: int) -> Entry:
        cycle, place = divmod(index, len(part))
        away = cycle * size
        return Entry(
            "formula", shift_formula(part[place].input, away if axis == "ROWS" else 0, away if axis == "COLUMNS" else 0)
        )

    return at


def _linear(part: list[Entry], step: Fraction) -> At:
    """The straight line of least squares through the numbers; `step` is the slope of a single one."""
    line = _line([Fraction(Decimal(entry.input)) for entry in part], step)

    def at(index: int) -> Entry:
        exact = line(index)
        value = float(exact) if abs(exact) < Fraction(10) ** 308 else float("inf")
        return Entry("number", number_text(value)) if isfinite(value) else part[index % len(part)]

    return at


def _line(values: list[Fraction], step: Fraction) -> Callable[[int], Fraction]:
    size = len(values)
    if size == 1:
        return lambda index: values[0] + step * index
    middle, mean = Fraction(size - 1, 2), sum(values, Fraction(0)) / size
    slope = sum(((place - middle) * (value - mean) for place, value in enumerate(values)), Fraction(0))
    slope /= sum(((place - middle) ** 2 for place in range(size)), Fraction(0))
    return lambda index: mean + slope * (index - middle)


def _moments(part: list[Entry], kind: str) -> At:
    """Dates by days, or by months where all fall on one day of the month; a time of day by hours."""
    if kind == "TIME" and len(part) == 1:
        return _hours(part[0])
    days = [_day_of(entry) for entry in part]
    known = [day for day in days if day is not None]
    by_month = _months(part, known) if len(part) > 1 and len(known) == len(part) else None
    return by_month or _linear(part, Fraction(1))


def _hours(entry: Entry) -> At:
    """Each an hour later, round the clock."""
    start_us = round(float(entry.input) * DAY_US)
    return lambda index: (
        Entry("number", number_text((start_us + index * _HOUR_US) % DAY_US / DAY_US)) if index else entry
    )


def _day_of(entry: Entry) -> date | None:
    value = float(entry.input)
    return date.fromordinal(int(value) - FIRST + 1) if value == int(value) and FIRST <= value <= LAST else None


def _months(part: list[Entry], days: list[date]) -> At | None:
    """Steps of whole months: the same day of the month, or the last one of each."""
    months = [day.year * 12 + day.month - 1 for day in days]
    step = months[1] - months[0]
    ends = all(day.day == _length(day.year, day.month) for day in days)
    even = step and all(after - before == step for before, after in pairwise(months))
    if not even or not (ends or len({day.day for day in days}) == 1):
        return None

    def at(index: int) -> Entry:
        year, month = divmod(months[0] + step * index, 12)
        if not 1 <= year <= 9999:
            return part[index % len(part)]
        last = _length(year, month + 1)
        serial = serial_of(year, month + 1, last if ends else min(days[0].day, last))
        return Entry("number", str(serial))

    return at


def _length(year: int, month: int) -> int:
    """Days of a month."""
    return next(day for day in (31, 30, 29, 28) if serial_of(year, month, day) is not None)


@lru_cache(maxsize=16)
def _lists(locale: str) -> tuple[tuple[str, ...], ...]:
    """Lists that go round: days, months and quarters, in English and the locale's language."""
    languages = dict.fromkeys((locale if locale in LOCALES else "en_US", "en_US"))
    named = (locale_of(name) for name in languages)
    return (
        *(each for words in named for each in (words.days_short, words.days, words.months_short, words.months)),
        _QUARTERS,
    )


def _list_of(text: str, locale: str) -> tuple[str, ...] | None:
    folded = text.casefold()
    return next((names for names in _lists(locale) if any(name.casefold() == folded for name in names)), None)


def _words(part: list[Entry], locale: str) -> At:
    """Days, months, quarters: on by the step between the first two, in the case they were typed in."""
    fitting = (
        names
        for names in _lists(locale)
        if all(entry.input.casefold() in [name.casefold() for name in names] for entry in part)
    )
    names = next(fitting, None)
    if names is None:
        return _repeat_run(part)
    folded = [name.casefold() for name in names]
    places = [folded.index(entry.input.casefold()) for entry in part]
    steps = {(after - before) % len(names) for before, after in pairwise(places)} or {1}
    if len(steps) > 1:
        return _repeat_run(part)
    step = steps.pop()
    return lambda index: Entry(
        "text", _match_case(names[(places[0] + step * index) % len(names)], part[index % len(part)].input)
    )


def _match_case(word: str, like: str) -> str:
    if like.islower():
        return word.lower()
    return word.upper() if like.isupper() and len(like) > 2 else word


def _count_on(part: list[Entry]) -> At:
    """`item 1`: the last number counts; texts about it that differ count each on its own."""
    found = [match for entry in part if (match := _COUNTED.fullmatch(entry.input))]
    if len({(match[1], match[3]) for match in found}) > 1:
        return lambda index: _replace_number(
            found[index % len(found)], int(found[index % len(found)][2]) + index // len(found)
        )
    line = _line([Fraction(int(match[2])) for match in found], Fraction(1))
    whole = all(line(index) == int(found[index][2]) for index in range(len(found)))
    if not whole:
        return _repeat_run(part)
    return lambda index: _replace_number(found[0], int(line(index)))


def _replace_number(match: re.Match[str], number: int) -> Entry:
    """Replace the number in a text; it is as wide as the first one was when that began with a zero."""
    width = len(match[2]) if match[2].startswith("0") else 0
    return Entry("text", f"{match[1]}{str(abs(number)).zfill(width)}{match[3]}")
