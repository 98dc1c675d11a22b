"""Dates and times as people write them, compared with a simulated time in the zones a reader would assume."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from functools import lru_cache

from world.core.clock import MINUTE, SECOND, from_datetime, to_datetime, zone_info
from world.grading.date_patterns import (
    DATE,
    HOURS,
    MONTH,
    MONTH_FIRST,
    NAMED_TIME,
    OFFSETS,
    PLACES,
    SHIFTS,
    SPOKEN_TIME,
    TIME,
    ZONES,
)
from world.grading.folding import fold

_BETWEEN = re.compile(r"[\s,t-]*(?:at|on|@|around|by|um|gegen)?[\s,]*")
_WORDED = ("noon", "midday", "midnight", "mittag", "mitternacht")
_SPOKEN = (" past ", " to ", "halb ", "viertel ", "clock", " am", " pm", " a.m", " p.m")
Day = tuple[int | None, int, int]


@dataclass(frozen=True, slots=True)
class Moment:
    """A date, a time of day, or both, as written. `offset` is minutes east, `zone` an IANA name.

    `halves`: no half of the day is written, so `three o'clock` is 3:00 or 15:00. `loose`: `15h` may be a time or hours.
    """

    start: int
    end: int
    days: tuple[Day, ...] = ()  # readings as (year, month, day)
    clock: tuple[int, int, int | None] | None = None
    offset: int | None = None
    zone: str | None = None
    halves: bool = False
    loose: bool = False

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
        for shift in (-24, -12, 0, 12, 24) if self.halves else (-24, 0, 24):
            moved = written + timedelta(hours=shift)
            if abs(moved - wanted) <= leeway and (not self.days or any(_same_day(d, moved.date()) for d in self.days)):
                return True
        return False


def _shifts(tol: int) -> range:
    days = tol // (24 * 60 * MINUTE)
    return range(-days, days + 1)


def _same_day(written: Day, day: date) -> bool:
    year, month, number = written
    return (month, number) == (day.month, day.day) and year in (None, day.year)


@lru_cache(maxsize=2048)
def moments(text: str) -> tuple[Moment, ...]:
    """Every date and time of a text, a date joined with the time beside it, in order."""
    folded = fold(text)
    found = find_moments(folded.low)
    if folded.offsets is None:
        return found
    return tuple(
        replace(one, start=start, end=end) for one in found for start, end in [folded.place(one.start, one.end)]
    )


def find_moments(low: str) -> tuple[Moment, ...]:
    """The same, in folded text in lower case."""
    found = sorted([*_dates(low), *_times(low)], key=lambda m: (m.start, -m.end))
    kept: list[Moment] = []
    for moment in found:
        last = kept[-1] if kept else None
        if last and moment.start < last.end:
            continue
        if last and _joinable(last, moment) and _BETWEEN.fullmatch(low, last.end, moment.start):
            kept[-1] = _join(last, moment)
        else:
            kept.append(moment)
    return tuple(kept)


def _joinable(one: Moment, other: Moment) -> bool:
    return bool(one.days) != bool(other.days) and not (one.days and one.clock)


def _join(one: Moment, other: Moment) -> Moment:
    timed = one if one.clock else other
    return replace(timed, start=one.start, end=other.end, days=one.days or other.days)


# dates


def _dates(low: str) -> Iterator[Moment]:
    for match in DATE.finditer(low):
        days = tuple(day for day in _readings(match) if _exists(day))
        if days:
            yield Moment(match.start(), match.end(), days)
    for match in MONTH_FIRST.finditer(low):
        year = match["year2"]
        day = (int(year) if year else None, MONTH[match["month2"]], int(match["day2"]))
        if _exists(day):
            yield Moment(match.start(), match.end(), (day,))


def _readings(match: re.Match[str]) -> list[Day]:
    first = match.string[match.start()]
    if match["iso"] or match["slashed"]:
        year, month, day = (int(part) for part in re.split("[-/]", first + (match["iso"] or match["slashed"])))
        return [(year, month, day)]
    if match["b"]:
        a, b, year = int(first + match["a"]), int(match["b"]), _year(match["year3"])
        return [(year, a, b), (year, b, a)] if a != b else [(year, a, b)]
    if match["month4"]:
        return [(_year(match["year4"]), int(match["month4"]), int(first + match["day4"]))]
    if match["month5"]:
        a, b, year = int(first + match["day5"]), int(match["month5"]), int(match["year5"])
        return [(year, b, a), (year, a, b)] if a != b else [(year, b, a)]
    return [(_year(match["year1"]), MONTH[match["month1"]], int(first + match["day1"]))]


def _year(text: str | None) -> int | None:
    if not text:
        return None
    return int(text) + (2000 if len(text) == 2 else 0)


def _exists(day: Day) -> bool:
    try:
        date(day[0] or 2024, day[1], day[2])
    except ValueError:
        return False
    return True


# times of day


def _times(low: str) -> Iterator[Moment]:
    at = 0
    while match := TIME.search(low, at):
        at = match.end()
        clock = _clock(match) if at - match.start() > 2 and _stands_free(low, match.start()) else None
        if clock is None:
            continue
        if _is_range(low, match):
            at = match.start("offset")
            yield Moment(match.start(), at, (), clock)
            continue
        halves = match["oclock"] is not None and 1 <= clock[0] <= 12 and not match["half"]
        loose = (match["h"] or match["hours_too"]) is not None and not (match["half"] or match["uhr"])
        yield Moment(match.start(), at, (), clock, *_zone(match), halves, loose)
    if any(word in low for word in _WORDED):
        for match in NAMED_TIME.finditer(low):
            hour = 0 if match["word"] in ("midnight", "mitternacht") else 12
            yield Moment(match.start(), match.end(), (), (hour, 0, None), *_zone(match))
    if any(word in low for word in _SPOKEN):
        yield from _find_spoken_times(low)


def _is_range(low: str, match: re.Match[str]) -> bool:
    """Whether `-10:30` behind a time is where it ends: `09:00-10:30`. An offset stands in a timestamp."""
    offset = match["offset"]
    return (
        bool(offset) and offset[0] == "-" and ":" in offset and not match["second"] and low[: match.start()][-1:] != "t"
    )


def _stands_free(low: str, start: int) -> bool:
    before = low[start - 1] if start else " "
    if before == "t":
        return low[start - 2 : start - 1].isdigit()
    return not (before.isalnum() or before in "_:.,/")


def _clock(match: re.Match[str]) -> tuple[int, int, int | None] | None:
    text = match.group()
    if not (match["colon"] or match["half"] or match["uhr"] or match["h"] or match["oclock"] or match["minute4"]):
        return None
    hour = int(re.match("[0-9]+", text)[0][:2])  # type: ignore[index]
    minute = next(
        (int(match[name]) for name in ("minute", "minute2", "minute3", "minute4", "minute5", "minute6") if match[name]),
        0,
    )
    second = int(match["second"]) if match["second"] else None
    if match["half"]:
        if not 1 <= hour <= 12:
            return None
        hour = hour % 12 + (12 if match["half"][0] == "p" else 0)
    return (hour, minute, second) if hour < 24 and minute < 60 and (second or 0) < 60 else None


def _zone(match: re.Match[str]) -> tuple[int | None, str | None]:
    if match["offset"] or match["hours"]:
        written = match["offset"] or match["hours"]
        digits = written[1:].replace(":", "")
        minutes = int(digits[2:] or match["rest"] or 0)
        return (-1 if written[0] == "-" else 1) * (int(digits[:2]) * 60 + minutes), None
    if match["iana"]:
        return None, "/".join("_".join(word.capitalize() for word in p.split("_")) for p in match["iana"].split("/"))
    if match["place"]:
        return None, PLACES[match["place"]]
    name = match["zone"] or ""
    return OFFSETS.get(name), ZONES.get(name)


def _find_spoken_times(low: str) -> Iterator[Moment]:
    for match in SPOKEN_TIME.finditer(low):
        if match["spoken"]:
            hour, minute = HOURS[match["spoken"]], 0
        elif match["halb"]:
            hour, minute = _hour(match["stunde"]), {"halb": -30, "viertel vor": -15}.get(match["halb"], 15)
        else:
            shift = SHIFTS.get(match["shift"]) or (int(match["shift"]) if match["shift"].isdigit() else 0)
            hour, minute = _hour(match["hour"]), shift if match["side"] == "past" else -shift
        half = (match["half"] or match["suffix"] or "")[:1]
        if (
            not 1 <= hour <= 24
            or abs(minute) >= 60
            or (match["side"] == "to" and match["shift"].isdigit() and not half)
        ):
            continue
        total = (hour * 60 + minute + (720 if half == "p" else 0)) % (720 if half != "p" else 1440)
        total = total % 720 + (720 if half == "p" else 0)
        yield Moment(match.start(), match.end(), (), (total // 60, total % 60, None), halves=not half)


def _hour(text: str) -> int:
    return HOURS.get(text) or (int(text) if text.isdigit() else 0)


# one moment


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
