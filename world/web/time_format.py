"""Formats of simulated time on a page: in the reader's zone, absolute in `title`, never by the browser's clock."""

from collections.abc import Callable
from datetime import datetime

from markupsafe import Markup, escape

from world.core.clock import DAY, HOUR, MINUTE, MONTHS, WEEKDAYS, to_datetime

AGES = ((365 * DAY, "year"), (30 * DAY, "month"), (DAY, "day"), (HOUR, "hour"), (MINUTE, "minute"))


def hour_minute(moment: datetime) -> str:
    """`9:05 AM`."""
    return f"{(moment.hour - 1) % 12 + 1}:{moment.minute:02} {'AM' if moment.hour < 12 else 'PM'}"


def ordinal(day: int) -> str:
    """`1st`, `22nd`, `13th`."""
    suffix = "th" if 10 <= day % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(day % 10, "th")
    return f"{day}{suffix}"


def clock_text(at: int, zone: str) -> str:
    """`Tue, Mar 4, 9:05 AM`: the clock of the top bar."""
    moment = to_datetime(at, zone)
    return f"{WEEKDAYS[moment.weekday()][:3]}, {MONTHS[moment.month - 1][:3]} {moment.day}, {hour_minute(moment)}"


def now_text(at: int, zone: str) -> str:
    """`9:05 AM on Tuesday, March 4th`: inside a sentence that says what time it is."""
    moment = to_datetime(at, zone)
    return f"{hour_minute(moment)} on {WEEKDAYS[moment.weekday()]}, {MONTHS[moment.month - 1]} {ordinal(moment.day)}"


def month_day(moment: datetime, now: datetime) -> str:
    """`Mar 4`, with the year when it is not this one."""
    text = f"{MONTHS[moment.month - 1][:3]} {moment.day}"
    return text if moment.year == now.year else f"{text}, {moment.year}"


def full(at: int, zone: str) -> str:
    """`Tuesday, March 4, 2025 at 9:05:10 AM`."""
    moment = to_datetime(at, zone)
    clock = hour_minute(moment)
    with_seconds = f"{clock[:-3]}:{moment.second:02}{clock[-3:]}"
    return f"{WEEKDAYS[moment.weekday()]}, {MONTHS[moment.month - 1]} {moment.day}, {moment.year} at {with_seconds}"


def day_name(at: int, now: int, zone: str) -> str:
    """`Today`, `Yesterday`, `Tuesday, March 4th`, with the year when it is not this one."""
    moment, today = to_datetime(at, zone), to_datetime(now, zone)
    days = (today.date() - moment.date()).days
    if days in (0, 1):
        return ("Today", "Yesterday")[days]
    text = f"{WEEKDAYS[moment.weekday()]}, {MONTHS[moment.month - 1]} {ordinal(moment.day)}"
    return text if moment.year == today.year else f"{text}, {moment.year}"


def since(at: int, now: int, zone: str) -> str:
    """`8:00 AM`, `yesterday at 8:00 AM`, `Tuesday, March 4th at 8:00 AM`: inside a sentence."""
    day, clock = day_name(at, now, zone), hour_minute(to_datetime(at, zone))
    return clock if day == "Today" else f"{day.replace('Yesterday', 'yesterday')} at {clock}"


def short(at: int, now: int, zone: str) -> str:
    """`9:05 AM` today, else `Mar 4`: the column of a list."""
    moment, today = to_datetime(at, zone), to_datetime(now, zone)
    return hour_minute(moment) if moment.date() == today.date() else month_day(moment, today)


def relative(at: int, now: int) -> str:
    """`just now`, `5 minutes ago`, `in 2 hours`, `3 days ago`, `4 months ago`."""
    gap = abs(now - at)
    if gap < MINUTE:
        return "just now"
    unit, name = next((unit, name) for unit, name in AGES if gap >= unit)
    count = gap // unit
    words = f"{count} {name}{'s' if count != 1 else ''}"
    return f"{words} ago" if at <= now else f"in {words}"


STYLES: dict[str, Callable[[int, int, str], str]] = {
    "time": lambda at, now, zone: hour_minute(to_datetime(at, zone)),
    "gutter": lambda at, now, zone: hour_minute(to_datetime(at, zone))[:-3],
    "short": short,
    "day": day_name,
    "date": lambda at, now, zone: month_day(to_datetime(at, zone), to_datetime(now, zone)),
    "full": lambda at, now, zone: full(at, zone),
    "ago": lambda at, now, zone: relative(at, now),
    "clock": lambda at, now, zone: clock_text(at, zone),
    "now": lambda at, now, zone: now_text(at, zone),
    "since": lambda at, now, zone: since(at, now, zone),
    "both": lambda at, now, zone: f"{day_name(at, now, zone)} at {hour_minute(to_datetime(at, zone))}",
}


def stamp(at: int, now: int, zone: str, style: str = "short") -> Markup:
    """A `<time>` element: the chosen style as text, the absolute time in `title`."""
    machine = to_datetime(at).strftime("%Y-%m-%dT%H:%M:%SZ")
    text = STYLES[style](at, now, zone)
    return Markup(f'<time datetime="{machine}" title="{escape(full(at, zone))}">{escape(text)}</time>')
