"""Dates and times as people type them, read by the spreadsheet's locale (support.google.com/docs/answer/56470)."""

import re
from datetime import datetime, timedelta
from functools import lru_cache
from typing import NamedTuple

from apps.sheets.formats.locales import LOCALES, Locale, locale_of
from apps.sheets.formats.serial import serial_of
from world.core.clock import zone_info

LONGEST = 60  # characters; no date or time is longer
_PIVOT = 30  # two-figure years from here on are of the last century; support.google.com/docs/answer/3092969

_TIME = re.compile(
    r"(\d{1,4}):([0-5]?\d)(?::([0-5]?\d)(?:[.,](\d{1,6}))?)?(?:\s*([ap])\.?m\.?)?", re.ASCII | re.IGNORECASE
)
_HOUR = re.compile(r"(\d{1,2})\s*([ap])m", re.ASCII | re.IGNORECASE)
_FIGURES = re.compile(r"(\d{1,4})([/.-])(\d{1,2})(?:\2(\d{1,4})?)?", re.ASCII)
_DAY_FIRST = re.compile(r"(\d{1,2})(\.?[ -])([^\W\d]+)(\.?)(?:([ ,-]+)(\d{4}|\d{2}))?")
_MONTH_FIRST = re.compile(r"([^\W\d]+)(\.?)([ -])(\d{1,2})(?:(, ?| |-)(\d{4}))?")
_MONTH_AND_YEAR = re.compile(r"([^\W\d]+)\.?([ -])(\d{4})")
_WEEKDAY = re.compile(r"([^\W\d]+)\.?,? +(.+)")


class TypedDate(NamedTuple):
    """A serial number and the format that shows it the way it was typed."""

    serial: float
    type: str
    pattern: str


class _Day(NamedTuple):
    serial: int
    pattern: str


def parse_moment(text: str, locale: str, now_us: int, zone: str) -> TypedDate | None:
    """The date, time or both that a text says; None for any other text."""
    if len(text) > LONGEST:
        return None
    time = _time(text)
    if time is not None:
        return time
    day = _day(text, locale, now_us, zone)
    if day is not None:
        return TypedDate(float(day.serial), "DATE", _unless_default(day.pattern, "DATE", locale))
    return _day_and_time(text, locale, now_us, zone)


def _day_and_time(text: str, locale: str, now_us: int, zone: str) -> TypedDate | None:
    """Split at each space: the part before it is a day, the part after it a time."""
    for space in re.finditer(r",? +(?=\d)", text):
        time = _time(text[space.end() :])
        day = _day(text[: space.start()], locale, now_us, zone) if time and time.serial < 1 else None
        if time and day:
            pattern = f"{day.pattern or locale_of(locale).patterns['DATE']} {time.pattern}"
            return TypedDate(day.serial + time.serial, "DATE_TIME", _unless_default(pattern, "DATE_TIME", locale))
    return None


def _unless_default(pattern: str, kind: str, locale: str) -> str:
    return "" if pattern == locale_of(locale).patterns[kind] else pattern


def _time(text: str) -> TypedDate | None:
    """`14:30`, `2:30 PM`, `25:00:01.5`: a time of day, or one that has passed when it is longer or has fractions."""
    short = _HOUR.fullmatch(text)
    found = _TIME.fullmatch(f"{short[1]}:00 {short[2]}m" if short else text)
    if not found:
        return None
    hour, half = int(found[1]), (found[5] or "").lower()
    if half and not 1 <= hour <= 12:
        return None
    if half:
        hour = hour % 12 + (12 if half == "p" else 0)
    micro = int((found[4] or "").ljust(6, "0"))
    total = timedelta(hours=hour, minutes=int(found[2]), seconds=int(found[3] or 0), microseconds=micro)
    return TypedDate(total / timedelta(days=1), "TIME", _time_pattern(found, hour, bool(half)))


def _time_pattern(found: re.Match[str], hour: int, half: bool) -> str:
    seconds = ":ss" if found[3] else ""
    if half:
        return f"h:mm{seconds} am/pm"
    if found[4]:
        return "[h]:mm:ss.000"
    if hour >= 24:
        return f"[h]:mm{seconds}"
    return f"{'HH' if len(found[1]) == 2 and found[1][0] == '0' else 'H'}:mm{seconds}"


def _day(text: str, locale: str, now_us: int, zone: str) -> _Day | None:
    year = _this_year(now_us, zone)
    spaced = ". " in locale_of(locale).patterns["DATE"]
    figures = _FIGURES.fullmatch(_strip_date_spaces(text) if spaced else text)
    if figures:
        return _of_figures(figures, locale, year)
    return _of_words(text, locale, year) or _behind_weekday(text, locale, year)


def _strip_date_spaces(text: str) -> str:
    """`2026. 3. 2.` as `2026.3.2`, of locales that write spaces there."""
    close = re.sub(r"(?<=\d)\. (?=\d)", ".", text)
    return close.rstrip(".") if close.count(".") > 2 else close


