"""The Date of a mail as microseconds of UTC, and back; formats of RFC 5322 section 3.3 with the obsolete ones."""

import re
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from email.utils import format_datetime

from world.core.clock import EPOCH, MINUTE, from_datetime

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_ZONES = {
    "EST": -300,
    "EDT": -240,
    "CST": -360,
    "CDT": -300,
    "MST": -420,
    "MDT": -360,
    "PST": -480,
    "PDT": -420,
    "CET": 60,
    "CEST": 120,
}
_DATE = re.compile(
    r"\s*(?:[A-Za-z]{3,9}\s*,?\s+)?(\d{1,2})[\s-]+([A-Za-z]{3})[a-z]{0,6}\.?[\s-]+(\d{4}|\d{2})\s+"
    r"(\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d{1,9})?)?\s*([+-]\d{4}|[A-Za-z]{1,5})?(?=\W|$)",
    re.A,
)


def parse_date(value: str) -> int | None:
    """Microseconds since the epoch, or None if this is no date; a time without a zone is taken as UTC."""
    found = _DATE.match(value)
    if found is None or found[2].lower() not in _MONTHS:
        return None
    day, year, hour, minute, second = (int(found[group] or 0) for group in (1, 3, 4, 5, 6))
    year += (0 if year > 99 else 2000 if year < 50 else 1900) if len(found[3]) == 2 else 0
    try:
        local = datetime(year, _MONTHS.index(found[2].lower()) + 1, day, hour, minute, min(second, 59), tzinfo=UTC)
    except ValueError:
        return None
    return from_datetime(local) - _parse_zone(found[7] or "") * MINUTE


def _parse_zone(said: str) -> int:
    """Return the minutes east of Greenwich; 0 for an unknown zone (RFC 5322 section 4.3)."""
    if said[:1] in ("+", "-"):
        return int(said[0] + "1") * (int(said[1:3]) * 60 + int(said[3:]))
    return _ZONES.get(said.upper(), 0)


def local_time(at_us: int, zone: tzinfo = UTC) -> datetime:
    """A time of the world in a zone."""
    return (EPOCH + timedelta(microseconds=at_us)).astimezone(zone)


def format_date_header(at_us: int, zone: tzinfo = UTC) -> str:
    """A time as the Date header carries it."""
    local = local_time(at_us, zone)
    offset = local.utcoffset() or timedelta()
    return format_datetime(local.replace(tzinfo=timezone(offset), microsecond=0))


def format_quoted_date(at_us: int, zone: tzinfo = UTC) -> str:
    """A time as the lines above a quotation give it: "Mon, Jan 5, 2026 at 9:03 AM"."""
    local = local_time(at_us, zone)
    month = _MONTHS[local.month - 1].capitalize()
    weekday = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")[local.weekday()]
    half = "AM" if local.hour < 12 else "PM"
    return f"{weekday}, {month} {local.day}, {local.year} at {local.hour % 12 or 12}:{local.minute:02} {half}"
