"""Numbers and times in searches: `5`, `>=5`, `5..9`, `*..9`.

A date is its whole day, a time its second, in UTC unless a zone is given.
"""

import re
from collections.abc import Callable
from datetime import UTC, date, datetime

from apps.github.query.errors import search_refused
from world.core.clock import DAY, MINUTE, SECOND, from_datetime, to_datetime

Test = tuple[str, int]  # an operator of SQL and what stands on its right
Interval = tuple[int, int]  # from, and up to without
_SIGNED = re.compile(r"(>=|<=|>|<)?(.*)", re.DOTALL)
_TODAY = re.compile(r"@today(?:([+-])([0-9]{1,4})([dwmy]))?", re.IGNORECASE)
_MOMENT = re.compile(r"\d{4}-\d\d-\d\d(?:T\d\d:\d\d(:\d\d(?:\.\d{1,6})?)?(?:Z|[+-]\d\d:?\d\d)?)?", re.IGNORECASE)
_DAYS = {"d": 1, "w": 7}


def numbers(text: str) -> list[Test] | None:
    """Parse the tests of a number; None for invalid text."""
    return _tests(text, _number)


def times(text: str, now: int) -> list[Test]:
    """Parse the tests of a time in microseconds. Raises validation_failed."""
    found = _tests(text, lambda part: _interval(part, now))
    if found is None:
        raise search_refused(
            f'"{text[:100]}" is not a recognized date/time format. Please provide an ISO 8601 date/time value, such as'
            " YYYY-MM-DD."
        )
    return found


def passes(value: int | None, tests: list[Test]) -> bool:
    """Whether a value passes the tests; None never does."""
    known = {">=": int.__ge__, "<": int.__lt__}
    return value is not None and all(known[sign](value, bound) for sign, bound in tests)


def _number(text: str) -> Interval | None:
    return (int(text), int(text) + 1) if text.isascii() and text.isdigit() and len(text) < 16 else None


def _tests(text: str, read: Callable[[str], Interval | None]) -> list[Test] | None:
    low, dots, high = text.partition("..")
    if dots:
        first, last = read(low), read(high)
        if (first is None and low != "*") or (last is None and high != "*"):
            return None
        return [*([(">=", first[0])] if first else []), *([("<", last[1])] if last else [])]
    found = _SIGNED.fullmatch(text)
    assert found is not None
    spot = read(found[2])
    if spot is None:
        return None
    signed: dict[str | None, list[Test]] = {
        ">": [(">=", spot[1])],
        ">=": [(">=", spot[0])],
        "<": [("<", spot[0])],
        "<=": [("<", spot[1])],
        None: [(">=", spot[0]), ("<", spot[1])],
    }
    return signed[found[1]]


def _interval(text: str, now: int) -> Interval | None:
    if found := _TODAY.fullmatch(text):
        day = _shift_day(to_datetime(now).date(), found[1], int(found[2] or 0), (found[3] or "d").lower())
        return None if day is None else _day(day)
    found = _MOMENT.fullmatch(text)
    if found is None:
        return None
    try:
        at = datetime.fromisoformat(text.upper())
    except ValueError:
        return None
    start = from_datetime(at if at.tzinfo else at.replace(tzinfo=UTC))
    return start, start + (DAY if "T" not in text.upper() else SECOND if found[1] else MINUTE)


def _day(day: date) -> Interval:
    start = from_datetime(datetime(day.year, day.month, day.day, tzinfo=UTC))
    return start, start + DAY


def _shift_day(day: date, sign: str | None, count: int, unit: str) -> date | None:
    step = -count if sign == "-" else count
    try:
        if unit in _DAYS:
            return date.fromordinal(day.toordinal() + step * _DAYS[unit])
        months = day.year * 12 + day.month - 1 + step * (12 if unit == "y" else 1)
        return date(months // 12, months % 12 + 1, min(day.day, 28))
    except (ValueError, OverflowError):
        return None
