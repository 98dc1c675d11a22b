"""Simulated time: integer microseconds since the epoch, UTC, and the one door to the wall clock."""

import time
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo

SECOND = 1_000_000
MINUTE = 60 * SECOND
HOUR = 60 * MINUTE
DAY = 24 * HOUR

WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
MONTHS = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_UNITS = {"us": 1, "ms": 1_000, "s": SECOND, "m": MINUTE, "h": HOUR, "d": DAY, "w": 7 * DAY}


def to_datetime(at: int, zone: str = "UTC") -> datetime:
    """The aware datetime of a simulated time, in an IANA zone."""
    return (EPOCH + timedelta(microseconds=at)).astimezone(zone_info(zone))


def from_datetime(moment: datetime) -> int:
    """Microseconds since the epoch of an aware datetime; a naive one is refused."""
    if moment.tzinfo is None:
        raise ValueError("a time needs a zone")
    return (moment - EPOCH) // timedelta(microseconds=1)


@lru_cache(maxsize=512)
def zone_info(name: str) -> ZoneInfo:
    """The zone of an IANA name; KeyError's subclass ZoneInfoNotFoundError if unknown."""
    return ZoneInfo(name)


def duration(text: str | int) -> int:
    """Microseconds of `90s`, `20m`, `1h30m`, `2d`; an integer is seconds. Raises ValueError."""
    if isinstance(text, int):
        return text * SECOND
    total, rest = 0, text.strip().removeprefix("+")
    if not rest:
        raise ValueError("an empty duration")
    while rest:
        digits = len(rest) - len(rest.lstrip("0123456789"))
        letters = digits + len(rest[digits:]) - len(rest[digits:].lstrip("uswmhd"))
        unit = rest[digits:letters]
        if not digits or unit not in _UNITS:
            raise ValueError(f"not a duration: {text!r} (write 90s, 20m, 1h30m or 2d)")
        total += int(rest[:digits]) * _UNITS[unit]
        rest = rest[letters:].strip()
    return total


def iso(at: int, zone: str = "UTC") -> str:
    """ISO 8601 with seconds and offset, as people read it in reports."""
    return to_datetime(at, zone).isoformat(timespec="seconds")


def http_date(at: int) -> str:
    """The value of an HTTP Date header (RFC 9110 section 5.6.7)."""
    moment = to_datetime(at)
    day = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")[moment.weekday()]
    month = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")[moment.month - 1]
    return f"{day}, {moment.day:02} {month} {moment.year} {moment.hour:02}:{moment.minute:02}:{moment.second:02} GMT"


def wall_epoch_seconds() -> int:
    """Real seconds since the epoch: for signatures that a program outside checks against its own clock only."""
    return time.time_ns() // 1_000_000_000


def wall_seconds() -> float:
    """Monotonic wall time of this machine: progress displays, time-outs and `realtime` mode only."""
    return time.monotonic()


def processor_seconds() -> float:
    """Processor time of this thread: fairness between worlds only."""
    return time.thread_time()
