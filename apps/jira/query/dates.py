"""Dates as JQL writes them: absolute in the caller's zone, periods from now, and the start and end of days to years."""

import calendar
import re
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from world.core.clock import from_datetime, to_datetime, zone_info

SECOND = 1_000_000
FORMATS = (
    "Valid formats include: 'yyyy/MM/dd HH:mm', 'yyyy-MM-dd HH:mm', 'yyyy/MM/dd', 'yyyy-MM-dd', or a period format e.g."
    " '-5d', '4w 2d'."
)
_ABSOLUTE = re.compile(r"(\d{4})([-/])(\d{1,2})\2(\d{1,2})(?:\s+(\d{1,2}):(\d{2}))?")
_PART = re.compile(r"(\d{1,9})\s*([a-zA-Z]*)\s*")
_LONGEST = 100  # characters of a period
_INCREMENT = re.compile(r"([+-]?)(\d{1,6})([yMwdhm]?)")
_MINUTES = {"w": 7 * 24 * 60, "d": 24 * 60, "h": 60, "m": 1}
_WORDS = {
    "w": "w",
    "week": "w",
    "weeks": "w",
    "d": "d",
    "day": "d",
    "days": "d",
    "h": "h",
    "hour": "h",
    "hours": "h",
    "m": "m",
    "minute": "m",
    "minutes": "m",
    "": "m",
}
_FURTHEST = timedelta(days=400 * 365)


@dataclass(frozen=True, slots=True)
class Moment:
    """A point in time as a query gives it; `day` when it names a whole day."""

    at: int
    day: bool = False


@dataclass(frozen=True, slots=True)
class Clock:
    """Now, in the caller's zone and week."""

    now: int
    zone: str
    week_start: int

    @property
    def local(self) -> datetime:
        """Now on the caller's wall."""
        return to_datetime(self.now, self.zone)

    def instant(self, wall: datetime) -> int:
        """The time a naive wall time stands for."""
        return from_datetime(wall.replace(tzinfo=zone_info(self.zone)))


def parse_moment(text: str, clock: Clock) -> Moment | None:
    """The moment a literal names, or None when it is no date."""
    text = text.strip()
    if found := _ABSOLUTE.fullmatch(text):
        return _parse_absolute(found, clock)
    minutes = parse_period(text, _MINUTES)
    return None if minutes is None else Moment(_clamp(clock.now + minutes * 60 * SECOND))


def _parse_absolute(found: re.Match[str], clock: Clock) -> Moment | None:
    year, month, day, hour, minute = (int(part or 0) for part in found.group(1, 3, 4, 5, 6))
    try:
        wall = datetime(year, month, day, hour, minute)
        return Moment(clock.instant(wall), day=found[5] is None)
    except (ValueError, OverflowError):
        return None


def parse_period(text: str, minutes: dict[str, int]) -> int | None:
    """Minutes in `4w 2d`, `-5d` or `30`; `minutes` says how long each unit is."""
    text = text.strip()
    sign, rest = (text[0], text[1:].lstrip()) if text[:1] in ("+", "-") else ("+", text)
    if not rest or len(rest) > _LONGEST:
        return None
    total, at = 0, 0
    while at < len(rest):
        part = _PART.match(rest, at)
        unit = _WORDS.get(part[2].lower()) if part else None
        if part is None or unit is None:
            return None
        total, at = total + int(part[1]) * minutes[unit], part.end()
    return -total if sign == "-" else total


def _clamp(at: int) -> int:
    return max(-(2**62), min(at, 2**62))


def period_boundary(edge: str, unit: str, increment: str | None, clock: Clock) -> Moment | None:
    """`startOfMonth("-1M")` and its kin; None when the increment has the wrong form.

    Months and years move the period itself, so endOfMonth("-1M") is the end of the month before.
    """
    sign, count, step = 1, 0, unit
    if increment is not None:
        found = _INCREMENT.fullmatch(increment.strip())
        if not found:
            return None
        sign, count, step = -1 if found[1] == "-" else 1, int(found[2]), found[3] or unit
    start = _period_start(unit, clock.local.date(), clock.week_start)
    try:
        return Moment(_shift_boundary(edge, unit, start, sign * count, step, clock))
    except (ValueError, OverflowError):
        return None


def _shift_boundary(edge: str, unit: str, start: date, count: int, step: str, clock: Clock) -> int:
    whole = step in "yM"
    if whole:
        start = _add_months(start, count * (12 if step == "y" else 1))
    wall = datetime.combine(start if edge == "start" else _next_period(unit, start), datetime.min.time())
    if edge == "end":
        wall -= timedelta(seconds=1)
    if not whole:
        shift = timedelta(minutes=count * _MINUTES[step])
        if abs(shift) > _FURTHEST:
            raise OverflowError
        wall += shift
    return clock.instant(wall)


def _period_start(unit: str, day: date, week_start: int) -> date:
    if unit == "w":
        return day - timedelta(days=(day.weekday() - week_start) % 7)
    if unit == "M":
        return day.replace(day=1)
    return day.replace(month=1, day=1) if unit == "y" else day


def _next_period(unit: str, start: date) -> date:
    if unit in "yM":
        return _add_months(start, 12 if unit == "y" else 1)
    return start + timedelta(days=7 if unit == "w" else 1)


def _add_months(day: date, count: int) -> date:
    index = day.year * 12 + day.month - 1 + count
    year, month = divmod(index, 12)
    return date(year, month + 1, min(day.day, calendar.monthrange(year, month + 1)[1]))
