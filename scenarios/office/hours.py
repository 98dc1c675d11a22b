"""Hours of the day in two zones: which half hours both work in, and how times are written in lists and mails."""

from datetime import date, datetime, timedelta

from scenarios.office.accounts import today
from scenarios.office.books import say_day
from world.core.clock import zone_info
from world.script.chore import Draw
from world.script.stage import Facts

OPEN, CLOSE = 9 * 60, 18 * 60


def spell(day: str) -> str:
    """`12 March` of a date."""
    return say_day(date.fromisoformat(day))


def city(zone: str) -> str:
    """`New York` of a zone's name."""
    return zone.split("/")[-1].replace("_", " ").replace("Kolkata", "India")


def list_slots(d: Draw, mine: str, theirs: str, *, across: bool) -> list[Facts]:
    """Half hours in the working time of both on days whose difference of zones is today's, or is another one.

    `minute` and `naive` are minutes of the asker's day: the true ones, and those by today's difference.
    """
    now = difference(today(d), mine, theirs)
    found = []
    for ahead in range(2, 38):
        day = today(d) + timedelta(days=ahead)
        real = difference(day, mine, theirs)
        if day.weekday() > 4 or (real != now) != across:
            continue
        for minute in range(7 * 60 + 30, 18 * 60, 30):
            hours = (minute + real, minute + now)
            if all(OPEN <= one <= CLOSE - 30 for one in hours):
                found.append({"day": day.isoformat(), "their": minute, "minute": hours[0], "naive": hours[1]})
    return found


def difference(day: date, mine: str, theirs: str) -> int:
    """Minutes by which the asker's clock is ahead of the other one at noon of a day."""
    at = datetime(day.year, day.month, day.day, 12)
    offsets = [at.replace(tzinfo=zone_info(zone)).utcoffset() or timedelta() for zone in (mine, theirs)]
    return round((offsets[0] - offsets[1]).total_seconds() / 60)


def clock(minute: int) -> str:
    """`09:30` of a minute of the day."""
    return f"{minute // 60:02d}:{minute % 60:02d}"
