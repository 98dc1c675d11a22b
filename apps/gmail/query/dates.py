"""Dates of a search and the microseconds they stand for.

`after:` and `newer:` take mail from the moment on, `before:` and `older:` mail up to but without it; a date is midnight
(developers.google.com/workspace/gmail/api/guides/filtering, which has it in Pacific time; here it is the account's
zone).
Forms: YYYY/MM/DD and MM/DD/YYYY (support.google.com/mail/answer/7190), YYYY-MM-DD, seconds since the epoch. Ages: h, d,
m, y.
A midnight the clocks skip is the first moment of that day; one they repeat is the earlier.
"""

import calendar
import re
from datetime import date, datetime

from apps.gmail.query.normal_form import Age, At, Moment, Node, NotBefore, Term, Unit, Until, map_leaves
from world.core.clock import DAY, HOUR, SECOND, from_datetime, to_datetime, zone_info

_YEAR_FIRST = re.compile(r"([0-9]{4})([-/])([0-9]{1,2})\2([0-9]{1,2})")
_MONTH_FIRST = re.compile(r"([0-9]{1,2})/([0-9]{1,2})/([0-9]{4})")
_SECONDS = re.compile(r"[0-9]{1,12}")
_AGE = re.compile(r"([0-9]{1,6})([hdmy])", re.IGNORECASE)
_UNITS: dict[str, Unit] = {"h": "h", "d": "d", "m": "m", "y": "y"}
_EARLIEST = At(-(2**62))


def parse_moment(text: str) -> Moment | None:
    """The moment `after:` names; None when it is no date."""
    if found := _YEAR_FIRST.fullmatch(text):
        return _parse_date(found[1], found[3], found[4])
    if found := _MONTH_FIRST.fullmatch(text):
        return _parse_date(found[3], found[1], found[2])
    return At(int(text) * SECOND) if _SECONDS.fullmatch(text) else None


def _parse_date(year: str, month: str, day: str) -> date | None:
    try:
        return date(int(year), int(month), int(day))
    except ValueError:
        return None


def parse_age(text: str) -> Age | None:
    """The age `older_than:` names; None when it is none."""
    found = _AGE.fullmatch(text)
    return Age(int(found[1]), _UNITS[found[2].lower()]) if found else None


def bind_dates(node: Node, now: int, zone: str) -> Node:
    """The same search with every date as microseconds since the epoch, for an account in an IANA zone."""

    def bind_leaf(leaf: Term) -> Term:
        if isinstance(leaf, NotBefore):
            return NotBefore(_bind_moment(leaf.moment, now, zone))
        return Until(_bind_moment(leaf.moment, now, zone)) if isinstance(leaf, Until) else leaf

    return map_leaves(node, bind_leaf)


def _bind_moment(moment: Moment, now: int, zone: str) -> At:
    if isinstance(moment, At):
        return moment
    if isinstance(moment, date):
        return At(from_datetime(datetime(moment.year, moment.month, moment.day, tzinfo=zone_info(zone))))
    if moment.unit in ("h", "d"):
        return At(now - moment.count * (HOUR if moment.unit == "h" else DAY))
    return _months_ago(moment.count * (12 if moment.unit == "y" else 1), now, zone)


def _months_ago(count: int, now: int, zone: str) -> At:
    local = to_datetime(now, zone)
    year, month = divmod(local.year * 12 + local.month - 1 - count, 12)
    if year < 1:
        return _EARLIEST
    day = min(local.day, calendar.monthrange(year, month + 1)[1])
    return At(from_datetime(local.replace(year=year, month=month + 1, day=day)))
