"""Group keys of a pivot table: values of the source's rows, or buckets of a rule.

developers.google.com/workspace/sheets/api/reference/rest/v4/spreadsheets/pivot-tables#PivotGroupRule
"""

import datetime
from collections.abc import Callable
from typing import Any, NamedTuple

from apps.sheets.cells import DAY_ZERO, Fault, Value
from apps.sheets.engine.values import format_plain_number, sort_key

Spec = dict[str, Any]
Order = tuple[float, float, str]
DAY = 86_400
MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()
DAYS = "Sunday Monday Tuesday Wednesday Thursday Friday Saturday".split()


class Key(NamedTuple):
    """A group's key: its sort position and its name."""

    order: Order
    label: Value

    @property
    def text(self) -> str:
        """Name of the group in totals."""
        return to_plain_text(self.label)


def to_plain_text(value: Value) -> str:
    """Convert a value to text without a format."""
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, float):
        return format_plain_number(value)
    return value.code if isinstance(value, Fault) else str(value or "")


def to_value(value: Spec | None) -> Value:
    """Parse an ExtendedValue of a definition."""
    found = next(iter((value or {}).values()), None)
    return float(found) if isinstance(found, int) and not isinstance(found, bool) else found


def choose_key(group: Spec) -> Callable[[Value], Key]:
    """Return the function from a source's value to its group."""
    rule = group.get("groupRule") or {}
    if rule.get("manualRule"):
        return _manual(rule["manualRule"])
    if rule.get("histogramRule"):
        return _histogram(rule["histogramRule"])
    return _moments(rule["dateTimeRule"].get("type") or "") if rule.get("dateTimeRule") else own


def own(value: Value) -> Key:
    """Return a value as its own group; texts that differ only in case are different groups."""
    value = None if value == "" else value
    order = sort_key(value)
    return Key((order[0], order[1], f"{order[2]}\0{value}" if isinstance(value, str) else order[2]), value)


def _manual(rule: Spec) -> Callable[[Value], Key]:
    named = {
        own(to_value(item)): to_value(group.get("groupName"))
        for group in rule.get("groups") or []
        for item in group.get("items") or []
    }

    def key(value: Value) -> Key:
        plain = own(value)
        return own(named[plain]) if plain in named else plain

    return key


def _histogram(rule: Spec) -> Callable[[Value], Key]:
    start, end, interval = rule.get("start"), rule.get("end"), float(rule["interval"])

    def key(value: Value) -> Key:
        if not isinstance(value, float):
            return own(value)
        if start is not None and value < start:
            return Key((0, float("-inf"), ""), f"< {format_plain_number(start)}")
        if end is not None and value > end:
            return Key((0, float("inf"), ""), f"> {format_plain_number(end)}")
        first = float(start or 0)
        low = first + (value - first) // interval * interval
        if end is not None and low >= end > first:
            low -= interval
        high = low + interval if end is None else min(low + interval, float(end))
        return Key((0, low, ""), f"{format_plain_number(low)} - {format_plain_number(high)}")

    return key


def _moments(kind: str) -> Callable[[Value], Key]:
    def key(value: Value) -> Key:
        if not isinstance(value, float) or not -693_593 <= value < 2_958_466:
            return own(value)
        seconds = round(value % 1 * DAY)
        day = datetime.date.fromordinal(int(value // 1) + DAY_ZERO)
        order, label = _PARTS[kind](day, seconds % DAY)
        return Key((0, float(order), ""), label)

    return key


def _clock(seconds: int) -> str:
    hour, minute = divmod(seconds // 60, 60)
    return f"{(hour - 1) % 12 + 1}:{minute:02d} {'AM' if hour < 12 else 'PM'}"


def _number(number: int) -> tuple[int, Value]:
    return number, float(number)


def _weekday(day: datetime.date) -> int:
    return day.isoweekday() % 7


_PARTS: dict[str, Callable[[datetime.date, int], tuple[int, Value]]] = {
    "SECOND": lambda _, seconds: _number(seconds % 60),
    "MINUTE": lambda _, seconds: _number(seconds // 60 % 60),
    "HOUR": lambda _, seconds: _number(seconds // 3600),
    "HOUR_MINUTE": lambda _, seconds: (seconds // 60, f"{seconds // 3600}:{seconds // 60 % 60:02d}"),
    "HOUR_MINUTE_AMPM": lambda _, seconds: (seconds // 60, _clock(seconds)),
    "DAY_OF_WEEK": lambda day, _: (_weekday(day), DAYS[_weekday(day)]),
    "DAY_OF_YEAR": lambda day, _: _number(day.timetuple().tm_yday),
    "DAY_OF_MONTH": lambda day, _: _number(day.day),
    "DAY_MONTH": lambda day, _: (day.month * 100 + day.day, f"{day.day}-{MONTHS[day.month - 1]}"),
    "MONTH": lambda day, _: (day.month, MONTHS[day.month - 1]),
    "QUARTER": lambda day, _: ((day.month + 2) // 3, f"Q{(day.month + 2) // 3}"),
    "YEAR": lambda day, _: _number(day.year),
    "YEAR_MONTH": lambda day, _: (day.year * 100 + day.month, f"{day.year}-{MONTHS[day.month - 1]}"),
    "YEAR_QUARTER": lambda day, _: (day.year * 10 + (day.month + 2) // 3, f"{day.year} Q{(day.month + 2) // 3}"),
    "YEAR_MONTH_DAY": lambda day, _: (day.toordinal(), day.isoformat()),
}
MOMENTS = frozenset(_PARTS)
