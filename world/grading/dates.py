"""Dates and times as people write them, compared with a simulated time in the zones a reader would assume."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from functools import lru_cache

from world.core.clock import MINUTE, SECOND, from_datetime, to_datetime, zone_info

_MONTHS = (
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
)
_MONTH = {name[:size]: index + 1 for index, name in enumerate(_MONTHS) for size in (3, len(name))} | {"sept": 9}
_MONTH_RE = "|".join(sorted(_MONTH, key=lambda name: (-len(name), name)))
_ZONES = {
    "z": 0,
    "utc": 0,
    "gmt": 0,
    "pst": -480,
    "pdt": -420,
    "mst": -420,
    "mdt": -360,
    "cst": -360,
    "cdt": -300,
    "est": -300,
    "edt": -240,
    "bst": 60,
    "cet": 60,
    "cest": 120,
    "ist": 330,
    "jst": 540,
}
_NAMED = {"pt": "America/Los_Angeles", "mt": "America/Denver", "ct": "America/Chicago", "et": "America/New_York"}
_ZONE = (
    rf"(?:(?P<offset>[+-]\d\d:?\d\d)|(?P<zone>{'|'.join(sorted([*_ZONES, *_NAMED], key=lambda n: (-len(n), n)))})\b)"
)
_DATE = re.compile(
    rf"\b(?:(?P<iso>\d{{4}}-\d\d-\d\d)"
    rf"|(?P<day1>\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?(?P<month1>{_MONTH_RE})\b\.?(?:,?\s+(?P<year1>\d{{4}}))?"
    rf"|(?P<month2>{_MONTH_RE})\b\.?\s+(?P<day2>\d{{1,2}})(?:st|nd|rd|th)?\b(?![:.]\d)(?:,?\s+(?P<year2>\d{{4}}))?"
    r"|(?P<a>\d{1,2})/(?P<b>\d{1,2})/(?P<year3>\d{4})|(?P<day4>\d{1,2})\.(?P<month4>\d{1,2})\.(?P<year4>\d{4}))",
    re.I,
)
_TIME = re.compile(
    rf"(?:(?<=\d)t|(?<![\w:.]))(?:(?P<hour>\d{{1,2}}):(?P<minute>\d\d)(?::(?P<second>\d\d)(?:\.\d+)?)?\s?(?P<half1>[ap]\.?m\b\.?)?"
    rf"|(?P<hour2>\d{{1,2}})\s?(?P<half2>[ap]\.?m\b\.?)|(?P<hour3>\d{{1,2}})h(?P<minute3>\d\d)?\b|(?P<word>noon|midnight)\b)"
    rf"(?:\s?{_ZONE})?(?!:?\d)",
    re.I,
)
_BETWEEN = re.compile(r"[\s,t-]*(?:at|on|@|around|by)?[\s,]*", re.I)


@dataclass(frozen=True, slots=True)
class Moment:
    """A date, a time of day, or both, as written. `offset` is minutes east, `zone` an IANA name."""

    start: int
    end: int
    days: tuple[tuple[int | None, int, int], ...] = ()  # readings as (year, month, day)
    clock: tuple[int, int, int | None] | None = None
    offset: int | None = None
    zone: str | None = None

    def means(self, at: int, zones: Sequence[str], tol: int = 0) -> bool:
        """Whether it can mean a simulated time; without a zone written, any of `zones`."""
        return any(self._fits(local, tol) for local in self._locals(at, zones))

    def _locals(self, at: int, zones: Sequence[str]) -> Iterator[datetime]:
        if self.offset is not None:
            yield to_datetime(at) + timedelta(minutes=self.offset)
        elif self.zone is not None:
            yield to_datetime(at, self.zone)
        else:
            yield from (to_datetime(at, zone) for zone in zones)

    def _fits(self, local: datetime, tol: int) -> bool:
        if self.clock is None:
            return any(
                _same_day(day, local.date() + timedelta(days=shift)) for day in self.days for shift in _shifts(tol)
            )
        hour, minute, second = self.clock
        written = local.replace(hour=hour, minute=minute, second=second or 0, microsecond=0, tzinfo=None)
        leeway = timedelta(microseconds=tol + (SECOND if second is not None else MINUTE) - 1)
        wanted = local.replace(tzinfo=None)
        for shift in (-1, 0, 1):
            moved = written + timedelta(days=shift)
            if abs(moved - wanted) <= leeway and (not self.days or any(_same_day(d, moved.date()) for d in self.days)):
                return True
        return False


def _shifts(tol: int) -> range:
    days = tol // (24 * 60 * MINUTE)
    return range(-days, days + 1)


def _same_day(written: tuple[int | None, int, int], day: date) -> bool:
    year, month, number = written
    return (month, number) == (day.month, day.day) and year in (None, day.year)


@lru_cache(maxsize=2048)
def moments(text: str) -> tuple[Moment, ...]:
    """Every date and time of a text, a date joined with the time beside it, in order."""
    found = sorted([*_dates(text), *_times(text)], key=lambda m: (m.start, -m.end))
    kept: list[Moment] = []
    for moment in found:
        last = kept[-1] if kept else None
        if (
            last
            and bool(last.days) != bool(moment.days)
            and not (last.days and last.clock)
            and _near(text, last, moment)
        ):
            kept[-1] = _join(last, moment)
        else:
            kept.append(moment)
    return tuple(kept)


def _near(text: str, one: Moment, other: Moment) -> bool:
    return _BETWEEN.fullmatch(text[one.end : other.start]) is not None


def _join(one: Moment, other: Moment) -> Moment:
    timed = one if one.clock else other
    return Moment(one.start, other.end, one.days or other.days, timed.clock, timed.offset, timed.zone)


def _dates(text: str) -> Iterator[Moment]:
    for match in _DATE.finditer(text):
        days = tuple(day for day in _readings(match) if _exists(day))
        if days:
            yield Moment(match.start(), match.end(), days)


def _readings(match: re.Match[str]) -> list[tuple[int | None, int, int]]:
    if match["iso"]:
        year, month, day = (int(part) for part in match["iso"].split("-"))
        return [(year, month, day)]
    if match["a"]:
        a, b, year = int(match["a"]), int(match["b"]), int(match["year3"])
        return [(year, a, b), (year, b, a)]
    if match["day4"]:
        return [(int(match["year4"]), int(match["month4"]), int(match["day4"]))]
    which = "1" if match["month1"] else "2"
    year = match[f"year{which}"]
    return [(int(year) if year else None, _MONTH[match[f"month{which}"].lower()], int(match[f"day{which}"]))]


def _exists(day: tuple[int | None, int, int]) -> bool:
    try:
        date(day[0] or 2024, day[1], day[2])
    except ValueError:
        return False
    return True


def _times(text: str) -> Iterator[Moment]:
    for match in _TIME.finditer(text):
        clock = _clock(match)
        if clock is None:
            continue
        zone = (match["zone"] or "").lower()
        offset = _ZONES.get(zone)
        if match["offset"]:
            sign = -1 if match["offset"][0] == "-" else 1
            digits = match["offset"][1:].replace(":", "")
            offset = sign * (int(digits[:2]) * 60 + int(digits[2:]))
        yield Moment(match.start(), match.end(), (), clock, offset, _NAMED.get(zone))


def _clock(match: re.Match[str]) -> tuple[int, int, int | None] | None:
    if match["word"]:
        return (12 if match["word"].lower() == "noon" else 0, 0, None)
    hour = int(match["hour"] or match["hour2"] or match["hour3"])
    minute = int(match["minute"] or match["minute3"] or 0)
    second = int(match["second"]) if match["second"] else None
    half = (match["half1"] or match["half2"] or "").lower()[:1]
    if half:
        if not 1 <= hour <= 12:
            return None
        hour = hour % 12 + (12 if half == "p" else 0)
    return (hour, minute, second) if hour < 24 and minute < 60 and (second or 0) < 60 else None


def one_moment(text: str) -> Moment | None:
    """The single moment a text consists of, or None when there is more or less in it."""
    stripped = text.strip().rstrip(".")
    found = moments(stripped)
    return found[0] if len(found) == 1 and (found[0].start, found[0].end) == (0, len(stripped)) else None


def parse_at(text: str, zone: str = "UTC") -> int | None:
    """Microseconds of one full date and time (ISO or as people write it); a date alone is its midnight in `zone`."""
    moment = one_moment(text)
    if moment is None or len(moment.days) != 1 or moment.days[0][0] is None:
        return None
    year, month, day = moment.days[0]
    hour, minute, second = moment.clock or (0, 0, 0)
    naive = datetime(year or 1, month, day, hour, minute, second or 0, tzinfo=zone_info(moment.zone or zone))
    if moment.offset is not None:
        naive = naive.replace(tzinfo=zone_info("UTC")) - timedelta(minutes=moment.offset)
    return from_datetime(naive)
