"""Working time: when each person is at work, and when they next will be."""

from datetime import timedelta

from seeds.company import Company, Staff
from world.core.clock import DAY, HOUR, MINUTE, SECOND, from_datetime, to_datetime
from world.core.rng import Stream

# A gap's median in seconds and the sigma of its logarithm; `overnight` and `day` are rules, not draws.
GAPS = {"now": (18, 0.6), "short": (0, 0.9), "work": (600, 0.8), "hours": (7200, 0.5)}


class NeverAgain(LookupError):
    """The person left, or is away for longer than anybody waits."""


class Hours:
    """Answers about one company's working time."""

    def __init__(self, company: Company) -> None:
        self.company = company
        self._offs: dict[tuple[str, int], bool] = {}

    def off(self, one: Staff, at: int) -> bool:
        """Weekend, holiday, absence, or not employed on the local day of a time."""
        if one.kind == "bot":
            return not one.is_employed(at)
        local = to_datetime(at, one.tz)
        key = (one.seat, local.toordinal())
        if key not in self._offs:
            self._offs[key] = local.weekday() >= 5 or (one.kind == "employee" and self.company.away(one.seat, at))
        return self._offs[key] or not one.is_employed(at)

    def is_working(self, one: Staff, at: int, grace: int = 0) -> bool:
        """Whether the person is at work, give or take `grace` minutes."""
        if self.off(one, at):
            return False
        local = to_datetime(at, one.tz)
        minute = local.hour * 60 + local.minute
        return one.hours[0] - grace <= minute < one.hours[1] + grace or one.kind == "bot"

    def next_working(self, one: Staff, at: int, draw: Stream) -> int:
        """The same time if the person is at work then, else a little after the start of their next working day.

        Raises NeverAgain.
        """
        if self.is_working(one, at):
            return at
        for step in range(60):
            start = self.day_start(one, at + step * DAY)
            moment = start + int(draw.lognormal(14 * 60, 0.7)) * SECOND
            if moment >= at and self.is_working(one, moment):
                return moment
        raise NeverAgain(f"{one.seat} never works again after {at}")

    def day_start(self, one: Staff, at: int) -> int:
        """The first working minute of the local day of a time."""
        local = to_datetime(at, one.tz).replace(hour=0, minute=0, second=0, microsecond=0)
        return from_datetime(local + timedelta(minutes=one.hours[0]))

    def moment_in_day(self, one: Staff, day: int, draw: Stream, part: str = "") -> int:
        """A time on the local day of `day` when the person works; `part` is morning, noon, afternoon, late or empty."""
        parts = {
            "morning": (0.01, 0.2),
            "noon": (0.3, 0.5),
            "afternoon": (0.5, 0.85),
            "late": (0.85, 0.99),
            "": (0.02, 0.97),
        }
        low, high = parts[part]
        span = one.hours[1] - one.hours[0]
        seconds = int((low + (high - low) * draw.random()) * span * 60)
        return self.day_start(one, day) + seconds * SECOND

    def gap(self, name: str, one: Staff, draw: Stream) -> int:
        """Microseconds until the next turn of a conversation."""
        if name == "day":
            return DAY
        if name == "overnight":
            return 13 * HOUR
        median, sigma = GAPS[name]
        wanted = draw.lognormal(median or one.style.reply_median_s, sigma)
        return int(min(max(wanted, 6.0), 4 * HOUR / SECOND) * SECOND) + draw.integer(0, SECOND - 1)

    def minutes(self, low: float, high: float, draw: Stream) -> int:
        """Microseconds between two numbers of minutes."""
        return int((low + (high - low) * draw.random()) * MINUTE)
