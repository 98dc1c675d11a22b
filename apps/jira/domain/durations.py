"""Working time as Jira writes it: 1w 2d 3h 4m, with weeks of five days of eight hours."""

import re

from apps.jira.domain.text import Problem

# Defaults of time tracking: support.atlassian.com/jira-cloud-administration/docs/configure-time-tracking
SECONDS = {"w": 5 * 8 * 3600, "d": 8 * 3600, "h": 3600, "m": 60}
NAMES = {"w": "week", "d": "day", "h": "hour", "m": "minute"}
LONGEST = 2**31
_PART = re.compile(r"(\d{1,9}(?:\.\d{1,4})?)\s*([wdhm])", re.IGNORECASE)


def parse_duration(text: object) -> int:
    """Seconds of `3h 20m`; a bare number is minutes. Raises Problem."""
    words = str(text).strip()
    if re.fullmatch(r"\d{1,9}", words):
        words += "m"
    if not words or _PART.sub("", words).strip():
        raise Problem("Invalid time duration entered")
    total = sum(float(amount) * SECONDS[unit.lower()] for amount, unit in _PART.findall(words))
    if total >= LONGEST:
        raise Problem("Invalid time duration entered")
    return int(total)


def parse_whole_seconds(value: object) -> int:
    """A number of seconds as a caller sent it. Raises Problem."""
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < LONGEST:
        raise Problem("Invalid time duration entered")
    return value


def format_short(value: int | None) -> str | None:
    """`1d 2h`, as timetracking and worklogs show it."""
    if value is None:
        return None
    return " ".join(f"{count}{unit}" for count, unit in _split_units(value)) or "0m"


def _split_units(value: int) -> list[tuple[int, str]]:
    out: list[tuple[int, str]] = []
    for unit, size in SECONDS.items():
        count, value = divmod(value, size)
        if count:
            out.append((count, unit))
    return out
