"""Serial numbers: days since 30 December 1899, the time as a fraction
(developers.google.com/workspace/sheets/api/guides/formats).
"""

from datetime import date
from functools import lru_cache
from typing import NamedTuple

from apps.sheets.cells import DAY_ZERO

FIRST, LAST = date(1, 1, 1).toordinal() - DAY_ZERO, date(9999, 12, 31).toordinal() - DAY_ZERO
DAY_US = 86_400_000_000


class Moment(NamedTuple):
    """A serial number as a person reads it; `weekday` 0 is Sunday."""

    year: int
    month: int
    day: int
    weekday: int
    hour: int
    minute: int
    second: int
    microsecond: int


def serial_of(year: int, month: int, day: int) -> int | None:
    """The serial number of a date; None for one that is not in the calendar."""
    try:
        return date(year, month, day).toordinal() - DAY_ZERO
    except ValueError:
        return None


def moment_of(serial: float, step_us: int = 1000) -> Moment | None:
    """The moment of a serial number, rounded to `step_us`; None beyond the years 1 to 9999."""
    if not FIRST <= serial < LAST + 1:
        return None
    days = int(serial // 1)
    within = int((serial - days) * DAY_US / step_us + 0.5) * step_us
    days, within = days + within // DAY_US, within % DAY_US
    if days > LAST:
        return None
    second, microsecond = divmod(within, 1_000_000)
    return Moment(*_day(days), second // 3600, second // 60 % 60, second % 60, microsecond)


@lru_cache(maxsize=8192)
def _day(days: int) -> tuple[int, int, int, int]:
    """Year, month, day and weekday of a whole serial number."""
    day = date.fromordinal(days + DAY_ZERO)
    return day.year, day.month, day.day, day.isoweekday() % 7