@lru_cache(maxsize=16)
def _this_year(now_us: int, zone: str) -> int:
    return datetime.fromtimestamp(now_us // 1_000_000, zone_info(zone)).year


def _of_figures(found: re.Match[str], locale: str, year: int) -> _Day | None:
    first, mark, second, third = found[1], found[2], found[3], found[4]
    words = locale_of(locale)
    if len(first) >= 3:
        return _year_first(first, mark, second, third, words)
    if mark == "." and words.order != "dmy":
        return None
    if third is None:
        return _without_year(found, words, year)
    if len(third) not in (2, 4):
        return None
    day, month = (first, second) if words.order == "dmy" else (second, first)
    serial = serial_of(_century(third), int(month), int(day))
    return None if serial is None else _Day(serial, _pattern_of(first, mark, second, third, words))


def _year_first(year: str, mark: str, month: str, day: str | None, words: Locale) -> _Day | None:
    if len(year) != 4 or not day or len(day) > 2:
        return None
    serial = serial_of(int(year), int(month), int(day))
    if serial is not None and words.order == "ymd" and mark in words.patterns["DATE"]:
        return _Day(serial, words.patterns["DATE"])
    wide = len(month) == 2 and len(day) == 2
    return None if serial is None else _Day(serial, mark.join(("yyyy", "mm", "dd") if wide else ("yyyy", "m", "d")))


def _without_year(found: re.Match[str], words: Locale, year: int) -> _Day | None:
    """`3/2`, and `2.3.` or `2.3` where dates have points: this year's."""
    mark = found[2]
    ends_open = found[0].endswith(mark)
    if mark == "." and "." not in words.patterns["DATE"]:
        return None
    if mark != "." and ends_open:
        return None
    day, month = (found[1], found[3]) if words.order == "dmy" else (found[3], found[1])
    serial = serial_of(year, int(month), int(day))
    pattern = f"d{mark}m" if words.order == "dmy" else f"m{mark}d"
    return None if serial is None else _Day(serial, pattern + (mark if ends_open else ""))


def _pattern_of(first: str, mark: str, second: str, third: str, words: Locale) -> str:
    """The locale's own pattern where the typed one has its mark and a whole year."""
    own = words.patterns["DATE"]
    if mark in own and len(third) == 4:
        return own
    wide = len(first) == 2 and len(second) == 2 and first[0] == "0"
    letters = ("d", "m") if words.order == "dmy" else ("m", "d")
    return mark.join((*(letter * (2 if wide else 1) for letter in letters), "yy" if len(third) == 2 else "yyyy"))


def _century(year: str) -> int:
    number = int(year)
    return number if len(year) == 4 else number + (2000 if number < _PIVOT else 1900)


@lru_cache(maxsize=16)
def _months(locale: str) -> dict[str, tuple[int, str]]:
    """Month names of the locale and of English, each with its number and the token that writes it."""
    names: dict[str, tuple[int, str]] = {"sept": (9, "mmm")}
    for each in (LOCALES["en_US"], locale_of(locale)):
        names |= {name.lower(): (number, "mmmm") for number, name in enumerate(each.months, 1)}
        names |= {
            name.lower().rstrip("."): (number, "mmm")
            for number, name in enumerate(each.months_short, 1)
            if name not in each.months
        }
    return names


def _of_words(text: str, locale: str, year: int) -> _Day | None:
    """`2 Mar 2026`, `2. März`, `March 2, 2026`, `Mar 2`, `March 2026`."""
    names = _months(locale)
    found = _DAY_FIRST.fullmatch(text)
    if found and found[3].lower() in names:
        return _parse_named_month(names[found[3].lower()], found[1], found[6], year, f"d{found[2]}{{}}{found[5] or ''}")
    found = _MONTH_FIRST.fullmatch(text)
    if found and found[1].lower() in names:
        return _parse_named_month(names[found[1].lower()], found[4], found[6], year, f"{{}}{found[3]}d{found[5] or ''}")
    found = _MONTH_AND_YEAR.fullmatch(text)
    if found and found[1].lower() in names:
        return _parse_named_month(names[found[1].lower()], "1", found[3], year, f"{{}}{found[2]}")
    return None


def _parse_named_month(month: tuple[int, str], day: str, year: str | None, this_year: int, pattern: str) -> _Day | None:
    serial = serial_of(_century(year) if year else this_year, month[0], int(day))
    behind = "" if not year else "yyyy" if len(year) == 4 else "yy"
    return None if serial is None else _Day(serial, pattern.format(month[1]) + behind)


def _behind_weekday(text: str, locale: str, year: int) -> _Day | None:
    """`Monday, March 2, 2026`: the day's name must be the right one."""
    found = _WEEKDAY.fullmatch(text)
    day = _of_words(found[2], locale, year) if found else None
    if not found or not day:
        return None
    for each in (locale_of(locale), LOCALES["en_US"]):
        weekday = (day.serial - 1) % 7
        for names, token in ((each.days, "dddd"), (each.days_short, "ddd")):
            if found[1].lower() == names[weekday].lower().rstrip("."):
                return _Day(day.serial, f"{token}, {day.pattern}")
    return None
