"""Dates and times, as days since 1899-12-30."""

import datetime
import math
from collections.abc import Callable

from apps.sheets.cells import DAY_ZERO, Value
from apps.sheets.engine.evaluate import Run
from apps.sheets.engine.functions.mathematics import numbers
from apps.sheets.engine.registry import function, plain
from apps.sheets.engine.values import Grid, format_plain_number, formula_error, number, text_number

LATEST = datetime.date.max.toordinal() - DAY_ZERO


@function("TODAY", "", run=True)
def today(run: Run) -> float:
    """The day."""
    return float(run.around.moment.serial() // 1)


@function("NOW", "", run=True)
def now(run: Run) -> float:
    """The moment."""
    return run.around.moment.serial()


def day(value: float, name: str = "DATE", place: int = 1) -> datetime.date:
    """A serial number as a date."""
    if not 0 <= value <= LATEST:
        raise formula_error(
            "#NUM!",
            f"Function {name} parameter {place} value is {format_plain_number(value)}. It should be greater than or equal to 0.",
        )
    return datetime.date.fromordinal(int(value) + DAY_ZERO)


def serial(date: datetime.date) -> float:
    """A date as a serial number."""
    return float(date.toordinal() - DAY_ZERO)


def add_months(date: datetime.date, months: int) -> datetime.date:
    """Move a date by some months: the same day, or that month's last."""
    total = date.year * 12 + date.month - 1 + months
    year, month = divmod(total, 12)
    if not 1 <= year <= 9999:
        raise formula_error("#NUM!", "Date is out of range.")
    return datetime.date(year, month + 1, min(date.day, last_day(year, month + 1)))


def last_day(year: int, month: int) -> int:
    """The number of days of a month."""
    return 31 if month == 12 else (datetime.date(year, month + 1, 1) - datetime.timedelta(1)).day


@function("DATE", "n n n")
def date_(year: float, month: float, day_: float) -> float:
    """The day of a year, a month and a day, each of which may overflow."""
    years = int(year) + (1900 if 0 <= year < 1900 else 0)
    total = years * 12 + int(month) - 1
    if not 12 <= total < 120_000:
        raise formula_error(
            "#NUM!",
            f"Function DATE parameter 1 value is {format_plain_number(year)}. Valid values are between 0 and 9999 inclusive.",
        )
    found = serial(datetime.date(total // 12, total % 12 + 1, 1)) + int(day_) - 1
    if not 0 <= found <= LATEST:
        raise formula_error("#NUM!", "Function DATE evaluates to an out of range date.")
    return found


@function("TIME", "n n n")
def time_(hour: float, minute: float, second: float) -> float:
    """The part of a day that a clock time is."""
    seconds = int(hour) * 3600 + int(minute) * 60 + int(second)
    if seconds < 0:
        raise formula_error("#NUM!", "Function TIME evaluates to an out of range number.")
    return seconds % 86_400 / 86_400


def _part(name: str, part: Callable[[datetime.date], float]) -> None:
    function(name, "n")(lambda value: float(part(day(value, name))))


_part("YEAR", lambda date: date.year)
_part("MONTH", lambda date: date.month)
_part("DAY", lambda date: date.day)
_part("ISOWEEKNUM", lambda date: date.isocalendar()[1])


def _seconds(value: float) -> int:
    return round(value % 1 * 86_400) % 86_400


plain(
    "n",
    {
        "HOUR": lambda value: float(_seconds(value) // 3600),
        "MINUTE": lambda value: float(_seconds(value) // 60 % 60),
        "SECOND": lambda value: float(_seconds(value) % 60),
    },
)


@function("WEEKDAY", "n n?")
def weekday(value: float, kind: float = 1.0) -> float:
    """The day of the week as a number."""
    monday = day(value, "WEEKDAY").weekday()
    known = {1: (monday + 1) % 7 + 1, 2: monday + 1, 3: monday}
    if int(kind) not in known:
        raise formula_error(
            "#NUM!",
            f"Function WEEKDAY parameter 2 value is {format_plain_number(kind)}. Valid values are between 1 and 3 inclusive.",
        )
    return float(known[int(kind)])


_FIRST_DAYS = {1: 6, 2: 0, 11: 0, 12: 1, 13: 2, 14: 3, 15: 4, 16: 5, 17: 6}


@function("WEEKNUM", "n n?")
def weeknum(value: float, kind: float = 1.0) -> float:
    """The week of the year."""
    date = day(value, "WEEKNUM")
    if int(kind) == 21:
        return float(date.isocalendar()[1])
    first = _FIRST_DAYS.get(int(kind))
    if first is None:
        raise formula_error(
            "#NUM!",
            f"Function WEEKNUM parameter 2 value is {format_plain_number(kind)}. Valid values are 1, 2, 11 to 17 and 21.",
        )
    start = datetime.date(date.year, 1, 1)
    return float(((date - start).days + (start.weekday() - first) % 7) // 7 + 1)


@function("EDATE", "n n")
def edate(value: float, months: float) -> float:
    """The same day months later."""
    return serial(add_months(day(value, "EDATE"), int(months)))


@function("EOMONTH", "n n")
def eomonth(value: float, months: float) -> float:
    """The last day of a month."""
    date = add_months(day(value, "EOMONTH").replace(day=1), int(months))
    return serial(date.replace(day=last_day(date.year, date.month)))


@function("DAYS", "n n")
def days(end: float, start: float) -> float:
    """Days between."""
    return float(math.floor(end) - math.floor(start))


@function("DATEVALUE", "v")
def date_value(value: Value) -> float:
    """The day that a text names."""
    if isinstance(value, str):
        found = text_number(value)
        if found is None or not any(mark in value for mark in "/-., :") or value.strip().replace(".", "").isdigit():
            raise formula_error("#VALUE!", f"DATEVALUE parameter '{value}' cannot be parsed to date/time.")
        return float(math.floor(found))
    return float(math.floor(number(value, "Function DATEVALUE parameter 1")))


@function("TIMEVALUE", "v")
def time_value(value: Value) -> float:
    """The time that a text names."""
    if isinstance(value, str):
        found = text_number(value)
        if found is None or not any(mark in value for mark in "/-:"):
            raise formula_error("#VALUE!", f"TIMEVALUE parameter '{value}' cannot be parsed to date/time.")
        return found % 1
    return number(value, "Function TIMEVALUE parameter 1") % 1


@function("DATEDIF", "n n t")
def datedif(start: float, end: float, unit: str) -> float:
    """Days, months or years between."""
    one, two = day(start, "DATEDIF"), day(end, "DATEDIF", 2)
    if two < one:
        raise formula_error(
            "#NUM!",
            f"Function DATEDIF parameter 1 ({format_plain_number(start)}) should be on or before Function DATEDIF parameter 2"
            f" ({format_plain_number(end)}).",
        )
    months = (two.year - one.year) * 12 + two.month - one.month - (two.day < one.day)
    known = {
        "D": (two - one).days,
        "M": months,
        "Y": months // 12,
        "YM": months % 12,
        "MD": (two - add_months(one, months)).days,
        "YD": (two - add_months(one, months // 12 * 12)).days,
    }
    if unit.upper() not in known:
        raise formula_error(
            "#NUM!", f"Function DATEDIF parameter 3 value is {unit}. Valid values are: Y, M, D, MD, YM, YD."
        )
    return float(known[unit.upper()])


@function("DAYS360", "n n b?")
def days360(start: float, end: float, european: bool = False) -> float:
    """Days between in a year of twelve months of thirty days."""
    one, two = day(start, "DAYS360"), day(end, "DAYS360", 2)
    first, last = one.day, two.day
    if european:
        first, last = min(first, 30), min(last, 30)
    else:
        if first == last_day(one.year, one.month):
            first = 30
        last = 30 if last == 31 and first == 30 else last
    return float((two.year - one.year) * 360 + (two.month - one.month) * 30 + last - first)


def nasd360(one: datetime.date, two: datetime.date) -> float:
    """Count days by the NASD method: ends of February count as the 30th, the second date's only with the first's."""
    first, last = min(one.day, 30), two.day
    short, short_too = (date.month == 2 and date.day == last_day(date.year, 2) for date in (one, two))
    if short:
        first, last = 30, 30 if short_too else last
    elif first == 30 and last == 31:
        last = 30
    return float((two.year - one.year) * 360 + (two.month - one.month) * 30 + last - first)


_WEEKENDS = {1: (5, 6), 2: (6, 0), 3: (0, 1), 4: (1, 2), 5: (2, 3), 6: (3, 4), 7: (4, 5)} | {
    number_: ((number_ - 12) % 7,) for number_ in range(11, 18)
}


def weekend(name: str, value: Value) -> frozenset[int]:
    """Return the weekend days, from a number or seven digits; Monday is 0."""
    if isinstance(value, str):
        if len(value) != 7 or set(value) - {"0", "1"} or value == "1111111":
            raise formula_error(
                "#VALUE!", f"Function {name} parameter 3 value is {value}. It must be seven digits of 0 and 1."
            )
        return frozenset(index for index, digit in enumerate(value) if digit == "1")
    found = _WEEKENDS.get(int(number(value)))
    if found is None:
        raise formula_error(
            "#NUM!",
            f"Function {name} parameter 3 value is {format_plain_number(number(value))}. It is no kind of weekend.",
        )
    return frozenset(found)


def holidays(name: str, array: Grid | None) -> frozenset[int]:
    """Return holidays by serial number."""
    return frozenset(int(value) for value in numbers(name, (array,))) if array is not None else frozenset()


def count_working_days(start: int, end: int, free: frozenset[int], closed: frozenset[int]) -> int:
    """Count the working days from start to end, both included."""
    weeks, rest = divmod(end - start + 1, 7)
    total = weeks * (7 - len(free)) + sum(
        (start + weeks * 7 + index + DAY_ZERO - 1) % 7 not in free for index in range(rest)
    )
    return total - sum(start <= one <= end and (one + DAY_ZERO - 1) % 7 not in free for one in closed)


def network(name: str, start: float, end: float, free: frozenset[int], closed: frozenset[int]) -> float:
    """Count the working days between two dates, negative in reverse order."""
    for place, value in enumerate((start, end), 1):
        day(value, name, place)
    one, two = int(start), int(end)
    return (
        float(count_working_days(one, two, free, closed))
        if one <= two
        else -float(count_working_days(two, one, free, closed))
    )


@function("NETWORKDAYS", "n n g?")
def networkdays(start: float, end: float, closed: Grid | None = None) -> float:
    """Working days between."""
    return network("NETWORKDAYS", start, end, frozenset((5, 6)), holidays("NETWORKDAYS", closed))


@function("NETWORKDAYS.INTL", "n n v? g?")
def networkdays_intl(start: float, end: float, free: Value = 1.0, closed: Grid | None = None) -> float:
    """Working days between, with another weekend."""
    name = "NETWORKDAYS.INTL"
    return network(name, start, end, weekend(name, 1.0 if free is None else free), holidays(name, closed))


def workday_from(name: str, start: float, count: float, free: frozenset[int], closed: frozenset[int]) -> float:
    """The day so many working days on."""
    day(start, name)
    step, left, at = (1 if count >= 0 else -1), abs(int(count)), int(start)
    if left > 20_000:
        raise formula_error("#NUM!", f"Function {name} parameter 2 value is out of range.")
    while left:
        at += step
        left -= (at + DAY_ZERO - 1) % 7 not in free and at not in closed
    day(at, name)
    return float(at)


@function("WORKDAY", "n n g?")
def workday(start: float, count: float, closed: Grid | None = None) -> float:
    """The day so many working days on."""
    return workday_from("WORKDAY", start, count, frozenset((5, 6)), holidays("WORKDAY", closed))


@function("WORKDAY.INTL", "n n v? g?")
def workday_intl(start: float, count: float, free: Value = 1.0, closed: Grid | None = None) -> float:
    """The day so many working days on, with another weekend."""
    name = "WORKDAY.INTL"
    return workday_from(name, start, count, weekend(name, 1.0 if free is None else free), holidays(name, closed))


@function("YEARFRAC", "n n n?")
def yearfrac(start: float, end: float, basis: float = 0.0) -> float:
    """Years between, by a way of counting."""
    one, two = sorted((day(start, "YEARFRAC"), day(end, "YEARFRAC", 2)))
    gap = (two - one).days
    if int(basis) == 1:
        return gap / _actual_year(one, two)
    known = {
        0: lambda: nasd360(one, two) / 360,
        2: lambda: gap / 360,
        3: lambda: gap / 365,
        4: lambda: days360(serial(one), serial(two), True) / 360,
    }
    if int(basis) not in known:
        raise formula_error(
            "#NUM!",
            f"Function YEARFRAC parameter 3 value is {format_plain_number(basis)}. Valid values are between 0 and 4 inclusive.",
        )
    return known[int(basis)]()


def _actual_year(one: datetime.date, two: datetime.date) -> float:
    if add_months(one, 12) >= two:
        leap = any(_leap(year) and one <= datetime.date(year, 2, 29) <= two for year in range(one.year, two.year + 1))
        return 366.0 if leap or (one.year == two.year and _leap(one.year)) else 365.0
    years = range(one.year, two.year + 1)
    return sum(366 if _leap(year) else 365 for year in years) / len(years)


def _leap(year: int) -> bool:
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)


@function("EPOCHTODATE", "n n?")
def epoch_to_date(value: float, unit: float = 1.0) -> float:
    """A Unix time as a date and time."""
    factors = {1: 1.0, 2: 1e3, 3: 1e6}
    if int(unit) not in factors:
        raise formula_error(
            "#NUM!",
            f"Function EPOCHTODATE parameter 2 value is {format_plain_number(unit)}. Valid values are between 1 and 3 inclusive.",
        )
    if value < 0:
        raise formula_error(
            "#NUM!",
            f"Function EPOCHTODATE parameter 1 value is {format_plain_number(value)}. It should be greater than or equal to 0.",
        )
    return 25_569 + value / factors[int(unit)] / 86_400
